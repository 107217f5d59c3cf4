//! Notebooks, cell by cell.

use kit_core::Principal;
use malloy_model::Givens;
use publisher::{At, By, CellKind, Notebook, Run, Service, Surface};

use crate::helper::shop;

const TEXT: &str = ">>>markdown\n# Hello\n>>>malloy\nimport \"shop.malloy\"\n>>>malloy\nrun: orders -> by_item\n\
    >>>malloy\nrun: nothing -> here\n>>>sql connection:duckdb\nSELECT 1\n>>>malloy\nsource: cups is orders extend { where: item = 'cup' }\n\
    run: cups -> { aggregate: n }\n";

async fn notebook(service: &Service, run: Run) -> Result<Notebook, publisher::Error> {
    let at = At::new("home", "shop", "book.malloynb");
    service
        .notebook(&at, run, &Givens::default(), &By::new(&Principal::local(), Surface::Rest))
        .await
}

#[tokio::test]
async fn every_cell_is_there_and_the_bad_one_has_its_error() {
    let root = shop();
    root.write("shop/book.malloynb", TEXT);
    let service = root.service(|_| {});
    let book = notebook(&service, Run::All).await.unwrap();
    assert_eq!(book.cells.len(), 5, "the SQL cell is left out");
    assert_eq!((book.cells[0].kind, &*book.cells[0].text), (CellKind::Markdown, "# Hello"));
    assert_eq!(book.cells[1].new_sources[0].name, "orders");
    assert!(book.cells[1].answer.is_none() && book.cells[1].error.is_none());
    assert_eq!(book.cells[2].answer.as_ref().unwrap().rows.len(), 2);
    let error = book.cells[3].error.as_ref().unwrap();
    assert_eq!(error.place.as_ref().unwrap().line, 1, "in the cell");
    assert_eq!(book.cells[4].answer.as_ref().unwrap().rows[0]["n"], 1);
    assert_eq!(book.cells[4].new_sources[0].name, "cups");
    assert!(book.cells[4].text.ends_with("}\n"), "the last cell keeps the file's line break");
}

#[tokio::test]
async fn one_cell_or_none_can_be_run() {
    let root = shop();
    root.write("shop/book.malloynb", TEXT);
    let service = root.service(|_| {});
    let quiet = notebook(&service, Run::Nothing).await.unwrap();
    assert!(quiet.cells.iter().all(|cell| cell.answer.is_none()));
    assert!(service.history(10).is_empty());
    let one = notebook(&service, Run::Cell(2)).await.unwrap();
    assert_eq!((one.cells.len(), one.cells[0].index), (1, 2));
    assert!(one.cells[0].answer.is_some());
    assert_eq!(notebook(&service, Run::Cell(5)).await.unwrap_err().status(), 400);
    let at = At::new("home", "shop", "shop.malloy");
    let error = service
        .notebook(&at, Run::All, &Givens::default(), &By::new(&Principal::local(), Surface::Rest))
        .await;
    assert_eq!(error.unwrap_err().status(), 404);
}

#[tokio::test]
async fn one_without_code_is_a_notebook_too() {
    let root = shop();
    root.write("shop/book.malloynb", ">>>markdown\n# Only words");
    let book = notebook(&root.service(|_| {}), Run::All).await.unwrap();
    assert_eq!(book.cells.len(), 1);
    assert!(!book.model.has_code());
}
