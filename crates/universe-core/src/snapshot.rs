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
    BodyId, Entity, Fields, Group, GroupId, Invalid, Member, Ordered, Problem, State,
    around::Around, json, references::References, shape,
};

/// How deep a state may be nested; see the limit of commands, which reach some levels less deep into a state.
const LEVELS: usize = 72;

impl State {
    /// Reads a state. Missing parts are empty; a missing `time` is `time`. `at` is the way to the value, for
    /// messages.
    pub fn from_json(value: Value, time: f64, at: &str) -> Result<Self, Invalid> {
        if json::is_deeper_than(&value, LEVELS) {
            let message = format!("must not be nested deeper than {LEVELS} levels");
            return Err(Invalid::new(at, message));
        }
        Self::read(value, time, at, Trust::None)
    }

    fn read(value: Value, time: f64, at: &str, trust: Trust) -> Result<Self, Invalid> {
        let Value::Object(parts) = value else {
            return Err(Invalid {
                problems: vec![shape::mismatch(at.into(), "an object", &value)],
            });
        };
        let mut reader = Reader { parts, at, trust, problems: Vec::new() };
        let state = reader.state(time);
        if reader.problems.is_empty() {
            Ok(state)
        } else {
            Err(Invalid { problems: reader.problems })
        }
    }
}

/// Whether the values of fields are checked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trust {
    None,
    /// It was checked when it came in. A table that has grown since must not make a universe unreadable.
    Ours,
}

/// Reads what was written; a state of ours passes through unchanged.
impl<'de> Deserialize<'de> for State {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::read(Value::deserialize(deserializer)?, 0.0, "state", Trust::Ours)
            .map_err(D::Error::custom)
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

struct Reader<'a> {
    parts: Map<String, Value>,
    at: &'a str,
    trust: Trust,
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
        state.references = References::of(&state);
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
        let nodes = self.nodes::<BodyId>("stars", "parentId", shape::BODY);
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
            state.bodies.insert(id.clone(), Entity::new(body));
        }
    }

    fn groups(&mut self, state: &mut State) {
        let nodes = self.nodes::<GroupId>("groups", "parentGroupId", shape::GROUP);
        let listed_roots: Vec<Value> = self.list("rootGroupIds");
        let is_root = |id: &GroupId| nodes.get(id).is_some_and(|node| node.parent.is_none());
        state.root_groups = ids(&listed_roots).filter(is_root).collect();
        let mut taken = HashSet::new();
        for (id, node) in nodes.iter() {
            let mut members = Ordered::default();
            for (member, extra) in node.listed.iter().filter_map(Member::from_json) {
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
            state.groups.insert(id.clone(), Entity::new(group));
        }
        for (id, node) in nodes.iter() {
            let Some(parent) = node.parent.as_ref().and_then(|id| state.groups.get_mut(id)) else {
                continue;
            };
            if !parent.members.contains(&Member::Group(id.clone())) {
                parent.change().members.insert(Member::Group(id.clone()), Fields::default());
            }
        }
    }

    /// Reads a map of entities that form a forest. A parent that is not there counts as none.
    fn nodes<K: Eq + Hash + Clone + fmt::Display + for<'t> From<&'t str>>(
        &mut self,
        part: &str,
        parent_key: &str,
        shape: shape::Shape,
    ) -> Ordered<K, Arc<Node<K>>> {
        let objects = self.objects(part);
        let there: HashSet<String> = objects.iter().map(|(key, _)| key.clone()).collect();
        let mut nodes = Ordered::default();
        for (key, mut map) in objects {
            let at = format!("{}.{part}.{key}", self.at);
            self.check(shape, &map, &at);
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
    fn entities<K: Around>(&mut self, part: &str) -> Ordered<K, Entity<Fields>> {
        let mut entities = Ordered::default();
        for (key, mut map) in self.objects(part) {
            self.check(K::SHAPE, &map, &format!("{}.{part}.{key}", self.at));
            map.insert("id".into(), Value::String(key.clone()));
            entities.insert(K::from(&key), Entity::new(Fields::from(map)));
        }
        entities
    }

    fn check(&mut self, shape: shape::Shape, map: &Map<String, Value>, at: &str) {
        if self.trust == Trust::None {
            shape::check(shape, map, at, true, &mut self.problems);
        }
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
