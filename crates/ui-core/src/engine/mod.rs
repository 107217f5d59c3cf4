//! The engine: a session's variables and connections.
//!
//! In goes a batch of a connection ([`Session::receive`]), or something happened in the world (Lua ran, a timer fired);
//! then [`Session::settle`] walks, and out come frames for each connection. Everything else is bookkeeping: who watches what
//! (`watch`), how a variable is read (`specify`), what each connection has and is still to be told (`connection`). The cost of
//! a batch is the cost of what it changes; only the world's walk sees all variables.

mod connection;
mod frame;
mod listing;
mod paths;
mod receive;
mod requests;
mod settle;
mod specify;
mod tree;
mod variable;
mod watch;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use frame::Frame;
pub use listing::{Listed, ListedProperties};
pub use settle::Settled;

use connection::{Connection, Item};
use paths::Paths;
use tree::{Ref, Tree};
use variable::{Links, Props, Variable};

use crate::ids::{ConnId, Slot, VarId, WireId};
use crate::message::ErrorMessage;
use crate::props::{Access, Priority};
use crate::value::Value;
use crate::viewdef::Viewdef;
use crate::world::{Change, Placed, Request, Seen, Source};

/// A session: the tree of variables, and the connections that look at it.
#[derive(Debug)]
pub struct Session {
    limits: Limits,
    tree: Tree,
    /// Boxed, since a node of the map has room for eleven and most sessions have one.
    connections: BTreeMap<ConnId, Box<Connection>>,
    next_connection: u64,
    paths: Paths,
    /// What the world has not been told yet.
    changes: Vec<Change>,
    /// Variables written in this turn.
    written: Vec<Ref>,
    /// Errors that browsers reported in this turn.
    reports: Vec<(ConnId, ErrorMessage)>,
    /// Variables that Lua made.
    made_by_lua: usize,
    /// Counts settlings.
    turn: u64,
    change_count: u64,
    /// Kept for their memory.
    seen: Vec<Seen>,
    requests: Vec<Request>,
}

/// What a session takes before it refuses with [`Code::Limit`](crate::Code::Limit).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Variables of one connection, and as many made by Lua.
    pub variables: usize,
    /// Variables above one another.
    pub depth: u16,
    /// Properties of one variable.
    pub properties: usize,
    /// Walks of one settling.
    pub passes: u8,
}

impl Default for Limits {
    fn default() -> Self {
        Self { variables: 100_000, depth: 256, properties: 64, passes: 4 }
    }
}

impl Default for Session {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

impl Session {
    /// A session with variable 1 and no connection.
    pub fn new(limits: Limits) -> Self {
        let mut session = Self {
            limits,
            tree: Tree::new(),
            connections: BTreeMap::new(),
            next_connection: 1,
            paths: Paths::default(),
            changes: Vec::new(),
            written: Vec::new(),
            reports: Vec::new(),
            made_by_lua: 0,
            turn: 1,
            change_count: 0,
            seen: Vec::new(),
            requests: Vec::new(),
        };
        let root = session.insert(VarId::ROOT, None, None, WireId::ROOT, false);
        debug_assert_eq!(root, Slot::ROOT);
        session.specify(root);
        session
    }

    /// A new connection. It watches nothing yet.
    pub fn connect(&mut self) -> ConnId {
        let conn = ConnId(self.next_connection);
        self.next_connection += 1;
        self.connections.insert(conn, Box::default());
        conn
    }

    /// A connection is gone, and with it its variables and watches. The others notice nothing.
    pub fn disconnect(&mut self, conn: ConnId) {
        // Taken out first, so that nobody is told of what goes.
        let Some(connection) = self.connections.remove(&conn) else { return };
        for slot in connection.shared {
            self.forget_watcher(slot, conn);
        }
        let mut own: Vec<Slot> = connection.ids.into_values().collect();
        own.sort_unstable();
        for slot in own {
            // It may have gone with one above it; then the slot is free, since nothing new is made meanwhile.
            self.destroy(slot);
        }
    }

    /// How many connections there are.
    pub fn connections(&self) -> usize {
        self.connections.len()
    }

    /// How many variables there are, the root among them.
    pub fn len(&self) -> usize {
        self.tree.len()
    }

    /// Whether there is nothing but the root.
    pub fn is_empty(&self) -> bool {
        self.tree.len() <= 1
    }

    /// The session's id of what a connection calls `wire`.
    pub fn var_id(&self, conn: ConnId, wire: WireId) -> Option<VarId> {
        self.tree.get(self.resolve(conn, wire)?).map(Variable::id)
    }

    /// Changes of values since the session began.
    pub fn change_count(&self) -> u64 {
        self.change_count
    }

    /// A definition is new or has other content: the next [`Session::settle`] sends it to every connection that has the key
    /// or met the type. With `uploaded`, every watched variable of that type gets an empty update as well.
    pub fn viewdef_changed(&mut self, viewdef: &Viewdef, uploaded: bool) {
        for connection in self.connections.values_mut() {
            connection.views.changed(viewdef);
        }
        if uploaded {
            let of_type = |variable: &&Variable| {
                variable.type_name.as_deref() == Some(viewdef.key.type_name())
            };
            let slots: Vec<Slot> =
                self.tree.iter().filter(of_type).map(|variable| variable.placed.slot).collect();
            for slot in slots {
                self.ask_again(slot, None);
            }
        }
    }

    /// A frame never reached its connection, which reads too slowly. The next [`Session::settle`] tells it to ask again for
    /// the variables that were in it, and repeats what it cannot ask for: view definitions, what is gone, standing errors.
    /// Answers to `get` and `getObjects` are lost.
    pub fn dropped(&mut self, conn: ConnId, frame: &Frame) {
        for wire in &frame.updated {
            if let Some(slot) = self.resolve(conn, *wire) {
                self.ask_again(slot, Some(conn));
            }
        }
        for wire in &frame.complained {
            let standing = self.resolve(conn, *wire).and_then(|slot| self.tree.get(slot));
            if let (Some(failure), Some(connection)) =
                (standing.and_then(Variable::error), self.connections.get_mut(&conn))
            {
                connection.complain(*wire, failure);
            }
        }
        let most = self.limits.variables;
        let Some(connection) = self.connections.get_mut(&conn) else { return };
        for key in &frame.viewdefs {
            connection.views.lost(key);
        }
        // A connection that never reads must not have them pile up.
        let room = most.saturating_sub(connection.lost.len());
        connection.lost.extend(frame.destroyed.iter().take(room));
    }

    /// The variable that a connection calls `wire`.
    fn resolve(&self, conn: ConnId, wire: WireId) -> Option<Slot> {
        self.connections.get(&conn)?.slot_of(&self.tree, wire)
    }

    /// Puts a variable into the tree, not yet specified.
    fn insert(
        &mut self,
        id: VarId,
        parent: Option<Slot>,
        owner: Option<ConnId>,
        wire: WireId,
        unbound: bool,
    ) -> Slot {
        let depth =
            parent.and_then(|parent| self.tree.get(parent)).map_or(0, |parent| parent.depth + 1);
        let Ref { slot, serial } = self.tree.next();
        let placed = Placed {
            slot,
            id,
            parent,
            source: Source::None,
            access: Access::default(),
            priority: Priority::default(),
            wrapper: None,
            item_wrapper: None,
            create: None,
        };
        self.tree.insert(Variable {
            serial,
            told: false,
            placed,
            owner,
            wire,
            links: Links::default(),
            depth,
            unbound,
            props: Props::default(),
            value: Value::Null,
            read: false,
            type_name: None,
            fault: None,
            fault_turn: 0,
            read_error: None,
            watchers: Vec::new(),
            live: false,
            written: None,
            changes: 0,
            notes: Vec::new(),
        });
        slot
    }

    /// Destroys a variable and all below it, and tells whom it concerns, children first.
    fn destroy(&mut self, top: Slot) {
        if self.tree.get(top).is_none() {
            return;
        }
        for slot in self.tree.post_order(top) {
            let Some(variable) = self.tree.remove(slot) else { continue };
            self.changes.push(Change::Remove { slot });
            if let Some(connection) =
                variable.owner.and_then(|owner| self.connections.get_mut(&owner))
            {
                connection.ids.remove(&variable.wire);
                connection.destroyed.push(variable.wire);
            }
            if variable.owner.is_some() {
                continue;
            }
            self.made_by_lua -= 1;
            for watcher in &variable.watchers {
                if let Some(connection) = self.connections.get_mut(&watcher.conn) {
                    connection.shared.retain(|shared| *shared != slot);
                    connection.destroyed.push(variable.wire);
                }
            }
        }
    }

    /// Tells those who watch a variable, or one of them, to ask again.
    fn ask_again(&mut self, slot: Slot, only: Option<ConnId>) {
        let Some(variable) = self.tree.get_mut(slot) else { return };
        let mut told = Vec::new();
        for watcher in &mut variable.watchers {
            if only.is_none_or(|only| only == watcher.conn) {
                watcher.asked = true;
                told.push(watcher.conn);
            }
        }
        let Some(variable) = self.tree.get(slot) else { return };
        for conn in told {
            if let Some(connection) = self.connections.get_mut(&conn) {
                connection.tell(variable, Item::Again);
            }
        }
    }

    /// Tells `item` to those who watch a variable, but for `except`.
    fn tell_watchers(
        &mut self,
        slot: Slot,
        item: &Item,
        priority: Priority,
        except: Option<ConnId>,
    ) {
        let Some(variable) = self.tree.get(slot) else { return };
        for watcher in &variable.watchers {
            if except == Some(watcher.conn) {
                continue;
            }
            if let Some(connection) = self.connections.get_mut(&watcher.conn) {
                connection.tell_at(variable, item.clone(), priority);
            }
        }
    }
}

/// A text as the world gets it, if it is set.
fn set(text: Option<&Arc<str>>) -> Option<Arc<str>> {
    text.map(Arc::clone)
}
