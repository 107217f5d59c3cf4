//! Why there is no answer, with places in the text.

use std::{collections::BTreeMap, fmt, sync::Arc};

use kit_core::{Fault, Kind};
use malloy_model::Problem;
use malloy_syntax::LineIndex;
use serde::Serialize;

/// What went wrong: one thing, or several of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub issues: Vec<Issue>,
    kind: Kind,
}

/// One thing that is wrong, or worth a word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Issue {
    pub message: String,
    /// From 1; absent where no place is to blame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// From 1, in UTF-16 units, as editors count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// Stable, for programs: `field-not-found`.
    pub code: String,
    /// The file, where it is not the text that was asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    #[serde(skip)]
    pub is_error: bool,
}

impl Failure {
    /// Something that is not about a place in a text.
    pub fn plain(code: &str, message: impl Into<String>, kind: Kind) -> Self {
        let issue = Issue {
            message: message.into(),
            line: None,
            column: None,
            code: code.to_owned(),
            file: None,
            help: None,
            is_error: true,
        };
        Self { issues: vec![issue], kind }
    }

    /// The fault of another part, under a code.
    pub fn of(code: &str, fault: &(impl Fault + fmt::Display)) -> Self {
        let mut failure = Self::plain(code, fault.to_string(), fault.kind());
        failure.issues[0].help = fault.hint();
        failure
    }

    /// Problems of texts. `asked` is the text that was asked about; `texts` are the others.
    pub fn problems(
        problems: &[Problem],
        asked: (&str, &str),
        texts: &BTreeMap<String, Result<Arc<str>, String>>,
    ) -> Self {
        Self { issues: issues(problems, asked, texts), kind: Kind::Invalid }
    }
}

/// Problems with their places.
pub(crate) fn issues(
    problems: &[Problem],
    (url, text): (&str, &str),
    texts: &BTreeMap<String, Result<Arc<str>, String>>,
) -> Vec<Issue> {
    let issue = |problem: &Problem| {
        let own = &*problem.file == url;
        let text = if own {
            Some(text)
        } else {
            texts.get(&*problem.file).and_then(|text| text.as_deref().ok())
        };
        let place =
            text.map(|text| LineIndex::new(text).position(text, problem.diagnostic.span.start));
        Issue {
            message: problem.diagnostic.message.clone(),
            line: place.map(|place| place.line),
            column: place.map(|place| place.column),
            code: problem.diagnostic.code.to_owned(),
            file: (!own).then(|| problem.file.to_string()),
            help: problem.diagnostic.help.clone(),
            is_error: problem.is_error(),
        }
    };
    problems.iter().map(issue).collect()
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}:")?;
        }
        if let (Some(line), Some(column)) = (self.line, self.column) {
            write!(f, "{line}:{column}: ")?;
        }
        let word = if self.is_error { "error" } else { "warning" };
        write!(f, "{word}[{}]: {}", self.code, self.message)?;
        if let Some(help) = &self.help {
            write!(f, "\n  hint: {help}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, issue) in self.issues.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            issue.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}

impl Fault for Failure {
    fn kind(&self) -> Kind {
        self.kind
    }

    fn hint(&self) -> Option<String> {
        self.issues.iter().find_map(|issue| issue.help.clone())
    }
}
