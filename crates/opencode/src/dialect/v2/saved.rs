//! Saved approvals: what a project allows for good. 1.18 has the list as part of its preview.

use std::borrow::Cow;

use gavel_core::Moment;
use gavel_core::modes::newer_word;
use gavel_core::say;
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use crate::Error;
use crate::dialect::failure::{Failure, done, is_no_route};
use crate::dialect::lenient::{self, Raw, mend, part, word};
use crate::dialect::{place, request, wire};
use crate::http::{Answer, Http, path};

/// An approval that a project has saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedApproval {
    /// Its id.
    pub id: String,
    /// The id of its project; empty if the server doesn't say which that is.
    pub project: String,
    /// Pattern for the action, in 2.x words.
    pub action: String,
    /// Pattern for the resource.
    pub resource: String,
    /// When it was saved, if the server says so.
    pub created: Option<Moment>,
}

/// What came of changing a saved approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It is changed.
    Done,
    /// There is no such approval any more.
    Gone,
    /// The project has another one that says the same.
    Taken,
    /// Saved approvals can't be changed on this server.
    Unsupported,
}

#[derive(Debug, Deserialize)]
struct WireApproval<'a> {
    #[serde(borrow)]
    id: Raw<'a>,
    #[serde(borrow, rename = "projectID")]
    project: Raw<'a>,
    #[serde(borrow)]
    action: Raw<'a>,
    #[serde(borrow)]
    resource: Raw<'a>,
    #[serde(borrow)]
    time: Raw<'a>,
}

#[derive(Debug, Deserialize)]
struct WirePlace<'a> {
    #[serde(borrow)]
    project: Raw<'a>,
}

#[derive(Debug, Deserialize)]
struct WireProject<'a> {
    #[serde(borrow)]
    id: Raw<'a>,
    #[serde(borrow)]
    directory: Raw<'a>,
    #[serde(borrow)]
    canonical: Raw<'a>,
}

/// Whether the server has the list. No directory is named: early releases pass on what they don't know to a site far
/// away, which has no business with the names of directories.
///
/// # Errors
/// There was no answer.
pub async fn is_there(http: &Http) -> Result<bool, Error> {
    let answer = http.get(&path(&ROUTE, &[])).await?;
    Ok(!is_no_route(&answer))
}

/// What the project of `directory` has saved. `None` if the server doesn't list it.
///
/// # Errors
/// The list could not be had.
pub async fn list(http: &Http, directory: &str) -> Result<Option<Vec<SavedApproval>>, Error> {
    let answer = http.get(&path(&ROUTE, &[(LOCATION, directory)])).await?;
    if is_no_route(&answer) {
        return Ok(None);
    }
    let body = json_of(&answer)?;
    let whole: wire::Enveloped<'_> = lenient::read(&body)?;
    let items: Vec<&RawValue> = lenient::read(whole.data.get())?;
    Ok(Some(items.into_iter().filter_map(approval).collect()))
}

/// An approval from its wire form; `None` for what lacks a part, and can neither be understood nor be taken back.
fn approval(item: &RawValue) -> Option<SavedApproval> {
    let wire: WireApproval<'_> = lenient::read(item.get()).ok()?;
    let time = part::<wire::Time>(wire.time);
    Some(SavedApproval {
        id: word(wire.id)?,
        // It allows what it does all the same.
        project: word(wire.project).unwrap_or_default(),
        action: newer_word(&word(wire.action)?).to_owned(),
        resource: part::<String>(wire.resource)?,
        created: time.and_then(|time| request::moment(time.created?)),
    })
}

/// Where the project `id` lies, asked of one of its directories; with an empty `id`, whichever that is the project of.
/// `None` if the server doesn't say.
///
/// # Errors
/// There was no clear answer.
pub async fn root(http: &Http, id: &str, directory: &str) -> Result<Option<String>, Error> {
    let answer = http.get(&path(&["api", "location"], &[(LOCATION, directory)])).await?;
    if is_no_route(&answer) {
        return Ok(None);
    }
    let body = json_of(&answer)?;
    let place: WirePlace<'_> = lenient::read(&body)?;
    let is_meant = |project: &WireProject<'_>| id.is_empty() || word(project.id).as_deref() == Some(id);
    let project = part::<WireProject<'_>>(place.project).filter(is_meant);
    let root = project.and_then(|project| word(project.canonical).or_else(|| word(project.directory)));
    Ok(root.filter(|root| place::is_absolute(root)))
}

/// Whether saved approvals can be changed here: the server is asked to change one that can't exist, and what matters is
/// only whether it understands.
///
/// # Errors
/// There was no answer.
pub async fn can_change(http: &Http, directory: &str) -> Result<bool, Error> {
    let answer = http.patch(&one("psv_none", directory), &json!({})).await?;
    Ok(!is_no_route(&answer))
}

/// Lets the approval `id`, which the project of `directory` has saved, match `resource` from now on.
///
/// # Errors
/// The server did not do it.
pub async fn change(http: &Http, directory: &str, id: &str, resource: &str) -> Result<Change, Error> {
    let answer = http.patch(&one(id, directory), &json!({ "resource": resource })).await?;
    if is_no_route(&answer) {
        return Ok(Change::Unsupported);
    }
    if answer.status == 404 && Failure::named(&answer, "PermissionSavedNotFoundError") {
        return Ok(Change::Gone);
    }
    if answer.status == 409 && Failure::named(&answer, "ConflictError") {
        return Ok(Change::Taken);
    }
    done(&answer)?;
    // What still allows what it did must not be taken for changed.
    let is_changed = serde_json::from_slice::<serde_json::Value>(&answer.body)
        .is_ok_and(|body| body.pointer("/data/resource").is_none_or(|now| now == resource));
    if is_changed || answer.body.is_empty() { Ok(Change::Done) } else { Err(Error::Garbled(say!("it did not change"))) }
}

/// Takes the approval `id` back. One that is gone already counts as taken back. `false` if this server can't.
///
/// # Errors
/// The server did not do it.
pub async fn remove(http: &Http, directory: &str, id: &str) -> Result<bool, Error> {
    let answer = http.delete(&one(id, directory)).await?;
    if is_no_route(&answer) {
        return Ok(false);
    }
    if answer.status == 404 && Failure::named(&answer, "PermissionSavedNotFoundError") {
        return Ok(true);
    }
    done(&answer).map(|()| true)
}

const ROUTE: [&str; 3] = ["api", "permission", "saved"];

const LOCATION: &str = "location[directory]";

fn one(id: &str, directory: &str) -> String {
    let [api, permission, saved] = ROUTE;
    path(&[api, permission, saved, id], &[(LOCATION, directory)])
}

fn json_of(answer: &Answer) -> Result<Cow<'_, str>, Error> {
    done(answer)?;
    answer.json().map(mend)
}
