//! Where a request comes from and which name it was sent to.
//!
//! A page on another site can make a browser send requests to this machine, and can point its own name at
//! this address (DNS rebinding). So the name that a request was sent to must be ours, and a page that asks
//! must be ours, on this machine, or allowed by name.

use std::net::{IpAddr, SocketAddr};

use axum::{Router, body::Body, middleware::Next, response::IntoResponse as _};
use http::{HeaderMap, HeaderValue, Request, StatusCode, Uri, header};

use super::{
    Pages,
    refusal::{Reason, Refusal, report},
};
use crate::Problem;

/// The names and pages that are ours.
#[derive(Debug, Clone)]
pub(crate) struct Sources {
    hosts: Vec<String>,
    origins: Vec<String>,
    bound: Option<IpAddr>,
    /// The port that a request must have been sent to, where only our own pages may ask.
    port: Option<u16>,
    pages: Pages,
}

/// What the `Origin` header says of the page that asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Page {
    /// No page: a program, or a person following a link.
    None,
    /// One that this server served.
    Own,
    /// Another one that may ask.
    Allowed,
}

impl Sources {
    pub(crate) fn new(
        bound: Option<SocketAddr>,
        mut hosts: Vec<String>,
        mut origins: Vec<String>,
        public_url: Option<&str>,
    ) -> Self {
        if let Some(url) = public_url.map(|url| url.trim_end_matches('/')) {
            let origin: String = url.splitn(4, '/').take(3).collect::<Vec<_>>().join("/");
            hosts.extend(authority(&origin).map(|name| without_port(name).to_owned()));
            origins.push(origin);
        }
        let (ip, port) = (bound.map(|address| address.ip()), bound.map(|address| address.port()));
        Self { hosts, origins, bound: ip, port, pages: Pages::default() }
    }

    pub(crate) fn only(self, pages: Pages) -> Self {
        Self { pages, ..self }
    }

    /// The name that the request was sent to, if it is one of ours.
    pub(crate) fn check_host<'r>(
        &self,
        uri: &'r Uri,
        headers: &'r HeaderMap,
    ) -> Result<&'r str, Refusal> {
        // HTTP/2 has `:authority` in the place of `Host`.
        let host = match uri.authority() {
            Some(authority) => Some(authority.as_str()),
            None => headers.get(header::HOST).and_then(|value| value.to_str().ok()),
        };
        let Some(host) = host else {
            let report = report("bad_host", "the request has no `Host` header", "send one");
            return Err(Refusal::new(Reason::Host, StatusCode::BAD_REQUEST, report));
        };
        if self.knows(without_port(host)) && self.is_port(host) {
            return Ok(host);
        }
        let error = format!("host `{host}` is not a name of this server");
        let hint = "use `localhost`, or start the server with `--allow-host` and this name";
        Err(Refusal::new(Reason::Host, StatusCode::FORBIDDEN, report("bad_host", error, hint)))
    }

    fn knows(&self, name: &str) -> bool {
        let name = name.strip_suffix('.').unwrap_or(name);
        if name.eq_ignore_ascii_case("localhost") {
            return true;
        }
        let literal = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
        if let Ok(ip) = literal.unwrap_or(name).parse::<IpAddr>() {
            // Rebinding needs a name, so an address is safe where every address is ours.
            let bound = self.bound.is_some_and(|bound| bound.is_unspecified() || bound == ip);
            if ip.is_loopback() || bound {
                return true;
            }
        }
        self.hosts.iter().any(|known| known == "*" || known.eq_ignore_ascii_case(name))
    }

    /// Whether the request was sent to our port. A name that was configured may stand for any, behind a proxy.
    fn is_port(&self, host: &str) -> bool {
        let (Pages::OwnOnly, Some(port)) = (self.pages, self.port) else { return true };
        let name = without_port(host);
        let named = self.hosts.iter().any(|known| known == "*" || known.eq_ignore_ascii_case(name));
        let given = host[name.len()..].strip_prefix(':');
        named || given.map_or(port == 80, |given| given.parse() == Ok(port))
    }

    /// Whether the page that asks may; `host` is the checked name that it was sent to.
    pub(crate) fn check_origin(&self, host: &str, headers: &HeaderMap) -> Result<Page, Refusal> {
        let Some(origin) = headers.get(header::ORIGIN) else { return Ok(Page::None) };
        let text = origin.to_str().unwrap_or("?");
        if authority(text).is_some_and(|from| from.eq_ignore_ascii_case(host)) {
            return Ok(Page::Own);
        }
        if self.allows(text) {
            return Ok(Page::Allowed);
        }
        let error = format!("pages of `{text}` may not ask this server");
        let hint = "open the server's own pages, or start it with `--allow-origin` and this origin";
        Err(Refusal::new(Reason::Origin, StatusCode::FORBIDDEN, report("bad_origin", error, hint)))
    }

    fn allows(&self, origin: &str) -> bool {
        if self.pages == Pages::Any {
            return true;
        }
        let Some(from) = authority(origin) else { return self.origins.iter().any(|o| o == "*") };
        let name = without_port(from);
        let here = ["localhost", "127.0.0.1", "[::1]"];
        let developers = self.pages == Pages::OnThisMachine;
        developers && here.iter().any(|known| known.eq_ignore_ascii_case(name))
            || self.origins.iter().any(|known| matches(known, origin))
    }
}

/// Refuses what other pages ask, also those of this machine, which the guard may have let pass: for routes of an
/// application that is served among others.
pub fn own_pages_only(routes: Router) -> Router {
    routes.layer(axum::middleware::from_fn(async |request: Request<Body>, next: Next| {
        let headers = request.headers();
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
        let host = request.uri().authority().map(http::uri::Authority::as_str).or(host);
        let own = |origin: &HeaderValue| {
            let from = origin.to_str().ok().and_then(authority);
            from.zip(host).is_some_and(|(from, host)| from.eq_ignore_ascii_case(host))
        };
        let allowed = headers.get(header::ORIGIN).is_none_or(own);
        if allowed {
            return next.run(request).await;
        }
        let error = "only the server's own pages may ask this";
        let report = report("bad_origin", error, "open the server's own pages");
        Problem::new(StatusCode::FORBIDDEN, report).into_response()
    }))
}

/// `https://app.example`, `http://app.example:*` or `*`.
fn matches(known: &str, origin: &str) -> bool {
    match known.strip_suffix(":*") {
        Some(site) => origin
            .get(..site.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(site))
            .then(|| &origin[site.len()..])
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(':')),
        None => known == "*" || known.trim_end_matches('/').eq_ignore_ascii_case(origin),
    }
}

/// What follows `http://` or `https://`.
fn authority(origin: &str) -> Option<&str> {
    origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"))
}

fn without_port(host: &str) -> &str {
    match host.rfind(':') {
        // The colons of a bare IPv6 address in brackets are not a port's.
        Some(at) if !host[at..].contains(']') => &host[..at],
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(bound: &str, hosts: &[&str], origins: &[&str]) -> Sources {
        let owned = |list: &[&str]| list.iter().map(|&text| text.to_owned()).collect();
        Sources::new(bound.parse().ok(), owned(hosts), owned(origins), None)
    }

    fn host_passes(sources: &Sources, host: &'static str) -> bool {
        let headers = HeaderMap::from_iter([(header::HOST, HeaderValue::from_static(host))]);
        sources.check_host(&Uri::from_static("/"), &headers).is_ok()
    }

    fn page(sources: &Sources, origin: &'static str) -> Option<Page> {
        let headers = HeaderMap::from_iter([(header::ORIGIN, HeaderValue::from_static(origin))]);
        sources.check_origin("tandem.test:3000", &headers).ok()
    }

    #[test]
    fn loopback_names_pass_with_any_port() {
        let sources = sources("127.0.0.1:3000", &[], &[]);
        for host in ["localhost", "LOCALHOST:1", "127.0.0.1:3000", "[::1]:3000", "127.0.0.2"] {
            assert!(host_passes(&sources, host), "{host}");
        }
    }

    #[test]
    fn foreign_names_are_refused() {
        let sources = sources("127.0.0.1:3000", &[], &[]);
        let foreign =
            ["evil.example", "localhost.evil.example", "192.168.0.7:3000", "", "127.0.0.1.evil"];
        for host in foreign {
            assert!(!host_passes(&sources, host), "{host}");
        }
    }

    #[test]
    fn a_server_on_every_address_knows_addresses_but_not_names() {
        let sources = sources("0.0.0.0:3000", &["tandem.example"], &[]);
        assert!(host_passes(&sources, "192.168.0.7:3000"));
        assert!(host_passes(&sources, "Tandem.Example:443"));
        assert!(!host_passes(&sources, "evil.example"));
    }

    #[test]
    fn own_local_and_configured_pages_may_ask() {
        let sources = sources("127.0.0.1:3000", &[], &["https://app.example", "http://dev.test:*"]);
        assert_eq!(page(&sources, "http://tandem.test:3000"), Some(Page::Own));
        assert_eq!(page(&sources, "http://localhost:5173"), Some(Page::Allowed));
        assert_eq!(page(&sources, "https://app.example"), Some(Page::Allowed));
        assert_eq!(page(&sources, "http://dev.test:99"), Some(Page::Allowed));
    }

    #[test]
    fn other_pages_may_not() {
        let sources = sources("127.0.0.1:3000", &[], &["https://app.example", "http://dev.test:*"]);
        let foreign = [
            "http://evil.example",
            "null",
            "http://localhost.evil.example",
            "https://app.example.evil.example",
            "http://dev.test.evil:1",
            "https://app.example:444",
        ];
        for origin in foreign {
            assert_eq!(page(&sources, origin), None, "{origin}");
        }
    }

    #[test]
    fn where_only_own_pages_may_ask_the_port_counts_and_neighbours_do_not() {
        let sources = sources("127.0.0.1:3000", &["tandem.example"], &["https://app.example"])
            .only(Pages::OwnOnly);
        for host in ["localhost:3000", "127.0.0.1:3000", "[::1]:3000", "tandem.example"] {
            assert!(host_passes(&sources, host), "{host}");
        }
        for host in
            ["localhost", "localhost:3001", "127.0.0.1:80", "localhost:x", "evil.example:3000"]
        {
            assert!(!host_passes(&sources, host), "{host}");
        }
        assert_eq!(page(&sources, "http://tandem.test:3000"), Some(Page::Own));
        assert_eq!(page(&sources, "https://app.example"), Some(Page::Allowed));
        for origin in ["http://localhost:5173", "http://127.0.0.1:3001", "null"] {
            assert_eq!(page(&sources, origin), None, "{origin}");
        }
    }

    #[test]
    fn the_public_url_is_a_name_and_a_page_of_ours() {
        let url = Some("https://tandem.example/base/");
        let sources = Sources::new(None, Vec::new(), Vec::new(), url);
        assert!(host_passes(&sources, "tandem.example"));
        assert_eq!(page(&sources, "https://tandem.example"), Some(Page::Allowed));
    }
}
