//! What names in an expression mean at the place where it is written.

use std::collections::{BTreeMap, BTreeSet};

use malloy_model::ir::{BinaryOp, Expr, FieldId, JoinId, Literal, NumberKind, Type};

use crate::{Error, fields::Scan};

/// The place where an expression is written.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    /// Where row-level names are looked up.
    pub(crate) rows: Rows<'a>,
    /// Expressions that an inner select has computed, by the column that holds them. Not looked at inside of aggregates.
    pub(crate) known: &'a [(&'a Expr, String)],
    /// What [`Expr::Output`] names.
    pub(crate) outputs: &'a [String],
    /// What windows are partitioned by in any case, and ordered by unless they say how.
    pub(crate) partition: &'a [String],
    pub(crate) order: &'a [String],
}

impl<'a> Scope<'a> {
    pub(crate) fn of(rows: Rows<'a>) -> Self {
        Self { rows, known: &[], outputs: &[], partition: &[], order: &[] }
    }

    /// The same rows, for what is inside an aggregate.
    pub(crate) fn inside(self) -> Self {
        Self::of(self.rows)
    }
}

/// Row-level names.
#[derive(Clone, Copy)]
pub(crate) enum Rows<'a> {
    /// In the scan itself.
    Scan(&'a Scan<'a>),
    /// After it: everything that is used is a column of one table.
    Table(&'a Columns),
    /// Nowhere: only what is known may be named.
    None,
}

/// Where a table that holds the rows of a scan keeps what, as SQL.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    pub(crate) named: BTreeMap<(JoinId, String), String>,
    pub(crate) fields: BTreeMap<FieldId, String>,
    /// Their types, where they are known.
    pub(crate) types: BTreeMap<(JoinId, String), Type>,
    pub(crate) field_types: BTreeMap<FieldId, Type>,
    pub(crate) keys: BTreeMap<JoinId, String>,
    /// Joins with a key that a row may have nothing of.
    pub(crate) optional: BTreeSet<JoinId>,
}

impl Rows<'_> {
    pub(crate) fn column(&self, join: JoinId, name: &str) -> Result<String, Error> {
        match self {
            Self::Scan(scan) => scan.column(join, name),
            Self::Table(columns) => columns
                .named
                .get(&(join, name.to_owned()))
                .cloned()
                .ok_or_else(|| Error::broken(format!("column `{name}` was not kept"))),
            Self::None => Err(Error::broken(format!("column `{name}` is named after grouping"))),
        }
    }

    /// The type of a row-level expression, where it can be told from what it names.
    pub(crate) fn known_type(&self, expr: &Expr) -> Option<Type> {
        match (self, expr) {
            (Self::Scan(scan), expr) => scan.known_type(expr),
            (Self::Table(columns), Expr::Column { join, name }) => {
                columns.types.get(&(*join, name.clone())).cloned()
            }
            (Self::Table(columns), Expr::Field(id)) => columns.field_types.get(id).cloned(),
            _ => None,
        }
    }

    /// Whether an expression is surely a whole number.
    pub(crate) fn is_whole(&self, expr: &Expr) -> bool {
        let whole =
            |ty: &Type| matches!(ty, Type::Number(NumberKind::Integer | NumberKind::Bigint));
        match expr {
            Expr::Literal(Literal::Number(digits)) => !digits.contains(['.', 'e', 'E']),
            Expr::Negate(expr) => self.is_whole(expr),
            Expr::Coalesce(items) => items.iter().all(|item| self.is_whole(item)),
            Expr::Binary {
                op: BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply,
                left,
                right,
            } => self.is_whole(left) && self.is_whole(right),
            Expr::Case { ty, .. } | Expr::Call { ty, .. } => whole(ty),
            expr => self.known_type(expr).is_some_and(|ty| whole(&ty)),
        }
    }

    pub(crate) fn field(&self, id: FieldId) -> Result<String, Error> {
        match self {
            Self::Scan(scan) => scan.field(id),
            Self::Table(columns) => columns
                .fields
                .get(&id)
                .cloned()
                .ok_or_else(|| Error::broken(format!("field {} was not kept", id.0))),
            Self::None => Err(Error::broken(format!("field {} is named after grouping", id.0))),
        }
    }

    /// Whether a row may have nothing of this join. The root is always there, unless a join keeps rows without it.
    pub(crate) fn may_lack(&self, join: JoinId) -> bool {
        match self {
            Self::Scan(scan) => scan.may_lack(join),
            Self::Table(columns) => columns.optional.contains(&join),
            Self::None => true,
        }
    }

    pub(crate) fn key(&self, join: JoinId) -> Result<String, Error> {
        match self {
            Self::Scan(scan) => scan.key(join),
            Self::Table(columns) => {
                let key = columns.keys.get(&join).cloned();
                key.ok_or_else(|| Error::broken(format!("the key of join {} was not kept", join.0)))
            }
            Self::None => Err(Error::broken("a key is named after grouping")),
        }
    }
}
