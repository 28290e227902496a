use gavel_core::{Detail, RequestKey, Route};

use super::*;

fn ask(action: &str, resources: &[&str], save: &[&str]) -> Ask {
    let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
    Ask {
        key: RequestKey::new("http://s", "per_1"),
        session: "ses_1".into(),
        directory: "/p".into(),
        route: Route::V2,
        action: action.into(),
        resources: owned(resources),
        save: owned(save),
        call: None,
        asked: None,
        detail: Detail::default(),
    }
}

#[test]
fn narrower_patterns_are_suggested_for_each_that_is_proposed() {
    let long = format!("echo {}", "a ".repeat(400));
    let cases: &[(&str, &[&str], &str, &[&str])] = &[
        ("shell", &["git push origin main"], "git *", &["git push origin main", "git push origin *", "git push *"]),
        (
            "shell",
            &["npm run build --watch --mode production"],
            "npm *",
            &["npm run build --watch --mode production", "npm run build *", "npm run *"],
        ),
        ("shell", &["git add -A", "git push", "npm test"], "git *", &["git add -A", "git add *", "git push"]),
        ("shell", &["git push"], "git push", &[]),
        ("shell", &["rm build/*"], "rm *", &[]),
        ("shell", &["git pus\u{200b}h x"], "git *", &[]),
        ("shell", &[&long], "echo *", &[]),
        ("edit", &["src/ui/app.ts"], "*", &["src/ui/app.ts", "src/ui/*", "src/*"]),
        ("shell", &["git a b", "git c d", "git e f"], "git *", &["git a b", "git a *", "git c d", "git c *"]),
        ("shell", &["npm test"], "git *", &[]),
    ];
    for (action, resources, wide, expected) in cases {
        let asked = ask(action, resources, &[wide]);
        let found = offers(&asked, Lines::Unknown);
        assert_eq!(found[0].narrower, *expected, "{resources:?} under {wide}");
        assert_eq!(found[0].pattern, Saved { action: (*action).into(), resource: (*wide).into() });
    }
}

#[test]
fn what_is_told_of_a_pattern_hides_nothing() {
    let asked = ask("shell", &["rm x\u{202e}"], &["rm x\u{202e}*", "git status *"]);
    let [first, second] = &offers(&asked, Lines::Whole)[..] else { panic!("two offers") };
    assert_eq!(first.shown, "rm x⟨U+202E⟩*");
    assert_eq!(first.hazard, Some(Hazard::Deletes { example: "rm x⟨U+202E⟩x".into() }));
    assert_eq!(second.hazard, Some(Hazard::Chained { example: "git status x; rm -rf y".into() }));
    assert_eq!(offers(&asked, Lines::Unknown)[1].hazard, None);
}
