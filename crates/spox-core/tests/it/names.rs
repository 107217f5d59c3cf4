//! How names are looked up.

use std::time::{Duration, Instant};

use spox_core::names::{Found, did_you_mean, find, fold};

const NAMES: [&str; 4] = ["User Login", "user logout", "User Logout", "Session"];

fn look(name: &str) -> Found {
    find(name, NAMES)
}

#[test]
fn the_very_name_wins() {
    assert_eq!(look("user logout"), Found::Exact(1));
    assert_eq!(look(" User Logout "), Found::Exact(2));
}

#[test]
fn else_the_only_one_that_differs_in_case_and_blanks() {
    assert_eq!(look("USER  login"), Found::Folded(0));
    assert_eq!(look("userlogin"), Found::Folded(0));
    assert_eq!(look("userlogin").index(), Some(0));
}

#[test]
fn several_alike_are_named_and_none_is_taken() {
    let both = vec!["user logout".to_owned(), "User Logout".to_owned()];
    assert_eq!(look("USER LOGOUT"), Found::Missing(both));
}

#[test]
fn a_typo_gets_the_nearest_names() {
    assert_eq!(
        look("User Lgoin"),
        Found::Missing(vec![
            "User Login".to_owned(),
            "user logout".to_owned(),
            "User Logout".to_owned()
        ])
    );
    assert_eq!(look("Payments"), Found::Missing(Vec::new()));
    assert_eq!(look("Payments").index(), None);
}

#[test]
fn folding_knows_more_than_ascii() {
    assert_eq!(fold("Über\u{a0}Maß "), fold("übermaß"));
    assert_ne!(fold("a"), fold("ä"));
}

#[test]
fn suggestions_read_as_a_question() {
    assert_eq!(did_you_mean::<&str>(&[]), "");
    assert_eq!(did_you_mean(&["A"]), "did you mean \"A\"?");
    assert_eq!(did_you_mean(&["A", "B", "C"]), "did you mean \"A\", \"B\" or \"C\"?");
}

#[test]
fn names_of_a_megabyte_are_not_compared_letter_by_letter() {
    let (long, other) = ("a".repeat(1 << 20), "b".repeat(1 << 20));
    let started = Instant::now();
    assert_eq!(find(&long, [other.as_str(), "x"]), Found::Missing(Vec::new()));
    assert!(started.elapsed() < Duration::from_secs(5));
}
