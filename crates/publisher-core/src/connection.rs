//! Connections to databases as they are written down: `publisher.connections.json`.
//!
//! Secrets are written by whoever owns the file and never shown again: [`Connection::shown`] has [`MARKER`] in their
//! place, and [`Connection::updated`] takes the marker back for what was there.

use serde_json::{Map, Value, json};

use crate::name::is_name;

/// What stands in the place of a secret.
pub const MARKER: &str = "********";

/// The connection that every package has of its own.
pub const DUCKDB: &str = "duckdb";

/// Types that are known, with the name of their block and their dialect.
const TYPES: &[(&str, &str, &str)] = &[
    ("postgres", "postgresConnection", "postgres"),
    ("spark", "sparkConnection", "databricks"),
    ("databricks", "databricksConnection", "databricks"),
    ("bigquery", "bigqueryConnection", "standardsql"),
    ("snowflake", "snowflakeConnection", "snowflake"),
    ("trino", "trinoConnection", "trino"),
    ("mysql", "mysqlConnection", "mysql"),
    ("duckdb", "duckdbConnection", "duckdb"),
    ("motherduck", "motherduckConnection", "duckdb"),
    ("ducklake", "ducklakeConnection", "duckdb"),
    ("publisher", "publisherConnection", "duckdb"),
];

/// A connection by its name.
#[derive(Debug, Clone, PartialEq)]
pub struct Connection {
    pub name: String,
    /// `postgres`, `spark`, `duckdb`, …
    pub kind: String,
    /// The block of its type: host, port, and what else it takes. With secrets.
    pub settings: Map<String, Value>,
    /// Keys that mean nothing here.
    pub extra: Map<String, Value>,
}

/// What is wrong with a connection.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConnectionError {
    #[error("connections must be a list of objects")]
    List,
    #[error("a connection has no `name`")]
    NoName,
    #[error("`{0}` cannot be the name of a connection")]
    Name(String),
    #[error("the name `duckdb` is reserved for the connection that each package has of its own")]
    Reserved,
    #[error("there are two connections `{0}`")]
    Twice(String),
    #[error("connection `{0}` has no `type`")]
    NoType(String),
    #[error("connection `{name}`: no type `{kind}`")]
    UnknownType { name: String, kind: String },
    #[error("connection `{name}`: `{block}` must be an object")]
    Block { name: String, block: String },
    #[error("connection `{name}` lacks `{field}`")]
    Lacks { name: String, field: String },
}

/// What the server knows of a connection by its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Attributes {
    pub dialect_name: &'static str,
    pub is_pool: bool,
    pub can_persist: bool,
    pub can_stream: bool,
}

impl Connection {
    /// The names of all types.
    pub fn types() -> impl Iterator<Item = &'static str> {
        TYPES.iter().map(|(kind, ..)| *kind)
    }

    /// A list as `publisher.connections.json` has it.
    pub fn parse_list(value: &Value) -> Result<Vec<Self>, ConnectionError> {
        let items = value.as_array().ok_or(ConnectionError::List)?;
        let mut connections: Vec<Self> = Vec::new();
        for item in items {
            let connection = Self::parse(item)?;
            if connections.iter().any(|other| other.name == connection.name) {
                return Err(ConnectionError::Twice(connection.name));
            }
            connections.push(connection);
        }
        Ok(connections)
    }

    /// One connection. What can be checked without its database is checked.
    pub fn parse(value: &Value) -> Result<Self, ConnectionError> {
        let mut object = value.as_object().ok_or(ConnectionError::List)?.clone();
        let Some(Value::String(name)) = object.remove("name") else {
            return Err(ConnectionError::NoName);
        };
        if !is_name(&name) {
            return Err(ConnectionError::Name(name));
        }
        if name == DUCKDB {
            return Err(ConnectionError::Reserved);
        }
        let Some(Value::String(kind)) = object.remove("type") else {
            return Err(ConnectionError::NoType(name));
        };
        let Some((_, block, _)) = TYPES.iter().find(|(known, ..)| *known == kind) else {
            return Err(ConnectionError::UnknownType { name, kind });
        };
        // Computed, whatever a client that echoes what it got sends.
        object.remove("attributes");
        object.remove("resource");
        let settings = match object.remove(*block) {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(settings)) => settings,
            Some(_) => return Err(ConnectionError::Block { name, block: (*block).to_owned() }),
        };
        let connection = Self { name, kind, settings, extra: object };
        match connection.missing() {
            Some(field) => Err(ConnectionError::Lacks { name: connection.name, field }),
            None => Ok(connection),
        }
    }

    fn missing(&self) -> Option<String> {
        let wanted: &[&str] = match &*self.kind {
            "snowflake" => &["account", "username", "password", "warehouse"],
            _ => &[],
        };
        let missing = wanted.iter().find(|field| !self.settings.contains_key(**field))?;
        Some(format!("{}.{missing}", self.block()))
    }

    fn block(&self) -> &'static str {
        TYPES
            .iter()
            .find(|(kind, ..)| *kind == self.kind)
            .map_or("connection", |(_, block, _)| block)
    }

    /// A text of its settings.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.settings.get(key)?.as_str().filter(|text| !text.is_empty())
    }

    pub fn attributes(&self) -> Attributes {
        attributes(&self.kind)
    }

    /// With its secrets, for the file.
    pub fn to_json(&self) -> Value {
        self.json(&self.settings)
    }

    /// Without them, for everybody.
    pub fn shown(&self) -> Value {
        let mut settings = self.settings.clone();
        hide(&mut settings);
        let mut extra = self.extra.clone();
        hide(&mut extra);
        let mut shown = Self { extra, ..self.clone() }.json(&settings);
        shown["attributes"] = json!(self.attributes());
        shown
    }

    fn json(&self, settings: &Map<String, Value>) -> Value {
        let mut object = Map::new();
        object.insert("name".to_owned(), json!(self.name));
        object.insert("type".to_owned(), json!(self.kind));
        if !settings.is_empty() {
            object.insert(self.block().to_owned(), Value::Object(settings.clone()));
        }
        object.extend(self.extra.clone());
        Value::Object(object)
    }

    /// This one with the keys of `change` over its own. A secret that is the marker is the one that was there.
    pub fn updated(&self, change: &Value) -> Result<Self, ConnectionError> {
        let mut merged = self.to_json();
        merge(&mut merged, change);
        Self::parse(&merged)
    }
}

/// What is known of a type of connection.
pub fn attributes(kind: &str) -> Attributes {
    let dialect = TYPES.iter().find(|(known, ..)| *known == kind).map_or("duckdb", |(.., d)| d);
    Attributes {
        dialect_name: dialect,
        is_pool: kind == "postgres",
        can_persist: matches!(kind, "duckdb" | "postgres" | "bigquery" | "snowflake"),
        can_stream: matches!(kind, "duckdb" | "postgres" | "bigquery"),
    }
}

fn is_secret(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    ["pass", "secret", "token", "key", "connectionstring", "credential", "remote"]
        .iter()
        .any(|word| key.contains(word))
}

fn hide(settings: &mut Map<String, Value>) {
    for (key, value) in settings.iter_mut() {
        match value {
            Value::Null | Value::Bool(_) => {}
            value if is_secret(key) => *value = json!(MARKER),
            Value::Object(inner) => hide(inner),
            Value::Array(items) => {
                items.iter_mut().filter_map(Value::as_object_mut).for_each(hide);
            }
            _ => {}
        }
    }
}

fn merge(into: &mut Value, change: &Value) {
    match (into, change) {
        (Value::Object(into), Value::Object(change)) => {
            for (key, value) in change {
                match into.get_mut(key) {
                    Some(old) => merge(old, value),
                    None if value == MARKER => {}
                    None => drop(into.insert(key.clone(), value.clone())),
                }
            }
        }
        (Value::Array(into), Value::Array(change)) => {
            // By position: a list of attached databases comes back as it was shown.
            let old = std::mem::take(into);
            for (index, value) in change.iter().enumerate() {
                let mut item = old.get(index).cloned().unwrap_or(Value::Null);
                merge(&mut item, value);
                into.push(item);
            }
        }
        (_, Value::String(text)) if text == MARKER => {}
        (into, change) => *into = change.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn postgres() -> Connection {
        Connection::parse(&json!({
            "name": "pg", "type": "postgres", "note": "ours",
            "postgresConnection": {"host": "h", "port": 5432, "userName": "u", "password": "s3cret",
                "connectionString": "postgres://u:s3cret@h"},
        }))
        .unwrap()
    }

    #[test]
    fn secrets_are_never_shown() {
        let shown = postgres().shown();
        assert!(!shown.to_string().contains("s3cret"), "{shown}");
        assert_eq!(shown["postgresConnection"]["password"], MARKER);
        assert_eq!(shown["postgresConnection"]["host"], "h");
        assert_eq!(shown["attributes"]["dialectName"], "postgres");
        assert_eq!(shown["note"], "ours");
        for (kind, block, secret) in [
            ("bigquery", "bigqueryConnection", "serviceAccountKeyJson"),
            ("trino", "trinoConnection", "password"),
            ("motherduck", "motherduckConnection", "accessToken"),
        ] {
            let value = json!({"name": "x", "type": kind, block: {secret: "s3cret"}});
            let shown = Connection::parse(&value).unwrap().shown();
            assert!(!shown.to_string().contains("s3cret"), "{shown}");
        }
        let nested = json!({"name": "x", "type": "duckdb", "duckdbConnection": {"attachedDatabases": [
            {"name": "a", "postgresConnection": {"password": "s3cret"}}]}});
        assert!(!Connection::parse(&nested).unwrap().shown().to_string().contains("s3cret"));
    }

    #[test]
    fn the_marker_sent_back_keeps_the_secret() {
        let old = postgres();
        let mut sent = old.shown();
        sent["postgresConnection"]["host"] = json!("other");
        let new = old.updated(&sent).unwrap();
        assert_eq!(new.text("password"), Some("s3cret"));
        assert_eq!(new.text("host"), Some("other"));
        let new = old.updated(&json!({"postgresConnection": {"password": "new"}})).unwrap();
        assert_eq!((new.text("password"), new.text("userName")), (Some("new"), Some("u")));
    }

    #[test]
    fn a_mistake_is_told() {
        let wrong = |value: Value| Connection::parse_list(&value).unwrap_err().to_string();
        assert!(wrong(json!([{"name": "duckdb", "type": "duckdb"}])).contains("reserved"));
        assert_eq!(
            wrong(json!([{"name": "x", "type": "oracle"}])),
            "connection `x`: no type `oracle`"
        );
        assert_eq!(
            wrong(
                json!([{"name": "x", "type": "snowflake", "snowflakeConnection": {"account": "a"}}])
            ),
            "connection `x` lacks `snowflakeConnection.username`"
        );
        assert_eq!(wrong(json!({})), "connections must be a list of objects");
        let twice = json!([{"name": "x", "type": "postgres"}, {"name": "x", "type": "trino"}]);
        assert_eq!(wrong(twice), "there are two connections `x`");
    }
}
