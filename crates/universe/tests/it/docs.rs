//! The examples of the documentation, run as they stand.

use http::{Method, StatusCode};
use serde_json::Value;

use crate::world::{World, text};

/// What a line of a shell says, without its quotation marks.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for char in line.chars() {
        match (quote, char) {
            (Some(open), _) if open == char => quote = None,
            (None, '\'' | '"') => {
                quote = Some(char);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            _ => word.get_or_insert_default().push(char),
        }
    }
    words.extend(word);
    words
}

struct Example {
    method: Option<Method>,
    headers: Vec<(String, String)>,
    body: Option<String>,
    path: String,
}

fn read(line: &str, id: &str) -> Example {
    let (mut method, mut headers, mut body, mut path) = (None, Vec::new(), None, String::new());
    let mut words = words(line).into_iter().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "-N" => {}
            "-X" => method = Some(words.next().unwrap().parse().unwrap()),
            "-H" => {
                let header = words.next().unwrap();
                let (name, value) = header.split_once(": ").unwrap();
                headers.push((name.to_owned(), value.to_owned()));
            }
            "--json" => {
                headers.push(("content-type".into(), "application/json".into()));
                body = words.next();
            }
            url => path = url.strip_prefix("$U").unwrap().replace("$ID", id),
        }
    }
    Example { method, headers, body, path }
}

#[tokio::test]
async fn every_example_of_the_documentation_works() {
    let world = World::start().await;
    let document = include_str!("../../../../docs/universe.md");
    let (mut id, mut run) = (String::new(), 0);
    for line in document.lines().filter(|line| line.starts_with("curl ")) {
        let Example { method, headers, body, path } = read(line, &id);
        let usual = if body.is_some() { Method::POST } else { Method::GET };
        let headers: Vec<_> = headers.iter().map(|(name, value)| (&**name, &**value)).collect();
        let sent = body.unwrap_or_default();
        let response = world.raw(method.unwrap_or(usual), &path, &headers, sent).await;
        let status = response.status();
        assert!(status.is_success(), "{line}: {status}");
        let kind = response.headers()["content-type"].to_str().unwrap().to_owned();
        assert_eq!(kind.starts_with("text/event-stream"), line.contains("-N"), "{line}");
        run += 1;
        if kind.starts_with("application/json") {
            let reply: Value = serde_json::from_str(&text(response).await).unwrap();
            assert_ne!(reply["applied"], false, "{line}: {reply}");
            if status == StatusCode::CREATED && id.is_empty() {
                reply["id"].as_str().unwrap().clone_into(&mut id);
            }
        }
    }
    assert!(run >= 20, "{run} examples");
}
