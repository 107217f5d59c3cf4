//! `tick` by the size of the universe, thin and full, beside a copy of bytes and beside Express.

use std::{net::SocketAddr, time::Duration};

use bench_kit::{Round, Rounds};

use crate::{
    RunArgs, load,
    server::{Server, post},
    table::{Row, table},
};

const SIZES: [usize; 4] = [10, 1_000, 10_000, 100_000];
/// Full answers are measured up to here: 100 000 bodies are 25 MB each.
const LARGEST_FULL: usize = 10_000;
/// The size at which Express is asked.
const COMMON: usize = 1_000;

/// One thing that is measured: a request that is repeated, and whose processor time counts.
struct Subject<'a> {
    name: String,
    address: SocketAddr,
    request: Vec<u8>,
    server: &'a Server,
}

pub(crate) async fn measure(args: &RunArgs) -> anyhow::Result<String> {
    let sqlite = Server::tandem(&args.tandem, None)?;
    let database = kit_test::postgres::database();
    let postgres =
        database.as_deref().map(|url| Server::tandem(&args.tandem, Some(url))).transpose()?;
    let express = match (&args.express, kit_test::postgres::database()) {
        (Some(script), Some(url)) => Some(Server::express(script, &url)?),
        _ => None,
    };
    let mut subjects = Vec::new();
    let mut full_bytes = 0;
    for size in SIZES {
        let id = sqlite.create(size).await?;
        subjects.push(tick(&sqlite, format!("thin, {size} bodies"), &id, "none"));
        if size <= LARGEST_FULL {
            let full = tick(&sqlite, format!("full, {size} bodies"), &id, "full");
            let mut lane = load::Lane::open(sqlite.address).await?;
            full_bytes = lane.exchange(&full.request).await?.len();
            subjects.push(full);
        }
    }
    let copy = Server::copy(full_bytes)?;
    let request = post("/", "", "{}");
    let name = format!("a copy of {full_bytes} bytes and nothing else");
    subjects.push(Subject { name, address: copy.address, request, server: &copy });
    if let Some(server) = &postgres {
        let id = server.create(COMMON).await?;
        subjects.push(tick(server, format!("thin, {COMMON} bodies, PostgreSQL"), &id, "none"));
        subjects.push(tick(server, format!("full, {COMMON} bodies, PostgreSQL"), &id, "full"));
    }
    if let Some(server) = &express {
        let id = server.create(COMMON).await?;
        subjects.push(tick(
            server,
            format!("Express and PostgreSQL, {COMMON} bodies"),
            &id,
            "full",
        ));
    }
    let rows = rounds(&subjects, args).await?;
    Ok(table(&rows, args.connections))
}

fn tick<'a>(server: &'a Server, name: String, id: &str, state: &str) -> Subject<'a> {
    let path = format!("/universes/{id}/commands?state={state}");
    let request = post(&path, "content-type: application/json\r\n", r#"{"type":"tick","dt":1}"#);
    Subject { name, address: server.address, request, server }
}

/// All subjects in turn, again and again, so that what disturbs the machine disturbs all alike.
async fn rounds(subjects: &[Subject<'_>], args: &RunArgs) -> anyhow::Result<Vec<Row>> {
    let row = |subject: &Subject<'_>| Row { name: subject.name.clone(), rounds: Rounds::default() };
    let mut rows: Vec<_> = subjects.iter().map(row).collect();
    let time = Duration::from_secs_f64(args.seconds);
    for round in 0..=args.rounds {
        for (subject, row) in subjects.iter().zip(&mut rows) {
            let before = subject.server.cpu()?;
            let sample =
                load::run(subject.address, &subject.request, args.connections, time).await?;
            let cpu = subject.server.cpu()?.saturating_sub(before);
            // The first one warms caches and compilers up.
            if round > 0 {
                row.rounds.0.push(Round::new(sample, cpu));
            }
        }
    }
    Ok(rows)
}
