//! Many readers of one universe: how long an event is on its way to all of them.

use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use memchr::memmem;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::mpsc,
};

use crate::{
    RunArgs,
    load::{Lane, Sample},
    server::{Server, post},
    table::time,
};

const EVENTS: usize = 100;
/// Between two events: this measures the way of one event, not how many fit.
const PAUSE: Duration = Duration::from_millis(50);
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) async fn measure(args: &RunArgs) -> anyhow::Result<String> {
    let server = Server::tandem(&args.tandem, None)?;
    let id = server.create(10).await?;
    let (tell, mut heard) = mpsc::unbounded_channel();
    for _ in 0..args.readers {
        let stream = subscribe(&server, &id).await?;
        tokio::spawn(read(stream, tell.clone()));
    }
    drop(tell);
    let path = format!("/universes/{id}/commands?state=none");
    let mut lane = Lane::open(server.address).await?;
    let before = server.cpu()?;
    let mut latencies = Vec::with_capacity(EVENTS * args.readers);
    for number in 0..EVENTS {
        let body = format!(r#"{{"type":"tick","dt":{number}}}"#);
        let sent = Instant::now();
        lane.exchange(&post(&path, "content-type: application/json\r\n", &body)).await?;
        for _ in 0..args.readers {
            let next = tokio::time::timeout(PATIENCE, heard.recv()).await;
            let at: Instant =
                next.context("a reader did not hear of an event")?.context("all readers left")?;
            latencies.push(at.saturating_duration_since(sent));
        }
        tokio::time::sleep(PAUSE).await;
    }
    let cpu = server.cpu()?.saturating_sub(before);
    latencies.sort_unstable();
    let sample = Sample { elapsed: Duration::ZERO, latencies };
    Ok(format!(
        "### {EVENTS} events to {} readers of one universe\n\nFrom sending the command to a reader having the event: \
         p50 {}, p99 {}, longest {}. The server used {} of processor time for an event and a reader.\n\n",
        args.readers,
        time(sample.at(50)),
        time(sample.at(99)),
        time(sample.at(100)),
        time(cpu.as_secs_f64() / sample.count()),
    ))
}

/// Opens a feed and waits until it is open.
async fn subscribe(server: &Server, id: &str) -> anyhow::Result<TcpStream> {
    let mut stream = TcpStream::connect(server.address).await?;
    let head = format!("GET /universes/{id}/events HTTP/1.1\r\nhost: localhost\r\n\r\n");
    stream.write_all(head.as_bytes()).await?;
    let mut buffer = Vec::new();
    while memmem::find(&buffer, b":connected").is_none() {
        if stream.read_buf(&mut buffer).await? == 0 {
            bail!("no feed: {}", String::from_utf8_lossy(&buffer));
        }
    }
    Ok(stream)
}

/// Tells when each event was there.
async fn read(mut stream: TcpStream, tell: mpsc::UnboundedSender<Instant>) {
    let mut buffer = Vec::new();
    while stream.read_buf(&mut buffer).await.is_ok_and(|read| read > 0) {
        let at = Instant::now();
        while let Some(end) = memmem::find(&buffer, b"\n\n") {
            if memmem::find(&buffer[..end], b"event: command").is_some() && tell.send(at).is_err() {
                return;
            }
            buffer.drain(..end + 2);
        }
    }
}
