//! Clients that ask for too much, too slowly, or never listen.

use std::time::{Duration, Instant};

use crate::support::{Running, mcp_head};

#[test]
fn a_body_of_100_mb_is_refused_before_it_is_read() {
    let server = Running::start(&[]);
    let mut client = server.connect();
    let size = 100 << 20;
    let begun = Instant::now();
    client.write(format!("{}content-length: {size}\r\n\r\n", mcp_head("/mcp")).as_bytes());
    let refused = client.answer().unwrap();
    assert_eq!(refused.status, 413);
    assert!(refused.body.contains("104857600 bytes"), "{}", refused.body);
    assert!(begun.elapsed() < Duration::from_secs(2));
}

#[test]
fn a_client_that_sends_all_100_mb_first_still_reads_why() {
    let server = Running::start(&[]);
    let mut client = server.connect();
    let size = 100 << 20;
    client.write(format!("{}content-length: {size}\r\n\r\n", mcp_head("/mcp")).as_bytes());
    let chunk = vec![b' '; 1 << 20];
    for _ in 0..100 {
        client.try_write(&chunk).expect("the server took it and threw it away");
    }
    assert_eq!(client.answer().unwrap().status, 413);
}

#[test]
fn half_open_connections_are_closed_and_block_nobody() {
    let server = Running::start(&["--set", "limits.head_seconds=1"]);
    let mut silent: Vec<_> = (0..50).map(|_| server.connect()).collect();
    let mut halting = server.connect();
    halting.write(b"GET /health HTTP/1.1\r\nhost: loc");
    let mut preface = server.connect();
    preface.write(b"PRI * HT");
    assert_eq!(server.get("/health").status, 200);
    assert!(silent.iter_mut().all(crate::support::Client::is_closed));
    assert!(halting.is_closed() && preface.is_closed());
    assert_eq!(server.get("/health").status, 200);
}

#[test]
fn a_body_that_stops_arriving_ends_the_request() {
    let server = Running::start(&["--set", "limits.body_pause_seconds=1"]);
    let mut client = server.connect();
    client.write(format!("{}content-length: 50\r\n\r\n{{\"json", mcp_head("/mcp")).as_bytes());
    let ended = client.answer().is_none_or(|answer| (400..500).contains(&answer.status));
    assert!(ended);
}

#[test]
fn a_reader_that_takes_nothing_is_dropped() {
    let server = Running::start(&[
        "--set",
        "limits.write_stall_seconds=1",
        "--set",
        "limits.requests_per_second=0",
    ]);
    let mut deaf = server.connect();
    let asks = b"GET /metrics HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(100);
    // Each answer is some kilobytes: soon nothing more fits between the two, and writing fails here
    // because the server has hung up.
    let hung_up = (0..10_000).any(|_| deaf.try_write(&asks).is_err());
    assert!(hung_up);
    assert_eq!(server.get("/health").status, 200);
}

#[test]
fn too_many_requests_are_told_when_to_come_back() {
    let limits = ["--set", "limits.requests_per_second=1", "--set", "limits.burst=3"];
    let server = Running::start(&limits);
    let answers: Vec<_> = (0..5).map(|_| server.get("/health")).collect();
    let refused = answers.iter().find(|answer| answer.status == 429).unwrap();
    assert!(refused.header("retry-after").is_some());
}

#[test]
fn one_connection_too_many_is_told_why() {
    let server = Running::start(&["--set", "limits.connections=2"]);
    let mut kept = [server.connect(), server.connect()];
    for client in &mut kept {
        client.write(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n");
        assert_eq!(client.answer().unwrap().status, 200);
    }
    let refused = server.connect().answer().unwrap();
    assert_eq!(refused.status, 503);
    assert!(refused.body.contains("too many connections"), "{}", refused.body);
}
