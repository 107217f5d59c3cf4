//! The hook by which a program is held to its time: called every thousand instructions, in whatever coroutine runs.
//!
//! Set on Lua's own interface, because of what happens when the time is over while a function of C waits for the code that runs (`table.sort`,
//! `gsub`): no coroutine can be left then, so an error has to be raised. mlua's hook empties the stack of the interrupted function
//! first, which closes its to-be-closed variables while hooks are off: an endless `__close` would hold the thread for ever.
//! Raised from here, the error goes its usual way; variables are closed where it is caught, with hooks on.
#![expect(unsafe_code, reason = "mlua's hook runs code of the user without a hook; see above")]

use std::ffi::{CStr, c_int, c_void};
use std::sync::Arc;

use mlua::Lua;
use mlua::ffi::{self, lua_Debug, lua_State};

use crate::limits::Meter;

/// Instructions between two looks at the clock: some microseconds.
const INSTRUCTIONS_PER_LOOK: c_int = 1000;
/// Functions of ours that user code may have called, one above the other.
const DEEPEST: c_int = 50;

/// Its address is the name of the meter in Lua's registry.
static KEY: u8 = 0;

/// Makes every thread of `lua` that is created from now on look at `meter` now and then.
pub(crate) fn install(lua: &Lua, meter: Arc<Meter>) -> mlua::Result<()> {
    let place = Arc::as_ptr(&meter).cast_mut().cast::<c_void>();
    // It lives as long as the state does, and with it the place that the registry knows.
    lua.set_app_data(meter);
    // SAFETY: a light userdata is put into the registry, which may fail for want of memory, and is caught; then a hook is set.
    unsafe {
        lua.exec_raw::<()>((), |state| {
            ffi::lua_pushlightuserdata(state, place);
            ffi::lua_rawsetp(state, ffi::LUA_REGISTRYINDEX, (&raw const KEY).cast());
        })?;
        lua.exec_raw::<()>((), |state| {
            // On the thread that others inherit it from.
            ffi::lua_rawgeti(state, ffi::LUA_REGISTRYINDEX, ffi::LUA_RIDX_MAINTHREAD);
            let main = ffi::lua_tothread(state, -1);
            ffi::lua_settop(state, 0);
            for thread in [main, state] {
                ffi::lua_sethook(thread, Some(look), ffi::LUA_MASKCOUNT, INSTRUCTIONS_PER_LOOK);
            }
        })
    }
}

unsafe extern "C-unwind" fn look(state: *mut lua_State, _: *mut lua_Debug) {
    // SAFETY: Lua gives a hook twenty places on the stack. Nothing here is to be dropped when the error leaves this function.
    unsafe {
        if !is_over(state) {
            return;
        }
        if ffi::lua_isyieldable(state) != 0 {
            // Left for good: whoever has resumed it sees that the limit was passed.
            ffi::lua_yield(state, 0);
            return;
        }
        // The meter has the message.
        ffi::lua_pushstring(state, c"limit exceeded".as_ptr());
        ffi::lua_error(state);
    }
}

/// Whether the entry must end; notes where it was.
unsafe fn is_over(state: *mut lua_State) -> bool {
    // SAFETY: what is in the registry is the meter, which outlives the state; only shared references to it are made.
    unsafe {
        ffi::lua_rawgetp(state, ffi::LUA_REGISTRYINDEX, (&raw const KEY).cast());
        let meter = ffi::lua_touserdata(state, -1).cast::<Meter>();
        ffi::lua_settop(state, -2);
        let Some(meter) = meter.as_ref() else { return false };
        if !meter.is_over() {
            return false;
        }
        meter.locate(|| place(state));
    }
    true
}

/// Where user code is, past the functions of ours that it has called.
unsafe fn place(state: *mut lua_State) -> Option<String> {
    // SAFETY: `lua_getinfo` fills what it is asked for, of a level that is there; the name ends with a zero.
    unsafe {
        for level in 0..DEEPEST {
            let mut about = std::mem::zeroed::<lua_Debug>();
            if ffi::lua_getstack(state, level, &raw mut about) == 0 {
                return None;
            }
            ffi::lua_getinfo(state, c"Sl".as_ptr(), &raw mut about);
            let source = CStr::from_ptr(about.short_src.as_ptr()).to_string_lossy();
            if about.currentline > 0 && source != "?" {
                return Some(format!("{source}:{}", about.currentline));
            }
        }
    }
    None
}
