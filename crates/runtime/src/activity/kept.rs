//! What is kept of a record: a bounded text, and none of the secrets that may stand in it.

use gavel_core::flow::{Happened, Record};
use gavel_core::question::{Given, Response};
use gavel_core::text::{Language, Message};
use gavel_core::{Decision, Settled};
use gavel_judge::model::mask::Mask;

use crate::picture;

/// Makes `record` fit for the log.
pub(crate) fn fit(record: &mut Record) {
    let mut mask = Mask::default();
    picture::bound(&mut record.resources);
    mask_all(record, &mut mask);
    let texts = [&mut record.title, &mut record.text, &mut record.action];
    texts.into_iter().for_each(picture::clip);
    record.session.as_mut().map(picture::clip);
    if let Some(verdict) = &mut record.opinions.offline {
        keep_if_same(&mut verdict.said, &verdict.reason);
    }
    if let Some(opinion) = &mut record.opinions.model {
        let verdict = &mut opinion.verdict;
        verdict.reason = picture::told(&verdict.reason, Language::English);
        if !verdict.reason.ends_with(&verdict.said.to_string()) {
            verdict.said = Message::default();
        }
        opinion.detail = opinion.detail.as_deref().map(|detail| picture::told(detail, Language::English));
    }
    match &mut record.what {
        Happened::Undelivered { why } => why.reword(&mut |text| *text = picture::told(text, Language::English)),
        Happened::Settled { settled } => {
            picture::bound_answers(settled);
            if let Settled::YouAnswered { answers } | Settled::AnsweredElsewhere { answers } = settled {
                answers.iter_mut().for_each(|one| keep_if_same(&mut one.said, &one.answer));
            }
        }
        Happened::Responded { response } => picture::bound_response(response),
        Happened::Decided { .. } => {}
    }
}

/// Keeps what a sentence is made of only where that tells no more than the sentence that is kept in English.
fn keep_if_same(said: &mut Message, english: &str) {
    if *said != english {
        *said = Message::default();
    }
}

/// A log outlives the secret that a command was given, and is shown and exported.
fn mask_all(record: &mut Record, mask: &mut Mask) {
    record.text = start(&record.text, mask);
    record.title = start(&record.title, mask);
    let masked: Vec<String> = record.resources.iter().map(|resource| mask.text(resource)).collect();
    if masked != record.resources {
        // What patterns would have matched can't be told from a text that wasn't asked about.
        record.resources.clear();
    }
    // Neither can a rule be learned from a line that isn't known to the letter.
    record.line = record.line.take().filter(|line| mask.text(line) == *line);
    let Record { session, opinions, what, title, .. } = record;
    // A secret that is told by its place in a command stands alone elsewhere.
    *title = mask.known(title);
    let mut others = Vec::new();
    others.extend(session.as_mut());
    others.extend(opinions.offline.as_mut().map(|verdict| &mut verdict.reason));
    others.extend(opinions.model.as_mut().map(|opinion| &mut opinion.verdict.reason));
    match what {
        Happened::Decided { decision } | Happened::Settled { settled: Settled::You { decision } } => match decision {
            Decision::Decline { reason } => others.push(reason),
            Decision::AllowForSession { patterns, .. } => {
                others.extend(patterns.iter_mut().map(|pattern| &mut pattern.resource));
            }
            Decision::AllowOnce | Decision::AllowAlways | Decision::Stop => {}
        },
        Happened::Settled { settled: Settled::Judge { reason, .. } | Settled::YouStopped { reason } } => {
            others.push(reason);
        }
        Happened::Settled { settled: Settled::Grant { title } } => others.push(title),
        Happened::Settled { settled: Settled::Rule { line, .. } } => others.push(line),
        Happened::Settled { settled: Settled::YouAnswered { answers } | Settled::AnsweredElsewhere { answers } } => {
            others.extend(answers.iter_mut().map(|said| &mut said.answer));
        }
        Happened::Settled { settled: Settled::YouCancelled { reason } } => others.extend(reason.as_mut()),
        Happened::Responded { response: Response::Cancel { reason } } => others.extend(reason.as_mut()),
        Happened::Responded { response: Response::Answer { answer } } => {
            for given in answer.values_mut() {
                match given {
                    Given::Text(text) => others.push(text),
                    Given::Several(items) => others.extend(items),
                    Given::Boolean(_) | Given::Number(_) => {}
                }
            }
        }
        Happened::Settled { .. } | Happened::Undelivered { .. } => {}
    }
    for text in others {
        mask_one(text, mask);
    }
    if let Happened::Undelivered { why } = what {
        why.reword(&mut |text| mask_one(text, mask));
    }
    let model = opinions.model.as_mut().map(|opinion| &mut opinion.verdict);
    for verdict in opinions.offline.iter_mut().chain(model) {
        verdict.said.reword(&mut |text| mask_one(text, mask));
    }
}

fn mask_one(text: &mut String, mask: &mut Mask) {
    // Cut only after it was looked at: half a secret is not known as one.
    let masked = start(text, mask);
    *text = mask.known(&masked);
    picture::clip(text);
}

/// `text` without the secrets in as much of it as is kept. The driver does this: it must not take long.
fn start(text: &str, mask: &mut Mask) -> String {
    let (head, rest) = text.split_at(text.floor_char_boundary(2 * picture::LONGEST));
    let masked = mask.text(head);
    if masked.len() < picture::LONGEST && !rest.is_empty() {
        // So little is left that some of the rest would be kept, which wasn't looked at, nor was a word that the end cuts.
        let kept = masked.rsplit_once(char::is_whitespace).map_or("", |(kept, _)| kept);
        return format!(
            "{kept}… ({} more characters)",
            rest.chars().count() + masked.chars().count() - kept.chars().count()
        );
    }
    masked + rest
}

#[cfg(test)]
mod tests {
    use gavel_core::grants::Lasts;
    use gavel_core::question::Said;
    use gavel_core::rules::Saved;
    use gavel_core::text::{code, plain};
    use gavel_core::{Verdict, say, term};
    use gavel_disk::Row;

    use super::super::test::{record, said, you};
    use super::*;
    use crate::api;

    const KEY: &str = "sk-proj-abcdefghijklmnop1234567890";

    #[test]
    fn no_secret_is_kept_wherever_it_stands() {
        let command = format!("curl -H 'Authorization: Bearer {KEY}' https://api.example.com");
        let mut record = record(&command, you(Decision::decline(&format!("not with {KEY}"))));
        record.title = format!("Run {command}");
        record.session = Some(format!("Use {KEY}"));
        assert_eq!(record.line.as_deref(), Some(command.as_str()), "what counts for rules is kept otherwise");
        record.opinions.offline = Some(said(gavel_core::Recommendation::Ask, &format!("sends {KEY}")));
        fit(&mut record);
        let kept = serde_json::to_string(&record).unwrap();
        assert!(!kept.contains("abcdefghijklmnop"), "{kept}");
        assert!(record.text.starts_with("curl -H") && record.text.ends_with("https://api.example.com"), "{kept}");
        assert!(record.resources.is_empty(), "nothing is held against a text that wasn't asked about");
    }

    /// `record` as a row of the view in Russian, after it was kept and read again.
    fn in_russian(mut record: Record) -> api::Activity {
        fit(&mut record);
        let kept = serde_json::to_string(&record).unwrap();
        let record = serde_json::from_str(&kept).unwrap();
        picture::activity(&Row { number: 1, played: false, record }, Language::Russian).unwrap()
    }

    #[test]
    fn what_is_kept_in_english_is_shown_in_the_users_language() {
        let mut of_analysis = record("rm -rf build", you(Decision::AllowOnce));
        let why = say!("deletes {} and everything under it", code("build"));
        of_analysis.opinions.offline = Some(Verdict { said: why.clone(), ..said_by(&why) });
        assert_eq!(in_russian(of_analysis).opinions[0].reason, "удаляет `build` и всё внутри");

        let why = say!("{} is an absolute path", code("/x"));
        let undelivered = in_russian(record("ls", Happened::Undelivered { why }));
        assert_eq!(undelivered.outcome, api::Outcome::Undelivered { why: "`/x` — абсолютный путь".into() });

        let yes = |said| Said { question: "Sure?".into(), answer: "Yes".into(), said };
        let answers = vec![yes(term!("Yes").into()), yes(Message::default())];
        let answered = in_russian(record("Sure?", Happened::Settled { settled: Settled::YouAnswered { answers } }));
        let api::Outcome::Settled { settled: Settled::YouAnswered { answers } } = answered.outcome else { panic!() };
        let told: Vec<&str> = answers.iter().map(|said| said.answer.as_str()).collect();
        assert_eq!(told, ["Да", "Yes"], "what the user typed stays as it is");
    }

    #[test]
    fn how_it_ended_is_shown_without_what_only_agents_are_told() {
        let ended = |settled| match in_russian(record("npm test", Happened::Settled { settled })).outcome {
            api::Outcome::Settled { settled } => settled,
            other => panic!("{other:?}"),
        };
        let declined = |reason: &str| Settled::You { decision: Decision::Decline { reason: reason.into() } };
        let stopped = |reason: &str| Settled::YouStopped { reason: reason.into() };
        let by_grant = |title: &str| Settled::Grant { title: title.into() };
        for (kept, shown) in [
            (declined(Decision::DEFAULT_REASON), declined("")),
            (stopped(Decision::DEFAULT_REASON), stopped("")),
            (declined("Not now"), declined("Not now")),
            (by_grant("Run npm test"), by_grant("Выполнить npm test")),
        ] {
            assert_eq!(ended(kept), shown);
        }
    }

    #[test]
    fn a_sentence_is_kept_only_as_it_reads() {
        let name = format!("x{KEY}");
        for said in [say!("sends {}", code(KEY)), say!("sends {} to {}", plain(KEY), code(&name))] {
            let mut record = record("ls", you(Decision::AllowOnce));
            record.opinions.offline = Some(Verdict { said: said.clone(), ..said_by(&said) });
            fit(&mut record);
            let verdict = record.opinions.offline.clone().unwrap();
            assert!(!serde_json::to_string(&record).unwrap().contains("abcdefghijklmnop"), "{said}");
            assert!(verdict.said.is_empty() || verdict.said.to_string() == verdict.reason, "{said}");
        }
        let mut record = record("ls", Happened::Undelivered { why: say!("sends {}", plain(format!("with {KEY}"))) });
        fit(&mut record);
        assert!(!serde_json::to_string(&record).unwrap().contains("abcdefghijklmnop"));
        let mut other = super::super::test::record("ls", you(Decision::AllowOnce));
        other.opinions.offline =
            Some(Verdict { said: say!("it can't be used"), ..said_by(&say!("sends {}", plain("x"))) });
        fit(&mut other);
        assert!(other.opinions.offline.unwrap().said.is_empty());
    }

    fn said_by(message: &Message) -> Verdict {
        said(gavel_core::Recommendation::Ask, &message.to_string())
    }

    #[test]
    fn no_secret_is_kept_in_what_was_allowed_with_it() {
        let pattern = Saved { action: "shell".into(), resource: format!("curl -H 'Authorization: Bearer {KEY}' *") };
        let decision =
            Decision::AllowForSession { patterns: vec![pattern], includes_children: false, lasts: Lasts::default() };
        for what in [Happened::Decided { decision: decision.clone() }, you(decision)] {
            let mut record = record("ls", what);
            fit(&mut record);
            let kept = serde_json::to_string(&record).unwrap();
            assert!(!kept.contains("abcdefghijklmnop") && kept.contains("curl -H"), "{kept}");
        }
    }

    #[test]
    fn what_holds_no_secret_is_kept_to_the_letter() {
        for command in
            ["npm test", "git show 3f786850e387550fdab836ed7e6dc881de23001b", "rm -rf build/ && ls \u{2014} x"]
        {
            let mut record = record(command, you(Decision::AllowOnce));
            let before = record.clone();
            fit(&mut record);
            assert_eq!(record, before);
        }
    }

    #[test]
    fn a_secret_is_not_kept_because_much_stands_before_it() {
        let key = format!("-----BEGIN PRIVATE KEY-----\n{}", "x".repeat(60_000));
        for command in [format!("{key} {KEY}"), format!("{} {KEY}", "y".repeat(16_000))] {
            let mut record = record(&command, you(Decision::AllowOnce));
            fit(&mut record);
            assert!(!serde_json::to_string(&record).unwrap().contains("abcdefghijklmnop"));
        }
    }

    #[test]
    fn half_a_secret_is_not_kept_where_a_text_is_cut() {
        let kept = |mut record: Record| {
            fit(&mut record);
            serde_json::to_string(&record).unwrap()
        };
        let block = format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", "x".repeat(30_000));
        for shown in 12..KEY.len() {
            let reason = format!("{} {KEY}", "y".repeat(picture::LONGEST - shown - 1));
            let declined = kept(record("ls", you(Decision::decline(&reason))));
            let gap = "y".repeat(2 * picture::LONGEST - block.len() - shown - 1);
            let asked = kept(record(&format!("{block}{gap} {KEY}"), you(Decision::AllowOnce)));
            for kept in [declined, asked] {
                assert!(!kept.contains("sk-proj-abcd"), "{shown} letters of it");
            }
        }
    }

    #[test]
    fn what_is_long_is_cut_and_says_so() {
        let mut record = record(&"x".repeat(100_000), you(Decision::AllowOnce));
        fit(&mut record);
        assert!(record.text.len() < 20_000 && record.text.ends_with("more characters)"));
        assert!(record.resources.is_empty());
    }
}
