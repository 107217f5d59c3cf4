//! Where the database is and who asks.

use std::{path::PathBuf, time::Duration};

use malloy_engine::Error;
use tokio_postgres::config::{Config, SslMode};

/// Where a database is, and how it is asked.
#[derive(Clone)]
pub struct Settings {
    /// `postgres://user:password@host:port/database?sslmode=…`. What the fields below give is added to it, or stands in its place.
    pub url: Option<String>,
    pub host: Option<String>,
    pub port: Option<u16>,
    pub database: Option<String>,
    pub user: Option<String>,
    pub password: Option<String>,
    /// Unless the URL has an `sslmode`.
    pub tls: Tls,
    /// A file with the certificates that a server's must be signed by (`sslrootcert`); the system's without.
    pub certificates: Option<PathBuf>,
    /// How many queries run at the same time; others wait.
    pub connections: usize,
    /// How long to wait for the server, or for a query to end so that another may run.
    pub patience: Duration,
}

/// How a connection is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tls {
    /// Not at all: `sslmode=disable`.
    Off,
    /// Encrypted where the server can, whoever it is: `sslmode=prefer`, as `libpq` has it by default.
    #[default]
    Offered,
    /// Encrypted, and the server has shown who it is: `sslmode=require`, `verify-ca`, `verify-full`.
    Verified,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            url: None,
            host: None,
            port: None,
            database: None,
            user: None,
            password: None,
            tls: Tls::default(),
            certificates: None,
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
            .field("database", &self.database)
            .field("user", &self.user)
            .field("tls", &self.tls)
            .finish_non_exhaustive()
    }
}

impl Settings {
    /// All from a URL.
    pub fn url(url: impl Into<String>) -> Self {
        Self { url: Some(url.into()), ..Self::default() }
    }

    /// What the client is told; `tls` and `certificates` as the URL has them.
    pub(crate) fn config(&self) -> Result<(Config, Tls, Option<PathBuf>), Error> {
        let (mut tls, mut certificates) = (self.tls, self.certificates.clone());
        let mut config = match &self.url {
            Some(url) => {
                let (url, modes) = without_tls(url);
                for (name, value) in modes {
                    match (&*name, &*value) {
                        ("sslrootcert", file) => certificates = Some(PathBuf::from(file)),
                        ("sslmode", "disable") => tls = Tls::Off,
                        ("sslmode", "allow" | "prefer") => tls = Tls::Offered,
                        ("sslmode", "require" | "verify-ca" | "verify-full") => tls = Tls::Verified,
                        (_, other) => return Err(open(format!("there is no sslmode `{other}`"))),
                    }
                }
                // What the parser says of a bad URL quotes none of it.
                url.parse().map_err(|error| open(format!("the URL cannot be read: {error}")))?
            }
            None => Config::new(),
        };
        if let Some(host) = &self.host {
            config.host(host);
        }
        if let Some(port) = self.port {
            config.port(port);
        }
        if let Some(database) = &self.database {
            config.dbname(database);
        }
        if let Some(user) = &self.user {
            config.user(user);
        }
        if let Some(password) = &self.password {
            config.password(password);
        }
        if config.get_hosts().is_empty() {
            return Err(open("no host is given".to_owned()));
        }
        config.ssl_mode(match tls {
            Tls::Off => SslMode::Disable,
            Tls::Offered => SslMode::Prefer,
            Tls::Verified => SslMode::Require,
        });
        config.connect_timeout(self.patience).application_name("tandem");
        Ok((config, tls, certificates))
    }
}

fn open(message: String) -> Error {
    Error::Unavailable {
        message,
        hint: Some("write it as postgres://user@host/database".to_owned()),
    }
}

/// The URL without what it says about TLS, and that.
fn without_tls(url: &str) -> (String, Vec<(String, String)>) {
    let Some((before, query)) = url.split_once('?') else { return (url.to_owned(), Vec::new()) };
    let (tls, rest): (Vec<_>, Vec<_>) = query
        .split('&')
        .partition(|pair| pair.starts_with("sslmode=") || pair.starts_with("sslrootcert="));
    let decoded =
        |text: &str| percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned();
    let tls = tls
        .iter()
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (name.to_owned(), decoded(value)))
        .collect();
    let url =
        if rest.is_empty() { before.to_owned() } else { format!("{before}?{}", rest.join("&")) };
    (url, tls)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_may_say_how_it_is_protected() {
        let tls = |url: &str| Settings::url(url).config().map(|(_, tls, file)| (tls, file));
        assert_eq!(tls("postgres://h/d"), Ok((Tls::Offered, None)));
        assert_eq!(tls("postgres://h/d?sslmode=disable&user=u"), Ok((Tls::Off, None)));
        let file = Some(PathBuf::from("/etc/a b.pem"));
        let url = "postgres://h/d?sslrootcert=%2Fetc%2Fa%20b.pem&sslmode=verify-full";
        assert_eq!(tls(url), Ok((Tls::Verified, file)));
        let told = tls("postgres://h/d?sslmode=on").unwrap_err().to_string();
        assert_eq!(told, "there is no sslmode `on`");
    }

    #[test]
    fn secrets_are_not_shown() {
        let mut settings = Settings::url("postgres://u:hunter2@h/d");
        settings.password = Some("hunter3".to_owned());
        assert!(!format!("{settings:?}").contains("hunter"));
        let told = Settings::url("postgres://u:hunter2@h:port/d").config().unwrap_err();
        assert!(!format!("{told:?}").contains("hunter"), "{told:?}");
    }

    #[test]
    fn fields_alone_are_enough() {
        let settings = Settings { host: Some("h".to_owned()), ..Settings::default() };
        assert!(settings.config().is_ok());
        assert!(Settings::default().config().is_err());
    }
}
