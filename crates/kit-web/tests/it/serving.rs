use std::io::Read as _;

use axum::{Router, http::StatusCode};
use flate2::read::GzDecoder;

use crate::{Reply, get};

/// The home page and what its document refers to.
async fn home_and_assets() -> Option<(Router, Reply, Vec<String>)> {
    if kit_web::missing().is_some() {
        return None;
    }
    let home = kit_web::page("home");
    let document = get(&home, "/", &[]).await;
    let text = document.text();
    let assets: Vec<String> = text
        .split('"')
        .filter_map(|part| part.strip_prefix("./assets/"))
        .map(|name| format!("/assets/{name}"))
        .collect();
    assert!(assets.len() >= 3, "an icon, a script and a style sheet: {text}");
    Some((home, document, assets))
}

#[tokio::test]
async fn the_document_and_every_asset_it_names_are_served_with_their_types() {
    let Some((home, document, assets)) = home_and_assets().await else { return };
    assert_eq!(document.status, StatusCode::OK);
    assert_eq!(document.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(document.header("cache-control"), "no-cache");
    for asset in assets {
        let reply = get(&home, &asset, &[]).await;
        let expected = match asset.rsplit('.').next() {
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            _ => "image/svg+xml",
        };
        assert_eq!((reply.status, reply.header("content-type")), (StatusCode::OK, expected));
        assert_eq!(reply.header("cache-control"), "public, max-age=31536000, immutable");
        assert!(!reply.body.is_empty());
    }
}

#[tokio::test]
async fn what_the_browser_has_already_is_not_sent_again() {
    let Some((home, document, _)) = home_and_assets().await else { return };
    let etag = document.header("etag");
    let tags = format!("\"other\", {etag}");
    let again = get(&home, "/", &[("if-none-match", &tags)]).await;
    assert_eq!((again.status, again.body.len()), (StatusCode::NOT_MODIFIED, 0));
    assert_eq!(again.header("etag"), etag);
    let stale = get(&home, "/", &[("if-none-match", "\"other\"")]).await;
    assert_eq!(stale.status, StatusCode::OK);
}

#[tokio::test]
async fn a_browser_that_takes_gzip_gets_the_same_content_compressed() {
    let Some((home, document, _)) = home_and_assets().await else { return };
    let packed = get(&home, "/", &[("accept-encoding", "br, gzip;q=0.8")]).await;
    assert_eq!(packed.header("content-encoding"), "gzip");
    assert_eq!(packed.header("vary"), "accept-encoding");
    assert!(packed.body.len() < document.body.len());
    let mut unpacked = Vec::new();
    GzDecoder::new(&packed.body[..]).read_to_end(&mut unpacked).unwrap();
    assert_eq!(unpacked, document.body);

    let refused = get(&home, "/", &[("accept-encoding", "gzip;q=0")]).await;
    assert_eq!(refused.header("content-encoding"), "");
    assert_eq!(refused.body, document.body);
}

#[tokio::test]
async fn every_answer_carries_the_security_headers() {
    let home = kit_web::page("home");
    for path in ["/", "/assets/none.js"] {
        let reply = get(&home, path, &[]).await;
        let policy = reply.header("content-security-policy");
        assert!(policy.starts_with("default-src 'self';"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(reply.header("x-content-type-options"), "nosniff");
        assert_eq!(reply.header("referrer-policy"), "no-referrer");
    }
}

#[tokio::test]
async fn an_unknown_asset_is_not_found() {
    let home = kit_web::page("home");
    for path in ["/assets/none.js", "/assets/../index.html", "/assets/"] {
        assert_eq!(get(&home, path, &[]).await.status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn a_nested_page_is_served_under_its_prefix_and_redirects_to_the_slash() {
    let host = Router::new().nest_service("/deep/universe", kit_web::page("universe"));
    let alone = get(&kit_web::page("universe"), "/", &[]).await;
    let nested = get(&host, "/deep/universe/", &[]).await;
    assert_eq!((nested.status, &nested.body), (alone.status, &alone.body));

    let bare = get(&host, "/deep/universe?a=1", &[]).await;
    assert_eq!(bare.status, StatusCode::PERMANENT_REDIRECT);
    assert_eq!(bare.header("location"), "./universe/?a=1");
}

#[test]
#[should_panic(expected = "no page `hmoe`")]
fn a_page_that_does_not_exist_is_a_mistake_found_at_start() {
    drop(kit_web::page("hmoe"));
}
