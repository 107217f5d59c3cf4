//! Compiled queries: ready to be written as SQL.

use std::sync::Arc;

use malloy_syntax::{Diagnostic, Span};

use crate::analyser::{Analyser, Problem, nearest};
use crate::build::QueryBuild;
use crate::givens::fits;
use crate::ir;
use crate::known::Known;
use crate::model::{Entry, Givens, Model, Which};
use crate::query::QueryDef;
use crate::sources::value_type_name;

pub(crate) fn prepare(
    model: &Model,
    which: Which<'_>,
    givens: &Givens,
) -> Result<ir::Query, Vec<Problem>> {
    let known = Known::default();
    let mut analyser = Analyser::new(&known, model.files.clone(), model.next_def);
    analyser.file = model.file;
    analyser.tables.clone_from(&model.tables);
    analyser.givens = Some(givens);
    let def = match which {
        Which::Named(name) => {
            if let Some(Entry::Query { query, .. }) = analyser.lookup(name) {
                Some(Arc::clone(query))
            } else {
                let mut diagnostic = Diagnostic::error(
                    "query-not-found",
                    Span::default(),
                    format!("there is no query `{name}`"),
                );
                if let Some(near) = nearest(name, model.queries()) {
                    diagnostic = diagnostic.with_help(format!("did you mean `{near}`?"));
                }
                analyser.report(diagnostic);
                None
            }
        }
        Which::Run(index) => model.runs.get(index).cloned(),
        Which::LastRun => model.runs.last().cloned(),
    };
    for (name, value) in givens {
        match analyser.given(name) {
            None => {
                let mut diagnostic = Diagnostic::error(
                    "runtime-given-unknown",
                    Span::default(),
                    format!("there is no given `${name}`"),
                );
                if let Some(near) = nearest(name, model.givens().map(|given| &*given.name)) {
                    diagnostic = diagnostic.with_help(format!("did you mean `${near}`?"));
                }
                analyser.report(diagnostic);
            }
            Some(given) if !fits(value, &given.ty) => {
                let message = format!(
                    "`${name}` is a {}, and this is not one: {value}",
                    value_type_name(&given.ty)
                );
                analyser.error("runtime-given-bad-value", Span::default(), message);
            }
            Some(given) => analyser.check_given_filter(&given, value),
        }
    }
    if let (Some(def), true) = (&def, analyser.problems.is_empty()) {
        let query = analyser.compiled(def);
        if !analyser.problems.iter().any(Problem::is_error) {
            return Ok(query);
        }
    } else if def.is_none() && analyser.problems.is_empty() {
        analyser.error("query-not-found", Span::default(), "there is no such `run:` statement");
    }
    Err(analyser.problems)
}

impl Analyser<'_> {
    /// A query with everything that it reads.
    pub(crate) fn compiled(&mut self, def: &Arc<QueryDef>) -> ir::Query {
        let (query, pipeline, shape) =
            self.resolved(def, |a| a.pipeline(true, QueryBuild::default(), def, true));
        ir::Query {
            connection: query.connection.map(|name| name.to_string()).unwrap_or_default(),
            sources: query.sources,
            pipeline,
            schema: shape.fields,
            zone: shape.zone.map(|zone| zone.to_string()),
            annotations: shape.notes.iter().chain(&def.notes).map(ToString::to_string).collect(),
            name: def.name.as_ref().map(ToString::to_string),
        }
    }
}
