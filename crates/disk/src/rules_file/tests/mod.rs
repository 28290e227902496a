//! Rules files on a real disk, and others who write them.

mod beside;
mod listing;
mod making;
mod placing;
mod watching;
mod writing;

use std::fs;
use std::path::{Path, PathBuf};

use gavel_core::Moment;
use gavel_core::rules_file::{By, Change, CommandLine, Content};

use super::{RulesFile, State};

/// A folder for rules files beside two projects.
struct Scene {
    root: tempfile::TempDir,
}

impl Scene {
    fn new() -> Self {
        Self::at(tempfile::tempdir().unwrap())
    }

    /// In memory, where there is such a place: for what is written a thousand times.
    fn quick() -> Self {
        Self::at(tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap())
    }

    fn at(root: tempfile::TempDir) -> Self {
        let scene = Self { root };
        fs::create_dir_all(scene.project("shop")).unwrap();
        scene
    }

    fn folder(&self) -> PathBuf {
        self.root.path().join("data/opencode-auto-permission")
    }

    /// The path of a project, which may exist or not.
    fn project(&self, name: &str) -> String {
        self.root.path().join(name).to_str().unwrap().to_owned()
    }

    fn open(&self) -> RulesFile {
        RulesFile::open(&self.folder(), &self.project("shop"), None)
    }

    /// Puts a file where the rules of `shop` are, as somebody else would.
    fn put(&self, text: &str) -> PathBuf {
        let path = self.open().path().to_owned();
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// The names in the folder, without what they have in common.
    fn names(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.folder()) else { return Vec::new() };
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn line(command: &str) -> CommandLine {
    CommandLine::new("shell", command).unwrap()
}

fn learn(command: &str) -> Change {
    Change::AddLearned { line: line(command), at: Moment(0) }
}

fn approve(command: &str) -> Change {
    Change::Approve { line: line(command), by: By::Human, learn_after: 3, destructive: false, at: Moment(0) }
}

fn sound(file: &RulesFile) -> &Content {
    match file.state() {
        State::Sound(content) => content,
        other => panic!("{other:?}: {:?}", file.trouble()),
    }
}

fn learned(file: &RulesFile) -> Vec<&str> {
    sound(file).lines().learned.iter().map(|one| one.command.as_str()).collect()
}

/// What is in the file now, for somebody who opens it anew.
fn on_disk(path: &Path) -> serde_json::Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}
