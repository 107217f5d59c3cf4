//! Lines of text out of blocks and inline pieces, as a browser flows them.

/// Lines that a state of their block is told of.
const FEW_LINES: usize = 4;

/// Collects text. Blocks begin on a line of their own; inside, white space is one space.
#[derive(Debug, Default)]
pub(super) struct Flow {
    out: String,
    line: String,
    /// What each line begins with; the first line of an item has its mark instead.
    indent: String,
    mark: Option<String>,
    /// White space was seen and nothing after it.
    gap: bool,
}

impl Flow {
    /// Characters of a text, white space folded.
    pub(super) fn text(&mut self, text: &str) {
        for (i, word) in text.split(char::is_whitespace).enumerate() {
            if i > 0 {
                self.gap = true;
            }
            if !word.is_empty() {
                self.push(word);
            }
        }
    }

    /// Something that stands apart from what is around it: a field, a button.
    pub(super) fn piece(&mut self, piece: &str) {
        self.gap = true;
        self.push(piece);
        self.gap = true;
    }

    /// A mark right behind what was written last.
    pub(super) fn suffix(&mut self, suffix: &str) {
        self.line.push_str(suffix);
    }

    /// A note such as `{disabled}`, apart from the text before it.
    pub(super) fn note(&mut self, note: &str) {
        self.gap = !self.line.is_empty();
        self.push(note);
        self.gap = true;
    }

    /// A note behind what was written since `start`, as long as that is few lines: of a whole page it would say nothing.
    pub(super) fn note_on(&mut self, start: usize, note: &str) {
        if !self.line.is_empty() {
            self.note(note);
        } else if self.out.len() > start && self.out[start..].lines().count() <= FEW_LINES {
            self.out.truncate(self.out.len() - 1);
            self.out.push(' ');
            self.out.push_str(note);
            self.out.push('\n');
        }
    }

    /// Where the next line will begin.
    pub(super) fn position(&self) -> usize {
        self.out.len()
    }

    /// Ends the line, if anything is on it.
    pub(super) fn end_line(&mut self) {
        self.gap = false;
        if self.line.is_empty() {
            return;
        }
        let mark = self.mark.take();
        self.out.push_str(mark.as_ref().unwrap_or(&self.indent));
        self.out.push_str(self.line.trim_end());
        self.out.push('\n');
        self.line.clear();
    }

    /// A line as it is.
    pub(super) fn whole_line(&mut self, line: &str) {
        self.end_line();
        self.line.push_str(line);
        self.end_line();
    }

    /// Writes an item: its first line begins with `mark`, the others below the text of the first.
    pub(super) fn item(&mut self, mark: &str, body: impl FnOnce(&mut Self)) {
        self.end_line();
        let before = self.indent.len();
        let outer = self.mark.take();
        self.mark = Some(format!("{}{mark}", outer.as_ref().unwrap_or(&self.indent)));
        self.indent.push_str(&" ".repeat(mark.chars().count()));
        body(self);
        self.end_line();
        // An item that wrote nothing leaves no mark for what follows, and none is lost for what is around it.
        let unused = self.mark.take().is_some();
        self.indent.truncate(before);
        self.mark = outer.filter(|_| unused);
    }

    pub(super) fn len(&self) -> usize {
        self.out.len() + self.line.len()
    }

    pub(super) fn finish(mut self) -> String {
        self.end_line();
        self.out
    }

    fn push(&mut self, text: &str) {
        if self.gap && !self.line.is_empty() {
            self.line.push(' ');
        }
        self.gap = false;
        self.line.push_str(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_one_space_and_blocks_have_lines() {
        let mut flow = Flow::default();
        flow.text("  a\n  b ");
        flow.piece("(Save)");
        flow.suffix("{disabled}");
        flow.text(", c");
        flow.end_line();
        flow.end_line();
        flow.text("d");
        assert_eq!(flow.finish(), "a b (Save){disabled} , c\nd\n");
    }

    #[test]
    fn items_indent_what_follows_and_nest() {
        let mut flow = Flow::default();
        flow.item("- ", |flow| {
            flow.text("a");
            flow.end_line();
            flow.text("b");
            flow.item("1. ", |flow| flow.text("c"));
        });
        flow.item("- ", |_| ());
        flow.text("d");
        assert_eq!(flow.finish(), "- a\n  b\n  1. c\nd\n");
    }
}
