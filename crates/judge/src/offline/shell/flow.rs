//! Lists, pipelines and functions.

use tree_sitter::Node;

use super::super::command::Fed;
use super::super::finding::Deed;
use super::run::Run;
use super::tree::{self, Text, children, walk};
use crate::offline::phrase;
use gavel_core::say;

/// `a && b`, `a || b`: behind `&&`, a `cd` has surely succeeded.
pub(super) fn list(run: &mut Run<'_>, text: Text<'_>, node: Node<'_>, depth: usize, fed: &Fed) {
    let mut both = false;
    let mut arrived = None;
    for (child, _) in children(node) {
        match child.kind() {
            "&&" => both = true,
            "||" => {
                both = false;
                arrived = None;
            }
            _ => {
                run.arrived = None;
                match arrived.take().filter(|_| both) {
                    Some(there) => {
                        let before = std::mem::replace(&mut run.cwds, there);
                        walk(run, text, child, depth, fed);
                        arrived = run.arrived.take().or_else(|| Some(run.cwds.clone()));
                        let after = std::mem::replace(&mut run.cwds, before);
                        run.may_be_in(after);
                    }
                    None => {
                        walk(run, text, child, depth, fed);
                        arrived = run.arrived.take();
                    }
                }
            }
        }
    }
    run.arrived = arrived;
}

/// `a | b`: each command reads what the one before it writes.
pub(super) fn pipeline(run: &mut Run<'_>, text: Text<'_>, node: Node<'_>, depth: usize, fed: &Fed) {
    let mut fed = fed.clone();
    for (child, _) in children(node) {
        if child.is_named() {
            walk(run, text, child, depth, &fed);
            fed = written(run, text, child, &fed);
        }
    }
    run.arrived = None;
}

/// What `node` writes, as far as it is known.
pub(super) fn written(run: &Run<'_>, text: Text<'_>, node: Node<'_>, fed: &Fed) -> Fed {
    let by = Fed::By(text.of(node).to_owned());
    if node.kind() != "command" {
        return by;
    }
    let words: Vec<_> = children(node)
        .into_iter()
        .filter(|(_, field)| matches!(field, Some("name" | "argument")))
        .map(|(child, _)| text.word(child, run))
        .collect();
    match words.as_slice() {
        [name] if name.text == "cat" => fed.clone(),
        [name, rest @ ..] if matches!(name.text.as_str(), "echo" | "printf") && rest.iter().all(|word| word.exact) => {
            let rest: Vec<_> =
                rest.iter().filter(|word| !matches!(word.text.as_str(), "-e" | "-n" | "-ne" | "-en")).collect();
            let (Some(first), Some(last)) = (rest.first(), rest.last()) else { return by };
            let said: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
            let span = text.origin.span(first.start, last.end);
            let origin = first.verbatim.filter(|_| rest.len() == 1);
            let origin = origin.map_or(super::Origin::Within(span.0, span.1), |at| text.origin.inner(at, span));
            Fed::Text(said.join(" ").replace("\\n", "\n"), origin)
        }
        _ => by,
    }
}

/// A function may bear the name of any command, and one that starts itself twice never ends.
pub(super) fn function(run: &mut Run<'_>, text: Text<'_>, node: Node<'_>, depth: usize) {
    let name = node.child_by_field_name("name").map(|name| text.of(name)).unwrap_or_default();
    run.doubt(say!("defines the function {}", phrase::code(name)));
    let Some(body) = node.child_by_field_name("body") else { return };
    let mut calls = 0;
    let mut pending = vec![body];
    let mut background = false;
    while let Some(node) = pending.pop() {
        if node.kind() == "command_name" && text.of(node) == name {
            calls += 1;
        }
        background |= node.kind() == "&";
        pending.extend(children(node).into_iter().map(|(child, _)| child));
    }
    if calls > 1 || calls == 1 && background {
        let why = say!("starts copies of itself without end until the machine stands still");
        run.note(text.span(node), Deed::deny(why));
    }
    tree::inner(run, text, node, depth);
}
