//! `publisher.json`: what makes a folder a package.

use serde_json::{Map, Value};

/// A package's manifest. Every key is optional; those that mean nothing here are kept.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Manifest {
    pub name: Option<String>,
    pub description: Option<String>,
    /// Paths of the models that are listed publicly, where it says so.
    pub explores: Option<Vec<String>>,
    /// Whether only listed models may be asked.
    pub only_declared: bool,
    /// The manifest as written.
    pub all: Map<String, Value>,
}

impl Manifest {
    /// Reads a manifest. The error says what is wrong with it in words for a person.
    pub fn parse(text: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(text)
            .map_err(|why| format!("publisher.json is not valid JSON: {why}"))?;
        let Value::Object(all) = value else {
            return Err("publisher.json must be an object".to_owned());
        };
        let text = |key: &str| match all.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(format!("`{key}` in publisher.json must be a text")),
        };
        let explores = match all.get("explores") {
            None | Some(Value::Null) => None,
            Some(Value::Array(items)) => {
                let path = |item: &Value| item.as_str().map(str::to_owned);
                Some(items.iter().map(path).collect::<Option<_>>().ok_or_else(|| {
                    "`explores` in publisher.json must be a list of paths".to_owned()
                })?)
            }
            Some(_) => {
                return Err("`explores` in publisher.json must be a list of paths".to_owned());
            }
        };
        let only_declared = match text("queryableSources")?.as_deref() {
            None | Some("all") => false,
            Some("declared") => true,
            Some(other) => {
                return Err(format!(
                    "`queryableSources` in publisher.json must be `all` or `declared`, not `{other}`"
                ));
            }
        };
        let (name, description) = (text("name")?, text("description")?);
        Ok(Self { name, description, explores, only_declared, all })
    }

    /// What it calls its version, if it says one.
    pub fn version(&self) -> Option<&str> {
        self.all.get("version").and_then(Value::as_str).filter(|version| !version.is_empty())
    }

    /// Whether a model belongs to what is listed.
    pub fn lists(&self, path: &str) -> bool {
        self.explores.as_ref().is_none_or(|explores| explores.iter().any(|listed| listed == path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_optional_and_unknown_ones_are_kept() {
        assert_eq!(Manifest::parse("{}").unwrap(), Manifest::default());
        let manifest = Manifest::parse(r#"{"description": "d", "version": "1.0.0"}"#).unwrap();
        assert_eq!(manifest.description.as_deref(), Some("d"));
        assert_eq!(manifest.all["version"], "1.0.0");
        assert_eq!(manifest.version(), Some("1.0.0"));
    }

    #[test]
    fn a_mistake_is_told() {
        for (text, wanted) in [
            ("{", "publisher.json is not valid JSON"),
            ("[]", "publisher.json must be an object"),
            (r#"{"name": 1}"#, "`name` in publisher.json must be a text"),
            (r#"{"explores": [1]}"#, "`explores` in publisher.json must be a list of paths"),
            (r#"{"queryableSources": "some"}"#, "must be `all` or `declared`, not `some`"),
        ] {
            let error = Manifest::parse(text).unwrap_err();
            assert!(error.contains(wanted), "{error}");
        }
    }

    #[test]
    fn without_explores_everything_is_listed() {
        assert!(Manifest::default().lists("a.malloy"));
        let manifest = Manifest::parse(r#"{"explores": ["a.malloy"]}"#).unwrap();
        assert!(manifest.lists("a.malloy") && !manifest.lists("b.malloy"));
    }
}
