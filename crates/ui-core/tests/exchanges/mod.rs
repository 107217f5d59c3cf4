//! Exchanges: what is said between browsers, Lua and the server, written down and played on any world.
//!
//! ```text
//! # A comment.
//! viewdef App.DEFAULT <template></template>
//! lua  app.count = 1
//! >    {"type":"watch","data":{"varId":1}}
//! <    {"type":"update","data":{"varId":1,"value":{"obj":2}}}
//! 2>   {"type":"watch","data":{"varId":1}}
//! ```
//!
//! A line that begins with white space goes on with the one before. `>` is what a browser sends and `<` the frame it gets; a number
//! before it tells browsers apart. After `lua` and `>` the session settles, and every frame that comes of it has to be written down.
//! `tests/it` plays the worked exchange on its small world; whoever implements `World` with Lua plays all of them.

use std::collections::BTreeMap;

use serde_json::Value as Json;
use ui_core::{Batch, Catalog, ConnId, Key, Session, World};

/// Plays `text` on `world`; `lua` runs code in it.
pub(crate) fn play<W: World>(text: &str, mut world: W, mut lua: impl FnMut(&mut W, &str)) {
    let mut session = Session::default();
    let mut views = Catalog::default();
    let mut browsers: BTreeMap<String, ConnId> = BTreeMap::new();
    let mut heard: BTreeMap<ConnId, String> = BTreeMap::new();
    for (line, what, said) in entries(text) {
        let browser = what.trim_end_matches(['<', '>']).to_owned();
        if what.ends_with('<') {
            let frame = browsers.get(&browser).and_then(|conn| heard.remove(conn));
            let frame =
                frame.unwrap_or_else(|| panic!("line {line}: nothing was heard, but\n{said}"));
            let parse = |text: &str| -> Json {
                serde_json::from_str(text)
                    .unwrap_or_else(|bad| panic!("line {line}: {bad}: {text}"))
            };
            assert_eq!(
                parse(&frame),
                parse(&said),
                "line {line}: heard\n{frame}\nand not\n{said}\n"
            );
            continue;
        }
        assert!(heard.is_empty(), "line {line}: before it was heard {heard:?}");
        match &*what {
            "viewdef" => {
                let (key, html) = said.split_once(' ').unwrap_or((&said, ""));
                views.insert(Key::parse(key).expect("the key of a view definition"), html);
                continue;
            }
            "lua" => lua(&mut world, &said),
            _ => {
                let conn = *browsers.entry(browser).or_insert_with(|| session.connect());
                session.receive(&mut world, conn, Batch::parse(&said));
            }
        }
        let settled = session.settle(&mut world, &mut views);
        assert!(!settled.restless, "line {line}: walks do not come to rest");
        heard = settled.frames.into_iter().map(|(conn, frame)| (conn, frame.text)).collect();
    }
    assert!(heard.is_empty(), "at the end was heard {heard:?}");
}

/// The entries with their lines: what it is, and what is said.
fn entries(text: &str) -> Vec<(usize, String, String)> {
    let mut entries: Vec<(usize, String, String)> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        if line.starts_with(char::is_whitespace) {
            let (_, _, said) = entries.last_mut().expect("something to go on with");
            said.push('\n');
            said.push_str(line.trim());
        } else {
            let (what, said) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            entries.push((at + 1, what.to_owned(), said.trim().to_owned()));
        }
    }
    entries
}
