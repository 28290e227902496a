//! What a real OpenCode 1.18.33 said, replayed: through the decoder and the dialect into events, and through the flow
//! machine into an inbox. `fixtures/recordings/v1` holds one scenario per file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use gavel_core::flow::{Effect, Event, Flow, Happened, WireEvent};
use gavel_core::question::{self, Question, Response};
use gavel_core::{Ask, Decision, Link, Moment, Origin, Reply, Route, ServerId, ServerInfo, Settled, display};
use gavel_opencode::dialect::Said;
use gavel_opencode::dialect::v1::from_wire::decode;
use gavel_opencode::sse::{Decoder, Frame};
use serde_json::Value;

/// For every scenario, the requests in the order they were asked, and how each one ended for somebody who only
/// watched: answered elsewhere (`once`, `always`, `reject`), `ended` with its run, or still `waits` in the inbox.
/// `ended, refused`: its session was deleted, so that the hanging run had to be freed by a refusal.
const SCENARIOS: &[(&str, &[&str])] = &[
    ("01-bash-ask-once.event", &["Run touch once.txt: once"]),
    ("01-bash-ask-once.global-event", &["Run touch once.txt: once"]),
    ("02-bash-ask-reject-no-message", &["Run touch rej.txt: reject"]),
    ("03-bash-ask-reject-with-message", &["Run touch rej2.txt: reject"]),
    ("04-legacy-route-once", &["Run touch leg.txt: once"]),
    ("04b-legacy-route-wrong-session", &["Run touch leg2.txt: once"]),
    ("05-reply-twice-and-errors", &["Run touch tw.txt: once"]),
    ("05b-reply-race-two-clients", &["Run touch race.txt: reject"]),
    ("06-two-pending-reject-one-no-message", &["Run touch p1.txt: reject", "Run mkdir -p p2: reject"]),
    ("06b-two-pending-reject-one-with-message", &["Run touch p1.txt: reject", "Run mkdir -p p2: reject"]),
    ("06c-two-sessions-pending-reject-one", &["Run touch q1.txt: reject", "Run touch q2.txt: once"]),
    ("06d-two-pending-once-each", &["Run touch p1.txt: once", "Run mkdir -p p2: once"]),
    (
        "07-always-resolves-other-pending",
        &["Run cat a.txt: always", "Run cat once.txt: always", "Run ls: once", "Run cat hello.txt: once"],
    ),
    ("08-always-then-same-and-other-session", &[]),
    ("08b-always-scope-other-directory-and-restart", &["Run cat hello.txt: once"]),
    ("08c-always-after-restart", &["Run cat hello.txt: once"]),
    (
        "09-ask-kinds-write-edit-webfetch-external-compound",
        &[
            "Edit new.txt: once",
            "Run cat once.txt: once",
            "Edit hello.txt: once",
            "Go outside the project: /home/dev/outside/*: once",
            "Fetch http://127.0.0.1:18080/fetch-me: once",
            // The directory that is changed to is in no pattern, but it is in the command.
            "Run cd sub && rm -rf x && git commit -m \"a b\" | tee /home/dev/outside/o.txt: once",
            "Go outside the project: /home/dev/outside/*: once",
            "Run cat /home/dev/outside/secret.txt: once",
            "Run git status --short && npm run build; echo $(whoami): once",
            "Go outside the project: /home/dev/outside/*: once",
            "Run echo wd: once",
        ],
    ),
    (
        "09b-external-directory-shell-forms",
        &[
            "Run echo x > /home/dev/outside/y.txt: reject",
            "Run tee /home/dev/outside/z.txt < hello.txt: reject",
            "Run python3 -c \"open('/home/dev/outside/p','w'): reject",
            "Go outside the project: /home/dev/outside/*: reject",
            "Go outside the project: /home/dev/outside/*: reject",
            "Go outside the project: /home/dev/outside/*: reject",
        ],
    ),
    ("09c-deny-rule", &[]),
    ("10-doom-loop", &[]),
    (
        "10b-doom-loop-parallel",
        &[
            "Run echo z: once",
            "Run echo z: once",
            "Run echo z: once",
            "Repeat the same call again: bash: once",
            "Run echo z: once",
            "Repeat the same call again: bash: once",
        ],
    ),
    ("11-question-single-reply", &[]),
    ("11-question-single-reply.event", &[]),
    ("12-question-multi-multiple-and-custom", &[]),
    ("12b-question-odd-answers-empty", &[]),
    ("12b-question-odd-answers-fewer", &[]),
    ("12b-question-odd-answers-none", &[]),
    ("12b-question-odd-answers-toomany", &[]),
    ("13-question-reject", &[]),
    ("15-subagent-ask", &["Run touch from-sub.txt: once"]),
    ("15-subagent-ask.event", &["Run touch from-sub.txt: once"]),
    ("15b-subagent-ask-reject", &["Run touch from-sub2.txt: reject"]),
    ("15c-subagent-ask-reject-with-message", &["Run touch from-sub3.txt: reject"]),
    // The late approval that follows finds nothing in the inbox any more.
    ("16-abort-while-pending", &["Run touch ab.txt: ended"]),
    ("16b-abort-while-question-pending", &[]),
    ("16c-abort-parent-while-subagent-pending", &["Run touch zz.txt: ended"]),
    ("16d-delete-session-while-pending", &["Run touch del.txt: ended, refused"]),
    ("16e-second-prompt-while-pending", &["Run touch sp.txt: once"]),
    ("16f-instance-dispose-while-pending", &["Run touch disp.txt: ended"]),
    ("16g-delete-session-then-approve", &["Run touch del2.txt: ended, refused"]),
    // The second one is asked by the run of the session deleted in 16g, which then fails.
    ("16h-abort-then-late-approve", &["Run touch ab2.txt: ended", "Run touch del2.txt: ended"]),
    (
        "16i-zombies-and-session-status",
        &["Run touch ab3.txt: ended", "Run touch del3.txt: ended, refused", "Run touch ab4.txt: reject"],
    ),
    // A killed server says nothing any more: that the request is gone follows from the connection.
    ("17-kill9-while-pending", &["Run touch rs.txt: waits"]),
    ("17b-after-restart", &[]),
    (
        "17c-ask-left-pending-several-minutes",
        &[
            "Run touch longpend.txt: waits",
            "Run touch attach.txt: reject",
            "Run echo x > /home/dev/outside/y.txt: reject",
            "Run tee /home/dev/outside/z.txt < hello.txt: reject",
            "Run python3 -c \"open('/home/dev/outside/p','w'): reject",
            "Go outside the project: /home/dev/outside/*: reject",
            "Go outside the project: /home/dev/outside/*: reject",
            "Go outside the project: /home/dev/outside/*: reject",
            "Run touch om.txt: once",
        ],
    ),
    ("18-sse-reconnect-first", &["Run touch rc.txt: waits"]),
    // Nothing is replayed: only the listing could tell of the request that is answered here.
    ("18-sse-reconnect-second", &[]),
    ("19-two-directories.event-dir1", &["Run touch d1.txt: once"]),
    ("19-two-directories.event-dir2-header", &["Run touch d2.txt: once"]),
    ("19-two-directories.event-no-directory", &["Run touch d1.txt: once"]),
    (
        "19-two-directories.global-event",
        &["Run touch d1.txt: once", "Run touch d2.txt: once", "Run touch sd.txt: once"],
    ),
    ("19b-four-directories-discovery", &["Run touch n4.txt: once", "Run touch n3.txt: once"]),
    ("20-heartbeat-idle.api-event", &[]),
    ("20-heartbeat-idle.event", &[]),
    ("21-tui-toast-no-tui", &[]),
    ("21-tui-toast-no-tui.event", &[]),
    ("23-api-v1-ask-visibility", &["Run touch v1.txt: once"]),
    // The server ended this stream by itself before the request came.
    ("24-api-v2-session.api-event", &[]),
    ("24-api-v2-session.event", &["Run touch v2.txt: waits"]),
    ("24-api-v2-session.global-event", &["Run touch v2.txt: waits"]),
    ("24b-api-v2-once.api-event", &["Run touch v2b.txt: once"]),
    ("24b-api-v2-once.global-event", &["Run touch v2b.txt: once"]),
    ("24c-api-v2-reject-with-message.api-event", &["Run touch v2c.txt: reject"]),
    ("24c-api-v2-reject-with-message.global-event", &["Run touch v2c.txt: reject"]),
    ("24d-api-v2-reject.api-event", &["Run touch v2d.txt: reject"]),
    ("24d-api-v2-reject.global-event", &["Run touch v2d.txt: reject"]),
    ("24e-api-v2-always.api-event", &["Run wc hello.txt: always"]),
    ("24e-api-v2-always.global-event", &["Run wc hello.txt: always"]),
    ("24f-api-v2-question.api-event", &[]),
    ("24f-api-v2-question.global-event", &[]),
    ("24g-api-v2-interrupt-while-pending.api-event", &["Run touch v2g.txt: ended"]),
    ("24g-api-v2-interrupt-while-pending.global-event", &["Run touch v2g.txt: ended"]),
    ("24h-api-create-ask", &["Run rm -rf /: waits"]),
    ("30-auth", &[]),
    ("40-latency.global-event", &["Run touch lat.txt: once"; 10]),
    ("41-long-stream-fast.global-event", &[]),
    ("41-long-stream-slow.global-event", &[]),
    (
        "50-plugin-hooks",
        &[
            "Run echo plain: once",
            "Run echo HOOKALLOW: once",
            // The plugin wrote the command anew: what is shown is what runs.
            "Run echo rewritten-by-plugin: once",
            "Run echo other: once",
            "Run echo SLOW: once",
            "Edit w.txt: once",
            "Run echo THROW: once",
        ],
    ),
    ("51-opencode-run-attach-auto-rejects", &["Run touch attach.txt: reject"]),
    ("52-tui-dialog-answered-by-http.global-event", &["Run touch tuiask.txt: once", "Run touch tuiask2.txt: reject"]),
    ("53-model-error-401", &[]),
];

/// The questions of those scenarios that have any, and how each ended for somebody who only watched.
const QUESTIONS: &[(&str, &[&str])] = &[
    ("11-question-single-reply", &["Which colour should the button have?: Red"]),
    ("11-question-single-reply.event", &["Which colour should the button have?: Red"]),
    (
        "12-question-multi-multiple-and-custom",
        &["Which database? (and 2 more questions): MySQL, please (free text) / Auth, Export / Yes"],
    ),
    ("12b-question-odd-answers-empty", &["Which database? (and 2 more questions): "]),
    ("12b-question-odd-answers-fewer", &["Which database? (and 2 more questions): SQLite"]),
    ("12b-question-odd-answers-none", &["Which database? (and 2 more questions): "]),
    (
        "12b-question-odd-answers-toomany",
        &["Which database? (and 2 more questions): SQLite, Postgres / Auth / Maybe free text although custom false"],
    ),
    ("13-question-reject", &["Which colour should the button have?: cancelled"]),
    ("16b-abort-while-question-pending", &["Which colour should the button have?: ended"]),
    ("16i-zombies-and-session-status", &["Which colour should the button have?: ended"]),
    ("23-api-v1-ask-visibility", &["Which colour should the button have?: waits"]),
    ("24f-api-v2-question.api-event", &["Which colour should the button have?: Blue"]),
    ("24f-api-v2-question.global-event", &["Which colour should the button have?: Blue"]),
];

/// Later than every recording, by less than an hour.
const NOW: Moment = Moment(1_796_026_500_000);

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/recordings/v1")
}

fn server() -> ServerId {
    ServerId::from("http://127.0.0.1:4096")
}

/// The rows of a recording: when, and what was on the stream, put back into the form it had there.
fn rows(name: &str) -> Vec<(u64, String)> {
    let text = fs::read_to_string(folder().join(format!("{name}.ndjson"))).unwrap();
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let on_stream = rows.filter(|row| row["stream"].as_str().is_some_and(|stream| stream != "client"));
    on_stream
        .map(|row| {
            let millis = (row["t"].as_f64().unwrap() * 1000.0) as u64;
            match row["sse"]["comment"].as_str() {
                Some(comment) => (millis, format!(": {comment}\n\n")),
                None => (millis, format!("data: {}\n\n", row["data"])),
            }
        })
        .collect()
}

/// Everything a replay brought to light.
#[derive(Default)]
struct Replay {
    asks: Vec<Ask>,
    questions: Vec<Question>,
    settled: BTreeMap<String, Settled>,
    refused: BTreeSet<String>,
    waiting: BTreeSet<String>,
    unknown: BTreeSet<String>,
    notes: Vec<String>,
    unreadable: usize,
    flow: Flow,
}

fn replay(name: &str) -> Replay {
    let mut replay = Replay::default();
    let info = ServerInfo { id: server(), name: "it".to_owned(), origin: Origin::Settings };
    let _ = replay.flow.step(Event::ServerAdded(info), NOW);
    let _ = replay.flow.step(
        Event::Link(server(), Link::Online { version: "1.18.33".to_owned(), dialect: gavel_core::Dialect::V1 }),
        NOW,
    );
    let mut decoder = Decoder::default();
    for (millis, bytes) in rows(name) {
        let now = NOW.plus(millis);
        let frames = decoder.feed(bytes.as_bytes());
        let [frame] = frames.as_slice() else { panic!("{name}: {frames:?}") };
        let Frame::Event(text) = frame else { continue };
        let decoded = decode(text, now, &server());
        replay.notes.extend(decoded.diagnostics.clone());
        match &decoded.said {
            Said::Unknown(kind) => drop(replay.unknown.insert(kind.clone())),
            Said::Unreadable => replay.unreadable += 1,
            _ => {}
        }
        let Said::Event(event) = decoded.said else { continue };
        if let WireEvent::Asked(ask) = &event {
            replay.asks.push((**ask).clone());
        }
        if let WireEvent::QuestionAsked(question) = &event {
            replay.questions.push((**question).clone());
        }
        let effects = replay.flow.step(Event::Wire(server(), event), now);
        for effect in effects {
            match effect {
                Effect::Record(record) => {
                    if let Happened::Settled { settled } = record.what {
                        let twice = replay.settled.insert(record.key.request.0, settled);
                        assert_eq!(twice, None, "{name}: a request ended twice");
                    }
                }
                Effect::Reply { ask, decision } => {
                    assert_eq!(decision, Decision::Stop, "{name}: nobody decided anything");
                    replay.refused.insert(ask.key.request.0);
                }
                Effect::AnswerQuestion { question, response } => {
                    assert_eq!(response, Response::Cancel { reason: None }, "{name}: nobody answered anything");
                    replay.refused.insert(question.key.request.0);
                }
                _ => {}
            }
        }
    }
    replay.waiting = replay.flow.inbox().into_iter().map(|entry| entry.ask.key.request.0.clone()).collect();
    replay
}

impl Replay {
    fn summary(&self) -> Vec<String> {
        self.asks.iter().map(|ask| format!("{}: {}", display::headline(ask), self.fate(ask))).collect()
    }

    fn fate(&self, ask: &Ask) -> String {
        let id = &ask.key.request.0;
        let fate = match self.settled.get(id) {
            None if self.waiting.contains(id) => "waits".to_owned(),
            Some(Settled::AnotherClient { reply: Some(Reply::Once) }) => "once".to_owned(),
            Some(Settled::AnotherClient { reply: Some(Reply::Always) }) => "always".to_owned(),
            Some(Settled::AnotherClient { reply: Some(Reply::Reject) }) => "reject".to_owned(),
            Some(Settled::RunEnded) => "ended".to_owned(),
            other => format!("{other:?}"),
        };
        if self.refused.contains(id) { fate + ", refused" } else { fate }
    }
}

#[test]
fn every_recording_is_in_the_table() {
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let found: BTreeSet<String> = entries.filter_map(|name| Some(name.strip_suffix(".ndjson")?.to_owned())).collect();
    let listed: BTreeSet<String> = SCENARIOS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(found, listed);
    assert_eq!(listed.len(), SCENARIOS.len(), "one is listed twice");
}

#[test]
fn every_recording_comes_out_as_it_went() {
    for (name, expected) in SCENARIOS {
        assert_eq!(replay(name).summary(), *expected, "{name}");
    }
}

#[test]
fn every_question_comes_out_as_it_went() {
    let mut told = BTreeMap::new();
    for (name, _) in SCENARIOS {
        let replay = replay(name);
        let waiting: BTreeSet<&str> =
            replay.flow.questions().into_iter().map(|entry| entry.question.key.request.as_str()).collect();
        let fate = |question: &Question| match replay.settled.get(&question.key.request.0) {
            None if waiting.contains(question.key.request.as_str()) => "waits".to_owned(),
            Some(Settled::AnsweredElsewhere { answers }) => {
                answers.iter().map(|said| said.answer.as_str()).collect::<Vec<_>>().join(" / ")
            }
            Some(Settled::CancelledElsewhere) => "cancelled".to_owned(),
            Some(Settled::RunEnded) => "ended".to_owned(),
            other => format!("{other:?}"),
        };
        let of = |asked: &Question| format!("{}: {}", question::headline(asked), fate(asked));
        let summary: Vec<String> = replay.questions.iter().map(of).collect();
        if !summary.is_empty() {
            told.insert(*name, summary);
        }
    }
    let expected = QUESTIONS.iter().map(|(name, lines)| (*name, lines.iter().map(|line| (*line).to_owned()).collect()));
    assert_eq!(told, expected.collect());
}

#[test]
fn every_event_is_understood() {
    for (name, _) in SCENARIOS {
        let replay = replay(name);
        assert_eq!(replay.unknown, BTreeSet::new(), "{name}");
        assert_eq!(replay.unreadable, 0, "{name}: {:?}", replay.notes);
        // The streams of a single directory don't name it.
        replay.notes.iter().for_each(|note| {
            assert!(note.contains("without its directory") && name.contains(".event"), "{name}: {note}");
        });
    }
}

/// The answers of other routes are no events, and are not taken for any.
#[test]
fn answers_of_other_routes_are_no_events() {
    let mut seen = 0;
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let text = fs::read_to_string(&path).unwrap();
            assert!(serde_json::from_str::<Value>(&text).is_ok(), "{path:?}");
            let said = decode(&text, NOW, &server()).said;
            assert!(matches!(said, Said::Unknown(_) | Said::Unreadable), "{path:?}: {said:?}");
            seen += 1;
        }
    }
    assert_eq!(seen, 7);
    for line in fs::read_to_string(folder().join("30-auth.ndjson")).unwrap().lines() {
        assert!(matches!(decode(line, NOW, &server()).said, Said::Unknown(_) | Said::Unreadable), "{line}");
    }
}

/// The id of a request tells when it was asked: never far from the last time some session was touched.
#[test]
fn the_time_of_asking_is_in_the_id() {
    let mut checked = 0;
    for (name, _) in SCENARIOS.iter().filter(|(name, _)| !name.contains("event-")) {
        let mut touched = None;
        for (_, row) in rows(name) {
            let Some(frame) = row.strip_prefix("data: ") else { continue };
            let value: Value = serde_json::from_str(frame).unwrap();
            let payload = value.get("payload").unwrap_or(&value);
            if let Some(at) = payload["properties"]["info"]["time"]["updated"].as_u64() {
                touched = Some(at);
            }
            let Said::Event(WireEvent::Asked(ask)) = decode(frame, NOW, &server()).said else { continue };
            let asked = ask.asked.unwrap_or_else(|| panic!("{name}: {} tells no time", ask.key)).0;
            if let Some(touched) = touched {
                // One run waited 45 s for a plugin before it asked.
                assert!(asked + 1_000 > touched && asked < touched + 50_000, "{name}: {asked}, {touched}");
                checked += 1;
            }
        }
    }
    assert!(checked > 80, "{checked}");
}

#[test]
fn particulars_arrive_whole() {
    let kinds = replay("09-ask-kinds-write-edit-webfetch-external-compound").asks;
    let edit = &kinds[0];
    assert_eq!((edit.action.as_str(), edit.resources.as_slice()), ("edit", &["new.txt".to_owned()][..]));
    assert_eq!(edit.detail.path.as_deref(), Some("/home/dev/project/new.txt"));
    assert!(edit.detail.diff.as_ref().unwrap().contains("+line one\n+line two\n"));
    assert_eq!(edit.save, ["*"]);
    assert_eq!(edit.directory, "/home/dev/project");
    assert_eq!(kinds[3].action, "external_directory");
    assert_eq!(kinds[3].detail.path.as_deref(), Some("/home/dev/outside/secret.txt"));
    assert_eq!(kinds[4].detail.url.as_deref(), Some("http://127.0.0.1:18080/fetch-me"));
    assert_eq!(kinds[5].resources, ["rm -rf x", "git commit -m \"a b\"", "tee /home/dev/outside/o.txt"]);
    assert_eq!(kinds[8].save, ["git status *", "npm run build *", "echo *", "whoami *"]);

    let loops = replay("10b-doom-loop-parallel").asks;
    assert_eq!((loops[3].action.as_str(), &loops[3].call), ("doom_loop", &None));
    assert_eq!(loops[3].detail.metadata["input"]["command"], "echo z");
}

#[test]
fn what_the_agent_says_of_a_call_reaches_its_request() {
    for (name, purpose) in [
        ("17-kill9-while-pending", "Runs: touch rs.txt"),
        ("18-sse-reconnect-first", "Runs: touch rc.txt"),
        ("24-api-v2-session.global-event", "Runs: touch v2.txt"),
    ] {
        let replay = replay(name);
        let inbox = replay.flow.inbox();
        assert_eq!(inbox.len(), 1, "{name}");
        assert_eq!(inbox[0].ask.detail.purpose.as_deref(), Some(purpose), "{name}");
        assert_eq!(inbox[0].ask.detail.workdir, None, "{name}");
    }
}

#[test]
fn preview_requests_are_known_as_such_and_carry_the_command() {
    let replayed = replay("24-api-v2-session.global-event");
    let asks = &replayed.asks;
    assert_eq!((asks[0].route, &asks[0].detail.command), (Route::Preview, &None));
    // The request doesn't name the command; the call does, and so does the inbox.
    assert_eq!(replayed.flow.inbox()[0].ask.detail.command.as_deref(), Some("touch v2.txt"));
    assert_eq!(asks[0].call.as_ref().unwrap().call.as_str(), "call_fake_261");
    let made_by_a_client = &replay("24h-api-create-ask").asks[0];
    assert_eq!((made_by_a_client.route, &made_by_a_client.detail.command), (Route::Preview, &None));
    assert_eq!(replay("50-plugin-hooks").asks.iter().filter(|ask| ask.route == Route::Preview).count(), 1);
}

#[test]
fn a_sub_agent_hangs_under_its_parent() {
    let replay = replay("15-subagent-ask");
    let sessions = &replay.flow.servers()[&server()].sessions;
    let titles: Vec<(&str, Option<&str>)> = sessions
        .chain(&replay.asks[0].session)
        .into_iter()
        .map(|session| (session.title.as_str(), session.agent.as_deref()))
        .collect();
    assert_eq!(titles, [("Fake title", Some("build")), ("Sub-agent job (@general subagent)", Some("general"))]);
}
