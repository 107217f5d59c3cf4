//! One session's Lua: what its owner may ask of it.
//!
//! [`Vm::new`] makes it, [`Vm::run_main`], [`Vm::run`], [`Vm::reload`] and [`Vm::run_due`] run code in it, and the engine reads and
//! writes its objects through [`World`](ui_core::World) (`world.rs`). Each of these is one *entry*: it has a time limit, and
//! whatever goes wrong in it, the VM answers the next.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use mlua::chunk::ChunkMode;
use mlua::state::{GcIncParams, GcMode};
use mlua::{
    FromLuaMulti, Function, IntoLuaMulti, Lua, LuaOptions, MultiValue, StdLib, Table, Thread, Value,
};
use serde_json::Value as Json;

use crate::fault::LuaFault;
use crate::hook;
use crate::host::Host;
use crate::json::Writer;
use crate::limits::{Limits, Meter};
use crate::natives::{Shared, lock};
use crate::sandbox::{self, Builtin};
use crate::scan;

/// Lua's own libraries that the sandbox starts from.
const LIBRARIES: [StdLib; 6] =
    [StdLib::COROUTINE, StdLib::TABLE, StdLib::STRING, StdLib::UTF8, StdLib::MATH, StdLib::OS];
/// What an entry may always allocate, so that a VM that is full can still be told to let something go.
const HEADROOM: usize = 1 << 20;

/// How much a VM may hold, in percent of what is not garbage, before it collects. Many sessions lie idle, each with its garbage.
const PAUSE: i32 = 130;

static PARTS: [Builtin; 4] = [
    Builtin::new(include_str!("lua/objects.lua")),
    Builtin::new(include_str!("lua/session.lua")),
    Builtin::new(include_str!("lua/walk.lua")),
    Builtin::new(include_str!("lua/mcp.lua")),
];

/// One session's Lua. May move between threads; one piece of work enters at a time.
pub struct Vm {
    pub(crate) lua: Lua,
    pub(crate) core: Core,
    pub(crate) limits: Limits,
    pub(crate) shared: Arc<Shared>,
    /// Names of types, each once.
    pub(crate) types: BTreeMap<Box<str>, Arc<str>>,
    meter: Arc<Meter>,
    /// A coroutine that has ended, for the next call to run in.
    idle: Cell<Option<Thread>>,
}

/// The functions and tables of our Lua parts that are called from here.
pub(crate) struct Core {
    pub(crate) place: Function,
    pub(crate) property: Function,
    pub(crate) live: Function,
    pub(crate) remove: Function,
    pub(crate) release: Function,
    pub(crate) refuse: Function,
    pub(crate) walk: Function,
    pub(crate) write: Function,
    pub(crate) state: Function,
    pub(crate) id_of: Function,
    pub(crate) is_array: Function,
    pub(crate) objects: Table,
    enter: Function,
    fire: Function,
    mutate: Function,
    report: Function,
    run_file: Function,
    files: Table,
    /// What all parts share, for those that are loaded when they are needed.
    pub(crate) shared: Table,
}

impl Vm {
    /// A fresh session: globals are there, nothing has run, `mcp` is the root.
    pub fn new(host: Arc<dyn Host>, limits: Limits) -> Result<Self, LuaFault> {
        let meter = Arc::new(Meter::new(Arc::clone(&host), limits.memory));
        let shared = Arc::new(Shared::new(host));
        build(&shared, &meter, limits)
            .map(|(lua, core)| Self {
                lua,
                core,
                limits,
                shared,
                types: BTreeMap::new(),
                meter,
                idle: Cell::new(None),
            })
            .map_err(|error| LuaFault::of(&error))
    }

    /// Runs the file that a session starts with. `file` is its name in messages and for [`reload`](Self::reload).
    pub fn run_main(&mut self, file: &str, text: &[u8]) -> Result<(), LuaFault> {
        let result = self.run_file(file, text, false);
        self.reported(result)
    }

    /// Runs the text of a file that changed, if the session has loaded that file: whether it has.
    ///
    /// The file sees `session.reloading`; afterwards prototypes that were declared anew reach their instances.
    pub fn reload(&mut self, file: &str, text: &[u8]) -> Result<bool, LuaFault> {
        if matches!(self.core.files.raw_get::<Value>(file), Ok(Value::Nil) | Err(_)) {
            return Ok(false);
        }
        let result = self.run_file(file, text, true);
        self.reported(result).map(|()| true)
    }

    /// Runs a chunk of code and answers its first result as JSON: `ui_run`.
    pub fn run(&mut self, code: &[u8]) -> Result<Json, LuaFault> {
        let value = self.enter(self.limits.run, |vm| {
            let chunk = vm.lua.load(code).set_name("=ui_run").set_mode(ChunkMode::Text);
            let value = vm.call::<Value>(&chunk.into_function()?, ())?;
            vm.call::<()>(&vm.core.mutate, &vm.core.report)?;
            Ok(value)
        })?;
        Writer::new().write(&value).map_err(|error| LuaFault::new(error.to_string()))
    }

    /// When the next timer is due, by the host's clock.
    pub fn next_timer(&self) -> Option<Duration> {
        lock(&self.shared.timers).next()
    }

    /// Runs one timer that is due at `now`; nothing if none is.
    pub fn run_timer(&mut self, now: Duration) -> Option<Result<(), LuaFault>> {
        let due = lock(&self.shared.timers).take(now)?;
        let result = self
            .enter(self.limits.action, |vm| vm.call::<()>(&vm.core.fire, (due.handle, due.again)));
        Some(self.reported(result))
    }

    /// Runs the timers that are due at `now`, each as an entry of its own. What went wrong in them is in `lua-err.log` already.
    pub fn run_due(&mut self, now: Duration) -> Vec<LuaFault> {
        // Those that they set for at once wait for the next turn.
        let count = lock(&self.shared.timers).due_at(now);
        (0..count).filter_map(|_| self.run_timer(now)?.err()).collect()
    }

    /// Bytes that the VM holds.
    pub fn memory(&self) -> usize {
        self.lua.used_memory()
    }

    /// Collects what nobody holds. For a session at rest.
    pub fn collect(&mut self) {
        let _only_finalizers_fail = self.lua.gc_collect();
    }

    fn run_file(&mut self, file: &str, text: &[u8], again: bool) -> Result<(), LuaFault> {
        self.enter(self.limits.run, |vm| {
            let text = vm.lua.create_string(text)?;
            vm.call::<()>(&vm.core.run_file, (file, text, again))?;
            vm.call::<()>(&vm.core.mutate, &vm.core.report)
        })
    }

    /// One entry: `work` under the limits, for at most `time`.
    pub(crate) fn enter<R>(
        &self,
        time: Duration,
        work: impl FnOnce(&Self) -> mlua::Result<R>,
    ) -> Result<R, LuaFault> {
        self.make_room();
        self.meter.start(time);
        let result = work(self);
        let exceeded = self.meter.finish();
        let fault = match (result, exceeded) {
            (Ok(value), None) => return Ok(value),
            (Ok(_), Some((what, message))) => {
                LuaFault { limit: Some(what), ..LuaFault::new(message) }
            }
            (Err(error), Some((what, message))) => {
                LuaFault { message, limit: Some(what), ..LuaFault::of(&error) }
            }
            (Err(error), None) => {
                let fault = LuaFault::of(&error);
                match fault.limit {
                    Some(what) => LuaFault { message: self.meter.message(what), ..fault },
                    None => fault,
                }
            }
        };
        if fault.limit.is_some() {
            let _only_finalizers_fail = self.lua.gc_collect();
        }
        Err(fault)
    }

    /// Calls what may run code of the user: in a coroutine of its own, which the hook can leave.
    pub(crate) fn call<R: FromLuaMulti>(
        &self,
        function: &Function,
        args: impl IntoLuaMulti,
    ) -> mlua::Result<R> {
        let thread = self.thread()?;
        let mut args = args.into_lua_multi(&self.lua)?;
        args.push_front(Value::Function(function.clone()));
        let mut results = thread.resume::<MultiValue>(args)?;
        // One that the hook has left is dropped: what it has to close would be closed without hooks.
        if thread.is_finished() {
            self.idle.set(Some(thread));
        }
        match (results.pop_front(), results.front()) {
            (Some(Value::Boolean(true)), _) => R::from_lua_multi(results, &self.lua),
            (Some(_), Some(Value::Table(fault))) => {
                let text = |at: usize| fault.raw_get::<String>(at).unwrap_or_default();
                Err(mlua::Error::RuntimeError(format!(
                    "{}\nstack traceback:\n{}",
                    text(1),
                    text(2)
                )))
            }
            (Some(_), Some(Value::Error(error))) => Err((**error).clone()),
            (Some(_), Some(Value::String(text))) => {
                Err(mlua::Error::RuntimeError(text.to_string_lossy()))
            }
            // The hook has left it.
            _ => Err(mlua::Error::RuntimeError("limit exceeded".to_owned())),
        }
    }

    fn thread(&self) -> mlua::Result<Thread> {
        let enter = &self.core.enter;
        match self.idle.take() {
            Some(idle) if idle.reset(enter.clone()).is_ok() => Ok(idle),
            _ => self.lua.create_thread(enter.clone()),
        }
    }

    /// Sets the memory limit for the next entry: a little above what is there, if it is full already.
    fn make_room(&self) {
        let used = self.lua.used_memory();
        let limit = self.limits.memory;
        let room =
            if used + HEADROOM <= limit { limit } else { (used + HEADROOM).min(limit + limit / 4) };
        let _always_ours = self.lua.set_memory_limit(room);
    }

    /// Writes what went wrong to `lua-err.log`.
    pub(crate) fn reported<R>(&self, result: Result<R, LuaFault>) -> Result<R, LuaFault> {
        result.inspect_err(|fault| self.shared.report(fault))
    }
}

fn build(shared: &Arc<Shared>, meter: &Arc<Meter>, limits: Limits) -> mlua::Result<(Lua, Core)> {
    let libraries = LIBRARIES.into_iter().fold(StdLib::NONE, |all, library| all | library);
    let lua = Lua::new_with(libraries, LuaOptions::default())?;
    let native = sandbox::install(&lua, shared, meter)?;
    scan::install(&lua, &native)?;
    let core = lua.create_table()?;
    for part in &PARTS {
        part.load(&lua)?.call::<()>((&native, &core))?;
    }
    let core = Core {
        place: core.get("place")?,
        property: core.get("property")?,
        live: core.get("live")?,
        remove: core.get("remove")?,
        release: core.get("release")?,
        refuse: core.get("refuse")?,
        walk: core.get("walk")?,
        write: core.get("write")?,
        state: core.get("state")?,
        id_of: core.get("id_of")?,
        is_array: core.get("is_array")?,
        objects: core.get("objects")?,
        enter: core.get("enter")?,
        fire: core.get("fire")?,
        mutate: core.get("mutate")?,
        report: core.get("report")?,
        run_file: core.get("run_file")?,
        files: core.get("files")?,
        shared: core,
    };
    hook::install(&lua, Arc::clone(meter))?;
    lua.gc_set_mode(GcMode::Incremental(GcIncParams::default().pause(PAUSE)));
    lua.gc_collect()?;
    lua.set_memory_limit(limits.memory)?;
    Ok((lua, core))
}
