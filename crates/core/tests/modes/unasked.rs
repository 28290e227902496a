//! What rules never ask about, held against the evaluator; and what is put into a configuration against it.

use gavel_core::Dialect;
use gavel_core::modes::{AgentPaths, Mode, Unasked, configuration, newer_word, path_allowances, session_rules};
use gavel_core::rules::{Case, Effect, Rule, Rules, evaluate};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::support::{DATA, agent, agents, rule, rules};

/// What is never asked about, in words.
fn never(rules: &[Rule]) -> Vec<&'static str> {
    let Unasked { commands, edits, outside, fetches, anything } = Unasked::by(rules);
    let all =
        [(commands, "commands"), (edits, "edits"), (outside, "outside"), (fetches, "fetches"), (anything, "anything")];
    all.into_iter().filter(|(never, _)| *never).map(|(_, word)| word).collect()
}

const ALL: [&str; 5] = ["commands", "edits", "outside", "fetches", "anything"];

#[test]
fn what_is_never_asked_about() {
    let cases: [(&[&str], &[&str]); 24] = [
        // What no rule matches is asked.
        (&[], &[]),
        (&["* * allow"], &ALL),
        (&["* * deny"], &ALL),
        (&["** *** allow"], &ALL),
        (&["* * ask"], &[]),
        (&["shell * allow"], &["commands"]),
        (&["shell ?* allow"], &[]),
        (&["e*t * allow", "webfetch * deny"], &["edits", "fetches"]),
        // Under 1.x, a wildcard stands for other words: it may be about commands, or not.
        (&["s*ll * allow"], &[]),
        (&["* * allow", "ba* * ask"], &["edits", "outside", "fetches"]),
        // Under 2.x, a word of 1.x is about nothing.
        (&["* * allow", "bash * ask"], &["commands", "edits", "outside", "fetches"]),
        (&["* * allow", "shell * ask"], &["edits", "outside", "fetches"]),
        (&["* * allow", "shell git push ask"], &["edits", "outside", "fetches"]),
        (&["* * allow", "*l * ask"], &["edits", "outside", "fetches"]),
        // What comes later and reaches as far counts instead.
        (&["shell * ask", "* * allow"], &ALL),
        (&["* * allow", "shell git push ask", "shell git * allow"], &ALL),
        (&["* * allow", "shell git push ask", "*s* git * deny"], &ALL),
        (&["* * allow", "shell git push ask", "edit git * allow"], &["edits", "outside", "fetches"]),
        (&["* * allow", "shell git * ask", "shell git push allow"], &["edits", "outside", "fetches"]),
        // Two that reach as far only together are taken for less: nothing is claimed that isn't certain.
        (&["* * allow", "shell ? ask", "shell a allow", "shell b allow"], &["edits", "outside", "fetches"]),
        (&["* * allow", "shell * ask", "s* * allow"], &["edits", "outside", "fetches"]),
        (&["* * allow", "mine * ask"], &["commands", "edits", "outside", "fetches"]),
        (&["* * allow", "edit /a/b ask", "edit */b allow"], &["commands", "outside", "fetches"]),
        // Where capital letters are small ones, this is about commands.
        (&["* * allow", "SHELL * ask"], &["edits", "outside", "fetches"]),
    ];
    for (given, expected) in cases {
        assert_eq!(never(&rules(given)), expected, "{given:?}");
    }
}

#[test]
fn what_agents_ask_about_as_they_come() {
    for (name, own) in agents() {
        let unasked = Unasked::by(&own);
        assert!(unasked.leaves_nothing_to_answer(), "{name} asks about no command and no edit");
        assert_eq!(unasked.anything, matches!(name, "title" | "summary"), "{name} asks about secrets");
        assert_eq!(unasked.outside, matches!(name, "title" | "summary" | "explore"), "{name} stays inside");
    }
    let together = Unasked::by(&agent("build")).and(Unasked::by(&agent("title")));
    assert_eq!(together, Unasked::by(&agent("build")));
}

#[test]
fn a_mode_asks_or_it_does_not() {
    for mode in Mode::ALL {
        let own = agent("build");
        let places = path_allowances(&own);
        let session = session_rules(mode.into(), AgentPaths { acting: &places, plan: &[] }, &[], &[]);
        let unasked = Unasked::by(&[own, session].concat());
        assert_eq!(unasked.leaves_nothing_to_answer(), !mode.narrows(), "{mode:?}: {unasked:?}");
        assert_eq!(unasked.anything, mode == Mode::FullAccess, "{mode:?}: {unasked:?}");
    }
}

/// What was never asked about is asked again, and the agent's own places are not.
#[test]
fn the_remedy_asks_as_supervised_does() {
    let open = [agent("build"), rules(&["* * allow"])].concat();
    let places = path_allowances(&open);
    let remedy = Unasked::by(&open).remedy(&places);
    let healed = [open, remedy].concat();
    assert_eq!(never(&healed), ["fetches"]);
    let decide = |action: &str, resource: &str| {
        let rules = Rules { agent: Some(healed.clone()), ..Rules::default() };
        evaluate(&rules, action, &[resource.to_owned()], Case::Sensitive).effect
    };
    for (action, resource) in [("shell", "ls"), ("edit", "a"), ("external_directory", "/etc/*")] {
        assert_eq!(decide(action, resource), Effect::Ask, "{action} {resource}");
    }
    assert_eq!(decide("external_directory", &format!("{DATA}/tool-output/x")), Effect::Allow);
    assert_eq!(decide("read", "src/a"), Effect::Allow);

    // What is asked already stays as it is.
    let remedy = Unasked::by(&agent("build")).remedy(&path_allowances(&agent("build")));
    assert_eq!(remedy, rules(&["shell * ask", "edit * ask"]));
}

#[test]
fn a_configuration_is_written_as_each_version_reads_it() {
    let lines = ["shell * ask", "edit * ask", "external_directory * ask", "external_directory /d\"q/* allow"];
    let given = rules(&lines);
    let newer: Value = serde_json::from_str(&configuration(Dialect::V2, &given)).unwrap();
    assert_eq!(newer, json!({ "permissions": given }));
    let older = configuration(Dialect::V1, &given);
    let expected = json!({ "permission": {
        "bash": "ask",
        "edit": "ask",
        "external_directory": { "*": "ask", "/d\"q/*": "allow" },
    } });
    assert_eq!(serde_json::from_str::<Value>(&older).unwrap(), expected);
    // The last one that matches counts, so the order of the text is what it says.
    assert!(older.find("\"*\"") < older.find("/*\""), "{older}");
    let short = configuration(Dialect::V1, &rules(&["shell * ask", "edit * ask"]));
    assert_eq!(short, "{\n  \"permission\": {\n    \"bash\": \"ask\",\n    \"edit\": \"ask\"\n  }\n}");
}

const ACTIONS: [&str; 6] = ["shell", "edit", "external_directory", "webfetch", "read", "mine"];

fn claimed(unasked: Unasked, action: &str) -> bool {
    let own = match action {
        "shell" => unasked.commands,
        "edit" => unasked.edits,
        "external_directory" => unasked.outside,
        "webfetch" => unasked.fetches,
        _ => false,
    };
    own || unasked.anything
}

fn some_rules(resource: &'static str) -> impl Strategy<Value = Vec<Rule>> {
    let action = "(\\*|\\*|shell|edit|Edit|external_directory|webfetch|[es]\\*|\\*l|\\*t\\*|mine|[?]{4})";
    let one = (action, resource, "(allow|allow|ask|deny)");
    prop::collection::vec(one.prop_map(|(a, r, e)| rule(&format!("{a} {r} {e}"))), 0..7)
}

fn decided(rules: &[Rule], action: &str, resource: &str, case: Case, directory: Option<&str>) -> Effect {
    let rules = Rules { agent: Some(rules.to_vec()), directory: directory.map(str::to_owned), ..Rules::default() };
    evaluate(&rules, action, &[resource.to_owned()], case).effect
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is asked for, and wherever, nothing is asked of which it is said that nobody is ever asked.
    #[test]
    fn what_is_claimed_is_never_contradicted(
        given in some_rules("(\\*|\\*|\\*\\*|/w/\\*|[aB/*?]{1,4}|a \\*)"),
        resources in prop::collection::vec("(/w/|a )?[abB/ ]{0,4}", 4),
    ) {
        let unasked = Unasked::by(&given);
        let servers = [(Case::Sensitive, None), (Case::Sensitive, Some("/w")), (Case::Folded, Some("/w"))];
        for action in ACTIONS.into_iter().filter(|action| claimed(unasked, action)) {
            for resource in &resources {
                for (case, directory) in servers {
                    let effect = decided(&given, action, resource, case, directory);
                    prop_assert_ne!(effect, Effect::Ask, "{} {:?} under {:?}", action, resource, &given);
                }
            }
        }
    }

    /// And so on servers that call commands otherwise, unless a tool of others is called `shell` there.
    #[test]
    fn what_is_claimed_in_newer_words_holds_in_older_ones(
        given in prop::collection::vec(
            "(\\*|bash|b\\*|\\*s\\*|s\\*|BASH) (\\*|a|a\\*) (allow|allow|ask|deny)".prop_map(|line| rule(&line)),
            0..6,
        ),
        resource in "[ab]{0,2}",
    ) {
        let newer = |one: &Rule| Rule { action: newer_word(&one.action).to_owned(), ..one.clone() };
        let unasked = Unasked::by(&given.iter().map(newer).collect::<Vec<_>>());
        if unasked.commands || unasked.anything {
            for case in [Case::Sensitive, Case::Folded] {
                prop_assert_ne!(decided(&given, "bash", &resource, case, None), Effect::Ask, "{:?}", &given);
            }
        }
    }

    /// Where all rules speak of every resource, it is told exactly.
    #[test]
    fn what_is_plain_is_claimed(given in some_rules("\\*")) {
        // These may be about something else on another server.
        let elsewhere = ["Edit", "*l", "????", "s*"];
        let given: Vec<Rule> =
            given.into_iter().filter(|rule| !elsewhere.contains(&rule.action.as_str())).collect();
        let unasked = Unasked::by(&given);
        for action in &ACTIONS[..4] {
            let asks = decided(&given, action, "x", Case::Sensitive, None) == Effect::Ask;
            let own = claimed(Unasked { anything: false, ..unasked }, action);
            prop_assert_eq!(own, !asks, "{} under {:?}", action, &given);
        }
    }
}
