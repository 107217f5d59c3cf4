//! Which ids may become paths.

use spox_core::{BadId, check_change_id, check_spec_id, ids::is_kebab_case};

#[test]
fn ids_of_specs_are_folders_at_any_depth() {
    for id in ["auth", "platform/auth", "a.b", "käse", "two words", "c++"] {
        assert_eq!(check_spec_id(id), Ok(()), "{id}");
    }
}

#[test]
fn ids_that_leave_the_folder_name_nothing() {
    for (id, why) in [
        ("", BadId::Empty),
        ("/etc", BadId::Absolute),
        ("C:x", BadId::Absolute),
        ("..", BadId::Segment),
        ("../x", BadId::Segment),
        ("a/../b", BadId::Segment),
        ("a/..", BadId::Segment),
        ("a//b", BadId::Segment),
        ("a/", BadId::Segment),
        ("./a", BadId::Segment),
        ("a\0", BadId::Character),
        ("a\nb", BadId::Character),
        ("..\\x", BadId::Character),
        ("a\\b", BadId::Character),
        ("_changes/x", BadId::Reserved),
        ("a/.git", BadId::Reserved),
    ] {
        assert_eq!(check_spec_id(id), Err(why), "{id:?}");
    }
}

#[test]
fn ids_of_changes_are_one_folder_and_not_the_archive() {
    for id in ["add-x", "Add X", "_draft"] {
        assert_eq!(check_change_id(id), Ok(()), "{id}");
    }
    for (id, why) in [
        ("a/b", BadId::Nested),
        ("../x", BadId::Segment),
        ("/x", BadId::Absolute),
        ("a\\b", BadId::Character),
        ("_archive", BadId::Reserved),
        ("archive", BadId::Reserved),
        (".git", BadId::Reserved),
    ] {
        assert_eq!(check_change_id(id), Err(why), "{id:?}");
    }
}

#[test]
fn new_changes_are_named_in_kebab_case() {
    for id in ["add-two-factor-auth", "fix", "add-2fa", "a1-b2"] {
        assert!(is_kebab_case(id), "{id}");
    }
    for id in ["", "Add-x", "add_x", "add--x", "-x", "x-", "2fa", "add x", "ädd", "a/b", "../x"] {
        assert!(!is_kebab_case(id), "{id}");
    }
}
