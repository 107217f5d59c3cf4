//! What an application offers to agents.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use rmcp::{
    ErrorData, RoleServer,
    handler::server::{
        prompt::PromptContext,
        router::{prompt::PromptRouter, tool::ToolRouter},
        tool::ToolCallContext,
    },
    model::{
        CallToolRequestParams, CallToolResponse, GetPromptRequestParams, GetPromptResponse, Prompt,
        Tool,
    },
    service::RequestContext,
};
use serde_json::{Map, Value};

use crate::{NoResources, Resources};

/// How an HTTP endpoint keeps its sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// `Mcp-Session-Id`, with `GET` for the stream of notifications and `DELETE` to end.
    #[default]
    Sessions,
    /// The same, and the id also travels in the cookie `mcp_session`; hand-written clients are tolerated.
    Cookie,
    /// No sessions: each `POST` stands alone, `GET` and `DELETE` are refused.
    Stateless,
    /// No sessions, in the way of servers that make a transport of the TypeScript SDK for each request: every answer is a
    /// stream of events that ends, a body may hold several messages, a session id is passed over, any page may read
    /// the answers, and refusals have that SDK's codes and words.
    StatelessEvents,
}

/// How arguments that do not fit a tool's schema are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ArgumentErrors {
    /// As a tool result with `isError`, which the model reads and corrects (the rule since 2025-11-25).
    #[default]
    AsResult,
    /// As JSON-RPC error `-32602`, where an application's specification says so.
    AsProtocolError,
    /// By the tools themselves, where a specification fixes the words and the order of the checks. The schema is
    /// announced and not enforced.
    ByTheTool,
}

/// How the names of tools are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Names {
    /// As the application has them.
    #[default]
    Own,
    /// With `_` for `/`, which some hosts refuse in a name. Both spellings can be called either way.
    WithoutSlash,
}

impl Mode {
    pub(crate) fn is_stateless(self) -> bool {
        matches!(self, Self::Stateless | Self::StatelessEvents)
    }
}

/// One application's MCP surface.
#[derive(Clone)]
pub struct App {
    pub(crate) name: &'static str,
    /// The name that clients see when it is served alone.
    pub(crate) server_name: &'static str,
    /// What its tools begin with among those of others.
    pub(crate) prefix: &'static str,
    pub(crate) names: Names,
    pub(crate) title: Option<&'static str>,
    pub(crate) description: Option<&'static str>,
    pub(crate) members: Map<String, Value>,
    pub(crate) version: &'static str,
    pub(crate) instructions: Option<String>,
    pub(crate) tools: Arc<dyn Tools>,
    pub(crate) prompts: Arc<dyn Prompts>,
    pub(crate) resources: Arc<dyn Resources>,
    pub(crate) has_resources: bool,
    pub(crate) has_prompts: bool,
    pub(crate) has_tasks: bool,
    pub(crate) argument_errors: ArgumentErrors,
    pub(crate) tolerant: &'static [&'static str],
    pub(crate) aliases: &'static [(&'static str, &'static str)],
    pub(crate) unknown_tool: Option<fn(&str) -> String>,
    pub(crate) time_limit: Duration,
}

impl App {
    /// An application without any tool yet. `name` is the server name that clients see.
    pub fn new(name: &'static str, version: &'static str) -> Self {
        Self {
            name,
            server_name: name,
            prefix: name,
            names: Names::default(),
            title: None,
            description: None,
            members: Map::new(),
            version,
            instructions: None,
            tools: Arc::new(NoTools),
            prompts: Arc::new(NoPrompts),
            resources: Arc::new(NoResources),
            has_resources: false,
            has_prompts: false,
            has_tasks: false,
            argument_errors: ArgumentErrors::default(),
            tolerant: &[],
            aliases: &[],
            unknown_tool: None,
            time_limit: Duration::from_secs(30),
        }
    }

    #[must_use]
    pub fn title(mut self, title: &'static str) -> Self {
        self.title = Some(title);
        self
    }

    /// Presents itself under another name than its own when it is served alone.
    #[must_use]
    pub fn server_name(mut self, name: &'static str) -> Self {
        self.server_name = name;
        self
    }

    /// What it is, in `serverInfo`.
    #[must_use]
    pub fn description(mut self, text: &'static str) -> Self {
        self.description = Some(text);
        self
    }

    /// Adds to `serverInfo` what the protocol does not know and a specification wants.
    #[must_use]
    pub fn server_member(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.members.insert(name.to_owned(), value.into());
        self
    }

    /// What its tools and prompts begin with where it is served among others (default: its name).
    #[must_use]
    pub fn prefix(mut self, prefix: &'static str) -> Self {
        self.prefix = prefix;
        self
    }

    /// How its tools are listed when it is served alone; among others there is never a slash.
    #[must_use]
    pub fn names(mut self, names: Names) -> Self {
        self.names = names;
        self
    }

    /// How the tools work together, for the model; nothing that the tools themselves say.
    #[must_use]
    pub fn instructions(mut self, text: impl Into<String>) -> Self {
        self.instructions = Some(text.into());
        self
    }

    /// The tools, as `#[tool_router]` makes them, and the value that they are methods of.
    #[must_use]
    pub fn tools<S: Send + Sync + 'static>(mut self, service: S, router: ToolRouter<S>) -> Self {
        self.tools = Arc::new(Routed { service, router });
        self
    }

    /// Lists the tools in this order instead of by name; those that it leaves out come last.
    #[must_use]
    pub fn tool_order(mut self, names: &'static [&'static str]) -> Self {
        self.tools = Arc::new(Ordered { tools: self.tools, names });
        self
    }

    /// The prompts, as `#[prompt_router]` makes them, and the value that they are methods of.
    #[must_use]
    pub fn prompts<S: Send + Sync + 'static>(
        mut self,
        service: S,
        router: PromptRouter<S>,
    ) -> Self {
        self.prompts = Arc::new(Routed { service, router });
        self.has_prompts = true;
        self
    }

    #[must_use]
    pub fn resources(mut self, resources: impl Resources) -> Self {
        self.resources = Arc::new(resources);
        self.has_resources = true;
        self
    }

    /// Says that some tools go on as tasks ([`Call::task`](crate::Call::task)), so that clients look for it.
    #[must_use]
    pub fn runs_tasks(mut self) -> Self {
        self.has_tasks = true;
        self
    }

    #[must_use]
    pub fn argument_errors(mut self, policy: ArgumentErrors) -> Self {
        self.argument_errors = policy;
        self
    }

    /// Passes over arguments that these tools do not know, although their schemas announce that there are no others.
    #[must_use]
    pub fn tolerates_unknown_arguments(mut self, tools: &'static [&'static str]) -> Self {
        self.tolerant = tools;
        self
    }

    /// Other words for arguments, each with the word that the tools know; taken where the latter is absent.
    #[must_use]
    pub fn argument_aliases(mut self, aliases: &'static [(&'static str, &'static str)]) -> Self {
        self.aliases = aliases;
        self
    }

    /// The words in which a tool that is not there is refused when it is served alone.
    #[must_use]
    pub fn unknown_tool(mut self, words: fn(&str) -> String) -> Self {
        self.unknown_tool = Some(words);
        self
    }

    /// How long one call may take without reporting progress (default 30 s).
    #[must_use]
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = limit;
        self
    }

    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The definitions as a client sees them, for golden files.
    pub fn tool_list(&self) -> Vec<Tool> {
        self.tools.list()
    }
}

/// Tools whose service type is forgotten, so that several applications fit in one server.
#[async_trait]
pub(crate) trait Tools: Send + Sync + 'static {
    fn list(&self) -> Vec<Tool>;
    async fn call(
        &self,
        params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData>;
}

#[async_trait]
pub(crate) trait Prompts: Send + Sync + 'static {
    fn list(&self) -> Vec<Prompt>;
    async fn get(
        &self,
        params: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData>;
}

struct Routed<S, R> {
    service: S,
    router: R,
}

#[async_trait]
impl<S: Send + Sync + 'static> Tools for Routed<S, ToolRouter<S>> {
    fn list(&self) -> Vec<Tool> {
        self.router.list_all()
    }

    async fn call(
        &self,
        params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.router.call(ToolCallContext::new(&self.service, params, context)).await
    }
}

#[async_trait]
impl<S: Send + Sync + 'static> Prompts for Routed<S, PromptRouter<S>> {
    fn list(&self) -> Vec<Prompt> {
        self.router.list_all()
    }

    async fn get(
        &self,
        params: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let context = PromptContext::new(&self.service, params.name, params.arguments, context);
        self.router.get_prompt(context).await
    }
}

/// Tools whose order somebody relies on.
struct Ordered {
    tools: Arc<dyn Tools>,
    names: &'static [&'static str],
}

#[async_trait]
impl Tools for Ordered {
    fn list(&self) -> Vec<Tool> {
        let mut tools = self.tools.list();
        let place = |tool: &Tool| self.names.iter().position(|name| *name == tool.name);
        tools.sort_by_key(|tool| place(tool).unwrap_or(usize::MAX));
        tools
    }

    async fn call(
        &self,
        params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.tools.call(params, context).await
    }
}

struct NoTools;

#[async_trait]
impl Tools for NoTools {
    fn list(&self) -> Vec<Tool> {
        Vec::new()
    }

    async fn call(
        &self,
        params: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        Err(ErrorData::invalid_params(format!("no tool `{}`", params.name), None))
    }
}

struct NoPrompts;

#[async_trait]
impl Prompts for NoPrompts {
    fn list(&self) -> Vec<Prompt> {
        Vec::new()
    }

    async fn get(
        &self,
        params: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        Err(ErrorData::invalid_params(format!("no prompt `{}`", params.name), None))
    }
}
