//! Maps of plain entities, and what they point to.

use crate::{Entity, Fields, State, around::Around};

impl State {
    /// The whole map is this now.
    pub(super) fn set_around<K: Around>(&mut self, all: &[(K, Fields)]) {
        let before = std::mem::take(K::all_mut(self));
        for (id, fields) in before.iter() {
            self.references.unlink_around(id, fields);
        }
        for (id, fields) in all {
            self.put_around(id, fields);
        }
    }

    /// A new one comes last; one that has this id is replaced where it stands.
    pub(super) fn put_around<K: Around>(&mut self, id: &K, fields: &Fields) {
        self.unlink(id);
        self.references.link_around(id, fields);
        K::all_mut(self).insert(id.clone(), Entity::new(fields.clone()));
    }

    pub(super) fn change_around<K: Around>(&mut self, id: &K, change: impl FnOnce(&mut Fields)) {
        self.unlink(id);
        let Some(entity) = K::all_mut(self).get_mut(id) else { return };
        change(entity.change());
        let entity = entity.clone();
        self.references.link_around(id, &entity);
    }

    pub(super) fn remove_around<K: Around>(&mut self, id: &K) {
        self.unlink(id);
        K::all_mut(self).remove(id);
    }

    fn unlink<K: Around>(&mut self, id: &K) {
        if let Some(entity) = K::all(self).get(id).cloned() {
            self.references.unlink_around(id, &entity);
        }
    }
}
