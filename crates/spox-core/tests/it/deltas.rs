//! What a delta spec says.

use spox_core::{Delta, DeltaItem, Operation, parse_delta};

fn parse(text: &str) -> Delta {
    parse_delta("auth", text)
}

fn only(text: &str) -> DeltaItem {
    let mut delta = parse(text);
    assert_eq!(delta.items.len(), 1, "{:?}", delta.items);
    delta.items.remove(0)
}

fn summary(text: &str) -> Vec<String> {
    parse(text)
        .items
        .iter()
        .map(|item| format!("{} {}", item.operation.word(), item.name))
        .collect()
}

fn rename(text: &str) -> (Option<String>, Option<String>) {
    let item = only(&format!("## RENAMED Requirements\n{text}\n"));
    assert_eq!(item.operation, Operation::Renamed);
    (item.from, item.to)
}

fn pair() -> (Option<String>, Option<String>) {
    (Some("Old".to_owned()), Some("New".to_owned()))
}

#[test]
fn items_come_added_modified_removed_renamed_whatever_the_file_does() {
    let text = "## RENAMED Requirements\n### Requirement: A → B\n## REMOVED Requirements\n\
                ### Requirement: C\n## modified requirements\n### Requirement: D\n\
                ## Added REQUIREMENTS\n### Requirement: E\n### Requirement: F\n";
    assert_eq!(summary(text), ["ADDED E", "ADDED F", "MODIFIED D", "REMOVED C", "RENAMED A"]);
}

#[test]
fn every_heading_of_an_operation_is_read() {
    let text = "## ADDED Requirements\n### Requirement: A\n## Notes\n### Requirement: X\n\
                ## ADDED Requirements\n### Requirement: B\n";
    assert_eq!(summary(text), ["ADDED A", "ADDED B"]);
}

#[test]
fn an_item_has_its_first_paragraph_and_the_names_of_its_scenarios() {
    let item = only(
        "# T\n\n## ADDED Requirements\n\n### Requirement: R\n\nOne\ntwo.\n\nThree.\n\n\
         #### Scenario: S\n- WHEN a\n- THEN b\n#### Scenario: T\n\n### Other\nno\n",
    );
    assert_eq!(item.text, "One two.");
    assert_eq!(item.requirement.description, "One two. Three.");
    assert_eq!(item.scenarios, ["S", "T"]);
    assert_eq!(item.line, 5);
    assert!(item.block.starts_with("### Requirement: R\n\nOne"));
    assert!(item.block.ends_with("#### Scenario: T\n\n"));
}

#[test]
fn a_new_capability_brings_its_purpose() {
    let delta = parse("# T\n## Purpose\nFor\nall.\n## ADDED Requirements\n### Requirement: R\n");
    assert_eq!(delta.purpose.as_deref(), Some("For all."));
    assert_eq!(parse("## ADDED Requirements\n").purpose, None);
}

#[test]
fn a_rename_is_a_pair_of_lines_with_or_without_bullets_and_back_ticks() {
    for text in [
        "- FROM: `### Requirement: Old`\n- TO: `### Requirement: New`",
        "FROM: ### Requirement: Old\nTO: ### Requirement: New",
        "* from: Old\n* to: New",
        "- **FROM:** `Old`\n- **TO**: `New`",
    ] {
        assert_eq!(rename(text), pair(), "{text}");
    }
}

#[test]
fn a_rename_is_a_heading_with_an_arrow() {
    assert_eq!(rename("### Requirement: Old → New"), pair());
    assert_eq!(rename("### Requirement: Old -> New"), pair());
    assert_eq!(rename("### Requirement: `Old`→`New`"), pair());
}

#[test]
fn a_heading_and_one_line_make_a_rename_too() {
    assert_eq!(rename("### Requirement: New\n- FROM: Old"), pair());
    assert_eq!(rename("### Requirement: Old\n- TO: New"), pair());
    assert_eq!(rename("### Requirement: X\n- FROM: Old\n- TO: New"), pair());
}

#[test]
fn several_renames_stay_apart() {
    let delta = parse("## RENAMED Requirements\n- FROM: A\n- TO: B\n\n- FROM: C\n- TO: D\n");
    let pairs: Vec<_> =
        delta.items.iter().map(|item| (item.from.as_deref(), item.to.as_deref())).collect();
    assert_eq!(pairs, [(Some("A"), Some("B")), (Some("C"), Some("D"))]);
    assert_eq!(delta.items[0].block, "- FROM: A\n- TO: B\n");
}

#[test]
fn half_a_rename_is_kept_for_validation() {
    assert_eq!(rename("- FROM: Old"), (Some("Old".into()), None));
    assert_eq!(rename("- TO: New"), (None, Some("New".into())));
    assert_eq!(rename("### Requirement: Old"), (Some("Old".into()), None));
}

#[test]
fn a_second_new_name_is_half_a_rename_of_its_own() {
    let delta = parse("## RENAMED Requirements\n- FROM: A\n- TO: B\n- TO: C\n");
    let pairs: Vec<_> =
        delta.items.iter().map(|item| (item.from.as_deref(), item.to.as_deref())).collect();
    assert_eq!(pairs, [(Some("A"), Some("B")), (None, Some("C"))]);
}

#[test]
fn a_reason_ends_with_its_requirement() {
    let delta = parse(
        "## REMOVED Requirements\n### Requirement: A\n**Reason**: old\n### Requirement: B\nmore\n",
    );
    assert_eq!(delta.items[0].reason.as_deref(), Some("old"));
    assert_eq!(delta.items[1].reason, None);
}

#[test]
fn removals_are_blocks_or_bullets() {
    let text = "## REMOVED Requirements\n- `### Requirement: A`\n* ### Requirement: B\n\n### Requirement: C\nx\n- a bullet\n";
    assert_eq!(summary(text), ["REMOVED A", "REMOVED B", "REMOVED C"]);
}

#[test]
fn a_removal_says_why_and_what_to_do() {
    let delta = parse(
        "## REMOVED Requirements\n### Requirement: A\n**Reason**: nobody\nuses it\n\n\
         **Migration:** use B\n- `### Requirement: C`\n  - **Reason**: old\n",
    );
    assert_eq!(delta.items[0].reason.as_deref(), Some("nobody uses it"));
    assert_eq!(delta.items[0].migration.as_deref(), Some("use B"));
    assert_eq!(delta.items[1].reason.as_deref(), Some("old"));
    assert_eq!(delta.items[0].text, "**Reason**: nobody uses it");
}

#[test]
fn scenarios_left_out_on_purpose_are_named_and_are_no_part_of_the_requirement() {
    let item = only(
        "## MODIFIED Requirements\n### Requirement: A\nSHALL\n\n**Removed scenario**: One\n\
         - **Removed scenario:** `#### Scenario: Two`\n\n#### Scenario: S\n- WHEN a\n",
    );
    assert_eq!(item.removed_scenarios, ["One", "Two"]);
    assert_eq!(item.requirement.description, "SHALL");
    assert_eq!(
        item.requirement_block(),
        "### Requirement: A\nSHALL\n\n\n#### Scenario: S\n- WHEN a\n"
    );
}

#[test]
fn code_and_comments_hold_no_items() {
    let text = "## ADDED Requirements\n```\n### Requirement: A\n## REMOVED Requirements\n```\n\
                <!--\n### Requirement: B\n-->\n### Requirement: C\n";
    assert_eq!(summary(text), ["ADDED C"]);
}
