//! The syntax tree: what was written, with a place for every part of it, and nothing about what it means.
//!
//! Plain data: `match` on it, clone it, keep it. Start at [`Document`]. A parse always gives a whole tree; where the
//! text made no sense it has an `Error` variant or a name without text, and a diagnostic beside the tree says why,
//! so whoever reads the tree passes over those in silence.
//!
//! How long things grow: everything that repeats (statements, items, pipeline stages, `and`, `or`, `|`) is a `Vec`,
//! and everything that nests is nested no deeper than [`MAX_DEPTH`], blocks and expressions each, so that plain recursion
//! over the tree is safe on a small stack.

mod expr;
mod literal;
mod query;
mod source;
mod types;

pub use expr::*;
pub use literal::*;
pub use query::*;
pub use source::*;
pub use types::*;

use std::fmt;
use std::sync::Arc;

use crate::span::Span;

/// How many levels of blocks, parentheses and operators a tree has at most.
pub const MAX_DEPTH: u32 = 200;

/// A whole text: a model, a query sent to a server, a cell of a notebook.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    pub statements: Vec<Statement>,
    pub span: Span,
}

/// One statement of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// Annotations before the keyword; they hold for each definition in the statement.
    pub notes: Vec<Annotation>,
    pub kind: StatementKind,
    /// The keyword, with its colon: `source:`.
    pub keyword: Span,
    /// From the first annotation to the end.
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum StatementKind {
    /// `source: a is …, b is …`
    Source(Vec<SourceDefinition>),
    /// `query: a is …, b is …`
    Query(Vec<QueryDefinition>),
    /// `run: …`
    Run(Run),
    /// `import "path"`, `import { a, b is c } from "path"`
    Import(Import),
    /// `export { a, b }`
    Export(Vec<Name>),
    /// `given: NAME :: type is default`
    Given(Vec<GivenDefinition>),
    /// `type: name is { field :: type }`
    Type(Vec<TypeDefinition>),
    /// `## …` lines: about the model, `##!` among them. They are in `notes`.
    ModelNotes,
    /// `# …` lines with nothing after them that they could be about, which was reported. They are in `notes`.
    LooseNotes,
    /// Something that is no statement; a diagnostic tells.
    Error,
}

/// `name is <source or query>`
#[derive(Debug, Clone, PartialEq)]
pub struct QueryDefinition {
    pub notes: Vec<Annotation>,
    pub name: Name,
    pub query: SourceExpr,
    pub span: Span,
}

/// What `run:` runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Annotations between `run:` and the query; those before it are the statement's.
    pub notes: Vec<Annotation>,
    pub query: SourceExpr,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Import {
    /// What to bring in; `None` is everything.
    pub items: Option<Vec<ImportItem>>,
    pub path: StringLiteral,
}

/// `name`, or `name is original`
#[derive(Debug, Clone, PartialEq)]
pub struct ImportItem {
    /// What it is called here.
    pub name: Name,
    /// What the other file calls it, if that is something else.
    pub original: Option<Name>,
    pub span: Span,
}

/// `NAME :: type is default`
#[derive(Debug, Clone, PartialEq)]
pub struct GivenDefinition {
    pub notes: Vec<Annotation>,
    /// A word before the name. None has a meaning yet.
    pub modifier: Option<Name>,
    pub name: Name,
    pub ty: Type,
    pub default: Option<Expr>,
    pub span: Span,
}

/// `name is { field :: type }`, `name is other extend { field :: type }`, `name is other`
#[derive(Debug, Clone, PartialEq)]
pub struct TypeDefinition {
    pub notes: Vec<Annotation>,
    pub name: Name,
    pub base: Option<Name>,
    pub fields: Option<Vec<TypeField>>,
    pub span: Span,
}

/// An identifier as it is meant: without its backquotes, escapes resolved.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Name {
    /// Empty if a name was missing, which was reported.
    pub text: Arc<str>,
    /// As written, backquotes included.
    pub span: Span,
}

impl Name {
    /// Whether it stands for a name that was missing.
    pub fn is_missing(&self) -> bool {
        self.text.is_empty() && self.span.is_empty()
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`@{:?}", self.text, self.span)
    }
}

/// `a.b.c`: at least one name.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldPath {
    pub names: Vec<Name>,
    pub span: Span,
}

impl FieldPath {
    /// The last name, which is what the field is called in an output.
    pub fn last(&self) -> &Name {
        // The parser puts a name, if only a missing one, in every path.
        &self.names[self.names.len() - 1]
    }

    /// The path with dots between the names, for messages.
    pub fn dotted(&self) -> String {
        let names: Vec<&str> = self.names.iter().map(|name| &*name.text).collect();
        names.join(".")
    }
}

/// A `#` or `##` line, or a block of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Annotation {
    pub scope: NoteScope,
    /// Whether it is a block, `#| … |#`.
    pub block: bool,
    /// As written, the marks included, without the final line break. A block is without its closing line and without
    /// the indentation that all its lines share. See [`tag`](crate::tag) for what is in it.
    pub text: Arc<str>,
    pub span: Span,
}

/// What an annotation is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NoteScope {
    /// `#`: what comes next.
    Object,
    /// `##`: the model.
    Model,
}
