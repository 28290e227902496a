//! What patterns would have let through, and what should be said about them.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test says bluntly what it expects")]

use gavel_core::modes::covers;
use gavel_core::reach::{Fate, Hazard, Lines, Match, Past, Warning, hazard, narrower, reach};
use gavel_core::rules::{Case, Pattern, Saved};
use proptest::prelude::*;

fn saved(action: &str, resource: &str) -> Saved {
    Saved { action: action.into(), resource: resource.into() }
}

fn past(action: &str, resources: &[&str], fate: Fate) -> Past {
    Past {
        action: action.into(),
        resources: resources.iter().map(|&resource| resource.to_owned()).collect(),
        headline: resources.join(", "),
        fate,
    }
}

fn history() -> Vec<Past> {
    vec![
        past("shell", &["git status"], Fate::Allowed),
        past("shell", &["git push", "npm test"], Fate::Allowed),
        past("shell", &["git clean -fdx"], Fate::Declined),
        past("edit", &["src/a.rs"], Fate::Allowed),
        past("shell", &["git status; rm -rf x"], Fate::Declined),
        past("shell", &["npm test"], Fate::Open),
        past("shell", &[], Fate::Allowed),
    ]
}

fn matched(patterns: &[Saved]) -> Vec<(usize, bool)> {
    reach(patterns, &history()).matched.into_iter().map(|one| (one.place, one.whole)).collect()
}

#[test]
fn what_would_have_matched() {
    let git = saved("shell", "git *");
    assert_eq!(matched(std::slice::from_ref(&git)), [(0, true), (1, false), (2, true), (4, true)]);
    assert_eq!(matched(&[git, saved("shell", "npm *")]), [(0, true), (1, true), (2, true), (4, true), (5, true)]);
    assert_eq!(matched(&[saved("edit", "*")]), [(3, true)]);
    assert_eq!(matched(&[saved("*", "*")]).len(), 6, "a request for nothing matches nothing");
    assert_eq!(matched(&[saved("shell", "cargo *")]), []);
    assert_eq!(matched(&[]), []);
    assert_eq!(reach(&[saved("shell", "npm *")], &history()).passed(), 1);
}

#[test]
fn what_would_not_have_matched() {
    let others = |patterns: &[Saved]| reach(patterns, &history()).others;
    assert_eq!(others(&[saved("shell", "git *")]), [5], "of what asks for the same kind of thing");
    assert_eq!(others(&[saved("shell", "git *"), saved("edit", "docs/*")]), [3, 5]);
    assert_eq!(others(&[saved("shell", "git *"), saved("shell", "npm *")]), [0; 0]);
    assert_eq!(others(&[saved("edit", "*")]), [0; 0]);
    assert_eq!(others(&[]), [0; 0]);
}

#[test]
fn what_is_not_allowed_without_a_second_thought() {
    let deletes = |example: &str| Some(Hazard::Deletes { example: example.into() });
    let runs = |program: &str| Some(Hazard::RunsAnything { program: program.into() });
    let chained = |example: &str| Some(Hazard::Chained { example: example.into() });
    // The pattern, and what is the matter with it where lines are split, and where they are asked about whole.
    let cases: &[(&str, &str, Option<Hazard>, Option<Hazard>)] = &[
        ("shell", "*", Some(Hazard::Everything), Some(Hazard::Everything)),
        ("edit", "*", Some(Hazard::Everything), Some(Hazard::Everything)),
        ("skill", "**", Some(Hazard::Everything), Some(Hazard::Everything)),
        ("shell", "* test", Some(Hazard::Broad), Some(Hazard::Broad)),
        ("shell", "? *", Some(Hazard::Broad), Some(Hazard::Broad)),
        ("shell", "rm *", deletes("rm x"), deletes("rm x")),
        ("shell", "rm", deletes("rm"), deletes("rm")),
        ("shell", "rm -rf dist", deletes("rm -rf dist"), deletes("rm -rf dist")),
        ("shell", "git *", deletes("git clean -fdx"), deletes("git clean -fdx")),
        ("shell", "git push *", deletes("git push --force"), deletes("git push --force")),
        ("shell", "find *", deletes("find . -delete"), deletes("find . -delete")),
        ("shell", "docker *", deletes("docker system prune -af"), deletes("docker system prune -af")),
        ("shell", "git rm *", deletes("git rm x"), deletes("git rm x")),
        ("shell", "bash *", runs("bash"), runs("bash")),
        ("shell", "/usr/bin/python3 -c *", runs("python3"), runs("python3")),
        ("shell", "sudo *", runs("sudo"), runs("sudo")),
        ("shell", "xargs *", runs("xargs"), runs("xargs")),
        ("shell", "sudo -u root *", runs("sudo"), runs("sudo")),
        ("shell", "env A=1 B=2 *", runs("env"), runs("env")),
        ("shell", "A=1 timeout -k 5 10 *", runs("timeout"), runs("timeout")),
        ("shell", "bash -o pipefail -c *", runs("bash"), runs("bash")),
        ("shell", "npx *", runs("npx"), runs("npx")),
        ("shell", "sudo apt-get *", None, chained("sudo apt-get x; rm -rf y")),
        ("shell", "npx vitest *", None, chained("npx vitest x; rm -rf y")),
        ("shell", "python3 -m pytest *", None, chained("python3 -m pytest x; rm -rf y")),
        ("shell", "git*", Some(Hazard::Broad), Some(Hazard::Broad)),
        ("shell", "/usr/bin/* x", Some(Hazard::Broad), Some(Hazard::Broad)),
        ("shell", "g?t push", Some(Hazard::Broad), Some(Hazard::Broad)),
        ("shell", "node scripts/build.js *", None, chained("node scripts/build.js x; rm -rf y")),
        ("shell", "git status *", None, chained("git status x; rm -rf y")),
        ("shell", "npm run build *", None, chained("npm run build x; rm -rf y")),
        ("shell", "npm run build", None, None),
        ("shell", "python3 tool.py", None, None),
        ("edit", "src/*", None, None),
        ("edit", "/*", Some(Hazard::Broad), Some(Hazard::Broad)),
        ("edit", "/home/*", Some(Hazard::Broad), Some(Hazard::Broad)),
        ("edit", "/home/dev/*", None, None),
        ("read", "~/*", Some(Hazard::Broad), Some(Hazard::Broad)),
        ("read", "C:\\*", Some(Hazard::Broad), Some(Hazard::Broad)),
        ("external_directory", "/etc/*", Some(Hazard::Broad), Some(Hazard::Broad)),
        ("external_directory", "/tmp/*", None, None),
        ("external_directory", "../*", Some(Hazard::Broad), Some(Hazard::Broad)),
        ("external_directory", "../lib/*", None, None),
        ("external_directory", "/srv/data/*", None, None),
        ("webfetch", "https://*", Some(Hazard::Broad), Some(Hazard::Broad)),
        ("webfetch", "https://docs.*", Some(Hazard::Broad), Some(Hazard::Broad)),
        ("webfetch", "https://docs.rs/*", None, None),
        ("webfetch", "https://docs.rs/serde", None, None),
        // Only commands are read as commands.
        ("subagent", "rm *", None, None),
    ];
    for (action, resource, split, whole) in cases {
        let pattern = saved(action, resource);
        assert_eq!(hazard(&pattern, Lines::Split), *split, "{action} {resource}, split");
        assert_eq!(hazard(&pattern, Lines::Unknown), *split, "{action} {resource}, nobody knows");
        assert_eq!(hazard(&pattern, Lines::Whole), *whole, "{action} {resource}, whole");
        for example in [split, whole].into_iter().flatten() {
            let (Hazard::Deletes { example } | Hazard::Chained { example }) = example else { continue };
            assert!(Pattern::new(resource, Case::Sensitive).matches(example), "{resource} matches {example}");
        }
    }
}

#[test]
fn what_deletes_and_what_was_declined_is_told() {
    let found = reach(&[saved("shell", "git *")], &history());
    let of = |place| found.matched.iter().find(|one| one.place == place).copied();
    assert_eq!(of(0), Some(Match { place: 0, whole: true, deletes: false, declined: false }));
    assert_eq!(of(2), Some(Match { place: 2, whole: true, deletes: true, declined: true }));
    assert_eq!(
        found.warnings,
        [
            Warning::Chained { pattern: "git *".into(), example: "git x; rm -rf y".into() },
            Warning::Deletes { count: 2 },
            Warning::Declined { count: 2 },
        ]
    );
}

#[test]
fn what_counts_as_deleting() {
    let yes = [
        "rm x",
        "/bin/rm -rf x",
        "sudo rm x",
        "sudo -u root env A=1 rm x",
        "A=1 rm x",
        "timeout 5 rm x",
        "xargs rm",
        "find . -name a | xargs -0 rm",
        "find . -name '*.o' -delete",
        "find . -exec rm {} +",
        "git clean -fdx",
        "git -c x rm y && ls",
        "ls; rmdir x",
        "ls && unlink x",
        "echo $(rm x)",
        "echo \"now $(rm x)\"",
        "echo `shred x`",
        "bash -c 'rm -rf x'",
        "if true\nthen rm x\nfi",
        "Remove-Item x",
        "RM.exe x",
    ];
    let no = [
        "ls",
        "echo rm x",
        "git log rm",
        "cargo rm-unused",
        "echo 'a; rm x'",
        "farm x",
        "find . -name rmx",
        "",
        "git",
        "sudo",
    ];
    let deletes = |line: &str| {
        reach(&[saved("shell", "*")], &[past("shell", &[line], Fate::Allowed)]).matched.iter().any(|one| one.deletes)
    };
    for line in yes {
        assert!(deletes(line), "{line:?} deletes");
    }
    for line in no {
        assert!(!deletes(line), "{line:?} deletes nothing");
    }
    // However often it is wrapped, it is found out in no time.
    assert!(deletes(&"env -x env ".repeat(2_000)));
    let found = reach(&[saved("*", "*")], &[past("read", &["rm x"], Fate::Allowed)]);
    assert!(!found.matched[0].deletes, "only commands are read as commands");
}

#[test]
fn patterns_that_say_more_than_they_seem_to() {
    let chained = |pattern: &str, example: &str| Warning::Chained { pattern: pattern.into(), example: example.into() };
    let all = |action: &str| Warning::Everything { action: action.into() };
    let cases: &[(&str, &str, Option<Warning>)] = &[
        ("shell", "git *", Some(chained("git *", "git x; rm -rf y"))),
        ("shell", "git push*", Some(chained("git push*", "git pushx; rm -rf y"))),
        ("shell", "npm * test", Some(chained("npm * test", "npm x; rm -rf y test"))),
        ("*", "git *", Some(chained("git *", "git x; rm -rf y"))),
        ("shell", "git push", None),
        ("shell", "git p?sh", None),
        ("edit", "src/*", None),
        ("shell", "*", Some(all("shell"))),
        ("edit", "**", Some(all("edit"))),
        ("edit", "*", Some(all("edit"))),
    ];
    for (action, resource, expected) in cases {
        let found = reach(&[saved(action, resource)], &[]).warnings;
        assert_eq!(found.first(), expected.as_ref(), "{action} {resource}");
        if let Some(Warning::Chained { pattern, example }) = expected {
            assert!(Pattern::new(pattern, Case::Sensitive).matches(example));
        }
    }
    let twice = reach(&[saved("edit", "*"), saved("edit", "*")], &[]).warnings;
    assert_eq!(twice.len(), 1, "said once");
}

#[test]
fn narrower_patterns() {
    let cases: &[(&str, &str, &str, &[&str])] = &[
        ("shell", "git push origin main", "git *", &["git push origin main", "git push origin *", "git push *"]),
        ("shell", "git push origin main", "git push *", &["git push origin main", "git push origin *"]),
        ("shell", "git push", "git push *", &["git push"]),
        ("shell", "git push", "git push", &[]),
        ("shell", "git  push", "git *", &["git  push"]),
        (
            "shell",
            "git commit -m 'a b' x",
            "git *",
            &["git commit -m 'a b' x", "git commit -m 'a b' *", "git commit -m *", "git commit *"],
        ),
        // Only the line itself, where a star would let in another command.
        ("shell", "git status && npm test", "*", &["git status && npm test"]),
        // A star in it can't be expressed.
        ("shell", "rm build/*", "rm *", &[]),
        ("shell", "ls *.md docs", "*", &["ls *"]),
        ("shell", "echo a\\ b", "echo *", &[]),
        ("edit", "src/ui/app.ts", "*", &["src/ui/app.ts", "src/ui/*", "src/*"]),
        ("edit", "README.md", "*", &["README.md"]),
        ("read", "../lib/src/a.rs", "*", &["../lib/src/a.rs", "../lib/src/*", "../lib/*"]),
        ("read", "/etc/hosts", "*", &["/etc/hosts", "/etc/*"]),
        ("external_directory", "/srv/data/x/*", "/srv/*", &["/srv/data/x/*", "/srv/data/*"]),
        ("external_directory", "/srv/*", "/srv/*", &[]),
        (
            "webfetch",
            "https://docs.rs/serde/latest",
            "*",
            &["https://docs.rs/serde/latest", "https://docs.rs/serde/*", "https://docs.rs/*"],
        ),
        ("skill", "review", "*", &["review"]),
        ("subagent", "general", "general", &[]),
        // A pattern that doesn't even match what is asked has nothing narrower.
        ("shell", "ls", "git *", &[]),
    ];
    for (action, resource, wide, expected) in cases {
        let shorter: Vec<&str> = expected.to_vec();
        let found = narrower(action, resource, wide);
        assert_eq!(found, shorter, "{action} {resource:?} under {wide:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn narrower_ones_match_and_are_narrower(
        action in "(shell|edit|read|external_directory|webfetch|skill)",
        resource in "[ab ./*?;'\"\\\\$(:é]{0,12}",
        wide in "(\\*|a \\*|a\\*|a/\\*|/\\*|a)",
    ) {
        let found = narrower(&action, &resource, &wide);
        for pattern in &found {
            prop_assert!(Pattern::new(pattern, Case::Sensitive).matches(&resource), "{:?}", pattern);
            prop_assert!(covers(&wide, pattern) && !covers(pattern, &wide));
        }
        for pair in found.windows(2) {
            prop_assert!(pair[0] == pair[1] || !covers(&pair[0], &pair[1]), "the narrowest come first: {:?}", found);
        }
    }

    #[test]
    fn no_line_is_too_odd_to_be_read(line in "[ab;&|()$`'\"\\\\<> \nr m-]{0,40}") {
        let found = reach(&[saved("shell", "*")], &[past("shell", &[&line], Fate::Open)]);
        prop_assert_eq!(found.matched.len(), 1);
    }
}
