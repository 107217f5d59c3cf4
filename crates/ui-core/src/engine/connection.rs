//! What the engine keeps for one connection, between its last frame and the next.

use std::collections::BTreeMap;
use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use super::tree::{Ref, Tree};
use super::variable::{Name, Variable};
use crate::error::{Code, Failure};
use crate::ids::{ObjId, Slot, VarId, WireId};
use crate::props::Priority;
use crate::viewdef::{Key, Viewdef, Viewdefs};

/// One connection.
#[derive(Debug, Default)]
pub(super) struct Connection {
    /// Its own variables.
    pub(super) ids: HashMap<WireId, Slot>,
    /// Shared variables that it watches.
    pub(super) shared: Vec<Slot>,
    /// What to tell of variables; sorted and joined when the frame is written.
    pub(super) events: Vec<Event>,
    /// Variables that are gone, children first.
    pub(super) destroyed: Vec<WireId>,
    /// The same from frames that never arrived.
    pub(super) lost: Vec<WireId>,
    pub(super) errors: Vec<Complaint>,
    pub(super) questions: Vec<Question>,
    pub(super) views: Views,
}

/// Something to tell of a variable.
#[derive(Clone, Debug)]
pub(super) struct Event {
    /// Priority; then parents before children; then by id.
    pub(super) order: (Priority, u16, WireId),
    pub(super) at: Ref,
    pub(super) item: Item,
}

/// What to tell. What it is now is looked up when the frame is written.
#[derive(Clone, Debug)]
pub(super) enum Item {
    /// Its value.
    Value,
    /// Its type.
    Type,
    /// One property.
    Prop(Name),
    /// Value and all properties: the answer to `watch`.
    All,
    /// An empty update: forget and ask again.
    Again,
}

/// An error to send.
#[derive(Clone, Debug)]
pub(super) struct Complaint {
    pub(super) wire: WireId,
    pub(super) code: Code,
    pub(super) text: Box<str>,
}

/// Something that is answered after the walk.
#[derive(Clone, Debug)]
pub(super) enum Question {
    Variables(Vec<WireId>),
    Objects(Vec<ObjId>),
}

impl Connection {
    /// The variable that it calls `wire`.
    pub(super) fn slot_of(&self, tree: &Tree, wire: WireId) -> Option<Slot> {
        let shared = VarId(wire.0);
        if shared.is_shared() { tree.find(shared) } else { self.ids.get(&wire).copied() }
    }

    /// Tells `item` of `variable` with the next frame, at the variable's own priority.
    pub(super) fn tell(&mut self, variable: &Variable, item: Item) {
        self.tell_at(variable, item, variable.placed.priority);
    }

    /// The same at another priority.
    pub(super) fn tell_at(&mut self, variable: &Variable, item: Item, priority: Priority) {
        self.events.push(Event {
            order: (priority, variable.depth, variable.wire),
            at: Ref { slot: variable.placed.slot, serial: variable.serial },
            item,
        });
    }

    pub(super) fn complain(&mut self, wire: WireId, failure: &Failure) {
        self.errors.push(Complaint { wire, code: failure.code, text: failure.text.clone() });
    }

    /// Whether the next frame would be empty.
    pub(super) fn is_quiet(&self) -> bool {
        self.events.is_empty()
            && self.destroyed.is_empty()
            && self.lost.is_empty()
            && self.errors.is_empty()
            && self.questions.is_empty()
            && self.views.due.is_empty()
    }
}

/// Which view definitions a connection has.
#[derive(Debug, Default)]
pub(super) struct Views {
    /// Types that it met on a variable it watches.
    types: HashSet<Arc<str>>,
    /// What it was sent, by key.
    sent: HashMap<Key, Arc<str>>,
    /// What it is sent with the next frame, by key.
    due: BTreeMap<Key, Arc<str>>,
}

impl Views {
    /// The connection sees a variable of this type: at the first time, all its namespaces are due.
    pub(super) fn meet(&mut self, type_name: &Arc<str>, viewdefs: &mut dyn Viewdefs) {
        if self.types.contains(type_name) {
            return;
        }
        self.types.insert(Arc::clone(type_name));
        for viewdef in viewdefs.of_type(type_name) {
            self.offer(&viewdef);
        }
    }

    /// A definition has this content now.
    pub(super) fn changed(&mut self, viewdef: &Viewdef) {
        if self.types.contains(viewdef.key.type_name()) || self.sent.contains_key(&viewdef.key) {
            self.offer(viewdef);
        }
    }

    /// It was sent but never arrived.
    pub(super) fn lost(&mut self, key: &Key) {
        if let Some(html) = self.sent.remove(key) {
            self.due.entry(key.clone()).or_insert(html);
        }
    }

    /// What is due, which counts as sent from now on.
    pub(super) fn take_due(&mut self) -> BTreeMap<Key, Arc<str>> {
        let due = std::mem::take(&mut self.due);
        self.sent.extend(due.iter().map(|(key, html)| (key.clone(), Arc::clone(html))));
        due
    }

    /// Makes it due, unless the connection has it with the same content.
    fn offer(&mut self, viewdef: &Viewdef) {
        if self.sent.get(&viewdef.key) == Some(&viewdef.html) {
            self.due.remove(&viewdef.key);
        } else {
            self.due.insert(viewdef.key.clone(), Arc::clone(&viewdef.html));
        }
    }
}
