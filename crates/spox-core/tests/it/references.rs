//! S16: references to specs and requirements that do not exist.

use spox_core::{Source, SpecFile, validate_specs};

use crate::world::{GOOD_SPEC, lines};

fn file(id: &str, text: &str) -> SpecFile {
    SpecFile { id: id.into(), path: format!("specs/{id}/spec.md"), source: text.into() }
}

/// What is said about `text` in the spec `platform/shop`, beside `auth` and one that cannot be read.
fn references(text: &str) -> Vec<String> {
    let spec = GOOD_SPEC.replacen("The system SHALL", &format!("{text}\n\nThe system SHALL"), 1);
    let broken = SpecFile { source: Source::Unreadable("x".into()), ..file("broken", "") };
    let files = [file("auth", GOOD_SPEC), broken, file("platform/shop", &spec)];
    let reports = validate_specs(&files);
    assert_eq!(lines(&reports[0].1), [""; 0]);
    assert_eq!(reports[2].0, "platform/shop");
    lines(&reports[2].1)
}

#[test]
fn references_that_lead_somewhere_are_fine() {
    for text in [
        "See [auth](../../auth/spec.md).",
        "See [login](../../auth/spec.md#requirement-user-login \"title\").",
        "See [wrong](../../auth/spec.md#scenario-wrong-password).",
        "See [purpose](../../auth/spec.md#purpose).",
        "See [here](#requirement-user-logout), [me](spec.md), [me](./spec.md#user-logout).",
        "See spec:auth, `spec:auth#user-login` and (spec:auth#requirement-user-login).",
        "See spec:platform/shop. Broken is spec:broken#whatever.",
    ] {
        assert_eq!(references(text), [""; 0], "{text}");
    }
}

#[test]
fn what_is_no_reference_is_left_alone() {
    for text in [
        "[x](https://example.org/specs/none/spec.md) [y](../../../docs/spec.md) [z](none.md)",
        "[c](../../_changes/add-x/specs/none/spec.md) [a](#anything)",
        "The spec: is written. openspec:none, spec:<name>, `spec:`, specs:none",
        "```\nspec:none\n```\n<!-- spec:none -->",
    ] {
        assert_eq!(references(text), [""; 0], "{text}");
    }
}

#[test]
fn unknown_specs_are_told_with_place_and_nearest_name() {
    assert_eq!(
        references("Über [a](../../auht/spec.md) and spec:auht#x."),
        [
            "WARN  specs/platform/shop/spec.md:11:10 S16 Reference to unknown spec \"auht\"",
            "WARN  specs/platform/shop/spec.md:11:34 S16 Reference to unknown spec \"auht\"",
        ]
    );
}

#[test]
fn unknown_requirements_are_told() {
    assert_eq!(
        references(
            "[a](../../auth/spec.md#requirement-user-lgoin) spec:auth#nope [b](#requirement-gone)"
        ),
        [
            "WARN  specs/platform/shop/spec.md:11:5 S16 Reference to unknown requirement \"requirement-user-lgoin\" of spec \"auth\"",
            "WARN  specs/platform/shop/spec.md:11:48 S16 Reference to unknown requirement \"nope\" of spec \"auth\"",
            "WARN  specs/platform/shop/spec.md:11:67 S16 Reference to unknown requirement \"requirement-gone\" of spec \"platform/shop\"",
        ]
    );
    let spec = GOOD_SPEC.replacen("The system SHALL", "spec:auth#user-lgoin\nThe system SHALL", 1);
    let reports = validate_specs(&[file("auth", &spec)]);
    let fix = reports[0].1.issues[0].fix.as_deref();
    assert_eq!(fix, Some("did you mean \"#requirement-user-login\"?"));
}
