//! Long lists, page by page.

use axum::http::Uri;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use super::errors::Refusal;
use super::intake;

const USUAL: usize = 50;

/// Which page is asked for. Unless it is said otherwise, the newest come first.
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

/// What a list bears.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bounds {
    /// Any number at once; an order beside a cursor is not looked at.
    Loose,
    /// At most 200 at once, and no order beside a cursor.
    Tight,
}

impl Page {
    /// Reads `limit`, `order` and `cursor`.
    pub(super) fn read(uri: &Uri, bounds: Bounds) -> Result<Page, Refusal> {
        let limit = intake::query(uri, "limit").map(|text| limit(&text, bounds)).transpose()?.unwrap_or(USUAL);
        let order = intake::query(uri, "order");
        let newest_first = match order.as_deref() {
            None | Some("desc") => true,
            Some("asc") => false,
            Some(other) => {
                let message = format!("Expected \"asc\" | \"desc\", got \"{other}\"\n  at [\"order\"]");
                return Err(Refusal::query(message));
            }
        };
        let Some(text) = intake::query(uri, "cursor") else {
            return Ok(Page { newest_first, limit, cursor: None });
        };
        if bounds == Bounds::Tight && order.is_some() {
            return Err(Refusal::Cursor("Cursor cannot be combined with order"));
        }
        let read = || {
            let value: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(&text).ok()?).ok()?;
            let back = match value.get("direction")?.as_str()? {
                "previous" => true,
                "next" => false,
                _ => return None,
            };
            let cursor = Cursor { back, id: value.get("id")?.as_str()?.to_owned() };
            Some(Page { newest_first: value.get("order")? == "desc", limit, cursor: Some(cursor) })
        };
        read().ok_or(Refusal::Cursor("Invalid cursor"))
    }

    /// Cuts the page out of `items`, which are given oldest first with their identifiers. As with the real server, a
    /// page has cursors whenever there is something on it, so that the last page is followed by an empty one.
    pub(super) fn cut(&self, mut items: Vec<(String, Value)>) -> Result<Value, Refusal> {
        if self.newest_first {
            items.reverse();
        }
        let place = |id: &String| items.iter().position(|(known, _)| known == id);
        let (start, end) = match &self.cursor {
            None => (0, self.limit),
            Some(Cursor { back, id }) => {
                let at = place(id).ok_or(Refusal::Cursor("Invalid cursor"))?;
                if *back { (at.saturating_sub(self.limit), at) } else { (at + 1, (at + 1).saturating_add(self.limit)) }
            }
        };
        let page = items.get(start..end.min(items.len())).unwrap_or_default();
        Ok(json!({
            "data": page.iter().map(|(_, item)| item).collect::<Vec<_>>(),
            "cursor": {
                "previous": page.first().map(|(id, _)| self.write("previous", id)),
                "next": page.last().map(|(id, _)| self.write("next", id)),
            },
        }))
    }

    fn write(&self, direction: &str, id: &str) -> String {
        let order = if self.newest_first { "desc" } else { "asc" };
        URL_SAFE_NO_PAD.encode(json!({ "id": id, "order": order, "direction": direction }).to_string())
    }
}

fn limit(text: &str, bounds: Bounds) -> Result<usize, Refusal> {
    let wrong = |what: &str| Refusal::query(format!("Expected {what}\n  at [\"limit\"]"));
    let number: i64 = text.parse().map_err(|_| wrong("an integer, got NaN"))?;
    match bounds {
        Bounds::Loose if number < 1 => Err(wrong(&format!("a value greater than 0, got {number}"))),
        Bounds::Tight if number < 1 => Err(wrong(&format!("a value greater than or equal to 1, got {number}"))),
        Bounds::Tight if number > 200 => Err(wrong(&format!("a value less than or equal to 200, got {number}"))),
        _ => usize::try_from(number).map_err(|_| wrong("an integer, got NaN")),
    }
}
