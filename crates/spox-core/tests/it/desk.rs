//! What the tests about applying share: a change and main specs from a few lines of text.

use std::{collections::BTreeMap, sync::Arc};

use kit_core::Fault;
use spox_core::{Allow, Applied, ChangeFiles, Refused, Source, apply, fingerprints};

pub(crate) type Specs = BTreeMap<String, Arc<str>>;

/// A main spec with two requirements and something after them.
pub(crate) const AUTH: &str = "\
# Auth Specification

## Purpose

Let people in who may come in, and nobody else, whatever they try.

## Requirements

### Requirement: Login
The system SHALL let a known user in.

#### Scenario: Right password
- **WHEN** the password is right
- **THEN** the user is in

#### Scenario: Wrong password
- **WHEN** the password is wrong
- **THEN** the user stays out

### Requirement: Logout
The system SHALL let a user go.

#### Scenario: Leaving
- **WHEN** the user leaves
- **THEN** the session ends

## Notes

Kept  as it is.
";

pub(crate) fn specs<'a>(texts: impl IntoIterator<Item = (&'a str, &'a str)>) -> Specs {
    texts.into_iter().map(|(capability, text)| (capability.to_owned(), text.into())).collect()
}

pub(crate) fn change<'a>(deltas: impl IntoIterator<Item = (&'a str, &'a str)>) -> ChangeFiles {
    ChangeFiles {
        id: "add-x".into(),
        deltas: deltas.into_iter().map(|(name, text)| (name.to_owned(), text.into())).collect(),
        ..ChangeFiles::default()
    }
}

/// `change` as it is after validation has stored its fingerprints.
pub(crate) fn fingerprinted(mut change: ChangeFiles, main: &Specs) -> ChangeFiles {
    let base = fingerprints(&change, main, None);
    change.base = Some(Source::Text(base.to_json().into()));
    change
}

/// Applies one delta to `auth`.
pub(crate) fn apply_to(main: &str, delta: &str) -> Result<Applied, Refused> {
    apply(&change([("auth", delta)]), &specs([("auth", main)]), Allow::default())
}

/// What `auth` becomes.
#[track_caller]
pub(crate) fn after(main: &str, delta: &str) -> String {
    match apply_to(main, delta) {
        Ok(applied) => applied.specs[0].after.as_deref().expect("not retired").to_owned(),
        Err(refused) => panic!("{refused}"),
    }
}

/// Why the delta is not applied, with the way out.
#[track_caller]
pub(crate) fn refusal(main: &str, delta: &str) -> String {
    told(&apply_to(main, delta).expect_err("refused"))
}

pub(crate) fn told(refused: &Refused) -> String {
    let lines = refused.reasons.iter().map(|reason| {
        let rule = reason.rule().unwrap_or("-");
        format!("{rule} {reason}\n  {}", reason.hint().unwrap_or_default())
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The main specs after `applied`.
pub(crate) fn written(mut main: Specs, applied: &Applied) -> Specs {
    for (capability, text) in applied.writes() {
        match text {
            Some(text) => main.insert(capability.to_owned(), Arc::clone(text)),
            None => main.remove(capability),
        };
    }
    main
}

/// A requirement with scenarios, each with one word in its WHEN.
pub(crate) fn requirement(name: &str, scenarios: &[(&str, &str)]) -> String {
    let mut text = format!("### Requirement: {name}\nIt SHALL do {name}.\n");
    for (scenario, word) in scenarios {
        let lines = ["\n#### Scenario: ", scenario, "\n- **WHEN** ", word, "\n- **THEN** done\n"];
        text.extend(lines);
    }
    text
}
