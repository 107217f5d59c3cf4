//! Sources: definitions, the expressions that both sources and queries are written in, and `extend { … }` blocks.

use super::{Annotation, Expr, FieldPath, Name, Segment, SqlText, StringLiteral, Type, View};
use crate::span::Span;

/// `name(parameters) is <source>`
#[derive(Debug, Clone, PartialEq)]
pub struct SourceDefinition {
    pub notes: Vec<Annotation>,
    pub name: Name,
    pub parameters: Option<Parameters>,
    pub source: SourceExpr,
    pub span: Span,
}

/// `(a :: string is 'x', b :: number)`, perhaps empty.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameters {
    pub items: Vec<Parameter>,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    pub name: Name,
    pub ty: Option<Type>,
    pub default: Option<Expr>,
    pub span: Span,
}

/// A source or a query: something to begin with, then what is done to it, from left to right.
///
/// `flights -> by_carrier + { limit: 5 } extend { … }` is the base `flights` with two steps, an arrow and an extension:
/// the arrow takes the whole segment `by_carrier + { limit: 5 }`.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceExpr {
    pub base: SourceBase,
    pub steps: Vec<SourceStep>,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum SourceBase {
    /// A source or a query by its name: `flights`, `flights(since is @2020)`
    Named {
        name: Name,
        arguments: Option<Arguments>,
    },
    /// `duckdb.table('data/flights.parquet')`
    Table {
        connection: Name,
        path: StringLiteral,
        span: Span,
    },
    /// `duckdb.sql("""SELECT …""")`; a plain string is one part of text.
    Sql {
        connection: Name,
        sql: SqlText,
        span: Span,
    },
    /// `duckdb.virtual('name')`
    Virtual {
        connection: Name,
        name: StringLiteral,
        span: Span,
    },
    /// `compose(a, b)`
    Compose {
        inputs: Vec<SourceExpr>,
        span: Span,
    },
    Paren {
        inner: Box<SourceExpr>,
        span: Span,
    },
    Error(Span),
}

/// `(a is 1, b is 'x')`, perhaps empty.
#[derive(Debug, Clone, PartialEq)]
pub struct Arguments {
    pub items: Vec<Argument>,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Argument {
    /// Always there in a correct text; the grammar allows to leave it out.
    pub name: Option<Name>,
    pub value: Expr,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub struct SourceStep {
    pub kind: SourceStepKind,
    /// The operator: `->`, `+`, `extend`, `include`, `::`.
    pub operator: Span,
    /// With the operator.
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum SourceStepKind {
    /// `-> segment`: a query, or its next stage.
    Arrow(Segment),
    /// `+ segment`: refines the last stage of a query.
    Refine(Segment),
    /// `extend { … }`
    Extend(SourceBlock),
    /// `include { … }`; followed at once by an `extend` the two belong together.
    Include(IncludeBlock),
    /// `:: Type`, `:: (A, B)`
    Typed(Vec<Name>),
}

/// `{ statements }` after `extend`, or after `extend:` in a query.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceBlock {
    pub statements: Vec<SourceStatement>,
    /// With the braces.
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub struct SourceStatement {
    /// Annotations before the keyword; they hold for each item.
    pub notes: Vec<Annotation>,
    /// `public`, `private` or `internal` before the keyword.
    pub access: Option<Access>,
    pub kind: SourceStatementKind,
    /// The keyword, with its colon.
    pub keyword: Span,
    /// From the first annotation to the end.
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum SourceStatementKind {
    Dimension(Vec<FieldDefinition>),
    Measure(Vec<FieldDefinition>),
    Join {
        relation: JoinRelation,
        items: Vec<Join>,
    },
    View(Vec<ViewDefinition>),
    Where(Vec<Expr>),
    PrimaryKey(Name),
    Rename(Vec<Rename>),
    Accept(Vec<Name>),
    Except(Vec<Name>),
    Timezone(StringLiteral),
    /// `# …` lines with nothing after them that takes any: they are about the source itself. They are in `notes`.
    LooseNotes,
    Error,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    pub label: AccessLabel,
    pub span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AccessLabel {
    Public,
    Internal,
    Private,
}

/// `name is expr`
#[derive(Debug, Clone, PartialEq)]
pub struct FieldDefinition {
    pub notes: Vec<Annotation>,
    pub name: Name,
    pub expr: Expr,
    pub span: Span,
}

/// `name is <segments>`
#[derive(Debug, Clone, PartialEq)]
pub struct ViewDefinition {
    pub notes: Vec<Annotation>,
    pub name: Name,
    pub view: View,
    pub span: Span,
}

/// `new is old`
#[derive(Debug, Clone, PartialEq)]
pub struct Rename {
    pub notes: Vec<Annotation>,
    pub new: Name,
    pub old: Name,
    pub span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JoinRelation {
    One,
    Many,
    Cross,
}

/// `name is <source> inner on <condition>`, most of it optional.
#[derive(Debug, Clone, PartialEq)]
pub struct Join {
    pub notes: Vec<Annotation>,
    pub name: Name,
    /// `join_one: s(p is 1) on …`: arguments, where the source has the join's name.
    pub arguments: Option<Arguments>,
    /// `None` if the source has the join's name.
    pub source: Option<SourceExpr>,
    pub kind: Option<JoinKind>,
    pub condition: JoinCondition,
    pub span: Span,
}

/// `left`, `right`, `full` or `inner` before `on` or `with`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JoinKind {
    pub matrix: JoinMatrix,
    pub span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JoinMatrix {
    Left,
    Right,
    Full,
    Inner,
}

#[derive(Debug, Clone, PartialEq)]
pub enum JoinCondition {
    None,
    /// `with key`
    With(Expr),
    /// `on condition`
    On(Expr),
}

/// `include { public: *, internal: a, except: b }`
#[derive(Debug, Clone, PartialEq)]
pub struct IncludeBlock {
    pub items: Vec<IncludeItem>,
    /// With the braces.
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub struct IncludeItem {
    pub notes: Vec<Annotation>,
    pub kind: IncludeKind,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum IncludeKind {
    /// `public: a, b`, or `a, b` without a label.
    Fields {
        access: Option<Access>,
        fields: Vec<IncludeField>,
    },
    /// `except: a, b`
    Except(Vec<IncludeField>),
    LooseNotes,
    Error,
}

#[derive(Debug, Clone, PartialEq)]
pub struct IncludeField {
    pub notes: Vec<Annotation>,
    /// The new name in `new is old`.
    pub name: Option<Name>,
    pub what: IncludeWhat,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum IncludeWhat {
    Field(FieldPath),
    Star(Star),
}

/// `*`, `path.*`, either with `{ except: a, b }`.
#[derive(Debug, Clone, PartialEq)]
pub struct Star {
    pub path: Option<FieldPath>,
    pub except: Vec<Name>,
    pub span: Span,
}
