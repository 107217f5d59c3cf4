//! The conformance corpus on a running Spark Connect server: Sail by default, or another one that `SPARK_REMOTE` names.
//!
//! Files are tables that have their paths as names: `data/flights.parquet` is the table `parquet` of the schema `data/flights`, so that
//! the texts of the cases need no change.

use std::{env, sync::Arc};

use malloy::{Connections, DEFAULT, Workspace};
use malloy_spark::{Settings, Spark};

use crate::{
    corpus::{self, Kinds},
    postgres::files,
};

const FAILING: &str = include_str!("../corpus/spark.txt");

#[test]
fn the_corpus_gives_the_same_rows_on_spark() {
    let remote = env::var("SPARK_REMOTE").ok().or_else(kit_test::sail::server);
    let (Some(corpus), Some(url)) = (corpus::corpus(), remote) else { return };
    let mut settings = Settings::url(&url).unwrap();
    for file in files(&corpus) {
        let (schema, table) = file.split_once('.').unwrap();
        let place = corpus.join(&file).canonicalize().unwrap();
        let options = match table {
            "csv" => "OPTIONS (header 'true', inferSchema 'true') ",
            _ => "",
        };
        settings.setup.push(format!("CREATE DATABASE `{schema}`"));
        settings.setup.push(format!(
            "CREATE TABLE `{schema}`.`{table}` USING {table} {options}LOCATION '{}'",
            place.display()
        ));
    }
    let mut connections = Connections::new();
    connections.insert(DEFAULT, Arc::new(Spark::new(settings).unwrap()));
    let workspace = Workspace::open_with(&corpus, connections).unwrap();
    let (passed, all) = corpus::measure(workspace, Kinds::Rows, "tests/corpus/spark.txt", FAILING);
    println!("{passed} of {all} cases with rows pass on Spark");
    if all > 1 {
        assert!(passed * 10 >= all * 9, "{passed} of {all} is less than nine in ten");
    }
}
