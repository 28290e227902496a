//! From the state of the flow machine to what is shown.

use std::collections::HashMap;
use std::sync::Arc;

use gavel_core::display::{self, visible};
use gavel_core::flow::{Entry, Flow, Happened, Phase, Server};
use gavel_core::text::{Language, Message, Template, plain};
use gavel_core::{Ask, Decision, JudgeName, Moment, Opinions, Origin, Route, ServerId, SessionId, Verdict, say, term};
use gavel_disk::Row;

use crate::api;
use crate::drafts::Drafts;
use crate::modes;
use crate::settings::Settings;

mod change;
mod offers;
mod question;
mod told;
mod verdict;

pub(crate) use change::is_whole;
pub(crate) use offers::{granted_for_session, hazard};
pub(crate) use question::{bound_answers, bound_response, link, problem, question_notice};
pub(crate) use told::told;
pub(crate) use verdict::{line as verdict_line, of_command as verdict_of_command};

/// What a picture shows beside the requests.
pub(crate) struct Frame<'a> {
    pub(crate) revision: u64,
    pub(crate) now: Moment,
    pub(crate) language: Language,
    pub(crate) paused: bool,
    pub(crate) notifications: api::Notifications,
    pub(crate) keychain: api::Keychain,
    pub(crate) tray: Option<bool>,
    pub(crate) shortcut: &'a api::Shortcut,
    pub(crate) settings: &'a Settings,
    /// Until when the password of a server can be had again.
    pub(crate) password_back: &'a dyn Fn(&gavel_core::ServerId) -> Option<Moment>,
    /// What the user had asked for, where that is known.
    pub(crate) said: &'a dyn Fn(&gavel_core::RequestKey) -> Option<Arc<str>>,
    pub(crate) removed: Vec<api::RemovedServer>,
    pub(crate) judge: api::JudgeRow,
    pub(crate) last_error: &'a dyn Fn(&gavel_core::ServerId) -> Option<Message>,
    pub(crate) drafts: &'a Drafts,
}

pub(crate) fn snapshot(flow: &Flow, frame: Frame<'_>) -> api::Snapshot {
    let mut servers: Vec<&Server> = flow.servers().values().collect();
    servers.sort_by_key(|server| (server.info.origin != Origin::Settings, server.info.name.clone()));
    let open = open_by_session(flow);
    api::Snapshot {
        revision: frame.revision,
        now: frame.now.0,
        language: frame.language,
        paused: frame.paused,
        requests: flow
            .inbox()
            .into_iter()
            .filter_map(|entry| {
                let said = (frame.said)(&entry.ask.key);
                Some(request(entry, flow.servers().get(&entry.ask.key.server)?, &open, said.as_deref(), frame.language))
            })
            .collect(),
        questions: question::questions(flow, frame.drafts, frame.said, frame.language),
        servers: servers.into_iter().map(|server| server_row(server, &frame)).collect(),
        removed: frame.removed,
        notifications: frame.notifications,
        keychain: frame.keychain,
        tray: frame.tray,
        shortcut: frame.shortcut.clone(),
        preferences: frame.settings.preferences.clone(),
        modes: modes::modes(flow, frame.language),
        grants: modes::grants(flow, frame.now, frame.language),
        judge: frame.judge,
        rules: 0,
    }
}

/// The threads in which a judge answers nothing any more, in the order of their servers and titles.
pub(crate) fn paused_threads(flow: &Flow, language: Language) -> Vec<api::PausedThread> {
    let mut threads: Vec<api::PausedThread> = flow
        .servers()
        .values()
        .flat_map(|server| server.judged_no_more().map(move |root| (server, root)))
        .map(|(server, root)| {
            let known = server.sessions.get(root);
            api::PausedThread {
                server: server.info.id.0.clone(),
                session: root.0.clone(),
                title: known.map(|session| told(&session.title, language)).unwrap_or_default(),
                project: known.map(|session| display::project_name(&session.directory)).unwrap_or_default(),
            }
        })
        .collect();
    threads.sort_by(|a, b| (&a.server, &a.title, &a.session).cmp(&(&b.server, &b.title, &b.session)));
    threads
}

/// What a refusal sweeps along: the requests of one session on one route.
type Swath<'a> = (&'a ServerId, &'a SessionId, Route);

fn swath(ask: &Ask) -> Swath<'_> {
    (&ask.key.server, &ask.session, ask.route)
}

/// How many requests of each swath wait.
fn open_by_session(flow: &Flow) -> HashMap<Swath<'_>, usize> {
    let mut open = HashMap::new();
    for entry in flow.servers().values().flat_map(|server| server.entries.values()).filter(|entry| entry.is_open()) {
        *open.entry(swath(&entry.ask)).or_default() += 1;
    }
    open
}

fn request(
    entry: &Entry,
    server: &Server,
    open: &HashMap<Swath<'_>, usize>,
    said: Option<&str>,
    language: Language,
) -> api::Request {
    let told = |text: &str| told(text, language);
    let ask = &entry.ask;
    let open = open.get(&swath(ask)).copied().unwrap_or_default();
    let text = display::full_text_in(ask, language);
    let seen = |text: &Option<String>| text.as_deref().map(visible);
    let everything = [ask.detail.command.as_deref(), ask.detail.path.as_deref(), ask.detail.url.as_deref()];
    api::Request {
        key: ask.key.clone(),
        server_name: server.info.name.clone(),
        online: server.link.is_online(),
        action: visible(&ask.action),
        headline: display::headline_in(ask, language),
        verdict: entry.finding.as_ref().map(|finding| verdict::of(finding, ask, &text, language)),
        advice: verdict::advice(&entry.advice, language),
        judge_paused: server.judges_no_more(&ask.session),
        text,
        deceptive: everything
            .into_iter()
            .flatten()
            .chain(ask.resources.iter().map(String::as_str))
            .chain(ask.detail.diff.as_deref())
            .any(display::is_deceptive_text),
        resources: ask.resources.iter().map(|resource| visible(resource)).collect(),
        serves: said.map(&told),
        purpose: seen(&ask.detail.purpose),
        note: ask.detail.note.as_deref().map(&told),
        workdir: seen(&ask.detail.workdir),
        diff: seen(&ask.detail.diff),
        raw: visible(&raw(&ask.detail)),
        project: display::project_name(&ask.directory),
        directory: visible(&ask.directory),
        chain: chain(server, &ask.session, language),
        since: entry.since.0,
        phase: phase(&entry.phase, language),
        siblings: open - usize::from(entry.is_open()),
        edition: entry.edition,
        offers: offers::offers(ask, server.lines(ask)),
        lines: server.lines(ask),
        always: match ask.route {
            Route::V1 => api::Always::UntilRestart,
            Route::Preview | Route::V2 => api::Always::Project,
        },
    }
}

/// The sessions from the root down to `session`.
fn chain(server: &Server, session: &SessionId, language: Language) -> Vec<api::SessionStep> {
    let step = |session: &gavel_core::Session| api::SessionStep {
        title: told(&session.title, language),
        agent: session.agent.as_deref().map(visible),
    };
    server.sessions.chain(session).into_iter().map(step).collect()
}

/// The diff has a place of its own, so it is left out here, in either of its forms, unless they differ.
fn raw(detail: &gavel_core::Detail) -> String {
    let mut metadata = detail.metadata.clone();
    if let (Some(object), Some(_)) = (metadata.as_object_mut(), &detail.diff) {
        object.remove("diff");
        if change::is_whole(detail) {
            object.remove("files");
        }
    }
    serde_json::to_string_pretty(&metadata).unwrap_or_else(|_| metadata.to_string())
}

fn phase(phase: &Phase, language: Language) -> api::Phase {
    match phase {
        Phase::Waiting => api::Phase::Waiting,
        Phase::Replying { decision, .. } => api::Phase::Replying { decision: decision.clone() },
        Phase::Undelivered { decision, why } => {
            api::Phase::Undelivered { decision: decision.clone(), why: told::said(why, language) }
        }
    }
}

fn server_row(server: &Server, frame: &Frame<'_>) -> api::ServerRow {
    let id = &server.info.id;
    let password = match frame.settings.passwords.get(id.as_str()) {
        None => api::PasswordSource::Nowhere,
        Some(setting) => match &setting.variable {
            None => api::PasswordSource::Keychain,
            Some(name) => api::PasswordSource::Variable { name: name.clone(), set: std::env::var_os(name).is_some() },
        },
    };
    api::ServerRow {
        id: id.0.clone(),
        name: server.info.name.clone(),
        origin: server.info.origin,
        link: told::link(&server.link, frame.language),
        heard: server.heard.map(|at| at.0),
        synced: server.synced.map(|at| at.0),
        last_error: (frame.last_error)(id).map(|why| told::said(&why, frame.language)),
        waiting: server.entries.values().filter(|entry| entry.is_open()).count()
            + server.questions.values().filter(|entry| entry.is_open()).count(),
        password,
        password_back_until: (frame.password_back)(id).map(|at| at.0),
    }
}

/// The row of the activity that `row` of the log stands for; `None` for lines that only the log keeps.
pub(crate) fn activity(row: &Row, language: Language) -> Option<api::Activity> {
    let record = &row.record;
    let outcome = match &record.what {
        Happened::Decided { .. } | Happened::Responded { .. } => return None,
        Happened::Undelivered { why } => api::Outcome::Undelivered { why: told::said(why, language) },
        Happened::Settled { settled } => {
            api::Outcome::Settled { settled: question::settled_in(settled.clone(), &record.action, language) }
        }
    };
    Some(api::Activity {
        number: row.number,
        at: record.at.0,
        title: display::retitled(&record.action, &record.title, language),
        action: record.action.clone(),
        text: display::retexted(&record.action, &record.text, language),
        project: display::project_name(&record.directory),
        directory: visible(&record.directory),
        session: record.session.as_deref().map(visible),
        server: record.key.server.0.clone(),
        waited: record.waited,
        outcome,
        opinions: said(&record.opinions, language),
    })
}

/// What was said of a request that has ended.
fn said(opinions: &Opinions, language: Language) -> Vec<api::Opinion> {
    let said = |verdict: &Verdict, judge: Option<&JudgeName>| api::Opinion {
        judge: judge.cloned(),
        source: verdict.source,
        recommendation: verdict.recommendation,
        reason: verdict::reason(verdict, language),
        status: verdict.status,
    };
    let model = opinions.model.as_ref().map(|opinion| said(&opinion.verdict, opinion.judge.as_ref()));
    model.into_iter().chain(opinions.offline.as_ref().map(|verdict| said(verdict, None))).collect()
}

/// The longest text that is logged, in bytes: a log is no place for a megabyte.
pub(crate) const LONGEST: usize = 16 * 1024;

/// What is logged of what was asked for: all of it, or nothing if that is too much. A part of it would say of a pattern
/// that it matches the whole.
pub(crate) fn bound(resources: &mut Vec<String>) {
    if resources.iter().map(String::len).sum::<usize>() > LONGEST {
        resources.clear();
    }
}

/// What is logged of a text. The cut is stated.
pub(crate) fn clip(text: &mut String) {
    if text.len() > LONGEST {
        let end = text.floor_char_boundary(LONGEST);
        let missing = text.get(end..).map_or(0, |rest| rest.chars().count());
        text.truncate(end);
        text.push_str(&format!("… ({missing} more characters)"));
    }
}

/// A notification's words for `entry`. Where nobody has `chosen` a judge, nobody is told that there is no verdict.
pub(crate) fn notice(entry: &Entry, server: &Server, chosen: bool, language: Language) -> gavel_notify::Notice {
    let ask = &entry.ask;
    let mut remarks = Vec::new();
    if let Phase::Undelivered { decision, why } = &entry.phase {
        let why = why.clone();
        let remark = match decision {
            Decision::AllowOnce | Decision::AllowForSession { .. } | Decision::AllowAlways => {
                say!("Your approval was not delivered: {}", why)
            }
            Decision::Decline { .. } => say!("Your refusal was not delivered: {}", why),
            Decision::Stop => say!("Your stop was not delivered: {}", why),
        };
        remarks.push(remark.in_language(language));
    }
    remarks.extend(verdict::advice_line(&entry.advice, chosen, language));
    if let Some(finding) = &entry.finding {
        remarks.push(verdict::line(finding.recommendation, &finding.reason_in(language), language));
    }
    let chain = server.sessions.chain(&ask.session);
    if let Some(root) = chain.first() {
        let who = if chain.len() > 1 { term!(" (sub-agent)") } else { Template::default() };
        remarks.push(format!("{}{}", root.title, who.in_language(language)));
    }
    if let Some(purpose) = &ask.detail.purpose {
        remarks.push(say!("The agent says: {}", plain(purpose)).in_language(language));
    }
    if let Some(note) = &ask.detail.note {
        remarks.push(say!("A plugin says: {}", plain(note)).in_language(language));
    }
    let mut facts = Vec::new();
    if let Some(workdir) = &ask.detail.workdir {
        facts.push(say!("In {}", plain(workdir)).in_language(language));
    }
    if ask.action == "external_directory" {
        facts.extend(
            ask.resources.iter().map(|place| say!("Outside the project: {}", plain(place)).in_language(language)),
        );
    }
    if let Some(diff) = &ask.detail.diff {
        let (added, removed) = change::count(diff);
        facts.push(say!("{} lines added, {} removed", added, removed).in_language(language));
    }
    let is_whole = change::is_whole(&ask.detail);
    if !is_whole {
        facts.push(term!("More files than are shown here: open Gavel to read all").in_language(language));
    }
    let mut text = display::full_text_in(ask, language);
    if let Some(diff) = &ask.detail.diff {
        // What is approved is the change: a small one is shown whole, a large one has to be read in the window.
        for line in change::body(diff, &text.clone()) {
            text.push('\n');
            text.push_str(line);
        }
    }
    gavel_notify::compose(
        ask.key.clone(),
        &gavel_notify::Draft {
            headline: &display::headline_in(ask, language),
            project: &display::project_name(&ask.directory),
            remarks: &remarks,
            facts: &facts,
            text: &text,
            session: &offers::for_session(entry, server),
            approvable: is_whole,
            urgent: matches!(entry.phase, Phase::Undelivered { .. }),
            language,
        },
    )
}

/// What the notifier's state means for a person.
pub(crate) fn notifications(state: &gavel_notify::State, language: Language) -> api::Notifications {
    match state {
        gavel_notify::State::Starting => api::Notifications {
            available: false,
            actions: false,
            server: String::new(),
            problem: String::new(),
            hint: String::new(),
        },
        gavel_notify::State::Ready(can) => api::Notifications {
            available: true,
            actions: can.actions,
            server: can.server.clone(),
            problem: if can.actions {
                String::new()
            } else {
                say!("{} shows no buttons", plain(&can.server)).in_language(language)
            },
            hint: if can.actions {
                String::new()
            } else {
                term!("Answer from the tray or the window, or use a notification service that has buttons.")
                    .in_language(language)
            },
        },
        gavel_notify::State::Unavailable { reason, hint } => api::Notifications {
            available: false,
            actions: false,
            server: String::new(),
            problem: reason.in_language(language),
            hint: hint.in_language(language),
        },
    }
}

/// What the keychain's state means for a person.
pub(crate) fn keychain(state: &Result<(), Message>, language: Language) -> api::Keychain {
    let problem = state.as_ref().err().map(|why| why.in_language(language)).unwrap_or_default();
    api::Keychain { available: state.is_ok(), problem }
}
