//! Calls over keep-alive connections, one in flight on each.

use std::{
    io::{ErrorKind, Read, Write},
    net::{SocketAddr, TcpStream},
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use mio::{Events, Interest, Poll, Token};

use crate::{
    Answer, Placement,
    flight::{Flight, Limits, Request, Sample, check},
};

const BUFFER: usize = 16 * 1024;

/// How a client of MCP begins, in the eras before 2026-07-28.
pub const MCP_INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1.0.0"}}}"#;
/// How it goes on.
pub const MCP_INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// What every later request of such a client has in its head.
pub fn mcp_headers(session: Option<&str>) -> String {
    let version = "MCP-Protocol-Version: 2025-11-25\r\n";
    session.map_or_else(|| version.into(), |id| format!("{version}Mcp-Session-Id: {id}\r\n"))
}

/// A request to an MCP server as bytes.
pub fn post(address: SocketAddr, headers: &str, body: &str) -> Vec<u8> {
    format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\n{headers}Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// A connection for requests one after the other: handshakes, sessions, questions before and after.
pub struct Connection {
    stream: TcpStream,
    address: SocketAddr,
    buffer: Vec<u8>,
}

impl Connection {
    pub fn open(address: SocketAddr) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, address, buffer: vec![0; BUFFER] })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Sends `body` and waits for the answer, which must be a success.
    pub fn post(&mut self, headers: &str, body: &str) -> anyhow::Result<Answer<'_>> {
        self.stream.write_all(&post(self.address, headers, body))?;
        let mut filled = 0;
        loop {
            let read = self.stream.read(&mut self.buffer[filled..])?;
            if read == 0 {
                bail!("the server closed the connection");
            }
            filled += read;
            if Answer::parse(&self.buffer[..filled])?.is_some() {
                break;
            }
        }
        let answer = Answer::parse(&self.buffer[..filled])?.context("an answer that shrank")?;
        answer.expect_success()?;
        Ok(answer)
    }

    /// Begins a session as clients do, and gives its id.
    pub fn begin(&mut self) -> anyhow::Result<String> {
        let session = self.post("", MCP_INITIALIZE)?.session.map(str::to_owned);
        let session = session.context("no session in the answer")?;
        self.post(&mcp_headers(Some(&session)), MCP_INITIALIZED)?;
        Ok(session)
    }
}

/// Open connections, each with its own session where there are sessions.
pub struct HttpLoad {
    poll: Poll,
    placement: Placement,
    mark: &'static [u8],
    lanes: Vec<Lane>,
}

struct Lane {
    stream: mio::net::TcpStream,
    request: Request,
    sent: Instant,
    buffer: Box<[u8]>,
    filled: usize,
}

impl HttpLoad {
    /// Opens `lanes` connections. `call` gives the request that each repeats, after what has to come before it; every
    /// answer must have `mark` in it.
    pub fn open(
        address: SocketAddr,
        lanes: usize,
        mark: &'static [u8],
        mut call: impl FnMut(&mut Connection) -> anyhow::Result<Request>,
    ) -> anyhow::Result<Self> {
        let poll = Poll::new()?;
        let lanes = (0..lanes).map(|number| {
            let mut connection = Connection::open(address)?;
            let request = call(&mut connection)?;
            connection.stream.set_nonblocking(true)?;
            let mut stream = mio::net::TcpStream::from_std(connection.stream);
            poll.registry().register(&mut stream, Token(number), Interest::READABLE)?;
            let buffer = vec![0; BUFFER].into();
            Ok(Lane { stream, request, sent: Instant::now(), buffer, filled: 0 })
        });
        let lanes = lanes.collect::<anyhow::Result<_>>()?;
        Ok(Self { poll, placement: Placement::Apart, mark, lanes })
    }

    /// The same, where server and load are placed otherwise.
    #[must_use]
    pub fn placed(self, placement: Placement) -> Self {
        Self { placement, ..self }
    }

    pub fn run(&mut self, limits: Limits) -> anyhow::Result<Sample> {
        let mut flight = Flight::new(limits);
        let mut events = Events::with_capacity(self.lanes.len());
        for lane in self.lanes.iter_mut().take(limits.in_flight) {
            lane.send(&mut flight)?;
        }
        let patience = patience(self.placement);
        while flight.flying > 0 {
            match self.poll.poll(&mut events, patience) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                polled => polled?,
            }
            for event in &events {
                let lane = &mut self.lanes[event.token().0];
                if lane.receive(self.mark)? {
                    flight.land(lane.sent);
                    lane.send(&mut flight)?;
                }
            }
        }
        Ok(flight.sample())
    }
}

/// A load that has a core of its own stays awake on it: waking a sleeping client is work of the server's
/// kernel, and it would be on the bill of the slower servers most, whose clients have the time to fall asleep.
fn patience(placement: Placement) -> Option<Duration> {
    placement.is_apart().then_some(Duration::ZERO)
}

impl Lane {
    fn send(&mut self, flight: &mut Flight) -> anyhow::Result<()> {
        if flight.take_off(&mut self.request) {
            self.sent = Instant::now();
            // A request is far smaller than the socket's empty buffer: it is taken whole.
            self.stream.write_all(&self.request.bytes)?;
        }
        Ok(())
    }

    /// Reads what is there; `true` when the answer is complete. Nothing can follow it, since nothing
    /// else was asked, so the read that would only say so is saved.
    fn receive(&mut self, mark: &[u8]) -> anyhow::Result<bool> {
        loop {
            match self.stream.read(&mut self.buffer[self.filled..]) {
                Ok(0) => bail!("the server closed the connection"),
                Ok(read) => self.filled += read,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
                Err(error) => return Err(error.into()),
            }
            if let Some(answer) = Answer::parse(&self.buffer[..self.filled])? {
                answer.expect_success()?;
                check(answer.body, self.request.id, mark)?;
                self.filled = 0;
                return Ok(true);
            }
        }
    }
}
