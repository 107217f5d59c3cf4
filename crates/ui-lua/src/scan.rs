//! Finds the variables of a walk that have to be looked at: the one function of the VM that works on Lua's own stack.
//!
//! Nearly all variables are fields of tables, and nearly none of them has changed since the last walk. `scan` goes over a plan of them
//! and stops at the first for which something has to be done: it reads as something else than before, or reading it runs code of
//! the user (a getter, an `__index` that is a function). `lua/walk.lua` deals with that one and has `scan` go on behind it. So what is
//! the same costs some table accesses, no instruction of Lua and nothing of the time limit's hook.
//!
//! Start at [`install`]; [`unchanged`] is the rule. It must answer `false` whenever in doubt, which only costs time.
//!
//! **Why unsafe, and why it is sound.** A safe call of mlua costs more than the whole reading of a variable. The functions here use
//! only raw access: `rawget`, `rawgeti`, `rawequal`, `next`, `getmetatable`. None of these runs code of the user, allocates, collects or
//! raises, given a table where one is needed, which is checked. So nothing moves while they run, and pointers stay what they are. Nobody but
//! `lua/walk.lua` gets hold of them: arguments are of the kinds that it gives. The stack is used to a height of ten, within the twenty
//! places that a function of C is given. [`lay`] allocates once and has nothing to drop should that fail.
#![expect(unsafe_code, reason = "one safe call costs more than reading a variable; see above")]

use std::ffi::{c_int, c_void};

use mlua::ffi::{self, lua_State};
use mlua::{Lua, Result, Table};

/// What is placed, in the order of the walk; the memory of a userdata.
#[repr(C)]
#[derive(Clone, Copy)]
struct Entry {
    /// The index of an element, for [`INDEX`].
    index: i64,
    slot: u32,
    parent: u32,
    /// The last of those below, if they may be passed over while there is nothing to start from; else 0.
    last: u32,
    how: u8,
    /// Those below were visited while there was nothing to start from.
    hollow: bool,
}

// How an entry is read, as in `lua/walk.lua`.
const NONE: u8 = 0;
const FIELD: u8 = 1;
const INDEX: u8 = 2;
const STEPS: u8 = 4;
/// A step of a path that is no field: an element.
const TO_INDEX: i64 = 2;

// What `scan` carries along.
const NAV: c_int = ffi::lua_upvalueindex(1);
const SEEN: c_int = ffi::lua_upvalueindex(2);
const KEY: c_int = ffi::lua_upvalueindex(3);
const TYPE_NAME: c_int = ffi::lua_upvalueindex(4);
const ELEMENTS: c_int = ffi::lua_upvalueindex(5);
const PATHS: c_int = ffi::lua_upvalueindex(6);
const INDEX_NAME: c_int = ffi::lua_upvalueindex(7);
const TYPE: c_int = ffi::lua_upvalueindex(8);
const METATABLE: c_int = ffi::lua_upvalueindex(9);

/// Tables that inherit from each other further than this are left to Lua.
const DEEPEST: usize = 16;

/// Puts `lay` and `new_scan` into `native`.
///
/// `lay(count, order, hows, parent, key, skip)` makes a plan. `new_scan(nav, seen, key, type_name, elements, paths)` gives `scan(plan, at)`,
/// which answers the index of the first variable behind `at` (0: of all) that has to be looked at, or nil.
pub(crate) fn install(lua: &Lua, native: &Table) -> Result<()> {
    // SAFETY: both take what is said above, and are called by `lua/walk.lua` alone.
    unsafe {
        native.raw_set("lay", lua.create_c_function(lay)?)?;
        native.raw_set("new_scan", lua.create_c_function(new_scan)?)
    }
}

unsafe extern "C-unwind" fn new_scan(state: *mut lua_State) -> c_int {
    // SAFETY: six tables are on the stack, and there is room for three texts.
    unsafe {
        ffi::lua_settop(state, 6);
        for text in [c"__index", c"type", c"__metatable"] {
            ffi::lua_pushstring(state, text.as_ptr());
        }
        ffi::lua_pushcclosure(state, scan, 9);
    }
    1
}

unsafe extern "C-unwind" fn lay(state: *mut lua_State) -> c_int {
    // SAFETY: a number and five tables are on the stack; the userdata is as large as the entries that are written to it.
    unsafe {
        let count = usize::try_from(ffi::lua_tointegerx(state, 1, std::ptr::null_mut()));
        let count = count.unwrap_or(0);
        let memory = ffi::lua_newuserdatauv(state, count * size_of::<Entry>(), 0);
        let number = |table: c_int, at: i64| {
            ffi::lua_rawgeti(state, table, at);
            let number = ffi::lua_tointegerx(state, -1, std::ptr::null_mut());
            ffi::lua_settop(state, 7);
            number
        };
        let small = |table, at| u32::try_from(number(table, at)).unwrap_or(0);
        for (place, at) in (1_i64..).zip(0..count) {
            let slot = small(2, place);
            let how = u8::try_from(small(3, place)).unwrap_or(0);
            let entry = Entry {
                index: if how == INDEX { number(5, slot.into()) } else { 0 },
                slot,
                parent: small(4, slot.into()),
                last: small(6, place),
                how,
                hollow: false,
            };
            memory.cast::<Entry>().add(at).write(entry);
        }
    }
    1
}

unsafe extern "C-unwind" fn scan(state: *mut lua_State) -> c_int {
    // SAFETY: a plan and a number are on the stack. The entries are this call's alone: nobody else has the userdata's memory.
    unsafe {
        let memory: *mut c_void = ffi::lua_touserdata(state, 1);
        let count = ffi::lua_rawlen(state, 1) / size_of::<Entry>();
        let from = usize::try_from(ffi::lua_tointegerx(state, 2, std::ptr::null_mut()));
        if memory.is_null() {
            return 0;
        }
        let entries = std::slice::from_raw_parts_mut(memory.cast::<Entry>(), count);
        let mut types = Types::default();
        let mut at = match from.unwrap_or(0) {
            0 => 0,
            from if from <= count => behind(state, entries, from - 1),
            _ => count,
        };
        while at < count {
            if !unchanged(state, &entries[at], &mut types) {
                ffi::lua_settop(state, 2);
                ffi::lua_pushinteger(state, i64::try_from(at).map_or(i64::MAX, |at| at + 1));
                return 1;
            }
            ffi::lua_settop(state, 2);
            at = behind(state, entries, at);
        }
    }
    0
}

/// The entry to go on with. Those below one that has nothing to start from are visited once, to read as null, and then passed over.
unsafe fn behind(state: *mut lua_State, entries: &mut [Entry], at: usize) -> usize {
    let entry = &mut entries[at];
    if entry.last == 0 {
        return at + 1;
    }
    // SAFETY: `nav` is a table.
    let is_nil = unsafe {
        let kind = ffi::lua_rawgeti(state, NAV, entry.slot.into());
        ffi::lua_settop(state, 2);
        kind == ffi::LUA_TNIL
    };
    let pass_over = is_nil && entry.hollow;
    entry.hollow = is_nil;
    if pass_over { (entry.last as usize).max(at + 1) } else { at + 1 }
}

/// Whether reading the variable surely runs no code and surely gives what it gave the last time.
unsafe fn unchanged(state: *mut lua_State, entry: &Entry, types: &mut Types) -> bool {
    let slot = i64::from(entry.slot);
    // SAFETY: what carries is a table of ours each; what is indexed is checked to be one. At most ten places are taken.
    unsafe {
        if entry.how == NONE {
            return true;
        }
        if !matches!(entry.how, FIELD | INDEX | STEPS) || !read(state, entry) {
            return false;
        }
        // The value is on top now.
        ffi::lua_rawgeti(state, SEEN, slot);
        if ffi::lua_rawequal(state, -1, -2) == 0 {
            return false;
        }
        ffi::lua_settop(state, -2);
        if ffi::lua_type(state, -1) != ffi::LUA_TTABLE {
            return true;
        }
        // The same table: is what is shown of it the same as well?
        let value = ffi::lua_gettop(state);
        let elements = ffi::lua_rawgeti(state, ELEMENTS, slot);
        let kind = types.of(state, value);
        let same = match kind {
            Kind::Unsure => return false,
            // A typed table is no array.
            Kind::Named(_) => elements == ffi::LUA_TNIL,
            Kind::Nameless if elements == ffi::LUA_TTABLE => same_elements(state, value, value + 1),
            Kind::Nameless => !is_array(state, value),
        };
        if !same {
            return false;
        }
        // A wrapper stands for the value, with a type of its own.
        let shown = if ffi::lua_rawgeti(state, NAV, slot) == ffi::LUA_TTABLE
            && ffi::lua_rawequal(state, -1, value) == 0
        {
            types.of(state, ffi::lua_gettop(state))
        } else {
            kind
        };
        ffi::lua_rawgeti(state, TYPE_NAME, slot);
        match shown {
            Kind::Unsure => false,
            Kind::Nameless => ffi::lua_type(state, -1) == ffi::LUA_TNIL,
            Kind::Named(name) => ffi::lua_topointer(state, -1) == name,
        }
    }
}

/// Puts the value that the entry reads on the stack. Not if code of the user would have to run for it.
unsafe fn read(state: *mut lua_State, entry: &Entry) -> bool {
    let slot = i64::from(entry.slot);
    // SAFETY: as above.
    unsafe {
        if ffi::lua_rawgeti(state, NAV, entry.parent.into()) != ffi::LUA_TTABLE {
            // Nothing to start from, so the value is nil; that nil is on the stack.
            return ffi::lua_type(state, -1) == ffi::LUA_TNIL;
        }
        match entry.how {
            FIELD => {
                ffi::lua_rawgeti(state, KEY, slot);
                field(state)
            }
            INDEX => element(state, entry.index),
            _ => {
                if ffi::lua_rawgeti(state, PATHS, slot) != ffi::LUA_TTABLE {
                    return false;
                }
                ffi::lua_rotate(state, -2, 1);
                follow(state, ffi::lua_gettop(state) - 1)
            }
        }
    }
}

/// Follows a path of fields and elements, which lies at `path`, from the table on top, in whose place the value comes.
unsafe fn follow(state: *mut lua_State, path: c_int) -> bool {
    // SAFETY: as above; each turn leaves one value above the path.
    unsafe {
        for step in 0.. {
            let what = ffi::lua_rawgeti(state, path, 2 * step + 1);
            let to_index = ffi::lua_tointegerx(state, -1, std::ptr::null_mut()) == TO_INDEX;
            ffi::lua_settop(state, -2);
            if what == ffi::LUA_TNIL {
                return true;
            }
            if ffi::lua_type(state, -1) != ffi::LUA_TTABLE {
                // As in Lua: what is no table has no fields.
                ffi::lua_settop(state, path);
                ffi::lua_pushnil(state);
                return true;
            }
            ffi::lua_rawgeti(state, path, 2 * step + 2);
            let found = if to_index {
                let index = ffi::lua_tointegerx(state, -1, std::ptr::null_mut());
                ffi::lua_settop(state, -2);
                element(state, index)
            } else {
                field(state)
            };
            if !found {
                return false;
            }
            ffi::lua_copy(state, -1, path + 1);
            ffi::lua_settop(state, path + 1);
        }
    }
    false
}

/// The field of the table below the key on top, inherited ones included, on top of them.
unsafe fn field(state: *mut lua_State) -> bool {
    // SAFETY: a table and a key are on top; what is found at `__index` is checked before it is indexed.
    unsafe {
        for _ in 0..DEEPEST {
            ffi::lua_pushvalue(state, -1);
            if ffi::lua_rawget(state, -3) != ffi::LUA_TNIL {
                return true;
            }
            if ffi::lua_getmetatable(state, -3) == 0 {
                return true;
            }
            ffi::lua_pushvalue(state, INDEX_NAME);
            match ffi::lua_rawget(state, -2) {
                ffi::LUA_TNIL => return true,
                ffi::LUA_TTABLE => {}
                _ => return false,
            }
            // table, key, nil, metatable, its `__index`: the last takes the place of the first.
            ffi::lua_copy(state, -1, -5);
            ffi::lua_settop(state, -4);
        }
    }
    false
}

/// The element of the table on top, on top of it. Those that are inherited are left to Lua.
unsafe fn element(state: *mut lua_State, index: i64) -> bool {
    // SAFETY: a table is on top.
    unsafe {
        if ffi::lua_rawgeti(state, -1, index) != ffi::LUA_TNIL {
            return true;
        }
        if ffi::lua_getmetatable(state, -2) == 0 {
            return true;
        }
    }
    false
}

/// Whether an array has the elements that were kept of it, and still is one: has no key that makes it an object.
unsafe fn same_elements(state: *mut lua_State, array: c_int, kept: c_int) -> bool {
    // SAFETY: both are tables, and nothing is written to them.
    unsafe {
        let number = |at: i64| {
            ffi::lua_rawgeti(state, kept, at);
            let number = ffi::lua_tointegerx(state, -1, std::ptr::null_mut());
            ffi::lua_settop(state, -2);
            number
        };
        // As `lua/walk.lua` notes them: how long it was, and how many of its places were taken.
        let (length, filled) = (number(-1), number(0));
        if i64::try_from(ffi::lua_rawlen(state, array)) != Ok(length) {
            return false;
        }
        let mut found = 0;
        ffi::lua_pushnil(state);
        while ffi::lua_next(state, array) != 0 {
            if ffi::lua_isinteger(state, -2) != 0 {
                let at = ffi::lua_tointegerx(state, -2, std::ptr::null_mut());
                if (1..=length).contains(&at) {
                    ffi::lua_rawgeti(state, kept, at);
                    if ffi::lua_rawequal(state, -1, -2) == 0 {
                        return false;
                    }
                    found += 1;
                    ffi::lua_settop(state, -2);
                }
            } else if shows(state, -2) {
                return false;
            }
            ffi::lua_settop(state, -2);
        }
        found == filled
    }
}

/// Whether a table is an array, or may be one: a positive number among its keys and no visible name.
unsafe fn is_array(state: *mut lua_State, table: c_int) -> bool {
    // SAFETY: it is a table, and nothing is written to it.
    unsafe {
        let mut array = false;
        ffi::lua_pushnil(state);
        while ffi::lua_next(state, table) != 0 {
            ffi::lua_settop(state, -2);
            match ffi::lua_type(state, -1) {
                ffi::LUA_TSTRING if shows(state, -1) => {
                    ffi::lua_settop(state, -2);
                    return false;
                }
                ffi::LUA_TNUMBER => {
                    let is_integer = ffi::lua_isinteger(state, -1) != 0;
                    let number = ffi::lua_tointegerx(state, -1, std::ptr::null_mut());
                    array |= !is_integer || number >= 1;
                }
                _ => {}
            }
        }
        array
    }
}

/// Whether a key makes a table an object: a name that does not begin with `_`. A number that is no integer: in doubt, yes.
unsafe fn shows(state: *mut lua_State, key: c_int) -> bool {
    // SAFETY: a text is asked for its bytes only if it is one, so that it is not converted, which would confuse `next`.
    unsafe {
        match ffi::lua_type(state, key) {
            ffi::LUA_TSTRING => {
                // It ends with a zero, also when it is empty.
                let bytes = ffi::lua_tolstring(state, key, std::ptr::null_mut());
                *bytes.cast::<u8>() != b'_'
            }
            ffi::LUA_TNUMBER => true,
            _ => false,
        }
    }
}

/// The type of a table, as far as that is simple.
#[derive(Debug, Clone, Copy)]
enum Kind {
    /// The text itself, which is held by the table that has it.
    Named(*const c_void),
    Nameless,
    Unsure,
}

/// Types of metatables that were looked at in this call. Nothing changes in between, so the last one is worth remembering.
struct Types {
    metatable: *const c_void,
    kind: Kind,
}

impl Default for Types {
    fn default() -> Self {
        Self { metatable: std::ptr::null(), kind: Kind::Unsure }
    }
}

impl Types {
    /// The type of the table at `place`: that of its metatable, else its own.
    unsafe fn of(&mut self, state: *mut lua_State, place: c_int) -> Kind {
        // SAFETY: a table is at `place`; the stack is as before at the end.
        unsafe {
            let top = ffi::lua_gettop(state);
            if ffi::lua_getmetatable(state, place) == 0 {
                ffi::lua_pushvalue(state, TYPE);
                let kind = match ffi::lua_rawget(state, place) {
                    ffi::LUA_TSTRING => Kind::Named(ffi::lua_topointer(state, -1)),
                    _ => Kind::Nameless,
                };
                ffi::lua_settop(state, top);
                return kind;
            }
            let metatable = ffi::lua_topointer(state, -1);
            if metatable != self.metatable {
                ffi::lua_pushvalue(state, METATABLE);
                let hidden = ffi::lua_rawget(state, -2) != ffi::LUA_TNIL;
                ffi::lua_pushvalue(state, TYPE);
                self.metatable = metatable;
                self.kind = match ffi::lua_rawget(state, -3) {
                    ffi::LUA_TSTRING if !hidden => Kind::Named(ffi::lua_topointer(state, -1)),
                    // What it inherits, or says of itself, is looked up by Lua.
                    _ => Kind::Unsure,
                };
            }
            ffi::lua_settop(state, top);
            self.kind
        }
    }
}
