//! Values that are used and never shown.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// What is shown in the place of a secret.
const HIDDEN: &str = "(secret)";

/// A secret. Shown as `(secret)` wherever it is printed, in errors too.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Secret(String);

impl Secret {
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(HIDDEN)
    }
}

impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Serde's own message would repeat the value.
        match String::deserialize(deserializer) {
            Ok(text) => Ok(Self(text)),
            Err(_) => Err(de::Error::custom("expected a string")),
        }
    }
}

/// The URL of a database, whose password is not shown.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct DatabaseUrl(Secret);

impl DatabaseUrl {
    pub(crate) fn reveal(&self) -> &str {
        self.0.reveal()
    }

    fn shown(&self) -> String {
        let url = self.reveal();
        let Some((scheme, rest)) = url.split_once("://") else { return HIDDEN.to_owned() };
        // Parameters may hold a password as well (`?password=…`).
        let rest = rest.split('?').next().unwrap_or_default();
        match rest.rsplit_once('@') {
            Some((login, place)) => {
                let user = login.split(':').next().unwrap_or_default();
                format!("{scheme}://{user}:{HIDDEN}@{place}")
            }
            None => format!("{scheme}://{rest}"),
        }
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown())
    }
}

impl Serialize for DatabaseUrl {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.shown())
    }
}

impl<'de> Deserialize<'de> for DatabaseUrl {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Secret::deserialize(deserializer).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(url: &str) -> String {
        DatabaseUrl(Secret(url.to_owned())).shown()
    }

    #[test]
    fn a_database_url_is_shown_without_its_password() {
        assert_eq!(shown("postgres://ann:pa:ss@db/x"), "postgres://ann:(secret)@db/x");
        assert_eq!(shown("postgres://db/x?password=p"), "postgres://db/x");
        assert_eq!(shown("host=db password=p"), "(secret)");
    }

    #[test]
    fn a_secret_of_the_wrong_type_is_not_repeated() {
        let error = serde_json::from_str::<Secret>("1234567").unwrap_err().to_string();
        assert!(!error.contains("1234567"), "{error}");
    }
}
