//! The report card: what judges said, held against what the user decided by hand. Pure.

use std::collections::BTreeMap;

use gavel_core::display::{project_name, retexted, retitled};
use gavel_core::flow::{Happened, Record};
use gavel_core::text::Language;
use gavel_core::{Decision, JudgeName, Moment, Recommendation, Settled, Source, Status, Verdict};
use gavel_disk::Row;

use super::ending::by_hand;
use super::numbers::{median, percentile};
use crate::api::{AutoCase, AutoRule, Case, FailureCount, JudgeCard, ReportCard};

/// What must be on record before it is said of a judge that it could be left to answer. It is said, and nothing more:
/// the mode is the user's to choose.
pub(super) const RULE: AutoRule = AutoRule { answers: 50, allowed: 20, days: 30 };

/// How many of the requests on which judge and user did not agree are told of each kind.
const CASES: usize = 10;

const DAY: u64 = 24 * 60 * 60 * 1_000;

impl Default for AutoRule {
    fn default() -> Self {
        RULE
    }
}

/// The report card of all judges in `rows`, newest first, as of `now`; `asked` is the judge that is asked now.
pub(super) fn card<'a>(
    rows: impl Iterator<Item = &'a Row>,
    asked: Option<JudgeName>,
    now: Moment,
    language: Language,
) -> ReportCard {
    let mut offline = Tally::default();
    // What is known of a judge without a name may be of any.
    let mut models: BTreeMap<Option<JudgeName>, Tally> = BTreeMap::new();
    let mut auto: BTreeMap<&str, AutoCase> = BTreeMap::new();
    for row in rows {
        let Happened::Settled { .. } = row.record.what else { continue };
        let opinions = &row.record.opinions;
        if let Some(verdict) = &opinions.offline {
            offline.count(row, verdict, language);
        }
        let Some(opinion) = &opinions.model else { continue };
        let tally = models.entry(opinion.judge.clone()).or_default();
        tally.count(row, &opinion.verdict, language);
        tally.fail(opinion.verdict.status, opinion.detail.as_deref());
        tally.prompt = tally.prompt.saturating_add(opinion.tokens.prompt.unwrap_or(0));
        tally.completion = tally.completion.saturating_add(opinion.tokens.completion.unwrap_or(0));
        let recent = now.since(row.record.at) < RULE.days * DAY;
        if recent && asked.is_some() && opinion.judge == asked && opinion.verdict.status == Status::Ok {
            weigh(&mut auto, &row.record, &opinion.verdict);
        }
    }
    let mut judges: Vec<JudgeCard> = models.into_iter().map(|(judge, tally)| tally.card(Some(judge))).collect();
    judges.sort_by_key(|card| (card.judge.is_none() || card.judge != asked, std::cmp::Reverse(card.asked)));
    if offline.asked > 0 {
        judges.push(offline.card(None));
    }
    let mut auto: Vec<AutoCase> = auto.into_values().map(decide).collect();
    auto.sort_by_key(|case| (!case.safe, std::cmp::Reverse(case.answers)));
    ReportCard { asked, judges, auto, rule: RULE }
}

/// Counts what the user decided in a project while the judge had an opinion on it.
fn weigh<'a>(auto: &mut BTreeMap<&'a str, AutoCase>, record: &'a Record, verdict: &Verdict) {
    let Some(user_allowed) = by_hand(&record.what) else { return };
    let case = auto.entry(&record.directory).or_insert_with(|| AutoCase {
        directory: record.directory.clone(),
        project: project_name(&record.directory),
        server: record.key.server.to_string(),
        answers: 0,
        allowed: 0,
        too_lenient: 0,
        safe: false,
    });
    case.answers += 1;
    match (verdict.recommendation, user_allowed) {
        (Recommendation::Allow, true) => case.allowed += 1,
        (Recommendation::Allow, false) => case.too_lenient += 1,
        (Recommendation::Ask | Recommendation::Deny, _) => {}
    }
}

/// A judge that never allows is never wrong about it: there must be enough that it would have allowed.
fn decide(case: AutoCase) -> AutoCase {
    let safe = case.too_lenient == 0 && case.answers >= RULE.answers && case.allowed >= RULE.allowed;
    AutoCase { safe, ..case }
}

/// What is counted of one judge.
#[derive(Default)]
struct Tally {
    asked: usize,
    agreed: usize,
    undecided: usize,
    too_lenient: usize,
    too_strict: usize,
    lenient: Vec<Case>,
    strict: Vec<Case>,
    took: Vec<u64>,
    failures: BTreeMap<&'static str, FailureCount>,
    prompt: u64,
    completion: u64,
}

impl Tally {
    fn count(&mut self, row: &Row, verdict: &Verdict, language: Language) {
        self.asked += 1;
        if verdict.status != Status::Ok {
            return;
        }
        // What was remembered says nothing about how quick a judge is.
        if verdict.source == Source::Model {
            self.took.push(verdict.took);
        }
        let Some(user_allowed) = by_hand(&row.record.what) else { return };
        match (verdict.recommendation, user_allowed) {
            (Recommendation::Allow, true) | (Recommendation::Deny, false) => self.agreed += 1,
            (Recommendation::Ask, _) => self.undecided += 1,
            (Recommendation::Allow, false) => {
                self.too_lenient += 1;
                keep(&mut self.lenient, row, verdict, language);
            }
            (Recommendation::Deny, true) => {
                self.too_strict += 1;
                keep(&mut self.strict, row, verdict, language);
            }
        }
    }

    fn fail(&mut self, status: Status, detail: Option<&str>) {
        let word = match status {
            Status::Ok => return,
            Status::NoKey => "no_key",
            Status::HttpError => "http_error",
            Status::NetworkError => "network_error",
            Status::TimedOut => "timed_out",
            Status::Truncated => "truncated",
            Status::Unparsed => "unparsed",
        };
        // Only of a status the number says something; words differ every time.
        let detail = detail.filter(|_| status == Status::HttpError).map(str::to_owned);
        let known =
            self.failures.entry(word).or_insert_with(|| FailureCount { status, detail: detail.clone(), count: 0 });
        known.count += 1;
        if known.detail != detail {
            known.detail = None;
        }
    }

    fn card(mut self, judge: Option<Option<JudgeName>>) -> JudgeCard {
        let mut failures: Vec<FailureCount> = self.failures.into_values().collect();
        failures.sort_by_key(|failure| std::cmp::Reverse(failure.count));
        JudgeCard {
            offline: judge.is_none(),
            judge: judge.flatten(),
            asked: self.asked,
            compared: self.agreed + self.too_lenient + self.too_strict,
            agreed: self.agreed,
            undecided: self.undecided,
            too_lenient: self.too_lenient,
            lenient: self.lenient,
            too_strict: self.too_strict,
            strict: self.strict,
            median: median(&mut self.took),
            p95: percentile(&mut self.took, 95),
            failures,
            tokens_prompt: self.prompt,
            tokens_completion: self.completion,
        }
    }
}

fn keep(cases: &mut Vec<Case>, row: &Row, verdict: &Verdict, language: Language) {
    if cases.len() >= CASES {
        return;
    }
    let record = &row.record;
    let words = match &record.what {
        Happened::Settled {
            settled: Settled::You { decision: Decision::Decline { reason } } | Settled::YouStopped { reason },
        } if reason != Decision::DEFAULT_REASON => reason.clone(),
        _ => String::new(),
    };
    cases.push(Case {
        number: row.number,
        at: record.at.0,
        title: retitled(&record.action, &record.title, language),
        text: retexted(&record.action, &record.text, language),
        project: project_name(&record.directory),
        reason: verdict.reason_in(language),
        words,
    });
}

#[cfg(test)]
mod tests;
