use super::*;

fn words(text: &str) -> Option<Vec<Vec<&str>>> {
    let cut = |(start, end): &(usize, usize)| text.get(*start..*end).unwrap_or_default();
    read(text).map(|commands| commands.iter().map(|words| words.iter().map(cut).collect()).collect())
}

#[test]
fn what_is_plain() {
    let cases: &[(&str, &[&[&str]])] = &[
        ("ls -la", &[&["ls", "-la"]]),
        ("a 'b c' \"d$\" | e\n", &[&["a", "'b c'", "\"d$\""], &["e"]]),
        ("a && b || c; d\ne;", &[&["a"], &["b"], &["c"], &["d"], &["e"]]),
        ("a 2>/dev/null >&2 2>&1 | b < c", &[&["a"], &["b"]]),
        ("a x 2> /dev/null", &[&["a", "x"]]),
        ("a &>/dev/null", &[&["a"]]),
        (
            "a HEAD~3 HEAD^ b@{1} --x=\"y z\" \\( \\)",
            &[&["a", "HEAD~3", "HEAD^", "b@{1}", "--x=\"y z\"", "\\(", "\\)"]],
        ),
        ("a # b; c\nd", &[&["a"], &["d"]]),
        ("a 2 3", &[&["a", "2", "3"]]),
        ("a |\n b", &[&["a"], &["b"]]),
        ("a \\\n  b", &[&["a", "b"]]),
    ];
    for (text, expected) in cases {
        let expected: Vec<Vec<&str>> = expected.iter().map(|words| words.to_vec()).collect();
        assert_eq!(words(text), Some(expected), "{text}");
    }
}

#[test]
fn what_is_not() {
    let texts = [
        "",
        "  ",
        "# only",
        "a &",
        "a & b",
        "a; ; b",
        "a ;; b",
        "; a",
        "a |",
        "a &&",
        "a || || b",
        "a |& b",
        "a > x",
        "a >> x",
        "a >/dev/nullx",
        "a 3>&1",
        "a << E",
        "a <<< x",
        "a <(b)",
        "a <> b",
        "a $b",
        "a \"$b\"",
        "a `b`",
        "a \"`b`\"",
        "(a)",
        "{ a; }",
        "a {b,c}",
        "X=1 a",
        "a ~/x",
        "a --x=~/y",
        "! a",
        "a 'b",
        "a \"b",
        "a b\\",
        "a\\\nb",
        "a $'b'",
        "a b#c",
        "a =b",
        "a \\n",
        "> /dev/null",
        "a 'b\nc'",
        "a 2>&1x",
        "a \"$\"\"(b)\" `",
    ];
    for text in texts {
        assert_eq!(words(text), None, "{text}");
    }
}
