//! Printing a whole state as a copy of texts that are there already.

use std::hash::Hash;

use serde::Serialize;

use crate::{
    Entity, Ordered, OrderedSet, State,
    json::{append, number_text},
};

impl State {
    /// Appends the state as JSON, with `time` as its time: byte for byte what [`crate::json::encode`] prints. Each
    /// entity is printed once in its life; from then on this copies its text.
    pub fn write_json(&self, out: &mut Vec<u8>, time: f64) {
        out.extend_from_slice(b"{\"stars\":");
        write_map(out, &self.bodies);
        out.extend_from_slice(b",\"rootIds\":");
        write_list(out, &self.roots);
        out.extend_from_slice(b",\"groups\":");
        write_map(out, &self.groups);
        out.extend_from_slice(b",\"rootGroupIds\":");
        write_list(out, &self.root_groups);
        out.extend_from_slice(b",\"belts\":");
        write_map(out, &self.belts);
        out.extend_from_slice(b",\"smallBodyFields\":");
        write_map(out, &self.small_body_fields);
        out.extend_from_slice(b",\"protoplanetaryDisks\":");
        write_map(out, &self.disks);
        out.extend_from_slice(b",\"nebulae\":");
        write_map(out, &self.nebulae);
        out.extend_from_slice(b",\"time\":");
        out.extend_from_slice(number_text(time).as_bytes());
        for (key, value) in self.extra.iter() {
            out.push(b',');
            append(out, key);
            out.push(b':');
            append(out, value);
        }
        out.push(b'}');
    }
}

fn write_map<K, T>(out: &mut Vec<u8>, map: &Ordered<K, Entity<T>>)
where
    K: Eq + Hash + Clone + Serialize,
    T: Serialize,
{
    out.push(b'{');
    for (index, (key, entity)) in map.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        append(out, key);
        out.push(b':');
        out.extend_from_slice(entity.json().as_bytes());
    }
    out.push(b'}');
}

fn write_list<K: Eq + Hash + Clone + Serialize>(out: &mut Vec<u8>, list: &OrderedSet<K>) {
    out.push(b'[');
    for (index, key) in list.keys().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        append(out, key);
    }
    out.push(b']');
}
