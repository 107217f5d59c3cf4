//! One value, from Arrow to JSON, by what Malloy says it is. Start at [`json`].

use std::fmt::Write as _;

use duckdb::arrow::{
    array::{Array, ArrayRef, AsArray as _},
    datatypes::{
        DataType, Date32Type, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type,
        Int32Type, Int64Type, TimeUnit, TimestampMicrosecondType, TimestampMillisecondType,
        TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type, UInt32Type,
        UInt64Type,
    },
    util::display::{ArrayFormatter, FormatOptions},
};
use serde_json::{Map, Number, Value};

/// How a value of a Malloy type is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    String,
    Boolean,
    /// A number, as many digits as it has.
    Number,
    /// The same, but whole numbers beyond 2^53 are texts of digits, since readers that have only floats would see another number.
    Bigint,
    /// `YYYY-MM-DD`
    Date,
    /// UTC, to the millisecond
    Timestamp,
    Array(Box<Shape>),
    Record(Vec<(String, Shape)>),
    /// As the engine sent it.
    Any,
}

/// The largest whole number up to which every one has its own 64-bit float.
const SAFE: i128 = 1 << 53;

/// What stands in `row` of `array`. Never fails: a value that does not fit its shape is written as what it is.
pub(crate) fn json(array: &ArrayRef, row: usize, shape: &Shape) -> Value {
    if array.is_null(row) {
        return Value::Null;
    }
    match array.data_type() {
        DataType::Boolean => Value::Bool(array.as_boolean().value(row)),
        DataType::Utf8 => text(array.as_string::<i32>().value(row), shape),
        DataType::LargeUtf8 => text(array.as_string::<i64>().value(row), shape),
        DataType::Utf8View => text(array.as_string_view().value(row), shape),
        DataType::Float32 => float(array.as_primitive::<Float32Type>().value(row).into()),
        DataType::Float64 => float(array.as_primitive::<Float64Type>().value(row)),
        DataType::Decimal128(_, scale) => {
            decimal(array.as_primitive::<Decimal128Type>().value(row), *scale, shape)
        }
        DataType::Date32 => date(array.as_primitive::<Date32Type>().value(row), shape),
        DataType::Timestamp(unit, _) => {
            let (seconds, nanoseconds) = instant(array, row, *unit);
            time(seconds, nanoseconds, shape)
        }
        DataType::List(_) => list(&array.as_list::<i32>().value(row), shape),
        DataType::LargeList(_) => list(&array.as_list::<i64>().value(row), shape),
        DataType::FixedSizeList(..) => list(&array.as_fixed_size_list().value(row), shape),
        DataType::Struct(_) => record(array, row, shape),
        _ => whole(array, row).map_or_else(|| displayed(array, row), |value| integer(value, shape)),
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

fn integer(value: i128, shape: &Shape) -> Value {
    match i64::try_from(value) {
        Ok(small) if (-SAFE..=SAFE).contains(&value) || *shape != Shape::Bigint => {
            Value::from(small)
        }
        _ => Value::String(value.to_string()),
    }
}

fn float(value: f64) -> Value {
    // Whole floats are written without `.0`, as JSON readers expect of a number.
    #[expect(clippy::cast_possible_truncation, reason = "it is whole and below 2^53")]
    if value.fract() == 0.0 && value.abs() < 9e15 && !(value == 0.0 && value.is_sign_negative()) {
        return Value::from(value as i64);
    }
    Number::from_f64(value).map_or_else(|| Value::String(odd(value).to_owned()), Value::Number)
}

fn odd(value: f64) -> &'static str {
    match value {
        value if value.is_nan() => "NaN",
        value if value > 0.0 => "Infinity",
        _ => "-Infinity",
    }
}

fn decimal(value: i128, scale: i8, shape: &Shape) -> Value {
    if scale <= 0 {
        return integer(value, shape);
    }
    let scale = usize::from(scale.unsigned_abs());
    let digits = format!("{:0>width$}", value.unsigned_abs(), width = scale + 1);
    let (whole, rest) = digits.split_at(digits.len() - scale);
    let sign = if value < 0 { "-" } else { "" };
    // Through its decimal digits, so that the float is the nearest one.
    format!("{sign}{whole}.{rest}").parse().map_or(Value::Null, float)
}

fn text(value: &str, shape: &Shape) -> Value {
    match shape {
        // A sum of HUGEINT and its like may come as digits.
        Shape::Number | Shape::Bigint => match value.parse::<i128>() {
            Ok(whole) => integer(whole, shape),
            Err(_) => value.parse().map_or_else(|_| Value::from(value), float),
        },
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

fn date(days: i32, shape: &Shape) -> Value {
    match shape {
        Shape::Timestamp => time(i64::from(days) * 86_400, 0, shape),
        _ => Value::String(calendar(days.into())),
    }
}

fn time(seconds: i64, nanoseconds: u32, shape: &Shape) -> Value {
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let mut text = calendar(days);
    if *shape != Shape::Date {
        let (hour, minute) = (second / 3_600, second / 60 % 60);
        let milliseconds = nanoseconds / 1_000_000;
        let _infallible =
            write!(text, "T{hour:02}:{minute:02}:{:02}.{milliseconds:03}Z", second % 60);
    }
    Value::String(text)
}

/// The day of the Gregorian calendar, by the days since 1970 (Hinnant's algorithm).
fn calendar(days: i64) -> String {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    // As ECMAScript writes years that have more or fewer than four digits.
    match year {
        0..=9_999 => format!("{year:04}-{month:02}-{day:02}"),
        year if year < 0 => format!("-{:06}-{month:02}-{day:02}", -year),
        year => format!("+{year:06}-{month:02}-{day:02}"),
    }
}

fn list(values: &ArrayRef, shape: &Shape) -> Value {
    let element = match shape {
        Shape::Array(element) => element,
        _ => &Shape::Any,
    };
    Value::Array((0..values.len()).map(|row| json(values, row, element)).collect())
}

fn record(array: &ArrayRef, row: usize, shape: &Shape) -> Value {
    let record = array.as_struct();
    let mut object = Map::with_capacity(record.num_columns());
    let named = match shape {
        // The SQL may carry helper fields after those that were asked for.
        Shape::Record(fields) if fields.len() <= record.num_columns() => Some(fields),
        _ => None,
    };
    match named {
        Some(fields) => {
            for (index, (name, shape)) in fields.iter().enumerate() {
                let at = record.column_by_name(name).unwrap_or_else(|| record.column(index));
                object.insert(name.clone(), json(at, row, shape));
            }
        }
        None => {
            for (name, column) in record.column_names().into_iter().zip(record.columns()) {
                object.insert(name.to_owned(), json(column, row, &Shape::Any));
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
