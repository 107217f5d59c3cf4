//! Annotations: `# …` and `## …` to the end of the line, `#| … |#` and `##| … |##` over several.

use super::Lexer;
use crate::diagnostic::Diagnostic;
use crate::span::{Span, offset};
use crate::token::TokenKind;
use crate::tree::NoteScope;

impl Lexer<'_> {
    pub(super) fn note(&mut self) {
        let start = self.at;
        let model = self.peek(1) == Some(b'#');
        let marks = if model { 2 } else { 1 };
        if self.peek(marks) == Some(b'|') {
            return self.note_block(start, model);
        }
        self.at = self.line_end(start);
        self.push(if model { TokenKind::ModelNote } else { TokenKind::Note }, start);
    }

    /// A block closes on the line that has the closer, after white space alone, in the column of the opener.
    fn note_block(&mut self, start: usize, model: bool) {
        let (kind, opener, closer) = if model {
            (TokenKind::ModelNoteBlock, "##|", "|##")
        } else {
            (TokenKind::NoteBlock, "#|", "|#")
        };
        let line = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let column = self.text[line..start].encode_utf16().count();
        let mut at = self.text[start..].find('\n').map_or(self.text.len(), |end| start + end + 1);
        while at < self.text.len() {
            let end = self.line_end(at);
            if closes(&self.bytes[at..end], column, closer.as_bytes()) {
                self.at = end;
                return self.push(kind, start);
            }
            at = self.text[at..].find('\n').map_or(self.text.len(), |end| at + end + 1);
        }
        self.at = self.text.len();
        let open = Span::new(offset(start), offset(start + opener.len()));
        let message =
            format!("this annotation is not closed; `{closer}` is due in the column of `{opener}`");
        self.lexed.diagnostics.push(Diagnostic::error("unclosed-block-annotation", open, message));
        self.push(kind, start);
    }
}

fn closes(line: &[u8], column: usize, closer: &[u8]) -> bool {
    let Some((indent, rest)) = line.split_at_checked(column) else { return false };
    let blank = indent.iter().all(|byte| matches!(byte, b' ' | b'\t'));
    // `|##` does not close `#|`.
    let longer = closer == b"|#" && rest.get(2) == Some(&b'#');
    blank && rest.starts_with(closer) && !longer
}

/// What a block says: the rest of the opening line, then the lines below it without their common indentation. The
/// closing line is left out.
pub(crate) fn block_text(written: &str, scope: NoteScope) -> String {
    let closer = if scope == NoteScope::Model { "|##" } else { "|#" };
    let mut lines: Vec<&str> = written.lines().collect();
    let is_last = |line: &&str| line.trim_start().starts_with(closer);
    if lines.len() > 1 && lines.last().is_some_and(is_last) {
        lines.pop();
    }
    let (first, body) =
        lines.split_first().map_or(("", &[] as &[&str]), |(first, body)| (first, body));
    let margin = |line: &&str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let indent = body.iter().filter(|line| !line.trim().is_empty()).map(margin).min().unwrap_or(0);
    let mut text = first.to_owned();
    for line in body {
        text.push('\n');
        text.push_str(line.get(indent.min(margin(line))..).unwrap_or(""));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closer_stands_in_the_column_of_the_opener() {
        assert!(closes(b"  |#", 2, b"|#"));
        assert!(!closes(b" |#", 2, b"|#"));
        assert!(!closes(b"x |#", 2, b"|#"));
        assert!(!closes(b"  |##", 2, b"|#"));
        assert!(closes(b"|## and more", 0, b"|##"));
        assert!(!closes(b"|", 4, b"|#"));
    }

    #[test]
    fn a_block_loses_its_common_indentation() {
        assert_eq!(block_text("#| x\n    a\n      b\n\n  |#", NoteScope::Object), "#| x\na\n  b\n");
        assert_eq!(block_text("#|", NoteScope::Object), "#|");
    }
}
