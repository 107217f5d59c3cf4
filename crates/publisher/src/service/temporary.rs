//! Tables that callers make of selects, for the statements that they ask next.
//!
//! A table belongs to the database of a connection and is seen by everybody who asks that connection. How many there are, what they
//! take together and how long they stay is bounded ([`crate::Config`]). Whoever asks for the same select again gets the same
//! table, made anew. Start at [`Service::temporary_table`].

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use kit_core::Principal;
use malloy_engine::{Beyond, Cancel, Engine, Error as Refused, Kept, Limits};
use parking_lot::Mutex;
use tokio::time::Instant;

use super::{
    Reach, Service, blocking,
    connections::{engine_failed, select},
    query::StopOnDrop,
};
use crate::{Config, Error, What};

/// What their names begin with.
pub(super) const PREFIX: &str = "temporary_";

/// All that there are.
pub(super) struct Temporary {
    /// For each connection.
    most: usize,
    /// Of all together.
    bytes: usize,
    stay: Duration,
    tables: Mutex<Vec<Table>>,
}

struct Table {
    name: String,
    engine: Weak<dyn Engine>,
    select: String,
    bytes: usize,
    /// Absent while it is made.
    until: Option<Instant>,
}

/// The place of a table that is made.
struct Place {
    name: String,
    /// What it may take.
    bytes: usize,
}

impl Temporary {
    pub(super) fn new(config: &Config) -> Self {
        Self {
            most: config.temporary_tables,
            bytes: config.temporary_bytes,
            stay: Duration::from_secs(config.temporary_seconds),
            tables: Mutex::default(),
        }
    }

    /// A place for a table, if there is room.
    fn place(&self, engine: &Arc<dyn Engine>, select: &str) -> Result<Place, Error> {
        if self.most == 0 {
            return Err(Error::new(What::Forbidden, "this server makes no temporary tables")
                .hint("raise `publisher.temporary_tables`, or put the select into a model"));
        }
        let mut tables = self.tables.lock();
        // What a database that is gone had is gone with it.
        tables.retain(|table| table.engine.strong_count() > 0);
        let own = Arc::downgrade(engine);
        let of_engine = |table: &Table| table.engine.ptr_eq(&own);
        // One that is just being made is somebody else's.
        let same =
            |table: &Table| of_engine(table) && table.select == select && table.until.is_some();
        let (name, used) = if let Some(at) = tables.iter().position(same) {
            let known = &mut tables[at];
            known.until = None;
            (known.name.clone(), known.bytes)
        } else {
            if tables.iter().filter(|table| of_engine(table)).count() >= self.most {
                return Err(self.too_many(&tables));
            }
            let name = format!("{PREFIX}{}", uuid::Uuid::now_v7().simple());
            let (engine, select, bytes) = (own, select.to_owned(), 0);
            tables.push(Table { name: name.clone(), engine, select, bytes, until: None });
            (name, 0)
        };
        let taken: usize = tables.iter().map(|table| table.bytes).sum();
        Ok(Place { name, bytes: self.bytes.saturating_sub(taken - used) })
    }

    fn too_many(&self, tables: &[Table]) -> Error {
        let first = tables.iter().filter_map(|table| table.until).min();
        let wait = first.map_or(1, |until| (until - Instant::now()).as_secs().max(1));
        let message = format!(
            "the connection has {} temporary tables, which is the most; the oldest goes in {wait} s",
            self.most
        );
        Error::new(What::Busy, message)
            .hint("use those that are there, or raise `publisher.temporary_tables`")
    }

    /// Notes what came of making a table. Those that are made at the same time may be too much together.
    fn made(&self, name: &str, made: Result<Kept, Refused>) -> Result<Kept, Refused> {
        let mut tables = self.tables.lock();
        let others = tables.iter().filter(|table| table.name != name);
        let taken: usize = others.map(|table| table.bytes).sum();
        let made = made.and_then(|kept| {
            if kept.bytes > self.bytes.saturating_sub(taken) {
                return Err(Refused::TooManyBytes { limit: self.bytes });
            }
            Ok(kept)
        });
        match &made {
            Ok(kept) => {
                if let Some(table) = tables.iter_mut().find(|table| table.name == name) {
                    table.bytes = kept.bytes;
                    table.until = Some(Instant::now() + self.stay);
                }
            }
            Err(_) => tables.retain(|table| table.name != name),
        }
        made
    }

    /// When a table is to go; nothing where it is gone or made anew.
    fn until(&self, name: &str) -> Option<Instant> {
        self.tables.lock().iter().find(|table| table.name == name)?.until
    }

    /// Takes a table out whose time has come, and gives its database.
    fn expired(&self, name: &str) -> Option<Arc<dyn Engine>> {
        let mut tables = self.tables.lock();
        let now = Instant::now();
        let due = |table: &Table| table.name == name && table.until.is_some_and(|at| at <= now);
        let at = tables.iter().position(due)?;
        tables.remove(at).engine.upgrade()
    }
}

impl Service {
    /// Makes a table of a select that later statements of the connection can read, and gives its name.
    pub async fn temporary_table(
        &self,
        reach: &Reach,
        sql: &str,
        caller: &Principal,
    ) -> Result<String, Error> {
        self.may_ask_sql(caller)?;
        let select = select(sql)?;
        let engine = self.engine(reach).await?;
        let turn = self.0.queries.turn().await?;
        let place = self.0.temporary.place(&engine, &select)?;
        let config = &self.0.config;
        let limits = Limits {
            rows: usize::try_from(config.max_rows).unwrap_or(usize::MAX),
            bytes: place.bytes,
            time: Some(Duration::from_millis(config.query_timeout_ms)),
            beyond: Beyond::Refuse,
        };
        let cancel = Cancel::new();
        let _leaving = StopOnDrop(cancel.clone());
        let (temporary, connection) = (self.0.temporary.clone(), reach.connection.clone());
        let name = place.name.clone();
        let made = blocking(move || {
            let _turn = turn;
            let made = engine.keep(&place.name, &select, &limits, &cancel);
            let made = temporary.made(&place.name, made);
            if made.is_err() {
                // Nobody knows of it, so nobody must have it.
                drop(engine.forget(&place.name));
            }
            made.map_err(|error| {
                too_large(&error, &temporary, &limits)
                    .unwrap_or_else(|| engine_failed(&connection, &error))
            })
        })
        .await?;
        tokio::spawn(let_go(self.0.temporary.clone(), name));
        Ok(made.table)
    }
}

/// What a table that is too large is told; nothing for another error.
fn too_large(error: &Refused, temporary: &Temporary, limits: &Limits) -> Option<Error> {
    let (message, hint) = match error {
        Refused::TooManyRows { .. } => (
            format!("the table would have more than {} rows, which is the most", limits.rows),
            "filter or aggregate in the select",
        ),
        Refused::TooManyBytes { .. } => (
            format!(
                "temporary tables may take {} bytes together, and with this one they would take more",
                temporary.bytes
            ),
            "make it smaller, or ask again when others are gone",
        ),
        _ => return None,
    };
    Some(Error::new(What::TooLarge, message).hint(hint))
}

/// Waits for the end of a table's time, which is put off whenever it is made anew.
async fn let_go(temporary: Arc<Temporary>, name: String) {
    while let Some(until) = temporary.until(&name) {
        tokio::time::sleep_until(until).await;
        if let Some(engine) = temporary.expired(&name) {
            let done = blocking(move || {
                engine.forget(&name).map_err(|error| engine_failed("temporary", &error))
            });
            if let Err(error) = done.await {
                tracing::warn!(%error, "a temporary table was not removed");
            }
            return;
        }
    }
}
