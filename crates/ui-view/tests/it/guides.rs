//! The examples in the guides that agents read.
//!
//! A block says what it is after its language: `html view TYPE.NAMESPACE` is a view as it should be, `html mistake CODE` one that
//! the audit must find, `lua` is whole Lua.

use std::collections::BTreeSet;

use ui_core::viewdef::Key;
use ui_view::{LuaContext, ViewContext, audit_lua, audit_view};

use crate::show;

const GUIDES: [(&str, &str); 4] = [
    ("reference.md", include_str!("../../../ui/guides/reference.md")),
    ("viewdefs.md", include_str!("../../../ui/guides/viewdefs.md")),
    ("lua.md", include_str!("../../../ui/guides/lua.md")),
    ("mcp.md", include_str!("../../../ui/guides/mcp.md")),
];

/// A fenced block: what stands behind the fence, and its text.
struct Block<'a> {
    guide: &'static str,
    about: &'a str,
    text: String,
}

fn blocks() -> Vec<Block<'static>> {
    let mut found = Vec::new();
    for (guide, text) in GUIDES {
        let mut open: Option<Block<'static>> = None;
        for line in text.lines() {
            match (line.strip_prefix("```"), &mut open) {
                (Some(about), None) => open = Some(Block { guide, about, text: String::new() }),
                (Some(_), Some(_)) => found.extend(open.take()),
                (None, Some(block)) => {
                    block.text.push_str(line);
                    block.text.push('\n');
                }
                (None, None) => {}
            }
        }
        assert!(open.is_none(), "{guide} has a block that is never closed");
    }
    found
}

// spec: ui 8.2
#[test]
fn views_in_the_guides_have_no_mistake() {
    let mut seen = 0;
    for block in blocks() {
        let Some(key) = block.about.strip_prefix("html view ") else { continue };
        Key::parse(key).unwrap_or_else(|error| panic!("{}: {error}", block.guide));
        let findings = audit_view(&block.text, ViewContext::default());
        assert!(findings.is_empty(), "{} {key}:\n{}\n{}", block.guide, block.text, show(&findings));
        seen += 1;
    }
    assert!(seen >= 10, "{seen}");
}

#[test]
fn mistakes_in_the_guides_are_found_by_their_code() {
    for block in blocks() {
        let Some(code) = block.about.strip_prefix("html mistake ") else { continue };
        let findings = audit_view(&block.text, ViewContext::default());
        assert!(
            findings.iter().any(|finding| finding.code == code),
            "{}: {code}\n{}",
            block.guide,
            show(&findings)
        );
    }
    // And those of the table, whose first column is what was written.
    let table = GUIDES[1].1.split("## Mistakes").nth(1).unwrap();
    let mut seen = 0;
    for row in table.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        // The first cell is what was written and perhaps the element it was written on, the second the code.
        let quoted: Vec<&str> = cells[0].split('`').skip(1).step_by(2).collect();
        let (written, element) = (quoted[0], quoted.get(1).unwrap_or(&"p"));
        let code = cells[1].trim().trim_matches('`');
        let source = if written.starts_with(['<', '{']) {
            written.to_owned()
        } else {
            let value = if written.contains('=') { "" } else { "='x()'" };
            format!("<{element} {written}{value}></{element}>")
        };
        let findings = audit_view(&source, ViewContext::default());
        assert!(
            findings.iter().any(|finding| finding.code == code),
            "{source}: {code}\n{}",
            show(&findings)
        );
        seen += 1;
    }
    assert!(seen >= 10, "{seen}");
}

#[test]
fn lua_in_the_guides_has_no_mistake() {
    let viewed: BTreeSet<String> = blocks()
        .iter()
        .filter_map(|block| block.about.strip_prefix("html view "))
        .map(|key| Key::parse(key).unwrap().type_name().to_owned())
        .chain(["Clock".to_owned()])
        .collect();
    let mut seen = 0;
    for block in blocks().iter().filter(|block| block.about == "lua") {
        let findings =
            audit_lua(&block.text, &LuaContext { viewed: Some(&viewed), ..LuaContext::default() });
        assert!(findings.is_empty(), "{}:\n{}\n{}", block.guide, block.text, show(&findings));
        seen += 1;
    }
    assert!(seen >= 6, "{seen}");
}

#[test]
fn every_block_says_what_it_is() {
    for block in blocks() {
        let known = block.about.starts_with("html view ")
            || block.about.starts_with("html mistake ")
            || matches!(block.about, "lua" | "json" | "text");
        assert!(known, "{}: {:?}", block.guide, block.about);
    }
}

/// Each guide is read whole by a model: it has to stay short.
#[test]
fn guides_are_short() {
    for (guide, text) in GUIDES {
        assert!(text.len() < 16_000, "{guide} has {} bytes", text.len());
        assert!(
            text.lines().all(|line| line.chars().count() <= 180),
            "{guide} has lines past 180 characters"
        );
    }
}

/// Each block of Lua runs by itself in a fresh session, and what it makes of itself has a view in the same guide.
#[test]
fn lua_in_the_guides_runs() {
    let mut seen = 0;
    for block in blocks().iter().filter(|block| block.about == "lua") {
        let mut stage = crate::real::Stage::new();
        for view in blocks().iter().filter(|view| view.guide == block.guide) {
            if let Some(key) = view.about.strip_prefix("html view ") {
                stage.view(key, &view.text);
            }
        }
        stage.run(&block.text);
        let shown = stage.look().text;
        assert!(!shown.contains("{error"), "{}\n{}\n{shown}", block.guide, block.text);
        seen += 1;
    }
    assert!(seen >= 6, "{seen}");
}
