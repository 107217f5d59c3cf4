//! REST: routes, bodies and statuses, as clients of such servers know them.

use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::{
    helper::Root,
    world::{World, parsed},
};

const MODEL: &str = r#"
##! experimental.givens
## A shop.
--! styles shop.styles.json
import "base.malloy"
given: LEAST :: number is 1
#" What was sold.
# tall
source: sales is duckdb.table('data/sales.csv') extend {
  primary_key: id
  measure: n is count(), total is sum(amount)
  # bar_chart
  view: by_kind is { group_by: kind aggregate: n, total order_by: kind }
  view: listed is { select: id, kind, sold order_by: id }
  view: large is { where: amount >= $LEAST aggregate: n }
  # schedule @daily materialize duckdb
  view: `odd name` is { aggregate: n }
}
# line_chart
query: kinds is sales -> by_kind + { limit: 1 }
"#;

const NOTEBOOK: &str = ">>>markdown\n# Sales\n>>>malloy\nimport \"shop.malloy\"\n>>>malloy\nrun: sales -> by_kind\n>>>malloy\nrun: sales -> nothing_like_it\n>>>markdown\nThe end.\n";

const SALES: &str = "id,kind,amount,sold
1,pen,10.5,2024-02-01
2,ink,20.5,2024-02-02
3,pen,30.5,2024-02-03
4,ink,40.5,2024-02-04
5,pen,50.5,2024-02-05
";

/// A project with a package of every kind.
pub(crate) fn shop() -> Root {
    Root::with(&[
        ("publisher.config.json", r#"{"projects": {"home": "home"}}"#),
        ("home/README.md", "# Home\n"),
        (
            "home/publisher.connections.json",
            r#"[{"name": "far", "type": "postgres", "postgresConnection": {"host": "127.0.0.1", "port": 1, "userName": "me", "password": "s3cret"}}]"#,
        ),
        ("home/shop/publisher.json", r#"{"name": "Shop", "description": "A shop."}"#),
        ("home/shop/shop.malloy", MODEL),
        (
            "home/shop/base.malloy",
            "# imported\nsource: base is duckdb.table('data/sales.csv') extend { # imported too\n view: all_of_it is { aggregate: n is count() } }\n",
        ),
        (
            "home/shop/sub/dir/deep.malloy",
            "source: deep is duckdb.table('data/sales.csv') extend { view: one is { aggregate: n is count() } }\n",
        ),
        (
            "home/shop/broken.malloy",
            "source: broken is duckdb.table('data/sales.csv') extend { dimension: x is nothing }\n",
        ),
        ("home/shop/shop.malloynb", NOTEBOOK),
        ("home/shop/plain.malloynb", ">>>markdown\nOnly words.\n"),
        ("home/shop/shop.styles.json", r#"{"sales": {"renderer": "table"}}"#),
        ("home/shop/data/sales.csv", SALES),
        ("home/sad/publisher.json", "{not json"),
        ("home/no_package/x.malloy", "source: x is duckdb.table('x.csv')"),
    ])
}

const SHOP: &str = "/api/v0/projects/home/packages/shop";

// spec: publisher 4.1, projects and packages.
#[tokio::test]
async fn projects_and_packages_are_listed_with_addresses_that_resolve() {
    let world = World::on(shop());
    let (status, projects) = world.get("/api/v0/projects").await;
    assert_eq!(status, 200);
    assert_eq!(projects, json!([{"name": "home", "resource": "/api/v0/projects/home"}]));
    let (_, project) = world.get("/api/v0/projects/home").await;
    assert_eq!(project["readme"], "# Home\n");
    let (_, packages) = world.get("/api/v0/projects/home/packages").await;
    let names: Vec<_> =
        packages.as_array().unwrap().iter().map(|one| one["name"].clone()).collect();
    // The registered name, whatever the manifest calls it; a folder without a manifest is no package.
    assert_eq!(names, ["sad", "shop"]);
    for package in packages.as_array().unwrap() {
        let (status, found) = world.get(package["resource"].as_str().unwrap()).await;
        assert_eq!(status, 200);
        assert_eq!(found["name"], package["name"]);
    }
    let sad = &packages[0];
    assert!(sad["description"].as_str().unwrap().starts_with("Unable to load package: "), "{sad}");
    assert_eq!(sad["error"]["code"], 424);
    assert_eq!(packages[1]["description"], "A shop.");
}

// spec: publisher "Accept both path words."
#[tokio::test]
async fn environments_may_stand_where_projects_stand() {
    let world = World::on(shop());
    for path in [
        "",
        "/home",
        "/home/packages",
        "/home/packages/shop",
        "/home/packages/shop/models",
        "/home/packages/shop/models/shop.malloy",
        "/home/connections",
    ] {
        let (status, ours) = world.get(&format!("/api/v0/projects{path}")).await;
        let (other, theirs) = world.get(&format!("/api/v0/environments{path}")).await;
        assert_eq!((status, other), (StatusCode::OK, StatusCode::OK), "{path}");
        let renamed = theirs.to_string().replace("/api/v0/environments", "/api/v0/projects");
        assert_eq!(ours.to_string(), renamed, "{path}");
    }
}

// spec: publisher 4.1, CompiledModel; 3, annotations and views.
#[tokio::test]
async fn a_model_tells_its_sources_queries_and_styles() {
    let world = World::on(shop());
    let (status, model) = world.get(&format!("{SHOP}/models/shop.malloy")).await;
    assert_eq!(status, 200);
    assert_eq!(model["type"], "source");
    assert_eq!(model["packageName"], "shop");
    assert_eq!(model["modelPath"], "shop.malloy");
    assert_eq!(parsed(&model["dataStyles"]), json!({"sales": {"renderer": "table"}}));
    assert_eq!(
        model["sources"],
        json!([
            {"name": "base", "views": [{"name": "all_of_it"}]},
            {"name": "sales", "annotations": ["#\" What was sold.\n", "# tall\n"], "views": [
                {"name": "by_kind", "annotations": ["# bar_chart\n"]},
                {"name": "large"},
                {"name": "odd name", "annotations": ["# schedule @daily materialize duckdb\n"]},
            ]},
        ])
    );
    let queries =
        json!([{"name": "kinds", "annotations": ["# line_chart\n"], "sourceName": "sales"}]);
    assert_eq!(model["queries"], queries);
    let definition = parsed(&model["modelDef"]);
    assert_eq!(definition["exports"], json!(["base", "sales", "kinds"]));
    assert_eq!(definition["contents"]["sales"]["primaryKey"], "id");
    let info = parsed(&model["modelInfo"]);
    assert_eq!(info["entries"][0]["name"], "sales");
    assert_eq!(model["sourceInfos"].as_array().unwrap().len(), 2);
    assert_eq!(model["givens"][0]["name"], "LEAST");
    assert_eq!(model["text"], MODEL);
}

#[tokio::test]
async fn files_are_listed_and_one_that_is_broken_says_why() {
    let world = World::on(shop());
    let (_, files) = world.get(&format!("{SHOP}/models")).await;
    let told: Vec<(String, String, bool)> = files
        .as_array()
        .unwrap()
        .iter()
        .map(|file| {
            let text = |name: &str| file[name].as_str().unwrap().to_owned();
            (text("path"), text("type"), file["error"].is_object())
        })
        .collect();
    let file = |path: &str, kind: &str, broken| (path.to_owned(), kind.to_owned(), broken);
    assert_eq!(
        told,
        [
            file("base.malloy", "source", false),
            file("broken.malloy", "source", true),
            file("plain.malloynb", "notebook", false),
            file("shop.malloy", "source", false),
            file("shop.malloynb", "notebook", false),
            file("sub/dir/deep.malloy", "source", false),
        ]
    );
    let (_, notebooks) = world.get(&format!("{SHOP}/notebooks")).await;
    assert_eq!(notebooks.as_array().unwrap().len(), 2);
    let (_, databases) = world.get(&format!("{SHOP}/databases")).await;
    assert_eq!(databases[0]["path"], "data/sales.csv");
    assert_eq!(databases[0]["type"], "embedded");
    assert_eq!(databases[0]["info"]["rowCount"], 5);
    let (_, schedules) = world.get(&format!("{SHOP}/schedules")).await;
    assert_eq!(
        schedules,
        json!([{"resource": "shop.malloy  > sales > odd name", "schedule": "@daily", "action": "materialize", "connection": "duckdb", "lastRunTime": 0, "lastRunStatus": "unknown"}])
    );
}

// spec: publisher 4.1, "`path` may contain `/`, raw or as `%2F`".
#[tokio::test]
async fn the_path_of_a_model_may_have_slashes_as_they_are_or_encoded() {
    let world = World::on(shop());
    for path in ["sub/dir/deep.malloy", "sub%2Fdir%2Fdeep.malloy", "sub%2fdir/deep.malloy"] {
        let (status, model) = world.get(&format!("{SHOP}/models/{path}")).await;
        assert_eq!(status, 200, "{path}");
        assert_eq!(model["modelPath"], "sub/dir/deep.malloy");
        let (status, _) =
            world.get(&format!("{SHOP}/queryResults/{path}?sourceName=deep&queryName=one")).await;
        assert_eq!(status, 200, "{path}");
        let asked = json!({"sourceName": "deep", "queryName": "one", "compactJson": true});
        let (status, answer) =
            world.send_json(Method::POST, &format!("{SHOP}/models/{path}/query"), &asked).await;
        assert_eq!(status, 200, "{path}");
        assert_eq!(parsed(&answer["result"]), json!([{"n": 5}]));
    }
}

// spec: publisher 4.1, QueryResult and query rules.
#[tokio::test]
async fn a_query_is_answered_in_both_forms() {
    let world = World::on(shop());
    let asked = [
        "query=run:%20sales%20-%3E%20by_kind",
        "sourceName=sales&queryName=by_kind",
        // A source beside a text says nothing.
        "query=run:%20sales%20-%3E%20by_kind&sourceName=nonsense",
    ];
    for asked in asked {
        let (status, answer) = world.get(&format!("{SHOP}/queryResults/shop.malloy?{asked}")).await;
        assert_eq!(status, 200, "{answer}");
        let raw = parsed(&answer["queryResult"]);
        assert_eq!(
            raw["result"],
            json!([{"kind": "ink", "n": 2, "total": 61}, {"kind": "pen", "n": 3, "total": 91.5}])
        );
        assert_eq!(raw["totalRows"], 2);
        assert_eq!(raw["sourceExplore"], "sales");
        let stable = parsed(&answer["result"]);
        assert_eq!(stable["data"]["array_value"][0]["record_value"][0]["string_value"], "ink");
        assert_eq!(stable["annotations"][0]["value"], "# bar_chart\n");
        assert_eq!(stable["source_annotations"][1]["value"], "# tall\n");
        assert_eq!(stable["model_annotations"][1]["value"], "## A shop.\n");
        assert!(parsed(&answer["modelDef"])["contents"].is_object());
        assert_eq!(parsed(&answer["dataStyles"])["sales"]["renderer"], "table");
        assert_eq!(answer["resource"], format!("{SHOP}/queryResults/shop.malloy"));
    }
    let (_, named) = world.get(&format!("{SHOP}/queryResults/shop.malloy?queryName=kinds")).await;
    assert_eq!(parsed(&named["queryResult"])["totalRows"], 1);
    let (_, odd) = world
        .get(&format!("{SHOP}/queryResults/shop.malloy?sourceName=sales&queryName=odd%20name"))
        .await;
    assert_eq!(parsed(&odd["queryResult"])["result"], json!([{"n": 5}]));
    let (_, times) = world
        .get(&format!("{SHOP}/queryResults/shop.malloy?sourceName=sales&queryName=listed"))
        .await;
    assert_eq!(parsed(&times["queryResult"])["result"][0]["sold"], "2024-02-01T00:00:00.000Z");
}

// spec: publisher 4.3, POST query.
#[tokio::test]
async fn a_query_can_be_posted_with_givens_and_a_row_limit() {
    let world = World::on(shop());
    let path = format!("{SHOP}/models/shop.malloy/query");
    let asked = json!({"sourceName": "sales", "queryName": "large", "givens": {"LEAST": 30}, "compactJson": true});
    let (status, answer) = world.send_json(Method::POST, &path, &asked).await;
    assert_eq!(status, 200, "{answer}");
    assert_eq!(parsed(&answer["result"]), json!([{"n": 3}]));
    assert_eq!(answer["queryRowLimitSource"], "server_default");
    assert_eq!(answer["queryRowLimit"], 1000);
    assert_eq!(answer["limitHit"], false);
    assert!(answer["sql"].as_str().unwrap().contains("SELECT"));
    let (_, cut) = world
        .send_json(Method::POST, &path, &json!({"query": "run: sales -> listed", "rowLimit": 2}))
        .await;
    assert_eq!(cut["limitHit"], true);
    assert_eq!(parsed(&cut["result"])["data"]["array_value"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_text_is_checked_without_being_run() {
    let world = World::on(shop());
    let path = format!("{SHOP}/models/shop.malloy/compile");
    let good = json!({"source": "run: sales -> by_kind", "includeSql": true});
    let (status, answer) = world.send_json(Method::POST, &path, &good).await;
    assert_eq!(status, 200);
    assert_eq!(answer["status"], "success");
    assert!(answer["sql"].as_str().unwrap().contains("GROUP BY"));
    let bad = json!({"source": "\nrun: sales -> by_knid"});
    let (status, answer) = world.send_json(Method::POST, &path, &bad).await;
    assert_eq!((status, answer["status"].as_str()), (StatusCode::OK, Some("error")));
    let problem = &answer["problems"][0];
    assert_eq!(problem["severity"], "error");
    assert_eq!(problem["at"]["range"]["start"], json!({"line": 1, "character": 14}));
    let whole = json!({"source": "source: x is nothing", "scope": "file"});
    assert_eq!(world.send_json(Method::POST, &path, &whole).await.1["status"], "error");
}

// spec: publisher 4.1, notebooks: "return all cells and put an `error` on the bad one".
#[tokio::test]
async fn a_notebook_has_all_its_cells_and_the_bad_one_says_why() {
    let world = World::on(shop());
    for path in [format!("{SHOP}/models/shop.malloynb"), format!("{SHOP}/notebooks/shop.malloynb")]
    {
        let (status, notebook) = world.get(&path).await;
        assert_eq!(status, 200);
        assert_eq!(notebook["type"], "notebook");
        let cells = notebook["notebookCells"].as_array().unwrap();
        let kinds: Vec<_> = cells.iter().map(|cell| cell["type"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["markdown", "code", "code", "code", "markdown"]);
        assert_eq!(cells[0]["text"], "# Sales");
        assert_eq!(cells[1]["newSources"].as_array().unwrap().len(), 1);
        assert_eq!(parsed(&cells[2]["queryResult"])["totalRows"], 2);
        assert!(parsed(&cells[2]["result"])["schema"].is_object());
        assert_eq!(cells[3]["error"]["code"], 400);
        assert_eq!(cells[4]["text"], "The end.\n");
    }
    let (_, plain) = world.get(&format!("{SHOP}/notebooks/plain.malloynb")).await;
    assert!(plain.get("modelDef").is_none() && plain.get("sources").is_none());
    let (_, waiting) = world.get(&format!("{SHOP}/notebooks/shop.malloynb?run=false")).await;
    assert!(waiting["notebookCells"][2].get("result").is_none());
    let (_, cell) = world.get(&format!("{SHOP}/notebooks/shop.malloynb/cells/2")).await;
    assert_eq!(parsed(&cell["result"])["data"]["array_value"].as_array().unwrap().len(), 2);
}

// spec: publisher 1.2, "Secrets must never be returned".
#[tokio::test]
async fn connections_are_shown_without_their_secrets() {
    let world = World::on(shop());
    let (status, all) = world.get("/api/v0/projects/home/connections").await;
    assert_eq!(status, 200);
    assert!(!all.to_string().contains("s3cret"), "{all}");
    assert_eq!(all[0]["name"], "far");
    assert_eq!(all[0]["attributes"]["dialectName"], "postgres");
    let (_, one) = world.get("/api/v0/projects/home/connections/far").await;
    assert_eq!(one, all[0]);
    let (_, own) = world.get(&format!("{SHOP}/connections")).await;
    assert_eq!(own[0]["name"], "duckdb");
}

#[tokio::test]
async fn a_packages_own_database_is_asked_directly() {
    let world = World::on(shop());
    let at = format!("{SHOP}/connections/duckdb");
    assert_eq!(world.get(&format!("{at}/test")).await.0, 200);
    let (status, data) = world
        .get(&format!("{at}/queryData?sqlStatement=select%20count(*)%20as%20n%20from%20%27data/sales.csv%27&options=%7B%22rowLimit%22:5,%22abortSignal%22:%7B%7D%7D"))
        .await;
    assert_eq!(status, 200, "{data}");
    let data = parsed(&data["data"]);
    assert_eq!((&data["rows"], &data["totalRows"]), (&json!([{"n": 5}]), &json!(1)));
    let (status, source) =
        world.get(&format!("{at}/sqlSource?sqlStatement=select%201%20as%20one")).await;
    assert_eq!(status, 200, "{source}");
    assert_eq!(parsed(&source["source"])["fields"][0]["name"], "one");
    let (_, table) =
        world.get(&format!("{at}/tableSource?tableKey=sales&tablePath=data/sales.csv")).await;
    assert_eq!(parsed(&table["source"])["fields"].as_array().unwrap().len(), 4);
    let (_, tables) = world.get(&format!("{at}/schemas/main/tables")).await;
    assert_eq!(tables[0], "data/sales.csv");
    let (status, one) = world.get(&format!("{at}/schemas/main/tables/data%2Fsales.csv")).await;
    assert_eq!(status, 200, "{one}");
    assert_eq!(one["columns"][1], json!({"name": "kind", "type": "string"}));
}

// spec: publisher 3, "only a true value reloads"; "the reload call reports the diagnostics".
#[tokio::test]
async fn only_a_true_value_reloads_and_what_an_edit_broke_is_told() {
    let world = World::on(shop());
    let root = &world.root;
    let old = world.get(&format!("{SHOP}/models/shop.malloy")).await.1;
    root.write("home/shop/shop.malloy", &MODEL.replace("primary_key: id", "primary_key: gone"));
    for flag in ["reload=false", "reload=0", "reload="] {
        let (_, package) = world.get(&format!("{SHOP}?{flag}")).await;
        assert!(package.get("problems").is_none(), "{flag}");
    }
    let (status, package) = world.get(&format!("{SHOP}?reload=true")).await;
    assert_eq!(status, 200);
    let problems = package["problems"].as_array().unwrap();
    assert!(problems.iter().any(|problem| problem["model"] == "shop.malloy"), "{problems:?}");
    let (status, stale) = world.get(&format!("{SHOP}/models/shop.malloy")).await;
    assert_eq!(status, 200, "what worked keeps serving");
    assert!(stale["stale"]["message"].is_string(), "{stale}");
    assert_eq!(stale["sources"], old["sources"]);
}

/// spec: publisher 4.2 503 / 504
#[tokio::test(flavor = "multi_thread")]
async fn a_busy_server_and_a_query_that_takes_too_long_have_codes_of_their_own() {
    let root = shop();
    let endless =
        "SELECT sum(x.range * y.range) AS s FROM range(10000000) AS x, range(10000000) AS y";
    root.write("home/shop/endless.malloy", &format!("source: a is duckdb.sql(\"{endless}\")\n"));
    let world = World::with(root, |config| {
        config.concurrent_queries = 1;
        config.query_timeout_ms = 4_000;
    });
    let long =
        format!("{SHOP}/queryResults/endless.malloy?query=run:%20a%20-%3E%20%7Bselect:%20s%7D");
    let short = format!("{SHOP}/queryResults/shop.malloy?queryName=kinds");
    world.get(&short).await;
    let taken = async {
        while world.get("/api/v0/status").await.1["operationalState"] != "throttled" {
            tokio::task::yield_now().await;
        }
        let refused = world.raw(Method::GET, &format!("{short}&fresh=true"), &[], "").await;
        let again = refused.headers().get("retry-after").cloned();
        (refused.status().as_u16(), again.map(|value| value.to_str().unwrap().to_owned()))
    };
    // A bound and not a wait: it comes to that, or the test fails.
    let taken = tokio::time::timeout(std::time::Duration::from_secs(20), taken);
    let ((status, body), busy) = tokio::join!(world.get(&long), taken);
    assert_eq!((status.as_u16(), &body["code"]), (504, &json!(504)), "{body}");
    assert_eq!(busy.unwrap(), (503, Some("1".to_owned())));
    assert!(body["message"].as_str().unwrap().contains("4000 ms"), "{body}");
}

/// spec: publisher history tells people, agents and programs apart
#[tokio::test]
async fn the_history_tells_who_asked_which_way_and_past_the_cache() {
    let world = World::on(shop());
    let path = format!("{SHOP}/queryResults/shop.malloy?queryName=kinds");
    world.get(&path).await;
    world.raw(Method::GET, &path, &[("x-via", "page")], "").await;
    let (_, fresh) = world.get(&format!("{path}&fresh=true")).await;
    assert_eq!(fresh["cachedAgeMs"], Value::Null, "asked anew");
    let body = json!({"queryName": "kinds", "fresh": true});
    let (_, fresh) =
        world.send_json(Method::POST, &format!("{SHOP}/models/shop.malloy/query"), &body).await;
    assert_eq!(fresh["cachedAgeMs"], Value::Null, "{fresh}");
    let (_, kept) = world.get(&path).await;
    assert!(kept["cachedAgeMs"].is_number(), "what was asked anew is kept for the next: {kept}");
    let (_, history) = world.get("/api/v0/history?limit=5").await;
    let told: Vec<_> = history
        .as_array()
        .unwrap()
        .iter()
        .rev()
        .map(|run| (&run["by"], &run["surface"], &run["cached"]))
        .collect();
    assert_eq!(told[0], (&json!("program"), &json!("rest"), &json!(false)), "{history}");
    assert_eq!(told[1], (&json!("person"), &json!("page"), &json!(true)), "{history}");
    assert_eq!(told[2], (&json!("program"), &json!("rest"), &json!(false)), "{history}");
}

#[tokio::test]
async fn the_server_tells_how_it_is_and_what_was_asked() {
    let world = World::on(shop());
    for path in ["/health", "/health/liveness", "/health/readiness"] {
        assert_eq!(world.get(path).await.1, json!({"status": "UP"}));
    }
    world.get(&format!("{SHOP}/queryResults/shop.malloy?queryName=kinds")).await;
    world.get(&format!("{SHOP}/queryResults/shop.malloy?queryName=knids")).await;
    let (_, history) = world.get("/api/v0/history?limit=2").await;
    assert_eq!(history[1]["rows"], 1);
    assert_eq!(history[1]["surface"], "rest");
    assert!(history[0]["error"].is_string());
    let (_, status) = world.get("/api/v0/status").await;
    assert_eq!(status["operationalState"], "serving");
    assert_eq!(status["environments"][0]["packages"][0]["name"], "shop");
    assert_eq!(status["loadErrors"][0]["environment"], "home");
    assert_eq!(status["loadErrors"][0]["modelPath"], "broken.malloy");
}

#[tokio::test]
async fn projects_packages_and_connections_come_and_go() {
    let world = World::on(shop());
    let lab = json!({"name": "lab", "packages": [{"name": "copy", "location": "home/shop"}]});
    let (status, made) = world.send_json(Method::POST, "/api/v0/environments", &lab).await;
    assert_eq!(status, 200, "{made}");
    assert_eq!(made["resource"], "/api/v0/environments/lab");
    let (status, _) = world.get("/api/v0/projects/lab/packages/copy/models/shop.malloy").await;
    assert_eq!(status, 200);
    let (status, again) = world.send_json(Method::POST, "/api/v0/projects", &lab).await;
    assert_eq!((status, again["code"].as_u64()), (StatusCode::CONFLICT, Some(409)));
    let new = json!({"type": "postgres", "postgresConnection": {"host": "h", "userName": "u", "password": "hush"}});
    let at = "/api/v0/projects/lab/connections/pg";
    let (status, shown) = world.send_json(Method::POST, at, &new).await;
    assert_eq!(status, 200, "{shown}");
    assert!(!shown.to_string().contains("hush"));
    let mut changed = shown.clone();
    changed["postgresConnection"]["host"] = json!("elsewhere");
    let (status, shown) = world.send_json(Method::PATCH, at, &changed).await;
    assert_eq!(status, 200, "{shown}");
    assert_eq!(shown["postgresConnection"]["host"], "elsewhere");
    assert_eq!(world.send(Method::DELETE, at).await.0, 200);
    assert_eq!(world.get(at).await.0, 404);
    assert_eq!(world.send(Method::DELETE, "/api/v0/projects/lab/packages/copy").await.0, 200);
    assert_eq!(world.send(Method::DELETE, "/api/v0/projects/lab").await.0, 200);
    assert_eq!(world.get("/api/v0/projects/lab").await.0, 404);
}

/// An answer that is refused, with the words of its message.
struct Refusal(Method, String, Value, u16, &'static str);

// spec: publisher 4.2, statuses.
#[tokio::test]
async fn every_refusal_has_its_status_and_says_what_where_and_how_to_go_on() {
    let world = World::with(shop(), |config| config.max_bytes = 20_000);
    let get = |path: String, status, words| Refusal(Method::GET, path, Value::Null, status, words);
    let post = |path: &str, body, status, words| {
        Refusal(Method::POST, format!("{SHOP}/models/{path}"), body, status, words)
    };
    let results = |search: &str| format!("{SHOP}/queryResults/shop.malloy{search}");
    let project = "/api/v0/projects/home";
    let all = vec![
        get(results(""), 400, "Either 'query' or"),
        get(results("?query=&queryName="), 400, "Either 'query' or"),
        get(results("?query=run:%20kinds&queryName=kinds"), 400, "Cannot provide both"),
        get(results("?query=run:%20sales%20-%3E%20by_knid"), 400, "by_knid"),
        get(results("?query=source:%20x%20is%20sales"), 400, "no queries"),
        get(results("?queryName=kinds&givens=%7B%22NO%22:1%7D"), 400, "NO"),
        get(results("?queryName=kinds&givens=no"), 400, "givens"),
        get(results("?queryName=kinds&rowLimit=many"), 400, "rowLimit"),
        get(results("?query=run:%20duckdb.sql('select%201')"), 400, ""),
        get(format!("{SHOP}/notebooks/shop.malloynb/cells/9"), 400, "no cell 9"),
        get(format!("{SHOP}/notebooks/shop.malloynb/cells/x"), 400, "number of a cell"),
        get("/api/v0/history?limit=x".to_owned(), 400, "limit"),
        post("shop.malloy/query", json!({"query": 7}), 400, "does not fit"),
        post("shop.malloy/query", json!({}), 400, "Either 'query' or"),
        post("shop.malloy/compile", json!({}), 400, "source"),
        post("shop.malloy/nonsense", json!({}), 404, "nonsense"),
        get("/api/v0/projects/hoem".to_owned(), 404, "hoem"),
        get(format!("{project}/packages/shpo"), 404, "shpo"),
        get(format!("{project}/packages/no_package"), 404, "no_package"),
        get(format!("{SHOP}/models/shpo.malloy"), 404, "shpo.malloy does not exist"),
        get(format!("{SHOP}/models/..%2F..%2Fpublisher.config.json"), 404, "does not exist"),
        get(format!("{SHOP}/models/%2Fetc%2Fpasswd"), 404, "does not exist"),
        get(format!("{SHOP}/notebooks/shop.malloy"), 404, "not a notebook"),
        get(format!("{project}/connections/fra"), 404, "Connection fra not found"),
        get("/api/v0/nothing".to_owned(), 404, "there is no"),
        get("/api/nothing/at/all".to_owned(), 404, "there is no"),
        get("/api".to_owned(), 404, "there is no"),
        get(format!("{project}/packages/shop/nothing"), 404, "there is no"),
        Refusal(Method::DELETE, format!("{SHOP}/models"), Value::Null, 405, "does not take"),
        get(results("?query=run:%20sales%20-%3E%20%7B%20select:%20id,%20x%20is%20concat('%61'%20)%20%7D%20--%20").replace("concat('%61'%20)", "repeat('abcdefghij',%20900)"), 413, "bytes"),
        get(format!("{SHOP}/models/broken.malloy"), 424, "broken.malloy:1:"),
        get(format!("{SHOP}/queryResults/broken.malloy?query=run:%20x"), 424, "nothing"),
        get(format!("{project}/packages/sad/models/x.malloy"), 424, "publisher.json"),
        get(format!("{SHOP}?versionId=1"), 501, "Version IDs not implemented."),
        get(format!("{project}/packages?versionId=1"), 501, "Version IDs not implemented."),
        get(results("?versionId=1&queryName=kinds"), 501, "Version IDs not implemented."),
        post("shop.malloy/query", json!({"queryName": "kinds", "versionId": "1"}), 501, "Version IDs"),
        get(format!("{project}/connections/far/test"), 502, "far"),
    ];
    for Refusal(method, path, body, status, words) in all {
        let (found, answer) = match body {
            Value::Null => world.send(method.clone(), &path).await,
            body => world.send_json(method.clone(), &path, &body).await,
        };
        assert_eq!(found.as_u16(), status, "{method} {path}: {answer}");
        assert_eq!(answer["code"], status, "{path}: {answer}");
        let message = answer["message"].as_str().unwrap();
        assert!(message.contains(words), "{path}: {message}");
        assert!(answer["suggestions"].is_array(), "{path}: {answer}");
        // spec: publisher 9.2, no absolute paths.
        let root = world.place();
        assert!(!answer.to_string().contains(&root), "{path}: {answer}");
    }
}

#[tokio::test]
async fn what_was_probably_meant_is_suggested_and_places_have_a_caret() {
    let world = World::on(shop());
    let (_, answer) = world.get(&format!("{SHOP}/models/shpo.malloy")).await;
    assert_eq!(answer["suggestions"][0], "shop.malloy");
    let (_, answer) = world
        .get(&format!("{SHOP}/queryResults/shop.malloy?query=run:%20sales%20-%3E%20by_knid"))
        .await;
    assert_eq!(answer["place"]["line"], 1);
    assert_eq!(answer["place"]["shown"], "run: sales -> by_knid\n              ^");
    let (_, answer) = world.get(&format!("{SHOP}/models/broken.malloy")).await;
    assert_eq!(answer["place"]["file"], "broken.malloy");
}

// spec: publisher 4.2, 403 "mutation while config is frozen".
#[tokio::test]
async fn nothing_is_changed_while_the_configuration_is_frozen_or_by_other_sites() {
    let frozen = World::with(shop(), |config| config.frozen = true);
    let body = json!({"name": "lab"});
    let (status, answer) = frozen.send_json(Method::POST, "/api/v0/projects", &body).await;
    assert_eq!((status, answer["code"].as_u64()), (StatusCode::FORBIDDEN, Some(403)));
    let world = World::on(shop());
    let foreign = [("host", "localhost:4000"), ("origin", "https://elsewhere.example")];
    let status = |method, path, headers| {
        let world = &world;
        async move { world.raw(method, path, headers, "{}").await.status().as_u16() }
    };
    assert_eq!(status(Method::POST, "/api/v0/projects", &foreign[..]).await, 403);
    assert_eq!(
        status(Method::GET, "/api/v0/projects/home/connections/far/test", &foreign).await,
        403
    );
    assert_eq!(status(Method::GET, "/api/v0/projects", &foreign).await, 200);
}

#[tokio::test]
async fn head_and_options_are_answered_right() {
    let world = World::on(shop());
    let path = "/api/v0/projects/home";
    let head = world.raw(Method::HEAD, path, &[], "").await;
    assert_eq!(head.status(), 200);
    assert_eq!(head.headers()["content-type"], "application/json; charset=utf-8");
    let options = world.raw(Method::OPTIONS, path, &[], "").await;
    assert_eq!(options.status(), 204);
    let allowed = options.headers()["allow"].to_str().unwrap();
    for method in ["GET", "HEAD", "PATCH", "DELETE"] {
        assert!(allowed.contains(method), "{allowed}");
    }
}
