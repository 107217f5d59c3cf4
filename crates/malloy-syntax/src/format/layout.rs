//! Tokens and comments to pieces: what stands between two tokens.

use std::borrow::Cow;

use super::marks::{Marks, Separator};
use super::print::Piece;
use crate::lexer::{Comment, Lexed, block_text};
use crate::token::{Keyword, Token, TokenKind};
use crate::tree::NoteScope;

pub(super) fn layout<'a>(text: &'a str, lexed: &'a Lexed, marks: &Marks) -> Vec<Piece<'a>> {
    let mut layout =
        Layout { text, comments: &lexed.comments, pieces: Vec::new(), end: 0, forced: None };
    let mut at = 0;
    let mut before = None;
    while let Some(token) = lexed.tokens.get(at) {
        // SQL is one piece, with the Malloy in its holes as it is.
        let last = sql_end(&lexed.tokens, at);
        layout.token(&lexed.tokens, at, last, before, marks);
        before = Some(last);
        at = last + 1;
        if token.kind == TokenKind::End {
            break;
        }
    }
    layout.pieces
}

struct Layout<'a> {
    text: &'a str,
    /// Those not laid out yet.
    comments: &'a [Comment],
    pieces: Vec<Piece<'a>>,
    /// Where in the text the last piece ended.
    end: usize,
    /// What a comment or an annotation wants behind it.
    forced: Option<Separator>,
}

impl<'a> Layout<'a> {
    fn token(
        &mut self,
        tokens: &[Token],
        at: usize,
        last: usize,
        before: Option<usize>,
        marks: &Marks,
    ) {
        let token = tokens[at];
        let closing = token.kind == TokenKind::BraceClose;
        self.repeat(Piece::Indent, marks.indents[at] + usize::from(closing));
        self.comments_before(token.span.start);
        self.repeat(Piece::Dedent, usize::from(closing));
        self.separate(tokens, at, before, marks.separators[at]);
        self.repeat(Piece::Open, marks.opens[at]);
        let written = &self.text[token.span.start as usize..tokens[last].span.end as usize];
        self.pieces.push(written_as(token.kind, written));
        self.end = tokens[last].span.end as usize;
        if token.kind.is_note() || token.kind.is_model_note() {
            self.forced = Some(Separator::Hard);
        }
        self.repeat(Piece::Close, marks.closes[last]);
        self.repeat(Piece::Dedent, marks.dedents[last]);
    }

    fn repeat(&mut self, piece: Piece<'a>, times: usize) {
        self.pieces.extend(std::iter::repeat_n(piece, times));
    }

    fn gap(&self, until: usize) -> &'a str {
        self.text.get(self.end..until).unwrap_or("")
    }

    /// The comments that stand before a place. Those within SQL are part of it and were passed.
    fn comments_before(&mut self, start: u32) {
        while let Some((comment, rest)) = self.comments.split_first() {
            if comment.span.start >= start {
                return;
            }
            self.comments = rest;
            if (comment.span.start as usize) < self.end {
                continue;
            }
            let gap = self.gap(comment.span.start as usize);
            let breaks = gap.matches('\n').count();
            if breaks > 0 || matches!(self.forced, Some(Separator::Hard)) {
                self.pieces.push(Piece::Hard { blank: breaks > 1 });
            } else if !self.pieces.is_empty() {
                self.pieces.push(Piece::Space);
            }
            self.pieces.push(Piece::Raw(comment.span.of(self.text)));
            self.end = comment.span.end as usize;
            self.forced = Some(if comment.block { Separator::Space } else { Separator::Hard });
        }
    }

    fn separate(
        &mut self,
        tokens: &[Token],
        at: usize,
        before: Option<usize>,
        mark: Option<Separator>,
    ) {
        let token = tokens[at];
        let gap = self.gap(token.span.start as usize);
        let breaks = gap.matches('\n').count();
        let forced = self.forced.take();
        let Some(before) = before else {
            // Only comments, if anything, stand before the first token.
            if forced.is_some() {
                self.pieces.push(Piece::Hard { blank: breaks > 1 });
            }
            return;
        };
        let kind = tokens[before].kind;
        let inside = kind != TokenKind::BraceOpen && token.kind != TokenKind::BraceClose;
        let blank = breaks > 1 && inside;
        let note = token.kind.is_note() || token.kind.is_model_note();
        let after_comment = forced == Some(Separator::Space);
        let separator = match (forced, mark) {
            _ if note => Separator::Hard,
            (Some(Separator::Hard), _) => Separator::Hard,
            (Some(_), _) if breaks > 0 => Separator::Hard,
            (_, Some(mark)) => mark,
            _ => default_separator(tokens, before, at),
        };
        self.pieces.push(match separator {
            Separator::Hard => Piece::Hard { blank },
            Separator::Line => Piece::Line { soft: false, blank },
            Separator::Soft => Piece::Line { soft: !after_comment, blank: false },
            Separator::None if !after_comment => return,
            Separator::Space | Separator::None => Piece::Space,
        });
    }
}

/// The index of the last token of the SQL text that begins at `at`; `at` itself for any other token.
fn sql_end(tokens: &[Token], at: usize) -> usize {
    if tokens[at].kind != TokenKind::SqlOpen {
        return at;
    }
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate().skip(at) {
        match token.kind {
            TokenKind::SqlOpen => depth += 1,
            TokenKind::SqlClose => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return index;
        }
    }
    tokens.len() - 1
}

fn written_as(kind: TokenKind, written: &str) -> Piece<'_> {
    match kind {
        TokenKind::Clause(clause) => Piece::Text(Cow::Owned(format!("{clause}:"))),
        TokenKind::NoteBlock => Piece::Block(block_lines(written, NoteScope::Object)),
        TokenKind::ModelNoteBlock => Piece::Block(block_lines(written, NoteScope::Model)),
        _ => Piece::Raw(written),
    }
}

/// A block annotation with its lines two columns in, and its closing line in the column of the opening one.
fn block_lines(written: &str, scope: NoteScope) -> Vec<String> {
    let text = block_text(written, scope);
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    let worded = lines.iter().skip(1).any(|line| !line.trim().is_empty());
    for line in lines.iter_mut().skip(1).filter(|line| worded && !line.is_empty()) {
        line.insert_str(0, "  ");
    }
    lines.push(written.lines().last().unwrap_or("").trim_start().to_owned());
    lines
}

/// What stands between two tokens of which the tree says nothing.
fn default_separator(tokens: &[Token], before: usize, at: usize) -> Separator {
    use TokenKind as K;
    let (left, right) = (tokens[before].kind, tokens[at].kind);
    let next = tokens.get(at + 1).map(|token| token.kind);
    let earlier = before.checked_sub(1).map(|index| tokens[index].kind);
    let of_filter = |kind: Option<TokenKind>| kind == Some(K::Keyword(Keyword::Filter));
    let tight = match (left, right) {
        _ if hugs_left(right) || hugs_right(left) => true,
        (K::BraceOpen, K::BraceClose)
        | (K::Identifier | K::Quoted | K::Given, K::ParenOpen)
        | (K::Keyword(Keyword::Filter), K::Less) => true,
        (K::Keyword(keyword), K::ParenOpen) => is_called(keyword),
        (_, K::BracketOpen) => next == Some(K::BracketClose),
        (K::Less, _) => of_filter(earlier),
        (K::Keyword(_), K::Greater) => {
            earlier == Some(K::Less)
                && of_filter(before.checked_sub(2).map(|index| tokens[index].kind))
        }
        _ => false,
    };
    if tight { Separator::None } else { Separator::Space }
}

/// What stands right behind the token before it.
fn hugs_left(kind: TokenKind) -> bool {
    use TokenKind as K;
    matches!(kind, K::End | K::Comma | K::Semicolon | K::ParenClose | K::BracketClose)
        || matches!(kind, K::Dot | K::Bang | K::TripleColon | K::DoubleColon)
}

/// What the next token stands right behind.
fn hugs_right(kind: TokenKind) -> bool {
    use TokenKind as K;
    matches!(kind, K::ParenOpen | K::BracketOpen)
        || matches!(kind, K::Dot | K::Bang | K::TripleColon | K::DoubleColon)
}

/// Words with their parenthesis right behind them.
fn is_called(keyword: Keyword) -> bool {
    use Keyword as W;
    keyword.unit().is_some()
        || matches!(
            keyword,
            W::All | W::Exclude | W::Cast | W::Compose | W::Table | W::Sql | W::Virtual | W::Now
        )
        || matches!(keyword, W::Avg | W::Count | W::Max | W::Min | W::Sum)
        || matches!(
            keyword,
            W::String | W::Number | W::Boolean | W::Date | W::Timestamp | W::Timestamptz
        )
}
