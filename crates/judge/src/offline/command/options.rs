//! Options that are known one by one. Whatever isn't known is not proven.

use super::super::phrase::code;
use super::super::shell::Word;
use gavel_core::say;
use gavel_core::text::Message;

/// The options of a command that leave it a mere reader.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    /// Letters that stand alone.
    pub letters: &'static str,
    /// Letters that take a value.
    pub valued: &'static str,
    /// Long names, separated by blanks: `name` stands alone, `name=` takes a value, `name=?` may have one behind a `=`.
    pub long: &'static str,
    /// Whether `-20` is a number of lines.
    pub number: bool,
}

/// Arguments, taken apart.
#[derive(Debug, Default)]
pub(super) struct Parsed<'w> {
    pub operands: Vec<&'w Word>,
    /// Options and their values; a letter is named without its dash.
    pub options: Vec<(String, Option<String>)>,
}

impl Parsed<'_> {
    pub fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|(name, _)| names.contains(&name.as_str()))
    }

    pub fn values<'s>(&'s self, names: &'s [&str]) -> impl Iterator<Item = &'s str> {
        self.options.iter().filter(|(name, _)| names.contains(&name.as_str())).filter_map(|(_, value)| value.as_deref())
    }
}

impl Known {
    /// Takes `args` apart, or says what isn't known.
    pub fn parse<'w>(&self, args: &'w [Word]) -> Result<Parsed<'w>, Message> {
        let mut parsed = Parsed::default();
        let mut rest = args.iter();
        while let Some(word) = rest.next() {
            if !word.exact {
                return Err(say!("{} isn't known before it runs", code(&word.text)));
            }
            let text = word.text.as_str();
            let chooses = ["--include=", "--exclude=", "--exclude-dir="].iter().any(|start| text.starts_with(start));
            if word.glob && text.starts_with('-') && !chooses {
                return Err(say!("the shell may replace {}", code(text)));
            }
            if text == "--" {
                parsed.operands.extend(rest.by_ref());
            } else if let Some(long) = text.strip_prefix("--") {
                self.long(long, &mut parsed, &mut rest)?;
            } else if let Some(cluster) = text.strip_prefix('-').filter(|cluster| !cluster.is_empty()) {
                self.cluster(cluster, &mut parsed, &mut rest)?;
            } else {
                parsed.operands.push(word);
            }
        }
        match parsed.operands.iter().find(|word| !word.exact) {
            Some(word) => Err(say!("{} isn't known before it runs", code(&word.text))),
            None => Ok(parsed),
        }
    }

    fn long<'w>(
        &self,
        given: &str,
        parsed: &mut Parsed<'w>,
        rest: &mut std::slice::Iter<'w, Word>,
    ) -> Result<(), Message> {
        let (name, value) = match given.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (given, None),
        };
        let entry = self.long.split(' ').find(|entry| entry.trim_end_matches(['=', '?']) == name && !name.is_empty());
        let value = match (entry.map(|entry| entry.get(name.len()..).unwrap_or_default()), value) {
            (Some(""), None) => None,
            (Some("=" | "=?"), Some(value)) => Some(value),
            (Some("=?"), None) => None,
            (Some("="), None) => Some(taken(rest, given)?),
            _ => {
                return Err(say!("its option {} isn't one of those known to only read", code(&format!("--{name}"))));
            }
        };
        parsed.options.push((name.to_owned(), value));
        Ok(())
    }

    fn cluster<'w>(
        &self,
        cluster: &str,
        parsed: &mut Parsed<'w>,
        rest: &mut std::slice::Iter<'w, Word>,
    ) -> Result<(), Message> {
        if self.number && cluster.bytes().all(|byte| byte.is_ascii_digit()) {
            parsed.options.push(("number".to_owned(), Some(cluster.to_owned())));
            return Ok(());
        }
        let mut left = cluster.chars();
        while let Some(letter) = left.next() {
            let value = if self.letters.contains(letter) {
                None
            } else if self.valued.contains(letter) {
                let attached = left.as_str();
                let value = if attached.is_empty() { taken(rest, &letter.to_string())? } else { attached.to_owned() };
                left = "".chars();
                Some(value)
            } else {
                return Err(say!("its option {} isn't one of those known to only read", code(&format!("-{letter}"))));
            };
            parsed.options.push((letter.to_string(), value));
        }
        Ok(())
    }
}

/// The next word, as the value of an option.
fn taken(rest: &mut std::slice::Iter<'_, Word>, option: &str) -> Result<String, Message> {
    let word = rest.next().ok_or_else(|| say!("its option {} lacks a value", code(option)))?;
    // A glob may become any number of words.
    if word.exact && !word.glob {
        Ok(word.text.clone())
    } else {
        Err(say!("{} isn't known before it runs", code(&word.text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str) -> Word {
        Word { text: text.to_owned(), exact: true, ..Word::default() }
    }

    fn parsed(args: &[&str]) -> Result<Vec<String>, Message> {
        const KNOWN: Known = Known { letters: "ab", valued: "n", long: "all lines= color=?", number: true };
        let words: Vec<Word> = args.iter().map(|text| word(text)).collect();
        KNOWN.parse(&words).map(|parsed| {
            let options = parsed.options.iter().map(|(name, value)| match value {
                Some(value) => format!("{name}={value}"),
                None => name.clone(),
            });
            options.chain(parsed.operands.iter().map(|word| word.text.clone())).collect()
        })
    }

    #[test]
    fn options_are_taken_apart_one_by_one() {
        let cases: &[(&[&str], &[&str])] = &[
            (&["-ab", "x"], &["a", "b", "x"]),
            (&["-an5", "x"], &["a", "n=5", "x"]),
            (&["-n", "-5", "x"], &["n=-5", "x"]),
            (&["-20", "x"], &["number=20", "x"]),
            (
                &["--all", "--lines", "3", "--lines=4", "--color", "x", "--color=no"],
                &["all", "lines=3", "lines=4", "color", "color=no", "x"],
            ),
            (&["x", "-a", "--", "-z", "--"], &["a", "x", "-z", "--"]),
            (&["-"], &["-"]),
        ];
        for (args, expected) in cases {
            assert_eq!(parsed(args), Ok(expected.iter().map(|text| (*text).to_owned()).collect()), "{args:?}");
        }
        for args in
            [&["-c"][..], &["-az"], &["--al"], &["--all=x"], &["--lines"], &["-n"], &["--=x"], &["---"], &["-5a"]]
        {
            assert!(parsed(args).is_err(), "{args:?}");
        }
    }
}
