//! What the repository says about views and Lua is true: the guides' examples and the example projects pass the audits.

#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

mod examples;
mod guides;
mod real;

use ui_view::Finding;

/// Findings, one a line.
fn show(findings: &[Finding]) -> String {
    findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}
