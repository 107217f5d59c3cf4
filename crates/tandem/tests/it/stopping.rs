//! The order to stop.

use crate::support::{INITIALIZE, Running, mcp_head};

#[test]
fn an_idle_server_stops_at_once() {
    let server = Running::start(&[]);
    let mut idle = server.connect();
    idle.write(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n");
    assert_eq!(idle.answer().unwrap().status, 200);
    server.ask_to_stop();
    assert!(idle.is_closed());
    assert_eq!(server.exit_code(), Some(0));
}

#[test]
fn a_running_request_is_finished_first() {
    let server = Running::start(&[]);
    let mut client = server.connect();
    let (begin, end) = INITIALIZE.split_at(20);
    let head = format!("{}content-length: {}\r\n\r\n", mcp_head("/mcp"), INITIALIZE.len());
    client.write(format!("{head}{begin}").as_bytes());
    // An answer on another connection shows that the head before it was taken up.
    assert_eq!(server.get("/health").status, 200);
    server.ask_to_stop();
    server.wait_for_log("stopping");
    client.write(end.as_bytes());
    assert_eq!(client.answer().unwrap().status, 200);
    assert_eq!(server.exit_code(), Some(0));
}

#[test]
fn an_open_stream_ends() {
    let server = Running::start(&[]);
    let opened = server.send(&mcp_head("/mcp"), INITIALIZE);
    let session = opened.header("mcp-session-id").unwrap().to_owned();
    let mut stream = server.connect();
    stream.write(
        format!(
            "GET /mcp HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n\
             mcp-session-id: {session}\r\n\r\n"
        )
        .as_bytes(),
    );
    assert_eq!(stream.answer().unwrap().status, 200);
    server.ask_to_stop();
    stream.read_to_end();
    assert_eq!(server.exit_code(), Some(0));
}
