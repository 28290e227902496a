//! Changes that the user asks for: in the file or not at all, beside whatever others write.

use super::*;

const PLUGINS: &str = r#"{
  "version": 1,
  "note": "kept",
  "preset": ["pwd *", "ls *", "git status *"],
  "learned": [
    {"command": "make", "approvals": 3, "lastSeen": "2026-08-26T12:00:00.000Z", "by": "the plugin"},
    {"command": "make x", "approvals": 5}
  ],
  "other": {"z": 1, "a": [2]},
  "pending": {"npm test": 2, "npm run x": 1}
}"#;

fn changes() -> Vec<Change> {
    vec![
        Change::RemovePreset("ls *".into()),
        Change::EditPreset { from: "ls *".into(), to: "ls src *".into() },
        Change::AddPreset("tree *".into()),
        Change::RemoveLearned("make".into()),
        learn("npm test"),
        Change::ResetPending("npm test".into()),
    ]
}

/// The file without what Gavel keeps in it for itself.
fn without_ours(path: &Path) -> serde_json::Value {
    let mut written = on_disk(path);
    written.as_object_mut().unwrap().remove("gavel");
    written
}

#[test]
fn each_change_keeps_what_another_program_writes_and_is_taken_back_in_place() {
    for change in changes() {
        let scene = Scene::new();
        let path = scene.put(PLUGINS);
        let mut file = scene.open();
        // The other one has written since this one looked.
        let theirs = PLUGINS.replace("\"npm run x\": 1", "\"npm run x\": 2, \"npm run y\": 1");
        fs::write(&path, &theirs).unwrap();
        let restore = file.make(&change).unwrap().unwrap();
        let written = on_disk(&path);
        assert_eq!(written["pending"]["npm run y"], 1, "{change:?}");
        assert_eq!((&written["note"], &written["other"]), (&"kept".into(), &serde_json::json!({"z": 1, "a": [2]})));
        let keys: Vec<&String> = written.as_object().unwrap().keys().collect();
        assert_eq!(keys[..6], ["version", "note", "preset", "learned", "other", "pending"], "{change:?}");
        // And again, as others write: on top of what is there.
        let text = fs::read_to_string(&path).unwrap().replace("\"kept\"", "\"still kept\"");
        fs::write(&path, text).unwrap();
        assert!(file.make(&Change::Restore(Box::new(restore))).unwrap().is_some());
        let expected: serde_json::Value = serde_json::from_str(&theirs.replace("\"kept\"", "\"still kept\"")).unwrap();
        assert_eq!(without_ours(&path).to_string(), expected.to_string(), "{change:?}: place by place");
    }
}

#[test]
fn nothing_is_written_into_a_file_that_is_broken_or_of_another_version_not_even_later() {
    for text in ["", "{", r#"{"version": 2, "preset": ["*"]}"#, r#"{"version": 1, "preset": "*", "learned": []}"#] {
        for change in changes() {
            let scene = Scene::new();
            let path = scene.put(text);
            let mut file = scene.open();
            let error = file.make(&change).unwrap_err().to_string();
            assert!(error.contains("are left alone"), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
            assert_eq!(file.waiting(), 0);
            fs::write(&path, PLUGINS).unwrap();
            file.look();
            assert_eq!(fs::read_to_string(&path).unwrap(), PLUGINS, "{change:?} was refused, so it is not made later");
        }
    }
}

#[test]
fn what_cannot_be_written_is_not_made() {
    let scene = Scene::new();
    let path = scene.put(PLUGINS);
    let mut file = scene.open();
    let about = fs::metadata(&path).unwrap().permissions();
    let mut protected = about.clone();
    protected.set_readonly(true);
    fs::set_permissions(&path, protected).unwrap();
    for change in changes() {
        assert!(file.make(&change).unwrap_err().to_string().contains("write-protected"));
        assert_eq!((file.waiting(), sound(&file).lines().preset.len()), (0, 3), "{change:?}");
    }
    assert_eq!(learned(&file), ["make", "make x"]);
    // What was learned meanwhile waits as ever.
    file.apply(approve("cargo doc")).unwrap_err();
    file.make(&Change::RemovePreset("ls *".into())).unwrap_err();
    assert_eq!(file.waiting(), 1);
    fs::set_permissions(&path, about).unwrap();
    file.look();
    assert_eq!((&on_disk(&path)["pending"]["cargo doc"], &on_disk(&path)["preset"][1]), (&1.into(), &"ls *".into()));
}

#[test]
fn what_changes_nothing_is_no_change() {
    let scene = Scene::new();
    let path = scene.put(PLUGINS);
    let mut file = scene.open();
    assert_eq!(file.make(&Change::RemovePreset("none".into())).unwrap(), None);
    assert_eq!(fs::read_to_string(&path).unwrap(), PLUGINS);
    assert!(file.exists());
}

/// A project without a file begins one by the first change.
#[test]
fn the_first_change_begins_the_file() {
    let scene = Scene::new();
    let mut file = scene.open();
    assert!(!file.exists());
    let restore = file.make(&Change::RemovePreset("ls *".into())).unwrap().unwrap();
    assert!(!on_disk(file.path())["preset"].as_array().unwrap().contains(&"ls *".into()));
    file.make(&Change::Restore(Box::new(restore))).unwrap();
    assert_eq!(on_disk(file.path())["preset"], serde_json::json!(gavel_core::rules_file::BUILT_IN));
}
