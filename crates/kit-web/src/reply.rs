//! Answers: which file, which encoding, which headers.

use axum::{
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};

use crate::embedded::{self, File};

/// Pages load from their own server only; nothing inline, nothing framed.
const POLICY: &str = "default-src 'self'; base-uri 'none'; form-action 'self'; \
                      frame-ancestors 'none'; object-src 'none'";
const GUARDS: [(HeaderName, &str); 3] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
];

/// Asked again each time, so that a new binary's page is seen at once.
const REVALIDATE: &str = "no-cache";
/// Names hold a hash of the content, so a name never changes its meaning.
const FOREVER: &str = "public, max-age=31536000, immutable";

/// The document of `page`, or a redirect to the address where its relative URLs work.
pub(crate) fn document(page: &str, uri: &Uri, headers: &HeaderMap) -> Response {
    if let Some(place) = with_slash(uri) {
        return guarded((StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, place)]));
    }
    if let Some(missing) = embedded::MISSING {
        return notice(page, missing);
    }
    serve(embedded::find(page, "index.html"), REVALIDATE, headers)
}

/// The file of `page` at `path`.
pub(crate) fn asset(page: &str, path: &str, headers: &HeaderMap) -> Response {
    serve(embedded::find(page, path), FOREVER, headers)
}

/// The same for a file that may be a document or an asset.
pub(crate) fn file(page: &str, path: &str, headers: &HeaderMap) -> Option<Response> {
    if let Some(missing) = embedded::MISSING {
        let document = path.rsplit_once('.').is_some_and(|(_, ending)| ending == "html");
        return document.then(|| notice(page, missing));
    }
    let file = embedded::find(page, path)?;
    let cache = if path.starts_with("assets/") { FOREVER } else { REVALIDATE };
    Some(serve(Some(file), cache, headers))
}

fn serve(file: Option<&'static File>, cache: &'static str, asked: &HeaderMap) -> Response {
    let Some(file) = file else {
        return guarded((StatusCode::NOT_FOUND, "no such file\n"));
    };
    let headers = [
        (header::ETAG, file.etag),
        (header::CACHE_CONTROL, cache),
        (header::VARY, "accept-encoding"),
    ];
    if is_known(file.etag, asked) {
        return guarded((StatusCode::NOT_MODIFIED, headers));
    }
    let content = [(header::CONTENT_TYPE, file.content_type)];
    match file.gzip.filter(|_| takes_gzip(asked)) {
        Some(packed) => guarded((headers, content, [(header::CONTENT_ENCODING, "gzip")], packed)),
        None => guarded((headers, content, file.body)),
    }
}

/// What stands in for a page that was not built.
fn notice(page: &str, missing: &str) -> Response {
    let body = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>Tandem</title>\n\
         <h1>Tandem is running, without its pages</h1>\n\
         <p>The page <code>{page}</code> is not in this binary: {missing}.</p>\n\
         <p>Everything else works: the APIs, MCP, the command line.</p>\n"
    );
    let headers =
        [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, REVALIDATE)];
    guarded((StatusCode::SERVICE_UNAVAILABLE, headers, body))
}

fn guarded(response: impl IntoResponse) -> Response {
    let mut response = response.into_response();
    for (name, value) in GUARDS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Where to go from an address without a final slash, relative to it, or `None` when it has one.
///
/// Relative, because a proxy in front may have taken a prefix away that is unknown here.
fn with_slash(uri: &Uri) -> Option<String> {
    let last = uri.path().rsplit('/').next().filter(|last| !last.is_empty())?;
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    // The `./` keeps a name with a colon from being read as a scheme.
    Some(format!("./{last}/{query}"))
}

/// Whether the asker has this very content already.
fn is_known(etag: &str, headers: &HeaderMap) -> bool {
    values(headers, &header::IF_NONE_MATCH).any(|known| {
        known == "*" || known.trim_start_matches("W/") == etag.trim_start_matches("W/")
    })
}

fn takes_gzip(headers: &HeaderMap) -> bool {
    values(headers, &header::ACCEPT_ENCODING).any(|encoding| {
        let (name, weight) = encoding.split_once(';').unwrap_or((encoding, ""));
        let refused = weight.trim().strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0));
        matches!(name.trim(), "gzip" | "*") && !refused
    })
}

/// The comma-separated values of a header, over all its lines.
fn values<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a str> {
    let lines = headers.get_all(name).into_iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).map(str::trim)
}
