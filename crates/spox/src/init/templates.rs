//! The texts that `init` writes, embedded. Places in double braces are filled in ([`fill`]).

/// The rule files that `rules.system` may name, in the order of a new config.
pub(super) const RULES: [(&str, &str); 7] = [
    ("mcp", include_str!("templates/rules/mcp.md")),
    ("global", include_str!("templates/rules/global.md")),
    ("coding", include_str!("templates/rules/coding.md")),
    ("testing", include_str!("templates/rules/testing.md")),
    ("backend", include_str!("templates/rules/backend.md")),
    ("frontend", include_str!("templates/rules/frontend.md")),
    ("vcs", include_str!("templates/rules/vcs.md")),
];

pub(super) const WORKFLOW: &str = include_str!("templates/workflow.md");
pub(super) const MISSION: &str = include_str!("templates/files/mission.md");
pub(super) const SETUP: &str = include_str!("templates/files/setup.sh");

pub(super) const SPEC: &str = include_str!("templates/files/spec.md");
pub(super) const PROPOSAL: &str = include_str!("templates/files/change/proposal.md");
pub(super) const TASKS: &str = include_str!("templates/files/change/tasks.md");
pub(super) const DESIGN: &str = include_str!("templates/files/change/design.md");
pub(super) const DELTA: &str = include_str!("templates/files/change/spec.md");
pub(super) const VERIFICATION: &str = include_str!("templates/files/change/verification.md");

/// The copies in `.spox/templates`, which `change init` reads and people may look at.
pub(super) const COPIES: [(&str, &str); 6] = [
    (".spox/templates/spec.md", SPEC),
    (".spox/templates/change/proposal.md", PROPOSAL),
    (".spox/templates/change/tasks.md", TASKS),
    (".spox/templates/change/design.md", DESIGN),
    (".spox/templates/change/spec.md", DELTA),
    (".spox/templates/change/verification.md", VERIFICATION),
];

/// What Claude Code reads: agents and commands.
pub(super) const CLAUDE: [(&str, &str); 8] = [
    (".claude/agents/spox-implementer.md", include_str!("templates/agents/spox-implementer.md")),
    (".claude/agents/spox-reviewer.md", include_str!("templates/agents/spox-reviewer.md")),
    (".claude/agents/spox-verifier.md", include_str!("templates/agents/spox-verifier.md")),
    (".claude/commands/spox/archive.md", include_str!("templates/commands/archive.md")),
    (".claude/commands/spox/implement.md", include_str!("templates/commands/implement.md")),
    (".claude/commands/spox/propose.md", include_str!("templates/commands/propose.md")),
    (".claude/commands/spox/setup.md", include_str!("templates/commands/setup.md")),
    (".claude/commands/spox/vibe.md", include_str!("templates/commands/vibe.md")),
];

/// `template` with each `{{name}}` replaced by its value; others stay. One pass, so that a value is never read as a template.
pub(super) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut parts = template.split("{{");
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let known = part.split_once("}}").and_then(|(name, rest)| {
            let found = values.iter().find(|(known, _)| *known == name)?;
            Some((found.1, rest))
        });
        match known {
            Some((value, rest)) => filled.extend([value, rest]),
            None => filled.extend(["{{", part]),
        }
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled_in_once() {
        let values = [("a", "{{b}}"), ("b", "x")];
        assert_eq!(fill("{{a}} {{b}} {{c}} {{", &values), "{{b}} x {{c}} {{");
    }
}
