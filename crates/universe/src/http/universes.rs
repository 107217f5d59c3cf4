//! Universes as a whole: made, read, listed, replaced, forked, deleted; their histories and clocks.

use axum::{extract::State, response::Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::Deserialize;
use serde_json::Value;

use super::{
    Api, Failure,
    input::{From, Id, Input, Search, Wanted, if_match},
    json,
};
use crate::{
    service::{LONGEST_PAGE, NewUniverse, Record, Replacement},
    wire::{self, Detail},
};

/// How many changes a history shows unless it is told otherwise.
const USUAL_PAGE: usize = 50;

#[derive(Deserialize)]
pub(super) struct ListQuery {
    limit: Option<usize>,
    cursor: Option<String>,
}

pub(super) async fn list(
    State(api): State<Api>,
    Wanted(detail): Wanted,
    Search(query): Search<ListQuery>,
) -> Result<Response, Failure> {
    if query.limit == Some(0) {
        return Err(Failure::bad("`limit` must be at least 1"));
    }
    let (limit, cursor) = (query.limit, query.cursor.as_deref());
    let (text, next) = match detail {
        Detail::Full => {
            let listing = api.service.list(limit, cursor).await?;
            (wire::records(listing.items).await, listing.next)
        }
        Detail::None => {
            let listing = api.service.list_summaries(limit, cursor).await?;
            (wire::listing(&listing.items), listing.next)
        }
    };
    let mut response = json(StatusCode::OK, text);
    if let Some(link) = next.and_then(|next| link(&next, limit, detail)) {
        response.headers_mut().insert(header::LINK, link);
    }
    Ok(response)
}

/// Relative, so that it holds wherever the application is mounted: `?…` keeps the path of the request.
fn link(next: &str, limit: Option<usize>, detail: Detail) -> Option<HeaderValue> {
    let limit = limit.map(|limit| format!("&limit={limit}")).unwrap_or_default();
    let state = if detail == Detail::None { "&state=none" } else { "" };
    HeaderValue::from_str(&format!("<?cursor={next}{limit}{state}>; rel=\"next\"")).ok()
}

pub(super) async fn create(
    State(api): State<Api>,
    From(caller): From,
    Wanted(detail): Wanted,
    Input(mut body): Input,
) -> Result<Response, Failure> {
    let mut take = |key| body.get_mut(key).map(Value::take).unwrap_or_default();
    let new = NewUniverse { name: take("name"), state: take("state") };
    let record = api.service.create(&caller, new).await?;
    Ok(show(StatusCode::CREATED, record, detail).await)
}

#[derive(Deserialize)]
pub(super) struct ReadQuery {
    revision: Option<u64>,
}

pub(super) async fn read(
    State(api): State<Api>,
    Id(id): Id,
    Wanted(detail): Wanted,
    Search(query): Search<ReadQuery>,
) -> Result<Response, Failure> {
    let record = match query.revision {
        Some(revision) => api.service.at(&id, revision).await?,
        None => api.service.get(&id).await?,
    };
    Ok(show(StatusCode::OK, record, detail).await)
}

pub(super) async fn replace(
    State(api): State<Api>,
    From(caller): From,
    Id(id): Id,
    Wanted(detail): Wanted,
    headers: HeaderMap,
    Input(mut body): Input,
) -> Result<Response, Failure> {
    let mut given = |key| body.as_object_mut().and_then(|body| body.shift_remove(key));
    let (name, state) = (given("name"), given("state"));
    let new = Replacement { name, state, expected: if_match(&headers)? };
    let record = api.service.replace(&caller, &id, new).await?;
    Ok(show(StatusCode::OK, record, detail).await)
}

pub(super) async fn delete(
    State(api): State<Api>,
    From(caller): From,
    Id(id): Id,
) -> Result<StatusCode, Failure> {
    api.service.delete(&caller, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize)]
pub(super) struct HistoryQuery {
    limit: Option<usize>,
    before: Option<u64>,
}

pub(super) async fn history(
    State(api): State<Api>,
    Id(id): Id,
    Search(query): Search<HistoryQuery>,
) -> Result<Response, Failure> {
    let limit = query.limit.unwrap_or(USUAL_PAGE);
    if !(1..=LONGEST_PAGE).contains(&limit) {
        return Err(Failure::bad(format!("`limit` must be 1 to {LONGEST_PAGE}")));
    }
    let page = api.service.history(&id, query.before, limit).await?;
    Ok(json(StatusCode::OK, wire::history(&page)))
}

pub(super) async fn fork(
    State(api): State<Api>,
    From(caller): From,
    Id(id): Id,
    Wanted(detail): Wanted,
    Input(body): Input,
) -> Result<Response, Failure> {
    let revision = match body.get("revision") {
        None | Some(Value::Null) => None,
        Some(value) => match value.as_u64() {
            Some(revision) => Some(revision),
            None => return Err(Failure::bad("\"revision\" must be a whole number when provided")),
        },
    };
    let record = api.service.fork(&caller, &id, revision, body.get("name")).await?;
    Ok(show(StatusCode::CREATED, record, detail).await)
}

pub(super) async fn clock(State(api): State<Api>, Id(id): Id) -> Result<Response, Failure> {
    let record = api.service.get(&id).await?;
    Ok(json(StatusCode::OK, wire::clock(&record)))
}

pub(super) async fn set_clock(
    State(api): State<Api>,
    From(caller): From,
    Id(id): Id,
    Input(body): Input,
) -> Result<Response, Failure> {
    let record = api.service.set_clock(&caller, &id, &body).await?;
    Ok(json(StatusCode::OK, wire::clock(&record)))
}

/// A record with its revision as the entity tag.
async fn show(status: StatusCode, record: Record, detail: Detail) -> Response {
    let revision = record.revision();
    tagged(json(status, wire::record(record, detail).await), revision)
}

pub(super) fn tagged(mut response: Response, revision: u64) -> Response {
    if let Ok(tag) = HeaderValue::from_str(&format!("\"{revision}\"")) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}
