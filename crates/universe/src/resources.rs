//! What agents can read and watch: the documents, and every universe.
//!
//! There is no tool to find a universe; this list is where their ids come from.

use async_trait::async_trait;
use chrono::DateTime;
use kit_mcp::{
    Call, ResourceError, Resources,
    rmcp::model::{Annotations, Resource, ResourceContents, ResourceTemplate},
};
use kit_store::StreamInfo;
use serde_json::Value;
use universe_core::UniverseId;

use crate::{
    Service,
    manual::DOCUMENTS,
    wire::{self, Detail},
};

const SCHEME: &str = "universe://";
const TEMPLATE: &str = "universe://{id}";

/// Where a universe can be read and watched.
pub(crate) fn uri(id: &str) -> String {
    format!("{SCHEME}{id}")
}

/// The resources of this application.
pub(crate) struct Library {
    pub(crate) service: Service,
}

#[async_trait]
impl Resources for Library {
    async fn list(&self, _: &Call) -> Result<Vec<Resource>, ResourceError> {
        let documents = DOCUMENTS.iter().map(|document| {
            Resource::new(document.uri(), document.title)
                .with_description(document.about)
                .with_mime_type("text/markdown")
        });
        let universes = self.service.summaries().await?;
        Ok(documents.chain(universes.iter().map(universe)).collect())
    }

    fn templates(&self) -> Vec<ResourceTemplate> {
        vec![
            ResourceTemplate::new(TEMPLATE, "Universe")
                .with_description("A universe with its name, its times and its whole state")
                .with_mime_type("application/json"),
        ]
    }

    async fn read(&self, _: &Call, uri: &str) -> Result<Vec<ResourceContents>, ResourceError> {
        if let Some(id) = uri.strip_prefix(SCHEME) {
            let record = self.service.get(&UniverseId::from(id)).await?;
            let text = wire::record(record, Detail::Full).await;
            return Ok(vec![ResourceContents::text(text, uri).with_mime_type("application/json")]);
        }
        let Some(document) = DOCUMENTS.iter().find(|document| document.uri() == uri) else {
            return Err(ResourceError::unknown(uri, "`resources/list` has the URIs"));
        };
        let contents = ResourceContents::text(document.text(), uri);
        Ok(vec![contents.with_mime_type("text/markdown")])
    }

    async fn complete(&self, template: &str, variable: &str, typed: &str) -> Vec<String> {
        if (template, variable) != (TEMPLATE, "id") {
            return Vec::new();
        }
        let universes = self.service.summaries().await.unwrap_or_default();
        let ids = universes.iter().map(|info| info.stream.id());
        ids.filter(|id| id.starts_with(typed)).map(str::to_owned).collect()
    }
}

fn universe(info: &StreamInfo) -> Resource {
    let name = info.head.get("name").and_then(Value::as_str).unwrap_or("a universe");
    let changed = DateTime::from_timestamp_millis(info.updated_at).unwrap_or_default();
    Resource::new(uri(info.stream.id()), name)
        .with_description(format!("Universe `{}`, at revision {}", info.stream.id(), info.version))
        .with_mime_type("application/json")
        .with_annotations(Annotations::for_resource(0.5, changed))
}
