//! The tree of variables: a slab with links, so that adding and removing one costs the same however many there are.

use foldhash::{HashMap, HashMapExt};

use super::variable::{Links, Variable};
use crate::ids::{Slot, VarId, WireId};

/// The highest id that a browser can count to.
pub(super) const MAX_ID: i64 = (1 << 53) - 1;

/// All variables of a session.
#[derive(Debug)]
pub(super) struct Tree {
    slots: Vec<Option<Variable>>,
    free: Vec<Slot>,
    /// Free too, but the world may still have something to say of what lay there.
    cooling: Vec<Slot>,
    ids: HashMap<VarId, Slot>,
    /// Those without parent.
    roots: Links,
    next_serial: u64,
    /// Where the search for an id that nobody uses goes on.
    next_id: i64,
}

/// A variable that may be gone by now: the slot may hold another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ref {
    pub(super) slot: Slot,
    pub(super) serial: u64,
}

impl Tree {
    pub(super) fn new() -> Self {
        Self {
            slots: Vec::new(),
            free: Vec::new(),
            cooling: Vec::new(),
            ids: HashMap::new(),
            roots: Links::default(),
            next_serial: 0,
            next_id: 2,
        }
    }

    pub(super) fn get(&self, slot: Slot) -> Option<&Variable> {
        self.slots.get(slot.index())?.as_ref()
    }

    pub(super) fn get_mut(&mut self, slot: Slot) -> Option<&mut Variable> {
        self.slots.get_mut(slot.index())?.as_mut()
    }

    /// The variable meant by `at`, if it is still there.
    pub(super) fn at(&self, at: Ref) -> Option<&Variable> {
        self.get(at.slot).filter(|variable| variable.serial == at.serial)
    }

    /// The same, to change it.
    pub(super) fn at_mut(&mut self, at: Ref) -> Option<&mut Variable> {
        self.get_mut(at.slot).filter(|variable| variable.serial == at.serial)
    }

    pub(super) fn find(&self, id: VarId) -> Option<Slot> {
        self.ids.get(&id).copied()
    }

    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// Every variable, in no order that means anything.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Variable> {
        self.slots.iter().flatten()
    }

    /// An id for a browser's variable: the browser's own number, if nobody has it.
    pub(super) fn vend_id(&mut self, wire: WireId) -> VarId {
        let wanted = VarId(wire.0);
        if !self.ids.contains_key(&wanted) {
            return wanted;
        }
        while self.ids.contains_key(&VarId(self.next_id)) {
            self.next_id += 1;
        }
        VarId(self.next_id)
    }

    /// Where the next variable will lie, and its serial.
    pub(super) fn next(&mut self) -> Ref {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            // `Limits` keep the number of variables far below.
            Slot(u32::try_from(self.slots.len() - 1).unwrap_or(u32::MAX))
        });
        self.next_serial += 1;
        Ref { slot, serial: self.next_serial }
    }

    /// Puts `variable` at the place that [`Tree::next`] gave, as the last child of its parent.
    pub(super) fn insert(&mut self, mut variable: Variable) {
        let slot = variable.placed.slot;
        let parent = variable.placed.parent;
        let last = self.family(parent).last_child;
        variable.links = Links { previous: last, ..Links::default() };
        self.ids.insert(variable.id(), slot);
        self.slots[slot.index()] = Some(variable);
        match last.and_then(|last| self.get_mut(last)) {
            Some(last) => last.links.next = Some(slot),
            None => self.family_mut(parent).first_child = Some(slot),
        }
        self.family_mut(parent).last_child = Some(slot);
    }

    /// The world has said all it knew: what was removed before may be used again.
    pub(super) fn cool(&mut self) {
        self.free.append(&mut self.cooling);
    }

    /// Takes a variable out, whose children went before. Its slot is not used again before [`Tree::cool`].
    pub(super) fn remove(&mut self, slot: Slot) -> Option<Variable> {
        let variable = self.slots.get_mut(slot.index())?.take()?;
        debug_assert!(variable.links.first_child.is_none(), "children go first");
        self.ids.remove(&variable.id());
        self.cooling.push(slot);
        let Links { previous, next, .. } = variable.links;
        let parent = variable.placed.parent;
        match previous.and_then(|previous| self.get_mut(previous)) {
            Some(previous) => previous.links.next = next,
            None => self.family_mut(parent).first_child = next,
        }
        match next.and_then(|next| self.get_mut(next)) {
            Some(next) => next.links.previous = previous,
            None => self.family_mut(parent).last_child = previous,
        }
        Some(variable)
    }

    /// The variables at and below `top`, children before their parents.
    pub(super) fn post_order(&self, top: Slot) -> Vec<Slot> {
        let mut order = Vec::new();
        let mut open = vec![top];
        // Parents first and last children first, turned round at the end.
        while let Some(slot) = open.pop() {
            order.push(slot);
            open.extend(self.children(Some(slot)));
        }
        order.reverse();
        order
    }

    /// Every variable, parents before their children, siblings in the order they were made.
    pub(super) fn pre_order(&self) -> Vec<Slot> {
        let mut order = Vec::with_capacity(self.len());
        let mut open: Vec<Slot> = self.children(None).collect();
        open.reverse();
        while let Some(slot) = open.pop() {
            order.push(slot);
            let start = open.len();
            open.extend(self.children(Some(slot)));
            open[start..].reverse();
        }
        order
    }

    /// The children of `parent`, or the variables without parent, in the order they were made.
    pub(super) fn children(&self, parent: Option<Slot>) -> impl Iterator<Item = Slot> + '_ {
        let first = self.family(parent).first_child;
        std::iter::successors(first, |slot| self.get(*slot)?.links.next)
    }

    /// Those above `slot`, nearest first.
    pub(super) fn ancestors(&self, slot: Slot) -> impl Iterator<Item = &Variable> + '_ {
        let parent = |variable: &Variable| self.get(variable.placed.parent?);
        std::iter::successors(self.get(slot).and_then(parent), move |variable| parent(variable))
    }

    fn family(&self, parent: Option<Slot>) -> Links {
        match parent.and_then(|parent| self.get(parent)) {
            Some(parent) => parent.links,
            None => self.roots,
        }
    }

    fn family_mut(&mut self, parent: Option<Slot>) -> &mut Links {
        let Self { slots, roots, .. } = self;
        match parent.and_then(|parent| slots.get_mut(parent.index())?.as_mut()) {
            Some(parent) => &mut parent.links,
            None => roots,
        }
    }
}
