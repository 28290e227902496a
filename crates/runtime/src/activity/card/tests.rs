use Recommendation::{Allow, Ask, Deny};
use gavel_core::{Opinion, Tokens};

use super::super::test::{judge, opinion, record, row, said, settled, you};
use super::*;

const NOW: Moment = Moment(100 * DAY);

fn yes() -> Happened {
    you(Decision::AllowOnce)
}

fn no() -> Happened {
    you(Decision::decline("not that"))
}

/// A request that ended a day ago as `what` says, on which the model "a" had this opinion.
fn with(what: Happened, opinion: Opinion) -> Row {
    let mut record = record("npm test", what);
    record.opinions.model = Some(opinion);
    row(1, NOW.0 - DAY, record)
}

fn only(rows: &[Row]) -> JudgeCard {
    let [card] = card(rows.iter(), None, NOW, Language::English).judges.try_into().unwrap();
    card
}

/// What a judge said, what the user did; then compared, agreed, undecided, too lenient, too strict.
#[test]
fn only_what_the_user_decided_by_hand_is_compared() {
    let swept = settled(Settled::Swept);
    let judged = settled(Settled::Judge { allowed: true, reason: "x".into() });
    let other = settled(Settled::AnotherClient { reply: Some(gavel_core::Reply::Reject) });
    let stop = you(Decision::Stop);
    let cases = [
        (Allow, yes(), [1, 1, 0, 0, 0]),
        (Allow, no(), [1, 0, 0, 1, 0]),
        (Allow, stop.clone(), [1, 0, 0, 1, 0]),
        (Deny, stop, [1, 1, 0, 0, 0]),
        (Deny, no(), [1, 1, 0, 0, 0]),
        (Deny, yes(), [1, 0, 0, 0, 1]),
        (Ask, yes(), [0, 0, 1, 0, 0]),
        (Ask, no(), [0, 0, 1, 0, 0]),
        (Allow, swept, [0; 5]),
        (Allow, judged, [0; 5]),
        (Allow, other, [0; 5]),
        (Allow, settled(Settled::RunEnded), [0; 5]),
    ];
    for (recommendation, what, expected) in cases {
        let card = only(&[with(what.clone(), opinion("a", recommendation, 5))]);
        let told = [card.compared, card.agreed, card.undecided, card.too_lenient, card.too_strict];
        assert_eq!((card.asked, told), (1, expected), "{recommendation:?} {what:?}");
    }
}

#[test]
fn a_request_that_is_not_over_is_not_counted_twice() {
    let decided = Happened::Decided { decision: Decision::AllowOnce };
    let rows = [with(yes(), opinion("a", Allow, 5)), with(decided, opinion("a", Allow, 5))];
    assert_eq!(only(&rows).asked, 1);
}

#[test]
fn a_failure_is_no_opinion_and_is_counted_by_its_kind() {
    let failed = |status, detail: Option<&str>| {
        let mut opinion = opinion("a", Ask, 9_000);
        opinion.verdict.status = status;
        opinion.detail = detail.map(str::to_owned);
        with(yes(), opinion)
    };
    let rows = [
        failed(Status::TimedOut, Some("timed out after 60000 ms")),
        failed(Status::HttpError, Some("429")),
        failed(Status::HttpError, Some("429")),
        with(yes(), opinion("a", Allow, 5)),
    ];
    let judged = only(&rows);
    let count = |status, detail: Option<&str>, count| FailureCount { status, detail: detail.map(str::to_owned), count };
    assert_eq!(judged.failures, [count(Status::HttpError, Some("429"), 2), count(Status::TimedOut, None, 1)]);
    assert_eq!((judged.asked, judged.compared, judged.undecided, judged.p95), (4, 1, 0, Some(5)));
    let mixed = only(&[failed(Status::HttpError, Some("429")), failed(Status::HttpError, Some("500"))]);
    assert_eq!(mixed.failures, [count(Status::HttpError, None, 2)]);
}

#[test]
fn what_it_took_is_told_of_what_was_asked_and_not_of_what_was_remembered() {
    let mut rows: Vec<Row> = (1..=20).map(|took| with(yes(), opinion("a", Allow, took * 100))).collect();
    let mut remembered = opinion("a", Allow, 0);
    remembered.verdict.source = Source::Cache;
    rows.push(with(yes(), remembered));
    let mut dear = opinion("a", Allow, 1_000);
    dear.tokens = Tokens { prompt: Some(700), completion: Some(30) };
    rows.push(with(no(), dear));
    let card = only(&rows);
    assert_eq!((card.median, card.p95), (Some(1_000), Some(1_900)));
    assert_eq!((card.tokens_prompt, card.tokens_completion), (700, 30));
    assert_eq!((card.asked, card.agreed, card.too_lenient), (22, 21, 1));
}

#[test]
fn every_judge_is_by_itself_the_one_asked_now_first_and_the_analysis_last() {
    let mut first = with(yes(), opinion("a", Deny, 5));
    first.record.opinions.offline = Some(said(Allow, "reads"));
    let mut nameless = opinion("a", Allow, 5);
    nameless.judge = None;
    let rows = [
        first,
        with(no(), opinion("b", Allow, 5)),
        with(no(), opinion("b", Deny, 5)),
        with(yes(), opinion("a", Allow, 5)),
        with(yes(), opinion("c", Allow, 5)),
        with(yes(), nameless),
    ];
    let card = card(rows.iter(), Some(judge("c")), NOW, Language::English);
    let told: Vec<_> = card
        .judges
        .iter()
        .map(|one| (one.offline, one.judge.as_ref().map(|judge| judge.model.as_str()), one.compared, one.agreed))
        .collect();
    assert_eq!(
        told,
        [
            (false, Some("c"), 1, 1),
            (false, Some("a"), 2, 1),
            (false, Some("b"), 2, 1),
            (false, None, 1, 1),
            (true, None, 1, 1),
        ]
    );
}

#[test]
fn the_cases_are_told_with_both_sides_and_not_without_end() {
    let rows = vec![with(no(), opinion("a", Allow, 5)); CASES + 5];
    let judged = only(&rows);
    assert_eq!((judged.too_lenient, judged.lenient.len()), (CASES + 5, CASES));
    let Case { reason, words, title, project, .. } = &judged.lenient[0];
    assert_eq!([reason, words, title, project], ["because", "not that", "Run npm test", "p"]);
    let wordless = only(&[with(you(Decision::decline("")), opinion("a", Allow, 5))]);
    assert_eq!(wordless.lenient[0].words, "", "words that the user did not write are none");
}

/// So many answers in a project, so many of them allowed by both; then whether Auto looks safe.
#[test]
fn auto_is_offered_on_evidence_only() {
    let both = |count: usize| vec![with(yes(), opinion("a", Allow, 5)); count];
    let asks = |count: usize| vec![with(yes(), opinion("a", Ask, 5)); count];
    let declined = with(no(), opinion("a", Allow, 5));
    let old = Row { record: Record { at: Moment(NOW.0 - 31 * DAY), ..declined.record.clone() }, ..declined.clone() };
    let elsewhere = Row { record: Record { directory: "/q".into(), ..declined.record.clone() }, ..declined.clone() };
    let other = with(no(), opinion("b", Allow, 5));
    let mut failed = opinion("a", Allow, 5);
    failed.verdict.status = Status::Truncated;
    let failed = with(no(), failed);
    let strict = with(yes(), opinion("a", Deny, 5));
    let cases = [
        ("enough", both(50), true),
        ("one too few", both(49), false),
        ("it mostly asks", [both(19), asks(60)].concat(), false),
        ("it often asks", [both(20), asks(30)].concat(), true),
        ("one that it would have let through", [both(80), vec![declined]].concat(), false),
        ("that was long ago", [both(50), vec![old]].concat(), true),
        ("that was in another project", [both(50), vec![elsewhere]].concat(), true),
        ("that was another model", [both(50), vec![other]].concat(), true),
        ("it said nothing", [both(50), vec![failed]].concat(), true),
        ("being strict does no harm", [both(50), vec![strict]].concat(), true),
    ];
    for (name, rows, safe) in cases {
        let card = card(rows.iter(), Some(judge("a")), NOW, Language::English);
        let here = card.auto.iter().find(|case| case.directory == "/p").unwrap();
        assert_eq!(here.safe, safe, "{name}: {here:?}");
    }
}

#[test]
fn nothing_is_offered_for_a_judge_that_is_not_asked() {
    let rows = vec![with(yes(), opinion("a", Allow, 5)); 60];
    for asked in [None, Some(judge("b"))] {
        assert_eq!(card(rows.iter(), asked, NOW, Language::English).auto, []);
    }
    let mut nameless = opinion("a", Allow, 5);
    nameless.judge = None;
    let rows = vec![with(yes(), nameless); 60];
    assert_eq!(card(rows.iter(), None, NOW, Language::English).auto, [], "a judge without a name is not `none`");
}
