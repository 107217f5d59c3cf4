//! Where the server is and who asks.

use std::time::Duration;

use malloy_engine::Error;

/// Where a Spark Connect server is, and how it is asked.
#[derive(Clone)]
pub struct Settings {
    pub host: String,
    pub port: u16,
    /// Encrypted, and the server has shown who it is.
    pub tls: bool,
    /// Sent with every request (`authorization: Bearer …`); only over an encrypted connection.
    pub token: Option<String>,
    pub user: String,
    /// Statements that are run when a session begins: `USE catalog.schema`, views.
    pub setup: Vec<String>,
    /// How many queries run at the same time; others wait.
    pub connections: usize,
    /// How long to wait for the server to be reached.
    pub patience: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            host: "127.0.0.1".to_owned(),
            port: 15002,
            tls: false,
            token: None,
            user: "tandem".to_owned(),
            setup: Vec::new(),
            connections: 8,
            patience: Duration::from_secs(10),
        }
    }
}

/// Without secrets.
impl std::fmt::Debug for Settings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Settings")
            .field("host", &self.host)
            .field("port", &self.port)
            .field("tls", &self.tls)
            .field("user", &self.user)
            .finish_non_exhaustive()
    }
}

impl Settings {
    /// `sc://host:port/;use_ssl=true;token=…;user_id=…`, as every client of Spark Connect takes it.
    pub fn url(url: &str) -> Result<Self, Error> {
        let mut settings = Self::default();
        let rest = url.strip_prefix("sc://").ok_or_else(|| bad("it begins with `sc://`"))?;
        let (place, parameters) = rest.split_once('/').unwrap_or((rest, ""));
        let (host, port) = match place.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => {
                (host, port.parse().map_err(|_| bad("the port is a number"))?)
            }
            _ => (place, settings.port),
        };
        if host.is_empty() {
            return Err(bad("it names a host"));
        }
        (settings.host, settings.port) = (host.to_owned(), port);
        for pair in parameters.split(';').filter(|pair| !pair.is_empty()) {
            let (name, value) =
                pair.split_once('=').ok_or_else(|| bad("parameters are `;name=value`"))?;
            let value =
                percent_encoding::percent_decode_str(value).decode_utf8_lossy().into_owned();
            match name {
                "use_ssl" => settings.tls = value == "true",
                // A token that anybody could read on the way is none.
                "token" => (settings.token, settings.tls) = (Some(value), true),
                "user_id" => settings.user = value,
                // Names that clients of other languages know and that change nothing here.
                _ => {}
            }
        }
        Ok(settings)
    }

    pub(crate) fn place(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }
}

fn bad(rule: &str) -> Error {
    Error::Unavailable {
        message: format!("the URL of the Spark Connect server cannot be read: {rule}"),
        hint: Some("write it as sc://host:15002/;use_ssl=true".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_says_where_and_who() {
        let settings = Settings::url("sc://spark.example:443/;token=a%2Fb;user_id=ann").unwrap();
        assert_eq!((&*settings.host, settings.port, settings.tls), ("spark.example", 443, true));
        assert_eq!((settings.token.as_deref(), &*settings.user), (Some("a/b"), "ann"));
        let plain = Settings::url("sc://[::1]").unwrap();
        assert_eq!((&*plain.host, plain.port, plain.tls), ("[::1]", 15002, false));
        assert!(!format!("{settings:?}").contains("a/b"));
        for wrong in ["http://h", "sc://", "sc://h:port", "sc://h/;x"] {
            assert!(Settings::url(wrong).is_err(), "{wrong}");
        }
    }
}
