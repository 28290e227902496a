//! Russian.
//!
//! An entry is the English sentence and the Russian one. Where the Russian has forms they are divided by `|`: three for
//! numbers (1, 2, 5), the first number of the sentence choosing; six for cases (nominative, genitive, dative, accusative,
//! instrumental, prepositional), the hole it is put into choosing. `{}` takes the next piece, `{1}` the second one,
//! `{:gen}` and `{1:gen}` want it in the genitive.

mod commands;
mod desk;
mod faults;
mod files;
mod git;
mod judge;
mod programs;
mod questions;
mod rules;
mod shell;

use std::collections::HashMap;
use std::sync::LazyLock;

use super::message::Case;

/// English and Russian, by where it is said.
pub static CATALOGUE: &[&[(&str, &str)]] = &[
    commands::PART,
    desk::PART,
    faults::PART,
    files::PART,
    git::PART,
    judge::PART,
    programs::PART,
    questions::PART,
    rules::PART,
    shell::PART,
];

static INDEX: LazyLock<HashMap<&'static str, &'static str>> =
    LazyLock::new(|| CATALOGUE.iter().flat_map(|part| part.iter().copied()).collect());

/// `english` as the catalogue has it.
pub(super) fn known(english: &str) -> Option<&'static str> {
    INDEX.get_key_value(english).map(|(english, _)| *english)
}

/// The Russian for `english` in the form that is wanted; `english` itself if there is none.
pub(super) fn form(english: &'static str, number: impl Fn() -> Option<usize>, case: Case) -> &'static str {
    let russian = INDEX.get(english).copied().unwrap_or(english);
    let mut forms = russian.split('|');
    let wanted = match russian.matches('|').count() {
        2 => plural(number().unwrap_or_default()),
        5 => case as usize,
        _ => return russian,
    };
    forms.nth(wanted).unwrap_or(russian)
}

/// Which of the three forms goes with `number`: 0 as with 1 and 21, 1 as with 2, 2 as with 5 and 11.
fn plural(number: usize) -> usize {
    match (number % 10, number % 100) {
        (_, 11..=14) => 2,
        (1, _) => 0,
        (2..=4, _) => 1,
        _ => 2,
    }
}

/// What stands in a hole: which piece, and in what case.
pub(super) fn hole(inside: &str) -> (Option<usize>, Option<Case>) {
    let (index, case) = inside.split_once(':').unwrap_or((inside, ""));
    let case = match case {
        "nom" => Some(Case::Nominative),
        "gen" => Some(Case::Genitive),
        "dat" => Some(Case::Dative),
        "acc" => Some(Case::Accusative),
        "ins" => Some(Case::Instrumental),
        "pre" => Some(Case::Prepositional),
        _ => None,
    };
    (index.parse().ok(), case)
}
