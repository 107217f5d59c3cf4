//! Notebooks, whole or by the cell.

use axum::{
    extract::State,
    response::{IntoResponse as _, Response},
};
use malloy_model::Givens;
use serde::Deserialize;
use serde_json::Value;

use super::{
    Api,
    answer::{Json, large},
    failure::Failure,
    input::{Caller, InFile, InPackage, Path, Search, givens, is_set},
    models::listed,
};
use crate::{At, By, ModelKind, Run, wire};

pub(super) async fn list(
    State(api): State<Api>,
    Path(InPackage { project, package }): Path<InPackage>,
) -> Result<Json<Vec<Value>>, Failure> {
    let package = api.service.package(&project, &package).await?;
    let notebooks = package.models.values().filter(|model| model.kind == ModelKind::Notebook);
    Ok(Json(notebooks.map(|model| listed(&project, &package.name, model)).collect()))
}

#[derive(Deserialize)]
pub(super) struct NotebookSearch {
    /// `false`: the cells as they stand.
    run: Option<String>,
    givens: Option<String>,
    fresh: Option<String>,
}

/// `GET /notebooks/{path}` and `/notebooks/{path}/cells/{index}`.
pub(super) async fn read(
    State(api): State<Api>,
    caller: Caller,
    Path(file): Path<InFile>,
    Search(search): Search<NotebookSearch>,
) -> Result<Response, Failure> {
    let At { project, package, path } = file.at();
    let givens = givens(search.givens.as_deref())?;
    let by = caller.by(is_set(search.fresh.as_deref()));
    let Some((path, index)) = path.rsplit_once("/cells/") else {
        let run = match search.run.as_deref() {
            Some("false" | "0" | "no" | "off") => Run::Nothing,
            _ => Run::All,
        };
        return run_whole(&api, &At { project, package, path }, run, &givens, &by).await;
    };
    let index = index
        .parse()
        .map_err(|_| Failure::bad(format!("`{index}` is not the number of a cell")))?;
    let at = At { project, package, path: path.to_owned() };
    let notebook = api.service.notebook(&at, Run::Cell(index), &givens, &by).await?;
    large(api.service.config().max_bytes, move || {
        let mut made = notebook.cells.first().map(wire::cell).unwrap_or_default();
        made.insert("index".to_owned(), index.into());
        made
    })
    .await
}

/// A notebook with its cells.
pub(super) async fn whole(
    api: &Api,
    at: &At,
    run: Run,
    caller: &Caller,
) -> Result<Response, Failure> {
    run_whole(api, at, run, &Givens::new(), &caller.by(false)).await
}

async fn run_whole(
    api: &Api,
    at: &At,
    run: Run,
    givens: &Givens,
    by: &By,
) -> Result<Response, Failure> {
    let notebook = api.service.notebook(at, run, givens, by).await?;
    let most = api.service.config().max_bytes;
    Ok(large(most, move || wire::notebook(&notebook)).await?.into_response())
}
