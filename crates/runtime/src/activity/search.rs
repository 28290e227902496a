//! Looking for rows.

use std::collections::BTreeMap;

use gavel_core::display::{project_name, retitled};
use gavel_core::text::Language;
use gavel_disk::Row;

use super::ending::{answerer, ending};
use crate::api::{Facet, Facets, Query};

/// A query, made ready to be held against many rows.
pub(super) struct Search<'a> {
    query: &'a Query,
    words: Vec<String>,
    language: Language,
}

impl<'a> Search<'a> {
    pub(super) fn new(query: &'a Query, language: Language) -> Self {
        let words = query.text.to_lowercase().split_whitespace().map(str::to_owned).collect();
        Self { query, words, language }
    }

    /// Whether `row` is one that is looked for.
    pub(super) fn admits(&self, row: &Row) -> bool {
        let (Query { server, project, action, ending: became, answerer: who, from, until, .. }, record) =
            (self.query, &row.record);
        let is = |wanted: &Option<String>, is: &str| wanted.as_deref().is_none_or(|wanted| wanted == is);
        from.is_none_or(|from| record.at.0 >= from)
            && until.is_none_or(|until| record.at.0 < until)
            && is(server, record.key.server.as_str())
            && is(project, &record.directory)
            && is(action, &record.action)
            && became.is_none_or(|wanted| ending(&record.what) == Some(wanted))
            && who.is_none_or(|wanted| answerer(&record.what) == Some(wanted))
            && self.says_all(row)
    }

    fn says_all(&self, row: &Row) -> bool {
        if self.words.is_empty() {
            return true;
        }
        let record = &row.record;
        let mut said = String::with_capacity(record.text.len() + 256);
        let session = record.session.as_deref().unwrap_or_default();
        // It is found by what is shown of it, and by what stands in the log.
        let title = retitled(&record.action, &record.title, self.language);
        let texts = [
            &title,
            &record.title,
            &record.text,
            &record.action,
            &record.directory,
            session,
            record.key.server.as_str(),
        ];
        for text in texts {
            said.push_str(text);
            said.push('\n');
        }
        let said = said.to_lowercase();
        self.words.iter().all(|word| said.contains(word))
    }
}

/// What there is to filter `rows` by.
pub(super) fn facets<'a>(rows: impl Iterator<Item = &'a Row>, name_of: impl Fn(&str) -> String) -> Facets {
    let mut counts: [BTreeMap<&str, usize>; 3] = Default::default();
    for Row { record, .. } in rows {
        let [servers, projects, actions] = &mut counts;
        *servers.entry(record.key.server.as_str()).or_default() += 1;
        *projects.entry(&record.directory).or_default() += 1;
        *actions.entry(&record.action).or_default() += 1;
    }
    let facet = |counts: &BTreeMap<&str, usize>, name: &dyn Fn(&str) -> String| {
        let facet =
            |(value, count): (&&str, &usize)| Facet { value: (*value).to_owned(), name: name(value), count: *count };
        let mut facets: Vec<Facet> = counts.iter().map(facet).collect();
        facets.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.name.cmp(&b.name)));
        facets
    };
    let [servers, projects, actions] = &counts;
    Facets {
        servers: facet(servers, &name_of),
        projects: facet(projects, &|directory| project_name(directory)),
        actions: facet(actions, &str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use gavel_core::{Decision, Settled};

    use super::super::test::{record, row, settled, you};
    use super::*;
    use crate::api::{Answerer, Ending};

    fn rows() -> Vec<Row> {
        let mut edit = record("src/a.rs", settled(Settled::Swept));
        (edit.action, edit.directory, edit.session) = ("edit".into(), "/work/shop".into(), Some("Tidy UP".into()));
        let mut elsewhere = record("NPM test", settled(Settled::AnotherClient { reply: None }));
        elsewhere.key.server = "http://laptop:4096".into();
        [record("npm test", you(Decision::AllowOnce)), edit, elsewhere, record("ls", settled(Settled::RunEnded))]
            .into_iter()
            .zip(1..)
            .map(|(record, number)| row(number, number * 1_000, record))
            .collect()
    }

    #[test]
    fn what_is_asked_for_holds_together() {
        let query = Query::default;
        let text = |text: &str| Query { text: text.into(), ..query() };
        let cases = [
            (query(), vec![1, 2, 3, 4]),
            (text("npm"), vec![1, 3]),
            (text(" TEST  Npm "), vec![1, 3]),
            (text("npm laptop"), vec![3]),
            (text("tidy"), vec![2]),
            (text("nowhere"), vec![]),
            (Query { server: Some("http://laptop:4096".into()), ..query() }, vec![3]),
            (Query { project: Some("/work/shop".into()), ..query() }, vec![2]),
            (Query { project: Some("/work".into()), ..query() }, vec![]),
            (Query { action: Some("edit".into()), ..query() }, vec![2]),
            (Query { ending: Some(Ending::Over), ..query() }, vec![4]),
            (Query { ending: Some(Ending::Undelivered), ..query() }, vec![]),
            (Query { answerer: Some(Answerer::You), ..query() }, vec![1, 2]),
            (Query { from: Some(2_000), until: Some(4_000), ..query() }, vec![2, 3]),
            (Query { answerer: Some(Answerer::You), action: Some("shell".into()), ..query() }, vec![1]),
        ];
        for (query, numbers) in cases {
            let search = Search::new(&query, Language::English);
            let found: Vec<u64> = rows().iter().filter(|row| search.admits(row)).map(|row| row.number).collect();
            assert_eq!(found, numbers, "{query:?}");
        }
    }

    #[test]
    fn facets_are_counted_and_named() {
        let rows = rows();
        let facets = facets(rows.iter(), |id| format!("<{id}>"));
        let told = |facets: &[Facet]| -> Vec<String> {
            facets.iter().map(|facet| format!("{} {} {}", facet.value, facet.name, facet.count)).collect()
        };
        assert_eq!(told(&facets.actions), ["shell shell 3", "edit edit 1"]);
        assert_eq!(told(&facets.projects), ["/p p 3", "/work/shop shop 1"]);
        assert_eq!(told(&facets.servers), ["http://s <http://s> 3", "http://laptop:4096 <http://laptop:4096> 1"]);
    }
}
