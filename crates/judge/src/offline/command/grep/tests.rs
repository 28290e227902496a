use super::*;

#[test]
fn patterns_that_find_almost_anything() {
    for pattern in
        ["", ".", "=", ".*", "a.b", "foo|=", "(foo)?", "fo*", "[abcdef]", "API_KEY", "password", r"\w\w\w", r"fo\|ab"]
    {
        assert!(too_wide(pattern).is_some(), "{pattern}");
    }
    for pattern in ["TODO", "fn main", "class .*Error", r"useState\(", "foo|bar", "^import"] {
        assert_eq!(too_wide(pattern), None, "{pattern}");
    }
}

#[test]
fn no_letter_both_stands_alone_and_takes_a_value() {
    for known in [GREP, RG, FD] {
        assert_eq!(known.letters.chars().find(|letter| known.valued.contains(*letter)), None);
    }
}

#[test]
fn globs_of_sources() {
    for glob in ["*.rs", "**/*.ts", "*.{ts,tsx}", "Cargo.toml", "src/*.test.js", "package.json"] {
        assert!(is_source_glob(glob), "{glob}");
    }
    let wide = [
        "*",
        "*.pem",
        ".env",
        ".*",
        "*.{rs,pem}",
        "*.*",
        "[.]env",
        "*env",
        "*.env",
        "*.json",
        "credentials.json",
        ".npmrc",
        "id_rsa",
        "prod.env",
        "?.rs",
    ];
    for glob in wide {
        assert!(!is_source_glob(glob), "{glob}");
    }
}
