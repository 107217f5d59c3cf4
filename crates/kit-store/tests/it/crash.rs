//! `kill -9` at any moment: what was acknowledged is there.
//!
//! A child process (this test binary, run again for [`the_child_appends_until_it_is_killed`]) appends from
//! several tasks to several streams and prints each answer. The parent kills it at a random moment, opens the same store and
//! compares; then the next child goes on where that one stopped.

use std::{
    collections::BTreeMap,
    env,
    io::{BufRead, BufReader, Write},
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

use kit_store::{Expected, Journal, Store, StoreConfig, StoreError, Version};

use crate::bed::{append, exactly, log, said, stream};

const KILLS: usize = 25;
/// Enough is enough on a slow machine, but never fewer than this many kills.
const TIME: Duration = Duration::from_secs(20);
const FEWEST_KILLS: usize = 8;
const STREAMS: usize = 5;
const TASKS: usize = 12;
/// Says to the child where the store is; without it the child's test does nothing.
const PLACE: &str = "KIT_STORE_CRASH_TEST";

#[tokio::test]
async fn a_killed_process_loses_nothing_of_its_sqlite_file() {
    let dir = tempfile::tempdir().unwrap();
    survive_kills(dir.path().to_str().unwrap()).await;
}

#[tokio::test]
async fn a_killed_replica_loses_nothing_of_its_postgres() {
    let url = tokio::task::spawn_blocking(kit_test::postgres::database).await.unwrap();
    if let Some(url) = url {
        survive_kills(&url).await;
    }
}

async fn survive_kills(place: &str) {
    let begun = Instant::now();
    let mut acknowledged = BTreeMap::new();
    let mut kills = 0;
    while kills < KILLS && (kills < FEWEST_KILLS || begun.elapsed() < TIME) {
        let before = acknowledged.len();
        kill_at_random(place, &format!("run{kills}"), &mut acknowledged);
        assert!(acknowledged.len() > before, "the child did nothing before it was killed");
        verify(place, &acknowledged).await;
        kills += 1;
    }
    eprintln!("{kills} kills, {} acknowledged appends, none lost", acknowledged.len());
}

/// Where an append was acknowledged to be.
type Acknowledged = BTreeMap<(String, u64), String>;

/// Runs a child and kills it a random number of answers and microseconds after its first answer.
fn kill_at_random(place: &str, run: &str, acknowledged: &mut Acknowledged) {
    let mut child = child(place, run);
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut answers = rand::random_range(1..200);
    let mut line = String::new();
    while output.read_line(&mut line).unwrap() > 0 {
        if let Some(answer) = parse(&line) {
            record(answer, acknowledged);
            answers -= 1;
        }
        line.clear();
        if answers == 0 {
            std::thread::sleep(Duration::from_micros(rand::random_range(0..3000)));
            child.kill().unwrap();
            break;
        }
    }
    // What it said before it died counts too; a line cut short was not said.
    while output.read_line(&mut line).unwrap() > 0 {
        if let Some(answer) = parse(&line) {
            record(answer, acknowledged);
        }
        line.clear();
    }
    assert!(!child.wait().unwrap().success(), "the child is to be killed, not to end");
}

fn child(place: &str, run: &str) -> Child {
    Command::new(env::current_exe().unwrap())
        .args([
            "--exact",
            "crash::the_child_appends_until_it_is_killed",
            "--ignored",
            "--nocapture",
        ])
        .env(PLACE, place)
        .env("RUN", run)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// `ack <stream> <version> <text>`, whole.
fn parse(line: &str) -> Option<(String, u64, String)> {
    let words: Vec<_> = line.strip_suffix('\n')?.split(' ').collect();
    let ["ack", stream, version, text] = words[..] else { return None };
    Some((stream.to_owned(), version.parse().ok()?, text.to_owned()))
}

fn record((stream, version, text): (String, u64, String), acknowledged: &mut Acknowledged) {
    let twice = acknowledged.insert((stream, version), text);
    assert_eq!(twice, None, "a version was given twice");
}

async fn verify(place: &str, acknowledged: &Acknowledged) {
    let store = open(place).await;
    let mut found: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for number in 0..STREAMS {
        let id = number.to_string();
        let texts = settled(&*store.journal, &id).await;
        let mut unique = texts.clone();
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), texts.len(), "an append stands in the log twice");
        expected_version_still_holds(&*store.journal, &id, texts.len() as u64).await;
        found.insert(id, texts);
    }
    for ((id, version), text) in acknowledged {
        let at = usize::try_from(*version).unwrap() - 1;
        assert_eq!(found[id].get(at), Some(text), "acknowledged as version {version} of `{id}`");
    }
    store.close().await;
}

/// What the log says, once it says what the stream's version says. A server goes on for a moment with what a killed
/// client had asked of it.
async fn settled(journal: &dyn Journal, id: &str) -> Vec<String> {
    for _ in 0..1000 {
        // `log` checks that no version is missing.
        let texts = said(&log(journal, id).await);
        let version = journal.info(&stream(id)).await.unwrap().map_or(0, |info| info.version.0);
        if version == texts.len() as u64 {
            return texts;
        }
    }
    panic!("the log of `{id}` never agrees with its version");
}

async fn expected_version_still_holds(journal: &dyn Journal, id: &str, version: u64) {
    let info = journal.info(&stream(id)).await.unwrap();
    assert_eq!(info.map_or(Version(0), |info| info.version), Version(version));
    let refused = journal.append(append(id, exactly(version + 1), &["no"])).await.unwrap_err();
    let StoreError::Conflict { actual, .. } = refused else { panic!("{refused}") };
    assert_eq!(actual, Version(version));
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
async fn the_child_appends_until_it_is_killed() {
    let Ok(place) = env::var(PLACE) else { return };
    let run = env::var("RUN").unwrap();
    let store = open(&place).await;
    let tasks = (0..TASKS).map(|task| {
        tokio::spawn(append_for_ever(store.journal.clone(), format!("{run}.{task}"), task))
    });
    futures::future::join_all(tasks).await;
}

/// Half of the tasks take any version, half insist on one and look again when they lose.
async fn append_for_ever(journal: Arc<dyn Journal>, name: String, task: usize) {
    for number in 0.. {
        let id = ((task + number) % STREAMS).to_string();
        let expected = if task.is_multiple_of(2) {
            Expected::Any
        } else {
            let info = journal.info(&stream(&id)).await.unwrap();
            Expected::Exactly(info.map_or(Version(0), |info| info.version))
        };
        let text = format!("{name}.{number}");
        match journal.append(append(&id, expected, &[&text])).await {
            // In one write, so that lines of several tasks do not mix.
            Ok(version) => {
                let line = format!("ack {id} {version} {text}\n");
                std::io::stdout().write_all(line.as_bytes()).unwrap();
            }
            Err(StoreError::Conflict { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
}
