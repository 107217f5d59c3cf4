//! Two servers on one PostgreSQL, as a load balancer would put them side by side.

use std::{
    io::{BufRead, BufReader, Write},
    net::TcpStream,
};

use serde_json::{Value, json};

use crate::support::{INITIALIZE, Running, mcp_head};

const WRITERS: usize = 4;
const EACH: usize = 15;

fn replicas() -> Option<[Running; 2]> {
    let url = kit_test::postgres::database()?;
    Some([(); 2].map(|()| Running::start(&["--database-url", &url])))
}

fn create(server: &Running) -> String {
    let head = "POST /universe/universes HTTP/1.1\r\nhost: localhost\r\n";
    let made = server.send(head, r#"{"name":"Shared","state":{}}"#).json();
    made["id"].as_str().unwrap().to_owned()
}

fn add(server: &Running, universe: &str, id: &str) -> Value {
    let head = format!(
        "POST /universe/universes/{universe}/commands?state=none HTTP/1.1\r\nhost: localhost\r\n"
    );
    server.send(&head, &json!({"type": "addStar", "id": id, "payload": {}}).to_string()).json()
}

/// The revisions of the next `count` events that a reader of this replica is told.
fn follow(stream: TcpStream, count: usize) -> Vec<u64> {
    let lines = BufReader::new(stream).lines().map(Result::unwrap);
    let ids = lines.filter_map(|line| line.strip_prefix("id: ")?.parse().ok());
    ids.take(count).collect()
}

#[test]
fn writers_on_both_lose_nothing_and_readers_on_both_hear_everything() {
    let Some(both) = replicas() else { return };
    let universe = create(&both[0]);
    let total = 2 * WRITERS * EACH;
    let readers: Vec<_> = both
        .iter()
        .map(|server| {
            let mut stream = TcpStream::connect(server.address).unwrap();
            let head = format!(
                "GET /universe/universes/{universe}/events HTTP/1.1\r\nhost: localhost\r\nlast-event-id: 1\r\n\r\n"
            );
            stream.write_all(head.as_bytes()).unwrap();
            std::thread::spawn(move || follow(stream, total))
        })
        .collect();
    std::thread::scope(|scope| {
        for (place, server) in both.iter().enumerate() {
            for writer in 0..WRITERS {
                let universe = &universe;
                scope.spawn(move || {
                    for number in 0..EACH {
                        let answer = add(server, universe, &format!("{place}-{writer}-{number}"));
                        assert_eq!(answer["applied"], true, "{answer}");
                    }
                });
            }
        }
    });
    let last = total as u64 + 1;
    for reader in readers {
        assert_eq!(reader.join().unwrap(), (2..=last).collect::<Vec<_>>());
    }
    let records =
        both.each_ref().map(|server| server.get(&format!("/universe/universes/{universe}")).json());
    assert_eq!(records[0]["state"], records[1]["state"]);
    assert_eq!(records[0]["state"]["stars"].as_object().unwrap().len(), total);
}

#[test]
fn a_session_begun_on_one_goes_on_on_the_other() {
    let Some([here, there]) = replicas() else { return };
    let begun = here.send(&mcp_head("/mcp"), INITIALIZE);
    let session = begun.header("mcp-session-id").unwrap();
    let head = format!("{}mcp-session-id: {session}\r\n", mcp_head("/mcp"));
    let list = there.send(&head, r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#);
    assert_eq!(list.status, 200, "{}", list.body);
    assert!(list.body.contains("send_universe_command"));
}
