//! What validation says.

use std::{fmt, str::FromStr};

use kit_core::{Fault, Kind};
use serde::Serialize;

/// How bad it is. Errors fail, warnings fail in strict mode, infos never do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Severity {
    #[serde(rename = "ERROR")]
    Error,
    #[serde(rename = "WARN")]
    Warning,
    #[serde(rename = "INFO")]
    Info,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Error => "ERROR",
            Self::Warning => "WARN",
            Self::Info => "INFO",
        })
    }
}

/// A part of a change, as `get_change` and issues name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeSection {
    Proposal,
    Tasks,
    Design,
    Deltas,
}

impl ChangeSection {
    pub const ALL: [Self; 4] = [Self::Proposal, Self::Tasks, Self::Design, Self::Deltas];

    pub fn name(self) -> &'static str {
        match self {
            Self::Proposal => "proposal",
            Self::Tasks => "tasks",
            Self::Design => "design",
            Self::Deltas => "deltas",
        }
    }

    /// The section that a file of a change belongs to, by its path in the change.
    pub fn of_file(path: &str) -> Option<Self> {
        match path {
            "proposal.md" => Some(Self::Proposal),
            "tasks.md" => Some(Self::Tasks),
            "design.md" => Some(Self::Design),
            _ if path.starts_with("specs/") => Some(Self::Deltas),
            _ => None,
        }
    }
}

/// Somebody asked for a section that no change has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("Unknown section '{0}'. Valid sections: proposal, tasks, design, deltas")]
pub struct UnknownSection(pub String);

impl Fault for UnknownSection {
    fn kind(&self) -> Kind {
        Kind::Invalid
    }
}

impl FromStr for ChangeSection {
    type Err = UnknownSection;

    fn from_str(name: &str) -> Result<Self, UnknownSection> {
        let found = Self::ALL.into_iter().find(|section| section.name() == name);
        found.ok_or_else(|| UnknownSection(name.to_owned()))
    }
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Issue {
    pub severity: Severity,
    /// The rule: `S06`.
    pub code: &'static str,
    /// From the project root for specs, from the change's folder for changes.
    pub file: String,
    /// From 1; none when a file is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// From 1, in characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    #[serde(rename = "description")]
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
    /// For changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<ChangeSection>,
}

/// `ERROR specs/auth/spec.md:3:1 S03 message`
impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<5} {}", self.severity, self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if let (Some(_), Some(column)) = (self.line, self.column) {
            write!(f, ":{column}")?;
        }
        write!(f, " {} {}", self.code, self.message)
    }
}

/// Collects the findings about one file.
#[derive(Debug)]
pub(super) struct Sheet<'a> {
    pub(super) file: &'a str,
    pub(super) section: Option<ChangeSection>,
    pub(super) issues: &'a mut Vec<Issue>,
}

impl Sheet<'_> {
    pub(super) fn error(&mut self, code: &'static str, message: impl Into<String>) -> &mut Issue {
        self.add(Severity::Error, code, message.into())
    }

    pub(super) fn warn(&mut self, code: &'static str, message: impl Into<String>) -> &mut Issue {
        self.add(Severity::Warning, code, message.into())
    }

    pub(super) fn info(&mut self, code: &'static str, message: impl Into<String>) -> &mut Issue {
        self.add(Severity::Info, code, message.into())
    }

    pub(super) fn add(
        &mut self,
        severity: Severity,
        code: &'static str,
        message: String,
    ) -> &mut Issue {
        let file = self.file.to_owned();
        let section = self.section;
        let issue =
            Issue { severity, code, file, line: None, column: None, message, fix: None, section };
        let index = self.issues.len();
        self.issues.push(issue);
        &mut self.issues[index]
    }
}

impl Issue {
    pub(super) fn at(&mut self, line: u32, column: u32) -> &mut Self {
        self.line = Some(line);
        self.column = Some(column);
        self
    }

    pub(super) fn fix(&mut self, fix: impl Into<String>) -> &mut Self {
        self.fix = Some(fix.into());
        self
    }
}

/// Everything that was found in one spec or change, in the order of the files and lines.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    pub issues: Vec<Issue>,
}

impl Report {
    /// No errors.
    pub fn valid(&self) -> bool {
        self.errors().next().is_none()
    }

    pub fn errors(&self) -> impl Iterator<Item = &Issue> {
        self.of(Severity::Error)
    }

    pub fn warnings(&self) -> impl Iterator<Item = &Issue> {
        self.of(Severity::Warning)
    }

    pub fn infos(&self) -> impl Iterator<Item = &Issue> {
        self.of(Severity::Info)
    }

    /// Whether it counts as a pass: no errors and, in strict mode, no warnings.
    pub fn passes(&self, strict: bool) -> bool {
        self.valid() && !(strict && self.warnings().next().is_some())
    }

    fn of(&self, severity: Severity) -> impl Iterator<Item = &Issue> {
        self.issues.iter().filter(move |issue| issue.severity == severity)
    }
}
