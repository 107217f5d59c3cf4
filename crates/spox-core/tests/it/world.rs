//! What the tests share: short ways to have a spec, a change and its issues.

use std::{collections::BTreeMap, ops::Range};

use spox_core::{
    ChangeFiles, Context, Main, ParsedSpec, Report, Source, SpecFile, Touches, parse_change,
    parse_spec, validate_change, validate_spec,
};

/// A spec in which there is nothing to complain about.
pub(crate) const GOOD_SPEC: &str = "\
# Auth Specification

## Purpose

Decides who may enter, and keeps everybody else outside without a word too many.

## Requirements

### Requirement: User Login

The system SHALL ask for a password.

#### Scenario: Right password

- **WHEN** the password is right
- **THEN** the door opens

#### Scenario: Wrong password

- **WHEN** the password is wrong
- **THEN** the door stays shut
- **AND** the attempt is logged

### Requirement: User Logout

The system MUST close the door behind whoever leaves.

#### Scenario: Leaving

- **WHEN** somebody leaves
- **THEN** the door closes
";

pub(crate) const GOOD_PROPOSAL: &str = "\
# Change: Add remembered devices

## Why

People type their password twenty times a day, on the very machine that knows them.

## What Changes

- Devices can be remembered
";

pub(crate) const GOOD_TASKS: &str = "\
## 1. Storage

- [x] 1.1 Keep devices
- [ ] 1.2 Forget devices
";

pub(crate) const GOOD_DELTA: &str = "\
## ADDED Requirements

### Requirement: Remembered Devices

The system SHALL remember a device.

#### Scenario: Known device

- **WHEN** a device is known
- **THEN** no password is asked for
";

/// `text` as the spec `auth`.
pub(crate) fn spec_file(text: &str) -> SpecFile {
    SpecFile { id: "auth".into(), path: "specs/auth/spec.md".into(), source: text.into() }
}

/// The issues of `text` as the spec `auth`, a line each.
pub(crate) fn spec_issues(text: &str) -> Vec<String> {
    lines(&validate_spec(&spec_file(text)))
}

/// The change `remember-devices` with one delta for `auth`.
pub(crate) fn change(delta: &str) -> ChangeFiles {
    ChangeFiles {
        id: "remember-devices".into(),
        proposal: Some(GOOD_PROPOSAL.into()),
        tasks: Some(GOOD_TASKS.into()),
        deltas: BTreeMap::from([("auth".to_owned(), Source::from(delta))]),
        ..ChangeFiles::default()
    }
}

/// A change with another id.
pub(crate) fn other_change(id: &str, delta: &str) -> ChangeFiles {
    ChangeFiles { id: id.into(), ..change(delta) }
}

/// The issues of a change against `main`, the spec `auth`, and among `others`; infos left out.
pub(crate) fn change_issues(
    files: &ChangeFiles,
    main: Option<&str>,
    others: &[ChangeFiles],
) -> Vec<String> {
    let report = report(files, main, others);
    let mut issues = lines(&report);
    issues.retain(|issue| !issue.starts_with("INFO"));
    issues
}

pub(crate) fn report(files: &ChangeFiles, main: Option<&str>, others: &[ChangeFiles]) -> Report {
    let parsed: Vec<_> = others.iter().chain([files]).map(parse_change).collect();
    let touches = Touches::of(&parsed);
    let spec = main.map(|text| parse_spec("auth", text));
    let main = main.zip(spec.as_ref()).map(|(text, spec): (_, &ParsedSpec)| Main { text, spec });
    let context = Context::new(main.map(|main| ("auth", Some(main)))).with_changes(&touches);
    validate_change(files, &context)
}

/// The issues of a delta against [`GOOD_SPEC`].
pub(crate) fn delta_issues(delta: &str) -> Vec<String> {
    change_issues(&change(delta), Some(GOOD_SPEC), &[])
}

pub(crate) fn lines(report: &Report) -> Vec<String> {
    report.issues.iter().map(ToString::to_string).collect()
}

/// Whether one of the issues has this code.
pub(crate) fn has(issues: &[String], code: &str) -> bool {
    issues.iter().any(|issue| issue.contains(&format!(" {code} ")))
}

/// The issues with this code.
pub(crate) fn of(issues: &[String], code: &str) -> Vec<String> {
    issues.iter().filter(|issue| issue.contains(&format!(" {code} "))).cloned().collect()
}

/// One text after the other.
pub(crate) fn many(range: Range<usize>, text: impl Fn(usize) -> String) -> String {
    range.map(text).collect::<Vec<_>>().concat()
}
