//! As much of a command line as is needed to see where one command ends and the next begins.

/// A command line in parts: the single commands, and whether there is anything that starts another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    /// The commands, each as its words without quotes.
    pub(crate) commands: Vec<Vec<String>>,
    /// Whether more than one command runs: a separator, a substitution, or something that can't be told.
    pub(crate) chained: bool,
}

/// Reads a command line. What is quoted ends no command; what is substituted is one of its own.
pub(crate) fn read(text: &str) -> Line {
    let mut reader = Reader::default();
    let mut chars = text.trim().chars().peekable();
    let mut quote: Option<char> = None;
    // What is open around a substitution: how it began, and the quote it stands in.
    let mut outer: Vec<(char, Option<char>)> = Vec::new();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some('\''), '\'') | (Some('"'), '"') => quote = None,
            (Some('\''), _) => reader.push(c),
            (_, '\\') => {
                // A line that goes on in the next one is one line.
                if let Some(next) = chars.next().filter(|next| *next != '\n') {
                    reader.push(next);
                }
            }
            (_, '`') => {
                reader.next_command();
                match outer.pop_if(|(open, _)| *open == '`') {
                    Some((_, around)) => quote = around,
                    None => outer.push(('`', quote.take())),
                }
            }
            (_, '$') if chars.next_if_eq(&'(').is_some() => {
                reader.next_command();
                outer.push(('(', quote.take()));
            }
            (Some(_), _) => reader.push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                reader.begun = true;
            }
            // `2>&1` and `&>file` are redirections.
            (None, '>') if chars.next_if_eq(&'&').is_some() => reader.push(c),
            (None, '&') if chars.peek() == Some(&'>') => {}
            (None, '(') => {
                reader.next_command();
                outer.push(('(', None));
            }
            (None, ')') => {
                reader.next_command();
                if let Some((_, around)) = outer.pop_if(|(open, _)| *open == '(') {
                    quote = around;
                }
            }
            (None, ';' | '&' | '|' | '\n' | '\r') => reader.next_command(),
            (None, c) if c.is_whitespace() => reader.next_word(),
            (None, c) => reader.push(c),
        }
    }
    reader.next_word();
    let Reader { mut commands, words, separated, .. } = reader;
    commands.push(words);
    commands.retain(|words| !words.is_empty());
    // An open quote: a shell would go on reading.
    Line { commands, chained: separated || quote.is_some() }
}

/// Whether `text` is plainly a line of several commands. A comment or a here-document may only look like one.
pub(crate) fn is_whole_line(text: &str) -> bool {
    let line = read(text);
    line.chained && line.commands.len() > 1 && !text.contains('#') && !text.contains("<<")
}

#[derive(Default)]
struct Reader {
    commands: Vec<Vec<String>>,
    words: Vec<String>,
    word: String,
    begun: bool,
    separated: bool,
}

impl Reader {
    fn push(&mut self, c: char) {
        self.word.push(c);
        self.begun = true;
    }

    fn next_word(&mut self) {
        if std::mem::take(&mut self.begun) {
            self.words.push(std::mem::take(&mut self.word));
        }
    }

    fn next_command(&mut self) {
        self.next_word();
        self.separated = true;
        self.commands.push(std::mem::take(&mut self.words));
    }
}

/// Commands that only run another one, given behind them.
pub(super) const WRAPPERS: [&str; 13] = [
    "sudo", "doas", "env", "command", "builtin", "exec", "nohup", "time", "nice", "xargs", "timeout", "busybox", "then",
];

/// Commands that delete what they are given.
const DELETERS: [&str; 10] = ["rm", "rmdir", "unlink", "shred", "del", "erase", "rd", "ri", "remove-item", "trash"];

/// Commands wrapped in commands deeper than this are not looked into: they count as deleting.
const DEEPEST: u8 = 8;

/// Whether a command line plainly deletes files.
pub(crate) fn deletes(text: &str) -> bool {
    deletes_within(text, 0)
}

fn deletes_within(text: &str, depth: u8) -> bool {
    depth > DEEPEST || read(text).commands.iter().any(|words| deletes_itself(words, depth))
}

fn deletes_itself(words: &[String], depth: u8) -> bool {
    let is_setting = |word: &String| word.contains('=') && !word.starts_with('-');
    let start = words.iter().position(|word| !is_setting(word)).unwrap_or(words.len());
    let Some((first, rest)) = words.get(start..).and_then(<[String]>::split_first) else { return false };
    let named = |word: &&String| !word.starts_with('-');
    let is_deleter = |word: &String| DELETERS.contains(&program(word).as_str());
    match program(first).as_str() {
        name if DELETERS.contains(&name) => true,
        name if WRAPPERS.contains(&name) => runs_deleting(rest, depth),
        "git" => rest.iter().any(|word| word == "rm" || word == "clean") && !reads_only(rest),
        "find" => rest.iter().any(|word| word == "-delete" || is_deleter(word)),
        // What these run is in their arguments.
        "sh" | "bash" | "zsh" | "dash" | "eval" => {
            rest.iter().filter(named).any(|script| deletes_within(script, depth + 1))
        }
        _ => false,
    }
}

/// Whether what a wrapper is given to run deletes. An option before it may have a value of its own, as in `-u root`.
fn runs_deleting(rest: &[String], depth: u8) -> bool {
    let is_between = |word: &String| word.starts_with('-') || word.starts_with(|c: char| c.is_ascii_digit());
    let start = rest.iter().position(|word| !is_between(word)).unwrap_or(rest.len());
    let from = |place: usize| rest.get(place..).is_some_and(|words| deletes_itself(words, depth + 1));
    depth > DEEPEST || from(start) || (start > 0 && from(start + 1))
}

/// Whether the subcommand of `git` is one that only looks: `git log rm` is about a name.
fn reads_only(rest: &[String]) -> bool {
    let looks =
        |word: &&str| matches!(*word, "log" | "show" | "diff" | "status" | "grep" | "blame" | "help" | "branch");
    let before = rest.iter().take_while(|word| *word != "rm" && *word != "clean");
    before.map(String::as_str).any(|word| looks(&word))
}

/// The name of the program that a word starts.
pub(super) fn program(word: &str) -> String {
    word.rsplit(['/', '\\']).next().unwrap_or(word).trim_end_matches(".exe").to_ascii_lowercase()
}
