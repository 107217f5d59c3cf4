//! The pages of a session, and those that say why there is none.

use axum::{
    extract::{Query, State},
    response::{Html, IntoResponse, Response},
};
use http::{HeaderMap, StatusCode, header};
use kit_core::{Fault as _, Kind};
use serde::Deserialize;

use super::files;
use crate::{Error, Service, tools};

/// `/ID`, `/ID/` and everything below: the page, the variable tree, the variables as JSON.
pub(super) async fn of_session(
    service: &Service,
    id: &str,
    rest: &str,
    headers: &HeaderMap,
) -> Response {
    if let Err(error) = service.session(id) {
        return failure(&error);
    }
    match rest {
        "variables" => files::document(service, "variables.html", id, headers).await,
        "variables.json" => variables(service, id).await,
        _ => files::document(service, "index.html", id, headers).await,
    }
}

#[derive(Deserialize)]
pub(super) struct Which {
    session: Option<String>,
}

/// `/debug/variables`: the variable tree of a session.
pub(super) async fn debug(
    State(service): State<Service>,
    Query(Which { session }): Query<Which>,
    headers: HeaderMap,
) -> Response {
    let id = session.filter(|id| !id.is_empty()).unwrap_or_else(|| tools::FIRST.to_owned());
    match service.session(&id) {
        Ok(session) => files::document(&service, "variables.html", &session.id, &headers).await,
        Err(error) => failure(&error),
    }
}

async fn variables(service: &Service, id: &str) -> Response {
    match service.variables(id).await {
        Ok(variables) => {
            let headers = [
                ("x-change-count", variables.change_count.to_string()),
                ("cache-control", "no-store".to_owned()),
                ("content-type", "application/json".to_owned()),
            ];
            (headers, variables.list.to_string()).into_response()
        }
        Err(error) => kit_http::Problem::from(error).into_response(),
    }
}

/// A page that says what is wrong and where to go.
pub(super) fn failure(error: &Error) -> Response {
    let status = match error.kind() {
        Kind::NotFound => StatusCode::NOT_FOUND,
        Kind::Invalid => StatusCode::BAD_REQUEST,
        Kind::Forbidden => StatusCode::FORBIDDEN,
        Kind::Conflict | Kind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        Kind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    };
    let (title, text) = match error {
        Error::UnknownSession(id) => (
            "No such session".to_owned(),
            format!("session {id} not found: it has ended, or never was."),
        ),
        Error::UnknownFile(_) => ("Not found".to_owned(), error.to_string()),
        _ => ("Not now".to_owned(), error.to_string()),
    };
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <h1>{title}</h1>\n<p>{}</p>\n<p><a href=\"/\">Go to the app</a></p>\n",
        escape(&text)
    );
    let policy = "default-src 'none'; frame-ancestors 'none'";
    let headers = [(header::CONTENT_SECURITY_POLICY, policy), (header::CACHE_CONTROL, "no-store")];
    (status, headers, Html(page)).into_response()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
