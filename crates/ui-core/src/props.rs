//! Properties that have a meaning: access and priority, and the names.

use crate::error::{Code, Failure};
use crate::path::{Ending, Path};

/// Names of properties that the engine reads or writes.
pub mod names {
    /// Path from the parent's navigation value.
    pub const PATH: &str = "path";
    /// Type of the value or of its wrapper. Set by the server.
    pub const TYPE: &str = "type";
    /// `r`, `w`, `rw`, `action`.
    pub const ACCESS: &str = "access";
    /// Wrapper type.
    pub const WRAPPER: &str = "wrapper";
    /// Presenter type for each item of a list.
    pub const ITEM_WRAPPER: &str = "itemWrapper";
    /// The same, shorter.
    pub const ITEM: &str = "item";
    /// Type to make as the value.
    pub const CREATE: &str = "create";
    /// `high`, `med`, `medium`, `low`.
    pub const PRIORITY: &str = "priority";
    /// Any text: no updates for the variable and what is below.
    pub const INACTIVE: &str = "inactive";
    /// Viewdef lookup, first.
    pub const NAMESPACE: &str = "namespace";
    /// Viewdef lookup, second.
    pub const FALLBACK_NAMESPACE: &str = "fallbackNamespace";
    /// JSON text of view definitions. Set by the server on variable 1, never kept.
    pub const VIEWDEFS: &str = "viewdefs";
}

/// What may be done with a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Access {
    /// `r`: read.
    Read,
    /// `w`: written, never read.
    Write,
    /// `rw`: both. The default.
    #[default]
    ReadWrite,
    /// `action`: called or set, never read.
    Action,
}

impl Access {
    /// Whether a walk reads the variable.
    pub fn reads(self) -> bool {
        matches!(self, Self::Read | Self::ReadWrite)
    }

    /// Whether an update may carry a value.
    pub fn writes(self) -> bool {
        !matches!(self, Self::Read)
    }

    /// As a property says it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "r",
            Self::Write => "w",
            Self::ReadWrite => "rw",
            Self::Action => "action",
        }
    }

    /// Reads the property; unset is the default.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        match text {
            "" | "rw" => Ok(Self::ReadWrite),
            "r" => Ok(Self::Read),
            "w" => Ok(Self::Write),
            "action" => Ok(Self::Action),
            other => Err(Failure::new(
                Code::BadAccess,
                format!("no access `{other}`: `r`, `w`, `rw` and `action` are known"),
            )),
        }
    }

    /// Whether it fits the end of `path`: `name()` is read, called or both, `name(_)` is written or called.
    pub fn check(self, path: &Path) -> Result<(), Failure> {
        let fits = match path.ending() {
            Ending::Place | Ending::Fixed => return Ok(()),
            Ending::Call if self != Self::Write => return Ok(()),
            Ending::CallWith if !self.reads() => return Ok(()),
            Ending::Call => "`r`, `rw` or `action`",
            Ending::CallWith => "`w` or `action`",
        };
        let text = format!("`{path}` takes access {fits}, not `{}`", self.as_str());
        Err(Failure::new(Code::BadAccess, text))
    }
}

/// Order of evaluation among siblings, and of sending.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Priority {
    /// First.
    High,
    /// Unless said otherwise.
    #[default]
    Medium,
    /// Last.
    Low,
}

impl Priority {
    /// Reads `high`, `med`, `medium` or `low`.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "high" => Some(Self::High),
            "med" | "medium" => Some(Self::Medium),
            "low" => Some(Self::Low),
            _ => None,
        }
    }

    /// Splits the suffix off a property's name: `label:high` is `label` at high priority.
    pub fn split(name: &str) -> (&str, Option<Self>) {
        match name.rsplit_once(':') {
            Some((bare, suffix)) => match Self::parse(suffix) {
                Some(priority) => (bare, Some(priority)),
                None => (name, None),
            },
            None => (name, None),
        }
    }
}
