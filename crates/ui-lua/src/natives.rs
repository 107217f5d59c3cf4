//! What `session`, `mcp` and `ui` rest on: timers, requests to the engine, modules, events, JSON.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mlua::{IntoLua, IntoLuaMulti, Lua, LuaString, MultiValue, Result, Table, Value};
use serde_json::{Map, Value as Json};
use ui_core::VarId;
use ui_core::world::Request;

use crate::fault::LuaFault;
use crate::host::{Host, Level, Stream};
use crate::json::{self, Writer};
use crate::sandbox::{no, yes};
use crate::timers::Timers;

/// The longest text that `ui.json_decode` reads.
const MAX_DECODE: usize = 16 << 20;
/// How many requests to the engine may wait.
const MOST_REQUESTS: usize = 100_000;
/// Methods of the protocol, which an event may not be mistaken for.
const RESERVED: [&str; 9] = [
    "initialize",
    "tools/",
    "resources/",
    "prompts/",
    "ping",
    "notifications/",
    "completion/",
    "logging/",
    "sampling/",
];

/// What the functions inside the VM share with its owner.
pub(crate) struct Shared {
    pub(crate) host: Arc<dyn Host>,
    pub(crate) timers: Mutex<Timers>,
    pub(crate) requests: Mutex<Vec<Request>>,
}

impl Shared {
    pub(crate) fn new(host: Arc<dyn Host>) -> Self {
        Self { host, timers: Mutex::default(), requests: Mutex::default() }
    }

    /// Keeps a request for the engine. They lie outside the VM's memory, so they are counted.
    fn request(&self, request: Request) -> Result<()> {
        let mut requests = lock(&self.requests);
        if requests.len() == MOST_REQUESTS {
            let text = "too many variables are made, changed or destroyed at once";
            return Err(mlua::Error::RuntimeError(text.to_owned()));
        }
        requests.push(request);
        Ok(())
    }

    /// Writes an error that ended something to `lua-err.log`, one entry, and says so in the log.
    pub(crate) fn report(&self, fault: &LuaFault) {
        self.host.write(Stream::Err, format!("{}\n", fault.full()).as_bytes());
        self.host.log(Level::Warn, &fault.message);
    }
}

/// A lock that cannot be poisoned: what it guards is whole after each line.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Puts the function of this name into `native`, with those that are used along with it.
pub(crate) fn install(lua: &Lua, native: &Table, shared: &Arc<Shared>, name: &str) -> Result<()> {
    match name {
        "timer" | "clear_timer" => timers(lua, native, shared),
        "request_root" => root(lua, native, shared),
        "request_create" | "request_destroy" => variables(lua, native, shared),
        "request_property" | "request_note" => remarks(lua, native, shared),
        "explain" => {
            native.raw_set("explain", lua.create_function(|lua, fault| Ok(explain(lua, &fault)))?)
        }
        "report" | "log" => reports(lua, native, shared),
        "module" => modules(lua, native, shared),
        "notify" | "push_event" | "is_polled" | "wait_time" | "status" => {
            events(lua, native, shared)
        }
        "json_encode" | "json_decode" => json(lua, native),
        _ => Ok(()),
    }
}

fn timers(lua: &Lua, native: &Table, shared: &Arc<Shared>) -> Result<()> {
    let with = Arc::clone(shared);
    let timer = move |lua: &Lua, (ms, repeats): (f64, bool)| {
        let after = Duration::try_from_secs_f64(ms.max(0.0) / 1000.0).unwrap_or(Duration::MAX);
        match lock(&with.timers).set(with.host.elapsed(), after, repeats) {
            Some(handle) => handle.into_lua_multi(lua),
            None => (Value::Nil, "the session has too many timers").into_lua_multi(lua),
        }
    };
    native.raw_set("timer", lua.create_function(timer)?)?;
    let with = Arc::clone(shared);
    let clear = move |_: &Lua, handle: Value| {
        if let Some(handle) = handle.as_u64() {
            lock(&with.timers).clear(handle);
        }
        Ok(())
    };
    native.raw_set("clear_timer", lua.create_function(clear)?)
}

fn root(lua: &Lua, native: &Table, shared: &Arc<Shared>) -> Result<()> {
    let with = Arc::clone(shared);
    let root = move |_: &Lua, flat: Vec<LuaString>| {
        with.request(Request::Root { properties: pairs(&flat) })
    };
    native.raw_set("request_root", lua.create_function(root)?)
}

fn variables(lua: &Lua, native: &Table, shared: &Arc<Shared>) -> Result<()> {
    let with = Arc::clone(shared);
    let create = move |_: &Lua, (id, parent, flat): (i64, i64, Vec<LuaString>)| {
        let properties = pairs(&flat);
        with.request(Request::Create { id: VarId(id), parent: VarId(parent), properties })
    };
    native.raw_set("request_create", lua.create_function(create)?)?;
    let with = Arc::clone(shared);
    let destroy = move |_: &Lua, id: i64| with.request(Request::Destroy { id: VarId(id) });
    native.raw_set("request_destroy", lua.create_function(destroy)?)
}

fn remarks(lua: &Lua, native: &Table, shared: &Arc<Shared>) -> Result<()> {
    let with = Arc::clone(shared);
    let property = move |_: &Lua, (id, name, value): (i64, LuaString, LuaString)| {
        let (name, value) = (name.to_string_lossy(), value.to_string_lossy());
        with.request(Request::Property { id: VarId(id), name, value })
    };
    native.raw_set("request_property", lua.create_function(property)?)?;
    let with = Arc::clone(shared);
    let note = move |_: &Lua, (id, text): (i64, LuaString)| {
        with.request(Request::Note { id: VarId(id), text: text.to_string_lossy() })
    };
    native.raw_set("request_note", lua.create_function(note)?)
}

fn pairs(flat: &[LuaString]) -> Vec<(String, String)> {
    flat.chunks_exact(2)
        .map(|pair| (pair[0].to_string_lossy(), pair[1].to_string_lossy()))
        .collect()
}

fn explain(lua: &Lua, fault: &Value) -> (String, String) {
    let text = match fault {
        Value::String(text) => text.to_string_lossy(),
        Value::Error(error) => LuaFault::of(error).message,
        other => format!("(error object is a {} value)", other.type_name()),
    };
    let trace = lua.traceback(None, 1).map(|trace| trace.to_string_lossy()).unwrap_or_default();
    (text, crate::fault::tidy(trace.trim_start_matches("stack traceback:\n")))
}

fn reports(lua: &Lua, native: &Table, shared: &Arc<Shared>) -> Result<()> {
    let with = Arc::clone(shared);
    let report = move |_: &Lua, (message, traceback): (String, String)| {
        with.report(&LuaFault { message, traceback, limit: None });
        Ok(())
    };
    native.raw_set("report", lua.create_function(report)?)?;
    let with = Arc::clone(shared);
    let log = move |_: &Lua, (level, text): (LuaString, LuaString)| {
        let level = Level::named(&level.to_string_lossy()).unwrap_or(Level::Info);
        with.host.log(level, &text.to_string_lossy());
        Ok(())
    };
    native.raw_set("log", lua.create_function(log)?)
}

fn modules(lua: &Lua, native: &Table, shared: &Arc<Shared>) -> Result<()> {
    let with = Arc::clone(shared);
    let module = move |lua: &Lua, name: LuaString| {
        let name = name.to_string_lossy().replace('/', ".");
        let sound = |part: &str| {
            !part.is_empty()
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
        };
        if !name.split('.').all(sound) {
            return (Value::Nil, format!("bad module name `{name}`: names of letters, digits, `_` and `-`, joined by dots"))
                .into_lua_multi(lua);
        }
        if let Some(module) = with.host.module(&name) {
            return (module.file, lua.create_string(&module.text)?).into_lua_multi(lua);
        }
        let path = name.replace('.', "/");
        let text = format!(
            "module '{name}' not found: there is neither `lua/{path}.lua` nor `{path}.lua`"
        );
        (Value::Nil, text).into_lua_multi(lua)
    };
    native.raw_set("module", lua.create_function(module)?)
}

fn events(lua: &Lua, native: &Table, shared: &Arc<Shared>) -> Result<()> {
    let with = Arc::clone(shared);
    let notify =
        move |lua: &Lua, (method, params): (Value, Value)| notify(lua, &with, &method, &params);
    native.raw_set("notify", lua.create_function(notify)?)?;
    let with = Arc::clone(shared);
    let push = move |lua: &Lua, event: Value| match Writer::new().write(&event) {
        Ok(event) => {
            with.host.push_event(event);
            Ok(yes(Value::Nil))
        }
        Err(error) => no(lua, &error.to_string()),
    };
    native.raw_set("push_event", lua.create_function(push)?)?;
    let with = Arc::clone(shared);
    native.raw_set("is_polled", lua.create_function(move |_, ()| Ok(with.host.is_polled()))?)?;
    let with = Arc::clone(shared);
    native.raw_set(
        "wait_time",
        lua.create_function(move |_, ()| Ok(with.host.wait_time().as_secs_f64()))?,
    )?;
    let with = Arc::clone(shared);
    let status = move |lua: &Lua, ()| Ok(yes(json::to_lua(lua, &with.host.status())?));
    native.raw_set("status", lua.create_function(status)?)
}

fn notify(lua: &Lua, shared: &Shared, method: &Value, params: &Value) -> Result<MultiValue> {
    let Some(method) =
        method.as_string().map(LuaString::to_string_lossy).filter(|text| !text.is_empty())
    else {
        return no(lua, "`mcp.notify` needs the name of the event, a text that is not empty");
    };
    if let Some(reserved) = RESERVED.iter().find(|name| is_reserved(&method, name)) {
        return no(
            lua,
            &format!("`{method}` cannot be an event: `{reserved}` belongs to the protocol"),
        );
    }
    let params = match params {
        Value::Nil => Json::Object(Map::new()),
        Value::Table(_) => match Writer::new().write(params) {
            Ok(Json::Array(items)) => {
                Json::Object(Map::from_iter([("items".to_owned(), Json::Array(items))]))
            }
            Ok(params) => params,
            Err(error) => return no(lua, &error.to_string()),
        },
        other => {
            return no(
                lua,
                &format!("the params of `mcp.notify` must be a table, got {}", other.type_name()),
            );
        }
    };
    shared.host.notify(&method, params);
    Ok(yes(Value::Nil))
}

/// Whether `method` is the reserved name, or lies in the reserved folder.
fn is_reserved(method: &str, name: &str) -> bool {
    method == name || (name.ends_with('/') && method.starts_with(name))
}

fn json(lua: &Lua, native: &Table) -> Result<()> {
    let encode = |lua: &Lua, value: Value| match Writer::new().write(&value) {
        Ok(json) => Ok(yes(json.to_string().into_lua(lua)?)),
        Err(error) => no(lua, &error.to_string()),
    };
    native.raw_set("json_encode", lua.create_function(encode)?)?;
    let decode = |lua: &Lua, text: Value| {
        let Value::String(text) = &text else {
            return (Value::Nil, format!("a text is needed, got {}", text.type_name()))
                .into_lua_multi(lua);
        };
        if text.as_bytes().len() > MAX_DECODE {
            return (Value::Nil, "the text is longer than 16 MB").into_lua_multi(lua);
        }
        match serde_json::from_slice::<Json>(&text.as_bytes()) {
            Ok(json) => json::to_lua(lua, &json)?.into_lua_multi(lua),
            Err(error) => (Value::Nil, error.to_string()).into_lua_multi(lua),
        }
    };
    native.raw_set("json_decode", lua.create_function(decode)?)
}
