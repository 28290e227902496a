//! Redirections: what a command reads and writes without naming it as an argument.

use tree_sitter::Node;

use super::super::command::{self, Fed};
use super::super::finding::{Class, Deed};
use super::flow::written;
use super::run::{Origin, Run};
use super::tree::{self, Text, children, simple, walk};
use super::word::Word;
use crate::offline::phrase;
use gavel_core::say;
use gavel_core::text::{Message, Piece};

/// A statement and its redirections.
pub(super) fn statement(run: &mut Run<'_>, text: Text<'_>, node: Node<'_>, depth: usize, fed: &Fed) {
    let mut fed = fed.clone();
    let mut more = Vec::new();
    let parts = children(node);
    for (child, _) in &parts {
        match child.kind() {
            "herestring_redirect" => fed = herestring(run, text, *child),
            "heredoc_redirect" => {
                fed = heredoc(run, text, *child);
                let words = children(*child).into_iter().filter(|(_, field)| *field == Some("argument"));
                more.extend(words.map(|(word, _)| word));
            }
            _ => {}
        }
    }
    for (child, field) in parts {
        if field != Some("body") {
            redirection(run, text, child, depth, node.child_by_field_name("body"), &fed);
        } else if child.kind() == "command" {
            simple(run, text, child, depth, &fed, &more);
        } else {
            walk(run, text, child, depth, &fed);
        }
    }
}

fn redirection(run: &mut Run<'_>, text: Text<'_>, node: Node<'_>, depth: usize, body: Option<Node<'_>>, fed: &Fed) {
    if node.kind() != "heredoc_redirect" {
        return walk(run, text, node, depth, fed);
    }
    for (child, field) in children(node) {
        match (child.kind(), field) {
            (_, Some("argument")) => {}
            ("heredoc_body", _) => body_of(run, text, node, child, depth),
            // `cat <<E | sh`: the command behind the pipe lies in here.
            ("pipeline", _) => {
                let from = body.map_or_else(|| fed.clone(), |body| written(run, text, body, fed));
                walk(run, text, child, depth, &from);
            }
            _ => walk(run, text, child, depth, &Fed::Nothing),
        }
    }
}

fn is_quoted(text: Text<'_>, heredoc: Node<'_>) -> bool {
    let start = children(heredoc).into_iter().find(|(child, _)| child.kind() == "heredoc_start");
    start.is_some_and(|(start, _)| text.of(start).contains(['\'', '"', '\\']))
}

/// The body of a here-document, unless its delimiter is quoted: substitutions in it are carried out.
fn body_of(run: &mut Run<'_>, text: Text<'_>, heredoc: Node<'_>, body: Node<'_>, depth: usize) {
    if is_quoted(text, heredoc) {
        return;
    }
    tree::inner(run, text, body, depth);
    // The grammar doesn't see backticks here.
    tree::backticks(run, text, body);
}

fn heredoc(run: &Run<'_>, text: Text<'_>, node: Node<'_>) -> Fed {
    let body = children(node).into_iter().find(|(child, _)| child.kind() == "heredoc_body");
    let Some((body, _)) = body else { return Fed::Nothing };
    let span = text.span(body);
    let _ = run;
    Fed::Text(text.of(body).to_owned(), text.origin.inner(body.start_byte(), span))
}

/// What `<<< word` gives.
pub(super) fn herestring(run: &Run<'_>, text: Text<'_>, node: Node<'_>) -> Fed {
    let value = children(node).into_iter().rfind(|(child, _)| child.is_named() && child.kind() != "file_descriptor");
    let Some((value, _)) = value else { return Fed::Nothing };
    let word = text.word(value, run);
    if !word.exact {
        return Fed::By(word.text);
    }
    let span = text.origin.span(word.start, word.end);
    let origin = word.verbatim.map_or(Origin::Within(span.0, span.1), |at| text.origin.inner(at, span));
    Fed::Text(word.text, origin)
}

/// `> file`, `< file`, `2>&1` and their like.
pub(super) fn file(run: &mut Run<'_>, text: Text<'_>, node: Node<'_>, depth: usize) {
    let parts = children(node);
    let operator = parts.iter().find(|(child, _)| !child.is_named()).map(|(child, _)| child.kind()).unwrap_or_default();
    let targets: Vec<Node<'_>> =
        parts.iter().filter(|(_, field)| *field == Some("destination")).map(|(child, _)| *child).collect();
    for target in targets {
        let word = text.word(target, run);
        walk(run, text, target, depth, &Fed::Nothing);
        if target.kind() == "process_substitution" {
            continue;
        }
        if let Some(deed) = deed(run, operator, &word) {
            run.note(text.span(node), deed);
        }
    }
}

fn deed(run: &Run<'_>, operator: &str, word: &Word) -> Option<Deed> {
    let number = word.text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    if matches!(operator, "<&" | ">&" | "<&-" | ">&-") && number {
        return None;
    }
    let socket = ["/dev/tcp/", "/dev/udp/"].iter().find_map(|start| word.text.strip_prefix(start));
    if let Some(host) = socket {
        return Some(Deed::ask(Class::Network, say!("opens a connection to {}", phrase::code(host))));
    }
    if operator.starts_with('<') {
        return Some(command::reading(run, word));
    }
    let how: fn(Piece) -> Message = if operator.ends_with(">>") { command::appends } else { command::over };
    command::writing(run, word, &how)
}
