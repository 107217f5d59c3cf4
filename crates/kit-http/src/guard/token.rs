//! The token that a server on an open address asks for.

use std::fmt;

use subtle::ConstantTimeEq;

use super::Pages;

/// A secret that a request must carry. Never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// Why a text cannot be a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadToken {
    #[error("the token is empty")]
    Empty,
    /// It has to fit an `Authorization` header and a cookie as it is.
    #[error("the token may only have letters, digits and `-._~+/=`")]
    Character,
}

impl Token {
    pub fn new(text: impl Into<String>) -> Result<Self, BadToken> {
        let text = text.into();
        if text.is_empty() {
            return Err(BadToken::Empty);
        }
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
        if !text.bytes().all(fits) {
            return Err(BadToken::Character);
        }
        Ok(Self(text))
    }

    /// Takes the same time wherever the two differ, so that nobody learns the token letter by letter.
    pub(crate) fn is(&self, given: &str) -> bool {
        self.0.as_bytes().ct_eq(given.as_bytes()).into()
    }

    /// The value of a `Set-Cookie` header that carries the token from now on.
    pub(crate) fn cookie(&self, secure: bool, pages: Pages) -> String {
        let secure = if secure { "; Secure" } else { "" };
        // Usually lax and not strict: a person who follows a link here stays logged in. Requests that change
        // something are protected by the check of their origin.
        let site = match pages {
            Pages::OnThisMachine | Pages::Any => "Lax",
            Pages::OwnOnly => "Strict",
        };
        format!("{COOKIE}={}; Path=/; HttpOnly; SameSite={site}; Max-Age=2592000{secure}", self.0)
    }
}

/// The cookie that carries the token of a person with a browser.
pub(crate) const COOKIE: &str = "tandem_token";

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_token_matches() {
        let token = Token::new("s3cret-token").unwrap();
        assert!(token.is("s3cret-token"));
        assert!(!token.is("s3cret-toke") && !token.is("s3cret-tokeN") && !token.is(""));
    }

    #[test]
    fn a_token_that_fits_no_header_is_refused() {
        assert_eq!(Token::new("a b"), Err(BadToken::Character));
        assert_eq!(Token::new("a;b"), Err(BadToken::Character));
        assert_eq!(Token::new(""), Err(BadToken::Empty));
    }

    #[test]
    fn a_token_is_never_printed() {
        assert_eq!(format!("{:?}", Token::new("s3cret").unwrap()), "Token(…)");
    }
}
