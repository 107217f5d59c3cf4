//! Who may ask: the bearer token for programs, the same token in a cookie for people.

use axum::{
    Form,
    body::Body,
    extract::{FromRequest, Query},
    response::{Html, IntoResponse, Redirect, Response},
};
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode, Uri, header, request::Parts};
use http_body_util::Limited;
use kit_core::Principal;
use serde::Deserialize;

use super::{
    Pages,
    rate::Bucket,
    refusal::{Reason, Refusal, report},
    source::Page,
    token::{COOKIE, Token},
};

const METADATA: &str = "/.well-known/oauth-protected-resource";
const LOGIN: &str = "/login";
/// A login form holds a token and a path, nothing larger.
const LOGIN_BYTES: usize = 8 << 10;

/// Tells who asks.
#[derive(Debug)]
pub(crate) struct Access {
    /// Each with who holds it. Without any, everybody may ask.
    tokens: Vec<(Token, Principal)>,
    public_url: Option<String>,
    pub(crate) bucket: Bucket,
    pages: Pages,
    /// Counted apart, so that guessing is slow and cannot use up what the token's holder may do.
    strangers: Bucket,
}

/// What becomes of a request.
pub(crate) enum Verdict {
    /// It may pass, on behalf of someone.
    Pass(Principal),
    /// It is a matter between the guard and the person: logging in.
    Answer(Response),
    /// The login form was sent; its body has to be read.
    Login,
}

impl Access {
    pub(crate) fn new(
        tokens: Vec<(Token, Principal)>,
        public_url: Option<String>,
        bucket: Bucket,
        strangers: Bucket,
    ) -> Self {
        let public_url = public_url.map(|url| url.trim_end_matches('/').to_owned());
        Self { tokens, public_url, bucket, pages: Pages::default(), strangers }
    }

    pub(crate) fn for_pages(self, pages: Pages) -> Self {
        Self { pages, ..self }
    }

    pub(crate) fn check(&self, head: &Parts, host: &str, page: Page) -> Result<Verdict, Refusal> {
        if self.tokens.is_empty() {
            return Ok(Verdict::Pass(Principal::local()));
        }
        let bearer = bearer(&head.headers);
        if let Some((_, holder)) = bearer.and_then(|given| self.find(given)) {
            return Ok(Verdict::Pass(holder.clone()));
        }
        // A browser sends its cookies whichever page asks; only our own pages may use them.
        let cookie_of_ours = cookie(&head.headers).filter(|_| page != Page::Allowed);
        if let Some((_, holder)) = cookie_of_ours.and_then(|given| self.find(given)) {
            return Ok(self.pass_or_tidy(head, holder));
        }
        if let Some(response) = self.open_to_all(head, host) {
            return Ok(response);
        }
        if let Err(wait) = self.strangers.take(std::time::Instant::now()) {
            return Err(super::too_many(wait));
        }
        let wrong = bearer.is_some() || cookie(&head.headers).is_some();
        if wants_page(head) {
            let next = head.uri.path_and_query().map_or("/", |path| path.as_str());
            return Ok(Verdict::Answer(login_page(StatusCode::UNAUTHORIZED, next, wrong)));
        }
        Err(self.refuse(head, host, wrong))
    }

    /// The token that somebody gave, with its holder. All are compared, so that the time tells nothing.
    fn find(&self, given: &str) -> Option<&(Token, Principal)> {
        self.tokens
            .iter()
            .fold(None, |found, known| if known.0.is(given) { Some(known) } else { found })
    }

    /// What may be asked without a token: what a program needs to learn that one is wanted, and the login.
    fn open_to_all(&self, head: &Parts, host: &str) -> Option<Verdict> {
        let path = head.uri.path();
        if path == LOGIN && head.method == Method::POST {
            return Some(Verdict::Login);
        }
        if head.method != Method::GET {
            return None;
        }
        if path == LOGIN {
            return Some(Verdict::Answer(login_page(StatusCode::OK, "/", false)));
        }
        if let Some(resource) = path.strip_prefix(METADATA)
            && (resource.is_empty() || resource.starts_with('/'))
        {
            return Some(Verdict::Answer(self.metadata(host, resource)));
        }
        let (token, _) = self.find(&token_in_query(&head.uri)?)?;
        Some(Verdict::Answer(self.log_in(token, &without_token(&head.uri))))
    }

    /// A logged-in person who opens a link with the token in it should not keep it in the address bar.
    fn pass_or_tidy(&self, head: &Parts, holder: &Principal) -> Verdict {
        let given = token_in_query(&head.uri).filter(|_| head.method == Method::GET);
        match given.as_deref().and_then(|given| self.find(given)) {
            Some((token, _)) => Verdict::Answer(self.log_in(token, &without_token(&head.uri))),
            None => Verdict::Pass(holder.clone()),
        }
    }

    /// Answers the login form.
    pub(crate) async fn login(&self, request: Request<Body>) -> Response {
        let request = request.map(|body| Body::new(Limited::new(body, LOGIN_BYTES)));
        let form = match Form::<LoginForm>::from_request(request, &()).await {
            Ok(Form(form)) => form,
            Err(rejection) => return rejection.into_response(),
        };
        match self.find(form.token.trim()) {
            Some((token, _)) => self.log_in(token, &form.next),
            None => login_page(StatusCode::UNAUTHORIZED, &form.next, true),
        }
    }

    fn log_in(&self, token: &Token, next: &str) -> Response {
        // A path of ours and nothing else: `//evil.example` would be another site.
        let next = if next.starts_with('/') && !next.starts_with("//") { next } else { "/" };
        let mut response = Redirect::to(next).into_response();
        let secure = self.public_url.as_ref().is_some_and(|url| url.starts_with("https:"));
        if let Ok(cookie) = HeaderValue::from_str(&token.cookie(secure, self.pages)) {
            response.headers_mut().insert(header::SET_COOKIE, cookie);
        }
        response
    }

    /// RFC 9728: tells a program what this server wants of it.
    fn metadata(&self, host: &str, resource: &str) -> Response {
        let body = serde_json::json!({
            "resource": format!("{}{resource}", self.base(host)),
            "resource_name": "Tandem",
            "authorization_servers": [],
            "bearer_methods_supported": ["header"],
        });
        axum::Json(body).into_response()
    }

    fn base(&self, host: &str) -> String {
        self.public_url.clone().unwrap_or_else(|| format!("http://{host}"))
    }

    fn refuse(&self, head: &Parts, host: &str, wrong: bool) -> Refusal {
        let (error, challenge) = if wrong {
            ("the token is not the one of this server", ", error=\"invalid_token\"")
        } else {
            ("this server wants a token", "")
        };
        let hint = "send `Authorization: Bearer …` with the token that the server was started with";
        let report = report("unauthorized", error, hint);
        // Where nobody but our own pages is expected there is no other way to try.
        if self.pages == Pages::OwnOnly {
            return Refusal::new(Reason::Token, StatusCode::FORBIDDEN, report);
        }
        let refusal = Refusal::new(Reason::Token, StatusCode::UNAUTHORIZED, report);
        let path = if head.uri.path().ends_with("/mcp") { head.uri.path() } else { "" };
        let metadata = format!("{}{METADATA}{path}", self.base(host));
        let value = format!("Bearer realm=\"tandem\"{challenge}, resource_metadata=\"{metadata}\"");
        match HeaderValue::from_str(&value) {
            Ok(value) => refusal.header(header::WWW_AUTHENTICATE, value),
            Err(_) => refusal,
        }
    }
}

#[derive(Deserialize)]
struct LoginForm {
    token: String,
    #[serde(default)]
    next: String,
}

#[derive(Deserialize)]
struct TokenQuery {
    token: Option<String>,
}

fn token_in_query(uri: &Uri) -> Option<String> {
    if !uri.query()?.contains("token=") {
        return None;
    }
    Query::<TokenQuery>::try_from_uri(uri).ok()?.0.token
}

fn without_token(uri: &Uri) -> String {
    let kept = uri.query().unwrap_or_default().split('&');
    let kept: Vec<_> = kept.filter(|pair| !pair.starts_with("token=")).collect();
    let mark = if kept.is_empty() { "" } else { "?" };
    format!("{}{mark}{}", uri.path(), kept.join("&"))
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .find_map(|pair| pair.trim().strip_prefix(COOKIE)?.strip_prefix('='))
}

/// Whether a person looks at a browser, who can type a token.
fn wants_page(head: &Parts) -> bool {
    let accept = head.headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    head.method == Method::GET && accept.is_some_and(|accept| accept.contains("text/html"))
}

fn login_page(status: StatusCode, next: &str, wrong: bool) -> Response {
    let note = if wrong { "<p role=alert>That is not the token of this server.</p>" } else { "" };
    let page = include_str!("login.html").replace("{note}", note).replace("{next}", &escape(next));
    (status, [(header::CACHE_CONTROL, "no-store")], Html(page)).into_response()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}
