//! Pieces to text: groups that fit stay on their line, others break.

use std::borrow::Cow;

use super::WIDTH;

/// What a layout is made of.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece<'a> {
    Text(Cow<'a, str>),
    /// Several lines as they are; only the first counts for the width.
    Raw(&'a str),
    /// A block annotation: its lines, to be indented.
    Block(Vec<String>),
    Space,
    /// A line break in a group that breaks, otherwise a space, or nothing if `soft`. A `blank` line comes before it.
    Line {
        soft: bool,
        blank: bool,
    },
    /// Always a line break.
    Hard {
        blank: bool,
    },
    Open,
    Close,
    Indent,
    Dedent,
}

const STEP: usize = 2;

pub(super) fn print(pieces: &[Piece<'_>]) -> String {
    let measured = Measured::new(pieces);
    let mut printer = Printer { out: String::new(), column: 0, indent: 0, broken: vec![true] };
    for (at, piece) in pieces.iter().enumerate() {
        printer.piece(piece, at, &measured);
    }
    while printer.out.ends_with(['\n', ' ']) {
        printer.out.pop();
    }
    if !printer.out.is_empty() {
        printer.out.push('\n');
    }
    printer.out
}

struct Printer {
    out: String,
    column: usize,
    indent: usize,
    /// For each open group, whether it breaks.
    broken: Vec<bool>,
}

impl Printer {
    fn piece(&mut self, piece: &Piece<'_>, at: usize, measured: &Measured) {
        match piece {
            Piece::Text(text) => self.text(text),
            Piece::Raw(text) => {
                self.text(text);
                if let Some((_, last)) = text.rsplit_once('\n') {
                    self.column = last.chars().count();
                }
            }
            Piece::Block(lines) => {
                for (number, line) in lines.iter().enumerate() {
                    if number > 0 {
                        self.out.push('\n');
                        self.column = 0;
                    }
                    if number > 0 && !line.is_empty() {
                        self.out.extend(std::iter::repeat_n(' ', self.indent * STEP));
                    }
                    self.text(line);
                }
            }
            Piece::Space => self.text(" "),
            Piece::Hard { blank } => self.new_line(*blank),
            Piece::Line { blank, .. } if self.broken.last() == Some(&true) => self.new_line(*blank),
            Piece::Line { soft, .. } => self.text(if *soft { "" } else { " " }),
            Piece::Open => {
                let outer = self.broken.last() == Some(&true);
                let fits = !measured.breaks(at) && self.column + measured.width(at) <= WIDTH;
                self.broken.push(outer && !fits);
            }
            Piece::Close => {
                self.broken.pop();
            }
            Piece::Indent => self.indent += 1,
            Piece::Dedent => self.indent = self.indent.saturating_sub(1),
        }
    }

    fn text(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.chars().count();
    }

    fn new_line(&mut self, blank: bool) {
        if self.out.is_empty() {
            return;
        }
        while self.out.ends_with(' ') {
            self.out.pop();
        }
        if blank && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
        self.out.push('\n');
        self.column = self.indent * STEP;
        self.out.extend(std::iter::repeat_n(' ', self.column));
    }
}

/// How wide groups are on one line, found in one pass.
struct Measured {
    /// For each opening, how much has to fit: the group and what follows it up to where a line may break.
    widths: Vec<usize>,
    /// For each opening, whether there is a line break in the group.
    breaks: Vec<bool>,
}

impl Measured {
    fn new(pieces: &[Piece<'_>]) -> Self {
        let mut before = Vec::with_capacity(pieces.len() + 1);
        let mut hard_before = Vec::with_capacity(pieces.len() + 1);
        let (mut width, mut hard) = (0, 0);
        for piece in pieces {
            before.push(width);
            hard_before.push(hard);
            width += flat_width(piece);
            hard += usize::from(matches!(piece, Piece::Hard { .. } | Piece::Block(_)));
        }
        before.push(width);
        let mut measured =
            Self { widths: vec![0; pieces.len()], breaks: vec![false; pieces.len()] };
        let mut closes: Vec<usize> = Vec::new();
        let mut next_break = pieces.len();
        for (at, piece) in pieces.iter().enumerate().rev() {
            match piece {
                Piece::Close => closes.push(at),
                Piece::Open => {
                    let close = closes.pop().unwrap_or(pieces.len() - 1);
                    let end = measured.widths[close].max(close);
                    measured.widths[at] = before[end] - before[at];
                    measured.breaks[at] = hard_before[close] > hard_before[at];
                }
                Piece::Line { .. } | Piece::Hard { .. } => next_break = at,
                _ => {}
            }
            // At a closing, the width holds where the next line may begin, until its opening has read it.
            if matches!(piece, Piece::Close) {
                measured.widths[at] = next_break;
            }
        }
        measured
    }

    fn width(&self, open: usize) -> usize {
        self.widths[open]
    }

    fn breaks(&self, open: usize) -> bool {
        self.breaks[open]
    }
}

fn flat_width(piece: &Piece<'_>) -> usize {
    match piece {
        Piece::Text(text) => text.chars().count(),
        Piece::Raw(text) => text.lines().next().unwrap_or("").chars().count(),
        Piece::Space | Piece::Line { soft: false, .. } => 1,
        _ => 0,
    }
}
