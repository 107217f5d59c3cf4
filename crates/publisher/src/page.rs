//! The page for people, wherever in the application somebody lands.

use axum::{
    Router,
    http::{HeaderMap, Uri},
    response::{IntoResponse as _, Redirect, Response},
    routing::get,
};

use crate::NAME;

/// Its document at the root, and its files.
pub(crate) fn routes() -> Router {
    kit_web::page(NAME)
}

/// Every other path: the place in the page that it names. Addresses as other servers of this kind have them lead somewhere:
/// `/home/library` is that package.
pub(crate) fn rest() -> Router {
    Router::new().fallback(get(elsewhere))
}

async fn elsewhere(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    if let Some(file) = kit_web::file(NAME, path, &headers) {
        return file;
    }
    // Relative, since a proxy in front may have taken a prefix away that is unknown here.
    let up = match path.matches('/').count() {
        0 => "./".to_owned(),
        deep => "../".repeat(deep),
    };
    Redirect::temporary(&format!("{up}#/{}", path.trim_end_matches('/'))).into_response()
}
