//! Results as JSON (`ui_run`, `ui://state`, `mcp.notify`, `ui.json_encode`), and JSON as Lua values.
//!
//! Start at [`Writer::write`]. It looks at tables raw, so that no code of the user runs; it is bounded in depth and size, and a
//! table inside itself is a value like any other that JSON cannot show.

use std::os::raw::c_void;

use mlua::{Lua, Table, Value};
use serde_json::{Map, Value as Json};

/// How deep a result may be nested.
pub const MAX_DEPTH: usize = 100;
/// How large a result may be, in bytes of JSON.
pub const MAX_SIZE: usize = 4 << 20;

/// Why a value has no JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TooMuch {
    #[error("the result is nested deeper than {MAX_DEPTH} levels")]
    Depth,
    #[error("the result is larger than {} MB: return a part of it", MAX_SIZE >> 20)]
    Size,
}

/// Tells the id of a table.
pub(crate) type ObjectId<'a> = dyn Fn(&Table) -> Option<u64> + 'a;

/// Writes Lua values as JSON.
pub(crate) struct Writer<'a> {
    /// For `ui://state`: names a table that is inside itself.
    object_id: Option<&'a ObjectId<'a>>,
    /// The tables being written, outermost first.
    open: Vec<*const c_void>,
    size: usize,
}

impl<'a> Writer<'a> {
    pub(crate) fn new() -> Self {
        Self { object_id: None, open: Vec::new(), size: 0 }
    }

    /// Writes a cycle as `{"obj": n}`.
    pub(crate) fn with_objects(object_id: &'a ObjectId<'a>) -> Self {
        Self { object_id: Some(object_id), ..Self::new() }
    }

    pub(crate) fn write(&mut self, value: &Value) -> Result<Json, TooMuch> {
        let json = match value {
            Value::Nil => Json::Null,
            Value::Boolean(flag) => Json::Bool(*flag),
            Value::Integer(number) => Json::from(*number),
            Value::Number(number) => match ui_core::Value::number(*number) {
                ui_core::Value::Int(number) => Json::from(number),
                ui_core::Value::Float(number) => Json::from(number),
                _ => non_json(&float_text(*number)),
            },
            Value::String(text) => Json::String(text.to_string_lossy()),
            Value::Table(table) => return self.table(table),
            other => non_json(&format!("{}: {:p}", other.type_name(), other.to_pointer())),
        };
        self.add(&json)?;
        Ok(json)
    }

    fn table(&mut self, table: &Table) -> Result<Json, TooMuch> {
        let pointer = table.to_pointer();
        if self.open.contains(&pointer) {
            let json = match self.object_id.and_then(|object_id| object_id(table)) {
                Some(id) => Json::Object(Map::from_iter([("obj".to_owned(), Json::from(id))])),
                None => non_json(&name(table)),
            };
            self.add(&json)?;
            return Ok(json);
        }
        if self.open.len() == MAX_DEPTH {
            return Err(TooMuch::Depth);
        }
        self.open.push(pointer);
        let json = match (type_name(table), highest_key(table)) {
            (None, Some(highest)) => self.array(table, highest),
            (type_name, _) => self.object(table, type_name),
        };
        self.open.pop();
        json
    }

    fn array(&mut self, table: &Table, highest: usize) -> Result<Json, TooMuch> {
        // A hole is written as `null`, four letters and a comma.
        if highest > MAX_SIZE / 2 {
            return Err(TooMuch::Size);
        }
        self.grow(2 + highest)?;
        (1..=highest).map(|at| self.write(&raw(table, at))).collect()
    }

    /// The fields of an object: its type, then what its prototypes declare, then its own, by name.
    fn object(&mut self, table: &Table, type_name: Option<String>) -> Result<Json, TooMuch> {
        self.grow(2)?;
        let typed = type_name.is_some();
        let mut fields = Vec::new();
        if typed {
            for prototype in prototypes(table).iter().rev() {
                visible_fields(prototype, true, &mut fields);
            }
        }
        visible_fields(table, typed, &mut fields);
        // The last of a name counts, which is why the order of equal names must stay.
        fields.sort_by(|a, b| a.0.cmp(&b.0));
        let mut map = Map::new();
        if let Some(type_name) = type_name {
            self.grow(type_name.len() + 10)?;
            map.insert("type".to_owned(), Json::String(type_name));
        }
        let mut fields = fields.into_iter().peekable();
        while let Some((name, value)) = fields.next() {
            let hidden = fields.peek().is_some_and(|(next, _)| *next == name);
            if hidden || (typed && name == "type") {
                continue;
            }
            self.grow(name.len() + 4)?;
            let value = self.write(&value)?;
            map.insert(name, value);
        }
        Ok(Json::Object(map))
    }

    fn add(&mut self, json: &Json) -> Result<(), TooMuch> {
        self.grow(match json {
            Json::String(text) => text.len() + 2,
            Json::Object(map) => {
                16 + map.values().map(|value| value.as_str().map_or(4, str::len)).sum::<usize>()
            }
            _ => 4,
        })
    }

    fn grow(&mut self, bytes: usize) -> Result<(), TooMuch> {
        self.size += bytes;
        if self.size > MAX_SIZE { Err(TooMuch::Size) } else { Ok(()) }
    }
}

/// The type of a table: of its metatable, else its own, else what it inherits from tables.
pub(crate) fn type_name(table: &Table) -> Option<String> {
    let named = |table: &Table| match table.raw_get::<Value>("type") {
        Ok(Value::String(text)) => Some(text.to_string_lossy()),
        _ => None,
    };
    let meta = table.metatable();
    meta.as_ref()
        .and_then(named)
        .or_else(|| named(table))
        .or_else(|| prototypes(table).iter().find_map(named))
}

/// JSON as Lua: integral numbers are integers, `null` is nil.
pub(crate) fn to_lua(lua: &Lua, json: &Json) -> mlua::Result<Value> {
    Ok(match json {
        Json::Null => Value::Nil,
        Json::Bool(flag) => Value::Boolean(*flag),
        Json::Number(number) => match number.as_i64() {
            Some(number) => Value::Integer(number),
            None => match ui_core::Value::number(number.as_f64().unwrap_or(f64::NAN)) {
                ui_core::Value::Int(number) => Value::Integer(number),
                ui_core::Value::Float(number) => Value::Number(number),
                _ => Value::Nil,
            },
        },
        Json::String(text) => Value::String(lua.create_string(text)?),
        Json::Array(items) => {
            let table = lua.create_table_with_capacity(items.len(), 0)?;
            for (at, item) in items.iter().enumerate() {
                table.raw_set(at + 1, to_lua(lua, item)?)?;
            }
            Value::Table(table)
        }
        Json::Object(map) => {
            let table = lua.create_table_with_capacity(0, map.len())?;
            for (name, value) in map {
                table.raw_set(name.as_str(), to_lua(lua, value)?)?;
            }
            Value::Table(table)
        }
    })
}

/// What JSON cannot show, as text in its place.
fn non_json(text: &str) -> Json {
    Json::Object(Map::from_iter([("non-json".to_owned(), Json::from(text))]))
}

fn name(table: &Table) -> String {
    match type_name(table) {
        Some(type_name) => format!("{type_name}: {:p}", table.to_pointer()),
        None => format!("table: {:p}", table.to_pointer()),
    }
}

fn float_text(number: f64) -> String {
    if number.is_nan() {
        "nan".to_owned()
    } else if number > 0.0 {
        "inf".to_owned()
    } else {
        "-inf".to_owned()
    }
}

/// The highest key if all visible keys are positive integers, and there are some.
fn highest_key(table: &Table) -> Option<usize> {
    let mut highest = None;
    let all = table.for_each(|key: Value, _: Value| match key {
        Value::Integer(key) if key > 0 => {
            highest = highest.max(usize::try_from(key).ok());
            Ok(())
        }
        Value::String(name) if name.as_bytes().first() == Some(&b'_') => Ok(()),
        _ => Err(mlua::Error::RuntimeError(String::new())),
    });
    all.ok().and(highest)
}

/// Appends the fields with names that do not begin with `_`; of a typed object methods are left out.
fn visible_fields(table: &Table, typed: bool, fields: &mut Vec<(String, Value)>) {
    let _never = table.for_each(|key: Value, value: Value| {
        if let Value::String(name) = key
            && name.as_bytes().first() != Some(&b'_')
            && !(typed && value.is_function())
        {
            fields.push((name.to_string_lossy(), value));
        }
        Ok(())
    });
}

/// The tables that a table inherits from by `__index`, nearest first.
fn prototypes(table: &Table) -> Vec<Table> {
    let mut chain: Vec<Table> = Vec::new();
    let mut at = table.clone();
    while chain.len() < 16 {
        let Some(meta) = at.metatable() else { break };
        let Ok(Value::Table(next)) = meta.raw_get::<Value>("__index") else { break };
        if next == at || chain.contains(&next) {
            break;
        }
        chain.push(next.clone());
        at = next;
    }
    chain
}

fn raw(table: &Table, at: usize) -> Value {
    table.raw_get(at).unwrap_or(Value::Nil)
}
