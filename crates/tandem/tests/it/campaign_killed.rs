//! `kill -9` while people join a campaign: whoever was let in is there, the journal holds together, readers go on.

use std::{
    collections::BTreeSet,
    io::{BufReader, Write},
    net::{SocketAddr, TcpStream},
};

use crate::{
    killed::{Load, answer, follow},
    support::Running,
};

const KILLS: usize = 40;
const WRITERS: usize = 4;

/// Lets people join until the server is gone; gives the ids that were answered.
fn join(address: SocketAddr, campaign: &str, load: &Load) -> Vec<String> {
    let mut told = Vec::new();
    let Ok(stream) = TcpStream::connect(address) else { return told };
    let mut stream = BufReader::new(stream);
    let body = r#"{"display_name":"Ann","role":"PLAYER"}"#;
    let request = format!(
        "POST /campaign/campaigns/{campaign}/participants HTTP/1.1\r\nhost: localhost\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    while stream.get_mut().write_all(request.as_bytes()).is_ok() {
        let Some(answer) = answer(&mut stream) else { return told };
        told.push(answer["id"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned());
        load.answered();
    }
    told
}

#[test]
fn whoever_was_let_in_is_there_and_the_journal_holds_together() {
    let mut server = Running::start(&[]);
    let head = "POST /campaign/campaigns HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
    let made = server.send(head, r#"{"name":"Killed","gm_mode":"AI"}"#).json();
    let campaign = made["id"].as_str().unwrap().to_owned();
    let feed = format!("/campaign/campaigns/{campaign}/changes");
    let (load, mut seen, mut told) = (Load::default(), 1, Vec::new());
    for _ in 0..KILLS {
        let (address, last) = (server.address, seen);
        std::thread::scope(|scope| {
            let writers: Vec<_> =
                (0..WRITERS).map(|_| scope.spawn(|| join(address, &campaign, &load))).collect();
            let reader = scope.spawn(|| follow(address, &feed, last));
            load.moment();
            server.kill();
            told.extend(writers.into_iter().flat_map(|writer| writer.join().unwrap()));
            seen = reader.join().unwrap();
        });
        server = server.restart();
    }
    let table = server.get(&format!("/campaign/campaigns/{campaign}")).json();
    let there = table["participants"].as_array().unwrap();
    let ids: BTreeSet<_> = there.iter().map(|one| one["id"].as_str().unwrap()).collect();
    for id in &told {
        assert!(ids.contains(&**id), "`{id}` was answered and is gone");
    }
    assert!(told.len() > KILLS, "the load was no load: {} answers", told.len());
    // Each is one entry, and the making of the campaign is one; none is missing, and all are as they were written.
    let entries = there.len() as u64 + 1;
    let verdict = server.get(&format!("/campaign/campaigns/{campaign}/verify")).json();
    assert_eq!(
        (&verdict["valid"], &verdict["events"]),
        (&true.into(), &entries.into()),
        "{verdict}"
    );
    assert_eq!(table["campaign"]["participant_count"], there.len());
    let listed = server.get("/campaign/campaigns").json();
    assert_eq!(listed["campaigns"][0], table["campaign"]);
    assert!(seen <= entries);
}
