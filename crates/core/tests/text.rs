//! Everything that is said can be said in every language, and nothing is kept that nobody says.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test says bluntly what it expects")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use gavel_core::text::{self, Language, Message, RUSSIAN, Template, code, grouped, holes, list, plain};
use gavel_core::{say, term};
use serde_json::json;

/// The Rust sources of the program, without tests.
fn sources() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let crates = std::fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap().path().join("src"));
    let mut folders: Vec<PathBuf> = crates.chain([root.join("src-tauri/src")]).collect();
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let is_test = path.file_name().is_some_and(|name| name == "tests" || name == "tests.rs");
            if path.is_dir() && !is_test {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") && !is_test {
                found.push(path);
            }
        }
    }
    assert!(found.len() > 200, "only {} sources", found.len());
    found
}

/// The string literal that `text` begins with.
fn literal(text: &str) -> Option<String> {
    let mut letters = text.trim_start().strip_prefix('"')?.chars().peekable();
    let mut value = String::new();
    loop {
        match letters.next()? {
            '"' => return Some(value),
            '\\' => match letters.next()? {
                '\n' => while letters.next_if(|c| c.is_whitespace()).is_some() {},
                'n' => value.push('\n'),
                other => value.push(other),
            },
            c => value.push(c),
        }
    }
}

/// Every English sentence that is said, and where.
fn said() -> BTreeMap<String, String> {
    let mut said = BTreeMap::new();
    for path in sources() {
        let whole = std::fs::read_to_string(&path).unwrap();
        let source = whole.split("#[cfg(test)]\nmod tests {").next().unwrap();
        // Comments and the macros themselves speak of the macros too.
        let lines = source.lines().filter(|line| !line.trim_start().starts_with("//"));
        let source = lines.collect::<Vec<_>>().join("\n");
        for (at, mark) in ["say!(", "term!("].iter().flat_map(|mark| source.match_indices(mark)) {
            let after = &source[at + mark.len()..];
            if let Some(english) = literal(after) {
                said.insert(english, path.display().to_string());
            } else {
                panic!("{}: no literal: {}", path.display(), after.lines().next().unwrap());
            }
        }
    }
    assert!(said.len() > 500, "only {} sentences", said.len());
    said
}

/// What a sentence is after it was kept and read again; an empty one where that can't be.
fn kept(kept: serde_json::Value) -> Message {
    text::kept::deserialize(kept).unwrap()
}

#[test]
fn every_sentence_can_be_kept_and_said_later_in_any_language() {
    for english in said().keys() {
        let english: &'static str = Box::leak(english.clone().into_boxed_str());
        let inner = say!("reads {}", list([code("a\u{202E}"), term!("the whole project").into()], 2));
        let pieces = [code(&"x".repeat(101)), plain("{} as is"), 3.into(), grouped(1_234_567), inner.into()];
        let pieces = pieces.into_iter().cycle().take(holes(english)).collect();
        let message = Message::new(Template::of(english), pieces);
        let again = kept(text::kept::serialize(&message, serde_json::value::Serializer).unwrap());
        for language in [Language::English, Language::Russian] {
            assert_eq!(again.in_language(language), message.in_language(language));
        }
    }
}

#[test]
fn what_another_version_kept_otherwise_is_no_sentence() {
    for strange in [
        json!({ "say": "juggles {}", "with": [{ "plain": "x" }] }),
        json!({ "say": "reads {}" }),
        json!({ "say": "reads {}", "with": [{ "plain": "x" }, { "plain": "y" }] }),
        json!({ "say": "reads {}", "with": [{ "said": { "say": "juggles" } }] }),
        json!({ "say": "читает {}", "with": [{ "plain": "x" }] }),
        json!({ "say": "reads {}", "with": [{ "picture": "x" }] }),
        json!({ "with": [] }),
        json!("reads"),
        json!(null),
    ] {
        assert!(kept(strange.clone()).is_empty(), "{strange}");
    }
}

/// Whether there is anything to translate in `english`.
fn has_words(english: &str) -> bool {
    english.chars().any(char::is_alphabetic)
}

fn entries() -> impl Iterator<Item = (&'static str, &'static str)> {
    RUSSIAN.iter().flat_map(|part| part.iter().copied())
}

#[test]
fn no_sentence_lacks_its_russian_and_none_is_left_over() {
    let said = said();
    let known: BTreeSet<&str> = entries().map(|(english, _)| english).collect();
    let missing: Vec<_> = said.iter().filter(|(key, _)| has_words(key) && !known.contains(key.as_str())).collect();
    assert!(missing.is_empty(), "no Russian for {missing:#?}");
    let unused: Vec<_> = known.iter().filter(|key| !said.contains_key(**key)).collect();
    assert!(unused.is_empty(), "nobody says {unused:#?}");
}

#[test]
fn every_entry_is_sound() {
    let mut seen = BTreeSet::new();
    for (english, russian) in entries() {
        assert!(seen.insert(english), "twice: {english}");
        let forms: Vec<&str> = russian.split('|').collect();
        assert!(matches!(forms.len(), 1 | 3 | 6), "{english}: {} forms", forms.len());
        // What follows a name is set off from it by a blank or a comma.
        let edges = |text: &str| (text.starts_with([' ', ',']), text.ends_with(' '));
        for form in &forms {
            assert_eq!(edges(form), edges(english), "{english}: blanks at the ends");
            // Every piece is said, once.
            let mut next = 0;
            let mut used: Vec<usize> = Vec::new();
            for hole in form.split('{').skip(1) {
                let (inside, _) = hole.split_once('}').unwrap_or_else(|| panic!("{english}: an open hole"));
                let (index, case) = inside.split_once(':').unwrap_or((inside, "nom"));
                assert!(
                    ["nom", "gen", "dat", "acc", "ins", "pre"].contains(&case),
                    "{english}: no case is called {case}"
                );
                let index = if index.is_empty() { next } else { index.parse().unwrap() };
                next = index + 1;
                used.push(index);
            }
            used.sort_unstable();
            assert_eq!(used, (0..holes(english)).collect::<Vec<_>>(), "{english}: other holes in {form}");
            // What isn't a name in backticks is Russian.
            let words: String = form.split('`').step_by(2).collect();
            let names = ["JSON", "API", "UTF-8", "git", "Go", "Rust", "U+", "URL", "OpenCode", "Gavel"];
            let words = names.iter().fold(words, |words, name| words.replace(name, ""));
            let bare: String =
                words.split('{').map(|part| part.split_once('}').map_or(part, |(_, after)| after)).collect();
            let latin: String = bare.chars().filter(char::is_ascii_alphabetic).collect();
            assert!(latin.is_empty(), "{english}: {latin:?} in {form}");
        }
    }
}

#[test]
fn numbers_choose_their_form() {
    let files = |count: usize| say!(", {} files in all", count).in_language(Language::Russian);
    for (count, said) in [
        (1, ", всего 1 файл"),
        (2, ", всего 2 файла"),
        (4, ", всего 4 файла"),
        (5, ", всего 5 файлов"),
        (11, ", всего 11 файлов"),
        (12, ", всего 12 файлов"),
        (21, ", всего 21 файл"),
        (22, ", всего 22 файла"),
        (100, ", всего 100 файлов"),
        (101, ", всего 101 файл"),
        (111, ", всего 111 файлов"),
        (0, ", всего 0 файлов"),
    ] {
        assert_eq!(files(count), said);
    }
    let long = say!("reads {}", code(&"x".repeat(101)));
    assert!(long.to_string().ends_with("x…` (21 more characters)"), "{long}");
    assert!(long.in_language(Language::Russian).ends_with("x…` (ещё 21 символ)"));
}

#[test]
fn pieces_stand_in_the_case_that_is_wanted() {
    let whole = || term!("the whole project");
    for (message, russian) in [
        (say!("deletes {} and everything under it", whole()), "удаляет весь проект и всё внутри"),
        (say!("reads a part of {}", whole()), "читает часть всего проекта"),
        (say!("stops tracking {}", whole()), "перестаёт следить за всем проектом"),
        (say!("searches {} for {}", whole(), code("x")), "ищет `x` в проекте целиком"),
        // Through a list, and through what is done to a disk.
        (say!("reads a part of {}", list([code("a"), whole().into()], 2)), "читает часть `a` и всего проекта"),
        (
            say!("{}: everything on it would be lost", say!("appends to {}", say!("the disk {}", code("/dev/sda")))),
            "дописывает в диск `/dev/sda`: всё на нём пропадёт",
        ),
        (say!("opens a connection to {}", term!("another machine")), "устанавливает соединение с другим компьютером"),
    ] {
        assert_eq!(message.in_language(Language::Russian), russian, "{message}");
    }
}

#[test]
fn what_the_catalogue_lacks_stays_english_and_pieces_stay_as_they_are() {
    let unknown = say!("juggles {} and {}", code("{0} {:gen} |a|b|"), plain("{}"));
    assert_eq!(unknown.in_language(Language::Russian), "juggles `{0} {:gen} |a|b|` and {}");
    assert_eq!(unknown.in_language(Language::Russian), unknown.to_string());
    let known = say!("reads {}", code("{1}|x"));
    assert_eq!(known.in_language(Language::Russian), "читает `{1}|x`");
}

#[test]
fn every_language_keeps_every_character_visible_and_one_line() {
    for language in [Language::English, Language::Russian] {
        let message = say!("reads {}", list([code("a\u{202E}b\nc`d"), plain("x\ny\u{200B}")], 2));
        let said = message.in_language(language);
        assert!(
            said.ends_with("`a⟨U+202E⟩b⏎c d` and x⏎y⟨U+200B⟩") || said.ends_with("`a⟨U+202E⟩b⏎c d` и x⏎y⟨U+200B⟩"),
            "{said}"
        );
    }
}

#[test]
fn lists_say_what_they_leave_out() {
    let all = ["a", "b", "c", "d"];
    let of = |count: usize| list(all.iter().take(count).map(|name| code(name)), count);
    let both = |message: Message| (message.to_string(), message.in_language(Language::Russian));
    for (count, english, russian) in [
        (0, "something that isn't named", "что-то без имени"),
        (1, "`a`", "`a`"),
        (2, "`a` and `b`", "`a` и `b`"),
        (3, "`a`, `b` and `c`", "`a`, `b` и `c`"),
        (4, "`a`, `b` and 2 more", "`a`, `b` и ещё 2"),
    ] {
        assert_eq!(both(of(count)), (english.to_owned(), russian.to_owned()));
    }
}

#[test]
fn locales_name_languages() {
    for (locale, language) in [
        ("ru_RU.UTF-8", Some(Language::Russian)),
        ("ru", Some(Language::Russian)),
        ("RU-ru", Some(Language::Russian)),
        ("ru@petr1708", Some(Language::Russian)),
        ("en_GB.UTF-8", Some(Language::English)),
        ("C.UTF-8", Some(Language::English)),
        ("POSIX", Some(Language::English)),
        ("de_DE.UTF-8", None),
        ("rum", None),
        ("", None),
    ] {
        assert_eq!(Language::of_locale(locale), language, "{locale}");
    }
}
