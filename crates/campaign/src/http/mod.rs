//! `/campaigns/…`, `/duality/…`: what the page, the command line and programs ask.
//!
//! [`table`] has all routes; [`crate::openapi`] describes them, and a test holds the two together.

mod campaigns;
mod dice;
mod input;
mod journal;
mod live;
mod people;

use axum::{
    Router,
    response::{IntoResponse, Response},
    routing::{MethodRouter, get, patch, post, put},
};
use http::{HeaderValue, header};
use kit_app::Deps;
use tokio_util::sync::CancellationToken;

use crate::{Config, Service, openapi};

/// The whole HTTP surface but `/mcp`.
pub(crate) fn routes(config: &Config, service: Service, deps: &Deps) -> Router {
    let api = Api {
        service,
        body_bytes: config.body_bytes,
        replay_entries: config.replay_entries,
        shutdown: deps.shutdown.clone(),
    };
    let add = |routes: Router<Api>, (path, methods)| routes.route(path, methods);
    table().into_iter().fold(Router::new(), add).with_state(api)
}

/// The paths of all routes.
pub fn paths() -> Vec<&'static str> {
    table().into_iter().map(|(path, _)| path).collect()
}

fn table() -> Vec<(&'static str, MethodRouter<Api>)> {
    vec![
        ("/openapi.json", get(document)),
        ("/campaigns", get(campaigns::list).post(campaigns::create)),
        ("/campaigns/changes", get(live::campaigns)),
        ("/campaigns/{id}", get(campaigns::table)),
        ("/campaigns/{id}/participants", post(people::join)),
        ("/campaigns/{id}/participants/{participant}/token", post(people::issue_token)),
        ("/campaigns/{id}/actors", post(people::create_actor)),
        ("/campaigns/{id}/actors/{actor}/controller", put(people::set_control)),
        ("/campaigns/{id}/actors/{actor}/sheet", put(people::set_sheet)),
        ("/campaigns/{id}/actors/{actor}/state", patch(people::set_state)),
        ("/campaigns/{id}/fear", put(campaigns::set_fear)),
        ("/campaigns/{id}/sessions", post(campaigns::start_session)),
        ("/campaigns/{id}/sessions/{session}/end", post(campaigns::end_session)),
        ("/campaigns/{id}/rolls", post(dice::roll_in)),
        ("/campaigns/{id}/rolls/{seq}/apply", post(dice::apply)),
        ("/campaigns/{id}/notes", post(journal::add_note)),
        ("/campaigns/{id}/events", get(journal::events)),
        ("/campaigns/{id}/changes", get(live::entries)),
        ("/campaigns/{id}/undo", post(journal::undo)),
        ("/campaigns/{id}/fork", post(journal::fork)),
        ("/campaigns/{id}/verify", get(journal::verify)),
        ("/sessions/{id}/export", get(journal::export)),
        ("/duality/rules", get(dice::rules)),
        ("/duality/roll", post(dice::roll)),
        ("/duality/outcome", post(dice::outcome)),
        ("/duality/explain", post(dice::explain)),
        ("/duality/probability", post(dice::probability)),
        ("/dice", post(dice::roll_dice)),
    ]
}

/// What the handlers work with.
#[derive(Clone)]
struct Api {
    service: Service,
    body_bytes: usize,
    replay_entries: u64,
    shutdown: CancellationToken,
}

async fn document() -> Response {
    let json = HeaderValue::from_static("application/json");
    ([(header::CONTENT_TYPE, json)], openapi::text()).into_response()
}
