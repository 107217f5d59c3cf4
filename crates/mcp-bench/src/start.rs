//! Start-up: from starting the process to the first answer.

use std::{path::Path, time::Instant};

use anyhow::Context;
use bench_kit::{Connection, Launch, median};

use crate::{
    load::{StdioLoad, greet},
    subject::{Subject, Talk},
};

/// What the whole product takes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Product {
    /// Seconds from the start of the process to the answer to `initialize`, the median of several starts.
    pub(crate) start: f64,
    /// Bytes, once it has answered.
    pub(crate) memory: u64,
}

/// Starts `tandem serve`, the program at `path`, with a new data directory each time.
pub(crate) fn product(path: &Path, times: usize) -> anyhow::Result<Product> {
    let mut seconds = Vec::with_capacity(times);
    let mut memory = 0;
    for _ in 0..times {
        let data = tempfile::tempdir()?;
        let began = Instant::now();
        let mut process = Launch::new([
            path.as_os_str(),
            "serve".as_ref(),
            "--json".as_ref(),
            "--listen".as_ref(),
            "127.0.0.1:0".as_ref(),
            "--data-dir".as_ref(),
            data.path().as_os_str(),
        ])
        .start()?;
        let line = process.line()?;
        greet(&mut Connection::open(listening(&line)?)?, Talk::Sessions)?;
        seconds.push(began.elapsed().as_secs_f64());
        memory = process.memory()?;
    }
    Ok(Product { start: median(seconds), memory })
}

/// The address in `{"listening":"http://127.0.0.1:3000"}`.
fn listening(line: &str) -> anyhow::Result<std::net::SocketAddr> {
    let event: serde_json::Value = serde_json::from_str(line)?;
    let url = event.get("listening").and_then(serde_json::Value::as_str);
    let address = url.and_then(|url| url.strip_prefix("http://"));
    Ok(address.with_context(|| format!("`tandem serve` says `{line}`"))?.parse()?)
}

/// The median of `times` starts, in seconds, for each subject; in turn, as the rounds are.
pub(crate) fn measure(subjects: &[Subject], times: usize) -> anyhow::Result<Vec<f64>> {
    let mut all = vec![Vec::with_capacity(times); subjects.len()];
    for _ in 0..times {
        for (subject, seconds) in subjects.iter().zip(&mut all) {
            seconds.push(once(subject)?);
        }
    }
    Ok(all.into_iter().map(median).collect())
}

fn once(subject: &Subject) -> anyhow::Result<f64> {
    let began = Instant::now();
    let mut process = subject.launch.start()?;
    if subject.talk == Talk::Stdio {
        let load = StdioLoad::open(&mut process)?;
        let seconds = began.elapsed().as_secs_f64();
        drop(load);
        process.end()?;
        Ok(seconds)
    } else {
        let address = process.line()?.parse()?;
        greet(&mut Connection::open(address)?, subject.talk)?;
        let seconds = began.elapsed().as_secs_f64();
        process.end()?;
        Ok(seconds)
    }
}
