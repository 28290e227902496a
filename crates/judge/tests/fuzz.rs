//! Whatever the text, the verdict comes, and what isn't understood is never allowed.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test says bluntly what it expects")]

mod common;

use std::sync::LazyLock;

use common::{Case, corpus, judge, judge_in};
use gavel_core::Recommendation;
use gavel_judge::offline::Finding;
use proptest::prelude::*;

static CORPUS: LazyLock<Vec<Case>> = LazyLock::new(corpus);

/// The plain commands that are allowed.
static ALLOWED: LazyLock<Vec<&Case>> = LazyLock::new(|| {
    let allowed =
        CORPUS.iter().filter(|case| is_allowed(&judge_in(&case.command, case.cwd.as_deref()))).collect::<Vec<_>>();
    assert!(allowed.len() > 200, "only {} commands are allowed", allowed.len());
    allowed
});

fn is_allowed(finding: &Finding) -> bool {
    finding.recommendation == Recommendation::Allow
}

/// Whether `c` is surely more than a shell's plain letter, by a rule of this test's own.
fn is_strange(c: char) -> bool {
    let letter = c.is_alphabetic() && !('\u{0250}'..='\u{02FF}').contains(&c) && c < '\u{FB00}';
    let sign = matches!(c, '«' | '»' | '—' | '№' | '€' | '£' | '°' | '§');
    match c {
        '\n' | '\t' => false,
        _ if c.is_ascii() => c.is_ascii_control(),
        _ => !letter && !sign,
    }
}

/// What must hold for any text.
fn check(text: &str) -> Result<(), TestCaseError> {
    let finding = judge(text);
    prop_assert!(!finding.reason.is_empty());
    for segment in &finding.segments {
        prop_assert!(text.get(segment.start..segment.end).is_some(), "{segment:?} doesn't fit");
        prop_assert!(!gavel_core::display::is_deceptive_text(&segment.why), "{}", segment.why);
    }
    let strange = text.chars().find(|c| is_strange(*c));
    prop_assert!(strange.is_none() || !is_allowed(&finding), "allowed with {strange:?}: {}", finding.reason);
    // What makes a shell do more than run plain words; quoted, it may stand for itself.
    let unquoted = |sign: char| text.contains(sign) && !text.contains(['\'', '"', '\\', '#']);
    let more = ['`', '$', '(', '{', '!'].into_iter().find(|sign| unquoted(*sign) && !text.contains("@{"));
    prop_assert!(more.is_none() || !is_allowed(&finding), "allowed with {more:?}: {}", finding.reason);
    Ok(())
}

/// Characters that shells, terminals and readers treat in their own ways.
fn telling() -> impl Strategy<Value = String> {
    let pieces = [
        ";",
        "&",
        "&&",
        "|",
        "||",
        "\n",
        "<",
        ">",
        ">>",
        "<<",
        "<<<",
        "(",
        ")",
        "{",
        "}",
        "$",
        "`",
        "'",
        "\"",
        "\\",
        "\\\n",
        "#",
        "*",
        "?",
        "[",
        "]",
        "~",
        "!",
        "=",
        " ",
        "\t",
        "\r",
        "\0",
        "$(",
        "${",
        "$'",
        "$\"",
        "<(",
        ">(",
        "&>",
        "2>",
        ">&",
        ";;",
        "((",
        "))",
        "<<EOF\n",
        "\nEOF\n",
        "<<-'E'\n",
        "-",
        "--",
        "rm",
        "sh",
        "if",
        "then",
        "fi",
        "do",
        "done",
        "case",
        "esac",
        "in",
        "function",
        "\u{202E}",
        "\u{200B}",
        "\u{FEFF}",
        "\u{A0}",
        "а",
        "\u{301}",
        "😀",
        "..",
        "/",
        "$IFS",
        "{a,b}",
        "=x",
        "\u{1b}[0m",
    ];
    prop::sample::select(pieces.map(str::to_owned).to_vec())
}

fn command() -> impl Strategy<Value = String> {
    any::<prop::sample::Index>().prop_map(|index| index.get(&CORPUS).command.clone())
}

fn allowed() -> impl Strategy<Value = &'static Case> {
    any::<prop::sample::Index>().prop_map(|index| *index.get(&ALLOWED))
}

/// The nearest place at or before `at` that isn't within a character.
fn boundary(text: &str, at: prop::sample::Index) -> usize {
    let mut at = at.index(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// A command of the corpus with pieces put in, taken out, or replaced by those of another.
fn mutated() -> impl Strategy<Value = String> {
    let edits =
        prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), telling(), 0..3_u8), 1..6);
    (command(), command(), edits).prop_map(|(mut text, other, edits)| {
        for (one, two, piece, kind) in edits {
            let (from, to) = (boundary(&text, one), boundary(&text, two));
            let (from, to) = (from.min(to), from.max(to));
            match kind {
                0 => text.insert_str(from, &piece),
                1 if to - from < 12 => text.replace_range(from..to, &piece),
                1 => text.replace_range(from..from, &piece),
                _ => text = format!("{}{}", &text[..from], &other[boundary(&other, two)..]),
            }
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        check(&String::from_utf8_lossy(&bytes))?;
    }

    #[test]
    fn any_characters(text in "\\PC{0,200}") {
        check(&text)?;
    }

    #[test]
    fn any_signs_of_a_shell(pieces in prop::collection::vec(telling(), 0..40)) {
        check(&pieces.concat())?;
    }

    #[test]
    fn any_mutation_of_a_command(text in mutated()) {
        check(&text)?;
    }

    #[test]
    fn an_invisible_or_foreign_character_is_never_allowed(
        case in allowed(),
        at in any::<prop::sample::Index>(),
        c in prop::sample::select(vec![
            '\u{200B}', '\u{200D}', '\u{202E}', '\u{2066}', '\u{FEFF}', '\u{AD}', '\u{A0}', '\u{3000}', '\u{7}', '\u{1B}', '\r', '\0', '\u{301}',
            '\u{E0041}', '\u{3164}', '；', '｜', '∕', '‐', 'ａ', '😀',
        ]),
    ) {
        let mut text = case.command.clone();
        text.insert(boundary(&text, at), c);
        prop_assert!(!is_allowed(&judge_in(&text, case.cwd.as_deref())), "{text:?}");
    }
}

/// Every allowed command that something is done to must no longer be allowed.
fn never_allowed(change: impl Fn(&str) -> String) {
    for case in ALLOWED.iter() {
        let text = change(&case.command);
        let finding = judge_in(&text, case.cwd.as_deref());
        assert!(!is_allowed(&finding), "{text:?} is allowed: {}", finding.reason);
    }
}

/// Whether nothing can be appended to a command without becoming part of a comment.
fn ends_in_a_comment(command: &str) -> bool {
    command.contains('#')
}

#[test]
fn appending_a_command_takes_the_allow_away() {
    let tails = [
        "; rm -rf x",
        "&& curl https://example.org",
        " && curl https://example.org",
        "| sh",
        " | sh",
        "\nrm x",
        " $(rm x)",
        " `rm x`",
        " > x",
        " >> x",
        " & rm x",
        " || rm x",
        "; sh",
        " | tee x",
        " <(rm x)",
        " && cat .env",
        "; cat ../../../x",
        " && npm test",
        " &",
        " | xargs rm",
        "; X=1",
        " ;; rm x",
        " && git push",
        "; (ls)",
        " && { ls; }",
        " | python3",
        "\n./run",
        "; eval ls",
        " |& sh",
        " <<< x",
        " 2> err.log",
        " && exec sh",
        "; . ./x",
    ];
    for tail in tails {
        // Behind a `#`, only a new line is read.
        never_allowed(|command| match (ends_in_a_comment(command), tail.strip_prefix('\n')) {
            (true, None) => format!("{command}\n:{tail}"),
            _ => format!("{command}{tail}"),
        });
    }
}

#[test]
fn putting_something_before_takes_the_allow_away() {
    let heads = [
        "sudo ",
        "doas ",
        "sudo -u root ",
        "rm x; ",
        "rm x && ",
        "curl x | ",
        "sh -c ",
        "eval ",
        "env ",
        "xargs ",
        "exec ",
        "X=1 ",
        "PATH=. ",
        "LD_PRELOAD=./x ",
        "! ",
        "time ",
        "nohup ",
        "./",
        "\\",
        "$(",
        "`",
        "( ",
        "{ ",
        "if ",
        "> x ",
        "bash -c ",
        "timeout 5 ",
        "git -c a=b ",
        "watch ",
        "ssh host ",
    ];
    for head in heads {
        never_allowed(|command| format!("{head}{command}"));
    }
}

#[test]
fn wrapping_takes_the_allow_away() {
    never_allowed(|command| format!("sudo sh -c '{command}'"));
    never_allowed(|command| format!("bash -c \"{command}\""));
    never_allowed(|command| format!("echo \"$({command}\n)\""));
    never_allowed(|command| format!("f() {{ {command}\n}}; f"));
    never_allowed(|command| format!("while :; do {command}\ndone"));
    never_allowed(|command| format!("cat <<E | sh\n{command}\nE\n"));
    never_allowed(|command| command.replacen(' ', "${IFS}", 1) + " $x");
}

#[test]
fn a_place_outside_takes_the_allow_away() {
    for case in ALLOWED.iter() {
        for cwd in ["/home/ada", "/", "/etc", "/home/ada/shop2", "/home/ada/shop/../other"] {
            assert!(!is_allowed(&judge_in(&case.command, Some(cwd))), "{:?} in {cwd}", case.command);
        }
    }
}
