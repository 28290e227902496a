//! Saved approvals: gathered from directories, changed and taken back, on servers of every kind.

use std::time::{SystemTime, UNIX_EPOCH};

use gavel_core::Moment;
use gavel_opencode::Error;
use gavel_opencode::connection::{Project, SavedApprovals};
use gavel_opencode::dialect::v2::saved::{Change, SavedApproval};
use serde_json::{Value, json};

use crate::support::{Answer, Fake, Watched, done, tagged, until};

fn list_of(directory: &str) -> String {
    format!("GET /api/permission/saved?location%5Bdirectory%5D={}", directory.replace('/', "%2F"))
}

fn location_of(directory: &str) -> String {
    format!("GET /api/location?location%5Bdirectory%5D={}", directory.replace('/', "%2F"))
}

fn saved(id: &str, project: &str, resource: &str) -> Value {
    json!({ "id": id, "projectID": project, "action": "shell", "resource": resource,
        "time": { "created": 1_796_043_379_866.5, "updated": 1_796_043_379_900.0 } })
}

fn listing(items: &[Value]) -> Answer {
    Answer::Json(200, json!({ "data": items }))
}

fn approval(id: &str, project: &str, resource: &str) -> SavedApproval {
    SavedApproval {
        id: id.to_owned(),
        project: project.to_owned(),
        action: "shell".to_owned(),
        resource: resource.to_owned(),
        created: Some(Moment(1_796_043_379_866)),
    }
}

/// A 2.x server that is used in these directories.
async fn used_in(directories: &[&str]) -> Fake {
    let fake = Fake::start_v2().await;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
    let sessions: Vec<Value> = directories
        .iter()
        .map(|directory| {
            json!({ "id": format!("ses_{directory}"), "title": "", "location": { "directory": directory },
            "time": { "created": now, "updated": now } })
        })
        .collect();
    fake.on("GET /api/session", Answer::Json(200, json!({ "data": sessions, "cursor": { "next": null } })));
    fake
}

/// Connected, with all directories known.
async fn knowing(fake: &Fake, directories: usize) -> Watched {
    let mut watched = Watched::new(&fake.url);
    watched.online().await;
    until("the directories to be known", || watched.connection.directories().len() == directories).await;
    watched
}

#[tokio::test]
async fn directories_of_one_project_list_the_same_once() {
    let fake = used_in(&["/w/app", "/w/app/sub", "/else", "/loose"]).await;
    let app = [saved("psv_2", "p_app", "npm *"), saved("psv_1", "p_app", "git push *")];
    fake.on(&list_of("/w/app"), listing(&app));
    fake.on(&list_of("/w/app/sub"), listing(&app));
    fake.on(&list_of("/else"), listing(&[]));
    fake.on(&list_of("/loose"), listing(&[saved("psv_3", "global", "ls *")]));
    let place =
        |id: &str, directory: &str| json!({ "directory": "/x", "project": { "id": id, "directory": directory } });
    fake.on(&location_of("/w/app"), Answer::Json(200, place("p_app", "/w/app")));
    fake.on(&location_of("/loose"), Answer::Json(200, place("global", "/")));
    fake.on("PATCH /api/permission/saved/psv_none", tagged(404, "PermissionSavedNotFoundError"));
    let watched = knowing(&fake, 4).await;
    let found = watched.connection.saved_approvals().await.unwrap().unwrap();
    let project = |id: &str, root: &str, directories: &[&str], approvals| Project {
        id: id.to_owned(),
        root: root.to_owned(),
        directories: directories.iter().map(|&directory| directory.to_owned()).collect(),
        approvals,
    };
    assert_eq!(
        found,
        SavedApprovals {
            projects: vec![
                project("global", "/", &["/loose"], vec![approval("psv_3", "global", "ls *")]),
                project(
                    "p_app",
                    "/w/app",
                    &["/w/app", "/w/app/sub"],
                    vec![approval("psv_1", "p_app", "git push *"), approval("psv_2", "p_app", "npm *")]
                ),
            ],
            can_change: true,
            unlisted: vec![],
        }
    );
}

#[tokio::test]
async fn a_preview_has_the_list_in_words_of_its_own_and_can_t_change_it() {
    let fake = Fake::start().await;
    fake.on("GET /api/permission/request", Answer::Json(200, json!({ "data": [] })));
    let mut watched = Watched::new(&fake.url);
    watched.online().await;
    fake.say("session.idle", json!({ "sessionID": "ses_1" }));
    until("the directory to be known", || watched.connection.directories() == ["/p"]).await;
    let old = json!({ "id": "psv_1", "projectID": "p", "action": "bash", "resource": "wc hello.txt" });
    fake.on("GET /api/permission/saved", listing(&[]));
    fake.on(&list_of("/p"), listing(&[old]));
    let found = watched.connection.saved_approvals().await.unwrap().unwrap();
    assert!(!found.can_change);
    let expected = SavedApproval { created: None, ..approval("psv_1", "p", "wc hello.txt") };
    // It says nothing about where projects lie either.
    assert_eq!((found.projects[0].root.as_str(), &found.projects[0].approvals), ("/p", &vec![expected]));
    assert_eq!(watched.connection.change_saved("/p", "psv_1", "wc *").await, Ok(Change::Unsupported));
    let sent = fake.seen("PATCH /api/permission/saved/psv_1?location%5Bdirectory%5D=%2Fp");
    assert_eq!(sent[0].body, json!({ "resource": "wc *" }));
}

#[tokio::test]
async fn a_1_x_server_without_the_list_is_told_no_directory() {
    let fake = Fake::start().await;
    let mut watched = Watched::new(&fake.url);
    watched.online().await;
    fake.say("session.idle", json!({ "sessionID": "ses_1" }));
    until("the directory to be known", || watched.connection.directories() == ["/p"]).await;
    assert_eq!(watched.connection.saved_approvals().await, Ok(None));
    let asked: Vec<String> = fake.seen("GET /api/permission/saved").into_iter().map(|seen| seen.line).collect();
    assert_eq!(asked, ["GET /api/permission/saved"]);
}

#[tokio::test]
async fn a_server_without_the_list_is_told_apart_from_one_that_fails() {
    let fake = used_in(&["/a", "/b"]).await;
    let watched = knowing(&fake, 2).await;
    assert_eq!(watched.connection.saved_approvals().await, Ok(None), "a web page is no list");
    for (status, answer) in [(404, Answer::Page(404)), (405, Answer::Json(405, json!({})))] {
        fake.on("GET /api/permission/saved", answer);
        assert_eq!(watched.connection.saved_approvals().await, Ok(None), "{status}");
    }
    fake.on("GET /api/permission/saved", tagged(500, "UnknownError"));
    let error = watched.connection.saved_approvals().await.unwrap_err();
    assert_eq!(error.to_string(), "the server answered 500: UnknownError it is");
    // One directory that fails costs only itself.
    fake.on(&list_of("/b"), listing(&[saved("psv_1", "p", "ls *")]));
    let found = watched.connection.saved_approvals().await.unwrap().unwrap();
    assert_eq!(found.projects.len(), 1);
    assert_eq!(found.unlisted, [("/a".to_owned(), error)]);
    fake.on("GET /api/permission/saved", Answer::Json(200, json!({ "data": 5 })));
    fake.on(&list_of("/b"), Answer::Json(200, json!([])));
    assert!(matches!(watched.connection.saved_approvals().await, Err(Error::Garbled(_))));
}

#[tokio::test]
async fn what_can_t_be_understood_in_a_list_is_left_out() {
    let fake = used_in(&["/a"]).await;
    let odd = |change: fn(&mut Value)| {
        let mut item = saved("psv_x", "p", "x");
        change(&mut item);
        item
    };
    let items = [
        odd(|item| item["id"] = json!(7)),
        odd(|item| item["action"] = json!("")),
        odd(|item| item["resource"] = json!(["ls"])),
        odd(|item| {
            item["time"] = json!("yesterday");
            item["resource"] = json!("");
        }),
        json!("nothing"),
    ];
    fake.on(&list_of("/a"), listing(&items));
    let watched = knowing(&fake, 1).await;
    let found = watched.connection.saved_approvals().await.unwrap().unwrap();
    assert_eq!(found.projects[0].approvals, [SavedApproval { created: None, ..approval("psv_x", "p", "") }]);
}

#[tokio::test]
async fn what_says_no_project_is_shown_where_it_was_found() {
    let fake = used_in(&["/a", "/a/sub", "/b"]).await;
    let nameless = |id: &str| {
        let mut item = saved(id, "", "x");
        item.as_object_mut().unwrap().remove("projectID");
        item
    };
    let of_a = [nameless("psv_1"), saved("psv_2", "p_a", "y")];
    fake.on(&list_of("/a"), listing(&of_a));
    fake.on(&list_of("/a/sub"), listing(&of_a));
    fake.on(&list_of("/b"), listing(&[nameless("psv_3")]));
    let place = json!({ "directory": "/b", "project": { "id": "p_b", "directory": "/b/root" } });
    fake.on(&location_of("/b"), Answer::Json(200, place));
    let watched = knowing(&fake, 3).await;
    let found = watched.connection.saved_approvals().await.unwrap().unwrap();
    let told: Vec<(&str, &str, Vec<&str>, Vec<&str>)> = found
        .projects
        .iter()
        .map(|project| {
            let directories = project.directories.iter().map(String::as_str).collect();
            let approvals = project.approvals.iter().map(|approval| approval.id.as_str()).collect();
            (project.id.as_str(), project.root.as_str(), directories, approvals)
        })
        .collect();
    let expected = [
        ("/a", "/a", vec!["/a", "/a/sub"], vec!["psv_1"]),
        ("p_a", "/a", vec!["/a", "/a/sub"], vec!["psv_2"]),
        ("/b", "/b/root", vec!["/b"], vec!["psv_3"]),
    ];
    assert_eq!(told, expected);
}

#[tokio::test]
async fn a_change_is_done_gone_taken_impossible_or_failed() {
    let fake = used_in(&["/a"]).await;
    let watched = knowing(&fake, 1).await;
    let cases = [
        (Answer::Json(200, json!({ "data": saved("psv_1", "p", "ls *") })), Ok(Change::Done)),
        (tagged(404, "PermissionSavedNotFoundError"), Ok(Change::Gone)),
        (tagged(409, "ConflictError"), Ok(Change::Taken)),
        (Answer::Page(200), Ok(Change::Unsupported)),
        (Answer::Page(404), Ok(Change::Unsupported)),
        (Answer::Json(404, json!({ "message": "no" })), Ok(Change::Unsupported)),
        (Answer::Json(405, json!({})), Ok(Change::Unsupported)),
        (tagged(404, "LocationNotFoundError"), Err("the server answered 404: LocationNotFoundError it is")),
        (tagged(409, "SessionBusyError"), Err("the server answered 409: SessionBusyError it is")),
        (tagged(400, "InvalidRequestError"), Err("the server answered 400: InvalidRequestError it is")),
        (Answer::Page(500), Err("the server answered 500")),
    ];
    for (answer, expected) in cases {
        fake.on("PATCH /api/permission/saved/psv_1", answer.clone());
        let found = watched.connection.change_saved("/a", "psv_1", "ls *").await.map_err(|error| error.to_string());
        assert_eq!(found, expected.map_err(str::to_owned), "{answer:?}");
    }
}

#[tokio::test]
async fn taking_back_is_done_impossible_or_failed() {
    let fake = used_in(&["/a"]).await;
    let watched = knowing(&fake, 1).await;
    let cases = [
        (done(), Ok(true)),
        (tagged(404, "PermissionSavedNotFoundError"), Ok(true)),
        (Answer::Page(200), Ok(false)),
        (Answer::Json(405, json!({})), Ok(false)),
        (tagged(503, "ServiceUnavailableError"), Err("the server answered 503: ServiceUnavailableError it is")),
    ];
    for (answer, expected) in cases {
        fake.on("DELETE /api/permission/saved/psv_1", answer.clone());
        let found = watched.connection.remove_saved("/a", "psv_1").await.map_err(|error| error.to_string());
        assert_eq!(found, expected.map_err(str::to_owned), "{answer:?}");
    }
    assert_eq!(fake.seen("DELETE /api/permission/saved/psv_1?location%5Bdirectory%5D=%2Fa").len(), 5);
}

#[tokio::test]
async fn no_directory_is_asked_about_that_the_server_has_not_named() {
    let fake = used_in(&["/a"]).await;
    fake.on("GET /api/permission/saved", listing(&[]));
    let watched = knowing(&fake, 1).await;
    let found = watched.connection.saved_approvals().await.unwrap().unwrap();
    assert_eq!(found, SavedApprovals::default());
    let asked = fake.seen("GET /api/permission/saved");
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].line, list_of("/a"));
    assert!(fake.seen("PATCH").is_empty(), "with nothing to change there is no need to ask whether that can be done");
    fake.on("GET /api/info", Answer::Page(503));
    fake.cut();
    until("the stream to be over", || watched.connection.directories().is_empty()).await;
}
