//! What the tools take.

use kit_mcp::rmcp::schemars::{self, JsonSchema};
use malloy_model::Givens;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{At, Scope};

/// What `executeQuery` takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields, transform = without_defaults)]
pub(super) struct Execute {
    /// Project that has the package, mostly `home`.
    pub(super) project_name: String,
    /// Package that has the model.
    pub(super) package_name: String,
    /// Path of the model in its package, e.g. `flights.malloy`.
    pub(super) model_path: String,
    /// Malloy text with a `run:`. Instead of `queryName`.
    #[serde(default)]
    pub(super) query: String,
    /// Source that has the view named by `queryName`.
    #[serde(default)]
    pub(super) source_name: String,
    /// A view of `sourceName`, or without that a query of the model.
    #[serde(default)]
    pub(super) query_name: String,
    /// Values for the model's givens, by name.
    #[serde(default)]
    #[schemars(with = "Map<String, Value>")]
    pub(super) givens: Givens,
    /// At most so many rows, where the query has no `limit:`.
    #[serde(default)]
    #[schemars(schema_with = "count")]
    pub(super) row_limit: Option<u64>,
    /// What to answer: `full` (default) is the result, the model's definition and its styles; `result` leaves the latter
    /// two out; `stable` is the typed cells; `rows` is plain rows first, cut to what fits a context.
    #[serde(default)]
    pub(super) answer: Form,
    /// Whether to ask the database even where the same rows were kept a moment ago (`cachedAgeMs` tells how old they are).
    #[serde(default)]
    pub(super) fresh: bool,
}

/// The forms of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(super) enum Form {
    #[default]
    Full,
    Result,
    Stable,
    Rows,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct OfProject {
    /// Name of the project, from `malloy_projectList`.
    pub(super) project_name: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct OfPackage {
    /// Name of the project.
    pub(super) project_name: String,
    /// Name of the package, from `malloy_packageList`.
    pub(super) package_name: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct OfModel {
    /// Name of the project.
    pub(super) project_name: String,
    /// Name of the package.
    pub(super) package_name: String,
    /// Path of the model in its package, from `malloy_packageGet`.
    pub(super) model_path: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(transform = without_defaults)]
pub(super) struct Context {
    /// Only this project.
    #[serde(default)]
    pub(super) project_name: String,
    /// Only this package.
    #[serde(default)]
    pub(super) package_name: String,
    /// The question in plain words, e.g. `average fine per branch`. Without it, what there is, level by level.
    #[serde(default)]
    pub(super) query: String,
    /// Only this source and what it has.
    #[serde(default)]
    pub(super) source_name: String,
    /// At most so many items (default 20, at most 100).
    #[serde(default)]
    #[schemars(schema_with = "count")]
    pub(super) limit: Option<u64>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(transform = without_defaults)]
pub(super) struct Check {
    /// Name of the project.
    pub(super) project_name: String,
    /// Name of the package.
    pub(super) package_name: String,
    /// Path of the model that the text belongs to.
    pub(super) model_path: String,
    /// The Malloy text to check.
    pub(super) source: String,
    /// `append` (default): it stands below the model, as a query does; `file`: it is the model's new text; `package`: the
    /// same, and the other models are checked with it.
    #[serde(default)]
    pub(super) scope: CheckScope,
    /// Whether to tell the SQL of its last query.
    #[serde(default)]
    pub(super) include_sql: bool,
    /// Values for the model's givens, by name.
    #[serde(default)]
    #[schemars(with = "Map<String, Value>")]
    pub(super) givens: Givens,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(super) enum CheckScope {
    #[default]
    Append,
    File,
    Package,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(transform = without_defaults)]
pub(super) struct Tables {
    /// Project that has the connections (default: the first).
    #[serde(default)]
    pub(super) project_name: String,
    /// Only this connection.
    #[serde(default)]
    pub(super) connection_name: String,
    /// Package whose data files and own connections are looked at, too.
    #[serde(default)]
    pub(super) package_name: String,
    /// Only this schema.
    #[serde(default)]
    pub(super) schema_name: String,
    /// Only this table, with its columns.
    #[serde(default)]
    pub(super) table_name: String,
    /// Words that the table's name or columns have.
    #[serde(default)]
    pub(super) search_query: String,
    /// At most so many tables (default 20, at most 100).
    #[serde(default)]
    #[schemars(schema_with = "count")]
    pub(super) limit: Option<u64>,
    /// How many to pass over.
    #[serde(default)]
    #[schemars(schema_with = "offset")]
    pub(super) offset: u64,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(transform = without_defaults)]
pub(super) struct Docs {
    /// What you want to do, or a word of the language, e.g. `nest`, `filter by date`.
    pub(super) query: String,
    /// At most so many passages (default 3, at most 10).
    #[serde(default)]
    #[schemars(schema_with = "count")]
    pub(super) limit: Option<u64>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

impl OfModel {
    pub(super) fn at(&self) -> At {
        At::new(&self.project_name, &self.package_name, &self.model_path)
    }
}

impl From<CheckScope> for Scope {
    fn from(scope: CheckScope) -> Self {
        match scope {
            CheckScope::Append => Self::Append,
            CheckScope::File => Self::File,
            CheckScope::Package => Self::Package,
        }
    }
}

/// What is absent is absent: a default of nothing would only be read, and sent.
fn without_defaults(schema: &mut schemars::Schema) {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for property in properties.into_iter().flat_map(|all| all.values_mut()) {
        if let Some(property) = property.as_object_mut() {
            property.remove("default");
        }
    }
}

/// A whole number from 1, without the format that some hosts refuse.
fn count(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"type": "integer", "minimum": 1})
}

fn offset(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"type": "integer", "minimum": 0})
}
