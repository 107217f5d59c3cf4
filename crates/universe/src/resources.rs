//! What agents can read and watch: the documents, and every universe in three views.
//!
//! There is no tool to find a universe; this list is where their ids come from.

use async_trait::async_trait;
use chrono::DateTime;
use kit_mcp::{
    Call, ResourceError, Resources,
    rmcp::model::{Annotations, Resource, ResourceContents, ResourceTemplate},
};
use universe_core::UniverseId;

use crate::{
    Service,
    manual::DOCUMENTS,
    service::Summary,
    wire::{self, Detail},
};

/// All universes in one document.
pub(crate) const LIST: &str = "universe://";

/// How many changes the history shows.
const CHANGES: usize = 25;

/// A way to look at a universe: its template, what is added to the universe's URI, title and description.
struct View {
    template: &'static str,
    tail: &'static str,
    title: &'static str,
    about: &'static str,
}

static VIEWS: &[View] = &[
    View {
        template: "universe://{id}",
        tail: "",
        title: "Universe",
        about: "A universe with its name, its times and its whole state",
    },
    View {
        template: "universe://{id}/summary",
        tail: "/summary",
        title: "Summary of a universe",
        about: "Counts, systems and groups of a universe in a few lines: begin here",
    },
    View {
        template: "universe://{id}/history",
        tail: "/history",
        title: "History of a universe",
        about: "The last changes: who did what, by which surface, at which revision",
    },
];

/// Where a universe can be read and watched.
pub(crate) fn views(id: &str) -> impl Iterator<Item = String> {
    VIEWS.iter().map(move |view| format!("{LIST}{id}{}", view.tail))
}

/// The resources of this application.
pub(crate) struct Library {
    pub(crate) service: Service,
}

impl Library {
    async fn look(&self, rest: &str) -> Result<String, ResourceError> {
        if rest.is_empty() {
            return Ok(wire::listing(&self.service.summaries().await?));
        }
        if let Some(id) = rest.strip_suffix("/summary") {
            let record = self.service.get(&UniverseId::from(id)).await?;
            return Ok(wire::summary(record).await);
        }
        if let Some(id) = rest.strip_suffix("/history") {
            let page = self.service.history(&UniverseId::from(id), None, CHANGES).await?;
            return Ok(wire::history(&page));
        }
        let record = self.service.get(&UniverseId::from(rest)).await?;
        Ok(wire::record(record, Detail::Full).await)
    }
}

#[async_trait]
impl Resources for Library {
    async fn list(&self, _: &Call) -> Result<Vec<Resource>, ResourceError> {
        let documents = DOCUMENTS.iter().map(|document| {
            Resource::new(document.uri(), document.title)
                .with_description(document.about)
                .with_mime_type("text/markdown")
        });
        let list = Resource::new(LIST, "Universes")
            .with_description("All universes with id, name, revision and clock, the newest first")
            .with_mime_type("application/json");
        let universes = self.service.summaries().await?;
        Ok(documents.chain([list]).chain(universes.iter().map(universe)).collect())
    }

    fn templates(&self) -> Vec<ResourceTemplate> {
        let template = |view: &View| {
            ResourceTemplate::new(view.template, view.title)
                .with_description(view.about)
                .with_mime_type("application/json")
        };
        VIEWS.iter().map(template).collect()
    }

    async fn read(&self, _: &Call, uri: &str) -> Result<Vec<ResourceContents>, ResourceError> {
        if let Some(rest) = uri.strip_prefix(LIST) {
            let text = self.look(rest).await?;
            return Ok(vec![ResourceContents::text(text, uri).with_mime_type("application/json")]);
        }
        let Some(document) = DOCUMENTS.iter().find(|document| document.uri() == uri) else {
            return Err(ResourceError::unknown(uri, "`resources/list` has the URIs"));
        };
        let contents = ResourceContents::text(document.text(), uri);
        Ok(vec![contents.with_mime_type("text/markdown")])
    }

    async fn complete(&self, template: &str, variable: &str, typed: &str) -> Vec<String> {
        if variable != "id" || !VIEWS.iter().any(|view| view.template == template) {
            return Vec::new();
        }
        let universes = self.service.summaries().await.unwrap_or_default();
        let ids = universes.iter().map(|universe| universe.id.as_str());
        ids.filter(|id| id.starts_with(typed)).map(str::to_owned).collect()
    }
}

fn universe(universe: &Summary) -> Resource {
    let changed = DateTime::from_timestamp_millis(universe.updated_at).unwrap_or_default();
    let Summary { id, revision, .. } = universe;
    let about =
        format!("Universe `{id}`, at revision {revision}; `{LIST}{id}/summary` is the short form");
    Resource::new(format!("{LIST}{id}"), &*universe.name)
        .with_description(about)
        .with_mime_type("application/json")
        .with_annotations(Annotations::for_resource(0.5, changed))
}
