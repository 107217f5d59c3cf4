//! The socket of one browser.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::{
        Path, State, WebSocketUpgrade,
        ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code},
    },
    response::{IntoResponse, Response},
};
use futures::{
    SinkExt as _, StreamExt as _,
    stream::{SplitSink, SplitStream},
};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use ui_core::ConnId;

use crate::{
    Service,
    session::{Outbox, Session},
};

/// The largest batch of a browser.
const LARGEST: usize = 4 << 20;
/// What a socket reads and writes at once: a click. Room for what is longer is made when it comes. A thousand idle pages must not hold a
/// thousand large buffers.
const BUFFER: usize = 1024;
/// How often a browser that says nothing is asked whether it is there.
const PING: Duration = Duration::from_secs(20);
/// How long it may leave that unanswered.
const SILENCE: Duration = Duration::from_mins(1);
/// How long it may take to take one message.
const STALL: Duration = Duration::from_secs(30);

/// `GET /ws/ID`.
pub(super) async fn open(
    State(service): State<Service>,
    Path(id): Path<String>,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Response {
    let found = service.running().and_then(|running| Ok((running.session(&id)?, running)));
    let (session, running) = match found {
        Ok(found) => found,
        Err(error) => return kit_http::Problem::from(error).into_response(),
    };
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(rejection) => return rejection.into_response(),
    };
    let stopped = running.stopped.clone();
    upgrade
        .read_buffer_size(BUFFER)
        .write_buffer_size(BUFFER)
        .max_message_size(LARGEST)
        .max_frame_size(LARGEST)
        .on_upgrade(move |socket| attend(session, socket, stopped))
}

async fn attend(session: Arc<Session>, socket: WebSocket, stopped: CancellationToken) {
    let Ok((id, outbox)) = session.connect().await else { return };
    // Whatever ends it, the session hears of it.
    let _leaving = Leaving { session: session.clone(), id };
    let (sink, stream) = socket.split();
    let mut hearing = std::pin::pin!(hear(&session, id, stream));
    let mut speaking = std::pin::pin!(speak(&outbox, sink, &stopped));
    tokio::select! {
        () = &mut hearing => {}
        () = &mut speaking => {}
    }
}

struct Leaving {
    session: Arc<Session>,
    id: ConnId,
}

impl Drop for Leaving {
    fn drop(&mut self) {
        self.session.disconnect(self.id);
    }
}

/// Takes batches, each when the one before is dealt with: a browser that sends too fast waits, and nobody else.
async fn hear(session: &Arc<Session>, id: ConnId, mut stream: SplitStream<WebSocket>) {
    loop {
        let text = match tokio::time::timeout(SILENCE, stream.next()).await {
            Ok(Some(Ok(Message::Text(text)))) => text.as_str().to_owned(),
            Ok(Some(Ok(Message::Binary(bytes)))) => String::from_utf8_lossy(&bytes).into_owned(),
            Ok(Some(Ok(Message::Ping(_) | Message::Pong(_)))) => continue,
            Ok(Some(Ok(Message::Close(_)) | Err(_)) | None) | Err(_) => return,
        };
        if session.receive(id, text).await.is_err() {
            return;
        }
    }
}

async fn speak(
    outbox: &Outbox,
    mut sink: SplitSink<WebSocket, Message>,
    stopped: &CancellationToken,
) {
    // Whatever else is said: only what is asked is answered.
    let mut ping = tokio::time::interval_at(Instant::now() + PING, PING);
    loop {
        let message = tokio::select! {
            biased;
            () = stopped.cancelled() => return bye(sink).await,
            frame = outbox.next() => match frame {
                Some(frame) => Message::Text(frame.text.into()),
                None => return bye(sink).await,
            },
            _ = ping.tick() => Message::Ping(axum::body::Bytes::new()),
        };
        match tokio::time::timeout(STALL, sink.send(message)).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) | Err(_) => return,
        }
    }
}

/// Says that the session is over, so that the page does not wait for it.
async fn bye(mut sink: SplitSink<WebSocket, Message>) {
    let reason = Utf8Bytes::from_static("the session has ended");
    let close = Message::Close(Some(CloseFrame { code: close_code::AWAY, reason }));
    drop(tokio::time::timeout(Duration::from_secs(1), sink.send(close)).await);
}
