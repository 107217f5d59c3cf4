//! The conformance corpus on a running PostgreSQL.
//!
//! The data is loaded into tables that have the paths of the files as their names: `data/flights.parquet` is the table `parquet`
//! of the schema `data/flights`, so that the texts of the cases need no change. Lists and records become arrays and composite types.

use std::{fmt::Write as _, fs, path::Path, sync::Arc};

use malloy::{Cancel, Connections, DEFAULT, Engine, Limits, Workspace};
use malloy_duckdb::{DuckDb, Settings};
use malloy_model::ir::{Column, NumberKind, Type};
use malloy_postgres::Postgres;
use serde_json::Value;

use crate::corpus::{self, Kinds};

const FAILING: &str = include_str!("../corpus/postgres.txt");

#[test]
fn the_corpus_gives_the_same_rows_on_postgresql() {
    let (Some(corpus), Some(url)) = (corpus::corpus(), kit_test::postgres::database()) else {
        return;
    };
    load(&corpus, &url);
    let engine = Postgres::new(&malloy_postgres::Settings::url(url)).unwrap();
    let mut connections = Connections::new();
    connections.insert(DEFAULT, Arc::new(engine));
    let workspace = Workspace::open_with(&corpus, connections).unwrap();
    let (passed, all) =
        corpus::measure(workspace, Kinds::Rows, "tests/corpus/postgres.txt", FAILING);
    println!("{passed} of {all} cases with rows pass on PostgreSQL");
    if all > 1 {
        assert!(passed * 10 >= all * 9, "{passed} of {all} is less than nine in ten");
    }
}

/// The data files below a folder, as the corpus names them.
pub(crate) fn files(corpus: &Path) -> Vec<String> {
    let mut files = Vec::new();
    for folder in ["data", "data/storefront"] {
        for entry in fs::read_dir(corpus.join(folder)).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_file() {
                files.push(format!("{folder}/{}", entry.file_name().to_str().unwrap()));
            }
        }
    }
    files.sort();
    files
}

fn load(corpus: &Path, url: &str) {
    let duckdb = DuckDb::new(Settings::below(corpus));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let (client, connection) =
            tokio_postgres::connect(url, tokio_postgres::NoTls).await.unwrap();
        tokio::spawn(connection);
        for file in files(corpus) {
            let columns = duckdb.table_schema(&file).unwrap();
            let select = format!("SELECT * FROM '{file}'");
            let rows = duckdb.run(&select, &columns, &Limits::default(), &Cancel::new()).unwrap();
            let (schema, table) = file.split_once('.').unwrap();
            client.batch_execute(&tables(schema, table, &columns)).await.unwrap();
            let insert = format!(
                "INSERT INTO \"{schema}\".\"{table}\" \
                 SELECT * FROM jsonb_populate_recordset(NULL::\"{schema}\".\"{table}\", $1::text::jsonb)"
            );
            let rows = Value::Array(rows.rows).to_string();
            client.execute(&insert, &[&rows]).await.unwrap();
        }
        client.batch_execute("ANALYZE").await.unwrap();
    });
}

/// The statements that make a table.
fn tables(schema: &str, table: &str, columns: &[Column]) -> String {
    let mut statements = format!("CREATE SCHEMA \"{schema}\";\n");
    let mut count = 0;
    let fields: Vec<String> = columns
        .iter()
        .map(|column| {
            let ty = type_name(&column.ty, schema, &mut statements, &mut count);
            format!("\"{}\" {ty}", column.name)
        })
        .collect();
    let _infallible =
        writeln!(statements, "CREATE TABLE \"{schema}\".\"{table}\" ({});", fields.join(", "));
    statements
}

fn type_name(ty: &Type, schema: &str, statements: &mut String, count: &mut usize) -> String {
    match ty {
        Type::Number(NumberKind::Integer) => "integer".to_owned(),
        Type::Number(NumberKind::Bigint) => "bigint".to_owned(),
        Type::Number(_) => "double precision".to_owned(),
        Type::Boolean => "boolean".to_owned(),
        Type::Date(_) => "date".to_owned(),
        Type::Timestamp(_) => "timestamp".to_owned(),
        Type::Timestamptz(_) => "timestamptz".to_owned(),
        Type::Json => "jsonb".to_owned(),
        Type::Array(element) => format!("{}[]", type_name(element, schema, statements, count)),
        Type::Record(fields) => {
            let fields: Vec<String> = fields
                .iter()
                .map(|field| {
                    let ty = type_name(&field.ty, schema, statements, count);
                    format!("\"{}\" {ty}", field.name)
                })
                .collect();
            *count += 1;
            let name = format!("\"{schema}\".record{count}");
            let _infallible =
                writeln!(statements, "CREATE TYPE {name} AS ({});", fields.join(", "));
            name
        }
        Type::String | Type::Sql(_) | Type::Null => "text".to_owned(),
    }
}
