//! `show`: the project, then its specs and changes at a glance.

use std::fmt::Write as _;

use spox_core::ParsedChange;

use super::{
    Canvas,
    change::delta_summary,
    layout::{Align, Color, bar, boxed, clean, count, pad, width},
};

/// The project, before the dashboard.
#[derive(Debug, Clone)]
pub(in crate::cli) struct Project<'a> {
    pub(in crate::cli) root: &'a str,
    /// The version that touched it last.
    pub(in crate::cli) initialized: Option<&'a str>,
    pub(in crate::cli) binary: &'a str,
    /// Whether the project was touched by a newer version.
    pub(in crate::cli) outdated: bool,
    pub(in crate::cli) spec_folder: &'a str,
    pub(in crate::cli) rules: usize,
}

pub(in crate::cli) fn project(project: &Project<'_>) -> String {
    let status = match project.initialized {
        None => hinted(Color::Yellow, "unknown", "(run 'spox init' to record the version)"),
        Some(_) if project.outdated => {
            hinted(Color::Red, "WARNING", "(a newer version worked on this project)")
        }
        Some(_) => Color::Green.paint("OK"),
    };
    let initialized =
        project.initialized.map_or_else(|| Color::Dim.paint("unknown"), |text| clean(text).into());
    let rows = [
        ("Project:", ""),
        ("Root:", &*clean(project.root)),
        ("Initialized:", &initialized),
        ("Binary:", project.binary),
        ("Status:", &status),
        ("Config:", ""),
        ("Specs folder:", &*clean(project.spec_folder)),
        ("Rules:", &project.rules.to_string()),
    ];
    let mut text = String::new();
    for (label, value) in rows {
        let _ = match value {
            "" if text.is_empty() => writeln!(text, "{}", Color::Yellow.paint(label)),
            "" => writeln!(text, "\n{}", Color::Yellow.paint(label)),
            value => writeln!(text, "  {label:<16} {value}"),
        };
    }
    text
}

fn hinted(color: Color, word: &str, hint: &str) -> String {
    format!("{} {}", color.paint(word), Color::Dim.paint(hint))
}

/// All specs, with how many requirements they have, and all active changes.
pub(in crate::cli) fn dashboard<'a>(
    specs: &[(&str, usize)],
    changes: impl IntoIterator<Item = &'a ParsedChange>,
    canvas: Canvas,
) -> String {
    let mut text = boxed("", "Spec Oxide Dashboard", 61, Align::Center, canvas);
    let _ = writeln!(text, "\n\n{} {}", Color::Yellow.paint("Specs:"), specs.len());
    let widest = column(specs.iter().map(|(id, _)| *id), 14);
    for (id, requirements) in specs {
        let count = Color::Dim.paint(&count(*requirements, "requirement"));
        let _ = writeln!(text, "  {} {count}", pad(id, widest));
    }
    if specs.is_empty() {
        let _ = writeln!(text, "  {}", Color::Dim.paint("(no specs)"));
    }
    let changes: Vec<_> = changes.into_iter().collect();
    let _ = writeln!(text, "\n{} {}", Color::Yellow.paint("Active Changes:"), changes.len());
    let widest = column(changes.iter().map(|change| &*change.id), 22);
    for change in &changes {
        text.push_str(&line(change, widest));
    }
    if changes.is_empty() {
        let _ = writeln!(text, "  {}", Color::Dim.paint("(no active changes)"));
    }
    text
}

fn line(change: &ParsedChange, widest: usize) -> String {
    let (done, total) = (change.tasks.completed, change.tasks.total);
    let blanks = " ".repeat(widest.saturating_sub(width(&clean(&change.id))));
    let mut text = format!(
        "  {}{blanks} {} {}\n",
        Color::Yellow.paint(&change.id),
        bar(done, total),
        Color::Dim.paint(&format!("{done}/{total} tasks")),
    );
    let deltas: Vec<_> = change.deltas.values().map(delta_summary).collect();
    if !deltas.is_empty() {
        let _ = writeln!(text, "    {} {}", Color::Dim.paint("->"), deltas.join(", "));
    }
    text
}

/// A column at least `least` wide; a name that is much longer than the others does not push them all away.
fn column<'a>(names: impl Iterator<Item = &'a str>, least: usize) -> usize {
    const MOST: usize = 40;
    names
        .map(|name| width(&clean(name)))
        .filter(|width| *width <= MOST)
        .max()
        .unwrap_or(0)
        .max(least)
}

#[cfg(test)]
mod tests {
    use anstream::adapter::strip_str;
    use insta::assert_snapshot;

    use super::*;
    use crate::cli::render::change::tests::example;

    #[test]
    fn the_project_says_whether_the_binary_fits() {
        let fine = Project {
            root: "/home/ada/shop",
            initialized: Some("0.5.0"),
            binary: "0.5.0",
            outdated: false,
            spec_folder: "specs",
            rules: 7,
        };
        let old = Project { binary: "0.4.0", outdated: true, ..fine.clone() };
        let unknown = Project { initialized: None, ..fine.clone() };
        let all = [fine, old, unknown].map(|one| project(&one)).join("---\n");
        assert_snapshot!(strip_str(&all));
    }

    #[test]
    fn the_dashboard_shows_specs_and_changes() {
        let mut other = example();
        other.id = "更新-very-long-id-of-a-change".into();
        other.deltas.clear();
        other.tasks.completed = 0;
        let specs = [("auth", 2), ("platform/認証", 1)];
        let text = dashboard(&specs, [&example(), &other], Canvas::default());
        assert_snapshot!(strip_str(&text));
    }

    #[test]
    fn an_empty_project_says_so() {
        let text = dashboard(&[], [], Canvas { columns: Some(30) });
        assert_snapshot!(strip_str(&text), @r"
        ┌────────────────────────────┐
        │    Spec Oxide Dashboard    │
        └────────────────────────────┘

        Specs: 0
          (no specs)

        Active Changes: 0
          (no active changes)
        ");
    }

    #[test]
    fn colours_are_those_of_the_contract() {
        let text = dashboard(&[("auth", 2)], [&example()], Canvas::default());
        for code in [
            "\x1b[1;36mSpec Oxide Dashboard\x1b[0m",
            "\x1b[33mSpecs:\x1b[0m 1",
            "\x1b[2m2 requirements\x1b[0m",
            "\x1b[32m█████████████\x1b[0m\x1b[2m░░░░░░░\x1b[0m",
            "\x1b[32m+1\x1b[0m, \x1b[33m~2\x1b[0m, \x1b[31m-1\x1b[0m",
        ] {
            assert!(text.contains(code), "{code:?} in {text:?}");
        }
    }
}
