//! A publisher over a folder.

use std::{fs, path::Path, sync::Arc};

use kit_app::SystemClock;
use kit_core::Principal;
use malloy_model::Givens;
use publisher::{Answer, Ask, Asked, At, By, Config, Error, Service, Surface, Watch};
use serde_json::Value;
use tempfile::TempDir;

/// The sample packages of the repository.
pub(crate) fn samples() -> Service {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/publisher");
    let config = Config { server_root: Some(root), watch: Watch::None, ..Config::default() };
    Service::open(config, &std::env::temp_dir(), Arc::new(SystemClock)).unwrap()
}

/// A server root with these files in it.
pub(crate) struct Root {
    pub(crate) dir: TempDir,
}

impl Root {
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let root = Self { dir: TempDir::new().unwrap() };
        for (path, text) in files {
            root.write(path, text);
        }
        root
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let place = self.dir.path().join(path);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(place, text).unwrap();
    }

    pub(crate) fn service(&self, change: impl FnOnce(&mut Config)) -> Service {
        let mut config = Config {
            server_root: Some(self.dir.path().to_owned()),
            watch: Watch::None,
            ..Config::default()
        };
        change(&mut config);
        Service::open(config, &self.dir.path().join(".data"), Arc::new(SystemClock)).unwrap()
    }
}

pub(crate) fn ask(at: At, what: Asked) -> Ask {
    Ask {
        at,
        what,
        givens: Givens::default(),
        row_limit: None,
        by: By::new(&Principal::local(), Surface::Rest),
    }
}

/// Runs a text on a model of project `home`.
pub(crate) async fn run(
    service: &Service,
    package: &str,
    model: &str,
    text: &str,
) -> Result<Arc<Answer>, Error> {
    let at = At::new("home", package, model);
    service.query(ask(at, Asked::Text(text.to_owned()))).await
}

/// The rows of that as JSON.
pub(crate) async fn rows(service: &Service, package: &str, model: &str, text: &str) -> Value {
    let answer = run(service, package, model, text).await.unwrap();
    Value::Array(answer.rows.to_vec())
}

/// A package `shop` over a small table.
pub(crate) const SHOP: &[(&str, &str)] = &[
    ("shop/publisher.json", r#"{"name": "shop", "description": "A shop."}"#),
    ("shop/data/orders.csv", "id,item,price\n1,tea,3\n2,cup,5\n3,tea,4\n"),
    (
        "shop/shop.malloy",
        "source: orders is duckdb.table('data/orders.csv') extend {\n  primary_key: id\n  \
         measure: n is count(), total is sum(price)\n  \
         view: by_item is { group_by: item aggregate: n, total order_by: item }\n}\n\
         query: everything is orders -> { aggregate: n, total }\n",
    ),
];

pub(crate) fn shop() -> Root {
    Root::with(SHOP)
}

/// How many rows `orders` of `shop` has.
pub(crate) async fn count(service: &Service) -> Value {
    rows(service, "shop", "shop.malloy", "run: orders -> { aggregate: n }").await[0]["n"].clone()
}
