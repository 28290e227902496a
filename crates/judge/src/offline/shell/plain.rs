//! A second, strict reading of a command line, independent of the grammar.
//!
//! It understands only what every common shell reads alike: plain words, simple quotes, pipes, `&&`, `||`, `;`, line
//! breaks, and redirections that keep nothing. Nothing is ever allowed unless this reading and the grammar's find the
//! same words in the same commands: a mistake in one of them then costs a question, not a false allow.

/// The byte ranges of the words of each command; nothing if the text holds anything else.
pub(super) fn read(text: &str) -> Option<Vec<Vec<(usize, usize)>>> {
    let mut reader = Reader { text, at: 0, commands: Vec::new(), words: Vec::new() };
    reader.all()?;
    Some(reader.commands)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    commands: Vec<Vec<(usize, usize)>>,
    words: Vec<(usize, usize)>,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn blanks(&mut self) {
        // Between words, a continued line is a blank.
        while self.eat(" ") || self.eat("\t") || self.eat("\\\n") {}
    }

    fn all(&mut self) -> Option<()> {
        // Whether a command must follow: behind a pipe or a `&&`.
        let mut owed = false;
        loop {
            self.blanks();
            let Some(c) = self.peek() else { break };
            match c {
                '\n' => {
                    self.at += 1;
                    self.close(false);
                }
                '#' => self.comment(),
                ';' => {
                    self.at += 1;
                    // Not `;;`, and not a `;` without a command.
                    if self.peek() == Some(';') || !self.close(true) {
                        return None;
                    }
                }
                '|' | '&' if self.rest().starts_with("&>") => self.redirect()?,
                '|' | '&' => {
                    let both = self.eat("||") || self.eat("&&");
                    if !both && !self.eat("|") || matches!(self.peek(), Some('|' | '&')) || !self.close(true) {
                        return None;
                    }
                    owed = true;
                    continue;
                }
                '<' | '>' => self.redirect()?,
                '0'..='9' if self.is_descriptor() => self.redirect()?,
                _ => self.word()?,
            }
            owed = owed && self.words.is_empty();
        }
        self.close(false);
        (!owed && !self.commands.is_empty()).then_some(())
    }

    /// Ends a command; whether there was one.
    fn close(&mut self, needed: bool) -> bool {
        if self.words.is_empty() {
            return !needed;
        }
        self.commands.push(std::mem::take(&mut self.words));
        true
    }

    fn comment(&mut self) {
        let length = self.rest().find('\n').unwrap_or(self.rest().len());
        self.at += length;
    }

    /// Whether the digits here stand directly before a redirection.
    fn is_descriptor(&self) -> bool {
        self.rest().trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(['<', '>'])
    }

    /// `2>/dev/null`, `2>&1`, `>/dev/null`, `&>/dev/null`, `< file`: nothing else.
    fn redirect(&mut self) -> Option<()> {
        if self.words.is_empty() {
            return None;
        }
        let digit = self.eat("1") || self.eat("2");
        if !digit && self.eat("<") {
            if matches!(self.peek(), Some('<' | '>' | '(' | '&')) {
                return None;
            }
            self.blanks();
            let words = self.words.len();
            self.word()?;
            self.words.truncate(words);
            return Some(());
        }
        if !digit && self.eat("&>") || self.eat(">") {
            if self.eat("&1") || self.eat("&2") {
                return self.at_end_of_word();
            }
            self.blanks();
            if self.eat("/dev/null") {
                return self.at_end_of_word();
            }
        }
        None
    }

    fn at_end_of_word(&self) -> Option<()> {
        matches!(self.peek(), None | Some(' ' | '\t' | '\n' | ';' | '|')).then_some(())
    }

    fn word(&mut self) -> Option<()> {
        let start = self.at;
        let mut before = None;
        while let Some(c) = self.peek() {
            match c {
                ' ' | '\t' | '\n' | ';' | '|' | '&' | '<' | '>' => break,
                '\'' => self.single()?,
                '"' => self.double()?,
                '\\' => self.escape()?,
                '@' if self.rest().starts_with("@{") => self.at_braces()?,
                '=' if before.is_none() || self.words.is_empty() => return None,
                '~' if matches!(before, None | Some(':' | '=')) => return None,
                '~' => self.at += 1,
                _ if c.is_alphanumeric() || "_-./:,+@%^=*?[]".contains(c) => self.at += c.len_utf8(),
                _ => return None,
            }
            before = Some(c);
        }
        // A `&` or a `<` may end a word only as an operator of its own; `&` is looked at by the caller.
        (self.at > start).then(|| self.words.push((start, self.at)))
    }

    fn single(&mut self) -> Option<()> {
        self.at += 1;
        let length = self.rest().find('\'')?;
        let inside = self.rest().get(..length)?;
        if inside.contains('\n') {
            return None;
        }
        self.at += length + 1;
        Some(())
    }

    fn double(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            let c = self.peek()?;
            self.at += c.len_utf8();
            match c {
                '"' => return Some(()),
                '`' | '\n' => return None,
                // A dollar that stands for itself.
                '$' => match self.peek()? {
                    '"' | ' ' | '|' | ')' | '/' => {}
                    _ => return None,
                },
                '\\' => {
                    let escaped = self.peek()?;
                    if escaped == '\n' || escaped == '`' {
                        return None;
                    }
                    self.at += escaped.len_utf8();
                }
                _ => {}
            }
        }
    }

    fn escape(&mut self) -> Option<()> {
        self.at += 1;
        let c = self.peek()?;
        "().*?[]|$+^ ".contains(c).then(|| self.at += c.len_utf8())
    }

    /// `@{upstream}`, `@{1}`: git's, and no shell's.
    fn at_braces(&mut self) -> Option<()> {
        self.at += 2;
        let length = self.rest().find('}')?;
        let inside = self.rest().get(..length)?;
        let plain = !inside.is_empty() && inside.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        plain.then(|| self.at += length + 1)
    }
}

#[cfg(test)]
mod tests;
