//! Commands, one or several at once.

use axum::{extract::State, response::Response};
use http::StatusCode;
use serde_json::Value;

use super::{
    Api, Failure,
    input::{From, Id, Input, Key, Wanted},
    json,
};
use crate::{Error, service::Order, wire};

pub(super) async fn command(
    State(api): State<Api>,
    From(caller): From,
    Id(id): Id,
    Wanted(detail): Wanted,
    Key(key): Key,
    Input(body): Input,
) -> Result<Response, Failure> {
    let outcome = api.service.dispatch(&caller, &id, Order::one(body).keyed(key)).await?;
    Ok(json(StatusCode::OK, wire::outcome(outcome, detail).await))
}

pub(super) async fn batch(
    State(api): State<Api>,
    From(caller): From,
    Id(id): Id,
    Wanted(detail): Wanted,
    Key(key): Key,
    Input(mut body): Input,
) -> Result<Response, Failure> {
    let Some(Value::Array(commands)) = body.get_mut("commands").map(Value::take) else {
        return Err(Error::Commands.into());
    };
    let outcome = api.service.dispatch(&caller, &id, Order::all(commands).keyed(key)).await?;
    Ok(json(StatusCode::OK, wire::batch(outcome, detail).await))
}
