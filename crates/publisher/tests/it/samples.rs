//! The packages that a newcomer sees.

use malloy_model::Givens;
use publisher::{Asked, At, By, CellKind, Run, Surface};
use serde_json::json;

use crate::helper::{ask, rows, samples};

#[tokio::test]
async fn every_sample_is_listed_and_compiles() {
    let service = samples();
    let packages = service.packages("home").await.unwrap();
    let names: Vec<_> = packages.iter().map(|package| package.name.as_str()).collect();
    assert_eq!(names, ["grid", "harbour", "library"]);
    for package in &packages {
        assert_eq!(package.problems(), [], "{}", package.name);
        assert_eq!(package.models.len(), 2, "{}", package.name);
        assert!(package.description.is_some());
    }
}

#[tokio::test]
async fn a_text_a_view_and_a_named_query_give_rows() {
    let service = samples();
    let counted =
        rows(&service, "library", "library.malloy", "run: loans -> { aggregate: loan_count }")
            .await;
    assert_eq!(counted, json!([{"loan_count": 4000}]));
    let at = At::new("home", "library", "library.malloy");
    let view = Asked::Named { source: Some("books".into()), query: "by_genre".into() };
    let by_view = service.query(ask(at.clone(), view)).await.unwrap();
    assert_eq!(by_view.malloy_text, "run: `books` -> `by_genre`");
    assert!(by_view.rows.len() > 3 && by_view.sql.contains("SELECT"));
    let named = Asked::Named { source: None, query: "quiet_members".into() };
    assert_eq!(service.query(ask(at, named)).await.unwrap().rows.len(), 1);
}

#[tokio::test]
async fn the_notebooks_run_to_their_end() {
    let service = samples();
    for (package, path) in [
        ("library", "library.malloynb"),
        ("harbour", "harbour.malloynb"),
        ("grid", "grid.malloynb"),
    ] {
        let at = At::new("home", package, path);
        let caller = kit_core::Principal::local();
        let notebook = service
            .notebook(&at, Run::All, &Givens::default(), &By::new(&caller, Surface::Cli))
            .await
            .unwrap();
        let code: Vec<_> =
            notebook.cells.iter().filter(|cell| cell.kind == CellKind::Code).collect();
        assert!(code.iter().all(|cell| cell.error.is_none()), "{package}");
        assert!(!code[0].new_sources.is_empty(), "the first cell imports: {package}");
        assert!(code[1..].iter().all(|cell| cell.answer.is_some()), "{package}");
    }
}
