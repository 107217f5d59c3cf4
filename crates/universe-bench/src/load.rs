//! A closed loop: each connection has one request in flight.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use bench_kit::{Answer, Sample};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::JoinSet,
};

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
        while Answer::parse(&self.buffer)?.is_none() {
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                bail!("the server closed the connection");
            }
        }
        let answer = Answer::parse(&self.buffer)?.context("an answer that shrank")?;
        answer.expect_success()?;
        Ok(answer.body)
    }
}
