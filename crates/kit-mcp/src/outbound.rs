//! The way from a running call back to its client.

use std::sync::Arc;

use rmcp::{
    RoleServer,
    model::{ClientResult, ServerNotification, ServerRequest},
    service::{Peer, ServiceError},
};

use crate::{call::AskError, http::stream::ResponseStream, tasks::TaskLine};

/// Where the messages of one call go.
#[derive(Clone)]
pub(crate) enum Outbound {
    /// rmcp's loop owns the connection: stdio, and every request of the 2026-07-28 revision.
    Peer(Peer<RoleServer>),
    /// The response of one `POST` in a session of ours.
    Stream(Arc<ResponseStream>),
    /// A task: its client asks for news.
    Task(Arc<TaskLine>),
}

impl Outbound {
    /// Delivers if it can. A client that went away misses it, which is nobody's error.
    pub(crate) async fn notify(&self, notification: ServerNotification) {
        match self {
            Self::Peer(peer) => {
                if let Err(error) = peer.send_notification(notification).await {
                    tracing::debug!(%error, "a notification found nobody");
                }
            }
            Self::Stream(stream) => stream.notify(notification),
            // A task has no stream; its status is set by the call itself.
            Self::Task(_) => {}
        }
    }

    pub(crate) async fn ask(&self, request: ServerRequest) -> Result<ClientResult, AskError> {
        match self {
            Self::Peer(peer) => peer.send_request(request).await.map_err(|error| match error {
                ServiceError::McpError(error) => AskError::Refused(error.message.into_owned()),
                other => AskError::Unreachable(other.to_string()),
            }),
            Self::Stream(stream) => stream.ask(request).await,
            Self::Task(line) => line.ask(request).await,
        }
    }
}
