//! Everything on one port.

use std::sync::Arc;

use axum::{
    Router,
    extract::{OriginalUri, State},
    response::IntoResponse,
};
use http::{Method, StatusCode};
use kit_app::{Health, Mount, Serves};
use kit_core::{Kind, Report, nearest_few};
use kit_http::Problem;
use kit_mcp::{Mode, Server, http::Endpoint};

use crate::{host::Host, status::Status};

/// The paths that can be told to somebody who is lost.
type Known = Arc<[String]>;

/// `tandem serve`: each application below its name, all of them as one at `/mcp`, and the host's own.
pub(crate) fn all(host: &Host, status: &Status) -> Router {
    let known = known(&host.mounts);
    let names: Vec<_> = host.mounts.iter().map(|mount| mount.name).collect();
    let mcp_of_all = mcp(host, "tandem", host.combined(&names), Mode::Sessions);
    let mcp_of_all = mcp_of_all.merge(health(&host.mounts));
    let mut routes = status.routes().merge(kit_web::page("home")).merge(mcp_of_all);
    for mount in &host.mounts {
        let app = mount.routes.clone().merge(endpoint(host, mount));
        // A service and not nested routes: `/universe` and `/universe/` are both the application's root.
        routes = routes.nest_service(&format!("/{}", mount.name), guided(app, &known));
        routes = routes.merge(mount.root.clone());
    }
    guided(routes, &known)
}

/// What commands ask: each application below its name, whatever the way in which it is served to the world.
pub(crate) fn of_commands(host: &Host) -> Router {
    let known = known(&host.mounts);
    let nest = |routes: Router, mount: &Mount| {
        routes.nest_service(&format!("/{}", mount.name), guided(mount.routes.clone(), &known))
    };
    guided(host.mounts.iter().fold(Router::new(), nest), &known)
}

/// `tandem <application> serve`: the application at the root; the host's own routes where it has none.
pub(crate) fn alone(host: &Host, status: &Status) -> Router {
    alone_at(host, status, &host.mounts[0])
}

fn alone_at(host: &Host, status: &Status, mount: &Mount) -> Router {
    let known: Known = Arc::from(["/mcp", "/health", "/ready", "/metrics"].map(str::to_owned));
    let behind = match &mount.rest {
        Some(rest) => status.routes().fallback_service(rest.clone()),
        None => guided(status.routes(), &known),
    };
    let app = mount.routes.clone().merge(mount.root.clone()).merge(endpoint(host, mount));
    app.method_not_allowed_fallback(wrong_method).fallback_service(behind)
}

/// `tandem <application> mcp --transport http`: its endpoint, and the host's own.
pub(crate) fn to_agents(host: &Host, status: &Status) -> Router {
    let mount = &host.mounts[0];
    let known: Known = Arc::from(["/mcp", "/health", "/ready", "/metrics"].map(str::to_owned));
    let behind = guided(status.routes(), &known);
    endpoint(host, mount).method_not_allowed_fallback(wrong_method).fallback_service(behind)
}

/// What is behind a further address of an application.
pub(crate) fn further(host: &Host, status: &Status, mount: &Mount, serves: &Serves) -> Router {
    match serves {
        Serves::Whole => alone_at(host, status, mount),
        Serves::Mcp { app, mode } => {
            let known: Known =
                Arc::from(["/mcp", "/health", "/ready", "/metrics"].map(str::to_owned));
            let mcp = mcp(host, mount.name, host.serving((**app).clone()), *mode);
            let mcp = mcp.merge(health(std::slice::from_ref(mount)));
            mcp.method_not_allowed_fallback(wrong_method)
                .fallback_service(guided(status.routes(), &known))
        }
    }
}

/// The MCP endpoint of one application, and whether that can do its work.
fn endpoint(host: &Host, mount: &Mount) -> Router {
    let mcp = mcp(host, mount.name, host.single(mount), mount.mode);
    mcp.merge(health(std::slice::from_ref(mount)))
}

/// `/mcp/health`: whether whoever answers at `/mcp` can.
fn health(mounts: &[Mount]) -> Router {
    let checks: Vec<_> = mounts.iter().map(|mount| mount.health.clone()).collect();
    let answer = async move || {
        for check in &checks {
            if let Health::Ill { reason } = check().await {
                return (StatusCode::SERVICE_UNAVAILABLE, reason);
            }
        }
        (StatusCode::OK, "OK".to_owned())
    };
    Router::new().route("/mcp/health", axum::routing::get(answer))
}

fn mcp(host: &Host, name: &str, server: Server, mode: Mode) -> Router {
    let endpoint = Endpoint {
        name: name.to_owned(),
        mode,
        sessions: host.store.sessions.clone(),
        signals: host.store.signals.clone(),
        shutdown: host.shutdown.clone(),
    };
    kit_mcp::http::routes(server, endpoint)
}

/// Answers in words what no route takes.
fn guided(routes: Router, known: &Known) -> Router {
    let lost = axum::routing::any(no_route).with_state(known.clone());
    routes.method_not_allowed_fallback(wrong_method).fallback_service(lost)
}

async fn no_route(State(known): State<Known>, OriginalUri(uri): OriginalUri) -> Problem {
    let path = uri.path();
    let near = nearest_few(path, known.iter().map(String::as_str), 3);
    let mut report = Report::new(Kind::NotFound, format!("no route `{path}`"));
    report.hint = Some(match near.first() {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are `{}`", known.join("`, `")),
    });
    report.suggestions = near.into_iter().map(str::to_owned).collect();
    Problem::new(StatusCode::NOT_FOUND, report)
}

async fn wrong_method(method: Method, OriginalUri(uri): OriginalUri) -> impl IntoResponse {
    let error = format!("`{}` does not take `{method}`", uri.path());
    let report = Report::new(Kind::Invalid, error).hint("the `Allow` header lists what it takes");
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, report)
}

fn known(mounts: &[Mount]) -> Known {
    let own = ["/", "/health", "/ready", "/metrics", "/api/status", "/mcp"];
    let mut known: Vec<String> = own.map(str::to_owned).into();
    for mount in mounts {
        known.push(format!("/{}/", mount.name));
        known.push(format!("/{}/mcp", mount.name));
        let links = mount.links.iter().map(|link| link.href.trim_start_matches('/'));
        known.extend(links.map(|href| format!("/{}/{href}", mount.name)));
    }
    known.dedup();
    known.into()
}
