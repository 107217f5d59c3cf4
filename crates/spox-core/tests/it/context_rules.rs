//! C16 to C20: a change against the main specs and the other changes.

use spox_core::{
    Base, ChangeFiles, Context, Fingerprint, Main, Report, parse_spec, validate_change,
};

use crate::world::{
    GOOD_DELTA, GOOD_SPEC, change, change_issues, delta_issues, many, of, other_change, report,
};

const LOGOUT: &str = "\
### Requirement: User Logout

The system MUST close the door behind whoever leaves.

#### Scenario: Leaving

- **WHEN** somebody leaves
- **THEN** the door closes
";

fn modified(block: &str) -> String {
    format!("## MODIFIED Requirements\n\n{block}")
}

fn fix(report: &Report, code: &str) -> Option<String> {
    report.issues.iter().find(|issue| issue.code == code).and_then(|issue| issue.fix.clone())
}

#[test]
fn a_modification_that_keeps_all_scenarios_is_fine() {
    assert_eq!(delta_issues(&modified(LOGOUT)), [""; 0]);
}

#[test]
fn c16_unknown_requirements_get_the_nearest_name() {
    let delta = modified(&LOGOUT.replace("Logout", "Lgoout"));
    assert_eq!(
        delta_issues(&delta),
        [
            "ERROR specs/auth/spec.md:3:1 C16 MODIFIED requirement \"User Lgoout\" does not exist in the main spec"
        ]
    );
    let report = report(&change(&delta), Some(GOOD_SPEC), &[]);
    assert_eq!(
        fix(&report, "C16").as_deref(),
        Some("did you mean \"User Logout\" or \"User Login\"?")
    );
}

#[test]
fn c16_case_and_blanks_matter_and_the_right_name_is_shown() {
    let delta = modified(&LOGOUT.replace("User Logout", "user  logout"));
    let report = report(&change(&delta), Some(GOOD_SPEC), &[]);
    assert_eq!(report.errors().map(|issue| issue.code).collect::<Vec<_>>(), ["C16"]);
    assert_eq!(fix(&report, "C16").as_deref(), Some("did you mean \"User Logout\"?"));
}

#[test]
fn c16_for_removed_and_renamed() {
    assert_eq!(
        delta_issues(
            "## REMOVED Requirements\n- `### Requirement: Nope`\n## RENAMED Requirements\n- FROM: Nix\n- TO: X\n"
        ),
        [
            "ERROR specs/auth/spec.md:2:1 C16 REMOVED requirement \"Nope\" does not exist in the main spec",
            "ERROR specs/auth/spec.md:4:1 C16 RENAMED requirement \"Nix\" does not exist in the main spec",
        ]
    );
    assert_eq!(delta_issues("## REMOVED Requirements\n### Requirement: User Login\n"), [""; 0]);
}

#[test]
fn c16_a_capability_without_main_spec_can_only_be_added_to() {
    let issues = change_issues(&change(&modified(LOGOUT)), None, &[]);
    assert_eq!(
        issues,
        [
            "ERROR specs/auth/spec.md:3:1 C16 MODIFIED requirement \"User Logout\": capability \"auth\" has no main spec"
        ]
    );
    assert_eq!(change_issues(&change(GOOD_DELTA), None, &[]), [""; 0]);
}

#[test]
fn c16_is_a_warning_when_another_change_brings_the_requirement() {
    let files = change(&modified(&LOGOUT.replace("User Logout", "Keys")));
    for other in [
        "## ADDED Requirements\n### Requirement: Keys\n",
        "## RENAMED Requirements\n- FROM: User Logout\n- TO: Keys\n",
    ] {
        let issues = change_issues(&files, Some(GOOD_SPEC), &[other_change("add-keys", other)]);
        assert_eq!(
            of(&issues, "C16"),
            [
                "WARN  specs/auth/spec.md:3:1 C16 MODIFIED requirement \"Keys\" is not in the main spec yet, change \"add-keys\" adds it"
            ]
        );
    }
    let other = other_change("x", "## MODIFIED Requirements\n### Requirement: Keys\n");
    let issues = change_issues(&files, Some(GOOD_SPEC), &[other]);
    assert!(of(&issues, "C16")[0].starts_with("ERROR"), "{issues:?}");
}

#[test]
fn c16_a_rename_that_is_done_already_is_a_warning() {
    assert_eq!(
        delta_issues("## RENAMED Requirements\n- FROM: Log in\n- TO: User Login\n"),
        [
            "WARN  specs/auth/spec.md:2:1 C16 Requirement \"Log in\" is renamed to \"User Login\" already"
        ]
    );
    let case = delta_issues("## RENAMED Requirements\n- FROM: USER LOGIN\n- TO: User Login\n");
    assert!(case[0].starts_with("WARN") && case[0].contains("C16"), "{case:?}");
}

#[test]
fn c16_a_chain_of_renames_and_the_name_at_its_end() {
    let delta = format!(
        "## RENAMED Requirements\n- FROM: User Logout\n- TO: B\n- FROM: B\n- TO: C\n{}",
        modified(&LOGOUT.replace("User Logout", "C"))
    );
    assert_eq!(delta_issues(&delta), [""; 0]);
}

#[test]
fn c17_added_but_there_already() {
    let delta = |block: &str| format!("## ADDED Requirements\n\n{block}");
    assert_eq!(
        delta_issues(&delta(&LOGOUT.replace("the door closes", "the door slams"))),
        [
            "ERROR specs/auth/spec.md:3:1 C17 ADDED requirement \"User Logout\" exists in the main spec already"
        ]
    );
    assert_eq!(delta_issues(&delta(LOGOUT)), [""; 0], "the same text is no contradiction");
    assert_eq!(delta_issues(&delta(&LOGOUT.replace('\n', "\r\n"))), [""; 0]);
    let folded = delta_issues(&delta(&LOGOUT.replace("User Logout", "USER LOGOUT")));
    assert_eq!(of(&folded, "C17").len(), 1, "{folded:?}");
}

#[test]
fn c17_renamed_onto_a_name_that_is_taken() {
    assert_eq!(
        delta_issues("## RENAMED Requirements\n- FROM: User Login\n- TO: User Logout\n"),
        [
            "ERROR specs/auth/spec.md:2:1 C17 RENAMED requirement \"User Login\" takes a name that the main spec has: \"User Logout\""
        ]
    );
    let case = "## RENAMED Requirements\n- FROM: User Login\n- TO: User login\n";
    assert_eq!(delta_issues(case), [""; 0], "only the case changes");
}

#[test]
fn c18_scenarios_that_would_be_deleted_are_listed() {
    let block = "### Requirement: User Login\n\nThe system SHALL ask.\n\n#### Scenario: Third\n- WHEN a\n- THEN b\n";
    assert_eq!(
        delta_issues(&modified(block)),
        [
            "ERROR specs/auth/spec.md:3:1 C18 MODIFIED requirement \"User Login\" leaves out scenarios of the main spec, applying it would delete them: \"Right password\", \"Wrong password\""
        ]
    );
    let allowed = format!(
        "{block}**Removed scenario**: right PASSWORD\n**Removed scenario**: Wrong password\n"
    );
    assert_eq!(delta_issues(&modified(&allowed)), [""; 0]);
}

#[test]
fn c18_follows_a_rename() {
    let delta = format!(
        "## RENAMED Requirements\n- FROM: User Logout\n- TO: Leave\n{}",
        modified(&LOGOUT.replace("User Logout", "Leave").replace("Leaving", "Gone"))
    );
    assert_eq!(of(&delta_issues(&delta), "C18").len(), 1);
}

#[test]
fn c18_a_long_list_is_cut() {
    let scenarios: String = many(0..25, |n| format!("#### Scenario: S{n}\n- WHEN a\n- THEN b\n"));
    let main =
        format!("# T\n## Purpose\np\n## Requirements\n### Requirement: R\nSHALL\n{scenarios}");
    let files =
        change(&modified("### Requirement: R\nSHALL\n#### Scenario: S0\n- WHEN a\n- THEN b\n"));
    let issues = change_issues(&files, Some(&main), &[]);
    assert!(of(&issues, "C18")[0].ends_with("\"S10\", and 14 more"), "{issues:?}");
}

#[test]
fn c19_another_change_touches_the_same_requirement() {
    let files = change(&modified(LOGOUT));
    let others = [
        other_change("zap-logout", "## REMOVED Requirements\n### Requirement: USER logout\n"),
        other_change("rename-logout", "## RENAMED Requirements\n- FROM: X\n- TO: User Logout\n"),
        other_change("elsewhere", "## MODIFIED Requirements\n### Requirement: User Login\n"),
    ];
    assert_eq!(
        change_issues(&files, Some(GOOD_SPEC), &others),
        [
            "WARN  specs/auth/spec.md:3:1 C19 Requirement \"User Logout\" is also modified by \"rename-logout\", \"zap-logout\""
        ]
    );
    assert_eq!(change_issues(&files, Some(GOOD_SPEC), &[]), [""; 0], "not by itself");
}

#[test]
fn c19_the_same_name_in_another_capability_is_another_requirement() {
    let mut other = other_change("x", "");
    other.deltas = [("billing".to_owned(), modified(LOGOUT).as_str().into())].into();
    assert_eq!(change_issues(&change(&modified(LOGOUT)), Some(GOOD_SPEC), &[other]), [""; 0]);
}

/// With the fingerprint of `block` as what the main spec said when the change was written.
fn with_base(block: &str) -> Vec<String> {
    let mut base = Base::default();
    let prints = [("User Logout".to_owned(), Fingerprint::of(block))].into();
    base.capabilities.insert("auth".to_owned(), prints);
    let json = base.to_json();
    let files = ChangeFiles { base: Some(json.as_str().into()), ..change(&modified(LOGOUT)) };
    change_issues(&files, Some(GOOD_SPEC), &[])
}

#[test]
fn c20_the_main_requirement_changed_since() {
    assert_eq!(with_base(LOGOUT.trim_end()), [""; 0]);
    assert_eq!(
        with_base(&LOGOUT.replace("MUST", "SHOULD")),
        [
            "WARN  specs/auth/spec.md:3:1 C20 Requirement \"User Logout\" has changed in the main spec since this change was written"
        ]
    );
}

#[test]
fn c20_fingerprints_that_cannot_be_read_are_told() {
    let files = ChangeFiles { base: Some("{".into()), ..change(&modified(LOGOUT)) };
    let issues = change_issues(&files, Some(GOOD_SPEC), &[]);
    assert_eq!(issues.len(), 1);
    assert!(issues[0].starts_with("WARN  .base.json C20 The fingerprints"), "{issues:?}");
}

#[test]
fn a_main_spec_that_cannot_be_read_is_not_held_against_the_change() {
    let context = Context::new([("auth", None)]);
    let report = validate_change(&change(&modified(LOGOUT)), &context);
    assert!(report.passes(true), "{report:?}");
}

#[test]
fn a_thousand_unknown_names_against_a_thousand_known_ones_are_quick() {
    let main: String = many(0..1000, |n| format!("### Requirement: Some long name of it {n}\n"));
    let main = format!("## Requirements\n{main}");
    let delta: String =
        many(0..1000, |n| format!("### Requirement: Some long nama of it {n}\nx\n"));
    let spec = parse_spec("auth", &main);
    let context = Context::new([("auth", Some(Main { text: &main, spec: &spec }))]);
    let started = std::time::Instant::now();
    let report = validate_change(&change(&modified(&delta)), &context);
    assert_eq!(report.errors().filter(|issue| issue.code == "C16").count(), 1000);
    assert!(started.elapsed() < std::time::Duration::from_secs(30));
}
