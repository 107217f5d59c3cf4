//! Connections, and what can be asked of a database directly.

use axum::{
    extract::{FromRequest, FromRequestParts as _, Request, State},
    response::{IntoResponse as _, Response},
};
use http::{Method, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Api,
    answer::Json,
    failure::Failure,
    input::{Asked, Caller, Path, Search, Sent},
};
use crate::{ColumnInfo, Error, Reach, SchemaInfo, What};

/// A connection of a project, or one that a package sees.
#[derive(Deserialize)]
pub(super) struct Place {
    project: String,
    package: Option<String>,
    connection: Option<String>,
    schema: Option<String>,
    table: Option<String>,
}

impl Place {
    fn reach(&self) -> Reach {
        Reach {
            project: self.project.clone(),
            package: self.package.clone(),
            connection: self.connection.clone().unwrap_or_default(),
        }
    }
}

pub(super) async fn list(
    State(api): State<Api>,
    Path(place): Path<Place>,
) -> Result<Json<Vec<Value>>, Failure> {
    let all = api.service.connections(&place.project, place.package.as_deref()).await?;
    Ok(Json(all.into_iter().map(|connection| connection.shown).collect()))
}

pub(super) async fn read(
    State(api): State<Api>,
    Path(place): Path<Place>,
) -> Result<Json<Value>, Failure> {
    Ok(Json(api.service.connection(&place.reach()).await?.shown))
}

/// Nothing where it works.
pub(super) async fn test(
    State(api): State<Api>,
    Path(place): Path<Place>,
) -> Result<StatusCode, Failure> {
    api.service.test_connection(&place.reach()).await?;
    Ok(StatusCode::OK)
}

/// Whose connection of that name is meant, for secrets that were not changed.
#[derive(Deserialize)]
pub(super) struct OfProject {
    #[serde(rename = "projectName", alias = "environmentName")]
    project_name: Option<String>,
}

/// `POST /connections/test`: one that nobody has yet. That it does not work is an answer, not an error.
pub(super) async fn test_new(
    State(api): State<Api>,
    Search(of): Search<OfProject>,
    Sent(connection): Sent<Value>,
) -> Result<Json<Value>, Failure> {
    match api.service.test_new_connection(of.project_name.as_deref(), &connection).await {
        Ok(()) => Ok(Json(json!({"status": "ok"}))),
        Err(error) if matches!(error.what, What::Database | What::Run | What::TimedOut) => {
            Ok(Json(json!({"status": "failed", "errorMessage": error.message})))
        }
        Err(error) => Err(error.into()),
    }
}

/// A statement, in the query string or in the body.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Statement {
    #[serde(rename = "sqlStatement")]
    sql: Option<String>,
    /// An object, or its JSON text.
    options: Option<Value>,
    table_key: Option<String>,
    table_path: Option<String>,
}

impl<S: Send + Sync> FromRequest<S> for Statement {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Self, Failure> {
        if request.method() == Method::POST {
            let Sent(statement) = Sent::from_request(request, state).await?;
            return Ok(statement);
        }
        let (mut parts, _) = request.into_parts();
        let Search(statement) = Search::from_request_parts(&mut parts, state).await?;
        Ok(statement)
    }
}

impl Statement {
    fn sql(&self) -> Result<&str, Failure> {
        let sql = self.sql.as_deref().filter(|sql| !sql.trim().is_empty());
        sql.ok_or_else(|| Failure::bad("`sqlStatement` is missing"))
    }

    /// The number of rows that the options allow. What else they say is for other servers.
    fn row_limit(&self) -> Result<Option<u64>, Failure> {
        let options = match &self.options {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::String(text)) if text.is_empty() => return Ok(None),
            Some(Value::String(text)) => serde_json::from_str(text)
                .map_err(|why| Failure::bad(format!("`options` is not JSON: {why}")))?,
            Some(options) => options.clone(),
        };
        match options.get("rowLimit") {
            None | Some(Value::Null) => Ok(None),
            Some(limit) => limit
                .as_u64()
                .map(Some)
                .ok_or_else(|| Failure::bad("`rowLimit` has to be a whole number")),
        }
    }
}

pub(super) async fn sql_source(
    State(api): State<Api>,
    Path(place): Path<Place>,
    statement: Statement,
) -> Result<Json<Value>, Failure> {
    let reach = place.reach();
    let sql = statement.sql()?;
    let columns = api.service.sql_source(&reach, sql).await?;
    let source = json!({
        "type": "sql_select",
        "name": "sql_select",
        "connection": reach.connection,
        "selectStr": sql,
        "fields": fields(&columns),
    });
    Ok(Json(json!({"source": source.to_string()})))
}

pub(super) async fn table_source(
    State(api): State<Api>,
    Path(place): Path<Place>,
    statement: Statement,
) -> Result<Json<Value>, Failure> {
    let reach = place.reach();
    let given = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    let path = given(&statement.table_path).or_else(|| given(&statement.table_key));
    let path = path.ok_or_else(|| Failure::bad("`tablePath` is missing"))?;
    let columns = api.service.table_source(&reach, &path).await?;
    let key = given(&statement.table_key).unwrap_or_else(|| path.clone());
    Ok(Json(json!({"source": table_def(&reach, &key, &path, &columns).to_string()})))
}

pub(super) async fn query_data(
    State(api): State<Api>,
    caller: Caller,
    Path(place): Path<Place>,
    statement: Statement,
) -> Result<Json<Value>, Failure> {
    let limit = statement.row_limit()?;
    let (reach, sql) = (place.reach(), statement.sql()?);
    let data = api.service.query_data(&reach, sql, limit, &caller.principal).await?;
    let inner = json!({
        "rows": data.rows,
        "totalRows": data.rows.len(),
        "columns": data.columns,
        "limitHit": data.limit_hit,
    });
    let inner = inner.to_string();
    let most = api.service.config().max_bytes;
    if inner.len() > most {
        let message = format!("the answer has {} bytes, and {most} is the most", inner.len());
        return Err(Error::new(What::TooLarge, message)
            .hint("add a LIMIT to the statement")
            .into());
    }
    Ok(Json(json!({"data": inner})))
}

/// The name of a table that was made of a select, as statements write it.
pub(super) async fn temporary_table(
    State(api): State<Api>,
    caller: Caller,
    Path(place): Path<Place>,
    statement: Statement,
) -> Result<Json<Value>, Failure> {
    let (reach, sql) = (place.reach(), statement.sql()?);
    let table = api.service.temporary_table(&reach, sql, &caller.principal).await?;
    Ok(Json(json!({"table": json!(table).to_string()})))
}

pub(super) async fn schemas(
    State(api): State<Api>,
    Path(place): Path<Place>,
) -> Result<Json<Vec<SchemaInfo>>, Failure> {
    Ok(Json(api.service.schemas(&place.reach()).await?))
}

pub(super) async fn tables(
    State(api): State<Api>,
    Path(place): Path<Place>,
) -> Result<Json<Vec<String>>, Failure> {
    let schema = place.schema.as_deref().unwrap_or_default();
    Ok(Json(api.service.tables(&place.reach(), schema).await?))
}

/// One table with its columns.
pub(super) async fn table(
    State(api): State<Api>,
    asked: Asked,
    Path(place): Path<Place>,
) -> Result<Response, Failure> {
    let (schema, table) = (place.schema.clone().unwrap_or_default(), place.table.clone());
    let table = table.unwrap_or_default();
    let reach = place.reach();
    // A file of the package is called by its path; it is in no schema.
    let path =
        if schema.is_empty() || table.starts_with(&format!("{schema}.")) || table.contains('/') {
            table.clone()
        } else {
            format!("{schema}.{table}")
        };
    let columns = api.service.table_source(&reach, &path).await?;
    let source = table_def(&reach, &table, &path, &columns).to_string();
    let made = json!({"resource": asked.path(), "source": source, "columns": columns});
    Ok(Json(made).into_response())
}

fn table_def(reach: &Reach, key: &str, path: &str, columns: &[ColumnInfo]) -> Value {
    json!({
        "type": "table",
        "name": key,
        "tablePath": path,
        "connection": reach.connection,
        "fields": fields(columns),
    })
}

/// Columns as definitions have them: `number:integer` is a `number` whose `numberType` is `integer`.
fn fields(columns: &[ColumnInfo]) -> Vec<Value> {
    let field = |column: &ColumnInfo| {
        let (ty, rest) = column.ty.split_once(':').unwrap_or((&column.ty, ""));
        let mut made = json!({"name": column.name, "type": ty});
        match (ty, rest) {
            ("number", "integer" | "bigint") => made["numberType"] = json!("integer"),
            ("number", "decimal") => made["numberType"] = json!("float"),
            ("sql", name) => {
                made = json!({"name": column.name, "type": "sql native", "rawType": name});
            }
            _ => {}
        }
        made
    };
    columns.iter().map(field).collect()
}
