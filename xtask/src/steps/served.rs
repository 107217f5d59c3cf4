//! The real program, served for those who come from outside.

use anyhow::Result;
use tempfile::TempDir;

use super::Run;
use crate::{cmd::Cmd, service::Service};

/// `tandem serve` on a port of its own choosing, with a directory of its own.
pub(super) struct Server {
    pub(super) url: String,
    // In this order: the server ends before its directory goes.
    _process: Service,
    _dir: TempDir,
}

impl Server {
    pub(super) fn start(run: &Run) -> Result<Self> {
        let dir = tempfile::Builder::new().prefix("tandem-served-").tempdir()?;
        let serve = Cmd::new(run.program("tandem")?)
            .args(["serve", "--listen", "127.0.0.1:0", "--data-dir"])
            .arg(dir.path().join("data"))
            // Its log tells the address.
            .env("RUST_LOG", "info")
            // Away from the checkout, whose `tandem.toml` is a person's own.
            .dir(dir.path());
        let (process, url) = Service::start(serve, "TERM", address)?;
        println!("   serving on {url}");
        Ok(Self { url, _process: process, _dir: dir })
    }
}

/// The first `http://…` with a port in a line.
fn address(line: &str) -> Option<String> {
    let rest = &line[line.find("http://")?..];
    let end = rest.find(|c: char| c.is_whitespace() || "\"',;)".contains(c)).unwrap_or(rest.len());
    let url = rest[..end].trim_end_matches('/');
    let port = url.rsplit_once(':')?.1;
    port.parse::<u16>().is_ok_and(|port| port > 0).then(|| url.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_is_found_in_prose_and_in_fields() {
        assert_eq!(
            address("  tandem is at http://127.0.0.1:40123/ (ctrl-c stops it)").as_deref(),
            Some("http://127.0.0.1:40123")
        );
        assert_eq!(
            address(r#"{"url":"http://127.0.0.1:40123","message":"serving"}"#).as_deref(),
            Some("http://127.0.0.1:40123")
        );
        assert_eq!(address("see http://example.org for more"), None);
    }
}
