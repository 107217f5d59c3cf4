//! What a project goes by: `config/config.toml`, the environment and flags over it, defaults below.
//!
//! Every key is set by [`Settings::set`], whoever says it, so that a value is judged by the same rules and a mistake
//! is told with the place where it was made. Start there.

mod file;
mod units;

use std::{fmt, net::IpAddr, path::PathBuf, time::Duration};

use kit_core::nearest;

pub(crate) use self::file::load;

/// The settings in force for one project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    pub server: Server,
    pub lua: Lua,
    pub session: Session,
    pub logging: Logging,
}

/// Where people's browsers find it, and who may come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    pub host: IpAddr,
    /// 0 lets the system choose.
    pub port: u16,
    /// What a browser from elsewhere must bring; needed when `host` is not this machine alone.
    pub token: Option<String>,
    /// Pages that may show ours in a frame, in the words of the header; `'none'` unless it is said.
    pub frame_ancestors: String,
}

/// How programs run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lua {
    pub enabled: bool,
    /// Where `main.lua` and modules are, below the project.
    pub path: PathBuf,
    pub hotload: bool,
    /// For code that an agent runs.
    pub time_limit: Duration,
    /// For actions, getters and timers.
    pub action_time_limit: Duration,
    /// Bytes of one session.
    pub memory_limit: usize,
    /// Whether programs may read and write files below the project.
    pub files: bool,
}

/// How long sessions live.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// After so long without a person or an agent; `None`: for ever.
    pub timeout: Option<Duration>,
}

/// How much is logged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logging {
    pub level: Level,
    /// 1 connections, 2 messages, 3 variables, 4 values.
    pub verbosity: u8,
}

/// The least that a program's own line must be to be logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Debug,
    Info,
    Warn,
    Error,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            server: Server {
                host: IpAddr::from([127, 0, 0, 1]),
                port: 0,
                token: None,
                frame_ancestors: "'none'".to_owned(),
            },
            lua: Lua {
                enabled: true,
                path: "lua".into(),
                hotload: true,
                time_limit: Duration::from_secs(10),
                action_time_limit: Duration::from_secs(2),
                memory_limit: 64 << 20,
                files: false,
            },
            session: Session { timeout: Some(Duration::from_hours(24)) },
            logging: Logging { level: Level::Info, verbosity: 0 },
        }
    }
}

/// All keys, in the order of the documentation.
const KEYS: [&str; 14] = [
    "server.host",
    "server.port",
    "server.token",
    "server.frame_ancestors",
    "lua.enabled",
    "lua.path",
    "lua.hotload",
    "lua.time_limit",
    "lua.action_time_limit",
    "lua.memory_limit",
    "lua.allow",
    "session.timeout",
    "logging.level",
    "logging.verbosity",
];

/// A value that was not taken: where it stands and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct BadSetting {
    /// `config/config.toml:3`, or the name of a variable or flag.
    pub place: String,
    pub key: String,
    pub why: String,
}

impl fmt::Display for BadSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, key, why } = self;
        if key.is_empty() {
            return write!(f, "{place}: {why}");
        }
        write!(f, "{place}: `{key}`: {why}")
    }
}

/// A value as somebody wrote it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Given {
    Text(String),
    Number(i64),
    Truth(bool),
    List(Vec<String>),
    /// Of a kind that no key takes.
    Other(&'static str),
}

impl Settings {
    /// Puts one value in, or says why it does not fit.
    pub(crate) fn set(&mut self, key: &str, given: Given) -> Result<(), String> {
        let Self { server, lua, session, logging } = self;
        match key {
            "server.host" => server.host = units::host(given)?,
            "server.port" => server.port = units::number(given, u16::MAX.into())?,
            "server.token" => server.token = Some(units::token(given)?),
            "server.frame_ancestors" => server.frame_ancestors = units::header(given)?,
            "lua.enabled" => lua.enabled = units::truth(given)?,
            "lua.path" => lua.path = units::inner_path(given)?,
            "lua.hotload" => lua.hotload = units::truth(given)?,
            "lua.time_limit" => lua.time_limit = units::some_time(given)?,
            "lua.action_time_limit" => lua.action_time_limit = units::some_time(given)?,
            "lua.memory_limit" => lua.memory_limit = units::bytes(given)?,
            "lua.allow" => lua.files = units::allow(given)?,
            "session.timeout" => session.timeout = units::time(given)?,
            "logging.level" => logging.level = units::level(given)?,
            "logging.verbosity" => logging.verbosity = units::number(given, 4)?,
            unknown => return Err(unknown_key(unknown)),
        }
        Ok(())
    }

    /// Whether others than this machine could come, without anything to keep them out.
    pub(crate) fn check(&self, place: &str) -> Result<(), BadSetting> {
        let Server { host, token, .. } = &self.server;
        if host.is_loopback() || token.is_some() {
            return Ok(());
        }
        Err(BadSetting {
            place: place.to_owned(),
            key: "server.host".to_owned(),
            why: format!(
                "`{host}` can be reached from other machines, and there is no `server.token`"
            ),
        })
    }
}

fn unknown_key(key: &str) -> String {
    let last = key.rsplit('.').next().unwrap_or(key);
    let same = KEYS.iter().find(|known| known.rsplit('.').next() == Some(last)).copied();
    match same.or_else(|| nearest(key, KEYS)) {
        Some(near) => format!("no such key; did you mean `{near}`?"),
        None => format!("no such key; there are `{}`", KEYS.join("`, `")),
    }
}
