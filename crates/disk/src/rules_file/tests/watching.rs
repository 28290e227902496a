use std::time::Duration;

use tokio::time::timeout;

use super::*;
use crate::RulesWatch;

async fn changed(watch: &mut RulesWatch) {
    timeout(Duration::from_secs(20), watch.changed()).await.expect("a change is noticed in time");
}

#[tokio::test]
async fn changes_by_others_are_noticed_from_before_there_is_a_file() {
    let scene = Scene::new();
    let mut file = scene.open();
    let mut watch = file.watch();
    file.look();
    let path = scene.put(r#"{"version": 1, "learned": [{"command": "make"}]}"#);
    // Folders are made one after the other, and each may be told by itself.
    while !file.look() {
        changed(&mut watch).await;
    }
    assert_eq!(learned(&file), ["make"]);
    for (round, text) in [r#"{"version": 1}"#, "broken", r#"{"version": 1, "preset": []}"#].iter().enumerate() {
        let beside = path.with_extension("tmp");
        fs::write(&beside, text).unwrap();
        if round == 1 {
            fs::copy(&beside, &path).unwrap();
        } else {
            fs::rename(&beside, &path).unwrap();
        }
        while !file.look() {
            changed(&mut watch).await;
        }
    }
    fs::remove_file(&path).unwrap();
    while !file.look() {
        changed(&mut watch).await;
    }
    assert!(!sound(&file).lines().preset.is_empty(), "as a new file would begin");
}

#[tokio::test]
async fn many_changes_at_once_are_told_once_and_none_is_forgotten() {
    let scene = Scene::new();
    let path = scene.put(r#"{"version": 1}"#);
    let mut watch = scene.open().watch();
    for round in 0..20 {
        fs::write(&path, format!(r#"{{"version": 1, "round": {round}}}"#)).unwrap();
    }
    // Whoever waits may give up half-way, and still be told the next time.
    while !watch.untold() {
        let _ = timeout(Duration::from_millis(5), watch.changed()).await;
    }
    changed(&mut watch).await;
    assert!(timeout(Duration::from_millis(200), watch.changed()).await.is_err(), "once is enough");
}

#[tokio::test]
async fn looking_is_no_change() {
    let scene = Scene::new();
    scene.put(r#"{"version": 1}"#);
    let mut file = scene.open();
    let mut watch = file.watch();
    for _ in 0..5 {
        assert!(!file.look());
    }
    assert!(timeout(Duration::from_millis(200), watch.changed()).await.is_err());
}

#[cfg(unix)]
#[tokio::test]
async fn a_file_behind_a_link_is_watched_where_it_is() {
    let scene = Scene::new();
    let kept = scene.root.path().join("settings");
    fs::create_dir(&kept).unwrap();
    fs::write(kept.join("shop.json"), r#"{"version": 1}"#).unwrap();
    let path = scene.open().path().to_owned();
    fs::create_dir_all(scene.folder()).unwrap();
    std::os::unix::fs::symlink(kept.join("shop.json"), path).unwrap();
    let mut file = scene.open();
    let mut watch = file.watch();
    fs::write(kept.join("shop.json"), r#"{"version": 1, "learned": [{"command": "make"}]}"#).unwrap();
    while !file.look() {
        changed(&mut watch).await;
    }
    assert_eq!(learned(&file), ["make"]);
}
