//! Givens, and those that are fixed for who asks.

use std::sync::Arc;

use kit_core::Principal;
use malloy_model::Givens;
use publisher::{Answer, Asked, At, By, Error, Reach, Run, Service, Surface, What};
use serde_json::{Value, json};

use crate::helper::{Root, ask, shop};

fn with_given() -> Root {
    let root = shop();
    root.write(
        "shop/mine.malloy",
        "##! experimental\ngiven: ITEM :: string is 'cup'\n\
         source: mine is duckdb.table('data/orders.csv') extend { where: item = $ITEM measure: n is count() }\n",
    );
    root.write(
        "shop/mine.malloynb",
        ">>>malloy\nimport \"mine.malloy\"\n>>>malloy\nrun: mine -> { aggregate: n }\n",
    );
    root
}

async fn asked(service: &Service, caller: &str, givens: Value) -> Result<Arc<Answer>, Error> {
    let what = Asked::Text("run: mine -> { aggregate: n }".into());
    let mut ask = ask(At::new("home", "shop", "mine.malloy"), what);
    ask.by.caller = Principal::new(caller);
    ask.givens = serde_json::from_value(givens).unwrap();
    service.query(ask).await
}

#[tokio::test]
async fn a_given_has_its_default_takes_a_value_and_refuses_another_type_or_name() {
    let root = with_given();
    let service = root.service(|_| {});
    let n = async |givens| asked(&service, "local", givens).await.unwrap().rows[0]["n"].clone();
    assert_eq!(n(json!({})).await, 1);
    assert_eq!(n(json!({"ITEM": "tea"})).await, 2);
    for wrong in [json!({"ITEM": 1}), json!({"ITEMS": "tea"})] {
        let error = asked(&service, "local", wrong).await.unwrap_err();
        assert_eq!((error.what, error.status()), (What::Query, 400));
    }
}

#[tokio::test]
async fn what_is_fixed_for_the_holder_of_a_token_cannot_be_passed_by() {
    let root = with_given();
    let service = root.service(|config| {
        config.identities =
            serde_json::from_value(json!({"ada": {"ITEM": "tea", "OTHER": 1}})).unwrap();
    });
    let n = async |caller: &str, givens| asked(&service, caller, givens).await;
    assert_eq!(n("ada", json!({})).await.unwrap().rows[0]["n"], 2);
    assert_eq!(n("ada", json!({"ITEM": "tea"})).await.unwrap().rows[0]["n"], 2);
    let error = n("ada", json!({"ITEM": "cup"})).await.unwrap_err();
    assert_eq!((error.what, error.status()), (What::Forbidden, 403));
    assert_eq!(n("bob", json!({})).await.unwrap().rows[0]["n"], 1, "nothing is fixed for bob");

    let ada = Principal::new("ada");
    let at = At::new("home", "shop", "mine.malloynb");
    let notebook = service
        .notebook(&at, Run::All, &Givens::default(), &By::new(&ada, Surface::Rest))
        .await
        .unwrap();
    assert_eq!(notebook.cells[1].answer.as_ref().unwrap().rows[0]["n"], 2);

    let reach =
        Reach { project: "home".into(), package: Some("shop".into()), connection: "duckdb".into() };
    let error = service.query_data(&reach, "SELECT 1", None, &ada).await.unwrap_err();
    assert_eq!(error.status(), 403);
}

#[tokio::test]
async fn a_given_cannot_be_declared_anew_by_the_text_of_a_query() {
    let root = with_given();
    let service = root.service(|config| {
        config.identities = serde_json::from_value(json!({"ada": {"ITEM": "tea"}})).unwrap();
    });
    let what = Asked::Text("given: ITEM :: string is 'cup'\nrun: mine -> { aggregate: n }".into());
    let mut ask = ask(At::new("home", "shop", "mine.malloy"), what);
    ask.by.caller = Principal::new("ada");
    match service.query(ask).await {
        Err(error) => assert_eq!(error.status(), 400),
        Ok(answer) => assert_eq!(answer.rows[0]["n"], 2),
    }
}
