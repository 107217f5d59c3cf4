//! What a client posted: one message of the protocol, or the reason why it is none.

use std::{borrow::Cow, sync::LazyLock};

use http::StatusCode;
use memchr::memmem;
use rmcp::{
    ErrorData,
    model::{
        CallToolRequest, CallToolRequestParams, ClientJsonRpcMessage, ClientNotification,
        ClientRequest, ClientResult, ErrorCode, GetMeta, JsonRpcMessage, RequestId,
        RequestMetaObject,
    },
};
use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};

use super::reply::Refusal;

/// The key under which a request of the 2026-07-28 revision names its protocol version.
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";

/// Prepared once, because every request is searched for the key.
static VERSION_KEY_FINDER: LazyLock<memmem::Finder<'static>> =
    LazyLock::new(|| memmem::Finder::new(VERSION_KEY));

/// The outside of a message. Looking at it first tells the era and gives an error its id.
#[derive(Deserialize)]
pub(crate) struct Envelope<'a> {
    #[serde(borrow)]
    jsonrpc: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(crate) method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

/// A message of a revision with sessions.
pub(crate) enum Incoming {
    Request { id: RequestId, request: Box<ClientRequest>, meta: RequestMetaObject },
    Notification(Box<ClientNotification>),
    Answer { id: RequestId, answer: Result<Box<ClientResult>, ErrorData> },
}

impl<'a> Envelope<'a> {
    pub(crate) fn read(body: &'a [u8]) -> Result<Self, Refusal> {
        let envelope: Self = serde_json::from_slice(body).map_err(|error| {
            if error.is_data() {
                Refusal::invalid(format!("the body is not a JSON-RPC message: {error}"))
            } else {
                let why = format!("the body is not JSON: {error}");
                Refusal::new(StatusCode::BAD_REQUEST, ErrorCode::PARSE_ERROR, why)
            }
        })?;
        if envelope.jsonrpc.as_deref() != Some("2.0") {
            let id = envelope.id().ok().flatten();
            let refusal = Refusal::invalid("`jsonrpc` must be \"2.0\"");
            return Err(id.iter().fold(refusal, Refusal::answering));
        }
        Ok(envelope)
    }

    /// Whether the body names its protocol version itself, as only the 2026-07-28 revision does.
    pub(crate) fn names_version(&self) -> bool {
        #[derive(Deserialize)]
        struct Params {
            #[serde(rename = "_meta", default)]
            meta: Value,
        }
        let Some(params) = self.params else { return false };
        // Most requests do not have the key anywhere; only one that does is looked into.
        VERSION_KEY_FINDER.find(params.get().as_bytes()).is_some()
            && serde_json::from_str::<Params>(params.get())
                .is_ok_and(|params| params.meta.get(VERSION_KEY).is_some())
    }

    pub(crate) fn id(&self) -> Result<Option<RequestId>, Refusal> {
        let Some(raw) = self.id else { return Ok(None) };
        let id = serde_json::from_str(raw.get()).map_err(|_| {
            Refusal::invalid("`id` must be a string or an integer that fits 64 bits")
        })?;
        Ok(Some(id))
    }

    /// Reads the rest. `body` is what the envelope was read from; `tolerant` forgives what people leave out
    /// when they write requests by hand.
    pub(crate) fn open(self, body: &[u8], tolerant: bool) -> Result<Incoming, Refusal> {
        let id = self.id()?;
        match (self.method.as_deref(), id) {
            (Some("tools/call"), Some(id)) => self.call(id),
            (Some("initialize"), Some(_)) if tolerant => self.repaired_initialize(),
            (Some("initialized"), None) if tolerant => {
                open(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, None)
            }
            (Some(_), id) => open(body, id.as_ref()),
            (None, Some(id)) if self.result.is_some() || self.error.is_some() => {
                open(body, Some(&id))
            }
            (None, id) => {
                let refusal =
                    Refusal::invalid("a message has a `method`, a `result` or an `error`");
                Err(id.iter().fold(refusal, Refusal::answering))
            }
        }
    }

    /// The one request that is frequent. rmcp's union of all requests is read by trying each kind in turn;
    /// reading this kind at once saves a third of a call (docs/performance.md).
    pub(crate) fn call(&self, id: RequestId) -> Result<Incoming, Refusal> {
        let params = self.params.map_or("{}", RawValue::get);
        let mut params: CallToolRequestParams = serde_json::from_str(params).map_err(|error| {
            let why = format!("`params` of `tools/call` do not fit: {error}");
            Refusal::new(StatusCode::OK, ErrorCode::INVALID_PARAMS, why).answering(&id)
        })?;
        let meta = params.meta.take().unwrap_or_default();
        let request = Box::new(ClientRequest::CallToolRequest(CallToolRequest::new(params)));
        Ok(Incoming::Request { id, request, meta })
    }

    fn repaired_initialize(&self) -> Result<Incoming, Refusal> {
        let mut params = self
            .params
            .and_then(|params| serde_json::from_str::<Value>(params.get()).ok())
            .filter(Value::is_object)
            .unwrap_or_else(|| json!({}));
        for (field, absent) in [
            ("protocolVersion", json!("2025-03-26")),
            ("capabilities", json!({})),
            ("clientInfo", json!({"name": "unnamed", "version": "0"})),
        ] {
            if params.get(field).is_none_or(Value::is_null) {
                params[field] = absent;
            }
        }
        let id = self.id.map_or("null", RawValue::get);
        let body =
            format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"initialize","params":{params}}}"#);
        open(body.as_bytes(), self.id()?.as_ref())
    }
}

fn open(body: &[u8], id: Option<&RequestId>) -> Result<Incoming, Refusal> {
    let message: ClientJsonRpcMessage = serde_json::from_slice(body).map_err(|error| {
        let refusal = Refusal::invalid(format!("the body is not a message of MCP: {error}"));
        id.into_iter().fold(refusal, Refusal::answering)
    })?;
    Ok(match message {
        JsonRpcMessage::Request(mut message) => {
            let meta = std::mem::take(message.request.get_meta_mut());
            Incoming::Request { id: message.id, request: Box::new(message.request), meta }
        }
        JsonRpcMessage::Notification(message) => {
            Incoming::Notification(Box::new(message.notification))
        }
        JsonRpcMessage::Response(message) => {
            Incoming::Answer { id: message.id, answer: Ok(Box::new(message.result)) }
        }
        JsonRpcMessage::Error(message) => match message.id {
            Some(id) => Incoming::Answer { id, answer: Err(message.error) },
            None => return Err(Refusal::invalid("an error must name the request it answers")),
        },
    })
}
