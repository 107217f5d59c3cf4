//! `tandem universe …`, as people type it.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::Stdio,
};

use insta::assert_snapshot;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{Running, shown, tandem};

/// What a command shows, without what is another each time: ids and times.
fn typed(dir: &Path, line: &str) -> String {
    let text = shown(tandem(dir).arg("universe").args(line.split(' ')));
    let words = text.split_inclusive([' ', '\n', '`', ',']).map(|word| {
        let bare = word.trim_end_matches([' ', '\n', '`', ',']);
        let end = &word[bare.len()..];
        let is_id = bare.len() == 36 && bare.split('-').count() == 5;
        let is_short_id = bare.len() == 8 && bare.bytes().all(|byte| byte.is_ascii_hexdigit());
        match bare {
            _ if is_id || is_short_id => format!("ID{end}"),
            _ if bare.starts_with("20") && bare.matches('-').count() == 2 => format!("DAY{end}"),
            _ if bare.len() == 8 && bare.matches(':').count() == 2 => format!("TIME{end}"),
            _ => word.to_owned(),
        }
    });
    words.collect()
}

#[test]
fn a_universe_from_its_making_to_its_end() {
    let dir = TempDir::new().unwrap();
    let dir = dir.path();
    let lines = [
        "list",
        "create Sol",
        "send Sol addStar id=sun payload.mass=100",
        "send Sol addStar id=earth payload.parentId=sun payload.orbitalDistance=10",
        "send Sol removeStar id=mars",
        "send Sol removeStar id=earth",
        "send Sol undo",
        "show Sol",
        "show Sol --revision 2",
        "history Sol",
        "fork Sol --revision 2 --name Young",
        "export Sol --output sol.json",
        "import sol.json --name Copy",
        "list",
        "delete Copy",
        "delete Copy --yes",
        "show Slo",
        "generate --preset sparse --seed 7",
        "generate --preset sprase",
    ];
    let told = lines.map(|line| format!("$ tandem universe {line}\n{}", typed(dir, line)));
    assert_snapshot!(told.join("\n"));
}

#[test]
fn a_list_of_commands_is_all_or_nothing() {
    let dir = TempDir::new().unwrap();
    typed(dir.path(), "create Sol");
    let both = r#"[{"type":"addStar","id":"a","payload":{}},{"type":"removeStar","id":"b"}]"#;
    let refused = shown(tandem(dir.path()).args(["universe", "send", "Sol", both]));
    assert_snapshot!(refused);
    assert!(typed(dir.path(), "show Sol").contains("0 bodies"));
}

#[test]
fn a_command_with_the_same_key_is_applied_once() {
    let dir = TempDir::new().unwrap();
    typed(dir.path(), "create Sol");
    typed(dir.path(), "send Sol tick dt=5 --key once");
    assert_snapshot!(typed(dir.path(), "send Sol tick dt=5 --key once"));
    assert!(typed(dir.path(), "show Sol").contains("time 5 s"));
}

#[test]
fn commands_beside_a_server_are_seen_by_those_who_watch_it() {
    let server = Running::start(&[]);
    typed(server.dir(), "create Sol");
    let mut watcher = tandem(server.dir())
        .args(["universe", "watch", "Sol", "--json", "--after", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(watcher.stdout.take().unwrap()).lines();
    typed(server.dir(), "send Sol addStar id=sun payload.mass=3");
    let change: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
    assert_eq!((&change["revision"], &change["via"]), (&2.into(), &"cli".into()));
    assert_eq!(change["delta"]["stars"]["sun"]["mass"], 3);
    typed(server.dir(), "delete Sol --yes");
    let change: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
    assert_eq!(change["kind"], "deleted");
    assert!(watcher.wait().unwrap().success(), "nothing can follow, so it ends by itself");
}
