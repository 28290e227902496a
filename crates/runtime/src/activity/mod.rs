//! The activity: what is kept of it, looking for something in it, its pictures, and the judges' report card.
//!
//! Whatever goes through all rows is done on a thread of its own: the driver must not wait for it.

mod card;
mod ending;
mod export;
mod kept;
pub(crate) mod numbers;
mod pictures;
mod search;
#[cfg(test)]
mod test;

use std::collections::HashMap;
use std::sync::Arc;

use gavel_core::flow::Record;
use gavel_core::text::{Language, plain};
use gavel_core::{Origin, say};
use gavel_disk::Row;

use crate::api::{Answer, Code, ExportFormat, Query};
use crate::calls::Reply;
use crate::driver::{Driver, now};
use crate::failure::Failed;
use crate::picture;
pub(crate) use kept::fit;
use search::Search;

/// The most rows of activity that one call gets.
const MOST_ROWS: usize = 500;

/// The most days that pictures are drawn of.
const MOST_DAYS: usize = 400;

impl Driver {
    /// Takes in a record of the machine.
    pub(crate) fn record(&mut self, mut record: Record) {
        kept::fit(&mut record);
        // In the log it stays English.
        let title = record.title.clone();
        let row = self.keep(record);
        if let Some(row) = picture::activity(&row, self.language()) {
            tracing::info!(project = %row.project, outcome = ?row.outcome, "{title}");
            // Nobody may be looking.
            let _ = self.activity.send(row);
        }
    }

    fn keep(&mut self, record: Record) -> Arc<Row> {
        let server = self.flow.servers().get(&record.key.server);
        if server.is_some_and(|server| server.info.origin == Origin::Demo) {
            // What was only played must not stand among what really happened.
            return self.log.mention(record);
        }
        let (row, written) = self.log.append(record);
        if let Err(error) = written {
            tracing::error!("the activity is not being kept: {error}");
        }
        row
    }

    /// Answers [`crate::api::Call::Activity`].
    pub(crate) fn activity_rows(&self, before: Option<u64>, limit: usize, query: Query, answer: Reply) {
        let (rows, names, language) = (self.log.at_hand(), self.server_names(), self.language());
        tokio::task::spawn_blocking(move || {
            let _ = answer.send(Ok(page(&rows, before, limit, &query, &names, language)));
        });
    }

    /// Answers [`crate::api::Call::Pictures`].
    pub(crate) fn pictures(&self, query: Query, mut days: Vec<u64>, answer: Reply) {
        let (rows, language) = (self.log.at_hand(), self.language());
        days.truncate(MOST_DAYS);
        days.sort_unstable();
        tokio::task::spawn_blocking(move || {
            let search = Search::new(&query, language);
            let found = really(&rows).filter(|row| search.admits(row));
            let _ = answer.send(Ok(Answer::Pictures { pictures: pictures::pictures(found, &days, language) }));
        });
    }

    /// Answers [`crate::api::Call::ReportCard`].
    pub(crate) fn report_card(&self, answer: Reply) {
        let (rows, asked, now, language) = (self.log.at_hand(), self.advice.asked(), now(), self.language());
        tokio::task::spawn_blocking(move || {
            let _ = answer.send(Ok(Answer::ReportCard { card: card::card(really(&rows), asked, now, language) }));
        });
    }

    /// Answers [`crate::api::Call::ExportActivity`].
    pub(crate) fn export_activity(&self, query: Query, format: ExportFormat, answer: Reply) {
        let (rows, folder, now, language) = (self.log.at_hand(), self.exports.clone(), now(), self.language());
        tokio::task::spawn_blocking(move || {
            let search = Search::new(&query, language);
            let found = really(&rows).filter(|row| search.admits(row));
            let mut oldest_first: Vec<&Row> = found.collect();
            oldest_first.reverse();
            let exported = export::export(oldest_first.into_iter(), format, &folder, now);
            let _ = answer.send(match exported {
                Ok((path, lines)) => Ok(Answer::Exported { path: path.display().to_string(), lines }),
                Err(error) => Err(Failed {
                    code: Code::Failed,
                    message: say!(
                        "Nothing was exported to `{}`: {}.",
                        plain(folder.display().to_string()),
                        gavel_disk::system_said(&error)
                    ),
                    hint: say!("See that the folder can be written."),
                }),
            });
        });
    }

    fn server_names(&self) -> HashMap<String, String> {
        let name = |server: &gavel_core::flow::Server| (server.info.id.0.clone(), server.info.name.clone());
        self.flow.servers().values().map(name).collect()
    }
}

/// The rows of what really happened, newest first.
fn really(rows: &[Arc<Row>]) -> impl Iterator<Item = &Row> {
    rows.iter().rev().map(Arc::as_ref).filter(|row| !row.played)
}

/// A page of the rows that are looked for, and how many there are of them.
fn page(
    rows: &[Arc<Row>],
    before: Option<u64>,
    limit: usize,
    query: &Query,
    names: &HashMap<String, String>,
    language: Language,
) -> Answer {
    let limit = limit.clamp(1, MOST_ROWS);
    let search = Search::new(query, language);
    let found: Vec<&Arc<Row>> = rows.iter().rev().filter(|row| search.admits(row)).collect();
    let older: Vec<&&Arc<Row>> = found.iter().filter(|row| before.is_none_or(|before| row.number < before)).collect();
    let facets = before.is_none().then(|| {
        search::facets(rows.iter().map(Arc::as_ref), |id| names.get(id).cloned().unwrap_or_else(|| id.to_owned()))
    });
    Answer::Activity {
        rows: older.iter().take(limit).filter_map(|row| picture::activity(row, language)).collect(),
        more: older.len() > limit,
        found: found.len(),
        total: rows.len(),
        facets,
    }
}

#[cfg(test)]
mod tests;
