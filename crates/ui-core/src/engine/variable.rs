//! One variable, as the engine keeps it.

use std::sync::Arc;

use crate::error::Failure;
use crate::ids::{ConnId, Slot, VarId, WireId};
use crate::props::{Priority, names};
use crate::value::Value;
use crate::world::{Placed, Source};

/// The most notes that are kept of one variable; the oldest go.
const MAX_NOTES: usize = 8;

/// A node of the tree.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "facts that do not exclude one another")]
pub(super) struct Variable {
    /// Never used again, unlike the slot.
    pub(super) serial: u64,
    /// Whether the world knows it.
    pub(super) told: bool,
    /// What the world was told: id, parent, source, access and the rest.
    pub(super) placed: Placed,
    /// Whose it is; none if it is shared by all ([`VarId::is_shared`]).
    pub(super) owner: Option<ConnId>,
    /// What its owner calls it; of a shared one, the same as its id.
    pub(super) wire: WireId,
    pub(super) links: Links,
    /// How many are above it.
    pub(super) depth: u16,
    /// It keeps what is written to it, whatever its path says.
    pub(super) unbound: bool,
    pub(super) props: Props,
    /// The wire value that was last seen.
    pub(super) value: Value,
    /// Whether it was ever read: until then its value is not known, which is not the same as null.
    pub(super) read: bool,
    pub(super) type_name: Option<Arc<str>>,
    /// What is wrong with its path or access, or with the last write.
    pub(super) fault: Option<Box<Failure>>,
    /// The turn in which the fault came up.
    pub(super) fault_turn: u64,
    /// What went wrong at the last read.
    pub(super) read_error: Option<Box<Failure>>,
    pub(super) watchers: Vec<Watcher>,
    /// What the world was told last.
    pub(super) live: bool,
    /// What its owner wrote in this turn.
    pub(super) written: Option<Box<Value>>,
    pub(super) changes: u64,
    pub(super) notes: Vec<String>,
}

/// Where a variable stands among the others.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Links {
    pub(super) first_child: Option<Slot>,
    pub(super) last_child: Option<Slot>,
    pub(super) previous: Option<Slot>,
    pub(super) next: Option<Slot>,
}

/// A connection that watches a variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watcher {
    pub(super) conn: ConnId,
    /// How often it asked to, less how often it asked not to.
    pub(super) count: u32,
    /// It was told to ask again: its next `watch` answers that, and is not counted.
    pub(super) asked: bool,
}

impl Variable {
    pub(super) fn id(&self) -> VarId {
        self.placed.id
    }

    /// Whether a walk reads it, given that it visits it.
    pub(super) fn is_read(&self) -> bool {
        self.placed.access.reads() && self.placed.source != Source::None
    }

    /// Whether walks visit it, given that they visit its parent.
    pub(super) fn wants_live(&self) -> bool {
        !self.watchers.is_empty() && self.props.get(names::INACTIVE).is_none()
    }

    /// The error to show.
    pub(super) fn error(&self) -> Option<&Failure> {
        self.read_error.as_deref().or(self.fault.as_deref())
    }

    pub(super) fn note(&mut self, text: String) {
        if self.notes.len() == MAX_NOTES {
            self.notes.remove(0);
        }
        self.notes.push(text);
    }
}

/// The name of a property; the usual ones cost nothing to keep.
#[derive(Clone, Debug)]
pub(super) enum Name {
    Known(&'static str),
    Other(Arc<str>),
}

impl Name {
    pub(super) fn new(name: &str) -> Self {
        const KNOWN: [&str; 15] = [
            names::PATH,
            names::TYPE,
            names::ACCESS,
            names::WRAPPER,
            names::ITEM_WRAPPER,
            names::ITEM,
            names::CREATE,
            names::PRIORITY,
            names::INACTIVE,
            names::NAMESPACE,
            names::FALLBACK_NAMESPACE,
            "elementId",
            "viewdef",
            "keypress",
            "replace",
        ];
        match KNOWN.iter().find(|known| **known == name) {
            Some(known) => Self::Known(known),
            None => Self::Other(name.into()),
        }
    }

    pub(super) fn as_str(&self) -> &str {
        match self {
            Self::Known(name) => name,
            Self::Other(name) => name,
        }
    }

    pub(super) fn to_arc(&self) -> Arc<str> {
        match self {
            Self::Known(name) => Arc::from(*name),
            Self::Other(name) => Arc::clone(name),
        }
    }
}

/// Properties in the order they were first set. `type` is not among them.
#[derive(Debug, Default)]
pub(super) struct Props(Vec<Prop>);

/// One that is set.
#[derive(Debug)]
pub(super) struct Prop {
    pub(super) name: Name,
    /// Never empty.
    pub(super) value: Arc<str>,
    pub(super) priority: Priority,
}

impl Props {
    pub(super) fn get(&self, name: &str) -> Option<&Arc<str>> {
        self.find(name).map(|prop| &prop.value)
    }

    pub(super) fn find(&self, name: &str) -> Option<&Prop> {
        self.0.iter().find(|prop| prop.name.as_str() == name)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Prop> {
        self.0.iter()
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Sets or, with an empty value, unsets. Gives the name and priority if that changed the value.
    pub(super) fn set(
        &mut self,
        name: &str,
        value: &str,
        priority: Option<Priority>,
    ) -> Option<(Name, Priority)> {
        let at = self.0.iter().position(|prop| prop.name.as_str() == name);
        match at {
            None if value.is_empty() => None,
            None => {
                let prop = Prop {
                    name: Name::new(name),
                    value: value.into(),
                    priority: priority.unwrap_or_default(),
                };
                let told = (prop.name.clone(), prop.priority);
                self.0.push(prop);
                Some(told)
            }
            Some(at) if value.is_empty() => {
                let prop = self.0.remove(at);
                Some((prop.name, priority.unwrap_or(prop.priority)))
            }
            Some(at) => {
                let prop = &mut self.0[at];
                prop.priority = priority.unwrap_or(prop.priority);
                if &*prop.value == value {
                    return None;
                }
                prop.value = value.into();
                Some((prop.name.clone(), prop.priority))
            }
        }
    }
}
