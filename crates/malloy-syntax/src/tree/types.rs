//! Types as they are written: in casts, parameters, givens and `type:` statements.

use std::sync::Arc;

use super::{Annotation, Name};
use crate::span::Span;

#[derive(Debug, Clone, PartialEq)]
pub struct Type {
    pub kind: TypeKind,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum TypeKind {
    Basic(BasicType),
    /// `filter<string>`
    Filter(BasicType),
    /// `string[]`
    Array(Box<Type>),
    /// `{ a :: string, b :: number }`
    Record(Vec<TypeField>),
    /// `'integer'`: a type of the database, by its name there.
    Sql(Arc<str>),
    /// A type of a `type:` statement; only such statements use it.
    Named(Name),
    Error,
}

/// `name :: type`
#[derive(Debug, Clone, PartialEq)]
pub struct TypeField {
    /// Only the fields of a `type:` statement have any.
    pub notes: Vec<Annotation>,
    pub name: Name,
    pub ty: Type,
    pub span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BasicType {
    String,
    Number,
    Boolean,
    Date,
    Timestamp,
    Timestamptz,
}

impl BasicType {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Date => "date",
            Self::Timestamp => "timestamp",
            Self::Timestamptz => "timestamptz",
        }
    }
}
