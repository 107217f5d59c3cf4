//! REST: `/api/v0`, with the paths, bodies and statuses that clients of such servers know.
//!
//! [`table`] has the routes that any page may ask where the host lets it, [`guarded`] those for the server's own pages and
//! for programs. [`openapi`] describes them, and a test holds all together. Everything that is refused is `{"code",
//! "message", "suggestions", …}` ([`failure`]). `environments` may stand wherever `projects` stands.

mod answer;
mod connections;
mod failure;
mod input;
mod live;
mod manage;
mod models;
mod notebooks;
mod openapi;
mod packages;
mod queries;
mod server;

use axum::{
    Router, middleware,
    routing::{MethodRouter, any, get, patch, post},
};
use kit_app::Deps;
use tokio_util::sync::CancellationToken;

use crate::Service;

/// The whole HTTP surface but the page and `/mcp`.
pub(crate) fn routes(service: &Service, deps: &Deps) -> Router {
    let api = Api { service: service.clone(), shutdown: deps.shutdown.clone() };
    // What changes the server, and what runs SQL, is not for pages of other sites, whoever may read the rest.
    let guarded = kit_http::own_pages_only(router(guarded()).with_state(api.clone()));
    let unknown = Router::new()
        .route("/api", any(failure::no_such_path))
        .route("/api/", any(failure::no_such_path))
        .route("/api/{*rest}", any(failure::no_such_path));
    router(table())
        .with_state(api)
        .merge(guarded)
        .merge(unknown)
        .method_not_allowed_fallback(failure::no_such_method)
        .layer(middleware::from_fn(input::refuse_versions))
}

/// The paths of all routes.
pub fn paths() -> Vec<&'static str> {
    table().into_iter().chain(guarded()).map(|(path, _)| path).collect()
}

fn router(table: Vec<(&'static str, MethodRouter<Api>)>) -> Router<Api> {
    let mut routes = Router::new();
    for (path, methods) in table {
        if path.contains(PROJECTS) {
            routes = routes.route(&path.replacen(PROJECTS, ENVIRONMENTS, 1), methods.clone());
        }
        routes = routes.route(path, methods);
    }
    routes
}

/// What projects are called in paths, and what they are called by later servers.
const PROJECTS: &str = "/api/v0/projects";
const ENVIRONMENTS: &str = "/api/v0/environments";

fn table() -> Vec<(&'static str, MethodRouter<Api>)> {
    vec![
        ("/health", get(server::up)),
        ("/health/liveness", get(server::up)),
        ("/health/readiness", get(server::up)),
        ("/openapi.json", get(server::document)),
        ("/api-doc.yaml", get(server::document_as_yaml)),
        ("/api-doc.html", get(server::document_as_page)),
        ("/api/v0/openapi.json", get(server::document)),
        ("/api/v0/status", get(server::status)),
        ("/api/v0/history", get(server::history)),
        ("/api/v0/events", get(live::events)),
        ("/api/v0/watch-mode/status", get(server::watch_status)),
        ("/api/v0/projects", get(packages::projects)),
        ("/api/v0/projects/{project}", get(packages::project)),
        ("/api/v0/projects/{project}/packages", get(packages::list)),
        ("/api/v0/projects/{project}/packages/{package}", get(packages::read)),
        ("/api/v0/projects/{project}/packages/{package}/models", get(models::list)),
        (
            "/api/v0/projects/{project}/packages/{package}/models/{*path}",
            get(models::read).post(models::ask),
        ),
        (
            "/api/v0/projects/{project}/packages/{package}/queryResults/{*path}",
            get(queries::results),
        ),
        ("/api/v0/projects/{project}/packages/{package}/notebooks", get(notebooks::list)),
        ("/api/v0/projects/{project}/packages/{package}/notebooks/{*path}", get(notebooks::read)),
        ("/api/v0/projects/{project}/packages/{package}/databases", get(packages::databases)),
        ("/api/v0/projects/{project}/packages/{package}/schedules", get(packages::schedules)),
        ("/api/v0/projects/{project}/connections", get(connections::list)),
        ("/api/v0/projects/{project}/connections/{connection}", get(connections::read)),
        ("/api/v0/projects/{project}/packages/{package}/connections", get(connections::list)),
        (
            "/api/v0/projects/{project}/packages/{package}/connections/{connection}",
            get(connections::read),
        ),
    ]
}

/// Routes for programs and for the server's own pages.
fn guarded() -> Vec<(&'static str, MethodRouter<Api>)> {
    vec![
        ("/api/v0/projects", post(manage::add_project)),
        (
            "/api/v0/projects/{project}",
            patch(manage::change_project).delete(manage::remove_project),
        ),
        ("/api/v0/projects/{project}/packages", post(manage::add_package)),
        (
            "/api/v0/projects/{project}/packages/{package}",
            patch(manage::change_package).delete(manage::remove_package),
        ),
        (
            "/api/v0/projects/{project}/connections/{connection}",
            post(manage::add_connection)
                .patch(manage::change_connection)
                .delete(manage::remove_connection),
        ),
        ("/api/v0/watch-mode/start", post(server::start_watching)),
        ("/api/v0/watch-mode/stop", post(server::stop_watching)),
        ("/api/v0/connections/test", post(connections::test_new)),
        ("/api/v0/projects/{project}/connections/{connection}/test", get(connections::test)),
        (
            "/api/v0/projects/{project}/connections/{connection}/sqlSource",
            get(connections::sql_source).post(connections::sql_source),
        ),
        (
            "/api/v0/projects/{project}/connections/{connection}/tableSource",
            get(connections::table_source),
        ),
        (
            "/api/v0/projects/{project}/connections/{connection}/queryData",
            get(connections::query_data),
        ),
        (
            "/api/v0/projects/{project}/connections/{connection}/sqlQuery",
            post(connections::query_data),
        ),
        (
            "/api/v0/projects/{project}/connections/{connection}/temporaryTable",
            get(connections::temporary_table),
        ),
        (
            "/api/v0/projects/{project}/connections/{connection}/sqlTemporaryTable",
            post(connections::temporary_table),
        ),
        ("/api/v0/projects/{project}/connections/{connection}/schemas", get(connections::schemas)),
        (
            "/api/v0/projects/{project}/connections/{connection}/schemas/{schema}/tables",
            get(connections::tables),
        ),
        (
            "/api/v0/projects/{project}/connections/{connection}/schemas/{schema}/tables/{table}",
            get(connections::table),
        ),
        (
            "/api/v0/projects/{project}/packages/{package}/connections/{connection}/test",
            get(connections::test),
        ),
        (
            "/api/v0/projects/{project}/packages/{package}/connections/{connection}/sqlSource",
            get(connections::sql_source).post(connections::sql_source),
        ),
        (
            "/api/v0/projects/{project}/packages/{package}/connections/{connection}/tableSource",
            get(connections::table_source),
        ),
        (
            "/api/v0/projects/{project}/packages/{package}/connections/{connection}/queryData",
            get(connections::query_data),
        ),
        (
            "/api/v0/projects/{project}/packages/{package}/connections/{connection}/sqlQuery",
            post(connections::query_data),
        ),
        (
            "/api/v0/projects/{project}/packages/{package}/connections/{connection}/temporaryTable",
            get(connections::temporary_table),
        ),
        (
            "/api/v0/projects/{project}/packages/{package}/connections/{connection}/sqlTemporaryTable",
            post(connections::temporary_table),
        ),
        (
            "/api/v0/projects/{project}/packages/{package}/connections/{connection}/schemas",
            get(connections::schemas),
        ),
        (
            "/api/v0/projects/{project}/packages/{package}/connections/{connection}/schemas/{schema}/tables",
            get(connections::tables),
        ),
        (
            "/api/v0/projects/{project}/packages/{package}/connections/{connection}/schemas/{schema}/tables/{table}",
            get(connections::table),
        ),
    ]
}

/// What the handlers work with.
#[derive(Clone)]
struct Api {
    service: Service,
    shutdown: CancellationToken,
}
