//! The intermediate form: compiled queries as plain data, ready to be written as SQL.
//!
//! Start at [`Query`]. It is self-contained: every table, SQL text and query source that it reads is in
//! [`Query::sources`], every join that it uses is in its stages, and every expression is resolved down to columns. The
//! writer looks nothing up by name, decides no order, checks no type and knows no null rule except the few that are told
//! where they apply ([`BinaryOp::Divide`], [`AggregateFunction::Sum`]).
//!
//! Ids are positions: a [`SourceId`] in [`Query::sources`], a [`JoinId`] and a [`FieldId`] in the [`Stage`] that the
//! expression stands in. Expressions of one stage never name a join, field or output of another.

mod expr;
mod function;
mod query;
mod types;
mod visit;

pub use expr::{
    Aggregate, AggregateFunction, BinaryOp, Bound, DimensionRef, Expr, ExtractUnit, Frame, Literal,
    Ordering, SqlPart, Ungrouped, Window, WindowFunction,
};
pub use function::Function;
pub use query::{
    Column, Direction, Field, FieldId, Index, IndexField, Join, JoinId, JoinKind, Key, Level,
    LevelKind, Nest, Order, Output, OutputField, OutputKind, OutputRole, Pipeline, Query, Relation,
    Relationship, Sample, Source, SourceId, SourceKind, SqlText, SqlTextPart, Stage,
};
pub use types::{NumberKind, RecordField, TimeUnit, Type};
