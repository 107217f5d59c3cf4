//! What surfaces print: the shape of the values as JSON.

use insta::assert_json_snapshot;
use spox_core::{ChangeFiles, parse_change, parse_spec};

use crate::world::{GOOD_DELTA, GOOD_SPEC, change, report};

#[test]
fn a_spec() {
    assert_json_snapshot!(parse_spec("auth", GOOD_SPEC));
}

#[test]
fn a_change() {
    let delta = format!(
        "{GOOD_DELTA}\n## RENAMED Requirements\n- FROM: A\n- TO: B\n\n## REMOVED Requirements\n\
         ### Requirement: C\n**Reason**: old\n"
    );
    let files = ChangeFiles { design: Some("# D\n".into()), ..change(&delta) };
    assert_json_snapshot!(parse_change(&files));
}

#[test]
fn a_report() {
    let files = ChangeFiles { tasks: None, ..change("## ADDED Requirements\n") };
    assert_json_snapshot!(report(&files, None, &[]));
}
