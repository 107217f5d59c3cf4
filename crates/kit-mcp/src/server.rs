//! One or several applications as one MCP server.
#![expect(deprecated, reason = "logging serves the revisions that still have it")]

use std::sync::Arc;

use kit_core::Principal;
use rmcp::model::{Implementation, InitializeResult as ServerConfig, ServerCapabilities};

use crate::{
    App, Hub, Limits, Metrics,
    catalog::Catalog,
    handler::{Accepted, Handler, Origin},
    members,
    tasks::Tasks,
};

/// How a server presents itself.
#[derive(Debug, Clone)]
pub struct Identity {
    pub name: String,
    pub title: Option<String>,
    pub version: String,
    pub instructions: Option<String>,
}

/// What a server shares with its host.
#[derive(Clone, Default)]
pub struct Options {
    pub hub: Hub,
    pub limits: Limits,
    pub metrics: Metrics,
}

/// An MCP server, not yet bound to a transport. Cloning shares it.
#[derive(Clone)]
pub struct Server {
    pub(crate) core: Arc<Core>,
}

pub(crate) struct Core {
    pub(crate) catalog: Catalog,
    pub(crate) config: ServerConfig,
    pub(crate) hub: Hub,
    pub(crate) limits: Limits,
    pub(crate) metrics: Metrics,
    pub(crate) tasks: Arc<Tasks>,
}

impl Server {
    /// One application under its own tool names.
    pub fn single(app: App, options: Options) -> Self {
        let identity = Identity {
            name: app.server_name.to_owned(),
            title: app.title.map(str::to_owned),
            version: app.version.to_owned(),
            instructions: app.instructions.clone(),
        };
        let (description, mut members) = (app.description, app.members.clone());
        let mut server = Self::new(&identity, Catalog::single(app), options);
        if let Some(core) = Arc::get_mut(&mut server.core) {
            let info = &mut core.config.server_info;
            info.description = description.map(str::to_owned);
            if !members.is_empty() {
                members.extend(info.title.take().map(|title| ("title".to_owned(), title.into())));
                info.title = Some(members::as_title(members));
            }
        }
        server
    }

    /// Several applications on one endpoint. A tool is listed with its application's name in front and can be
    /// called by its own name as well, unless two applications have it. Unless the identity has instructions, they are those
    /// of the applications, one after the other.
    pub fn combined(identity: &Identity, apps: Vec<App>, options: Options) -> Self {
        let own = identity.instructions.clone();
        let identity = Identity { instructions: own.or_else(|| of_all(&apps)), ..identity.clone() };
        Self::new(&identity, Catalog::combined(apps), options)
    }

    fn new(identity: &Identity, catalog: Catalog, options: Options) -> Self {
        let Options { hub, limits, metrics } = options;
        let config = config(identity, &catalog);
        let tasks = Arc::new(Tasks::new(&limits));
        Self { core: Arc::new(Core { catalog, config, hub, limits, metrics, tasks }) }
    }

    pub(crate) fn handler(&self, origin: Origin) -> Handler {
        Handler { core: self.core.clone(), origin, accepted: Accepted::default() }
    }

    /// A handler for requests that name their principal in the HTTP request, or none at all.
    pub(crate) fn unbound_handler(&self) -> Handler {
        self.handler(Origin::unbound(Principal::local()))
    }
}

fn of_all(apps: &[App]) -> Option<String> {
    let each = apps.iter().filter_map(|app| {
        let text = app.instructions.as_deref()?;
        Some(format!(
            "{} (tools begin with `{}_`): {text}",
            app.title.unwrap_or(app.name),
            app.prefix
        ))
    });
    let all: Vec<_> = each.collect();
    (!all.is_empty()).then(|| all.join("\n\n"))
}

fn config(identity: &Identity, catalog: &Catalog) -> ServerConfig {
    let mut capabilities = ServerCapabilities::builder()
        .enable_tools()
        .enable_tool_list_changed()
        .enable_logging()
        .build();
    if catalog.has_resources() {
        let with = ServerCapabilities::builder()
            .enable_resources()
            .enable_resources_list_changed()
            .enable_resources_subscribe()
            .build();
        capabilities.resources = with.resources;
        capabilities.completions =
            ServerCapabilities::builder().enable_completions().build().completions;
    }
    if catalog.has_prompts() {
        let with =
            ServerCapabilities::builder().enable_prompts().enable_prompts_list_changed().build();
        capabilities.prompts = with.prompts;
    }
    if catalog.has_tasks() {
        capabilities.extensions = ServerCapabilities::builder().enable_tasks().build().extensions;
    }
    let mut server = Implementation::new(identity.name.clone(), identity.version.clone());
    server.title.clone_from(&identity.title);
    let mut config = ServerConfig::new(capabilities).with_server_info(server);
    config.instructions.clone_from(&identity.instructions);
    config
}
