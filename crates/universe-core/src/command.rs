//! What anyone (agent, browser, terminal) may ask of a universe.
//!
//! A command arrives as JSON. [`Command::parse`] is the only way in: it checks every value against the tables of
//! [`crate::shape`], so that deciding has to do with rules alone.

use serde_json::{Map, Value};

use crate::{
    BodyId, Fields, Invalid, SetClock, catalogue,
    error::Problem,
    revise,
    shape::{self, Presence},
};

/// A command with its values checked.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Let time pass; backwards is fine.
    Tick {
        dt: f64,
    },
    AddStar {
        id: BodyId,
        parent: Option<BodyId>,
        fields: Fields,
    },
    UpdateStar {
        id: BodyId,
        fields: Fields,
        parent: NewParent,
    },
    RemoveStar {
        id: BodyId,
    },
    /// Known by the contract, not carried out by this version.
    NotSupported {
        name: &'static str,
        command: Value,
    },
    Unknown {
        name: String,
        command: Value,
    },
}

/// Whatever may be sent where commands are: one of the 25, or one of ours that stand beside them.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// For [`crate::decide`].
    Command(Command),
    /// For [`crate::undo`], of this revision or of the latest.
    Undo { revision: Option<u64> },
    /// For [`crate::redo`].
    Redo { revision: Option<u64> },
    /// For [`crate::set_clock`].
    SetClock(SetClock),
}

impl Request {
    pub fn parse(command: &Value) -> Result<Self, Invalid> {
        Ok(match type_of(command)? {
            "undo" => Self::Undo { revision: revise::revision_of(command)? },
            "redo" => Self::Redo { revision: revise::revision_of(command)? },
            "setClock" => Self::SetClock(SetClock::parse(command)?),
            _ => Self::Command(Command::parse(command)?),
        })
    }
}

/// What an update says about the place in the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewParent {
    /// Nothing: `parentId` was not named.
    Unnamed,
    /// It becomes, or stays, a root.
    Root,
    Body(BodyId),
}

impl Command {
    /// The commands that this version carries out.
    pub const SUPPORTED: &[&str] = &["tick", "addStar", "updateStar", "removeStar"];

    /// Reads a command. An unknown `type` is no error here: it is refused when it is decided.
    pub fn parse(command: &Value) -> Result<Self, Invalid> {
        let name = type_of(command)?;
        let mut input = Input { command, problems: Vec::new() };
        let parsed = match name {
            "tick" => Self::Tick { dt: input.number_or("dt", 1.0) },
            "addStar" => input.add_star(),
            "updateStar" => input.update_star(),
            "removeStar" => Self::RemoveStar { id: input.body_id("id") },
            other => match catalogue::find(other) {
                Some(known) => Self::NotSupported { name: known.name, command: command.clone() },
                None => Self::Unknown { name: other.to_owned(), command: command.clone() },
            },
        };
        if input.problems.is_empty() {
            Ok(parsed)
        } else {
            Err(Invalid { problems: input.problems })
        }
    }
}

/// The `type` of a command, the one thing that every command has.
pub(crate) fn type_of(command: &Value) -> Result<&str, Invalid> {
    match command.get("type").and_then(Value::as_str) {
        Some(name) if !name.trim().is_empty() => Ok(name),
        _ => Err(Invalid::new("type", "must be text that names a command")),
    }
}

/// Reads values and notes what is wrong with them; what it gives back then does not matter.
struct Input<'a> {
    command: &'a Value,
    problems: Vec<Problem>,
}

impl Input<'_> {
    fn add_star(&mut self) -> Command {
        let id = self.body_id("id");
        let mut payload = self.payload(true);
        let parent = match self.parent(&mut payload) {
            NewParent::Body(parent) => Some(parent),
            NewParent::Root | NewParent::Unnamed => None,
        };
        let mut fields = Fields::from(payload);
        for field in shape::BODY.iter().filter(|field| field.presence == Presence::Required) {
            if fields.get(field.name).is_none_or(Value::is_null) {
                fields.set(field.name, shape::default_of(field, id.as_str()));
            }
        }
        Command::AddStar { id, parent, fields }
    }

    fn update_star(&mut self) -> Command {
        let id = self.body_id("id");
        let mut payload = self.payload(false);
        let parent = self.parent(&mut payload);
        Command::UpdateStar { id, fields: Fields::from(payload), parent }
    }

    /// The payload of a body without the keys that only the tree may set. In a new body `null` stands for
    /// "not given".
    fn payload(&mut self, new: bool) -> Map<String, Value> {
        let Some(mut payload) = self.command.get("payload").and_then(Value::as_object).cloned()
        else {
            let found = self.command.get("payload").unwrap_or(&Value::Null);
            let problem =
                shape::mismatch("payload".into(), "an object with the body's fields", found);
            self.problems.push(problem);
            return Map::new();
        };
        payload.shift_remove("id");
        payload.shift_remove("children");
        shape::check(shape::BODY, &payload, "payload", new, &mut self.problems);
        payload
    }

    fn parent(&mut self, payload: &mut Map<String, Value>) -> NewParent {
        match payload.shift_remove("parentId") {
            None => NewParent::Unnamed,
            Some(Value::Null) => NewParent::Root,
            Some(Value::String(id)) => NewParent::Body(BodyId::from(&*id)),
            Some(other) => {
                let way = "payload.parentId".into();
                self.problems.push(shape::mismatch(way, "the id of a body or null", &other));
                NewParent::Unnamed
            }
        }
    }

    fn body_id(&mut self, key: &str) -> BodyId {
        let value = self.command.get(key).unwrap_or(&Value::Null);
        if let Some(id) = value.as_str() {
            return BodyId::from(id);
        }
        self.problems.push(shape::mismatch(key.into(), "the id of a body", value));
        BodyId::from("")
    }

    fn number_or(&mut self, key: &str, default: f64) -> f64 {
        match self.command.get(key) {
            None => default,
            Some(value) => {
                value.as_f64().filter(|number| number.is_finite()).unwrap_or_else(|| {
                    self.problems.push(shape::mismatch(key.into(), "a finite number", value));
                    default
                })
            }
        }
    }
}
