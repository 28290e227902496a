//! The own rules of sessions: read, set among those of others, on servers that do it, can't, or only say they did.

use std::sync::{Arc, Mutex};

use gavel_core::flow::WireEvent;
use gavel_core::modes::Cause;
use gavel_core::rules::{Effect, Rule};
use gavel_opencode::connection::Applied;
use gavel_opencode::{Error, Tuning};
use serde_json::{Value, json};
use tokio::time::Duration;

use crate::support::{Answer, Fake, Seen, Watched, done, hurried, not_found, tagged};

/// How a dialect says things.
#[derive(Clone, Copy)]
struct Words {
    newer: bool,
    read: &'static str,
    write: &'static str,
}

const NEWER: Words = Words { newer: true, read: "GET /api/session/ses_1", write: "PATCH /api/session/ses_1" };
const OLDER: Words = Words { newer: false, read: "GET /session/ses_1", write: "PATCH /session/ses_1" };
const OLDER_WAY: &str = "POST /api/session/ses_1/permissions";

impl Words {
    const ALL: [Self; 2] = [NEWER, OLDER];

    fn key(self) -> &'static str {
        if self.newer { "permissions" } else { "permission" }
    }

    /// A server on which the rules of `ses_1` are `list`.
    async fn server(self, list: &List) -> Fake {
        let fake = if self.newer { Fake::start_v2().await } else { Fake::start().await };
        fake.on(self.read, self.reading(list));
        fake.on(self.write, self.writing(list));
        fake
    }

    fn reading(self, list: &List) -> Answer {
        let list = list.clone();
        Answer::made(move |_| self.session(&list.rules()))
    }

    /// 2.x replaces, 1.x appends.
    fn writing(self, list: &List) -> Answer {
        let list = list.clone();
        Answer::made(move |seen| {
            list.take(self, seen);
            if self.newer { done() } else { self.session(&list.rules()) }
        })
    }

    fn session(self, rules: &[Rule]) -> Answer {
        let mut session = json!({ "id": "ses_1", "title": "t", "directory": "/p", "location": { "directory": "/p" } });
        if !rules.is_empty() {
            session[self.key()] = rules.iter().map(|rule| self.spelled(rule)).collect();
        }
        Answer::Json(200, if self.newer { json!({ "data": session }) } else { session })
    }

    fn spelled(self, rule: &Rule) -> Value {
        let Rule { action, resource, effect } = rule;
        match self.newer {
            true => json!({ "action": action, "resource": resource, "effect": effect }),
            false => json!({ "permission": action, "pattern": resource, "action": effect }),
        }
    }

    fn deleted(self) -> Answer {
        if self.newer { tagged(404, "SessionNotFoundError") } else { not_found("Session") }
    }
}

/// The rules that a server holds, in its own words.
#[derive(Clone, Default)]
struct List(Arc<Mutex<Vec<Rule>>>);

impl List {
    fn of(rules: &[Rule]) -> Self {
        Self(Arc::new(Mutex::new(rules.to_vec())))
    }

    fn rules(&self) -> Vec<Rule> {
        self.0.lock().unwrap().clone()
    }

    fn push(&self, rule: Rule) {
        self.0.lock().unwrap().push(rule);
    }

    /// Does what a request says.
    fn take(&self, words: Words, seen: &Seen) {
        let sent = seen.body[words.key()].as_array().unwrap().iter().map(|rule| {
            let text = |key: &str| rule[key].as_str().unwrap().to_owned();
            let effect = |key: &str| serde_json::from_value(rule[key].clone()).unwrap();
            match words.newer {
                true => Rule { action: text("action"), resource: text("resource"), effect: effect("effect") },
                false => Rule { action: text("permission"), resource: text("pattern"), effect: effect("action") },
            }
        });
        let mut rules = self.0.lock().unwrap();
        if words.newer {
            rules.clear();
        }
        rules.extend(sent);
    }
}

fn rule(action: &str, resource: &str, effect: Effect) -> Rule {
    Rule { action: action.to_owned(), resource: resource.to_owned(), effect }
}

fn everything() -> Rule {
    rule("*", "*", Effect::Allow)
}

fn asks(action: &str) -> Rule {
    rule(action, "*", Effect::Ask)
}

/// A rule that is nobody's business.
fn foreign(resource: &str) -> Rule {
    rule("read", resource, Effect::Deny)
}

async fn watching(fake: &Fake) -> Watched {
    let tuning = Tuning { second_look: Duration::from_secs(3600), ..hurried() };
    let mut watched = Watched::tuned(&fake.url, None, tuning);
    watched.said("everything listed", |event| (event == WireEvent::InSync).then_some(())).await;
    watched
}

async fn apply(watched: &Watched, previous: &[Rule], wanted: &[Rule]) -> Result<Applied, Error> {
    watched.connection.apply_rules(&"ses_1".into(), "/p", previous, wanted, Cause::Choice).await
}

async fn read(watched: &Watched) -> Result<Option<Vec<Rule>>, Error> {
    watched.connection.session_rules(&"ses_1".into(), "/p").await
}

#[tokio::test]
async fn on_2_x_the_own_block_is_replaced_behind_those_of_others() {
    let list = List::of(&[foreign("a"), everything(), asks("edit"), foreign("b")]);
    let fake = NEWER.server(&list).await;
    let watched = watching(&fake).await;
    let (first, second) = ([everything(), asks("edit")], [everything(), asks("shell")]);
    assert_eq!(apply(&watched, &first, &second).await, Ok(Applied::Written { count: 4 }));
    let expected = [foreign("a"), foreign("b"), everything(), asks("shell")];
    assert_eq!(list.rules(), expected);
    assert_eq!(read(&watched).await, Ok(Some(expected.to_vec())));
    assert_eq!(apply(&watched, &second, &second).await, Ok(Applied::Unchanged));
    assert_eq!(apply(&watched, &first, &second).await, Ok(Applied::Unchanged), "an answer may have been lost");
    assert_eq!(fake.seen(NEWER.write).len(), 1);
    assert_eq!(apply(&watched, &second, &[]).await, Ok(Applied::Written { count: 2 }));
    assert_eq!(list.rules(), [foreign("a"), foreign("b")]);
    assert_eq!(apply(&watched, &second, &[]).await, Ok(Applied::Unchanged));
}

#[tokio::test]
async fn on_1_x_a_block_is_appended_in_its_words_when_it_changes_something() {
    let list = List::of(&[rule("bash", "rm *", Effect::Deny)]);
    let fake = OLDER.server(&list).await;
    let watched = watching(&fake).await;
    let (first, second) = ([everything(), asks("shell")], [everything(), rule("subagent", "*", Effect::Deny)]);
    assert_eq!(apply(&watched, &[], &first).await, Ok(Applied::Written { count: 3 }));
    let sent = fake.seen(OLDER.write);
    assert_eq!(sent[0].line, "PATCH /session/ses_1?directory=%2Fp");
    let body = json!({ "permission": [
        { "permission": "*", "pattern": "*", "action": "allow" },
        { "permission": "bash", "pattern": "*", "action": "ask" },
    ] });
    assert_eq!(sent[0].body, body);
    assert_eq!(apply(&watched, &first, &first).await, Ok(Applied::Unchanged));
    assert_eq!(apply(&watched, &first, &second).await, Ok(Applied::Written { count: 5 }));
    assert_eq!(apply(&watched, &second, &[]).await, Ok(Applied::Unchanged), "nothing can be taken away");
    assert_eq!(fake.seen(OLDER.write).len(), 2);
    let all = [
        vec![rule("shell", "rm *", Effect::Deny)],
        first.to_vec(),
        vec![everything(), rule("subagent", "*", Effect::Deny)],
    ];
    assert_eq!(read(&watched).await, Ok(Some(all.concat())), "in newer words");
}

#[tokio::test]
async fn on_1_x_what_others_append_behind_it_stays_in_force_while_the_choice_is_the_same() {
    let list = List::default();
    let fake = OLDER.server(&list).await;
    let watched = watching(&fake).await;
    let (first, places) = ([everything(), asks("shell")], [everything(), asks("shell"), asks("edit")]);
    assert_eq!(apply(&watched, &[], &first).await, Ok(Applied::Written { count: 2 }));
    list.push(foreign("a"));
    let uphold = async |previous: &[Rule], wanted: &[Rule]| {
        watched.connection.apply_rules(&"ses_1".into(), "/p", previous, wanted, Cause::Upkeep).await
    };
    assert_eq!(uphold(&first, &first).await, Ok(Applied::Unchanged));
    assert_eq!(uphold(&first, &places).await, Ok(Applied::Written { count: 7 }));
    let expected = [&first[..], &[foreign("a")], &places, &[foreign("a")]].concat();
    assert_eq!(read(&watched).await, Ok(Some(expected)));
    assert_eq!(uphold(&places, &places).await, Ok(Applied::Unchanged));
    assert_eq!(apply(&watched, &places, &first).await, Ok(Applied::Written { count: 9 }), "another choice");
}

#[tokio::test]
async fn without_a_directory_none_is_named() {
    let list = List::default();
    let fake = OLDER.server(&list).await;
    let watched = watching(&fake).await;
    let applied = watched.connection.apply_rules(&"ses_1".into(), "", &[], &[everything()], Cause::Choice).await;
    assert_eq!(applied, Ok(Applied::Written { count: 1 }));
    assert_eq!(fake.seen(OLDER.write)[0].line, OLDER.write);
}

#[tokio::test]
async fn a_session_without_rules_has_none_and_one_that_is_gone_is_gone() {
    for words in Words::ALL {
        let list = List::default();
        let fake = words.server(&list).await;
        let watched = watching(&fake).await;
        assert_eq!(read(&watched).await, Ok(Some(vec![])));
        assert_eq!(apply(&watched, &[], &[]).await, Ok(Applied::Unchanged), "nothing to say");

        fake.on(words.write, words.deleted());
        let late = words.session(&[]).times(1, words.deleted());
        fake.on(words.read, late);
        assert_eq!(apply(&watched, &[], &[everything()]).await, Ok(Applied::Deleted), "before it was written");
        fake.on(words.read, words.session(&[]).times(1, words.deleted()));
        fake.on(words.write, words.writing(&list));
        assert_eq!(apply(&watched, &[], &[everything()]).await, Ok(Applied::Deleted), "after it was written");

        fake.on(words.read, words.deleted());
        assert_eq!(read(&watched).await, Ok(None));
        assert_eq!(apply(&watched, &[], &[everything()]).await, Ok(Applied::Deleted));
        assert_eq!(fake.seen(words.write).len(), 2, "what is gone is not written to");
        // None of this says that the server can't.
        fake.on(words.read, words.reading(&list));
        let twice = [everything(), asks("x")];
        assert!(matches!(apply(&watched, &[], &twice).await, Ok(Applied::Written { .. })));
    }
}

#[tokio::test]
async fn rules_that_are_not_understood_are_not_written_over() {
    for words in Words::ALL {
        let fake = words.server(&List::default()).await;
        let watched = watching(&fake).await;
        let odd = |rule: Value| {
            let session = json!({ "id": "ses_1", "directory": "/p", words.key(): [rule] });
            Answer::Json(200, if words.newer { json!({ "data": session }) } else { session })
        };
        let mut unknown = words.spelled(&everything());
        unknown[if words.newer { "effect" } else { "action" }] = json!("consult");
        for unclear in [unknown, json!({}), json!("git *"), json!(null)] {
            fake.on(words.read, odd(unclear.clone()));
            assert!(matches!(read(&watched).await, Err(Error::Garbled(_))), "{unclear}");
            assert!(matches!(apply(&watched, &[], &[everything()]).await, Err(Error::Garbled(_))), "{unclear}");
        }
        assert!(fake.seen(words.write).is_empty());
    }
}

#[tokio::test]
async fn no_clear_answer_is_an_error_and_nothing_is_sent() {
    for words in Words::ALL {
        let fake = words.server(&List::default()).await;
        let watched = watching(&fake).await;
        let other = json!({ "id": "ses_2", "directory": "/p" });
        for trouble in [
            Answer::Page(200),
            Answer::Page(404),
            Answer::Json(404, json!({})),
            tagged(500, "UnknownError"),
            Answer::Json(200, json!(7)),
            Answer::Json(200, if words.newer { json!({ "data": other }) } else { other }),
            Answer::Raw(Vec::new()),
        ] {
            fake.on(words.read, trouble.clone());
            read(&watched).await.expect_err("no answer");
            apply(&watched, &[], &[everything()]).await.expect_err("no answer");
        }
        assert!(fake.seen(words.write).is_empty());
    }
}

#[tokio::test]
async fn a_server_without_the_way_can_t_and_is_not_asked_again() {
    for words in Words::ALL {
        for missing in
            [Answer::Page(200), Answer::Page(404), Answer::Json(405, json!({})), Answer::Json(404, json!({}))]
        {
            let list = List::default();
            let fake = words.server(&list).await;
            fake.on(words.write, missing.clone());
            let mut watched = watching(&fake).await;
            assert_eq!(apply(&watched, &[], &[everything()]).await, Ok(Applied::Unsupported), "{missing:?}");
            assert_eq!(apply(&watched, &[], &[everything()]).await, Ok(Applied::Unsupported), "{missing:?}");
            assert_eq!(fake.seen(words.write).len(), 1, "it is remembered");
            assert_eq!(fake.seen(OLDER_WAY).len(), usize::from(words.newer));
            // Another version in its place may be able to.
            let (line, answer) = match words.newer {
                true => ("GET /api/info", json!({ "version": "2.2.5", "pid": 43 })),
                false => ("GET /global/health", json!({ "healthy": true, "version": "1.19.0" })),
            };
            fake.on(line, Answer::Json(200, answer));
            fake.on(words.write, words.writing(&list));
            fake.cut();
            watched.online().await;
            assert_eq!(apply(&watched, &[], &[everything()]).await, Ok(Applied::Written { count: 1 }));
        }
    }
}

#[tokio::test]
async fn a_failure_is_told_and_says_nothing_about_the_server() {
    for words in Words::ALL {
        let list = List::default();
        let fake = words.server(&list).await;
        let watched = watching(&fake).await;
        for (trouble, text) in [
            (tagged(500, "UnknownError"), "500: UnknownError it is"),
            (tagged(400, "InvalidRequestError"), "400: InvalidRequestError it is"),
            (tagged(404, "LocationNotFoundError"), "404: LocationNotFoundError it is"),
            (Answer::Page(500), "500"),
            (Answer::Raw(Vec::new()), "broke off"),
        ] {
            fake.on(words.write, trouble.clone());
            let error = apply(&watched, &[], &[everything()]).await.expect_err("it failed").to_string();
            assert!(error.contains(text), "{trouble:?}: {error}");
        }
        fake.on(words.write, words.writing(&list));
        assert_eq!(apply(&watched, &[], &[everything()]).await, Ok(Applied::Written { count: 1 }));
        assert!(fake.seen(OLDER_WAY).is_empty());
    }
}

/// Some releases take any request about a session, and skip what they don't know.
#[tokio::test]
async fn a_yes_that_changes_nothing_is_a_no() {
    for words in Words::ALL {
        let list = List::of(&[foreign("a")]);
        let fake = words.server(&list).await;
        fake.on(words.write, if words.newer { done() } else { words.session(&list.rules()) });
        let watched = watching(&fake).await;
        for _ in 0..3 {
            assert_eq!(apply(&watched, &[], &[everything()]).await, Ok(Applied::Unsupported));
        }
        assert_eq!(fake.seen(words.write).len(), 1, "it is remembered");
        assert_eq!(fake.seen(OLDER_WAY).len(), usize::from(words.newer), "so is that there is no other way");
        assert_eq!(apply(&watched, &[], &[]).await, Ok(Applied::Unchanged), "nothing has to be set for that");
        assert_eq!(read(&watched).await, Ok(Some(vec![foreign("a")])), "reading is another matter");
    }
}

#[tokio::test]
async fn on_1_x_a_block_that_stood_there_before_is_no_sign_of_a_yes() {
    let list = List::of(&[everything(), rule("*", "*", Effect::Deny)]);
    let fake = OLDER.server(&list).await;
    fake.on(OLDER.write, OLDER.session(&list.rules()));
    assert_eq!(apply(&watching(&fake).await, &[], &[everything()]).await, Ok(Applied::Unsupported));
}

#[tokio::test]
async fn what_one_version_was_seen_to_do_says_nothing_of_another() {
    let list = List::default();
    let fake = NEWER.server(&list).await;
    let mut watched = watching(&fake).await;
    assert!(matches!(apply(&watched, &[], &[everything()]).await, Ok(Applied::Written { .. })));
    fake.on("GET /api/info", Answer::Json(200, json!({ "version": "2.0.0", "pid": 43 })));
    fake.on(NEWER.write, done());
    fake.cut();
    watched.online().await;
    assert_eq!(apply(&watched, &[], &[asks("shell")]).await, Ok(Applied::Unsupported));
}

#[tokio::test]
async fn where_the_newer_way_is_ignored_the_older_one_may_work() {
    let list = List::of(&[foreign("a")]);
    let fake = NEWER.server(&list).await;
    fake.on(NEWER.write, done());
    fake.on(OLDER_WAY, NEWER.writing(&list));
    let watched = watching(&fake).await;
    assert_eq!(apply(&watched, &[], &[everything()]).await, Ok(Applied::Written { count: 2 }));
    assert_eq!(list.rules(), [foreign("a"), everything()]);
    assert_eq!(apply(&watched, &[everything()], &[asks("shell")]).await, Ok(Applied::Written { count: 2 }));
    assert_eq!((fake.seen(NEWER.write).len(), fake.seen(OLDER_WAY).len()), (1, 2));

    // Unless that one is ignored as well.
    let list = List::default();
    let fake = NEWER.server(&list).await;
    fake.on(NEWER.write, done());
    fake.on(OLDER_WAY, done());
    let watched = watching(&fake).await;
    for _ in 0..2 {
        assert_eq!(apply(&watched, &[], &[everything()]).await, Ok(Applied::Unsupported));
    }
    assert_eq!((fake.seen(NEWER.write).len(), fake.seen(OLDER_WAY).len()), (1, 1));
}

/// A way of writing during which another client does something, so often.
fn interrupted(words: Words, list: &List, times: usize, act: fn(&List, Words, &Seen)) -> Answer {
    let held = list.clone();
    let disturbed = Answer::made(move |seen| {
        act(&held, words, seen);
        if words.newer { done() } else { words.session(&held.rules()) }
    });
    disturbed.times(times, words.writing(list))
}

#[tokio::test]
async fn rules_that_another_client_sets_meanwhile_stay() {
    // What the other does, and what is there in the end on 2.x.
    type Act = fn(&List, Words, &Seen);
    let behind: Act = |list, words, seen| {
        list.take(words, seen);
        list.push(foreign("b"));
    };
    let instead: Act = |list, _, _| list.push(foreign("b"));
    for act in [behind, instead] {
        let (old, new) = ([everything(), asks("edit")], [everything(), asks("shell")]);
        let list = List::of(&[vec![foreign("a")], old.to_vec()].concat());
        let fake = NEWER.server(&list).await;
        fake.on(NEWER.write, interrupted(NEWER, &list, 1, act));
        let watched = watching(&fake).await;
        assert_eq!(apply(&watched, &old, &new).await, Ok(Applied::Written { count: 4 }));
        assert_eq!(list.rules(), [foreign("a"), foreign("b"), everything(), asks("shell")]);
        assert_eq!(fake.seen(NEWER.write).len(), 2);
        assert!(fake.seen(OLDER_WAY).is_empty());
    }
}

#[tokio::test]
async fn on_1_x_others_may_append_before_and_behind() {
    let list = List::default();
    let fake = OLDER.server(&list).await;
    let around = interrupted(OLDER, &list, 1, |list, words, seen| {
        list.push(foreign("a"));
        list.take(words, seen);
        list.push(foreign("b"));
    });
    fake.on(OLDER.write, around);
    let watched = watching(&fake).await;
    assert_eq!(apply(&watched, &[], &[everything()]).await, Ok(Applied::Written { count: 3 }));
    assert_eq!(list.rules(), [foreign("a"), everything(), foreign("b")]);
    // What was lost to another's write is sent once more.
    fake.on(OLDER.write, interrupted(OLDER, &list, 1, |list, _, _| list.push(foreign("c"))));
    let wanted = [everything(), asks("edit")];
    assert_eq!(apply(&watched, &[], &wanted).await, Ok(Applied::Written { count: 6 }));
    assert_eq!(list.rules()[3..], [foreign("c"), everything(), asks("edit")]);
}

#[tokio::test]
async fn who_always_loses_says_so() {
    for words in Words::ALL {
        let list = List::default();
        let fake = words.server(&list).await;
        fake.on(words.write, interrupted(words, &list, usize::MAX, |list, _, _| list.push(foreign("a"))));
        let watched = watching(&fake).await;
        assert_eq!(apply(&watched, &[], &[everything()]).await, Err(Error::Contested));
        assert_eq!(fake.seen(words.write).len(), 2, "once more, and not for ever");
        fake.on(words.write, words.writing(&list));
        assert!(matches!(apply(&watched, &[], &[everything()]).await, Ok(Applied::Written { .. })));
    }
}

#[tokio::test]
async fn a_way_that_worked_is_not_given_up_because_of_others() {
    for words in Words::ALL {
        let list = List::default();
        let fake = words.server(&list).await;
        let watched = watching(&fake).await;
        assert!(matches!(apply(&watched, &[], &[everything()]).await, Ok(Applied::Written { .. })));
        // Somebody puts the list back as it was.
        fake.on(words.write, interrupted(words, &list, 1, |_, _, _| ()));
        let wanted = [everything(), asks("shell")];
        assert!(matches!(apply(&watched, &[everything()], &wanted).await, Ok(Applied::Written { .. })));
        fake.on(words.write, interrupted(words, &list, usize::MAX, |_, _, _| ()));
        let wanted = [everything(), asks("edit")];
        assert_eq!(apply(&watched, &[everything(), asks("shell")], &wanted).await, Err(Error::Contested));
        assert!(fake.seen(OLDER_WAY).is_empty());
    }
}

#[tokio::test]
async fn two_who_set_the_rules_of_one_session_take_turns() {
    for words in Words::ALL {
        let list = List::of(&[foreign("a")]);
        let fake = words.server(&list).await;
        let watched = watching(&fake).await;
        fake.count_anew();
        let blocks = [vec![everything(), asks("shell")], vec![everything(), asks("edit")]];
        let all = (0..20).map(|number| {
            let (connection, blocks) = (watched.connection.clone(), blocks.clone());
            tokio::spawn(async move {
                let (wanted, previous) = (&blocks[number % 2], &blocks[(number + 1) % 2]);
                connection.apply_rules(&"ses_1".into(), "/p", previous, wanted, Cause::Choice).await
            })
        });
        for applied in all.collect::<Vec<_>>() {
            assert!(matches!(applied.await.unwrap(), Ok(Applied::Written { .. } | Applied::Unchanged)));
        }
        assert_eq!(fake.most_at_once(), 1);
        // Every request to write stands between two to read, all of one caller.
        let spelled = fake.seen(words.write);
        assert!((1..=20).contains(&spelled.len()));
        if words.newer {
            assert_eq!(list.rules().len(), 3, "one block is there, not several: {:?}", list.rules());
        }
    }
}

#[tokio::test]
async fn never_are_more_than_two_sessions_seen_to_at_once() {
    let fake = Fake::start_v2().await;
    let lists: Vec<List> = (0..12).map(|_| List::default()).collect();
    for (number, list) in lists.iter().enumerate() {
        let held = list.clone();
        let reading = Answer::made(move |_| {
            let rules: Vec<Value> = held.rules().iter().map(|rule| NEWER.spelled(rule)).collect();
            Answer::Json(200, json!({ "data": { "id": format!("ses_{number}"), "permissions": rules } }))
        });
        fake.on(&format!("GET /api/session/ses_{number}"), reading);
        fake.on(&format!("PATCH /api/session/ses_{number}"), NEWER.writing(list));
    }
    let watched = watching(&fake).await;
    fake.count_anew();
    let all = (0..12).map(|number| {
        let connection = watched.connection.clone();
        let id = format!("ses_{number}").as_str().into();
        tokio::spawn(async move { connection.apply_rules(&id, "/p", &[], &[everything()], Cause::Choice).await })
    });
    for applied in all.collect::<Vec<_>>() {
        assert_eq!(applied.await.unwrap(), Ok(Applied::Written { count: 1 }));
    }
    assert_eq!(fake.most_at_once(), 2);
    assert!(lists.iter().all(|list| list.rules() == [everything()]));
}

#[tokio::test]
async fn a_server_that_was_not_met_yet_is_asked_what_it_speaks() {
    for words in Words::ALL {
        let list = List::default();
        let fake = words.server(&list).await;
        // The greeting of the connection never comes through; that of the caller does.
        let line = "GET /global/health";
        let greeting = match words.newer {
            true => Answer::Page(200),
            false => Answer::Json(200, json!({ "healthy": true, "version": "1.18.33" })),
        };
        fake.on(line, Answer::Silence.times(1, greeting));
        let watched = Watched::tuned(&fake.url, None, hurried());
        crate::support::until("the first greeting", || fake.seen(line).len() == 1).await;
        assert_eq!(apply(&watched, &[], &[everything()]).await, Ok(Applied::Written { count: 1 }));
    }
}
