//! The fixed resources, and one template.

use async_trait::async_trait;
use kit_mcp::{
    Call, ResourceError, Resources,
    rmcp::model::{Resource, ResourceContents, ResourceTemplate},
};
use serde_json::json;

use crate::content::PNG;

/// What [`crate::changes`] says has changed.
pub(crate) const WATCHED: &str = "test://watched-resource";

const TEXT: &str = "test://static-text";
const BINARY: &str = "test://static-binary";
const TEMPLATE: &str = "test://template/{id}/data";

/// Resources whose contents never change, whatever is told about them.
pub(crate) struct Fixed;

#[async_trait]
impl Resources for Fixed {
    async fn list(&self, _: &Call) -> Result<Vec<Resource>, ResourceError> {
        Ok(vec![
            Resource::new(BINARY, "static-binary")
                .with_title("Static binary")
                .with_description("An image that never changes")
                .with_mime_type("image/png"),
            Resource::new(TEXT, "static-text")
                .with_title("Static text")
                .with_description("A text that never changes")
                .with_mime_type("text/plain"),
            Resource::new(WATCHED, "watched-resource")
                .with_title("Watched resource")
                .with_description("`touch_watched` tells its subscribers that it changed")
                .with_mime_type("text/plain"),
        ])
    }

    fn templates(&self) -> Vec<ResourceTemplate> {
        vec![
            ResourceTemplate::new(TEMPLATE, "template-data")
                .with_title("Data by id")
                .with_description("Says the id that it was asked for")
                .with_mime_type("application/json"),
        ]
    }

    async fn read(&self, _: &Call, uri: &str) -> Result<Vec<ResourceContents>, ResourceError> {
        let contents = match uri {
            TEXT => ResourceContents::text("This is the content of the static text resource.", uri)
                .with_mime_type("text/plain"),
            BINARY => ResourceContents::blob(PNG, uri).with_mime_type("image/png"),
            WATCHED => {
                ResourceContents::text("Watched resource content", uri).with_mime_type("text/plain")
            }
            _ => data_of(uri).ok_or_else(|| {
                ResourceError::unknown(uri, "`resources/list` names the resources there are")
            })?,
        };
        Ok(vec![contents])
    }

    async fn complete(&self, _: &str, _: &str, typed: &str) -> Vec<String> {
        starting_with(typed, &["123", "124", "200"])
    }

    async fn complete_prompt(&self, _: &str, _: &str, typed: &str) -> Vec<String> {
        starting_with(typed, &["paris", "park", "party"])
    }
}

/// The contents of `test://template/{id}/data`, if `uri` is one.
fn data_of(uri: &str) -> Option<ResourceContents> {
    let id = uri.strip_prefix("test://template/")?.strip_suffix("/data")?;
    let fits = !id.is_empty() && !id.contains('/');
    let text = json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") });
    fits.then(|| ResourceContents::text(text.to_string(), uri).with_mime_type("application/json"))
}

fn starting_with(typed: &str, words: &[&str]) -> Vec<String> {
    words.iter().filter(|word| word.starts_with(typed)).map(ToString::to_string).collect()
}
