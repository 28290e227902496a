//! Every case is a plain project in which one thing is different.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use tempfile::TempDir;

use super::hold;

mod real;

/// What `git init` writes.
const PLAIN: &str =
    "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n";

struct Project(TempDir);

impl Project {
    fn new() -> Self {
        let project = Self(tempfile::tempdir().unwrap());
        project.repository(".git");
        project.file("notes", "words");
        project.file("src/main.rs", "");
        project
    }

    fn repository(&self, at: &str) {
        self.file(&format!("{at}/HEAD"), "ref: refs/heads/main\n");
        self.file(&format!("{at}/config"), PLAIN);
        for folder in ["objects/info", "refs/heads", "hooks"] {
            fs::create_dir_all(self.path(at).join(folder)).unwrap();
        }
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
    }

    fn config(&self, more: &str) {
        self.file(".git/config", format!("{PLAIN}{more}"));
    }

    fn remove(&self, name: &str) {
        let path = self.path(name);
        if path.is_dir() { fs::remove_dir_all(path).unwrap() } else { fs::remove_file(path).unwrap() }
    }

    fn holds(&self, line: &str) -> bool {
        holds(self.0.path(), line)
    }
}

fn holds(folder: &Path, line: &str) -> bool {
    hold(folder.to_str().unwrap(), line).is_ok()
}

#[test]
fn settings_count_only_if_all_are_known_to_be_harmless() {
    let cases = [
        ("", true),
        ("[user]\n\tname = Ada\n\temail = a@b # mine\n", true),
        ("[remote \"origin\"]\n\turl = git@host:a/b.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n", true),
        ("[branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/main\n\tvscode-merge-base = origin/main\n", true),
        ("[Core]\n\tAutoCRLF = input\n\tignorecase\n[color \"status\"]\n\tadded = red\n; note\n\n", true),
        ("[submodule]\n\tactive = .\n[submodule \"a b\"]\n\turl = ../x\n", true),
        ("[core]\n\thooksPath = .husky/_\n", true),
        ("[remote \"origin\"]\n\turl = https://ada@host/a.git\n\tpushurl = ssh://git@host:22/a.git\n", true),
        ("[remote \"origin\"]\n\turl = https://ada:word@host/a.git\n", false),
        ("[remote \"origin\"]\n\turl = https://0123456789abcdef0123456789abcdef@host/a.git\n", false),
        ("[core]\n\thooksPath = hooked\n", false),
        ("[core]\n\thooksPath = ~/hooks\n", false),
        ("[core]\n\tfsmonitor = ./run\n", false),
        ("[core]\n\tfsmonitor\n", false),
        ("[CORE]\n\tFsMonitor = ./run\n", false),
        ("[core] fsmonitor = ./run\n", false),
        ("[core] fsmonitor = \"./run]\"\n", false),
        ("[core \"x\"] fsmonitor = \"x\"]\n", false),
        ("[user]\n\tname = a\\\n[core]\n\tfsmonitor = ./run\n", false),
        ("[user]\n\tname = a\n\\\n", false),
        ("# note\r[core]\rfsmonitor=./run\n", false),
        ("[core]\n\tpager = ./run\n", false),
        ("[core]\n\tworktree = /\n", false),
        ("[core]\n\tattributesfile = x\n", false),
        ("[core]\n\tsshcommand = ./run\n", false),
        ("[diff]\n\texternal = ./run\n", false),
        ("[diff \"x\"]\n\ttextconv = ./run\n", false),
        ("[filter \"x\"]\n\tclean = ./run\n", false),
        ("[alias]\n\tx = !./run\n", false),
        ("[include]\n\tpath = ../x\n", false),
        ("[includeIf \"gitdir:**\"]\n\tpath = ../x\n", false),
        ("[gpg]\n\tprogram = ./run\n", false),
        ("[remote \"origin\"]\n\tpromisor = true\n", false),
        ("[remote \"origin\"]\n\tuploadpack = ./run\n", false),
        ("[extensions]\n\tpartialclone = origin\n", false),
        ("[core.x]\n\tbare = true\n", false),
        ("[\u{ff43}ore]\n\tbare = true\n", false),
        ("\u{a0}bare = true\n", false),
        ("[core\n\tbare = true\n", false),
    ];
    for (more, expected) in cases {
        let project = Project::new();
        project.file("hooked/post-index-change", "");
        project.config(more);
        assert_eq!(project.holds("git status"), expected, "{more:?}");
        assert!(project.holds("ls"), "{more:?}");
    }
}

#[test]
fn only_a_plain_repository_is_trusted() {
    type Change = fn(&Project);
    let cases: &[(&str, bool, Change)] = &[
        ("nothing", true, |_| ()),
        ("no settings", true, |project| project.remove(".git/config")),
        ("a commit that is no branch", true, |project| project.file(".git/HEAD", format!("{}\n", "a1".repeat(20)))),
        ("settings that are no text", false, |project| project.file(".git/config", [0xff])),
        ("large settings", false, |project| project.config(&"# more\n".repeat(20_000))),
        ("settings behind a link", false, |project| {
            project.file("config", PLAIN);
            project.remove(".git/config");
            symlink("../config", project.path(".git/config")).unwrap();
        }),
        ("settings of a work tree", false, |project| {
            project.file(".git/config.worktree", "[core]\n\tfsmonitor = ./run\n");
        }),
        ("a hook", false, |project| project.file(".git/hooks/post-index-change", "")),
        ("another hook", true, |project| project.file(".git/hooks/pre-commit", "")),
        ("a file in its place", false, |project| {
            project.remove(".git");
            project.file(".git", "gitdir: elsewhere\n");
        }),
        ("a link in its place", false, |project| {
            fs::rename(project.path(".git"), project.path("elsewhere")).unwrap();
            symlink("elsewhere", project.path(".git")).unwrap();
        }),
        ("none", false, |project| project.remove(".git")),
        ("a folder that is one itself", false, |project| {
            project.remove(".git");
            project.repository(".");
        }),
        ("one that git would pass over", false, |project| project.remove(".git/objects")),
        ("a head that git would not take", false, |project| project.file(".git/HEAD", "nothing\n")),
        ("a common one", false, |project| project.file(".git/commondir", "../other\n")),
        ("objects of others", false, |project| project.file(".git/objects/info/alternates", "/other\n")),
        ("a shared index", false, |project| project.file(".git/sharedindex.0", "")),
        ("an index", true, |project| project.file(".git/index", [&[0, 0, 0x81, 0xa4], &b"linked"[..]].concat())),
        ("a submodule", false, |project| project.file(".git/index", [&[1, 0, 0, 0xe0, 0], &b"sub"[..]].concat())),
    ];
    for (what, expected, change) in cases {
        let project = Project::new();
        change(&project);
        assert_eq!(project.holds("git diff --stat"), *expected, "{what}");
        assert!(project.holds("ls -a"), "{what}");
    }
}

/// Git looks further up for a repository, and so may an agent that works in a part of it.
#[test]
fn the_repository_above_counts() {
    let project = Project::new();
    let part = project.path("src");
    assert!(holds(&part, "git status"));
    project.config("[core]\n\tfsmonitor = ./run\n");
    assert!(!holds(&part, "git status"));
    assert!(!holds(&part, "/usr/bin/git status"));
    assert!(!holds(&part, "timeout 5 git status"));
    project.config("");
    project.file("src/HEAD", "ref: refs/heads/main\n");
    assert!(!holds(&part, "git status"));
}

#[test]
fn a_name_must_be_no_link() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret"), "").unwrap();
    let project = Project::new();
    project.file("deep/er/file", "");
    project.file(".env", "");
    for (target, link) in [
        (outside.path().join("secret"), "link"),
        (outside.path().to_owned(), "folder"),
        (".env".into(), "harmless"),
        ("nowhere".into(), "dangling"),
    ] {
        symlink(target, project.path(link)).unwrap();
    }
    let cases = [
        ("cat notes", true),
        ("cat ./notes src/./main.rs", true),
        ("ls deep/er/", true),
        ("cat nothing notes/nothing", true),
        ("grep -n words notes", true),
        ("cat link", false),
        ("cat notes ./link", false),
        ("cat folder/secret", false),
        ("ls folder", false),
        ("ls folder/", false),
        ("cat harmless", false),
        ("cat dangling", false),
        ("grep --file=link notes", false),
        ("grep -flink notes", false),
        ("grep -nflink notes", false),
        ("grep --file=/etc/hosts notes", false),
        ("cat link/nothing", true),
    ];
    for (line, expected) in cases {
        assert_eq!(project.holds(line), expected, "{line}");
    }
    assert!(!project.holds(&format!("ls{}", " x".repeat(600))));
    // The project itself may be reached by a link.
    symlink(project.0.path(), outside.path().join("project")).unwrap();
    assert!(holds(&outside.path().join("project"), "cat notes"));
    assert!(!holds(&outside.path().join("project"), "cat link"));
}

#[test]
fn a_project_that_is_not_here_has_no_proof() {
    let project = Project::new();
    for name in ["nowhere", "notes"] {
        assert!(!holds(&project.path(name), "ls"), "{name}");
    }
}
