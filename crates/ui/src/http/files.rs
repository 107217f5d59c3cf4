//! Files: the project's `html` folder laid over what is built in.

use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use percent_encoding::percent_decode_str;

use super::page;
use crate::{
    Error, Service, documents,
    project::{Lost, inside},
};

/// The page of a session, and what belongs to it.
pub(super) const PAGE: &str = "ui";

/// The file at `path`.
pub(super) async fn serve(service: &Service, path: &str, headers: &HeaderMap) -> Response {
    let missing = || page::failure(&Error::UnknownFile(path.to_owned()));
    let Ok(name) = percent_decode_str(path).decode_utf8() else { return missing() };
    let mut response = match own(service, &name).await {
        Ok(Some(content)) => {
            let kind = content_type(&name);
            (
                [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache".to_owned())],
                content,
            )
                .into_response()
        }
        Ok(None) => match kit_web::file(PAGE, &name, headers) {
            Some(response) => response,
            None => return missing(),
        },
        Err(Lost::Outside | Lost::Missing) => return missing(),
    };
    protect(service, &mut response);
    response
}

/// A file of the project's, if it has one.
pub(super) async fn own(service: &Service, name: &str) -> Result<Option<Vec<u8>>, Lost> {
    let Some(project) = service.project() else { return Ok(None) };
    let name = name.to_owned();
    let read = tokio::task::spawn_blocking(move || match inside(&project.html(), &name) {
        Ok(path) => Ok(std::fs::read(path).ok()),
        Err(Lost::Missing) => Ok(None),
        Err(Lost::Outside) => Err(Lost::Outside),
    });
    read.await.unwrap_or(Ok(None))
}

fn content_type(name: &str) -> String {
    let kind = documents::content_type(name);
    let text = kind.starts_with("text/") || kind.ends_with("json") || kind.ends_with("xml");
    if text { format!("{kind}; charset=utf-8") } else { kind.to_owned() }
}

/// View definitions hold scripts and styles, so a page's policy has room for them, and for nobody to frame it.
pub(super) fn protect(service: &Service, response: &mut Response) {
    let framing = service.project().map(|project| project.settings.server.frame_ancestors.clone());
    let policy = format!(
        "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; \
         style-src 'self' 'unsafe-inline'; img-src 'self' data: blob: https: http:; \
         media-src 'self' data: blob: https: http:; font-src 'self' data:; \
         connect-src 'self' data:; worker-src 'self'; base-uri 'none'; form-action 'self'; \
         object-src 'none'; frame-ancestors {}",
        framing.as_deref().unwrap_or("'none'")
    );
    let headers = response.headers_mut();
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
}

/// A document of ours or the project's, for a session.
pub(super) async fn document(
    service: &Service,
    name: &'static str,
    session: &str,
    headers: &HeaderMap,
) -> Response {
    let own = own(service, name).await.ok().flatten();
    let text = own.or_else(|| kit_web::content(PAGE, name).map(<[u8]>::to_vec));
    let Some(text) = text else {
        // Not built: a notice says what is missing.
        let notice = kit_web::file(PAGE, "index.html", headers);
        return notice.unwrap_or_else(|| StatusCode::NOT_FOUND.into_response());
    };
    let text = prepared(&String::from_utf8_lossy(&text), session);
    let headers =
        [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-cache")];
    let mut response = (headers, text).into_response();
    protect(service, &mut response);
    response
}

/// Tells a document which session it shows, and lets its addresses work at any depth below that.
fn prepared(text: &str, session: &str) -> String {
    let tags = format!(
        r#"<head><meta name="ui-session" content="{session}"><meta name="ui-base" content="/">"#
    );
    text.replacen("<head>", &tags, 1).replace("\"./", "\"/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_knows_its_session_and_its_files_at_any_depth() {
        let text = r#"<html><head><script src="./assets/a.js"></script></head><p>"./x</p></html>"#;
        assert_eq!(
            prepared(text, "7"),
            r#"<html><head><meta name="ui-session" content="7"><meta name="ui-base" content="/"><script src="/assets/a.js"></script></head><p>"/x</p></html>"#
        );
    }
}
