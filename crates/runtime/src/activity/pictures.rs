//! The activity in numbers. Pure: the days are those of whoever asks, because only they know the user's time zone.

use std::collections::HashMap;

use gavel_core::Recommendation;
use gavel_core::display::{project_name, retitled};
use gavel_core::rules_file::CommandLine;
use gavel_core::text::Language;
use gavel_disk::Row;

use super::ending::{answerer, by_hand, ending};
use super::numbers::median;
use crate::api::{Answerer, AskedOften, Day, Ending, Pictures};

/// How many of what was asked most are named.
const MOST_ASKED: usize = 12;

/// What was asked less often than this is not asked "again and again".
const OFTEN: usize = 2;

/// How many of the user's own approvals make a command a candidate for a rule: as many as would make it learned.
const CANDIDATE: usize = 3;

/// The pictures of `rows`, newest first, by days that begin at `days` (ascending). What ended before the first is left
/// out; the last has no end.
pub(super) fn pictures<'a>(rows: impl Iterator<Item = &'a Row>, days: &[u64], language: Language) -> Pictures {
    let mut table: Vec<(Day, Vec<u64>)> =
        days.iter().map(|from| (Day { from: *from, ..Day::default() }, Vec::new())).collect();
    let mut asked: HashMap<Key<'a>, AskedOften> = HashMap::new();
    let mut waits = Vec::new();
    let mut total = 0;
    for row in rows {
        let record = &row.record;
        let (Some(became), Some(who)) = (ending(&record.what), answerer(&record.what)) else { continue };
        let place = days.partition_point(|from| *from <= record.at.0);
        let Some((day, waited)) = place.checked_sub(1).and_then(|place| table.get_mut(place)) else { continue };
        total += 1;
        *of_ending(day, became) += 1;
        *of_answerer(day, who) += 1;
        if matches!(who, Answerer::You | Answerer::Elsewhere) {
            waited.push(record.waited);
            waits.push(record.waited);
        }
        let key = (record.action.as_str(), record.text.as_str(), record.directory.as_str());
        count(asked.entry(key).or_insert_with(|| begin(row)), row);
    }
    let days = table.into_iter().map(|(day, mut waited)| Day { waited: median(&mut waited), ..day }).collect();
    Pictures { total, days, waited: median(&mut waits), asked: most_asked(asked.into_values(), language) }
}

type Key<'a> = (&'a str, &'a str, &'a str);

fn of_ending(day: &mut Day, became: Ending) -> &mut usize {
    match became {
        Ending::Allowed => &mut day.allowed,
        Ending::Declined => &mut day.declined,
        Ending::Answered => &mut day.answered,
        // What was not delivered has not ended; it doesn't get here.
        Ending::Unknown | Ending::Undelivered => &mut day.unknown,
        Ending::Over => &mut day.over,
    }
}

fn of_answerer(day: &mut Day, who: Answerer) -> &mut usize {
    match who {
        Answerer::You => &mut day.you,
        Answerer::Grant => &mut day.grant,
        Answerer::Rule => &mut day.rule,
        Answerer::Judge => &mut day.judge,
        Answerer::Elsewhere => &mut day.elsewhere,
        Answerer::Nobody => &mut day.nobody,
    }
}

/// Nothing counted yet of what `row`, the newest of its kind, is about.
fn begin(row: &Row) -> AskedOften {
    let record = &row.record;
    AskedOften {
        action: record.action.clone(),
        title: record.title.clone(),
        text: record.text.clone(),
        directory: record.directory.clone(),
        project: project_name(&record.directory),
        server: record.key.server.to_string(),
        times: 0,
        allowed: 0,
        declined: 0,
        // A text that is kept in part or with something masked is not the one to be learned.
        candidate: record.line.as_deref().is_some_and(|line| {
            CommandLine::new(&record.action, &record.text).is_some_and(|whole| whole.as_str() == line)
        }),
    }
}

fn count(asked: &mut AskedOften, row: &Row) {
    let record = &row.record;
    asked.times += 1;
    match by_hand(&record.what) {
        Some(true) => asked.allowed += 1,
        Some(false) => asked.declined += 1,
        None => {}
    }
    let denied = record.opinions.offline.as_ref().is_some_and(|verdict| verdict.recommendation == Recommendation::Deny);
    asked.candidate &= !denied;
}

/// Those that came before the user again and again, the most frequent first.
fn most_asked(all: impl Iterator<Item = AskedOften>, language: Language) -> Vec<AskedOften> {
    let by_you = |asked: &AskedOften| asked.allowed + asked.declined;
    let mut most: Vec<AskedOften> = all.filter(|asked| by_you(asked) >= OFTEN).collect();
    most.sort_by(|a, b| {
        by_you(b)
            .cmp(&by_you(a))
            .then(b.times.cmp(&a.times))
            .then_with(|| (&a.text, &a.directory).cmp(&(&b.text, &b.directory)))
    });
    most.truncate(MOST_ASKED);
    for asked in &mut most {
        asked.candidate &= asked.declined == 0 && asked.allowed >= CANDIDATE;
        asked.title = retitled(&asked.action, &asked.title, language);
    }
    most
}

#[cfg(test)]
mod tests {
    use gavel_core::{Decision, Reply, Settled, Source};

    use super::super::test::{record, row, said, settled, you};
    use super::*;

    fn day(from: u64) -> Day {
        Day { from, ..Day::default() }
    }

    /// Each request with the time at which it ended, in hours, and how long it had waited.
    fn of(requests: &[(u64, u64, Settled)], days: &[u64]) -> Pictures {
        let rows: Vec<Row> = requests
            .iter()
            .zip(1..)
            .map(|((at, waited, how), number)| {
                let mut record = record(&format!("make {number}"), settled(how.clone()));
                record.waited = *waited;
                row(number, *at, record)
            })
            .collect();
        pictures(rows.iter().rev(), days, Language::English)
    }

    #[test]
    fn every_request_counts_on_its_day_once() {
        let by_you = |decision| Settled::You { decision };
        let rule = Settled::Rule { line: "ls *".into(), source: Source::Preset };
        let other = |reply| Settled::AnotherClient { reply };
        let requests = [
            (5, 99, by_you(Decision::AllowOnce)),
            (10, 40, by_you(Decision::AllowOnce)),
            (11, 20, by_you(Decision::decline(""))),
            (12, 0, rule),
            (13, 0, Settled::Grant { title: "x".into() }),
            (19, 30, other(Some(Reply::Once))),
            (20, 70, other(None)),
            (21, 0, Settled::Judge { allowed: false, reason: "x".into() }),
            (22, 5, Settled::RunEnded),
            (10_000, 8, Settled::Swept),
        ];
        let pictures = of(&requests, &[10, 20, 30, 40]);
        let expected = [
            Day { allowed: 4, declined: 1, you: 2, rule: 1, grant: 1, elsewhere: 1, waited: Some(30), ..day(10) },
            Day { unknown: 1, declined: 1, over: 1, elsewhere: 1, judge: 1, nobody: 1, waited: Some(70), ..day(20) },
            day(30),
            Day { declined: 1, you: 1, waited: Some(8), ..day(40) },
        ];
        assert_eq!(pictures.days, expected);
        assert_eq!((pictures.total, pictures.waited), (9, Some(30)));
    }

    #[test]
    fn without_days_or_requests_there_is_nothing_to_see() {
        assert_eq!(of(&[(1, 1, Settled::RunEnded)], &[]), Pictures::default());
        assert_eq!(of(&[], &[0]), Pictures { days: vec![day(0)], ..Pictures::default() });
    }

    #[test]
    fn what_is_not_over_counts_nowhere() {
        let rows = [
            row(
                1,
                1,
                record("a", gavel_core::flow::Happened::Undelivered { why: gavel_core::text::Message::verbatim("x") }),
            ),
            row(2, 1, record("a", gavel_core::flow::Happened::Decided { decision: Decision::AllowOnce })),
        ];
        assert_eq!(
            pictures(rows.iter(), &[0], Language::English),
            Pictures { days: vec![day(0)], ..Pictures::default() }
        );
    }

    #[test]
    fn what_was_asked_most_is_what_the_user_had_to_answer_most() {
        use Decision::AllowOnce;
        let no = || Decision::decline("");
        let asks = [
            ("npm test", vec![you(AllowOnce), you(AllowOnce), you(AllowOnce), settled(Settled::RunEnded)], true),
            ("make a\nmake b", vec![you(AllowOnce), you(AllowOnce), you(AllowOnce)], false),
            ("git push", vec![you(AllowOnce), you(no()), you(AllowOnce)], false),
            ("rm -rf /", vec![you(no()), you(no()), you(no())], false),
            ("npm run dev", vec![you(AllowOnce), you(AllowOnce)], false),
            ("ls", vec![settled(Settled::Grant { title: "x".into() }); 9], false),
            ("once", vec![you(AllowOnce)], false),
        ];
        let mut rows = Vec::new();
        for (command, whats, _) in &asks {
            rows.extend(whats.iter().map(|what| row(1, 1, record(command, what.clone()))));
        }
        let pictures = pictures(rows.iter(), &[0], Language::English);
        let told: Vec<(&str, usize, usize, usize, bool)> = pictures
            .asked
            .iter()
            .map(|one| (one.text.as_str(), one.times, one.allowed, one.declined, one.candidate))
            .collect();
        let expected = [
            ("npm test", 4, 3, 0, true),
            ("git push", 3, 2, 1, false),
            ("make a\nmake b", 3, 3, 0, false),
            ("rm -rf /", 3, 0, 3, false),
            ("npm run dev", 2, 2, 0, false),
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn no_rule_is_offered_for_what_is_known_to_do_harm_or_is_no_command() {
        let mut harm = record("rm -rf /", you(Decision::AllowOnce));
        harm.opinions.offline = Some(said(Recommendation::Deny, "deletes everything"));
        let mut edit = record("src/a.rs", you(Decision::AllowOnce));
        edit.action = "edit".into();
        // The log keeps no line where something in it was masked, and another one where the text was cut.
        let mut masked = record("curl -H *** https://a.example", you(Decision::AllowOnce));
        masked.line = None;
        let mut cut = record("make a", you(Decision::AllowOnce));
        cut.line = Some("make a b".into());
        for record in [harm, edit, masked, cut] {
            let rows = vec![row(1, 1, record); 5];
            let [asked] = pictures(rows.iter(), &[0], Language::English).asked.try_into().unwrap();
            assert!(asked.allowed == 5 && !asked.candidate, "{asked:?}");
        }
    }
}
