//! Letters that are spelled as codes.

use super::Reader;

impl Reader<'_> {
    /// The inside of `$'…'`.
    pub(super) fn codes(&mut self) {
        while let Some(c) = self.next() {
            match c {
                '\'' => return,
                '\\' => self.code(),
                _ => self.word.text.push(c),
            }
        }
    }

    fn code(&mut self) {
        let Some(c) = self.next() else { return };
        let plain = match c {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'a' => '\u{7}',
            'b' => '\u{8}',
            'e' | 'E' => '\u{1B}',
            'f' => '\u{C}',
            'v' => '\u{B}',
            'x' => return self.number(16, 2),
            'u' => return self.number(16, 4),
            'U' => return self.number(16, 8),
            '0'..='7' => {
                // The digit belongs to the number: it is put back.
                let value = c.to_digit(8).unwrap_or_default();
                return self.digits(8, 2, value);
            }
            other => other,
        };
        self.word.text.push(plain);
    }

    fn number(&mut self, radix: u32, most: usize) {
        self.digits(radix, most, 0);
    }

    fn digits(&mut self, radix: u32, most: usize, first: u32) {
        let mut value = first;
        for _ in 0..most {
            let Some(digit) = self.peek().and_then(|c| c.to_digit(radix)) else { break };
            value = value.saturating_mul(radix).saturating_add(digit);
            self.next();
        }
        match char::from_u32(value) {
            Some(c) => self.word.text.push(c),
            None => self.word.exact = false,
        }
    }
}
