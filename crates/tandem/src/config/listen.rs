//! An address to listen on, as people write it.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    str::FromStr,
};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Address and port. `localhost:3000`, `:3000` and `3000` are the loopback address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Listen(pub(crate) SocketAddr);

impl Listen {
    pub(crate) const fn loopback(port: u16) -> Self {
        Self(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port))
    }
}

impl FromStr for Listen {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Ok(address) = text.parse() {
            return Ok(Self(address));
        }
        let port = text.strip_prefix("localhost").unwrap_or(text);
        let port = port.strip_prefix(':').unwrap_or(port);
        match port.parse() {
            Ok(port) => Ok(Self::loopback(port)),
            Err(_) => Err(format!(
                "`{text}` is not an address with a port, such as `127.0.0.1:3000` or `[::]:3000`"
            )),
        }
    }
}

impl fmt::Display for Listen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Listen {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Listen {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_forms_are_the_loopback_address() {
        for text in ["127.0.0.1:3000", "localhost:3000", ":3000", "3000"] {
            assert_eq!(text.parse(), Ok(Listen::loopback(3000)), "{text}");
        }
    }

    #[test]
    fn a_name_is_refused_with_an_example() {
        let error = "tandem.example:3000".parse::<Listen>().unwrap_err();
        assert!(error.contains("`127.0.0.1:3000`"), "{error}");
    }
}
