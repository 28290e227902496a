//! Commands that pass by the rules file of their project, and what is learned into it.

use std::path::Path;

use gavel_core::{Decision, Recommendation, Settled, Source};
use gavel_runtime::api::{
    Answer, Call, EvidenceBy, Preferences, ProjectRules, RulesChange, RulesState, TrialOutcome, Verdict,
};
use gavel_stand_in::StandIn;
use gavel_tests::gavel::{DEADLINE, Gavel, Options, hurry};
use gavel_tests::host::Kind;
use gavel_tests::wait::eventually;
use serde_json::Value;
use tempfile::TempDir;

use super::{PROJECT, runs, say, you};

/// The rules file of [`PROJECT`].
const FILE: &str = "home-dev-project.json";

async fn with_rules(kind: &Kind, folder: &Path) -> (StandIn, Gavel) {
    let server = StandIn::start(kind.options()).await.unwrap();
    let options = Options {
        servers: vec![server.url()],
        rules: Some(folder.to_owned()),
        tuning: hurry(),
        // A command that passes by itself must not be notified in between.
        grace: 1_000,
        ..Options::default()
    };
    let gavel = Gavel::start(options).await;
    gavel.in_sync(&server.url()).await;
    (server, gavel)
}

fn rules(folder: &TempDir) -> Value {
    std::fs::read(folder.path().join(FILE)).map_or(Value::Null, |bytes| serde_json::from_slice(&bytes).unwrap())
}

async fn rules_say(folder: &TempDir, what: &str, wish: impl Fn(&Value) -> bool) {
    eventually(what, DEADLINE, async || {
        let rules = rules(folder);
        if wish(&rules) { Ok(()) } else { Err(rules.to_string()) }
    })
    .await;
}

fn by_rule(line: &str, source: Source) -> Settled {
    Settled::Rule { line: line.into(), source }
}

/// A project that is there, with a repository as git begins one.
struct Project(TempDir);

impl Project {
    fn new() -> Self {
        let project = Self(tempfile::tempdir().unwrap());
        std::fs::create_dir_all(project.0.path().join(".git/objects")).unwrap();
        std::fs::create_dir_all(project.0.path().join(".git/refs")).unwrap();
        project.file(".git/HEAD", "ref: refs/heads/main\n");
        project.file(".git/config", "[core]\n\tbare = false\n");
        project
    }

    fn directory(&self) -> &str {
        self.0.path().to_str().unwrap()
    }

    fn file(&self, name: &str, text: &str) {
        std::fs::write(self.0.path().join(name), text).unwrap();
    }

    /// The name of its rules file.
    fn rules(&self) -> String {
        format!("{}.json", self.directory().trim_start_matches('/').replace('/', "-"))
    }
}

/// What only reads in the project passes, and nobody is told; what only looks like it is asked about.
pub async fn what_only_reads_passes_by_itself(kind: Kind) {
    let folder = tempfile::tempdir().unwrap();
    let (server, gavel) = with_rules(&kind, folder.path()).await;
    let project = Project::new();
    say(&server, project.directory(), "shell ls -a\nshell git status --short");
    runs(&server, &["ls -a", "git status --short"]).await;
    assert_eq!(gavel.settled(2).await, [by_rule("ls *", Source::Preset), by_rule("git status *", Source::Preset)]);
    gavel.inbox(0).await;
    assert_eq!(gavel.notifications.log(), []);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was learned, so nothing is written");

    // An agent that may edit files may have seen to it that git runs something, and a checkout may hold links.
    project.file(".git/config", "[core]\n\tfsmonitor = ./run\n");
    std::os::unix::fs::symlink("/etc/hosts", project.0.path().join("link")).unwrap();
    for (command, why) in [
        ("ls -a; touch x", "creates `x`"),
        ("cat ../secret", "outside the project"),
        ("cat .env", "usually holds"),
        ("git diff --output=x", "writes"),
        ("find . -delete", "deletes"),
        ("git status --short", "has a setting that isn't known to be harmless"),
        ("cat link", "is a link"),
    ] {
        say(&server, project.directory(), &format!("shell {command}"));
        let said = eventually("why it is asked about", DEADLINE, async || {
            let verdict = gavel.only_request().await.verdict;
            let says_why = |verdict: &&Verdict| verdict.reason.contains(why);
            verdict.as_ref().filter(says_why).map(|verdict| verdict.recommendation).ok_or(format!("{verdict:?}"))
        });
        assert_eq!(said.await, Recommendation::Ask, "{command}");
        let request = gavel.only_request().await;
        gavel.decide(&request, Decision::decline("no")).await;
        gavel.inbox(0).await;
    }
    runs(&server, &["ls -a", "git status --short"]).await;
}

/// Where the user wants to see everything, nothing passes and nothing is learned.
pub async fn without_rules_everything_is_asked_about(kind: Kind) {
    let folder = tempfile::tempdir().unwrap();
    let (server, gavel) = with_rules(&kind, folder.path()).await;
    let preferences = Preferences { rules: false, ..gavel.snapshot().preferences.clone() };
    gavel.call(Call::SetPreferences { preferences }).await;
    for times in 1..=4 {
        say(&server, PROJECT, "shell ls");
        gavel.decide(&gavel.only_request().await, Decision::AllowOnce).await;
        assert_eq!(gavel.settled(times).await[times - 1], you(Decision::AllowOnce));
        gavel.inbox(0).await;
    }
    assert_eq!(rules(&folder), Value::Null);
}

/// The third approval in a row is the last one that is needed, and a refusal takes it all back.
pub async fn what_was_approved_often_is_learned(kind: Kind) {
    let folder = tempfile::tempdir().unwrap();
    let (server, gavel) = with_rules(&kind, folder.path()).await;
    for times in 1..=3 {
        say(&server, PROJECT, "shell touch  often");
        gavel.decide(&gavel.only_request().await, Decision::AllowOnce).await;
        gavel.settled(times).await;
        gavel.inbox(0).await;
    }
    let learned = |rules: &Value| {
        rules["learned"][0]["command"] == "touch often" && rules["pending"] == Value::Object(Default::default())
    };
    rules_say(&folder, "what was learned", learned).await;
    say(&server, PROJECT, "shell touch often\nshell touch other");
    let other = eventually("the other command", DEADLINE, async || {
        let requests = gavel.snapshot().requests.clone();
        requests.into_iter().find(|request| request.text == "touch other").ok_or("it is not asked about")
    })
    .await;
    assert_eq!(gavel.settled(4).await[3], by_rule("touch often", Source::Learned));
    gavel.decide(&other, Decision::decline("no")).await;
    gavel.inbox(0).await;

    // Another project has learned nothing.
    say(&server, "/home/dev/other", "shell touch often");
    gavel.decide(&gavel.only_request().await, Decision::decline("no")).await;
    gavel.inbox(0).await;
    assert_eq!(rules(&folder)["learned"][0]["command"], "touch often");
}

/// What destroys is approved every time.
pub async fn what_destroys_is_never_learned(kind: Kind) {
    let folder = tempfile::tempdir().unwrap();
    let (server, gavel) = with_rules(&kind, folder.path()).await;
    for times in 1..=4 {
        say(&server, PROJECT, "shell rm -rf build");
        gavel.decide(&gavel.only_request().await, Decision::AllowOnce).await;
        assert_eq!(gavel.settled(times).await[times - 1], you(Decision::AllowOnce));
        gavel.inbox(0).await;
    }
}

/// A broken file lets nothing pass, and is left as it is; mended, it counts at once.
pub async fn a_broken_rules_file_lets_nothing_pass(kind: Kind) {
    let folder = tempfile::tempdir().unwrap();
    let project = Project::new();
    let file = folder.path().join(project.rules());
    std::fs::write(&file, r#"{"version":1,"preset":["ls *"],"learned":"#).unwrap();
    let (server, gavel) = with_rules(&kind, folder.path()).await;
    say(&server, project.directory(), "shell ls");
    gavel.decide(&gavel.only_request().await, Decision::AllowOnce).await;
    assert_eq!(gavel.settled(1).await, [you(Decision::AllowOnce)]);
    gavel.inbox(0).await;
    assert_eq!(std::fs::read_to_string(&file).unwrap(), r#"{"version":1,"preset":["ls *"],"learned":"#);

    std::fs::write(&file, r#"{"version":1,"preset":["ls *"],"learned":[],"pending":{}}"#).unwrap();
    say(&server, project.directory(), "shell ls");
    assert_eq!(gavel.settled(2).await[1], by_rule("ls *", Source::Preset));
}

async fn shown(gavel: &Gavel, directory: &str) -> ProjectRules {
    match gavel.call(Call::ProjectRules { directory: directory.to_owned() }).await {
        Answer::ProjectRules { rules } => *rules,
        other => panic!("{other:?}"),
    }
}

/// Makes a change as the window does; by which number it can be taken back.
async fn change(gavel: &Gavel, directory: &str, change: RulesChange) -> Option<u64> {
    match gavel.call(Call::ChangeRules { directory: directory.to_owned(), change }).await {
        Answer::RulesChanged { undo } => undo,
        other => panic!("{other:?}"),
    }
}

async fn outcome(gavel: &Gavel, directory: &str, command: &str) -> TrialOutcome {
    let call = Call::TryCommand { directory: directory.to_owned(), command: command.to_owned() };
    match gavel.call(call).await {
        Answer::CommandTrial { trial } => trial.outcome,
        other => panic!("{other:?}"),
    }
}

fn commands(rules: &ProjectRules) -> Vec<&str> {
    rules.learned.iter().map(|line| line.command.as_str()).collect()
}

/// What the window shows of a project is what counts in it, and what it changes counts at once, beside whoever else writes.
pub async fn what_is_shown_of_rules_is_what_counts(kind: Kind) {
    let folder = tempfile::tempdir().unwrap();
    let (server, gavel) = with_rules(&kind, folder.path()).await;
    let project = Project::new();
    let directory = project.directory();
    let file = folder.path().join(project.rules());
    for times in 1..=2 {
        say(&server, directory, "shell touch often");
        gavel.decide(&gavel.only_request().await, Decision::AllowOnce).await;
        gavel.settled(times).await;
        gavel.inbox(0).await;
    }
    // The project is known by its session, what was counted with what led to it, and what is approved often is suggested.
    let Answer::RulesProjects { projects, in_force: true, .. } = gavel.call(Call::RulesProjects).await else {
        panic!()
    };
    assert!(projects.iter().any(|known| known.directory == directory), "{projects:?}");
    let rules = eventually("what was counted", DEADLINE, async || {
        let rules = shown(&gavel, directory).await;
        if rules.pending.iter().any(|one| one.count == 2) { Ok(rules) } else { Err(format!("{rules:?}")) }
    })
    .await;
    assert_eq!((&rules.state, rules.learn_after), (&RulesState::Fine, 3));
    let pending = &rules.pending[0];
    assert_eq!((pending.command.as_str(), pending.by_human, pending.evidence.len()), ("touch often", 2, 2));
    assert!(pending.evidence.iter().all(|one| one.by == EvidenceBy::Human && one.allowed), "{pending:?}");
    assert_eq!(
        rules.suggestions.iter().map(|one| (one.command.as_str(), one.times)).collect::<Vec<_>>(),
        [("touch often", 2)]
    );
    assert_eq!(outcome(&gavel, directory, "touch often").await, TrialOutcome::Uncovered);

    // Somebody else writes: that is told.
    let before = gavel.snapshot().rules;
    let text = std::fs::read_to_string(&file).unwrap().replace("\"pending\"", "\"note\": [1, 2],\n  \"pending\"");
    std::fs::write(&file, text).unwrap();
    eventually("the change by others", DEADLINE, async || gavel.snapshot().rules > before).await;

    // One click lets it pass, and it passes; what others wrote is there still, and so it is when that is taken back.
    let undo = change(&gavel, directory, RulesChange::Learn { command: "touch often".into() }).await.unwrap();
    let rules = shown(&gavel, directory).await;
    assert_eq!((commands(&rules), rules.pending.len(), rules.suggestions.len()), (vec!["touch often"], 0, 0));
    assert!(matches!(outcome(&gavel, directory, "touch often").await, TrialOutcome::Passes { .. }));
    say(&server, directory, "shell touch often");
    assert_eq!(gavel.settled(3).await[2], by_rule("touch often", Source::Learned));
    gavel.inbox(0).await;
    let Answer::RulesChanged { undo: Some(_) } = gavel.call(Call::UndoRules { undo }).await else { panic!() };
    let written: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!((&written["note"], &written["pending"]["touch often"]), (&serde_json::json!([1, 2]), &2.into()));
    say(&server, directory, "shell touch often");
    gavel.decide(&gavel.only_request().await, Decision::decline("no")).await;
    gavel.inbox(0).await;

    // A line that is taken out no longer counts, and one that never could is refused.
    assert!(matches!(outcome(&gavel, directory, "ls").await, TrialOutcome::Passes { .. }));
    change(&gavel, directory, RulesChange::RemovePreset { line: "ls *".into() }).await.unwrap();
    assert_eq!(outcome(&gavel, directory, "ls").await, TrialOutcome::Uncovered);
    for wrong in
        [RulesChange::AddPreset { line: "npm *".into() }, RulesChange::Learn { command: "rm -rf build".into() }]
    {
        let call = Call::ChangeRules { directory: directory.to_owned(), change: wrong };
        gavel.try_call(call).await.unwrap_err();
    }

    // A file that breaks is shown as such, and nothing is written into it.
    std::fs::write(&file, "{").unwrap();
    let rules = shown(&gavel, directory).await;
    assert!(matches!(rules.state, RulesState::Broken { .. }), "{rules:?}");
    assert_eq!(outcome(&gavel, directory, "cat a").await, TrialOutcome::NoRules);
    let call =
        Call::ChangeRules { directory: directory.to_owned(), change: RulesChange::AddPreset { line: "wc *".into() } };
    gavel.try_call(call).await.unwrap_err();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "{");
}
