//! How often a server is told the rules of its sessions: exactly as often as they change.

use gavel_core::modes::{Defaults, Mode, Stance};
use gavel_core::rules::{Effect, Rule};
use gavel_runtime::api::{Call, Scope};
use gavel_stand_in::Ruled;
use gavel_tests::gavel::{DEADLINE, Gavel, Options, hurry};
use gavel_tests::host::{Host, Kind, Play};
use gavel_tests::wait::{eventually, stays};

use super::{allow, asked, choose, for_session, stands};

/// A server that counts.
pub(super) struct Counted {
    pub(super) host: Host,
    pub(super) gavel: Gavel,
    pub(super) newer: bool,
    pub(super) session: String,
    pub(super) calls: usize,
}

impl Counted {
    pub(super) fn ruled(&self) -> Vec<Ruled> {
        self.host.stand_in().ruled()
    }

    /// After `what` the session stands as it should, and so many more calls were made: the first number under 2.x, the
    /// second under 1.x.
    pub(super) async fn told(&mut self, what: &str, stance: impl Into<Stance>, calls: (usize, usize)) {
        self.calls += if self.newer { calls.0 } else { calls.1 };
        stands(&self.gavel, &self.session, stance.into()).await;
        self.called(what).await;
    }

    /// After `what` no more than the expected calls were made.
    pub(super) async fn called(&self, what: &str) {
        eventually(format!("{what}: {} calls", self.calls), DEADLINE, async || {
            let ruled = self.ruled();
            if ruled.len() == self.calls { Ok(()) } else { Err(format!("{}: {:?}", ruled.len(), ruled.last())) }
        })
        .await;
    }

    pub(super) async fn choose(&self, stance: impl Into<Stance>) {
        choose(&self.gavel, &self.host, stance).await;
    }

    pub(super) async fn works(&self, play: Play) {
        self.host.go_on(0, &self.session, play.say("done")).await;
    }

    /// The connection breaks, and is there again.
    pub(super) async fn cut(&self) {
        let url = self.host.url();
        self.gavel.server(&url, "never away", |row| row.last_error.is_none()).await;
        self.host.stand_in().cut_streams();
        self.gavel.server(&url, "there again", |row| row.link.is_online() && row.last_error.is_some()).await;
    }

    pub(super) fn rules(&self) -> Vec<Rule> {
        self.host.stand_in().world(|world| world.session(&self.session).unwrap().rules.clone())
    }

    /// Another client sets a rule behind all others, or, where `instead`, in their place.
    pub(super) fn another_client(&self, action: &str, instead: bool) -> Rule {
        let rule = Rule { action: action.to_owned(), resource: "*".to_owned(), effect: Effect::Deny };
        let mut rules = if instead || !self.newer { Vec::new() } else { self.rules() };
        rules.push(rule.clone());
        self.host.stand_in().set_rules(&self.session, &rules);
        rule
    }
}

pub async fn a_server_is_told_exactly_what_changes(kind: Kind) {
    let host = Host::start(&kind).await;
    let newer = matches!(kind, Kind::StandInV2(_));
    let options = || Options { servers: vec![host.url()], tuning: hurry(), ..Options::default() };
    let gavel = Gavel::start(options()).await;
    gavel.in_sync(&host.url()).await;
    choose(&gavel, &host, Mode::Supervised).await;
    let before = host.begin(0).await;
    let chosen = Defaults {
        servers: [(host.url().as_str().into(), Mode::AutoAcceptEdits.into())].into(),
        ..Defaults::default()
    };
    let again = Options { modes: chosen, ..options() };
    let mut counted = Counted { host, gavel, newer, session: before, calls: 0 };

    counted.told("a new session", Mode::Supervised, (1, 1)).await;
    counted.choose(Mode::Supervised).await;
    counted.told("the same again", Mode::Supervised, (0, 0)).await;
    counted.choose(Mode::Auto).await;
    counted.told("what is the same for the server", Mode::Auto, (0, 0)).await;
    counted.choose(Mode::FullAccess).await;
    counted.told("another mode", Mode::FullAccess, (1, 1)).await;
    let plan = Stance { plan: true, ..Mode::FullAccess.into() };
    counted.choose(plan).await;
    counted.told("a plan", plan, (1, 1)).await;
    counted.choose(Mode::FullAccess).await;
    counted.told("no plan any more", Mode::FullAccess, (1, 1)).await;
    counted.choose(Mode::Supervised).await;
    counted.told("the first mode", Mode::Supervised, (1, 1)).await;

    // On 1.x grants are no rules: Gavel answers.
    counted.works(Play::new().run("touch a.txt")).await;
    let request = asked(&counted.gavel, "shell").await;
    counted.gavel.decide(&request, for_session(&request)).await;
    counted.host.touches(0, "a.txt").await;
    counted.told("a grant", Mode::Supervised, (1, 0)).await;
    let grant = eventually("the grant", DEADLINE, async || counted.gavel.snapshot().grants.first().cloned()).await;
    counted.gavel.call(Call::TakeGrantBack { id: grant.id }).await;
    let taken = async || counted.gavel.snapshot().grants.first().is_some_and(|grant| grant.back_until.is_some());
    eventually("it to be taken back", DEADLINE, taken).await;
    counted.told("a grant taken back", Mode::Supervised, (1, 0)).await;
    counted.host.idle(0, &counted.session).await;

    // A child has what its parent has when it begins, where the server sees to that.
    counted.works(Play::new().sub_agent(Play::new().run("touch deep.txt").say("deep"))).await;
    let request = asked(&counted.gavel, "shell").await;
    counted.told("a child", Mode::Supervised, (0, 1)).await;
    counted.choose(Mode::AutoAcceptEdits).await;
    counted.told("a mode for both", Mode::AutoAcceptEdits, (2, 2)).await;
    let mut sessions: Vec<String> = counted.ruled().into_iter().rev().take(2).map(|ruled| ruled.session).collect();
    sessions.sort();
    sessions.dedup();
    assert_eq!(sessions.len(), 2, "one call for each");
    allow(&counted.gavel, &request).await;
    counted.host.touches(0, "deep.txt").await;
    counted.host.idle(0, &counted.session).await;

    // What others put behind Gavel's rules stays; on 1.x it is they who have the last word.
    let own = counted.rules();
    let behind = counted.another_client("websearch", false);
    counted.told("another's rule behind its own", Mode::AutoAcceptEdits, (1, 0)).await;
    if newer {
        assert_eq!(counted.rules(), [vec![behind], own.clone()].concat(), "another's stays, and its own is the last");
    } else {
        assert_eq!(counted.rules(), [own.clone(), vec![behind]].concat());
    }
    let instead = counted.another_client("webfetch", true);
    counted.told("another's rule in place of all", Mode::AutoAcceptEdits, (1, 0)).await;
    if newer {
        assert_eq!(counted.rules(), [vec![instead], own].concat());
    }
    counted.cut().await;
    counted.told("a new connection", Mode::AutoAcceptEdits, (0, 0)).await;

    // Another Gavel, which knows nothing of what was set, and sees that it stands.
    counted.gavel.handle.shut_down().await;
    let gavel = Gavel::start(again).await;
    gavel.in_sync(&counted.host.url()).await;
    let mut counted = Counted { gavel, ..counted };
    stays("nothing is said to a session that merely exists", hurry().second_look, async || {
        counted.ruled().len() == counted.calls
    })
    .await;
    counted.works(Play::new().run("touch last.txt")).await;
    let request = asked(&counted.gavel, "shell").await;
    counted.told("another Gavel", Mode::AutoAcceptEdits, (0, 1)).await;
    counted.choose(Mode::FullAccess).await;
    counted.told("a mode after that", Mode::FullAccess, (1, 1)).await;
    allow(&counted.gavel, &request).await;
    counted.host.touches(0, "last.txt").await;
    if newer {
        assert_eq!(counted.rules().iter().filter(|rule| rule.action == "*").count(), 1, "one block, not two");
    }
    let scope = Scope::Session { server: counted.host.url(), session: counted.session.clone() };
    counted.gavel.call(Call::SetMode { scope, stance: Some(Mode::FullAccess.into()) }).await;
    counted.told("the same for the session alone", Mode::FullAccess, (0, 0)).await;
}
