//! The VM as the engine sees it: [`World`]. The work is done in `lua/walk.lua`; here values change hands.

use std::sync::Arc;

use mlua::{IntoLuaMulti, MultiValue, Table, Value as LuaValue};
use ui_core::path::Step;
use ui_core::world::{Change, Placed, Request, Seen, Source, Walked, World, Write};
use ui_core::{Code, Failure, ObjId, Priority, Slot, Value};

use crate::fault::LuaFault;
use crate::host::Level;
use crate::json::{self, Writer};
use crate::natives::lock;
use crate::vm::Vm;

/// How often a walk goes on behind a variable that exceeded a limit, before the rest has to wait.
const MOST_EXCEEDING: usize = 4;

/// How many names of types are remembered.
const MOST_TYPES: usize = 4096;

// As in `lua/walk.lua`.
const NONE: i64 = 0;
const STEPS: i64 = 4;
const HELD: i64 = 5;

impl World for Vm {
    fn plan(&mut self, changes: &mut Vec<Change>) {
        for change in changes.drain(..) {
            let result = self.enter(self.limits.action, |vm| vm.change(&change));
            // What user code does wrong in `destroy` is caught and noted there; this would be ours, or a limit.
            let _noted = self.reported(result);
        }
    }

    fn walk(&mut self, seen: &mut Vec<Seen>) -> Walked {
        let mut exceeded: Option<(&str, String)> = None;
        for _ in 0..MOST_EXCEEDING {
            let args = exceeded.take();
            let walked = self.enter(self.limits.action, |vm| match &args {
                Some((code, text)) => vm.call(&vm.core.walk, (*code, text.as_str())),
                None => vm.call::<(Table, usize, bool)>(&vm.core.walk, ()),
            });
            match walked {
                Ok((reports, size, again)) => {
                    self.read_reports(&reports, size, seen);
                    return if again { Walked::Again } else { Walked::Settled };
                }
                Err(fault) => {
                    self.shared.report(&fault);
                    exceeded = Some((code(&fault).as_str(), fault.message));
                }
            }
        }
        self.shared
            .host
            .log(Level::Error, "a walk was given up: too many variables exceed their limits");
        Walked::Settled
    }

    fn write(&mut self, slot: Slot, write: Write<'_>) -> Result<(), Failure> {
        let (how, value) = match write {
            Write::Assign(value) => (1, Some(value)),
            Write::CallWith(value) => (2, Some(value)),
            Write::Call => (3, None),
        };
        let value = match value {
            Some(value) => self.lua_value(value)?,
            None => LuaValue::Nil,
        };
        let result = self.enter(self.limits.action, |vm| {
            vm.call::<(Option<String>, Option<String>)>(
                &vm.core.write,
                (slot.index() + 1, how, value),
            )
        });
        match self.reported(result) {
            Ok((None, _)) => Ok(()),
            Ok((Some(code), text)) => Err(refusal(&code, &text.unwrap_or_default())),
            Err(fault) => Err(Failure::new(code(&fault), fault.message)),
        }
    }

    fn requests(&mut self, requests: &mut Vec<Request>) {
        requests.append(&mut lock(&self.shared.requests));
    }

    fn object(&mut self, id: ObjId) -> Option<Value> {
        let table = self.alive(id)?;
        let array = json::type_name(&table).is_none()
            && self
                .enter(self.limits.action, |vm| vm.call::<bool>(&vm.core.is_array, &table))
                .unwrap_or(false);
        if array {
            let items = (1..=table.raw_len())
                .map(|at| self.element(&table.raw_get(at).unwrap_or(LuaValue::Nil)));
            return Some(Value::array(items));
        }
        let mut fields: Vec<(Box<str>, LuaValue)> = Vec::new();
        let _never = table.for_each(|key: LuaValue, value: LuaValue| {
            if let LuaValue::String(name) = key
                && name.as_bytes().first() != Some(&b'_')
                && !value.is_function()
            {
                fields.push((name.to_string_lossy().into(), value));
            }
            Ok(())
        });
        fields.sort_by(|a, b| a.0.cmp(&b.0));
        Some(Value::Record(
            fields.into_iter().map(|(name, value)| (name, self.element(&value))).collect(),
        ))
    }

    fn type_of(&mut self, id: ObjId) -> Option<Arc<str>> {
        let name = json::type_name(&self.alive(id)?)?;
        Some(self.intern(&name))
    }

    fn state(&mut self) -> Result<String, Failure> {
        let state = self.enter(self.limits.action, |vm| vm.call::<LuaValue>(&vm.core.state, ()));
        let state = state.map_err(|fault| Failure::new(code(&fault), fault.message))?;
        let id = |table: &Table| self.core.id_of.call::<u64>(table).ok();
        let json = Writer::with_objects(&id)
            .write(&state)
            .map_err(|error| Failure::new(Code::Limit, error.to_string()))?;
        Ok(json.to_string())
    }
}

/// The code of an error of Lua, as browsers are told.
pub(crate) fn code(fault: &LuaFault) -> Code {
    if fault.limit.is_some() { Code::Limit } else { Code::LuaError }
}

impl Vm {
    fn change(&self, change: &Change) -> mlua::Result<()> {
        let index = |slot: Slot| slot.index() + 1;
        match change {
            Change::Place(placed) => self.place(placed),
            Change::Property { slot, name, value } => {
                self.core.property.call((index(*slot), &**name, &**value))
            }
            Change::Live { slot, live } => self.core.live.call((index(*slot), *live)),
            Change::Remove { slot } => {
                let old = self.core.remove.call(index(*slot))?;
                self.release(&old)
            }
            Change::Refuse { id, failure } => {
                self.shared
                    .host
                    .log(Level::Warn, &format!("variable {id} was not made: {failure}"));
                self.core.refuse.call(id.0)
            }
        }
    }

    fn place(&self, placed: &Placed) -> mlua::Result<()> {
        let how = match &placed.source {
            Source::Path(_) => STEPS,
            Source::Held => HELD,
            Source::None => NONE,
        };
        let turn = match placed.priority {
            Priority::High => 1,
            Priority::Medium => 2,
            Priority::Low => 3,
        };
        let reads = placed.access.reads() && how != NONE;
        let text = match &placed.source {
            Source::Path(path) => ui_core::path::display_steps(path.steps()).to_string(),
            _ => String::new(),
        };
        let mut args = (
            placed.slot.index() + 1,
            placed.id.0,
            placed.parent.map_or(0, |slot| slot.index() + 1),
            how,
            reads,
            turn,
            placed.wrapper.as_deref(),
            placed.item_wrapper.as_deref(),
            placed.create.as_deref(),
            text,
        )
            .into_lua_multi(&self.lua)?;
        if let Source::Path(path) = &placed.source {
            for step in path.steps() {
                self.push_step(step, &mut args)?;
            }
        }
        let old = self.core.place.call(args)?;
        self.release(&old)
    }

    /// Tells a wrapper that it is done with, if there is one.
    fn release(&self, wrapper: &LuaValue) -> mlua::Result<()> {
        if wrapper.is_nil() { Ok(()) } else { self.call(&self.core.release, wrapper) }
    }

    /// A step as `lua/walk.lua` has it: what it is and its name or index.
    fn push_step(&self, step: &Step, args: &mut MultiValue) -> mlua::Result<()> {
        let name = |name: &str| self.lua.create_string(name).map(LuaValue::String);
        let (what, with) = match step {
            Step::Field(field) => (1, name(field)?),
            Step::Index(index) => (2, LuaValue::Integer(i64::from(*index) + 1)),
            Step::Call(method) => (3, name(method)?),
            Step::CallWith(method) => (4, name(method)?),
            Step::Up => (5, LuaValue::Boolean(false)),
            Step::App => (6, LuaValue::Boolean(false)),
        };
        args.push_back(LuaValue::Integer(what));
        args.push_back(with);
        Ok(())
    }

    /// Reports come four by four: slot, what, payload, type.
    fn read_reports(&mut self, reports: &Table, size: usize, seen: &mut Vec<Seen>) {
        let get = |at: usize| reports.raw_get::<LuaValue>(at).unwrap_or(LuaValue::Nil);
        for at in (1..=size).step_by(4) {
            let Some(slot) = get(at).as_u32().map(Slot) else { continue };
            let payload = get(at + 2);
            let type_name = match get(at + 3) {
                LuaValue::String(name) => Some(self.intern(&name.to_string_lossy())),
                _ => None,
            };
            let (value, error) = match get(at + 1).as_i64() {
                Some(0) => (Some(scalar(&payload)), None),
                Some(1) => (payload.as_u64().map(|id| Value::Object(ObjId(id))), None),
                Some(2) => (payload.as_table().map(array), None),
                Some(3) => (None, payload.as_table().map(|table| self.failure(table))),
                _ => (None, None),
            };
            seen.push(Seen { slot, value, type_name, error });
        }
    }

    /// An error of reading: code, text, traceback. Noted here, since each is reported once.
    fn failure(&self, report: &Table) -> Failure {
        let text = |at: usize| report.raw_get::<String>(at).unwrap_or_default();
        let (code, message, traceback) = (text(1), text(2), text(3));
        if code != Code::Limit.as_str() {
            // A limit was noted when it ended the walk.
            self.shared.report(&LuaFault { message: message.clone(), traceback, limit: None });
        }
        let code = match code.as_str() {
            "limit" => Code::Limit,
            "not-found" => Code::NotFound,
            _ => Code::LuaError,
        };
        Failure::new(code, message)
    }

    /// A field or element on the wire: tables are references.
    fn element(&self, value: &LuaValue) -> Value {
        match value {
            LuaValue::Table(table) => self
                .core
                .id_of
                .call::<u64>(table)
                .map_or(Value::Null, |id| Value::Object(ObjId(id))),
            other => scalar(other),
        }
    }

    fn alive(&self, id: ObjId) -> Option<Table> {
        self.core.objects.raw_get::<Option<Table>>(id.0).ok().flatten()
    }

    /// What a browser wrote, as Lua has it.
    fn lua_value(&self, value: &Value) -> Result<LuaValue, Failure> {
        let ours = |error: mlua::Error| {
            let fault = LuaFault::of(&error);
            Failure::new(code(&fault), fault.message)
        };
        Ok(match value {
            Value::Null => LuaValue::Nil,
            Value::Bool(flag) => LuaValue::Boolean(*flag),
            Value::Int(number) => LuaValue::Integer(*number),
            Value::Float(number) => LuaValue::Number(*number),
            Value::Text(text) => LuaValue::String(self.lua.create_string(&**text).map_err(ours)?),
            Value::Object(id) => match self.alive(*id) {
                Some(table) => LuaValue::Table(table),
                None => return Err(Failure::new(Code::NotFound, format!("no object {id}"))),
            },
            Value::Array(items) => {
                let table = self.lua.create_table_with_capacity(items.len(), 0).map_err(ours)?;
                for (at, item) in items.iter().enumerate() {
                    table.raw_set(at + 1, self.lua_value(item)?).map_err(ours)?;
                }
                LuaValue::Table(table)
            }
            Value::Record(fields) => {
                let table = self.lua.create_table_with_capacity(0, fields.len()).map_err(ours)?;
                for (name, field) in fields {
                    table.raw_set(&**name, self.lua_value(field)?).map_err(ours)?;
                }
                LuaValue::Table(table)
            }
        })
    }

    fn intern(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.types.get(name) {
            return Arc::clone(known);
        }
        if self.types.len() == MOST_TYPES {
            self.types.clear();
        }
        let shared: Arc<str> = name.into();
        self.types.insert(name.into(), Arc::clone(&shared));
        shared
    }
}

/// A value that is no table.
fn scalar(value: &LuaValue) -> Value {
    match value {
        LuaValue::Boolean(flag) => Value::Bool(*flag),
        LuaValue::Integer(number) => Value::Int(*number),
        LuaValue::Number(number) => Value::number(*number),
        LuaValue::String(text) => Value::text(text.to_string_lossy()),
        _ => Value::Null,
    }
}

/// The elements of an array: ids where they are tables, else the values.
fn array(report: &Table) -> Value {
    let (Ok(ids), Ok(values)) = (report.raw_get::<Table>(1), report.raw_get::<Table>(2)) else {
        return Value::Null;
    };
    let count = ids.raw_get::<usize>("n").unwrap_or(0);
    Value::array((1..=count).map(|at| match ids.raw_get::<Option<u64>>(at) {
        Ok(Some(id)) => Value::Object(ObjId(id)),
        _ => scalar(&values.raw_get(at).unwrap_or(LuaValue::Nil)),
    }))
}

/// What `lua/walk.lua` refused to write.
fn refusal(code: &str, text: &str) -> Failure {
    match code {
        "not-found" if text.is_empty() => {
            Failure::new(Code::NotFound, "no such method in the object")
        }
        "not-found" => Failure::new(Code::NotFound, format!("no such method in `{text}`")),
        "bad-access" => Failure::new(Code::BadAccess, "a method cannot be assigned"),
        _ => Failure::new(Code::PathFailure, format!("{text} on the way, where a table is needed")),
    }
}
