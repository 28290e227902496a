//! The home and the projects of one server: nothing of the developer's own configuration shines through.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Options, Version};
use crate::scripted_model::MODEL;

/// Temporary directories, removed on drop.
#[derive(Debug)]
pub struct World {
    root: TempDir,
    dirs: Vec<PathBuf>,
}

impl World {
    pub(super) fn create(version: Version, options: &Options<'_>) -> Self {
        assert!(!options.projects.is_empty(), "a server needs a project to start in");
        let root = tempfile::Builder::new().prefix("opencode-").tempdir().expect("a temporary directory");
        // OpenCode names directories by their real path.
        let base = root.path().canonicalize().expect("a directory just made has a real path");
        for dir in ["home", "config/opencode/node_modules", "data", "state", "cache", "run", "tmp", "projects"] {
            fs::create_dir_all(base.join(dir)).expect("a writable temporary directory");
        }
        let dirs: Vec<_> = options.projects.iter().map(|name| base.join("projects").join(name)).collect();
        dirs.iter().for_each(|dir| make_project(dir));
        write_json(&base.join("opencode.json"), &configuration(version, options));
        pretend_plugin_is_installed(&base.join("config/opencode"), version);
        Self { root, dirs }
    }

    /// The directory that holds everything else.
    pub fn root(&self) -> &Path {
        self.root.path()
    }

    /// The project directories, in the order they were asked for.
    pub fn dirs(&self) -> &[PathBuf] {
        &self.dirs
    }

    /// The environment of the server, and of any other program that is to see the same world.
    pub fn env(&self) -> Vec<(&'static str, String)> {
        let at = |dir: &str| self.root.path().join(dir).to_string_lossy().into_owned();
        let inherited = |name: &str| std::env::var(name).unwrap_or_default();
        vec![
            ("PATH", inherited("PATH")),
            ("LANG", "C.UTF-8".into()),
            ("HOME", at("home")),
            ("TMPDIR", at("tmp")),
            ("XDG_CONFIG_HOME", at("config")),
            ("XDG_DATA_HOME", at("data")),
            ("XDG_STATE_HOME", at("state")),
            ("XDG_CACHE_HOME", at("cache")),
            ("XDG_RUNTIME_DIR", at("run")),
            ("OPENCODE_CONFIG", at("opencode.json")),
            ("OPENCODE_DISABLE_AUTOUPDATE", "1".into()),
            ("OPENCODE_DISABLE_MODELS_FETCH", "1".into()),
            ("OPENCODE_DISABLE_LSP_DOWNLOAD", "1".into()),
            ("GIT_CONFIG_GLOBAL", "/dev/null".into()),
            ("GIT_CONFIG_SYSTEM", "/dev/null".into()),
            // Nothing leaves the machine: some versions fetch ripgrep at the first prompt. Nobody listens on this port.
            ("HTTPS_PROXY", "http://127.0.0.1:9".into()),
            ("HTTP_PROXY", "http://127.0.0.1:9".into()),
            ("NO_PROXY", "127.0.0.1,localhost".into()),
        ]
    }
}

/// A repository with one commit. OpenCode takes the id of the first commit for the project's id, so the commits must differ.
fn make_project(dir: &Path) {
    fs::create_dir_all(dir).expect("a writable temporary directory");
    fs::write(dir.join("README.md"), "A project to work on.\n").expect("a writable project");
    let message = format!("Begin {}", dir.display());
    git(dir, &["init", "--quiet", "--initial-branch=main"]);
    git(dir, &["add", "."]);
    git(dir, &["commit", "--quiet", "--message", &message]);
}

fn git(dir: &Path, args: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=Tester", "-c", "user.email=tester@example.invalid", "-c", "commit.gpgsign=false"]);
    command.args(args).current_dir(dir).stdin(Stdio::null());
    command.envs([("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_SYSTEM", "/dev/null")]);
    for inherited in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(inherited);
    }
    let out = command.output().expect("git is installed");
    assert!(out.status.success(), "git {args:?} failed: {}", String::from_utf8_lossy(&out.stderr));
}

fn configuration(version: Version, options: &Options<'_>) -> Value {
    let model = format!("scripted/{MODEL}");
    let mut config = json!({
        "$schema": "https://opencode.ai/config.json",
        "model": model,
        "small_model": model,
        "autoupdate": false,
        "share": "disabled",
        "provider": {"scripted": {
            "npm": "@ai-sdk/openai-compatible",
            "name": "Scripted",
            "options": {"baseURL": options.model.url(), "apiKey": "sk-not-a-secret"},
            "models": {MODEL: {"name": "Scripted One", "tool_call": true, "limit": {"context": 200_000, "output": 8_000}}},
        }},
        "permission": {"bash": "ask", "edit": "ask", "webfetch": "ask", "external_directory": "ask", "doom_loop": "ask"},
        // A sub-agent may only start another one if its permissions speak of the task tool.
        "agent": {"general": {"permission": {"task": "allow"}}},
    });
    if version == Version::V1_18_33 {
        // The newest also counts levels and stops at one; the others do not know the word.
        config["subagent_depth"] = json!(5);
    }
    for (key, value) in options.config.as_object().into_iter().flatten() {
        config[key] = value.clone();
    }
    config
}

/// OpenCode installs its plugin package into the configuration directory in the background, from the registry, at every
/// first start. It looks only at the two manifests and at whether `node_modules` exists; no test here needs the package.
fn pretend_plugin_is_installed(dir: &Path, version: Version) {
    let dependencies = json!({"@opencode-ai/plugin": version.as_str()});
    write_json(&dir.join("package.json"), &json!({"dependencies": dependencies}));
    let lock = json!({"name": "opencode", "lockfileVersion": 3, "packages": {"": {"dependencies": dependencies}}});
    write_json(&dir.join("package-lock.json"), &lock);
}

fn write_json(path: &Path, value: &Value) {
    fs::write(path, format!("{value:#}")).expect("a writable temporary directory");
}
