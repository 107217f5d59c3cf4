//! What stands between the engine and whoever holds the objects.
//!
//! The engine knows variables: their tree, who watches them, what was sent. A [`World`] knows objects: the Lua VM, or a graph
//! in a test. The world keeps its own compiled form of the reads; the engine tells it only what changed in the
//! set of variables ([`World::plan`]), asks for one walk ([`World::walk`]) and gets back only the variables whose value, type or error
//! is another than the last time. So a walk of 5 000 variables is one call, and costs the engine what changed.
//!
//! # What the world holds for each variable
//!
//! Indexed by [`Slot`]: what [`Placed`] says, whether it is live, and
//!
//! - its *raw value*: what its path gave at the last read (or the object it holds, [`Source::Held`]),
//!   after `create` if that is set;
//! - its *wrapper object*, if [`Placed::wrapper`] is set and made one;
//! - its *navigation value*: the wrapper object if [`Placed::wrapper`] is set (nil if none was made; there is no fallback to the raw
//!   value), else the raw value. Children start from it;
//! - its *wire value*: value JSON of the wrapper object if there is one, else of the raw value, as last reported;
//! - its *type*: that of the wrapper object if there is one, else of the raw value; none if that is no table or has no type;
//! - its last error.
//!
//! # A walk
//!
//! From the roots (variables without parent), parents before children, siblings by [`Placed::priority`] and then in the order in
//! which they were placed. A variable that is not live is skipped with all below it. One that is not read ([`Access::reads`] is false, or
//! [`Source::None`]) is passed over, but its children are visited. To read a variable:
//!
//! 1. Walk the steps from the parent's navigation value. [`Step::Up`](crate::path::Step::Up): the `n`th of them gives the
//!    navigation value of the parent's `n`th ancestor (nil past the top). [`Step::App`](crate::path::Step::App): the navigation value of
//!    the root, slot 0. An index counts from 0. Nil or no table on the way: the value is nil, without an error.
//! 2. An error raised by a getter, or a limit: report [`Seen::error`], keep value, wrapper and type as they were, go on with the
//!    children. Report the same error only once; report the variable again when it is read well.
//! 3. With `create = T`: while the raw value before `create` is the same as at the last read (by identity for tables), keep what was
//!    made; else the raw value is `T:new(value)`, nil if that fails.
//! 4. If value JSON of the raw value is not what it was (or this is the first read): refresh the wrapper.
//!    `T:new(variable)` is called; returning the existing one keeps it (its `value` field is refreshed and `sync()` called). A nil value or
//!    result: no wrapper, and an old one is done with (`destroy()`). `variable` answers `getId()` ([`Placed::id`]), `getValue()` (the raw value),
//!    `getProperty(name)` (from [`Change::Property`]), `getWrapper()`, and may offer `setProperty(name, value)`, which becomes a
//!    [`Request::Property`].
//! 5. If wire value, type or error are not what was last reported for this slot since it was placed, report a [`Seen`]. The
//!    first read is always reported, nil too.
//!
//! A variable whose navigation value is nil, and was nil when its children were last visited, need not have them visited again, except
//! for those whose path begins with `..` or `@app`.
//!
//! # Lists
//!
//! `lua.ViewList` and `lua.ViewListItem` are wrappers like any other and live in the world: the list object sets `fallbackNamespace`
//! to `list-item` at high priority (`setProperty("fallbackNamespace:high", "list-item")`), its `items` are the list items, `itemWrapper` (or `item`) is
//! read by `getProperty`. With [`Placed::item_wrapper`] but no wrapper (the `ui-viewlist` form) the value stays the array of the
//! elements, and a child whose path begins with an index gets the presenter `T:new(listItem)` of that position instead of the
//! element; reuse is as in a `lua.ViewList`.

use std::sync::Arc;

use crate::error::Failure;
use crate::ids::{ObjId, Slot, VarId};
use crate::path::Path;
use crate::props::{Access, Priority};
use crate::value::Value;

/// Holds the objects of a session and reads and writes them. See the [module](self) for what is asked of it.
pub trait World {
    /// Takes in what changed in the set of variables, in this order. Drains `changes`.
    ///
    /// May run Lua (`destroy()` of wrappers); errors there are logged by the world and change nothing.
    fn plan(&mut self, changes: &mut Vec<Change>);

    /// Walks once and adds to `seen`, in walk order, each variable of which something changed since it was last reported.
    fn walk(&mut self, seen: &mut Vec<Seen>) -> Walked;

    /// Writes through the path of a variable. The access allows it; the engine has checked.
    ///
    /// All steps but the last are walked from the parent's navigation value as the last walk saw it, which is what the person saw
    /// who wrote. An ancestor that was never read is read now, as a walk would, and reported by the next walk. Nil or no table on the way is
    /// [`Code::PathFailure`](crate::Code::PathFailure), a method that does not exist is [`Code::NotFound`](crate::Code::NotFound),
    /// an object id that is not alive is [`Code::NotFound`](crate::Code::NotFound). For a variable with [`Source::Held`], the value is held from now on.
    fn write(&mut self, slot: Slot, write: Write<'_>) -> Result<(), Failure>;

    /// Moves out what Lua asked for since the last call: variables made, destroyed, properties set. Asked after every
    /// entry, so what an action does to variables is done before the next message.
    fn requests(&mut self, requests: &mut Vec<Request>);

    /// The fields of an object as a [`Value::Record`], or the elements of an array as a [`Value::Array`], one level deep; none if no
    /// such object lives. Inherited fields, functions and names that begin with `_` are left out.
    fn object(&mut self, id: ObjId) -> Option<Value>;

    /// The type of an object, if it lives and has one.
    fn type_of(&mut self, id: ObjId) -> Option<Arc<str>>;

    /// The state as JSON text: `mcp.state`, which is the root object unless it is set.
    fn state(&mut self) -> Result<String, Failure>;
}

/// What changed in the set of variables.
#[derive(Clone, PartialEq, Debug)]
pub enum Change {
    /// A variable is there; or the one at this slot is now like this. Then its children stay, its wrapper is done
    /// with if [`Placed::wrapper`] is another, and its next read is reported like a first one.
    ///
    /// A new variable is not live.
    Place(Placed),
    /// A property of a variable that has a wrapper: for `getProperty`. Comes after `Place` for each of them, and again when it changes.
    /// An empty value unsets. `type` is not among them, since the world knows it.
    Property {
        /// Whose.
        slot: Slot,
        /// Without priority suffix.
        name: Arc<str>,
        /// Empty: unset.
        value: Arc<str>,
    },
    /// Whether walks visit the variable and those below it: somebody watches it and it is not `inactive`.
    Live {
        /// Which.
        slot: Slot,
        /// Visit it.
        live: bool,
    },
    /// The variable is gone; its children went before. Its wrapper is done with. Its slot will be used again, but not before the
    /// next walk, so what a write had read of it may still be reported then.
    Remove {
        /// Which.
        slot: Slot,
    },
    /// What [`Request::Create`] asked for cannot be (no such parent, or a limit): forget the object kept for it.
    Refuse {
        /// The id that was vended.
        id: VarId,
        /// Why.
        failure: Failure,
    },
}

/// A variable, as far as reading and writing need to know it.
#[derive(Clone, PartialEq, Debug)]
pub struct Placed {
    /// Where it lies. The root lies at [`Slot::ROOT`].
    pub slot: Slot,
    /// What Lua calls it.
    pub id: VarId,
    /// None: a root.
    pub parent: Option<Slot>,
    /// Where its value comes from.
    pub source: Source,
    /// What is allowed. Never in contradiction to the path.
    pub access: Access,
    /// Order among siblings.
    pub priority: Priority,
    /// The wrapper's type.
    pub wrapper: Option<Arc<str>>,
    /// The type of presenters of items.
    pub item_wrapper: Option<Arc<str>>,
    /// The type to make as value.
    pub create: Option<Arc<str>>,
}

/// Where the value of a variable comes from.
#[derive(Clone, PartialEq, Debug)]
pub enum Source {
    /// A path from the parent's navigation value. The same text gives the same `Arc` as long as it is in use.
    Path(Arc<Path>),
    /// The world holds it: the application object for [`VarId::ROOT`], the object given to `createVariable` for a negative id, what was
    /// last written for a browser's unbound variable (nil at first).
    Held,
    /// Nowhere: its path or access is wrong. Never read or written; children start from nil.
    None,
}

/// A write, decided by the end of the path and the access.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Write<'a> {
    /// Assign to the field or element that the last step names; or hold it ([`Source::Held`]).
    Assign(&'a Value),
    /// Call the method that the last step names, with the value.
    CallWith(&'a Value),
    /// Call the method that the last step names, without arguments.
    Call,
}

/// A variable of which a walk saw something new.
#[derive(Clone, PartialEq, Debug)]
pub struct Seen {
    /// Which.
    pub slot: Slot,
    /// Its wire value, if that changed. Unused with an error.
    pub value: Option<Value>,
    /// Its type as it is now. Unused with an error.
    pub type_name: Option<Arc<str>>,
    /// The error that reading gave; none if it was read well.
    pub error: Option<Failure>,
}

/// How a walk went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Walked {
    /// Nothing that was visited can be out of date.
    Settled,
    /// A wrapper was made, refreshed or dropped, so what was visited before it may be: walk again.
    Again,
}

/// What Lua asks of the engine.
#[derive(Clone, PartialEq, Debug)]
pub enum Request {
    /// `session:createAppVariable`: these properties for variable 1. Its object is held by the world already.
    Root {
        /// Names perhaps with a priority suffix.
        properties: Vec<(String, String)>,
    },
    /// `session:createVariable`: a variable that holds an object. Answered by [`Change::Place`] with this id, or by [`Change::Refuse`].
    Create {
        /// Negative, never used before.
        id: VarId,
        /// Below which variable.
        parent: VarId,
        /// Names perhaps with a priority suffix.
        properties: Vec<(String, String)>,
    },
    /// `session:destroyVariable`. Nothing happens to the root or to what does not exist.
    Destroy {
        /// Which, with all below.
        id: VarId,
    },
    /// A wrapper sets a property of its variable.
    Property {
        /// Whose.
        id: VarId,
        /// Perhaps with a priority suffix.
        name: String,
        /// Empty: unset.
        value: String,
    },
    /// `diag`: a note on the variable being evaluated, for the debug tree.
    Note {
        /// Whose.
        id: VarId,
        /// What is said.
        text: String,
    },
}
