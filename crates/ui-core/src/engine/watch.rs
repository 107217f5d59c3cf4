//! Who watches what.
//!
//! Watches are counted for each connection. A variable that nobody watches, or that is inactive, is not visited by walks, nor is what is
//! below it; the world is told when that changes.

use super::Session;
use super::connection::Item;
use super::variable::Watcher;
use crate::ids::{ConnId, Slot};
use crate::world::Change;

impl Session {
    /// One more watch, which is answered by the whole variable. The answer to "ask again" is not counted.
    pub(super) fn watch(&mut self, slot: Slot, conn: ConnId) {
        self.add_watcher(slot, conn);
        let (Some(variable), Some(connection)) =
            (self.tree.get(slot), self.connections.get_mut(&conn))
        else {
            return;
        };
        connection.tell(variable, Item::All);
    }

    /// The same without an answer: a variable that is made is told of when it is read.
    pub(super) fn add_watcher(&mut self, slot: Slot, conn: ConnId) {
        let Some(variable) = self.tree.get_mut(slot) else { return };
        match variable.watchers.iter_mut().find(|watcher| watcher.conn == conn) {
            Some(watcher) if watcher.asked => watcher.asked = false,
            Some(watcher) => watcher.count = watcher.count.saturating_add(1),
            None => {
                variable.watchers.push(Watcher { conn, count: 1, asked: false });
                if variable.owner.is_none()
                    && let Some(connection) = self.connections.get_mut(&conn)
                {
                    connection.shared.push(slot);
                }
            }
        }
        self.refresh_live(slot);
    }

    /// One watch less. Nothing happens if there is none.
    pub(super) fn unwatch(&mut self, slot: Slot, conn: ConnId) {
        let Some(variable) = self.tree.get_mut(slot) else { return };
        let Some(watcher) = variable.watchers.iter_mut().find(|watcher| watcher.conn == conn)
        else {
            return;
        };
        watcher.count -= 1;
        if watcher.count == 0 {
            self.forget_watcher(slot, conn);
        }
    }

    /// A connection watches a variable no more.
    pub(super) fn forget_watcher(&mut self, slot: Slot, conn: ConnId) {
        let Some(variable) = self.tree.get_mut(slot) else { return };
        variable.watchers.retain(|watcher| watcher.conn != conn);
        if variable.owner.is_none()
            && let Some(connection) = self.connections.get_mut(&conn)
        {
            connection.shared.retain(|shared| *shared != slot);
        }
        self.refresh_live(slot);
    }

    /// Tells the world whether to visit a variable, if that is news.
    pub(super) fn refresh_live(&mut self, slot: Slot) {
        let Some(variable) = self.tree.get_mut(slot) else { return };
        let live = variable.wants_live();
        if variable.live != live {
            variable.live = live;
            self.changes.push(Change::Live { slot, live });
        }
    }
}
