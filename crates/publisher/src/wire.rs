//! JSON that the surfaces share: models, notebooks, answers, errors. The formats themselves are in `publisher-core`.

use malloy::Issue;
use publisher_core::{
    compiled::{Compiled, model_def},
    info,
    result::{Rows, raw::Raw, stable::Stable},
};
use serde_json::{Map, Value, json};

use crate::{Answer, Asked, Cell, CellKind, CompileReport, Error, Model, Notebook, Package, What};

/// The rows of an answer with what is known of them.
pub(crate) fn rows(answer: &Answer) -> Rows<'_> {
    let query = &*answer.query;
    let base = query.sources.get(query.pipeline.base.0 as usize);
    let source = base.and_then(|base| {
        answer.model.outline.sources.iter().find(|source| source.name == base.name)
    });
    Rows {
        query,
        rows: &answer.rows,
        sql: &answer.sql,
        dialect: answer.package.dialect(&answer.connection),
        malloy: &answer.malloy_text,
        model_notes: answer.model.compiled().map_or(&[], |compiled| compiled.model.annotations()),
        source_notes: source.map_or(&[], |source| &source.notes.all),
        row_limit: answer.row_limit,
        limit_hit: answer.limit_hit,
    }
}

/// The raw result (6.1) as JSON text.
pub(crate) fn raw_text(answer: &Answer) -> String {
    serde_json::to_string(&Raw(rows(answer))).unwrap_or_default()
}

/// The stable result (6.2) as JSON text.
pub(crate) fn stable_text(answer: &Answer) -> String {
    serde_json::to_string(&Stable(rows(answer))).unwrap_or_default()
}

/// The definition of a model as JSON text.
pub(crate) fn definition_text(model: &Model) -> String {
    model_def(&model.path, &model.outline).to_string()
}

/// The data styles of a model as JSON text.
pub(crate) fn styles_text(model: &Model) -> String {
    Value::Object(model.data_styles.clone()).to_string()
}

/// The compiled model (4.1).
pub(crate) fn model(package: &Package, model: &Model) -> Map<String, Value> {
    with_stale(compiled(package, model).model(), model)
}

/// A notebook (4.1) with its cells.
pub(crate) fn notebook(notebook: &Notebook) -> Map<String, Value> {
    let model = &notebook.model;
    let mut made = compiled(&notebook.package, model).notebook(model.has_code());
    let cells: Vec<Value> = notebook.cells.iter().map(|each| cell(each).into()).collect();
    made.insert("notebookCells".to_owned(), cells.into());
    with_stale(made, model)
}

/// A cell of a notebook, with what it gave or what is wrong with it.
pub(crate) fn cell(cell: &Cell) -> Map<String, Value> {
    let kind = match cell.kind {
        CellKind::Markdown => "markdown",
        CellKind::Code => "code",
    };
    let mut made = object(json!({"type": kind, "text": &*cell.text}));
    if let Some(name) = &cell.query_name {
        made.insert("queryName".to_owned(), json!(name));
    }
    if let Some(answer) = &cell.answer {
        made.insert("queryResult".to_owned(), json!(raw_text(answer)));
        made.insert("result".to_owned(), json!(stable_text(answer)));
        made.extend(about_answer(answer));
    }
    if !cell.new_sources.is_empty() {
        let sources = cell.new_sources.iter().map(|source| info::source_info(source).to_string());
        made.insert("newSources".to_owned(), sources.map(Value::from).collect());
    }
    if let Some(error) = &cell.error {
        made.insert("error".to_owned(), Value::Object(failure(error)));
    }
    made
}

/// What is told of an answer beside its rows: what was run, how long it took, what was cut.
pub(crate) fn about_answer(answer: &Answer) -> Map<String, Value> {
    let millis = |time: std::time::Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let mut made = object(json!({
        "sql": answer.sql,
        "malloy": answer.malloy_text,
        "queryRowLimit": answer.row_limit,
        "queryRowLimitSource": answer.limit_source,
        "limitHit": answer.limit_hit,
        "executionTimeMs": millis(answer.elapsed),
        "servedFrom": if answer.cached_age.is_some() { "cache" } else { "database" },
    }));
    if let Some(age) = answer.cached_age {
        made.insert("cachedAgeMs".to_owned(), json!(millis(age)));
    }
    if !answer.warnings.is_empty() {
        made.insert("warnings".to_owned(), json!(answer.warnings));
    }
    made
}

/// What is to be run, from the three ways of saying it. An empty text counts as none.
pub(crate) fn asked(
    query: Option<&str>,
    source: Option<&str>,
    name: Option<&str>,
) -> Result<Asked, Error> {
    let given = |text: Option<&str>| text.filter(|text| !text.is_empty()).map(str::to_owned);
    match (given(query), given(name)) {
        (Some(_), Some(_)) => {
            Err(Error::new(What::Request, "Cannot provide both 'query' and 'queryName'")
                .hint("send `query` with Malloy text, or `queryName` with a name"))
        }
        // A source beside a text says nothing that the text does not.
        (Some(text), None) => Ok(Asked::Text(text)),
        (None, Some(query)) => Ok(Asked::Named { source: given(source), query }),
        (None, None) => Err(Error::new(
            What::Request,
            "Either 'query' or both 'sourceName' and 'queryName' must be provided",
        )
        .hint("`query` is Malloy text such as `run: flights -> by_carrier`")),
    }
}

/// What a check of a text found.
pub(crate) fn report(path: &str, report: &CompileReport) -> Value {
    let problems: Vec<Value> = report.problems.iter().map(|issue| problem(path, issue)).collect();
    let status = if report.is_ok() { "success" } else { "error" };
    let mut made = json!({"status": status, "problems": problems});
    if let Some(sql) = &report.sql {
        made["sql"] = json!(sql);
    }
    made
}

/// What is wrong with the models of a package.
pub(crate) fn problems(found: &[(String, Vec<Issue>)]) -> Vec<Value> {
    let of_model = |(path, issues): &(String, Vec<Issue>)| {
        issues.iter().map(|issue| problem(path, issue)).collect::<Vec<_>>()
    };
    found.iter().flat_map(of_model).collect()
}

/// One thing that is wrong in a text. Lines and characters count from 0, as editors' protocols do.
fn problem(path: &str, issue: &Issue) -> Value {
    let model = issue.file.as_deref().unwrap_or(path);
    let mut made = json!({
        "message": issue.message,
        "severity": if issue.is_error { "error" } else { "warn" },
        "code": issue.code,
        "model": model,
    });
    if let (Some(line), Some(column)) = (issue.line, issue.column) {
        let place = json!({"line": line.saturating_sub(1), "character": column.saturating_sub(1)});
        made["at"] = json!({"url": model, "range": {"start": place, "end": place}});
    }
    if let Some(help) = &issue.help {
        made["help"] = json!(help);
    }
    made
}

/// An error on the wire: `code` and `message` first, as clients read them, then what helps.
pub(crate) fn failure(error: &Error) -> Map<String, Value> {
    let mut made = object(json!({
        "code": error.status(),
        "message": error.message,
        "kind": error.what,
        "suggestions": error.near,
    }));
    if let Some(hint) = &error.hint {
        made.insert("hint".to_owned(), json!(hint));
    }
    if let Some(place) = &error.place {
        let mut at = json!(place);
        at["shown"] = json!(place.shown());
        made.insert("place".to_owned(), at);
    }
    if error.issues.len() > 1 {
        made.insert("problems".to_owned(), json!(error.issues));
    }
    made
}

fn compiled<'a>(package: &'a Package, model: &'a Model) -> Compiled<'a> {
    Compiled {
        package: &package.name,
        path: &model.path,
        outline: &model.outline,
        data_styles: &model.data_styles,
        text: &model.text,
    }
}

/// Says so where an edit broke the file and what was there before is served.
fn with_stale(mut made: Map<String, Value>, model: &Model) -> Map<String, Value> {
    if let Some(stale) = &model.stale {
        made.insert("stale".to_owned(), json!(stale));
    }
    made
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}
