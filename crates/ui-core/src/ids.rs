//! The four number spaces of a session, each a type of its own so that the compiler catches a swap.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A variable as the session knows it: what `ui://variables` shows and what Lua gets.
///
/// The root is 1. Variables made by Lua are negative, counted down from -1 by whoever holds the objects. Those of
/// browsers are positive from 2; with a single connection they are the numbers the browser chose.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct VarId(pub i64);

impl VarId {
    /// The variable that holds the application object.
    pub const ROOT: Self = Self(1);

    /// Whether every connection sees it under this same number: the root, and what Lua made.
    pub fn is_shared(self) -> bool {
        self == Self::ROOT || self.0 < 0
    }
}

/// A variable as one connection calls it: what stands in messages.
///
/// 1 and the negative ones mean the same to all ([`VarId::is_shared`]); from 2 on each connection has numbers of its own.
/// 0 stands for none: no parent, or an error of a whole message.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct WireId(pub i64);

impl WireId {
    /// No variable.
    pub const NONE: Self = Self(0);
    /// The variable that holds the application object.
    pub const ROOT: Self = Self(1);
}

/// An object of the session, as `{"obj": n}` names it. Never used again for another object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ObjId(pub u64);

/// Where a variable lies in the tables of the engine and of the [`World`](crate::World).
///
/// Small and dense, so both sides may index by it. It is used again after
/// [`Change::Remove`](crate::world::Change::Remove).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slot(pub u32);

impl Slot {
    /// The root's, always.
    pub const ROOT: Self = Self(0);

    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One connection of a session: a browser's socket, or an agent that looks.
///
/// Never used again within a session.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ConnId(pub u64);

macro_rules! display {
    ($($id:ident)*) => {$(
        impl fmt::Display for $id {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}
display!(VarId WireId ObjId Slot ConnId);
