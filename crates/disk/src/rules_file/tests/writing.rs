use gavel_core::rules_file::BUILT_IN;

use super::super::replace::{Replaced, replace};
use super::*;

const PLUGINS: &str = r#"{
  "version": 1,
  "note": "kept",
  "preset": ["ls *"],
  "learned": [{"command": "make", "approvals": 3, "lastSeen": "2026-08-26T12:00:00.000Z"}],
  "pending": {"npm test": 2}
}"#;

#[test]
fn a_new_file_begins_with_the_built_in_lines_and_only_when_there_is_something_to_remember() {
    let scene = Scene::new();
    let mut file = scene.open();
    assert!(file.matches(&line("ls src"), || true).is_some());
    assert!(!file.look());
    assert!(!file.apply(Change::RemovePreset("none".into())).unwrap());
    assert_eq!(scene.names(), [""; 0]);
    assert!(file.apply(approve("npm test")).unwrap());
    let written = on_disk(file.path());
    assert_eq!(written["preset"], serde_json::json!(BUILT_IN));
    assert_eq!((&written["version"], &written["pending"]["npm test"]), (&1.into(), &1.into()));
    // A line that the user takes out stays out.
    file.apply(Change::RemovePreset("ls *".into())).unwrap();
    let mut again = scene.open();
    again.apply(approve("npm test")).unwrap();
    assert_eq!(again.matches(&line("ls src"), || true), None);
    assert_eq!(on_disk(again.path())["preset"].as_array().unwrap().len(), BUILT_IN.len() - 1);
}

#[test]
fn what_is_counted_survives_a_restart() {
    let scene = Scene::new();
    for _ in 0..3 {
        assert_eq!(scene.open().matches(&line("npm test"), || true), None);
        scene.open().apply(approve("npm test")).unwrap();
    }
    assert!(scene.open().matches(&line("npm test"), || false).is_some());
}

#[cfg(unix)]
#[test]
fn a_change_that_changes_nothing_writes_nothing() {
    use std::os::unix::fs::MetadataExt as _;
    let scene = Scene::new();
    let path = scene.put(PLUGINS);
    let number = fs::metadata(&path).unwrap().ino();
    let mut file = scene.open();
    for change in [learn("make"), Change::AddPreset("ls *".into()), Change::ResetPending("x".into())] {
        assert!(!file.apply(change).unwrap());
    }
    assert!(!file.look());
    assert_eq!(fs::metadata(&path).unwrap().ino(), number);
    assert_eq!(fs::read_to_string(&path).unwrap(), PLUGINS);
}

#[test]
fn what_others_wrote_meanwhile_is_kept() {
    let scene = Scene::new();
    let path = scene.put(PLUGINS);
    let mut file = scene.open();
    fs::write(&path, PLUGINS.replace("npm test", "npm run x").replace("\"ls *\"", "\"pwd *\"")).unwrap();
    file.apply(learn("make x")).unwrap();
    let written = on_disk(&path);
    assert_eq!(written["preset"], serde_json::json!(["pwd *"]));
    assert_eq!(written["pending"], serde_json::json!({"npm run x": 2}));
    assert_eq!((&written["note"], &written["learned"][1]["command"]), (&"kept".into(), &"make x".into()));
    assert_eq!(written.as_object().unwrap().keys().next().unwrap(), "version");
}

#[test]
fn a_broken_file_is_left_alone_byte_for_byte() {
    let broken = ["", "{", "[]", r#"{"version": 2, "preset": ["*"]}"#, r#"{"version": 1, "preset": "*"}"#, "\u{0}"];
    for text in broken {
        let scene = Scene::new();
        let path = scene.put(text);
        let mut file = scene.open();
        assert!(matches!(file.state(), State::Broken(_)), "{text}");
        assert!(file.trouble().unwrap().to_string().contains("are left alone"), "{:?}", file.trouble());
        file.apply(learn("make")).unwrap_err();
        assert_eq!(file.matches(&line("make"), || true), None);
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        assert_eq!(scene.names().len(), 1);
        // Once it is repaired, what waited is written.
        fs::write(&path, PLUGINS).unwrap();
        assert!(file.look());
        assert_eq!((file.trouble(), file.waiting()), (None, 0));
        assert!(learned(&scene.open()).contains(&"make"));
    }
}

#[test]
fn a_file_that_breaks_takes_its_rules_back_at_once() {
    let scene = Scene::new();
    let path = scene.put(PLUGINS);
    let mut file = scene.open();
    assert!(file.matches(&line("make"), || true).is_some());
    fs::write(&path, PLUGINS.replace("[\"ls *\"]", "7")).unwrap();
    assert!(file.look());
    assert_eq!(file.matches(&line("make"), || true), None);
    let State::Broken(broken) = file.state() else { panic!() };
    assert_eq!(broken.readable.learned[0].command, "make", "what can be read is there to be shown");
}

#[test]
fn a_file_that_is_removed_is_begun_anew() {
    let scene = Scene::new();
    let mut file = scene.open();
    file.apply(learn("make")).unwrap();
    fs::remove_file(file.path()).unwrap();
    assert!(file.look());
    assert_eq!(file.matches(&line("make"), || true), None);
    file.apply(learn("make x")).unwrap();
    assert_eq!(learned(&scene.open()), ["make x"]);
}

#[test]
fn what_cannot_be_written_counts_in_memory_and_is_written_later() {
    let scene = Scene::new();
    let path = scene.put(PLUGINS);
    let mut file = scene.open();
    let about = fs::metadata(&path).unwrap().permissions();
    let mut protected = about.clone();
    protected.set_readonly(true);
    fs::set_permissions(&path, protected).unwrap();
    for count in 1..=2 {
        let error = file.apply(approve("npm test")).unwrap_err();
        assert!(error.to_string().contains("write-protected"), "{error}");
        assert_eq!(file.waiting(), count);
    }
    assert_eq!(learned(&file), ["make", "npm test"]);
    assert!(file.matches(&line("npm test"), || false).is_some());
    assert!(file.trouble().is_some());
    assert!(!file.look(), "it is the same as before");
    assert_eq!((fs::read_to_string(&path).unwrap().as_str(), scene.names().len()), (PLUGINS, 1));
    fs::set_permissions(&path, about).unwrap();
    file.look();
    assert_eq!((file.trouble(), file.waiting()), (None, 0));
    assert_eq!(on_disk(&path)["learned"][1]["approvals"], 4);
}

/// A folder in which nothing can be made, not even by the superuser.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_takes_nothing_loses_nothing_in_memory() {
    let scene = Scene::new();
    let path = Path::new("/proc/no-rules-here.json");
    let mut file = RulesFile::open(&scene.folder(), &scene.project("shop"), Some(path));
    for command in ["make", "make x"] {
        file.apply(learn(command)).unwrap_err();
    }
    assert_eq!(learned(&file), ["make", "make x"]);
    assert_eq!(file.waiting(), 2);
    for number in 0..498 {
        file.apply(Change::ResetPending(format!("make {number}"))).unwrap_err();
    }
    assert_eq!(file.waiting(), 500);
    file.apply(learn("make y")).unwrap_err();
    assert_eq!(file.waiting(), 500, "and memory has bounds");
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_read() {
    let scene = Scene::new();
    for path in [Path::new("/dev/zero"), scene.root.path()] {
        let mut file = RulesFile::open(&scene.folder(), &scene.project("shop"), Some(path));
        assert_eq!(file.state(), &State::Unusable);
        assert!(file.trouble().unwrap().to_string().contains("it is not a file"), "{:?}", file.trouble());
        file.apply(learn("make")).unwrap_err();
    }
    let path = scene.put(r#"{"version": 1}"#);
    fs::File::options().write(true).open(&path).unwrap().set_len(1 << 40).unwrap();
    assert!(scene.open().trouble().unwrap().to_string().contains("too large"));
}

#[test]
fn a_folder_that_is_a_file_is_told_and_survived() {
    let scene = Scene::new();
    fs::create_dir_all(scene.root.path().join("data")).unwrap();
    fs::write(scene.folder(), "in the way").unwrap();
    let mut file = scene.open();
    file.apply(learn("make")).unwrap_err();
    assert_eq!(file.matches(&line("make"), || true), None, "what can't be read gives no rules");
    fs::remove_file(scene.folder()).unwrap();
    assert!(file.look());
    assert_eq!(learned(&scene.open()), ["make"]);
}

#[cfg(unix)]
#[test]
fn permissions_and_links_are_kept() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let scene = Scene::new();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let mut file = scene.open();
    file.apply(learn("make")).unwrap();
    assert_eq!((mode(file.path()), mode(&scene.folder())), (0o600, 0o700), "it is nobody else's business");
    fs::set_permissions(file.path(), fs::Permissions::from_mode(0o664)).unwrap();
    file.apply(learn("make x")).unwrap();
    assert_eq!(mode(file.path()), 0o664);
    // The user keeps it with their other settings.
    let kept = scene.root.path().join("settings");
    fs::create_dir(&kept).unwrap();
    fs::rename(file.path(), kept.join("shop.json")).unwrap();
    symlink("../../settings/shop.json", file.path()).unwrap();
    file.apply(learn("make y")).unwrap();
    assert!(fs::symlink_metadata(file.path()).unwrap().is_symlink());
    assert_eq!(on_disk(&kept.join("shop.json"))["learned"].as_array().unwrap().len(), 3);
    assert_eq!((scene.names().len(), fs::read_dir(&kept).unwrap().count()), (1, 1));
    // A link to what does not exist yet says where it is to be.
    fs::remove_file(kept.join("shop.json")).unwrap();
    let mut file = RulesFile::open(&scene.folder(), &scene.project("shop"), Some(file.path()));
    file.apply(learn("make z")).unwrap();
    assert_eq!(on_disk(&kept.join("shop.json"))["learned"].as_array().unwrap().len(), 1);
}

/// What an editor does that had the file open before: it saves what it read, with its own change.
#[test]
fn what_is_written_over_unseen_is_made_again() {
    let scene = Scene::new();
    let mut file = scene.open();
    file.apply(learn("make a")).unwrap();
    let opened = fs::read_to_string(file.path()).unwrap();
    file.apply(learn("make b")).unwrap();
    file.apply(approve("npm test")).unwrap();
    file.apply(Change::RemovePreset("du *".into())).unwrap();
    fs::write(file.path(), opened.replace("\"ls *\",", "").replace("make a", "make c")).unwrap();
    assert!(file.look());
    let written = on_disk(file.path());
    let presets: Vec<_> = written["preset"].as_array().unwrap().iter().filter_map(|one| one.as_str()).collect();
    assert_eq!(presets.len(), BUILT_IN.len() - 2);
    assert!(!presets.contains(&"ls *") && !presets.contains(&"du *"));
    assert_eq!(learned(&file), ["make c", "make b"]);
    assert_eq!(written["pending"]["npm test"], 1);
}

/// Who saw our write and took something out meant it.
#[test]
fn what_is_taken_out_by_who_saw_it_stays_out() {
    let scene = Scene::new();
    let mut file = scene.open();
    file.apply(learn("make a")).unwrap();
    file.apply(learn("make b")).unwrap();
    let mut opened = on_disk(file.path());
    opened["learned"].as_array_mut().unwrap().pop();
    fs::write(file.path(), opened.to_string()).unwrap();
    assert!(file.look());
    assert_eq!(learned(&file), ["make a"]);
    assert_eq!(fs::read_to_string(file.path()).unwrap(), opened.to_string(), "and nothing is written");
}

#[test]
fn only_the_file_that_was_read_is_replaced() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("a.json");
    let done = |replaced| assert!(matches!(replaced, Ok(Replaced::Done)), "{replaced:?}");
    let changed = |replaced| assert!(matches!(replaced, Ok(Replaced::Changed)), "{replaced:?}");
    for insist in [false, true] {
        changed(replace(&path, Some(b"x"), b"new", insist));
        assert!(!path.exists());
    }
    done(replace(&path, None, b"one", false));
    for insist in [false, true] {
        changed(replace(&path, None, b"two", insist));
    }
    changed(replace(&path, Some(b"other"), b"two", false));
    assert_eq!(fs::read(&path).unwrap(), b"one");
    done(replace(&path, Some(b"one"), b"two", false));
    assert_eq!(fs::read(&path).unwrap(), b"two");
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1, "nothing is left behind");
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
#[test]
fn what_comes_in_at_the_last_moment_is_at_hand_and_can_be_put_back() {
    use super::super::replace::swap;
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("a.json");
    fs::write(&path, "theirs").unwrap();
    let new = tempfile::NamedTempFile::new_in(root.path()).unwrap();
    fs::write(new.path(), "ours").unwrap();
    let Ok(Replaced::Displaced(displaced)) = swap(new, &path, b"seen") else { panic!() };
    assert_eq!((displaced.bytes.as_slice(), fs::read(&path).unwrap().as_slice()), (&b"theirs"[..], &b"ours"[..]));
    displaced.put_back(&path).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"theirs");
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1, "nothing is left behind");
}
