//! What the modes are meant to do, written down a second time and independently, against what the evaluator makes of
//! the rules: every mode, with and without plan and sub-agents, for every default agent and every action.

use std::collections::BTreeSet;

use gavel_core::modes::{
    AgentPaths, Mode, Stance, appended_block, merge_own_block, older_rules, older_word, path_allowances, session_rules,
};
use gavel_core::rules::{Case, Effect, Pattern, Rule, Rules, evaluate};
use proptest::prelude::*;

use super::support::{CONFIG, DATA, PLANS, TMP, agent, agents};

const ACTIONS: [&str; 13] = [
    "shell",
    "edit",
    "read",
    "external_directory",
    "glob",
    "grep",
    "webfetch",
    "websearch",
    "skill",
    "subagent",
    "question",
    "github_create_issue",
    "doom_loop",
];

/// What a session in this stance is meant to do. Title and summary have no places of their own: they use no tools.
fn intent(stance: Stance, agent: &str, action: &str, resource: &str) -> Effect {
    let inside = |place: &str| resource.strip_prefix(place).is_some_and(|rest| rest.starts_with('/'));
    let in_shell = resource.strip_prefix(&format!("{DATA}/shell/")).is_some_and(|rest| rest.contains('/'));
    let managed = in_shell || inside(&format!("{DATA}/tool-output")) || inside(TMP) || inside(CONFIG);
    let keeps_places = !matches!(agent, "title" | "summary");
    let free = stance.mode == Mode::FullAccess;
    match action {
        "subagent" if !stance.subagents => Effect::Deny,
        "edit" if stance.plan && inside(PLANS) => Effect::Allow,
        "edit" if stance.plan => Effect::Deny,
        "edit" if free || stance.mode == Mode::AutoAcceptEdits => Effect::Allow,
        "shell" | "edit" if !free => Effect::Ask,
        "external_directory" if free => Effect::Allow,
        "external_directory" if managed && (keeps_places || stance.plan) => Effect::Allow,
        "external_directory" if inside(PLANS) && (stance.plan || agent == "plan") => Effect::Allow,
        "external_directory" => Effect::Ask,
        _ => Effect::Allow,
    }
}

fn stances() -> Vec<Stance> {
    let mut all = Vec::new();
    for mode in Mode::ALL {
        for plan in [false, true] {
            all.extend([false, true].map(|subagents| Stance { mode, plan, subagents }));
        }
    }
    all
}

/// More than two hundred things that may be asked for, each once.
fn resources() -> BTreeSet<String> {
    let names = ["a", "src/lib.rs", "x y", ".env", ".env.example", "plan.md", "ünï/😀", "*", "?", "new\nline", "*.pem"];
    let homes = [
        String::new(),
        "../".into(),
        "/".into(),
        "/etc/".into(),
        "/work/app/".into(),
        format!("{DATA}/"),
        format!("{DATA}/shell/"),
        format!("{DATA}/shell/1/"),
        format!("{DATA}/tool-output/"),
        format!("{DATA}/tool-outputs/"),
        format!("{CONFIG}/"),
        format!("{TMP}/"),
        format!("{TMP}-else/"),
        format!("{PLANS}/"),
        format!("{PLANS}s/"),
        "~/.opencode/plan/".into(),
    ];
    let mut all: BTreeSet<String> =
        homes.iter().flat_map(|home| names.iter().map(move |name| format!("{home}{name}"))).collect();
    let commands = [
        "git push",
        "rm -rf /",
        "ls; rm x",
        "npm test && git push",
        "echo $(id)",
        "general",
        "explore",
        "https://x.y/z",
        "",
        " ",
        "..",
        "~",
        "git  push",
        "C:\\work\\app\\a",
        "a * b",
        "[a-z]",
        "production",
        "bash",
        "*.env",
        "x.env.local",
        "/home/dev",
        "/home/dev/.opencode",
        "/home/dev/.opencode/plan",
        "/tmp",
    ];
    all.extend(commands.map(str::to_owned));
    all.extend(homes.iter().map(|home| format!("{home}**")));
    all
}

fn holds(stance: Stance, name: &str, rules: &Rules, action: &str, resource: &str) {
    let found = evaluate(rules, action, &[resource.to_owned()], Case::Sensitive).effect;
    let meant = intent(stance, name, action, resource);
    assert_eq!(found, meant, "{stance:?}, agent {name}: {action} {resource:?}");
}

fn in_session(stance: Stance, name: &str) -> Rules {
    let own = agent(name);
    let (acting, plan) = (path_allowances(&own), path_allowances(&agent("plan")));
    let session = session_rules(stance, AgentPaths { acting: &acting, plan: &plan }, &[], &[]);
    Rules { agent: Some(own), session, ..Rules::default() }
}

#[test]
fn every_stance_does_what_it_is_meant_to() {
    let resources = resources();
    assert!(resources.len() > 200, "{}", resources.len());
    for stance in stances() {
        for (name, _) in agents() {
            let rules = in_session(stance, name);
            for action in ACTIONS {
                for resource in &resources {
                    holds(stance, name, &rules, action, resource);
                }
            }
        }
    }
}

/// The same in the words of 1.x, in which the actions are told there.
#[test]
fn and_so_it_does_in_older_words() {
    let resources = resources();
    for stance in stances() {
        for (name, _) in agents() {
            let Rules { agent, session, .. } = in_session(stance, name);
            let older = |rules: Vec<Rule>| older_rules(&rules);
            let rules = Rules { agent: agent.map(older), session: older(session), ..Rules::default() };
            for action in ACTIONS {
                for resource in &resources {
                    let asked = [resource.clone()];
                    let found = evaluate(&rules, older_word(action), &asked, Case::Sensitive).effect;
                    let meant = intent(stance, name, action, resource);
                    assert_eq!(found, meant, "{stance:?}, agent {name}: {action} {resource:?}");
                }
            }
        }
    }
}

/// The other way round: what the agents' own rules decide where no session rules stand, so that the table above is
/// known to be the doing of the session rules.
#[test]
fn without_session_rules_the_agents_decide() {
    let decide = |name: &str, action: &str, resource: &str| {
        let rules = Rules { agent: Some(agent(name)), ..Rules::default() };
        evaluate(&rules, action, &[resource.into()], Case::Sensitive).effect
    };
    assert_eq!(decide("build", "shell", "ls"), Effect::Allow);
    assert_eq!(decide("build", "external_directory", "/etc/*"), Effect::Ask);
    assert_eq!(decide("plan", "edit", "src/a"), Effect::Deny);
    assert_eq!(decide("explore", "edit", "src/a"), Effect::Deny);
    assert_eq!(decide("title", "read", "src/a"), Effect::Deny);
}

fn anything() -> impl Strategy<Value = String> {
    let folder = prop::sample::select(vec![
        String::new(),
        "/".to_owned(),
        DATA.to_owned(),
        format!("{DATA}/shell"),
        format!("{DATA}/tool-output"),
        CONFIG.to_owned(),
        TMP.to_owned(),
        PLANS.to_owned(),
    ]);
    (folder, "[a-z*?./ \n]{0,12}").prop_map(|(folder, rest)| format!("{folder}{rest}"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn and_so_for_anything_that_may_be_asked(
        stance in prop::sample::select(stances()),
        name in prop::sample::select(agents().into_iter().map(|(name, _)| name).collect::<Vec<_>>()),
        action in prop::sample::select(ACTIONS.to_vec()),
        resources in prop::collection::vec(anything(), 20),
    ) {
        let rules = in_session(stance, name);
        for resource in resources {
            holds(stance, name, &rules, action, &resource);
        }
    }

    /// However often it is switched, and whatever others put before it, the last choice counts: in a list that can be
    /// rewritten, and in one that only grows.
    #[test]
    fn and_so_after_any_number_of_switches(
        switches in prop::collection::vec(prop::sample::select(stances()), 1..6),
        name in prop::sample::select(agents().into_iter().map(|(name, _)| name).collect::<Vec<_>>()),
        theirs in some_rules(),
        action in prop::sample::select(ACTIONS.to_vec()),
        resources in prop::collection::vec(anything(), 4),
    ) {
        // One like this at the end is taken for Gavel's own, for it is all that full access says.
        let theirs: Vec<Rule> = theirs.into_iter().filter(|one| *one != super::support::rule("* * allow")).collect();
        let (mut rewritten, mut grown, mut previous) = (theirs.clone(), theirs.clone(), Vec::new());
        for stance in &switches {
            let wanted = in_session(*stance, name).session;
            rewritten = merge_own_block(&rewritten, &previous, &wanted).unwrap_or(rewritten);
            grown.extend(appended_block(&grown, &wanted).unwrap_or_default());
            previous = wanted;
        }
        prop_assert!(rewritten.starts_with(&theirs), "what others put there stays");
        prop_assert!(rewritten.len() == theirs.len() + previous.len(), "one block, however often it was switched");
        let last = *switches.last().unwrap();
        for session in [rewritten, grown] {
            let rules = Rules { agent: Some(agent(name)), session, ..Rules::default() };
            for resource in &resources {
                holds(last, name, &rules, action, resource);
            }
        }
    }

    /// Whatever rules an agent has, its places open nothing that it may not use by itself.
    #[test]
    fn places_never_open_what_the_agent_may_not_use(
        own in some_rules(),
        blanket in "(ask|deny)",
        action in "(external_directory|edit)",
        resource in "(/a/|/b/|a/|)(b/|c/|)(b|c|x)",
    ) {
        let blanket = super::support::rule(&format!("* * {blanket}"));
        let session = [vec![blanket], path_allowances(&own)].concat();
        let alone = effect(Some(own.clone()), vec![], &action, &resource);
        let together = effect(Some(own), session.clone(), &action, &resource);
        if together == Effect::Allow {
            prop_assert_eq!(alone, Effect::Allow, "{:?}", session);
        }
    }

    /// While only a plan may be written, nothing but places the plan agent opens by name is edited, whatever rules it
    /// has, and nothing it may not edit by itself.
    #[test]
    fn a_plan_is_all_that_is_written(
        own in some_rules(),
        mode in prop::sample::select(Mode::ALL.to_vec()),
        resource in "(/a/|/b/|a/|)(b/|c/|)(b|c|x)",
    ) {
        let places = path_allowances(&own);
        let stance = Stance { plan: true, ..mode.into() };
        let session = session_rules(stance, AgentPaths { acting: &places, plan: &places }, &[], &[]);
        let together = effect(Some(own.clone()), session.clone(), "edit", &resource);
        let alone = effect(Some(own.clone()), vec![], "edit", &resource);
        let opened = own.iter().any(|rule| {
            rule.action == "edit" && rule.effect == Effect::Allow && rule.resource.contains("a/")
                && Pattern::new(&rule.resource, Case::Sensitive).matches(&resource)
        });
        match together {
            Effect::Allow => prop_assert!(opened && alone == Effect::Allow, "{:?}", session),
            Effect::Ask => prop_assert!(opened && alone != Effect::Deny, "{:?}", session),
            Effect::Deny => {}
        }
        if mode == Mode::FullAccess {
            let outside = effect(Some(own), session.clone(), "external_directory", &resource);
            prop_assert_eq!(outside, Effect::Allow, "a plan says nothing about what is outside: {:?}", session);
        }
    }
}

fn some_rules() -> impl Strategy<Value = Vec<Rule>> {
    let action = "(\\*|external_directory|edit|edit|e\\*)";
    let resource = "(\\*|/a/\\*|/a/b/\\*|/a\\*|\\*/b/\\*|\\*c|a/\\*|a/b/\\*|/\\*)";
    let one = (action, resource, "(allow|ask|deny)");
    prop::collection::vec(one.prop_map(|(a, r, e)| super::support::rule(&format!("{a} {r} {e}"))), 0..8)
}

fn effect(agent: Option<Vec<Rule>>, session: Vec<Rule>, action: &str, resource: &str) -> Effect {
    evaluate(&Rules { agent, session, ..Rules::default() }, action, &[resource.to_owned()], Case::Sensitive).effect
}
