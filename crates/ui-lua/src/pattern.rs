//! Lua patterns under a time limit, and the functions of the string library that use them.
//!
//! [`matcher`] tries a pattern at one place, [`ops`] searches and replaces, [`install`] hands `find`, `match`, `gmatch` and `gsub` to the sandbox.
//! A function answers `true` and its results, or `false` and a message that the sandbox raises.

mod class;
pub(crate) mod matcher;
pub(crate) mod ops;

use std::sync::Arc;

use mlua::{IntoLua, Lua, LuaString, MultiValue, Result, Table, Value};

use crate::limits::Meter;
use matcher::PatternError;
use ops::{Caught, Found};

/// Puts the primitive of this name into `native`, if it is one.
pub(crate) fn install(lua: &Lua, native: &Table, meter: &Arc<Meter>, name: &str) -> Result<()> {
    let with = Arc::clone(meter);
    let function = match name {
        "find" => lua.create_function(move |lua, args: MultiValue| {
            answer(lua, find(lua, &args, &with, true))
        })?,
        "match" => lua.create_function(move |lua, args: MultiValue| {
            answer(lua, find(lua, &args, &with, false))
        })?,
        "gmatch_start" => {
            lua.create_function(|lua, args: MultiValue| answer(lua, gmatch_start(lua, &args)))?
        }
        "gmatch" => lua
            .create_function(move |lua, args: MultiValue| answer(lua, gmatch(lua, &args, &with)))?,
        "gsub" => {
            lua.create_function(move |lua, args: MultiValue| answer(lua, gsub(lua, &args, &with)))?
        }
        _ => return Ok(()),
    };
    native.raw_set(name, function)
}

/// Why a function of the string library failed: a message, or an error of the VM that goes through as it is.
enum Failure {
    Message(String),
    Lua(mlua::Error),
}

impl From<PatternError> for Failure {
    fn from(error: PatternError) -> Self {
        Self::Message(error.to_string())
    }
}

impl From<mlua::Error> for Failure {
    fn from(error: mlua::Error) -> Self {
        Self::Lua(error)
    }
}

type Answer = std::result::Result<MultiValue, Failure>;

fn answer(lua: &Lua, answer: Answer) -> Result<MultiValue> {
    match answer {
        Ok(mut values) => {
            values.push_front(Value::Boolean(true));
            Ok(values)
        }
        Err(Failure::Message(text)) => {
            Ok(MultiValue::from_iter([Value::Boolean(false), text.into_lua(lua)?]))
        }
        Err(Failure::Lua(error)) => Err(error),
    }
}

fn find(lua: &Lua, args: &MultiValue, meter: &Meter, places: bool) -> Answer {
    let name = if places { "find" } else { "match" };
    let (text, pattern) = (string(lua, args, 0, name)?, string(lua, args, 1, name)?);
    let (text, pattern) = (text.as_bytes(), pattern.as_bytes());
    let Some(init) = ops::start_at(integer(lua, args, 2, name)?.unwrap_or(1), text.len()) else {
        return Ok(MultiValue::from_iter([Value::Nil]));
    };
    let plain =
        args.get(3).is_some_and(|value| !matches!(value, Value::Nil | Value::Boolean(false)));
    if places && (plain || ops::is_plain(&pattern)) {
        return Ok(match memchr::memmem::find(&text[init..], &pattern) {
            Some(at) => {
                MultiValue::from_iter([place(init + at + 1), place(init + at + pattern.len())])
            }
            None => MultiValue::from_iter([Value::Nil]),
        });
    }
    let Some(found) = ops::search(&text, &pattern, init, meter)? else {
        return Ok(MultiValue::from_iter([Value::Nil]));
    };
    let mut values = MultiValue::new();
    if places {
        values.push_back(place(found.start + 1));
        values.push_back(place(found.end));
        if found.captures.is_empty() {
            return Ok(values);
        }
    }
    push_captures(lua, &found, &text, &mut values)?;
    Ok(values)
}

fn gmatch_start(lua: &Lua, args: &MultiValue) -> Answer {
    let text = string(lua, args, 0, "gmatch")?;
    string(lua, args, 1, "gmatch")?;
    let length = text.as_bytes().len();
    let init = integer(lua, args, 2, "gmatch")?.unwrap_or(1);
    let start = ops::start_at(init, length).unwrap_or(length + 1);
    Ok(MultiValue::from_iter([place(start)]))
}

/// `(text, pattern, from, last end)`: the end of the next match and its captures, or nil.
fn gmatch(lua: &Lua, args: &MultiValue, meter: &Meter) -> Answer {
    let (text, pattern) = (string(lua, args, 0, "gmatch")?, string(lua, args, 1, "gmatch")?);
    let (text, pattern) = (text.as_bytes(), pattern.as_bytes());
    let from = args.get(2).and_then(Value::as_usize).unwrap_or(0);
    let last_end = args.get(3).and_then(Value::as_usize);
    let Some(found) = ops::next_match(&text, &pattern, from, last_end, meter)? else {
        return Ok(MultiValue::from_iter([Value::Nil]));
    };
    let mut values = MultiValue::from_iter([place(found.end)]);
    push_captures(lua, &found, &text, &mut values)?;
    Ok(values)
}

fn gsub(lua: &Lua, args: &MultiValue, meter: &Meter) -> Answer {
    let (source, pattern) = (string(lua, args, 0, "gsub")?, string(lua, args, 1, "gsub")?);
    let replacement = args.get(2).cloned().unwrap_or(Value::Nil);
    let replacement = match replacement {
        Value::Integer(_) | Value::Number(_) => Value::String(string(lua, args, 2, "gsub")?),
        Value::String(_) | Value::Table(_) | Value::Function(_) => replacement,
        other => {
            let got = type_name(Some(&other));
            let text =
                format!("bad argument #3 to 'gsub' (string/function/table expected, got {got})");
            return Err(Failure::Message(text));
        }
    };
    let limit = match integer(lua, args, 3, "gsub")? {
        Some(limit) => usize::try_from(limit).unwrap_or(0),
        None => usize::MAX,
    };
    let (text, pattern) = (source.as_bytes(), pattern.as_bytes());
    let (changed, count) = ops::substitute(&text, &pattern, limit, meter, |found, out| {
        replace(lua, &replacement, found, &text, out)
    })?;
    let result = match changed {
        Some(bytes) => lua.create_string(bytes)?,
        None => source.clone(),
    };
    Ok(MultiValue::from_iter([Value::String(result), place(count)]))
}

/// Appends what one match of `gsub` becomes. Whether that is something else than it was.
fn replace(
    lua: &Lua,
    replacement: &Value,
    found: &Found,
    text: &[u8],
    out: &mut Vec<u8>,
) -> std::result::Result<bool, Failure> {
    let value = match replacement {
        Value::String(replacement) => {
            ops::expand(&replacement.as_bytes(), text, found, out)?;
            return Ok(true);
        }
        Value::Table(table) => table.get::<Value>(caught(lua, found.capture(text, 0)?)?)?,
        Value::Function(function) => {
            let mut captures = MultiValue::new();
            push_captures(lua, found, text, &mut captures)?;
            function.call::<Value>(captures)?
        }
        _ => Value::Nil,
    };
    match value {
        Value::Nil | Value::Boolean(false) => {
            out.extend_from_slice(&text[found.start..found.end]);
            Ok(false)
        }
        Value::String(text) => {
            out.extend_from_slice(&text.as_bytes());
            Ok(true)
        }
        Value::Integer(_) | Value::Number(_) => {
            if let Some(text) = lua.coerce_string(value)? {
                out.extend_from_slice(&text.as_bytes());
            }
            Ok(true)
        }
        other => Err(Failure::Message(format!(
            "invalid replacement value (a {})",
            type_name(Some(&other))
        ))),
    }
}

fn push_captures(
    lua: &Lua,
    found: &Found,
    text: &[u8],
    values: &mut MultiValue,
) -> std::result::Result<(), Failure> {
    for capture in found.all(text) {
        values.push_back(caught(lua, capture?)?);
    }
    Ok(())
}

fn caught(lua: &Lua, caught: Caught<'_>) -> Result<Value> {
    match caught {
        Caught::Text(bytes) => lua.create_string(bytes).map(Value::String),
        Caught::Place(at) => Ok(place(at)),
    }
}

fn place(at: usize) -> Value {
    Value::Integer(i64::try_from(at).unwrap_or(i64::MAX))
}

/// Argument `index` (from 0) as a string; numbers are taken as their text, as everywhere in Lua.
fn string(
    lua: &Lua,
    args: &MultiValue,
    index: usize,
    name: &str,
) -> std::result::Result<LuaString, Failure> {
    match args.get(index) {
        Some(Value::String(text)) => Ok(text.clone()),
        Some(number @ (Value::Integer(_) | Value::Number(_))) => {
            let text = lua.coerce_string(number.clone())?;
            text.ok_or_else(|| Failure::Message(format!("bad argument #{} to '{name}'", index + 1)))
        }
        other => Err(Failure::Message(format!(
            "bad argument #{} to '{name}' (string expected, got {})",
            index + 1,
            type_name(other)
        ))),
    }
}

fn integer(
    lua: &Lua,
    args: &MultiValue,
    index: usize,
    name: &str,
) -> std::result::Result<Option<i64>, Failure> {
    let wrong =
        |what: &str| Failure::Message(format!("bad argument #{} to '{name}' ({what})", index + 1));
    match args.get(index) {
        None | Some(Value::Nil) => Ok(None),
        Some(Value::Integer(number)) => Ok(Some(*number)),
        Some(value @ (Value::Number(_) | Value::String(_))) => {
            match lua.coerce_integer(value.clone())? {
                Some(number) => Ok(Some(number)),
                None if value.is_number() => Err(wrong("number has no integer representation")),
                None => Err(wrong("number expected, got string")),
            }
        }
        other => Err(wrong(&format!("number expected, got {}", type_name(other)))),
    }
}

fn type_name(value: Option<&Value>) -> &'static str {
    match value {
        None => "no value",
        Some(Value::Integer(_) | Value::Number(_)) => "number",
        Some(value) => value.type_name(),
    }
}
