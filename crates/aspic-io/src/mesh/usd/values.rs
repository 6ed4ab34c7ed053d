//! The tokens and values of USD as text: marks, words and numbers, quoted texts, `@assets@` and `<paths>`.

use super::layer::Value;
use crate::ReadError;
use crate::mesh::reader::{CUT_OFF, DAMAGED, Reader, number, shorten};

pub(super) enum What<'a> {
    Mark(u8),
    Word(&'a str),
    Text(String),
    /// An asset or a path.
    Name,
}

#[derive(Clone)]
pub(super) struct Tokens<'a>(pub Reader<'a>);

impl<'a> Tokens<'a> {
    pub fn next(&mut self) -> Result<Option<What<'a>>, ReadError> {
        let reader = &mut self.0;
        reader.skip_space();
        let Some(&byte) = reader.bytes.get(reader.at) else { return Ok(None) };
        let rest = &reader.bytes[reader.at..];
        reader.last = reader.at;
        Ok(Some(match byte {
            b'"' | b'\'' => What::Text(self.text(byte)?),
            b'@' => self.enclosed(if rest.starts_with(b"@@@") { b"@@@" } else { b"@" })?,
            b'<' => self.enclosed(b">")?,
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'=' | b',' | b';' => {
                reader.at += 1;
                What::Mark(byte)
            }
            _ => {
                let ends = |b: &u8| b.is_ascii_whitespace() || b"()[]{}=,;\"'@<#".contains(b);
                let length = rest.iter().position(ends).unwrap_or(rest.len()).max(1);
                reader.at += length;
                What::Word(std::str::from_utf8(&rest[..length]).unwrap_or("\u{fffd}"))
            }
        }))
    }

    /// The end of the file is an error.
    pub fn need(&mut self) -> Result<What<'a>, ReadError> {
        self.next()?.ok_or_else(|| self.0.error("the file ends within a value or a list", CUT_OFF))
    }

    fn enclosed(&mut self, end: &[u8]) -> Result<What<'a>, ReadError> {
        let inside = self.0.at + end.len().max(1);
        let found =
            self.0.bytes.get(inside..).and_then(|rest| rest.windows(end.len()).position(|w| w == end));
        let found = found.ok_or_else(|| self.0.error("a name does not end", CUT_OFF))?;
        self.0.at = inside + found + end.len();
        Ok(What::Name)
    }

    /// A quoted text; three quotes allow line ends inside, and `\` takes the next character as it is.
    fn text(&mut self, quote: u8) -> Result<String, ReadError> {
        let reader = &mut self.0;
        let triple = [quote; 3];
        let end = if reader.bytes[reader.at..].starts_with(&triple) { &triple[..] } else { &triple[..1] };
        let start = reader.at + end.len();
        let mut at = start;
        while at < reader.bytes.len() {
            if reader.bytes[at..].starts_with(end) {
                reader.at = at + end.len();
                return Ok(String::from_utf8_lossy(&reader.bytes[start..at]).into_owned());
            }
            at += 1 + usize::from(reader.bytes[at] == b'\\');
        }
        Err(reader.error("a text does not end", CUT_OFF))
    }

    /// Passes over a list whose first mark is behind.
    pub fn skip(&mut self, first: u8) -> Result<(), ReadError> {
        let mut depth = usize::from(matches!(first, b'(' | b'[' | b'{'));
        while depth > 0 {
            match self.need()? {
                What::Mark(b'(' | b'[' | b'{') => depth += 1,
                What::Mark(b')' | b']' | b'}') => depth -= 1,
                _ => {}
            }
        }
        Ok(())
    }

    /// A number, a text, or a tuple or list of them, flat.
    pub fn value(&mut self) -> Result<Value, ReadError> {
        let (mut numbers, mut texts, mut depth) = (vec![], vec![], 0usize);
        loop {
            match self.need()? {
                What::Mark(b'(' | b'[') => depth += 1,
                What::Mark(b')' | b']') if depth > 0 => depth -= 1,
                What::Mark(b'{') if depth == 0 => self.skip(b'{')?,
                What::Mark(b',') if depth > 0 => continue,
                What::Mark(_) => return Err(self.0.error("a value is damaged", DAMAGED)),
                What::Text(text) => texts.push(text),
                What::Name => texts.push(String::new()),
                What::Word("true") => numbers.push(1.0),
                What::Word("false") => numbers.push(0.0),
                What::Word("None") => {}
                What::Word(word) => match number(word) {
                    Some(x) => numbers.push(x),
                    None => {
                        let cause = format!("`{}` stands where a number is needed", shorten(word));
                        return Err(self.0.error(cause, DAMAGED));
                    }
                },
            }
            if depth == 0 {
                return Ok(if texts.is_empty() { Value::Numbers(numbers) } else { Value::Texts(texts) });
            }
        }
    }

    /// The first value of `{ time: value, … }`.
    pub fn first_sample(&mut self) -> Result<Option<Value>, ReadError> {
        if !matches!(self.need()?, What::Mark(b'{')) {
            return Err(self.0.error("samples over time begin with `{`", DAMAGED));
        }
        match self.need()? {
            What::Mark(b'}') => return Ok(None),
            What::Word(time) if time.ends_with(':') => {}
            What::Word(_) if matches!(self.need()?, What::Word(":")) => {}
            _ => return Err(self.0.error("a sample needs a time, as in `0: 1.5`", DAMAGED)),
        }
        let value = self.value()?;
        self.skip(b'{')?;
        Ok(Some(value))
    }
}
