//! The file by which the background service is found.

use std::path::Path;
use std::time::{Duration, Instant};

use gavel_stand_in::{Options, StandIn, Switches};
use serde_json::{Value, json};

use crate::client::DEADLINE;

async fn service(state: &Path, channel: Option<&str>) -> StandIn {
    let switches = Switches {
        state_home: Some(state.to_owned()),
        channel: channel.map(str::to_owned),
        reassert: Duration::from_millis(20),
        ..Switches::default()
    };
    StandIn::start(Options { password: Some("s3cret".to_owned()), ..Options::v2(switches) }).await.unwrap()
}

fn read(file: &Path) -> Option<Value> {
    serde_json::from_slice(&std::fs::read(file).ok()?).ok()
}

/// Looks again and again, since nothing tells of files.
async fn until(what: &str, holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < DEADLINE, "not {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn it_says_where_the_service_is_and_how_to_speak_with_it() {
    let state = tempfile::tempdir().unwrap();
    let stand_in = service(state.path(), None).await;
    let file = state.path().join("opencode/service.json");
    let content = read(&file).unwrap();
    let expected = json!({
        "id": content["id"], "version": "2.1.2", "url": stand_in.url(), "pid": std::process::id(), "password": "s3cret",
    });
    assert_eq!(content, expected);
    assert_eq!(content["id"].as_str().unwrap().len(), 36);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
    std::fs::remove_file(&file).unwrap();
    until("written again", || read(&file).as_ref() == Some(&content)).await;
    std::fs::write(&file, "{}").unwrap();
    until("put right", || read(&file).as_ref() == Some(&content)).await;
    stand_in.stop().await;
    assert!(!file.exists());
    let names: Vec<_> = std::fs::read_dir(file.parent().unwrap()).unwrap().collect();
    assert!(names.is_empty(), "nothing is left beside it: {names:?}");
}

#[tokio::test]
async fn a_killed_service_leaves_it_behind_and_the_next_one_has_its_own() {
    let state = tempfile::tempdir().unwrap();
    let stand_in = service(state.path(), None).await;
    let file = state.path().join("opencode/service.json");
    let first = read(&file).unwrap();
    stand_in.kill().await;
    assert_eq!(read(&file), Some(first.clone()));
    stand_in.restart().await.unwrap();
    let second = read(&file).unwrap();
    assert_eq!(second["url"], first["url"]);
    assert_ne!(second["id"], first["id"]);
    drop(stand_in);
    assert!(!file.exists(), "it goes with the last handle");
}

#[tokio::test]
async fn one_that_another_service_wrote_is_left_alone() {
    let state = tempfile::tempdir().unwrap();
    let switches = Switches { state_home: Some(state.path().to_owned()), ..Switches::default() };
    let stand_in = StandIn::start(Options::v2(switches)).await.unwrap();
    let file = state.path().join("opencode/service.json");
    assert_eq!(read(&file).unwrap().get("password"), None);
    std::fs::write(&file, "{\"id\":\"another\"}").unwrap();
    stand_in.stop().await;
    assert_eq!(read(&file), Some(json!({ "id": "another" })));
}

#[tokio::test]
async fn channels_have_files_of_their_own() {
    for (channel, name) in [("beta", "service-beta.json"), ("latest", "service.json"), ("next", "service.json")] {
        let state = tempfile::tempdir().unwrap();
        let _stand_in = service(state.path(), Some(channel)).await;
        assert!(state.path().join("opencode").join(name).exists(), "{channel}");
    }
}

#[tokio::test]
async fn a_server_that_is_no_service_writes_nothing() {
    let state = tempfile::tempdir().unwrap();
    let _stand_in = StandIn::start(Options::v2(Switches::default())).await.unwrap();
    assert_eq!(std::fs::read_dir(state.path()).unwrap().count(), 0);
}
