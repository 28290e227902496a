use super::*;
use crate::modes::{configuration, configured};
use crate::rules::{Case, Effect, Rule, Rules, evaluate};
use crate::rules_file::export::{Origin, exported, origin};
use crate::{Dialect, rules_file::Lines};

fn lines(preset: &[&str], learned: &[&str]) -> Lines {
    let learned: Vec<_> = learned.iter().map(|command| serde_json::json!({"command": command})).collect();
    let text = serde_json::json!({"version": 1, "preset": preset, "learned": learned});
    content(&text.to_string()).lines().clone()
}

fn decides(rules: &[Rule], command: &str) -> Effect {
    let rules = Rules { agent: Some(rules.to_vec()), ..Rules::default() };
    evaluate(&rules, "shell", &[command.to_owned()], Case::Sensitive).effect
}

#[test]
fn what_is_exported_asks_about_all_that_patterns_can_tell() {
    let lines = lines(
        &["ls *", "cat *", "git log *", "git branch *", "date *", "find *"],
        &["npm test && npm run lint", "rm a*", "cat .env"],
    );
    let exported = exported(&lines);
    assert_eq!(exported.left_out, ["rm a*"]);
    assert_eq!(exported.too_wide, ["find *"]);
    let cases = [
        ("ls src", Effect::Allow),
        ("ls", Effect::Allow),
        ("cat README.md", Effect::Allow),
        ("npm test && npm run lint", Effect::Allow),
        // Known to the letter, and chosen by the user.
        ("cat .env", Effect::Allow),
        ("cat .env.local", Effect::Ask),
        ("cat /etc/passwd", Effect::Ask),
        ("cat ../secret", Effect::Ask),
        ("ls; rm -rf x", Effect::Ask),
        ("ls\nrm -rf x", Effect::Ask),
        ("ls > x", Effect::Ask),
        ("ls $(rm x)", Effect::Ask),
        ("find . -delete", Effect::Ask),
        ("find . -exec rm x", Effect::Ask),
        ("find src", Effect::Ask),
        ("git log --output=x", Effect::Ask),
        ("git branch -D main", Effect::Ask),
        ("git branch", Effect::Allow),
        ("date -s 2020", Effect::Ask),
        ("npm test", Effect::Ask),
        ("rm ab", Effect::Ask),
    ];
    for (command, effect) in cases {
        assert_eq!(decides(&exported.rules, command), effect, "{command}");
    }
    let of = |resource: &str| origin(exported.rules.iter().rfind(|rule| rule.resource == resource).unwrap(), &lines);
    assert_eq!(
        [of("*"), of("ls *"), of("npm test && npm run lint"), of("*;*")],
        [Origin::Floor, Origin::Preset, Origin::Learned, Origin::Exception]
    );
}

/// There are many ways of writing the same thing, and a pattern sees only how it is written.
#[test]
fn nothing_that_is_written_another_way_comes_out_as_allowed() {
    let built_in = exported(&lines(&crate::rules_file::BUILT_IN, &[]));
    let cases = [
        "find . \"-delete\"",
        "find . -{delete,print}",
        "find . '-exec' rm -rf x +",
        "find . -d\\elete",
        "find . \\-delete",
        "cat \"/etc/passwd\"",
        "cat \\/etc/passwd",
        "cat .e\\nv",
        "cat .\\./secret",
        "cat .?/secret",
        "cat .e*",
        "cat src/.?/.?/secret",
        "grep -r x '/home/u/.ssh'",
        "grep -f/etc/passwd x",
        "grep --file=/etc/passwd x",
        "grep --file=.?/x x",
        "rg --p\\re=sh x",
        "rg --hostname-bin=sh x",
        "git diff --outp=x",
        "git log -\\-output=x",
        "git show --o\\utput=x",
        "git branch  -D main",
        "tree -\\o x",
        "date -\\s 2020",
        "date -u 010100002020",
        "file -C -m x",
    ];
    for command in cases {
        assert_ne!(decides(&built_in.rules, command), Effect::Allow, "{command}");
    }
    // No pattern means these three and nothing else.
    let told = |c: &char| !"*?\\".contains(*c);
    for c in super::super::lookup::SPECIAL.chars().filter(told).chain("\t\r\u{b}\u{c}".chars()) {
        if matches!(c, ')' | '}' | ']') {
            continue; // They mean nothing without what opens.
        }
        for command in [format!("ls a{c}b"), format!("ls {c}"), format!("cat x{c}")] {
            assert_ne!(decides(&built_in.rules, &command), Effect::Allow, "{command:?}");
        }
    }
    for command in
        ["ls", "ls -la src", "grep -rn word src/lib.rs", "git diff --stat", "git log -5", "date +%s", "wc -l x"]
    {
        assert_eq!(decides(&built_in.rules, command), Effect::Allow, "{command}");
    }
}

#[test]
fn lines_whose_danger_no_pattern_can_tell_are_left_out() {
    let wide =
        ["find *", "find src *", "git *", "npm *", "* src", "ls*", "l? *", "bash *", "*", "rm -rf /tmp/x", "ls; rm x"];
    let preset: Vec<&str> = wide.iter().copied().chain(["git log --*", "ls src/*", "git status"]).collect();
    let exported = exported(&lines(&preset, &[]));
    assert_eq!(exported.too_wide, wide);
    for command in
        ["git log --output=x", "npm publish", "rm src", "lsof", "rm -rf /tmp/x", "ls; rm x", "find src -delete"]
    {
        assert_ne!(decides(&exported.rules, command), Effect::Allow, "{command}");
    }
    for command in ["ls src/a", "git status", "git log --stat"] {
        assert_eq!(decides(&exported.rules, command), Effect::Allow, "{command}");
    }
}

#[test]
fn what_is_exported_reads_the_same_when_it_is_imported() {
    let lines = lines(&["ls *", "git log *"], &["npm test"]);
    let rules = exported(&lines).rules;
    for dialect in [Dialect::V1, Dialect::V2] {
        let text = configuration(dialect, &rules);
        let read = configured(&serde_json::from_str(&text).unwrap());
        assert_eq!(read.rules, rules, "{text}");
    }
}

#[test]
fn lines_without_wildcards_need_no_exceptions() {
    let rules = exported(&lines(&["git status"], &["npm test"])).rules;
    assert_eq!(rules.iter().map(|rule| rule.resource.as_str()).collect::<Vec<_>>(), ["*", "git status", "npm test"]);
}

#[test]
fn configurations_of_both_versions_are_read_and_nothing_unknown_allows() {
    let cases = [
        (r#"{"permission": "allow"}"#, "* * allow"),
        (r#"{"permission": {"bash": "allow", "edit": "deny"}}"#, "shell * allow|edit * deny"),
        (
            r#"{"permission": {"*": "ask", "bash": {"*": "ask", "git *": "allow", "git push *": "deny"}}}"#,
            "* * ask|shell * ask|shell git * allow|shell git push * deny",
        ),
        (
            r#"{"permission": {"bash": {"ls": "maybe", "cat": true}, "write": 7}}"#,
            "shell ls ask|shell cat ask|edit * ask",
        ),
        (
            r#"{"permissions": [{"action": "shell", "resource": "ls *", "effect": "allow"}, {"action": "bash", "effect": "x"}, 7, {}]}"#,
            "shell ls * allow|shell * ask",
        ),
        (r#"{"permission": ["bash"], "permissions": {"bash": "allow"}}"#, ""),
        ("[]", ""),
        ("null", ""),
    ];
    for (text, expected) in cases {
        let read = configured(&serde_json::from_str(text).unwrap());
        let word = |rule: &Rule| {
            format!("{} {} {}", rule.action, rule.resource, serde_json::json!(rule.effect).as_str().unwrap())
        };
        assert_eq!(read.rules.iter().map(word).collect::<Vec<_>>().join("|"), expected, "{text}");
    }
    let agents = r#"{"agent": {"plan": {"permission": {"edit": "deny"}}, "build": {}}}"#;
    assert_eq!(configured(&serde_json::from_str(agents).unwrap()).agents, ["plan"]);
}
