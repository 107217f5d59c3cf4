//! The two live feeds.

use axum::{extract::State, response::Response};
use http::{HeaderValue, Version, header, request::Parts};
use serde::Deserialize;
use universe_core::UniverseId;

use super::{
    Api, Failure,
    input::{Id, Search},
};
use crate::feed::Feed;

#[derive(Deserialize)]
pub(super) struct Start {
    /// The last revision seen, for a first connection; a browser that reconnects sends a header.
    after: Option<u64>,
}

pub(super) async fn events(
    State(api): State<Api>,
    Id(id): Id,
    Search(start): Search<Start>,
    request: Parts,
) -> Result<Response, Failure> {
    follow(api, Feed::Events, &id, &start, &request).await
}

pub(super) async fn changes(
    State(api): State<Api>,
    Id(id): Id,
    Search(start): Search<Start>,
    request: Parts,
) -> Result<Response, Failure> {
    follow(api, Feed::Changes, &id, &start, &request).await
}

async fn follow(
    api: Api,
    feed: Feed,
    id: &UniverseId,
    start: &Start,
    request: &Parts,
) -> Result<Response, Failure> {
    // An id that is no number is none of ours: the reader has to begin anew.
    let last = request
        .headers
        .get("last-event-id")
        .map(|id| id.to_str().ok().and_then(|id| id.trim().parse().ok()).unwrap_or(u64::MAX));
    let frames = api.feeds.read(feed, id, last.or(start.after)).await?;
    let mut response = kit_http::events(frames, api.shutdown);
    if request.version < Version::HTTP_2 {
        let keep = HeaderValue::from_static("keep-alive");
        response.headers_mut().insert(header::CONNECTION, keep);
    }
    Ok(response)
}
