//! Who judges is chosen while Gavel runs; a key stays where it is kept; and a judge can be tried.

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use gavel_core::modes::{Defaults, Mode};
use gavel_core::{Decision, Status};
use gavel_judge::model::{Kind as Api, Options as JudgeOptions};
use gavel_runtime::api::{Answer, Call, Code, Failure, JudgeChoice, JudgeRow, JudgeTest};
use gavel_runtime::{JudgeKey, JudgeSettings, Who};
use gavel_stand_in::StandIn;
use gavel_tests::gavel::{DEADLINE, Gavel, Options, hurry};
use gavel_tests::host::Kind;
use gavel_tests::wait::eventually;
use serde_json::json;
use tracing_subscriber::util::SubscriberInitExt as _;

use super::advising::{Model, by_judge};
use super::{PROJECT, ran, runs, say};

const KEY: &str = "sk-planted-7f3a9c21";

fn endpoint(base_url: &str, key: JudgeKey) -> JudgeChoice {
    JudgeChoice {
        who: Who::Endpoint,
        base_url: base_url.to_owned(),
        model: "small".to_owned(),
        key,
        ..JudgeChoice::default()
    }
}

async fn set(gavel: &Gavel, choice: JudgeChoice) {
    gavel.call(Call::SetJudge { choice }).await;
    judge(gavel, "ready", |row| row.ready).await;
}

/// What is shown of the judge, once it is as wished for.
async fn judge(gavel: &Gavel, what: &str, wish: impl Fn(&JudgeRow) -> bool) -> JudgeRow {
    eventually(format!("a judge that is {what}"), DEADLINE, async || {
        let Answer::Snapshot { snapshot } = gavel.call(Call::Snapshot).await else { panic!("another answer") };
        if wish(&snapshot.judge) { Ok(snapshot.judge.clone()) } else { Err(format!("{:?}", snapshot.judge)) }
    })
    .await
}

async fn test(gavel: &Gavel, command: &str) -> Result<JudgeTest, Failure> {
    match gavel.try_call(Call::TestJudge { command: command.to_owned() }).await? {
        Answer::JudgeTest { test } => Ok(test),
        other => panic!("{other:?}"),
    }
}

/// Everything that is logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn a_judge_that_is_chosen_is_asked_about_what_waits_and_its_key_leaves_its_place_for_nobody_else() {
    let log = Log::default();
    let writer = log.clone();
    // Everything runs on this thread, so everything that is logged is heard, down to the last whisper.
    let listening = tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .with_writer(move || writer.clone())
        .set_default();
    let server = StandIn::start(Kind::StandInV2(Default::default()).options()).await.unwrap();
    let model = Model::default();
    let mut modes = Defaults::default();
    modes.servers.insert(server.url().into(), Mode::Auto.into());
    let servers = vec![server.url()];
    let gavel = Gavel::start(Options { servers, modes, tuning: hurry(), ..Options::default() }).await;
    gavel.in_sync(&server.url()).await;
    say(&server, PROJECT, "shell touch allowed");
    assert_eq!(gavel.only_request().await.advice, None);

    let base_url = model.start().await;
    let key = Call::KeepJudgeKey { provider: Api::OpenAi, base_url: format!("{base_url}/"), key: format!(" {KEY}\n") };
    gavel.call(key).await;
    set(&gavel, endpoint(&base_url, JudgeKey::Keychain)).await;
    runs(&server, &["touch allowed"]).await;
    assert_eq!(gavel.settled(1).await, [by_judge(true)]);
    assert_eq!(*model.keys.lock().unwrap(), [format!("Bearer {KEY}")]);
    let row = judge(&gavel, "heard", |row| row.answered == 1).await;
    assert_eq!((row.asked, row.failed, row.problem), (1, None, None));

    // A server that repeats the key, asked about for real and for a try.
    say(&server, PROJECT, "shell touch echo");
    let row = judge(&gavel, "failing", |row| row.failed.is_some()).await;
    assert_eq!((row.asked, row.answered), (2, 1));
    assert!(row.failed.as_ref().unwrap().why.contains("HTTP status 401"), "{row:?}");
    let tested = test(&gavel, "touch echo").await.unwrap();
    assert_eq!(tested.rounds[0].answer, "no such key: Bearer ***");

    let snapshot = gavel.call(Call::Snapshot).await;
    let settings = gavel.settings.lock().unwrap().clone();
    assert_eq!(settings.judge.key, JudgeKey::Keychain);
    let notices = format!("{:?}", gavel.notifications.log());
    gavel.handle.shut_down().await;
    drop(listening);
    let logged = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(logged.contains("touch allowed"), "nothing was logged");
    for (place, text) in [
        ("the snapshot", json!(snapshot).to_string()),
        ("the settings", json!(settings).to_string()),
        ("the exchange", format!("{tested:?} {}", json!(tested))),
        ("the activity", gavel.log()),
        ("a notification", notices),
        ("the log", logged),
    ] {
        assert!(!text.contains(KEY), "the key stands in {place}: {text}");
    }
}

#[tokio::test]
async fn a_judge_that_is_turned_off_is_heard_no_more() {
    let server = StandIn::start(Kind::StandInV2(Default::default()).options()).await.unwrap();
    let model = Model::default();
    let judging = JudgeSettings {
        who: Some(Who::Endpoint),
        base_url: model.start().await,
        model: "small".to_owned(),
        ..JudgeSettings::default()
    };
    let mut modes = Defaults::default();
    modes.servers.insert(server.url().into(), Mode::Auto.into());
    let servers = vec![server.url()];
    let gavel =
        Gavel::start(Options { servers, modes, judging: Some(judging), tuning: hurry(), ..Options::default() }).await;
    gavel.in_sync(&server.url()).await;
    say(&server, PROJECT, "shell touch hanging");
    eventually("the judge to be asked", DEADLINE, async || model.asked.lock().unwrap().len() == 1).await;
    let on = judge(&gavel, "on", |row| row.asked == 1).await.choice;
    set(&gavel, JudgeChoice { who: Who::Off, ..on.clone() }).await;
    let given_up = || model.given_up.load(std::sync::atomic::Ordering::SeqCst);
    eventually("the call to be given up", DEADLINE, async || given_up() == 1).await;
    let nothing = async || gavel.only_request().await.advice.is_none();
    eventually("nobody to be waited for", DEADLINE, nothing).await;
    say(&server, PROJECT, "shell touch allowed");
    gavel.inbox(2).await;
    assert_eq!((model.asked.lock().unwrap().len(), ran(&server).len()), (1, 0));
    // It is there again as it was, and what waits is put before it.
    set(&gavel, on).await;
    runs(&server, &["touch allowed"]).await;
}

#[tokio::test]
async fn what_can_not_be_a_judge_is_refused_and_changes_nothing() {
    let gavel = Gavel::start(Options::default()).await;
    let with =
        |base_url: &str, model: &str| JudgeChoice { model: model.to_owned(), ..endpoint(base_url, JudgeKey::Nowhere) };
    let named = |name: &str| endpoint("", JudgeKey::Variable { name: name.to_owned() });
    for (choice, code) in [
        (with("api.openai.com/v1", "m"), Code::BadUrl),
        (with("ftp://models.example/v1", "m"), Code::BadUrl),
        (with("https://me:secret@models.example/v1", "m"), Code::BadUrl),
        (with("https://models.example/v1?key=secret", "m"), Code::BadUrl),
        (with("", "  "), Code::BadModel),
        (named("$OPENAI_API_KEY"), Code::BadVariable),
        (named(""), Code::BadVariable),
    ] {
        let refused = gavel.try_call(Call::SetJudge { choice: choice.clone() }).await.unwrap_err();
        assert_eq!(refused.code, code, "{choice:?}");
        assert!(!refused.message.contains("secret"), "{refused:?}");
    }
    for key in ["", " \n", "two words", "schlüssel", "bell\u{7}"] {
        let call = Call::KeepJudgeKey { provider: Api::OpenAi, base_url: String::new(), key: key.to_owned() };
        assert_eq!(gavel.try_call(call).await.unwrap_err().code, Code::BadKey, "{key:?}");
    }
    assert_eq!(gavel.settings.lock().unwrap().judge, JudgeSettings::nobody());
    assert_eq!(test(&gavel, "").await.unwrap_err().message, "Nobody judges.");

    // What is only out of bounds is brought within them, and what is not about judging is kept.
    let options =
        JudgeOptions { timeout_ms: 1, learn_after: 7, tools: Some(vec![" bash ".into()]), ..Default::default() };
    set(&gavel, JudgeChoice { options, ..JudgeChoice::default() }).await;
    let kept = gavel.settings.lock().unwrap().judge.options.clone();
    assert_eq!((kept.timeout_ms, kept.learn_after, kept.tools), (1_000, 7, Some(vec!["bash".to_owned()])));
}

#[tokio::test]
async fn a_key_that_is_not_to_be_had_is_said_to_be_missing_and_nothing_is_sent() {
    let gavel = Gavel::start(Options::default()).await;
    let model = Model::default();
    let base_url = model.start().await;
    let unset = JudgeKey::Variable { name: "GAVEL_TEST_IS_NOT_SET".to_owned() };
    for (choice, why) in [
        (endpoint(&base_url, JudgeKey::Keychain), "the keychain holds no key for"),
        (endpoint(&base_url, unset), "the environment variable `GAVEL_TEST_IS_NOT_SET` is not set"),
        (endpoint("", JudgeKey::Nowhere), "https://api.openai.com/v1 wants a key"),
    ] {
        set(&gavel, choice).await;
        let row = judge(&gavel, "ready", |row| row.ready).await;
        assert!(row.problem.as_ref().unwrap().contains(why), "{row:?}");
        let tested = test(&gavel, "touch allow").await.unwrap();
        assert_eq!((tested.status, tested.rounds.len()), (Status::NoKey, 0));
    }
    // The key of one address is for no other.
    let keep = Call::KeepJudgeKey { provider: Api::OpenAi, base_url: base_url.clone(), key: KEY.to_owned() };
    gavel.call(keep).await;
    let other = Model::default();
    set(&gavel, endpoint(&other.start().await, JudgeKey::Keychain)).await;
    assert_eq!(test(&gavel, "touch allow").await.unwrap().status, Status::NoKey);
    set(&gavel, endpoint(&base_url, JudgeKey::Keychain)).await;
    assert_eq!(test(&gavel, "touch allow").await.unwrap().status, Status::Ok);
    assert_eq!((other.asked.lock().unwrap().len(), model.asked.lock().unwrap().len()), (0, 1));

    // It is forgotten at once, and can be had again for a while.
    gavel.call(Call::ForgetJudgeKey).await;
    let row = judge(&gavel, "without its key", |row| row.choice.key == JudgeKey::Nowhere).await;
    assert!(row.key_back_until.is_some());
    gavel.call(Call::KeepForgottenJudgeKey).await;
    let row = judge(&gavel, "ready", |row| row.ready && row.choice.key == JudgeKey::Keychain).await;
    assert_eq!((row.problem, row.key_back_until), (None, None));
    assert_eq!(test(&gavel, "touch allow").await.unwrap().status, Status::Ok);
    assert_eq!(model.keys.lock().unwrap().last().unwrap(), &format!("Bearer {KEY}"));
    gavel.try_call(Call::KeepForgottenJudgeKey).await.unwrap_err();
}

#[tokio::test]
async fn a_test_shows_all_that_was_said_and_ends_when_it_is_told_to() {
    let gavel = Gavel::start(Options::default()).await;
    let model = Model::default();
    let base_url = model.start().await;
    let quick = JudgeOptions { timeout_ms: 1_000, ..JudgeOptions::default() };
    set(&gavel, JudgeChoice { options: quick, ..endpoint(&base_url, JudgeKey::Nowhere) }).await;

    let sample = test(&gavel, " ").await.unwrap();
    let JudgeTest { command, who, reason, status, rounds, .. } = &sample;
    assert_eq!((command.as_str(), who.as_str(), reason.as_str()), ("npm test", "openai small", "allow it is"));
    assert_eq!((*status, rounds.len(), rounds[0].status), (Status::Ok, 1, Some(200)));
    assert!(rounds[0].request.starts_with(&format!("POST {base_url}/chat/completions\n")), "{rounds:?}");
    assert!(rounds[0].request.contains("Run the tests") && rounds[0].answer.contains("allow it is"), "{rounds:?}");

    let own = test(&gavel, "touch deny \u{202E}").await.unwrap();
    assert_eq!((own.command.as_str(), own.reason.as_str()), ("touch deny ⟨U+202E⟩", "deny it is"));
    assert!(!own.rounds[0].request.contains("Run the tests"));

    let late = test(&gavel, "touch hang").await.unwrap();
    assert_eq!((late.status, late.reason.as_str()), (Status::TimedOut, "timed out after 1000 ms"));

    let patient = JudgeOptions { timeout_ms: 60_000, ..JudgeOptions::default() };
    set(&gavel, JudgeChoice { options: patient, ..endpoint(&base_url, JudgeKey::Nowhere) }).await;
    let asked = || model.asked.lock().unwrap().len();
    let before = asked();
    let (stopped, ()) = tokio::join!(test(&gavel, "touch hang"), async {
        eventually("the judge to be asked", DEADLINE, async || asked() > before).await;
        gavel.call(Call::StopJudgeTest).await;
    });
    assert_eq!(stopped.unwrap_err().message, "The test was stopped.");
    let given_up = || model.given_up.load(std::sync::atomic::Ordering::SeqCst);
    eventually("the calls to be given up", DEADLINE, async || given_up() == 2).await;
    // What is only tried is no request, and counts as none.
    assert_eq!(judge(&gavel, "at rest", |row| row.ready).await.asked, 0);
}

#[tokio::test]
async fn where_the_environment_decides_only_the_options_can_be_chosen() {
    use gavel_judge::model::{Access, Backend, Endpoint, Headers};
    let named = Endpoint {
        kind: Api::Anthropic,
        base_url: "http://127.0.0.1:9/v1".to_owned(),
        model: "named".to_owned(),
        access: Access::Open,
        headers: Headers::default(),
    };
    let fixed = gavel_runtime::JudgeSetup::of(Backend::Http(named), JudgeOptions::default());
    let gavel = Gavel::start(Options { judge: Some(fixed), ..Options::default() }).await;
    let mut choice = endpoint("https://models.example/v1", JudgeKey::Nowhere);
    choice.options.timeout_ms = 5_000;
    set(&gavel, choice).await;
    let row = judge(&gavel, "ready", |row| row.ready).await;
    let JudgeChoice { provider, base_url, model, options, .. } = row.choice;
    assert_eq!(row.fixed.as_deref(), Some("GAVEL_JUDGE_MODEL"));
    assert_eq!((provider, base_url.as_str(), model.as_str()), (Api::Anthropic, "http://127.0.0.1:9/v1", "named"));
    assert_eq!(options.timeout_ms, 5_000);
    // It is asked with them, and what the user had chosen is still there for a start without the variable.
    let tested = test(&gavel, "").await.unwrap();
    assert_eq!((tested.who.as_str(), tested.status), ("anthropic named", Status::NetworkError));
    assert!(tested.took < Duration::from_secs(5).as_millis() as u64);
    let kept = gavel.settings.lock().unwrap().judge.clone();
    assert_eq!((kept.asked(), kept.options.timeout_ms), (Who::Off, 5_000));
}

#[tokio::test]
async fn a_command_is_learned_after_as_many_approvals_as_were_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let server = StandIn::start(Kind::StandInV2(Default::default()).options()).await.unwrap();
    let servers = vec![server.url()];
    let rules = Some(folder.path().to_owned());
    let gavel = Gavel::start(Options { servers, rules, tuning: hurry(), ..Options::default() }).await;
    gavel.in_sync(&server.url()).await;
    let choice = |learn_after| {
        let options = JudgeOptions { learn_after, ..JudgeOptions::default() };
        JudgeChoice { options, ..JudgeChoice::default() }
    };
    set(&gavel, choice(0)).await;
    say(&server, PROJECT, "shell make never");
    gavel.decide(&gavel.only_request().await, Decision::AllowOnce).await;
    runs(&server, &["make never"]).await;
    gavel.inbox(0).await;
    set(&gavel, choice(1)).await;
    say(&server, PROJECT, "shell make once");
    gavel.decide(&gavel.only_request().await, Decision::AllowOnce).await;
    let file = folder.path().join("home-dev-project.json");
    eventually("the command to be learned", DEADLINE, async || {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let rules: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        if rules["learned"][0]["command"] == "make once" { Ok(()) } else { Err(text) }
    })
    .await;
    assert!(!std::fs::read_to_string(&file).unwrap().contains("make never"));
    say(&server, PROJECT, "shell make once");
    runs(&server, &["make never", "make once", "make once"]).await;
}
