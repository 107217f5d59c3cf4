//! Lines that look like a heading of a requirement or scenario but are none, so nobody would read what is below them.

use super::heading::strip_prefix_any_case;
use crate::lines::after_bullet;

/// What to write instead of `text`, if it is such a line.
pub(super) fn meant(text: &str) -> Option<String> {
    if text.starts_with('#') { heading(text) } else { emphasis(text) }
}

/// `### Scenario: x`, `##### Scenario: x`, `#### Scenario x`, `## Requirement: x`.
fn heading(text: &str) -> Option<String> {
    let rest = text.trim_start_matches('#');
    let level = text.len() - rest.len();
    let rest = rest.trim_start();
    if let Some(name) = strip_prefix_any_case(rest, "scenario:") {
        return (level != 4).then(|| format!("#### Scenario: {}", name.trim()));
    }
    if let Some(name) = strip_prefix_any_case(rest, "requirement:") {
        return (level != 3).then(|| format!("### Requirement: {}", name.trim()));
    }
    let name = strip_prefix_any_case(rest, "scenario ")?.trim_start();
    (level == 4 && !name.is_empty()).then(|| format!("#### Scenario: {name}"))
}

/// `- **Scenario: x**`, `**Scenario:** x`, `- Scenario: x`.
fn emphasis(text: &str) -> Option<String> {
    let body = after_bullet(text).unwrap_or(text);
    let bare = body.trim_start_matches(['*', '_']);
    let rest = if bare.len() < body.len() {
        strip_prefix_any_case(bare, "scenario")
    } else {
        bare.strip_prefix("Scenario")
    }?;
    let name = rest.trim_start_matches(['*', '_']).strip_prefix(':')?;
    Some(format!("#### Scenario: {}", name.trim_matches(['*', '_']).trim()))
}
