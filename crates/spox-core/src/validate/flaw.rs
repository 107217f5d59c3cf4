//! What can be wrong with a requirement, in a spec and in a delta alike. The caller gives it its code and severity.

use std::collections::{HashMap, hash_map::Entry};

use crate::{
    model::{ParsedRequirement, ParsedScenario},
    names::fold,
};

/// One thing that is wrong, and where.
#[derive(Debug)]
pub(super) struct Flaw {
    pub(super) rule: Rule,
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) message: String,
    pub(super) fix: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// S06
    NoDescription,
    /// S07
    NotNormative,
    /// S08
    NoScenario,
    /// S09
    NoWhen,
    /// S10
    NoThen,
    /// S13
    SameScenario,
    /// S13
    NoName,
}

/// Everything that is wrong with the requirement by itself, in the order of its lines.
pub(super) fn flaws(requirement: &ParsedRequirement, mut tell: impl FnMut(Flaw)) {
    let name = &requirement.name;
    let mut of_requirement = |rule, message: String, fix: &str| {
        let fix = fix.to_owned();
        tell(Flaw { rule, line: requirement.line, column: requirement.column, message, fix });
    };
    if name.is_empty() {
        of_requirement(
            Rule::NoName,
            "Requirement has no name".to_owned(),
            "write what it is about after `### Requirement:`",
        );
    }
    if requirement.description.is_empty() {
        of_requirement(
            Rule::NoDescription,
            format!("Requirement \"{name}\" has no description text"),
            "say below the heading what the system SHALL do",
        );
    } else if !is_normative(&requirement.description) {
        of_requirement(
            Rule::NotNormative,
            format!("Requirement \"{name}\" does not use normative language (SHALL/MUST)"),
            "write `SHALL` or `MUST` where the text says what the system does",
        );
    }
    if requirement.scenarios.is_empty() {
        of_requirement(
            Rule::NoScenario,
            format!("Requirement \"{name}\" has no scenarios"),
            "add `#### Scenario: <name>` with `- **WHEN** …` and `- **THEN** …`",
        );
    }
    scenario_flaws(requirement, &mut tell);
}

fn scenario_flaws(requirement: &ParsedRequirement, tell: &mut impl FnMut(Flaw)) {
    let mut seen: HashMap<String, u32> = HashMap::new();
    for scenario in &requirement.scenarios {
        let place = seen.entry(fold(&scenario.name));
        if scenario.name.is_empty() {
            tell(about(
                scenario,
                Rule::NoName,
                format!("Scenario in requirement \"{}\" has no name", requirement.name),
                "write what happens in it after `#### Scenario:`".to_owned(),
            ));
        } else if let Entry::Occupied(first) = &place {
            let first = first.get();
            tell(about(
                scenario,
                Rule::SameScenario,
                format!(
                    "Scenario \"{}\" in requirement \"{}\" is a duplicate: lines {first} and {}",
                    scenario.name, requirement.name, scenario.line
                ),
                "give each scenario of a requirement its own name".to_owned(),
            ));
        } else {
            place.insert_entry(scenario.line);
        }
        let clause = |word: &str| {
            format!(
                "Scenario \"{}\" in requirement \"{}\" is missing {word} clause",
                scenario.name, requirement.name
            )
        };
        if !scenario.has_when {
            let fix = "add `- **WHEN** <condition>`".to_owned();
            tell(about(scenario, Rule::NoWhen, clause("WHEN"), fix));
        }
        if scenario.then_clauses.is_empty() {
            let fix = "add `- **THEN** <outcome>`".to_owned();
            tell(about(scenario, Rule::NoThen, clause("THEN"), fix));
        }
    }
}

fn about(scenario: &ParsedScenario, rule: Rule, message: String, fix: String) -> Flaw {
    Flaw { rule, line: scenario.line, column: scenario.column, message, fix }
}

fn is_normative(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric())
        .any(|word| word.eq_ignore_ascii_case("shall") || word.eq_ignore_ascii_case("must"))
}
