use axum::http::StatusCode;

use crate::get;

#[tokio::test]
async fn a_build_without_the_pages_says_what_is_missing_and_how_to_get_them() {
    let reply = get(&kit_web::page("home"), "/", &[]).await;
    let Some(missing) = kit_web::missing() else {
        assert_eq!(reply.status, StatusCode::OK);
        return;
    };
    assert_eq!(reply.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(reply.text().contains(missing), "{}", reply.text());
    assert!(missing.contains("build again"), "{missing}");
}
