//! What a caller may not reach.

use publisher::{Asked, At, What};

use crate::helper::{Root, ask, run, shop};

/// A secret beside the package, and one in it.
fn guarded() -> Root {
    let root = shop();
    root.write("secret.csv", "a\ns3cret\n");
    root.write("other/publisher.json", "{}");
    root.write("other/data.csv", "a\ns3cret\n");
    root
}

#[tokio::test]
async fn text_from_outside_has_no_sql_no_tables_and_no_imports() {
    let root = guarded();
    let service = root.service(|_| {});
    for text in [
        "run: duckdb.sql(\"SELECT * FROM '/etc/passwd'\") -> { select: * }",
        "run: duckdb.table('/etc/passwd') -> { select: * }",
        "run: duckdb.table('../secret.csv') -> { select: * }",
        "run: duckdb.table('data/orders.csv') -> { select: * }",
        "source: x is duckdb.sql(\"SELECT 1\")\nrun: x -> { select: * }",
        "import \"../other/x.malloy\"\nrun: orders -> by_item",
        "import \"file:///etc/passwd\"\nrun: orders -> by_item",
        "run: orders -> { select: x is read_text!('/etc/passwd') }",
        "run: orders -> { aggregate: x is getenv!('HOME') }",
        "run: orders -> { select: x is sql_string(\"(SELECT content FROM read_text('/etc/passwd'))\") }",
        "##! experimental.sql_functions\nrun: orders -> { select: x is sql_string(\"version()\") }",
    ] {
        let error = run(&service, "shop", "shop.malloy", text).await.unwrap_err();
        assert_eq!(error.status(), 400, "{text}: {error}");
        assert!(!error.message.contains("root:"), "{text}: {error}");
    }
}

#[tokio::test]
async fn with_sql_allowed_the_database_still_reads_only_the_package() {
    let root = guarded();
    let service = root.service(|config| config.allow_sql = true);
    let secret = root.dir.path().join("secret.csv");
    let secret = secret.to_string_lossy();
    let outside = [
        "SELECT * FROM '/etc/passwd'".to_owned(),
        "SELECT * FROM read_text('/etc/passwd')".to_owned(),
        "SELECT * FROM read_blob('/etc/hostname')".to_owned(),
        "SELECT * FROM read_csv('/etc/passwd', header = false, columns = {'a': 'VARCHAR'})"
            .to_owned(),
        "SELECT * FROM glob('/etc/*')".to_owned(),
        "SELECT * FROM sniff_csv('/etc/passwd')".to_owned(),
        "SELECT * FROM parquet_metadata('/etc/passwd')".to_owned(),
        "SELECT * FROM read_json_auto('/etc/passwd')".to_owned(),
        format!("SELECT * FROM '{secret}'"),
        "SELECT * FROM '../secret.csv'".to_owned(),
        "SELECT * FROM '../other/data.csv'".to_owned(),
        "SELECT * FROM 'data/../../secret.csv'".to_owned(),
        "SELECT * FROM read_csv('./../secret.csv')".to_owned(),
        "SELECT * FROM 'https://example.com/x.csv'".to_owned(),
        "SELECT getenv('HOME')".to_owned(),
        "SELECT * FROM duckdb_secrets()".to_owned(),
    ];
    for sql in outside {
        let text = format!("run: duckdb.sql(\"\"\"{sql}\"\"\") -> {{ select: * }}");
        match run(&service, "shop", "shop.malloy", &text).await {
            Err(error) => {
                assert!(!error.message.contains(&*root.dir.path().to_string_lossy()), "{error}");
            }
            Ok(answer) => {
                let shown = format!("{:?}", answer.rows);
                assert!(!shown.contains("s3cret") && !shown.contains("root:"), "{sql}: {shown}");
                assert!(answer.rows.is_empty(), "{sql}: {shown}");
            }
        }
    }
    let inside = "run: duckdb.sql(\"\"\"SELECT * FROM 'data/orders.csv'\"\"\") -> { aggregate: n is count() }";
    assert_eq!(run(&service, "shop", "shop.malloy", inside).await.unwrap().rows[0]["n"], 3);
}

#[tokio::test]
async fn nothing_is_attached_loaded_set_or_written() {
    let root = guarded();
    let service = root.service(|_| {});
    let reach = publisher::Reach {
        project: "home".into(),
        package: Some("shop".into()),
        connection: "duckdb".into(),
    };
    let caller = kit_core::Principal::local();
    for sql in [
        "ATTACH '/tmp/x.db' AS x",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "PRAGMA enable_profiling",
        "COPY (SELECT 1) TO 'data/out.csv'",
        "EXPORT DATABASE 'data/out'",
        "CREATE TABLE t AS SELECT 1",
        "DROP TABLE t",
        "SELECT 1); COPY (SELECT 1) TO 'data/out.csv'; SELECT * FROM (SELECT 1",
        "SELECT 1) AS a; ATTACH '/tmp/x.db'; --",
    ] {
        let error = service.query_data(&reach, sql, None, &caller).await.unwrap_err();
        assert!(matches!(error.what, What::Run), "{sql}: {error:?}");
    }
    assert!(!root.dir.path().join("shop/data/out.csv").exists());
    let data = service.query_data(&reach, "SELECT 1 AS a;", None, &caller).await.unwrap();
    assert_eq!(data.rows, [serde_json::json!({"a": 1})]);
}

#[tokio::test]
async fn a_path_leads_nowhere_else() {
    let root = guarded();
    let service = root.service(|_| {});
    for path in [
        "../secret.csv",
        "../other/x.malloy",
        "..%2fsecret.csv",
        "%2e%2e/secret.csv",
        "/etc/passwd",
        "./shop.malloy",
        "sub/../shop.malloy",
        "..\\secret.csv",
        "shop.malloy\0",
        "",
        ".",
        "..",
    ] {
        let error = service.model(&At::new("home", "shop", path)).await.unwrap_err();
        assert_eq!(error.status(), 404, "{path}");
    }
    for package in
        ["..", ".", "../shop", "shop/../shop", "/etc", "", "shop\0", "..%2fshop", ".data"]
    {
        assert_eq!(
            service.package("home", package).await.unwrap_err().status(),
            404,
            "{package:?}"
        );
    }
    for project in ["..", "", "/", "home/../home"] {
        assert_eq!(service.packages(project).await.unwrap_err().status(), 404, "{project:?}");
    }
}

#[tokio::test]
async fn a_link_out_of_the_package_is_not_followed() {
    let root = guarded();
    std::os::unix::fs::symlink("../secret.csv", root.dir.path().join("shop/link.csv")).unwrap();
    std::os::unix::fs::symlink("/etc", root.dir.path().join("shop/etc")).unwrap();
    root.write("shop/linked.malloy", "source: l is duckdb.table('link.csv')\n");
    let service = root.service(|_| {});
    let package = service.package("home", "shop").await.unwrap();
    assert_eq!(package.databases.len(), 1, "{:?}", package.databases);
    let error = run(&service, "shop", "linked.malloy", "run: l -> { select: * }").await;
    assert!(!format!("{error:?}").contains("s3cret"));
}

#[tokio::test]
async fn names_are_names_and_not_code() {
    let root = guarded();
    let service = root.service(|_| {});
    for name in [
        "by_item`; run: duckdb.sql('x') -> { select: *",
        "by_item } + { limit: 1",
        "by_item\nrun: orders",
        "`",
        "\\",
        "\\`",
        "",
        "'; DROP TABLE orders; --",
    ] {
        let what = Asked::Named { source: Some("orders".into()), query: name.into() };
        let asked = ask(At::new("home", "shop", "shop.malloy"), what);
        assert_eq!(service.query(asked).await.unwrap_err().status(), 400, "{name}");
        let what = Asked::Named { source: None, query: name.into() };
        let asked = ask(At::new("home", "shop", "shop.malloy"), what);
        assert_eq!(service.query(asked).await.unwrap_err().status(), 400, "{name}");
    }
}

#[tokio::test]
async fn odd_names_can_be_asked_for() {
    let root = guarded();
    root.write(
        "shop/odd.malloy",
        "source: `a b` is duckdb.table('data/orders.csv') extend { view: `select -> }` is { aggregate: n is count() } }\n",
    );
    let service = root.service(|_| {});
    let what = Asked::Named { source: Some("a b".into()), query: "select -> }".into() };
    let answer = service.query(ask(At::new("home", "shop", "odd.malloy"), what)).await.unwrap();
    assert_eq!(answer.rows[0]["n"], 3);
}

#[tokio::test]
async fn a_billion_rows_are_cut_and_not_collected() {
    let root = guarded();
    root.write(
        "shop/big.malloy",
        "source: big is duckdb.sql(\"SELECT range AS x FROM range(1000000000)\")\n",
    );
    let service = root.service(|_| {});
    let answer = run(&service, "shop", "big.malloy", "run: big -> { select: x }").await.unwrap();
    assert_eq!((answer.rows.len(), answer.limit_hit), (1000, true));
    let greedy = "run: big -> { select: x limit: 1000000000 }";
    let error = run(&service, "shop", "big.malloy", greedy).await.unwrap_err();
    assert_eq!(error.status(), 413);
}

#[tokio::test]
async fn deep_nesting_is_refused_and_nothing_falls_over() {
    let root = guarded();
    let service = root.service(|_| {});
    let deep = 10_000;
    for text in [
        format!("run: orders -> {{ select: x is {}1{} }}", "(".repeat(deep), ")".repeat(deep)),
        format!("run: orders -> {}{}", "{ nest: x is ".repeat(deep), "}".repeat(deep)),
        format!("run: orders -> {{ select: x is {}1 }}", "-".repeat(deep)),
        format!("run: orders -> {{ where: {}true }}", "not ".repeat(deep)),
        format!("run: {}orders", "(".repeat(deep)),
        format!("run: orders{}", " -> { select: * }".repeat(deep)),
    ] {
        let error = run(&service, "shop", "shop.malloy", &text).await.unwrap_err();
        assert!(matches!(error.status(), 400 | 413), "{error}");
    }
    assert_eq!(
        run(&service, "shop", "shop.malloy", "run: everything").await.unwrap().rows.len(),
        1
    );
}

#[tokio::test]
async fn a_text_of_megabytes_is_refused() {
    let service = shop();
    let service = service.service(|_| {});
    let text = format!("run: orders -> {{ where: item = '{}' }}", "x".repeat(2 << 20));
    assert_eq!(run(&service, "shop", "shop.malloy", &text).await.unwrap_err().status(), 413);
}
