//! A model or notebook of a package.

use std::sync::Arc;

use malloy::{Compiled, Failure};
use malloy_model::{Description, Outline, SourceOutline};
use serde::Serialize;
use serde_json::{Map, Value};

/// A file of a package that can be asked.
#[derive(Debug, Clone)]
pub struct Model {
    /// Relative to the package, `/` separated.
    pub path: String,
    pub kind: ModelKind,
    pub text: Arc<str>,
    /// Of a notebook: all its cells that compile, one on top of the other.
    pub compiled: Result<Compiled, Failure>,
    /// What it has; empty where it does not compile.
    pub outline: Outline,
    /// The same in short.
    pub description: Description,
    /// Render hints of files that it names with `--! styles`.
    pub data_styles: Map<String, Value>,
    /// Of a notebook, in the order of the file.
    pub cells: Vec<CodeCell>,
    /// Why this is not what the file says now: it was edited and does not compile any more.
    pub stale: Option<Stale>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ModelKind {
    Model,
    Notebook,
}

/// What an edit broke.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Stale {
    pub message: String,
    /// What is wrong with the text as it is now.
    #[serde(skip)]
    pub issues: Vec<malloy::Issue>,
    /// Whether it is about the whole package.
    #[serde(skip)]
    pub of_package: bool,
    /// Milliseconds since 1970.
    pub failed_at: i64,
}

/// A cell of a notebook, compiled and not run.
#[derive(Debug, Clone)]
pub struct CodeCell {
    pub markdown: bool,
    pub text: Arc<str>,
    /// The first line of its text in the file, from 1.
    pub line: u32,
    /// On top of the cells before it. None for Markdown.
    pub compiled: Option<Result<Compiled, Failure>>,
    /// The sources that it brought in.
    pub new_sources: Vec<SourceOutline>,
}

impl Model {
    /// Whether there is any Malloy in it.
    pub fn has_code(&self) -> bool {
        self.kind == ModelKind::Model || self.cells.iter().any(|cell| !cell.markdown)
    }

    /// What it compiles to, for those who know that it does.
    pub fn compiled(&self) -> Option<&Compiled> {
        self.compiled.as_ref().ok()
    }
}
