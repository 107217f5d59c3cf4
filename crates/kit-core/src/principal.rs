//! Who acts.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Serialize};

/// Who a request speaks for: what sessions are bound to, limits are counted by and the log names.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Principal(Arc<str>);

impl Principal {
    pub fn new(name: impl Into<Arc<str>>) -> Self {
        Self(name.into())
    }

    /// Whoever can reach the loopback address of a server that asks for no token.
    pub fn local() -> Self {
        Self::new("local")
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
