//! Queries, and texts that are only checked.

use axum::{extract::State, response::Response};
use malloy_model::Givens;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::{
    Api,
    answer::large,
    failure::Failure,
    input::{self, Asked, Caller, InFile, Path, Search},
};
use crate::{Ask, At, CompileAsk, Scope, wire};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ResultsSearch {
    query: Option<String>,
    source_name: Option<String>,
    query_name: Option<String>,
    givens: Option<String>,
    row_limit: Option<u64>,
    fresh: Option<String>,
}

/// `GET /queryResults/{path}`: what the first servers gave, and what later ones do, each part as JSON text.
pub(super) async fn results(
    State(api): State<Api>,
    asked: Asked,
    caller: Caller,
    Path(file): Path<InFile>,
    Search(search): Search<ResultsSearch>,
) -> Result<Response, Failure> {
    let ResultsSearch { query, source_name, query_name, givens, row_limit, fresh } = search;
    let what = wire::asked(query.as_deref(), source_name.as_deref(), query_name.as_deref())?;
    let ask = Ask {
        at: file.at(),
        what,
        givens: input::givens(givens.as_deref())?,
        row_limit,
        by: caller.by(input::is_set(fresh.as_deref())),
    };
    let answer = api.service.query(ask).await?;
    let resource = asked.path().to_owned();
    large(api.service.config().max_bytes, move || {
        let mut made = json!({
            "dataStyles": wire::styles_text(&answer.model),
            "modelDef": wire::definition_text(&answer.model),
            "queryResult": wire::raw_text(&answer),
            "result": wire::stable_text(&answer),
            "resource": resource,
        });
        if let Value::Object(made) = &mut made {
            made.extend(wire::about_answer(&answer));
        }
        made
    })
    .await
}

/// What is sent to be run. What else there is, is for other servers.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct QueryBody {
    query: Option<String>,
    source_name: Option<String>,
    query_name: Option<String>,
    #[serde(default)]
    compact_json: Option<bool>,
    givens: Option<Givens>,
    row_limit: Option<u64>,
    fresh: Option<bool>,
    version_id: Option<Value>,
    filter_params: Option<Value>,
}

/// `POST /models/{path}/query`.
pub(super) async fn query(
    api: &Api,
    asked: &Asked,
    caller: Caller,
    at: At,
    body: Value,
) -> Result<Response, Failure> {
    let body: QueryBody = fit(body)?;
    input::refuse_version(body.version_id.as_ref())?;
    let filters = body.filter_params.as_ref();
    if filters.and_then(Value::as_object).is_some_and(|filters| !filters.is_empty()) {
        return Err(Failure::bad(
            "`filterParams` are not served; declare a `given:` and send `givens`",
        ));
    }
    let names = (body.source_name.as_deref(), body.query_name.as_deref());
    let what = wire::asked(body.query.as_deref(), names.0, names.1)?;
    let ask = Ask {
        at,
        what,
        givens: body.givens.unwrap_or_default(),
        row_limit: body.row_limit,
        by: caller.by(body.fresh.unwrap_or_default()),
    };
    let answer = api.service.query(ask).await?;
    let resource = asked.path().to_owned();
    let compact = body.compact_json.unwrap_or_default();
    let correlation = uuid::Uuid::now_v7().to_string();
    large(api.service.config().max_bytes, move || {
        let result = if compact {
            serde_json::to_string(&*answer.rows).unwrap_or_default()
        } else {
            wire::stable_text(&answer)
        };
        let mut made = json!({
            "result": result,
            "resource": resource,
            "queryCorrelationId": correlation,
        });
        if let Value::Object(made) = &mut made {
            made.extend(wire::about_answer(&answer));
        }
        made
    })
    .await
}

/// What is sent to be checked.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CompileBody {
    source: String,
    scope: Option<ScopeWord>,
    #[serde(default)]
    include_sql: Option<bool>,
    givens: Option<Givens>,
    version_id: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum ScopeWord {
    Append,
    File,
    Package,
}

/// `POST /models/{path}/compile`.
pub(super) async fn compile(
    api: &Api,
    caller: Caller,
    at: At,
    body: Value,
) -> Result<Response, Failure> {
    let body: CompileBody = fit(body)?;
    input::refuse_version(body.version_id.as_ref())?;
    let scope = match body.scope {
        None | Some(ScopeWord::Append) => Scope::Append,
        Some(ScopeWord::File) => Scope::File,
        Some(ScopeWord::Package) => Scope::Package,
    };
    let path = at.path.clone();
    let report = api
        .service
        .compile(CompileAsk {
            at,
            source: body.source,
            scope,
            include_sql: body.include_sql.unwrap_or_default(),
            givens: body.givens.unwrap_or_default(),
            caller: caller.principal,
        })
        .await?;
    large(api.service.config().max_bytes, move || wire::report(&path, &report)).await
}

/// The body as what it has to be.
fn fit<T: DeserializeOwned>(body: Value) -> Result<T, Failure> {
    serde_json::from_value(body)
        .map_err(|why| Failure::bad(format!("the body does not fit: {why}")))
}
