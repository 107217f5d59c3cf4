//! What the types of a session have, told to whoever checks view definitions against them.

use mlua::Table;
use serde_json::{Map, Value as Json, json};

use crate::fault::LuaFault;
use crate::sandbox::Builtin;
use crate::vm::Vm;

/// Only those who audit need it, so no session holds it.
static FACTS: Builtin = Builtin::new(include_str!("lua/late/facts.lua"));

/// A row of `core.facts`: type, what, name, kind, the type inside.
type Row = [Option<String>; 5];

impl Vm {
    /// The fields and methods of each prototype, inherited ones and those of some live instances included.
    ///
    /// `{"Contact": {"fields": {"name": "plain", "tags": {"list": "Tag"}}, "methods": ["save"], "open": false}}`: a field is
    /// `"plain"`, `"unknown"`, a `list` or an `object` with the type inside or null; an `open` type declared no fields, so
    /// any may be there.
    pub fn types(&mut self) -> Result<Json, LuaFault> {
        let rows = self
            .enter(self.limits.action, |vm| FACTS.load(&vm.lua)?.call::<Table>(&vm.core.shared))?;
        let rows = rows.sequence_values::<Table>().map(|row| read(&row?));
        let mut rows =
            rows.collect::<mlua::Result<Vec<Row>>>().map_err(|error| LuaFault::of(&error))?;
        // Lua has no order of its own.
        rows.sort_unstable();
        let mut types = Map::new();
        for row in rows {
            add(&mut types, row);
        }
        Ok(Json::Object(types))
    }
}

fn read(row: &Table) -> mlua::Result<Row> {
    let mut cells = Row::default();
    for (place, cell) in (1_i64..).zip(&mut cells) {
        // Names may be any bytes; those that are no text cannot be in a path either.
        *cell = row.raw_get::<Option<mlua::LuaString>>(place)?.map(|text| text.to_string_lossy());
    }
    Ok(cells)
}

fn add(types: &mut Map<String, Json>, [name, what, key, kind, inner]: Row) {
    let facts = types
        .entry(name.unwrap_or_default())
        .or_insert_with(|| json!({"fields": {}, "methods": [], "open": false}));
    let key = key.unwrap_or_default();
    match what.as_deref() {
        Some("open") => facts["open"] = true.into(),
        Some("method") => {
            if let Some(methods) = facts["methods"].as_array_mut() {
                methods.push(key.into());
            }
        }
        _ => {
            facts["fields"][key] = match kind.as_deref() {
                Some(kind @ ("list" | "object")) => json!({ kind: inner }),
                kind => kind.into(),
            }
        }
    }
}
