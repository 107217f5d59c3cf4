//! A tree of specs that both tools read: the layout of OpenSpec, with the settings that point spox at it.

use std::{fmt::Write as _, fs, io, path::Path};

/// How large the tree is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    pub(crate) specs: usize,
    pub(crate) requirements: usize,
    pub(crate) scenarios: usize,
}

const CONFIG: &str = "\
[paths]
spec_folder = \"openspec/specs\"
changes_folder = \"openspec/changes\"
archive_folder = \"openspec/changes/archive\"

[rules]
system = [\"mcp\"]
";

/// Words of a system that could be; which ones stand together follows from the numbers of spec and requirement, so that
/// every run has the same tree.
const THINGS: [&str; 12] = [
    "invoice",
    "session",
    "upload",
    "report",
    "account",
    "message",
    "backup",
    "order",
    "profile",
    "webhook",
    "schedule",
    "permission",
];
const DEEDS: [&str; 10] = [
    "created",
    "renamed",
    "archived",
    "shared",
    "exported",
    "restored",
    "deleted",
    "approved",
    "refunded",
    "synchronised",
];

pub(crate) fn write(root: &Path, size: Size) -> io::Result<()> {
    fs::create_dir_all(root.join(".spox"))?;
    fs::write(root.join(".spox/config.toml"), CONFIG)?;
    fs::create_dir_all(root.join("openspec/changes/archive"))?;
    for number in 0..size.specs {
        let thing = THINGS[number % THINGS.len()];
        let dir = root.join(format!("openspec/specs/{thing}-{number:04}"));
        fs::create_dir_all(&dir)?;
        fs::write(dir.join("spec.md"), spec(thing, number, size))?;
    }
    Ok(())
}

fn spec(thing: &str, number: usize, size: Size) -> String {
    let mut text = format!(
        "# {thing}-{number:04} Specification\n\n## Purpose\n\nHow an {thing} of kind {number} is kept, changed and \
         found again, by people and by programs.\n\n## Requirements\n"
    );
    for requirement in 0..size.requirements {
        let deed = DEEDS[(requirement + number) % DEEDS.len()];
        let other = THINGS[(requirement * 5 + number) % THINGS.len()];
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n### Requirement: {thing} {deed} with {other} {requirement}\n\nThe system SHALL keep the {thing} when it \
             is {deed} together with the {other}, and SHALL tell everybody who watches it.\n"
        );
        for scenario in 0..size.scenarios {
            let _ = write!(
                text,
                "\n#### Scenario: {deed} in case {scenario}\n\n- **WHEN** a {thing} is {deed} and the {other} has \
                 {scenario} entries\n- **AND** nobody else changes it\n- **THEN** the {other} has one entry more\n- \
                 **AND** the {thing} says who did it\n"
            );
        }
    }
    text
}
