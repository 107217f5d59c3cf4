//! Files that are kept in memory: nobody sees a difference, whatever happens to the file.

use std::{
    fs::{self, File},
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, SystemTime},
};

use malloy_duckdb::{Cancel, Database, DuckDb, Error, Limits, Settings};
use malloy_engine::{Engine as _, Rows};
use malloy_model::ir::Column;
use serde_json::json;

const COUNT: &str = "SELECT count(*) AS n FROM 'data/x.csv' AS x";

fn directory() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("data")).unwrap();
    directory
}

/// Writes a file as if that had been an hour ago: what was written this moment is not kept.
fn write(root: &Path, name: &str, text: &str) {
    let path = root.join("data").join(name);
    fs::write(&path, text).unwrap();
    set_age(&path, Duration::from_hours(1));
}

fn set_age(path: &Path, age: Duration) {
    let file = File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::now() - age).unwrap();
}

/// An engine that keeps files, and one that reads them each time.
fn both(root: &Path) -> [DuckDb; 2] {
    [64 << 20, 0].map(|files| DuckDb::new(Settings { files, ..Settings::below(root) }))
}

fn ask(engine: &DuckDb, sql: &str) -> Result<(Vec<Column>, Rows), Error> {
    let columns = engine.select_schema(sql)?;
    let rows = engine.run(sql, &columns, &Limits::default(), &Cancel::new())?;
    Ok((columns, rows))
}

fn count(database: &Database) -> usize {
    let rows = database.run(COUNT, &Limits::default(), &Cancel::new()).unwrap();
    let column = Column { name: "n".to_owned(), ty: malloy_model::ir::Type::INTEGER };
    let rows = rows.to_json(&[column]).unwrap().rows;
    usize::try_from(rows[0]["n"].as_u64().unwrap()).unwrap()
}

/// How many files are in memory.
fn kept(database: &Database) -> usize {
    let sql = "SELECT table_name FROM duckdb_tables() WHERE schema_name = 'tandem_files'";
    database.run(sql, &Limits::default(), &Cancel::new()).unwrap().len()
}

#[test]
fn rows_types_and_errors_are_those_of_the_file() {
    let directory = directory();
    let root = directory.path();
    write(
        root,
        "x.csv",
        "a,b,c,d,e\n1,x,2024-02-03,1.5,true\n,\"y, z\",,,\n9007199254740993,,2024-02-03,2,false\n",
    );
    write(root, "t.tsv", "id\tat\n1\t2024-02-03 10:11:12\n2\t\n");
    write(root, "l.ndjson", "{\"a\":{\"b\":[1,2]},\"c\":\"x\"}\n{\"a\":null,\"c\":3}\n");
    write(root, "j.json", "[{\"a\":1},{\"a\":2,\"b\":\"2024-02-03\"}]");
    // What is wrong with it comes long after the rows that its types are guessed from.
    let mut broken = "a,b\n".to_owned() + &"1,2\n".repeat(30_000);
    broken += "1,two\n";
    write(root, "broken.csv", &broken);
    write(root, "ragged.csv", "a,b\n1,2\n1,2,3,4\n\"unclosed\n");
    fs::create_dir(root.join("data/year=2024")).unwrap();
    write(root, "year=2024/h.csv", "a\n1\n");
    let engines = both(root);
    for sql in [
        "SELECT * FROM 'data/x.csv' AS x",
        "SELECT x.a, x.c, count(*) OVER () AS n FROM 'data/x.csv' AS x ORDER BY x.b",
        "SELECT x.a FROM 'data/x.csv' AS x LEFT JOIN 'data/t.tsv' AS t ON t.id = x.a",
        "SELECT x.filename FROM 'data/x.csv' AS x",
        "SELECT x.a FROM 'data/x.csv'",
        "SELECT x.nothing FROM 'data/x.csv' AS x",
        "SELECT CAST(x.b AS INTEGER) AS a FROM 'data/x.csv' AS x",
        "SELECT * FROM 'data/t.tsv' AS t",
        "SELECT * FROM 'data/l.ndjson' AS l",
        "SELECT * FROM 'data/j.json' AS j",
        "SELECT count(*) AS n FROM 'data/broken.csv' AS x",
        "SELECT sum(x.a) AS n FROM 'data/broken.csv' AS x",
        "SELECT sum(x.b) AS n FROM 'data/broken.csv' AS x",
        "SELECT * FROM 'data/ragged.csv' AS x",
        "SELECT * FROM 'data/year=2024/h.csv' AS x",
        "SELECT * FROM 'data/none.csv' AS x",
        "SELECT * FROM 'data/../data/x.csv' AS x",
        "SELECT * FROM '../x.csv' AS x",
        "SELECT count(*) AS n FROM 'data/*.tsv' AS x",
    ] {
        // The first time and later, when it is in memory.
        for _ in 0..3 {
            assert_eq!(ask(&engines[0], sql), ask(&engines[1], sql), "{sql}");
        }
    }
    assert_eq!(engines[0].schemas().unwrap(), ["main"], "nobody sees where they are");
    assert_eq!(engines[0].tables("main").unwrap(), [""; 0]);
}

#[test]
fn a_changed_file_is_read_anew_by_the_next_query() {
    let directory = directory();
    let root = directory.path();
    let database = Database::open(&Settings::below(root)).unwrap();
    write(root, "x.csv", "a\n1\n2\n");
    assert_eq!((count(&database), kept(&database)), (2, 1));
    write(root, "x.csv", "a\n1\n2\n3\n");
    assert_eq!((count(&database), kept(&database)), (3, 1), "longer");
    write(root, "x.csv", "a\n11\n23\n");
    assert_eq!((count(&database), kept(&database)), (2, 1), "as long as before");
    let place = root.join("data/x.csv");
    let written = place.metadata().unwrap().modified().unwrap();
    fs::write(root.join("data/new"), "a\n1\n2\n3\n4").unwrap();
    fs::rename(root.join("data/new"), &place).unwrap();
    File::options().write(true).open(&place).unwrap().set_modified(written).unwrap();
    assert_eq!(count(&database), 4, "another file with its time");
    fs::write(&place, "a\n1\n").unwrap();
    assert_eq!((count(&database), kept(&database)), (1, 0), "not kept while it may be written on");
}

#[test]
fn a_vanished_file_is_gone_and_one_that_comes_back_is_there() {
    let directory = directory();
    let root = directory.path();
    let database = Database::open(&Settings::below(root)).unwrap();
    write(root, "x.csv", "a\n1\n2\n");
    assert_eq!((count(&database), kept(&database)), (2, 1));
    fs::remove_file(root.join("data/x.csv")).unwrap();
    let gone = database.run(COUNT, &Limits::default(), &Cancel::new()).unwrap_err();
    assert!(gone.to_string().contains("data/x.csv"), "{gone}");
    assert_eq!(kept(&database), 0);
    write(root, "x.csv", "a\n7\n");
    assert_eq!((count(&database), kept(&database)), (1, 1));
}

#[test]
fn a_broken_file_is_not_kept_and_is_read_once_it_was_mended() {
    let directory = directory();
    let root = directory.path();
    let database = Database::open(&Settings::below(root)).unwrap();
    write(root, "x.csv", &("a\n".to_owned() + &"1\n".repeat(30_000) + "one\n"));
    let sum = "SELECT sum(x.a) AS n FROM 'data/x.csv' AS x";
    for _ in 0..2 {
        let broken = database.run(sum, &Limits::default(), &Cancel::new()).unwrap_err().to_string();
        assert!(broken.contains("one") && broken.contains("x.csv"), "{broken}");
        assert!(!broken.contains(&*root.to_string_lossy()), "{broken}");
        assert_eq!(kept(&database), 0);
    }
    write(root, "x.csv", "a\n1\n");
    assert_eq!((count(&database), kept(&database)), (1, 1));
}

#[test]
fn what_is_kept_is_bounded_and_what_was_asked_last_stays() {
    let directory = directory();
    let root = directory.path();
    let database = Database::open(&Settings { files: 100, ..Settings::below(root) }).unwrap();
    for name in 0..10 {
        write(root, &format!("{name}.csv"), &("a\n".to_owned() + &"1\n".repeat(11)));
    }
    write(root, "large.csv", &("a\n".to_owned() + &"1\n".repeat(13)));
    let read = |name: &str| {
        let sql = format!("SELECT a FROM 'data/{name}.csv' AS x");
        database.run(&sql, &Limits::default(), &Cancel::new()).unwrap().len()
    };
    for name in 0..10 {
        assert_eq!(read(&name.to_string()), 11);
        assert_eq!(kept(&database), 4.min(name + 1));
    }
    assert_eq!((read("large"), kept(&database)), (13, 4), "more than a quarter is not kept");
    assert_eq!((read("9"), read("0"), kept(&database)), (11, 11, 4));
}

#[test]
fn many_ask_at_once_while_the_file_is_written_and_each_sees_a_whole_one() {
    let directory = directory();
    let root = directory.path();
    let database = Database::open(&Settings::below(root)).unwrap();
    let file = |rows: usize| "a,b\n".to_owned() + &"1,x\n".repeat(rows);
    write(root, "x.csv", &file(100));
    let written = AtomicUsize::new(100);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..25 {
                    let before = written.load(Ordering::SeqCst);
                    let seen = count(&database);
                    assert!(seen >= before && seen <= 110, "{seen} after {before}");
                }
            });
        }
        scope.spawn(|| {
            for rows in 101..=110 {
                // In one step, as whoever serves a file should replace it.
                write(root, "new", &file(rows));
                fs::rename(root.join("data/new"), root.join("data/x.csv")).unwrap();
                written.store(rows, Ordering::SeqCst);
                std::thread::yield_now();
            }
        });
    });
    assert_eq!((count(&database), kept(&database)), (110, 1), "and nothing old is left");
}

#[test]
fn a_query_that_is_cancelled_keeps_nobody_from_the_file() {
    let directory = directory();
    let root = directory.path();
    let engine = DuckDb::new(Settings::below(root));
    write(root, "x.csv", "a\n1\n2\n");
    let endless = "SELECT sum(p.range * q.range) AS n FROM 'data/x.csv' AS x, range(10000000) AS p, range(10000000) AS q";
    let cancel = Cancel::new();
    std::thread::scope(|scope| {
        let asked = scope.spawn(|| engine.run(endless, &[], &Limits::default(), &cancel));
        cancel.cancel();
        assert_eq!(asked.join().unwrap(), Err(Error::Cancelled));
    });
    let short = Limits { time: Some(Duration::from_millis(50)), ..Limits::default() };
    let late = engine.run(endless, &[], &short, &Cancel::new());
    assert!(matches!(late, Err(Error::TimedOut { .. })), "{late:?}");
    let (_, rows) = ask(&engine, COUNT).unwrap();
    assert_eq!(rows.rows, [json!({"n": 2})]);
}
