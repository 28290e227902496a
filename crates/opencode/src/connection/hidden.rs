//! Sessions of Gavel's own: nothing of them is told to anybody.

use std::collections::{HashSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use gavel_core::flow::WireEvent;
use gavel_core::question::Question;
use gavel_core::{Ask, Session, SessionId};

/// How many are remembered after they ended: what is heard of them late is still theirs.
const MOST: usize = 1000;

/// The sessions that are hidden. Only what this program itself began is: no title and no other word of a server hides
/// a session of somebody else's for longer than the moment in which one of its own is about to begin.
#[derive(Debug, Default)]
pub(super) struct Hidden(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// The titles of sessions that are being begun, whose ids aren't known yet. Nobody can guess them.
    awaited: HashSet<String>,
    ids: HashSet<SessionId>,
    order: VecDeque<SessionId>,
}

impl Hidden {
    /// A session of this title is about to begin.
    pub(super) fn await_title(&self, title: &str) {
        self.state().awaited.insert(title.to_owned());
    }

    /// The session of this title has begun as `id`, or won't.
    pub(super) fn settle_title(&self, title: &str, id: Option<&SessionId>) {
        let mut state = self.state();
        state.awaited.remove(title);
        if let Some(id) = id {
            state.hide(id);
        }
    }

    /// `event` without what is hidden; `None` if nothing is left of it.
    pub(super) fn visible(&self, event: WireEvent) -> Option<WireEvent> {
        let mut state = self.state();
        if state.awaited.is_empty() && state.ids.is_empty() {
            return Some(event);
        }
        let hides = match &event {
            WireEvent::SessionBegan(session) | WireEvent::SessionSeen(session) => state.hides(session),
            WireEvent::Asked(ask) => state.ids.contains(&ask.session),
            WireEvent::QuestionAsked(question) => state.asks(question),
            WireEvent::SessionChanged(session)
            | WireEvent::SessionDeleted(session)
            | WireEvent::RulesIgnored(session)
            | WireEvent::RunBegan(session)
            | WireEvent::RunEnded(session)
            | WireEvent::RulesChanged { session, .. }
            | WireEvent::CallStarted { session, .. }
            | WireEvent::CallEnded { session, .. } => state.ids.contains(session),
            WireEvent::Answered { .. }
            | WireEvent::QuestionEnded { .. }
            | WireEvent::QuestionsListed { .. }
            | WireEvent::AgentsChanged(_)
            | WireEvent::Disposed(_)
            | WireEvent::ListBegan(_)
            | WireEvent::InSync
            | WireEvent::Unlisted(_)
            | WireEvent::Listed { .. } => false,
        };
        if hides {
            return None;
        }
        let shown = |asks: Vec<Ask>| asks.into_iter().filter(|ask| !state.ids.contains(&ask.session)).collect();
        let shown_too = |all: Vec<Question>| all.into_iter().filter(|one| !state.asks(one)).collect();
        Some(match event {
            WireEvent::QuestionsListed { number, scope, questions, orphans } => {
                let (questions, orphans) = (shown_too(questions), shown_too(orphans));
                WireEvent::QuestionsListed { number, scope, questions, orphans }
            }
            WireEvent::Listed { number, scope, asks, orphans } => {
                WireEvent::Listed { number, scope, asks: shown(asks), orphans: shown(orphans) }
            }
            other => other,
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Whether `session` is one of them, or works for one of them. Its title may be known before its id.
    fn hides(&mut self, session: &Session) -> bool {
        let works_for = session.parent.as_ref().is_some_and(|parent| self.ids.contains(parent));
        if works_for || self.awaited.contains(&session.title) {
            self.hide(&session.id);
        }
        self.ids.contains(&session.id)
    }

    /// Whether one of them asks this.
    fn asks(&self, question: &Question) -> bool {
        question.session.as_ref().is_some_and(|session| self.ids.contains(session))
    }

    fn hide(&mut self, id: &SessionId) {
        if !self.ids.insert(id.clone()) {
            return;
        }
        self.order.push_back(id.clone());
        if self.order.len() > MOST
            && let Some(oldest) = self.order.pop_front()
        {
            self.ids.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(id: &str, title: &str, parent: Option<&str>) -> Session {
        Session {
            id: id.into(),
            parent: parent.map(Into::into),
            title: title.to_owned(),
            directory: "/s".to_owned(),
            agent: None,
        }
    }

    #[test]
    fn a_session_is_hidden_from_its_first_event_to_its_last_and_no_other_is() {
        let hidden = Hidden::default();
        let began = |id: &str, title: &str, parent| WireEvent::SessionBegan(session(id, title, parent));
        let passes = |event: WireEvent| hidden.visible(event.clone()) == Some(event);
        assert!(passes(began("before", "secret", None)));
        hidden.await_title("secret");
        // The event may come before the answer that tells the id.
        assert!(!passes(began("ours", "secret", None)));
        assert!(passes(began("other", "secret of mine", None)));
        hidden.settle_title("secret", Some(&"ours".into()));
        // The title alone hides nobody any more.
        assert!(passes(began("copycat", "secret", None)));
        assert!(!passes(began("child", "", Some("ours"))));
        for id in ["ours", "child"] {
            let id: SessionId = id.into();
            assert!(!passes(WireEvent::RunBegan(id.clone())));
            assert!(!passes(WireEvent::RulesChanged { session: id.clone(), rules: Vec::new() }));
            assert!(!passes(WireEvent::SessionDeleted(id)));
        }
        assert!(passes(WireEvent::RunEnded("copycat".into())) && passes(WireEvent::Disposed(None)));
        hidden.await_title("never");
        hidden.settle_title("never", None);
        assert!(passes(began("later", "never", None)));
        for number in 0..=MOST {
            hidden.settle_title("x", Some(&SessionId(format!("n{number}"))));
        }
        let state = hidden.state();
        assert_eq!((state.ids.len(), state.order.len()), (MOST, MOST));
    }
}
