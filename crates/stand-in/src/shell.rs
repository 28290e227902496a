//! Takes a command line apart as OpenCode does before it asks: one pattern for each command in it, and the wider
//! pattern that "always" would allow.

/// The commands in `line`, in order, each followed by those inside its `$( )` or backticks. `cd` is left out,
/// as OpenCode leaves it out.
pub(crate) fn commands(line: &str) -> Vec<String> {
    commands_but(line, &["cd"])
}

/// The words for going to another directory that 2.x leaves out.
pub(crate) const GOING: [&str; 3] = ["cd", "pushd", "popd"];

/// Where the line goes with `cd` or `pushd`, as it is written; empty for one that stays where it is.
pub(crate) fn directories(line: &str) -> Vec<String> {
    let targets = commands_but(line, &[]).into_iter().filter_map(|command| {
        let mut words = command.split_whitespace();
        let goes = words.next().is_some_and(|word| GOING.contains(&word));
        goes.then(|| words.next().unwrap_or("~").trim_matches(['"', '\'']).to_owned())
    });
    targets.collect()
}

/// The commands in `line`, those left out that begin with one of these words.
pub(crate) fn commands_but(line: &str, without: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let mut current = String::new();
    let mut inner = Vec::new();
    let mut quote = None;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (_, '\\') if quote != Some('\'') => {
                current.push(letter);
                current.extend(letters.next());
            }
            (Some(open), _) if letter == open => {
                quote = None;
                current.push(letter);
            }
            (None, '\'' | '"') => {
                quote = Some(letter);
                current.push(letter);
            }
            (None | Some('"'), '$') if letters.peek() == Some(&'(') => {
                letters.next();
                let body = until_closed(&mut letters);
                current.push_str(&format!("$({body})"));
                inner.push(body);
            }
            (None | Some('"'), '`') => {
                let body: String = letters.by_ref().take_while(|next| *next != '`').collect();
                current.push_str(&format!("`{body}`"));
                inner.push(body);
            }
            (None, '<') if letters.peek() == Some(&'<') => {
                // What follows a here-document mark is its text, up to the end.
                current.push(letter);
                current.extend(letters.by_ref());
            }
            (None, ';' | '\n' | '|') => close(&mut found, &mut current, &mut inner, without),
            (None, '&') if !current.ends_with('>') && letters.peek() != Some(&'>') => {
                close(&mut found, &mut current, &mut inner, without);
            }
            _ => current.push(letter),
        }
    }
    close(&mut found, &mut current, &mut inner, without);
    found
}

fn until_closed(letters: &mut impl Iterator<Item = char>) -> String {
    let mut depth = 1;
    let mut body = String::new();
    for letter in letters {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
        body.push(letter);
    }
    body
}

fn close(found: &mut Vec<String>, current: &mut String, inner: &mut Vec<String>, without: &[&str]) {
    let command = std::mem::take(current);
    let command = command.trim();
    let word = command.split(' ').next().unwrap_or(command);
    if !command.is_empty() && !without.contains(&word) {
        found.push(command.to_owned());
    }
    for body in std::mem::take(inner) {
        found.extend(commands_but(&body, without));
    }
}

/// Programs whose second word says what they do, so that it belongs to the pattern.
const WITH_SUBCOMMAND: [&str; 14] = [
    "git",
    "npm",
    "pnpm",
    "yarn",
    "bun",
    "cargo",
    "go",
    "docker",
    "kubectl",
    "pip",
    "gh",
    "npm run",
    "pnpm run",
    "docker compose",
];

/// What "always" would allow for these commands: `git status *` for `git status --short`.
pub(crate) fn always(commands: &[String]) -> Vec<String> {
    let mut patterns: Vec<String> = Vec::new();
    for command in commands {
        let words: Vec<&str> = command.split_whitespace().collect();
        let mut length = 1;
        while length < words.len()
            && words.get(..length).is_some_and(|head| WITH_SUBCOMMAND.contains(&&*head.join(" ")))
        {
            length += 1;
        }
        let pattern = format!("{} *", words.get(..length).unwrap_or_default().join(" "));
        if !patterns.contains(&pattern) {
            patterns.push(pattern);
        }
    }
    patterns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_asked_for_command_by_command() {
        for (line, patterns, wider) in [
            ("touch once.txt", vec!["touch once.txt"], vec!["touch *"]),
            (
                "git status --short && npm run build; echo $(whoami)",
                vec!["git status --short", "npm run build", "echo $(whoami)", "whoami"],
                vec!["git status *", "npm run build *", "echo *", "whoami *"],
            ),
            (
                "cd sub && rm -rf x && git commit -m \"a b\" | tee /home/dev/outside/o.txt",
                vec!["rm -rf x", "git commit -m \"a b\"", "tee /home/dev/outside/o.txt"],
                vec!["rm *", "git commit *", "tee *"],
            ),
            ("echo x > /home/dev/outside/y.txt", vec!["echo x > /home/dev/outside/y.txt"], vec!["echo *"]),
            ("echo 'a; b && c'", vec!["echo 'a; b && c'"], vec!["echo *"]),
            ("make 2>&1 | tail -5", vec!["make 2>&1", "tail -5"], vec!["make *", "tail *"]),
            ("ls", vec!["ls"], vec!["ls *"]),
            ("cd sub", vec![], vec![]),
        ] {
            let found = commands(line);
            assert_eq!(found, patterns, "{line}");
            assert_eq!(always(&found), wider, "{line}");
        }
    }
}
