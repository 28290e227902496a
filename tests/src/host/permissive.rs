//! Servers whose configuration allows everything, and what is pasted into that of a project.

use gavel_core::rules::{Effect, Rule};
use serde::Deserialize;
use serde_json::json;

use super::{Host, Inner, Kind};
use crate::opencode::{OpenCode, Options};
use crate::scripted_model::ScriptedModel;

/// What 2.x reads of a configuration here.
#[derive(Deserialize)]
struct Configuration {
    permissions: Vec<Rule>,
}

fn everything() -> Rule {
    Rule { action: "*".to_owned(), resource: "*".to_owned(), effect: Effect::Allow }
}

impl Host {
    /// Starts a server of a user who lets agents do everything.
    pub async fn permissive(kind: &Kind) -> Self {
        let Kind::Real(version) = kind else {
            let host = Self::start(kind).await;
            host.stand_in().configure(vec![everything()]);
            return host;
        };
        let model = ScriptedModel::start().await;
        let options = Options::new(&model).projects(&["alpha", "beta"]).config(json!({ "permission": "allow" }));
        let server = Box::new(OpenCode::start(*version, options).await);
        Self { kind: kind.clone(), inner: Inner::Real { server, model } }
    }

    /// Puts `text` into the file `opencode.json` of project `at`, and lets a permissive server read it.
    pub async fn paste(&self, at: usize, text: &str) {
        match &self.inner {
            Inner::Real { server, .. } => {
                std::fs::write(server.dir(at).join("opencode.json"), text).expect("a writable project");
                server.dispose(server.dir(at)).await;
            }
            Inner::StandIn(server) => {
                let Configuration { permissions } = serde_json::from_str(text).expect("a configuration of 2.x");
                server.configure([vec![everything()], permissions].concat());
            }
        }
    }
}
