//! Places in a text: [`Span`] in bytes, [`LineIndex`] to lines and columns.
//!
//! Everything in the tree carries a span. People and other tools count lines and columns, from 1; columns are
//! UTF-16 code units, as editors and the official implementation count them. Only what is shown needs them, so they
//! are found late, by [`LineIndex::position`].

use std::fmt;
use std::ops::Range;

/// A half-open range of bytes in one text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The empty span at `offset`, where something is missing.
    pub const fn at(offset: u32) -> Self {
        Self { start: offset, end: offset }
    }

    /// From the start of `self` to the end of `other`.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start, end: other.end.max(self.start) }
    }

    /// The smallest span with both in it.
    #[must_use]
    pub fn cover(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The same place in a text in which this one begins at `offset`.
    #[must_use]
    pub const fn shifted(self, offset: u32) -> Self {
        Self { start: self.start + offset, end: self.end + offset }
    }

    pub const fn len(self) -> u32 {
        self.end - self.start
    }

    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// As a range to slice with.
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// What stands here; empty if `text` is not the text the span is from.
    pub fn of(self, text: &str) -> &str {
        text.get(self.range()).unwrap_or("")
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// A line and a column, both from 1; the column counts UTF-16 code units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Where the lines of a text begin. Built once for a text, then asked in logarithmic time.
#[derive(Debug, Clone)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    pub fn new(text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(breaks.map(|(at, _)| offset(at + 1))).collect();
        Self { starts }
    }

    /// The position of a byte offset. An offset past the end is the end.
    pub fn position(&self, text: &str, at: u32) -> Position {
        let at = at.min(offset(text.len()));
        let line = self.line_of(at);
        let start = self.starts[line] as usize;
        let before = &text.as_bytes()[start..at as usize];
        // Every byte that begins a character counts one unit, and one more if it needs a surrogate pair.
        let units = |byte: &u8| usize::from(byte & 0xC0 != 0x80) + usize::from(*byte >= 0xF0);
        let column: usize = before.iter().map(units).sum();
        Position { line: offset(line + 1), column: offset(column + 1) }
    }

    /// The span of a line, counted from 1, without its line break.
    pub fn line_span(&self, text: &str, line: u32) -> Span {
        let index = (line.max(1) as usize - 1).min(self.starts.len() - 1);
        let start = self.starts[index];
        let end = self.starts.get(index + 1).map_or(offset(text.len()), |next| next - 1);
        let line = Span::new(start, end);
        let kept = line.of(text).trim_end_matches('\r').len();
        Span::new(start, start + offset(kept))
    }

    /// How many lines there are; an empty text has one.
    pub fn lines(&self) -> usize {
        self.starts.len()
    }

    fn line_of(&self, at: u32) -> usize {
        self.starts.partition_point(|start| *start <= at) - 1
    }
}

/// A length as an offset. Texts of 4 GB and more are refused before anything is measured.
pub(crate) fn offset(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_utf16_units_from_one() {
        let text = "a\n é𝄞x";
        let index = LineIndex::new(text);
        let at = |needle| u32::try_from(text.find(needle).unwrap()).unwrap();
        assert_eq!(index.position(text, 0).to_string(), "1:1");
        assert_eq!(index.position(text, at('é')).to_string(), "2:2");
        assert_eq!(index.position(text, at('x')).to_string(), "2:5");
        assert_eq!(index.position(text, 999).to_string(), "2:6");
    }

    #[test]
    fn a_line_leaves_out_its_break() {
        let text = "one\r\ntwo\n";
        let index = LineIndex::new(text);
        assert_eq!(index.lines(), 3);
        assert_eq!(index.line_span(text, 1).of(text), "one");
        assert_eq!(index.line_span(text, 2).of(text), "two");
        assert_eq!(index.line_span(text, 3).of(text), "");
        assert_eq!(index.line_span(text, 99).of(text), "");
    }
}
