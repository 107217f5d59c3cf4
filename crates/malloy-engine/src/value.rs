//! The JSON of single values. Dates are `YYYY-MM-DD`, times UTC to the millisecond, whole numbers that a float cannot hold are texts
//! of digits where the type says that they may come.

use std::fmt::Write as _;

use malloy_model::ir::{NumberKind, Type};
use serde_json::{Map, Number, Value};

/// The largest whole number up to which every one has its own 64-bit float.
const SAFE: i128 = 1 << 53;

/// A whole number. Of a bigint beyond 2^53 the digits as a text, since readers that have only floats would see another number.
pub fn integer(value: i128, ty: &Type) -> Value {
    let may_be_text = matches!(ty, Type::Number(NumberKind::Bigint));
    match i64::try_from(value) {
        Ok(small) if (-SAFE..=SAFE).contains(&value) || !may_be_text => Value::from(small),
        _ => Value::String(value.to_string()),
    }
}

/// A float. JSON has no word for some, which are texts.
pub fn float(value: f64) -> Value {
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

/// A number by its decimal digits, `-12.50`, so that a float is the nearest one. `None` where it is none.
pub fn digits(text: &str, ty: &Type) -> Option<Value> {
    let whole = match (text.split_once('.'), ty) {
        // A sum of whole numbers may come as a decimal.
        (Some((whole, rest)), Type::Number(NumberKind::Bigint))
            if rest.bytes().all(|digit| digit == b'0') =>
        {
            whole
        }
        _ => text,
    };
    match whole.parse::<i128>() {
        Ok(whole) => Some(integer(whole, ty)),
        Err(_) => text.parse().ok().map(float),
    }
}

/// A day, by the days since 1970.
pub fn date(days: i32, ty: &Type) -> Value {
    match ty {
        Type::Timestamp(_) | Type::Timestamptz(_) => time(i64::from(days) * 86_400, 0, ty),
        _ => Value::String(calendar(days.into())),
    }
}

/// A time, by the seconds since 1970 and the nanoseconds after them.
pub fn time(seconds: i64, nanoseconds: u32, ty: &Type) -> Value {
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let mut text = calendar(days);
    if !matches!(ty, Type::Date(_)) {
        let (hour, minute) = (second / 3_600, second / 60 % 60);
        let milliseconds = nanoseconds / 1_000_000;
        let _infallible =
            write!(text, "T{hour:02}:{minute:02}:{:02}.{milliseconds:03}Z", second % 60);
    }
    Value::String(text)
}

/// A value that the database sent as JSON. Names of fields come in the order of the type, whatever order the database keeps them in.
pub fn json(value: Value, ty: &Type) -> Value {
    match (value, ty) {
        (Value::Array(items), Type::Array(element)) => {
            Value::Array(items.into_iter().map(|item| json(item, element)).collect())
        }
        (Value::Object(mut fields), Type::Record(named)) => {
            let mut ordered = Map::with_capacity(named.len());
            for field in named {
                let value = fields.remove(&field.name).unwrap_or(Value::Null);
                ordered.insert(field.name.clone(), json(value, &field.ty));
            }
            Value::Object(ordered)
        }
        (Value::Number(number), Type::Number(_)) => {
            digits(&number.to_string(), ty).unwrap_or(Value::Number(number))
        }
        (Value::String(text), Type::Number(_)) => digits(&text, ty).unwrap_or(Value::String(text)),
        (Value::String(text), ty) if ty.is_time() => match instant(&text) {
            Some((seconds, nanoseconds)) => time(seconds, nanoseconds, ty),
            None => Value::String(text),
        },
        (value, _) => value,
    }
}

/// Seconds since 1970 and nanoseconds of `2021-05-06`, `2021-05-06T07:08:09.123`, with `Z` or an offset as `+00:00` at its end.
fn instant(text: &str) -> Option<(i64, u32)> {
    let number = |range: std::ops::Range<usize>| text.get(range)?.parse::<i64>().ok();
    let days = days(number(0..4)?, number(5..7)?, number(8..10)?);
    if text.len() == 10 {
        return Some((days * 86_400, 0));
    }
    let second = number(11..13)? * 3_600 + number(14..16)? * 60 + number(17..19)?;
    let rest = text.get(19..)?;
    let (fraction, zone) = match rest.strip_prefix('.') {
        Some(rest) => {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            rest.split_at(end)
        }
        None => ("", rest),
    };
    let nanoseconds = format!("{fraction:0<9}").get(..9)?.parse().ok()?;
    let offset = match zone.split_at_checked(1) {
        Some((sign @ ("+" | "-"), offset)) => {
            let (hours, minutes) = offset.split_once(':').unwrap_or((offset, "0"));
            let seconds = hours.parse::<i64>().ok()? * 3_600 + minutes.parse::<i64>().ok()? * 60;
            if sign == "+" { seconds } else { -seconds }
        }
        _ => 0,
    };
    Some((days * 86_400 + second - offset, nanoseconds))
}

/// The days since 1970 of a day of the Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn digits_are_read_without_loss() {
        let bigint = Type::Number(NumberKind::Bigint);
        assert_eq!(digits("9007199254740993", &bigint), Some(json!("9007199254740993")));
        assert_eq!(digits("9007199254740993.000", &bigint), Some(json!("9007199254740993")));
        assert_eq!(digits("1.50", &Type::NUMBER), Some(json!(1.5)));
        assert_eq!(digits("3", &Type::NUMBER), Some(json!(3)));
        assert_eq!(digits("NaN", &Type::NUMBER), Some(json!("NaN")));
        assert_eq!(digits("three", &Type::NUMBER), None);
    }

    #[test]
    fn json_of_a_database_takes_the_form_of_its_type() {
        use malloy_model::ir::RecordField;
        let field = |name: &str, ty: Type| RecordField { name: name.to_owned(), ty };
        let ty = Type::Array(Box::new(Type::Record(vec![
            field("long_name", Type::Timestamp(None)),
            field("b", Type::Number(NumberKind::Bigint)),
            field("c", Type::Date(None)),
            field("d", Type::Timestamptz(None)),
        ])));
        let sent = json!([{"b": 9_007_199_254_740_993_i64, "c": "2020-02-29", "d": "1969-12-31T23:59:59.5+02:00",
            "long_name": "2021-05-06T07:08:09.123456"}]);
        let wanted = json!([{"long_name": "2021-05-06T07:08:09.123Z", "b": "9007199254740993", "c": "2020-02-29",
            "d": "1969-12-31T21:59:59.500Z"}]);
        assert_eq!(super::json(sent, &ty).to_string(), wanted.to_string());
    }
}
