//! The rules of sessions: what a mode says, brought to the server.

use serde::{Deserialize, Serialize};

use super::effect::Effect;
use super::event::{RuleOutcome, Timer};
use super::machine::Step;
use super::server::Server;
use super::told::Saying;
use crate::modes::{Cause, Stance};
use crate::rules::{Rule, Saved};
use crate::text::Message;
use crate::{Dialect, ServerId, Session, SessionId};

/// How often in a row somebody else may overwrite Gavel's rules before it lets them be.
const QUARRELS: u8 = 3;

/// How long after a failure the rules of a session are set again, in milliseconds.
const AGAIN: u64 = 10_000;

/// What Gavel has told a server about a session.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ruled {
    /// The rules in the session's list that are Gavel's.
    pub block: Vec<Rule>,
    /// How far that is.
    pub state: RuleState,
    /// What they say. `None` where that is not certain: something else was sent, and it is not known what came of it.
    pub(super) told: Option<Wanted>,
    /// What they are to say.
    wanted: Wanted,
    /// What they will say when what is under way is done.
    sent: Wanted,
    /// How often others have overwritten it since it was last changed.
    quarrels: u8,
}

/// What the rules of a session are to say.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Wanted {
    stance: Option<Stance>,
    grants: Vec<Saved>,
}

/// How far the rules of a session are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum RuleState {
    /// They stand.
    #[default]
    Stands,
    /// They are being set; `again` if they are to be something else already.
    UnderWay {
        /// They are to be something else already.
        again: bool,
    },
    /// They could not be set. It is tried again.
    Failed {
        /// Why, for a person.
        why: Message,
    },
    /// This server can't set the rules of a session, or does not heed those of this one.
    Unsupported,
    /// Another client sets others again and again.
    Overruled,
}

impl Ruled {
    /// What an earlier run told a session. Whether it still stands is to be seen.
    fn earlier(saying: &Saying) -> Self {
        let state = if saying.overruled { RuleState::Overruled } else { RuleState::Failed { why: Message::default() } };
        Self {
            block: saying.block.clone(),
            state,
            told: saying.wanted.clone(),
            wanted: saying.wanted.clone().unwrap_or_default(),
            ..Self::default()
        }
    }

    /// The session has what its parent had when it began, and the rules that are Gavel's there are so here.
    fn inherited(parent: &Self) -> Self {
        let state = RuleState::Failed { why: Message::default() };
        Self { block: parent.block.clone(), state, told: parent.told.clone(), ..Self::default() }
    }

    /// Whether nothing is said, and nothing is to be.
    pub(super) fn is_nothing(&self) -> bool {
        self.wanted == Wanted::default() && self.block.is_empty() && self.state == RuleState::Stands
    }
}

impl Step {
    /// Sees to the rules of all sessions that work, have worked since the server is watched, or were seen to before.
    pub(super) fn rule_all(&mut self, server: &mut Server) {
        self.rule_told(server);
        let mut sessions: Vec<SessionId> =
            server.ruled.keys().chain(&server.running).chain(&server.at_work).cloned().collect();
        sessions.extend(self.stances.sessions.get(&server.info.id).into_iter().flat_map(|own| own.keys().cloned()));
        sessions.extend(server.entries.values().map(|entry| entry.ask.session.clone()));
        sessions.sort_unstable();
        sessions.dedup();
        for session in sessions {
            self.rule(server, &session);
        }
    }

    /// Sees that the server knows the rules of a session.
    pub(super) fn rule(&mut self, server: &mut Server, id: &SessionId) {
        let Some(dialect) = server.link.dialect() else { return };
        let Some(session) = server.sessions.get(id).filter(|session| !session.directory.is_empty()) else { return };
        if server.sessions.missing(id).is_some() {
            // Whose child it is decides what counts for it; it is being looked up.
            return;
        }
        let wanted = self.wanted(&server.info.id, dialect, &server.sessions.chain(id));
        let session = session.clone();
        if !server.ruled.contains_key(id) {
            // On 2.x it begins with what its parent has.
            let parent = session.parent.as_ref().filter(|_| dialect == Dialect::V2);
            let parent = parent.and_then(|parent| server.ruled.get(parent));
            let earlier = match (self.told.get(id), parent) {
                (Some(saying), _) => Ruled::earlier(saying),
                // What that is, is known when what is under way there is done.
                (None, Some(Ruled { state: RuleState::UnderWay { .. }, .. })) => return server.works(id),
                (None, Some(parent)) if !parent.block.is_empty() => Ruled::inherited(parent),
                _ if wanted == Wanted::default() => return,
                _ => Ruled { state: RuleState::Failed { why: Message::default() }, ..Ruled::default() },
            };
            server.ruled.insert(id.clone(), earlier);
        }
        let Some(ruled) = server.ruled.get_mut(id) else { return };
        if ruled.wanted == wanted && !matches!(ruled.state, RuleState::Failed { .. }) {
            return;
        }
        if ruled.wanted != wanted {
            ruled.quarrels = 0;
        }
        ruled.wanted = wanted;
        if server.unruly.contains(id) {
            ruled.state = RuleState::Unsupported;
            return self.publish();
        }
        if let RuleState::UnderWay { again } = &mut ruled.state {
            *again = true;
            return;
        }
        ruled.state = RuleState::UnderWay { again: false };
        ruled.sent = ruled.wanted.clone();
        let Wanted { stance, grants } = ruled.wanted.clone();
        let cause = if ruled.told.as_ref() == Some(&ruled.wanted) { Cause::Upkeep } else { Cause::Choice };
        if cause == Cause::Choice {
            // Whatever comes of it, it is known beforehand that the session may be told something else.
            ruled.told = None;
            self.doubt_told(id);
        }
        let previous = ruled.block.clone();
        self.effects.push(Effect::Rule { server: server.info.id.clone(), session, stance, grants, previous, cause });
        self.publish();
    }

    /// What the rules of the last session of `chain` are to say.
    pub(super) fn wanted(&self, server: &ServerId, dialect: Dialect, chain: &[&Session]) -> Wanted {
        let stance = self.stances.narrowest(server, chain);
        let grants = if dialect == Dialect::V2 { self.grants.as_rules(server, chain, self.now) } else { Vec::new() };
        Wanted { stance, grants }
    }

    /// Sees to the rules of a session once more, though what they are to be has not changed.
    pub(super) fn rule_anew(&mut self, server: &mut Server, id: &SessionId) {
        match server.ruled.get_mut(id) {
            Some(Ruled { state: RuleState::UnderWay { again }, .. }) => *again = true,
            Some(ruled) if !matches!(ruled.state, RuleState::Unsupported | RuleState::Overruled) => {
                ruled.state = RuleState::Failed { why: Message::default() };
                self.rule(server, id);
            }
            _ => {}
        }
    }

    pub(super) fn ruled(&mut self, server: &mut Server, id: &SessionId, outcome: RuleOutcome) {
        let Some(ruled) = server.ruled.get_mut(id) else { return };
        if server.unruly.contains(id) && outcome != RuleOutcome::Deleted {
            // Whatever stands there now has no effect.
            ruled.state = RuleState::Unsupported;
            return self.publish();
        }
        let again = ruled.state == RuleState::UnderWay { again: true };
        ruled.state = match outcome {
            RuleOutcome::Stands(block) => {
                ruled.block = block;
                ruled.told = Some(ruled.sent.clone());
                RuleState::Stands
            }
            RuleOutcome::Deleted => {
                server.ruled.remove(id);
                self.forget_told(id);
                self.rule_children(server, id);
                return self.publish();
            }
            RuleOutcome::Unsupported => RuleState::Unsupported,
            RuleOutcome::Failed { why } => {
                let timer = Timer::Rule(server.info.id.clone(), id.clone());
                self.effects.push(Effect::Timer { at: self.now.plus(AGAIN), timer });
                RuleState::Failed { why }
            }
        };
        if ruled.state == RuleState::Stands {
            self.remember_told(server, id);
        }
        if again {
            self.rule_anew(server, id);
        }
        // What a child began with is not looked for twice.
        let is_child = server.sessions.get(id).is_some_and(|known| known.parent.is_some());
        if !is_child && server.ruled.get(id).is_some_and(Ruled::is_nothing) {
            server.ruled.remove(id);
        }
        self.rule_children(server, id);
        self.publish();
    }

    /// Sees to the children of a session that have waited for what it has.
    fn rule_children(&mut self, server: &mut Server, id: &SessionId) {
        let is_child = |child: &&SessionId| {
            let known = server.sessions.get(child).and_then(|known| known.parent.as_ref());
            known == Some(id) && !server.ruled.contains_key(*child)
        };
        let children: Vec<SessionId> = server.running.iter().chain(&server.at_work).filter(is_child).cloned().collect();
        for child in children {
            self.rule(server, &child);
        }
    }

    /// What was or will be set for a session has no effect.
    pub(super) fn rules_ignored(&mut self, server: &mut Server, id: &SessionId) {
        if !server.heeds_no_rules(id) {
            return;
        }
        self.forget_told(id);
        if let Some(ruled) = server.ruled.get_mut(id) {
            ruled.block.clear();
            ruled.state = RuleState::Unsupported;
            self.publish();
        }
    }

    /// The rules could not be set a while ago.
    pub(super) fn rule_again(&mut self, server: &mut Server, id: &SessionId) {
        if server.ruled.get(id).is_some_and(|ruled| matches!(ruled.state, RuleState::Failed { .. })) {
            self.rule(server, id);
        }
    }

    /// Somebody, perhaps Gavel itself, changed the rules of a session.
    pub(super) fn rules_changed(&mut self, server: &mut Server, id: &SessionId, rules: &[Rule]) {
        let whole = server.link.dialect() == Some(Dialect::V2);
        let Some(ruled) = server.ruled.get_mut(id).filter(|ruled| ruled.state == RuleState::Stands) else { return };
        if !whole || rules.ends_with(&ruled.block) {
            // In a list that only grows, what others append counts: they know what they do.
            return;
        }
        if ruled.quarrels >= QUARRELS {
            ruled.state = RuleState::Overruled;
            self.remember_told(server, id);
            return self.publish();
        }
        ruled.quarrels += 1;
        // What is left of the old block, if anything, is not to be looked for.
        self.rule_anew(server, id);
    }

    /// The agents of a directory changed, and with them the places that they may use of their own.
    pub(super) fn agents_changed(&mut self, server: &mut Server, directory: &str) {
        let here = |id: &SessionId| server.sessions.get(id).is_some_and(|known| known.directory == directory);
        let sessions: Vec<SessionId> =
            server.ruled.keys().filter(|id| directory.is_empty() || here(id)).cloned().collect();
        for session in sessions {
            self.rule_anew(server, &session);
        }
    }
}
