//! The model that works in the session judges as well: by its own API, or through the server, unseen by anybody.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use gavel_core::modes::{Defaults, Mode};
use gavel_core::rules::{Effect, Rule};
use gavel_core::{Decision, Recommendation, Status};
use gavel_judge::model::Options as JudgeOptions;
use gavel_notify::Button;
use gavel_opencode::Tuning;
use gavel_runtime::api::{Advice, Answer, Call, JudgeChoice, Preferences};
use gavel_runtime::{Chosen, JudgeSettings, JudgeSetup, Who};
use gavel_stand_in::{ProviderSettings, StandIn};
use gavel_tests::gavel::{DEADLINE, Gavel, Options, hurry};
use gavel_tests::host::Kind;
use gavel_tests::wait::{eventually, stays};

use super::advising::{Model, advised, by_judge};
use super::{PROJECT, ran, runs, say, you};

const LONG: Duration = Duration::from_secs(3600);

const ALLOWS: &str = r#"{"decision":"allow","reason":"allow it is"}"#;

async fn with_own_model(kind: &Kind, mode: Mode) -> (StandIn, Gavel) {
    let server = StandIn::start(kind.options()).await.unwrap();
    server.set_generated(Some(ALLOWS));
    let gavel = watching(&server, mode, Vec::new()).await;
    (server, gavel)
}

async fn watching(server: &StandIn, mode: Mode, marks: Vec<String>) -> Gavel {
    let judge = JudgeSetup { chosen: Chosen::SessionModel, options: JudgeOptions::default(), problem: None };
    let mut modes = Defaults::default();
    modes.servers.insert(server.url().as_str().into(), mode.into());
    let servers = vec![server.url()];
    let options = Options { servers, judge: Some(judge), modes, marks, tuning: hurry(), ..Options::default() };
    let gavel = Gavel::start(options).await;
    gavel.in_sync(&server.url()).await;
    // Where the second dialect is asked about providers.
    server.add_directory(&gavel.elsewhere(), false);
    gavel
}

fn is_first(kind: &Kind) -> bool {
    matches!(kind, Kind::StandInV1)
}

fn asked(server: &StandIn) -> Vec<(String, String)> {
    server.world(|world| world.asked_of_model().to_vec())
}

fn titles(server: &StandIn) -> Vec<String> {
    server.world(|world| world.sessions().map(|session| session.title.clone()).collect())
}

/// The server has no sessions but those of these titles.
async fn only(server: &StandIn, expected: &[&str]) {
    eventually(format!("only {expected:?}"), DEADLINE, async || {
        let titles = titles(server);
        if titles == expected { Ok(()) } else { Err(format!("{titles:?}")) }
    })
    .await;
}

/// Nothing that is shown, and nothing that is kept, knows of a session of Gavel's.
fn shows_no_other(gavel: &Gavel) {
    let shown = format!("{:?} {:?} {}", gavel.snapshot(), gavel.notifications.shown(), gavel.log());
    assert!(!shown.contains("Gavel asks") && !shown.contains(".local/state/opencode"), "{shown}");
}

pub async fn the_server_judges_with_the_sessions_own_model(kind: Kind) {
    let (server, gavel) = with_own_model(&kind, Mode::Auto).await;
    say(&server, PROJECT, "shell touch allowed");
    runs(&server, &["touch allowed"]).await;
    assert_eq!(gavel.settled(1).await, [by_judge(true)]);
    let told = asked(&server);
    let (session, prompt) = told.first().unwrap();
    assert!(prompt.contains("<untrusted_data>") && prompt.contains("touch allowed"), "{prompt}");
    assert_eq!((told.len(), session.is_empty()), (1, !is_first(&kind)));
    only(&server, &["Tidy <b>up</b>"]).await;
    shows_no_other(&gavel);
    assert_eq!(gavel.marks.lock().unwrap().len(), usize::from(is_first(&kind)));

    // What it fails at is the user's.
    gavel.inbox(0).await;
    server.set_generated(None);
    say(&server, PROJECT, "shell touch unreachable");
    let request = advised(&gavel, |advice| matches!(advice, Advice::Given { .. })).await;
    let Some(Advice::Given { status, recommendation, .. }) = request.advice else { unreachable!() };
    assert_eq!((status, recommendation), (Status::HttpError, Recommendation::Ask));
    only(&server, &["Tidy <b>up</b>", "Tidy <b>up</b>"]).await;
    shows_no_other(&gavel);
    assert!(server.ruled().iter().all(|ruled| *session != ruled.session), "no mode is for it");
}

pub async fn the_servers_judge_is_left_as_soon_as_nobody_waits(kind: Kind) {
    let (server, gavel) = with_own_model(&kind, Mode::Auto).await;
    server.set_thinking(LONG);
    say(&server, PROJECT, "shell touch a");
    eventually("the model to be asked", DEADLINE, async || asked(&server).len() == 1).await;
    // The judge's call is open, and will be for an hour: the notification does not wait for it.
    let request = advised(&gavel, |advice| *advice == Advice::Awaited).await;
    assert!(gavel.notifications.wait_for(DEADLINE, |shown| shown.len() == 1).await);
    assert_eq!(titles(&server).len(), 1 + usize::from(is_first(&kind)));
    shows_no_other(&gavel);
    assert!(gavel.notifications.click(&request.key, Button::Approve));
    runs(&server, &["touch a"]).await;
    assert_eq!(gavel.settled(1).await, [you(Decision::AllowOnce)]);
    only(&server, &["Tidy <b>up</b>"]).await;

    // Gavel ends while it waits for the judge.
    gavel.inbox(0).await;
    say(&server, PROJECT, "shell touch b");
    eventually("the model to be asked again", DEADLINE, async || asked(&server).len() == 2).await;
    gavel.handle.shut_down().await;
    assert_eq!(titles(&server), ["Tidy <b>up</b>", "Tidy <b>up</b>"]);
}

/// The title of a session of a Gavel's that began `ago`, under the mark `m1`.
fn begun(ago: Duration) -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap() - ago;
    format!("Gavel asks for an opinion m1 {:012x}{}", since.as_millis(), "7".repeat(20))
}

pub async fn a_session_of_another_gavel_with_the_same_files_is_left_to_it(kind: Kind) {
    let server = StandIn::start(kind.options()).await.unwrap();
    let deny = Rule { action: "*".to_owned(), resource: "*".to_owned(), effect: Effect::Deny };
    let (old, young) = (begun(Duration::from_secs(3600)), begun(Duration::ZERO));
    for title in [&old, &young] {
        let id = server.create_session("/home/dev/.local/state/opencode", title);
        server.set_rules(&id, std::slice::from_ref(&deny));
    }
    let tuning = Tuning { left_behind: Duration::from_secs(3), ..hurry() };
    let (servers, marks) = (vec![server.url()], vec!["m1".to_owned()]);
    let _gavel = Gavel::start(Options { servers, marks, tuning, ..Options::default() }).await;
    if !is_first(&kind) {
        return;
    }
    only(&server, &[&young]).await;
    // Nobody can be waiting for an answer in it any more.
    only(&server, &[]).await;
    assert!(begun(Duration::from_secs(3)) >= young, "and not before");
}

pub async fn a_killed_gavel_leaves_nothing_behind_for_long(kind: Kind) {
    let server = StandIn::start(kind.options()).await.unwrap();
    let deny = Rule { action: "*".to_owned(), resource: "*".to_owned(), effect: Effect::Deny };
    let allow = Rule { effect: Effect::Allow, ..deny.clone() };
    let number = "0".repeat(32);
    let (ours, others) =
        (format!("Gavel asks for an opinion m1 {number}"), format!("Gavel asks for an opinion m2 {number}"));
    let place = "/home/dev/.local/state/opencode";
    let begin = |title: &str, rules: &[Rule]| {
        let id = server.create_session(place, title);
        server.set_rules(&id, rules);
    };
    begin(&ours, std::slice::from_ref(&deny));
    // Whoever copies its title does not have it ended, nor does another program of the same kind.
    begin(&ours, &[]);
    begin(&ours, &[deny.clone(), allow]);
    begin(&others, &[deny]);
    let gavel = watching(&server, Mode::Supervised, vec!["m1".to_owned()]).await;
    if is_first(&kind) {
        only(&server, &[&ours, &ours, &others]).await;
    }
    say(&server, PROJECT, "shell touch a");
    gavel.only_request().await;
    // The second dialect begins none. In the first, the one that is begun for this request comes and goes.
    let left = if is_first(&kind) { 4 } else { 5 };
    eventually("only those of others to be left", DEADLINE, async || titles(&server).len() == left).await;
}

pub async fn a_provider_that_is_told_is_asked_itself(kind: Kind) {
    let (server, gavel) = with_own_model(&kind, Mode::Auto).await;
    let model = Model::default();
    let headers = vec![("x-team".to_owned(), "blue".to_owned())];
    let base_url = Some(model.start().await);
    server.set_provider(ProviderSettings { base_url, key: Some("sk-own".to_owned()), headers });
    say(&server, PROJECT, "shell touch allowed");
    runs(&server, &["touch allowed"]).await;
    assert_eq!(gavel.settled(1).await, [by_judge(true)]);
    let told = model.asked.lock().unwrap().concat();
    assert!(told.contains("\"model\":\"scripted-1\"") && told.contains("touch allowed"), "{told}");
    assert_eq!((asked(&server).len(), titles(&server).len()), (0, 1));
    assert!(gavel.marks.lock().unwrap().is_empty(), "nothing is written that isn't needed");

    // A variable that isn't the provider's own is not looked up: the server judges.
    let base_url = Some(model.start().await);
    server.set_provider(ProviderSettings { base_url, key: Some("{env:PATH}".to_owned()), headers: Vec::new() });
    let before = model.asked.lock().unwrap().len();
    say(&server, PROJECT, "shell touch allowed2");
    runs(&server, &["touch allowed", "touch allowed2"]).await;
    assert_eq!((model.asked.lock().unwrap().len(), asked(&server).len()), (before, 1));
}

pub async fn terminals_are_told_what_a_judge_is_at(kind: Kind) {
    let (server, gavel) = with_own_model(&kind, Mode::Auto).await;
    let toasts = || server.world(|world| world.toasts().to_vec());
    server.set_thinking(LONG);
    say(&server, PROJECT, "shell touch a");
    advised(&gavel, |advice| *advice == Advice::Awaited).await;
    if !is_first(&kind) {
        gavel.decide(&gavel.only_request().await, Decision::decline("no")).await;
        gavel.settled(1).await;
        assert_eq!(toasts(), []);
        return;
    }
    let told = async |beginning: &str| {
        eventually(format!("`{beginning}`"), DEADLINE, async || {
            let last = toasts().pop();
            last.clone().filter(|last| last.message.starts_with(beginning)).ok_or_else(|| format!("{last:?}"))
        })
        .await
    };
    let toast = told("No answer needed").await;
    assert_eq!((toast.directory.as_str(), toast.variant.as_str(), toast.duration), (PROJECT, "info", 5_000));
    assert!(toast.message.ends_with("Run touch a"), "{toast:?}");
    // It is said again while it should stay.
    let before = toasts().len();
    eventually("it to be said again", DEADLINE, async || toasts().len() > before).await;
    assert_eq!(toasts().last(), Some(&toast));
    gavel.decide(&gavel.only_request().await, Decision::AllowOnce).await;
    gavel.settled(1).await;
    gavel.inbox(0).await;
    let before = toasts().len();

    server.set_thinking(Duration::ZERO);
    server.set_generated(None);
    say(&server, PROJECT, "shell touch b");
    let request = advised(&gavel, |advice| matches!(advice, Advice::Given { .. })).await;
    assert_eq!(told("It is up to you").await.variant, "warning");
    assert!(toasts()[before..].iter().all(|toast| toast.message.ends_with("Run touch b")), "{:?}", toasts());
    gavel.decide(&request, Decision::decline("no")).await;
    gavel.settled(2).await;
    gavel.inbox(0).await;

    // Switched off, nothing is said.
    let Answer::Snapshot { snapshot } = gavel.call(Call::Snapshot).await else { unreachable!() };
    let preferences = Preferences { toasts: false, ..snapshot.preferences.clone() };
    gavel.call(Call::SetPreferences { preferences }).await;
    let before = toasts().len();
    say(&server, PROJECT, "shell touch c");
    advised(&gavel, |advice| matches!(advice, Advice::Given { .. })).await;
    gavel.decide(&gavel.only_request().await, Decision::decline("no")).await;
    gavel.settled(3).await;
    assert_eq!(toasts().len(), before);
}

pub async fn the_sessions_own_model_can_be_tried(kind: Kind) {
    let (server, gavel) = with_own_model(&kind, Mode::Supervised).await;
    let test = || gavel.try_call(Call::TestJudge { command: "touch tried".to_owned() });
    let refused = test().await.unwrap_err();
    assert_eq!(refused.message, "No session is known whose model could be asked.");
    say(&server, PROJECT, "shell touch asked");
    gavel.only_request().await;
    let Answer::JudgeTest { test } = test().await.unwrap() else { panic!("another answer") };
    assert_eq!((test.status, test.reason.as_str()), (Status::Ok, "allow it is"));
    assert!(test.rounds.iter().any(|round| round.request.contains("touch tried")), "{test:?}");
    only(&server, &["Tidy <b>up</b>"]).await;
    shows_no_other(&gavel);
}

pub async fn where_no_judge_was_chosen_the_sessions_own_model_advises_and_answers_nothing(kind: Kind) {
    let server = StandIn::start(kind.options()).await.unwrap();
    server.set_generated(Some(ALLOWS));
    let mut modes = Defaults::default();
    modes.servers.insert(server.url().as_str().into(), Mode::Supervised.into());
    let (servers, judging) = (vec![server.url()], Some(JudgeSettings::default()));
    let gavel = Gavel::start(Options { servers, judging, modes, tuning: hurry(), ..Options::default() }).await;
    gavel.in_sync(&server.url()).await;
    server.add_directory(&gavel.elsewhere(), false);
    let row = gavel.snapshot().judge.clone();
    assert!(row.by_default && row.choice.who == Who::SessionModel && row.ready && row.problem.is_none(), "{row:?}");
    let given = |advice: &Advice| matches!(advice, Advice::Given { .. });
    let bodies = || gavel.notifications.shown().into_iter().map(|notice| notice.body).collect::<Vec<_>>().concat();
    let decline = async |settled: usize| {
        gavel.decide(&gavel.only_request().await, Decision::decline("no")).await;
        gavel.settled(settled).await;
        gavel.inbox(0).await;
    };

    say(&server, PROJECT, "shell touch a");
    let request = advised(&gavel, given).await;
    let Some(Advice::Given { status, recommendation, .. }) = request.advice else { unreachable!() };
    assert_eq!((status, recommendation), (Status::Ok, Recommendation::Allow));
    let told = async || if bodies().contains("The judge would allow it") { Ok(()) } else { Err(bodies()) };
    eventually("the notification to tell", DEADLINE, told).await;
    stays("the request with the user", Duration::from_millis(200), async || gavel.snapshot().requests.len() == 1).await;
    decline(1).await;

    // Whoever has chosen no judge misses none: what it fails at is in the window, and no alarm.
    server.set_generated(None);
    say(&server, PROJECT, "shell touch b");
    let request = advised(&gavel, given).await;
    assert!(matches!(request.advice, Some(Advice::Given { status: Status::HttpError, .. })), "{request:?}");
    assert!(gavel.notifications.wait_for(DEADLINE, |shown| shown.len() == 1).await);
    assert!(!bodies().contains("No verdict"), "{}", bodies());
    assert_eq!(gavel.snapshot().judge.problem, None);
    decline(2).await;

    // Nobody looks, so nobody is asked; then, somebody is.
    server.set_generated(Some(ALLOWS));
    let before = asked(&server).len();
    gavel.call(Call::Pause { paused: true }).await;
    say(&server, PROJECT, "shell touch c");
    gavel.only_request().await;
    let silent = async || asked(&server).len() == before && gavel.snapshot().requests[0].advice.is_none();
    stays("no judge asked", Duration::from_millis(200), silent).await;
    gavel.call(Call::Pause { paused: false }).await;
    advised(&gavel, given).await;
    assert_eq!(asked(&server).len(), before + 1);
    decline(3).await;

    // It is off as soon as the user says so, and that is kept.
    let choice = JudgeChoice { who: Who::Off, ..gavel.snapshot().judge.choice.clone() };
    gavel.call(Call::SetJudge { choice }).await;
    assert_eq!(gavel.settings.lock().unwrap().judge.who, Some(Who::Off));
    say(&server, PROJECT, "shell touch d");
    let silent = async || gavel.only_request().await.advice.is_none() && !gavel.snapshot().judge.by_default;
    stays("no judge asked", Duration::from_millis(200), silent).await;
    decline(4).await;
    assert_eq!((asked(&server).len(), ran(&server).len()), (before + 1, 0));
    shows_no_other(&gavel);
}
