//! `tandem campaign …`, as people type it.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::Stdio,
};

use insta::assert_snapshot;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{documented, shown, tandem};

fn run(dir: &Path, line: &str) -> String {
    let words = line.split(' ').map(|word| word.replace('_', " "));
    shown(tandem(dir).arg("campaign").args(words))
}

/// What a command shows, without what is another each time: ids, hashes and times.
fn typed(dir: &Path, line: &str) -> String {
    run(dir, line).lines().map(|line| masked(line) + "\n").collect()
}

fn masked(line: &str) -> String {
    const ENDS: [char; 5] = [' ', '`', ',', ')', 'Z'];
    let base32 = |text: &str| text.bytes().all(|b| matches!(b, b'a'..=b'z' | b'2'..=b'7'));
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit() || b == b':' || b == b'-');
    let mut first = true;
    let words = line.split_inclusive(ENDS).map(|word| {
        let bare = word.trim_end_matches(ENDS);
        let end = &word[bare.len()..];
        // A short id begins its line, in a column of its own.
        let leads = first;
        first = first && bare.is_empty();
        let column = line.trim_start().get(8..10) == Some("  ");
        let is_id = bare.split_once('_').is_some_and(|(_, id)| id.len() == 26 && base32(id));
        match bare {
            _ if is_id => format!("ID{end}"),
            _ if leads && column && bare.len() == 8 && base32(bare) && bare != "outcomes" => {
                format!("SHORTID_{end}")
            }
            _ if bare.len() == 64 && bare.bytes().all(|b| b.is_ascii_hexdigit()) => {
                format!("HASH{end}")
            }
            _ if bare.len() == 10 && digits(bare) && bare.contains('-') => format!("DAY{end}"),
            _ if bare.len() == 19 && bare.starts_with("20") => format!("MOMENT{end}"),
            _ if bare.len() >= 5 && digits(bare) && bare.contains(':') => format!("TIME{end}"),
            _ => word.to_owned(),
        }
    });
    words.collect()
}

fn told(dir: &Path, lines: &[&str]) -> String {
    let one = |line: &&str| format!("$ tandem campaign {line}\n{}", typed(dir, line));
    lines.iter().map(one).collect::<Vec<_>>().join("\n")
}

#[test]
fn dice_need_no_campaign_and_leave_nothing_behind() {
    let dir = TempDir::new().unwrap();
    let lines = [
        "roll 2d20+1d6+3 --seed 7",
        "roll 2d20+1d6+3 --seed 7 --json",
        "roll 2d",
        "roll 3d0",
        "duality --modifier 2 --difficulty 15 --seed 7",
        "duality --advantage advantage --seed 7",
        "explain 8 5 --modifier 2 --difficulty 15",
        "explain 13 1",
        "odds --modifier 2 --difficulty 15",
        "odds --difficulty 20 --advantage disadvantage",
        "odds --difficulty -1",
        "rules",
    ];
    assert_snapshot!(told(dir.path(), &lines));
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn an_evening_at_the_table() {
    let dir = TempDir::new().unwrap();
    let lines = [
        "list",
        "create The_Lost_Expedition --gm-mode hybrid --theme A_cursed_forest",
        "create Nothing --gm-mode robot",
        "participant lost Alice",
        "participant lost Gwen --role gm --controller ai",
        "actor lost Thorin --notes A_dwarf",
        "control lost thorin alice",
        "sheet lost thorin --trait agility=2 --hp-max 7",
        "sheet lost thorin --trait luck=2",
        "state lost thorin --stress 2",
        "act lost thorin agility --difficulty 12",
        "start lost Session_1",
        "start lost",
        "act lost thorin agility --difficulty 12 --bonus bless=1 --seed 7",
        "apply lost 9",
        "apply lost 9",
        "apply lost 8",
        "act lost thorin strength --seed 12 --apply --as alice",
        "roll 2d6 --seed 7 --in lost",
        "note lost They_enter_the_wood --as alice",
        "fear lost 3",
        "fear lost 13",
        "show lost",
        "show lost --at 4",
        "log lost",
        "undo lost",
        "log lost -n 2",
        "export lost",
        "end lost",
        "fork lost --at 6 --name Another_way",
        "verify lost",
        "verify another",
        "list",
        "show lots",
    ];
    assert_snapshot!(told(dir.path(), &lines));
}

#[test]
fn a_gm_with_a_token_leads() {
    let dir = TempDir::new().unwrap();
    let dir = dir.path();
    for line in ["create Guarded", "participant guarded Gwen --role gm", "participant guarded Tom"]
    {
        run(dir, line);
    }
    let token = run(dir, "token guarded gwen --quiet");
    let token = token.lines().find(|line| line.starts_with("seat_")).unwrap().to_owned();
    let lines = ["start guarded", "start guarded --as tom", "start guarded --as gwen"];
    assert_snapshot!(told(dir, &lines));
    let started = shown(
        tandem(dir)
            .args(["campaign", "start", "guarded", "--as", "gwen"])
            .env("CAMPAIGN_SEAT_TOKEN", token),
    );
    assert!(started.starts_with("exit: 0"), "{started}");
}

#[test]
fn a_journal_can_be_followed() {
    let dir = TempDir::new().unwrap();
    let dir = dir.path();
    run(dir, "create Live");
    let mut child = tandem(dir)
        .args(["campaign", "log", "live", "--follow", "--json"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || -> Value { serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap() };
    assert_eq!(next()["type"], "campaign.created");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn every_command_of_the_documentation_works() {
    let dir = TempDir::new().unwrap();
    documented(dir.path(), include_str!("../../../../docs/campaign.md"), 20);
}
