//! A permission request from its wire form, in every spelling seen.

use gavel_core::flow::WireEvent;
use gavel_core::modes::newer_word;
use gavel_core::{Ask, CallId, CallRef, Detail, Moment, Reply, RequestId, RequestKey, Route, ServerId, SessionId};
use serde_json::value::RawValue;

use super::lenient::{self, Raw, part, text, texts, value, word};
use super::place::elsewhere;
use super::wire;

/// A request from its wire form; `None` without the two things it can't do without, its id and session.
pub(super) fn ask(wire: &wire::Ask<'_>, server: &ServerId, directory: &str, route: Route, now: Moment) -> Option<Ask> {
    let id = word(wire.id)?;
    let session = word(wire.session).map(SessionId)?;
    let action = [wire.permission, wire.action, wire.kind].into_iter().find_map(text);
    let resources = [wire.patterns, wire.resources, wire.pattern].into_iter().flatten().next();
    let metadata = part::<wire::Metadata<'_>>(wire.metadata).unwrap_or_default();
    let call = [wire.tool, wire.source].into_iter().find_map(part::<wire::Call<'_>>);
    let call = call.and_then(|at| call_ref(at.message, at.call.or(at.id)));
    let created = part::<wire::Time>(wire.time).and_then(|time| moment(time.created?));
    Some(Ask {
        asked: created.filter(|at| is_plausible(*at, now)).or_else(|| asked_at(&id, now)),
        key: RequestKey { server: server.clone(), request: RequestId(id) },
        session,
        directory: directory.to_owned(),
        route,
        action: newer_word(action.as_deref().unwrap_or("unknown")).to_owned(),
        resources: texts(resources),
        save: texts(wire.always.or(wire.save)),
        call: call.or_else(|| call_ref(wire.message_id, wire.call_id)),
        detail: Detail {
            command: text(metadata.command),
            purpose: None,
            workdir: None,
            placed: false,
            path: text(metadata.filepath.or(metadata.file_path)),
            diff: text(metadata.diff).or_else(|| patches(metadata.files)),
            url: text(metadata.url),
            note: word(wire.message),
            metadata: value(wire.metadata),
        },
    })
}

/// The patches of all files, one after the other.
fn patches(files: Raw<'_>) -> Option<String> {
    let files = part::<Vec<&RawValue>>(files)?;
    let files = files.into_iter().filter_map(|raw| part::<wire::FileDiff<'_>>(Some(raw)));
    let patches: Vec<String> = files
        .filter_map(|file| {
            let patch = text(file.patch)?;
            // Whatever is changed must be seen to be that file.
            let named = patch.lines().any(|line| line.starts_with("+++ "));
            let name = text(file.file).filter(|_| !named);
            Some(name.map_or_else(|| patch.clone(), |name| format!("--- {name}\n+++ {name}\n{patch}")))
        })
        .collect();
    (!patches.is_empty()).then(|| patches.join("\n"))
}

/// That a request was answered, from its wire form; `None` without its id.
pub(super) fn replied(body: &str) -> Option<WireEvent> {
    let wire: wire::Replied<'_> = lenient::read(body).ok()?;
    let request = [wire.request, wire.permission, wire.id].into_iter().find_map(word)?;
    // An answer that can't be read is an answer all the same: the request is no longer pending.
    let reply = match [wire.reply, wire.response, wire.decision].into_iter().find_map(word).as_deref() {
        Some("once") => Some(Reply::Once),
        Some("always") => Some(Reply::Always),
        Some("reject") => Some(Reply::Reject),
        _ => None,
    };
    Some(WireEvent::Answered { request: RequestId(request), reply })
}

/// Where a tool call is, if both its message and its id are there.
pub(super) fn call_ref(message: Raw<'_>, call: Raw<'_>) -> Option<CallRef> {
    word(message).zip(word(call)).map(|(message, call)| CallRef { message, call: CallId(call) })
}

/// What a call's input says.
#[derive(Debug, Default)]
pub(super) struct Particulars {
    pub command: Option<String>,
    pub purpose: Option<String>,
    pub workdir: Option<String>,
    /// Whether the input says where it runs, be it by saying nothing.
    pub placed: bool,
}

pub(super) fn particulars(input: Option<&wire::Input<'_>>, directory: &str) -> Particulars {
    input.map_or_else(Particulars::default, |input| Particulars {
        command: part::<String>(input.command),
        purpose: word(input.description),
        workdir: word(input.workdir).and_then(|workdir| elsewhere(&workdir, directory)),
        placed: input.workdir.is_none() || word(input.workdir).is_some(),
    })
}

/// A request older than this, in milliseconds, is likelier an id that we misread.
const OLDEST: u64 = 30 * 24 * 60 * 60 * 1000;

fn is_plausible(at: Moment, now: Moment) -> bool {
    at <= now && now.since(at) <= OLDEST
}

pub(super) fn moment(millis: f64) -> Option<Moment> {
    // The range is checked first, so nothing is lost but the fraction.
    (millis.is_finite() && (0.0..9e15).contains(&millis)).then_some(Moment(millis as u64))
}

/// When a request was asked, from its id: twelve hexadecimal digits hold the lower 48 bits of the milliseconds
/// times 4096, plus a counter. What the upper bits were follows from `now`.
pub(super) fn asked_at(id: &str, now: Moment) -> Option<Moment> {
    const SPAN: u64 = 1 << 36;
    let (kind, rest) = id.split_once('_')?;
    let digits = rest.get(..12).filter(|_| matches!(kind, "per" | "que" | "frm"))?;
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let low = u64::from_str_radix(digits, 16).ok()? >> 12;
    let at = Moment(now.0 - now.0 % SPAN + low);
    let at = if at > now { Moment(at.0.checked_sub(SPAN)?) } else { at };
    is_plausible(at, now).then_some(at)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// 30 November 2026, a little after the recordings.
    const NOW: Moment = Moment(1_796_026_500_000);

    #[test]
    fn the_time_in_an_id() {
        let id = |at: u64, counter: u64| format!("per_{:012x}AbCdEfGhIjKl", (at * 0x1000 + counter) & 0xFFFF_FFFF_FFFF);
        let day = 24 * 60 * 60 * 1000;
        let now = NOW.0;
        let wraps = Moment((1 << 36) * 26 + 1000);
        let cases = [
            (id(now, 1), NOW, Some(now)),
            (id(now - 1, 0xFFF), NOW, Some(now - 1)),
            (id(now - 29 * day, 1), NOW, Some(now - 29 * day)),
            (id(now - 31 * day, 1), NOW, None),
            (id(now + 1, 1), NOW, None),
            (id(wraps.0 - 5000, 1), wraps, Some(wraps.0 - 5000)),
            // Recorded 157 ms after its session was created, at 1796024115812.
            ("per_22b6122ff001Gr1iNIzWvsSqP9".to_owned(), NOW, Some(1_796_024_115_967)),
            ("per_22b6122ff00".to_owned(), NOW, None),
            ("per_22b6122ff0zzGr1iNIzWvsSqP9".to_owned(), NOW, None),
            ("per_+2b6122ff001Gr1iNIzWvsSqP9".to_owned(), NOW, None),
            ("per_жжжжжж".to_owned(), NOW, None),
            ("que_22b6122ff001Gr1iNIzWvsSqP9".to_owned(), NOW, Some(1_796_024_115_967)),
            ("ses_22b6122ff001Gr1iNIzWvsSqP9".to_owned(), NOW, None),
            (String::new(), NOW, None),
            ("per_000000000000".to_owned(), Moment(0), Some(0)),
            ("per_ffffffffffff".to_owned(), Moment(5), None),
        ];
        for (id, now, expected) in cases {
            assert_eq!(asked_at(&id, now), expected.map(Moment), "{id}");
        }
    }

    proptest! {
        #[test]
        fn any_moment_of_the_last_days_comes_back(now in 0u64..4_000_000_000_000, ago in 0u64..2_000_000_000, counter in 0u64..0x1000) {
            let at = now.saturating_sub(ago);
            let id = format!("per_{:012x}x", (at * 0x1000 + counter) & 0xFFFF_FFFF_FFFF);
            prop_assert_eq!(asked_at(&id, Moment(now)), Some(Moment(at)));
        }
    }
}
