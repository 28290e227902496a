use std::time::Duration;

use notify::event::{CreateKind, DataChange, Flag, ModifyKind, RemoveKind, RenameMode};
use tokio::time::timeout;

use super::*;

#[test]
fn only_changes_of_registrations_count() {
    let folder = Path::new("/state/opencode");
    let is = |place: &str, kind: EventKind, path: &str| {
        Names::new(folder, Path::new(place)).concerns(&Event::new(kind).add_path(path.into()))
    };
    let written = EventKind::Access(AccessKind::Close(AccessMode::Write));
    let renamed = EventKind::Modify(ModifyKind::Name(RenameMode::To));
    let changed = EventKind::Modify(ModifyKind::Data(DataChange::Any));
    let created = EventKind::Create(CreateKind::Folder);
    let cases = [
        ("/state/opencode", renamed, "/state/opencode/service.json", true),
        ("/state/opencode", written, "/state/opencode/service-beta.json", true),
        ("/state/opencode", EventKind::Remove(RemoveKind::File), "/state/opencode/service.json", true),
        ("/state/opencode", EventKind::Remove(RemoveKind::Folder), "/state/opencode", true),
        ("/state/opencode", changed, "/another/spelling/of/service.json", true),
        ("/state/opencode", changed, "/state/opencode/service.json.lock", false),
        ("/state/opencode", changed, "/state/opencode/log", false),
        (
            "/state/opencode",
            EventKind::Access(AccessKind::Open(AccessMode::Any)),
            "/state/opencode/service.json",
            false,
        ),
        (
            "/state/opencode",
            EventKind::Access(AccessKind::Close(AccessMode::Read)),
            "/state/opencode/service.json",
            false,
        ),
        ("/state", created, "/state/opencode", true),
        ("/state", created, "/state/other", false),
        ("/state", renamed, "/state/service.json", false),
        ("/", created, "/state", true),
        ("/", created, "/tmp", false),
    ];
    for (place, kind, path, expected) in cases {
        assert_eq!(is(place, kind, path), expected, "{place} {kind:?} {path}");
    }
    let lost_count = Event::new(EventKind::Other).set_flag(Flag::Rescan);
    assert!(Names::new(folder, folder).concerns(&lost_count));
}

async fn stirred(watch: &FolderWatch) {
    timeout(Duration::from_secs(20), watch.stirred()).await.expect("something is noticed in time");
}

fn armed(watch: &FolderWatch) -> Option<&Path> {
    watch.armed.as_ref().map(|armed| armed.place.path.as_path())
}

#[tokio::test]
async fn follows_a_folder_from_before_it_is_made_until_after_it_is_removed() {
    let root = tempfile::tempdir().unwrap();
    let state = root.path().join("state");
    let folder = state.join("opencode");
    let mut watch = FolderWatch::new(folder.clone());
    watch.arm();
    assert_eq!(armed(&watch), Some(root.path()));
    for _ in 0..2 {
        fs::create_dir(&state).unwrap();
        stirred(&watch).await;
        watch.arm();
        assert_eq!(armed(&watch), Some(state.as_path()));
        fs::create_dir(&folder).unwrap();
        stirred(&watch).await;
        watch.arm();
        assert_eq!(armed(&watch), Some(folder.as_path()));
        for _ in 0..2 {
            fs::write(folder.join("service.json"), "{}").unwrap();
            stirred(&watch).await;
        }
        fs::remove_dir_all(&state).unwrap();
        while armed(&watch) != Some(root.path()) {
            stirred(&watch).await;
            watch.arm();
        }
    }
}

#[tokio::test]
async fn a_folder_in_another_ones_place_is_watched_instead() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("opencode");
    fs::create_dir(&folder).unwrap();
    let mut watch = FolderWatch::new(folder.clone());
    watch.arm();
    fs::rename(&folder, root.path().join("old")).unwrap();
    fs::create_dir(&folder).unwrap();
    watch.arm();
    // What happened to the old one may have been noticed.
    while timeout(Duration::ZERO, watch.stirred()).await.is_ok() {}
    fs::write(folder.join("service.json"), "{}").unwrap();
    stirred(&watch).await;
}

#[test]
fn what_is_no_folder_is_not_watched() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("opencode");
    fs::write(&folder, "a file").unwrap();
    let mut watch = FolderWatch::new(folder.join("deeper"));
    watch.arm();
    assert_eq!(armed(&watch), Some(root.path()));
}
