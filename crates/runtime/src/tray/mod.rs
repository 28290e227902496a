//! What the tray shows: its icon, and its menu as a plain tree. Hosts only draw it.

mod modes;
mod questions;

use gavel_core::display::{excerpt, visible};
use gavel_core::text::{Language, Template, plain};
use gavel_core::{Decision, Link, RequestKey, say, term};

use crate::api::{Call, Panel, Phase, Question, QuestionPhase, Request, Snapshot};
use crate::picture;

/// How many waiting requests the menu lists.
const LISTED: usize = 5;

/// The longest label, in characters. Longer ones are cut by desktops, unmarked.
const LABEL: usize = 72;

/// The longest line of what can be approved from the menu, in characters: it must be displayed whole.
const APPROVABLE: usize = 120;

/// The most such lines.
const FACTS: usize = 6;

/// The state that the icon shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    /// Nothing waits.
    Idle,
    /// Requests wait.
    Waiting,
    /// Notifications are held back.
    Paused,
    /// No server can be reached.
    Offline,
    /// Something needs the user: an undelivered answer, or a server that wants a password.
    Error,
}

/// What the tray shows.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// For the icon.
    pub state: State,
    /// What the icon is drawn for.
    pub panel: Panel,
    /// How many requests wait; shown beside the icon where the desktop has room for that.
    pub waiting: usize,
    /// One sentence that says the same in words.
    pub summary: String,
    /// The menu.
    pub menu: Vec<Item>,
}

/// An entry of the menu.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// Words that can't be chosen.
    Text(String),
    /// A line between groups.
    Line,
    /// Something that can be chosen.
    Action(String, Action),
    /// Something that is chosen (`true`) or can be.
    Choice(String, bool, Action),
    /// A menu of its own.
    Menu(String, Vec<Item>),
}

/// What choosing an entry does.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Makes a call.
    Call(Call),
    /// Opens the window, at this request if there is one.
    Open(Option<RequestKey>),
    /// Opens the window at the servers.
    Servers,
    /// Opens the window at the modes.
    Modes,
}

/// What the tray shows for `snapshot`.
#[must_use]
pub fn view(snapshot: &Snapshot) -> View {
    let language = snapshot.language;
    let open: Vec<Waits<'_>> = waiting_things(snapshot);
    let waiting = open.len();
    let state = state(snapshot, waiting);
    let questions = open.iter().filter(|waits| matches!(waits, Waits::Question(_))).count();
    let summary = summary(snapshot, state, waiting, questions);
    let mut menu = vec![Item::Text(summary.clone())];
    menu.extend(open.iter().take(LISTED).map(|waits| match waits {
        Waits::Request(request) => request_menu(request, language),
        Waits::Question(question) => questions::menu(question, language),
    }));
    if open.len() > LISTED {
        menu.push(Item::Action(say!("{} more…", open.len() - LISTED).in_language(language), Action::Open(None)));
    }
    menu.push(Item::Line);
    menu.push(servers_menu(snapshot));
    menu.push(modes::menu(snapshot));
    let pause = if snapshot.paused { term!("Resume notifications") } else { term!("Pause notifications") };
    menu.push(Item::Action(pause.in_language(language), Action::Call(Call::Pause { paused: !snapshot.paused })));
    menu.push(Item::Action(term!("Open Gavel").in_language(language), Action::Open(None)));
    menu.push(Item::Line);
    menu.push(Item::Action(term!("Quit").in_language(language), Action::Call(Call::Quit)));
    View { state, panel: snapshot.preferences.panel, waiting, summary, menu }
}

/// Something that waits.
enum Waits<'a> {
    Request(&'a Request),
    Question(&'a Question),
}

/// All that waits, longest waiting first.
fn waiting_things(snapshot: &Snapshot) -> Vec<Waits<'_>> {
    let requests = snapshot.requests.iter().filter(|request| is_open(request)).map(Waits::Request);
    let questions = snapshot.questions.iter().filter(|question| questions::is_open(question)).map(Waits::Question);
    let mut open: Vec<Waits<'_>> = requests.chain(questions).collect();
    open.sort_by_key(|waits| match waits {
        Waits::Request(request) => request.since,
        Waits::Question(question) => question.since,
    });
    open
}

const fn is_open(request: &Request) -> bool {
    !matches!(request.phase, Phase::Replying { .. })
}

fn state(snapshot: &Snapshot, waiting: usize) -> State {
    let undelivered = snapshot.requests.iter().any(|request| matches!(request.phase, Phase::Undelivered { .. }))
        || snapshot.questions.iter().any(|question| matches!(question.phase, QuestionPhase::Undelivered { .. }));
    let locked_out = snapshot.servers.iter().any(|server| matches!(server.link, Link::NeedsPassword { .. }));
    let online = snapshot.servers.iter().any(|server| server.link.is_online());
    match () {
        () if undelivered => State::Error,
        () if snapshot.paused => State::Paused,
        () if waiting > 0 => State::Waiting,
        () if locked_out => State::Error,
        () if !online => State::Offline,
        () => State::Idle,
    }
}

fn summary(snapshot: &Snapshot, state: State, waiting: usize, questions: usize) -> String {
    let requests = match waiting - questions {
        1 => say!("1 request"),
        many => say!("{} requests", many),
    };
    let requests = match (waiting - questions, questions) {
        (0, 0) => say!("Nothing waits"),
        (1, 0) => say!("1 request waits"),
        (many, 0) => say!("{} requests wait", many),
        (0, 1) => say!("1 question waits"),
        (0, many) => say!("{} questions wait", many),
        (_, 1) => say!("{} and 1 question wait", requests),
        (_, many) => say!("{} and {} questions wait", requests, many),
    };
    let summary = match state {
        State::Paused => say!("Paused · {}", requests),
        State::Offline if snapshot.servers.is_empty() => say!("No OpenCode server is running"),
        State::Offline => say!("No server can be reached"),
        State::Error if waiting == 0 => say!("A server needs a password"),
        State::Error => say!("{} · an answer needs you", requests),
        State::Idle | State::Waiting => requests,
    };
    summary.in_language(snapshot.language)
}

fn request_menu(request: &Request, language: Language) -> Item {
    let word = |word: Template| word.in_language(language);
    let open = Action::Open(Some(request.key.clone()));
    let mut menu = Vec::new();
    // What is approved from here must be readable here: the label alone may be cut.
    let mut facts = vec![request.text.clone()];
    facts.extend(request.workdir.iter().map(|workdir| say!("in {}", plain(workdir)).in_language(language)));
    if request.action == "external_directory" {
        facts.extend(request.resources.iter().map(|place| say!("outside: {}", plain(place)).in_language(language)));
    }
    let fits = |fact: &String| fact.chars().count() <= APPROVABLE && !fact.contains('\n');
    let whole = !request.text.is_empty() && facts.len() <= FACTS && facts.iter().all(fits);
    if whole {
        menu.extend(facts.into_iter().map(Item::Text));
    } else {
        menu.push(Item::Text(word(term!("Too long to be read here"))));
    }
    if let Some(verdict) = &request.verdict {
        menu.push(Item::Text(hint(&picture::verdict_line(verdict.recommendation, &verdict.reason, language))));
    }
    // An edit is more than its path, and its diff has no room here.
    let approvable = whole && request.diff.is_none();
    let decide = |decision| Action::Call(Call::Decide { key: request.key.clone(), decision, edition: request.edition });
    match &request.phase {
        Phase::Undelivered { why, .. } => {
            menu.push(Item::Text(say!("Not delivered: {}", plain(why)).in_language(language)));
            menu.push(Item::Action(word(term!("Retry")), Action::Call(Call::Retry { key: request.key.clone() })));
        }
        Phase::Waiting | Phase::Replying { .. } if approvable => {
            menu.push(Item::Action(word(term!("Approve")), decide(Decision::AllowOnce)));
        }
        Phase::Waiting | Phase::Replying { .. } => {}
    }
    menu.push(Item::Action(word(term!("Decline")), decide(Decision::decline(""))));
    menu.push(Item::Action(word(term!("Open…")), open));
    Item::Menu(label(&request.headline, &request.project), menu)
}

/// A remark, cut to what a menu has room for.
fn hint(remark: &str) -> String {
    let shown = excerpt(remark, APPROVABLE, 1);
    if shown.missing > 0 { format!("{}…", shown.text) } else { shown.text }
}

fn label(headline: &str, project: &str) -> String {
    let shown = excerpt(headline, LABEL, 1);
    let mark = if shown.missing > 0 { "…" } else { "" };
    let place = if project.is_empty() { String::new() } else { format!(" · {}", visible(project)) };
    format!("{}{mark}{place}", shown.text)
}

fn servers_menu(snapshot: &Snapshot) -> Item {
    let language = snapshot.language;
    let rows = snapshot.servers.iter().map(|server| {
        let state = match &server.link {
            Link::Connecting => say!("connecting"),
            Link::Online { version, .. } => say!("online, {}", plain(version)),
            Link::Offline { .. } => say!("offline"),
            Link::NeedsPassword { .. } => say!("needs a password"),
            Link::NotOpenCode { .. } => say!("not an OpenCode server"),
        };
        let mode = modes::chosen(snapshot, &server.id).map(|mode| format!(", {mode}")).unwrap_or_default();
        Item::Action(format!("{}: {}{mode}", server.name, state.in_language(language)), Action::Servers)
    });
    let mut menu: Vec<Item> = rows.collect();
    if menu.is_empty() {
        menu.push(Item::Text(term!("None found").in_language(language)));
    }
    menu.push(Item::Line);
    menu.push(Item::Action(term!("Add or remove…").in_language(language), Action::Servers));
    Item::Menu(term!("Servers").in_language(language), menu)
}
