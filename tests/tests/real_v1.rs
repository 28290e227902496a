//! Gavel against real OpenCode servers: from the agent's question to the effect of the answer.
//!
//! Every scenario ends with an empty inbox and an activity that says what really happened.

use std::collections::HashMap;

use gavel_core::{Decision, Reply, Settled};
use gavel_notify::Button;
use gavel_tests::gavel::{DEADLINE, Gavel, Options as GavelOptions};
use gavel_tests::on_every_version;
use gavel_tests::opencode::{OpenCode, Options, Version};
use gavel_tests::scripted_model::{MODEL, Script, ScriptedModel};
use gavel_tests::wait::eventually;

on_every_version! {
    approving_runs_the_command,
    declining_tells_the_model_why,
    stopping_ends_the_run,
    three_requests_at_once,
    a_sub_agent_of_a_sub_agent,
    two_directories,
    another_client_answers,
    aborted_runs_leave_nothing,
    a_deleted_session_runs_nothing,
    a_disposed_instance_leaves_nothing,
    a_killed_server_leaves_nothing_and_is_found_again,
    a_password_is_needed,
    what_was_pending_before_gavel_began,
    edits_and_fetches_are_shown,
}

fn you(decision: Decision) -> Settled {
    Settled::You { decision }
}

async fn idle(server: &OpenCode, session: &str) {
    eventually("the run to end", 3 * DEADLINE, async || !server.is_busy(server.dir(0), session).await).await;
}

async fn approving_runs_the_command(version: Version) {
    let model = ScriptedModel::start().await;
    let server = OpenCode::start(version, Options::new(&model)).await;
    let (dir, gavel) = (server.dir(0), Gavel::watching(&[&server.url()]).await);
    gavel.in_sync(&server.url()).await;
    let session = server.create_session(dir).await;
    server.prompt_async(dir, &session, Script::new().run("cd . && touch approved.txt").say("done")).await;

    let request = gavel.only_request().await;
    assert_eq!(request.text, "cd . && touch approved.txt", "the whole command, not only the part that was checked");
    assert_eq!((request.action.as_str(), request.project.as_str()), ("shell", "alpha"));
    assert!(!dir.join("approved.txt").exists());
    assert!(gavel.notifications.wait_for(DEADLINE, |shown| shown.len() == 1).await);
    assert!(gavel.notifications.click(&request.key, Button::Approve));

    assert_eq!(gavel.settled(1).await, [you(Decision::AllowOnce)]);
    gavel.inbox(0).await;
    eventually("the file", DEADLINE, async || dir.join("approved.txt").exists()).await;
    assert!(gavel.notifications.wait_for(DEADLINE, <[_]>::is_empty).await);
}

async fn declining_tells_the_model_why(version: Version) {
    let model = ScriptedModel::start().await;
    let server = OpenCode::start(version, Options::new(&model)).await;
    let (dir, gavel) = (server.dir(0), Gavel::watching(&[&server.url()]).await);
    let session = server.create_session(dir).await;
    server.prompt_async(dir, &session, Script::new().run("touch declined.txt").say("understood")).await;
    let request = gavel.only_request().await;
    let decision = Decision::decline("Write it to /tmp instead.");
    gavel.decide(&request, decision.clone()).await;

    let next = model.wait_for_request("the turn after it", DEADLINE, |asked| asked.step == 1).await;
    assert!(next.told().concat().contains("Write it to /tmp instead."), "{:?}", next.told());
    assert_eq!(gavel.settled(1).await, [you(decision)]);
    gavel.inbox(0).await;
    idle(&server, &session).await;
    assert!(!dir.join("declined.txt").exists());
}

async fn stopping_ends_the_run(version: Version) {
    let model = ScriptedModel::start().await;
    let server = OpenCode::start(version, Options::new(&model)).await;
    let (dir, gavel) = (server.dir(0), Gavel::watching(&[&server.url()]).await);
    let session = server.create_session(dir).await;
    server.prompt_async(dir, &session, Script::new().run("touch stopped.txt").say("never said")).await;
    let request = gavel.only_request().await;
    gavel.decide(&request, Decision::Stop).await;

    assert_eq!(gavel.settled(1).await, [you(Decision::Stop)]);
    gavel.inbox(0).await;
    idle(&server, &session).await;
    assert!(!dir.join("stopped.txt").exists());
    assert_eq!(model.turns_of("stopped.txt").len(), 1, "the model is not called again");
}

async fn three_requests_at_once(version: Version) {
    let model = ScriptedModel::start().await;
    let server = OpenCode::start(version, Options::new(&model)).await;
    let (dir, gavel) = (server.dir(0), Gavel::watching(&[&server.url()]).await);
    let session = server.create_session(dir).await;
    server.prompt_async(dir, &session, Script::new().together(["touch a", "touch b", "touch c"])).await;
    let requests = gavel.inbox(3).await;
    assert!(requests.iter().all(|request| request.siblings == 2));
    for request in requests.iter().rev() {
        gavel.decide(request, Decision::AllowOnce).await;
    }
    assert_eq!(gavel.settled(3).await, vec![you(Decision::AllowOnce); 3]);
    gavel.inbox(0).await;
    eventually("three files", DEADLINE, async || ["a", "b", "c"].iter().all(|name| dir.join(name).exists())).await;

    // Declining one refuses the others of the session as well: they are shown as swept, not as answered by somebody.
    let session = server.create_session(dir).await;
    server.prompt_async(dir, &session, Script::new().together(["touch d", "touch e"])).await;
    let requests = gavel.inbox(2).await;
    let decision = Decision::decline("No.");
    gavel.decide(&requests[0], decision.clone()).await;
    let settled = gavel.settled(5).await.split_off(3);
    assert!(settled.contains(&you(decision)) && settled.contains(&Settled::Swept), "{settled:?}");
    gavel.inbox(0).await;
    idle(&server, &session).await;
    assert!(!dir.join("d").exists() && !dir.join("e").exists());
}

async fn a_sub_agent_of_a_sub_agent(version: Version) {
    let model = ScriptedModel::start().await;
    let server = OpenCode::start(version, Options::new(&model)).await;
    let (dir, gavel) = (server.dir(0), Gavel::watching(&[&server.url()]).await);
    let session = server.create_session(dir).await;
    let deepest = Script::new().run("touch deep.txt").say("deep enough");
    server.prompt_async(dir, &session, Script::new().task(&Script::new().task(&deepest).say("half way"))).await;
    gavel.only_request().await;
    let request = eventually("the chain to the root", DEADLINE, async || {
        let request = gavel.snapshot().requests[0].clone();
        if request.chain.len() == 3 { Ok(request) } else { Err(format!("{:?}", request.chain)) }
    })
    .await;
    assert_eq!(request.text, "touch deep.txt");
    gavel.decide(&request, Decision::AllowOnce).await;
    assert_eq!(gavel.settled(1).await, [you(Decision::AllowOnce)]);
    gavel.inbox(0).await;
    eventually("the file", DEADLINE, async || dir.join("deep.txt").exists()).await;
    idle(&server, &session).await;
}

async fn two_directories(version: Version) {
    let model = ScriptedModel::start().await;
    let server = OpenCode::start(version, Options::new(&model).projects(&["alpha", "beta"])).await;
    let gavel = Gavel::watching(&[&server.url()]).await;
    for (at, file) in [(0, "one.txt"), (1, "two.txt")] {
        let session = server.create_session(server.dir(at)).await;
        server.prompt_async(server.dir(at), &session, Script::new().run(&format!("touch {file}"))).await;
    }
    let requests = gavel.inbox(2).await;
    let mut projects: Vec<&str> = requests.iter().map(|request| request.project.as_str()).collect();
    projects.sort_unstable();
    assert_eq!(projects, ["alpha", "beta"]);
    for request in &requests {
        gavel.decide(request, Decision::AllowOnce).await;
    }
    assert_eq!(gavel.settled(2).await, vec![you(Decision::AllowOnce); 2]);
    gavel.inbox(0).await;
    eventually("both files", DEADLINE, async || {
        server.dir(0).join("one.txt").exists() && server.dir(1).join("two.txt").exists()
    })
    .await;
}

async fn another_client_answers(version: Version) {
    let model = ScriptedModel::start().await;
    let server = OpenCode::start(version, Options::new(&model)).await;
    let (dir, gavel) = (server.dir(0), Gavel::watching(&[&server.url()]).await);
    let session = server.create_session(dir).await;
    for (nth, reply, how) in [(1, "once", Reply::Once), (2, "reject", Reply::Reject)] {
        server.prompt_async(dir, &session, Script::new().run(&format!("touch other{nth}.txt"))).await;
        let request = gavel.only_request().await;
        server.reply(dir, request.key.request.as_str(), reply, None).await;
        gavel.inbox(0).await;
        assert_eq!(gavel.settled(nth).await.pop(), Some(Settled::AnotherClient { reply: Some(how) }));
        // Deciding now comes too late and changes nothing.
        gavel.decide(&request, Decision::AllowOnce).await;
        idle(&server, &session).await;
        assert_eq!(dir.join(format!("other{nth}.txt")).exists(), how == Reply::Once);
    }
    gavel.settled(2).await;
}

async fn aborted_runs_leave_nothing(version: Version) {
    let model = ScriptedModel::start().await;
    let server = OpenCode::start(version, Options::new(&model)).await;
    let (dir, gavel) = (server.dir(0), Gavel::watching(&[&server.url()]).await);
    let session = server.create_session(dir).await;
    server.prompt_async(dir, &session, Script::new().run("touch aborted.txt")).await;
    gavel.only_request().await;
    server.abort(dir, &session).await;
    gavel.inbox(0).await;
    assert_eq!(gavel.settled(1).await, [Settled::RunEnded]);

    // The server lists the request for ever. A Gavel that begins now must not be fooled, not even while the session
    // is at work again.
    assert_eq!(server.permissions(dir).await.len(), 1, "this is what makes it a ghost");
    server.prompt_async(dir, &session, Script::new().run("touch later.txt")).await;
    assert_eq!(gavel.only_request().await.text, "touch later.txt");
    let second = Gavel::watching(&[&server.url()]).await;
    let request = second.only_request().await;
    assert_eq!(request.text, "touch later.txt");
    second.decide(&request, Decision::AllowOnce).await;
    second.inbox(0).await;
    gavel.inbox(0).await;
    assert_eq!(gavel.settled(2).await[1], Settled::AnotherClient { reply: Some(Reply::Once) });
    assert!(!dir.join("aborted.txt").exists());
}

async fn a_deleted_session_runs_nothing(version: Version) {
    let model = ScriptedModel::start().await;
    let server = OpenCode::start(version, Options::new(&model)).await;
    let (dir, gavel) = (server.dir(0), Gavel::watching(&[&server.url()]).await);
    let session = server.create_session(dir).await;
    server.prompt_async(dir, &session, Script::new().run("touch deleted.txt")).await;
    let request = gavel.only_request().await;
    server.delete_session(dir, &session).await;
    gavel.inbox(0).await;
    assert_eq!(gavel.settled(1).await, [Settled::RunEnded]);
    gavel.decide(&request, Decision::AllowOnce).await;
    // The run hung on its request; the refusal frees it.
    eventually("the server's list to empty", DEADLINE, async || server.permissions(dir).await.is_empty()).await;
    idle(&server, &session).await;
    assert!(!dir.join("deleted.txt").exists());
}

async fn a_disposed_instance_leaves_nothing(version: Version) {
    let model = ScriptedModel::start().await;
    let server = OpenCode::start(version, Options::new(&model)).await;
    let (dir, gavel) = (server.dir(0), Gavel::watching(&[&server.url()]).await);
    let session = server.create_session(dir).await;
    server.prompt_async(dir, &session, Script::new().run("touch disposed.txt")).await;
    gavel.only_request().await;
    server.dispose(dir).await;
    gavel.inbox(0).await;
    assert_eq!(gavel.settled(1).await, [Settled::RunEnded]);
    assert!(!dir.join("disposed.txt").exists());
}

async fn a_killed_server_leaves_nothing_and_is_found_again(version: Version) {
    let model = ScriptedModel::start().await;
    let mut server = OpenCode::start(version, Options::new(&model)).await;
    let (dir, url) = (server.dir(0).to_owned(), server.url());
    let gavel = Gavel::watching(&[&url]).await;
    let session = server.create_session(&dir).await;
    server.prompt_async(&dir, &session, Script::new().run("touch killed.txt")).await;
    gavel.only_request().await;
    server.restart().await;
    gavel.inbox(0).await;
    let settled = gavel.settled(1).await;
    assert!(matches!(settled[..], [Settled::ServerGone | Settled::Unseen]), "{settled:?}");
    gavel.in_sync(&url).await;
    server.prompt_async(&dir, &session, Script::new().run("touch again.txt")).await;
    let request = gavel.only_request().await;
    gavel.decide(&request, Decision::AllowOnce).await;
    assert_eq!(gavel.settled(2).await[1], you(Decision::AllowOnce));
    gavel.inbox(0).await;
    eventually("the file", DEADLINE, async || dir.join("again.txt").exists()).await;
    assert!(!dir.join("killed.txt").exists());
}

async fn a_password_is_needed(version: Version) {
    let model = ScriptedModel::start().await;
    let server = OpenCode::start(version, Options::new(&model).password("open sesame")).await;
    let (dir, url) = (server.dir(0), server.url());
    let session = server.create_session(dir).await;
    server.prompt_async(dir, &session, Script::new().run("touch secret.txt")).await;

    let gavel = Gavel::watching(&[&url]).await;
    gavel.server(&url, "needs a password", |row| row.link == gavel_core::Link::NeedsPassword { refused: false }).await;
    let password = |password: &str| gavel_runtime::api::Call::SetPassword {
        server: url.clone(),
        username: String::new(),
        password: password.into(),
    };
    gavel.call(password("wrong")).await;
    gavel
        .server(&url, "refuses the password", |row| row.link == gavel_core::Link::NeedsPassword { refused: true })
        .await;
    gavel.call(password("open sesame")).await;
    let request = gavel.only_request().await;
    gavel.decide(&request, Decision::AllowOnce).await;
    assert_eq!(gavel.settled(1).await, [you(Decision::AllowOnce)]);
    gavel.inbox(0).await;
    eventually("the file", DEADLINE, async || dir.join("secret.txt").exists()).await;
    assert!(!gavel.log().contains("sesame"));

    let passwords = HashMap::from([(url.clone(), "open sesame".to_owned())]);
    let again = Gavel::start(GavelOptions { servers: vec![url.clone()], passwords, ..GavelOptions::default() }).await;
    again.in_sync(&url).await;
}

async fn what_was_pending_before_gavel_began(version: Version) {
    let model = ScriptedModel::start().await;
    let server = OpenCode::start(version, Options::new(&model).projects(&["alpha", "beta"])).await;
    for at in [0, 1] {
        let session = server.create_session(server.dir(at)).await;
        server.prompt_async(server.dir(at), &session, Script::new().run("cd . && touch early.txt")).await;
        let dir = server.dir(at);
        eventually("the request", DEADLINE, async || server.permissions(dir).await.len() == 1).await;
    }
    let gavel = Gavel::watching(&[&server.url()]).await;
    let requests = gavel.inbox(2).await;
    for request in &requests {
        assert_eq!(request.text, "cd . && touch early.txt");
        assert_eq!(request.chain.len(), 1);
        gavel.decide(request, Decision::AllowOnce).await;
    }
    assert_eq!(gavel.settled(2).await, vec![you(Decision::AllowOnce); 2]);
    gavel.inbox(0).await;
    eventually("both files", DEADLINE, async || [0, 1].iter().all(|&at| server.dir(at).join("early.txt").exists()))
        .await;
}

async fn edits_and_fetches_are_shown(version: Version) {
    let model = ScriptedModel::start().await;
    let server = OpenCode::start(version, Options::new(&model)).await;
    let (dir, gavel) = (server.dir(0), Gavel::watching(&[&server.url()]).await);
    let session = server.create_session(dir).await;
    let script =
        Script::new().write("notes.txt", "one\ntwo\n").step(format!("fetch: {}", model.page_url())).say("done");
    server.prompt_async(dir, &session, script).await;

    let edit = gavel.only_request().await;
    assert_eq!((edit.action.as_str(), edit.headline.as_str()), ("edit", "Edit notes.txt"));
    assert!(edit.diff.as_deref().is_some_and(|diff| diff.contains("+two")), "{:?}", edit.diff);
    gavel.decide(&edit, Decision::AllowOnce).await;
    gavel.settled(1).await;
    let fetch = eventually("the next request", DEADLINE, async || {
        gavel.snapshot().requests.iter().find(|request| request.key != edit.key).cloned()
    })
    .await;
    assert_eq!((fetch.action.as_str(), fetch.text.as_str()), ("webfetch", model.page_url().as_str()));
    gavel.decide(&fetch, Decision::AllowOnce).await;
    assert_eq!(gavel.settled(2).await, vec![you(Decision::AllowOnce); 2]);
    gavel.inbox(0).await;
    idle(&server, &session).await;
    let told = model.turns_of("notes.txt").last().unwrap().told().concat();
    assert!(told.contains("there to be fetched"), "{told}");
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
