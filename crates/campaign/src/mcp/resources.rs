//! What agents read and watch.

use std::sync::Arc;

use async_trait::async_trait;
use campaign_core::Code;
use kit_core::Fault;
use kit_mcp::{
    Call, ResourceError, Resources,
    rmcp::model::{Resource, ResourceContents, ResourceTemplate},
};
use serde_json::{Value, json};

pub(super) use super::uri::{CONTEXT, LIST};
use super::{context::Contexts, uri::Place};
use crate::{Backend, Caller, Error, EventQuery, PageRequest, wire};

const JSON: &str = "application/json";

/// The campaigns as resources.
pub(super) struct Library {
    pub(super) backend: Arc<dyn Backend>,
    pub(super) contexts: Contexts,
}

#[async_trait]
impl Resources for Library {
    async fn list(&self, call: &Call) -> Result<Vec<Resource>, ResourceError> {
        let mut all = vec![
            resource(LIST, "Campaigns", "All campaigns, in the order of their creation"),
            resource(CONTEXT, "Context", "What `set_context` has set for this session"),
        ];
        let campaigns = self.backend.list_campaigns(&caller(call), PageRequest::default()).await;
        for campaign in campaigns.map_err(|error| failed(LIST, error))?.items {
            all.push(resource(
                &format!("campaign://{}", campaign.id),
                &campaign.name,
                "A campaign",
            ));
        }
        Ok(all)
    }

    fn templates(&self) -> Vec<ResourceTemplate> {
        [
            ("campaign://{campaign_id}", "Campaign", "A campaign"),
            (
                "campaign://{campaign_id}/participants",
                "Participants",
                "Who takes part in a campaign",
            ),
            (
                "campaign://{campaign_id}/actors",
                "Actors",
                "The actors of a campaign, and who plays them",
            ),
            ("campaign://{campaign_id}/sessions", "Sessions", "The sessions of a campaign"),
            (
                "session://{session_id}/events",
                "Events",
                "The journal of a session, the newest entry first",
            ),
            ("actor://{actor_id}", "Actor", "An actor with sheet and state"),
        ]
        .into_iter()
        .map(|(uri, name, about)| {
            ResourceTemplate::new(uri, name).with_description(about).with_mime_type(JSON)
        })
        .collect()
    }

    async fn read(&self, call: &Call, uri: &str) -> Result<Vec<ResourceContents>, ResourceError> {
        let place = Place::parse(uri).map_err(|error| failed(uri, error))?;
        let value = self.value(call, place).await.map_err(|error| failed(uri, error))?;
        Ok(vec![ResourceContents::text(value.to_string(), uri).with_mime_type(JSON)])
    }

    async fn complete(&self, template: &str, variable: &str, typed: &str) -> Vec<String> {
        if variable != "campaign_id" || !template.starts_with("campaign://") {
            return Vec::new();
        }
        let caller = Caller::new(kit_core::Principal::local(), "mcp");
        let campaigns = self.backend.list_campaigns(&caller, PageRequest::default()).await;
        let ids = campaigns.into_iter().flat_map(|page| page.items).map(|c| c.id.to_string());
        ids.filter(|id| id.starts_with(typed)).collect()
    }
}

impl Library {
    async fn value(&self, call: &Call, place: Place) -> Result<Value, Error> {
        let (caller, all) = (&caller(call), PageRequest::default());
        Ok(match place {
            Place::Context => self.context(call),
            Place::Campaigns => {
                json!({"campaigns": self.backend.list_campaigns(caller, all).await?.items})
            }
            Place::Campaign(id) => {
                json!({"campaign": self.backend.get_campaign(caller, &id).await?})
            }
            Place::Participants(id) => {
                json!({"participants": self.backend.list_participants(caller, &id, all).await?.items})
            }
            Place::Sessions(id) => {
                json!({"sessions": self.backend.list_sessions(caller, &id, all).await?.items})
            }
            Place::Actors(id) => {
                let actors = self.backend.list_actors(caller, &id, all).await?.items;
                json!({"actors": actors.iter().map(listed).collect::<Vec<_>>()})
            }
            Place::Actor(id) => {
                let owner = self.owner(caller, &id, "actor_", "actor not found").await?;
                json!({"actor": self.backend.get_actor(caller, &owner, &id).await?})
            }
            Place::Events(id) => {
                let owner = self.owner(caller, &id, "sess_", "session not found").await?;
                self.events(caller, &owner, id).await?
            }
        })
    }

    fn context(&self, call: &Call) -> Value {
        let context = self.contexts.of(call).unwrap_or_default();
        let campaign = Some(context.campaign_id).filter(|id| !id.is_empty());
        json!({"context": {
            "campaign_id": campaign,
            "session_id": context.session_id,
            "participant_id": context.participant_id,
        }})
    }

    async fn owner(
        &self,
        caller: &Caller,
        id: &str,
        prefix: &str,
        missing: &'static str,
    ) -> Result<String, Error> {
        let owner =
            if id.starts_with(prefix) { self.backend.owner_of(caller, id).await? } else { None };
        owner.map(|id| id.to_string()).ok_or_else(|| Error::not_found(missing))
    }

    /// The whole journal of a session, the newest first.
    async fn events(&self, caller: &Caller, campaign: &str, id: String) -> Result<Value, Error> {
        let mut query =
            EventQuery { session_id: Some(id), limit: Some(1000), ..EventQuery::default() };
        let mut all = Vec::new();
        loop {
            let page = self.backend.events(caller, campaign, query.clone()).await?;
            all.extend(page.events.iter().map(event));
            match page.next {
                Some(before) => query.before = Some(before),
                None => return Ok(json!({"events": all})),
            }
        }
    }
}

/// An actor in the list: who it is and who plays it. `actor://{actor_id}` has the rest.
fn listed(actor: &wire::Actor) -> Value {
    let mut value = serde_json::to_value(actor).unwrap_or_default();
    if let Some(object) = value.as_object_mut() {
        object.retain(|key, _| !matches!(key.as_str(), "sheet" | "state"));
    }
    value
}

fn event(event: &wire::Event) -> Value {
    let value = serde_json::to_value(event).unwrap_or_default();
    let part = |key: &str| value.get(key).cloned().unwrap_or_default();
    json!({
        "session_id": part("session_id"),
        "seq": event.seq,
        "ts": part("ts"),
        "type": event.kind,
        "request_id": event.request_id,
        "invocation_id": event.invocation_id,
        "payload_json": event.payload.get(),
    })
}

fn caller(call: &Call) -> Caller {
    Caller::new(call.principal().clone(), "mcp")
}

fn resource(uri: &str, name: &str, about: &str) -> Resource {
    Resource::new(uri, name).with_description(about).with_mime_type(JSON)
}

/// The message begins with the code, and the address is in the data.
fn failed(uri: &str, error: impl Into<Error>) -> ResourceError {
    let error = error.into();
    if matches!(error.code, Code::Internal | Code::Unavailable) {
        tracing::error!(error = &error as &dyn std::error::Error, uri, "a resource was not read");
    }
    let mut report = error.report().with("uri", uri);
    report.error = format!("{}: {}", error.code.name(), error.message);
    ResourceError::new(error.kind(), report)
}
