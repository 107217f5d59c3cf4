//! The server as rmcp sees it: each method of the protocol, answered from the catalog.
#![expect(deprecated, reason = "subscribe and setLevel serve the revisions that still have them")]

use std::{
    collections::{BTreeSet, VecDeque},
    sync::{Arc, atomic::AtomicU64},
    time::Instant,
};

use kit_core::Principal;
use parking_lot::Mutex;
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CacheScope, CallToolRequestParams, CallToolResponse, CancelTaskParams, ClientCapabilities,
        ClientRequest, CompleteRequestParams, CompleteResult, CompletionInfo, CustomRequest,
        CustomResult, ErrorCode, GetPromptRequestParams, GetPromptResponse, GetTaskParams,
        GetTaskResult, Implementation, InitializeResult as ServerConfig, ListPromptsResult,
        ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, LoggingLevel,
        MetaObject, PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams,
        ReadResourceResponse, ReadResourceResult, Reference, ServerResult, SetLevelRequestParams,
        SubscribeRequestParams, SubscriptionFilter, Tool, UnsubscribeRequestParams,
        UpdateTaskParams,
    },
    service::{RequestContext, Service as _, SubscriptionContext},
};

use crate::{
    Call, Change,
    call::{Round, Scope},
    guarded,
    http::stream::ResponseStream,
    outbound::Outbound,
    server::Core,
    structured,
};

/// How long a client may keep lists that only change with the program.
const STATIC_LIST_TTL_MS: u64 = 300_000;

/// Answers the requests of one origin. Made anew for each request or connection, so it only shares.
#[derive(Clone)]
pub(crate) struct Handler {
    pub(crate) core: Arc<Core>,
    pub(crate) origin: Origin,
    pub(crate) accepted: Accepted,
}

/// Where the changes stood when a subscription was accepted. rmcp tells the client first and lets us listen after, and
/// what changes in between must be heard.
#[derive(Default)]
pub(crate) struct Accepted(Mutex<VecDeque<u64>>);

/// Between accepting and listening nobody clones.
impl Clone for Accepted {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Where requests come from.
#[derive(Clone)]
pub(crate) struct Origin {
    pub(crate) principal: Principal,
    /// What state across calls is kept under; `None` outside of any session.
    pub(crate) key: Option<Arc<str>>,
    pub(crate) state: Option<Arc<State>>,
    /// The response that messages of the call go to; `None` where rmcp owns the connection.
    pub(crate) stream: Option<Arc<ResponseStream>>,
    pub(crate) capabilities: Option<Arc<ClientCapabilities>>,
    /// Whether answers are written by us ([`reply::json`](crate::http::reply::json)), who read structured content that is
    /// printed already; rmcp would take it for text.
    pub(crate) prints: bool,
}

/// What a client of a revision before 2026-07-28 asked for, for as long as it is connected.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) subscriptions: Mutex<BTreeSet<String>>,
    pub(crate) log_level: Mutex<Option<LoggingLevel>>,
}

impl Origin {
    pub(crate) fn unbound(principal: Principal) -> Self {
        Self { principal, key: None, state: None, stream: None, capabilities: None, prints: false }
    }
}

impl State {
    pub(crate) fn wants(&self, change: &Change) -> bool {
        match change {
            Change::Resource { uri } => self.subscriptions.lock().contains(uri),
            _ => true,
        }
    }
}

impl Handler {
    fn scope(&self, context: &RequestContext<RoleServer>, round: Round) -> Arc<Scope> {
        let outbound = match &self.origin.stream {
            Some(stream) => Outbound::Stream(stream.clone()),
            None => Outbound::Peer(context.peer.clone()),
        };
        Arc::new(Scope {
            principal: self.principal(context).clone(),
            session: self.origin.key.clone(),
            outbound,
            tasks: self.core.tasks.clone(),
            round,
            capabilities: self.origin.capabilities.clone(),
            log_level: self.origin.state.as_ref().and_then(|state| *state.log_level.lock()),
            started: Instant::now(),
            progress_at: AtomicU64::new(0),
        })
    }

    fn principal<'a>(&'a self, context: &'a RequestContext<RoleServer>) -> &'a Principal {
        // The 2026-07-28 requests come through rmcp, which carries the HTTP request along.
        let named = context.extensions.get::<http::request::Parts>();
        let principal = named.and_then(|parts| parts.extensions.get::<Principal>());
        principal.unwrap_or(&self.origin.principal)
    }

    /// Answers a request as rmcp's dispatcher does, tool calls without it: its future has room for every kind of
    /// request, five thousand bytes that each call would have to allocate and move.
    pub(crate) async fn answer(
        &self,
        request: ClientRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<ServerResult, ErrorData> {
        match request {
            ClientRequest::CallToolRequest(call) => self.answer_call(call.params, context).await,
            other => Box::pin(self.handle_request(other, context)).await,
        }
    }

    /// What the dispatcher does around a tool call: nobody is answered in a way that they cannot read.
    async fn answer_call(
        &self,
        params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ServerResult, ErrorData> {
        let modern = is_modern(&context);
        let knows_tasks = self.core.catalog.has_tasks()
            && context.client_capabilities().is_some_and(|able| able.supports_tasks());
        match self.run_tool(params, context).await? {
            CallToolResponse::Task(_) if !knows_tasks => {
                let needed = ClientCapabilities::builder().enable_tasks().build();
                Err(ErrorData::missing_required_client_capability(needed))
            }
            CallToolResponse::InputRequired(_) if !modern => {
                let why = "the tool asks for input in a way that came with revision 2026-07-28";
                Err(ErrorData::invalid_request(why, None))
            }
            response => {
                let mut result = ServerResult::from(response);
                if !modern {
                    result.strip_result_type_for_legacy_peer();
                }
                Ok(result)
            }
        }
    }

    /// Runs a tool. What it gives may still have its structured content in its text alone.
    async fn run_tool(
        &self,
        params: CallToolRequestParams,
        mut context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let entry = self.core.catalog.tool(&params.name)?.clone();
        let round =
            Round { inputs: params.input_responses.clone(), state: params.request_state.clone() };
        let scope = self.scope(&context, round);
        let modern = is_modern(&context);
        context.extensions.insert(scope.clone());
        let mut response = guarded::tool_call(&self.core, &entry, &scope, params, context).await?;
        if let CallToolResponse::Complete(result) = &mut response {
            // What a schema promises must fit it: the first generation of the TypeScript client holds a
            // failure against the schema too, and shows the model that mismatch in the place of the failure.
            if result.is_error == Some(true) && entry.tool.output_schema.is_some() {
                result.structured_content = None;
            }
            if let Some(server) = self.meta(modern) {
                result.meta.get_or_insert_default().extend(server);
            }
        }
        Ok(response)
    }

    fn call(&self, context: RequestContext<RoleServer>) -> Call {
        Call::new(self.scope(&context, Round::default()), context)
    }

    /// The `_meta` that names the server in each result of a modern request.
    fn meta(&self, modern: bool) -> Option<MetaObject> {
        modern.then(|| server_meta(&self.core.config.server_info))
    }

    fn page<T: Clone>(
        &self,
        all: &[T],
        request: Option<PaginatedRequestParams>,
    ) -> Result<(Vec<T>, Option<String>), ErrorData> {
        let cursor = request.and_then(|params| params.cursor);
        let start = match &cursor {
            None => 0,
            Some(cursor) => {
                cursor.parse().ok().filter(|start| *start <= all.len()).ok_or_else(|| {
                    let why = format!("`cursor`: `{cursor}` is not a cursor of this list");
                    ErrorData::invalid_params(why, None)
                })?
            }
        };
        let end = all.len().min(start + self.core.limits.page);
        let next = (end < all.len()).then(|| end.to_string());
        Ok((all[start..end].to_vec(), next))
    }
}

fn is_modern(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
}

fn server_meta(server: &Implementation) -> MetaObject {
    let mut meta = MetaObject::new();
    if let Ok(value) = serde_json::to_value(server) {
        meta.0.insert("io.modelcontextprotocol/serverInfo".into(), value);
    }
    meta
}

/// Builds a list result of any of the four kinds; they differ only in the name of their entries.
macro_rules! list_result {
    ($handler:ident, $context:ident, $request:ident, $all:expr, $result:ident { $entries:ident }, $ttl:expr, $scope:expr) => {{
        let modern = is_modern(&$context);
        let ($entries, next_cursor) = $handler.page($all, $request)?;
        Ok($result {
            meta: $handler.meta(modern),
            next_cursor,
            ttl_ms: modern.then_some($ttl),
            cache_scope: modern.then_some($scope),
            ..$result::with_all_items($entries)
        })
    }};
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        self.core.config.clone()
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let mut response = self.run_tool(params, context).await?;
        if let CallToolResponse::Complete(result) = &mut response
            && !self.origin.prints
        {
            structured::complete(result);
        }
        Ok(response)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.core.catalog.tool(name).ok().map(|entry| entry.tool.clone())
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let all = self.core.catalog.tools();
        list_result!(
            self,
            context,
            request,
            all,
            ListToolsResult { tools },
            STATIC_LIST_TTL_MS,
            CacheScope::Public
        )
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let all = self.core.catalog.prompts();
        list_result!(
            self,
            context,
            request,
            all,
            ListPromptsResult { prompts },
            STATIC_LIST_TTL_MS,
            CacheScope::Public
        )
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let all = &self.core.catalog.templates();
        list_result!(
            self,
            context,
            request,
            all,
            ListResourceTemplatesResult { resource_templates },
            STATIC_LIST_TTL_MS,
            CacheScope::Public
        )
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let call = self.call(context.clone());
        let all = &guarded::quietly(self.core.catalog.resources(&call)).await?;
        list_result!(
            self,
            context,
            request,
            all,
            ListResourcesResult { resources },
            0,
            CacheScope::Private
        )
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let modern = is_modern(&context);
        let call = self.call(context);
        let read = async {
            match self.core.catalog.read(&call, &request.uri).await {
                Ok(contents) => Ok(ReadResourceResult::new(contents)),
                Err(error) => error.into_result(),
            }
        };
        let mut result = guarded::quietly(read).await?;
        if let Some(server) = self.meta(modern) {
            result.meta.get_or_insert_default().extend(server);
        }
        if modern {
            result.ttl_ms = Some(0);
            result.cache_scope = Some(CacheScope::Private);
        }
        Ok(result.into())
    }

    async fn get_prompt(
        &self,
        mut request: GetPromptRequestParams,
        mut context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let (app, own) = self.core.catalog.prompt(&request.name)?;
        own.clone_into(&mut request.name);
        let round =
            Round { inputs: request.input_responses.clone(), state: request.request_state.clone() };
        let scope = self.scope(&context, round);
        let modern = is_modern(&context);
        context.extensions.insert(scope);
        let mut response = guarded::quietly(app.prompts.get(request, context)).await?;
        if let (Some(server), GetPromptResponse::Complete(result)) =
            (self.meta(modern), &mut response)
        {
            result.meta.get_or_insert_default().extend(server);
        }
        Ok(response)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let (argument, typed) = (&request.argument.name, &request.argument.value);
        let catalog = &self.core.catalog;
        let mut values = match &request.r#ref {
            Reference::Resource(template) => {
                catalog.complete_template(&template.uri, argument, typed).await
            }
            Reference::Prompt(prompt) => {
                catalog.complete_prompt(&prompt.name, argument, typed).await
            }
            _ => Vec::new(),
        };
        let total = u32::try_from(values.len()).ok();
        let more = values.len() > CompletionInfo::MAX_VALUES;
        values.truncate(CompletionInfo::MAX_VALUES);
        CompletionInfo::with_pagination(values, total, more)
            .map(CompleteResult::new)
            .map_err(|why| ErrorData::internal_error(why, None))
    }

    async fn set_level(
        &self,
        request: SetLevelRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if is_modern(&context) {
            let why = "`logging/setLevel` is gone; name the level in the request's `_meta`";
            return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, why, None));
        }
        // Without a session there is nothing to keep it in, and nothing that would be logged later.
        if let Some(state) = &self.origin.state {
            *state.log_level.lock() = Some(request.level);
        }
        Ok(())
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        // Without a session there is no stream either on which a change could be told.
        if let Some(state) = &self.origin.state {
            self.core.hub.subscribed();
            state.subscriptions.lock().insert(request.uri);
        }
        Ok(())
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if let Some(state) = &self.origin.state {
            state.subscriptions.lock().remove(&request.uri);
        }
        Ok(())
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        self.core.hub.subscribed();
        self.accepted.0.lock().push_back(self.core.hub.last());
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let accepted = self.accepted.0.lock().pop_front();
        let (missed, mut changes) = self.core.hub.listen(accepted);
        let mut missed = missed.into_iter();
        loop {
            let next = async {
                match missed.next() {
                    Some(told) => Ok(told),
                    None => changes.recv().await,
                }
            };
            let told = tokio::select! {
                told = next => told,
                () = context.cancelled() => return Ok(()),
            };
            // Behind by more than the hub keeps: ending makes the client listen and read anew.
            let Ok(told) = told else { return Ok(()) };
            if !self.core.catalog.serves(&told.app) || !told.concerns(self.origin.key.as_deref()) {
                continue;
            }
            let sink = context.sink();
            // What was not subscribed to is refused by the sink itself, which is what we want.
            let sent = match &told.change {
                Change::Tools => sink.notify_tool_list_changed().await,
                Change::Prompts => sink.notify_prompt_list_changed().await,
                Change::Resources => sink.notify_resource_list_changed().await,
                Change::Resource { uri } => sink.notify_resource_updated(uri).await,
                Change::Custom { .. } => continue,
            };
            if let Err(rmcp::service::SubscriptionSendError::Service(_)) = sent {
                return Ok(());
            }
        }
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        let tasks = self.core.tasks.of(self.principal(&context));
        let mut result = GetTaskResult::new(tasks.get_task(&request.task_id)?);
        result.meta = self.meta(is_modern(&context));
        Ok(result)
    }

    async fn update_task(
        &self,
        request: UpdateTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let tasks = self.core.tasks.of(self.principal(&context));
        tasks.update_task(&request.task_id, request.input_responses)
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.core.tasks.of(self.principal(&context)).cancel_task(&request.task_id)
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        // rmcp takes a request of a known method whose parameters do not fit for a custom one.
        let method = request.method;
        let gone = is_modern(&context) && GONE.contains(&&*method);
        if let (false, Some(expected)) = (gone, expected_params(&method)) {
            let why = format!("`params` of `{method}` do not fit: {expected}");
            return Err(ErrorData::invalid_params(why, None));
        }
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, format!("unknown method `{method}`"), None))
    }
}

/// Methods that ended with the 2025-11-25 revision.
pub(crate) const GONE: [&str; 5] =
    ["initialize", "logging/setLevel", "ping", "resources/subscribe", "resources/unsubscribe"];

fn expected_params(method: &str) -> Option<&'static str> {
    Some(match method {
        "initialize" => {
            "`protocolVersion`, `capabilities` and `clientInfo` (`name`, `version`) are required"
        }
        "tools/call" | "prompts/get" => "`name` is required, `arguments` is an object",
        "resources/read" | "resources/subscribe" | "resources/unsubscribe" => "`uri` is required",
        "completion/complete" => "`ref` and `argument` are required",
        "logging/setLevel" => {
            "`level` is one of debug, info, notice, warning, error, critical, alert, emergency"
        }
        "tools/list" | "prompts/list" | "resources/list" | "resources/templates/list" => {
            "`cursor`, if given, is a string"
        }
        "subscriptions/listen" => "`notifications` is required",
        _ => return None,
    })
}
