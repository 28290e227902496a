//! What projects have saved for good: listed with what it would have matched, changed, and taken back.

use std::time::Duration;

use gavel_core::Decision;
use gavel_core::reach::{Hazard, Lines};
use gavel_core::rules::Saved;
use gavel_runtime::api::{
    Answer, Call, Code, Failure, PastRequest, SavedApproval, SavedProject, ServerRow, WouldMatch,
};
use gavel_stand_in::{Fault, Options as StandInOptions, Reply, StandIn, Switches};
use gavel_tests::gavel::{DEADLINE, Gavel, Options, hurry};
use gavel_tests::wait::{eventually, stays};
use tokio::task::JoinHandle;

const ALPHA: &str = "/home/dev/alpha";
const INNER: &str = "/home/dev/alpha/packages/inner";
const BETA: &str = "/home/dev/beta";
const ONE: &str = "/api/permission/saved/{approval}";

async fn both(switches: Switches) -> (StandIn, Gavel) {
    let server = StandIn::start(StandInOptions::v2(switches)).await.unwrap();
    server.add_directory(ALPHA, true);
    server.add_directory(BETA, true);
    (server.clone(), watching(&server).await)
}

async fn watching(server: &StandIn) -> Gavel {
    let gavel = Gavel::start(Options { servers: vec![server.url()], tuning: hurry(), ..Options::default() }).await;
    gavel.in_sync(&server.url()).await;
    gavel
}

/// Lets an agent of `directory` run `command`, and waits until that is asked.
async fn asks(server: &StandIn, gavel: &Gavel, directory: &str, command: &str) -> gavel_runtime::api::Request {
    let session = server.create_session(directory, "work");
    server.prompt(&session, &format!("shell {command}")).unwrap();
    gavel.only_request().await
}

/// Somebody answers "always" in a terminal.
async fn always(server: &StandIn, gavel: &Gavel, directory: &str, command: &str) {
    let request = asks(server, gavel, directory, command).await;
    assert!(server.reply(&request.key.request.0, Reply::Always, None));
    gavel.inbox(0).await;
}

async fn once(server: &StandIn, gavel: &Gavel, directory: &str, command: &str, decision: Decision) {
    let request = asks(server, gavel, directory, command).await;
    gavel.decide(&request, decision).await;
    gavel.inbox(0).await;
}

struct Listed {
    supported: bool,
    can_change: bool,
    projects: Vec<SavedProject>,
    recorded: usize,
    unlisted: Vec<String>,
}

async fn listed(gavel: &Gavel, server: &str) -> Listed {
    let answer = gavel.call(Call::SavedApprovals { server: server.to_owned() }).await;
    let Answer::SavedApprovals { supported, can_change, projects, recorded, unlisted } = answer else {
        panic!("another answer: {answer:?}")
    };
    Listed { supported, can_change, projects, recorded, unlisted }
}

/// The only approval there is.
async fn only(gavel: &Gavel, server: &StandIn) -> (SavedProject, SavedApproval) {
    let mut listed = listed(gavel, &server.url()).await;
    assert_eq!(listed.projects.len(), 1, "{:?}", listed.projects);
    let project = listed.projects.remove(0);
    assert_eq!(project.approvals.len(), 1, "{:?}", project.approvals);
    let approval = project.approvals[0].clone();
    (project, approval)
}

async fn change(gavel: &Gavel, server: &StandIn, id: &str, resource: &str) -> Result<Answer, Failure> {
    let (server, directory) = (server.url(), ALPHA.to_owned());
    gavel.try_call(Call::ChangeSavedApproval { server, directory, id: id.into(), resource: resource.into() }).await
}

const REMOVED: Result<Answer, Failure> = Ok(Answer::Removed { removed: true });
const KEPT: Result<Answer, Failure> = Ok(Answer::Removed { removed: false });

fn removal(server: &StandIn, id: &str, hold: u64) -> Call {
    Call::RemoveSavedApproval { server: server.url(), directory: ALPHA.to_owned(), id: id.to_owned(), hold }
}

async fn remove(gavel: &Gavel, server: &StandIn, id: &str) -> Result<Answer, Failure> {
    gavel.try_call(removal(server, id, 0)).await
}

/// Begins to remove an approval, and waits until that is known.
async fn begin(gavel: &Gavel, server: &StandIn, id: &str, hold: u64) -> JoinHandle<Result<Answer, Failure>> {
    let (handle, call) = (gavel.handle.clone(), removal(server, id, hold));
    let begun = tokio::spawn(async move { handle.call(call).await });
    let leaving = async || only(gavel, server).await.1.leaving.is_some();
    eventually("the approval to be on its way out", DEADLINE, leaving).await;
    begun
}

fn patterns(server: &StandIn) -> Vec<String> {
    server.world(|world| world.saved().iter().map(|one| format!("{} {}", one.action, one.resource)).collect())
}

fn code(result: Result<Answer, Failure>) -> Code {
    result.unwrap_err().code
}

#[tokio::test]
async fn listed_by_project_with_what_each_would_have_matched() {
    let (server, gavel) = both(Switches::default()).await;
    assert!(listed(&gavel, &server.url()).await.projects.is_empty());
    once(&server, &gavel, ALPHA, "git push origin main", Decision::AllowOnce).await;
    once(&server, &gavel, ALPHA, "git clean -fdx", Decision::decline("")).await;
    once(&server, &gavel, ALPHA, "git status && npm test", Decision::AllowOnce).await;
    once(&server, &gavel, BETA, "git push", Decision::AllowOnce).await;
    always(&server, &gavel, ALPHA, "git fetch").await;
    always(&server, &gavel, BETA, "npm run build").await;
    assert_eq!(patterns(&server), ["shell git fetch *", "shell npm run build *"]);

    let found = listed(&gavel, &server.url()).await;
    assert!(found.supported && found.can_change && found.unlisted.is_empty());
    assert_eq!(found.recorded, 6);
    let names: Vec<(&str, &str)> =
        found.projects.iter().map(|project| (project.name.as_str(), project.place.as_str())).collect();
    assert_eq!(names, [("alpha", ALPHA), ("beta", BETA)]);
    let [alpha, beta] = &found.projects[..] else { panic!("two projects") };
    assert_eq!(alpha.directories, [ALPHA]);
    let [fetch] = &alpha.approvals[..] else { panic!("one approval") };
    assert_eq!(
        (fetch.action.as_str(), fetch.resource.as_str(), fetch.shown.as_str()),
        ("shell", "git fetch *", "git fetch *")
    );
    assert!(fetch.created.is_some());
    let WouldMatch { total, count, partly, deletes, declined, examples, others, everything, chained, hazards } =
        &fetch.reach;
    assert_eq!((*count, *partly, *deletes, *declined, *everything), (1, 0, 0, 0, false));
    assert_eq!((examples[0].title.as_str(), examples.len()), ("Run git fetch", 1));
    assert_eq!((*total, others.len(), &hazards[..]), (4, 3, &[None][..]));
    assert_eq!(chained.as_deref(), Some("git fetch x; rm -rf y"));
    assert_eq!(beta.approvals[0].reach.count, 1);

    // Before a pattern is made wider, or several are allowed together, it can be seen what that would mean.
    let reach = async |resources: &[&str], lines: Lines| {
        let patterns =
            resources.iter().map(|&resource| Saved { action: "shell".into(), resource: resource.into() }).collect();
        let directories = alpha.directories.clone();
        let answer = gavel.call(Call::WouldMatch { directories, patterns, lines }).await;
        let Answer::WouldMatch { reach } = answer else { panic!("another answer: {answer:?}") };
        reach
    };
    let titles = |some: &[PastRequest]| some.iter().map(|past| past.title.clone()).collect::<Vec<_>>();
    let git = reach(&["git *"], Lines::Unknown).await;
    assert_eq!((git.total, git.count, git.partly, git.deletes, git.declined), (4, 4, 1, 1, 1));
    assert_eq!(
        titles(&git.examples),
        ["Run git clean -fdx", "Run git fetch", "Run git status && npm test", "Run git push origin main"],
        "those of this project: what deletes, then the latest"
    );
    assert!(git.examples[2].partly && git.examples[0].deletes && git.examples[0].declined);
    assert_eq!(git.hazards, [Some(Hazard::Deletes { example: "git clean -fdx".into() })]);
    assert_eq!(git.chained.as_deref(), Some("git x; rm -rf y"));

    let [one, other] = [reach(&["git status *"], Lines::Split).await, reach(&["npm test *"], Lines::Split).await];
    assert_eq!((one.count, one.partly, other.count, other.partly, one.chained), (1, 1, 1, 1, None));
    let together = reach(&["git status *", "npm test *"], Lines::Whole).await;
    assert_eq!((together.count, together.partly), (1, 0), "neither lets it pass, both do");
    assert_eq!(titles(&together.examples), ["Run git status && npm test"]);
    assert_eq!(titles(&together.others), ["Run git fetch", "Run git clean -fdx", "Run git push origin main"]);
    let chained = |example: &str| Some(Hazard::Chained { example: example.into() });
    assert_eq!(together.hazards, [chained("git status x; rm -rf y"), chained("npm test x; rm -rf y")]);
    assert_eq!(together.chained, None, "it is known, so it is said of each");
    let nothing = reach(&[], Lines::Unknown).await;
    assert_eq!((nothing.total, nothing.count, nothing.others), (4, 0, vec![]));
    let all = reach(&["*", "git *"], Lines::Unknown).await;
    assert!(all.everything && all.count == 4 && all.partly == 0);

    // Those that are alike are told once.
    once(&server, &gavel, ALPHA, "git push origin main", Decision::AllowOnce).await;
    let push = reach(&["git push *"], Lines::Unknown).await;
    assert_eq!((push.count, push.examples.len(), push.examples[0].times), (2, 1, 2));
}

#[tokio::test]
async fn directories_of_one_project_are_one_project() {
    let (server, gavel) = both(Switches::default()).await;
    always(&server, &gavel, ALPHA, "git fetch").await;
    always(&server, &gavel, INNER, "npm test").await;
    let found = listed(&gavel, &server.url()).await;
    let [alpha] = &found.projects[..] else { panic!("{:?}", found.projects) };
    assert_eq!((alpha.place.as_str(), &alpha.directories[..]), (ALPHA, &[ALPHA.to_owned(), INNER.to_owned()][..]));
    let patterns: Vec<&str> = alpha.approvals.iter().map(|approval| approval.resource.as_str()).collect();
    assert_eq!(patterns, ["git fetch *", "npm test *"]);
    let counts: Vec<usize> = alpha.approvals.iter().map(|approval| approval.reach.count).collect();
    assert_eq!(counts, [1, 1], "requests of either directory count");
}

#[tokio::test]
async fn what_lies_in_no_repository_is_one_project_without_a_name() {
    let (server, gavel) = both(Switches::default()).await;
    server.add_directory("/home/dev/notes", false);
    always(&server, &gavel, "/home/dev/notes", "ls -l").await;
    let (project, approval) = only(&gavel, &server).await;
    assert_eq!((project.id.as_str(), project.name.as_str()), ("global", ""));
    assert_eq!(project.directories, ["/home/dev/notes"]);
    assert_eq!(approval.reach.count, 1);
}

#[tokio::test]
async fn changed_and_from_then_on_another_pattern() {
    let (server, gavel) = both(Switches::default()).await;
    always(&server, &gavel, ALPHA, "git fetch").await;
    let (_, approval) = only(&gavel, &server).await;
    assert_eq!(change(&gavel, &server, &approval.id, "git log *").await, Ok(Answer::Done));
    assert_eq!(patterns(&server), ["shell git log *"]);
    let (_, changed) = only(&gavel, &server).await;
    assert_eq!((changed.id, changed.resource.as_str(), changed.reach.count), (approval.id, "git log *", 0));
    // What was allowed is asked again, and what is allowed now is not.
    let session = server.create_session(ALPHA, "work");
    server.prompt(&session, "shell git log --oneline\nshell git fetch").unwrap();
    let asked = gavel.only_request().await;
    assert_eq!(asked.text, "git fetch");
    gavel.decide(&asked, Decision::Stop).await;
    gavel.inbox(0).await;
}

#[tokio::test]
async fn a_change_that_can_t_be_is_told_by_its_kind() {
    let (server, gavel) = both(Switches::default()).await;
    always(&server, &gavel, ALPHA, "git fetch").await;
    always(&server, &gavel, ALPHA, "npm test").await;
    let found = listed(&gavel, &server.url()).await;
    let id = found.projects[0].approvals[0].id.clone();
    assert_eq!(code(change(&gavel, &server, &id, "npm test *").await), Code::BadPattern, "there is such a one");
    for nothing in ["", "  ", "git\u{202e} *", "git\u{a0}*"] {
        assert_eq!(code(change(&gavel, &server, &id, nothing).await), Code::BadPattern, "{nothing:?}");
    }
    let hidden = change(&gavel, &server, &id, "git\u{202e} *").await.unwrap_err();
    assert!(hidden.message.contains("⟨U+202E⟩"), "{}", hidden.message);
    assert_eq!(code(change(&gavel, &server, "psv_gone", "git *").await), Code::ApprovalGone);
    server.fault(&format!("PATCH {ONE}"), Fault::Status(500));
    assert_eq!(code(change(&gavel, &server, &id, "git *").await), Code::Failed);
    assert_eq!(patterns(&server), ["shell git fetch *", "shell npm test *"]);
}

#[tokio::test]
async fn taken_back_is_asked_again() {
    let (server, gavel) = both(Switches::default()).await;
    always(&server, &gavel, ALPHA, "git fetch").await;
    let (_, approval) = only(&gavel, &server).await;
    server.fault(&format!("DELETE {ONE}"), Fault::Status(500));
    let failure = remove(&gavel, &server, &approval.id).await.unwrap_err();
    assert!(failure.message.contains("still holds"), "{failure}");
    assert_eq!(patterns(&server).len(), 1);
    server.heal();
    assert_eq!(remove(&gavel, &server, &approval.id).await, REMOVED);
    assert_eq!(remove(&gavel, &server, &approval.id).await, REMOVED, "it is gone, as was wanted");
    assert!(listed(&gavel, &server.url()).await.projects.is_empty());
    once(&server, &gavel, ALPHA, "git fetch", Decision::AllowOnce).await;
}

/// Longer than any test lasts, in milliseconds.
const LONG: u64 = 50_000;

/// Long enough to be seen on a busy machine, in milliseconds.
const SHORT: u64 = 3_000;

#[tokio::test]
async fn a_removal_waits_and_can_be_undone() {
    let (server, gavel) = both(Switches::default()).await;
    always(&server, &gavel, ALPHA, "git fetch").await;
    let (_, approval) = only(&gavel, &server).await;
    assert_eq!(approval.leaving, None);
    let begun = begin(&gavel, &server, &approval.id, LONG).await;
    let until = only(&gavel, &server).await.1.leaving.unwrap();
    assert!(until > gavel.snapshot().now && until <= gavel.snapshot().now + LONG);
    let keep = Call::KeepSavedApproval { server: server.url(), id: approval.id.clone() };
    gavel.call(keep.clone()).await;
    assert_eq!(begun.await.unwrap(), KEPT);
    assert_eq!(only(&gavel, &server).await.1.leaving, None);
    // Undone twice, or never begun: nothing to do.
    gavel.call(keep).await;

    assert_eq!(gavel.try_call(removal(&server, &approval.id, 100)).await, REMOVED);
    assert!(patterns(&server).is_empty());
}

#[tokio::test]
async fn the_timer_of_a_removal_that_was_undone_means_nothing_to_the_next() {
    let (server, gavel) = both(Switches::default()).await;
    always(&server, &gavel, ALPHA, "git fetch").await;
    let (_, approval) = only(&gavel, &server).await;
    let first = begin(&gavel, &server, &approval.id, SHORT).await;
    gavel.call(Call::KeepSavedApproval { server: server.url(), id: approval.id.clone() }).await;
    assert_eq!(first.await.unwrap(), KEPT);
    let second = begin(&gavel, &server, &approval.id, LONG).await;
    stays("the approval", Duration::from_millis(SHORT + 500), async || patterns(&server).len() == 1).await;
    // Somebody leaves the view: what is to be removed is removed at once, and all are told.
    assert_eq!(remove(&gavel, &server, &approval.id).await, REMOVED);
    assert_eq!(second.await.unwrap(), REMOVED);
    assert!(patterns(&server).is_empty());
}

#[tokio::test]
async fn a_removal_is_done_although_nobody_waits_for_it_and_although_gavel_ends() {
    let (server, gavel) = both(Switches::default()).await;
    always(&server, &gavel, ALPHA, "git fetch").await;
    let (_, approval) = only(&gavel, &server).await;
    let begun = begin(&gavel, &server, &approval.id, SHORT).await;
    // The window is closed, and the call with it.
    begun.abort();
    eventually("the approval to be removed", DEADLINE, async || patterns(&server).is_empty()).await;

    always(&server, &gavel, ALPHA, "git fetch").await;
    let (_, approval) = only(&gavel, &server).await;
    let begun = begin(&gavel, &server, &approval.id, LONG).await;
    gavel.handle.shut_down().await;
    assert!(patterns(&server).is_empty(), "it was what the user wanted");
    assert_eq!(begun.await.unwrap(), REMOVED);
}

#[tokio::test]
async fn a_removal_that_fails_with_nobody_there_stands_on_the_server_s_card() {
    let (server, gavel) = both(Switches::default()).await;
    always(&server, &gavel, ALPHA, "git fetch").await;
    let (_, approval) = only(&gavel, &server).await;
    server.fault(&format!("DELETE {ONE}"), Fault::Status(500));
    begin(&gavel, &server, &approval.id, SHORT).await.abort();
    let told = |row: &ServerRow| row.last_error.as_deref().is_some_and(|error| error.contains("still holds"));
    gavel.server(&server.url(), "why it was not removed", told).await;
}

#[tokio::test]
async fn a_server_that_can_t_change_them_says_so_and_takes_them_back_all_the_same() {
    let (server, gavel) = both(Switches { saved_update: false, ..Switches::default() }).await;
    always(&server, &gavel, ALPHA, "git fetch").await;
    assert!(!listed(&gavel, &server.url()).await.can_change);
    let (_, approval) = only(&gavel, &server).await;
    assert_eq!(code(change(&gavel, &server, &approval.id, "git *").await), Code::NotChangeable);
    assert_eq!(patterns(&server), ["shell git fetch *"]);
    assert_eq!(remove(&gavel, &server, &approval.id).await, REMOVED);
    assert!(patterns(&server).is_empty());
}

#[tokio::test]
async fn a_server_without_them_is_no_failure() {
    let server = StandIn::start(StandInOptions::default()).await.unwrap();
    let gavel = watching(&server).await;
    once(&server, &gavel, ALPHA, "ls", Decision::AllowOnce).await;
    let found = listed(&gavel, &server.url()).await;
    assert!(!found.supported && !found.can_change && found.projects.is_empty());
}

#[tokio::test]
async fn what_can_t_be_listed_is_named_and_a_server_that_is_away_is_too() {
    let (server, gavel) = both(Switches::default()).await;
    always(&server, &gavel, ALPHA, "git fetch").await;
    server.fault("GET /api/permission/saved", Fault::Status(500));
    let failed = gavel.try_call(Call::SavedApprovals { server: server.url() }).await.unwrap_err();
    assert!(failed.message.contains("can't be listed"), "{failed}");
    server.heal();
    server.kill().await;
    gavel.server(&server.url(), "offline", |row| !row.link.is_online()).await;
    for call in [
        Call::SavedApprovals { server: server.url() },
        removal(&server, "psv_1", 0),
        Call::SavedApprovals { server: "http://127.0.0.1:1".into() },
    ] {
        let failure = gavel.try_call(call).await.unwrap_err();
        assert!(failure.message.contains("can't be reached"), "{failure}");
    }
    server.restart().await.unwrap();
    gavel.in_sync(&server.url()).await;
    eventually("the approval to be listed again", DEADLINE, async || {
        !listed(&gavel, &server.url()).await.projects.is_empty()
    })
    .await;
}

#[tokio::test]
async fn a_server_that_hangs_holds_nobody_up() {
    let (server, gavel) = both(Switches::default()).await;
    always(&server, &gavel, ALPHA, "git fetch").await;
    server.fault("GET /api/permission/saved", Fault::Hang);
    let asked = tokio::spawn({
        let handle = gavel.handle.clone();
        let server = server.url();
        async move { handle.call(Call::SavedApprovals { server }).await }
    });
    let snapshot = tokio::time::timeout(Duration::from_secs(5), gavel.call(Call::Snapshot)).await;
    assert!(snapshot.is_ok(), "other calls are answered meanwhile");
    assert!(asked.await.unwrap().unwrap_err().message.contains("no answer within"));
}

/// The real 1.18, which has the list, and the way to take one back, among its preview of 2.x.
#[cfg(feature = "real")]
mod real {
    use gavel_tests::opencode::{OpenCode, Options as OpenCodeOptions, Version};
    use gavel_tests::scripted_model::ScriptedModel;
    use reqwest::{Method, StatusCode};
    use serde_json::{Value, json};

    use super::*;

    /// Creates a request of the preview and answers it "always", as another client does.
    async fn always(server: &OpenCode, gavel: &Gavel, session: &str, resource: &str, save: &str) {
        let dir = server.dir(0);
        let wanted = json!({ "action": "bash", "resources": [resource], "save": [save] });
        // For a moment after its start a server knows no agents, and denies everything.
        let id = eventually("a request", 3 * DEADLINE, async || {
            let made = server.post(&format!("/api/session/{session}/permission"), dir, wanted.clone()).await;
            match made["data"]["effect"].as_str() {
                Some("ask") => Ok(made["data"]["id"].as_str().unwrap().to_owned()),
                _ => Err(made.to_string()),
            }
        })
        .await;
        assert_eq!(gavel.only_request().await.key.request.0, id);
        let route = format!("/api/session/{session}/permission/{id}/reply");
        server.request(Method::POST, &route, Some(dir), Some(json!({ "reply": "always" }))).await.unwrap();
        gavel.inbox(0).await;
    }

    #[tokio::test]
    async fn the_preview_lists_them_and_takes_them_back() {
        let model = ScriptedModel::start().await;
        let server = OpenCode::start(Version::V1_18_33, OpenCodeOptions::new(&model)).await;
        let dir = server.dir(0);
        // Sessions of the preview know only the configuration that lies in the project.
        std::fs::copy(server.world().root().join("opencode.json"), dir.join("opencode.json")).unwrap();
        let gavel = Gavel::watching(&[&server.url()]).await;
        gavel.in_sync(&server.url()).await;
        let location = json!({ "location": { "directory": dir }, "agent": "build" });
        let session: Value = server.post("/api/session", dir, location).await;
        let session = session["data"]["id"].as_str().unwrap();
        always(&server, &gavel, session, "wc hello.txt", "wc *").await;
        always(&server, &gavel, session, "npm test", "npm test").await;

        let found = listed(&gavel, &server.url()).await;
        assert!(found.supported && !found.can_change);
        let [project] = &found.projects[..] else { panic!("{:?}", found.projects) };
        assert_eq!(project.directories[0], dir.to_string_lossy());
        let rows: Vec<(&str, &str, usize)> = project
            .approvals
            .iter()
            .map(|approval| (approval.action.as_str(), approval.resource.as_str(), approval.reach.count))
            .collect();
        assert_eq!(rows, [("shell", "npm test", 1), ("shell", "wc *", 1)]);
        let [npm, wc] = &project.approvals[..] else { panic!("two") };
        assert_eq!(wc.reach.examples[0].title, "Run wc hello.txt");

        let directory = project.directories[0].clone();
        let changing = Call::ChangeSavedApproval {
            server: server.url(),
            directory: directory.clone(),
            id: wc.id.clone(),
            resource: "wc -l *".into(),
        };
        assert_eq!(code(gavel.try_call(changing).await), Code::NotChangeable);
        let removing = Call::RemoveSavedApproval { server: server.url(), directory, id: wc.id.clone(), hold: 0 };
        assert_eq!(gavel.try_call(removing.clone()).await, REMOVED);
        assert_eq!(gavel.try_call(removing).await, REMOVED, "it is gone already");
        let (status, left) = server.try_get("/api/permission/saved").await.unwrap();
        assert_eq!(status, StatusCode::OK);
        let left: Vec<&str> = left["data"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
        assert_eq!(left, [npm.id.as_str()], "the server's own word");
    }

    #[tokio::test]
    async fn an_older_one_has_none() {
        let model = ScriptedModel::start().await;
        let server = OpenCode::start(Version::V1_14_41, OpenCodeOptions::new(&model)).await;
        let gavel = Gavel::watching(&[&server.url()]).await;
        gavel.in_sync(&server.url()).await;
        let session = server.create_session(server.dir(0)).await;
        let script = gavel_tests::scripted_model::Script::new().run("touch a.txt").say("done");
        server.prompt_async(server.dir(0), &session, script).await;
        let request = gavel.only_request().await;
        gavel.decide(&request, Decision::AllowOnce).await;
        gavel.inbox(0).await;
        assert!(!listed(&gavel, &server.url()).await.supported);
    }
}
