//! REST over a real socket: raw requests, live events, and a caller who leaves.

use std::time::Duration;

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    time::timeout,
};

use crate::{rest::shop, world::World};

/// Serves a world on a port of its own.
async fn serve(world: &World) -> std::net::SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let routes = world.routes.clone();
    tokio::spawn(async move { axum::serve(listener, routes).await });
    address
}

async fn exchange(address: std::net::SocketAddr, request: &str) -> String {
    let mut socket = TcpStream::connect(address).await.unwrap();
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    timeout(Duration::from_secs(20), socket.read_to_end(&mut answer)).await.unwrap().unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

fn request(method: &str, path: &str) -> String {
    format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
}

#[tokio::test]
async fn paths_reach_the_server_as_they_were_written() {
    let world = World::on(shop());
    let address = serve(&world).await;
    let base = "/api/v0/projects/home/packages/shop/models";
    for path in ["sub/dir/deep.malloy", "sub%2Fdir%2Fdeep.malloy"] {
        let answer = exchange(address, &request("GET", &format!("{base}/{path}"))).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer:.200}");
        assert!(answer.contains("content-type: application/json; charset=utf-8"));
    }
    for path in ["../../../../etc/passwd", "%2e%2e%2f%2e%2e%2fetc%2fpasswd", "x%00.malloy", "%ff"] {
        let answer = exchange(address, &request("GET", &format!("{base}/{path}"))).await;
        let refused = answer.starts_with("HTTP/1.1 404") || answer.starts_with("HTTP/1.1 400");
        assert!(refused, "{path}: {answer:.200}");
        assert!(!answer.contains("root:"));
    }
    let head = exchange(address, &request("HEAD", "/api/v0/projects")).await;
    assert!(head.starts_with("HTTP/1.1 200") && head.ends_with("\r\n\r\n"), "{head}");
}

#[tokio::test]
async fn queries_and_loads_are_told_as_they_happen() {
    let world = World::on(shop());
    let address = serve(&world).await;
    let mut feed = TcpStream::connect(address).await.unwrap();
    feed.write_all(request("GET", "/api/v0/events").as_bytes()).await.unwrap();
    let mut told = String::new();
    let mut buffer = [0; 4096];
    let mut read_until = async |words: &[&str]| {
        let reading = async {
            while !words.iter().all(|word| told.contains(word)) {
                let count = feed.read(&mut buffer).await.unwrap();
                assert!(count > 0, "the feed ended: {told}");
                told.push_str(&String::from_utf8_lossy(&buffer[..count]));
            }
        };
        timeout(Duration::from_secs(20), reading).await.unwrap();
    };
    read_until(&[":connected"]).await;
    let path = "/api/v0/projects/home/packages/shop/queryResults/shop.malloy?queryName=kinds";
    exchange(address, &request("GET", path)).await;
    read_until(&["event: change", "\"kind\":\"package_loaded\"", "\"kind\":\"query\""]).await;
}
