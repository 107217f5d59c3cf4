//! Many readers of one universe: how long an event is on its way to all of them.
//!
//! One thread reads all feeds and looks at them every half millisecond. Asleep on its sockets, it would have to be
//! woken, which is work of the kernel that the server would be charged for; always awake, it would take a core from the
//! server. What it adds to a time is at most the pause.

use std::{
    io::{ErrorKind, Read, Write},
    net::SocketAddr,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use bench_kit::{Round, Rounds, Sample, table::time};
use memchr::memmem;
use mio::{Events, Interest, Poll, Token, net::TcpStream};

use crate::{
    RunArgs,
    server::{Server, post},
};

const EVENTS: usize = 100;
const ROUNDS: usize = 7;
/// Between two events: this measures the way of one event, not how many fit.
const PAUSE: Duration = Duration::from_millis(50);
/// Between two looks of the readers.
const LOOK: Duration = Duration::from_micros(500);
const P99: fn(&Round) -> f64 = |round| round.p99.as_secs_f64();
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) async fn measure(args: &RunArgs) -> anyhow::Result<String> {
    let server = Server::tandem(&args.tandem, None)?;
    let id = server.create(10).await?;
    let mut crowd = Crowd::open(server.address, &id, args.readers)?;
    let path = format!("/universes/{id}/commands?state=none");
    let mut rounds = Rounds::default();
    for _ in 0..ROUNDS {
        let before = server.cpu()?;
        let sample = round(&mut crowd, &path)?;
        rounds.0.push(Round::new(sample, server.cpu()?.saturating_sub(before)));
    }
    let each: Vec<String> = rounds.0.iter().map(|round| time(P99(round))).collect();
    Ok(format!(
        "### {EVENTS} events to {} readers of one universe, {ROUNDS} times\n\nFrom sending the command to a reader having \
         the event: p50 {}, p99 {} (medians; the p99 of each round: {}). The server used {} of processor time for an \
         event and a reader.\n\n",
        args.readers,
        time(rounds.median(|round| round.p50.as_secs_f64())),
        time(rounds.median(P99)),
        each.join(", "),
        time(rounds.median(|round| round.cpu_per_call)),
    ))
}

fn round(crowd: &mut Crowd, path: &str) -> anyhow::Result<Sample> {
    let began = Instant::now();
    let mut latencies = Vec::with_capacity(EVENTS * crowd.parts.len());
    for number in 0..EVENTS {
        let body = format!(r#"{{"type":"tick","dt":{number}}}"#);
        let command = post(path, "content-type: application/json\r\n", &body);
        crowd.send(&command, &mut latencies)?;
        std::thread::sleep(PAUSE);
    }
    Ok(Sample { elapsed: began.elapsed(), latencies })
}

/// Readers of one feed, and a connection for commands.
struct Crowd {
    poll: Poll,
    /// The last one is for commands.
    streams: Vec<TcpStream>,
    /// What has arrived of an event that is not complete.
    parts: Vec<Vec<u8>>,
}

impl Crowd {
    fn open(address: SocketAddr, id: &str, readers: usize) -> anyhow::Result<Self> {
        let poll = Poll::new()?;
        let mut streams = Vec::with_capacity(readers + 1);
        for number in 0..=readers {
            let mut stream = std::net::TcpStream::connect(address)?;
            stream.set_nodelay(true)?;
            if number < readers {
                subscribe(&mut stream, id)?;
            }
            stream.set_nonblocking(true)?;
            let mut stream = TcpStream::from_std(stream);
            poll.registry().register(&mut stream, Token(number), Interest::READABLE)?;
            streams.push(stream);
        }
        Ok(Self { poll, streams, parts: vec![Vec::new(); readers + 1] })
    }

    /// Sends a command and waits until everybody has the event; notes how long it was on its way to each.
    fn send(&mut self, command: &[u8], latencies: &mut Vec<Duration>) -> anyhow::Result<()> {
        let readers = self.streams.len() - 1;
        let mut events = Events::with_capacity(1024);
        let mut missing = readers;
        let sent = Instant::now();
        self.streams[readers].write_all(command)?;
        while missing > 0 {
            if sent.elapsed() > PATIENCE {
                bail!("{missing} readers did not hear of an event");
            }
            match self.poll.poll(&mut events, Some(Duration::ZERO)) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                polled => polled?,
            }
            if events.is_empty() {
                std::thread::sleep(LOOK);
            }
            for event in &events {
                let number = event.token().0;
                if self.hear(number)? && number < readers {
                    latencies.push(sent.elapsed());
                    missing -= 1;
                }
            }
        }
        Ok(())
    }

    /// Reads what is there; `true` if that completes an event.
    fn hear(&mut self, number: usize) -> anyhow::Result<bool> {
        let mut buffer = [0; 4096];
        let part = &mut self.parts[number];
        let mut read = buffer.len();
        // Less than there was room for: nothing is left.
        while read == buffer.len() {
            read = match self.streams[number].read(&mut buffer) {
                Ok(0) => bail!("the server closed a connection"),
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) => return Err(error.into()),
            };
            part.extend_from_slice(&buffer[..read]);
        }
        let complete = memmem::find(part, b"event: command").is_some()
            && memmem::find(part, b"\n\n").is_some();
        if complete {
            part.clear();
        }
        Ok(complete)
    }
}

/// Opens a feed and waits until it is open.
fn subscribe(stream: &mut std::net::TcpStream, id: &str) -> anyhow::Result<()> {
    let head = format!("GET /universes/{id}/events HTTP/1.1\r\nhost: localhost\r\n\r\n");
    stream.write_all(head.as_bytes())?;
    let mut buffer = Vec::new();
    let mut piece = [0; 1024];
    while memmem::find(&buffer, b":connected").is_none() {
        let read = stream.read(&mut piece).context("no feed")?;
        if read == 0 {
            bail!("no feed: {}", String::from_utf8_lossy(&buffer));
        }
        buffer.extend_from_slice(&piece[..read]);
    }
    Ok(())
}
