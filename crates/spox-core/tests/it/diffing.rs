//! A change beside the main specs, line by line.

use spox_core::{ChangeDiff, DiffState, LineKind, diff};

use crate::desk::{AUTH, change, requirement, specs};

fn diff_of(delta: &str) -> ChangeDiff {
    diff(&change([("auth", delta)]), &specs([("auth", AUTH)]))
}

/// As a terminal would print it: both numbers, a sign, and changed words in braces.
fn printed(diff: &ChangeDiff) -> String {
    let mut text = String::new();
    for requirement in diff.capabilities.iter().flat_map(|one| &one.requirements) {
        let head = format!(
            "{} {} {:?} +{} -{}\n",
            requirement.operation.word(),
            requirement.name,
            requirement.state,
            requirement.added,
            requirement.removed
        );
        text.push_str(&head);
        for line in &requirement.lines {
            let number =
                |number: Option<u32>| number.map_or(String::new(), |number| number.to_string());
            let sign = match line.kind {
                LineKind::Kept => ' ',
                LineKind::Added => '+',
                LineKind::Removed => '-',
            };
            let words = line.words.iter().map(|run| {
                if run.changed { format!("{{{}}}", run.text) } else { run.text.clone() }
            });
            let shown = if line.words.is_empty() { line.text.clone() } else { words.collect() };
            let row = format!("{:>3} {:>3} {sign}{shown}", number(line.old), number(line.new));
            text.extend([row.trim_end(), "\n"]);
        }
    }
    text
}

#[test]
fn a_modified_requirement_shows_what_stays_what_goes_and_what_comes() {
    let delta = "\
## MODIFIED Requirements

### Requirement: Logout
The system MUST let a user go.

#### Scenario: Leaving
- **WHEN** the user leaves
- **THEN** the session ends
- **AND** the cookie is gone
";
    insta::assert_snapshot!(printed(&diff_of(delta)), @r"
    MODIFIED Logout Pending +2 -1
     20   3  ### Requirement: Logout
     21     -The system {SHALL} let a user go.
          4 +The system {MUST} let a user go.
     22   5
     23   6  #### Scenario: Leaving
     24   7  - **WHEN** the user leaves
     25   8  - **THEN** the session ends
          9 +- **AND** the cookie is gone
    ");
}

#[test]
fn added_removed_and_renamed_requirements_are_shown_by_what_they_do() {
    let delta = "\
## ADDED Requirements

### Requirement: Fax
It SHALL fax.

## REMOVED Requirements

### Requirement: Logout

## RENAMED Requirements

- FROM: `### Requirement: Login`
- TO: `### Requirement: Sign-in`
";
    insta::assert_snapshot!(printed(&diff_of(delta)), @r"
    ADDED Fax Pending +2 -0
          3 +### Requirement: Fax
          4 +It SHALL fax.
    REMOVED Logout Pending +0 -6
     20     -### Requirement: Logout
     21     -The system SHALL let a user go.
     22     -
     23     -#### Scenario: Leaving
     24     -- **WHEN** the user leaves
     25     -- **THEN** the session ends
    RENAMED Sign-in Pending +1 -1
      9     -### Requirement: {Login}
         12 +### Requirement: {Sign-in}
    ");
}

#[test]
fn lines_that_speak_to_the_tool_are_not_shown_and_the_numbers_know_it() {
    let delta = "\
## MODIFIED Requirements

### Requirement: Login
The system SHALL let a known user in.

**Removed scenario**: Wrong password

#### Scenario: Right password
- **WHEN** the password is right
- **THEN** the user is in
";
    insta::assert_snapshot!(printed(&diff_of(delta)), @r"
    MODIFIED Login Pending +0 -4
      9   3  ### Requirement: Login
     10   4  The system SHALL let a known user in.
     11   5
     12   8  #### Scenario: Right password
     13   9  - **WHEN** the password is right
     14  10  - **THEN** the user is in
     15     -
     16     -#### Scenario: Wrong password
     17     -- **WHEN** the password is wrong
     18     -- **THEN** the user stays out
    ");
}

#[test]
fn what_the_main_spec_has_already_is_done_and_what_it_lacks_is_missing() {
    let block =
        &AUTH[AUTH.find("### Requirement: Logout").unwrap()..AUTH.find("## Notes").unwrap()];
    let done = diff_of(&format!(
        "## MODIFIED Requirements\n{block}\n## REMOVED Requirements\n### Requirement: Fax\n"
    ));
    assert!(done.is_empty());
    let missing = diff_of(&format!("## MODIFIED Requirements\n{}", requirement("Fax", &[])));
    assert_eq!(missing.capabilities[0].requirements[0].state, DiffState::Missing);
    assert!(!missing.is_empty());
}

#[test]
fn words_are_told_apart_only_where_a_line_was_reworded() {
    let delta = "## MODIFIED Requirements\n\n### Requirement: Logout\nNobody knows what this may be about at all.\n\n#### Scenario: Leaving\n- **WHEN** the user  leaves now\n- **THEN** the session ends\n";
    let diff = diff_of(delta);
    let lines = &diff.capabilities[0].requirements[0].lines;
    let words: Vec<_> = lines
        .iter()
        .filter(|line| line.kind != LineKind::Kept)
        .map(|line| line.words.len())
        .collect();
    assert_eq!(words[..2], [0, 0]);
    assert!(words[2..].iter().all(|count| *count > 1), "{words:?}");
    for line in lines.iter().filter(|line| !line.words.is_empty()) {
        assert_eq!(line.words.iter().map(|run| &*run.text).collect::<String>(), line.text);
    }
}

#[test]
fn line_breaks_make_no_difference() {
    let block =
        &AUTH[AUTH.find("### Requirement: Logout").unwrap()..AUTH.find("## Notes").unwrap()];
    let delta = format!("## MODIFIED Requirements\n\n{block}").replace('\n', "\r\n");
    assert!(diff_of(&delta).is_empty());
    let changed = delta.replace("leaves", "goes");
    let diff = diff_of(&changed);
    let one = &diff.capabilities[0].requirements[0];
    assert_eq!((one.added, one.removed), (1, 1));
}
