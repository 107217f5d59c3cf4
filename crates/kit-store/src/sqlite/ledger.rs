//! Appends in one transaction.
//!
//! A hundred appends to one stream are a hundred events but one new version: the stream's row is looked up once and
//! written once, when the transaction is about to end or somebody wants to look at the tables.

use std::{
    collections::{BTreeMap, btree_map},
    sync::Arc,
};

use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;

use super::{failed, integer, journal::version, names};
use crate::{Append, Appended, StoreError, StreamId, Version};

const FIND: &str = "SELECT id, version, closed FROM streams WHERE name = ?1";
const CREATE: &str = "
    INSERT INTO streams (name, category, version, head, created_at, updated_at, closed)
    VALUES (?1, ?2, 0, 'null', ?3, ?3, FALSE)";
const ADVANCE: &str = "
    UPDATE streams SET version = ?2, head = coalesce(?3, head), updated_at = ?4, closed = ?5
    WHERE id = ?1";
const INSERT: &str =
    "INSERT INTO events (place, kind, data, actor, at) VALUES (?1, ?2, ?3, ?4, ?5)";

/// The streams that a transaction appends to.
pub(super) struct Ledger<'c> {
    connection: &'c Connection,
    streams: BTreeMap<StreamId, Row>,
    /// There are so many new names that they should go to their places.
    many_names: bool,
}

/// A stream as it will be.
struct Row {
    id: i64,
    version: Version,
    closed: bool,
    head: Option<Arc<Value>>,
    at: i64,
    /// Differs from what the table has.
    changed: bool,
}

impl<'c> Ledger<'c> {
    pub(super) fn new(connection: &'c Connection) -> Self {
        Self { connection, streams: BTreeMap::new(), many_names: false }
    }

    /// The tables, with everything in them that was appended so far.
    pub(super) fn written(&mut self) -> Result<&'c Connection, rusqlite::Error> {
        let changed = self.streams.values_mut().filter(|row| row.changed);
        for row in changed {
            row.write(self.connection)?;
        }
        Ok(self.connection)
    }

    /// Ends the transaction's work: everything is where it belongs.
    pub(super) fn finish(mut self) -> Result<(), rusqlite::Error> {
        let connection = self.written()?;
        if self.many_names { names::settle(connection) } else { Ok(()) }
    }

    /// Judges and writes one append. The one writer sees every append before it, committed or not yet. One that is
    /// refused has written nothing.
    pub(super) fn append(&mut self, append: &Append) -> Result<Appended, StoreError> {
        let row = match self.streams.entry(append.stream.clone()) {
            btree_map::Entry::Occupied(known) => {
                append.judge(known.get().version, known.get().closed)?;
                known.into_mut()
            }
            btree_map::Entry::Vacant(place) => {
                let found = Row::find(self.connection, &append.stream).map_err(failed)?;
                let (version, closed) =
                    found.as_ref().map_or((Version(0), false), |row| (row.version, row.closed));
                append.judge(version, closed)?;
                let row = found.map_or_else(|| Row::create(self.connection, append), Ok);
                place.insert(row.map_err(failed)?)
            }
        };
        for alias in &append.aliases {
            let category = append.stream.category();
            self.many_names |=
                names::add(self.connection, category, alias, row.id).map_err(failed)?;
        }
        row.append(self.connection, append).map_err(failed)
    }
}

impl Row {
    fn find(connection: &Connection, stream: &StreamId) -> Result<Option<Self>, rusqlite::Error> {
        let mut find = connection.prepare_cached(FIND)?;
        let row = |row: &rusqlite::Row<'_>| {
            let (version, closed) = (version(row, 1)?, row.get(2)?);
            Ok(Self { id: row.get(0)?, version, closed, head: None, at: 0, changed: false })
        };
        find.query_row(params![stream.as_str()], row).optional()
    }

    fn create(connection: &Connection, append: &Append) -> Result<Self, rusqlite::Error> {
        let stream = &append.stream;
        let values = params![stream.as_str(), stream.category(), append.at];
        let id = connection.prepare_cached(CREATE)?.insert(values)?;
        let (version, at) = (Version(0), append.at);
        Ok(Self { id, version, closed: false, head: None, at, changed: false })
    }

    fn append(
        &mut self,
        connection: &Connection,
        append: &Append,
    ) -> Result<Appended, rusqlite::Error> {
        let stream = &append.stream;
        let events = append.recorded(self.version);
        let mut insert = connection.prepare_cached(INSERT)?;
        for event in events.iter() {
            let place = (self.id << 36) | integer(event.version.0);
            insert.execute(params![
                place,
                &*event.kind,
                event.data.get(),
                &*event.actor,
                event.at
            ])?;
        }
        self.version.0 += events.len() as u64;
        (self.at, self.closed, self.changed) = (append.at, append.closes, true);
        self.head = append.head.clone().or_else(|| self.head.take());
        Ok(Appended { stream: stream.clone(), version: self.version, events })
    }

    fn write(&mut self, connection: &Connection) -> Result<(), rusqlite::Error> {
        let head = self.head.as_deref().map(Value::to_string);
        let values = params![self.id, integer(self.version.0), head, self.at, self.closed];
        connection.prepare_cached(ADVANCE)?.execute(values)?;
        self.changed = false;
        Ok(())
    }
}
