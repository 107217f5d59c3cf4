//! A short guide to the language, found by words.

use kit_mcp::rmcp::{self, handler::server::wrapper::Parameters, tool, tool_router};
use publisher_core::context::{Entity, Kind, rank};
use serde_json::{Value, json};

use super::{Tools, answer::Object, input::Docs};

const GUIDE: &str = include_str!("guide.md");

#[tool_router(router = docs, vis = "pub(super)")]
impl Tools {
    /// Look up how something is written in Malloy: queries, filters, dates, nesting, joins, annotations, common errors. Gives
    /// short passages with examples.
    #[tool(
        name = "malloy_searchDocs",
        title = "Look up the language",
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn search_docs(&self, Parameters(input): Parameters<Docs>) -> Object<Value> {
        let most = usize::try_from(input.limit.unwrap_or(3).min(10)).unwrap_or_default();
        Object(found(&input.query, most))
    }
}

fn found(query: &str, most: usize) -> Value {
    let passages = passages();
    let ranked = rank(&passages, query);
    let shown: Vec<Value> = ranked
        .iter()
        .take(most)
        .map(|(place, score)| {
            let passage = &passages[*place];
            json!({"title": passage.name, "text": passage.doc, "score": score})
        })
        .collect();
    let mut answer = json!({"passages": shown});
    if shown_nothing(&answer) {
        let titles: Vec<_> = passages.iter().map(|passage| passage.name.as_str()).collect();
        answer["titles"] = json!(titles);
        answer["hint"] = json!("no passage has these words; these are all there are");
    }
    answer
}

fn shown_nothing(answer: &Value) -> bool {
    answer["passages"].as_array().is_none_or(Vec::is_empty)
}

/// The passages of the guide: each begins with a heading, under which words for the same may stand in a comment.
fn passages() -> Vec<Entity> {
    GUIDE
        .split("\n## ")
        .skip(1)
        .map(|passage| {
            let (title, text) = passage.split_once('\n').unwrap_or((passage, ""));
            let (words, text) = match text.trim_start().strip_prefix("<!--") {
                Some(rest) => rest.split_once("-->").unwrap_or((rest, "")),
                None => ("", text),
            };
            Entity {
                kind: Kind::Source,
                name: title.trim().to_owned(),
                source: None,
                model_path: String::new(),
                doc: text.trim().to_owned(),
                r#type: None,
                annotations: String::new(),
                // As in names: these are what people look for.
                fields: vec![words.trim().to_owned(); 4],
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(query: &str) -> String {
        found(query, 3)["passages"][0]["title"].as_str().unwrap_or_default().to_owned()
    }

    #[test]
    fn passages_are_found_by_what_one_wants_to_do() {
        for (query, title) in [
            ("nest a query in another", "Nesting"),
            ("filter by date range", "Dates and times"),
            ("top 10", "Ordering and limits"),
            ("join tables", "Joins"),
            ("bar chart", "Render tags"),
            ("pick when else", "Case distinctions: pick"),
            ("how do I count distinct", "Aggregates"),
        ] {
            assert_eq!(first(query), title, "{query}");
        }
    }

    #[test]
    fn whoever_finds_nothing_sees_what_there_is() {
        let answer = found("zeppelin", 3);
        assert!(answer["titles"].as_array().unwrap().len() > 10);
    }

    #[test]
    fn every_passage_has_a_title_and_an_example() {
        for passage in passages() {
            assert!(!passage.name.is_empty() && passage.doc.contains('`'), "{}", passage.name);
            assert!(passage.doc.len() < 1500, "{} is no short passage", passage.name);
        }
    }
}
