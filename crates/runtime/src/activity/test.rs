//! What tests of the activity begin with.

use gavel_core::flow::{Happened, Record};
use gavel_core::text::Message;
use gavel_core::{
    Decision, JudgeName, Moment, Opinion, Opinions, Recommendation, RequestKey, Settled, Source, Status, Verdict,
};
use gavel_disk::Row;

pub(super) fn record(command: &str, what: Happened) -> Record {
    Record {
        at: Moment(0),
        key: RequestKey::new("http://s", "per_1"),
        title: format!("Run {command}"),
        action: "shell".into(),
        resources: vec![command.to_owned()],
        text: command.to_owned(),
        line: Some(command.to_owned()),
        directory: "/p".into(),
        session: None,
        session_id: Some("ses_1".into()),
        waited: 5,
        opinions: Opinions::default(),
        what,
    }
}

pub(super) fn row(number: u64, at: u64, record: Record) -> Row {
    Row { number, record: Record { at: Moment(at), ..record }, played: false }
}

pub(super) fn settled(settled: Settled) -> Happened {
    Happened::Settled { settled }
}

pub(super) fn you(decision: Decision) -> Happened {
    settled(Settled::You { decision })
}

/// What the analysis on this machine says.
pub(super) fn said(recommendation: Recommendation, reason: &str) -> Verdict {
    Verdict {
        recommendation,
        reason: reason.to_owned(),
        said: Message::default(),
        source: Source::Offline,
        status: Status::Ok,
        took: 0,
    }
}

pub(super) fn judge(model: &str) -> JudgeName {
    JudgeName { provider: "openai".into(), model: model.to_owned() }
}

/// What the model `model` says after `took` milliseconds.
pub(super) fn opinion(model: &str, recommendation: Recommendation, took: u64) -> Opinion {
    let verdict = Verdict { source: Source::Model, took, ..said(recommendation, "because") };
    Opinion { judge: Some(judge(model)), ..verdict.into() }
}
