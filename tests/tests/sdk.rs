//! The stand-in held against a typed client of OpenCode 2.1 that others wrote (`tests/sdk`).
//!
//! The client says what is right on the wire: it reads strictly what the stand-in sends. Here it is seen that what it did
//! really happened.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use gavel_stand_in::{Effect, FormCancel, Options, ReplyKey, ShellResources, StandIn, Switches};
use gavel_tests::process::{command, output_of};

const DIRECTORY: &str = "/home/dev/project";
const ELSEWHERE: &str = "/home/dev/elsewhere";
const PASSWORD: &str = "a password: ünd so weiter";

/// How many sessions the client has at once.
const CROWD: usize = 20;

/// All scenes take some seconds; the client itself gives up on a single thing much earlier.
const DEADLINE: Duration = Duration::from_secs(180);

async fn start(options: Options) -> StandIn {
    let server = StandIn::start(Options { directory: DIRECTORY.to_owned(), ..options }).await.unwrap();
    server.add_directory(DIRECTORY, true);
    server.add_directory(ELSEWHERE, true);
    server
}

/// The client, about to do all it can.
fn client(server: &StandIn, password: Option<&str>, more: &[&str]) -> Command {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sdk");
    let python = folder.join(".venv/bin/python");
    assert!(python.exists(), "`{}` is missing: ./run --prepare-tests makes it", python.display());
    let mut client = command(python);
    // No byte code beside the sources, and nothing from outside about servers or proxies.
    client.arg("-B").arg(folder.join("drive.py")).arg(server.url()).args(password);
    client.args(["--directory", DIRECTORY, "--elsewhere", ELSEWHERE]).args(more).env("NO_PROXY", "*");
    for variable in ["OPENCODE_BASE_URL", "OPENCODE_PASSWORD", "OPENCODE_SERVER_PASSWORD"] {
        client.env_remove(variable);
    }
    client
}

/// Lets the client do all it can; gives what it said.
async fn drive(server: &StandIn, password: Option<&str>, more: &[&str]) -> String {
    let said = output_of("the client", client(server, password, more), DEADLINE).await;
    println!("{said}");
    assert!(said.lines().last().is_some_and(|line| line.ends_with("were read strictly")), "{said}");
    said
}

fn session(server: &StandIn, title: &str) -> String {
    let found: Vec<String> = server.world(|world| {
        world.sessions().filter(|session| session.title == title).map(|session| session.id.clone()).collect()
    });
    let [id] = found.as_slice() else { panic!("sessions named `{title}`: {found:?}") };
    id.clone()
}

/// What ran, by the title of the session that ran it.
fn ran(server: &StandIn) -> BTreeMap<String, Vec<String>> {
    let mut ran: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for executed in server.executed() {
        let title = server.world(|world| world.session(&executed.session).map(|session| session.title.clone()));
        ran.entry(title.unwrap_or_default()).or_default().push(executed.what);
    }
    ran
}

/// What is to have run: `more`, and what the client asks for and approves of every server. Nothing else.
fn expected(more: &[(&str, &[&str])]) -> BTreeMap<String, Vec<String>> {
    let always: [(&str, &[&str]); 4] = [
        ("once", &["touch once.txt"]),
        ("queue", &["touch first.txt"]),
        ("subagent", &["Look around"]),
        ("Look around (@general subagent)", &["touch deep.txt"]),
    ];
    let owned = |whats: &[&str]| whats.iter().map(|what| (*what).to_owned()).collect();
    let crowd = (0..CROWD).map(|number| (format!("crowd {number}"), vec![format!("touch crowd-{number}.txt")]));
    let others = always.iter().chain(more).map(|(title, whats)| ((*title).to_owned(), owned(whats)));
    crowd.chain(others).collect()
}

/// The answers that counted, and how often each was given.
fn answers(server: &StandIn) -> BTreeMap<String, usize> {
    let mut answers = BTreeMap::new();
    for reply in server.replies().into_iter().filter(|reply| reply.status == 204) {
        *answers.entry(reply.body["decision"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    answers
}

fn counted(answers: &[(&str, usize)]) -> BTreeMap<String, usize> {
    answers.iter().map(|(word, count)| ((*word).to_owned(), *count)).collect()
}

fn told(server: &StandIn, title: &str) -> String {
    server.told(&session(server, title)).join("\n")
}

/// What is so after every round, whatever the server is like.
fn left_as_it_should_be(server: &StandIn) {
    assert_eq!(server.pending().len(), 0, "{:?}", server.pending());
    assert_eq!(server.world(|world| world.questions().len()), 0);
    assert!(server.world(|world| world.saved().is_empty()));
    let (elsewhere, trial) = (session(server, "elsewhere"), session(server, "trial"));
    server.world(|world| {
        assert!(world.sessions().all(|session| session.title != "a longer life"), "it was removed");
        assert_eq!(world.session(&elsewhere).unwrap().directory, ELSEWHERE);
        let rules = &world.session(&trial).unwrap().rules;
        let last = rules.last().unwrap();
        assert_eq!((rules.len(), last.resource.as_str(), last.effect), (4, "make", Effect::Allow));
    });
    assert!(told(server, "reason").contains("Not in this folder."), "{}", told(server, "reason"));
    assert!(told(server, "answered").contains("Green"), "{}", told(server, "answered"));
    assert!(told(server, "cancelled").contains("No time for colours."), "{}", told(server, "cancelled"));
}

#[tokio::test(flavor = "multi_thread")]
async fn all_that_a_client_of_2_1_can_do_with_requests_works() {
    let state = tempfile::tempdir().unwrap();
    let switches = Switches { state_home: Some(state.path().to_owned()), ..Switches::default() };
    let password = Some(PASSWORD.to_owned());
    let server = start(Options { password, ..Options::v2(switches) }).await;
    let file = state.path().join("opencode/service.json");
    let said = drive(&server, Some(PASSWORD), &["--registration", file.to_str().unwrap()]).await;
    assert!(!said.contains(PASSWORD));

    let build = "npm run build";
    let expected = expected(&[("always", &[build, build, build, build]), ("sibling", &["npm run build --watch"])]);
    assert_eq!(ran(&server), expected);
    assert_eq!(answers(&server), counted(&[("once", 5 + CROWD), ("always", 2), ("reject", 9)]));
    left_as_it_should_be(&server);
    server.stop().await;
    assert!(!file.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_without_a_password_that_is_slow_to_know_its_agents_and_saves_nothing() {
    let switches = Switches { agents_after: 3, shell: ShellResources::Raw, save: false, ..Switches::default() };
    let server = start(Options::v2(switches)).await;
    drive(&server, None, &["--trait", "plain"]).await;

    let line = "npm run build && npm test";
    assert_eq!(ran(&server), expected(&[("unsaved", &[line, line])]));
    assert_eq!(answers(&server), counted(&[("once", 4 + CROWD), ("always", 2), ("reject", 9)]));
    left_as_it_should_be(&server);
}

/// The client's word counts for something: it says so when a server is not of its kind.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_not_as_2_1_is_found_out() {
    let beta = Switches { reply_key: ReplyKey::Reply, ..Switches::default() };
    let other = Switches { form_cancel: FormCancel::Post, ..Switches::default() };
    for (switches, complaint) in [(beta, "at [\"reply\"]"), (other, "cancelled")] {
        let server = start(Options::v2(switches)).await;
        let mut client = tokio::process::Command::from(client(&server, None, &[]));
        let ended = tokio::time::timeout(DEADLINE, client.kill_on_drop(true).output()).await.expect("it ends").unwrap();
        let complained = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(1), "{complained}");
        assert!(complained.contains("mismatch") && complained.contains(complaint), "{complained}");
    }
}
