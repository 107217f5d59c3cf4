//! `spec show`: a spec in a box.

use std::fmt::Write as _;

use spox_core::{ParsedRequirement, ParsedSpec};

use super::{
    Canvas,
    layout::{Align, Color, boxed, clean, wrap},
};

pub(in crate::cli) fn spec(spec: &ParsedSpec, canvas: Canvas) -> String {
    let mut text = boxed("Spec: ", name(&spec.title), 63, Align::Left, canvas);
    let _ = writeln!(text, "\n\n{}", Color::Yellow.paint("Purpose:"));
    for line in wrap(&spec.purpose, 2, canvas) {
        let _ = writeln!(text, "  {line}");
    }
    let _ = writeln!(text, "\nRequirements: {}", spec.requirements.len());
    for one in &spec.requirements {
        text.push('\n');
        text.push_str(&requirement(one, canvas));
    }
    text
}

/// The title without the word that every title has.
fn name(title: &str) -> &str {
    const WORD: &str = " specification";
    let at = title.len().saturating_sub(WORD.len());
    match title.get(at..) {
        Some(end) if end.eq_ignore_ascii_case(WORD) => title[..at].trim_end(),
        _ => title,
    }
}

fn requirement(one: &ParsedRequirement, canvas: Canvas) -> String {
    let mut text = format!("  ┌ Requirement: {}\n", Color::Green.paint(&one.name));
    for line in wrap(&one.description, 4, canvas) {
        let _ = writeln!(text, "  │ {line}");
    }
    if !one.scenarios.is_empty() {
        text.push_str("  │\n  │ Scenarios:\n");
    }
    for scenario in &one.scenarios {
        let _ = writeln!(text, "  │   • {}", Color::Dim.paint(&clean(&scenario.name)));
    }
    text.push_str("  └\n");
    text
}

#[cfg(test)]
mod tests {
    use anstream::adapter::strip_str;
    use insta::assert_snapshot;
    use spox_core::parse_spec;

    use super::*;

    const AUTH: &str = "# Auth Specification\n\n## Purpose\nLets people in who are who they say they are, and keeps out everybody else.\n\n\
        ## Requirements\n\n### Requirement: User Login\nThe system SHALL let a user in who gives the right password (Passwörter sind geheim 🔑).\n\n\
        #### Scenario: Right password\n- **WHEN** a user gives it\n- **THEN** a session is opened\n\n#### Scenario: 間違ったパスワード\n- **WHEN** not\n- **THEN** refused\n\n\
        ### Requirement: Log Out\nThe system SHALL forget.\n";

    #[test]
    fn a_spec_is_shown_in_a_box() {
        let text = spec(&parse_spec("auth", AUTH), Canvas::default());
        assert_snapshot!(strip_str(&text));
    }

    #[test]
    fn a_narrow_terminal_gets_narrow_lines() {
        let text = spec(&parse_spec("auth", AUTH), Canvas { columns: Some(40) });
        assert_snapshot!(strip_str(&text));
    }

    #[test]
    fn an_empty_spec_is_shown_by_its_id() {
        let text = spec(&parse_spec("auth", ""), Canvas { columns: Some(24) });
        assert_snapshot!(strip_str(&text), @r"
        ┌──────────────────────┐
        │ Spec: auth           │
        └──────────────────────┘

        Purpose:

        Requirements: 0
        ");
    }

    #[test]
    fn the_word_specification_is_cut_from_titles() {
        assert_eq!(name("Auth Specification"), "Auth");
        assert_eq!(name("auth specification"), "auth");
        assert_eq!(name("Specification"), "Specification");
        assert_eq!(name("Prüfung"), "Prüfung");
        assert_eq!(name("ü specifications"), "ü specifications");
    }
}
