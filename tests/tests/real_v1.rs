//! Gavel against real OpenCode servers. See `gavel_tests::scenarios` for what is played on them.

use gavel_core::{Decision, Reply, Settled};
use gavel_tests::asking::{answer, answered, only_question};
use gavel_tests::gavel::{DEADLINE, Gavel};
use gavel_tests::host::Kind;
use gavel_tests::opencode::{OpenCode, Options, Version};
use gavel_tests::scripted_model::{MODEL, ScriptedModel};
use gavel_tests::wait::eventually;
use gavel_tests::{play_questions, play_scenarios};

mod v1_14_41 {
    super::play_scenarios!(on super::Kind::Real(super::Version::V1_14_41));
}

mod v1_15_13 {
    super::play_scenarios!(on super::Kind::Real(super::Version::V1_15_13));
}

mod v1_18_33 {
    super::play_scenarios!(on super::Kind::Real(super::Version::V1_18_33));
    super::play_questions!(on super::Kind::Real(super::Version::V1_18_33));
}

#[path = "real_v1/judging.rs"]
mod judging;

fn you(decision: Decision) -> Settled {
    Settled::You { decision }
}

/// The `/api` routes that 1.18 has as a preview of 2.x.
mod preview {
    use super::*;
    use gavel_core::flow::RuleState;
    use gavel_core::grants::Lasts;
    use gavel_core::modes::Mode;
    use gavel_runtime::api::{Call, Scope, SessionRow};
    use serde_json::json;

    /// Makes a preview session of project `alpha` want to run `command`.
    async fn ask(server: &OpenCode, command: &str) -> String {
        let dir = server.dir(0);
        let location = json!({ "location": { "directory": dir }, "model": { "providerID": "scripted", "id": MODEL }, "agent": "build" });
        let session = server.post("/api/session", dir, location).await["data"]["id"].as_str().unwrap().to_owned();
        prompt(server, &session, command).await;
        session
    }

    /// Makes the session want to run `command`.
    async fn prompt(server: &OpenCode, session: &str, command: &str) {
        let prompt = json!({ "prompt": { "text": format!("run: {command}") } });
        server.post(&format!("/api/session/{session}/prompt"), server.dir(0), prompt).await;
    }

    /// A question of such a session is listed, answered and dismissed on routes of its own.
    #[tokio::test]
    async fn a_question_of_the_preview_is_answered_on_its_own_routes() {
        let model = ScriptedModel::start().await;
        let server = OpenCode::start(Version::V1_18_33, Options::new(&model)).await;
        std::fs::copy(server.world().root().join("opencode.json"), server.dir(0).join("opencode.json")).unwrap();
        let gavel = Gavel::watching(&[&server.url()]).await;
        gavel.in_sync(&server.url()).await;
        let dir = server.dir(0);
        let location = json!({ "location": { "directory": dir }, "model": { "providerID": "scripted", "id": MODEL }, "agent": "build" });
        let session = server.post("/api/session", dir, location).await["data"]["id"].as_str().unwrap().to_owned();
        let say = async |text: &str| {
            let prompt = json!({ "prompt": { "text": text } });
            server.post(&format!("/api/session/{session}/prompt"), server.dir(0), prompt).await;
        };
        say("question: Which colour? | Red | Blue").await;
        only_question(&gavel).await;
        let second = Gavel::watching(&[&server.url()]).await;
        let question = only_question(&second).await;
        assert_eq!((question.headline.as_str(), question.quick.len()), ("Which colour?", 2));
        second.handle.shut_down().await;
        answer(&gavel, &question, &[("q0", "Mauve".into())]).await;
        assert_eq!(gavel.settled(1).await, [answered(&[("Which colour?", "Mauve")])]);
        gavel.questions(0).await;

        say("question: Why? | So").await;
        let question = only_question(&gavel).await;
        gavel.call(Call::CancelQuestion { key: question.key, reason: None }).await;
        assert_eq!(gavel.settled(2).await[1], Settled::YouCancelled { reason: None });
        gavel.questions(0).await;
    }

    #[tokio::test]
    async fn a_session_of_the_preview_is_answered_on_its_own_routes() {
        let model = ScriptedModel::start().await;
        let server = OpenCode::start(Version::V1_18_33, Options::new(&model)).await;
        // These sessions know only the models that the configuration in the project names.
        std::fs::copy(server.world().root().join("opencode.json"), server.dir(0).join("opencode.json")).unwrap();
        let gavel = Gavel::watching(&[&server.url()]).await;
        gavel.in_sync(&server.url()).await;
        ask(&server, "touch preview.txt").await;
        let request = gavel.only_request().await;
        assert_eq!((request.action.as_str(), request.text.as_str()), ("shell", "touch preview.txt"));
        gavel.decide(&request, Decision::AllowOnce).await;
        assert_eq!(gavel.settled(1).await, [you(Decision::AllowOnce)]);
        gavel.inbox(0).await;
        eventually("the file", DEADLINE, async || server.dir(0).join("preview.txt").exists()).await;

        ask(&server, "touch refused.txt").await;
        let request = gavel.only_request().await;
        let second = Gavel::watching(&[&server.url()]).await;
        assert_eq!(second.only_request().await.key, request.key, "what was pending before is listed");
        second.decide(&request, Decision::Stop).await;
        assert_eq!(second.settled(1).await, [you(Decision::Stop)]);
        gavel.inbox(0).await;
        assert_eq!(gavel.settled(2).await[1], Settled::AnotherClient { reply: Some(Reply::Reject) });
        assert!(!server.dir(0).join("refused.txt").exists());
        second.handle.shut_down().await;

        // The server takes rules for such a session and does not heed them: no mode is said to be in force.
        let scope = Scope::Server { server: server.url() };
        gavel.call(Call::SetMode { scope, stance: Some(Mode::FullAccess.into()) }).await;
        let session = ask(&server, "touch granted.txt").await;
        let request = gavel.only_request().await;
        let is_its = |row: &&SessionRow| matches!(&row.scope, Scope::Session { session: id, .. } if *id == session);
        eventually("the truth about the mode", DEADLINE, async || {
            let modes = &gavel.snapshot().modes;
            let row = modes.sessions.iter().find(is_its).map(|row| (row.counts, row.state.clone(), row.rules.clone()));
            let told = Some((Some(Mode::FullAccess.into()), Some(RuleState::Unsupported), Vec::new()));
            if row == told { Ok(()) } else { Err(format!("{row:?}")) }
        })
        .await;

        // What is allowed for the session is for Gavel to answer.
        let granted = server.dir(0).join("granted.txt");
        let patterns = request.offers.iter().map(|offer| offer.pattern.clone()).collect();
        let decision = Decision::AllowForSession { patterns, includes_children: false, lasts: Lasts::default() };
        gavel.decide(&request, decision).await;
        eventually("the file", DEADLINE, async || granted.exists()).await;
        gavel.settled(3).await;
        std::fs::remove_file(&granted).unwrap();
        prompt(&server, &session, "touch granted.txt").await;
        eventually("the file again", DEADLINE, async || granted.exists()).await;
        let last = gavel.settled(4).await.pop();
        assert!(matches!(last, Some(Settled::Grant { .. })), "{last:?}");
    }
}
