//! The libraries that user code sees, and our functions in Rust that they rest on.
//!
//! `lua/sandbox.lua` does the closing and bounding and says why for each; [`install`] gives it the functions that Lua cannot have of itself.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, UNIX_EPOCH};

use mlua::chunk::ChunkMode;
use mlua::{Function, IntoLua, Lua, LuaString, MultiValue, Result, Table, Value};

use crate::fault::{LuaFault, limit_in};
use crate::files;
use crate::host::{Host, Stream};
use crate::limits::Meter;
use crate::natives::{self, Shared};
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

static SANDBOX_LATE: Builtin = Builtin::new(include_str!("lua/late/sandbox.lua"));
static STRINGS: Builtin = Builtin::new(include_str!("lua/late/strings.lua"));
static TABLES: Builtin = Builtin::new(include_str!("lua/late/tables.lua"));
static OUTPUT: Builtin = Builtin::new(include_str!("lua/late/output.lua"));
static SESSION: Builtin = Builtin::new(include_str!("lua/late/session.lua"));
static WRAPPERS: Builtin = Builtin::new(include_str!("lua/late/wrappers.lua"));
static LISTS: Builtin = Builtin::new(include_str!("lua/late/lists.lua"));
static MCP: Builtin = Builtin::new(include_str!("lua/late/mcp.lua"));

/// The part that has the function of this name, as `late` of `lua/sandbox.lua` asks for it when a session first uses one.
fn late(name: &str) -> &'static Builtin {
    match name {
        "find" | "match" | "gsub" | "gmatch" | "rep" => &STRINGS,
        "concat" | "move" | "remove" | "sort" => &TABLES,
        "print" | "file" | "file_text" | "write" | "read" | "io_type" | "clock" | "time"
        | "date" | "collectgarbage" => &OUTPUT,
        "refresh" | "refresh_list" | "make" | "release" => &WRAPPERS,
        "lists" => &LISTS,
        "notify" | "pushState" | "status" | "pollingEvents" | "waitTime" | "json_encode"
        | "json_decode" | "register" | "diag" => &MCP,
        "xpcall" | "load" | "loadstring" | "create" | "wrap" | "resume" | "close" | "yield"
        | "running" | "isyieldable" => &SANDBOX_LATE,
        _ => &SESSION,
    }
}

static SANDBOX: Builtin = Builtin::new(include_str!("lua/sandbox.lua"));

/// Closes and bounds the libraries of a fresh VM. Answers `native`, our functions in Rust.
pub(crate) fn install(lua: &Lua, shared: &Arc<Shared>, meter: &Arc<Meter>) -> Result<Table> {
    let native = lua.create_table()?;
    let part = |lua: &Lua, name: LuaString| late(&name.to_string_lossy()).load(lua);
    native.raw_set("part", lua.create_function(part)?)?;
    let (with, limits, start) = (Arc::clone(shared), Arc::clone(meter), shared.host.elapsed());
    let supply = move |lua: &Lua, (native, name): (Table, LuaString)| {
        let known = name.to_str()?;
        limit_functions(lua, &native, &limits, &known)?;
        pattern::install(lua, &native, &limits, &known)?;
        world(lua, &native, &with.host, start, &known)?;
        natives::install(lua, &native, &with, &known)?;
        native.raw_get::<Value>(&name)
    };
    // Each is made when it is first asked for, since a session uses few of them.
    let meta = lua.create_table()?;
    meta.raw_set("__index", lua.create_function(supply)?)?;
    native.set_metatable(Some(meta))?;
    // An error may come when there is no room to make anything.
    for name in ["describe", "explain"] {
        native.get::<Value>(name)?;
    }
    SANDBOX.load(lua)?.call::<()>(&native)?;
    files::install(lua, &shared.host, meter)?;
    Ok(native)
}

fn limit_functions(lua: &Lua, native: &Table, meter: &Arc<Meter>, name: &str) -> Result<()> {
    let with = Arc::clone(meter);
    let function = match name {
        "sticky" => lua.create_function(move |_, fault: Value| Ok(is_sticky(&fault, &with)))?,
        "describe" => lua.create_function(|_, fault: Value| Ok(describe(&fault)))?,
        "collect" => lua.create_function(move |lua, option: Value| collect(lua, &option, &with))?,
        _ => return Ok(()),
    };
    native.raw_set(name, function)
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

fn world(
    lua: &Lua,
    native: &Table,
    host: &Arc<dyn Host>,
    start: Duration,
    name: &str,
) -> Result<()> {
    let with = Arc::clone(host);
    let function = match name {
        "write" => lua.create_function(move |_, (stream, text): (i64, LuaString)| {
            with.write(if stream == 2 { Stream::Err } else { Stream::Out }, &text.as_bytes());
            Ok(())
        })?,
        "now" => lua.create_function(move |_, ()| {
            Ok(with.now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()))
        })?,
        "elapsed" => lua
            .create_function(move |_, ()| Ok(with.elapsed().saturating_sub(start).as_secs_f64()))?,
        _ => return Ok(()),
    };
    native.raw_set(name, function)
}

/// A refusal for the sandbox to raise.
pub(crate) fn no(lua: &Lua, message: &str) -> Result<MultiValue> {
    Ok(MultiValue::from_iter([Value::Boolean(false), message.into_lua(lua)?]))
}

/// Results for the sandbox to hand on.
pub(crate) fn yes(value: Value) -> MultiValue {
    MultiValue::from_iter([Value::Boolean(true), value])
}
