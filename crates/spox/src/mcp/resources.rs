//! The files of the project as resources.

use std::borrow::Cow;

use async_trait::async_trait;
use kit_mcp::{
    Call, ResourceError, Resources,
    rmcp::model::{Resource, ResourceContents, ResourceTemplate},
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::{Error, Service};

pub(crate) const SPECS: &str = "spox://specs";
pub(crate) const CHANGES: &str = "spox://changes";
const MISSION: &str = "spox://mission";
const SPEC: &str = "spox://specs/{spec_id}";
const CHANGE: &str = "spox://changes/{change_id}";

const JSON: &str = "application/json";
const MARKDOWN: &str = "text/markdown";

const ESCAPED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b'/');

/// Where a spec is read.
pub(crate) fn spec_uri(id: &str) -> String {
    format!("{SPECS}/{}", utf8_percent_encode(id, ESCAPED))
}

/// Where a change is read.
pub(crate) fn change_uri(id: &str) -> String {
    format!("{CHANGES}/{}", utf8_percent_encode(id, ESCAPED))
}

pub(super) struct Library {
    pub(super) service: Service,
}

#[async_trait]
impl Resources for Library {
    async fn list(&self, _: &Call) -> Result<Vec<Resource>, ResourceError> {
        let mut all = vec![
            resource(SPECS, "Specs", "All specs with title and purpose", JSON),
            resource(CHANGES, "Changes", "All active changes with their progress", JSON),
        ];
        // Without a project there is nothing more to list, and the tools say what to do.
        let Ok(snapshot) = self.service.ask(Service::snapshot).await else { return Ok(all) };
        if snapshot.mission().is_file() {
            all.push(resource(MISSION, "Mission", "What the project is for", MARKDOWN));
        }
        for spec in &snapshot.specs {
            let uri = spec_uri(&spec.file.id);
            all.push(resource(&uri, &spec.outline().title, "A spec", MARKDOWN));
        }
        for change in &snapshot.changes {
            let uri = change_uri(&change.parsed.id);
            all.push(resource(&uri, &change.parsed.title, "An active change", JSON));
        }
        Ok(all)
    }

    fn templates(&self) -> Vec<ResourceTemplate> {
        let template = |uri: &str, name: &str, about: &str, kind: &str| {
            ResourceTemplate::new(uri, name).with_description(about).with_mime_type(kind)
        };
        vec![
            template(SPEC, "Spec", "A spec as it is written", MARKDOWN),
            template(CHANGE, "Change", "A change: proposal, tasks, design, deltas", JSON),
        ]
    }

    async fn read(&self, _: &Call, uri: &str) -> Result<Vec<ResourceContents>, ResourceError> {
        let asked = uri.to_owned();
        let (text, kind) = self.service.ask(move |service| Ok(read(service, &asked))).await??;
        Ok(vec![ResourceContents::text(text, uri).with_mime_type(kind)])
    }

    async fn complete(&self, template: &str, _: &str, typed: &str) -> Vec<String> {
        let Ok(snapshot) = self.service.ask(Service::snapshot).await else { return Vec::new() };
        let ids: Vec<_> = match template {
            SPEC => snapshot.specs.iter().map(|spec| spec.file.id.clone()).collect(),
            CHANGE => snapshot.changes.iter().map(|change| change.parsed.id.clone()).collect(),
            _ => Vec::new(),
        };
        ids.into_iter().filter(|id| id.starts_with(typed)).collect()
    }
}

fn read(service: &Service, uri: &str) -> Result<(String, &'static str), ResourceError> {
    let unknown = || ResourceError::unknown(uri, "`resources/list` has them all");
    let json = |text: serde_json::Result<String>| text.map_err(|_| unknown());
    if uri == SPECS {
        return Ok((json(serde_json::to_string_pretty(&service.list_specs()?))?, JSON));
    }
    if uri == CHANGES {
        return Ok((json(serde_json::to_string_pretty(&service.list_changes()?))?, JSON));
    }
    if uri == MISSION {
        let path = service.snapshot()?.mission();
        return Ok((std::fs::read_to_string(path).map_err(|_| unknown())?, MARKDOWN));
    }
    let id = |prefix: &str| {
        let rest = uri.strip_prefix(prefix)?.strip_prefix('/')?;
        percent_decode_str(rest).decode_utf8().ok().map(Cow::into_owned)
    };
    if let Some(id) = id(SPECS) {
        let snapshot = service.snapshot()?;
        let spec = snapshot.spec(&id).ok_or_else(unknown)?;
        let text = spec.file.source.text().ok_or_else(unknown)?;
        return Ok((text.to_string(), MARKDOWN));
    }
    if let Some(id) = id(CHANGES) {
        return match service.change(&id, None) {
            Ok(change) => Ok((json(serde_json::to_string_pretty(&change))?, JSON)),
            Err(Error::UnknownChange { .. }) => Err(unknown()),
            Err(other) => Err(other.into()),
        };
    }
    Err(unknown())
}

fn resource(uri: &str, name: &str, about: &str, kind: &str) -> Resource {
    Resource::new(uri, name).with_description(about).with_mime_type(kind)
}
