//! Names of the things in a universe, a type for each kind, so that the compiler catches a swap.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $name(Arc<str>);

        impl $name {
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.into())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:?}", &*self.0)
            }
        }
    )*};
}

ids! {
    /// A universe. Made by the server, a random UUID.
    UniverseId;
    /// A body: star, planet, moon, comet, marker. Chosen by the client, any text.
    BodyId;
    /// A group of systems and groups.
    GroupId;
    /// A legacy belt.
    BeltId;
    /// A belt drawn as particles.
    FieldId;
    /// A protoplanetary disk.
    DiskId;
    /// A nebula.
    NebulaId;
}
