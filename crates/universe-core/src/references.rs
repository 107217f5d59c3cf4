//! Who points to a body: the index that lets a command find what it must touch without a search.

use rpds::{HashTrieMapSync, RedBlackTreeSetSync};

use crate::{BodyId, DiskId, FieldId, Fields, GroupId, Member, State, around::Around, model::Body};

/// Something that points to a body.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Referrer {
    /// A Lagrange marker of a pair with this body in it.
    Marker(BodyId),
    /// A Trojan body that accompanies this marker.
    Companion(BodyId),
    /// A belt around it, or in its system.
    Field(FieldId),
    /// A disk around it, or in its system.
    Disk(DiskId),
}

impl Referrer {
    pub(crate) fn id(&self) -> &str {
        match self {
            Self::Marker(id) | Self::Companion(id) => id.as_str(),
            Self::Field(id) => id.as_str(),
            Self::Disk(id) => id.as_str(),
        }
    }
}

/// Derived from the rest of the state; kept up to date by [`crate::State::apply`].
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct References {
    by_body: HashTrieMapSync<BodyId, RedBlackTreeSetSync<Referrer>>,
    /// The group that a system is in. A group knows its own.
    homes: HashTrieMapSync<BodyId, GroupId>,
}

impl Default for References {
    fn default() -> Self {
        Self { by_body: HashTrieMapSync::new_sync(), homes: HashTrieMapSync::new_sync() }
    }
}

impl References {
    /// The index of a whole state.
    pub(crate) fn of(state: &State) -> Self {
        let mut found = Self::default();
        for (_, body) in state.bodies.iter() {
            found.link_body(body);
        }
        for (id, field) in state.small_body_fields.iter() {
            found.link_around(id, field);
        }
        for (id, disk) in state.disks.iter() {
            found.link_around(id, disk);
        }
        for (id, group) in state.groups.iter() {
            for member in group.members.keys() {
                if let Member::System(body) = member {
                    found.homes.insert_mut(body.clone(), id.clone());
                }
            }
        }
        found
    }

    /// In a fixed order, so that the same removal always tells the same lists.
    pub(crate) fn to(&self, body: &BodyId) -> impl Iterator<Item = &Referrer> {
        self.by_body.get(body).into_iter().flat_map(|referrers| referrers.iter())
    }

    pub(crate) fn points(&self, referrer: &Referrer, body: &BodyId) -> bool {
        self.by_body.get(body).is_some_and(|referrers| referrers.contains(referrer))
    }

    /// The group that a system is in.
    pub(crate) fn home(&self, system: &BodyId) -> Option<&GroupId> {
        self.homes.get(system)
    }

    pub(crate) fn set_home(&mut self, system: &BodyId, group: Option<&GroupId>) {
        match group {
            Some(group) => self.homes.insert_mut(system.clone(), group.clone()),
            None => {
                self.homes.remove_mut(system);
            }
        }
    }

    pub(crate) fn link_body(&mut self, body: &Body) {
        for (target, referrer) in of_body(body) {
            self.link(&target, referrer);
        }
    }

    pub(crate) fn unlink_body(&mut self, body: &Body) {
        for (target, referrer) in of_body(body) {
            self.unlink(&target, &referrer);
        }
    }

    pub(crate) fn link_around<K: Around>(&mut self, id: &K, fields: &Fields) {
        if let Some(referrer) = id.referrer() {
            for target in K::bodies(fields) {
                self.link(&target, referrer.clone());
            }
        }
    }

    pub(crate) fn unlink_around<K: Around>(&mut self, id: &K, fields: &Fields) {
        if let Some(referrer) = id.referrer() {
            for target in K::bodies(fields) {
                self.unlink(&target, &referrer);
            }
        }
    }

    fn link(&mut self, target: &BodyId, referrer: Referrer) {
        if let Some(referrers) = self.by_body.get_mut(target) {
            referrers.insert_mut(referrer);
        } else {
            let mut referrers = RedBlackTreeSetSync::new_sync();
            referrers.insert_mut(referrer);
            self.by_body.insert_mut(target.clone(), referrers);
        }
    }

    fn unlink(&mut self, target: &BodyId, referrer: &Referrer) {
        let Some(referrers) = self.by_body.get_mut(target) else { return };
        referrers.remove_mut(referrer);
        if referrers.is_empty() {
            self.by_body.remove_mut(target);
        }
    }
}

fn of_body(body: &Body) -> impl Iterator<Item = (BodyId, Referrer)> {
    let marker = Referrer::Marker(body.id.clone());
    let companion = Referrer::Companion(body.id.clone());
    let marks = body.marks().map(move |target| (target, marker.clone()));
    marks.chain(body.host().map(|target| (target, companion)))
}
