//! State, variables, guides and the project's own documents, under `ui://`.

use async_trait::async_trait;
use kit_mcp::{
    Call, ResourceError, Resources,
    rmcp::model::{Resource, ResourceContents, ResourceTemplate},
};
use percent_encoding::percent_decode_str;

use crate::{Error, Service, documents, guides, tools};

const SCHEME: &str = "ui://";
pub(crate) const STATE: &str = "ui://state";
const VARIABLES: &str = "ui://variables";
const STATE_OF: &str = "ui://state/{sessionId}";
const VARIABLES_OF: &str = "ui://variables/{sessionId}";
const DOCUMENT: &str = "ui://{path}";

const JSON: &str = "application/json";
const MARKDOWN: &str = "text/markdown";

/// Where the state of a session is read.
pub(crate) fn state_uri(session: &str) -> String {
    format!("{STATE}/{session}")
}

pub(super) struct Library {
    pub(super) service: Service,
}

#[async_trait]
impl Resources for Library {
    async fn list(&self, _: &Call) -> Result<Vec<Resource>, ResourceError> {
        let mut all = vec![
            resource(STATE, "State", "Current JSON state of session 1", JSON),
            resource(
                VARIABLES,
                "Variables",
                "All tracked variables of session 1, parents first",
                JSON,
            ),
        ];
        for guide in &guides::ALL {
            let uri = format!("{SCHEME}{}", guide.name);
            all.push(resource(&uri, guide.title, guide.about, MARKDOWN));
        }
        let service = self.service.clone();
        let own = tokio::task::spawn_blocking(move || documents::list(&service)).await;
        for name in own.unwrap_or_default() {
            let kind = documents::content_type(&name);
            all.push(resource(
                &format!("{SCHEME}{name}"),
                &name,
                "A document of the project",
                kind,
            ));
        }
        Ok(all)
    }

    fn templates(&self) -> Vec<ResourceTemplate> {
        let template = |uri: &str, name: &str, about: &str| {
            ResourceTemplate::new(uri, name).with_description(about)
        };
        vec![
            template(STATE_OF, "State of a session", "Current JSON state of the session")
                .with_mime_type(JSON),
            template(
                VARIABLES_OF,
                "Variables of a session",
                "All tracked variables, parents first",
            )
            .with_mime_type(JSON),
            template(DOCUMENT, "Document", "A file of the project's `resources` folder"),
        ]
    }

    async fn read(&self, _: &Call, uri: &str) -> Result<Vec<ResourceContents>, ResourceError> {
        let Some(path) = uri.strip_prefix(SCHEME) else {
            return Err(ResourceError::unknown(uri, "`resources/list` says what can be read"));
        };
        let path = percent_decode_str(path).decode_utf8().map_err(|_| Error::ResourcePath)?;
        if let Some(session) = of_session(&path, "state") {
            let state = self.service.state(session).await?;
            return Ok(text(uri, format!("{state:#}"), JSON));
        }
        if let Some(session) = of_session(&path, "variables") {
            let variables = self.service.variables(session).await?.list;
            return Ok(text(uri, format!("{variables:#}"), JSON));
        }
        let (service, path) = (self.service.clone(), path.into_owned());
        let read = tokio::task::spawn_blocking(move || documents::read(&service, &path)).await;
        let (content, kind) = read.map_err(|_| Error::Internal("reading failed".to_owned()))??;
        Ok(match String::from_utf8(content) {
            Ok(content) => text(uri, content, kind),
            Err(binary) => {
                vec![ResourceContents::blob(base64(binary.as_bytes()), uri).with_mime_type(kind)]
            }
        })
    }

    async fn complete(&self, template: &str, _: &str, typed: &str) -> Vec<String> {
        let all = match template {
            STATE_OF | VARIABLES_OF => self.service.session_ids(),
            DOCUMENT => {
                let service = self.service.clone();
                let own = tokio::task::spawn_blocking(move || documents::list(&service)).await;
                own.unwrap_or_default()
            }
            _ => Vec::new(),
        };
        all.into_iter().filter(|name| name.starts_with(typed)).collect()
    }
}

/// The session that a path such as `state` or `state/2` is about.
fn of_session<'a>(path: &'a str, what: &str) -> Option<&'a str> {
    let rest = path.strip_prefix(what)?;
    match rest.strip_prefix('/') {
        Some(id) => Some(id),
        None => rest.is_empty().then_some(tools::FIRST),
    }
}

fn text(uri: &str, text: String, kind: &str) -> Vec<ResourceContents> {
    vec![ResourceContents::text(text, uri).with_mime_type(kind)]
}

fn resource(uri: &str, name: &str, about: &str, kind: &str) -> Resource {
    Resource::new(uri, name).with_description(about).with_mime_type(kind)
}

fn base64(bytes: &[u8]) -> String {
    data_encoding::BASE64.encode(bytes)
}
