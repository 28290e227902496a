//! What is shown is what will run.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test says bluntly what it expects")]

use Language::{English, Russian};
use gavel_core::display::{
    Excerpt, excerpt, full_text, full_text_in, headline, headline_in, is_deceptive_text, project_name, recut, retexted,
    retitled, visible,
};
use gavel_core::text::Language;
use gavel_core::{Ask, Detail, RequestKey, Route};
use serde_json::json;

#[test]
fn invisible_characters_are_spelled_out() {
    let cases = [
        ("ls -la", "ls -la"),
        ("größe 日本 🙂", "größe 日本 🙂"),
        ("a\nb\tc", "a\nb\tc"),
        ("rm\u{202E}gpj", "rm⟨U+202E⟩gpj"),
        ("a\u{200B}b", "a⟨U+200B⟩b"),
        ("\u{1b}[31mred", "⟨U+001B⟩[31mred"),
        ("a\rb", "a⟨U+000D⟩b"),
        ("a\u{a0}b\u{2003}c\u{3000}d", "a⟨U+00A0⟩b⟨U+2003⟩c⟨U+3000⟩d"),
        ("\u{feff}x\u{ad}", "⟨U+FEFF⟩x⟨U+00AD⟩"),
        ("x\u{2066}y\u{2069}", "x⟨U+2066⟩y⟨U+2069⟩"),
        ("\u{85}\u{2028}\u{2029}\u{7f}", "⟨U+0085⟩⟨U+2028⟩⟨U+2029⟩⟨U+007F⟩"),
        ("tag \u{E0041}", "tag ⟨U+E0041⟩"),
        ("\u{2800}\u{3164}\u{115F}", "⟨U+2800⟩⟨U+3164⟩⟨U+115F⟩"),
        ("v\u{FE0F}", "v⟨U+FE0F⟩"),
        ("\0", "⟨U+0000⟩"),
    ];
    for (given, shown) in cases {
        assert_eq!(visible(given), shown);
        assert_eq!(is_deceptive_text(given), given != shown, "{given:?}");
    }
}

#[test]
fn every_format_character_and_filler_is_spelled_out() {
    // Unicode 16: all of the category Cf and of Default_Ignorable_Code_Point, then what is empty by its looks alone.
    let ranges = [
        (0xAD, 0xAD),
        (0x34F, 0x34F),
        (0x600, 0x605),
        (0x61C, 0x61C),
        (0x6DD, 0x6DD),
        (0x70F, 0x70F),
        (0x890, 0x891),
        (0x8E2, 0x8E2),
        (0x115F, 0x1160),
        (0x17B4, 0x17B5),
        (0x180B, 0x180F),
        (0x200B, 0x200F),
        (0x202A, 0x202E),
        (0x2060, 0x206F),
        (0x3164, 0x3164),
        (0xFE00, 0xFE0F),
        (0xFEFF, 0xFEFF),
        (0xFFA0, 0xFFA0),
        (0xFFF0, 0xFFFB),
        (0x110BD, 0x110BD),
        (0x110CD, 0x110CD),
        (0x13430, 0x1343F),
        (0x1BCA0, 0x1BCA3),
        (0x1D173, 0x1D17A),
        (0xE0000, 0xE0FFF),
        (0x2800, 0x2800),
        (0x16FE4, 0x16FE4),
        (0x1D159, 0x1D159),
    ];
    let all = ranges.into_iter().flat_map(|(first, last)| first..=last).filter_map(char::from_u32);
    let hidden: Vec<char> = all.filter(|c| !is_deceptive_text(&c.to_string())).collect();
    assert!(hidden.is_empty(), "{hidden:?}");
}

#[test]
fn no_character_is_lost_or_shown_as_nothing() {
    for c in (0..=0x0010_FFFF).filter_map(char::from_u32) {
        let shown = visible(&c.to_string());
        assert!(shown == c.to_string() || shown == format!("⟨U+{:04X}⟩", u32::from(c)), "{c:?}");
        assert!(c == ' ' || c == '\n' || c == '\t' || !shown.trim().is_empty(), "{c:?} would not be seen");
    }
}

#[test]
fn a_cut_says_how_much_is_missing() {
    let cases = [
        ("short", 10, 3, "short", 0),
        ("exactly 10", 10, 3, "exactly 10", 0),
        ("eleven char", 10, 3, "eleven cha", 1),
        ("a\nb\nc\nd", 100, 2, "a\nb", 4),
        ("日本語テキスト", 3, 1, "日本語", 4),
        ("\u{202E}x", 4, 1, "⟨U+2", 5),
        ("", 10, 3, "", 0),
        ("a\nb", 100, 2, "a\nb", 0),
    ];
    for (text, limit, lines, shown, missing) in cases {
        assert_eq!(excerpt(text, limit, lines), Excerpt { text: shown.into(), missing }, "{text:?}");
    }
}

fn ask(action: &str, resources: &[&str], detail: Detail) -> Ask {
    Ask {
        key: RequestKey::new("http://s", "per_1"),
        session: "ses_1".into(),
        directory: "/home/dev/api".into(),
        route: Route::V1,
        action: action.into(),
        resources: resources.iter().map(|&resource| resource.into()).collect(),
        save: vec![],
        call: None,
        asked: None,
        detail,
    }
}

fn some(text: &str) -> Option<String> {
    Some(text.into())
}

#[test]
fn every_kind_has_a_headline_and_its_whole_text() {
    let command = |text| Detail { command: some(text), ..Detail::default() };
    let path = |text| Detail { path: some(text), ..Detail::default() };
    let cases = [
        // The command is what runs; the resources leave `cd` out.
        (ask("shell", &["make"], command("cd build && make")), "Run cd build && make", "cd build && make"),
        (ask("shell", &["ls"], Detail::default()), "Run ls", "ls"),
        (ask("shell", &[], command("a\nb")), "Run a⏎b", "a\nb"),
        (ask("edit", &["src/a.rs"], path("/home/dev/api/src/a.rs")), "Edit src/a.rs", "/home/dev/api/src/a.rs"),
        (ask("edit", &["../x"], path("/home/dev/api2/x")), "Edit /home/dev/api2/x", "/home/dev/api2/x"),
        (ask("read", &[".env"], Detail::default()), "Read .env", ".env"),
        (
            ask("webfetch", &["http://a/b"], Detail { url: some("http://a/b"), ..Detail::default() }),
            "Fetch http://a/b",
            "http://a/b",
        ),
        (ask("external_directory", &["/etc/*"], Detail::default()), "Go outside the project: /etc/*", "/etc/*"),
        (
            ask("external_directory", &["/etc/*"], command("cat /etc/passwd")),
            "Go outside the project: /etc/*",
            "cat /etc/passwd",
        ),
        (ask("subagent", &["general"], Detail::default()), "Start sub-agent general", "general"),
        (
            ask("quantum", &["leap"], Detail { metadata: json!({"to": "\u{202E}"}), ..Detail::default() }),
            "Allow quantum leap",
            "quantum\nleap\n{\n  \"to\": \"⟨U+202E⟩\"\n}",
        ),
        (ask("quantum", &[], Detail::default()), "Allow quantum", "quantum"),
    ];
    for (ask, head, text) in cases {
        assert_eq!((headline(&ask).as_str(), full_text(&ask).as_str()), (head, text));
    }
}

#[test]
fn nothing_of_a_megabyte_is_left_out() {
    let long = "x".repeat(1_000_000) + "; rm -rf /";
    let ask = ask("shell", &[], Detail { command: Some(long.clone()), ..Detail::default() });
    assert_eq!(full_text(&ask), long);
}

#[test]
fn projects_are_called_by_their_last_part() {
    for (directory, name) in
        [("/home/dev/api", "api"), ("/home/dev/api/", "api"), ("/", "/"), ("C:\\code\\api", "api"), ("", "")]
    {
        assert_eq!(project_name(directory), name);
    }
}

#[test]
fn a_blank_particular_hides_nothing() {
    for blank in ["", " \n"] {
        let blank = || Some(blank.to_owned());
        let detail = Detail { command: blank(), path: blank(), url: blank(), ..Detail::default() };
        for (action, line) in [("shell", "Run rm -rf x"), ("edit", "Edit rm -rf x"), ("webfetch", "Fetch rm -rf x")] {
            let ask = ask(action, &["rm -rf x"], detail.clone());
            assert_eq!((headline(&ask).as_str(), full_text(&ask).as_str()), (line, "rm -rf x"));
        }
    }
}

#[test]
fn a_command_that_does_not_hold_what_is_asked_does_not_stand_for_it() {
    let detail = Detail { command: some("ls"), url: some("http://a"), ..Detail::default() };
    let shell = ask("shell", &["ls", "rm -rf ~"], detail.clone());
    assert_eq!(headline(&shell), "Run ls (checked: rm -rf ~)");
    assert_eq!(full_text(&shell), "ls\nThe server checked something else:\nrm -rf ~");
    assert!(full_text(&ask("webfetch", &["http://b"], detail)).contains("http://b"));
}

#[test]
fn all_files_of_an_edit_are_named() {
    let detail = Detail { path: some("/home/dev/api/a.rs"), ..Detail::default() };
    let two = ask("edit", &["a.rs", "../.ssh/keys"], detail.clone());
    assert_eq!(headline(&two), "Edit a.rs and 1 more file: ../.ssh/keys");
    assert_eq!(full_text(&two), "/home/dev/api/a.rs\n../.ssh/keys");
    let three = ask("edit", &["b", "a.rs", "c"], detail.clone());
    assert_eq!(headline(&three), "Edit a.rs and 2 more files: b, c");
    assert_eq!(full_text(&three), "/home/dev/api/a.rs\nb\nc");
    assert_eq!(full_text(&ask("read", &["other.rs"], detail)), "/home/dev/api/a.rs\nother.rs");
}

#[test]
fn a_search_says_where() {
    let place = json!({ "root": "/home/me/.ssh", "path": ".", "include": "id_*", "pattern": "KEY", "limit": null });
    for action in ["grep", "glob"] {
        let elsewhere = ask(action, &["KEY"], Detail { metadata: place.clone(), ..Detail::default() });
        assert_eq!(full_text(&elsewhere), "KEY\nbelow: /home/me/.ssh\nfiles: id_*");
        let here = json!({ "root": "/home/dev/api", "path": "src" });
        let here = ask(action, &["KEY"], Detail { metadata: here, ..Detail::default() });
        assert_eq!(full_text(&here), "KEY\nin: src");
    }
}

#[test]
fn what_was_kept_in_english_reads_in_russian_as_if_it_were_shown_now() {
    let command = |text| Detail { command: some(text), ..Detail::default() };
    let file = || Detail { path: some("/home/dev/api/a.rs"), ..Detail::default() };
    let place = json!({ "root": "/x", "include": "id_*", "pattern": "KEY" });
    let cases = [
        (ask("shell", &["npm test"], command("npm test")), "Выполнить npm test", "npm test"),
        (ask("shell", &["rm x"], command("ls")), "Выполнить ls (проверено: rm x)", "ls\nСервер проверил другое:\nrm x"),
        (ask("edit", &["a.rs", "b"], file()), "Изменить a.rs и ещё 1 файл: b", "/home/dev/api/a.rs\nb"),
        (ask("edit", &["a.rs", "b", "c"], file()), "Изменить a.rs и ещё 2 файла: b, c", "/home/dev/api/a.rs\nb\nc"),
        (
            ask("grep", &["KEY"], Detail { metadata: place, ..Detail::default() }),
            "Искать KEY",
            "KEY\nвнутри: /x\nфайлы: id_*",
        ),
        (ask("quantum", &["leap"], Detail::default()), "Разрешить quantum leap", "quantum\nleap"),
        // The words of others stay, however they read.
        (
            ask("shell", &["echo"], command("a and 2 more files: b")),
            "Выполнить a and 2 more files: b (проверено: echo)",
            "a and 2 more files: b\nСервер проверил другое:\necho",
        ),
        (ask("read", &["for: me"], Detail::default()), "Прочитать for: me", "for: me"),
    ];
    for (ask, title, text) in cases {
        assert_eq!((headline_in(&ask, Russian).as_str(), full_text_in(&ask, Russian).as_str()), (title, text));
        assert_eq!(retitled(&ask.action, &headline(&ask), Russian), title);
        assert_eq!(retexted(&ask.action, &full_text(&ask), Russian), text);
        assert_eq!(retitled(&ask.action, &headline(&ask), English), headline(&ask));
        assert_eq!(retexted(&ask.action, &full_text(&ask), English), full_text(&ask));
    }
    for (kept, shown) in [
        ("xx… (3 more characters)", "xx… (ещё 3 символа)"),
        ("xx… (some more characters)", "xx… (some more characters)"),
        ("xx… (3 more characters) y", "xx… (3 more characters) y"),
    ] {
        assert_eq!(recut(kept, Russian), shown);
        assert_eq!(retexted("shell", kept, Russian), shown);
    }
    for (question, title) in [
        ("Which one?", "Which one?"),
        ("Read this?", "Read this?"),
        ("Which (of these)? (and 1 more question)", "Which (of these)? (и ещё 1 вопрос)"),
        ("Which? (and 4 more questions)", "Which? (и ещё 4 вопроса)"),
        ("Which? (and so on)", "Which? (and so on)"),
    ] {
        assert_eq!(retitled("question", question, Russian), title);
    }
}

#[test]
fn a_known_kind_that_says_nothing_where_it_should_is_shown_raw() {
    let detail = Detail { metadata: json!({ "script": "rm -rf ~" }), ..Detail::default() };
    for action in ["shell", "edit", "read", "grep", "webfetch", "websearch", "external_directory", "skill"] {
        let ask = ask(action, &[], detail.clone());
        assert_eq!(headline(&ask), format!("Allow {action}"));
        assert_eq!(full_text(&ask), format!("{action}\n{{\n  \"script\": \"rm -rf ~\"\n}}"));
    }
}
