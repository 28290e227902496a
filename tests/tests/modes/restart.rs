//! What servers were told of the rules of sessions outlives Gavel.

use gavel_core::modes::{Defaults, Mode, Stance};
use gavel_core::rules::{Effect, Rule};
use gavel_runtime::api::{Call, Scope};
use gavel_tests::gavel::{DEADLINE, Gavel, Options, hurry};
use gavel_tests::host::{Host, Kind, Play};
use gavel_tests::wait::{eventually, stays};

use super::calls::Counted;
use super::{allow, asked, both, choose, for_session};

fn chosen(host: &Host, stance: Option<Stance>) -> Defaults {
    let servers = stance.map(|stance| (host.url().as_str().into(), stance));
    Defaults { servers: servers.into_iter().collect(), ..Defaults::default() }
}

/// Ends Gavel and starts it anew, with what it has kept and `stance` chosen.
async fn anew(counted: Counted, stance: Option<Stance>) -> Counted {
    counted.gavel.handle.shut_down().await;
    let told = counted.gavel.told.lock().unwrap().clone();
    // It is kept as text.
    let told = serde_json::from_str(&serde_json::to_string(&told).unwrap()).unwrap();
    let modes = chosen(&counted.host, stance);
    let options = Options { servers: vec![counted.host.url()], tuning: hurry(), told, modes, ..Options::default() };
    let gavel = Gavel::start(options).await;
    gavel.in_sync(&counted.host.url()).await;
    Counted { gavel, ..counted }
}

/// Nothing is said to sessions that merely exist.
async fn nothing_is_said(counted: &Counted) {
    stays("nothing is said", hurry().second_look, async || counted.ruled().len() == counted.calls).await;
}

/// A command runs, and is asked about as the server has it on its own.
async fn asks(counted: &Counted, file: &str) {
    counted.works(Play::new().run(&format!("touch {file}"))).await;
    allow(&counted.gavel, &asked(&counted.gavel, "shell").await).await;
    counted.host.touches(0, file).await;
    counted.host.idle(0, &counted.session).await;
}

/// How often Gavel's rules are in the list: each time they begin with this one.
fn blocks(rules: &[Rule]) -> usize {
    rules.iter().filter(|rule| (rule.action.as_str(), rule.effect) == ("*", Effect::Allow)).count()
}

pub async fn what_was_told_is_known_to_the_next_run(kind: Kind) {
    let newer = matches!(kind, Kind::StandInV2(_));
    let (host, gavel) = both(&kind).await;
    choose(&gavel, &host, Mode::FullAccess).await;
    let session = host.begin(0).await;
    let mut counted = Counted { host, gavel, newer, session, calls: 0 };
    counted.told("a new session", Mode::FullAccess, (1, 1)).await;
    let theirs = counted.another_client("websearch", false);
    counted.told("another's rule behind it", Mode::FullAccess, (1, 0)).await;

    // While the choice is the same, nothing is said, whatever happens; on 1.x what the other has put there counts.
    counted.cut().await;
    let mut counted = anew(counted, Some(Mode::FullAccess.into())).await;
    nothing_is_said(&counted).await;
    counted.works(Play::new().run("touch one.txt")).await;
    counted.host.touches(0, "one.txt").await;
    counted.host.idle(0, &counted.session).await;
    counted.told("Gavel begun anew", Mode::FullAccess, (0, 0)).await;
    let rules = counted.rules();
    assert_eq!((rules.len(), blocks(&rules)), (2, 1), "{rules:?}");
    assert_eq!(rules.last() == Some(&theirs), !newer);

    // What the user clears is over before the session works again, and what others have set stays.
    let mut counted = anew(counted, Some(Mode::FullAccess.into())).await;
    nothing_is_said(&counted).await;
    let scope = Scope::Server { server: counted.host.url() };
    counted.gavel.call(Call::SetMode { scope, stance: None }).await;
    counted.calls += 1;
    counted.called("the mode cleared").await;
    if newer {
        assert_eq!(counted.rules(), vec![theirs.clone()]);
    }
    asks(&counted, "two.txt").await;

    // A choice that changed while Gavel did not run is as good.
    counted.choose(Mode::Supervised).await;
    counted.told("a mode again", Mode::Supervised, (1, 1)).await;
    let mut counted = anew(counted, None).await;
    counted.calls += 1;
    counted.called("no mode any more").await;
    asks(&counted, "three.txt").await;
    let counted = anew(counted, None).await;
    asks(&counted, "four.txt").await;
    nothing_is_said(&counted).await;
    if newer {
        assert_eq!(counted.rules(), [theirs]);
    }
    let session = counted.session.as_str();
    assert!(counted.ruled().iter().all(|ruled| ruled.session == session), "no other session was ever told anything");
}

pub async fn a_child_is_not_allowed_what_only_its_parent_is(kind: Kind) {
    let (host, gavel) = both(&kind).await;
    let session = host.begin(0).await;
    host.go_on(0, &session, Play::new().run("touch a.txt").say("done")).await;
    let request = asked(&gavel, "shell").await;
    gavel.decide(&request, for_session(&request)).await;
    host.touches(0, "a.txt").await;
    host.idle(0, &session).await;
    let rules = |wish: bool| host.stand_in().world(|world| world.session(&session).unwrap().rules.is_empty() != wish);
    eventually("the grant", DEADLINE, async || rules(matches!(kind, Kind::StandInV2(_)))).await;

    // On 2.x a child begins with the rules of its parent.
    let child = Play::new().run("ls").run("touch b.txt").say("deep");
    host.go_on(0, &session, Play::new().sub_agent(child).say("done")).await;
    let asks = async |text: &str| {
        eventually(format!("`{text}` to be asked"), DEADLINE, async || {
            let snapshot = gavel.snapshot();
            snapshot.requests.iter().find(|request| request.text == text && request.chain.len() == 2).cloned()
        })
        .await
    };
    let first = asks("ls").await;
    let is_free = || {
        host.stand_in().world(|world| {
            let mut children = world.sessions().filter(|one| one.parent.as_deref() == Some(&session));
            children.all(|child| child.rules.iter().all(|rule| rule.resource != "touch *"))
        })
    };
    eventually("the child to be free of it", DEADLINE, async || is_free()).await;
    allow(&gavel, &first).await;
    allow(&gavel, &asks("touch b.txt").await).await;
    host.touches(0, "b.txt").await;
    assert!(rules(matches!(kind, Kind::StandInV2(_))), "its parent keeps it");
}
