//! The UI platform, the domain: variables that watch paths into objects, and what browsers are told of them.
//!
//! Application state lives in objects that somebody else holds (Lua); browsers show it. Between them stands a
//! [`Session`]: a tree of variables, any number of connections, each with its own ids, watches and view definitions. Batches of
//! [messages](message) go in, [frames](engine::Frame) of text come out; objects are reached through a [`World`]. Nothing
//! here waits, reads a clock or knows Lua, HTML or a socket.
//!
//! Start at [`Session`], then [`world`], which says what is asked of the holder of the objects.

#![deny(clippy::disallowed_methods)]

pub mod engine;
pub mod error;
pub mod ids;
pub mod message;
pub mod path;
pub mod props;
pub mod value;
pub mod viewdef;
pub mod world;

pub use engine::{Frame, Limits, Session, Settled};
pub use error::{Code, Failure};
pub use ids::{ConnId, ObjId, Slot, VarId, WireId};
pub use message::{Batch, Message, Properties};
pub use path::{Path, Step};
pub use props::{Access, Priority};
pub use value::Value;
pub use viewdef::{Catalog, Key, Viewdef, Viewdefs};
pub use world::World;
