//! What browsers and programs see: pages, the socket behind each, and the tools once more.
//!
//! Who may come at all is decided before, by the guard in front of the listener. Start at [`routes`].

mod api;
mod files;
mod page;
mod socket;

use axum::{
    Router,
    extract::{DefaultBodyLimit, State},
    response::{IntoResponse, Redirect, Response},
    routing::{get, post},
};
use http::{HeaderMap, Uri};

use crate::{Error, Service, service::Mode, tools};

/// What has a path of its own at the root of a port.
pub(crate) fn routes(service: &Service) -> Router {
    asking()
        .route("/", get(root))
        .route("/ws/{session}", get(socket::open))
        .route("/debug/variables", get(page::debug))
        .with_state(service.clone())
}

/// Every other path: the pages of sessions, and files.
pub(crate) fn rest(service: &Service) -> Router {
    Router::new().fallback(get(anything)).with_state(service.clone())
}

/// What programs ask, wherever the pages are.
pub(crate) fn asking() -> Router<Service> {
    Router::new()
        .route("/api/sessions", get(api::sessions))
        // How large a body may be is for the guard to say.
        .route("/api/{tool}", post(api::call).layer(DefaultBodyLimit::disable()))
        .route("/wait", get(api::wait))
}

/// To the session that everybody shares, or to one of the visitor's own.
async fn root(State(service): State<Service>) -> Response {
    match entrance(&service).await {
        Ok(id) => Redirect::temporary(&format!("/{id}/")).into_response(),
        Err(error) => page::failure(&error),
    }
}

async fn entrance(service: &Service) -> Result<String, Error> {
    let running = service.running()?;
    // The shared one may have ended for want of anybody; whoever comes now begins it anew.
    if service.mode() == Mode::Agent && !running.sessions().is_empty() {
        return Ok(tools::FIRST.to_owned());
    }
    Ok(running.open().await?.0.id.clone())
}

/// `/1/any/path` is a page of session 1; any other path is a file.
async fn anything(State(service): State<Service>, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let (first, rest) = path.split_once('/').unwrap_or((path, ""));
    if !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit()) {
        return page::of_session(&service, first, rest, &headers).await;
    }
    files::serve(&service, path, &headers).await
}
