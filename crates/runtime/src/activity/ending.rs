//! What became of a request, and who answered it, in one word each.

use gavel_core::flow::Happened;
use gavel_core::{Reply, Settled};

use crate::api::{Answerer, Ending};

/// What became of it. `None` while an answer is only under way.
pub(super) fn ending(what: &Happened) -> Option<Ending> {
    let settled = match what {
        Happened::Decided { .. } | Happened::Responded { .. } => return None,
        Happened::Undelivered { .. } => return Some(Ending::Undelivered),
        Happened::Settled { settled } => settled,
    };
    Some(match settled {
        Settled::You { decision } if decision.refuses() => Ending::Declined,
        Settled::YouStopped { .. } => Ending::Declined,
        Settled::You { .. } | Settled::Grant { .. } | Settled::Rule { .. } | Settled::Judge { allowed: true, .. } => {
            Ending::Allowed
        }
        Settled::Judge { allowed: false, .. } | Settled::Swept => Ending::Declined,
        Settled::AnotherClient { reply: Some(Reply::Once | Reply::Always) } => Ending::Allowed,
        Settled::AnotherClient { reply: Some(Reply::Reject) } => Ending::Declined,
        Settled::YouAnswered { .. } | Settled::AnsweredElsewhere { .. } => Ending::Answered,
        Settled::YouCancelled { .. } | Settled::CancelledElsewhere => Ending::Declined,
        Settled::AnotherClient { reply: None } | Settled::Unseen | Settled::WhileAway => Ending::Unknown,
        Settled::RunEnded | Settled::ServerGone => Ending::Over,
    })
}

/// Who answered. `None` if it hasn't ended.
pub(super) fn answerer(what: &Happened) -> Option<Answerer> {
    let Happened::Settled { settled } = what else { return None };
    Some(match settled {
        // What was swept along follows from what the user declined.
        Settled::You { .. }
        | Settled::YouStopped { .. }
        | Settled::Swept
        | Settled::YouAnswered { .. }
        | Settled::YouCancelled { .. } => Answerer::You,
        Settled::Grant { .. } => Answerer::Grant,
        Settled::Rule { .. } => Answerer::Rule,
        Settled::Judge { .. } => Answerer::Judge,
        Settled::AnotherClient { .. } | Settled::AnsweredElsewhere { .. } | Settled::CancelledElsewhere => {
            Answerer::Elsewhere
        }
        Settled::Unseen | Settled::WhileAway | Settled::RunEnded | Settled::ServerGone => Answerer::Nobody,
    })
}

/// What the user decided by hand: whether they allowed it. `None` for all that others decided.
pub(super) fn by_hand(what: &Happened) -> Option<bool> {
    match what {
        Happened::Settled { settled: Settled::You { decision } } => Some(!decision.refuses()),
        Happened::Settled { settled: Settled::YouStopped { .. } } => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use gavel_core::{Decision, Source};

    use super::*;

    #[test]
    fn every_end_has_its_words() {
        let you = |decision| Settled::You { decision };
        let judge = |allowed| Settled::Judge { allowed, reason: String::new() };
        let other = |reply| Settled::AnotherClient { reply };
        let rule = Settled::Rule { line: "ls".into(), source: Source::Preset };
        let cases = [
            (you(Decision::AllowOnce), Ending::Allowed, Answerer::You, Some(true)),
            (you(Decision::AllowAlways), Ending::Allowed, Answerer::You, Some(true)),
            (you(Decision::decline("")), Ending::Declined, Answerer::You, Some(false)),
            (you(Decision::Stop), Ending::Declined, Answerer::You, Some(false)),
            (Settled::YouStopped { reason: String::new() }, Ending::Declined, Answerer::You, Some(false)),
            (Settled::Grant { title: "x".into() }, Ending::Allowed, Answerer::Grant, None),
            (rule, Ending::Allowed, Answerer::Rule, None),
            (judge(true), Ending::Allowed, Answerer::Judge, None),
            (judge(false), Ending::Declined, Answerer::Judge, None),
            (Settled::Swept, Ending::Declined, Answerer::You, None),
            (other(Some(Reply::Once)), Ending::Allowed, Answerer::Elsewhere, None),
            (other(Some(Reply::Always)), Ending::Allowed, Answerer::Elsewhere, None),
            (other(Some(Reply::Reject)), Ending::Declined, Answerer::Elsewhere, None),
            (other(None), Ending::Unknown, Answerer::Elsewhere, None),
            (Settled::YouAnswered { answers: Vec::new() }, Ending::Answered, Answerer::You, None),
            (Settled::YouCancelled { reason: None }, Ending::Declined, Answerer::You, None),
            (Settled::AnsweredElsewhere { answers: Vec::new() }, Ending::Answered, Answerer::Elsewhere, None),
            (Settled::CancelledElsewhere, Ending::Declined, Answerer::Elsewhere, None),
            (Settled::Unseen, Ending::Unknown, Answerer::Nobody, None),
            (Settled::WhileAway, Ending::Unknown, Answerer::Nobody, None),
            (Settled::RunEnded, Ending::Over, Answerer::Nobody, None),
            (Settled::ServerGone, Ending::Over, Answerer::Nobody, None),
        ];
        for (settled, became, who, own) in cases {
            let what = Happened::Settled { settled };
            assert_eq!((ending(&what), answerer(&what), by_hand(&what)), (Some(became), Some(who), own), "{what:?}");
        }
        let undelivered = Happened::Undelivered { why: gavel_core::text::Message::default() };
        assert_eq!((ending(&undelivered), answerer(&undelivered)), (Some(Ending::Undelivered), None));
        let decided = Happened::Decided { decision: Decision::AllowOnce };
        assert_eq!((ending(&decided), answerer(&decided), by_hand(&decided)), (None, None, None));
    }
}
