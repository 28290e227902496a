use super::*;
use crate::Source;
use crate::rules_file::{BUILT_IN, Held, Looked, Match};

#[test]
fn a_learned_line_is_one_exact_command() {
    let text = r#"{"version": 1, "learned": [{"command": "npm run typecheck"}, {"command": " make  -j 2"},
        {"command": "git *"}, {"command": "rm 'a b'"}, {"command": "cd x make"}]}"#;
    let content = content(text);
    let cases = [
        ("npm run typecheck", true),
        ("  npm   run\ttypecheck ", true),
        ("make -j 2", true),
        ("rm 'a b'", true),
        ("rm  'a b'", true),
        ("npm run typecheck -- --fix", false),
        ("npm run", false),
        ("npm run Typecheck", false),
        ("git status", false),
        ("rm 'a  b'", false),
        ("git *", true),
    ];
    for (command, passes) in cases {
        let found = content.matches(&line(command), || panic!("a learned line needs no proof"));
        assert_eq!(found.is_some(), passes, "{command}");
        assert!(found.is_none_or(|found| found.source == Source::Learned));
    }
    // The plugin remembers this one with its line break folded; it is another command without.
    assert_eq!(CommandLine::new("shell", "cd x\nmake"), None);
}

fn held(content: &Content, command: &str) -> Option<Held> {
    match content.look_up(&line(command), || true) {
        Looked::Matches(found) => {
            assert_eq!(found.source, Source::Preset);
            None
        }
        Looked::Held { why, .. } => Some(why),
        Looked::Nothing => panic!("{command} is covered by no line"),
    }
}

#[test]
fn a_preset_line_passes_plain_commands_only() {
    let content = content(r#"{"version": 1, "preset": ["*"]}"#);
    for plain in ["ls", "ls -la src", "git log --oneline -n 5", "find . -name x -type f", "cat a.txt b.txt", "ls a/b"] {
        assert_eq!(held(&content, plain), None, "{plain}");
    }
    for c in "; & | < > $ ( ) { } [ ] * ? ~ # ' \" \\ `".split(' ') {
        let c = c.chars().next().unwrap();
        let command = format!("ls a{c}b");
        assert_eq!(held(&content, &command), Some(Held::Character(c)), "{command}");
    }
    let cases = [
        ("ls\u{a0}x", Held::Character('\u{a0}')),
        ("cat /etc/passwd", Held::Absolute("/etc/passwd".into())),
        ("cat a /x", Held::Absolute("/x".into())),
        ("cat ../x", Held::Upwards("../x".into())),
        ("cat a/../x", Held::Upwards("a/../x".into())),
        ("git diff a..b", Held::Upwards("a..b".into())),
        ("grep --file=../x y", Held::Upwards("--file=../x".into())),
        ("find . -delete", Held::Flag("-delete".into())),
        ("find . -exec rm", Held::Flag("-exec".into())),
        ("find . -execdir rm", Held::Flag("-execdir".into())),
        ("find . -ok rm", Held::Flag("-ok".into())),
        ("find . -okdir rm", Held::Flag("-okdir".into())),
        ("find . -fprint x", Held::Flag("-fprint".into())),
        ("find . -fprint0 x", Held::Flag("-fprint0".into())),
        ("find . -fprintf x y", Held::Flag("-fprintf".into())),
        ("find . -fls x", Held::Flag("-fls".into())),
        ("find . -fls=x", Held::Flag("-fls=x".into())),
    ];
    for (command, why) in cases {
        assert_eq!(held(&content, command), Some(why), "{command}");
    }
}

#[test]
fn a_preset_line_counts_only_if_the_command_is_proven_to_read() {
    let content = Content::new("/p");
    let ls = line("ls src");
    assert_eq!(content.matches(&ls, || true), Some(Match { line: "ls *".into(), source: Source::Preset }));
    assert_eq!(content.matches(&ls, || false), None);
    assert_eq!(content.look_up(&ls, || false), Looked::Held { line: "ls *".into(), why: Held::Unproven });
    // Nobody is asked about what fails already, or is covered by nothing.
    for command in ["ls ..", "ls x; ls", "make"] {
        assert_eq!(content.matches(&line(command), || panic!("{command}")), None);
    }
}

#[test]
fn the_built_in_lines_cover_their_commands_with_and_without_arguments() {
    let content = Content::new("/p");
    for preset in BUILT_IN {
        let bare = preset.strip_suffix(" *").unwrap();
        for command in [bare.to_owned(), format!("{bare} x")] {
            let found = content.matches(&line(&command), || true);
            assert_eq!(found.map(|found| found.line).as_deref(), Some(preset), "{command}");
        }
        assert_eq!(content.look_up(&line(&format!("{bare}x")), || true), Looked::Nothing);
    }
}
