//! Who points to a body: the index that lets a removal find what it must clean without a search.

use rpds::{HashTrieMapSync, RedBlackTreeSetSync};

use crate::{BodyId, DiskId, FieldId, Fields, GroupId, model::Body};

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
    /// A group that has it as a member.
    Group(GroupId),
}

/// Derived from the rest of the state; kept up to date by [`crate::State::apply`].
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct References {
    by_body: HashTrieMapSync<BodyId, RedBlackTreeSetSync<Referrer>>,
}

impl Default for References {
    fn default() -> Self {
        Self { by_body: HashTrieMapSync::new_sync() }
    }
}

impl References {
    /// In a fixed order, so that the same removal always tells the same lists.
    pub(crate) fn to(&self, body: &BodyId) -> impl Iterator<Item = &Referrer> {
        self.by_body.get(body).into_iter().flat_map(|referrers| referrers.iter())
    }

    pub(crate) fn link(&mut self, target: &BodyId, referrer: Referrer) {
        if let Some(referrers) = self.by_body.get_mut(target) {
            referrers.insert_mut(referrer);
        } else {
            let mut referrers = RedBlackTreeSetSync::new_sync();
            referrers.insert_mut(referrer);
            self.by_body.insert_mut(target.clone(), referrers);
        }
    }

    pub(crate) fn unlink(&mut self, target: &BodyId, referrer: &Referrer) {
        let Some(referrers) = self.by_body.get_mut(target) else { return };
        referrers.remove_mut(referrer);
        if referrers.is_empty() {
            self.by_body.remove_mut(target);
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
}

fn of_body(body: &Body) -> impl Iterator<Item = (BodyId, Referrer)> {
    let marker = Referrer::Marker(body.id.clone());
    let companion = Referrer::Companion(body.id.clone());
    let marks = body.marks().map(move |target| (target, marker.clone()));
    marks.chain(body.host().map(|target| (target, companion)))
}

/// The bodies that a belt names.
pub(crate) fn of_field(field: &Fields) -> impl Iterator<Item = BodyId> {
    ["hostStarId", "systemId"].into_iter().filter_map(|key| field.text(key)).map(BodyId::from)
}

/// The bodies that a disk names.
pub(crate) fn of_disk(disk: &Fields) -> impl Iterator<Item = BodyId> {
    ["centralStarId", "systemId"].into_iter().filter_map(|key| disk.text(key)).map(BodyId::from)
}
