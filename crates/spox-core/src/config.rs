//! `.spox/config.toml`: where the specs are, which rules are written for agents, how search works.
//!
//! [`Config::parse`] reads it and gives the unknown keys as warnings; [`Config::check_rules`] is the stricter look that
//! `config show` and `init` take. The service prints [`ConfigError`] as it is.

use kit_core::{Fault, Kind, nearest};
use serde::Serialize;
use toml::{Table, Value};

/// Where the file is, from the project root.
pub const CONFIG_PATH: &str = ".spox/config.toml";

/// The rule texts that come with the tool, in the order of the file that `init` writes.
pub const SYSTEM_RULES: [&str; 7] =
    ["mcp", "global", "coding", "testing", "backend", "frontend", "vcs"];

const KNOWN: [(&str, &[&str]); 3] = [
    ("paths", &["spec_folder", "changes_folder", "archive_folder"]),
    ("rules", &["system", "custom"]),
    ("search", &["model", "auto_build", "threshold", "vectors_per_requirement"]),
];

/// The settings of a project.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Config {
    pub paths: Paths,
    pub rules: Rules,
    pub search: Search,
}

/// Folders, from the project root, without a slash at the end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Paths {
    pub spec_folder: String,
    pub changes_folder: String,
    pub archive_folder: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rules {
    /// Of [`SYSTEM_RULES`].
    pub system: Vec<String>,
    /// Files in `.spox/custom`.
    pub custom: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Search {
    pub model: Model,
    /// Whether a search builds a missing index instead of refusing.
    pub auto_build: bool,
    /// Results below this score are not returned.
    pub threshold: f64,
    /// 1: name and description; 2: also with the scenarios.
    pub vectors_per_requirement: u8,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            model: Model::Builtin,
            auto_build: false,
            threshold: 0.28,
            vectors_per_requirement: 2,
        }
    }
}

/// What turns text into vectors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(into = "String")]
pub enum Model {
    /// The one inside the product.
    Builtin,
    /// Words only.
    None,
    /// A folder on this machine.
    Folder(String),
    /// `hub:<name>`: downloaded on request.
    Hub(String),
}

impl From<Model> for String {
    fn from(model: Model) -> Self {
        match model {
            Model::Builtin => "builtin".to_owned(),
            Model::None => "none".to_owned(),
            Model::Folder(path) => path,
            Model::Hub(name) => format!("hub:{name}"),
        }
    }
}

/// Why there are no settings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    #[error("config not found: {CONFIG_PATH}")]
    NotFound,
    #[error("config parse error: {0}")]
    Parse(String),
    #[error("config missing field: {0}")]
    MissingField(String),
}

impl Fault for ConfigError {
    fn kind(&self) -> Kind {
        match self {
            Self::NotFound => Kind::NotFound,
            Self::Parse(_) | Self::MissingField(_) => Kind::Invalid,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::NotFound => Some("run `spox init` in the root of the project".to_owned()),
            Self::MissingField(field) => {
                Some(format!("add `{field}` to {CONFIG_PATH}, or run `spox init`"))
            }
            Self::Parse(_) => None,
        }
    }
}

/// A key that nobody reads.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize)]
#[error("unknown key `{key}` in {CONFIG_PATH}{}", suggestion(.nearest.as_deref()))]
pub struct UnknownKey {
    /// With its table: `search.treshold`.
    pub key: String,
    /// The known key that was probably meant.
    pub nearest: Option<String>,
}

impl Config {
    /// Reads the file. Unknown keys do not matter, but are told.
    pub fn parse(text: &str) -> Result<(Self, Vec<UnknownKey>), ConfigError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let root: Table = text.parse().map_err(|error: toml::de::Error| {
            ConfigError::Parse(error.to_string().trim().to_owned())
        })?;
        let paths = table(&root, "paths")?.ok_or_else(|| missing("paths"))?;
        let rules = table(&root, "rules")?.ok_or_else(|| missing("rules"))?;
        let config = Self {
            paths: Paths {
                spec_folder: folder(paths, "spec_folder")?,
                changes_folder: folder(paths, "changes_folder")?,
                archive_folder: folder(paths, "archive_folder")?,
            },
            rules: Rules {
                system: strings(rules, "system")?.ok_or_else(|| missing("rules.system"))?,
                custom: strings(rules, "custom")?.unwrap_or_default(),
            },
            search: table(&root, "search")?.map_or_else(|| Ok(Search::default()), search)?,
        };
        Ok((config, unknown_keys(&root)))
    }

    /// Whether the rule texts exist that are asked for.
    pub fn check_rules(&self) -> Result<(), ConfigError> {
        if self.rules.system.is_empty() {
            let message = "rules.system must contain at least one template";
            return Err(ConfigError::Parse(message.to_owned()));
        }
        let unknown = self.rules.system.iter().find(|name| !SYSTEM_RULES.contains(&name.as_str()));
        unknown.map_or(Ok(()), |name| {
            Err(ConfigError::Parse(format!(
                "invalid system template '{name}', valid templates are: {}",
                SYSTEM_RULES.join(", ")
            )))
        })
    }
}

fn search(found: &Table) -> Result<Search, ConfigError> {
    let mut search = Search::default();
    match found.get("model") {
        None => {}
        Some(Value::String(model)) => search.model = model_of(model)?,
        Some(_) => return Err(wrong("search.model", "a string")),
    }
    match found.get("auto_build") {
        None => {}
        Some(Value::Boolean(value)) => search.auto_build = *value,
        Some(_) => return Err(wrong("search.auto_build", "true or false")),
    }
    match found.get("threshold") {
        None => {}
        Some(Value::Float(value)) if (0.0..=1.0).contains(value) => search.threshold = *value,
        Some(Value::Integer(0)) => search.threshold = 0.0,
        Some(Value::Integer(1)) => search.threshold = 1.0,
        Some(_) => return Err(wrong("search.threshold", "a number from 0 to 1")),
    }
    match found.get("vectors_per_requirement") {
        None => {}
        Some(Value::Integer(1)) => search.vectors_per_requirement = 1,
        Some(Value::Integer(2)) => search.vectors_per_requirement = 2,
        Some(_) => return Err(wrong("search.vectors_per_requirement", "1 or 2")),
    }
    Ok(search)
}

fn model_of(text: &str) -> Result<Model, ConfigError> {
    match text {
        "builtin" => Ok(Model::Builtin),
        "none" => Ok(Model::None),
        "" | "hub:" => Err(wrong("search.model", "builtin, none, a folder or hub:<name>")),
        other => Ok(match other.strip_prefix("hub:") {
            Some(name) => Model::Hub(name.to_owned()),
            None => Model::Folder(other.to_owned()),
        }),
    }
}

fn table<'a>(root: &'a Table, name: &str) -> Result<Option<&'a Table>, ConfigError> {
    match root.get(name) {
        None => Ok(None),
        Some(Value::Table(table)) => Ok(Some(table)),
        Some(_) => Err(wrong(name, "a table")),
    }
}

fn folder(paths: &Table, key: &str) -> Result<String, ConfigError> {
    let field = format!("paths.{key}");
    match paths.get(key) {
        None => Err(missing(&field)),
        Some(Value::String(path)) => {
            let path = path.trim().trim_end_matches('/');
            let path = path.strip_prefix("./").unwrap_or(path);
            if path.is_empty() {
                return Err(wrong(&field, "the path of a folder"));
            }
            Ok(path.to_owned())
        }
        Some(_) => Err(wrong(&field, "a string")),
    }
}

fn strings(rules: &Table, key: &str) -> Result<Option<Vec<String>>, ConfigError> {
    let wrong = || wrong(&format!("rules.{key}"), "a list of strings");
    match rules.get(key) {
        None => Ok(None),
        Some(Value::Array(values)) => values
            .iter()
            .map(|value| value.as_str().map(str::to_owned).ok_or_else(wrong))
            .collect::<Result<_, _>>()
            .map(Some),
        Some(_) => Err(wrong()),
    }
}

fn unknown_keys(root: &Table) -> Vec<UnknownKey> {
    let mut unknown = Vec::new();
    for (name, value) in root {
        let Some((_, keys)) = KNOWN.iter().find(|(known, _)| known == name) else {
            let near = nearest(name, KNOWN.iter().map(|(known, _)| *known));
            unknown.push(UnknownKey { key: name.clone(), nearest: near.map(str::to_owned) });
            continue;
        };
        let inner = value.as_table().into_iter().flat_map(Table::keys);
        unknown.extend(inner.filter(|key| !keys.contains(&key.as_str())).map(|key| UnknownKey {
            key: format!("{name}.{key}"),
            nearest: nearest(key, keys.iter().copied()).map(|near| format!("{name}.{near}")),
        }));
    }
    unknown
}

fn missing(field: &str) -> ConfigError {
    ConfigError::MissingField(field.to_owned())
}

fn wrong(field: &str, expected: &str) -> ConfigError {
    ConfigError::Parse(format!("{field} must be {expected}"))
}

fn suggestion(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |key| format!(", did you mean `{key}`?"))
}
