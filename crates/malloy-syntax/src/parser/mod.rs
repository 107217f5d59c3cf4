//! Tokens to tree. Start at [`parse()`].
//!
//! Recursive descent, one function for each rule of the grammar, expressions by precedence (`expr`). A function
//! never fails: what is missing is reported where it was due and a tree comes back all the same. Statements begin with
//! words that have a colon, so that is where parsing finds its feet again after an error (`recover`).
//!
//! Nesting is counted, so that no text overflows the stack: beyond [`MAX_DEPTH`] there is one
//! error, and the rest of the text is not read.

mod blocks;
mod document;
mod expr;
mod include;
mod join;
mod list;
mod literal;
mod primary;
mod property;
mod query;
mod recover;
mod source;
mod types;

pub(crate) use literal::{time_exists, time_literal};

use std::sync::Arc;

use crate::Parsed;
use crate::diagnostic::Diagnostic;
use crate::lexer::{Lexed, lex, unescape, unquote};
use crate::span::Span;
use crate::token::{Keyword, Token, TokenKind};
use crate::tree::{Annotation, Document, Expr, FieldPath, MAX_DEPTH, Name, NoteScope};

/// Parses a document: a model, a query, a cell of a notebook.
pub fn parse(text: &str) -> Parsed<Document> {
    parse_lexed(text, &lex(text))
}

/// Parses a document whose tokens are there already.
pub fn parse_lexed(text: &str, lexed: &Lexed) -> Parsed<Document> {
    run(text, lexed, Parser::document)
}

/// Parses a single expression.
pub fn parse_expression(text: &str) -> Parsed<Expr> {
    run(text, &lex(text), |p| {
        let expr = p.expr();
        if p.kind() != TokenKind::End {
            p.expected("an operator or the end of the expression");
        }
        expr
    })
}

fn run<'a, T>(
    text: &'a str,
    lexed: &'a Lexed,
    rule: impl FnOnce(&mut Parser<'a>) -> T,
) -> Parsed<T> {
    let mut parser = Parser::new(text, lexed);
    let tree = rule(&mut parser);
    let mut diagnostics = parser.diagnostics;
    diagnostics.extend(lexed.diagnostics.iter().cloned());
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    Parsed { tree, diagnostics }
}

struct Parser<'a> {
    text: &'a str,
    tokens: &'a [Token],
    /// The token to look at; never past the last, which is the end.
    at: usize,
    diagnostics: Vec<Diagnostic>,
    depth: u32,
    /// How tall the expression is that was parsed last.
    height: u32,
    /// Whether a unit of time ends the expression here, as in `for 3 days`.
    unit_ends: bool,
    /// How many source blocks are open, to tell a missing brace from a misplaced statement.
    source_blocks: u32,
    /// Where the last error was, for one error in a place is enough.
    last_error: Option<u32>,
    /// Whether the rest of the text makes no sense any more and wants no more messages.
    given_up: bool,
    /// For each opening bracket, where it closes. Made when first needed.
    closers: Option<Vec<u32>>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, lexed: &'a Lexed) -> Self {
        Self {
            text,
            tokens: &lexed.tokens,
            at: 0,
            diagnostics: Vec::new(),
            depth: 0,
            height: 0,
            unit_ends: false,
            source_blocks: 0,
            last_error: None,
            given_up: false,
            closers: None,
        }
    }

    fn kind(&self) -> TokenKind {
        self.tokens[self.at].kind
    }

    /// The kind of the token after `ahead` others.
    fn kind_at(&self, ahead: usize) -> TokenKind {
        self.tokens.get(self.at + ahead).map_or(TokenKind::End, |token| token.kind)
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// Where the token before this one ends.
    fn end(&self) -> u32 {
        self.at.checked_sub(1).map_or(0, |before| self.tokens[before].span.end)
    }

    /// From `start` to the end of the last token; if nothing was read since, the empty span behind that token.
    fn span_from(&self, start: u32) -> Span {
        let end = self.end();
        Span::new(start.min(end), end)
    }

    fn start(&self) -> u32 {
        self.span().start
    }

    /// Takes the token, which the caller has looked at.
    fn bump(&mut self) -> Token {
        let token = self.tokens[self.at];
        if token.kind != TokenKind::End {
            self.at += 1;
        }
        token
    }

    fn is_at(&self, kind: TokenKind) -> bool {
        self.kind() == kind
    }

    fn at_keyword(&self, keyword: Keyword) -> bool {
        self.is_at(TokenKind::Keyword(keyword))
    }

    /// Takes the token if it is of this kind.
    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.is_at(kind);
        if found {
            self.bump();
        }
        found
    }

    fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        self.eat(TokenKind::Keyword(keyword))
    }

    /// Takes the token if it is of this kind, and reports it missing if not.
    fn expect(&mut self, kind: TokenKind) -> bool {
        let found = self.eat(kind);
        if !found {
            self.expected(&kind.describe());
        }
        found
    }

    fn expect_keyword(&mut self, keyword: Keyword) -> bool {
        self.expect(TokenKind::Keyword(keyword))
    }

    /// The closing mate of the bracket at `open`.
    fn expect_close(&mut self, kind: TokenKind, open: Span) -> bool {
        if self.eat(kind) {
            return true;
        }
        let opener = open.of(self.text).to_owned();
        let message = format!("expected {}, found {}", kind.describe(), self.found());
        self.report(
            Diagnostic::error("syntax-error", self.span(), message)
                .with_related(open, format!("this `{opener}` is not closed")),
        );
        false
    }

    /// Goes one level deeper. False if that is too deep, which is reported; then the text is at its end.
    fn enter(&mut self) -> bool {
        self.depth += 1;
        if self.depth <= MAX_DEPTH {
            return true;
        }
        self.too_deep();
        false
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    fn too_deep(&mut self) {
        let message = format!("nested more than {MAX_DEPTH} levels deep; the rest was not read");
        self.report(Diagnostic::error("syntax-error", self.span(), message));
        self.given_up = true;
        self.at = self.tokens.len() - 1;
    }

    /// Says that something else was expected here.
    fn expected(&mut self, what: &str) {
        let message = format!("expected {what}, found {}", self.found());
        self.error(message);
    }

    /// Reports an error at the token.
    fn error(&mut self, message: impl Into<String>) {
        self.report(Diagnostic::error("syntax-error", self.span(), message));
    }

    fn error_with_help(&mut self, message: impl Into<String>, help: impl Into<String>) {
        let error = Diagnostic::error("syntax-error", self.span(), message);
        self.report(error.with_help(help));
    }

    /// Keeps a diagnostic, unless there is one for the place, or the lexer has spoken about the token there.
    fn report(&mut self, diagnostic: Diagnostic) {
        let start = diagnostic.span.start;
        let lexer_spoke = self.is_at(TokenKind::Error) && self.start() == start;
        let repeated = diagnostic.is_error() && self.last_error == Some(start);
        if diagnostic.is_error() {
            self.last_error = Some(start);
        }
        if !(self.given_up || lexer_spoke || repeated) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// How a message names the token.
    fn found(&self) -> String {
        self.describe(self.at)
    }

    fn describe(&self, at: usize) -> String {
        const LONGEST: usize = 30;
        let Some(token) = self.tokens.get(at) else { return TokenKind::End.describe() };
        let text = token.span.of(self.text);
        let line = text.lines().next().unwrap_or("");
        match token.kind {
            TokenKind::End => TokenKind::End.describe(),
            TokenKind::Quoted => text.to_owned(),
            kind if kind.is_note() || kind.is_model_note() => TokenKind::Note.describe(),
            _ if line.len() == text.len() && text.chars().count() <= LONGEST => format!("`{text}`"),
            _ => {
                let shown: String = line.chars().take(LONGEST).collect();
                format!("`{shown}…`")
            }
        }
    }

    /// A name. `what` is what to call it if it is missing: `a name for the source`.
    fn name(&mut self, what: &str) -> Name {
        match self.kind() {
            TokenKind::Identifier | TokenKind::Quoted => self.take_name(),
            // `is` is where it should be, and the name is missing.
            TokenKind::Keyword(word)
                if word != Keyword::Is && self.kind_at(1) != TokenKind::ParenOpen =>
            {
                self.reserved_word();
                self.take_name()
            }
            _ => {
                self.expected(what);
                self.missing_name()
            }
        }
    }

    fn missing_name(&self) -> Name {
        Name { text: Arc::from(""), span: Span::at(self.end()) }
    }

    /// Takes the token as a name, whatever it is.
    fn take_name(&mut self) -> Name {
        let token = self.bump();
        let written = token.span.of(self.text);
        let text = match token.kind {
            TokenKind::Quoted => Arc::from(unescape(unquote(written).0)),
            TokenKind::Given => Arc::from(&written[1..]),
            _ => Arc::from(written),
        };
        Name { text, span: token.span }
    }

    /// Says that the token would have to be quoted.
    fn reserved_word(&mut self) {
        let word = self.span().of(self.text);
        let message = format!("`{word}` is a reserved word");
        self.error_with_help(message, format!("to use it as a name, quote it: `` `{word}` ``"));
    }

    /// `a.b.c`, the cursor being on a name.
    fn path(&mut self) -> FieldPath {
        let start = self.start();
        let mut names = vec![self.take_name()];
        while self.is_at(TokenKind::Dot) && self.kind_at(1).is_name() {
            self.bump();
            names.push(self.take_name());
        }
        FieldPath { names, span: self.span_from(start) }
    }

    /// The kind of the first token that is no `#` annotation.
    fn kind_past_notes(&self) -> TokenKind {
        self.kind_at(self.count_notes())
    }

    fn count_notes(&self) -> usize {
        self.tokens[self.at..].iter().take_while(|token| token.kind.is_note()).count()
    }

    /// The `#` annotations here, if any.
    fn notes(&mut self) -> Vec<Annotation> {
        let mut notes = Vec::new();
        self.more_notes(&mut notes);
        notes
    }

    fn more_notes(&mut self, notes: &mut Vec<Annotation>) {
        while self.kind().is_note() {
            notes.push(self.note());
        }
    }

    /// One annotation, the cursor being on it.
    fn note(&mut self) -> Annotation {
        let token = self.bump();
        let written = token.span.of(self.text);
        let block = matches!(token.kind, TokenKind::NoteBlock | TokenKind::ModelNoteBlock);
        let scope = if token.kind.is_note() { NoteScope::Object } else { NoteScope::Model };
        let text = if block {
            Arc::from(crate::lexer::block_text(written, scope))
        } else {
            Arc::from(written)
        };
        Annotation { scope, block, text, span: token.span }
    }

    /// `is`, with annotations on either side of it, which are the definition's.
    fn is_define(&mut self, notes: &mut Vec<Annotation>) {
        self.more_notes(notes);
        if self.at_keyword(Keyword::As) {
            self.error_with_help("`as` names nothing here", "use `is`: `new_name is expression`");
            self.bump();
        } else {
            self.expect_keyword(Keyword::Is);
        }
        self.more_notes(notes);
    }
}
