//! Prompts: questions to a model that come with the schema they need.

use kit_mcp::rmcp::{
    self, ErrorData,
    handler::server::wrapper::Parameters,
    model::{ContentBlock, PromptMessage, Role},
    prompt, prompt_router,
    schemars::{self, JsonSchema},
};
use publisher_core::uri::{Part, Place};
use serde::Deserialize;

use super::{failure, schema};
use crate::{At, Service};

#[derive(Clone)]
pub(super) struct Prompts {
    pub(super) service: Service,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Explain {
    /// The Malloy query to explain
    query_code: String,
    /// URI of the model that it asks, e.g. `malloy://project/home/package/p/models/m.malloy`
    #[serde(default)]
    #[schemars(with = "String")]
    model_context_uri: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Generate {
    /// What the query should answer, in plain words
    natural_language_goal: String,
    /// URI of the model to ask
    target_model_uri: String,
    /// Sources, views or fields that are probably of use
    #[serde(default)]
    #[schemars(with = "String")]
    data_source_hints: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Translate {
    /// The SQL to translate
    sql_query: String,
    /// URI of the model that has the data
    target_model_uri: String,
    /// What the SQL is written for, e.g. DuckDB
    #[serde(default)]
    #[schemars(with = "String")]
    sql_dialect: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Summarize {
    /// URI of the model to summarize
    model_uri: String,
}

type Messages = Result<Vec<PromptMessage>, ErrorData>;

#[prompt_router(router = "router", vis = "pub(super)")]
impl Prompts {
    /// Explain what a Malloy query asks and what its result means
    #[prompt(name = "explain-malloy-query@1.0.0")]
    async fn explain(&self, Parameters(input): Parameters<Explain>) -> Messages {
        let schema = match given(input.model_context_uri.as_ref()) {
            Some(uri) => self.schema(uri).await?,
            None => String::new(),
        };
        Ok(user(format!(
            "Explain this Malloy query to somebody who knows the business but not the language: what it asks, which fields it \
             groups by and aggregates, what its filters leave out, how nested parts relate to the rest, and how to read a \
             row of its result. Say so if something about it is probably a mistake.\n\n{}{schema}",
            fenced("malloy", &input.query_code)
        )))
    }

    /// Write a Malloy query that answers a question in plain words
    #[prompt(name = "generate-malloy-query-from-description@1.0.0")]
    async fn generate(&self, Parameters(input): Parameters<Generate>) -> Messages {
        let schema = self.schema(&input.target_model_uri).await?;
        let hints = given(input.data_source_hints.as_ref());
        let hints = hints.map(|hints| format!("\n\nProbably of use: {hints}")).unwrap_or_default();
        Ok(user(format!(
            "Write one Malloy query that answers the question below, using only the sources, fields and views of the model \
             below. Prefer its measures and views over writing calculations anew. Answer with the query alone, beginning with \
             `run:`; check it with `malloy_compile` if you can, then run it with `malloy_executeQuery`.\n\n\
             Question: {}{hints}{schema}",
            input.natural_language_goal
        )))
    }

    /// Translate SQL to a Malloy query over a model
    #[prompt(name = "translate-sql-to-malloy@1.0.0")]
    async fn translate(&self, Parameters(input): Parameters<Translate>) -> Messages {
        let schema = self.schema(&input.target_model_uri).await?;
        let dialect = given(input.sql_dialect.as_ref()).unwrap_or("SQL");
        Ok(user(format!(
            "Translate this {dialect} statement to one Malloy query over the model below. Use the model's joins instead of \
             joining anew and its measures instead of repeating their calculations; name columns as the statement does. \
             Answer with the query, beginning with `run:`, and then name whatever could not be translated faithfully.\n\n\
             {}{schema}",
            fenced("sql", &input.sql_query)
        )))
    }

    /// Summarize what a model is about and what it can answer
    #[prompt(name = "summarize-malloy-model@1.0.0")]
    async fn summarize(&self, Parameters(input): Parameters<Summarize>) -> Messages {
        let schema = self.schema(&input.model_uri).await?;
        Ok(user(format!(
            "Summarize this Malloy model for an analyst who has not seen it: what it is about, the sources and how they are \
             joined, the measures and dimensions that matter most, the views that are ready to run, and five questions that \
             it can answer, each with the query that answers it.{schema}"
        )))
    }
}

impl Prompts {
    /// The schema of the model that an address names.
    async fn schema(&self, uri: &str) -> Result<String, ErrorData> {
        let invalid = || ErrorData::invalid_params(format!("Invalid Malloy URI: {uri}"), None);
        let place = Place::parse(uri).ok_or_else(invalid)?;
        let (package, path) = match (&place.part, place.package(), place.path()) {
            (Part::Notebook { .. }, ..) => return Err(invalid()),
            (_, Some(package), Some(path)) => (package, path),
            _ => return Err(invalid()),
        };
        let found = self.service.model(&At::new(&place.project, package, path)).await;
        let model = found.map_err(|error| {
            let advice = failure::of_resource(&place, uri, &error);
            let data = serde_json::json!({"suggestions": advice.suggestions});
            ErrorData::invalid_params(
                format!("Invalid Malloy URI: {uri}: {}", advice.error),
                Some(data),
            )
        })?;
        Ok(format!("\n\nThe model `{path}` of package `{package}`:\n\n{}", schema::of(&model)))
    }
}

fn given(text: Option<&String>) -> Option<&str> {
    text.map(String::as_str).filter(|text| !text.trim().is_empty())
}

fn user(text: String) -> Vec<PromptMessage> {
    vec![PromptMessage::new(Role::User, ContentBlock::text(text))]
}

/// A text in a fence that it cannot end itself.
fn fenced(language: &str, text: &str) -> String {
    let fence = if text.contains("```") { "````" } else { "```" };
    format!("{fence}{language}\n{}\n{fence}", text.trim_end())
}
