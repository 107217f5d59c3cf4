//! Value JSON.

use ui_core::{ObjId, Value};

fn json(value: &Value) -> String {
    serde_json::to_string(value).expect("every value is JSON")
}

fn read(text: &str) -> Value {
    serde_json::from_str(text).expect("all JSON is a value")
}

#[test]
fn a_number_without_fraction_has_none_on_the_wire() {
    for (number, text) in [
        (5.0, "5"),
        (-0.0, "0"),
        (0.5, "0.5"),
        (1e15, "1000000000000000"),
        (-9_223_372_036_854_775_808.0, "-9223372036854775808"),
        (f64::NAN, "null"),
        (f64::INFINITY, "null"),
        (f64::NEG_INFINITY, "null"),
    ] {
        assert_eq!(json(&Value::number(number)), text);
    }
    let large = json(&Value::number(1e300));
    assert!(!large.contains('.'), "{large}");
    assert_eq!(read(&large), Value::number(1e300));
}

#[test]
fn numbers_that_are_equal_are_the_same_value() {
    assert_eq!(read("5.0"), Value::Int(5));
    assert_eq!(read("5e0"), read("5"));
    assert_eq!(read("18446744073709551615"), Value::number(18_446_744_073_709_551_615.0));
}

#[test]
fn an_object_crosses_as_a_reference() {
    assert_eq!(json(&Value::Object(ObjId(7))), r#"{"obj":7}"#);
    assert_eq!(read(r#"{"obj":7}"#), Value::Object(ObjId(7)));
    assert_eq!(
        read(r#"[{"obj":2},null,true,"x"]"#),
        Value::array([ObjId(2).into(), Value::Null, true.into(), "x".into()])
    );
}

#[test]
fn what_only_looks_like_a_reference_is_a_record() {
    for text in [r#"{"obj":0}"#, r#"{"obj":-1}"#, r#"{"obj":"7"}"#, r#"{"obj":7,"x":1}"#, "{}"] {
        assert!(matches!(read(text), Value::Record(_)), "{text}");
        assert_eq!(json(&read(text)), text);
    }
}

#[test]
fn strings_of_any_characters_come_back_as_they_went() {
    let odd = Value::text("\u{0}\"\\\u{2028}\u{fffd}🦀</script>");
    assert_eq!(read(&json(&odd)), odd);
}
