//! What a judge is told: three blocks, each of its own trust.

mod fence;
mod system;

use gavel_core::Finding;
pub use system::SYSTEM;

use super::brief::CHANGE;
use super::mask::{Mask, hides_a_program};
use super::{Brief, Options};

/// What a judge is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// The task, in Gavel's words or the user's own. Nothing of a request is ever in it.
    pub system: String,
    /// The block with the user's last message, if that is known.
    pub request: Option<String>,
    /// The block with the action.
    pub data: String,
    /// Whether a part of the action was left out for its length. An allowance that was given without seeing it is worth
    /// nothing.
    pub partial: bool,
    /// Whether a secret that was taken out of the action might be more than that. The same holds.
    pub masked: bool,
}

/// The most characters of the offline analysis.
const MOST_FACTS: usize = 2_000;

impl Prompt {
    /// What a judge is told about `brief`.
    #[must_use]
    pub fn new(brief: &Brief<'_>, options: &Options) -> Self {
        let mut mask = Mask::default();
        let mut parts = vec![("tool", brief.action.to_owned()), ("resources", brief.resources.join("\n"))];
        parts.push(("project", brief.project.to_owned()));
        parts.extend(brief.particulars());
        let secret_file = mask.names_secret_file(brief.resources.iter().chain(brief.detail.path.as_ref()));
        let mut parts: Vec<Part<'_>> = parts
            .into_iter()
            .map(|(name, text)| {
                let (near, far) = near(&text, options.max_metadata_chars);
                let content = secret_file && matches!(name, CHANGE | "metadata");
                Part { name, text: if content { mask.content(near) } else { mask.text(near) }, far }
            })
            .collect();
        let hides = mask.hides();
        let mut facts = mask.text(&brief.finding.map(facts).unwrap_or_default());
        let request = options.session_context.then_some(brief.request).flatten().map(|text| {
            let (near, far) = near(text, options.max_context_chars);
            Part { name: "request", text: mask.text(near), far }
        });
        // What was found to be a secret in one place is one in all others.
        parts.iter_mut().for_each(|part| part.text = mask.known(&part.text));
        facts = mask.known(&facts);
        let run = parts.iter().filter(|part| matches!(part.name, "command" | "resources"));
        let masked = hides || run.into_iter().any(|part| hides_a_program(&part.text));
        let request = request.map(|part| Part { text: mask.known(&part.text), ..part });

        let own = options.system_prompt.as_deref().filter(|own| !own.trim().is_empty());
        let (mut data, partial) = block(&parts, options.max_metadata_chars);
        if !facts.is_empty() {
            data.push_str(&section("analysis", cut(&facts, MOST_FACTS)));
        }
        Self {
            system: own.unwrap_or(SYSTEM).to_owned(),
            request: request.filter(|part| !part.text.trim().is_empty()).map(|part| {
                let (head, left_out) = cut(&part.text, options.max_context_chars);
                format!("<user_request>\n{}\n{}</user_request>", fence::quoted(head), rest(left_out + part.far))
            }),
            data: format!("<untrusted_data>\n{data}</untrusted_data>"),
            partial,
            masked,
        }
    }

    /// Both blocks of the request, for an API that takes the system prompt apart.
    #[must_use]
    pub fn user(&self) -> String {
        match &self.request {
            Some(request) => format!("{request}\n\n{}", self.data),
            None => self.data.clone(),
        }
    }

    /// Everything in one text, for a server that takes no system prompt.
    #[must_use]
    pub fn whole(&self) -> String {
        format!("{}\n\n{}", self.system, self.user())
    }
}

/// A particular without its secrets.
struct Part<'a> {
    name: &'a str,
    text: String,
    /// How many characters are so far behind that they were not even looked at.
    far: usize,
}

/// How many characters more than are shown are looked at for secrets: one may begin before the end and end behind it.
const MARGIN: usize = 8 * 1024;

/// The beginning of `text` that may be shown if `most` characters are, whole words only, and how many characters follow.
fn near(text: &str, most: usize) -> (&str, usize) {
    let (head, far) = cut(text, most.saturating_mul(4).saturating_add(MARGIN));
    if far == 0 {
        return (text, 0);
    }
    let whole = head.rfind(char::is_whitespace).unwrap_or(0);
    let (head, half) = head.split_at(whole);
    (head, far + half.chars().count())
}

/// The particulars in `most` characters, and whether anything had to be left out.
fn block(parts: &[Part<'_>], most: usize) -> (String, bool) {
    let (mut data, mut partial, mut left) = (String::new(), false, most);
    for part in parts.iter().filter(|part| !part.text.is_empty() || part.far > 0) {
        let (head, left_out) = cut(&part.text, left);
        left = left.saturating_sub(head.chars().count());
        let left_out = left_out + part.far;
        partial |= left_out > 0;
        data.push_str(&section(part.name, (head, left_out)));
    }
    (data, partial)
}

fn section(name: &str, (head, left_out): (&str, usize)) -> String {
    format!("{name}:\n{}{}", fence::lines(head), rest(left_out))
}

/// What is said about the part that isn't shown. Content never looks so: its lines begin with `|`, or it is cut before.
fn rest(left_out: usize) -> String {
    if left_out == 0 { String::new() } else { format!("({left_out} more characters are not shown)\n") }
}

/// The first `most` characters of `text`, and how many are left out.
fn cut(text: &str, most: usize) -> (&str, usize) {
    match text.char_indices().nth(most) {
        Some((at, _)) => {
            let (head, tail) = text.split_at(at);
            (head, tail.chars().count())
        }
        None => (text, 0),
    }
}

/// What the offline analysis found, without what it recommends.
fn facts(finding: &Finding) -> String {
    let mut facts = format!("{}: {}", finding.class.word(), finding.reason);
    if finding.segments.len() > 1 {
        for segment in &finding.segments {
            facts.push_str(&format!("\n- {}: {}", segment.class.word(), segment.why));
        }
    }
    facts
}

#[cfg(test)]
mod tests;
