//! `io.open` and `io.lines`, for hosts that let programs have files.
//!
//! Which files, and where, is the host's to say ([`Host::open`]). Here they become what Lua programs know: handles with `read`, `write`,
//! `lines`, `seek` and `close`, bounded in number, in what is read at once, and in how large a file is made.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mlua::{
    AnyUserData, Error, IntoLua, IntoLuaMulti, Lua, LuaString, MetaMethod, MultiValue, Result,
    Table, UserData, UserDataMethods, Value, Variadic,
};

use crate::host::Host;
use crate::limits::{Exceeded, Meter};

/// Files that a session may have open.
const MOST_OPEN: usize = 64;
/// How large a program may make a file.
const LARGEST: u64 = 64 << 20;

/// How a file is opened: `r`, `w`, `a`, each with `+` for both ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "facts that do not exclude one another")]
pub struct Mode {
    pub read: bool,
    pub write: bool,
    /// What is written goes to the end.
    pub append: bool,
    /// Made if it is not there, and emptied unless it is appended to.
    pub create: bool,
}

impl Mode {
    /// As Lua writes it; `b` changes nothing.
    pub fn parse(text: &str) -> Option<Self> {
        let (first, rest) = text.split_at_checked(1)?;
        let both = match rest {
            "" | "b" => false,
            "+" | "+b" | "b+" => true,
            _ => return None,
        };
        Some(match first {
            "r" => Self { read: true, write: both, append: false, create: false },
            "w" => Self { read: both, write: true, append: false, create: true },
            "a" => Self { read: both, write: true, append: true, create: true },
            _ => return None,
        })
    }
}

/// Adds to `io`, if the host has files for programs.
pub(crate) fn install(lua: &Lua, host: &Arc<dyn Host>, meter: &Arc<Meter>) -> Result<()> {
    if !host.has_files() {
        return Ok(());
    }
    let io: Table = lua.globals().get("io")?;
    let desk = Desk { host: Arc::clone(host), meter: Arc::clone(meter), open: Arc::default() };
    let with = desk.clone();
    let open = move |lua: &Lua, (name, mode): (LuaString, Option<LuaString>)| {
        let mode = mode.map_or("r".to_owned(), |mode| mode.to_string_lossy());
        let Some(mode) = Mode::parse(&mode) else {
            return Err(bad("bad argument #2 to 'open' (invalid mode)"));
        };
        match with.open(&name.to_string_lossy(), mode) {
            Ok(handle) => lua.create_userdata(handle)?.into_lua_multi(lua),
            Err(why) => (Value::Nil, why, 1).into_lua_multi(lua),
        }
    };
    io.set("open", lua.create_function(open)?)?;
    let lines = move |lua: &Lua, (name, formats): (LuaString, Variadic<Value>)| {
        let read = Mode { read: true, write: false, append: false, create: false };
        let handle = desk.open(&name.to_string_lossy(), read).map_err(Error::RuntimeError)?;
        lines(lua, lua.create_userdata(handle)?, formats.to_vec())
    };
    io.set("lines", lua.create_function(lines)?)?;
    let of_streams: mlua::Function = io.get("type")?;
    let kind =
        move |_: &Lua, value: Value| match value.as_userdata().map(AnyUserData::borrow::<Handle>) {
            Some(Ok(handle)) if handle.file.is_none() => Ok(Some("closed file".to_owned())),
            Some(Ok(_)) => Ok(Some("file".to_owned())),
            _ => of_streams.call(value),
        };
    io.set("type", lua.create_function(kind)?)
}

/// Where files are given out, and counted.
#[derive(Clone)]
struct Desk {
    host: Arc<dyn Host>,
    meter: Arc<Meter>,
    open: Arc<AtomicUsize>,
}

impl Desk {
    fn open(&self, name: &str, mode: Mode) -> std::result::Result<Handle, String> {
        if self.open.load(Ordering::Relaxed) >= MOST_OPEN {
            return Err(format!("{name}: {MOST_OPEN} files are open already: close some"));
        }
        let file = self.host.open(name, mode).map_err(|why| format!("{name}: {why}"))?;
        self.open.fetch_add(1, Ordering::Relaxed);
        Ok(Handle { file: Some(BufReader::new(file)), desk: self.clone() })
    }
}

/// An open file, as Lua has it.
struct Handle {
    file: Option<BufReader<File>>,
    desk: Desk,
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.close();
    }
}

impl Handle {
    fn close(&mut self) {
        if self.file.take().is_some() {
            self.desk.open.fetch_sub(1, Ordering::Relaxed);
        }
    }

    fn file(&mut self) -> Result<&mut BufReader<File>> {
        self.file.as_mut().ok_or_else(|| bad("attempt to use a closed file"))
    }

    /// One value by its format; nothing at the end of the file.
    fn read(&mut self, lua: &Lua, format: &Value) -> Result<Value> {
        if self.desk.meter.is_over() {
            return Err(bad("limit exceeded"));
        }
        let most = self.desk.meter.memory() as u64;
        let meter = Arc::clone(&self.desk.meter);
        let too_large = move || {
            meter.exceed(Exceeded::Memory);
            bad("not enough memory")
        };
        let file = self.file()?;
        let mut bytes = Vec::new();
        let asked = format.as_string().map(LuaString::to_string_lossy);
        match (asked.as_deref().map(|text| text.trim_start_matches('*')), format) {
            (Some(kind @ ("l" | "L")), _) => {
                file.take(most + 1)
                    .read_until(b'\n', &mut bytes)
                    .map_err(|error| failed(&error))?;
                if bytes.is_empty() {
                    return Ok(Value::Nil);
                }
                if kind == "l" && bytes.last() == Some(&b'\n') {
                    bytes.pop();
                }
            }
            (Some("a"), _) => {
                file.take(most + 1).read_to_end(&mut bytes).map_err(|error| failed(&error))?;
            }
            (Some("n"), _) => return number(lua, file),
            (None, Value::Integer(count)) => {
                let count = u64::try_from(*count).unwrap_or(0);
                let at_end = file.fill_buf().map_err(|error| failed(&error))?.is_empty();
                file.take(count.min(most + 1))
                    .read_to_end(&mut bytes)
                    .map_err(|error| failed(&error))?;
                if at_end {
                    return Ok(Value::Nil);
                }
            }
            _ => return Err(bad("bad argument to 'read' (invalid format)")),
        }
        if bytes.len() as u64 > most {
            return Err(too_large());
        }
        lua.create_string(&bytes)?.into_lua(lua)
    }

    /// Where reading has come to is where writing goes on.
    fn write(&mut self, text: &[u8]) -> Result<io::Result<()>> {
        let file = self.file()?;
        let put = (|| {
            let at = file.stream_position()?;
            let end = at.max(file.get_ref().metadata()?.len());
            if end + text.len() as u64 > LARGEST {
                return Err(io::Error::other(format!("a file may grow to {LARGEST} bytes")));
            }
            // What was read ahead is forgotten.
            file.seek(SeekFrom::Start(at))?;
            file.get_mut().write_all(text)
        })();
        Ok(put)
    }
}

impl UserData for Handle {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method_mut("read", |lua, handle, formats: Variadic<Value>| {
            handle.file()?;
            read_all(lua, handle, &formats)
        });
        methods.add_function("lines", |lua, (handle, formats): (AnyUserData, Variadic<Value>)| {
            lines(lua, handle, formats.to_vec())
        });
        methods.add_function(
            "write",
            |lua, (handle, texts): (AnyUserData, Variadic<LuaString>)| {
                for text in texts.iter() {
                    let done = handle.borrow_mut::<Self>()?.write(&text.as_bytes())?;
                    if let Err(error) = done {
                        return (Value::Nil, describe(&error), 1).into_lua_multi(lua);
                    }
                }
                handle.into_lua_multi(lua)
            },
        );
        methods.add_method_mut(
            "seek",
            |lua, handle, (whence, by): (Option<String>, Option<i64>)| {
                let by = by.unwrap_or(0);
                let to = match whence.as_deref().unwrap_or("cur") {
                    "set" => SeekFrom::Start(u64::try_from(by).unwrap_or(0)),
                    "cur" => SeekFrom::Current(by),
                    "end" => SeekFrom::End(by),
                    _ => return Err(bad("bad argument #1 to 'seek' (invalid option)")),
                };
                match handle.file()?.seek(to) {
                    Ok(at) => at.into_lua_multi(lua),
                    Err(error) => (Value::Nil, describe(&error), 1).into_lua_multi(lua),
                }
            },
        );
        methods.add_method_mut("close", |_, handle, ()| {
            handle.file()?;
            handle.close();
            Ok(true)
        });
        // Nothing waits to be written.
        methods.add_function("flush", |_, handle: AnyUserData| Ok(handle));
        methods.add_function("setvbuf", |_, _: MultiValue| Ok(true));
        methods.add_meta_method_mut(MetaMethod::Close, |_, handle, _: MultiValue| {
            handle.close();
            Ok(())
        });
        methods.add_meta_method(MetaMethod::ToString, |_, handle, ()| {
            Ok(if handle.file.is_some() { "file" } else { "file (closed)" })
        });
    }
}

/// What the formats ask for, up to the first that finds nothing; a line without any.
fn read_all(lua: &Lua, handle: &mut Handle, formats: &[Value]) -> Result<MultiValue> {
    if formats.is_empty() {
        return handle.read(lua, &"l".into_lua(lua)?)?.into_lua_multi(lua);
    }
    let mut values = MultiValue::new();
    for format in formats {
        let value = handle.read(lua, format)?;
        let ends = value.is_nil();
        values.push_back(value);
        if ends {
            break;
        }
    }
    Ok(values)
}

fn lines(lua: &Lua, handle: AnyUserData, formats: Vec<Value>) -> Result<MultiValue> {
    let next = move |lua: &Lua, _: MultiValue| {
        let mut handle = handle.borrow_mut::<Handle>()?;
        let values = read_all(lua, &mut handle, &formats)?;
        if values.front().is_none_or(Value::is_nil) {
            handle.close();
        }
        Ok(values)
    };
    lua.create_function(next)?.into_lua_multi(lua)
}

/// A number, as far as the bytes go on being one.
fn number(lua: &Lua, file: &mut BufReader<File>) -> Result<Value> {
    let mut text = String::new();
    loop {
        let Some(&byte) = file.fill_buf().map_err(|error| failed(&error))?.first() else { break };
        let fits = byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
        if (text.is_empty() && byte.is_ascii_whitespace()) || (fits && text.len() < 200) {
            file.consume(1);
            if fits {
                text.push(char::from(byte));
            }
        } else {
            break;
        }
    }
    let text = lua.create_string(&text)?;
    Ok(lua.coerce_number(Value::String(text))?.map_or(Value::Nil, Value::Number))
}

fn describe(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "No such file or directory".to_owned(),
        io::ErrorKind::PermissionDenied => "Permission denied".to_owned(),
        _ => error.to_string(),
    }
}

fn failed(error: &io::Error) -> Error {
    Error::RuntimeError(describe(error))
}

fn bad(text: &str) -> Error {
    Error::RuntimeError(text.to_owned())
}
