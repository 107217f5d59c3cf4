//! What goes wrong inside Lua, as the owner of a session is told.

use std::fmt::Write as _;

use mlua::Error;

use crate::limits::Exceeded;

/// Lua raised an error, or was stopped. The session lives on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct LuaFault {
    /// What was raised; begins with the place, `lua/main.lua:12:`, where Lua knows one.
    pub message: String,
    /// Who called whom, one line each; empty for what was never run.
    pub traceback: String,
    /// The limit that stopped it, if it was one.
    pub limit: Option<Exceeded>,
}

impl LuaFault {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), traceback: String::new(), limit: None }
    }

    /// Message and traceback, as `ui_run` answers and `lua-err.log` keeps.
    pub fn full(&self) -> String {
        let mut text = self.message.clone();
        if !self.traceback.is_empty() {
            let _infallible = write!(text, "\nstack traceback:\n{}", self.traceback);
        }
        text
    }

    /// For the wire: the code of this error.
    pub(crate) fn of(error: &Error) -> Self {
        match error {
            Error::SyntaxError { message, .. } => Self::new(message.clone()),
            Error::RuntimeError(text) => Self::from_text(text),
            Error::MemoryError(_) => {
                Self { limit: Some(Exceeded::Memory), ..Self::new("not enough memory") }
            }
            Error::CallbackError { traceback, cause } => {
                let mut fault = Self::of(cause);
                if fault.traceback.is_empty() {
                    let traceback =
                        traceback.trim_start_matches("stack traceback:").trim_start_matches('\n');
                    fault.traceback = tidy(traceback);
                }
                fault
            }
            Error::WithContext { context, cause } => {
                let fault = Self::of(cause);
                Self { message: format!("{context}: {}", fault.message), ..fault }
            }
            other => Self::new(other.to_string()),
        }
    }

    fn from_text(text: &str) -> Self {
        let (message, traceback) = text.split_once("\nstack traceback:\n").unwrap_or((text, ""));
        let limit = limit_in(message);
        Self { message: message.to_owned(), traceback: tidy(traceback), limit }
    }
}

/// The limit that a message of Lua itself speaks of.
pub(crate) fn limit_in(message: &str) -> Option<Exceeded> {
    if message == "not enough memory" {
        Some(Exceeded::Memory)
    } else if message.ends_with("stack overflow")
        || message.contains("stack overflow (")
        || message == "error in error handling"
    {
        Some(Exceeded::Depth)
    } else {
        None
    }
}

/// A traceback without the lines that speak of our own functions.
pub(crate) fn tidy(traceback: &str) -> String {
    let mut after_ours = false;
    let mut ours = |line: &&str| {
        let line = line.trim_start();
        // Functions that are loaded late are reached by a tail call, which is noted behind them.
        after_ours = line.starts_with("?:")
            || line.starts_with("[C]:")
            || (after_ours && line == "(...tail calls...)");
        after_ours
    };
    traceback.lines().filter(|line| !ours(line)).collect::<Vec<_>>().join("\n")
}
