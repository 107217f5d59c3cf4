//! The 25 commands of the contract, in its order and its ten categories.
//!
//! The one list that names, categories and texts come from.

/// One of the ten categories.
#[derive(Debug)]
pub struct Category {
    /// As people read it.
    pub title: &'static str,
    /// As a caller may write it, in kebab case.
    pub slug: &'static str,
    pub commands: &'static [CommandInfo],
}

/// What there is to know of a command before sending it.
#[derive(Debug)]
pub struct CommandInfo {
    pub name: &'static str,
    pub purpose: &'static str,
    /// The fields it needs besides `type`, in words.
    pub fields: &'static str,
}

/// The category of this name: its slug or its title, in any case.
pub fn category(name: &str) -> Option<&'static Category> {
    let slug = name.trim().to_lowercase().replace([' ', '_'], "-");
    CATEGORIES.iter().find(|category| category.slug == slug)
}

/// Every command, in the order of the contract.
pub fn commands() -> impl Iterator<Item = &'static CommandInfo> {
    CATEGORIES.iter().flat_map(|category| category.commands)
}

pub fn find(name: &str) -> Option<&'static CommandInfo> {
    commands().find(|command| command.name == name)
}

/// The command that `name` was probably meant to be.
pub fn nearest(name: &str) -> Option<&'static str> {
    kit_core::nearest(name, commands().map(|command| command.name))
}

const fn command(name: &'static str, purpose: &'static str, fields: &'static str) -> CommandInfo {
    CommandInfo { name, purpose, fields }
}

pub static CATEGORIES: &[Category] = &[
    Category {
        title: "Simulation",
        slug: "simulation",
        commands: &[command(
            "tick",
            "Let simulation time pass; a negative `dt` goes back",
            "none; `dt` in seconds, default 1",
        )],
    },
    Category {
        title: "Star CRUD",
        slug: "star-crud",
        commands: &[
            command(
                "addStar",
                "Add a body of any kind",
                "`id`, `payload` (a body without `id` and `children`)",
            ),
            command(
                "updateStar",
                "Change fields of a body; the others stay",
                "`id`, `payload` (the fields to change)",
            ),
            command("removeStar", "Remove a body and all that circle it", "`id`"),
        ],
    },
    Category {
        title: "Star hierarchy",
        slug: "star-hierarchy",
        commands: &[
            command("attachStar", "Let a body circle another one", "`childId`, `parentId`"),
            command("detachStar", "Make a body a root, at distance 0", "`childId`"),
        ],
    },
    Category {
        title: "Group CRUD",
        slug: "group-crud",
        commands: &[
            command(
                "addGroup",
                "Add a group of systems and groups",
                "`id`, `payload` (a group without `id`)",
            ),
            command(
                "updateGroup",
                "Change fields of a group",
                "`id`, `payload` (the fields to change)",
            ),
            command("removeGroup", "Remove a group; its members move up", "`id`"),
        ],
    },
    Category {
        title: "Group hierarchy",
        slug: "group-hierarchy",
        commands: &[
            command(
                "addToGroup",
                "Put a system or a group into a group",
                "`groupId`, `child` (`id` and `type`: `system` or `group`)",
            ),
            command("removeFromGroup", "Take a member out of a group", "`groupId`, `childId`"),
            command(
                "moveToGroup",
                "Move a member to another group, or out of all",
                "`childId`, `childType` (`system` or `group`), `targetGroupId` (or null)",
            ),
        ],
    },
    Category {
        title: "Small body fields",
        slug: "small-body-fields",
        commands: &[
            command(
                "setSmallBodyFields",
                "Replace all belts drawn as particles",
                "`fields` (a map by id)",
            ),
            command("updateSmallBodyField", "Change one such belt", "`id`, `patch`"),
            command("removeSmallBodyField", "Remove one such belt", "`id`"),
        ],
    },
    Category {
        title: "Protoplanetary disks",
        slug: "protoplanetary-disks",
        commands: &[
            command("setProtoplanetaryDisks", "Replace all disks", "`disks` (a map by id)"),
            command(
                "addProtoplanetaryDisk",
                "Add a disk, or replace the one with its id",
                "`disk` (a whole disk with `id`)",
            ),
            command("updateProtoplanetaryDisk", "Change one disk", "`id`, `patch`"),
            command("removeProtoplanetaryDisk", "Remove one disk", "`id`"),
        ],
    },
    Category {
        title: "Nebulae",
        slug: "nebulae",
        commands: &[
            command("setNebulae", "Replace all nebulae", "`nebulae` (a map by id)"),
            command("updateNebula", "Change one nebula", "`id`, `patch`"),
            command("removeNebula", "Remove one nebula", "`id`"),
        ],
    },
    Category {
        title: "Rings",
        slug: "rings",
        commands: &[
            command(
                "updateRing",
                "Give a planet a ring, or change the one it has",
                "`planetId`, `patch`",
            ),
            command("removeRing", "Take a planet's ring away", "`planetId`"),
        ],
    },
    Category {
        title: "Snapshot",
        slug: "snapshot",
        commands: &[command(
            "replaceSnapshot",
            "Replace everything but the time",
            "`snapshot` (`stars` and `rootIds`; the other parts default to empty)",
        )],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_25_commands_in_10_categories() {
        let counts: Vec<_> = CATEGORIES.iter().map(|category| category.commands.len()).collect();
        assert_eq!(counts, [1, 3, 2, 3, 3, 3, 4, 3, 2, 1]);
    }

    #[test]
    fn a_category_is_found_by_slug_and_by_title_in_any_case() {
        assert_eq!(category("Star-CRUD").map(|found| found.title), Some("Star CRUD"));
        assert_eq!(
            category("small body fields").map(|found| found.title),
            Some("Small body fields")
        );
        assert!(category("weather").is_none());
    }
}
