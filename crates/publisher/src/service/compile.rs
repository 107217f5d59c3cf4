//! Checking a text without running it.

use std::sync::Arc;

use kit_core::Principal;
use malloy::{Compiled, Failure, Issue, Workspace};
use malloy_model::{Givens, Known, Options, Which};

use super::{
    At, Service, blocking,
    model::{Model, ModelKind},
    query::{Question, Subject, prepare_text},
};
use crate::Error;

/// A text to be checked.
#[derive(Debug, Clone)]
pub struct CompileAsk {
    pub at: At,
    pub source: String,
    pub scope: Scope,
    pub include_sql: bool,
    pub givens: Givens,
    pub caller: Principal,
}

/// What the text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scope {
    /// It stands below the model, as a query does.
    #[default]
    Append,
    /// It stands in the place of the model's own.
    File,
    /// The same, and the other models of the package are checked with it.
    Package,
}

/// What is wrong with a text.
#[derive(Debug, Clone, Default)]
pub struct CompileReport {
    /// Errors and warnings, each with the path of its file; [`Issue::file`] is always there.
    pub problems: Vec<Issue>,
    /// The SQL of its last query, if it was asked for and there is one.
    pub sql: Option<String>,
}

impl CompileReport {
    pub fn is_ok(&self) -> bool {
        !self.problems.iter().any(|problem| problem.is_error)
    }
}

impl Service {
    /// Checks a text as it would be compiled for this model.
    pub async fn compile(&self, ask: CompileAsk) -> Result<CompileReport, Error> {
        let (package, model) = self.found(&ask.at).await?;
        let restricted = !self.0.config.allow_sql;
        let ask = CompileAsk { givens: self.givens_of(&ask.caller, &model, &ask.givens)?, ..ask };
        blocking(move || {
            let workspace = package.workspace()?;
            let mut report = CompileReport::default();
            let path = ask.at.path.clone();
            let named = |mut issue: Issue| {
                issue.file.get_or_insert_with(|| path.clone());
                issue
            };
            if ask.scope == Scope::Append {
                let question = Question {
                    subject: Subject::Text(ask.source.clone()),
                    givens: ask.givens.clone(),
                    row_limit: None,
                    fresh: false,
                    restricted,
                };
                match prepare_text(&package, &model, &question) {
                    Err(error) if error.issues.is_empty() => return Err(error),
                    Err(error) => report.problems.extend(error.issues.into_iter().map(named)),
                    Ok((warnings, query)) => {
                        report.problems.extend(warnings.into_iter().map(named));
                        if let Some(query) = query.filter(|_| ask.include_sql) {
                            report.sql = workspace.sql(&query).ok();
                        }
                    }
                }
                return Ok(report);
            }
            let mut known = Known::default();
            known.texts.insert(path.clone(), Ok(Arc::from(ask.source.as_str())));
            let files: Vec<&Arc<Model>> = match ask.scope {
                Scope::Package => package.models.values().collect(),
                _ => vec![&model],
            };
            for file in files {
                let own = file.path == path;
                let text = if own { &*ask.source } else { &*file.text };
                let compiled = check(workspace, file, text, &known);
                let issues = match &compiled {
                    Ok(compiled) => &compiled.warnings,
                    Err(failure) => &failure.issues,
                };
                for issue in issues {
                    let file = issue.file.clone().unwrap_or_else(|| file.path.clone());
                    report.problems.push(Issue { file: Some(file), ..issue.clone() });
                }
                if let (true, Ok(compiled)) = (own && ask.include_sql, &compiled) {
                    report.sql = workspace
                        .prepare(compiled, Which::LastRun, &ask.givens, (&path, text))
                        .and_then(|query| workspace.sql(&query))
                        .ok();
                }
            }
            report.problems.dedup();
            Ok(report)
        })
        .await
    }
}

/// Compiles a text in the place of a file. Of a notebook all cells, one on top of the other.
fn check(
    workspace: &Workspace,
    file: &Model,
    text: &str,
    known: &Known,
) -> Result<Compiled, Failure> {
    let compile = |base: Option<&Compiled>, text: &str| {
        workspace.compile_from(known.clone(), base, &file.path, text, Options::default())
    };
    if file.kind == ModelKind::Model {
        return compile(None, text);
    }
    let mut last = compile(None, "")?;
    for cell in malloy_syntax::parse_notebook(text).cells {
        if cell.kind == malloy_syntax::notebook::CellKind::Malloy {
            last = compile(Some(&last), cell.text)?;
        }
    }
    Ok(last)
}
