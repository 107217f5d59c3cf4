//! What a VM needs of the world: a place for output, a clock, the text of modules, ears for events.
//!
//! The VM has no thread, socket or clock of its own. Whoever owns a session implements [`Host`]; [`LogFiles`] is the part of it that
//! writes output as the specification wants it.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use serde_json::Value as Json;

use crate::files::Mode;

/// Where a piece of output belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// `print`, `io.write`, `io.stdout`: `lua.log`.
    Out,
    /// `io.stderr` and errors with their tracebacks: `lua-err.log`.
    Err,
}

/// How much a line of the server's log matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Debug,
    Info,
    Warn,
    Error,
}

impl Level {
    /// A level by the name that Lua code gives it; numbers are the reference's verbosity.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "debug" | "trace" => Some(Self::Debug),
            "info" => Some(Self::Info),
            "warn" | "warning" => Some(Self::Warn),
            "error" => Some(Self::Error),
            _ => None,
        }
    }
}

/// Text of a Lua module, and the name by which `reload` will speak of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    /// The file, as it shows in error messages: `lua/contacts/form.lua`.
    pub file: String,
    pub text: Vec<u8>,
}

/// The world as one session's Lua sees it. Called from inside the VM, so it must not call back into it.
pub trait Host: Send + Sync {
    /// Writes one piece of output, whole. Failing is the host's business: a full disk must not fail an action.
    fn write(&self, stream: Stream, text: &[u8]);

    /// A line for the server's log.
    fn log(&self, level: Level, text: &str);

    /// `mcp.notify`: an event for the agents. `method` is checked, `params` is an object.
    fn notify(&self, method: &str, params: Json);

    /// `mcp.pushState`: an event for the queue alone.
    fn push_event(&self, event: Json);

    /// Time since some fixed moment, never going back. Limits and timers are counted by it.
    fn elapsed(&self) -> Duration;

    /// The time of day, for `os.time` and `os.date`.
    fn now(&self) -> SystemTime;

    /// The module `name` (`a.b`): `lua/a/b.lua`, then `a/b.lua` of the base directory. `None` if there is no such file.
    fn module(&self, name: &str) -> Option<Module>;

    /// Whether programs may have files at all. Asked once, when the VM is made.
    fn has_files(&self) -> bool {
        false
    }

    /// `io.open`: the file that a program calls `name`, or why it cannot have it.
    fn open(&self, _name: &str, _mode: Mode) -> Result<File, String> {
        Err("files are closed to programs".to_owned())
    }

    /// What `mcp:status()` answers.
    fn status(&self) -> Json {
        Json::Object(serde_json::Map::new())
    }

    /// What `mcp:pollingEvents()` answers: whether an agent waits for events now.
    fn is_polled(&self) -> bool {
        false
    }

    /// What `mcp:waitTime()` answers: for how long no agent has waited.
    fn wait_time(&self) -> Duration {
        Duration::ZERO
    }
}

/// The two output files of a base directory.
///
/// Every piece is written by opening the file for appending, one write, and closing. So whoever truncates,
/// rotates or deletes a file from outside loses nothing but what was there, and `tail -f` sees whole lines.
#[derive(Debug, Clone)]
pub struct LogFiles {
    directory: PathBuf,
}

impl LogFiles {
    /// Files in `directory`, which is `{base_dir}/log`.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into() }
    }

    /// Appends `text` to the stream's file.
    pub fn write(&self, stream: Stream, text: &[u8]) -> io::Result<()> {
        let name = match stream {
            Stream::Out => "lua.log",
            Stream::Err => "lua-err.log",
        };
        OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.directory.join(name))?
            .write_all(text)
    }
}
