//! A closed loop: each connection has one request in flight.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::JoinSet,
};

/// What a round showed.
#[derive(Debug, Default)]
pub(crate) struct Sample {
    pub(crate) elapsed: Duration,
    /// One for each request, sorted.
    pub(crate) latencies: Vec<Duration>,
}

impl Sample {
    #[expect(clippy::cast_precision_loss, reason = "a count of requests is far below 2^52")]
    pub(crate) fn count(&self) -> f64 {
        self.latencies.len() as f64
    }

    pub(crate) fn per_second(&self) -> f64 {
        self.count() / self.elapsed.as_secs_f64()
    }

    pub(crate) fn at(&self, percent: usize) -> f64 {
        let place = self.latencies.len() * percent / 100;
        let last = self.latencies.len().saturating_sub(1);
        self.latencies.get(place.min(last)).copied().unwrap_or_default().as_secs_f64()
    }
}

/// Repeats `request` on `lanes` connections for `time`.
pub(crate) async fn run(
    address: SocketAddr,
    request: &[u8],
    lanes: usize,
    time: Duration,
) -> anyhow::Result<Sample> {
    let mut open = Vec::new();
    for _ in 0..lanes {
        open.push(Lane::open(address).await?);
    }
    let began = Instant::now();
    let mut tasks = JoinSet::new();
    for mut lane in open {
        let request = request.to_vec();
        tasks.spawn(async move {
            let mut latencies = Vec::new();
            while began.elapsed() < time {
                let sent = Instant::now();
                lane.exchange(&request).await?;
                latencies.push(sent.elapsed());
            }
            anyhow::Ok(latencies)
        });
    }
    let mut sample = Sample::default();
    while let Some(done) = tasks.join_next().await {
        sample.latencies.extend(done??);
    }
    sample.elapsed = began.elapsed();
    sample.latencies.sort_unstable();
    Ok(sample)
}

/// One keep-alive connection.
pub(crate) struct Lane {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Lane {
    pub(crate) async fn open(address: SocketAddr) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: Vec::with_capacity(64 << 10) })
    }

    /// Sends a request and gives the body of its answer, which must be a success.
    pub(crate) async fn exchange(&mut self, request: &[u8]) -> anyhow::Result<&[u8]> {
        self.stream.write_all(request).await?;
        self.buffer.clear();
        let mut wanted = None;
        loop {
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                bail!("the server closed the connection");
            }
            if wanted.is_none() {
                wanted = head(&self.buffer)?;
                if let Some((_, end)) = wanted {
                    self.buffer.reserve(end.saturating_sub(self.buffer.len()));
                }
            }
            if let Some((start, end)) = wanted.filter(|(_, end)| *end <= self.buffer.len()) {
                return Ok(&self.buffer[start..end]);
            }
        }
    }
}

/// Where the body of an answer begins and ends, once its head is there.
fn head(buffer: &[u8]) -> anyhow::Result<Option<(usize, usize)>> {
    let mut headers = [httparse::EMPTY_HEADER; 32];
    let mut head = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(start) = head.parse(buffer)? else { return Ok(None) };
    let status = head.code.context("an answer without a status")?;
    if !(200..300).contains(&status) {
        bail!("status {status}: {}", String::from_utf8_lossy(&buffer[start..]));
    }
    let length =
        head.headers.iter().find(|header| header.name.eq_ignore_ascii_case("content-length"));
    let length = length.context("an answer without a length")?;
    let length: usize = std::str::from_utf8(length.value)?.parse()?;
    Ok(Some((start, start + length)))
}
