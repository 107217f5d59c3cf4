//! What goes in and comes out.

use serde_json::{Map, Value, json};

fn object(required: &[&str], properties: Value) -> Value {
    let mut made = json!({"type": "object", "required": required});
    made["properties"] = properties;
    made
}

fn text(about: &str) -> Value {
    json!({"type": "string", "description": about})
}

fn json_text(about: &str) -> Value {
    json!({"type": "string", "contentMediaType": "application/json", "description": about})
}

fn list_of(name: &str) -> Value {
    json!({"type": "array", "items": to(name)})
}

fn to(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

fn number(about: &str) -> Value {
    json!({"type": "integer", "minimum": 0, "description": about})
}

fn flag(about: &str) -> Value {
    json!({"type": "boolean", "description": about})
}

/// Members that stand beside the rows of an answer.
fn about_answer(mut properties: Value) -> Value {
    let more = json!({
        "sql": text("The SQL that was run."),
        "malloy": text("The text that was run."),
        "queryRowLimit": number("At most so many rows."),
        "queryRowLimitSource": {"enum": ["query", "request", "server_default"]},
        "limitHit": flag("Whether there are more rows than are here."),
        "executionTimeMs": number("How long it took."),
        "servedFrom": {"enum": ["database", "cache"]},
        "cachedAgeMs": number("How old the rows are, if they were kept."),
        "warnings": {"type": "array", "items": {"type": "object"}},
    });
    if let (Value::Object(properties), Value::Object(more)) = (&mut properties, more) {
        properties.extend(more);
    }
    properties
}

/// Schemas by name.
pub(super) fn schemas() -> Map<String, Value> {
    let mut all = Map::new();
    for (name, schema) in [errors(), models(), answers(), connections(), server()].concat() {
        all.insert(name.to_owned(), schema);
    }
    all
}

type Named = Vec<(&'static str, Value)>;

fn errors() -> Named {
    vec![
        (
            "Error",
            object(
                &["code", "message", "suggestions"],
                json!({
                    "code": {"type": "integer", "minimum": 400, "maximum": 599, "description": "The HTTP status."},
                    "message": text("What went wrong, and where. Never a path of the server's."),
                    "suggestions": {"type": "array", "items": {"type": "string"}, "description": "Names that were probably meant."},
                    "hint": text("The next step."),
                    "kind": text("The kind of error, in one word."),
                    "place": to("Place"),
                    "problems": {"type": "array", "items": {"type": "object"}, "description": "All that is wrong with a text."},
                    "title": {"type": "string"}, "status": {"type": "integer"}, "detail": {"type": "string"},
                }),
            ),
        ),
        (
            "Place",
            object(
                &["line", "column", "text"],
                json!({
                    "file": text("Relative to the package; absent for the text that was sent."),
                    "line": number("From 1."),
                    "column": number("From 1."),
                    "text": text("The line."),
                    "shown": text("The line, and a caret below."),
                }),
            ),
        ),
        (
            "Problem",
            object(
                &["message", "severity", "code", "model"],
                json!({
                    "message": {"type": "string"}, "severity": {"enum": ["error", "warn"]},
                    "code": text("Stable, for programs."), "model": text("The file."), "help": text("The way out."),
                    "at": {"type": "object", "description": "`url` and `range`; lines and characters count from 0."},
                }),
            ),
        ),
        (
            "Stale",
            object(
                &["message", "failedAt"],
                json!({"message": text("What an edit broke. What was there before is served."), "failedAt": number("Milliseconds since 1970.")}),
            ),
        ),
    ]
}

fn models() -> Named {
    let notes = json!({"type": "array", "items": {"type": "string"}, "description": "Annotations of this file, each with its line break."});
    let compiled = json!({
        "type": {"enum": ["source", "notebook"]},
        "packageName": {"type": "string"},
        "modelPath": {"type": "string"},
        "malloyVersion": {"type": "string"},
        "dataStyles": json_text("Render hints."),
        "modelDef": json_text("Names, kinds and types of what the model has."),
        "modelInfo": json_text("`{entries, anonymous_queries}` with schemas."),
        "sourceInfos": {"type": "array", "items": json_text("A source with its schema.")},
        "sources": list_of("SourceRef"),
        "queries": list_of("QueryRef"),
        "givens": {"type": "array", "items": {"type": "object", "required": ["name", "type"]}},
        "text": text("The file."),
        "stale": to("Stale"),
    });
    let mut notebook = compiled.clone();
    notebook["notebookCells"] = list_of("Cell");
    let head = ["type", "packageName", "modelPath", "malloyVersion", "dataStyles"];
    let model = [&head[..], &["modelDef", "sources", "queries"]].concat();
    vec![
        (
            "ProjectRef",
            object(
                &["name", "resource"],
                json!({"name": {"type": "string"}, "resource": {"type": "string"}}),
            ),
        ),
        (
            "Project",
            object(
                &["name", "resource", "readme"],
                json!({"name": {"type": "string"}, "resource": {"type": "string"}, "readme": {"type": "string"}}),
            ),
        ),
        (
            "ProjectBody",
            object(
                &["name"],
                json!({"name": {"type": "string"}, "packages": list_of("PackageBody"), "connections": list_of("Connection")}),
            ),
        ),
        (
            "Package",
            object(
                &["resource", "name", "description"],
                json!({
                    "resource": {"type": "string"}, "name": {"type": "string"}, "description": {"type": "string"},
                    "error": to("Error"), "stale": to("Stale"),
                    "readme": text("Its README.md; of one package, not in lists."),
                    "warnings": {"type": "array", "items": {"type": "string"}},
                    "version": text("What its manifest calls its version."),
                    "problems": {"type": "array", "items": to("Problem"), "description": "After a reload: what is wrong, model by model."},
                }),
            ),
        ),
        (
            "PackageChange",
            object(&["location"], json!({"location": text("A folder below the server root.")})),
        ),
        (
            "PackageBody",
            object(
                &["name"],
                json!({"name": {"type": "string"}, "location": text("A folder."), "description": {"type": "string"}}),
            ),
        ),
        (
            "File",
            object(
                &["projectName", "packageName", "path", "type"],
                json!({"projectName": {"type": "string"}, "packageName": {"type": "string"}, "path": {"type": "string"}, "type": {"enum": ["source", "notebook"]}, "error": to("Error"), "stale": to("Stale")}),
            ),
        ),
        (
            "SourceRef",
            object(
                &["name", "views"],
                json!({"name": {"type": "string"}, "annotations": notes, "views": list_of("ViewRef")}),
            ),
        ),
        ("ViewRef", object(&["name"], json!({"name": {"type": "string"}, "annotations": notes}))),
        (
            "QueryRef",
            object(
                &["name"],
                json!({"name": {"type": "string"}, "annotations": notes, "sourceName": {"type": "string"}}),
            ),
        ),
        ("Model", object(&model, compiled)),
        ("Notebook", object(&[&head[..], &["notebookCells"]].concat(), notebook)),
        (
            "Cell",
            object(
                &["type", "text"],
                about_answer(json!({
                    "type": {"enum": ["markdown", "code"]},
                    "text": {"type": "string"},
                    "index": number("From 0; where one cell was asked for."),
                    "queryName": {"type": "string"},
                    "queryResult": json_text("The raw result."),
                    "result": json_text("The stable result."),
                    "newSources": {"type": "array", "items": json_text("A source that the cell brought in.")},
                    "error": to("Error"),
                })),
            ),
        ),
        (
            "Database",
            object(
                &["path", "size", "type"],
                json!({
                    "path": {"type": "string"}, "size": number("Bytes."), "type": {"const": "embedded"},
                    "info": object(&["name", "rowCount", "columns"], json!({"name": {"type": "string"}, "rowCount": number("Rows."), "columns": list_of("Column")})),
                    "error": to("Error"),
                }),
            ),
        ),
        (
            "Schedule",
            object(
                &["resource", "schedule", "action", "connection", "lastRunTime", "lastRunStatus"],
                json!({"resource": {"type": "string"}, "schedule": {"type": "string"}, "action": {"enum": ["materialize", "report"]}, "connection": {"type": "string"}, "lastRunTime": {"type": "integer"}, "lastRunStatus": {"type": "string"}}),
            ),
        ),
    ]
}

fn answers() -> Named {
    let asked = json!({
        "query": text("Malloy text with a `run:`; without `queryName`."),
        "sourceName": text("The source whose view is run."),
        "queryName": text("A view of the source, or a query of the model. A name, not code."),
        "givens": {"type": "object", "description": "Values for the givens of the model."},
        "rowLimit": number("At most so many rows, where the query does not say it itself."),
        "fresh": flag("Whether the database is asked even where the same rows were kept."),
        "compactJson": flag("Whether `result` is the list of rows alone."),
    });
    vec![
        ("QueryBody", object(&[], asked)),
        (
            "QueryAnswer",
            object(
                &[
                    "result",
                    "resource",
                    "sql",
                    "malloy",
                    "queryRowLimit",
                    "queryRowLimitSource",
                    "limitHit",
                    "executionTimeMs",
                ],
                about_answer(
                    json!({"result": json_text("The stable result."), "resource": {"type": "string"}, "queryCorrelationId": {"type": "string"}}),
                ),
            ),
        ),
        (
            "QueryResults",
            object(
                &["dataStyles", "modelDef", "queryResult", "result", "resource"],
                about_answer(json!({
                    "dataStyles": json_text("Render hints."), "modelDef": json_text("The definition of the model."),
                    "queryResult": json_text("The raw result."), "result": json_text("The stable result."), "resource": {"type": "string"},
                })),
            ),
        ),
        (
            "CompileBody",
            object(
                &["source"],
                json!({
                    "source": text("The text."),
                    "scope": {"enum": ["append", "file", "package"], "description": "Below the model, in its place, or that and the other models."},
                    "includeSql": flag("Whether the SQL of the last query is wanted."),
                    "givens": {"type": "object"},
                }),
            ),
        ),
        (
            "CompileAnswer",
            object(
                &["status", "problems"],
                json!({"status": {"enum": ["success", "error"]}, "problems": list_of("Problem"), "sql": {"type": "string"}}),
            ),
        ),
    ]
}

fn connections() -> Named {
    vec![
        (
            "Connection",
            object(
                &["name", "type"],
                json!({"name": {"type": "string"}, "type": {"type": "string"}, "attributes": {"type": "object"}}),
            ),
        ),
        (
            "Tested",
            object(
                &["status"],
                json!({"status": {"enum": ["ok", "failed"]}, "errorMessage": {"type": "string"}}),
            ),
        ),
        (
            "StatementBody",
            object(
                &["sqlStatement"],
                json!({"sqlStatement": {"type": "string"}, "options": {"description": "An object or its JSON text; `rowLimit` is read."}}),
            ),
        ),
        ("Source", object(&["source"], json!({"source": json_text("The schema.")}))),
        ("Data", object(&["data"], json!({"data": json_text("`{rows, totalRows}`.")}))),
        ("Table", object(&["table"], json!({"table": json_text("The name.")}))),
        (
            "Schema",
            object(
                &["name", "isDefault", "isHidden"],
                json!({"name": {"type": "string"}, "isDefault": {"type": "boolean"}, "isHidden": {"type": "boolean"}}),
            ),
        ),
        (
            "Column",
            object(
                &["name", "type"],
                json!({"name": {"type": "string"}, "type": {"type": "string"}}),
            ),
        ),
        (
            "TableInfo",
            object(
                &["resource", "source", "columns"],
                json!({"resource": {"type": "string"}, "source": json_text("The schema."), "columns": list_of("Column")}),
            ),
        ),
    ]
}

fn server() -> Named {
    vec![
        (
            "Status",
            object(
                &[
                    "timestamp",
                    "initialized",
                    "operationalState",
                    "environments",
                    "frozenConfig",
                    "loadErrors",
                ],
                json!({
                    "timestamp": number("Milliseconds since 1970."), "initialized": {"type": "boolean"},
                    "operationalState": {"enum": ["initializing", "serving", "throttled", "draining"]},
                    "frozenConfig": {"type": "boolean"}, "projects": {"type": "array", "items": {"type": "string"}},
                    "environments": {"type": "array", "items": object(&["name", "packages"], json!({"name": {"type": "string"}, "packages": {"type": "array", "items": {"type": "object"}}}))},
                    "loadErrors": {"type": "array", "items": object(&["environment", "message"], json!({"environment": {"type": "string"}, "package": {"type": "string"}, "modelPath": {"type": "string"}, "message": {"type": "string"}, "stale": {"type": "boolean"}, "failedAt": {"type": "integer"}}))},
                    "version": {"type": "string"},
                }),
            ),
        ),
        (
            "PastQuery",
            object(
                &[
                    "id",
                    "at",
                    "caller",
                    "surface",
                    "by",
                    "project",
                    "package",
                    "modelPath",
                    "malloy",
                    "rows",
                    "elapsedMs",
                ],
                json!({"id": {"type": "integer"}, "at": {"type": "integer"}, "caller": {"type": "string"}, "surface": {"enum": ["page", "rest", "mcp", "cli"]}, "by": {"enum": ["person", "agent", "program"]}, "cell": number("Of the notebook that `modelPath` is, from 0."), "project": {"type": "string"}, "package": {"type": "string"}, "modelPath": {"type": "string"}, "malloy": {"type": "string"}, "rows": {"type": "integer"}, "elapsedMs": {"type": "integer"}, "cached": {"type": "boolean"}, "error": {"type": "string"}}),
            ),
        ),
        (
            "Change",
            object(
                &["kind"],
                json!({"kind": {"enum": ["package_loaded", "package_failed", "packages", "projects", "connections", "query"]}, "project": {"type": "string"}, "package": {"type": "string"}}),
            ),
        ),
        (
            "WatchBody",
            object(
                &[],
                json!({"projectName": text("The project to watch; all without one."), "environmentName": text("The same.")}),
            ),
        ),
        (
            "Watching",
            object(
                &["enabled", "environments"],
                json!({"enabled": {"type": "boolean"}, "environments": {"type": "array", "items": {"type": "string"}}}),
            ),
        ),
        ("Document", json!({"type": "object", "required": ["openapi", "paths"]})),
        ("Up", object(&["status"], json!({"status": {"const": "UP"}}))),
    ]
}

/// Parameters by name.
pub(super) fn parameters() -> Map<String, Value> {
    let in_path = |name: &str, about: &str| json!({"name": name, "in": "path", "required": true, "description": about, "schema": {"type": "string"}});
    let in_query = |name: &str, about: &str, ty: &str| json!({"name": name, "in": "query", "description": about, "schema": {"type": ty}});
    let all = [
        in_path("project", "The name of a project."),
        in_path("package", "The name of a package."),
        in_path(
            "path",
            "The path of a file in its package. A `/` in it may stand as it is, or as `%2F`.",
        ),
        in_path("index", "The number of a cell, from 0."),
        in_path("connection", "The name of a connection."),
        in_path("schema", "The name of a schema."),
        in_path("table", "The name of a table."),
        in_query("reload", "`true`: compile anew.", "boolean"),
        in_query("query", "Malloy text with a `run:`; without `queryName`.", "string"),
        in_query("sourceName", "The source whose view is run.", "string"),
        in_query("queryName", "A view of the source, or a query of the model.", "string"),
        in_query("givens", "Values for givens: a JSON object as text.", "string"),
        in_query("rowLimit", "At most so many rows.", "integer"),
        in_query(
            "fresh",
            "`true`: ask the database even where the same rows were kept.",
            "boolean",
        ),
        in_query("run", "`false`: the cells as they stand.", "boolean"),
        in_query("sqlStatement", "A statement in SQL.", "string"),
        in_query("options", "A JSON object as text; `rowLimit` is read.", "string"),
        in_query("tableKey", "A name for the table.", "string"),
        in_query("tablePath", "The path of the table, as a model writes it.", "string"),
        in_query(
            "projectName",
            "Whose connection of that name has the secrets that were not changed.",
            "string",
        ),
        in_query("limit", "At most so many.", "integer"),
    ];
    all.into_iter()
        .map(|parameter| (parameter["name"].as_str().unwrap_or_default().to_owned(), parameter))
        .collect()
}
