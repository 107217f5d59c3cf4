//! S01 to S15, a test for each rule, and a table of what a bad spec gets.

use insta::assert_snapshot;
use spox_core::{Source, SpecFile, validate_spec};

use crate::world::{GOOD_SPEC, has, of, spec_file, spec_issues};

/// The issues of [`GOOD_SPEC`] with one thing changed.
fn with(from: &str, to: &str) -> Vec<String> {
    assert!(GOOD_SPEC.contains(from), "{from}");
    spec_issues(&GOOD_SPEC.replacen(from, to, 1))
}

#[test]
fn a_good_spec_has_no_issues() {
    assert_eq!(spec_issues(GOOD_SPEC), [""; 0]);
    let report = validate_spec(&spec_file(GOOD_SPEC));
    assert!(report.valid() && report.passes(true));
}

#[test]
fn s01_a_file_that_cannot_be_read() {
    let source = Source::Unreadable("invalid UTF-8 at byte 7".into());
    let report = validate_spec(&SpecFile { source, ..spec_file("") });
    assert_snapshot!(report.issues[0], @"ERROR specs/auth/spec.md S01 Failed to read file: invalid UTF-8 at byte 7");
    assert_eq!(report.issues.len(), 1);
    assert_eq!(report.issues[0].line, None);
}

#[test]
fn s02_no_purpose() {
    let issues = with("## Purpose", "## Porpoise");
    assert_eq!(issues, ["ERROR specs/auth/spec.md:1:1 S02 Missing Purpose section"]);
}

#[test]
fn s03_a_short_purpose_is_counted_in_characters() {
    let purpose =
        "Decides who may enter, and keeps everybody else outside without a word too many.";
    let short = with(purpose, &"ä".repeat(49));
    assert_eq!(
        short,
        [
            "WARN  specs/auth/spec.md:3:1 S03 Purpose section is too short (49 chars, minimum 50 recommended)"
        ]
    );
    assert_eq!(with(purpose, &"ä".repeat(50)), [""; 0]);
}

#[test]
fn s04_without_requirements_the_rest_is_skipped() {
    let issues = with("## Requirements", "## Wishes");
    assert_eq!(issues, ["ERROR specs/auth/spec.md:1:1 S04 Missing Requirements section"]);
}

#[test]
fn s05_no_requirement() {
    let text = GOOD_SPEC.split("### Requirement").next().unwrap_or_default();
    assert_eq!(
        spec_issues(text),
        ["WARN  specs/auth/spec.md:7:1 S05 Requirements section has no requirement blocks"]
    );
}

#[test]
fn s06_no_description() {
    assert_eq!(
        with("The system SHALL ask for a password.", "<!-- later -->"),
        ["ERROR specs/auth/spec.md:9:1 S06 Requirement \"User Login\" has no description text"]
    );
}

#[test]
fn s07_no_normative_word() {
    let message = "WARN  specs/auth/spec.md:9:1 S07 Requirement \"User Login\" does not use normative language (SHALL/MUST)";
    assert_eq!(with("SHALL", "will"), [message]);
    assert_eq!(with("SHALL", "marshalls the mustard and"), [message], "whole words count");
    for word in ["shall", "Must", "MUST,", "(must)", "**SHALL**"] {
        assert_eq!(with("SHALL", word), [""; 0], "{word}");
    }
}

#[test]
fn s08_no_scenario() {
    let issues = with("#### Scenario: Leaving", "");
    assert_eq!(
        issues,
        ["WARN  specs/auth/spec.md:24:1 S08 Requirement \"User Logout\" has no scenarios"]
    );
}

#[test]
fn s09_no_when() {
    let message = "ERROR specs/auth/spec.md:28:1 S09 Scenario \"Leaving\" in requirement \"User Logout\" is missing WHEN clause";
    assert_eq!(with("- **WHEN** somebody leaves", ""), [message]);
    assert_eq!(with("**WHEN** somebody leaves", "**GIVEN** somebody leaves"), [message]);
    assert_eq!(with("**WHEN** somebody leaves", "**WHEN**"), [message], "empty is missing");
    for clause in ["WHEN x", "* WHEN x", "- When x", "when x", "- **When** x", "so **WHEN** x"] {
        assert_eq!(with("- **WHEN** somebody leaves", clause), [""; 0], "{clause}");
    }
}

#[test]
fn s10_no_then() {
    let message = "ERROR specs/auth/spec.md:28:1 S10 Scenario \"Leaving\" in requirement \"User Logout\" is missing THEN clause";
    assert_eq!(with("- **THEN** the door closes", ""), [message]);
    assert_eq!(with("- **THEN** the door closes", "```\n- **THEN** x\n```"), [message]);
    for clause in ["THEN x", "* THEN x", "- Then x", "then x", "- **Then** x"] {
        assert_eq!(with("- **THEN** the door closes", clause), [""; 0], "{clause}");
    }
}

#[test]
fn s11_two_requirements_of_one_name() {
    assert_eq!(
        with("Requirement: User Logout", "Requirement: user  LOGIN"),
        [
            "ERROR specs/auth/spec.md:24:1 S11 Requirement \"user  LOGIN\" is a duplicate: lines 9 and 24"
        ]
    );
}

#[test]
fn s12_requirements_that_nobody_sees() {
    let outside = with("## Requirements", "### Requirement: Early\n\n## Requirements");
    assert_eq!(
        outside,
        [
            "ERROR specs/auth/spec.md:7:1 S12 Requirement \"Early\" is outside the Requirements section"
        ]
    );
    let late = spec_issues(&format!("{GOOD_SPEC}\n## Notes\n\n### Requirement: Late\n"));
    assert_eq!(
        late,
        [
            "ERROR specs/auth/spec.md:35:1 S12 Requirement \"Late\" is outside the Requirements section"
        ]
    );
}

#[test]
fn s12_a_delta_in_a_main_spec() {
    let issues =
        spec_issues(&format!("{GOOD_SPEC}\n## added requirements\n\n### Requirement: X\n"));
    assert_eq!(
        of(&issues, "S12"),
        [
            "ERROR specs/auth/spec.md:33:1 S12 Delta heading \"## added requirements\" in a main spec",
            "ERROR specs/auth/spec.md:35:1 S12 Requirement \"X\" is outside the Requirements section",
        ]
    );
    let only = with("## Requirements", "## MODIFIED Requirements");
    assert!(has(&only, "S04") && has(&only, "S12"), "{only:?}");
}

#[test]
fn s12_a_code_block_without_end_hides_what_follows() {
    let issues = with("#### Scenario: Wrong password", "```\n#### Scenario: Wrong password");
    assert_eq!(
        of(&issues, "S12"),
        [
            "ERROR specs/auth/spec.md:18:1 S12 Code block is never closed; headings hidden below it: 3"
        ]
    );
    assert_eq!(spec_issues(&format!("{GOOD_SPEC}\n```\nnothing of note\n")), [""; 0]);
    let closed = "```\n### Requirement: Shown\n```\n\n```\nnothing of note\n";
    assert_eq!(spec_issues(&format!("{GOOD_SPEC}\n{closed}")), [""; 0]);
}

#[test]
fn s13_scenarios_of_one_name_and_names_that_are_empty() {
    assert_eq!(
        with("Scenario: Wrong password", "Scenario: RIGHT Password"),
        [
            "WARN  specs/auth/spec.md:18:1 S13 Scenario \"RIGHT Password\" in requirement \"User Login\" is a duplicate: lines 13 and 18"
        ]
    );
    assert_eq!(
        with("Scenario: Leaving", "Scenario:"),
        ["WARN  specs/auth/spec.md:28:1 S13 Scenario in requirement \"User Logout\" has no name"]
    );
    assert_eq!(
        with("Requirement: User Logout", "Requirement:"),
        ["WARN  specs/auth/spec.md:24:1 S13 Requirement has no name"]
    );
    let same_elsewhere = with("Scenario: Leaving", "Scenario: Wrong password");
    assert_eq!(same_elsewhere, [""; 0], "another requirement may have a scenario of that name");
}

#[test]
fn s14_what_looks_like_a_scenario_but_is_none() {
    for lookalike in [
        "- **Scenario: Leaving**",
        "**Scenario:** Leaving",
        "* **scenario**: Leaving",
        "- Scenario: Leaving",
        "Scenario: Leaving",
        "### Scenario: Leaving",
        "##### Scenario: Leaving",
        "#####Scenario: Leaving",
        "#### Scenario Leaving",
    ] {
        let text = GOOD_SPEC.replacen("#### Scenario: Leaving", lookalike, 1);
        let report = validate_spec(&spec_file(&text));
        let found = report.warnings().find(|issue| issue.code == "S14");
        let found = found.map(|issue| (issue.line, issue.fix.as_deref()));
        assert_eq!(found, Some((Some(28), Some("write `#### Scenario: Leaving`"))), "{lookalike}");
    }
    let level = with("### Requirement: User Logout", "#### Requirement: User Logout");
    assert!(has(&level, "S14"), "{level:?}");
    for fine in
        ["In that scenario: leave.", "- scenario: x", "#### Scenarios", "##### Scenario planning"]
    {
        assert!(
            !has(&with("The system MUST", &format!("{fine}\nThe system MUST")), "S14"),
            "{fine}"
        );
    }
}

#[test]
fn s15_no_title_and_an_empty_purpose() {
    assert_eq!(
        with("# Auth Specification", ""),
        ["WARN  specs/auth/spec.md:1:1 S15 Missing title"]
    );
    let empty = with(
        "Decides who may enter, and keeps everybody else outside without a word too many.",
        "",
    );
    assert_eq!(
        empty,
        [
            "WARN  specs/auth/spec.md:3:1 S03 Purpose section is too short (0 chars, minimum 50 recommended)",
            "WARN  specs/auth/spec.md:3:1 S15 Purpose section is empty",
        ]
    );
}

#[test]
fn warnings_fail_only_in_strict_mode() {
    let text = GOOD_SPEC.replacen("SHALL", "will", 1);
    let report = validate_spec(&spec_file(&text));
    assert!(report.valid() && report.passes(false) && !report.passes(true));
    assert_eq!((report.errors().count(), report.warnings().count()), (0, 1));
    let broken = validate_spec(&spec_file(&GOOD_SPEC.replacen("**WHEN**", "", 1)));
    assert!(!broken.valid() && !broken.passes(false));
}

#[test]
fn every_issue_of_a_bad_spec_has_its_place_and_a_way_out() {
    let report = validate_spec(&spec_file(include_str!("bad_spec.md")));
    let table: Vec<_> = report
        .issues
        .iter()
        .map(|issue| format!("{issue}\n      {}", issue.fix.as_deref().unwrap_or("NO FIX")))
        .collect();
    assert_snapshot!(table.join("\n"));
}
