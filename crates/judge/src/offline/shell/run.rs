//! What is known while a command line is read.

use std::collections::HashMap;
use std::rc::Rc;

use super::super::finding::{Deed, Segment, gravity};
use super::super::phrase::code;
use super::super::place::{Place, Places, join};
use super::word::{Known, Word};
use gavel_core::text::{Message, Piece};
use gavel_core::{say, term};

/// The most commands of one request that are looked at.
const MOST_COMMANDS: usize = 400;
/// The most parts of one request that are told; of more, the worst.
const MOST_SEGMENTS: usize = 500;
/// The longest value of a variable, in bytes, and the most variables that are remembered.
const LONGEST_VALUE: usize = 512;
const MOST_VARIABLES: usize = 32;

/// Where a piece of shell text comes from.
#[derive(Debug, Clone, Copy)]
pub(in crate::offline) enum Origin {
    /// It stands letter by letter at this byte of the original.
    At(usize),
    /// It is made of what stands between these bytes.
    Within(usize, usize),
}

impl Origin {
    /// Where `start..end` of the text lies in the original.
    pub fn span(self, start: usize, end: usize) -> (usize, usize) {
        match self {
            Self::At(offset) => (offset + start, offset + end),
            Self::Within(start, end) => (start, end),
        }
    }

    /// The origin of a text that stands letter by letter at byte `at` of this one, in what fills `span` of the original.
    pub fn inner(self, at: usize, span: (usize, usize)) -> Self {
        match self {
            Self::At(offset) => Self::At(offset + at),
            Self::Within(..) => Self::Within(span.0, span.1),
        }
    }
}

/// Reads one request.
#[derive(Debug)]
pub(in crate::offline) struct Run<'a> {
    pub places: &'a Places,
    pub segments: Vec<Segment>,
    /// What forbids to allow the whole, in words.
    pub doubts: Vec<Message>,
    /// What deceives whoever reads the text, in words: that forbids it too, and is always told.
    pub deceptions: Vec<Message>,
    /// The words of each command of the outermost text, for comparison with the plain reading.
    pub commands: Vec<Vec<(usize, usize)>>,
    /// Plain values that the text gave to variables.
    variables: Rc<HashMap<String, String>>,
    /// Every directory a command may run in at this point; `None` is one that can't be told.
    pub cwds: Vec<Option<String>>,
    /// Where the last command led to if it succeeded.
    pub arrived: Option<Vec<Option<String>>>,
    /// How many texts within texts surround what is being read.
    pub depth: usize,
    /// How many bytes of text have been read, texts within texts included.
    pub bytes: usize,
    looked_at: usize,
}

impl<'a> Run<'a> {
    pub fn new(places: &'a Places, cwd: Option<String>) -> Self {
        Self {
            places,
            segments: Vec::new(),
            doubts: Vec::new(),
            deceptions: Vec::new(),
            commands: Vec::new(),
            variables: Rc::default(),
            cwds: vec![cwd],
            arrived: None,
            depth: 0,
            bytes: 0,
            looked_at: 0,
        }
    }

    /// Remembers the value of a variable, or that it isn't known.
    pub fn set(&mut self, name: String, value: Option<String>) {
        let variables = Rc::make_mut(&mut self.variables);
        match value.filter(|value| value.len() <= LONGEST_VALUE && variables.len() < MOST_VARIABLES) {
            Some(value) => variables.insert(name, value),
            None => variables.remove(&name),
        };
    }

    /// Says once why the whole can't be allowed.
    pub fn doubt(&mut self, why: impl Into<Message>) {
        let why = why.into();
        if !self.doubts.contains(&why) {
            self.doubts.push(why);
        }
    }

    /// Says once what deceives whoever reads the text.
    pub fn deceives(&mut self, how: impl Into<Message>) {
        let how = how.into();
        if !self.deceptions.contains(&how) {
            self.deceptions.push(how);
        }
    }

    /// Counts a command; whether it is still to be looked at.
    pub fn count(&mut self) -> bool {
        self.looked_at += 1;
        if self.looked_at > MOST_COMMANDS {
            self.doubt(say!("holds more commands than can be looked at"));
        }
        self.looked_at <= MOST_COMMANDS
    }

    pub fn note(&mut self, (start, end): (usize, usize), deed: Deed) {
        let Deed { class, recommendation, why: said } = deed;
        let segment = Segment { start, end, class, recommendation, why: said.to_string(), said };
        let weight = |segment: &Segment| (gravity(segment.recommendation), segment.class);
        if self.segments.len() < MOST_SEGMENTS {
            self.segments.push(segment);
        } else if let Some(least) = self.segments.iter_mut().min_by_key(|segment| weight(segment))
            && weight(least) < weight(&segment)
        {
            *least = segment;
        }
    }

    /// What a word may be made of at this point.
    pub fn known(&self) -> Known {
        let cwd = match self.cwds.as_slice() {
            [one] => one.clone(),
            _ => None,
        };
        Known { home: self.places.home.clone(), cwd, variables: self.variables.clone() }
    }

    /// Where `path` leads, seen from every directory it may be used in; the worst of them.
    pub fn place(&self, path: &str) -> Place {
        let mut found = Place::Unknown;
        let rank = |place: &Place| match place {
            Place::Nowhere => 0,
            Place::Inside(_) => 1,
            Place::Project => 2,
            Place::Unknown => 3,
            Place::Outside(_) => 4,
            Place::Device(_) => 5,
            Place::Pillar(_) => 6,
        };
        for (index, cwd) in self.cwds.iter().enumerate() {
            let place =
                join(cwd.as_deref().unwrap_or_default(), path).map_or(Place::Unknown, |path| self.places.of(&path));
            if index == 0 || rank(&place) > rank(&found) {
                found = place;
            }
        }
        found
    }

    /// `path` for a sentence: in backticks, or in words.
    pub fn name(&self, path: &str) -> Piece {
        match self.place(path) {
            Place::Project => term!("the whole project").into(),
            _ => code(&self.shown(path)),
        }
    }

    /// `path` as it is best shown.
    fn shown(&self, path: &str) -> String {
        let tail = if path.len() > 1 && path.ends_with('/') { "/" } else { "" };
        match self.place(path) {
            Place::Inside(rest) => format!("{rest}{tail}"),
            Place::Project => ".".to_owned(),
            Place::Pillar(path) | Place::Outside(path) => self.places.shown(&path),
            Place::Nowhere | Place::Device(_) | Place::Unknown => path.to_owned(),
        }
    }

    /// Follows `cd`: from here on commands may run where it leads, or where they ran before.
    pub fn follow(&mut self, target: Option<&Word>) {
        let reached: Vec<Option<String>> = self
            .cwds
            .iter()
            .map(|cwd| match target {
                Some(word) if word.exact && !word.glob && word.text != "-" && !word.text.is_empty() => {
                    join(cwd.as_deref().unwrap_or_default(), &word.text)
                }
                Some(_) => None,
                None => self.places.home.clone(),
            })
            .collect();
        self.may_be_in(reached.clone());
        self.arrived = Some(reached);
    }

    /// Commands may from here on run in `cwds` as well.
    pub fn may_be_in(&mut self, cwds: Vec<Option<String>>) {
        for cwd in cwds {
            if !self.cwds.contains(&cwd) {
                self.cwds.push(cwd);
            }
        }
        if self.cwds.len() > 8 {
            self.cwds = vec![None];
            self.doubt(say!("changes the directory more often than can be followed"));
        }
    }
}
