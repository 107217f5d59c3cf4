//! What programs may do over HTTP.

use axum::{Extension, Router, extract::State, http::StatusCode, routing::post};
use kit_core::Principal;
use kit_http::{Json, Path, Problem};

use crate::{service::Service, wire};

/// `/logs/{id}/entries`: entries in, the whole log out.
pub(crate) fn routes(service: Service) -> Router {
    Router::new().route("/logs/{id}/entries", post(add_entry)).with_state(service)
}

async fn add_entry(
    State(service): State<Service>,
    who: Option<Extension<Principal>>,
    Path(id): Path<String>,
    Json(input): Json<wire::Add>,
) -> Result<(StatusCode, Json<wire::Log>), Problem> {
    let who = who.map_or_else(Principal::local, |Extension(who)| who);
    let log = service.dispatch(&who, &id, input.into()).await?;
    Ok((StatusCode::CREATED, Json(log.into())))
}
