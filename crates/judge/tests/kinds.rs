//! What is said about requests that are no commands.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test says bluntly what it expects")]

use gavel_core::{Ask, Detail, Recommendation, RequestId, RequestKey, Route, ServerId, SessionId, Source, Status};
use gavel_judge::offline::{Class, Finding, Subject, verdict};

const PROJECT: &str = "/home/ada/shop";

fn judge(action: &str, resources: &[&str], detail: &Detail) -> Finding {
    let resources: Vec<String> = resources.iter().map(|text| (*text).to_owned()).collect();
    verdict(&Subject { action, resources: &resources, detail, project: PROJECT, home: Some("/home/ada") })
}

#[track_caller]
fn check(finding: &Finding, recommendation: Recommendation, class: Class, reason: &str) {
    let found = (finding.recommendation, finding.class, finding.reason.as_str());
    assert_eq!(found, (recommendation, class, reason));
}

#[test]
fn reading_inside_the_project_is_allowed_and_nothing_else() {
    use Class::{Outside, Reads, Unknown};
    use Recommendation::{Allow, Ask};
    let cases: &[(&[&str], Recommendation, Class, &str)] = &[
        (&["src/main.rs"], Allow, Reads, "reads `src/main.rs`"),
        (&["/home/ada/shop/README.md"], Allow, Reads, "reads `README.md`"),
        (&["./a b.md"], Allow, Reads, "reads `a b.md`"),
        (&[".env"], Ask, Reads, "reads `.env`, which usually holds environment variables with keys and passwords"),
        (&["src/main.rs", "deploy/id_rsa"], Ask, Reads, "reads `deploy/id_rsa`, which usually holds a private key"),
        (&["../other/x"], Ask, Outside, "reads `~/other/x`, outside the project"),
        (&["/etc/shadow"], Ask, Outside, "reads `/etc/shadow`, which usually holds passwords, outside the project"),
        (&["src/../../x"], Ask, Outside, "reads `~/x`, outside the project"),
        (&["src/../x"], Ask, Reads, "reads `src/../x`, which may be more than one file"),
        (&["*"], Ask, Reads, "reads `*`, which may be more than one file"),
        (&["~/x"], Ask, Reads, "reads `~/x`, which may be more than one file"),
        (
            &["src/mаin.rs"],
            Ask,
            Reads,
            "reads `src/mаin.rs`, whose name holds a Cyrillic letter (U+0430) that looks like `a` in `mаin`",
        ),
        (&["a\u{200B}b"], Ask, Reads, "reads `a⟨U+200B⟩b`, whose name holds an invisible character (U+200B)"),
        (&[], Ask, Unknown, "reads a file that isn't named"),
        (&[""], Ask, Unknown, "reads a file that isn't named"),
    ];
    for (paths, recommendation, class, reason) in cases {
        check(&judge("read", paths, &Detail::default()), *recommendation, *class, reason);
    }
    // What the server tells as a path counts as much as the resource.
    let detail = Detail { path: Some("/etc/passwd".to_owned()), ..Detail::default() };
    let finding = judge("read", &["README.md"], &detail);
    check(&finding, Ask, Outside, "reads `/etc/passwd`, outside the project");
}

#[test]
fn a_project_that_is_no_posix_path_allows_nothing() {
    for project in ["C:\\work\\shop", "", "/", "shop"] {
        let detail = Detail { command: Some("ls".to_owned()), placed: true, ..Detail::default() };
        let resources = ["ls".to_owned()];
        for action in ["shell", "read", "glob"] {
            let finding = verdict(&Subject { action, resources: &resources, detail: &detail, project, home: None });
            assert_eq!(finding.recommendation, Recommendation::Ask, "{action} in {project}");
        }
    }
}

#[test]
fn a_command_that_may_run_anywhere_is_not_allowed() {
    use Class::{Reads, Unknown};
    use Recommendation::{Allow, Ask};
    let detail = Detail { command: Some("cat notes.txt".to_owned()), ..Detail::default() };
    check(&judge("shell", &[], &Detail { placed: true, ..detail.clone() }), Allow, Reads, "reads `notes.txt`");
    let unplaced = judge("shell", &[], &detail);
    check(&unplaced, Ask, Unknown, "reads `notes.txt`, in a directory that isn't known yet");
    assert_eq!(unplaced.segments.len(), 1, "what it does is told all the same");
}

const DIFF: &str = "--- src/a.rs\n+++ src/a.rs\n@@ -1,2 +1,3 @@\n a\n-b\n+c\n+d\n";

#[test]
fn edits_say_where_and_how_much() {
    use Class::{Outside, RunsCode, Writes};
    let edit = |path: &str| Detail {
        path: Some(format!("{PROJECT}/{path}")),
        diff: Some(DIFF.replace("src/a.rs", path)),
        ..Detail::default()
    };
    let cases = [
        ("src/a.rs", Writes, "changes `src/a.rs` (+2 −1 lines)"),
        (
            ".env",
            Writes,
            "changes `.env`, which usually holds environment variables with keys and passwords (+2 −1 lines)",
        ),
        (
            ".github/workflows/ci.yml",
            RunsCode,
            "changes `.github/workflows/ci.yml`, which the build server runs (+2 −1 lines)",
        ),
        (
            ".git/hooks/pre-commit",
            RunsCode,
            "changes `.git/hooks/pre-commit`, a hook that git runs by itself (+2 −1 lines)",
        ),
        (".husky/pre-push", RunsCode, "changes `.husky/pre-push`, a hook that git runs by itself (+2 −1 lines)"),
        ("opencode.json", RunsCode, "changes `opencode.json`, which tells agents what to do (+2 −1 lines)"),
        ("Cargo.lock", Writes, "changes `Cargo.lock`, which decides what packages are downloaded (+2 −1 lines)"),
        ("package.json", Writes, "changes `package.json`, which runs when the project is built (+2 −1 lines)"),
        (".editorconfig", Writes, "changes `.editorconfig`, a hidden file (+2 −1 lines)"),
        ("../x.rs", Outside, "changes `~/x.rs`, outside the project (+2 −1 lines)"),
    ];
    for (path, class, reason) in cases {
        check(&judge("edit", &[path], &edit(path)), Recommendation::Ask, class, reason);
    }
}

#[test]
fn the_worst_file_of_an_edit_is_named() {
    let diff = format!("{DIFF}{}", DIFF.replace("src/a.rs", "/etc/cron.d/x"));
    let detail = Detail { diff: Some(diff), ..Detail::default() };
    let finding = judge("edit", &["src/a.rs", "/etc/cron.d/x"], &detail);
    assert_eq!(finding.recommendation, Recommendation::Ask);
    assert_eq!(
        finding.reason,
        "changes `/etc/cron.d/x`, which runs by itself, outside the project (+4 −2 lines), 2 files in all"
    );
    check(
        &judge("edit", &[], &Detail::default()),
        Recommendation::Ask,
        Class::Unknown,
        "changes a file that isn't named",
    );
}

#[test]
fn fetching_is_told_by_host() {
    let cases = [
        ("https://docs.rs/serde", "fetches a page from `docs.rs`"),
        ("http://example.org/", "without encryption"),
        ("http://127.0.0.1:8080/", "this very machine"),
        ("http://2130706433/", "this very machine"),
        ("http://[::1]/", "this very machine"),
        ("http://[::ffff:127.0.0.1]/", "this very machine"),
        ("http://localhost/", "this very machine"),
        ("http://192.168.1.1/", "a machine of the local network"),
        ("http://10.1.2.3/", "a machine of the local network"),
        ("http://printer.local/", "a machine of the local network"),
        ("http://intranet/", "a machine of the local network"),
        ("http://169.254.169.254/latest/meta-data", "where a cloud machine keeps its keys"),
        ("http://metadata.google.internal/", "where a cloud machine keeps its keys"),
        ("https://8.8.8.8/", "a machine without a name"),
        ("https://github.com@evil.example/", "a user name, not the machine"),
        ("https://githüb.com/", "foreign letters"),
        ("https://xn--githb-kva.com/", "foreign letters"),
        ("https://gïthub.com/", "foreign letters"),
        ("https://gıthub.com/", "isn't understood"),
        ("https://gitһub.com/", "Cyrillic"),
        ("https://githuh.com/", "only resembles `github.com`"),
        ("https://g1thub.com/", "only resembles `github.com`"),
        ("https://github.com.evil.example/", "only resembles `github.com`"),
        ("https://example.org:8443/", "on port 8443"),
        ("ftp://example.org/", "over `ftp`"),
        ("file:///etc/passwd", "names no machine"),
        ("javascript:alert(1)", "names no machine"),
        ("not a url", "no proper address"),
        ("https://exa\u{200B}mple.org/", "invisible"),
    ];
    for (url, says) in cases {
        let detail = Detail { url: Some(url.to_owned()), ..Detail::default() };
        let finding = judge("webfetch", &[url], &detail);
        assert_eq!((finding.recommendation, finding.class), (Recommendation::Ask, Class::Network), "{url}");
        assert!(finding.reason.contains(says), "{url}: {}", finding.reason);
    }
    let long = format!("https://example.org/?d={}", "a".repeat(400));
    assert!(judge("webfetch", &[&long], &Detail::default()).reason.contains("carry data out"));
    let honest = judge("webfetch", &["https://gitlab.com/x"], &Detail::default());
    assert_eq!(honest.reason, "fetches a page from `gitlab.com`");
}

#[test]
fn going_outside_is_told_by_place() {
    let cases = [
        ("/etc/*", "`/etc`, which belongs to the machine"),
        ("/home/ada/.ssh/*", "`~/.ssh`, which holds the keys for logging in elsewhere"),
        ("/home/ada/other/*", "`~/other`, in your home directory"),
        ("/home/ada/*", "`~`, your home directory"),
        ("/tmp/x/*", "`/tmp/x`, where every user keeps passing things"),
        ("/*", "`/`, the whole machine"),
    ];
    for (resource, says) in cases {
        let finding = judge("external_directory", &[resource], &Detail::default());
        assert_eq!((finding.recommendation, finding.class), (Recommendation::Ask, Class::Outside), "{resource}");
        assert!(finding.reason.contains(says), "{resource}: {}", finding.reason);
    }
    let detail = Detail { command: Some("rm -rf /etc".to_owned()), ..Detail::default() };
    let finding = judge("external_directory", &["/etc/*"], &detail);
    assert_eq!(finding.recommendation, Recommendation::Deny);
    assert_eq!(finding.segments.len(), 1);
}

#[test]
fn other_kinds_are_asked_about() {
    let kinds = [
        ("subagent", Class::RunsCode, "starts the sub-agent `x`"),
        ("skill", Class::RunsCode, "loads the skill `x`"),
        ("websearch", Class::Network, "sends `x` to a search engine"),
        ("doom_loop", Class::Unknown, "repeats the same call of `x`"),
        ("glob", Class::Reads, "looks for files by the names `x`"),
        ("grep", Class::Reads, "searches files"),
        ("mcp\u{200B}_tool", Class::Unknown, "asks for `mcp⟨U+200B⟩_tool` of `x`"),
    ];
    for (action, class, says) in kinds {
        let finding = judge(action, &["x"], &Detail::default());
        assert_eq!((finding.recommendation, finding.class), (Recommendation::Ask, class), "{action}");
        assert!(finding.reason.contains(says), "{action}: {}", finding.reason);
    }
    // Of a command, the resources may be only a part.
    let finding = judge("shell", &["ls"], &Detail::default());
    assert_eq!(finding.recommendation, Recommendation::Ask);
}

#[test]
fn a_finding_becomes_a_verdict_of_its_own_source() {
    let ask = Ask {
        key: RequestKey { server: ServerId("s".into()), request: RequestId("per_1".into()) },
        session: SessionId("ses_1".into()),
        directory: PROJECT.to_owned(),
        route: Route::V1,
        action: "shell".to_owned(),
        resources: vec!["ls".to_owned()],
        save: Vec::new(),
        call: None,
        asked: None,
        detail: Detail { command: Some("rm -rf build/".to_owned()), ..Detail::default() },
    };
    let told = verdict(&Subject::of(&ask, None)).verdict(3);
    assert_eq!(told.recommendation, Recommendation::Ask);
    assert_eq!(told.reason, "deletes `build/` and everything under it");
    assert_eq!((told.source, told.status, told.took), (Source::Offline, Status::Ok, 3));
}
