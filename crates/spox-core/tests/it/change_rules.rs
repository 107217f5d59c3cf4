//! C01 to C15 and C21: what is wrong with a change by itself.

use insta::assert_snapshot;
use spox_core::{ChangeFiles, ChangeSection, Source};

use crate::world::{
    GOOD_DELTA, GOOD_PROPOSAL, GOOD_SPEC, GOOD_TASKS, change, change_issues, delta_issues, has, of,
    report,
};

fn with_proposal(text: &str) -> Vec<String> {
    issues(&ChangeFiles { proposal: Some(text.into()), ..change(GOOD_DELTA) })
}

fn with_tasks(text: &str) -> Vec<String> {
    issues(&ChangeFiles { tasks: Some(text.into()), ..change(GOOD_DELTA) })
}

fn issues(files: &ChangeFiles) -> Vec<String> {
    change_issues(files, Some(GOOD_SPEC), &[])
}

fn added(block: &str) -> Vec<String> {
    delta_issues(&format!("## ADDED Requirements\n{block}\n"))
}

#[test]
fn a_good_change_has_no_issues_but_its_progress() {
    let report = report(&change(GOOD_DELTA), Some(GOOD_SPEC), &[]);
    assert!(report.valid() && report.passes(true));
    assert_snapshot!(crate::world::lines(&report).join("\n"), @r"
    INFO  tasks.md C08 Tasks: 1/2 completed (50%)
    INFO  tasks.md C08 Tasks are organized with group headers
    ");
}

#[test]
fn c01_without_a_proposal_the_rest_is_still_checked() {
    let issues = issues(&ChangeFiles { proposal: None, tasks: None, ..change("") });
    assert_eq!(of(&issues, "C01"), ["ERROR proposal.md C01 Missing proposal.md"]);
    assert!(has(&issues, "C05") && has(&issues, "C14"), "{issues:?}");
}

#[test]
fn c02_no_why() {
    let text = GOOD_PROPOSAL.replace("## Why", "## How");
    assert_eq!(with_proposal(&text), ["ERROR proposal.md:1:1 C02 Missing Why section"]);
}

#[test]
fn c03_a_short_why_is_counted_in_characters() {
    let why = |text: &str| with_proposal(&format!("\n## Why\n{text}\n## What Changes\n- x\n"));
    assert_eq!(
        why(&"ö".repeat(49)),
        ["WARN  proposal.md:2:1 C03 Why section is too short (49 chars, minimum 50 recommended)"]
    );
    assert_eq!(why(&"ö".repeat(50)), [""; 0]);
}

#[test]
fn c04_no_what_changes() {
    let text = GOOD_PROPOSAL.replace("## What Changes", "## What else");
    assert_eq!(with_proposal(&text), ["ERROR proposal.md:1:1 C04 Missing What Changes section"]);
}

#[test]
fn c05_no_tasks() {
    let issues = issues(&ChangeFiles { tasks: None, ..change(GOOD_DELTA) });
    assert_eq!(issues, ["ERROR tasks.md C05 Missing tasks.md"]);
}

#[test]
fn c06_no_checkbox() {
    let message = "ERROR tasks.md:1:1 C06 tasks.md must have at least one checkbox item";
    assert_eq!(with_tasks("- do it\n```\n- [ ] 1.1 x\n```\n"), [message]);
    assert_eq!(with_tasks(""), [message]);
}

#[test]
fn c07_a_task_without_number() {
    assert_eq!(
        with_tasks(
            "- [ ] 1.1 a\n  - [x] Short one\n- [ ] Überlegen, was ein Gerät ausmacht, und es merken\n"
        ),
        [
            "WARN  tasks.md:2:3 C07 Task \"Short one\" does not use numbered prefix (e.g., 1.1)",
            "WARN  tasks.md:3:1 C07 Task \"Überlegen, was ein Gerät ausma...\" does not use numbered prefix (e.g., 1.1)",
        ]
    );
}

#[test]
fn c08_progress_is_rounded_down() {
    let files = ChangeFiles {
        tasks: Some("- [x] 1.1 a\n- [x] 1.2 b\n- [ ] 1.3 c\n".into()),
        ..change(GOOD_DELTA)
    };
    let report = report(&files, Some(GOOD_SPEC), &[]);
    let infos: Vec<_> = report.infos().map(ToString::to_string).collect();
    assert_eq!(infos, ["INFO  tasks.md C08 Tasks: 2/3 completed (66%)"]);
}

#[test]
fn c09_no_delta_with_anything_in_it() {
    let message = "ERROR proposal.md C09 Change must have at least one delta spec with ADDED/MODIFIED/REMOVED/RENAMED operations";
    let none = ChangeFiles { deltas: std::collections::BTreeMap::new(), ..change("") };
    assert_eq!(issues(&none), [message]);
    assert_eq!(of(&delta_issues("## ADDED Requirements\n"), "C09"), [message]);
    assert_eq!(of(&delta_issues("# Nothing\n"), "C09"), [message]);
}

#[test]
fn c10_a_heading_that_is_almost_a_delta_heading() {
    let issues = delta_issues("# T\n\n## Added\n\n### Requirement: X\n");
    assert_eq!(
        of(&issues, "C10"),
        [
            "ERROR specs/auth/spec.md:3:1 C10 Delta spec has invalid headers. Use: ## ADDED Requirements, ## MODIFIED Requirements, ## REMOVED Requirements, ## RENAMED Requirements"
        ]
    );
    assert!(!has(&issues, "C14"), "{issues:?}");
    assert!(!has(&delta_issues("## Notes on what was padded\n"), "C10"), "whole words count");
}

#[test]
fn c11_an_added_requirement_without_scenario() {
    assert_eq!(
        added("### Requirement: X\n\nThe system SHALL x."),
        [
            "WARN  specs/auth/spec.md:2:1 C11 ADDED requirement \"X\" should have at least one scenario"
        ]
    );
}

#[test]
fn c12_scenarios_of_added_and_modified_requirements_are_complete() {
    let block =
        "### Requirement: X\nSHALL\n#### Scenario: S\n- **THEN** t\n#### Scenario: T\n- WHEN w\n";
    let expected = [
        "ERROR specs/auth/spec.md:4:1 C12 Scenario \"S\" in requirement \"X\" is missing WHEN clause",
        "ERROR specs/auth/spec.md:6:1 C12 Scenario \"T\" in requirement \"X\" is missing THEN clause",
    ];
    assert_eq!(added(block), expected);
    let modified = delta_issues(&format!("## MODIFIED Requirements\n{block}"));
    assert_eq!(of(&modified, "C12"), expected);
}

#[test]
fn c13_a_modified_requirement_with_nothing_but_its_heading() {
    let issues = delta_issues("## MODIFIED Requirements\n### Requirement: User Login\n");
    assert_eq!(
        of(&issues, "C13"),
        [
            "WARN  specs/auth/spec.md:2:1 C13 MODIFIED requirement \"User Login\" should include the complete requirement text"
        ]
    );
    assert!(!has(&issues, "C21"), "said once: {issues:?}");
}

#[test]
fn c14_a_delta_section_without_requirements() {
    let issues = delta_issues(&format!("{GOOD_DELTA}\n## REMOVED Requirements\n\nnothing\n"));
    assert_eq!(
        issues,
        [
            "ERROR specs/auth/spec.md:12:1 C14 Delta section \"## REMOVED Requirements\" has no requirements"
        ]
    );
}

#[test]
fn c14_other_sections_may_be_empty() {
    let delta = format!("## Purpose\n\n## Notes\n\n{GOOD_DELTA}");
    assert_eq!(delta_issues(&delta), [""; 0]);
}

#[test]
fn c14_a_delta_without_delta_heading() {
    let issues = delta_issues("# T\n\n## Requirements\n\n### Requirement: X\n");
    assert_eq!(
        of(&issues, "C14"),
        ["ERROR specs/auth/spec.md:1:1 C14 Delta spec has no delta heading"]
    );
}

#[test]
fn c14_a_delta_that_belongs_to_no_capability() {
    let files = ChangeFiles { stray: vec!["specs/spec.md".into()], ..change(GOOD_DELTA) };
    assert_eq!(issues(&files), ["ERROR specs/spec.md C14 Delta spec belongs to no capability"]);
}

#[test]
fn c14_requirements_that_nobody_sees() {
    let outside = delta_issues(&format!("### Requirement: Early\n{GOOD_DELTA}"));
    assert_eq!(
        outside,
        ["ERROR specs/auth/spec.md:1:1 C14 Requirement \"Early\" is outside the delta sections"]
    );
    let hidden = delta_issues(&format!("{GOOD_DELTA}~~~\n### Requirement: X\n"));
    assert_eq!(
        hidden,
        [
            "ERROR specs/auth/spec.md:11:1 C14 Code block is never closed; headings hidden below it: 1"
        ]
    );
}

#[test]
fn c14_half_a_rename() {
    let renamed =
        |text: &str| of(&delta_issues(&format!("## RENAMED Requirements\n{text}\n")), "C14");
    assert_eq!(
        renamed("- FROM: User Login"),
        ["ERROR specs/auth/spec.md:2:1 C14 RENAMED requirement \"User Login\" has no new name"]
    );
    assert_eq!(
        renamed("- TO: X"),
        [
            "ERROR specs/auth/spec.md:2:1 C14 RENAMED requirement does not say which requirement it renames"
        ]
    );
    assert_eq!(
        renamed("### Requirement: User Login → User Login"),
        ["ERROR specs/auth/spec.md:2:1 C14 RENAMED requirement \"User Login\" keeps its name"]
    );
    assert_eq!(renamed("### Requirement: User Login → X"), [""; 0]);
}

#[test]
fn c14_requirements_without_name() {
    let removed = delta_issues("## REMOVED Requirements\n### Requirement:\n");
    assert_eq!(removed, ["ERROR specs/auth/spec.md:2:1 C14 REMOVED requirement has no name"]);
    let issues = added("### Requirement:\nSHALL\n#### Scenario: S\n- WHEN a\n- THEN b");
    assert_eq!(issues, ["ERROR specs/auth/spec.md:2:1 C14 Requirement has no name"]);
}

const BODY: &str = "The system SHALL.\n#### Scenario: S\n- WHEN a\n- THEN b\n";

#[test]
fn c15_one_name_twice_in_a_section() {
    let issues = added(&format!("### Requirement: X\n{BODY}### Requirement: x \n{BODY}"));
    assert_eq!(
        issues,
        [
            "ERROR specs/auth/spec.md:7:1 C15 Requirement \"x\" is a duplicate in ADDED: lines 2 and 7"
        ]
    );
    let removed =
        "## REMOVED Requirements\n### Requirement: User Login\n### Requirement: User Login\n";
    assert!(has(&delta_issues(removed), "C15"));
}

#[test]
fn c15_one_name_in_two_sections() {
    let section =
        |word: &str| format!("## {word} Requirements\n### Requirement: User Login\n{BODY}");
    for (one, other) in [("ADDED", "MODIFIED"), ("ADDED", "REMOVED"), ("MODIFIED", "REMOVED")] {
        let issues = delta_issues(&format!("{}{}", section(other), section(one)));
        assert_eq!(
            of(&issues, "C15"),
            [format!(
                "ERROR specs/auth/spec.md:8:1 C15 Requirement \"User Login\" is both {one} (line 8) and {other} (line 2)"
            )]
        );
    }
}

#[test]
fn c15_modified_under_the_name_that_a_rename_takes_away() {
    let rename = "## RENAMED Requirements\n- FROM: User Login\n- TO: Sign in\n";
    let modified = |name: &str| {
        let body = GOOD_SPEC.split("### Requirement: ").nth(1).unwrap_or_default();
        let body = body.replacen("User Login", name, 1);
        delta_issues(&format!("{rename}## MODIFIED Requirements\n### Requirement: {body}"))
    };
    assert_eq!(
        modified("User Login"),
        [
            "ERROR specs/auth/spec.md:5:1 C15 Requirement \"User Login\" is both MODIFIED (line 5) and RENAMED (line 2)"
        ]
    );
    assert_eq!(modified("Sign in"), [""; 0]);
}

#[test]
fn c15_renamed_onto_an_added_name_or_twice_onto_one() {
    let issues = delta_issues(&format!(
        "## ADDED Requirements\n### Requirement: Sign in\n{BODY}## RENAMED Requirements\n- FROM: User Login\n- TO: Sign In\n"
    ));
    assert_eq!(
        issues,
        [
            "ERROR specs/auth/spec.md:8:1 C15 Requirement \"Sign in\" is both ADDED (line 2) and RENAMED (line 8)"
        ]
    );
    let twice = delta_issues(
        "## RENAMED Requirements\n- FROM: User Login\n- TO: X\n- FROM: User Logout\n- TO: x\n",
    );
    assert_eq!(
        twice,
        [
            "ERROR specs/auth/spec.md:4:1 C15 Requirement \"x\" is a duplicate in RENAMED: lines 2 and 4"
        ]
    );
}

#[test]
fn c15_a_name_that_a_rename_frees_may_be_added_again() {
    let issues = delta_issues(&format!(
        "## ADDED Requirements\n### Requirement: User Login\n{BODY}## RENAMED Requirements\n- FROM: User Login\n- TO: Sign in\n"
    ));
    assert_eq!(issues, [""; 0]);
}

#[test]
fn c21_task_numbers_are_unique_and_under_their_heading() {
    assert_eq!(
        with_tasks(
            "## 1. A\n- [ ] 1.1 a\n- [ ] 1.1 b\n- [ ] 2.1 c\n## 2. B\n- [ ] 2.2 d\n- [ ] 2.2.1 e\n"
        ),
        [
            "WARN  tasks.md:3:1 C21 Task number 1.1 is a duplicate: lines 2 and 3",
            "WARN  tasks.md:4:1 C21 Task number 2.1 is under the heading \"1. A\"",
        ]
    );
    assert_eq!(with_tasks("## 1. A\n- [ ] 01.1 a\n"), [""; 0]);
}

#[test]
fn c21_added_and_modified_requirements_are_held_to_s06_to_s08() {
    let scenario = "#### Scenario: S\n- WHEN a\n- THEN b\n";
    assert_eq!(
        added(&format!("### Requirement: X\n{scenario}### Requirement: Y\nwill\n{scenario}")),
        [
            "WARN  specs/auth/spec.md:2:1 C21 Requirement \"X\" has no description text",
            "WARN  specs/auth/spec.md:6:1 C21 Requirement \"Y\" does not use normative language (SHALL/MUST)",
        ]
    );
    let modified = delta_issues("## MODIFIED Requirements\n### Requirement: User Logout\nSHALL\n");
    assert_eq!(
        of(&modified, "C21"),
        ["WARN  specs/auth/spec.md:2:1 C21 Requirement \"User Logout\" has no scenarios"]
    );
}

#[test]
fn c21_lookalikes_in_a_delta_are_told_too() {
    let issues = added("### Requirement: X\nSHALL\n- **Scenario: S**\n- **WHEN** a\n");
    assert_eq!(
        of(&issues, "C21"),
        [
            "WARN  specs/auth/spec.md:4:1 C21 This looks like \"#### Scenario: S\" but is not read as one"
        ]
    );
}

#[test]
fn unreadable_files_are_told_and_the_rest_is_checked() {
    let bad = || Some(Source::Unreadable("denied".into()));
    let mut files = ChangeFiles {
        proposal: bad(),
        tasks: bad(),
        design: bad(),
        verification: bad(),
        ..change(GOOD_DELTA)
    };
    files.deltas.insert("zoo".into(), Source::Unreadable("denied".into()));
    assert_snapshot!(issues(&files).join("\n"), @r"
    ERROR proposal.md S01 Failed to read file: denied
    ERROR tasks.md S01 Failed to read file: denied
    ERROR design.md S01 Failed to read file: denied
    ERROR specs/zoo/spec.md S01 Failed to read file: denied
    ERROR verification.md S01 Failed to read file: denied
    ");
}

#[test]
fn issues_name_the_section_of_the_change() {
    let mut files =
        ChangeFiles { tasks: Some("- [ ] x\n".into()), ..change("## ADDED Requirements\n") };
    files.design = Some(Source::Unreadable("denied".into()));
    let report = report(&files, None, &[]);
    let sections: Vec<_> = report.issues.iter().map(|issue| issue.section).collect();
    for section in ChangeSection::ALL {
        assert!(sections.contains(&Some(section)), "{section:?} in {sections:?}");
    }
    assert!(
        sections.is_sorted_by_key(|one| ChangeSection::ALL
            .iter()
            .position(|other| Some(*other) == *one))
    );
}

#[test]
fn sections_are_asked_for_by_name() {
    assert_eq!("deltas".parse(), Ok(ChangeSection::Deltas));
    assert_eq!(
        "delta".parse::<ChangeSection>().map_err(|error| error.to_string()),
        Err("Unknown section 'delta'. Valid sections: proposal, tasks, design, deltas".to_owned())
    );
}

#[test]
fn every_issue_of_a_bad_change_has_its_place_and_a_way_out() {
    let files = ChangeFiles {
        proposal: Some("# Change: Bad\n\n## Why\n\nBecause.\n".into()),
        tasks: Some(
            format!("{GOOD_TASKS}- [ ] 3.1 Elsewhere\n- [ ] Something without a number at all\n")
                .as_str()
                .into(),
        ),
        stray: vec!["specs/spec.md".into()],
        base: Some("{".into()),
        ..change(include_str!("bad_delta.md"))
    };
    let others = [crate::world::other_change(
        "add-keys",
        "## ADDED Requirements\n### Requirement: Keys\n## MODIFIED Requirements\n### Requirement: User Login\n",
    )];
    let report = report(&files, Some(GOOD_SPEC), &others);
    let table: Vec<_> = report
        .issues
        .iter()
        .map(|issue| format!("{issue}\n      {}", issue.fix.as_deref().unwrap_or("-")))
        .collect();
    assert_snapshot!(table.join("\n"));
}
