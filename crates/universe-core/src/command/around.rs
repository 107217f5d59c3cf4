//! Commands about what lies around: small body fields, disks, nebulae.

use serde_json::{Map, Value};

use super::{Command, Input};
use crate::{DiskId, Fields, around::Around, error::Problem, shape};

impl Input<'_> {
    /// A whole map of one kind. The key of an entry and its `id` are the same; a missing one is filled.
    pub(super) fn all_around<K: Around>(&mut self, key: &str) -> Vec<(K, Fields)> {
        let entries = self.object(key, "an object with ids as keys");
        let mut all = Vec::with_capacity(entries.len());
        for (id, entry) in entries {
            let way = format!("{key}.{id}");
            match entry {
                Value::Object(fields) => {
                    all.push((K::from(&id), self.around::<K>(&id, fields, &way)));
                }
                other => self.wrong(&way, "an object", &other),
            }
        }
        all
    }

    pub(super) fn add_disk(&mut self) -> Command {
        let disk = self.object("disk", "an object with the disk's fields");
        let id = disk.get("id").unwrap_or(&Value::Null).clone();
        let Some(id) = id.as_str() else {
            if self.problems.is_empty() {
                self.wrong("disk.id", "the id of a disk", &id);
            }
            return Command::AddProtoplanetaryDisk {
                id: DiskId::from(""),
                fields: Fields::default(),
            };
        };
        let fields = self.around::<DiskId>(id, disk, "disk");
        Command::AddProtoplanetaryDisk { id: DiskId::from(id), fields }
    }

    fn around<K: Around>(&mut self, id: &str, mut fields: Map<String, Value>, way: &str) -> Fields {
        shape::check(K::SHAPE, &fields, way, true, &mut self.problems);
        match fields.get("id") {
            None | Some(Value::Null) => {
                fields.insert("id".into(), id.into());
            }
            Some(Value::String(own)) if own == id => {}
            Some(other) => {
                let other = other.as_str().map_or_else(|| other.to_string(), str::to_owned);
                let message = format!("must be the key `{id}`, not `{other}`");
                self.problems.push(Problem { field: format!("{way}.id"), message });
            }
        }
        Fields::from(fields)
    }

    /// Id and changes of one; an `id` among the changes is passed over.
    pub(super) fn patch_around<K: Around>(&mut self, what: &str) -> (K, Fields) {
        let id = self.id("id", what);
        let wanted = "an object with the fields to change";
        (id, Fields::from(self.fields("patch", wanted, K::SHAPE, false)))
    }
}
