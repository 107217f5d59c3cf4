//! Calls over HTTP, in each of the ways that clients speak it.

use std::net::SocketAddr;

use anyhow::bail;
use bench_kit::{Connection, HttpLoad, Request, mcp_headers, post};

use crate::{echo, subject::Talk};

const MODERN_HEADERS: &str =
    "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\n";

/// Open connections, each with its own session where there are sessions.
pub(crate) fn http(address: SocketAddr, talk: Talk, lanes: usize) -> anyhow::Result<HttpLoad> {
    HttpLoad::open(address, lanes, echo::MESSAGE.as_bytes(), |connection| call(connection, talk))
}

/// Makes the first exchange that a client of this kind makes.
pub(crate) fn greet(connection: &mut Connection, talk: Talk) -> anyhow::Result<()> {
    match talk {
        Talk::Sessions => connection.begin().map(drop),
        Talk::Bare | Talk::Stateless => {
            connection.post(&mcp_headers(None), &echo::call()).map(drop)
        }
        Talk::Modern => connection.post(MODERN_HEADERS, &echo::modern_call()).map(drop),
        Talk::Stdio => bail!("stdio is not spoken over HTTP"),
    }
}

/// The call that this kind of client repeats, after what has to come before it.
fn call(connection: &mut Connection, talk: Talk) -> anyhow::Result<Request> {
    let (headers, body) = match talk {
        Talk::Sessions => (mcp_headers(Some(&connection.begin()?)), echo::call()),
        Talk::Modern => (MODERN_HEADERS.to_owned(), echo::modern_call()),
        Talk::Bare | Talk::Stateless | Talk::Stdio => (mcp_headers(None), echo::call()),
    };
    Request::new(post(connection.address(), &headers, &body))
}
