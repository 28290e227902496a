//! Long lists, page by page.

use axum::http::Uri;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use super::errors::Refusal;
use super::intake;

const USUAL: usize = 50;
const MOST: usize = 200;

/// Which page is asked for.
pub(super) struct Page {
    newest_first: bool,
    limit: usize,
    cursor: Option<Cursor>,
}

/// Where a page begins or ends: before or after one item of the list, in its order.
struct Cursor {
    back: bool,
    id: String,
}

impl Page {
    /// Reads `limit`, `order` and `cursor`.
    pub(super) fn read(uri: &Uri, newest_first: bool) -> Result<Page, Refusal> {
        let limit = match intake::query(uri, "limit") {
            None => USUAL,
            Some(text) => text.parse().ok().filter(|limit| (1..=MOST).contains(limit)).ok_or_else(|| {
                Refusal::query(format!("Expected a number between 1 and {MOST}, got \"{text}\"\n  at [\"limit\"]"))
            })?,
        };
        let order = intake::query(uri, "order");
        let ordered = match order.as_deref() {
            None => newest_first,
            Some("desc") => true,
            Some("asc") => false,
            Some(other) => {
                let message = format!("Expected \"asc\" | \"desc\", got \"{other}\"\n  at [\"order\"]");
                return Err(Refusal::query(message));
            }
        };
        let Some(text) = intake::query(uri, "cursor") else {
            return Ok(Page { newest_first: ordered, limit, cursor: None });
        };
        if order.is_some() {
            return Err(Refusal::query("order cannot be combined with cursor"));
        }
        let read = || {
            let bytes = URL_SAFE_NO_PAD.decode(&text).ok()?;
            let value: Value = serde_json::from_slice(&bytes).ok()?;
            let cursor = Cursor { back: value.get("back")?.as_bool()?, id: value.get("id")?.as_str()?.to_owned() };
            Some(Page { newest_first: value.get("desc")?.as_bool()?, limit, cursor: Some(cursor) })
        };
        read().ok_or_else(|| Refusal::Cursor(text.clone()))
    }

    /// Cuts the page out of `items`, which are given oldest first with their identifiers.
    pub(super) fn cut(&self, mut items: Vec<(String, Value)>) -> Result<Value, Refusal> {
        if self.newest_first {
            items.reverse();
        }
        let place = |id: &String| items.iter().position(|(known, _)| known == id);
        let (start, end) = match &self.cursor {
            None => (0, self.limit),
            Some(Cursor { back, id }) => {
                let at = place(id).ok_or_else(|| Refusal::Cursor(self.write(*back, id)))?;
                if *back { (at.saturating_sub(self.limit), at) } else { (at + 1, at + 1 + self.limit) }
            }
        };
        let end = end.min(items.len());
        let page = items.get(start..end).unwrap_or_default();
        let edge = |there: bool, back: bool, item: Option<&(String, Value)>| {
            item.filter(|_| there).map(|(id, _)| self.write(back, id))
        };
        Ok(json!({
            "data": page.iter().map(|(_, item)| item).collect::<Vec<_>>(),
            "cursor": {
                "previous": edge(start > 0, true, page.first()),
                "next": edge(end < items.len(), false, page.last()),
            },
        }))
    }

    fn write(&self, back: bool, id: &str) -> String {
        URL_SAFE_NO_PAD.encode(json!({ "desc": self.newest_first, "back": back, "id": id }).to_string())
    }
}
