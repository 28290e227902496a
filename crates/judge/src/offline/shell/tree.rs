//! Finds every command in a text, by the grammar.

use std::ops::ControlFlow;

use tree_sitter::{Node, ParseOptions, Parser, Tree};

use super::super::MOST_BYTES;
use super::super::command::{self, Fed, Simple};
use super::super::finding::{Class, Deed};
use super::run::{Origin, Run};
use super::word::{self, Word};
use super::{flow, redirect, rough};
use gavel_core::say;

/// How deep texts may lie within texts.
const DEEPEST_TEXT: usize = 4;
/// How deep the tree of one text is followed.
const DEEPEST_NODE: usize = 120;
/// How often the parser may report progress before it is stopped: a bound on its work that needs no clock.
const MOST_PROGRESS: usize = 4_000;
/// The most signs that open something, and the most others, that the parser is given.
const MOST_OPENINGS: usize = 600;
const MOST_SIGNS: usize = 3_000;

/// A text that is being read.
#[derive(Clone, Copy)]
pub(super) struct Text<'t> {
    pub source: &'t str,
    pub origin: Origin,
    /// Whether it is the outermost one.
    pub top: bool,
}

impl<'t> Text<'t> {
    pub fn of(&self, node: Node<'_>) -> &'t str {
        self.source.get(node.byte_range()).unwrap_or_default()
    }

    pub fn span(&self, node: Node<'_>) -> (usize, usize) {
        self.origin.span(node.start_byte(), node.end_byte())
    }

    pub fn word(&self, node: Node<'_>, run: &Run<'_>) -> Word {
        word::read(self.of(node), node.start_byte(), &run.known())
    }
}

/// Reads `source` and notes what each of its commands does.
pub(in crate::offline) fn read(run: &mut Run<'_>, source: &str, origin: Origin) {
    let text = Text { source, origin, top: run.depth == 0 };
    run.bytes += source.len();
    if run.bytes > 4 * MOST_BYTES {
        run.doubt(say!("holds more text within text than can be looked at"));
        return;
    }
    if run.depth > DEEPEST_TEXT {
        run.doubt(say!("hides text within text, deeper than can be followed"));
        return;
    }
    let Some(tree) = parse(source) else {
        run.doubt(say!("is too tangled to be understood"));
        run.note(text.origin.span(0, source.len()), Deed::ask(Class::Unknown, say!("is too tangled to be understood")));
        return rough::read(run, text);
    };
    run.depth += 1;
    if tree.root_node().has_error() {
        run.doubt(say!("isn't understood as shell text"));
        rough::read(run, text);
    } else {
        walk(run, text, tree.root_node(), 0, &Fed::Nothing);
    }
    run.depth -= 1;
}

/// `source`, each byte of what isn't plain ASCII replaced by a letter.
///
/// That is how shells see such characters: they are parts of words, blanks and all. And the grammar's own scanner asks the
/// C library about them in a way that reads memory which isn't its own.
fn plain_bytes(source: &str) -> Vec<u8> {
    source.bytes().map(|byte| if matches!(byte, b'\n' | b'\t' | b' '..=b'~') { byte } else { b'x' }).collect()
}

/// `plain`, if the parser is sure to be done with it soon; where it isn't, without the bodies of its here-documents, which
/// are most often what makes a command long.
///
/// What the parser does about an error takes time that grows with the square of what is open, and can't be stopped.
fn affordable(mut plain: Vec<u8>) -> Option<Vec<u8>> {
    if is_affordable(&plain) {
        return Some(plain);
    }
    blank_bodies(&mut plain);
    is_affordable(&plain).then_some(plain)
}

fn is_affordable(plain: &[u8]) -> bool {
    let count = |signs: &[u8]| plain.iter().filter(|byte| signs.contains(byte)).count();
    count(b"([{`\"'") <= MOST_OPENINGS && count(b"|&;<>)]}$#") <= MOST_SIGNS
}

/// Replaces the bodies of quoted here-documents by letters.
fn blank_bodies(plain: &mut [u8]) {
    let mut delimiter: Option<Vec<u8>> = None;
    for line in plain.split_mut(|byte| *byte == b'\n') {
        match &delimiter {
            Some(end) if line.trim_ascii() == end.as_slice() => delimiter = None,
            Some(_) => line.fill(b'x'),
            None => delimiter = heredoc_delimiter(line),
        }
    }
}

/// The delimiter of `<<'E'` or `<<"E"` in a line.
fn heredoc_delimiter(line: &[u8]) -> Option<Vec<u8>> {
    let at = line.windows(2).position(|pair| pair == b"<<")?;
    let rest = line.get(at + 2..)?;
    let rest = rest.strip_prefix(b"-").unwrap_or(rest).trim_ascii_start();
    let (quote, rest) = rest.split_first().filter(|(quote, _)| matches!(quote, b'\'' | b'"'))?;
    let end = rest.iter().position(|byte| byte == quote)?;
    rest.get(..end).map(<[u8]>::to_vec)
}

fn parse(source: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_bash::LANGUAGE.into()).ok()?;
    let mut reports = 0_usize;
    let mut progress = |_: &tree_sitter::ParseState| {
        reports += 1;
        if reports > MOST_PROGRESS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let plain = affordable(plain_bytes(source))?;
    let options = ParseOptions::new().progress_callback(&mut progress);
    parser.parse_with_options(&mut |at, _| plain.get(at..).unwrap_or_default(), None, Some(options))
}

/// The children of `node`, with the names of their fields.
pub(super) fn children<'t>(node: Node<'t>) -> Vec<(Node<'t>, Option<&'t str>)> {
    let mut cursor = node.walk();
    let mut found = Vec::new();
    if cursor.goto_first_child() {
        loop {
            found.push((cursor.node(), cursor.field_name()));
            if !cursor.goto_next_sibling() {
                break;
            }
        }
    }
    found
}

/// Notes what the commands in `node` do; `fed` is what they are given to read.
pub(super) fn walk(run: &mut Run<'_>, text: Text<'_>, node: Node<'_>, depth: usize, fed: &Fed) {
    if depth > DEEPEST_NODE {
        run.doubt(say!("is nested deeper than can be followed"));
        return;
    }
    let depth = depth + 1;
    if !matches!(node.kind(), "list" | "program" | "redirected_statement") {
        run.arrived = None;
    }
    match node.kind() {
        "command" => simple(run, text, node, depth, fed, &[]),
        "list" => flow::list(run, text, node, depth, fed),
        "pipeline" => flow::pipeline(run, text, node, depth, fed),
        "redirected_statement" => redirect::statement(run, text, node, depth, fed),
        "file_redirect" => redirect::file(run, text, node, depth),
        "function_definition" => flow::function(run, text, node, depth),
        "variable_assignment" => {
            assignment(run, text, node);
            inner(run, text, node, depth);
        }
        "unset_command" | "declaration_command" => {
            run.note(text.span(node), Deed::ask(Class::Reads, say!("sets variables")));
            inner(run, text, node, depth);
        }
        "test_command" => condition(run, text, node, depth),
        "word" | "extglob_pattern" | "regex" | "string_content" | "heredoc_content" => leaf(run, text, node),
        "raw_string" | "comment" => {}
        "program" | "compound_statement" | "do_group" | "subshell" | "if_statement" | "elif_clause" | "else_clause"
        | "while_statement" | "negated_command" => {
            for (child, _) in children(node) {
                walk(run, text, child, depth, fed);
            }
        }
        _ => inner(run, text, node, depth),
    }
}

/// Walks what lies in `node`, which reads nothing that is given to it.
pub(super) fn inner(run: &mut Run<'_>, text: Text<'_>, node: Node<'_>, depth: usize) {
    for (child, _) in children(node) {
        walk(run, text, child, depth, &Fed::Nothing);
    }
}

/// `[ -f file ]` is a command like any other; the grammar takes it, and `[[ … ]]`, for something else.
fn condition(run: &mut Run<'_>, text: Text<'_>, node: Node<'_>, depth: usize) {
    let mut words = Vec::new();
    let mut pending = vec![node];
    while let Some(node) = pending.pop() {
        if matches!(node.kind(), "test_command" | "unary_expression") {
            pending.extend(children(node).into_iter().rev().map(|(child, _)| child));
        } else {
            words.push(text.word(node, run));
        }
    }
    if text.top {
        run.commands.push(words.iter().map(|word| (word.start, word.end)).collect());
    }
    run.note(text.span(node), command::condition(run, &words));
    inner(run, text, node, depth);
}

/// The grammar takes some substitutions for mere letters.
fn leaf(run: &mut Run<'_>, text: Text<'_>, node: Node<'_>) {
    let source = text.of(node);
    backticks(run, text, node);
    let starts =
        |at: &str| source.match_indices(at).any(|(at, _)| !source.get(..at).unwrap_or_default().ends_with('\\'));
    if starts("`") || starts("$(") {
        run.note(text.span(node), Deed::ask(Class::RunsCode, say!("runs a command that stands within a word")));
    }
}

/// Reads what stands between backticks that the grammar takes for letters.
pub(super) fn backticks(run: &mut Run<'_>, text: Text<'_>, node: Node<'_>) {
    let mut at = node.start_byte();
    for (index, piece) in text.of(node).split('`').enumerate() {
        if index % 2 == 1 && !piece.trim().is_empty() {
            let span = text.origin.span(at, at + piece.len());
            read(run, piece, text.origin.inner(at, span));
        }
        at += piece.len() + 1;
    }
}

/// Remembers a plain value; a value that isn't plain is forgotten.
fn assignment(run: &mut Run<'_>, text: Text<'_>, node: Node<'_>) {
    let Some((name, value)) = assigned(run, text, node) else { return };
    if let Some(deed) = command::setting(&name, &value.text) {
        run.note(text.span(node), deed);
    } else {
        run.note(text.span(node), Deed::ask(Class::Reads, say!("sets a variable")));
    }
    if value.exact && !text.of(node).contains("+=") {
        run.set(name, Some(value.text));
    } else {
        run.set(name, None);
    }
}

fn assigned(run: &Run<'_>, text: Text<'_>, node: Node<'_>) -> Option<(String, Word)> {
    let name = text.of(node.child_by_field_name("name")?).to_owned();
    let value = node
        .child_by_field_name("value")
        .map_or_else(|| Word { exact: true, ..Word::default() }, |value| text.word(value, run));
    Some((name, value))
}

/// A simple command; `more` are words of it that the grammar puts elsewhere.
pub(super) fn simple(run: &mut Run<'_>, text: Text<'_>, node: Node<'_>, depth: usize, fed: &Fed, more: &[Node<'_>]) {
    if !run.count() {
        return;
    }
    let mut words = Vec::new();
    let mut settings = Vec::new();
    let mut fed = fed.clone();
    for (child, field) in children(node) {
        match (child.kind(), field) {
            ("variable_assignment", _) => {
                settings.extend(assigned(run, text, child));
                inner(run, text, child, depth);
            }
            ("file_redirect", _) => redirect::file(run, text, child, depth),
            ("herestring_redirect", _) => {
                fed = redirect::herestring(run, text, child);
                inner(run, text, child, depth);
            }
            (_, Some("name" | "argument")) => {
                words.push(text.word(child, run));
                walk(run, text, child, depth, &Fed::Nothing);
            }
            _ => inner(run, text, child, depth),
        }
    }
    for node in more {
        words.push(text.word(*node, run));
        walk(run, text, *node, depth, &Fed::Nothing);
    }
    if text.top {
        run.commands.push(words.iter().map(|word| (word.start, word.end)).collect());
    }
    // What stands in the middle of a command, such as a redirection, belongs to what is marked.
    let ends = |pick: fn(&Word) -> usize| words.iter().map(pick);
    let start = ends(|word| word.start).chain([node.start_byte()]).min().unwrap_or_default();
    let end = ends(|word| word.end).max().unwrap_or(node.end_byte());
    let span = text.origin.span(start, end);
    command::judge(run, &Simple { words: &words, settings: &settings, span, origin: text.origin, fed: &fed });
}
