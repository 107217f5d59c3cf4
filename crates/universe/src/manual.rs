//! What agents can read about this application: the list of commands, and the documents.

use std::fmt::Write;

use universe_core::{
    catalogue::{CATEGORIES, Category},
    shape,
};

use crate::NAME;

/// One document.
pub(crate) struct Document {
    pub(crate) slug: &'static str,
    pub(crate) title: &'static str,
    pub(crate) about: &'static str,
    text: Text,
}

enum Text {
    Written(&'static str),
    Made(fn() -> String),
}

impl Document {
    pub(crate) fn uri(&self) -> String {
        format!("docs://{NAME}/{}", self.slug)
    }

    pub(crate) fn text(&self) -> String {
        match self.text {
            Text::Written(text) => text.to_owned(),
            Text::Made(make) => make(),
        }
    }
}

/// All documents, in the order in which they are best read.
pub(crate) static DOCUMENTS: &[Document] = &[
    Document {
        slug: "system-overview",
        title: "System Overview",
        about: "What this server is for and how its parts work together",
        text: Text::Written(include_str!("../docs/system-overview.md")),
    },
    Document {
        slug: "universe-structure",
        title: "Universe Structure",
        about: "The parts of a universe's state and the fields of a body",
        text: Text::Made(structure),
    },
    Document {
        slug: "commands-reference",
        title: "Commands Reference",
        about: "All commands by category, with the fields they need",
        text: Text::Made(all_commands),
    },
    Document {
        slug: "validation-rules",
        title: "Validation Rules",
        about: "What is refused, what is repaired, and how both are told",
        text: Text::Written(include_str!("../docs/validation-rules.md")),
    },
    Document {
        slug: "realtime-streaming",
        title: "Realtime Streaming",
        about: "How to follow a universe live, and how to come back after a gap",
        text: Text::Written(include_str!("../docs/realtime-streaming.md")),
    },
    Document {
        slug: "full",
        title: "Full Documentation",
        about: "All of the above in one",
        text: Text::Made(full),
    },
];

/// Every command by category.
pub(crate) fn all_commands() -> String {
    let sections: Vec<_> = CATEGORIES.iter().map(section).collect();
    format!(
        "There are 25 command types in 10 categories. Each command is a JSON object with a `type`, \
         sent with `send_universe_command`.\n\n{}",
        sections.join("\n---\n\n")
    )
}

/// The commands of one category.
pub(crate) fn section(category: &Category) -> String {
    let count = category.commands.len();
    let plural = if count == 1 { "" } else { "s" };
    let mut text = format!("## {} ({count} command{plural})\n\n", category.title);
    text.push_str("| Command | Purpose | Required Fields |\n|---|---|---|\n");
    for command in category.commands {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| `{}` | {} | {} |", command.name, command.purpose, command.fields);
    }
    text
}

fn structure() -> String {
    let mut text = include_str!("../docs/universe-structure.md").to_owned();
    text.push_str("\n| Field | Value | Meaning |\n|---|---|---|\n");
    for field in shape::BODY {
        let _ =
            writeln!(text, "| `{}` | {} | {} |", field.name, field.kind.describe(), field.about);
    }
    text
}

fn full() -> String {
    let parts = DOCUMENTS.iter().filter(|document| document.slug != "full");
    let parts: Vec<_> =
        parts.map(|part| format!("# {}\n\n{}", part.title, part.text().trim_end())).collect();
    parts.join("\n\n---\n\n")
}
