//! What a request meets on its way, seen from outside.

use axum::{
    Router,
    routing::{get, post},
};
use http::{Method, Request};
use http_body_util::BodyExt;
use insta::assert_snapshot;

use super::*;
use crate::Json;

const TOKEN: &str = "s3cret-token";

fn routes() -> Router {
    Router::new()
        .route("/stars", get(|| async { "stars" }))
        .route("/stars", post(|Json(_): Json<serde_json::Value>| async { "made" }))
        .route("/bug", get(bug))
        .route("/mcp", post(|| async { "{}" }))
}

async fn bug() -> &'static str {
    panic!("secret details")
}

fn open(limits: Limits) -> Guard {
    let bound = "127.0.0.1:3000".parse().ok();
    Guard::new(Rules { bound, limits, ..Rules::default() }, Metrics::default())
}

fn locked() -> Guard {
    let token = Token::new(TOKEN).ok();
    Guard::new(Rules { token, ..Rules::default() }, Metrics::default())
}

fn ask(method: Method, path: &str) -> http::request::Builder {
    Request::builder().method(method).uri(path).header("host", "localhost:3000")
}

async fn send(guard: &Guard, request: http::request::Builder) -> Response {
    send_body(guard, request, Body::empty()).await
}

async fn send_body(guard: &Guard, request: http::request::Builder, body: Body) -> Response {
    guard.answer(routes(), request.body(body).unwrap()).await
}

async fn shown(response: Response) -> String {
    let status = response.status();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    format!("{status}\n{}", String::from_utf8_lossy(&body))
}

#[tokio::test]
async fn a_foreign_host_is_told_why() {
    let guard = open(Limits::default());
    let request = Request::get("/stars").header("host", "evil.example");
    assert_snapshot!(shown(send(&guard, request).await).await, @r#"
    403 Forbidden
    {"title":"Forbidden","status":403,"detail":"host `evil.example` is not a name of this server","error":"host `evil.example` is not a name of this server","code":"bad_host","hint":"use `localhost`, or start the server with `--allow-host` and this name"}
    "#);
}

#[tokio::test]
async fn an_mcp_endpoint_refuses_in_json_rpc() {
    let guard = open(Limits::default());
    let request = ask(Method::POST, "/mcp").header("origin", "http://evil.example");
    assert_snapshot!(shown(send(&guard, request).await).await, @r#"
    403 Forbidden
    {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"pages of `http://evil.example` may not ask this server","data":{"error":"pages of `http://evil.example` may not ask this server","code":"bad_origin","hint":"open the server's own pages, or start it with `--allow-origin` and this origin"}}}
    "#);
}

#[tokio::test]
async fn a_foreign_page_cannot_read_its_refusal() {
    let guard = open(Limits::default());
    let response = send(&guard, ask(Method::GET, "/stars").header("origin", "http://evil.example"));
    assert!(!response.await.headers().contains_key("access-control-allow-origin"));
}

#[tokio::test]
async fn an_allowed_page_may_read_answers_and_refusals() {
    let guard = locked();
    let request = ask(Method::GET, "/stars").header("origin", "http://localhost:5173");
    let response = send(&guard, request).await;
    assert_eq!(response.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(response.headers()["access-control-allow-origin"], "http://localhost:5173");
}

#[tokio::test]
async fn a_preflight_needs_no_token() {
    let guard = locked();
    let request = ask(Method::OPTIONS, "/mcp")
        .header("origin", "http://localhost:5173")
        .header("access-control-request-method", "POST");
    let response = send(&guard, request).await;
    assert_eq!(response.status(), StatusCode::NO_CONTENT);
    let allowed = response.headers()["access-control-allow-headers"].to_str().unwrap();
    assert!(allowed.contains("mcp-session-id") && allowed.contains("authorization"), "{allowed}");
}

#[tokio::test]
async fn a_request_without_the_token_is_told_where_to_read_more() {
    let guard = locked();
    let response = send(&guard, ask(Method::POST, "/mcp")).await;
    assert_eq!(
        response.headers()["www-authenticate"],
        "Bearer realm=\"tandem\", resource_metadata=\"http://localhost:3000/.well-known/oauth-protected-resource/mcp\""
    );
    assert_snapshot!(shown(response).await, @r#"
    401 Unauthorized
    {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"this server wants a token","data":{"error":"this server wants a token","code":"unauthorized","hint":"send `Authorization: Bearer …` with the token that the server was started with"}}}
    "#);
}

#[tokio::test]
async fn a_wrong_token_is_named_invalid() {
    let guard = locked();
    let request = ask(Method::GET, "/stars").header("authorization", "Bearer wrong");
    let response = send(&guard, request).await;
    assert_eq!(response.status(), StatusCode::UNAUTHORIZED);
    let challenge = response.headers()["www-authenticate"].to_str().unwrap();
    assert!(challenge.contains("error=\"invalid_token\""), "{challenge}");
}

#[tokio::test]
async fn the_token_opens_every_route() {
    let guard = locked();
    let request = ask(Method::GET, "/stars").header("authorization", format!("bearer {TOKEN}"));
    assert_eq!(send(&guard, request).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn a_person_without_the_token_gets_a_form_and_logs_in_with_it() {
    let guard = locked();
    let request = ask(Method::GET, "/stars?a=1").header("accept", "text/html,*/*");
    let page = shown(send(&guard, request).await).await;
    assert!(page.starts_with("401") && page.contains("value=\"/stars?a=1\""), "{page}");

    let form = "application/x-www-form-urlencoded";
    let request = ask(Method::POST, "/login").header("content-type", form);
    let body = Body::from(format!("token={TOKEN}&next=%2Fstars%3Fa%3D1"));
    let response = send_body(&guard, request, body).await;
    assert_eq!(response.status(), StatusCode::SEE_OTHER);
    assert_eq!(response.headers()["location"], "/stars?a=1");
    let cookie = response.headers()["set-cookie"].to_str().unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");

    let cookie = cookie.split(';').next().unwrap();
    let request = ask(Method::GET, "/stars").header("cookie", cookie);
    assert_eq!(send(&guard, request).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn a_link_with_the_token_logs_in_and_loses_it() {
    let guard = locked();
    let response = send(&guard, ask(Method::GET, &format!("/stars?token={TOKEN}&a=1"))).await;
    assert_eq!(response.status(), StatusCode::SEE_OTHER);
    assert_eq!(response.headers()["location"], "/stars?a=1");
    assert!(response.headers().contains_key("set-cookie"));
}

#[tokio::test]
async fn logging_in_never_leads_to_another_site() {
    let guard = locked();
    for next in ["//evil.example", "https://evil.example"] {
        let form = "application/x-www-form-urlencoded";
        let request = ask(Method::POST, "/login").header("content-type", form);
        let body = Body::from(format!("token={TOKEN}&next={next}"));
        let response = send_body(&guard, request, body).await;
        assert_eq!(response.headers()["location"], "/");
    }
}

#[tokio::test]
async fn the_cookie_counts_only_for_our_own_pages() {
    let guard = locked();
    let cookie = format!("other=1; tandem_token={TOKEN}");
    let from = |origin: &str| {
        ask(Method::GET, "/stars").header("cookie", &cookie).header("origin", origin)
    };
    let own = send(&guard, from("http://localhost:3000")).await;
    assert_eq!(own.status(), StatusCode::OK);
    let neighbour = send(&guard, from("http://localhost:9999")).await;
    assert_eq!(neighbour.status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn what_a_program_must_know_to_authenticate_needs_no_token() {
    let guard = locked();
    let path = "/.well-known/oauth-protected-resource/universe/mcp";
    assert_snapshot!(shown(send(&guard, ask(Method::GET, path)).await).await, @r#"
    200 OK
    {"resource":"http://localhost:3000/universe/mcp","resource_name":"Tandem","authorization_servers":[],"bearer_methods_supported":["header"]}
    "#);
}

#[tokio::test]
async fn too_many_requests_are_told_when_to_come_back() {
    let guard = open(Limits { requests_per_second: 1, burst: 2, ..Limits::default() });
    for _ in 0..2 {
        assert_eq!(send(&guard, ask(Method::GET, "/stars")).await.status(), StatusCode::OK);
    }
    let response = send(&guard, ask(Method::GET, "/stars")).await;
    assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(response.headers()["retry-after"], "1");
}

#[tokio::test]
async fn guessing_does_not_use_up_what_the_holder_may_do() {
    let limits = Limits { requests_per_second: 1, burst: 2, ..Limits::default() };
    let token = Token::new(TOKEN).ok();
    let guard = Guard::new(Rules { token, limits, ..Rules::default() }, Metrics::default());
    let guess = || ask(Method::GET, "/stars").header("authorization", "Bearer guess");
    for _ in 0..2 {
        assert_eq!(send(&guard, guess()).await.status(), StatusCode::UNAUTHORIZED);
    }
    assert_eq!(send(&guard, guess()).await.status(), StatusCode::TOO_MANY_REQUESTS);
    let holder = ask(Method::GET, "/stars").header("authorization", format!("Bearer {TOKEN}"));
    assert_eq!(send(&guard, holder).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn a_body_that_says_it_is_too_large_is_not_read() {
    let guard = open(Limits { body_bytes: 10, ..Limits::default() });
    let request = ask(Method::POST, "/stars").header("content-length", "104857600");
    let unread = Body::from_stream(futures::stream::pending::<Result<Bytes, std::io::Error>>());
    let response = send_body(&guard, request, unread).await;
    assert_eq!(response.status(), StatusCode::PAYLOAD_TOO_LARGE);
    assert!(shown(response).await.contains("104857600 bytes, this server takes 10"));
}

#[tokio::test]
async fn a_body_that_grows_too_large_is_cut() {
    let guard = open(Limits { body_bytes: 10, ..Limits::default() });
    let request = ask(Method::POST, "/stars").header("content-type", "application/json");
    let chunks = futures::stream::repeat_with(|| Ok::<_, std::io::Error>(Bytes::from("      ")));
    let response = send_body(&guard, request, Body::from_stream(chunks)).await;
    assert_eq!(response.status(), StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test(start_paused = true)]
async fn a_body_that_stops_arriving_times_out() {
    let guard = open(Limits::default());
    let request = ask(Method::POST, "/stars").header("content-type", "application/json");
    let stuck = Body::from_stream(futures::stream::pending::<Result<Bytes, std::io::Error>>());
    let response = send_body(&guard, request, stuck).await;
    assert_eq!(response.status(), StatusCode::REQUEST_TIMEOUT);
}

#[tokio::test]
async fn a_panic_is_an_answer_without_its_details() {
    let guard = open(Limits::default());
    let response = send(&guard, ask(Method::GET, "/bug")).await;
    assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
    assert!(!shown(response).await.contains("secret details"));
    assert_eq!(send(&guard, ask(Method::GET, "/stars")).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn one_request_too_many_at_once_is_shed() {
    let guard = open(Limits { concurrent_requests: 0, ..Limits::default() });
    let response = send(&guard, ask(Method::GET, "/stars")).await;
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(response.headers()["retry-after"], "1");
}

#[tokio::test]
async fn the_request_id_comes_back() {
    let guard = open(Limits::default());
    let response = send(&guard, ask(Method::GET, "/stars").header("x-request-id", "mine-7")).await;
    assert_eq!(response.headers()["x-request-id"], "mine-7");
    let response = send(&guard, ask(Method::GET, "/stars")).await;
    assert!(response.headers()["x-request-id"].len() > 8);
}

/// What a guard says to a call of gRPC: its status and its message.
async fn called(guard: &Guard, path: &str) -> String {
    let call = ask(Method::POST, path).header("content-type", "application/grpc+proto");
    let response = send(guard, call).await;
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(response.headers()["content-type"], "application/grpc");
    let header = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
    format!("{} {}", header("grpc-status"), header("grpc-message"))
}

#[tokio::test]
async fn a_grpc_client_is_refused_in_its_own_words() {
    assert_snapshot!(called(&locked(), "/campaign.v1.CampaignService/ListCampaigns").await, @"16 this server wants a token; send `Authorization: Bearer %E2%80%A6` with the token that the server was started with");
    let busy = open(Limits { concurrent_requests: 0, ..Limits::default() });
    assert_snapshot!(called(&busy, "/a.B/C").await, @"14 the server has too many requests in work; repeat the request in a moment");
    let hasty = open(Limits { requests_per_second: 1, burst: 1, ..Limits::default() });
    assert_eq!(send(&hasty, ask(Method::GET, "/stars")).await.status(), StatusCode::OK);
    assert_snapshot!(called(&hasty, "/a.B/C").await, @"8 too many requests for one caller; repeat in 1 s, or raise `limits.requests_per_second`");
}

#[tokio::test]
async fn where_any_page_may_ask_every_answer_says_so_and_names_are_still_checked() {
    let bound = "127.0.0.1:3000".parse().ok();
    let rules = Rules { bound, pages: Pages::Any, ..Rules::default() };
    let guard = Guard::new(rules, Metrics::default());
    for origin in ["https://elsewhere.example", "null", "http://localhost:5173"] {
        let response = send(&guard, ask(Method::GET, "/stars").header("origin", origin)).await;
        assert_eq!(response.status(), 200, "{origin}");
        assert_eq!(response.headers()["access-control-allow-origin"], "*");
        assert!(!response.headers().contains_key("access-control-allow-credentials"));
    }
    let response = send(&guard, ask(Method::GET, "/stars")).await;
    assert_eq!(response.headers()["access-control-allow-origin"], "*");
    let preflight = ask(Method::OPTIONS, "/stars")
        .header("origin", "https://elsewhere.example")
        .header("access-control-request-method", "POST");
    let response = send(&guard, preflight).await;
    assert_eq!(response.status(), 204);
    assert_eq!(response.headers()["access-control-allow-origin"], "*");
    let rebound = Request::get("/stars").header("host", "evil.example");
    assert_eq!(send(&guard, rebound).await.status(), 403);
}
