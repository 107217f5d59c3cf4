//! One value, from what PostgreSQL sends to JSON. Start at [`json`].

use std::error::Error;

use malloy_engine::value::{date, digits, float, integer, time};
use malloy_model::ir::Type;
use serde_json::Value;
use tokio_postgres::{
    Row,
    types::{FromSql, Kind, Type as Sql},
};

use crate::numeric;

/// Days and microseconds from 1970 to 2000, from where PostgreSQL counts.
const EPOCH_DAYS: i32 = 10_957;
const EPOCH_SECONDS: i64 = 946_684_800;

/// The bytes of a value.
struct Raw<'a>(&'a [u8]);

impl<'a> FromSql<'a> for Raw<'a> {
    fn from_sql(_: &Sql, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self(raw))
    }

    fn accepts(_: &Sql) -> bool {
        true
    }
}

/// What stands in a column of a row, and how many bytes it took. Never fails: a value that does not fit its type is written as what it
/// is, and null if it cannot be read at all.
pub(crate) fn json(row: &Row, index: usize, ty: &Type) -> (Value, usize) {
    match row.try_get::<_, Option<Raw<'_>>>(index) {
        Ok(Some(Raw(bytes))) => {
            let value = read(row.columns()[index].type_(), bytes, ty).unwrap_or(Value::Null);
            (value, bytes.len())
        }
        Ok(None) | Err(_) => (Value::Null, 0),
    }
}

fn read(sql: &Sql, bytes: &[u8], ty: &Type) -> Option<Value> {
    if let Kind::Domain(base) = sql.kind() {
        return read(base, bytes, ty);
    }
    Some(match *sql {
        Sql::BOOL => Value::Bool(*bytes.first()? != 0),
        Sql::INT2 => integer(i16::from_be_bytes(bytes.try_into().ok()?).into(), ty),
        Sql::INT4 => integer(i32::from_be_bytes(bytes.try_into().ok()?).into(), ty),
        Sql::INT8 => integer(i64::from_be_bytes(bytes.try_into().ok()?).into(), ty),
        Sql::FLOAT4 => {
            // By its digits: 0.1 is not 0.10000000149011612.
            let value = f32::from_be_bytes(bytes.try_into().ok()?);
            float(value.to_string().parse().unwrap_or_else(|_| value.into()))
        }
        Sql::FLOAT8 => float(f64::from_be_bytes(bytes.try_into().ok()?)),
        Sql::NUMERIC => digits(&numeric::text(bytes)?, ty)?,
        Sql::DATE => match i32::from_be_bytes(bytes.try_into().ok()?) {
            i32::MAX => Value::from("infinity"),
            i32::MIN => Value::from("-infinity"),
            days => date(days.checked_add(EPOCH_DAYS)?, ty),
        },
        Sql::TIMESTAMP | Sql::TIMESTAMPTZ => match i64::from_be_bytes(bytes.try_into().ok()?) {
            i64::MAX => Value::from("infinity"),
            i64::MIN => Value::from("-infinity"),
            microseconds => {
                let seconds = microseconds.div_euclid(1_000_000) + EPOCH_SECONDS;
                let rest = u32::try_from(microseconds.rem_euclid(1_000_000)).ok()?;
                time(seconds, rest * 1_000, ty)
            }
        },
        Sql::JSON => document(bytes, ty)?,
        // A byte before it tells the version.
        Sql::JSONB => document(bytes.get(1..)?, ty)?,
        _ => text(std::str::from_utf8(bytes).ok()?, ty),
    })
}

fn document(bytes: &[u8], ty: &Type) -> Option<Value> {
    let value: Value = serde_json::from_slice(bytes).ok()?;
    Some(malloy_engine::value::json(value, ty))
}

fn text(value: &str, ty: &Type) -> Value {
    match ty {
        Type::Number(_) => digits(value, ty).unwrap_or_else(|| Value::from(value)),
        _ => Value::from(value),
    }
}
