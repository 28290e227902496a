//! The walls of the house: which part may know of which. See ARCHITECTURE.md.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version=1", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// For each package of the workspace, what it is built with. What only its tests need is left out.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().unwrap();
    let name = |value: &Value| value["name"].as_str().unwrap().to_owned();
    packages
        .iter()
        .map(|package| {
            let all = package["dependencies"].as_array().unwrap();
            (name(package), all.iter().filter(|dep| dep["kind"] != "dev").map(name).collect())
        })
        .collect()
}

/// Every file under `folder` with one of these endings, with its text.
fn sources(folder: &str, endings: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                if !path.ends_with("node_modules") && !path.ends_with("dist") {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|ending| endings.contains(&ending.to_str().unwrap())) {
                let name = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
                found.push((name, std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    assert!(!found.is_empty(), "nothing under {folder}: this test looks in the wrong place");
    found
}

fn holding<'a>(files: &'a [(String, String)], words: &[&str]) -> Vec<&'a str> {
    let hit = |(_, text): &&(String, String)| words.iter().any(|word| text.contains(word));
    files.iter().filter(hit).map(|(name, _)| name.as_str()).collect()
}

#[test]
fn each_crate_knows_only_those_below_it() {
    let allowed: BTreeMap<&str, &[&str]> = BTreeMap::from([
        ("gavel-core", &[][..]),
        ("gavel-stand-in", &["gavel-core"]),
        ("gavel-opencode", &["gavel-core"]),
        ("gavel-judge", &["gavel-core"]),
        ("gavel-disk", &["gavel-core"]),
        ("gavel-notify", &["gavel-core"]),
        (
            "gavel-runtime",
            &["gavel-core", "gavel-opencode", "gavel-judge", "gavel-disk", "gavel-notify", "gavel-stand-in"],
        ),
        ("gavel", &["gavel-core", "gavel-runtime"]),
    ]);
    for (package, dependencies) in dependencies() {
        let Some(allowed) = allowed.get(package.as_str()) else {
            assert_eq!(package, "gavel-tests", "a new crate needs a place in this table");
            continue;
        };
        let ours = dependencies.iter().filter(|name| name.starts_with("gavel"));
        let beyond: Vec<&String> = ours.filter(|name| !allowed.contains(&name.as_str())).collect();
        assert!(beyond.is_empty(), "{package} must not know {beyond:?}");
    }
}

#[test]
fn only_the_shell_names_tauri() {
    for (package, dependencies) in dependencies() {
        let tauri: Vec<&String> = dependencies.iter().filter(|name| name.starts_with("tauri")).collect();
        assert_eq!(tauri.is_empty(), package != "gavel", "{package}: {tauri:?}");
    }
}

#[test]
fn the_core_does_no_io_and_reads_no_clock() {
    let known = &dependencies()["gavel-core"];
    let pure: BTreeSet<String> = ["regress", "serde", "serde_json", "thiserror"].map(String::from).into();
    assert!(known.is_subset(&pure), "{known:?}");
    let forbidden = [
        "std::fs",
        "std::net",
        "std::io",
        "std::env",
        "std::process",
        "std::thread",
        "SystemTime",
        "Instant",
        "async fn",
    ];
    assert_eq!(holding(&sources("crates/core/src", &["rs"]), &forbidden), Vec::<&str>::new());
}

#[test]
fn only_dialects_know_the_words_of_the_wire() {
    let words = [
        "\"sessionID\"",
        "\"requestID\"",
        "\"permissionID\"",
        "\"callID\"",
        "\"messageID\"",
        "\"parentID\"",
        "sessionID",
        "requestID",
        "permissionID",
        "callID",
        "messageID",
        "permission.asked",
        "question.rejected",
        "form.created",
        "/question",
        "/permission",
    ];
    for folder in ["crates/core/src", "crates/runtime/src", "crates/notify/src", "crates/disk/src", "src-tauri/src"] {
        let mut files = sources(folder, &["rs"]);
        // The audit log is exported in a format of others, who took their words from the wire.
        files.retain(|(name, _)| !name.starts_with("crates/disk/src/audit"));
        assert_eq!(holding(&files, &words), Vec::<&str>::new());
    }
    let wire = sources("crates/opencode/src", &["rs"]);
    let outside: Vec<&str> = holding(&wire, &words)
        .into_iter()
        .filter(|name| !name.contains("/dialect/") && !name.contains("tests"))
        .collect();
    assert_eq!(outside, Vec::<&str>::new());
}

#[test]
fn only_the_host_of_the_window_knows_tauri() {
    let files = sources("ui/src", &["ts", "svelte"]);
    let outside: Vec<&str> =
        holding(&files, &["@tauri-apps"]).into_iter().filter(|name| !name.starts_with("ui/src/host/")).collect();
    assert_eq!(outside, Vec::<&str>::new());
}

#[test]
fn the_inner_loop_compiles_no_web_view() {
    let metadata = metadata();
    let members = metadata["workspace_default_members"].as_array().unwrap();
    assert!(!members.is_empty());
    let shell = metadata["packages"].as_array().unwrap().iter().find(|package| package["name"] == "gavel").unwrap();
    assert!(!members.contains(&shell["id"]));
}

#[test]
fn the_one_command_of_the_window_is_the_one_of_the_shell() {
    let shell = sources("src-tauri/src", &["rs"]);
    let commands: usize = shell.iter().map(|(_, text)| text.matches("#[tauri::command]").count()).sum();
    assert_eq!(commands, 1);
    assert_eq!(holding(&shell, &["generate_handler![bridge::call]"]), ["src-tauri/src/lib.rs"]);
    let host: Vec<(String, String)> =
        sources("ui/src/host", &["ts"]).into_iter().filter(|(name, _)| !name.contains("/fake/")).collect();
    let invoked: usize = host.iter().map(|(_, text)| text.matches("invoke").count()).sum();
    assert!(invoked > 0);
    assert_eq!(holding(&host, &["\"call\""]), ["ui/src/host/tauri.ts"]);
}
