//! A rough reading of what the grammar doesn't understand, so that the sentence still names the worst of it.

use super::super::command::{self, Fed, Simple};
use super::super::finding::{Class, Segment};
use super::run::Run;
use super::tree::Text;
use super::word;
use gavel_core::{Recommendation, say};

/// Cuts the text wherever a command may begin and judges the pieces. Nothing of it is more than a question.
pub(super) fn read(run: &mut Run<'_>, text: Text<'_>) {
    let before = run.segments.len();
    let deceptions = run.deceptions.clone();
    let mut braces = false;
    let mut at = 0;
    for piece in text.source.split_inclusive([';', '|', '&', '\n', '(', ')', '{', '}', '`', '<', '>']) {
        let start = at;
        at += piece.len();
        let piece = piece.trim_end_matches([';', '|', '&', '\n', '(', ')', '{', '}', '`', '<', '>']);
        // `{a,b}` is two words, and where a command begins it is a disguise.
        let braced = text.source.get(..start).unwrap_or_default().ends_with('{') && piece.contains(',');
        if braced {
            braces = true;
        }
        let blank = |c: char| matches!(c, ' ' | '\t') || braced && c == ',';
        let mut words = Vec::new();
        let mut from = start;
        for token in piece.split_inclusive(blank) {
            let word = token.trim_end_matches(blank);
            if !word.is_empty() {
                words.push(word::read(word, from, &run.known()));
            }
            from += token.len();
        }
        let (Some(first), Some(last)) = (words.first(), words.last()) else { continue };
        if !run.count() {
            break;
        }
        let span = text.origin.span(first.start, last.end);
        command::judge(run, &Simple { words: &words, settings: &[], span, origin: text.origin, fed: &Fed::Nothing });
    }
    // What only looks odd because it was cut in the wrong place is left out.
    run.deceptions = deceptions;
    if braces {
        run.deceives(say!("lets braces make several words of one"));
    }
    let added = run.segments.split_off(before);
    let told = added.into_iter().filter(|segment| !matches!(segment.class, Class::Reads | Class::Unknown));
    run.segments.extend(told.map(|segment| Segment { recommendation: Recommendation::Ask, ..segment }));
}
