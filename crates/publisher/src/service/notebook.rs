//! Notebooks, run cell by cell.

use std::{sync::Arc, time::Instant};

use malloy_model::{Givens, SourceOutline};

use super::{
    Ask, Asked, At, By, Service,
    model::{CodeCell, Model, ModelKind},
    package::Package,
    query::{Answer, Question, Subject},
};
use crate::{Error, What};

/// Which cells are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Run {
    Nothing,
    All,
    /// The one at this position, from 0.
    Cell(usize),
}

/// A notebook with what its cells gave.
#[derive(Debug, Clone)]
pub struct Notebook {
    pub package: Arc<Package>,
    pub model: Arc<Model>,
    /// All cells, or the one that was asked for.
    pub cells: Vec<Cell>,
}

/// A cell of a notebook.
#[derive(Debug, Clone)]
pub struct Cell {
    /// From 0.
    pub index: usize,
    pub kind: CellKind,
    pub text: Arc<str>,
    /// The name of the named query that it runs, if it is one.
    pub query_name: Option<String>,
    /// What its query gave, if it has one and it was run.
    pub answer: Option<Arc<Answer>>,
    /// What is wrong with it; places are in the cell.
    pub error: Option<Error>,
    /// The sources that it brought in.
    pub new_sources: Vec<SourceOutline>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellKind {
    Markdown,
    Code,
}

impl Service {
    /// A notebook. Every cell is there; one that cannot be compiled or run has its error.
    pub async fn notebook(
        &self,
        at: &At,
        run: Run,
        givens: &Givens,
        by: &By,
    ) -> Result<Notebook, Error> {
        let (package, model) = self.found(at).await?;
        if model.kind != ModelKind::Notebook {
            return Err(Error::new(What::Notebook, format!("{} is not a notebook", at.path))
                .hint("it is a model: ask for it as one"));
        }
        if let Err(failure) = &model.compiled {
            return Err(Error::failure(What::Compile, failure, Some(&model.path), &model.text));
        }
        if let Run::Cell(index) = run
            && index >= model.cells.len()
        {
            let message = format!("{} has no cell {index}", at.path);
            let count = model.cells.len();
            return Err(Error::new(What::Request, message)
                .hint(format!("it has {count} cells, counted from 0")));
        }
        let givens = self.givens_of(&by.caller, &model, givens)?;
        let mut cells = Vec::new();
        for index in 0..model.cells.len() {
            let wanted = match run {
                Run::Nothing => false,
                Run::All => true,
                Run::Cell(only) if only == index => true,
                Run::Cell(_) => continue,
            };
            let mut cell = shown(&model, index);
            if wanted && cell.error.is_none() && runs(&model.cells[index]) {
                let ask = Ask {
                    at: at.clone(),
                    what: Asked::Text(model.cells[index].text.to_string()),
                    givens: givens.clone(),
                    row_limit: None,
                    by: by.clone(),
                };
                match self.run_cell(&package, &model, index, ask).await {
                    Ok(answer) => {
                        cell.query_name.clone_from(&answer.query.name);
                        cell.answer = Some(answer);
                    }
                    Err(error) => cell.error = Some(error),
                }
            }
            cells.push(cell);
        }
        Ok(Notebook { package, model, cells })
    }

    async fn run_cell(
        &self,
        package: &Arc<Package>,
        notebook: &Arc<Model>,
        index: usize,
        ask: Ask,
    ) -> Result<Arc<Answer>, Error> {
        let begun = Instant::now();
        let question = Question {
            subject: Subject::Cell(index),
            givens: ask.givens.clone(),
            row_limit: ask.row_limit,
            restricted: false,
            fresh: ask.by.fresh,
        };
        let done = self.run(package.clone(), notebook.clone(), question, begun).await;
        self.remember(&ask, Some(index), begun, &done);
        done
    }
}

fn runs(cell: &CodeCell) -> bool {
    matches!(&cell.compiled, Some(Ok(compiled)) if compiled.model.runs() > 0)
}

/// A cell before it is run.
fn shown(model: &Model, index: usize) -> Cell {
    let cell = &model.cells[index];
    let error = match &cell.compiled {
        Some(Err(failure)) => Some(Error::failure(What::Query, failure, None, &cell.text)),
        _ => None,
    };
    Cell {
        index,
        kind: if cell.markdown { CellKind::Markdown } else { CellKind::Code },
        text: cell.text.clone(),
        query_name: None,
        answer: None,
        error,
        new_sources: cell.new_sources.clone(),
    }
}
