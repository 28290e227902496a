//! Server-sent events: bytes in, frames out. Pure, so that every way of cutting a stream can be tried.
//!
//! Only `data` matters to OpenCode, so `event`, `id` and `retry` are read over. Memory is bounded whatever arrives.

/// The longest event that is taken in, in bytes. The largest seen in practice are some hundred kilobytes.
pub const LIMIT: usize = 16 * 1024 * 1024;

/// Buffers that grew beyond this for one large event are given back afterwards.
const KEEP: usize = 64 * 1024;

/// Something that came out of the stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Frame {
    /// The data of one event. Bytes that are not UTF-8 have become U+FFFD, as the standard has it.
    Event(String),
    /// A comment: the server shows that it lives.
    KeepAlive,
    /// An event was longer than the limit and was dropped.
    Oversized {
        /// How long it was, in bytes, as far as it was seen.
        bytes: u64,
    },
}

/// An incremental decoder. Chunks may be cut anywhere.
#[derive(Debug)]
pub struct Decoder {
    limit: usize,
    /// The beginning of a line whose end has not arrived.
    line: Vec<u8>,
    /// The data lines of the event so far; `None` before the first.
    data: Option<Vec<u8>>,
    /// The last chunk ended in a carriage return: a line feed right after belongs to it.
    after_return: bool,
    /// No line has been completed yet: the next one may begin with a byte order mark.
    at_start: bool,
    /// Set while the rest of an overlong event is skipped.
    skipping: Option<Skipping>,
}

#[derive(Debug)]
struct Skipping {
    bytes: u64,
    /// Nothing of the current line has arrived: if it ends now, it is blank and the event is over.
    blank: bool,
}

impl Default for Decoder {
    fn default() -> Self {
        Self::with_limit(LIMIT)
    }
}

impl Decoder {
    /// A decoder that drops events longer than `limit` bytes.
    #[must_use]
    pub const fn with_limit(limit: usize) -> Self {
        Self { limit, line: Vec::new(), data: None, after_return: false, at_start: true, skipping: None }
    }

    /// Takes in the next bytes and gives the frames they complete, in order.
    #[must_use]
    pub fn feed(&mut self, chunk: &[u8]) -> Vec<Frame> {
        let mut frames = Vec::new();
        let mut rest = chunk;
        if self.after_return && !rest.is_empty() {
            self.after_return = false;
            rest = rest.strip_prefix(b"\n").unwrap_or(rest);
        }
        while let Some(at) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            let (head, tail) = rest.split_at(at);
            let (end, after) = tail.split_at(1);
            rest = after;
            if end == b"\r" {
                match rest.strip_prefix(b"\n") {
                    Some(after) => rest = after,
                    None => self.after_return = rest.is_empty(),
                }
            }
            self.end_line(head, &mut frames);
        }
        self.partial(rest);
        frames
    }

    /// Keeps the beginning of a line until its end arrives.
    fn partial(&mut self, part: &[u8]) {
        if part.is_empty() {
            return;
        }
        if let Some(skipping) = &mut self.skipping {
            skipping.bytes += part.len() as u64;
            skipping.blank = false;
        } else if self.held() + part.len() > self.limit {
            self.skip(part.len(), false);
        } else {
            self.line.extend_from_slice(part);
        }
    }

    fn end_line(&mut self, end: &[u8], frames: &mut Vec<Frame>) {
        if let Some(skipping) = &mut self.skipping {
            if skipping.blank && end.is_empty() {
                frames.push(Frame::Oversized { bytes: skipping.bytes });
                self.skipping = None;
            } else {
                skipping.bytes += end.len() as u64;
                skipping.blank = true;
            }
            return;
        }
        if self.held() + end.len() > self.limit {
            self.skip(end.len(), true);
            return;
        }
        if self.line.is_empty() {
            self.take(end, frames);
        } else {
            let mut line = std::mem::take(&mut self.line);
            line.extend_from_slice(end);
            self.take(&line, frames);
            if line.capacity() <= KEEP {
                line.clear();
                self.line = line;
            }
        }
    }

    /// A whole line has arrived.
    fn take(&mut self, line: &[u8], frames: &mut Vec<Frame>) {
        let line = if self.at_start { line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line) } else { line };
        self.at_start = false;
        if line.is_empty() {
            if let Some(data) = self.data.take() {
                frames.push(Frame::Event(text(data)));
            }
        } else if line.starts_with(b":") {
            frames.push(Frame::KeepAlive);
        } else if let Some(value) = data_of(line) {
            match &mut self.data {
                Some(data) => {
                    data.push(b'\n');
                    data.extend_from_slice(value);
                }
                None => self.data = Some(value.to_vec()),
            }
        }
    }

    fn held(&self) -> usize {
        self.line.len() + self.data.as_ref().map_or(0, Vec::len)
    }

    /// Gives up on the current event, of which `more` bytes just came on top of what is held.
    fn skip(&mut self, more: usize, blank: bool) {
        self.skipping = Some(Skipping { bytes: (self.held() + more) as u64, blank });
        self.at_start = false;
        self.line = Vec::new();
        self.data = None;
    }
}

/// The value of a `data` line, `None` for any other field.
fn data_of(line: &[u8]) -> Option<&[u8]> {
    let rest = line.strip_prefix(b"data")?;
    match rest.strip_prefix(b":") {
        Some(value) => Some(value.strip_prefix(b" ").unwrap_or(value)),
        None => rest.is_empty().then_some(rest),
    }
}

fn text(data: Vec<u8>) -> String {
    String::from_utf8(data).unwrap_or_else(|odd| String::from_utf8_lossy(odd.as_bytes()).into_owned())
}

#[cfg(test)]
mod tests;
