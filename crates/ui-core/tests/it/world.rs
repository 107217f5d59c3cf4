//! A world in Rust: a small graph of objects, read as the documentation of `ui_core::world` asks, plainly and slowly.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use ui_core::path::Step;
use ui_core::world::{Change, Placed, Request, Seen, Source, Walked, Write};
use ui_core::{Code, Failure, ObjId, Slot, Value, VarId, World};

/// A value of the graph. An array is an object too.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) enum Val {
    #[default]
    Nil,
    Plain(Value),
    Obj(ObjId),
}

pub(crate) type Method = Rc<dyn Fn(&mut Graph, ObjId, Val) -> Result<Val, Failure>>;

#[derive(Default)]
pub(crate) struct Object {
    pub(crate) type_name: Option<Arc<str>>,
    pub(crate) fields: BTreeMap<String, Val>,
    pub(crate) items: Vec<Val>,
    pub(crate) methods: BTreeMap<String, Method>,
}

/// The objects, and what "Lua" asked for.
#[derive(Default)]
pub(crate) struct Graph {
    pub(crate) objects: BTreeMap<ObjId, Object>,
    last: u64,
    pub(crate) requests: Vec<Request>,
    /// What variables hold: by id.
    pub(crate) held: BTreeMap<VarId, Val>,
    last_made: i64,
}

impl Graph {
    /// A new object; the first is 2.
    pub(crate) fn object(&mut self, type_name: Option<&str>) -> ObjId {
        self.last = self.last.max(1) + 1;
        let id = ObjId(self.last);
        let object = Object { type_name: type_name.map(Arc::from), ..Object::default() };
        self.objects.insert(id, object);
        id
    }

    pub(crate) fn array(&mut self, items: impl IntoIterator<Item = Val>) -> ObjId {
        let id = self.object(None);
        self.at(id).items = items.into_iter().collect();
        id
    }

    pub(crate) fn at(&mut self, id: ObjId) -> &mut Object {
        self.objects.get_mut(&id).expect("an object that lives")
    }

    pub(crate) fn set(&mut self, id: ObjId, name: &str, value: impl Into<Val>) {
        self.at(id).fields.insert(name.to_owned(), value.into());
    }

    pub(crate) fn get(&self, id: ObjId, name: &str) -> Val {
        self.objects[&id].fields.get(name).cloned().unwrap_or_default()
    }

    pub(crate) fn method(
        &mut self,
        id: ObjId,
        name: &str,
        method: impl Fn(&mut Self, ObjId, Val) -> Result<Val, Failure> + 'static,
    ) {
        self.at(id).methods.insert(name.to_owned(), Rc::new(method));
    }

    /// `session:createVariable`.
    pub(crate) fn create_variable(
        &mut self,
        parent: VarId,
        value: ObjId,
        properties: &[(&str, &str)],
    ) -> VarId {
        self.last_made -= 1;
        let id = VarId(self.last_made);
        self.held.insert(id, Val::Obj(value));
        let properties =
            properties.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        self.requests.push(Request::Create { id, parent, properties });
        id
    }

    fn wire(&self, value: &Val) -> Value {
        match value {
            Val::Nil => Value::Null,
            Val::Plain(value) => value.clone(),
            Val::Obj(id) => match self.objects.get(id) {
                Some(object)
                    if !object.items.is_empty()
                        && object.type_name.is_none()
                        && object.fields.is_empty() =>
                {
                    let inner = |item: &Val| match item {
                        Val::Obj(id) => Value::Object(*id),
                        other => self.wire(other),
                    };
                    Value::array(object.items.iter().map(inner))
                }
                Some(_) => Value::Object(*id),
                None => Value::Null,
            },
        }
    }

    fn type_of(&self, value: &Val) -> Option<Arc<str>> {
        let Val::Obj(id) = value else { return None };
        self.objects.get(id)?.type_name.clone()
    }

    fn step(&mut self, from: &Val, step: &Step) -> Result<Val, Failure> {
        let Val::Obj(id) = from else { return Ok(Val::Nil) };
        let Some(object) = self.objects.get(id) else { return Ok(Val::Nil) };
        match step {
            Step::Field(name) => Ok(object.fields.get(&**name).cloned().unwrap_or_default()),
            Step::Index(index) => {
                Ok(object.items.get(*index as usize).cloned().unwrap_or_default())
            }
            Step::Call(name) => match object.methods.get(&**name).cloned() {
                Some(method) => method(self, *id, Val::Nil),
                None => Err(Failure::new(Code::LuaError, format!("no method `{name}`"))),
            },
            Step::CallWith(_) | Step::Up | Step::App => unreachable!("handled before"),
        }
    }

    fn unwire(&mut self, value: &Value) -> Result<Val, Failure> {
        Ok(match value {
            Value::Null => Val::Nil,
            Value::Object(id) if self.objects.contains_key(id) => Val::Obj(*id),
            Value::Object(id) => {
                return Err(Failure::new(Code::NotFound, format!("no object {id}")));
            }
            Value::Array(items) => {
                let items: Result<Vec<_>, _> = items.iter().map(|item| self.unwire(item)).collect();
                Val::Obj(self.array(items?))
            }
            Value::Record(fields) => {
                let id = self.object(None);
                for (name, value) in fields {
                    let value = self.unwire(value)?;
                    self.set(id, name, value);
                }
                Val::Obj(id)
            }
            plain => Val::Plain(plain.clone()),
        })
    }
}

impl From<i64> for Val {
    fn from(value: i64) -> Self {
        Self::Plain(Value::Int(value))
    }
}

impl From<&str> for Val {
    fn from(value: &str) -> Self {
        Self::Plain(value.into())
    }
}

impl From<bool> for Val {
    fn from(value: bool) -> Self {
        Self::Plain(value.into())
    }
}

impl From<ObjId> for Val {
    fn from(value: ObjId) -> Self {
        Self::Obj(value)
    }
}

/// What a walk last said of a variable.
type Reported = (Value, Option<Arc<str>>, Option<Failure>);

struct Var {
    placed: Placed,
    live: bool,
    children: Vec<Slot>,
    raw: Val,
    raw_wire: Option<Value>,
    wrapper: Option<ObjId>,
    reported: Option<Reported>,
    properties: BTreeMap<Arc<str>, Arc<str>>,
}

/// The graph and the variables that look into it.
#[derive(Default)]
pub(crate) struct Fake {
    pub(crate) graph: Graph,
    vars: Vec<Option<Var>>,
    roots: Vec<Slot>,
    /// Counts, for tests that ask what was done.
    pub(crate) walks: usize,
    pub(crate) reads: usize,
    pub(crate) refused: Vec<(VarId, Failure)>,
    pub(crate) wrappers_done: Vec<ObjId>,
}

impl Fake {
    /// A world whose root is an object of this type.
    pub(crate) fn with_root(type_name: &str) -> (Self, ObjId) {
        let mut fake = Self::default();
        let root = fake.graph.object(Some(type_name));
        fake.graph.held.insert(VarId::ROOT, Val::Obj(root));
        (fake, root)
    }

    /// How many variables it was told of and not told to forget.
    pub(crate) fn placed(&self) -> usize {
        self.vars.iter().flatten().count()
    }

    pub(crate) fn property(&self, slot: Slot, name: &str) -> Option<&str> {
        self.var(slot).properties.get(name).map(|value| &**value)
    }

    fn var(&self, slot: Slot) -> &Var {
        self.vars[slot.index()].as_ref().expect("a variable that was placed")
    }

    fn var_mut(&mut self, slot: Slot) -> &mut Var {
        self.vars[slot.index()].as_mut().expect("a variable that was placed")
    }

    fn place(&mut self, placed: Placed) {
        let slot = placed.slot;
        if self.vars.len() <= slot.index() {
            self.vars.resize_with(slot.index() + 1, || None);
        }
        if let Some(known) = &mut self.vars[slot.index()] {
            if known.placed.wrapper != placed.wrapper {
                self.wrappers_done.extend(known.wrapper.take());
            }
            known.placed = placed;
            known.raw_wire = None;
            known.reported = None;
            return;
        }
        match placed.parent {
            Some(parent) => self.var_mut(parent).children.push(slot),
            None => self.roots.push(slot),
        }
        self.vars[slot.index()] = Some(Var {
            placed,
            live: false,
            children: Vec::new(),
            raw: Val::Nil,
            raw_wire: None,
            wrapper: None,
            reported: None,
            properties: BTreeMap::new(),
        });
    }

    fn remove(&mut self, slot: Slot) {
        let var = self.vars[slot.index()].take().expect("what is removed was placed");
        assert!(var.children.is_empty(), "children go first");
        self.wrappers_done.extend(var.wrapper);
        let siblings = match var.placed.parent {
            Some(parent) => &mut self.var_mut(parent).children,
            None => &mut self.roots,
        };
        let at =
            siblings.iter().position(|sibling| *sibling == slot).expect("a child of its parent");
        siblings.remove(at);
    }

    /// What children start from.
    fn nav(&self, slot: Option<Slot>) -> Val {
        let Some(slot) = slot else { return Val::Nil };
        let var = self.var(slot);
        match (&var.placed.wrapper, var.wrapper) {
            (Some(_), wrapper) => wrapper.map_or(Val::Nil, Val::Obj),
            (None, _) => var.raw.clone(),
        }
    }

    fn follow(&mut self, slot: Slot, steps: &[Step]) -> Result<Val, Failure> {
        let mut from = self.var(slot).placed.parent;
        let mut value = self.nav(from);
        for step in steps {
            value = match step {
                Step::Up => {
                    from = from.and_then(|from| self.var(from).placed.parent);
                    self.nav(from)
                }
                Step::App => self.nav(Some(Slot::ROOT)),
                step => self.graph.step(&value, step)?,
            };
        }
        Ok(value)
    }

    fn read(&mut self, slot: Slot) -> Result<bool, Failure> {
        self.reads += 1;
        let raw = match self.var(slot).placed.source.clone() {
            Source::Path(path) => self.follow(slot, path.steps())?,
            Source::Held => {
                let id = self.var(slot).placed.id;
                self.graph.held.get(&id).cloned().unwrap_or_default()
            }
            Source::None => unreachable!("not read"),
        };
        let wire = self.graph.wire(&raw);
        let changed = self.var(slot).raw_wire.as_ref() != Some(&wire);
        let var = self.var_mut(slot);
        var.raw = raw;
        var.raw_wire = Some(wire);
        Ok(changed && self.wrap(slot))
    }

    /// `lua.ViewList`, the one wrapper known here. Says whether anything was done.
    fn wrap(&mut self, slot: Slot) -> bool {
        let var = self.var(slot);
        if var.placed.wrapper.is_none() {
            return false;
        }
        let (id, known, raw) = (var.placed.id, var.wrapper, var.raw.clone());
        let Val::Obj(array) = raw else {
            self.wrappers_done.extend(known);
            self.var_mut(slot).wrapper = None;
            return known.is_some();
        };
        let list = known.unwrap_or_else(|| {
            self.graph.requests.push(Request::Property {
                id,
                name: "fallbackNamespace:high".to_owned(),
                value: "list-item".to_owned(),
            });
            self.graph.object(Some("lua.ViewList"))
        });
        let elements = self.graph.at(array).items.clone();
        let mut items = Vec::new();
        for (index, element) in elements.into_iter().enumerate() {
            let item = self.graph.object(Some("lua.ViewListItem"));
            self.graph.set(item, "item", element);
            self.graph.set(item, "index", i64::try_from(index).expect("a short list"));
            items.push(Val::Obj(item));
        }
        let items = self.graph.array(items);
        self.graph.set(list, "items", items);
        self.var_mut(slot).wrapper = Some(list);
        true
    }

    fn visit(&mut self, slot: Slot, seen: &mut Vec<Seen>) -> bool {
        let var = self.var(slot);
        if !var.live {
            return false;
        }
        let mut again = false;
        if var.placed.access.reads() && var.placed.source != Source::None {
            match self.read(slot) {
                Ok(wrapped) => {
                    again |= wrapped;
                    self.report(slot, None, seen);
                }
                Err(failure) => self.report(slot, Some(failure), seen),
            }
        }
        let mut children = self.var(slot).children.clone();
        children.sort_by_key(|child| self.var(*child).placed.priority);
        for child in children {
            again |= self.visit(child, seen);
        }
        again
    }

    fn report(&mut self, slot: Slot, error: Option<Failure>, seen: &mut Vec<Seen>) {
        let var = self.var(slot);
        let shown = var.wrapper.map_or_else(|| var.raw.clone(), Val::Obj);
        let value = self.graph.wire(&shown);
        let type_name = self.graph.type_of(&shown);
        let before = self.var_mut(slot).reported.take();
        let now = match (&error, &before) {
            (Some(_), Some((value, type_name, _))) => {
                (value.clone(), type_name.clone(), error.clone())
            }
            _ => (value.clone(), type_name.clone(), error.clone()),
        };
        if before.as_ref() != Some(&now) {
            let changed = before.is_none_or(|before| before.0 != value);
            seen.push(Seen { slot, value: changed.then_some(value), type_name, error });
        }
        self.var_mut(slot).reported = Some(now);
    }
}

impl World for Fake {
    fn plan(&mut self, changes: &mut Vec<Change>) {
        for change in changes.drain(..) {
            match change {
                Change::Place(placed) => self.place(placed),
                Change::Property { slot, name, value } => {
                    self.var_mut(slot).properties.insert(name, value);
                }
                Change::Live { slot, live } => self.var_mut(slot).live = live,
                Change::Remove { slot } => self.remove(slot),
                Change::Refuse { id, failure } => {
                    self.graph.held.remove(&id);
                    self.refused.push((id, failure));
                }
            }
        }
    }

    fn walk(&mut self, seen: &mut Vec<Seen>) -> Walked {
        self.walks += 1;
        let mut again = false;
        for root in self.roots.clone() {
            again |= self.visit(root, seen);
        }
        if again { Walked::Again } else { Walked::Settled }
    }

    fn write(&mut self, slot: Slot, write: Write<'_>) -> Result<(), Failure> {
        let placed = self.var(slot).placed.clone();
        let Source::Path(path) = &placed.source else {
            let Write::Assign(value) = write else { unreachable!("what is held has no method") };
            let value = self.graph.unwire(value)?;
            self.graph.held.insert(placed.id, value);
            return Ok(());
        };
        let (before, last) = path.split_last();
        // Ancestors that were never read are read now.
        let mut above: Vec<Slot> =
            std::iter::successors(placed.parent, |slot| self.var(*slot).placed.parent).collect();
        above.reverse();
        for slot in above {
            let var = self.var(slot);
            if var.raw_wire.is_none()
                && var.placed.access.reads()
                && var.placed.source != Source::None
            {
                self.read(slot)?;
            }
        }
        let Val::Obj(target) = self.follow(slot, before)? else {
            return Err(Failure::new(
                Code::PathFailure,
                format!("nothing to write to in `{path}`"),
            ));
        };
        let argument = match write {
            Write::Assign(value) | Write::CallWith(value) => self.graph.unwire(value)?,
            Write::Call => Val::Nil,
        };
        match last {
            Step::Field(name) => self.graph.set(target, name, argument),
            Step::Index(index) => self.graph.at(target).items[*index as usize] = argument,
            Step::Call(name) | Step::CallWith(name) => {
                let Some(method) = self.graph.at(target).methods.get(&**name).cloned() else {
                    return Err(Failure::new(Code::NotFound, format!("no method `{name}`")));
                };
                method(&mut self.graph, target, argument)?;
            }
            Step::Up | Step::App => unreachable!("refused by the engine"),
        }
        Ok(())
    }

    fn requests(&mut self, requests: &mut Vec<Request>) {
        requests.append(&mut self.graph.requests);
    }

    fn object(&mut self, id: ObjId) -> Option<Value> {
        let object = self.graph.objects.get(&id)?;
        let inner = |value: &Val| match value {
            Val::Obj(id) => Value::Object(*id),
            other => self.graph.wire(other),
        };
        Some(if object.items.is_empty() {
            let field = |(name, value): (&String, &Val)| (name.as_str().into(), inner(value));
            Value::Record(object.fields.iter().map(field).collect())
        } else {
            Value::array(object.items.iter().map(inner))
        })
    }

    fn type_of(&mut self, id: ObjId) -> Option<Arc<str>> {
        self.graph.objects.get(&id)?.type_name.clone()
    }

    fn state(&mut self) -> Result<String, Failure> {
        Ok("{}".to_owned())
    }
}
