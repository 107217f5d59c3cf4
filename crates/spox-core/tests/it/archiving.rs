//! Where a finished change goes.

use spox_core::{Allow, Refusal, archive, archive_folder};

use crate::desk::{AUTH, change, specs, told};

fn today() -> &'static str {
    "2026-03-09"
}

fn folder(id: &str) -> Result<String, Refusal> {
    archive_folder(id, today(), |_| false)
}

#[test]
fn the_folder_is_the_day_and_the_id() {
    assert_eq!(folder("add-login"), Ok("2026-03-09-add-login".into()));
}

#[test]
fn an_id_that_begins_with_a_day_keeps_it() {
    assert_eq!(folder("2024-12-31-add-login"), Ok("2024-12-31-add-login".into()));
    for id in [
        "2024-13-01-add",
        "2024-12-31",
        "2024-12-31-",
        "20241-2-31-add",
        "2024-02-30-x",
        "äöü2024-12-31-x",
    ] {
        assert_eq!(folder(id), Ok(format!("2026-03-09-{id}")));
    }
}

#[test]
fn a_folder_that_exists_is_refused() {
    let files = change([("auth", "## REMOVED Requirements\n### Requirement: Login\n")]);
    let main = specs([("auth", AUTH)]);
    let refused =
        archive(&files, &main, Allow::default(), today(), |name| name == "2026-03-09-add-x")
            .unwrap_err();
    let wanted = "- the archive already has `2026-03-09-add-x`\n  give the change another id, or move the archived one away";
    assert_eq!(told(&refused), wanted);
    let done = archive(&files, &main, Allow::default(), today(), |_| false).unwrap();
    assert_eq!((&*done.folder, done.applied.specs.len()), ("2026-03-09-add-x", 1));
}

#[test]
fn an_id_that_leads_elsewhere_is_refused() {
    for id in ["", ".", "..", "../x", "a/b", "a\\b", "C:x", "a\nb", ".hidden"] {
        assert_eq!(folder(id), Err(Refusal::BadId { change: id.into() }));
    }
}

#[test]
fn everything_that_stands_against_it_is_told_at_once() {
    let files = change([("auth", "## MODIFIED Requirements\n### Requirement: Fax\nIt SHALL.\n")]);
    let refused =
        archive(&files, &specs([("auth", AUTH)]), Allow::default(), today(), |_| true).unwrap_err();
    assert_eq!(refused.reasons.len(), 2);
}
