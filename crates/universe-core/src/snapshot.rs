//! A whole state that comes from outside: checked, completed, brought in order.
//!
//! Existing clients send states that break the rules of the tree. `parentId` is taken at its word; lists of
//! children, roots and members keep their order, lose what contradicts it and gain what is missing. A value
//! of the wrong type or a cycle has no obvious repair and is refused with its place.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    hash::Hash,
    sync::Arc,
};

use serde::{Deserialize, Deserializer, de::Error};
use serde_json::{Map, Value};

use crate::{
    BodyId, Fields, Group, GroupId, Invalid, Member, Ordered, Problem, State,
    references::{self, References, Referrer},
    shape,
};

impl State {
    /// Reads a state. Missing parts are empty; a missing `time` is `time`. `at` is the way to the value, for
    /// messages.
    pub fn from_json(value: Value, time: f64, at: &str) -> Result<Self, Invalid> {
        let Value::Object(parts) = value else {
            return Err(Invalid {
                problems: vec![shape::mismatch(at.into(), "an object", &value)],
            });
        };
        let mut reader = Reader { parts, at, problems: Vec::new() };
        let state = reader.state(time);
        if reader.problems.is_empty() {
            Ok(state)
        } else {
            Err(Invalid { problems: reader.problems })
        }
    }
}

/// Reads what was written; a state of ours passes through unchanged.
impl<'de> Deserialize<'de> for State {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_json(Value::deserialize(deserializer)?, 0.0, "state").map_err(D::Error::custom)
    }
}

/// An id from which the way up through `parent_of` comes back to itself. Linear: what was walked once is not
/// walked again, so a long chain sent by anyone costs what it weighs.
pub(crate) fn find_loop<'a, K: Eq + Hash>(
    ids: impl Iterator<Item = &'a K>,
    parent_of: impl Fn(&K) -> Option<&'a K>,
) -> Option<&'a K> {
    let mut safe: HashSet<&K> = HashSet::new();
    for start in ids {
        let mut way = HashSet::new();
        let mut at = Some(start);
        while let Some(id) = at.filter(|id| !safe.contains(id)) {
            if !way.insert(id) {
                return Some(id);
            }
            at = parent_of(id);
        }
        safe.extend(way);
    }
    None
}

/// The index of references, made anew.
pub(crate) fn references(state: &State) -> References {
    let mut found = References::default();
    for (_, body) in state.bodies.iter() {
        found.link_body(body);
    }
    for (id, field) in state.small_body_fields.iter() {
        for body in references::of_field(field) {
            found.link(&body, Referrer::Field(id.clone()));
        }
    }
    for (id, disk) in state.disks.iter() {
        for body in references::of_disk(disk) {
            found.link(&body, Referrer::Disk(id.clone()));
        }
    }
    for (id, group) in state.groups.iter() {
        for member in group.members.keys() {
            if let Member::System(body) = member {
                found.link(body, Referrer::Group(id.clone()));
            }
        }
    }
    found
}

struct Reader<'a> {
    parts: Map<String, Value>,
    at: &'a str,
    problems: Vec<Problem>,
}

/// An entity with a parent, before it has its place in a tree.
struct Node<K> {
    parent: Option<K>,
    /// The list of children as it was sent.
    listed: Vec<Value>,
    fields: Fields,
}

impl Reader<'_> {
    fn state(&mut self, time: f64) -> State {
        let mut state = State { time: self.time(time), ..State::default() };
        self.bodies(&mut state);
        self.groups(&mut state);
        state.belts = self.entities("belts");
        state.small_body_fields = self.entities("smallBodyFields");
        state.disks = self.entities("protoplanetaryDisks");
        state.nebulae = self.entities("nebulae");
        state.extra = Fields::from(std::mem::take(&mut self.parts));
        state.references = references(&state);
        state
    }

    fn time(&mut self, default: f64) -> f64 {
        match self.parts.shift_remove("time") {
            None | Some(Value::Null) => default,
            Some(value) => value.as_f64().unwrap_or_else(|| {
                self.wrong("time", "a number", &value);
                default
            }),
        }
    }

    fn bodies(&mut self, state: &mut State) {
        let nodes = self.nodes::<BodyId>("stars", "parentId", Some(shape::BODY));
        let listed_roots = self.list("rootIds");
        let mut parents = HashMap::new();
        let mut children: HashMap<BodyId, Vec<BodyId>> = HashMap::new();
        for (id, node) in nodes.iter() {
            parents.insert(id.clone(), node.parent.clone());
            if let Some(parent) = &node.parent {
                children.entry(parent.clone()).or_default().push(id.clone());
            }
        }
        // Listed ones first, in their order; then whoever names this parent and was not listed.
        let in_order = |parent: &BodyId, listed: &[Value]| {
            let named = listed.iter().filter_map(Value::as_str).map(BodyId::from);
            let named = named.filter(|id| parents.get(id) == Some(&Some(parent.clone())));
            named.chain(children.get(parent).into_iter().flatten().cloned()).collect()
        };
        let is_root = |id: &BodyId| parents.get(id) == Some(&None);
        state.roots = ids(&listed_roots).filter(is_root).collect();
        for (id, node) in nodes.iter() {
            let body = crate::Body {
                id: id.clone(),
                parent: node.parent.clone(),
                children: in_order(id, &node.listed),
                fields: node.fields.clone(),
            };
            if body.parent.is_none() && !body.is_rogue() {
                state.roots.add(id.clone());
            }
            state.bodies.insert(id.clone(), Arc::new(body));
        }
    }

    fn groups(&mut self, state: &mut State) {
        let nodes = self.nodes::<GroupId>("groups", "parentGroupId", None);
        let listed_roots: Vec<Value> = self.list("rootGroupIds");
        let is_root = |id: &GroupId| nodes.get(id).is_some_and(|node| node.parent.is_none());
        state.root_groups = ids(&listed_roots).filter(is_root).collect();
        let mut taken = HashSet::new();
        for (id, node) in nodes.iter() {
            let mut members = Ordered::default();
            for (member, extra) in node.listed.iter().filter_map(member) {
                let fits = match &member {
                    Member::System(body) => state.bodies.contains(body),
                    Member::Group(child) => {
                        nodes.get(child).is_some_and(|child| child.parent.as_ref() == Some(id))
                    }
                };
                if fits && taken.insert(member.clone()) {
                    members.insert(member, extra);
                }
            }
            if node.parent.is_none() {
                state.root_groups.add(id.clone());
            }
            let (parent, fields) = (node.parent.clone(), node.fields.clone());
            let group = Group { id: id.clone(), parent, members, fields };
            state.groups.insert(id.clone(), Arc::new(group));
        }
        for (id, node) in nodes.iter() {
            let Some(parent) = node.parent.as_ref().and_then(|id| state.groups.get_mut(id)) else {
                continue;
            };
            if !parent.members.contains(&Member::Group(id.clone())) {
                Arc::make_mut(parent).members.insert(Member::Group(id.clone()), Fields::default());
            }
        }
    }

    /// Reads a map of entities that form a forest. A parent that is not there counts as none.
    fn nodes<K: Eq + Hash + Clone + fmt::Display + for<'t> From<&'t str>>(
        &mut self,
        part: &str,
        parent_key: &str,
        shape: Option<shape::Shape>,
    ) -> Ordered<K, Arc<Node<K>>> {
        let objects = self.objects(part);
        let there: HashSet<String> = objects.iter().map(|(key, _)| key.clone()).collect();
        let mut nodes = Ordered::default();
        for (key, mut map) in objects {
            let at = format!("{}.{part}.{key}", self.at);
            if let Some(shape) = shape {
                shape::check(shape, &map, &at, true, &mut self.problems);
            }
            let parent = match map.shift_remove(parent_key) {
                None | Some(Value::Null) => None,
                Some(Value::String(id)) => there.contains(&id).then(|| K::from(&id)),
                Some(other) => {
                    self.wrong(&format!("{part}.{key}.{parent_key}"), "an id or null", &other);
                    None
                }
            };
            let listed = match map.shift_remove("children") {
                None | Some(Value::Null) => Vec::new(),
                Some(Value::Array(listed)) => listed,
                Some(other) => {
                    self.wrong(&format!("{part}.{key}.children"), "a list", &other);
                    Vec::new()
                }
            };
            map.shift_remove("id");
            let node = Node { parent, listed, fields: Fields::from(map) };
            nodes.insert(K::from(&key), Arc::new(node));
        }
        if let Some(id) = find_loop(nodes.keys(), |id| nodes.get(id)?.parent.as_ref()) {
            let field = format!("{}.{part}.{id}.{parent_key}", self.at);
            self.problems.push(Problem { field, message: "must not lead back to itself".into() });
        }
        nodes
    }

    /// Reads a map of entities that stand alone. The key is the id, whatever the entity says.
    fn entities<K: Eq + Hash + Clone + for<'t> From<&'t str>>(
        &mut self,
        part: &str,
    ) -> Ordered<K, Arc<Fields>> {
        let with_id = |(key, mut map): (String, Map<String, Value>)| {
            map.insert("id".into(), Value::String(key.clone()));
            (K::from(&key), Arc::new(Fields::from(map)))
        };
        self.objects(part).into_iter().map(with_id).collect()
    }

    fn objects(&mut self, part: &str) -> Vec<(String, Map<String, Value>)> {
        let entries = match self.parts.shift_remove(part) {
            None | Some(Value::Null) => return Vec::new(),
            Some(Value::Object(entries)) => entries,
            Some(other) => {
                self.wrong(part, "an object with ids as keys", &other);
                return Vec::new();
            }
        };
        let mut objects = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            match value {
                Value::Object(map) => objects.push((key, map)),
                other => self.wrong(&format!("{part}.{key}"), "an object", &other),
            }
        }
        objects
    }

    fn list(&mut self, part: &str) -> Vec<Value> {
        match self.parts.shift_remove(part) {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(items)) => items,
            Some(other) => {
                self.wrong(part, "a list of ids", &other);
                Vec::new()
            }
        }
    }

    fn wrong(&mut self, way: &str, wanted: &str, found: &Value) {
        self.problems.push(shape::mismatch(format!("{}.{way}", self.at), wanted, found));
    }
}

fn ids<'v, K: From<&'v str>>(listed: &'v [Value]) -> impl Iterator<Item = K> {
    listed.iter().filter_map(Value::as_str).map(K::from)
}

/// Reads an entry of a group's list, with the keys that we do not know.
fn member(entry: &Value) -> Option<(Member, Fields)> {
    let mut map = entry.as_object()?.clone();
    let (id, kind) = (map.shift_remove("id")?, map.shift_remove("type")?);
    let member = match kind.as_str()? {
        "system" => Member::System(id.as_str()?.into()),
        "group" => Member::Group(id.as_str()?.into()),
        _ => return None,
    };
    Some((member, Fields::from(map)))
}
