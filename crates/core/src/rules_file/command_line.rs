//! A command line as it is compared and remembered.

/// A command line longer than this many bytes is neither remembered nor looked up.
const LONGEST: usize = 4096;

/// A shell command of one line, its white space folded.
///
/// Folding must never make two commands that do different things look the same. So only blanks and tabs that merely
/// separate words are folded: not those between quotes or behind a backslash, and none in a command with `$` or a
/// backtick, where quotes may lie within quotes. A line break separates commands: what has one is no command line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommandLine(String);

impl CommandLine {
    /// The line of `command`, if `action` is to run it in a shell, and if it is one line.
    #[must_use]
    pub fn new(action: &str, command: &str) -> Option<Self> {
        let breaks = |c: char| c != '\t' && (c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'));
        if !matches!(action, "shell" | "bash") || command.len() > LONGEST || command.contains(breaks) {
            return None;
        }
        let line = fold(command);
        (!line.is_empty()).then_some(Self(line))
    }

    /// The folded text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a line of the file is this one.
    pub(super) fn is(&self, line: &str) -> bool {
        // Folding only ever shortens, and most lines are folded already.
        self.0 == line || (line.len() > self.0.len() && self.0 == fold(line))
    }
}

fn fold(command: &str) -> String {
    if command.contains(['$', '`']) {
        return command.to_owned();
    }
    let mut folded = String::with_capacity(command.len());
    let mut quote = None;
    let mut gap = false;
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        if quote.is_none() && matches!(c, ' ' | '\t') {
            gap = true;
            continue;
        }
        if std::mem::take(&mut gap) && !folded.is_empty() {
            folded.push(' ');
        }
        folded.push(c);
        match (quote, c) {
            (None | Some('"'), '\\') => folded.extend(chars.next()),
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), close) if open == close => quote = None,
            _ => {}
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_white_space_between_words_is_folded() {
        let cases = [
            ("npm run typecheck", Some("npm run typecheck")),
            ("  npm \t run   typecheck ", Some("npm run typecheck")),
            ("rm 'a  b'", Some("rm 'a  b'")),
            ("rm   \"a  \\\"  b\"   c", Some("rm \"a  \\\"  b\" c")),
            ("rm a\\   b", Some("rm a\\  b")),
            ("rm 'a\\'   b", Some("rm 'a\\' b")),
            ("echo \"'  \"  x", Some("echo \"'  \" x")),
            ("rm 'open  ", Some("rm 'open  ")),
            ("echo $(a  \"b  c\")", Some("echo $(a  \"b  c\")")),
            ("echo `a  b`", Some("echo `a  b`")),
            ("ls\u{a0} x", Some("ls\u{a0} x")),
            ("ls\nrm -rf x", None),
            ("ls\rrm", None),
            ("ls\u{2028}rm", None),
            ("ls\0", None),
            ("", None),
            (" \t ", None),
        ];
        for (command, expected) in cases {
            let line = CommandLine::new("shell", command);
            assert_eq!(line.as_ref().map(CommandLine::as_str), expected, "{command:?}");
        }
    }

    #[test]
    fn only_the_shell_has_command_lines() {
        for (action, is) in [("shell", true), ("bash", true), ("edit", false), ("Shell", false), ("", false)] {
            assert_eq!(CommandLine::new(action, "ls").is_some(), is, "{action}");
        }
        assert!(CommandLine::new("shell", &"x".repeat(LONGEST)).is_some());
        assert!(CommandLine::new("shell", &"x".repeat(LONGEST + 1)).is_none());
    }
}
