//! The libraries that user code sees, and our functions in Rust that they rest on.
//!
//! `lua/sandbox.lua` does the closing and bounding and says why for each; [`install`] gives it the functions that Lua cannot have of itself.

use std::sync::{Arc, OnceLock};
use std::time::UNIX_EPOCH;

use mlua::chunk::ChunkMode;
use mlua::{Function, IntoLua, Lua, LuaString, MultiValue, Result, Table, Value};

use crate::fault::{LuaFault, limit_in};
use crate::files;
use crate::host::{Host, Stream};
use crate::limits::Meter;
use crate::pattern;

/// A part of the VM that is written in Lua. Compiled once in a process; each VM loads the compiled form.
pub(crate) struct Builtin {
    pub(crate) source: &'static str,
    compiled: OnceLock<Vec<u8>>,
}

impl Builtin {
    pub(crate) const fn new(source: &'static str) -> Self {
        Self { source, compiled: OnceLock::new() }
    }

    /// The chunk as a function. Without names of lines and locals, so that tracebacks show user code alone.
    pub(crate) fn load(&self, lua: &Lua) -> Result<Function> {
        let compiled = if let Some(compiled) = self.compiled.get() {
            compiled
        } else {
            let function = lua.load(self.source).set_name("=tandem").into_function()?;
            self.compiled.get_or_init(|| function.dump(true))
        };
        lua.load(&compiled[..]).set_name("=tandem").set_mode(ChunkMode::Binary).into_function()
    }
}

/// What is loaded when a session first uses it.
static LATE: [Builtin; 3] = [
    Builtin::new(include_str!("lua/late/sandbox.lua")),
    Builtin::new(include_str!("lua/late/session.lua")),
    Builtin::new(include_str!("lua/late/lists.lua")),
];

/// The part that has the function with this name, as `late` of `lua/sandbox.lua` asks for it.
fn late(name: &str) -> &'static Builtin {
    match name {
        "lists" => &LATE[2],
        "show" | "redeclare" | "mutate" | "fire" => &LATE[1],
        name if name.starts_with("session.") => &LATE[1],
        _ => &LATE[0],
    }
}

static SANDBOX: Builtin = Builtin::new(include_str!("lua/sandbox.lua"));

/// Closes and bounds the libraries of a fresh VM. Answers `native`, to which other parts add their functions.
pub(crate) fn install(lua: &Lua, host: &Arc<dyn Host>, meter: &Arc<Meter>) -> Result<Table> {
    let native = lua.create_table()?;
    limits(lua, &native, meter)?;
    pattern::install(lua, &native, meter)?;
    world(lua, &native, host)?;
    let part = |lua: &Lua, name: LuaString| late(&name.to_string_lossy()).load(lua);
    native.set("part", lua.create_function(part)?)?;
    SANDBOX.load(lua)?.call::<()>(&native)?;
    files::install(lua, host, meter)?;
    Ok(native)
}

fn limits(lua: &Lua, native: &Table, meter: &Arc<Meter>) -> Result<()> {
    let with = Arc::clone(meter);
    let sticky = move |_: &Lua, fault: Value| Ok(is_sticky(&fault, &with));
    native.set("sticky", lua.create_function(sticky)?)?;
    let describe = |_: &Lua, fault: Value| Ok(describe(&fault));
    native.set("describe", lua.create_function(describe)?)?;
    let with = Arc::clone(meter);
    let collect = move |lua: &Lua, option: Value| collect(lua, &option, &with);
    native.set("collect", lua.create_function(collect)?)
}

/// Whether an error that was caught ends the entry all the same.
fn is_sticky(fault: &Value, meter: &Meter) -> bool {
    let limit = match fault {
        Value::String(text) => text.to_str().ok().and_then(|text| limit_in(&text)),
        Value::Error(error) => LuaFault::of(error).limit,
        _ => None,
    };
    if let Some(limit) = limit {
        meter.exceed(limit);
        if let Value::String(text) = fault {
            // `lua/main.lua:3: stack overflow`
            meter.locate(|| {
                text.to_string_lossy().rsplit_once(": ").map(|(place, _)| place.to_owned())
            });
        }
    }
    meter.exceeded().is_some()
}

fn describe(fault: &Value) -> String {
    match fault {
        Value::Error(error) => LuaFault::of(error).message,
        other => format!("(error object is a {} value)", other.type_name()),
    }
}

/// `collectgarbage`: what it tells and what it collects; it cannot be switched off.
fn collect(lua: &Lua, option: &Value, meter: &Meter) -> Result<MultiValue> {
    let option = match option {
        Value::Nil => "collect".to_owned(),
        other => other.as_string().map(LuaString::to_string_lossy).unwrap_or_default(),
    };
    let answer = match option.as_str() {
        "collect" | "step" => {
            // One call takes long in a full VM, so a loop of them has to be seen.
            if meter.is_over() {
                return no(lua, "limit exceeded");
            }
            if option == "collect" {
                lua.gc_collect()?;
                Value::Integer(0)
            } else {
                Value::Boolean(lua.gc_step()?)
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "kilobytes of a VM are far below 2^52")]
        "count" => Value::Number(lua.used_memory() as f64 / 1024.0),
        "isrunning" => Value::Boolean(true),
        "stop" | "restart" | "setpause" | "setstepmul" | "generational" | "incremental" => {
            Value::Integer(0)
        }
        _ => return no(lua, "bad argument #1 to 'collectgarbage' (invalid option)"),
    };
    Ok(MultiValue::from_iter([Value::Boolean(true), answer]))
}

fn world(lua: &Lua, native: &Table, host: &Arc<dyn Host>) -> Result<()> {
    let with = Arc::clone(host);
    let write = move |_: &Lua, (stream, text): (i64, LuaString)| {
        with.write(if stream == 2 { Stream::Err } else { Stream::Out }, &text.as_bytes());
        Ok(())
    };
    native.set("write", lua.create_function(write)?)?;
    let with = Arc::clone(host);
    let now = move |_: &Lua, ()| {
        Ok(with.now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()))
    };
    native.set("now", lua.create_function(now)?)?;
    let (with, start) = (Arc::clone(host), host.elapsed());
    let elapsed = move |_: &Lua, ()| Ok(with.elapsed().saturating_sub(start).as_secs_f64());
    native.set("elapsed", lua.create_function(elapsed)?)
}

/// A refusal for the sandbox to raise.
pub(crate) fn no(lua: &Lua, message: &str) -> Result<MultiValue> {
    Ok(MultiValue::from_iter([Value::Boolean(false), message.into_lua(lua)?]))
}

/// Results for the sandbox to hand on.
pub(crate) fn yes(value: Value) -> MultiValue {
    MultiValue::from_iter([Value::Boolean(true), value])
}
