//! What a spec says: section 2.1 of the grammar.

use spox_core::{ParsedSpec, parse_spec};

fn parse(text: &str) -> ParsedSpec {
    parse_spec("auth", text)
}

#[test]
fn a_spec_gives_its_title_purpose_requirements_and_scenarios() {
    let spec = parse(
        "# Auth Specification\n\n## Purpose\n\nWho may\nenter.\n\n## Requirements\n\n\
         ### Requirement: Login\n\nThe system SHALL\nask.\n\n#### Scenario: Wrong\n\n\
         - **WHEN** a `bad` one\n- **AND** late\n- **THEN** refuse\n- **AND** log\n",
    );
    assert_eq!(spec.title, "Auth Specification");
    assert_eq!(spec.purpose, "Who may enter.");
    let login = spec.requirements.first().unwrap();
    assert_eq!((login.name.as_str(), login.line), ("Login", 10));
    assert_eq!(login.description, "The system SHALL ask.");
    let wrong = &login.scenarios[0];
    assert_eq!(wrong.when_clause, "a `bad` one AND late");
    assert_eq!(wrong.conditions, ["a `bad` one", "late"]);
    assert_eq!(wrong.then_clauses, ["refuse", "log"]);
}
