//! What a real git reads and writes.

use std::fs;
use std::process::Command;

use super::holds;
use crate::premises::config;

/// Of settings in which anything stands anywhere, git reads none out of what was let pass that isn't harmless.
#[test]
fn a_real_git_reads_no_other_settings_than_were_seen() {
    const PIECES: [&str; 24] = [
        "[core]",
        "[core]\n",
        "[core",
        "]",
        " ",
        "\t",
        "\n",
        "\n",
        "=",
        "= x",
        "fsmonitor",
        "bare",
        "\"",
        "\"x\"",
        "\\",
        "\\\n",
        "#",
        ";",
        "\r",
        "[remote \"o\"]\n",
        "url",
        "-",
        ".",
        "\u{a0}",
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config");
    let mut state = 7_u64;
    let mut chance = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(state >> 33).unwrap() % below
    };
    let mut read = 0;
    for _ in 0..20_000 {
        let text: String = (0..3 + chance(8)).map(|_| PIECES[chance(PIECES.len())]).collect();
        if !text.contains("fsmonitor") || config::read(&text).is_none() {
            continue;
        }
        fs::write(&path, &text).unwrap();
        let output = Command::new("git").args(["config", "--list", "--name-only", "-f"]).arg(&path).output().unwrap();
        for name in String::from_utf8(output.stdout).unwrap().lines() {
            let (section, rest) = name.split_once('.').unwrap();
            assert!(config::is_harmless(section, rest.rsplit('.').next().unwrap()), "{name} of {text:?}");
        }
        read += 1;
    }
    assert!(read > 50, "{read}");
}

/// What a real git writes is what is looked for.
#[test]
fn a_submodule_of_a_real_repository_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let git = |arguments: &[&str]| {
        let null = ("GIT_CONFIG_GLOBAL", "/dev/null");
        let author = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.templateDir="];
        let mut command = Command::new("git");
        command.current_dir(folder.path()).envs([null, ("GIT_CONFIG_NOSYSTEM", "1")]).args(author).args(arguments);
        assert!(command.output().unwrap().status.success(), "{arguments:?}");
    };
    git(&["init", "-q", "-b", "main"]);
    fs::write(folder.path().join("linked"), "x").unwrap();
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "first"]);
    git(&["remote", "add", "origin", "https://host/a.git"]);
    git(&["config", "branch.main.remote", "origin"]);
    assert!(holds(folder.path(), "git status"));
    for version in ["2", "4"] {
        git(&["update-index", "--index-version", version]);
        assert!(holds(folder.path(), "git status"), "{version}");
    }
    let commit = "a1".repeat(20);
    git(&["update-index", "--add", "--cacheinfo", &format!("160000,{commit},sub")]);
    assert!(!holds(folder.path(), "git status"));
}
