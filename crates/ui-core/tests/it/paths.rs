//! Paths.

use proptest::prelude::*;
use ui_core::Path;
use ui_core::path::{Ending, Step, Why};

fn steps(text: &str) -> Vec<Step> {
    Path::parse(text).unwrap_or_else(|bad| panic!("{text}: {bad}")).steps().to_vec()
}

fn field(name: &str) -> Step {
    Step::Field(name.into())
}

fn why(text: &str) -> (Why, usize) {
    let bad = Path::parse(text).expect_err(text);
    (bad.why, bad.at)
}

#[test]
fn names_indexes_and_methods_are_steps() {
    assert_eq!(
        steps("contacts.0.fullName().first"),
        [field("contacts"), Step::Index(0), Step::Call("fullName".into()), field("first")]
    );
    assert_eq!(steps("save(_)"), [Step::CallWith("save".into())]);
    assert_eq!(steps("_x1.größe"), [field("_x1"), field("größe")]);
    assert_eq!(steps("  name "), [field("name")]);
}

#[test]
fn brackets_are_another_way_to_write_an_index() {
    assert_eq!(steps("items[0].name"), steps("items.0.name"));
    assert_eq!(
        steps("rows()[12][3]"),
        [Step::Call("rows".into()), Step::Index(12), Step::Index(3)]
    );
}

#[test]
fn two_dots_go_up_however_they_are_joined() {
    assert_eq!(steps(".."), [Step::Up]);
    assert_eq!(steps("...name"), [Step::Up, field("name")]);
    assert_eq!(steps("../name"), [Step::Up, field("name")]);
    assert_eq!(steps("../../name"), [Step::Up, Step::Up, field("name")]);
    assert_eq!(steps("......name"), steps("../../name"));
    assert_eq!(steps("@app.user"), [Step::App, field("user")]);
}

#[test]
fn what_follows_the_question_mark_are_parameters() {
    let path = Path::parse("name?keypress&access=rw&label=a=b?c&&x=").unwrap();
    let params: Vec<_> = path.params().iter().map(|param| (&*param.key, &*param.value)).collect();
    assert_eq!(params, [("keypress", "true"), ("access", "rw"), ("label", "a=b?c"), ("x", "")]);
    assert_eq!(path.param("access"), Some("rw"));
    assert_eq!(path.param("wrapper"), None);
}

#[test]
fn the_end_of_a_path_is_a_place_a_call_or_fixed() {
    for (text, ending) in [
        ("a.b", Ending::Place),
        ("a.0", Ending::Place),
        ("a()", Ending::Call),
        ("a(_)", Ending::CallWith),
        ("..", Ending::Fixed),
        ("@app", Ending::Fixed),
    ] {
        assert_eq!(Path::parse(text).unwrap().ending(), ending, "{text}");
    }
}

#[test]
fn mistakes_are_named_with_their_place() {
    for (text, wanted, at) in [
        ("", Why::Missing, 0),
        ("a.", Why::Missing, 2),
        (".a", Why::Missing, 0),
        ("a. b", Why::Stray(' '), 2),
        ("a == b", Why::Stray(' '), 1),
        ("!done", Why::Stray('!'), 0),
        ("a-b", Why::Stray('-'), 1),
        ("a/b", Why::Stray('/'), 1),
        ("'x'", Why::Stray('\''), 0),
        ("-1", Why::Stray('-'), 0),
        ("a.01", Why::LeadingZero, 2),
        ("a.4294967295", Why::LargeIndex, 2),
        ("a.0x", Why::Stray('x'), 3),
        ("f(1)", Why::Arguments, 1),
        ("f( )", Why::Arguments, 1),
        ("f(_).x", Why::CallWithNotLast, 4),
        ("@root", Why::UnknownAt, 0),
        ("a.@app", Why::AppNotFirst, 2),
        ("a[x]", Why::Bracket, 1),
        ("a[0", Why::Bracket, 1),
        ("  a b", Why::Stray(' '), 3),
    ] {
        assert_eq!(why(text), (wanted, at), "{text}");
    }
    assert_eq!(why(&"a".repeat(5000)).0, Why::Long);
    assert_eq!(why(&"a.".repeat(100)).0, Why::Deep);
    assert_eq!(why(&format!("a{}", "[0]".repeat(100))).0, Why::Deep);
}

#[test]
fn a_message_about_a_path_says_what_to_write_instead() {
    let bad = Path::parse("count + 1").expect_err("an operator");
    assert_eq!(
        bad.to_string(),
        "` ` has no place in a path: compute it in a method, `name()`, at character 6"
    );
}

fn any_step() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zA-Z_][a-zA-Z0-9_]{0,8}",
        (0u32..u32::MAX).prop_map(|index| index.to_string()),
        "[a-z]{1,6}\\(\\)",
        Just("..".to_owned()),
    ]
}

proptest! {
    #[test]
    fn no_text_makes_parsing_panic(text in "\\PC{0,60}") {
        let _path = Path::parse(&text);
    }

    #[test]
    fn no_text_of_path_characters_makes_parsing_panic(text in "[a-c0-2.\\[\\]()_@/?&= ]{0,40}") {
        if let Ok(path) = Path::parse(&text) {
            prop_assert!(!path.steps().is_empty());
            prop_assert_eq!(Path::parse(&path.to_string()), Ok(path));
        }
    }

    #[test]
    fn a_path_that_is_printed_parses_to_itself(
        steps in prop::collection::vec(any_step(), 1..8),
        params in prop::collection::vec(("[a-z]{1,5}", "[a-z0-9=?/ ]{0,6}"), 0..3),
    ) {
        let params: Vec<String> = params.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let text = format!("{}?{}", steps.join("."), params.join("&"));
        let path = Path::parse(&text).expect("made to be a path");
        prop_assert_eq!(path.steps().len(), steps.len());
        prop_assert_eq!(Path::parse(&path.to_string()), Ok(path));
    }
}
