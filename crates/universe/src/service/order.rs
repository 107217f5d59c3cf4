//! What may be asked of a universe at once: one command, or several that happen together or not at all.

use std::sync::Arc;

use kit_core::Principal;
use serde_json::Value;
use universe_core::{Invalid, Key, Problem, Request, json::canonical};

use crate::Error;

/// How many commands one order may have.
pub(crate) const MOST_COMMANDS: usize = 10_000;
/// The longest key that a caller may give an order.
pub(crate) const LONGEST_KEY: usize = 200;
/// The longest name of a surface.
pub(crate) const LONGEST_VIA: usize = 60;

/// Who asks, and by which surface: both stand in the log.
#[derive(Debug, Clone)]
pub struct Caller {
    pub who: Principal,
    pub via: Arc<str>,
}

impl Caller {
    pub fn new(who: Principal, via: &str) -> Self {
        Self { who, via: via.into() }
    }
}

/// Commands, and what the caller calls them.
#[derive(Debug)]
pub struct Order {
    commands: Vec<Value>,
    together: bool,
    key: Option<String>,
}

impl Order {
    pub fn one(command: Value) -> Self {
        Self { commands: vec![command], together: false, key: None }
    }

    /// All or nothing, in this order.
    pub fn all(commands: Vec<Value>) -> Self {
        Self { commands, together: true, key: None }
    }

    /// Sent again under the same key, it does not happen again.
    #[must_use]
    pub fn keyed(mut self, key: Option<String>) -> Self {
        self.key = key;
        self
    }
}

/// An order that was read: its shape is right, its values may still be wrong.
pub(super) struct Asked {
    pub(super) steps: Vec<Ask>,
    pub(super) together: bool,
    pub(super) key: Option<Key>,
}

pub(super) struct Ask {
    /// As it was received, its numbers in canonical form.
    pub(super) command: Value,
    /// A mistake in the values is told only after the universe was found.
    pub(super) request: Result<Request, Invalid>,
}

impl Asked {
    pub(super) fn read(order: Order) -> Result<Self, Error> {
        let Order { commands, together, key } = order;
        if !(1..=MOST_COMMANDS).contains(&commands.len()) {
            return Err(Error::Commands);
        }
        if !commands.iter().all(is_command) {
            return Err(Error::NoCommand);
        }
        let commands: Vec<_> = commands.into_iter().map(canonical).collect();
        let key = key.map(|key| read_key(&key, &commands, together)).transpose()?;
        let read = |(index, command): (usize, Value)| {
            let request = Request::parse(&command).and_then(|request| match request {
                Request::Undo { .. } | Request::Redo { .. } if together => {
                    Err(Invalid::new("type", "must not be `undo` or `redo` beside other commands"))
                }
                request => Ok(request),
            });
            let request =
                request.map_err(|wrong| if together { placed(wrong, index) } else { wrong });
            Ask { command, request }
        };
        let steps = commands.into_iter().enumerate().map(read).collect();
        Ok(Self { steps, together, key })
    }
}

fn read_key(key: &str, commands: &[Value], together: bool) -> Result<Key, Error> {
    if !(1..=LONGEST_KEY).contains(&key.len()) || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Error::Key);
    }
    Ok(match commands {
        [command] if !together => Key::new(key, command),
        commands => Key::new(key, &Value::from(commands.to_vec())),
    })
}

fn is_command(command: &Value) -> bool {
    command.get("type").and_then(Value::as_str).is_some_and(|name| !name.trim().is_empty())
}

/// The same mistakes with the command they are in.
pub(super) fn placed(wrong: Invalid, index: usize) -> Invalid {
    let place = |problem: Problem| Problem {
        field: format!("commands.{index}.{}", problem.field),
        message: problem.message,
    };
    Invalid { problems: wrong.problems.into_iter().map(place).collect() }
}
