//! Queries: segments, views (pipelines of segments) and the statements of an operation.

use super::{
    AggregateFunction, Annotation, Count, Expr, FieldDefinition, FieldPath, Join, JoinRelation,
    Name, SourceBlock, Star, StringLiteral, TimeUnit,
};
use crate::span::Span;

/// One or more stages: `segment -> segment -> …`. What a `view:` or a `nest:` is.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// At least one.
    pub stages: Vec<Segment>,
    pub span: Span,
}

/// One stage of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Segment {
    pub kind: SegmentKind,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum SegmentKind {
    /// A view by its name, or a field, which is a view with that field alone.
    Path(FieldPath),
    /// `{ statements }`
    Block(QueryBlock),
    /// `( segment -> segment )`
    Paren(Box<View>),
    /// `a + b + c`: at least two, none of them a `Refine`; each refines what is left of it.
    Refine(Vec<Segment>),
    Error,
}

#[derive(Debug, Clone, PartialEq)]
pub struct QueryBlock {
    pub statements: Vec<QueryStatement>,
    /// With the braces.
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub struct QueryStatement {
    /// Annotations before the keyword; they hold for each item.
    pub notes: Vec<Annotation>,
    pub kind: QueryStatementKind,
    /// The keyword, with its colon.
    pub keyword: Span,
    /// From the first annotation to the end.
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum QueryStatementKind {
    GroupBy(Vec<FieldItem>),
    Aggregate(Vec<FieldItem>),
    Calculate(Vec<FieldItem>),
    /// The only one whose items may be [`FieldItemKind::Star`].
    Select(Vec<FieldItem>),
    Nest(Vec<NestItem>),
    Where(Vec<Expr>),
    Having(Vec<Expr>),
    Drill(Vec<Expr>),
    OrderBy(Vec<OrderItem>),
    Limit(Count),
    Top(Count),
    Index {
        fields: Vec<IndexField>,
        by: Option<Name>,
    },
    Sample(Sample),
    Timezone(StringLiteral),
    /// `extend: { dimension: … measure: … join_one: … }`
    Extend(SourceBlock),
    /// `join_one:` right in a query. The grammar has it; it belongs in `extend:`.
    Join {
        relation: JoinRelation,
        items: Vec<Join>,
    },
    /// `declare:`. The grammar has it; nothing accepts it any more.
    Declare(Vec<FieldDefinition>),
    /// `# …` lines with nothing after them that takes any: they are about the query itself. They are in `notes`.
    LooseNotes,
    Error,
}

/// An item of `group_by:`, `aggregate:`, `calculate:`, `select:`.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldItem {
    pub notes: Vec<Annotation>,
    pub kind: FieldItemKind,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum FieldItemKind {
    /// `path`, `path.month`, `path.sum()`
    Reference {
        path: FieldPath,
        suffix: Option<ReferenceSuffix>,
    },
    /// `name is expr`
    Define {
        name: Name,
        expr: Expr,
    },
    /// `*`, `path.*`
    Star(Star),
    Error,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReferenceSuffix {
    /// `.month`; the span is that of the unit.
    Truncate { unit: TimeUnit, span: Span },
    /// `.sum()`; the span goes from the name to the parenthesis.
    Aggregate { function: AggregateFunction, span: Span },
}

/// `view`, or `name is view`
#[derive(Debug, Clone, PartialEq)]
pub struct NestItem {
    pub notes: Vec<Annotation>,
    pub name: Option<Name>,
    pub view: View,
    pub span: Span,
}

/// `name desc`, `2 asc`
#[derive(Debug, Clone, PartialEq)]
pub struct OrderItem {
    pub key: OrderKey,
    pub direction: Option<Direction>,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum OrderKey {
    Name(Name),
    /// Counted from 1.
    Position(Count),
    /// A path or a reserved word, which was reported.
    Error(Span),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    Ascending,
    Descending,
}

/// `path`, `path.*`, `*`
#[derive(Debug, Clone, PartialEq)]
pub struct IndexField {
    pub path: Option<FieldPath>,
    pub star: bool,
    pub span: Span,
}

/// `sample: 1000`, `sample: 5%`, `sample: true`
#[derive(Debug, Clone, PartialEq)]
pub enum Sample {
    Rows(Count),
    Percent(Count),
    Flag { on: bool, span: Span },
    Error(Span),
}
