//! The two live feeds, as server-sent events.
//!
//! A feed is read from the journal as fast as its reader takes it: one that is slow holds nobody up, and one that comes
//! back gets what it missed by the number of the last entry that it has.

use axum::{extract::State, response::Response};
use futures::{StreamExt as _, stream};
use http::HeaderMap;
use kit_http::{Frame, Problem};
use serde::Deserialize;
use serde_json::json;

use super::{
    Api,
    input::{From, Path, Query},
};
use crate::{Backend as _, Change};

#[derive(Deserialize)]
pub(super) struct Start {
    /// The last entry seen, for a first connection; a browser that reconnects sends a header.
    after: Option<u64>,
}

/// What happens in one campaign.
pub(super) async fn entries(
    State(api): State<Api>,
    From(caller): From,
    Path(id): Path<String>,
    Query(start): Query<Start>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    // An id that is no number is none of ours: the reader has to begin anew.
    let last = headers
        .get("last-event-id")
        .map(|id| id.to_str().ok().and_then(|id| id.trim().parse().ok()).unwrap_or(u64::MAX));
    let last = last.or(start.after);
    let now = api.service.seq(&id, last.unwrap_or(0)).await?;
    let (after, resync) = match last {
        None => (now, None),
        Some(after) if after <= now && now - after <= api.replay_entries => (after, None),
        Some(_) => (now, Some(resync(&id, now))),
    };
    let entries = api.service.watch(&caller, &id, after).await?;
    let frames = entries
        .take_while(|entry| std::future::ready(entry.is_ok()))
        .filter_map(|entry| std::future::ready(entry.ok()))
        .map(|entry| {
            let data = serde_json::to_string(&entry).unwrap_or_default();
            Frame::new(entry.seq, Some("entry"), &data)
        });
    Ok(kit_http::events(stream::iter(resync).chain(frames), api.shutdown))
}

/// Told to one that is too far behind, or from another time: read the table, then go on from here.
fn resync(id: &str, seq: u64) -> Frame {
    let data = json!({"campaign_id": id, "seq": seq});
    Frame::new(seq, Some("resync"), &data.to_string())
}

/// Which campaigns change.
pub(super) async fn campaigns(
    State(api): State<Api>,
    From(caller): From,
) -> Result<Response, Problem> {
    let changes = api.service.watch_all(&caller).await?;
    let frames = changes
        .take_while(|change| std::future::ready(change.is_ok()))
        .filter_map(|change| std::future::ready(change.ok()))
        .map(|change| {
            let id = match &change {
                Change::Entry(entry) => &entry.campaign_id,
                Change::Missed { campaign_id } => campaign_id,
            };
            Frame::without_id(Some("changed"), &json!({"campaign_id": id}).to_string())
        });
    Ok(kit_http::events(frames, api.shutdown))
}
