//! Fingerprints, and two people who change the same requirement.

use kit_core::Fault;
use spox_core::{
    Allow, Base, ChangeFiles, Disagreement, Part, Refusal, Resolve, Source, apply, fingerprints,
    rebase,
};

use crate::desk::{AUTH, Specs, change, fingerprinted, requirement, specs, told, written};

const RIGHT: (&str, &str) = ("Right password", "the password is right");
const WRONG: (&str, &str) = ("Wrong password", "the password is wrong");

fn main_specs() -> Specs {
    let login = requirement("Login", &[RIGHT, WRONG]);
    let logout = requirement("Logout", &[("Leaving", "bye")]);
    let text = format!("# Auth\n\n## Purpose\n\nx\n\n## Requirements\n\n{login}\n{logout}");
    specs([("auth", &*text)])
}

/// A change that was written against the main specs as they are at first.
fn written_against_main(delta: &str) -> ChangeFiles {
    fingerprinted(change([("auth", delta)]), &main_specs())
}

fn modified(block: &str) -> String {
    format!("## MODIFIED Requirements\n\n{block}")
}

/// The main specs after somebody else's delta.
#[track_caller]
fn moved_on(delta: &str) -> Specs {
    match apply(&change([("auth", delta)]), &main_specs(), Allow::default()) {
        Ok(applied) => written(main_specs(), &applied),
        Err(refused) => panic!("{refused}"),
    }
}

/// The change after a rebase.
#[track_caller]
fn rebased(files: &ChangeFiles, main: &Specs, resolve: Resolve) -> ChangeFiles {
    let rebased = rebase(files, main, resolve).unwrap_or_else(|refused| panic!("{refused}"));
    let mut files = files.clone();
    for (capability, text) in rebased.deltas {
        files.deltas.insert(capability, Source::Text(text));
    }
    files.base = Some(Source::Text(rebased.base.to_json().into()));
    files
}

#[test]
fn fingerprints_hold_what_the_change_touches_and_nothing_else() {
    let delta = "## ADDED Requirements\n### Requirement: New\nIt SHALL.\n## RENAMED Requirements\n- FROM: `### Requirement: Logout`\n- TO: `### Requirement: Leave`\n";
    let base =
        fingerprints(&change([("auth", delta), ("new", delta)]), &specs([("auth", AUTH)]), None);
    assert_eq!(base.capabilities.keys().collect::<Vec<_>>(), ["auth"]);
    assert_eq!(base.capabilities["auth"].keys().collect::<Vec<_>>(), ["Logout"]);
    let text = "### Requirement: Logout\nThe system SHALL let a user go.\n\n#### Scenario: Leaving\n- **WHEN** the user leaves\n- **THEN** the session ends";
    assert_eq!(base.capabilities["auth"]["Logout"].text, text);
}

#[test]
fn fingerprints_survive_their_file() {
    let base = fingerprints(
        &change([("auth", &*modified(&requirement("Login", &[])))]),
        &main_specs(),
        None,
    );
    assert_eq!(Base::from_json(&base.to_json()), Ok(base.clone()));
    assert!(base.to_json().starts_with("{\n  \"version\": 1,\n  \"capabilities\": {\n    \"auth\": {\n      \"Login\": {\n        \"hash\": \"sha256:"));
}

#[test]
fn fingerprints_do_not_depend_on_line_breaks() {
    let files = change([("auth", &*modified(&requirement("Login", &[])))]);
    let windows = specs([("auth", &*AUTH.replace('\n', "\r\n"))]);
    assert_eq!(
        fingerprints(&files, &specs([("auth", AUTH)]), None),
        fingerprints(&files, &windows, None)
    );
}

#[test]
fn recording_again_keeps_what_the_author_saw() {
    let delta = modified(&requirement("Login", &[RIGHT, WRONG]));
    let first = fingerprints(&change([("auth", &*delta)]), &main_specs(), None);
    let main = moved_on(&modified(&requirement("Login", &[RIGHT, WRONG, ("Third", "x")])));
    let more = delta + &requirement("Logout", &[("Leaving", "ciao")]);
    let second = fingerprints(&change([("auth", &*more)]), &main, Some(&first));
    assert_eq!(second.get("auth", "Login"), first.get("auth", "Login"));
    assert!(second.get("auth", "Logout").is_some());
    let third = fingerprints(&change([("auth", "## ADDED Requirements\n")]), &main, Some(&second));
    assert_eq!(third, Base::default());
}

#[test]
fn a_damaged_base_is_told_with_the_way_out() {
    let good = written_against_main(&modified(&requirement("Login", &[RIGHT, WRONG])));
    let Some(Source::Text(json)) = &good.base else { panic!("no base") };
    for (json, detail) in [
        ("{", "EOF while parsing"),
        ("{\"version\":2,\"capabilities\":{}}", "version 2 instead of 1"),
        (&*json.replace("SHALL", "MUST"), "the text of `Login` of `auth` was changed by hand"),
    ] {
        let files = ChangeFiles { base: Some(json.into()), ..good.clone() };
        let refused = apply(&files, &main_specs(), Allow::default()).unwrap_err();
        assert!(told(&refused).contains(detail), "{refused}");
        assert!(told(&refused).contains("delete `.base.json`"), "{refused}");
        assert!(rebase(&files, &main_specs(), Resolve::Refuse).is_err());
    }
}

#[test]
fn a_requirement_that_changed_meanwhile_is_not_overwritten() {
    let main = moved_on(&modified(&requirement("Login", &[RIGHT, ("Wrong password", "other")])));
    // Every scenario is there by name: without fingerprints the other's words would go unseen.
    for delta in [
        modified(&requirement("Login", &[("Right password", "mine"), WRONG])),
        "## REMOVED Requirements\n### Requirement: Login\n".to_owned(),
    ] {
        let files = written_against_main(&delta);
        let refused = apply(&files, &main, Allow::default()).unwrap_err();
        let wanted = "C20 `Login` of `auth`: it changed in the main spec since the change was written\n  rebase the change, which merges both";
        assert_eq!(told(&refused), wanted);
        assert!(apply(&files, &main, Allow { stale: true, ..Allow::default() }).is_ok());
    }
    let rename = "## RENAMED Requirements\n- FROM: `### Requirement: Login`\n- TO: `### Requirement: Sign-in`\n";
    assert!(apply(&written_against_main(rename), &main, Allow::default()).is_ok());
}

#[test]
fn rebasing_merges_scenario_by_scenario() {
    let main = moved_on(&modified(&requirement(
        "Login",
        &[RIGHT, ("Wrong password", "theirs"), ("Their own", "t")],
    )));
    let mine = requirement("Login", &[("Right password", "mine"), WRONG, ("My own", "m")]);
    let files =
        written_against_main(&format!("# Delta\n\n{}\n### Notes\n\nkept\n", modified(&mine)));

    let result = rebase(&files, &main, Resolve::Refuse).unwrap();
    let scenarios = [
        ("Right password", "mine"),
        ("Wrong password", "theirs"),
        ("Their own", "t"),
        ("My own", "m"),
    ];
    let wanted =
        format!("# Delta\n\n{}\n### Notes\n\nkept\n", modified(&requirement("Login", &scenarios)));
    assert_eq!(&*result.deltas["auth"], wanted);
    let from_main = ["Wrong password", "Their own"].map(|name| Part::Scenario(name.into()));
    assert_eq!(result.steps[0].from_main, from_main);

    let files = rebased(&files, &main, Resolve::Refuse);
    assert!(apply(&files, &main, Allow::default()).is_ok());
    let again = rebase(&files, &main, Resolve::Refuse).unwrap();
    assert!(again.deltas.is_empty() && again.steps.is_empty(), "nothing is left to do");
}

#[test]
fn rebasing_keeps_the_line_breaks_of_the_delta() {
    let main = moved_on(&modified(&requirement("Login", &[RIGHT, WRONG, ("Third", "t")])));
    let delta =
        modified(&requirement("Login", &[("Right password", "mine"), WRONG])).replace('\n', "\r\n");
    let result = rebase(&written_against_main(&delta), &main, Resolve::Refuse).unwrap();
    let wanted =
        modified(&requirement("Login", &[("Right password", "mine"), WRONG, ("Third", "t")]));
    assert_eq!(&*result.deltas["auth"], wanted.replace('\n', "\r\n"));
}

#[test]
fn a_scenario_that_both_changed_is_a_conflict_with_both_texts() {
    let main = moved_on(&modified(&requirement("Login", &[RIGHT, ("Wrong password", "theirs")])));
    let files = written_against_main(&modified(&requirement(
        "Login",
        &[RIGHT, ("Wrong password", "mine")],
    )));
    let refused = rebase(&files, &main, Resolve::Refuse).unwrap_err();
    let wanted = "C20 `Login` of `auth`: scenario `Wrong password` was changed both in this change and in the main spec\n  write what shall hold into the delta and rebase for `mine`, or rebase for `main`";
    assert_eq!(told(&refused), wanted);
    let [Refusal::Conflict(conflict)] = &*refused.reasons else { panic!("{refused}") };
    let text = |word: &str| {
        Some(format!("#### Scenario: Wrong password\n- **WHEN** {word}\n- **THEN** done"))
    };
    assert_eq!(conflict.base, text("the password is wrong"));
    assert_eq!((&conflict.main, &conflict.mine), (&text("theirs"), &text("mine")));
    let report = serde_json::to_value(refused.report()).unwrap();
    assert_eq!(report["conflicts"][0]["mine"].as_str(), conflict.mine.as_deref());

    for (resolve, word) in [(Resolve::Mine, "mine"), (Resolve::Main, "theirs")] {
        let files = rebased(&files, &main, resolve);
        let applied = apply(&files, &main, Allow::default()).unwrap();
        assert!(applied.specs[0].after.as_ref().unwrap().contains(&format!("**WHEN** {word}")));
    }
}

#[test]
fn what_one_removes_and_the_other_changes_is_a_conflict() {
    let main = moved_on(&modified(&requirement("Login", &[RIGHT, ("Wrong password", "theirs")])));
    let files = written_against_main("## REMOVED Requirements\n### Requirement: Login\n");
    let refused = rebase(&files, &main, Resolve::Refuse).unwrap_err();
    let [Refusal::Conflict(conflict)] = &*refused.reasons else { panic!("{refused}") };
    assert_eq!(conflict.what, Disagreement::Removed);
    assert!(conflict.main.as_ref().unwrap().contains("theirs"));
    assert!(apply(&rebased(&files, &main, Resolve::Mine), &main, Allow::default()).is_ok());

    let gone = moved_on("## REMOVED Requirements\n### Requirement: Login\n");
    let files =
        written_against_main(&modified(&requirement("Login", &[RIGHT, WRONG, ("Mine", "m")])));
    for resolve in [Resolve::Refuse, Resolve::Mine, Resolve::Main] {
        let refused = rebase(&files, &gone, resolve).unwrap_err();
        let [Refusal::Conflict(conflict)] = &*refused.reasons else { panic!("{refused}") };
        assert_eq!(conflict.what, Disagreement::Gone { now: None });
    }
}

#[test]
fn a_requirement_that_was_renamed_meanwhile_is_found_by_its_text() {
    let rename = "## RENAMED Requirements\n- FROM: `### Requirement: Login`\n- TO: `### Requirement: Sign-in`\n";
    let main = moved_on(rename);
    let files =
        written_against_main(&modified(&requirement("Login", &[RIGHT, WRONG, ("Mine", "m")])));
    let refused = rebase(&files, &main, Resolve::Refuse).unwrap_err();
    let wanted = "C20 `Login` of `auth`: this change modifies it, and the main spec calls it `Sign-in` now\n  write the new name in the delta";
    assert_eq!(told(&refused), wanted);
}

#[test]
fn a_requirement_that_both_add_is_a_conflict_unless_they_say_the_same() {
    let added = |word| format!("## ADDED Requirements\n\n{}", requirement("New", &[("a", word)]));
    let main = moved_on(&added("theirs"));
    let files = written_against_main(&added("mine"));
    let refused = rebase(&files, &main, Resolve::Refuse).unwrap_err();
    let [Refusal::Conflict(conflict)] = &*refused.reasons else { panic!("{refused}") };
    assert_eq!(conflict.what, Disagreement::Added);
    assert!(rebase(&written_against_main(&added("theirs")), &main, Resolve::Refuse).is_ok());
}

#[test]
fn a_renamed_and_modified_requirement_is_merged_with_the_one_of_the_old_name() {
    let main = moved_on(&modified(&requirement("Login", &[RIGHT, WRONG, ("Theirs", "t")])));
    let delta = format!(
        "{}\n## RENAMED Requirements\n- FROM: `### Requirement: Login`\n- TO: `### Requirement: Sign-in`\n",
        modified(&requirement("Sign-in", &[RIGHT, WRONG, ("Mine", "m")]))
            .replace("do Sign-in", "do Login")
    );
    let files = written_against_main(&delta);
    assert!(told(&apply(&files, &main, Allow::default()).unwrap_err()).starts_with("C20"));
    let files = rebased(&files, &main, Resolve::Refuse);
    let applied = apply(&files, &main, Allow::default()).unwrap();
    let spec = spox_core::parse_spec("auth", applied.specs[0].after.as_deref().unwrap());
    let names: Vec<_> = spec.requirements[0].scenarios.iter().map(|one| &*one.name).collect();
    assert_eq!(
        (&*spec.requirements[0].name, names),
        ("Sign-in", vec!["Right password", "Wrong password", "Theirs", "Mine"])
    );
}

#[test]
fn without_fingerprints_there_is_nothing_to_rebase_from() {
    let files = change([("auth", &*modified(&requirement("Login", &[RIGHT, WRONG])))]);
    let refused = rebase(&files, &main_specs(), Resolve::Refuse).unwrap_err();
    assert_eq!(
        told(&refused),
        "- change `add-x` has no fingerprints\n  validate the change, which records them"
    );
}

#[test]
fn removing_what_was_renamed_meanwhile_is_told() {
    let main = moved_on(
        "## RENAMED Requirements\n- FROM: `### Requirement: Login`\n- TO: `### Requirement: Sign-in`\n",
    );
    let files = written_against_main("## REMOVED Requirements\n### Requirement: Login\n");
    let applied = apply(&files, &main, Allow::default()).unwrap();
    let wanted = "REMOVED `Login` is not in the spec, but `Sign-in` says the same and stays: was it renamed?";
    assert_eq!(applied.specs[0].warnings, [wanted]);
}

#[test]
fn a_delta_that_cannot_be_read_is_not_rebased() {
    let mut files = written_against_main(&modified(&requirement("Login", &[RIGHT, WRONG])));
    files.deltas.insert("fax".into(), Source::Unreadable("not UTF-8".into()));
    let refused = rebase(&files, &main_specs(), Resolve::Refuse).unwrap_err();
    assert_eq!(
        told(&refused),
        "- cannot read specs/fax/spec.md: not UTF-8\n  save the file as UTF-8 text"
    );
}
