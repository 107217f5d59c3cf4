//! Applying, rule by rule.

use spox_core::{Allow, ChangeFiles, Fate, Operation, Source, apply};

use crate::desk::{AUTH, after, apply_to, change, refusal, requirement, specs, told, written};

const BIOMETRY: &str = "\
### Requirement: Biometry
The system SHALL know a finger.

#### Scenario: Known finger
- **WHEN** the finger is known
- **THEN** the user is in
";

fn added(block: &str) -> String {
    format!("## ADDED Requirements\n\n{block}")
}

fn modified(block: &str) -> String {
    format!("## MODIFIED Requirements\n\n{block}")
}

#[test]
fn an_added_requirement_goes_to_the_end_of_the_section() {
    let wanted = AUTH.replace("## Notes", &format!("{BIOMETRY}\n## Notes"));
    assert_eq!(after(AUTH, &added(BIOMETRY)), wanted);
}

#[test]
fn a_modified_requirement_takes_the_place_of_the_old_one() {
    let block = "### Requirement: Logout\nThe system SHALL let anybody go.\n\n#### Scenario: Leaving\n- **WHEN** bye\n- **THEN** gone\n";
    let wanted = AUTH.replace(
        "The system SHALL let a user go.\n\n#### Scenario: Leaving\n- **WHEN** the user leaves\n- **THEN** the session ends\n",
        "The system SHALL let anybody go.\n\n#### Scenario: Leaving\n- **WHEN** bye\n- **THEN** gone\n",
    );
    assert_eq!(after(AUTH, &modified(block)), wanted);
}

#[test]
fn a_removed_requirement_goes_with_its_scenarios() {
    let result =
        after(AUTH, "## REMOVED Requirements\n\n### Requirement: Login\n**Reason**: none\n");
    let cut =
        AUTH.find("### Requirement: Login").unwrap()..AUTH.find("### Requirement: Logout").unwrap();
    let mut wanted = AUTH.to_owned();
    wanted.replace_range(cut, "");
    assert_eq!(result, wanted);
}

#[test]
fn a_renamed_requirement_keeps_its_block_and_its_place() {
    let delta = "## RENAMED Requirements\n\n- FROM: `### Requirement: Login`\n- TO: `### Requirement: Sign-in`\n";
    assert_eq!(after(AUTH, delta), AUTH.replace("Requirement: Login", "Requirement: Sign-in"));
}

#[test]
fn the_order_is_renamed_removed_modified_added() {
    // Every step needs the one before: the modified name comes by renaming, the added one is freed by removing.
    let delta = format!(
        "## ADDED Requirements\n\n{}\n## MODIFIED Requirements\n\n{}\n## REMOVED Requirements\n\n### Requirement: Logout\n\n## RENAMED Requirements\n\n- FROM: `### Requirement: Login`\n- TO: `### Requirement: Sign-in`\n",
        requirement("Login", &[("fresh", "new")]),
        requirement("Sign-in", &[("Right password", "a"), ("Wrong password", "b")]),
    );
    let applied = apply_to(AUTH, &delta).unwrap();
    let steps: Vec<_> =
        applied.specs[0].steps.iter().map(|step| (step.operation, &*step.requirement)).collect();
    let wanted = [
        (Operation::Renamed, "Sign-in"),
        (Operation::Removed, "Logout"),
        (Operation::Modified, "Sign-in"),
        (Operation::Added, "Login"),
    ];
    assert_eq!(steps, wanted);
    let spec = spox_core::parse_spec("auth", applied.specs[0].after.as_deref().unwrap());
    let names: Vec<_> = spec.requirements.iter().map(|one| &*one.name).collect();
    assert_eq!(names, ["Sign-in", "Login"]);
    assert_eq!(spec.requirements[0].description, "It SHALL do Sign-in.");
}

#[test]
fn a_name_with_other_case_or_blanks_is_refused_with_the_right_one() {
    for (operation, way_out) in [
        ("MODIFIED", "write `### Requirement: Login`"),
        ("REMOVED", "write `### Requirement: Login`"),
        ("ADDED", "use MODIFIED with `Login` to change it, or a name of its own"),
    ] {
        let delta = format!("## {operation} Requirements\n\n{}", requirement("log In", &[]));
        let wanted = format!(
            "C16 `log In` of `auth`: {operation}, but the main spec spells it `Login`\n  {way_out}"
        );
        assert_eq!(refusal(AUTH, &delta), wanted);
    }
}

#[test]
fn a_rename_onto_a_name_that_only_looks_different_is_refused() {
    let delta = "## RENAMED Requirements\n- FROM: `### Requirement: Login`\n- TO: `### Requirement: LOGOUT`\n";
    assert!(refusal(AUTH, delta).contains("the main spec spells it `Logout`"));
    let delta = "## RENAMED Requirements\n- FROM: `### Requirement: login`\n- TO: `### Requirement: Sign-in`\n";
    assert!(refusal(AUTH, delta).contains("RENAMED, but the main spec spells it `Login`"));
}

#[test]
fn a_rename_may_change_nothing_but_case() {
    let delta = "## RENAMED Requirements\n- FROM: `### Requirement: Login`\n- TO: `### Requirement: LOGIN`\n";
    let once = after(AUTH, delta);
    assert_eq!(once, AUTH.replace("Requirement: Login", "Requirement: LOGIN"));
    assert_eq!(after(&once, delta), once);
}

#[test]
fn a_rename_that_is_done_already_is_skipped() {
    let delta = "## RENAMED Requirements\n- FROM: `### Requirement: Sign-in`\n- TO: `### Requirement: Login`\n";
    let applied = apply_to(AUTH, delta).unwrap();
    assert!(applied.specs[0].steps[0].already_done);
    assert_eq!(applied.specs[0].fate, Fate::Unchanged);
    assert_eq!(applied.writes().count(), 0);
}

#[test]
fn a_rename_onto_an_existing_requirement_is_refused() {
    let delta = "## RENAMED Requirements\n- FROM: `### Requirement: Login`\n- TO: `### Requirement: Logout`\n";
    let wanted = "C17 `Logout` of `auth`: RENAMED, but the main spec has another requirement of that name\n  rename to another name";
    assert_eq!(refusal(AUTH, delta), wanted);
}

#[test]
fn a_rename_of_nothing_is_refused() {
    let delta = "## RENAMED Requirements\n- FROM: `### Requirement: Logins`\n- TO: `### Requirement: New`\n";
    let wanted = "C16 `Logins` of `auth`: RENAMED, but the main spec has no such requirement\n  did you mean `Login`?";
    assert_eq!(refusal(AUTH, delta), wanted);
}

#[test]
fn a_name_freed_by_a_rename_can_be_filled_again_and_again() {
    let chain = "## RENAMED Requirements\n- FROM: `### Requirement: Logout`\n- TO: `### Requirement: Leave`\n- FROM: `### Requirement: Login`\n- TO: `### Requirement: Logout`\n";
    let once = after(AUTH, chain);
    assert_eq!(after(&once, chain), once, "a chain is done once");
    let refill = format!(
        "{}\n## RENAMED Requirements\n- FROM: `### Requirement: Login`\n- TO: `### Requirement: Old login`\n",
        added(&requirement("Login", &[("fresh", "new")]))
    );
    let once = after(AUTH, &refill);
    assert_eq!(after(&once, &refill), once, "a refilled name is not renamed again");
    let swap = "## RENAMED Requirements\n- FROM: `### Requirement: Logout`\n- TO: `### Requirement: Login`\n- FROM: `### Requirement: Login`\n- TO: `### Requirement: Logout`\n";
    assert!(refusal(AUTH, swap).contains("another requirement of that name"));
}

#[test]
fn removing_what_is_not_there_is_a_warning() {
    let applied = apply_to(AUTH, "## REMOVED Requirements\n\n### Requirement: Fax\n").unwrap();
    assert_eq!(
        applied.specs[0].warnings,
        ["REMOVED `Fax` is not in the spec: taken as removed before"]
    );
    assert_eq!(applied.specs[0].fate, Fate::Unchanged);
}

#[test]
fn modifying_what_is_not_there_is_refused_with_the_nearest_name() {
    let wanted = "C16 `Logon` of `auth`: MODIFIED, but the main spec has no such requirement\n  did you mean `Login`?";
    assert_eq!(refusal(AUTH, &modified(&requirement("Logon", &[]))), wanted);
}

#[test]
fn modifying_with_the_same_text_is_done_already() {
    let block =
        &AUTH[AUTH.find("### Requirement: Logout").unwrap()..AUTH.find("## Notes").unwrap()];
    let applied = apply_to(AUTH, &modified(&block.replace('\n', "\r\n"))).unwrap();
    assert!(applied.specs[0].steps[0].already_done);
    assert_eq!(applied.specs[0].after.as_deref(), Some(AUTH));
}

#[test]
fn adding_what_is_there_is_refused_unless_it_says_the_same() {
    let block =
        &AUTH[AUTH.find("### Requirement: Logout").unwrap()..AUTH.find("## Notes").unwrap()];
    assert!(apply_to(AUTH, &added(block)).unwrap().specs[0].steps[0].already_done);
    let wanted = "C17 `Logout` of `auth`: ADDED, but the main spec has another requirement of that name\n  use MODIFIED to change it, or another name";
    assert_eq!(refusal(AUTH, &added(&requirement("Logout", &[]))), wanted);
}

#[test]
fn a_modified_requirement_that_leaves_out_a_scenario_is_refused() {
    let delta = modified(&requirement("Login", &[("Right password", "a")]));
    let wanted = "C18 `Login` of `auth`: MODIFIED leaves out scenario `Wrong password`\n  copy them into the delta, or allow it with a line `**Removed scenario**: Wrong password` for each";
    assert_eq!(refusal(AUTH, &delta), wanted);
}

#[test]
fn a_scenario_that_is_said_to_be_removed_goes_and_the_line_that_says_so_stays_in_the_delta() {
    let block = "### Requirement: Login\nIt SHALL do Login.\n\n**Removed scenario**: Wrong password\n\n#### Scenario: Right password\n- **WHEN** a\n- **THEN** b\n";
    let result = after(AUTH, &modified(block));
    assert!(result.contains("It SHALL do Login.\n\n#### Scenario: Right password"), "{result}");
    assert!(!result.contains("Wrong password") && !result.contains("Removed scenario"), "{result}");
    assert_eq!(after(&result, &modified(block)), result);
}

#[test]
fn one_of_two_scenarios_of_a_name_counts_as_left_out() {
    let main = AUTH.replace("Scenario: Wrong password", "Scenario: Right password");
    let delta = modified(&requirement("Login", &[("Right password", "a")]));
    assert!(refusal(&main, &delta).contains("leaves out scenario `Right password`"));
}

#[test]
fn a_line_that_removes_no_scenario_is_a_warning() {
    let block = requirement("Logout", &[("Leaving", "a")]) + "\n**Removed scenario**: Fax\n";
    let applied = apply_to(AUTH, &modified(&block)).unwrap();
    assert!(applied.specs[0].warnings[0].contains("`**Removed scenario**: Fax` has no effect"));
}

#[test]
fn text_outside_the_section_and_other_headings_in_it_stay_as_they_are() {
    let main = "\u{feff}# A  \r\n\r\n\r\n## Purpose\r\nx\r\n## Requirements\r\nIntroduction.\r\n\r\n\r\n### Requirement: One\r\nIt SHALL.\r\n\r\n\r\n\r\n### Notes\r\n\r\n  by hand\r\n\r\n\r\n### Requirement: Two\r\nIt SHALL.\r\n\r\n\r\n## End\r\n\r\n\r\nno newline";
    let delta = modified("### Requirement: Two\nIt SHALL too.\n");
    assert_eq!(after(main, &delta), main.replace("Two\r\nIt SHALL.", "Two\r\nIt SHALL too."));
}

#[test]
fn one_blank_line_parts_two_requirements() {
    let main = "## Purpose\nx\n## Requirements\n### Requirement: One\nIt SHALL.\n### Requirement: Two\nIt SHALL.\n\n\n\n### Requirement: Three\nIt SHALL.\n## End\n";
    let result = after(main, &added("### Requirement: Four\nIt SHALL.\n"));
    let wanted = "## Purpose\nx\n## Requirements\n### Requirement: One\nIt SHALL.\n\n### Requirement: Two\nIt SHALL.\n\n### Requirement: Three\nIt SHALL.\n\n### Requirement: Four\nIt SHALL.\n\n## End\n";
    assert_eq!(result, wanted);
}

#[test]
fn a_file_keeps_its_line_breaks_and_its_missing_last_one() {
    let main = "# A\r\n\r\n## Purpose\r\nx\r\n\r\n## Requirements\r\n\r\n### Requirement: One\r\nIt SHALL.";
    let result = after(main, &added("### Requirement: Two\nIt SHALL\nbe.\n\n\n"));
    assert_eq!(result, format!("{main}\r\n\r\n### Requirement: Two\r\nIt SHALL\r\nbe."));
}

#[test]
fn a_section_without_requirements_takes_the_first_one() {
    for (main, wanted) in [
        (
            "## Purpose\nx\n## Requirements",
            "## Purpose\nx\n## Requirements\n\n### Requirement: A\nIt SHALL.",
        ),
        (
            "## Purpose\nx\n## Requirements\n\n\n",
            "## Purpose\nx\n## Requirements\n\n### Requirement: A\nIt SHALL.\n\n\n",
        ),
        (
            "## Purpose\nx\n## Requirements\n## End\n",
            "## Purpose\nx\n## Requirements\n\n### Requirement: A\nIt SHALL.\n\n## End\n",
        ),
        (
            "## Purpose\nx\n## Requirements\nText.\n",
            "## Purpose\nx\n## Requirements\nText.\n\n### Requirement: A\nIt SHALL.\n",
        ),
    ] {
        assert_eq!(after(main, &added("### Requirement: A\nIt SHALL.\n")), wanted);
    }
}

#[test]
fn a_spec_without_the_section_gets_it_with_a_warning() {
    let applied =
        apply_to("# A\n\n## Purpose\nx\n", &added("### Requirement: A\nIt SHALL.\n")).unwrap();
    let wanted = "# A\n\n## Purpose\nx\n\n## Requirements\n\n### Requirement: A\nIt SHALL.\n";
    assert_eq!(applied.specs[0].after.as_deref(), Some(wanted));
    assert_eq!(applied.specs[0].warnings, ["the spec had no Requirements section and got one"]);
}

#[test]
fn a_new_capability_becomes_a_spec() {
    let delta = format!(
        "# Delta\n\n## Purpose\nKnow the body.\n\nAnd nothing else.\n\n{}",
        added(BIOMETRY)
    );
    let files = change([("biometry", &*delta)]);
    let applied = apply(&files, &specs([]), Allow::default()).unwrap();
    let wanted = format!(
        "# biometry Specification\n\n## Purpose\n\nKnow the body.\n\nAnd nothing else.\n\n## Requirements\n\n{BIOMETRY}"
    );
    assert_eq!(applied.specs[0].after.as_deref(), Some(&*wanted));
    assert_eq!(applied.specs[0].fate, Fate::Created);
    let again = apply(&files, &written(specs([]), &applied), Allow::default()).unwrap();
    assert_eq!(again.specs[0].fate, Fate::Unchanged);
    assert_eq!(again.warnings().count(), 0);
}

#[test]
fn a_new_capability_without_purpose_gets_a_marked_placeholder() {
    let applied =
        apply(&change([("biometry", &*added(BIOMETRY))]), &specs([]), Allow::default()).unwrap();
    let text = applied.specs[0].after.as_deref().unwrap();
    assert!(text.contains("\nTBD: this spec was created by change `add-x`."), "{text}");
}

#[test]
fn a_new_capability_can_only_add() {
    let delta = modified(BIOMETRY) + "\n## REMOVED Requirements\n### Requirement: Fax\n";
    let refused = apply(&change([("new", &*delta)]), &specs([]), Allow::default()).unwrap_err();
    let wanted = "C16 `Biometry` of `new`: MODIFIED, but there is no such spec yet, so it can only be ADDED\n  put it under ADDED, or correct the name of the delta's folder\nC16 `Fax` of `new`: REMOVED, but there is no such spec yet, so it can only be ADDED\n  put it under ADDED, or correct the name of the delta's folder";
    assert_eq!(told(&refused), wanted);
}

#[test]
fn a_purpose_in_the_delta_of_an_existing_spec_is_not_taken_over() {
    let delta = format!("## Purpose\nAnother one.\n\n{}", added(BIOMETRY));
    let applied = apply_to(AUTH, &delta).unwrap();
    assert_eq!(
        applied.specs[0].warnings,
        ["the delta's Purpose was not taken over: the spec has its own"]
    );
}

const ALL_GONE: &str =
    "## REMOVED Requirements\n\n### Requirement: Login\n\n### Requirement: Logout\n";

#[test]
fn removing_the_last_requirement_keeps_the_spec_unless_the_change_retires_it() {
    let applied = apply_to(AUTH, ALL_GONE).unwrap();
    let text = applied.specs[0].after.as_deref().unwrap();
    assert!(text.ends_with("## Requirements\n\n## Notes\n\nKept  as it is.\n"), "{text}");
    assert!(applied.specs[0].warnings[0].contains("`**Retired capability**: <reason>`"));

    let retired = format!("{ALL_GONE}\n**Retired capability**: nobody logs in any more\n");
    let files = change([("auth", &*retired)]);
    let main = specs([("auth", AUTH)]);
    let applied = apply(&files, &main, Allow::default()).unwrap();
    assert_eq!((applied.specs[0].fate, &applied.specs[0].after), (Fate::Retired, &None));
    assert_eq!(
        applied.specs[0].warnings,
        ["the retired spec also has `Notes`, which goes with it"]
    );

    let again = apply(&files, &written(main, &applied), Allow::default()).unwrap();
    assert_eq!(again.specs[0].fate, Fate::Unchanged);
    assert_eq!(again.specs[0].warnings, ["there is no such spec: taken as retired before"]);
}

#[test]
fn a_spec_that_still_has_requirements_is_not_retired() {
    let delta =
        "## REMOVED Requirements\n\n- `### Requirement: Login`\n\n**Retired capability:** gone\n";
    let wanted = "- `auth` is to be retired but would keep requirement `Logout`\n  remove these, too, or take the line `**Retired capability**` out of the delta";
    assert_eq!(refusal(AUTH, delta), wanted);
}

#[test]
fn a_change_that_contradicts_itself_is_refused_with_every_contradiction() {
    let delta = format!(
        "## ADDED Requirements\n{0}\n{0}\n## MODIFIED Requirements\n{1}\n## REMOVED Requirements\n### Requirement: Logout\n## RENAMED Requirements\n- FROM: `### Requirement: Login`\n- TO: `### Requirement: Twice`\n",
        requirement("Twice", &[]),
        requirement("Login", &[]) + &requirement("Logout", &[]),
    );
    let wanted = "\
C15 `Twice` of `auth`: ADDED names it twice
  keep one of the two
C15 `Logout` of `auth`: both MODIFIED and REMOVED name it
  keep either MODIFIED or REMOVED
C15 `Login` of `auth`: MODIFIED uses the old name, RENAMED calls it `Twice`
  write `### Requirement: Twice` under MODIFIED
C15 `Twice` of `auth`: both ADDED and RENAMED name it
  keep either ADDED or RENAMED";
    assert_eq!(refusal(AUTH, &delta), wanted);
}

#[test]
fn half_a_rename_one_to_the_same_name_and_a_nameless_requirement_are_refused_with_their_lines() {
    let delta = "## ADDED Requirements\n### Requirement:\nIt SHALL.\n## RENAMED Requirements\n- FROM: `### Requirement: Login`\n- FROM: `### Requirement: Logout`\n- TO: `### Requirement: A`\n- TO: `### Requirement: B`\n- FROM: `### Requirement: C`\n- TO: `### Requirement: C`\n";
    let wanted = "\
- the delta of `auth`, line 2: ADDED without a name
  mend or delete it
- the delta of `auth`, line 5: RENAMED from `Login` without TO
  mend or delete it
- the delta of `auth`, line 8: RENAMED to `B` without FROM
  mend or delete it
- the delta of `auth`, line 9: RENAMED `C` keeps its name
  mend or delete it";
    assert_eq!(refusal(AUTH, delta), wanted);
}

#[test]
fn a_delta_without_items_is_refused() {
    assert!(
        refusal(AUTH, "# Nothing\n").starts_with("C14 the delta of `auth` names no requirement")
    );
    assert!(refusal(AUTH, "## ADDED Requirements\n").starts_with("C14"));
    let refused = apply(&change([]), &specs([]), Allow::default()).unwrap_err();
    assert!(told(&refused).starts_with("- change `add-x` has no delta spec"));
}

#[test]
fn what_the_author_wrote_where_nobody_reads_it_is_refused() {
    let outside = format!("{BIOMETRY}\n{}", added(&requirement("A", &[])));
    assert!(
        refusal(AUTH, &outside)
            .contains("line 1: requirement `Biometry` is below none of the delta headings")
    );
    let hidden = added(&format!("### Requirement: A\nIt SHALL.\n```\n{BIOMETRY}"));
    assert!(
        refusal(AUTH, &hidden)
            .contains("line 5: a code block is never closed and hides 2 headings")
    );
    let mut stray = change([("auth", &*added(BIOMETRY))]);
    stray.stray.push("specs/spec.md".into());
    let refused = apply(&stray, &specs([("auth", AUTH)]), Allow::default()).unwrap_err();
    assert!(told(&refused).starts_with("C14 specs/spec.md belongs to no capability"));
}

#[test]
fn a_name_that_the_main_spec_has_twice_or_out_of_sight_is_refused() {
    let twice = AUTH.replace("Requirement: Logout", "Requirement: Login");
    let delta = "## REMOVED Requirements\n### Requirement: Login\n";
    assert!(refusal(&twice, delta).contains("the main spec has it twice, at lines 9 and 20"));
    let outside = format!("{AUTH}\n{BIOMETRY}");
    assert!(refusal(&outside, &added(BIOMETRY)).contains("outside the Requirements section"));
}

#[test]
fn a_block_that_would_swallow_what_follows_is_refused() {
    let block = "### Requirement: Login\nIt SHALL.\n\n**Removed scenario**: Right password\n**Removed scenario**: Wrong password\n```\ncode\n";
    let wanted = "- `auth` would not be a valid spec: `Login` cannot be told from what is around it; is a code block or comment left open?\n  mend the requirement in the delta";
    assert_eq!(refusal(AUTH, &modified(block)), wanted);
}

#[test]
fn a_result_with_new_errors_is_refused_and_old_ones_are_left_alone() {
    let bad = requirement("Fax", &[]).replace("It SHALL do Fax.\n", "");
    assert!(
        refusal(AUTH, &added(&bad)).contains("Requirement \"Fax\" has no description text (S06)")
    );
    let old = AUTH.replace("The system SHALL let a user go.\n", "");
    assert!(after(&old, &added(BIOMETRY)).contains("Biometry"));
}

#[test]
fn open_tasks_stop_it_unless_they_are_allowed() {
    let mut files = change([("auth", &*added(BIOMETRY))]);
    files.tasks = Some("- [x] 1.1 a\n- [ ] 1.2 b\n".into());
    let main = specs([("auth", AUTH)]);
    let refused = apply(&files, &main, Allow::default()).unwrap_err();
    assert_eq!(
        told(&refused),
        "- change `add-x` has 1 open of 2 tasks\n  tick them off in tasks.md, or force it"
    );
    assert!(apply(&files, &main, Allow { open_tasks: true, ..Allow::default() }).is_ok());
}

#[test]
fn one_capability_that_cannot_be_applied_stops_all_and_every_reason_is_told() {
    let files = change([
        ("auth", &*added(BIOMETRY)),
        ("fax", "## REMOVED Requirements\n### Requirement: Send\n"),
        ("mail", &*modified(BIOMETRY)),
    ]);
    let refused = apply(&files, &specs([("auth", AUTH)]), Allow::default()).unwrap_err();
    let about: Vec<_> = refused.reasons.iter().filter_map(|reason| reason.capability()).collect();
    assert_eq!(about, ["fax", "mail"]);
    let unreadable = ChangeFiles {
        deltas: [("auth".to_owned(), Source::Unreadable("not UTF-8".into()))].into(),
        ..change([])
    };
    let refused = apply(&unreadable, &specs([]), Allow::default()).unwrap_err();
    assert!(told(&refused).starts_with("- cannot read specs/auth/spec.md: not UTF-8"));
}

#[test]
fn a_report_tells_the_reasons_one_by_one() {
    use kit_core::Fault;
    let delta = "## REMOVED Requirements\n### Requirement: login\n### Requirement: logout\n";
    let report = serde_json::to_value(apply_to(AUTH, delta).unwrap_err().report()).unwrap();
    assert_eq!(report["code"], "invalid");
    assert_eq!(report["suggestions"], serde_json::json!(["Login", "Logout"]));
    let wanted = serde_json::json!({
        "error": "`logout` of `auth`: REMOVED, but the main spec spells it `Logout`",
        "hint": "write `### Requirement: Logout`",
        "rule": "C16", "capability": "auth", "requirement": "logout",
    });
    assert_eq!(report["reasons"][1], wanted);
}
