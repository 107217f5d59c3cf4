//! From a byte offset to a line and a column, as an editor counts them.

use serde::Serialize;

/// Where something stands in a text: line and column from 1, columns counted in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Place {
    pub line: u32,
    pub column: u32,
}

impl Place {
    /// The first character of a text.
    pub const START: Self = Self { line: 1, column: 1 };
}

/// Finds lines and columns in one text.
#[derive(Debug, Clone)]
pub struct Lines<'a> {
    text: &'a str,
    /// Offset of the first byte of each line.
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a str) -> Self {
        let after_breaks =
            text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1);
        Self { text, starts: std::iter::once(0).chain(after_breaks).collect() }
    }

    /// The place of the byte at `offset`; an offset past the end, or inside a character, is the nearest place before it.
    pub fn place(&self, offset: usize) -> Place {
        let offset = floor_boundary(self.text, offset);
        let line = self.starts.partition_point(|start| *start <= offset);
        let column = self.text[self.starts[line - 1]..offset].chars().count() + 1;
        Place { line: number(line), column: number(column) }
    }
}

fn floor_boundary(text: &str, offset: usize) -> usize {
    let offset = offset.min(text.len());
    (0..=offset).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

fn number(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_lines_begin_after_a_break() {
        let lines = Lines::new("añb\nc");
        assert_eq!(lines.place(0), Place::START);
        assert_eq!(lines.place(3), Place { line: 1, column: 3 }, "ñ has two bytes");
        assert_eq!(lines.place(2), Place { line: 1, column: 2 }, "inside ñ");
        assert_eq!(lines.place(5), Place { line: 2, column: 1 });
        assert_eq!(lines.place(99), Place { line: 2, column: 2 });
    }
}
