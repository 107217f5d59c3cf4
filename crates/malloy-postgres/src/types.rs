//! Types of columns, as Malloy has them.

use malloy_model::ir::{NumberKind, RecordField, Type};
use tokio_postgres::types::{Kind, Type as Sql};

/// The Malloy type of a column.
pub(crate) fn malloy(sql: &Sql) -> Type {
    match sql.kind() {
        Kind::Array(element) => match malloy(element) {
            // An array of what Malloy cannot read is itself something it cannot read.
            Type::Sql(name) => Type::Sql(format!("{name}[]")),
            element => Type::Array(Box::new(element)),
        },
        Kind::Composite(fields) => {
            let field = |field: &tokio_postgres::types::Field| RecordField {
                name: field.name().to_owned(),
                ty: malloy(field.type_()),
            };
            Type::Record(fields.iter().map(field).collect())
        }
        Kind::Domain(base) => malloy(base),
        Kind::Enum(_) => Type::String,
        _ => simple(sql),
    }
}

fn simple(sql: &Sql) -> Type {
    match *sql {
        Sql::BOOL => Type::Boolean,
        Sql::INT2 | Sql::INT4 => Type::INTEGER,
        Sql::INT8 => Type::Number(NumberKind::Bigint),
        Sql::FLOAT4 | Sql::FLOAT8 | Sql::NUMERIC => Type::Number(NumberKind::Float),
        Sql::TEXT | Sql::VARCHAR | Sql::BPCHAR | Sql::NAME | Sql::UNKNOWN => Type::String,
        Sql::DATE => Type::Date(None),
        Sql::TIMESTAMP => Type::Timestamp(None),
        Sql::TIMESTAMPTZ => Type::Timestamptz(None),
        Sql::JSON | Sql::JSONB => Type::Json,
        _ => Type::Sql(sql.name().to_owned()),
    }
}

/// How a value is brought here: as the type itself where [`cell`](crate::cell) can read it, else as something that it can.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sent {
    Plain,
    Json,
    Text,
}

pub(crate) fn sent(sql: &Sql) -> Sent {
    match sql.kind() {
        Kind::Array(_) | Kind::Composite(_) => Sent::Json,
        Kind::Domain(base) => sent(base),
        Kind::Enum(_) => Sent::Plain,
        _ => match simple(sql) {
            Type::Sql(_) => Sent::Text,
            _ => Sent::Plain,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_and_what_malloy_does_not_know_keep_their_names() {
        assert_eq!(malloy(&Sql::TEXT_ARRAY), Type::Array(Box::new(Type::String)));
        assert_eq!(malloy(&Sql::INET), Type::Sql("inet".to_owned()));
        assert_eq!(malloy(&Sql::INET_ARRAY), Type::Sql("inet[]".to_owned()));
        assert_eq!((sent(&Sql::INET), sent(&Sql::INT4_ARRAY)), (Sent::Text, Sent::Json));
    }
}
