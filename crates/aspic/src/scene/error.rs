//! What is wrong with a scene, where, and how to cure it.

use std::ops::Range;

use super::span::Span;

/// Something wrong in a scene: what, where, and a cure.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}{}", .help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default())]
pub struct SceneError {
    /// What is wrong, one sentence without a full stop.
    pub message: String,
    /// The bytes of the scene text it is about, where there is text.
    pub span: Option<Range<usize>>,
    /// What to do about it.
    pub help: Option<String>,
}

impl SceneError {
    /// An error without a place or a cure yet.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), span: None, help: None }
    }

    /// The same error, pointing at `span`.
    pub fn at(mut self, span: Span) -> Self {
        self.span = span.range();
        self
    }

    /// The same error with a cure.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Line and column of the first offending character, from 1; columns count characters.
    /// An error without a place is at the very start.
    pub fn line_column(&self, text: &str) -> (usize, usize) {
        let mut start = self.span.as_ref().map_or(0, |span| span.start.min(text.len()));
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        let before = &text[..start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }

    /// Names the place in front of the message, and points at `span` unless a better place is known.
    pub(super) fn within(mut self, place: &str, span: Option<Range<usize>>) -> Self {
        self.message = format!("{place}: {}", self.message);
        self.span = self.span.or(span);
        self
    }
}

/// Parts a deserialiser's error message can carry besides the message: serde errors are text only.
const HELP_MARK: char = '\u{1f}';

/// Packs message and help into one text, for the way through serde.
pub(super) fn pack(message: &str, help: &str) -> String {
    format!("{message}{HELP_MARK}{help}")
}

/// The inverse of [`pack`]; `None` for a message that was not packed.
pub(super) fn unpack(text: &str) -> Option<(String, Option<String>)> {
    let (message, help) = text.split_once(HELP_MARK)?;
    Some((message.to_owned(), (!help.is_empty()).then(|| help.to_owned())))
}
