//! What goes out.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;

use super::failure::Failure;
use crate::{Error, What};

/// JSON, and says that it is UTF-8, as clients of such servers read it.
pub(super) struct Json<T>(pub(super) T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        match serde_json::to_vec(&self.0) {
            Ok(body) => text(StatusCode::OK, "application/json; charset=utf-8", body),
            Err(why) => Failure::from(Error::internal(why)).into_response(),
        }
    }
}

/// A body of some kind.
pub(super) fn text(status: StatusCode, kind: &'static str, body: impl IntoResponse) -> Response {
    let mut response = (status, body).into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

/// JSON that may be large: written on a thread that may take its time, and bounded.
pub(super) async fn large<T: Serialize + Send + 'static>(
    most: usize,
    make: impl FnOnce() -> T + Send + 'static,
) -> Result<Response, Failure> {
    let written = tokio::task::spawn_blocking(move || serde_json::to_vec(&make())).await;
    let body = match written {
        Ok(Ok(body)) => body,
        Ok(Err(why)) => return Err(Error::internal(why).into()),
        Err(why) => return Err(Error::internal(why).into()),
    };
    if body.len() > most {
        let message = format!("the answer has {} bytes, and {most} is the most", body.len());
        let hint = "add a `limit:` to the query, aggregate further, or raise `publisher.max_bytes`";
        return Err(Error::new(What::TooLarge, message).hint(hint).into());
    }
    Ok(text(StatusCode::OK, "application/json; charset=utf-8", body))
}

/// What may stand in a segment of a path as it is.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// A name as a segment of a path.
pub(super) fn segment(name: &str) -> String {
    utf8_percent_encode(name, SEGMENT).to_string()
}
