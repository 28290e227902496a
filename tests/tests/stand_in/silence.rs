//! What is in none of the `tools`, or in `skipTools`, meets silence: nobody is asked, and the user decides.

use gavel_core::modes::{Defaults, Mode};
use gavel_core::{Decision, Settled};
use gavel_runtime::api::{Call, JudgeChoice};
use gavel_runtime::{JudgeSettings, Who};
use gavel_stand_in::StandIn;
use gavel_tests::gavel::{Gavel, Options, hurry};
use gavel_tests::host::Kind;
use serde_json::Value;

use super::advising::{Model, by_judge};
use super::{PROJECT, say, you};

/// A request of each of these kinds, about which the judge would say that it allows it.
const ASKED: [(&str, &str); 4] = [
    ("bash", "shell touch allowed"),
    ("edit", "write src/a.txt\n| touch allowed"),
    ("external_directory", "ask external_directory\n: pattern /srv/touch allowed/*"),
    ("doom_loop", "ask doom_loop\n: pattern touch allowed"),
];

type Words = &'static [&'static str];

/// What is judged, by the choice of `tools` and `skipTools`.
const CHOICES: [(Option<Words>, Words, Words); 5] = [
    (None, &["doom_loop"], &["bash", "edit"]),
    (Some(&["bash"]), &["doom_loop"], &["bash"]),
    (None, &["shell", "edit"], &["doom_loop"]),
    (Some(&["external_directory", "edit"]), &["edit"], &["external_directory"]),
    (Some(&[]), &[], &[]),
];

/// The last line of the log, as other programs read it.
fn audited(gavel: &Gavel) -> Value {
    let (folder, mut lines) = (tempfile::tempdir().unwrap(), Vec::new());
    let path = folder.path().join("activity.jsonl");
    std::fs::write(&path, gavel.log()).unwrap();
    gavel_disk::export(&path, &mut lines).unwrap();
    serde_json::from_str(String::from_utf8(lines).unwrap().lines().last().unwrap()).unwrap()
}

pub async fn what_nobody_is_to_judge_meets_silence(kind: Kind) {
    let server = StandIn::start(kind.options()).await.unwrap();
    let model = Model::default();
    let judge = JudgeSettings {
        who: Some(Who::Endpoint),
        base_url: model.start().await,
        model: "small".to_owned(),
        ..JudgeSettings::default()
    };
    let mut modes = Defaults::default();
    modes.servers.insert(server.url().into(), Mode::Auto.into());
    let (servers, judging) = (vec![server.url()], Some(judge.clone()));
    let gavel = Gavel::start(Options { servers, modes, judging, tuning: hurry(), ..Options::default() }).await;
    gavel.in_sync(&server.url()).await;
    let (mut calls, mut done) = (0, 0);
    for (tools, skipped, judged) in CHOICES {
        let mut choice = JudgeChoice::from(judge.clone());
        let owned = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        (choice.options.tools, choice.options.skip_tools) = (tools.map(owned), owned(skipped));
        gavel.call(Call::SetJudge { choice }).await;
        for (what, script) in ASKED {
            let case = format!("{what}, of {tools:?} without {skipped:?}");
            say(&server, PROJECT, script);
            done += 1;
            let by_judge = by_judge(true);
            if judged.contains(&what) {
                assert_eq!(gavel.settled(done).await.pop(), Some(by_judge), "{case}");
                calls += 1;
            } else {
                let request = gavel.only_request().await;
                assert_eq!(request.advice, None, "{case}");
                gavel.decide(&request, Decision::decline("no")).await;
                let settled: Option<Settled> = gavel.settled(done).await.pop();
                assert_eq!(settled, Some(you(Decision::decline("no"))), "{case}");
            }
            gavel.inbox(0).await;
            assert_eq!(model.asked.lock().unwrap().len(), calls, "{case}");
            let line = audited(&gavel);
            let expected = if judged.contains(&what) { ["allow", "llm"] } else { ["none", "offline"] };
            assert!(line["took_ms"].as_u64().is_some_and(|took| took < 20_000), "{case}: {line}");
            if line["source"] == "offline" {
                assert!(line["took_ms"].as_u64() >= Some(1), "{case}: it took some time: {line}");
            }
            let word = if what == "bash" { "shell" } else { what };
            assert!([what, word].contains(&line["permission"].as_str().unwrap()), "{case}: {line}");
            assert_eq!([&line["decision"], &line["source"]], expected, "{case}: {line}");
        }
    }
    assert_eq!(calls, 5, "there is something to be silent about");
}
