//! What the analyser knows of an expression: its type, its kind, the joins it uses.

use crate::ir::{Expr, JoinId, Literal, NumberKind, Type};

/// The type of an expression, including what only exists inside expressions.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Ty {
    /// A value.
    Is(Type),
    /// `r'…'`
    Regex,
    /// `f'…'`, or a parameter or given of type `filter<…>`.
    Filter,
    /// `3 days`
    Duration,
    /// Something went wrong and was reported; whatever is done with it is fine.
    Error,
}

impl Ty {
    pub(crate) fn is_error(&self) -> bool {
        *self == Ty::Error
    }

    /// The type as it is called in messages.
    pub(crate) fn name(&self) -> String {
        match self {
            Ty::Is(ty) => type_name(ty),
            Ty::Regex => "regular expression".into(),
            Ty::Filter => "filter expression".into(),
            Ty::Duration => "duration".into(),
            Ty::Error => "error".into(),
        }
    }
}

/// A type as it is called in messages: without the kind of number or the unit of time.
pub(crate) fn type_name(ty: &Type) -> String {
    match ty {
        Type::String => "string".into(),
        Type::Number(_) => "number".into(),
        Type::Boolean => "boolean".into(),
        Type::Date(_) => "date".into(),
        Type::Timestamp(_) => "timestamp".into(),
        Type::Timestamptz(_) => "timestamptz".into(),
        Type::Json => "json".into(),
        Type::Array(element) => format!("{}[]", type_name(element)),
        Type::Record(_) => "record".into(),
        Type::Sql(name) => format!("'{name}'"),
        Type::Null => "null".into(),
    }
}

/// What an expression ranges over. Ordered: of two operands the greater decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Constant,
    Scalar,
    Aggregate,
    Ungrouped,
    Analytic,
}

impl Kind {
    pub(crate) fn is_row_level(self) -> bool {
        self <= Kind::Scalar
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Constant => "constant",
            Kind::Scalar => "scalar",
            Kind::Aggregate => "aggregate",
            Kind::Ungrouped => "ungrouped aggregate",
            Kind::Analytic => "analytic",
        }
    }
}

/// Where the values of an expression come from. Ordered as [`Kind`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Space {
    Constant,
    /// Outputs of the operation, aggregates among them.
    Output,
    /// Rows that are read.
    Input,
}

/// A checked expression.
#[derive(Debug, Clone)]
pub(crate) struct Typed {
    pub(crate) expr: Expr,
    pub(crate) ty: Ty,
    pub(crate) kind: Kind,
    pub(crate) space: Space,
    /// Joins whose rows it reads, sorted.
    pub(crate) uses: Vec<JoinId>,
    /// How deep it is when written out, and how large.
    pub(crate) depth: u32,
    pub(crate) size: u32,
}

impl Typed {
    pub(crate) fn error() -> Typed {
        Typed::constant(Expr::Literal(Literal::Null), Ty::Error)
    }

    pub(crate) fn constant(expr: Expr, ty: Ty) -> Typed {
        Typed {
            expr,
            ty,
            kind: Kind::Constant,
            space: Space::Constant,
            uses: Vec::new(),
            depth: 1,
            size: 1,
        }
    }

    /// A value made of others: the kind, the joins and the size follow from them.
    pub(crate) fn of(expr: Expr, ty: Ty, parts: &[&Typed]) -> Typed {
        let mut made = Typed::constant(expr, ty);
        for part in parts {
            made.absorb(part);
        }
        made.depth = made.depth.saturating_add(1);
        made
    }

    /// The same with another expression and type.
    pub(crate) fn map(self, ty: Ty, make: impl FnOnce(Box<Expr>) -> Expr) -> Typed {
        let Typed { expr, kind, space, uses, depth, size, .. } = self;
        let (depth, size) = (depth.saturating_add(1), size.saturating_add(1));
        Typed { expr: make(Box::new(expr)), ty, kind, space, uses, depth, size }
    }

    pub(crate) fn absorb(&mut self, part: &Typed) {
        self.kind = self.kind.max(part.kind);
        self.space = self.space.max(part.space);
        for join in &part.uses {
            if let Err(at) = self.uses.binary_search(join) {
                self.uses.insert(at, *join);
            }
        }
        self.depth = self.depth.max(part.depth);
        self.size = self.size.saturating_add(part.size);
    }

    /// The type, if it is a value.
    pub(crate) fn value_type(&self) -> Option<&Type> {
        match &self.ty {
            Ty::Is(ty) => Some(ty),
            _ => None,
        }
    }

    pub(crate) fn is_error(&self) -> bool {
        self.ty.is_error()
    }

    pub(crate) fn is_null(&self) -> bool {
        self.ty == Ty::Is(Type::Null)
    }

    pub(crate) fn is_boolean(&self) -> bool {
        self.ty == Ty::Is(Type::Boolean)
    }

    pub(crate) fn is_number(&self) -> bool {
        matches!(self.ty, Ty::Is(Type::Number(_)))
    }

    pub(crate) fn is_string(&self) -> bool {
        self.ty == Ty::Is(Type::String)
    }

    pub(crate) fn is_time(&self) -> bool {
        self.value_type().is_some_and(Type::is_time)
    }
}

/// The kind of a sum, a difference or a product.
pub(crate) fn wider(left: NumberKind, right: NumberKind) -> NumberKind {
    use NumberKind::{Bigint, Float, Integer, Unknown};
    match (left, right) {
        (Unknown, _) | (_, Unknown) => Unknown,
        (Float, _) | (_, Float) => Float,
        (Bigint, _) | (_, Bigint) => Bigint,
        (Integer, Integer) => Integer,
    }
}

/// Whether two types are the same but for kinds of number and units of time.
pub(crate) fn alike(left: &Type, right: &Type) -> bool {
    match (left, right) {
        (Type::Number(_), Type::Number(_))
        | (Type::Date(_), Type::Date(_))
        | (Type::Timestamp(_), Type::Timestamp(_))
        | (Type::Timestamptz(_), Type::Timestamptz(_))
        | (Type::Null, _)
        | (_, Type::Null) => true,
        (Type::Array(left), Type::Array(right)) => alike(left, right),
        (Type::Record(left), Type::Record(right)) => {
            left.len() == right.len()
                && left.iter().zip(right).all(|(l, r)| l.name == r.name && alike(&l.ty, &r.ty))
        }
        _ => left == right,
    }
}

/// The type of a choice between two alike: what is not common to both is not known.
pub(crate) fn either(left: &Type, right: &Type) -> Type {
    match (left, right) {
        (Type::Null, other) | (other, Type::Null) => other.clone(),
        (Type::Number(l), Type::Number(r)) if l != r => Type::NUMBER,
        (l, r) if l.is_time() && l.time_unit() != r.time_unit() => l.clone().with_unit(None),
        _ => left.clone(),
    }
}
