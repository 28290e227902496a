use std::collections::BTreeSet;
use std::process::{Command, Stdio};

use super::*;

const KEEP: usize = 10;

/// Two write the same file as fast as they can, each learning a line in every round and forgetting it some rounds later:
/// none is lost, and none comes back.
fn write_beside_the_plugin(rounds: usize, forgetful: bool) {
    let scene = Scene::quick();
    scene.put(r#"{"version": 1, "preset": ["ls *"], "learned": [], "pending": {}}"#);
    let mut file = scene.open();
    file.apply(Change::AddPreset("begin *".into())).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules_file/tests/plugin.mjs");
    let mut plugin = Command::new("node");
    plugin.arg(script).arg(file.path()).args([rounds.to_string(), KEEP.to_string()]);
    plugin.args(forgetful.then_some("forgetful")).stderr(Stdio::piped());
    let mut plugin = plugin.spawn().expect("node");
    let counted =
        |line| Change::Approve { line, by: By::Judge, learn_after: u64::MAX, destructive: false, at: Moment(0) };
    for round in 1..=rounds {
        assert!(file.apply(learn(&format!("ours {round}"))).unwrap());
        assert!(file.apply(counted(line("count ours"))).unwrap());
        if round > KEEP {
            let old = format!("ours {}", round - KEEP);
            assert!(learned(&file).contains(&old.as_str()), "`{old}` is lost");
            assert!(file.apply(Change::RemoveLearned(old)).unwrap());
        }
        // The other one is slower to begin, and may be slower or quicker after that.
        let theirs = |file: &RulesFile| learned(file).iter().any(|one| one.starts_with("theirs"));
        while round == 1 && !theirs(&file) && plugin.try_wait().unwrap().is_none() {
            file.look();
        }
    }
    while plugin.try_wait().unwrap().is_none() {
        file.look();
    }
    let ended = plugin.wait_with_output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    file.look();
    let written = on_disk(file.path());
    let file = scene.open();
    let left: BTreeSet<String> = learned(&file).iter().map(|one| (*one).to_owned()).collect();
    let last = (rounds - KEEP + 1..=rounds).flat_map(|round| [format!("ours {round}"), format!("theirs {round}")]);
    let expected: BTreeSet<String> = last.collect();
    if forgetful {
        // Whether it had seen something and taken it out, or never seen it, can only be guessed.
        assert!(left.is_superset(&expected), "{left:?}");
    } else {
        assert_eq!(left, expected);
    }
    assert_eq!(written["pending"]["count ours"], rounds);
    // When both count at once, one of it doesn't count: better too few than too many.
    let theirs = written["pending"]["count theirs"].as_u64().unwrap() as usize;
    assert!((rounds / 2..=rounds).contains(&theirs), "{theirs}");
    assert_eq!(scene.names().len(), 1, "nothing is left behind");
}

#[test]
fn no_line_is_lost_beside_the_plugin() {
    write_beside_the_plugin(1000, false);
}

#[test]
fn no_line_is_lost_beside_a_plugin_that_drops_what_it_does_not_know() {
    write_beside_the_plugin(100, true);
}

#[test]
fn two_of_ours_lose_nothing_of_each_other() {
    let scene = Scene::quick();
    std::thread::scope(|threads| {
        for writer in ["one", "other"] {
            let mut file = scene.open();
            threads.spawn(move || {
                for round in 0..100 {
                    file.apply(learn(&format!("{writer} {round}"))).unwrap();
                }
            });
        }
    });
    assert_eq!(learned(&scene.open()).len(), 200);
}
