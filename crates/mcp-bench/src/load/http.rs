//! Calls over keep-alive connections, one in flight on each.

use std::{
    io::{ErrorKind, Read, Write},
    net::{SocketAddr, TcpStream},
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use mio::{Events, Interest, Poll, Token};

use super::{Answer, Flight, Limits, Request, Sample, check};
use crate::{echo, process::PINNED, subject::Talk};

const BUFFER: usize = 16 * 1024;

/// A connection for requests one after the other: handshakes and sessions.
pub(crate) struct Connection {
    stream: TcpStream,
    address: SocketAddr,
    buffer: Vec<u8>,
}

impl Connection {
    pub(crate) fn open(address: SocketAddr) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, address, buffer: vec![0; BUFFER] })
    }

    /// Sends `body` and waits for the answer, which must be a success. Gives the session it names.
    pub(crate) fn post(&mut self, headers: &str, body: &str) -> anyhow::Result<Option<String>> {
        self.stream.write_all(&post(self.address, headers, body))?;
        let mut filled = 0;
        loop {
            let read = self.stream.read(&mut self.buffer[filled..])?;
            if read == 0 {
                bail!("the server closed the connection");
            }
            filled += read;
            if let Some(answer) = Answer::parse(&self.buffer[..filled])? {
                expect_success(&answer)?;
                return Ok(answer.session.map(str::to_owned));
            }
        }
    }

    /// Begins a session as clients do, and gives its id.
    pub(crate) fn begin(&mut self) -> anyhow::Result<String> {
        let session = self.post("", &echo::initialize())?.context("no session in the answer")?;
        self.post(&legacy_headers(Some(&session)), &echo::initialized())?;
        Ok(session)
    }

    /// Makes the first exchange that a client of this kind makes.
    pub(crate) fn greet(&mut self, talk: Talk) -> anyhow::Result<()> {
        match talk {
            Talk::Sessions => self.begin().map(drop),
            Talk::Bare | Talk::Stateless => {
                self.post(&legacy_headers(None), &echo::call()).map(drop)
            }
            Talk::Modern => self.post(MODERN_HEADERS, &echo::modern_call()).map(drop),
            Talk::Stdio => bail!("stdio is not spoken over HTTP"),
        }
    }

    /// The call that this kind of client repeats, after what has to come before it.
    fn call(&mut self, talk: Talk) -> anyhow::Result<Request> {
        let (headers, body) = match talk {
            Talk::Sessions => (legacy_headers(Some(&self.begin()?)), echo::call()),
            Talk::Modern => (MODERN_HEADERS.to_owned(), echo::modern_call()),
            Talk::Bare | Talk::Stateless | Talk::Stdio => (legacy_headers(None), echo::call()),
        };
        Request::new(post(self.address, &headers, &body))
    }
}

const MODERN_HEADERS: &str =
    "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\n";

fn legacy_headers(session: Option<&str>) -> String {
    let version = "MCP-Protocol-Version: 2025-11-25\r\n";
    session.map_or_else(|| version.into(), |id| format!("{version}Mcp-Session-Id: {id}\r\n"))
}

fn post(address: SocketAddr, headers: &str, body: &str) -> Vec<u8> {
    format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\n{headers}Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

fn expect_success(answer: &Answer<'_>) -> anyhow::Result<()> {
    if !(200..300).contains(&answer.status) {
        bail!("status {}: {}", answer.status, String::from_utf8_lossy(answer.body));
    }
    Ok(())
}

/// Open connections, each with its own session where there are sessions.
pub(crate) struct HttpLoad {
    poll: Poll,
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
    pub(crate) fn open(address: SocketAddr, talk: Talk, lanes: usize) -> anyhow::Result<Self> {
        let poll = Poll::new()?;
        let lanes = (0..lanes).map(|number| {
            let mut connection = Connection::open(address)?;
            let request = connection.call(talk)?;
            connection.stream.set_nonblocking(true)?;
            let mut stream = mio::net::TcpStream::from_std(connection.stream);
            poll.registry().register(&mut stream, Token(number), Interest::READABLE)?;
            let buffer = vec![0; BUFFER].into();
            Ok(Lane { stream, request, sent: Instant::now(), buffer, filled: 0 })
        });
        let lanes = lanes.collect::<anyhow::Result<_>>()?;
        Ok(Self { poll, lanes })
    }

    pub(crate) fn run(&mut self, limits: Limits) -> anyhow::Result<Sample> {
        let mut flight = Flight::new(limits);
        let mut events = Events::with_capacity(self.lanes.len());
        for lane in self.lanes.iter_mut().take(limits.in_flight) {
            lane.send(&mut flight)?;
        }
        let patience = patience();
        while flight.flying > 0 {
            match self.poll.poll(&mut events, patience) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                polled => polled?,
            }
            for event in &events {
                let lane = &mut self.lanes[event.token().0];
                if lane.receive()? {
                    flight.land(lane.sent);
                    lane.send(&mut flight)?;
                }
            }
        }
        Ok(flight.sample())
    }
}

/// The load has a core of its own and stays awake on it: waking a sleeping client is work of the server's
/// kernel, and it would be on the bill of the slower servers most, whose clients have the time to fall asleep.
fn patience() -> Option<Duration> {
    PINNED.then_some(Duration::ZERO)
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
    fn receive(&mut self) -> anyhow::Result<bool> {
        loop {
            match self.stream.read(&mut self.buffer[self.filled..]) {
                Ok(0) => bail!("the server closed the connection"),
                Ok(read) => self.filled += read,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
                Err(error) => return Err(error.into()),
            }
            if let Some(answer) = Answer::parse(&self.buffer[..self.filled])? {
                expect_success(&answer)?;
                check(answer.body, self.request.id)?;
                self.filled = 0;
                return Ok(true);
            }
        }
    }
}
