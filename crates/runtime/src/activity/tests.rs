use std::time::Instant;

use gavel_core::{Decision, Settled};

use super::test::{record, row, settled, you};
use super::*;
use crate::api::Ending;

fn many(count: u64) -> Vec<Arc<Row>> {
    let of = |number: u64| {
        let what = if number.is_multiple_of(5) { settled(Settled::RunEnded) } else { you(Decision::AllowOnce) };
        Arc::new(row(
            number,
            number * 1_000,
            record(&format!("npm run step-{number} -- --with some --more words"), what),
        ))
    };
    (1..=count).map(of).collect()
}

fn numbers(answer: &Answer) -> (Vec<u64>, bool, usize, usize) {
    let Answer::Activity { rows, more, found, total, .. } = answer else { panic!("{answer:?}") };
    (rows.iter().map(|row| row.number).collect(), *more, *found, *total)
}

#[test]
fn pages_of_what_is_looked_for_follow_one_another_to_the_end() {
    let (rows, names) = (many(20), HashMap::new());
    let query = Query { ending: Some(Ending::Over), ..Query::default() };
    let first = page(&rows, None, 3, &query, &names, Language::English);
    assert_eq!(numbers(&first), (vec![20, 15, 10], true, 4, 20));
    let second = page(&rows, Some(10), 3, &query, &names, Language::English);
    assert_eq!(numbers(&second), (vec![5], false, 4, 20));
    let facets = |answer: &Answer| matches!(answer, Answer::Activity { facets: Some(_), .. });
    assert_eq!((facets(&first), facets(&second)), (true, false));
    let nothing = page(&[], None, 3, &Query::default(), &names, Language::English);
    assert_eq!(numbers(&nothing), (vec![], false, 0, 0));
}

#[test]
fn ten_thousand_rows_are_gone_through_in_no_time() {
    let rows = many(10_000);
    let query = Query { text: "step-9 words".into(), ..Query::default() };
    let began = Instant::now();
    let answer = page(&rows, None, 100, &query, &HashMap::new(), Language::English);
    let took = began.elapsed();
    assert_eq!(numbers(&answer).2, 1_111);
    // Unoptimised, on a busy machine; what a user has is many times as quick.
    assert!(took.as_millis() < 2_000, "{took:?}");
}

#[test]
fn what_was_only_played_is_in_no_figure() {
    let played = Arc::new(Row { played: true, ..row(2, 2, record("ls", you(Decision::AllowOnce))) });
    let rows = [many(1), vec![played]].concat();
    assert_eq!(really(&rows).map(|row| row.number).collect::<Vec<_>>(), [1]);
    assert_eq!(numbers(&page(&rows, None, 9, &Query::default(), &HashMap::new(), Language::English)).0, [2, 1]);
}
