//! Lines: the one scanner that every file is read with.
//!
//! It knows what Markdown hides: fenced code blocks and HTML comments. Whoever reads a file walks [`lines`] and looks at
//! [`Line::text`] and [`Line::fenced`]; nobody slices text on his own. The spans of the lines tile the file, so text
//! that a reader does not understand can be kept byte for byte.
//!
//! One pass, whatever the input: a fence or a comment that never ends costs no second look.

use std::{borrow::Cow, collections::HashMap, ops::Range};

use memchr::{memchr, memmem};

const BOM: char = '\u{feff}';
const COMMENT_OPEN: &[u8] = b"<!--";
const COMMENT_CLOSE: &[u8] = b"-->";

/// One line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line<'a> {
    /// From 1.
    pub number: u32,
    /// The bytes of the line in the file, its line break and, in line 1, the byte order mark included.
    pub span: Range<usize>,
    /// The line as written, without line break (`\n` or `\r\n`) and byte order mark.
    pub raw: &'a str,
    /// Trimmed and without HTML comments, except those in code spans; empty inside a comment.
    pub text: Cow<'a, str>,
    /// Inside a fenced code block, or one of its fences: what looks like a heading, bullet or checkbox there is none.
    pub fenced: bool,
}

impl Line<'_> {
    /// Where the text begins, from 1, in characters.
    pub fn column(&self) -> u32 {
        let blank = self.raw.len() - self.raw.trim_start().len();
        u32::try_from(self.raw[..blank].chars().count()).map_or(u32::MAX, |count| count + 1)
    }

    /// How far the text is indented, in columns.
    pub fn indent(&self) -> usize {
        indent_of(&self.raw[..self.raw.len() - self.raw.trim_start().len()])
    }

    /// Whether there is nothing to see on it: blank, or all comment.
    pub fn is_blank(&self) -> bool {
        self.text.is_empty()
    }
}

/// Walks the lines of `text`.
pub fn lines(text: &str) -> Lines<'_> {
    Lines {
        text,
        position: 0,
        number: 0,
        next_comment: 0,
        comment_end: 0,
        comments_close: true,
        fence: None,
    }
}

/// See [`lines`].
#[derive(Debug, Clone)]
pub struct Lines<'a> {
    text: &'a str,
    position: usize,
    number: u32,
    /// No `<!--` begins between `position` and here; found anew once it is passed.
    next_comment: usize,
    /// Where the comment ends that was open when the last line ended.
    comment_end: usize,
    /// False once a `<!--` was found that nothing closes: the later ones are not closed either.
    comments_close: bool,
    fence: Option<Fence>,
}

impl<'a> Lines<'a> {
    /// The line of the fence that is open now. At the end of the file: one that is never closed.
    pub fn open_fence(&self) -> Option<u32> {
        self.fence.map(|fence| fence.line)
    }

    /// The line at `from..to` without its comments. A comment that goes on beyond it is remembered.
    fn without_comments(&mut self, from: usize, to: usize) -> Cow<'a, str> {
        let mut kept = Cow::Borrowed("");
        let mut at = self.comment_end.clamp(from, to);
        let mut keep_from = at;
        let mut spans = None;
        while let Some(open) = memmem::find(&self.text.as_bytes()[at..to], COMMENT_OPEN) {
            let open = at + open;
            let spans = spans.get_or_insert_with(|| CodeSpans::of(self.text, at, to));
            if let Some(end) = spans.end_of_one_around(open) {
                at = end;
                continue;
            }
            let Some(close) = self.comment_close(open) else { break };
            append(&mut kept, &self.text[keep_from..open]);
            spans.skip_to(close);
            self.comment_end = close;
            keep_from = close.min(to);
            at = keep_from;
        }
        append(&mut kept, &self.text[keep_from..to]);
        kept
    }

    /// The end of the comment that begins at `open`; none if nothing closes it, then it is no comment.
    fn comment_close(&mut self, open: usize) -> Option<usize> {
        let body = open + COMMENT_OPEN.len();
        let rest = &self.text.as_bytes()[body..];
        // `<!-->` and `<!--->` are whole comments to a browser.
        if rest.starts_with(b">") || rest.starts_with(b"->") {
            return Some(body + if rest[0] == b'>' { 1 } else { 2 });
        }
        let close = memmem::find(rest, COMMENT_CLOSE);
        self.comments_close = close.is_some();
        close.map(|close| body + close + COMMENT_CLOSE.len())
    }

    fn has_comment(&mut self, from: usize, to: usize) -> bool {
        if self.next_comment < from {
            self.next_comment = memmem::find(&self.text.as_bytes()[from..], COMMENT_OPEN)
                .map_or(usize::MAX, |open| from + open);
        }
        self.comments_close && self.next_comment < to
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let start = self.position;
        let rest = self.text.get(start..).filter(|rest| !rest.is_empty())?;
        let end = memchr(b'\n', rest.as_bytes()).map_or(self.text.len(), |at| start + at + 1);
        self.position = end;
        self.number = self.number.saturating_add(1);

        let raw = &self.text[start..end];
        let raw = raw.strip_suffix('\n').unwrap_or(raw);
        let raw = raw.strip_suffix('\r').unwrap_or(raw);
        let raw = if start == 0 { raw.strip_prefix(BOM).unwrap_or(raw) } else { raw };
        let from = if start == 0 && self.text.starts_with(BOM) { BOM.len_utf8() } else { start };
        let to = from + raw.len();

        let mut line = Line {
            number: self.number,
            span: start..end,
            raw,
            text: trimmed(raw).into(),
            fenced: false,
        };
        if let Some(fence) = self.fence {
            line.fenced = true;
            if fence.is_closed_by(&line) {
                self.fence = None;
            }
        } else if self.comment_end >= end {
            line.text = Cow::Borrowed("");
        } else {
            if self.comment_end > start || self.has_comment(from, to) {
                line.text = trim(self.without_comments(from, to));
            }
            if self.comment_end <= to {
                self.fence = Fence::opened_by(&line);
                line.fenced = self.fence.is_some();
            }
        }
        Some(line)
    }
}

/// A fenced code block that is open.
#[derive(Debug, Clone, Copy)]
struct Fence {
    mark: char,
    length: usize,
    indent: usize,
    line: u32,
}

impl Fence {
    /// The fence may be the first thing in a list item, else its closing fence would be taken for an opening one.
    fn opened_by(line: &Line<'_>) -> Option<Self> {
        let text = line.text.as_ref();
        let marks = if text.starts_with(['`', '~']) { text } else { after_bullet(text)? };
        let mark = marks.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let info = marks.trim_start_matches(mark);
        let length = marks.len() - info.len();
        // ```` ```x``` ```` is a code span.
        if length < 3 || (mark == '`' && info.contains('`')) {
            return None;
        }
        let indent = line.indent() + (text.len() - marks.len());
        Some(Self { mark, length, indent, line: line.number })
    }

    /// A fence that is indented by four or more is part of the code, as in an example of Markdown.
    fn is_closed_by(self, line: &Line<'_>) -> bool {
        line.text.len() >= self.length
            && line.text.chars().all(|c| c == self.mark)
            && line.indent() < self.indent + 4
    }
}

/// The code spans of one line: of the runs of back-ticks, the pairs of the same length.
struct CodeSpans {
    /// Start and length of each run.
    runs: Vec<(usize, usize)>,
    /// For each length the last run that has it, so that no run is searched for in vain.
    last: HashMap<usize, usize>,
    next: usize,
}

impl CodeSpans {
    fn of(text: &str, from: usize, to: usize) -> Self {
        let bytes = &text.as_bytes()[..to];
        let mut runs = Vec::new();
        let mut at = from;
        while let Some(start) = memchr(b'`', &bytes[at..]) {
            let start = at + start;
            let length = bytes[start..].iter().take_while(|byte| **byte == b'`').count();
            runs.push((start, length));
            at = start + length;
        }
        let last = runs.iter().enumerate().map(|(index, (_, length))| (*length, index)).collect();
        Self { runs, last, next: 0 }
    }

    /// The end of the code span around `position`. Asked for rising positions only.
    fn end_of_one_around(&mut self, position: usize) -> Option<usize> {
        while let Some(&(start, length)) = self.runs.get(self.next) {
            if start > position {
                return None;
            }
            let opening = self.next;
            self.next += 1;
            if self.last.get(&length).is_none_or(|last| *last <= opening) {
                continue;
            }
            while self.runs[self.next].1 != length {
                self.next += 1;
            }
            let end = self.runs[self.next].0 + length;
            self.next += 1;
            if end > position {
                return Some(end);
            }
        }
        None
    }

    /// Back-ticks in a comment begin no code span.
    fn skip_to(&mut self, position: usize) {
        while self.runs.get(self.next).is_some_and(|(start, _)| *start < position) {
            self.next += 1;
        }
    }
}

/// What follows the bullet or number of a list item, if there is one.
pub(crate) fn after_bullet(text: &str) -> Option<&str> {
    let rest = match text.as_bytes().first()? {
        b'-' | b'*' | b'+' => &text[1..],
        b'0'..=b'9' => {
            text.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(['.', ')'])?
        }
        _ => return None,
    };
    rest.starts_with(char::is_whitespace).then(|| rest.trim_start())
}

fn append<'a>(kept: &mut Cow<'a, str>, more: &'a str) {
    if kept.is_empty() {
        *kept = Cow::Borrowed(more);
    } else if !more.is_empty() {
        kept.to_mut().push_str(more);
    }
}

fn trim(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
        Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
    }
}

/// `trim` for the common case, in which there is nothing to trim.
fn trimmed(raw: &str) -> &str {
    let bytes = raw.as_bytes();
    match (bytes.first(), bytes.last()) {
        (Some(first), Some(last)) if first.is_ascii_graphic() && last.is_ascii_graphic() => raw,
        _ => raw.trim(),
    }
}

fn indent_of(blank: &str) -> usize {
    blank.chars().fold(0, |column, c| if c == '\t' { column / 4 * 4 + 4 } else { column + 1 })
}
