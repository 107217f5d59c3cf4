//! Types of columns, as Malloy has them.

use malloy_model::ir::{Column, NumberKind, RecordField, Type};

use crate::proto::{DataType, data_type::Kind};

/// The columns of a select.
pub(crate) fn columns(schema: DataType) -> Vec<Column> {
    match malloy(Some(Box::new(schema))) {
        Type::Record(fields) => {
            fields.into_iter().map(|field| Column { name: field.name, ty: field.ty }).collect()
        }
        _ => Vec::new(),
    }
}

fn malloy(ty: Option<Box<DataType>>) -> Type {
    let Some(kind) = ty.and_then(|ty| ty.kind) else { return Type::Sql("unknown".to_owned()) };
    match kind {
        Kind::String(_) | Kind::Char(_) | Kind::VarChar(_) => Type::String,
        Kind::Boolean(_) => Type::Boolean,
        Kind::Byte(_) | Kind::Short(_) | Kind::Integer(_) => Type::INTEGER,
        Kind::Long(_) => Type::Number(NumberKind::Bigint),
        Kind::Float(_) | Kind::Double(_) | Kind::Decimal(_) => Type::Number(NumberKind::Float),
        Kind::Date(_) => Type::Date(None),
        Kind::TimestampNtz(_) => Type::Timestamp(None),
        Kind::Timestamp(_) => Type::Timestamptz(None),
        Kind::Array(array) => match malloy(array.element_type) {
            // An array of what Malloy cannot read is itself something it cannot read.
            Type::Sql(name) => Type::Sql(format!("array<{name}>")),
            element => Type::Array(Box::new(element)),
        },
        Kind::Struct(record) => Type::Record(
            record
                .fields
                .into_iter()
                .map(|field| RecordField {
                    name: field.name,
                    ty: malloy(field.data_type.map(Box::new)),
                })
                .collect(),
        ),
        Kind::Null(_) => Type::Sql("void".to_owned()),
        Kind::Binary(_) => Type::Sql("binary".to_owned()),
        Kind::CalendarInterval(_) | Kind::YearMonthInterval(_) | Kind::DayTimeInterval(_) => {
            Type::Sql("interval".to_owned())
        }
        Kind::Map(_) => Type::Sql("map".to_owned()),
        Kind::Udt(_) => Type::Sql("udt".to_owned()),
        Kind::Variant(_) => Type::Sql("variant".to_owned()),
    }
}
