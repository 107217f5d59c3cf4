//! `/universes/…`: universes and commands in, live changes out.
//!
//! Errors are `{"error": "…"}` with further members where they help, as existing clients expect, instead of the
//! problem documents of the other applications. [`table`] has all routes; [`crate::openapi`] describes them, and a
//! test holds the two together.

mod commands;
mod failure;
mod generate;
mod input;
mod live;
mod universes;

use std::sync::Arc;

use axum::{
    Router,
    extract::State,
    response::{IntoResponse, Response},
    routing::{MethodRouter, get, post},
};
use http::{HeaderValue, StatusCode, header};
use kit_app::{Clock, Deps};
use serde_json::json;
use tokio_util::sync::CancellationToken;
use universe_core::json::encode;

use self::failure::Failure;
use crate::{Config, Service, feed::Feeds, openapi};

/// The whole HTTP surface but `/mcp`.
pub(crate) fn routes(config: &Config, service: Service, deps: &Deps) -> Router {
    let api = Api {
        feeds: Feeds::new(config, service.clone(), deps.shutdown.clone()),
        body_bytes: config.body_bytes,
        started: deps.clock.now_ms(),
        clock: deps.clock.clone(),
        shutdown: deps.shutdown.clone(),
        service,
    };
    let add = |routes: Router<Api>, (path, methods)| routes.route(path, methods);
    table().into_iter().fold(Router::new(), add).with_state(api)
}

/// The paths of all routes.
pub fn paths() -> Vec<&'static str> {
    table().into_iter().map(|(path, _)| path).collect()
}

fn table() -> Vec<(&'static str, MethodRouter<Api>)> {
    vec![
        ("/health", get(health)),
        ("/openapi.json", get(document)),
        ("/universes", get(universes::list).post(universes::create)),
        ("/universes/{id}", get(universes::read).put(universes::replace).delete(universes::delete)),
        ("/generator", get(generate::generator)),
        ("/universes/generate", post(generate::make)),
        ("/universes/{id}/generate", post(generate::make_into)),
        ("/universes/{id}/commands", post(commands::command)),
        ("/universes/{id}/batches", post(commands::batch)),
        ("/universes/{id}/history", get(universes::history)),
        ("/universes/{id}/fork", post(universes::fork)),
        ("/universes/{id}/clock", get(universes::clock).put(universes::set_clock)),
        ("/universes/{id}/events", get(live::events)),
        ("/universes/{id}/changes", get(live::changes)),
    ]
}

/// What the handlers work with.
#[derive(Clone)]
struct Api {
    service: Service,
    feeds: Feeds,
    body_bytes: usize,
    started: i64,
    clock: Arc<dyn Clock>,
    shutdown: CancellationToken,
}

async fn health(State(api): State<Api>) -> Response {
    let uptime = (api.clock.now_ms() - api.started) / 1000;
    json(StatusCode::OK, encode(&json!({"ok": true, "uptime": uptime})))
}

async fn document() -> Response {
    json(StatusCode::OK, openapi::text().to_owned())
}

fn json(status: StatusCode, text: String) -> Response {
    let kind = HeaderValue::from_static("application/json; charset=utf-8");
    (status, [(header::CONTENT_TYPE, kind)], text).into_response()
}
