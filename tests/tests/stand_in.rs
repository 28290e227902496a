//! Gavel against the stand-in: every ordinary scenario in short, then whatever servers, people and races may do to it.
//!
//! Whatever happens, nothing runs that was not plainly approved, nothing is lost, and nothing is a ghost.

use std::sync::Arc;
use std::time::{Duration, Instant};

use gavel_core::{Decision, Link, Reply, Settled};
use gavel_notify::Button;
use gavel_notify::recorder::Recorded;
use gavel_runtime::api::{Call, Outcome, Phase, Preferences, Request};
use gavel_stand_in::{Fault, Options as StandInOptions, Reply as Answer, StandIn};
use gavel_tests::gavel::{DEADLINE, Gavel, Options, hurry};
use gavel_tests::host::Kind;
use gavel_tests::on_both_dialects;
use gavel_tests::wait::{eventually, stays};

#[path = "stand_in/advising.rs"]
mod advising;
#[path = "stand_in/asking.rs"]
mod asking;
#[path = "stand_in/faults.rs"]
mod faults;
#[path = "stand_in/granting.rs"]
mod granting;
#[path = "stand_in/judge.rs"]
mod judge;
#[path = "stand_in/own_model.rs"]
mod own_model;
#[path = "stand_in/removing.rs"]
mod removing;
#[path = "stand_in/rules.rs"]
mod rules;
#[path = "stand_in/russian.rs"]
mod russian;
#[path = "stand_in/serving.rs"]
mod serving;
#[path = "stand_in/silence.rs"]
mod silence;

use advising::{
    a_judge_that_hangs_holds_nothing_up_and_is_asked_no_longer_than_needed, a_slow_judge_makes_no_notification_later,
    in_auto_a_plain_word_of_the_judge_is_an_answer, in_every_other_mode_the_judge_is_only_quoted,
};
use asking::{
    a_question_settled_elsewhere_while_it_is_typed_takes_the_draft_along,
    an_answer_that_does_not_arrive_can_be_sent_again, labels_that_would_deceive_are_made_visible,
    what_is_half_typed_outlives_gavel, what_is_settled_while_gavel_is_away_is_on_record,
};
use faults::a_judge_that_fails_in_auto_leaves_it_to_the_user;
use granting::{
    a_grant_ends_when_it_was_said, a_grant_outlives_gavel_as_long_as_its_session_lives,
    the_notification_allows_a_session_what_it_names,
};
use own_model::{
    a_killed_gavel_leaves_nothing_behind_for_long, a_provider_that_is_told_is_asked_itself,
    a_session_of_another_gavel_with_the_same_files_is_left_to_it, terminals_are_told_what_a_judge_is_at,
    the_server_judges_with_the_sessions_own_model, the_servers_judge_is_left_as_soon_as_nobody_waits,
    the_sessions_own_model_can_be_tried, where_no_judge_was_chosen_the_sessions_own_model_advises_and_answers_nothing,
};
use removing::{
    a_password_that_is_forgotten_can_be_had_again, a_removal_is_undone_with_name_place_and_password,
    a_server_that_is_removed_takes_its_requests_and_brings_them_again, what_stays_removed_leaves_no_password,
};
use rules::{
    a_broken_rules_file_lets_nothing_pass, what_destroys_is_never_learned, what_is_shown_of_rules_is_what_counts,
    what_only_reads_passes_by_itself, what_was_approved_often_is_learned, without_rules_everything_is_asked_about,
};
use russian::whoever_reads_russian_reads_it_everywhere;
use serving::{
    a_question_says_it_as_well, a_request_says_what_the_user_had_asked_for,
    a_sub_agents_request_serves_what_the_user_said_at_the_root, words_that_are_not_to_be_had_hold_nothing_up,
};
use silence::what_nobody_is_to_judge_meets_silence;

const PROJECT: &str = "/home/dev/project";

async fn both(kind: &Kind) -> (StandIn, Gavel) {
    let server = StandIn::start(kind.options()).await.unwrap();
    let gavel = Gavel::in_a_hurry(&[server.url()]).await;
    (server, gavel)
}

fn say(server: &StandIn, directory: &str, script: &str) -> String {
    let session = server.create_session(directory, "Tidy <b>up</b>");
    server.prompt(&session, script).unwrap();
    session
}

fn you(decision: Decision) -> Settled {
    Settled::You { decision }
}

fn ran(server: &StandIn) -> Vec<String> {
    server.executed().into_iter().map(|executed| executed.what).collect()
}

async fn runs(server: &StandIn, commands: &[&str]) {
    eventually(format!("{commands:?} to run"), DEADLINE, async || {
        let ran = ran(server);
        if ran == commands { Ok(()) } else { Err(format!("{ran:?}")) }
    })
    .await;
}

async fn undelivered(gavel: &Gavel) {
    let phase = || gavel.snapshot().requests.first().map(|request| request.phase.clone());
    let shown = async || matches!(phase(), Some(Phase::Undelivered { .. }));
    eventually("an undelivered answer", DEADLINE, shown).await;
}

on_both_dialects! {
    a_slow_judge_makes_no_notification_later,
    where_no_judge_was_chosen_the_sessions_own_model_advises_and_answers_nothing,
    what_nobody_is_to_judge_meets_silence,
    whoever_reads_russian_reads_it_everywhere,
    a_judge_that_fails_in_auto_leaves_it_to_the_user,
    the_sessions_own_model_can_be_tried,
    approved_declined_and_stopped,
    the_notification_allows_a_session_what_it_names,
    a_grant_ends_when_it_was_said,
    what_only_reads_passes_by_itself,
    what_was_approved_often_is_learned,
    without_rules_everything_is_asked_about,
    what_destroys_is_never_learned,
    a_broken_rules_file_lets_nothing_pass,
    what_is_shown_of_rules_is_what_counts,
    in_auto_a_plain_word_of_the_judge_is_an_answer,
    in_every_other_mode_the_judge_is_only_quoted,
    a_judge_that_hangs_holds_nothing_up_and_is_asked_no_longer_than_needed,
    the_server_judges_with_the_sessions_own_model,
    the_servers_judge_is_left_as_soon_as_nobody_waits,
    a_killed_gavel_leaves_nothing_behind_for_long,
    a_session_of_another_gavel_with_the_same_files_is_left_to_it,
    a_provider_that_is_told_is_asked_itself,
    terminals_are_told_what_a_judge_is_at,
    a_request_says_what_the_user_had_asked_for,
    a_question_says_it_as_well,
    a_sub_agents_request_serves_what_the_user_said_at_the_root,
    words_that_are_not_to_be_had_hold_nothing_up,
    a_question_settled_elsewhere_while_it_is_typed_takes_the_draft_along,
    what_is_half_typed_outlives_gavel,
    what_is_settled_while_gavel_is_away_is_on_record,
    an_answer_that_does_not_arrive_can_be_sent_again,
    labels_that_would_deceive_are_made_visible,
    a_grant_outlives_gavel_as_long_as_its_session_lives,
    declining_one_of_three_sweeps_the_others_even_one_being_approved,
    the_deepest_sub_agent_is_traced_to_its_root,
    two_directories_and_another_client,
    whatever_ends_a_run_leaves_nothing_and_runs_nothing,
    a_killed_server_comes_back_empty_and_is_heard_again,
    a_password_is_asked_for_also_in_the_middle,
    an_answer_that_does_not_arrive_is_shown_and_sent_again_only_when_told_to,
    what_is_shown_is_what_runs_however_it_is_dressed,
    a_megabyte_is_shown_whole_or_not_approved,
    hundreds_of_requests_at_once,
    of_several_clicks_the_first_counts,
    a_click_against_another_client_ends_once_and_truly,
    pausing_in_the_grace_delay_notifies_once_and_not_before_it_ends,
    a_removal_is_undone_with_name_place_and_password,
    what_stays_removed_leaves_no_password,
    a_password_that_is_forgotten_can_be_had_again,
    a_server_that_is_removed_takes_its_requests_and_brings_them_again,
    an_answer_under_way_arrives_although_gavel_ends,
    a_log_and_settings_that_cannot_be_written_keep_no_answer_from_the_agent,
    what_the_demo_asks_is_shown_and_never_kept,
    a_server_that_flickers_loses_nothing_and_repeats_nothing,
}

// ---- the ordinary

async fn approved_declined_and_stopped(kind: Kind) {
    let (server, gavel) = both(&kind).await;
    say(&server, PROJECT, "shell touch a");
    let request = gavel.only_request().await;
    assert!(gavel.notifications.wait_for(DEADLINE, |shown| shown.len() == 1).await);
    assert!(gavel.notifications.click(&request.key, Button::Approve));
    runs(&server, &["touch a"]).await;
    gavel.settled(1).await;
    gavel.inbox(0).await;

    let session = say(&server, PROJECT, "shell touch b\ninstead\n> say You said: {reason}");
    gavel.decide(&gavel.only_request().await, Decision::decline("use c")).await;
    gavel.settled(2).await;
    gavel.inbox(0).await;
    let told = || server.told(&session).concat();
    eventually("the reason", DEADLINE, async || if told().contains("use c") { Ok(()) } else { Err(told()) }).await;

    let session = say(&server, PROJECT, "shell touch d\nshell touch e");
    gavel.decide(&gavel.only_request().await, Decision::Stop).await;
    let decisions = [Decision::AllowOnce, Decision::decline("use c"), Decision::Stop];
    assert_eq!(gavel.settled(3).await, decisions.map(you));
    gavel.inbox(0).await;
    assert_eq!((ran(&server), server.told(&session)), (vec!["touch a".to_owned()], vec![]));
    let log = gavel.log();
    let (decided, settled) = (log.find("\"decided\"").unwrap(), log.find("\"settled\"").unwrap());
    assert!(decided < settled, "the decision is recorded before it is sent");
}

async fn declining_one_of_three_sweeps_the_others_even_one_being_approved(kind: Kind) {
    let (server, gavel) = both(&kind).await;
    say(&server, PROJECT, "shell a\n+ shell b\n+ shell c");
    let requests = gavel.inbox(3).await;
    assert!(requests.iter().all(|request| request.siblings == 2));
    gavel.decide(&requests[0], Decision::decline("no")).await;
    gavel.decide(&requests[1], Decision::AllowOnce).await;
    let settled = gavel.settled(3).await;
    gavel.inbox(0).await;
    // Which of the two answers arrives first is open; that the activity says what ran is not.
    let approved = settled.contains(&you(Decision::AllowOnce));
    assert!(settled.contains(&Settled::Swept) && settled.contains(&you(Decision::decline("no"))), "{settled:?}");
    assert_eq!(ran(&server).len(), usize::from(approved), "{settled:?}");
}

async fn the_deepest_sub_agent_is_traced_to_its_root(kind: Kind) {
    let (server, gavel) = both(&kind).await;
    say(&server, PROJECT, "agent One\n> agent Two\n> > shell deep");
    let request = eventually("the chain", DEADLINE, async || {
        let snapshot = gavel.snapshot();
        snapshot.requests.first().filter(|request| request.chain.len() == 3).cloned()
    })
    .await;
    assert_eq!(request.chain[0].title, "Tidy <b>up</b>");
    gavel.decide(&request, Decision::AllowOnce).await;
    assert_eq!(gavel.settled(1).await, [you(Decision::AllowOnce)]);
    eventually("the command", DEADLINE, async || ran(&server).contains(&"deep".to_owned())).await;
}

async fn two_directories_and_another_client(kind: Kind) {
    let (server, gavel) = both(&kind).await;
    say(&server, "/home/dev/one", "shell one");
    say(&server, "/home/dev/two", "shell two");
    let requests = gavel.inbox(2).await;
    let (one, two): (Vec<_>, Vec<_>) = requests.into_iter().partition(|request| request.project == "one");
    gavel.decide(&one[0], Decision::AllowOnce).await;
    gavel.settled(1).await;
    assert!(server.reply(two[0].key.request.as_str(), Answer::Always, None));
    assert_eq!(
        gavel.settled(2).await,
        [you(Decision::AllowOnce), Settled::AnotherClient { reply: Some(Reply::Always) }]
    );
    gavel.inbox(0).await;
    assert!(gavel.notifications.wait_for(DEADLINE, <[_]>::is_empty).await);
}

async fn whatever_ends_a_run_leaves_nothing_and_runs_nothing(kind: Kind) {
    let (server, gavel) = both(&kind).await;
    let aborted = say(&server, PROJECT, "shell aborted");
    let mut all = vec![gavel.only_request().await];
    server.abort(&aborted).await;
    gavel.inbox(0).await;
    let deleted = say(&server, PROJECT, "shell deleted");
    all.push(gavel.only_request().await);
    server.delete(&deleted);
    gavel.inbox(0).await;
    say(&server, PROJECT, "shell disposed");
    all.push(gavel.only_request().await);
    server.dispose(PROJECT).await;
    for settled in gavel.settled(3).await {
        // A 2.x server refuses what a run leaves behind before it says that the run has ended.
        let refused = Settled::AnotherClient { reply: Some(Reply::Reject) };
        assert!(settled == Settled::RunEnded || (settled == refused && !kind.keeps_ghosts()), "{settled:?}");
    }
    gavel.inbox(0).await;
    // A click that comes too late means nothing.
    for request in &all {
        gavel.decide(request, Decision::AllowOnce).await;
        gavel.call(Call::Retry { key: request.key.clone() }).await;
    }
    server.cut_streams();
    say(&server, PROJECT, "shell later");
    gavel.decide(&gavel.only_request().await, Decision::AllowOnce).await;
    runs(&server, &["later"]).await;
    gavel.settled(4).await;
}

async fn a_killed_server_comes_back_empty_and_is_heard_again(kind: Kind) {
    let (server, gavel) = both(&kind).await;
    say(&server, PROJECT, "shell killed");
    let old = gavel.only_request().await;
    server.kill().await;
    assert_eq!(gavel.settled(1).await, [Settled::ServerGone]);
    gavel.inbox(0).await;
    server.restart().await.unwrap();
    gavel.in_sync(&server.url()).await;
    gavel.decide(&old, Decision::AllowOnce).await;
    say(&server, PROJECT, "shell again");
    gavel.decide(&gavel.only_request().await, Decision::AllowOnce).await;
    runs(&server, &["again"]).await;
}

async fn a_password_is_asked_for_also_in_the_middle(kind: Kind) {
    let options = StandInOptions { password: Some("sesame".into()), ..kind.options() };
    let server = StandIn::start(options).await.unwrap();
    let url = server.url();
    say(&server, PROJECT, "shell secret");
    let gavel = Gavel::start(Options { servers: vec![url.clone()], tuning: hurry(), ..Options::default() }).await;
    let password = |password: &str| Call::SetPassword {
        server: url.clone(),
        username: String::new(),
        password: password.to_owned(),
    };
    gavel.server(&url, "locked", |row| row.link == Link::NeedsPassword { refused: false }).await;
    gavel.call(password("wrong")).await;
    gavel.server(&url, "refusing", |row| row.link == Link::NeedsPassword { refused: true }).await;
    gavel.call(password("sesame")).await;
    let request = gavel.only_request().await;

    // Somebody changes the lock while the request waits: it stays, and nothing is taken for an approval.
    gavel.call(password("wrong")).await;
    gavel.decide(&request, Decision::AllowOnce).await;
    gavel.activity(1).await;
    undelivered(&gavel).await;
    assert_eq!(ran(&server), Vec::<String>::new());
    server.cut_streams();
    gavel.server(&url, "refusing", |row| row.link == Link::NeedsPassword { refused: true }).await;
    gavel.call(password("sesame")).await;
    gavel.in_sync(&url).await;
    gavel.call(Call::Retry { key: request.key }).await;
    runs(&server, &["secret"]).await;
    gavel.inbox(0).await;
    assert!(!gavel.log().contains("sesame"));
}

async fn an_answer_that_does_not_arrive_is_shown_and_sent_again_only_when_told_to(kind: Kind) {
    let faults = [Fault::Html, Fault::Status(500), Fault::Status(401), Fault::Hang];
    futures_util::future::join_all(faults.map(|fault| does_not_arrive(&kind, fault))).await;
}

async fn does_not_arrive(kind: &Kind, fault: Fault) {
    let (server, gavel) = both(kind).await;
    say(&server, PROJECT, "shell ls");
    let request = gavel.only_request().await;
    for route in kind.reply_routes() {
        server.fault(route, fault.clone());
    }
    gavel.decide(&request, Decision::AllowOnce).await;
    let rows = gavel.activity(1).await;
    assert!(matches!(rows[0].outcome, Outcome::Undelivered { .. }), "{fault:?}: {rows:?}");
    let urgent = |shown: &[gavel_notify::Notice]| shown.iter().any(|notice| notice.urgent);
    assert!(gavel.notifications.wait_for(DEADLINE, urgent).await, "{fault:?}");
    server.heal();
    server.cut_streams();
    let quiet = || ran(&server).is_empty();
    stays("nothing runs by itself", Duration::from_millis(200), async || quiet()).await;
    gavel.call(Call::Retry { key: request.key }).await;
    runs(&server, &["ls"]).await;
    gavel.inbox(0).await;
}

// ---- the nasty: texts

async fn what_is_shown_is_what_runs_however_it_is_dressed(kind: Kind) {
    let (server, gavel) = both(&kind).await;
    let command = "echo '\u{202E}<b>&amp;\u{1b}[2K\0\u{200B}' # <a href=\"x\">\r%s$(id)";
    say(&server, PROJECT, &format!("shell {command}\n: about Nothing\u{202E}to see"));
    let request = gavel.only_request().await;
    assert!(request.deceptive);
    assert_eq!(request.text, "echo '⟨U+202E⟩<b>&amp;⟨U+001B⟩[2K⟨U+0000⟩⟨U+200B⟩' # <a href=\"x\">⟨U+000D⟩%s$(id)");
    assert!(gavel.notifications.wait_for(DEADLINE, |shown| shown.len() == 1).await);
    let notice = gavel.notifications.shown().remove(0);
    let seen = format!("{}{}{:?}{:?}", notice.title, notice.body, request.purpose, request.headline);
    assert!(notice.body.contains(&request.text), "{notice:?}");
    assert!(!seen.contains(['\u{202E}', '\u{1b}', '\0', '\u{200B}', '\r']), "{seen:?}");
    assert!(gavel.notifications.click(&request.key, Button::Approve));
    runs(&server, &[command]).await;
}

async fn a_megabyte_is_shown_whole_or_not_approved(kind: Kind) {
    let (server, gavel) = both(&kind).await;
    let command = format!("echo {}; rm -rf /", "x".repeat(1_000_000));
    let session = server.create_session(PROJECT, &"T".repeat(200_000));
    server.prompt(&session, &format!("shell {command}\n+ ask {}\n: pattern *", "k".repeat(100_000))).unwrap();
    let requests = gavel.inbox(2).await;
    let request = requests.iter().find(|request| request.action == "shell").unwrap();
    assert_eq!(request.text, command);
    assert!(gavel.notifications.wait_for(DEADLINE, |shown| shown.len() == 2).await);
    for notice in gavel.notifications.shown() {
        assert!(!notice.buttons.contains(&Button::Approve), "{:?}", notice.buttons);
        assert!(notice.title.len() + notice.body.len() < 4_000);
    }
    gavel.decide(request, Decision::AllowOnce).await;
    runs(&server, &[&command]).await;
    gavel.settled(1).await;
    let longest = gavel.log().lines().map(str::len).max().unwrap();
    assert!(longest < 100_000, "{longest} bytes are a line no reader of the log takes");
}

async fn hundreds_of_requests_at_once(kind: Kind) {
    const SESSIONS: usize = 20;
    const EACH: usize = 20;
    let (server, gavel) = both(&kind).await;
    let script: String =
        (0..EACH).map(|nth| format!("{}shell step {nth}\n", if nth == 0 { "" } else { "+ " })).collect();
    for nth in 0..SESSIONS {
        say(&server, &format!("/home/dev/p{}", nth % 4), &script);
    }
    let requests = gavel.inbox(SESSIONS * EACH).await;
    for request in &requests {
        gavel.decide(request, Decision::AllowOnce).await;
    }
    gavel.inbox(0).await;
    let all = || ran(&server).len() == SESSIONS * EACH;
    eventually("all to run", DEADLINE, async || all()).await;
    assert_eq!(server.replies().len(), SESSIONS * EACH, "one answer each");
}

// ---- the nasty: races

async fn of_several_clicks_the_first_counts(kind: Kind) {
    let (server, gavel) = both(&kind).await;
    say(&server, PROJECT, "shell ls");
    let request = gavel.only_request().await;
    let decide = |decision| Call::Decide { key: request.key.clone(), decision, edition: request.edition };
    let (first, ..) = tokio::join!(
        gavel.try_call(decide(Decision::decline("no"))),
        gavel.try_call(decide(Decision::AllowOnce)),
        gavel.try_call(decide(Decision::AllowOnce)),
        gavel.try_call(Call::Retry { key: request.key.clone() }),
    );
    first.unwrap();
    assert_eq!(gavel.settled(1).await, [you(Decision::decline("no"))]);
    gavel.inbox(0).await;
    assert_eq!((server.replies().len(), ran(&server).len()), (1, 0));
}

async fn a_click_against_another_client_ends_once_and_truly(kind: Kind) {
    let (server, gavel) = both(&kind).await;
    for round in 1..=10 {
        let session = say(&server, PROJECT, "shell ls");
        let request = gavel.only_request().await;
        assert!(gavel.notifications.wait_for(DEADLINE, |shown| shown.len() == 1).await);
        gavel.notifications.click(&request.key, Button::Approve);
        if round % 2 == 0 {
            tokio::task::yield_now().await;
        }
        server.reply(request.key.request.as_str(), Answer::Reject, Some("mine"));
        gavel.inbox(0).await;
        let last = gavel.settled(round).await.pop().unwrap();
        let did_run = server.executed().iter().any(|executed| executed.session == session);
        let claimed = last == you(Decision::AllowOnce);
        assert_eq!(claimed, did_run, "{last:?}");
    }
}

async fn pausing_in_the_grace_delay_notifies_once_and_not_before_it_ends(kind: Kind) {
    let server = StandIn::start(kind.options()).await.unwrap();
    let options = Options { servers: vec![server.url()], tuning: hurry(), grace: 300, ..Options::default() };
    let gavel = Gavel::start(options).await;
    say(&server, PROJECT, "shell ls");
    let request = gavel.only_request().await;
    gavel.call(Call::Pause { paused: true }).await;
    let silent = || gavel.notifications.log().is_empty();
    stays("paused is silent", Duration::from_millis(500), async || silent()).await;
    gavel.call(Call::Pause { paused: false }).await;
    assert!(gavel.notifications.wait_for(DEADLINE, |shown| shown.len() == 1).await);
    gavel.call(Call::Pause { paused: true }).await;
    gavel.call(Call::Pause { paused: false }).await;
    gavel.decide(&request, Decision::AllowOnce).await;
    gavel.settled(1).await;
    let shown = gavel.notifications.log().iter().filter(|done| matches!(done, Recorded::Shown(_))).count();
    assert_eq!(shown, 1);
}

async fn an_answer_under_way_arrives_although_gavel_ends(kind: Kind) {
    let (server, gavel) = both(&kind).await;
    say(&server, PROJECT, "shell ls");
    server.fault(kind.reply_routes()[0], Fault::Slow(Duration::from_millis(200)));
    gavel.decide(&gavel.only_request().await, Decision::AllowOnce).await;
    gavel.handle.shut_down().await;
    runs(&server, &["ls"]).await;
    let log = gavel.log();
    assert!(log.lines().last().unwrap().contains("\"settled\""), "{log}");

    // A server that hangs keeps nobody.
    let (server, gavel) = both(&kind).await;
    say(&server, PROJECT, "shell ls");
    server.fault(kind.reply_routes()[0], Fault::Hang);
    gavel.decide(&gavel.only_request().await, Decision::AllowOnce).await;
    let began = Instant::now();
    gavel.handle.shut_down().await;
    assert!(began.elapsed() < Duration::from_secs(3));
}

// ---- the nasty: files

async fn a_log_and_settings_that_cannot_be_written_keep_no_answer_from_the_agent(kind: Kind) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("activity.jsonl");
    // This device is a disk without room.
    std::os::unix::fs::symlink("/dev/full", &path).unwrap();
    let log = gavel_disk::ActivityLog::open(&path).unwrap();
    let server = StandIn::start(kind.options()).await.unwrap();
    let (sender, made) = std::sync::mpsc::channel();
    let handle = gavel_runtime::start(gavel_runtime::Setup {
        language: gavel_core::text::Language::English,
        settings: gavel_runtime::Settings {
            preferences: Preferences { discover: false, grace: 0, ..Preferences::default() },
            judge: gavel_runtime::JudgeSettings::nobody(),
            ..gavel_runtime::Settings::default()
        },
        keep: Box::new(|_| Err("the disk is full".to_owned())),
        log,
        secrets: gavel_runtime::Secrets::Memory(Arc::default()),
        notifier: Box::new(move |reports| {
            let recorder = gavel_notify::Recorder::new(reports);
            sender.send(Arc::clone(&recorder)).unwrap();
            recorder
        }),
        tuning: hurry(),
        demo: None,
        rules: None,
        exports: folder.path().to_owned(),
        judge: None,
        marks: gavel_runtime::Marks::unkept(),
        elsewhere: None,
        grants: gavel_core::grants::Grants::default(),
        keep_grants: Box::new(|_| Err("the disk is full".to_owned())),
        away: gavel_core::flow::Away::default(),
        keep_away: Arc::new(|_| Err("the disk is full".to_owned())),
        drafts: gavel_runtime::Drafts::default(),
        keep_drafts: Box::new(|_| Err("the disk is full".to_owned())),
        told: gavel_core::flow::Told::default(),
        keep_told: Box::new(|_| Err("the disk is full".to_owned())),
    });
    let notifications = made.recv().unwrap();
    // It is watched all the same, and the user hears that it will be forgotten.
    let kept = handle.call(Call::AddServer { url: server.url(), name: String::new() }).await;
    assert!(kept.unwrap_err().message.contains("the disk is full"));
    say(&server, PROJECT, "shell ls");
    assert!(notifications.wait_for(DEADLINE, |shown| shown.len() == 1).await);
    assert!(notifications.click(&notifications.shown()[0].key, Button::Approve));
    runs(&server, &["ls"]).await;
    eventually("the row that is at hand", DEADLINE, async || {
        let answer =
            handle.call(Call::Activity { before: None, limit: 9, query: gavel_runtime::api::Query::default() }).await;
        matches!(answer, Ok(gavel_runtime::api::Answer::Activity { rows, .. }) if rows.len() == 1)
    })
    .await;
    handle.shut_down().await;
}

async fn what_the_demo_asks_is_shown_and_never_kept(kind: Kind) {
    let server = StandIn::start(kind.options()).await.unwrap();
    let options = gavel_tests::gavel::Options { demo: Some(server.url()), ..Default::default() };
    let gavel = Gavel::start(options).await;
    gavel.in_sync(&server.url()).await;
    say(&server, PROJECT, "shell ls");
    let request = gavel.only_request().await;
    gavel.decide(&request, Decision::AllowOnce).await;
    assert_eq!(gavel.settled(1).await, [you(Decision::AllowOnce)]);
    assert_eq!(gavel.log(), "");
}

// ---- the nasty: servers

async fn a_server_that_flickers_loses_nothing_and_repeats_nothing(kind: Kind) {
    let (server, gavel) = both(&kind).await;
    say(&server, PROJECT, "shell one");
    gavel.only_request().await;
    for fault in [Fault::Html, Fault::Status(503), Fault::Truncated, Fault::Status(404)] {
        server.fault(kind.health_route(), fault.clone());
        server.cut_streams();
        gavel.server(&server.url(), "away", |row| !row.link.is_online()).await;
        let request = gavel.only_request().await;
        assert!(!request.online, "{fault:?}");
        server.heal();
        gavel.in_sync(&server.url()).await;
    }
    // What is asked while nobody listens is found.
    server.fault(kind.health_route(), Fault::Status(503));
    server.cut_streams();
    gavel.server(&server.url(), "away", |row| !row.link.is_online()).await;
    say(&server, PROJECT, "shell two");
    server.heal();
    let texts = |requests: Vec<Request>| requests.into_iter().map(|request| request.text).collect::<Vec<_>>();
    assert_eq!(texts(gavel.inbox(2).await), ["one", "two"]);
    let shown = gavel.notifications.log().iter().filter(|done| matches!(done, Recorded::Shown(_))).count();
    assert!(shown <= 2, "never twice for one thing");
    assert_eq!(gavel.activity(0).await, []);
}
