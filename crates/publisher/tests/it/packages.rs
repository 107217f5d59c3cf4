//! What a package has.

use crate::helper::{Root, SHOP, shop};

#[tokio::test]
async fn hidden_things_and_folders_without_a_manifest_are_no_part_of_it() {
    let root = shop();
    root.write("shop/.git/x.malloy", "broken");
    root.write("shop/.hidden.malloy", "broken");
    root.write("shop/sub/deep/y.malloy", "source: y is duckdb.table('data/orders.csv')");
    root.write("nothing/x.malloy", "");
    root.write(".secret/publisher.json", "{}");
    let service = root.service(|_| {});
    let packages = service.packages("home").await.unwrap();
    assert_eq!(packages.len(), 1);
    let paths: Vec<_> = packages[0].models.keys().map(String::as_str).collect();
    assert_eq!(paths, ["shop.malloy", "sub/deep/y.malloy"]);
    assert_eq!(service.package("home", "nothing").await.unwrap_err().status(), 404);
    assert_eq!(service.package("home", ".secret").await.unwrap_err().status(), 404);
}

#[tokio::test]
async fn a_manifest_that_cannot_be_read_is_listed_with_its_error() {
    let root = shop();
    root.write("broken/publisher.json", "{");
    let service = root.service(|_| {});
    let packages = service.packages("home").await.unwrap();
    let broken = &packages[0];
    assert_eq!(broken.name, "broken");
    assert!(broken.error.as_ref().unwrap().starts_with("publisher.json is not valid JSON"));
    assert!(broken.models.is_empty());
    let at = publisher::At::new("home", "broken", "x.malloy");
    assert_eq!(service.model(&at).await.unwrap_err().status(), 424);
}

#[tokio::test]
async fn the_address_is_the_folder_whatever_the_manifest_says() {
    let root = shop();
    root.write("shop/publisher.json", r#"{"name": "something else", "version": "2"}"#);
    let service = root.service(|_| {});
    let package = service.package("home", "shop").await.unwrap();
    assert_eq!(package.name, "shop");
    assert_eq!(package.manifest.all["version"], "2");
}

#[tokio::test]
async fn data_files_are_listed_with_size_rows_and_columns() {
    let root = shop();
    let service = root.service(|_| {});
    let found = service.databases("home", "shop").await.unwrap();
    assert_eq!(found.len(), 1);
    let (database, info) = &found[0];
    assert_eq!((&*database.path, database.size), ("data/orders.csv", 38));
    let info = info.as_ref().unwrap();
    assert_eq!((&*info.name, info.row_count), ("orders.csv", 3));
    let columns: Vec<_> = info.columns.iter().map(|c| format!("{} {}", c.name, c.ty)).collect();
    assert_eq!(columns, ["id number:bigint", "item string", "price number:bigint"]);
}

#[tokio::test]
async fn schedules_are_listed_and_a_bad_one_is_a_warning() {
    let root = Root::with(SHOP);
    root.write(
        "shop/timed.malloy",
        "source: o is duckdb.table('data/orders.csv') extend {\n\
         # schedule \"0 4 * * 1\" materialize duckdb\n  view: v is { group_by: item }\n}\n\
         # schedule @daily report duckdb\nquery: q is o -> v\n\
         # schedule @sometimes report duckdb\nquery: bad is o -> v\n",
    );
    let service = root.service(|_| {});
    let found = service.schedules("home", "shop").await.unwrap();
    let shown: Vec<_> = found.iter().map(|s| (&*s.resource, &*s.schedule, &*s.action)).collect();
    assert_eq!(
        shown,
        [
            ("timed.malloy  > o > v", "0 4 * * 1", "materialize"),
            ("timed.malloy  > q", "@daily", "report"),
        ]
    );
    assert_eq!(found[0].last_run_status, "unknown");
    let package = service.package("home", "shop").await.unwrap();
    assert_eq!(package.warnings.len(), 1);
    assert!(package.warnings[0].contains("no alias `@sometimes`"), "{:?}", package.warnings);
}

#[tokio::test]
async fn data_styles_are_merged_from_the_files_that_a_model_names() {
    let root = shop();
    root.write("shop/a.styles.json", r#"{"x": {"renderer": "bar_chart"}}"#);
    root.write(
        "shop/styled.malloy",
        "--! styles a.styles.json\nsource: o is duckdb.table('data/orders.csv')\n",
    );
    let package = root.service(|_| {}).package("home", "shop").await.unwrap();
    assert_eq!(package.models["styled.malloy"].data_styles["x"]["renderer"], "bar_chart");
    assert!(package.models["shop.malloy"].data_styles.is_empty());
}
