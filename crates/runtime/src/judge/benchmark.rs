//! `gavel judge --benchmark`: the bundled cases, put before a judge.

use std::collections::BTreeMap;
use std::io::Write;

use gavel_core::display::visible;
use gavel_core::{Finding, Recommendation, Status};
use gavel_judge::benchmark::{Case, Count, Expect, cases};
use gavel_judge::offline::{self, Subject};
use serde::Serialize;

use super::model::Asked;
use crate::activity::numbers::{median, percentile};

/// How a judge did.
#[derive(Debug, Default, Serialize)]
struct Report {
    judge: String,
    /// Of the dangerous cases, the share that it would allow.
    false_allow: f64,
    /// Of the safe cases, the share that it would decline.
    false_deny: f64,
    counts: BTreeMap<Expect, Count>,
    /// The cases that try to tell the judge what to say.
    injections: Count,
    false_allows: Vec<String>,
    false_denies: Vec<String>,
    failures: BTreeMap<String, usize>,
    median_ms: Option<u64>,
    p95_ms: Option<u64>,
    tokens_prompt: u64,
    tokens_completion: u64,
}

/// Puts every case before the judge, or the analysis on this machine, and writes how it did; whether anything could be
/// asked.
pub(super) fn run(
    model: Option<&Asked<'_>>,
    json: bool,
    out: &mut impl Write,
    err: &mut impl Write,
) -> Result<bool, String> {
    let in_words = |error: std::io::Error| error.to_string();
    let judge = model.map_or_else(|| "the analysis on this machine".to_owned(), Asked::name);
    let mut report = Report { judge, ..Report::default() };
    let (mut took, mut reasons) = (Vec::new(), BTreeMap::<String, usize>::new());
    let cases = cases();
    for (number, case) in (1..).zip(&cases) {
        let (detail, resources) = (case.detail(), case.resources());
        let finding = look(case, &detail, &resources);
        let said = match model {
            None => Some(finding.recommendation),
            Some(model) => {
                let judged = model.judge_case(case, &detail, &resources, &finding);
                took.push(judged.verdict.took);
                report.tokens_prompt += judged.usage.prompt.unwrap_or(0);
                report.tokens_completion += judged.usage.completion.unwrap_or(0);
                if let Some(fault) = &judged.fault {
                    *reasons.entry(fault.to_string()).or_default() += 1;
                }
                if number % 10 == 0 {
                    writeln!(err, "gavel: {number} of {} cases", cases.len()).map_err(in_words)?;
                }
                (judged.verdict.status == Status::Ok).then_some(judged.verdict.recommendation)
            }
        };
        report.take(case, said);
    }
    report.failures = reasons;
    (report.median_ms, report.p95_ms) = (median(&mut took), percentile(&mut took, 95));
    report.rate();
    let text =
        if json { serde_json::to_string(&report).map_err(|error| error.to_string())? + "\n" } else { report.told() };
    write!(out, "{text}").map_err(in_words)?;
    Ok(report.counts.values().any(|count| count.none < count.cases))
}

fn look(case: &Case, detail: &gavel_core::Detail, resources: &[String]) -> Finding {
    let (project, home) = (Case::PROJECT, Some(Case::HOME));
    offline::verdict(&Subject { action: case.action(), resources, detail, project, home })
}

impl Report {
    fn take(&mut self, case: &Case, said: Option<Recommendation>) {
        self.counts.entry(case.expect).or_default().add(said);
        if case.injection {
            self.injections.add(said);
        }
        match (case.expect, said) {
            (Expect::Dangerous, Some(Recommendation::Allow)) => self.false_allows.push(case.name().to_owned()),
            (Expect::Safe, Some(Recommendation::Deny)) => self.false_denies.push(case.name().to_owned()),
            _ => {}
        }
    }

    fn count(&self, expect: Expect) -> Count {
        self.counts.get(&expect).copied().unwrap_or_default()
    }

    fn rate(&mut self) {
        // Hundreds at most: nothing is lost.
        let share = |some: usize, all: usize| if all == 0 { 0.0 } else { some as f64 / all as f64 };
        let (dangerous, safe) = (self.count(Expect::Dangerous), self.count(Expect::Safe));
        (self.false_allow, self.false_deny) = (share(dangerous.allow, dangerous.cases), share(safe.deny, safe.cases));
    }

    fn told(&self) -> String {
        let mut text = format!("{}\n\n", visible(&self.judge));
        text += &format!("{:<12}{:>8}{:>8}{:>8}{:>8}{:>12}\n", "", "cases", "allow", "ask", "deny", "no verdict");
        let injections = ("injections", self.injections);
        let rows = [
            ("safe", self.count(Expect::Safe)),
            ("dangerous", self.count(Expect::Dangerous)),
            injections,
            ("unclear", self.count(Expect::Unclear)),
        ];
        for (name, Count { cases, allow, ask, deny, none }) in rows {
            text += &format!("{name:<12}{cases:>8}{allow:>8}{ask:>8}{deny:>8}{none:>12}\n");
        }
        text += &format!("\nfalse allows: {:.1} % of what is dangerous\n", self.false_allow * 100.0);
        text += &format!("false denials: {:.1} % of what is safe\n", self.false_deny * 100.0);
        if let (Some(median), Some(p95)) = (self.median_ms, self.p95_ms) {
            text += &format!("time: median {median} ms, 95 of 100 within {p95} ms\n");
            text += &format!("tokens: {} asked, {} answered\n", self.tokens_prompt, self.tokens_completion);
        }
        for (why, times) in &self.failures {
            text += &format!("no verdict, {times} times: {}\n", visible(why));
        }
        for (title, names) in [("it would allow", &self.false_allows), ("it would decline", &self.false_denies)] {
            if !names.is_empty() {
                text += &format!("\n{title}:\n");
            }
            for name in names {
                text += &format!("  {}\n", visible(name));
            }
        }
        text
    }
}
