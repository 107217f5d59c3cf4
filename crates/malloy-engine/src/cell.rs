//! One value, from Arrow to JSON, by what Malloy says it is. Start at [`json`].

use arrow::{
    array::{Array, ArrayRef, AsArray as _},
    datatypes::{
        DataType, Date32Type, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type,
        Int32Type, Int64Type, TimeUnit, TimestampMicrosecondType, TimestampMillisecondType,
        TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type, UInt32Type,
        UInt64Type,
    },
    util::display::{ArrayFormatter, FormatOptions},
};
use malloy_model::ir::Type;
use serde_json::{Map, Value};

use crate::value::{date, digits, float, integer, time};

/// What stands in `row` of `array`. Never fails: a value that does not fit its type is written as what it is.
pub(crate) fn json(array: &ArrayRef, row: usize, ty: &Type) -> Value {
    if array.is_null(row) {
        return Value::Null;
    }
    match array.data_type() {
        DataType::Boolean => Value::Bool(array.as_boolean().value(row)),
        DataType::Utf8 => text(array.as_string::<i32>().value(row), ty),
        DataType::LargeUtf8 => text(array.as_string::<i64>().value(row), ty),
        DataType::Utf8View => text(array.as_string_view().value(row), ty),
        DataType::Float32 => float(array.as_primitive::<Float32Type>().value(row).into()),
        DataType::Float64 => float(array.as_primitive::<Float64Type>().value(row)),
        DataType::Decimal128(_, scale) => {
            decimal(array.as_primitive::<Decimal128Type>().value(row), *scale, ty)
        }
        DataType::Date32 => date(array.as_primitive::<Date32Type>().value(row), ty),
        DataType::Timestamp(unit, _) => {
            let (seconds, nanoseconds) = instant(array, row, *unit);
            time(seconds, nanoseconds, ty)
        }
        DataType::List(_) => list(&array.as_list::<i32>().value(row), ty),
        DataType::LargeList(_) => list(&array.as_list::<i64>().value(row), ty),
        DataType::FixedSizeList(..) => list(&array.as_fixed_size_list().value(row), ty),
        DataType::Struct(_) => record(array, row, ty),
        _ => whole(array, row).map_or_else(|| displayed(array, row), |value| integer(value, ty)),
    }
}

/// A whole number of any width; `None` when it is something else.
fn whole(array: &ArrayRef, row: usize) -> Option<i128> {
    Some(match array.data_type() {
        DataType::Int8 => array.as_primitive::<Int8Type>().value(row).into(),
        DataType::Int16 => array.as_primitive::<Int16Type>().value(row).into(),
        DataType::Int32 => array.as_primitive::<Int32Type>().value(row).into(),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).into(),
        DataType::UInt8 => array.as_primitive::<UInt8Type>().value(row).into(),
        DataType::UInt16 => array.as_primitive::<UInt16Type>().value(row).into(),
        DataType::UInt32 => array.as_primitive::<UInt32Type>().value(row).into(),
        DataType::UInt64 => array.as_primitive::<UInt64Type>().value(row).into(),
        _ => return None,
    })
}

fn decimal(value: i128, scale: i8, ty: &Type) -> Value {
    if scale <= 0 {
        return integer(value, ty);
    }
    let scale = usize::from(scale.unsigned_abs());
    let digits = format!("{:0>width$}", value.unsigned_abs(), width = scale + 1);
    let (whole, rest) = digits.split_at(digits.len() - scale);
    let sign = if value < 0 { "-" } else { "" };
    // Through its decimal digits, so that the float is the nearest one.
    format!("{sign}{whole}.{rest}").parse().map_or(Value::Null, float)
}

fn text(value: &str, ty: &Type) -> Value {
    match ty {
        // A sum of HUGEINT and its like may come as digits.
        Type::Number(_) => digits(value, ty).unwrap_or_else(|| Value::from(value)),
        _ => Value::from(value),
    }
}

/// Seconds since 1970 and nanoseconds after them.
fn instant(array: &ArrayRef, row: usize, unit: TimeUnit) -> (i64, u32) {
    let (value, per_second) = match unit {
        TimeUnit::Second => (array.as_primitive::<TimestampSecondType>().value(row), 1),
        TimeUnit::Millisecond => {
            (array.as_primitive::<TimestampMillisecondType>().value(row), 1_000)
        }
        TimeUnit::Microsecond => {
            (array.as_primitive::<TimestampMicrosecondType>().value(row), 1_000_000)
        }
        TimeUnit::Nanosecond => {
            (array.as_primitive::<TimestampNanosecondType>().value(row), 1_000_000_000)
        }
    };
    let rest = u32::try_from(value.rem_euclid(per_second)).unwrap_or(0);
    let nanoseconds = u32::try_from(1_000_000_000 / per_second).unwrap_or(1) * rest;
    (value.div_euclid(per_second), nanoseconds)
}

fn list(values: &ArrayRef, ty: &Type) -> Value {
    let element = match ty {
        Type::Array(element) => element,
        _ => &Type::Null,
    };
    Value::Array((0..values.len()).map(|row| json(values, row, element)).collect())
}

fn record(array: &ArrayRef, row: usize, ty: &Type) -> Value {
    let record = array.as_struct();
    let mut object = Map::with_capacity(record.num_columns());
    let named = match ty {
        // The SQL may carry helper fields after those that were asked for.
        Type::Record(fields) if fields.len() <= record.num_columns() => Some(fields),
        _ => None,
    };
    match named {
        Some(fields) => {
            for (index, field) in fields.iter().enumerate() {
                let named = record.column_by_name(&field.name);
                let at = named.unwrap_or_else(|| record.column(index));
                object.insert(field.name.clone(), json(at, row, &field.ty));
            }
        }
        None => {
            for (name, column) in record.column_names().into_iter().zip(record.columns()) {
                object.insert(name.to_owned(), json(column, row, &Type::Null));
            }
        }
    }
    Value::Object(object)
}

/// Times of day, intervals, bytes and the like, as Arrow prints them.
fn displayed(array: &ArrayRef, row: usize) -> Value {
    let options = FormatOptions::default();
    match ArrayFormatter::try_new(array, &options) {
        Ok(formatter) => Value::String(formatter.value(row).to_string()),
        Err(_) => Value::Null,
    }
}
