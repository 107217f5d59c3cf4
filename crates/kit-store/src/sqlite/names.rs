//! The further names of streams.
//!
//! Names are mostly random, so that each one that is put in its place among the others changes another page, and a
//! transaction of thirty short rows writes thirty pages. New names are therefore put down one after the other, on the
//! page that is being written anyway, and go to their places by the thousand, when many fall on the same page.

use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::StreamId;

/// New names that are put down before they go to their places. A look-up reads through them, a millisecond at most.
const MANY: i64 = 16 * 1024;

/// An older name comes before a younger one: the first stream that takes a name keeps it.
const FIND: &str = "
    SELECT s.name FROM (
        SELECT stream, 0 AS id FROM aliases WHERE category = ?1 AND name = ?2
        UNION ALL
        SELECT stream, id FROM fresh_aliases WHERE category = ?1 AND name = ?2
    ) a JOIN streams s ON s.id = a.stream
    ORDER BY a.id LIMIT 1";
const ADD: &str = "INSERT INTO fresh_aliases (category, name, stream) VALUES (?1, ?2, ?3)";
const SETTLE: &str = "
    INSERT INTO aliases (category, name, stream)
    SELECT category, name, stream FROM fresh_aliases ORDER BY category, name, id
    ON CONFLICT (category, name) DO NOTHING";
const EMPTY: &str = "DELETE FROM fresh_aliases";

pub(super) fn find(
    connection: &Connection,
    category: &str,
    name: &str,
) -> Result<Option<StreamId>, rusqlite::Error> {
    let stream = |row: &Row<'_>| Ok(StreamId::stored(row.get_ref(0)?.as_str()?));
    connection.prepare_cached(FIND)?.query_row(params![category, name], stream).optional()
}

/// Puts a name down; `true` if they are many now and should be [settled](settle).
pub(super) fn add(
    connection: &Connection,
    category: &str,
    name: &str,
    stream: i64,
) -> Result<bool, rusqlite::Error> {
    // Numbered from 1 again whenever the table was emptied.
    let number = connection.prepare_cached(ADD)?.insert(params![category, name, stream])?;
    Ok(number >= MANY)
}

/// Moves the new names to their places, within the caller's transaction.
pub(super) fn settle(connection: &Connection) -> Result<(), rusqlite::Error> {
    connection.prepare_cached(SETTLE)?.execute([])?;
    connection.prepare_cached(EMPTY)?.execute([]).map(drop)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::sqlite::schema;

    fn tables() -> Connection {
        let mut connection = Connection::open_in_memory().unwrap();
        schema::prepare(&mut connection, Path::new("test")).unwrap();
        let streams = "
            INSERT INTO streams VALUES (1, 'c/one', 'c', 1, 'null', 0, 0, FALSE);
            INSERT INTO streams VALUES (2, 'c/two', 'c', 1, 'null', 0, 0, FALSE);";
        connection.execute_batch(streams).unwrap();
        connection
    }

    fn found(connection: &Connection, category: &str, name: &str) -> Option<String> {
        find(connection, category, name).unwrap().map(|stream| stream.to_string())
    }

    fn rows(connection: &Connection, table: &str) -> i64 {
        let count = format!("SELECT count(*) FROM {table}");
        connection.query_row(&count, [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn a_name_is_found_before_and_after_it_is_in_its_place() {
        let tables = tables();
        add(&tables, "c", "ann", 1).unwrap();
        add(&tables, "c", "bob", 2).unwrap();
        for settled in [false, true] {
            assert_eq!(found(&tables, "c", "ann").as_deref(), Some("c/one"), "{settled}");
            assert_eq!(found(&tables, "c", "bob").as_deref(), Some("c/two"), "{settled}");
            assert_eq!(found(&tables, "c", "eve"), None, "{settled}");
            assert_eq!(found(&tables, "d", "ann"), None, "{settled}");
            settle(&tables).unwrap();
        }
        assert_eq!((rows(&tables, "aliases"), rows(&tables, "fresh_aliases")), (2, 0));
    }

    #[test]
    fn the_first_stream_keeps_a_name_wherever_it_stands() {
        let tables = tables();
        add(&tables, "c", "ann", 2).unwrap();
        add(&tables, "c", "ann", 1).unwrap();
        assert_eq!(found(&tables, "c", "ann").as_deref(), Some("c/two"));
        settle(&tables).unwrap();
        assert_eq!(found(&tables, "c", "ann").as_deref(), Some("c/two"));
        add(&tables, "c", "ann", 1).unwrap();
        assert_eq!(found(&tables, "c", "ann").as_deref(), Some("c/two"));
        settle(&tables).unwrap();
        assert_eq!(found(&tables, "c", "ann").as_deref(), Some("c/two"));
        assert_eq!(rows(&tables, "aliases"), 1);
    }

    #[test]
    fn many_are_told_and_counted_anew_after_they_were_settled() {
        let tables = tables();
        for number in 1..MANY {
            assert!(!add(&tables, "c", &format!("name-{number}"), 1).unwrap());
        }
        assert!(add(&tables, "c", "one more", 1).unwrap());
        settle(&tables).unwrap();
        assert_eq!(rows(&tables, "aliases"), MANY);
        assert!(!add(&tables, "c", "the next", 1).unwrap());
    }
}
