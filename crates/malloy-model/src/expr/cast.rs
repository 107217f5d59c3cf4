//! Casts, and types as they are written.

use malloy_syntax::Span;
use malloy_syntax::tree::{self, BasicType, TypeKind};

use crate::analyser::Analyser;
use crate::build::{Build, Scope};
use crate::ir::{Expr, Literal, RecordField, Type};
use crate::typed::{Ty, Typed, alike};

impl Analyser<'_> {
    pub(super) fn cast(
        &mut self,
        b: &mut Build,
        s: &Scope,
        value: &tree::Expr,
        ty: &tree::Type,
        safe: bool,
        span: Span,
    ) -> Typed {
        let operand = self.expr(b, s, value);
        let Some(from) = operand.value_type().cloned() else {
            if !operand.is_error() {
                self.error("invalid-cast", span, format!("a {} cannot be cast", operand.ty.name()));
            }
            return Typed::error();
        };
        if let TypeKind::Sql(name) = &ty.kind {
            let to = name.to_string();
            let result = sql_type(&to);
            return operand.map(Ty::Is(result), |expr| Expr::SqlCast { expr, to, safe });
        }
        let Some(to) = written_type(ty) else {
            self.error("invalid-cast", ty.span, "this is no type that a value can be cast to");
            return Typed::error();
        };
        let basic = |ty: &Type| !matches!(ty, Type::Array(_) | Type::Record(_));
        if !basic(&to) || !basic(&from) {
            let message =
                format!("a `{}` cannot be cast to a `{}`", operand.ty.name(), Ty::Is(to).name());
            self.error("invalid-cast", span, message);
            return Typed::error();
        }
        let zone = s.zone.as_deref().filter(|_| from.is_time() && to.is_time()).map(str::to_owned);
        operand.map(Ty::Is(to.clone()), |expr| Expr::Cast { expr, from, to, safe, zone })
    }
}

/// A value of the type that is wanted, where it can stand for one: a date for a timestamp.
pub(crate) fn coerce(value: Typed, wanted: &Type, zone: Option<&str>) -> Typed {
    let Some(from) = value.value_type().cloned() else { return value };
    if alike(&from, wanted) || !from.is_time() || !wanted.is_time() {
        return value;
    }
    let expr = match (&value.expr, wanted) {
        (Expr::Literal(Literal::Date(text)), Type::Timestamp(_)) => {
            Expr::Literal(Literal::Timestamp {
                text: format!("{text} 00:00:00"),
                zone: zone.map(str::to_owned),
            })
        }
        (Expr::Literal(Literal::Date(text)), Type::Timestamptz(_)) => {
            Expr::Literal(Literal::Timestamptz {
                text: format!("{text} 00:00:00"),
                zone: zone.unwrap_or("UTC").to_owned(),
            })
        }
        (Expr::Literal(Literal::Timestamp { text, zone }), Type::Timestamptz(_)) => {
            Expr::Literal(Literal::Timestamptz {
                text: text.clone(),
                zone: zone.clone().unwrap_or_else(|| "UTC".to_owned()),
            })
        }
        _ => Expr::Cast {
            expr: Box::new(value.expr.clone()),
            from,
            to: wanted.clone(),
            safe: false,
            zone: zone.map(str::to_owned),
        },
    };
    Typed { expr, ty: Ty::Is(wanted.clone()), ..value }
}

/// The type that a written one names, unless it is a filter or a name of a `type:`.
pub(crate) fn written_type(ty: &tree::Type) -> Option<Type> {
    match &ty.kind {
        TypeKind::Basic(basic) => Some(basic_type(*basic)),
        TypeKind::Array(element) => Some(Type::Array(Box::new(written_type(element)?))),
        TypeKind::Record(fields) => {
            let fields = fields.iter().map(|field| {
                Some(RecordField {
                    name: field.name.text.to_string(),
                    ty: written_type(&field.ty)?,
                })
            });
            Some(Type::Record(fields.collect::<Option<_>>()?))
        }
        TypeKind::Sql(name) => Some(sql_type(name)),
        TypeKind::Filter(_) | TypeKind::Named(_) | TypeKind::Error => None,
    }
}

pub(crate) fn basic_type(basic: BasicType) -> Type {
    match basic {
        BasicType::String => Type::String,
        BasicType::Number => Type::NUMBER,
        BasicType::Boolean => Type::Boolean,
        BasicType::Date => Type::Date(None),
        BasicType::Timestamp => Type::Timestamp(None),
        BasicType::Timestamptz => Type::Timestamptz(None),
    }
}

/// What a value of a database type is to the language.
fn sql_type(name: &str) -> Type {
    use crate::ir::NumberKind::{Bigint, Float, Integer};
    let upper = name.trim().to_uppercase();
    match upper.split('(').next().unwrap_or_default().trim() {
        "VARCHAR" | "TEXT" | "CHAR" | "STRING" => Type::String,
        "BOOLEAN" | "BOOL" => Type::Boolean,
        "TINYINT" | "SMALLINT" | "INTEGER" | "INT" | "INT4" | "INT2" => Type::Number(Integer),
        "BIGINT" | "INT8" | "HUGEINT" | "UBIGINT" => Type::Number(Bigint),
        "DOUBLE" | "FLOAT" | "REAL" | "DECIMAL" | "NUMERIC" | "DOUBLE PRECISION" => {
            Type::Number(Float)
        }
        "DATE" => Type::Date(None),
        "TIMESTAMP" => Type::Timestamp(None),
        "TIMESTAMPTZ" | "TIMESTAMP WITH TIME ZONE" => Type::Timestamptz(None),
        "JSON" => Type::Json,
        _ => Type::Sql(name.to_owned()),
    }
}
