//! Malloy, the syntax: text to tokens to tree; every error has a place.
//!
//! [`parse`](parse()) takes a text and always gives a whole [`tree`], with what is wrong beside it; [`render`](render()) shows
//! that to people, [`format`](format()) lays a text out, [`dump`] prints trees and tokens. The small languages inside have
//! their own modules: [`filter`] between the quotes of `f'…'`, [`tag`] behind `#`, [`notebook`] around cells. Nothing here
//! knows what a name means, which fields a table has, or how SQL is written. Text in, values out: no files, no clock.
//!
//! ```
//! use malloy_syntax::{parse, render};
//!
//! let text = "run: flights -> { gruop_by: carrier }";
//! let parsed = parse(text);
//! assert_eq!(parsed.tree.statements.len(), 1);
//! assert!(render("query", text, &parsed.diagnostics).contains("did you mean `group_by:`?"));
//! ```
//!
//! Start at [`tree`], then [`parser`].

#![deny(clippy::disallowed_methods)]

pub mod command;
pub mod diagnostic;
pub mod dump;
pub mod filter;
pub mod format;
pub mod lexer;
pub mod notebook;
pub mod parser;
pub mod render;
pub mod span;
pub mod tag;
pub mod token;
pub mod tree;

pub use diagnostic::{Diagnostic, Severity};
pub use format::format;
pub use lexer::lex;
pub use notebook::parse_notebook;
pub use parser::{parse, parse_expression, parse_lexed};
pub use render::render;
pub use span::{LineIndex, Position, Span};

/// What parsing gives: a tree, whole whatever the text was, and what is wrong with the text, in its order.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed<T = tree::Document> {
    pub tree: T,
    pub diagnostics: Vec<Diagnostic>,
}

impl<T> Parsed<T> {
    /// Whether the text is correct, warnings apart.
    pub fn is_ok(&self) -> bool {
        !self.diagnostics.iter().any(Diagnostic::is_error)
    }
}
