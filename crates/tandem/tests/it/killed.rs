//! `kill -9` under load, again and again: what was answered is there, and readers go on where they were.

use std::{
    collections::BTreeSet,
    hash::{BuildHasher, RandomState},
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::support::Running;

const KILLS: usize = 100;
const WRITERS: usize = 4;

/// How many answers there were, by which a kill comes while there is something to lose.
#[derive(Default)]
pub(crate) struct Load(AtomicU64);

impl Load {
    pub(crate) fn answered(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// Waits for the next answer, and then for a random moment.
    pub(crate) fn moment(&self) {
        let (before, begun) = (self.0.load(Ordering::Relaxed), Instant::now());
        while self.0.load(Ordering::Relaxed) == before {
            assert!(begun.elapsed() < Duration::from_secs(20), "nobody was answered");
            std::thread::yield_now();
        }
        std::thread::sleep(Duration::from_millis(RandomState::new().hash_one(()) % 50));
    }
}

/// What a writer was told of.
type Acknowledged = (u64, String);

/// Adds bodies until the server is gone.
fn write(address: SocketAddr, universe: &str, next: &AtomicU64, load: &Load) -> Vec<Acknowledged> {
    let mut told = Vec::new();
    let Ok(stream) = TcpStream::connect(address) else { return told };
    let mut stream = BufReader::new(stream);
    loop {
        let id = format!("body-{}", next.fetch_add(1, Ordering::Relaxed));
        let body = format!(r#"{{"type":"addStar","id":"{id}","payload":{{}}}}"#);
        let request = format!(
            "POST /universe/universes/{universe}/commands?state=none HTTP/1.1\r\nhost: localhost\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        if stream.get_mut().write_all(request.as_bytes()).is_err() {
            return told;
        }
        let Some(answer) = answer(&mut stream) else { return told };
        assert_eq!(answer["applied"], true, "{answer}");
        told.push((answer["revision"].as_u64().unwrap(), id));
        load.answered();
    }
}

/// One answer, or nothing when the connection ends in the middle of it.
pub(crate) fn answer(stream: &mut BufReader<TcpStream>) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length: ") {
            length = value.trim().parse().ok()?;
        }
        if line == "\r\n" {
            break;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

/// Follows a feed from `last` until the server is gone; gives the last number seen.
pub(crate) fn follow(address: SocketAddr, path: &str, mut last: u64) -> u64 {
    let Ok(mut stream) = TcpStream::connect(address) else { return last };
    let request =
        format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nlast-event-id: {last}\r\n\r\n");
    if stream.write_all(request.as_bytes()).is_err() {
        return last;
    }
    let mut id = None;
    for line in BufReader::new(stream).lines() {
        let Ok(line) = line else { return last };
        if let Some(number) = line.strip_prefix("id: ") {
            id = Some(number.parse().unwrap());
        }
        assert!(line != "event: resync", "the reader was sent away after {last}");
        // An event counts when it is complete, as it does for a browser.
        if line.is_empty()
            && let Some(revision) = id.take()
        {
            assert_eq!(revision, last + 1, "events come without a gap and without a repetition");
            last = revision;
        }
    }
    last
}

#[test]
fn nothing_that_was_answered_is_lost_and_readers_resume_exactly() {
    let mut server = Running::start(&[]);
    let head = "POST /universe/universes HTTP/1.1\r\nhost: localhost\r\n";
    let made = server.send(head, r#"{"name":"Killed","state":{}}"#).json();
    let universe = made["id"].as_str().unwrap().to_owned();
    let feed = format!("/universe/universes/{universe}/events");
    let (next, load, mut seen, mut told) = (AtomicU64::new(0), Load::default(), 1, Vec::new());
    for _ in 0..KILLS {
        let (address, last) = (server.address, seen);
        std::thread::scope(|scope| {
            let write = || scope.spawn(|| write(address, &universe, &next, &load));
            let writers: Vec<_> = (0..WRITERS).map(|_| write()).collect();
            let reader = scope.spawn(|| follow(address, &feed, last));
            load.moment();
            server.kill();
            told.extend(writers.into_iter().flat_map(|writer| writer.join().unwrap()));
            seen = reader.join().unwrap();
        });
        server = server.restart();
    }
    let record = server.get(&format!("/universe/universes/{universe}")).json();
    let bodies = record["state"]["stars"].as_object().unwrap();
    for (revision, id) in &told {
        assert!(
            bodies.contains_key(id),
            "`{id}` was answered with revision {revision} and is gone"
        );
    }
    let revisions: BTreeSet<_> = told.iter().map(|(revision, _)| *revision).collect();
    assert_eq!(revisions.len(), told.len(), "no revision was given twice");
    assert!(told.len() > KILLS, "the load was no load: {} answers", told.len());
    // Every body is one revision, and the making of the universe is one.
    let last = bodies.len() as u64 + 1;
    assert!(seen <= last && revisions.last() <= Some(&last));
}
