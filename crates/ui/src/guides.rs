//! The guides that agents read, built in.

/// One guide.
pub(crate) struct Guide {
    /// Its name as a resource: `ui://reference`.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) about: &'static str,
    pub(crate) text: &'static str,
}

pub(crate) const ALL: [Guide; 4] = [
    Guide {
        name: "reference",
        title: "UI platform",
        about: "Main entry point for UI platform documentation",
        text: include_str!("../guides/reference.md"),
    },
    Guide {
        name: "viewdefs",
        title: "View definitions",
        about: "Guide to ui-* attributes and path syntax",
        text: include_str!("../guides/viewdefs.md"),
    },
    Guide {
        name: "lua",
        title: "Lua",
        about: "Lua API, class patterns, and global objects",
        text: include_str!("../guides/lua.md"),
    },
    Guide {
        name: "mcp",
        title: "For agents",
        about: "Guide for AI agents to build apps",
        text: include_str!("../guides/mcp.md"),
    },
];

pub(crate) fn find(name: &str) -> Option<&'static Guide> {
    ALL.iter().find(|guide| guide.name == name)
}
