//! `kill -9` under load: what was answered is there, and the chain holds.
//!
//! A child process (this test binary, run again for [`the_child_plays_until_it_is_killed`]) plays at several tables and
//! prints each answer. The parent kills it at a random moment, opens the same store and compares; then the next child goes
//! on where that one stopped.

use std::{
    collections::BTreeMap,
    env,
    io::{BufRead, BufReader, Write},
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use campaign::{Backend as _, EventQuery, PageRequest, Service, wire::input};
use futures::future::join_all;
use kit_store::{Store, StoreConfig};

use crate::bed::{campaign, nobody, note, participant, service};

const KILLS: usize = 20;
/// Enough is enough on a slow machine, but never fewer than this many kills.
const TIME: Duration = Duration::from_secs(20);
const FEWEST_KILLS: usize = 6;
const TASKS: usize = 8;
/// Says to the child where the store is; without it the child's test does nothing.
const PLACE: &str = "CAMPAIGN_CRASH_TEST";

/// The request ids that were answered, by campaign and entry.
type Answered = BTreeMap<(String, u64), String>;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_server_loses_nothing_of_its_sqlite_file() {
    let dir = tempfile::tempdir().unwrap();
    survive_kills(dir.path().to_str().unwrap()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_replica_loses_nothing_of_its_postgres() {
    let url = tokio::task::spawn_blocking(kit_test::postgres::database).await.unwrap();
    if let Some(url) = url {
        survive_kills(&url).await;
    }
}

async fn survive_kills(place: &str) {
    let store = open(place).await;
    let made = service(&store);
    let tables = [campaign(&made).await, campaign(&made).await, campaign(&made).await];
    store.close().await;
    let (begun, mut answered, mut kills) = (Instant::now(), Answered::new(), 0);
    while kills < KILLS && (kills < FEWEST_KILLS || begun.elapsed() < TIME) {
        let before = answered.len();
        kill_at_random(place, &tables, kills, &mut answered);
        assert!(answered.len() > before, "the child did nothing before it was killed");
        let store = open(place).await;
        compare(&service(&store), &tables, &answered).await;
        store.close().await;
        kills += 1;
    }
    let said = format!("{kills} kills, {} answers, none lost\n", answered.len());
    std::io::stderr().write_all(said.as_bytes()).unwrap();
}

fn kill_at_random(place: &str, tables: &[String], run: usize, answered: &mut Answered) {
    let mut child = child(place, tables, run);
    let mut output = BufReader::new(child.stdout.take().unwrap());
    // Another number of answers each time; what counts is that the kill comes in the middle of the work.
    let mut left = 5 + run * 37 % 150;
    let mut line = String::new();
    while output.read_line(&mut line).unwrap() > 0 {
        if record(&line, answered) && left > 0 {
            left -= 1;
            if left == 0 {
                child.kill().unwrap();
            }
        }
        line.clear();
    }
    assert!(!child.wait().unwrap().success(), "the child is to be killed, not to end");
}

fn child(place: &str, tables: &[String], run: usize) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", "crash::the_child_plays_until_it_is_killed", "--ignored", "--nocapture"])
        .env(PLACE, place)
        .env("TABLES", tables.join(","))
        .env("RUN", run.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// `answer <campaign> <seq> <request>`, whole: a line cut short was not said.
fn record(line: &str, answered: &mut Answered) -> bool {
    let Some(line) = line.strip_suffix('\n') else { return false };
    let ["answer", campaign, seq, request] = line.split(' ').collect::<Vec<_>>()[..] else {
        return false;
    };
    let key = (campaign.to_owned(), seq.parse().unwrap());
    assert_eq!(answered.insert(key, request.to_owned()), None, "a number was given twice");
    true
}

async fn compare(service: &Service, tables: &[String], answered: &Answered) {
    for id in tables {
        let table = service.table(&nobody(), id, None).await.unwrap();
        let verdict = service.verify(&nobody(), id).await.unwrap();
        assert_eq!((verdict.valid, verdict.events), (true, Some(table.seq)), "{verdict:?}");
        assert_eq!(table.campaign.participant_count, table.participants.len());
        let requests = requests(service, id).await;
        assert_eq!(requests.len() as u64, table.seq, "no number is missing");
        for ((_, seq), request) in answered.iter().filter(|((campaign, _), _)| campaign == id) {
            let place = usize::try_from(*seq).unwrap() - 1;
            assert_eq!(requests.get(place), Some(request), "answered as entry {seq} of {id}");
        }
        // The head, which lists show, was written with the entries.
        let listed = service.list_campaigns(&nobody(), PageRequest::default()).await.unwrap().items;
        assert!(listed.contains(&table.campaign), "{listed:?}");
    }
}

/// The request of each entry, from the first on.
async fn requests(service: &Service, id: &str) -> Vec<String> {
    let (mut requests, mut before) = (Vec::new(), None);
    loop {
        let query = EventQuery { before, limit: Some(1000), ..EventQuery::default() };
        let page = service.events(&nobody(), id, query).await.unwrap();
        requests.extend(page.events.into_iter().map(|event| event.request_id));
        before = page.next;
        if before.is_none() {
            requests.reverse();
            return requests;
        }
    }
}

async fn open(place: &str) -> Store {
    let config = if place.starts_with("postgres://") {
        StoreConfig { database_url: Some(place.to_owned()), ..StoreConfig::default() }
    } else {
        StoreConfig { data_dir: Some(PathBuf::from(place)), ..StoreConfig::default() }
    };
    Store::open(&config).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "run by the crash tests, which kill it"]
async fn the_child_plays_until_it_is_killed() {
    let Ok(place) = env::var(PLACE) else { return };
    let (tables, run) = (env::var("TABLES").unwrap(), env::var("RUN").unwrap());
    let tables: Vec<_> = tables.split(',').collect();
    let service = service(&open(&place).await);
    for id in &tables {
        // Left over from the run before, or not; a roll needs one.
        drop(service.start_session(&nobody(), id, "").await);
    }
    join_all((0..TASKS).map(|task| play(&service, &tables, format!("{run}.{task}")))).await;
}

async fn play(service: &Service, tables: &[&str], name: String) {
    for number in 0.. {
        let id = tables[number % tables.len()];
        let mut caller = nobody();
        caller.request_id = format!("{name}.{number}");
        let seq = match number % 3 {
            0 => service.add_note(&caller, id, note("still here")).await.unwrap().seq,
            1 => {
                let roll = input::DualityRoll::default();
                let place = campaign::Place { campaign_id: id.into(), session_id: None };
                let rolled = service.roll_duality(&caller, Some(place), roll).await.unwrap();
                rolled.roll_seq.unwrap()
            }
            _ => {
                let new = participant("P", "PLAYER");
                service.create_participant(&caller, id, new).await.unwrap();
                // Its number is not told; the note after it has one.
                continue;
            }
        };
        // In one write, so that lines of several tasks do not mix.
        let line = format!("answer {id} {seq} {}\n", caller.request_id);
        std::io::stdout().write_all(line.as_bytes()).unwrap();
    }
}
