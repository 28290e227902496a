use super::*;

fn known() -> Known {
    let variables = HashMap::from([("d".to_owned(), "build".to_owned()), ("s".to_owned(), "a b".to_owned())]);
    Known { home: Some("/home/ada".to_owned()), cwd: Some("/home/ada/shop".to_owned()), variables: Rc::new(variables) }
}

#[test]
fn values_and_oddities() {
    // source, value, exact, odd
    let cases: &[(&str, &str, bool, Option<Template>)] = &[
        ("ls", "ls", true, None),
        ("'a b'", "a b", true, None),
        (r#""a\b\"c""#, r#"a\b"c"#, true, None),
        (r"a\ b", "a b", true, None),
        (r"\(", "(", true, None),
        (r#"--format="%H %s""#, "--format=%H %s", true, None),
        ("~/x", "/home/ada/x", true, None),
        ("~bob/x", "~bob/x", false, None),
        ("~ada/x", "/home/ada/x", true, None),
        ("~root", "/root", true, None),
        ("$HOME/x", "/home/ada/x", true, None),
        ("\"${PWD}\"", "/home/ada/shop", true, None),
        ("$d/x", "build/x", true, None),
        ("$s", "a b", false, None),
        ("\"$s\"", "a b", true, None),
        ("$x", "$x", false, None),
        ("a$(ls (x))b", "a$(ls (x))b", false, None),
        ("`ls`", "`ls`", false, None),
        ("foo$", "foo$", true, None),
        ("r\"\"m", "rm", true, Some(EMPTY)),
        ("''", "", true, None),
        ("r'm'", "rm", true, Some(SPLIT)),
        ("'r'm", "rm", true, Some(SPLIT)),
        ("\"r\"\"m\"", "rm", true, Some(SPLIT)),
        (r"r\m", "rm", true, Some(BACKSLASH)),
        ("r\\\nm", "rm", true, Some(LINE)),
        (r"$'\x72\155\u0020x'", "rm x", true, Some(CODES)),
        ("$\"rm\"", "rm", false, Some(LOCALE)),
        ("{a,b}", "{a,b}", false, Some(BRACES)),
        ("{}", "{}", true, None),
        ("HEAD@{1}", "HEAD@{1}", true, None),
        ("rm${IFS}-rf", "rm -rf", false, Some(SPACE)),
        ("r$@m", "rm", false, Some(NOTHING)),
        ("'", "", true, None),
        ("\"", "", true, None),
        ("$", "$", true, None),
        ("${", "${", false, None),
    ];
    for (source, text, exact, odd) in cases {
        let word = read(source, 3, &known());
        assert_eq!((word.text.as_str(), word.exact, word.odd), (*text, *exact, *odd), "{source}");
    }
}

#[test]
fn where_a_value_stands_letter_by_letter() {
    for (source, at) in [("rm", Some(3)), ("'rm x'", Some(4)), ("\"rm x\"", Some(4)), ("r'm'", None), ("~", None)] {
        assert_eq!(read(source, 3, &known()).verbatim, at, "{source}");
    }
}
