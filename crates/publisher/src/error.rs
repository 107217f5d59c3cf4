//! What can go wrong, in the words of every surface.

use std::fmt;

use kit_core::{Fault, Kind};
use malloy::{Failure, Issue};
use serde::Serialize;

/// Why a question has no answer. Each surface maps it in one place: [`Error::status`] is the one of HTTP.
#[derive(Debug, Clone, PartialEq)]
pub struct Error {
    pub what: What,
    /// In words, naming the thing; never with a path of the server's.
    pub message: String,
    /// Names that were probably meant, the nearest first.
    pub near: Vec<String>,
    /// The next step.
    pub hint: Option<String>,
    /// Where in a text, if it is about one. The first of [`Error::issues`].
    pub place: Option<Box<Place>>,
    /// Everything that is wrong with a text, if it is about one.
    pub issues: Vec<Issue>,
}

/// The kinds of errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// The request is wrong as it stands.
    Request,
    /// The text of a query does not compile, or its givens do not fit.
    Query,
    /// The database refused the query while it ran.
    Run,
    Project,
    Package,
    Model,
    Notebook,
    Source,
    View,
    NamedQuery,
    Connection,
    Table,
    /// It is there, and not for this caller.
    Forbidden,
    /// Somebody has it already.
    Exists,
    /// The result has too many rows or bytes.
    TooLarge,
    /// The model itself does not compile.
    Compile,
    /// Not done by this server.
    NotImplemented,
    /// The database cannot be reached.
    Database,
    /// Too many queries at once.
    Busy,
    TimedOut,
    /// The caller has left.
    Cancelled,
    Internal,
}

/// A place in a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Relative to the package; absent for the text that was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// From 1.
    pub line: u32,
    /// From 1, in UTF-16 units.
    pub column: u32,
    /// The line itself, without its break.
    pub text: String,
}

impl Place {
    /// The line with a caret below.
    pub fn shown(&self) -> String {
        let before = self.column.saturating_sub(1) as usize;
        // Tabs stay tabs, so that the caret stands where it should.
        let mut units = 0;
        let pad: String = self
            .text
            .chars()
            .take_while(|c| {
                let fits = units < before;
                units += c.len_utf16();
                fits
            })
            .map(|c| if c == '\t' { '\t' } else { ' ' })
            .collect();
        format!("{}\n{pad}^", self.text)
    }
}

impl Error {
    pub fn new(what: What, message: impl Into<String>) -> Self {
        let (near, issues) = (Vec::new(), Vec::new());
        Self { what, message: message.into(), near, hint: None, place: None, issues }
    }

    /// Something that is not there, with what it might have been.
    pub fn missing<'a>(
        what: What,
        message: impl Into<String>,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let near = kit_core::nearest_few(name, known, 3);
        let hint = near.first().map(|near| format!("did you mean `{near}`?"));
        let near = near.into_iter().map(str::to_owned).collect();
        Self { near, hint, ..Self::new(what, message) }
    }

    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// What is wrong with a text. `text` is the one that was asked about, `file` its path if it is one of a package.
    pub fn failure(what: What, failure: &Failure, file: Option<&str>, text: &str) -> Self {
        let first = failure.issues.iter().find(|issue| issue.is_error);
        let place = first.and_then(|issue| {
            let line = issue.line?;
            let own = issue.file.is_none();
            let number = usize::try_from(line).ok()?.checked_sub(1)?;
            let shown = if own { text.lines().nth(number).unwrap_or_default() } else { "" };
            Some(Box::new(Place {
                file: issue.file.clone().or_else(|| file.map(str::to_owned)),
                line,
                column: issue.column.unwrap_or(1),
                text: shown.chars().take(400).collect(),
            }))
        });
        let what = match (what, failure.kind()) {
            (What::Query | What::Run | What::Compile, Kind::Unavailable | Kind::Internal) => {
                What::Database
            }
            (what, _) => what,
        };
        Self {
            message: failure_text(failure, file),
            hint: failure.hint(),
            place,
            issues: failure.issues.clone(),
            ..Self::new(what, "")
        }
    }

    /// The status of an HTTP answer.
    pub fn status(&self) -> u16 {
        match self.what {
            What::Request | What::Query | What::Run => 400,
            What::Forbidden => 403,
            What::Project
            | What::Package
            | What::Model
            | What::Notebook
            | What::Source
            | What::View
            | What::NamedQuery
            | What::Connection
            | What::Table => 404,
            What::Exists => 409,
            What::TooLarge => 413,
            What::Compile => 424,
            What::NotImplemented => 501,
            What::Database => 502,
            What::Busy | What::Cancelled => 503,
            What::TimedOut => 504,
            What::Internal => 500,
        }
    }

    /// Our mistake; what it was goes to the log.
    pub(crate) fn internal(why: impl fmt::Display) -> Self {
        tracing::error!(%why, "internal error");
        Self::new(What::Internal, "something went wrong in the server")
            .hint("the server's log has the details")
    }
}

/// All issues, one after another, with their places.
fn failure_text(failure: &Failure, file: Option<&str>) -> String {
    let text = |issue: &Issue| {
        let file = issue.file.as_deref().or(file);
        let place = match (file, issue.line, issue.column) {
            (Some(file), Some(line), Some(column)) => format!("{file}:{line}:{column}: "),
            (None, Some(line), Some(column)) => format!("line {line}, column {column}: "),
            (Some(file), ..) => format!("{file}: "),
            _ => String::new(),
        };
        format!("{place}{}", issue.message)
    };
    let errors = failure.issues.iter().filter(|issue| issue.is_error);
    errors.map(text).collect::<Vec<_>>().join("\n")
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl Fault for Error {
    fn kind(&self) -> Kind {
        match self.status() {
            400 | 413 | 424 | 501 => Kind::Invalid,
            403 => Kind::Forbidden,
            404 => Kind::NotFound,
            409 => Kind::Conflict,
            502..=504 => Kind::Unavailable,
            _ => Kind::Internal,
        }
    }

    fn hint(&self) -> Option<String> {
        self.hint.clone()
    }

    fn suggestions(&self) -> Vec<String> {
        self.near.clone()
    }
}
