//! Idle sessions: what a server keeps of a client that said hello and went silent.

use std::net::SocketAddr;

use bench_kit::Connection;

use crate::subject::Subject;

/// How much a server grew by sessions that nobody uses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Idle {
    pub(crate) before: u64,
    pub(crate) after: u64,
}

/// Begins `sessions` sessions with the whole handshake, on one connection, and leaves them open.
pub(crate) fn measure(subject: &Subject, sessions: usize) -> anyhow::Result<Idle> {
    let mut process = subject.launch.pinned().start()?;
    let address: SocketAddr = process.line()?.parse()?;
    let mut connection = Connection::open(address)?;
    // The first few fill what every server keeps anyway: buffers, compiled code, pools.
    for _ in 0..sessions / 100 {
        connection.begin()?;
    }
    let before = process.memory()?;
    for _ in 0..sessions {
        connection.begin()?;
    }
    let after = process.memory()?;
    drop(connection);
    process.end()?;
    Ok(Idle { before, after })
}
