//! The browser pages, embedded in the binary: [`page`] gives the routes of one.
//!
//! The sources are in `web/`, one folder per page; the build script builds them when Node is there.
//! Without Node a page is a notice that says what is missing ([`missing`]). All URLs of a page are
//! relative, so it can be served at the root or nested anywhere.

mod embedded;
mod reply;

use axum::{
    Router,
    extract::{OriginalUri, Path},
    http::HeaderMap,
    response::Response,
    routing::get,
};

/// The routes of the page `name`: its document at `/`, its assets below `/assets/`.
///
/// Nest it with [`Router::nest_service`], which serves `/universe/` as well as `/universe`
/// ([`Router::nest`] would not); the latter is redirected, since relative URLs need the slash.
///
/// # Panics
///
/// When there is no folder of that name in `web/`.
pub fn page(name: &'static str) -> Router {
    assert!(embedded::PAGES.contains(&name), "no page `{name}`; there are {:?}", embedded::PAGES);
    let document = async move |OriginalUri(uri): OriginalUri, headers: HeaderMap| -> Response {
        reply::document(name, &uri, &headers)
    };
    let asset = async move |Path(file): Path<String>, headers: HeaderMap| -> Response {
        reply::asset(name, &format!("assets/{file}"), &headers)
    };
    Router::new().route("/", get(document)).route("/assets/{*file}", get(asset))
}

/// One file of the page `name`, for an application that serves it under paths of its own: `index.html`, `assets/…`.
/// Where the pages were not built, its documents are the notice that says so.
pub fn file(name: &str, path: &str, headers: &HeaderMap) -> Option<Response> {
    reply::file(name, path, headers)
}

/// The content of one file, to be changed before it is served.
pub fn content(name: &str, path: &str) -> Option<&'static [u8]> {
    embedded::find(name, path).map(|file| file.body)
}

/// Why the pages are not in this binary and how to get them, or `None` when they are.
pub fn missing() -> Option<&'static str> {
    embedded::MISSING
}
