//! The session rules of the modes on real 1.x servers: what is asked, what passes, and how a session's list grows.
#![cfg(feature = "real")]

use gavel_core::modes::{
    AgentPaths, Mode, Stance, appended_block, newer_word, older_rules, path_allowances, session_rules,
};
use gavel_core::rules::{Case, Effect, Rule, Rules, evaluate};
use gavel_tests::gavel::DEADLINE;
use gavel_tests::on_every_version;
use gavel_tests::opencode::{OpenCode, Options, Version};
use gavel_tests::scripted_model::{Script, ScriptedModel};
use gavel_tests::wait::eventually;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

on_every_version! {
    agents_keep_their_places,
    modes_do_what_they_say,
}

/// Rules from how 1.x writes them, in its words.
fn rules_of(list: &Value) -> Vec<Rule> {
    let text = |rule: &Value, key: &str| rule[key].as_str().unwrap().to_owned();
    let rule = |rule: &Value| Rule {
        action: text(rule, "permission"),
        resource: text(rule, "pattern"),
        effect: serde_json::from_value(rule["action"].clone()).unwrap(),
    };
    list.as_array().map(|list| list.iter().map(rule).collect()).unwrap_or_default()
}

/// The rules of an agent, in the words of 2.x.
async fn agent(server: &OpenCode, name: &str) -> Vec<Rule> {
    let agents = server.get("/agent", server.dir(0)).await;
    let found = agents.as_array().unwrap().iter().find(|agent| agent["name"] == name);
    let rules = rules_of(&found.unwrap_or_else(|| panic!("no agent {name}"))["permission"]);
    rules.into_iter().map(|rule| Rule { action: newer_word(&rule.action).to_owned(), ..rule }).collect()
}

/// What agents may use of their own, in what a real server says of them. The rig's configuration asks about edits and
/// about everything outside, behind what agents have by birth.
async fn agents_keep_their_places(version: Version) {
    let model = ScriptedModel::start().await;
    let server = OpenCode::start(version, Options::new(&model)).await;
    let data = server.world().root().join("data/opencode").to_string_lossy().into_owned();
    for name in ["build", "plan", "general", "explore"] {
        let own = agent(&server, name).await;
        let kept = path_allowances(&own);
        let outside: Vec<&Rule> = kept.iter().filter(|rule| rule.action == "external_directory").collect();
        assert!(outside.iter().any(|rule| rule.resource == format!("{data}/tool-output/*")), "{name}: {kept:?}");
        assert!(outside.iter().all(|rule| rule.effect == Effect::Allow), "{name}: {kept:?}");
        let edits: Vec<(&str, Effect)> = kept
            .iter()
            .filter(|rule| rule.action == "edit")
            .map(|rule| (rule.resource.as_str(), rule.effect))
            .collect();
        if name == "plan" {
            assert!(edits.contains(&(".opencode/plans/*.md", Effect::Ask)), "{kept:?}");
        } else {
            assert!(edits.is_empty(), "{name}: {kept:?}");
        }
        // What they mean, by the agent's own rules and by those of a session that asks.
        let session = session_rules(Mode::Supervised.into(), AgentPaths { acting: &kept, plan: &[] }, &[], &[]);
        let rules = Rules { agent: Some(own), session, ..Rules::default() };
        let effect = |place: &str| evaluate(&rules, "external_directory", &[place.into()], Case::Sensitive).effect;
        assert_eq!(effect(&format!("{data}/tool-output/tool_1")), Effect::Allow, "{name}");
        assert_eq!(effect("/etc/*"), Effect::Ask, "{name}");
    }
}

/// A session whose mode is changed again and again.
struct Toggled<'a> {
    server: &'a OpenCode,
    session: String,
    own: Vec<Rule>,
    plan: Vec<Rule>,
}

impl Toggled<'_> {
    async fn list(&self) -> Vec<Rule> {
        let session = self.server.get(&format!("/session/{}", self.session), self.server.dir(0)).await;
        rules_of(&session["permission"])
    }

    /// Lets the session be in this stance. By how many rules its list grew.
    async fn be(&self, stance: impl Into<Stance>) -> usize {
        let wanted = session_rules(stance.into(), AgentPaths { acting: &self.own, plan: &self.plan }, &[], &[]);
        let before = self.list().await;
        let Some(block) = appended_block(&before, &older_rules(&wanted)) else { return 0 };
        let rules: Vec<Value> = block
            .iter()
            .map(|rule| json!({ "permission": rule.action, "pattern": rule.resource, "action": rule.effect }))
            .collect();
        let (route, body) = (format!("/session/{}", self.session), json!({ "permission": rules }));
        let answer = self.server.request(Method::PATCH, &route, Some(self.server.dir(0)), Some(body)).await.unwrap();
        assert_eq!(answer.0, StatusCode::OK, "{}", answer.1);
        let after = self.list().await;
        assert!(after.ends_with(&block), "{after:?}");
        after.len() - before.len()
    }

    /// Lets the agent do something, and says what it had to ask for; every request is allowed.
    async fn asks(&self, script: Script, file: &str) -> Vec<String> {
        let dir = self.server.dir(0);
        self.server.prompt_async(dir, &self.session, script.say("done")).await;
        let mut asked = Vec::new();
        eventually(format!("{file} to be there"), 3 * DEADLINE, async || {
            for request in self.server.permissions(dir).await {
                asked.push(request["permission"].as_str().unwrap().to_owned());
                self.server.reply(dir, request["id"].as_str().unwrap(), "once", None).await;
            }
            dir.join(file).exists() && !self.server.is_busy(dir, &self.session).await
        })
        .await;
        asked
    }
}

async fn modes_do_what_they_say(version: Version) {
    let model = ScriptedModel::start().await;
    let server = OpenCode::start(version, Options::new(&model)).await;
    let (own, plan) = (agent(&server, "build").await, agent(&server, "plan").await);
    let session = server.create_session(server.dir(0)).await;
    let toggled = Toggled { server: &server, session, own: path_allowances(&own), plan: path_allowances(&plan) };
    let run = |file: &str| Script::new().run(&format!("touch {file}"));
    let write = |file: &str| Script::new().write(file, "text\n");

    assert!(toggled.be(Mode::Supervised).await > 0);
    assert_eq!(toggled.be(Mode::Supervised).await, 0, "nothing to say twice");
    assert_eq!(toggled.be(Mode::Auto).await, 0, "for the server it is the same");
    assert_eq!(toggled.asks(run("a.txt"), "a.txt").await, ["bash"]);
    assert_eq!(toggled.asks(write("b.txt"), "b.txt").await, ["edit"]);

    assert!(toggled.be(Mode::AutoAcceptEdits).await > 0);
    assert_eq!(toggled.asks(write("c.txt"), "c.txt").await, [""; 0]);
    assert_eq!(toggled.asks(run("d.txt"), "d.txt").await, ["bash"]);

    assert!(toggled.be(Mode::FullAccess).await > 0);
    assert_eq!(toggled.asks(run("e.txt"), "e.txt").await, [""; 0]);
    assert_eq!(toggled.asks(write("f.txt"), "f.txt").await, [""; 0]);

    // Only the plan can be written, and that is asked about, because the configuration asks about edits.
    assert!(toggled.be(Stance { plan: true, ..Mode::FullAccess.into() }).await > 0);
    let plan = ".opencode/plans/one.md";
    let script = Script::new().write("never.txt", "text\n").write(plan, "text\n");
    assert_eq!(toggled.asks(script, plan).await, ["edit"]);
    assert!(!server.dir(0).join("never.txt").exists(), "nothing but the plan is written");

    assert!(toggled.be(Mode::Supervised).await > 0);
    assert_eq!(toggled.asks(run("g.txt"), "g.txt").await, ["bash"]);
    let length = toggled.list().await.len();
    for _ in 0..3 {
        assert_eq!(toggled.be(Mode::Supervised).await, 0);
    }
    assert_eq!(toggled.list().await.len(), length);
}
