//! Gavel against real OpenCode servers. See `gavel_tests::scenarios` for what is played on them.

use gavel_core::{Decision, Reply, Settled};
use gavel_tests::gavel::{DEADLINE, Gavel};
use gavel_tests::host::Kind;
use gavel_tests::opencode::{OpenCode, Options, Version};
use gavel_tests::play_scenarios;
use gavel_tests::scripted_model::{MODEL, ScriptedModel};
use gavel_tests::wait::eventually;

mod v1_14_41 {
    super::play_scenarios!(on super::Kind::Real(super::Version::V1_14_41));
}

mod v1_15_13 {
    super::play_scenarios!(on super::Kind::Real(super::Version::V1_15_13));
}

mod v1_18_33 {
    super::play_scenarios!(on super::Kind::Real(super::Version::V1_18_33));
}

fn you(decision: Decision) -> Settled {
    Settled::You { decision }
}

/// The `/api` routes that 1.18 has as a preview of 2.x.
mod preview {
    use super::*;
    use serde_json::json;

    /// Makes a preview session of project `alpha` want to run `command`.
    async fn ask(server: &OpenCode, command: &str) -> String {
        let dir = server.dir(0);
        let location = json!({ "location": { "directory": dir }, "model": { "providerID": "scripted", "id": MODEL }, "agent": "build" });
        let session = server.post("/api/session", dir, location).await["data"]["id"].as_str().unwrap().to_owned();
        let prompt = json!({ "prompt": { "text": format!("run: {command}") } });
        server.post(&format!("/api/session/{session}/prompt"), dir, prompt).await;
        session
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
    }
}
