//! Universes made by a seed, with progress for those who want to see it.

use axum::{extract::State, response::Response};
use futures::{StreamExt, channel::mpsc, stream};
use http::{HeaderMap, StatusCode, header};
use kit_http::Frame;
use tokio_util::task::AbortOnDropHandle;
use universe_core::{UniverseId, generate::describe, json::encode};

use super::{
    Api, Failure,
    input::{From, Id, Input, Wanted},
    json, universes,
};
use crate::{
    Error,
    service::{Blueprint, Caller, Made},
    wire::{self, Detail},
};

/// Steps that may wait to be read; those in between are left out.
const WAITING: usize = 16;

pub(super) async fn generator() -> Response {
    json(StatusCode::OK, encode(&describe()))
}

pub(super) async fn make(
    State(api): State<Api>,
    From(caller): From,
    Wanted(detail): Wanted,
    headers: HeaderMap,
    Input(body): Input,
) -> Result<Response, Failure> {
    let blueprint = api.service.blueprint(&body, None).await?;
    answer(api, caller, blueprint, &headers, StatusCode::CREATED, detail).await
}

pub(super) async fn make_into(
    State(api): State<Api>,
    From(caller): From,
    Id(id): Id,
    Wanted(detail): Wanted,
    headers: HeaderMap,
    Input(body): Input,
) -> Result<Response, Failure> {
    let into: &UniverseId = &id;
    let blueprint = api.service.blueprint(&body, Some(into)).await?;
    answer(api, caller, blueprint, &headers, StatusCode::OK, detail).await
}

async fn answer(
    api: Api,
    caller: Caller,
    blueprint: Blueprint,
    headers: &HeaderMap,
    status: StatusCode,
    detail: Detail,
) -> Result<Response, Failure> {
    if wants_events(headers) {
        return Ok(streamed(api, caller, blueprint));
    }
    let made = api.service.generate(&caller, blueprint, |_| {}).await?;
    let revision = made.record.revision();
    let text = wire::made(made, detail).await;
    Ok(universes::tagged(json(status, text), revision))
}

fn wants_events(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter();
    accepted.filter_map(|value| value.to_str().ok()).any(|text| text.contains("text/event-stream"))
}

/// Progress as it comes, then what was made. Whoever stops reading stops the work.
fn streamed(api: Api, caller: Caller, blueprint: Blueprint) -> Response {
    let (mut sender, steps) = mpsc::channel(WAITING);
    let service = api.service.clone();
    let work = tokio::spawn(async move {
        // A reader that is slow misses steps, which says nothing wrong: the next one has the sum.
        let told = move |progress| drop(sender.try_send(progress));
        service.generate(&caller, blueprint, told).await
    });
    let work = AbortOnDropHandle::new(work);
    let progress = steps.map(|step| Frame::without_id(Some("progress"), &encode(&step)));
    let last = stream::once(async move {
        match work.await {
            Ok(Ok(made)) => done(made).await,
            Ok(Err(error)) => failed(error.into()),
            // It panicked; the panic hook has said why.
            Err(_) => failed(Error::Stopped.into()),
        }
    });
    kit_http::events(progress.chain(last), api.shutdown)
}

async fn done(made: Made) -> Frame {
    Frame::without_id(Some("done"), &wire::made(made, Detail::None).await)
}

fn failed(failure: Failure) -> Frame {
    Frame::without_id(Some("failed"), &encode(&failure.into_body()))
}
