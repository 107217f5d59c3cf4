//! A project in a temporary folder.

use std::{fs, path::Path};

use tempfile::TempDir;

pub(crate) const CONFIG: &str = "\
[paths]
spec_folder = \"specs/\"
changes_folder = \"specs/_changes\"
archive_folder = \"specs/_archive\"

[rules]
system = [\"mcp\", \"global\"]
";

pub(crate) const AUTH: &str = "\
# Auth Specification

## Purpose

Lets people into the system and keeps everybody else out, whatever they try.

## Requirements

### Requirement: User Login

The system SHALL let a user in who gives the right password.

#### Scenario: Right password

- **WHEN** a user gives the right password
- **AND** the account is not locked
- **THEN** the user is let in
- **AND** the time is written down

#### Scenario: Wrong password

- **WHEN** a user gives a wrong password
- **THEN** the user stays out

### Requirement: Lock Out

The system MUST lock an account after five wrong passwords in a row.

#### Scenario: Fifth mistake

- **WHEN** the fifth wrong password in a row is given
- **THEN** the account is locked for an hour
";

pub(crate) const BILLING: &str = "\
# Billing Specification

## Purpose

Writes invoices for what was used during a month, and collects the money for them.

## Requirements

### Requirement: Monthly Invoice

The system SHALL write one invoice per customer and month.

#### Scenario: Month ends

- **WHEN** a month ends
- **THEN** every customer with usage gets an invoice
";

pub(crate) const PROPOSAL: &str = "\
# Change: Remember devices

## Why

People type their passwords far too often on machines that only they use.

## What Changes

- A device can be remembered for thirty days
- **BREAKING** old cookies are no longer read
";

pub(crate) const TASKS: &str = "\
## 1. Storage

- [x] 1.1 Keep device keys
- [x] 1.2 Forget them after thirty days

## 2. Pages

- [ ] 2.1 Ask whether to remember
";

pub(crate) const DELTA: &str = "\
## ADDED Requirements

### Requirement: Remembered Device

The system SHALL let a user in without a password on a device that is remembered.

#### Scenario: Known device

- **WHEN** a user comes from a remembered device
- **THEN** no password is asked for

## MODIFIED Requirements

### Requirement: Lock Out

The system MUST lock an account after seven wrong passwords in a row.

#### Scenario: Fifth mistake

- **WHEN** the seventh wrong password in a row is given
- **THEN** the account is locked for an hour
";

/// Two specs and one change.
pub(crate) struct Project {
    dir: TempDir,
}

impl Project {
    /// Nothing but the settings.
    pub(crate) fn empty() -> Self {
        let project = Self { dir: TempDir::new().unwrap() };
        project.write(".spox/config.toml", CONFIG);
        project
    }

    /// A folder that is no project.
    pub(crate) fn none() -> Self {
        Self { dir: TempDir::new().unwrap() }
    }

    pub(crate) fn sample() -> Self {
        let project = Self::empty();
        project.write("specs/mission.md", "# Mission\n\nLet people in.\n");
        project.write("specs/auth/spec.md", AUTH);
        project.write("specs/billing/spec.md", BILLING);
        project.change("remember-devices");
        project
    }

    /// Adds a whole change.
    pub(crate) fn change(&self, id: &str) {
        let at = |file: &str| format!("specs/_changes/{id}/{file}");
        self.write(&at("proposal.md"), PROPOSAL);
        self.write(&at("tasks.md"), TASKS);
        self.write(&at("specs/auth/spec.md"), DELTA);
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn write(&self, file: &str, text: impl AsRef<[u8]>) {
        let path = self.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path().join(file)).unwrap()
    }

    pub(crate) fn has(&self, file: &str) -> bool {
        self.path().join(file).exists()
    }

    pub(crate) fn remove(&self, file: &str) {
        let path = self.path().join(file);
        if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.unwrap();
    }
}
