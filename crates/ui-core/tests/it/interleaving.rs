//! Whatever several connections do, in whatever order: the tree stays sound and nothing is left behind.

use proptest::prelude::*;
use ui_core::{ConnId, VarId};

use crate::play::Play;

/// One thing that happens. Numbers are taken modulo what there is.
#[derive(Clone, Debug)]
enum Act {
    Connect,
    Close(usize),
    Create { conn: usize, id: i64, parent: i64, nowatch: bool },
    Send { conn: usize, kind: &'static str, id: i64 },
    Write { conn: usize, id: i64 },
    Inactive { conn: usize, id: i64, on: bool },
    LuaCreate { parent: i64 },
    LuaDestroy { id: i64 },
    Drop(usize),
    Settle,
}

fn any_act() -> impl Strategy<Value = Act> {
    let id = || prop_oneof![3 => 2i64..9, 1 => Just(1), 1 => -3i64..0];
    prop_oneof![
        1 => Just(Act::Connect),
        1 => (0usize..4).prop_map(Act::Close),
        8 => (0usize..4, id(), id(), any::<bool>())
            .prop_map(|(conn, id, parent, nowatch)| Act::Create { conn, id, parent, nowatch }),
        6 => (0usize..4, prop::sample::select(vec!["watch", "unwatch", "destroy"]), id())
            .prop_map(|(conn, kind, id)| Act::Send { conn, kind, id }),
        2 => (0usize..4, id()).prop_map(|(conn, id)| Act::Write { conn, id }),
        1 => (0usize..4, id(), any::<bool>()).prop_map(|(conn, id, on)| Act::Inactive { conn, id, on }),
        1 => id().prop_map(|parent| Act::LuaCreate { parent }),
        1 => id().prop_map(|id| Act::LuaDestroy { id }),
        1 => (0usize..4).prop_map(Act::Drop),
        3 => Just(Act::Settle),
    ]
}

fn act(play: &mut Play, open: &mut Vec<ConnId>, act: &Act) {
    let at = |open: &Vec<ConnId>, conn: usize| open.get(conn % open.len().max(1)).copied();
    let send = |play: &mut Play, open: &Vec<ConnId>, conn: usize, text: &str| {
        if let Some(conn) = at(open, conn) {
            play.session.receive(&mut play.world, conn, ui_core::Batch::parse(text));
        }
    };
    match act {
        Act::Connect => open.push(play.session.connect()),
        Act::Close(conn) => {
            if !open.is_empty() {
                let conn = open.remove(conn % open.len());
                play.session.disconnect(conn);
            }
        }
        Act::Create { conn, id, parent, nowatch } => send(
            play,
            open,
            *conn,
            &format!(
                r#"{{"type":"create","data":{{"id":{id},"parentId":{parent},"properties":{{"path":"next","wrapper":"{}"}},"nowatch":{nowatch}}}}}"#,
                if id % 2 == 0 { "lua.ViewList" } else { "" }
            ),
        ),
        Act::Send { conn, kind, id } => {
            send(play, open, *conn, &format!(r#"{{"type":"{kind}","data":{{"varId":{id}}}}}"#));
        }
        Act::Write { conn, id } => {
            let text = format!(r#"{{"type":"update","data":{{"varId":{id},"value":[{id}]}}}}"#);
            send(play, open, *conn, &text);
        }
        Act::Inactive { conn, id, on } => {
            let on = if *on { "1" } else { "" };
            let text = format!(
                r#"{{"type":"update","data":{{"varId":{id},"properties":{{"inactive":"{on}"}}}}}}"#
            );
            send(play, open, *conn, &text);
        }
        Act::LuaCreate { parent } => {
            let object = play.world.graph.object(Some("Made"));
            play.world.graph.create_variable(VarId(*parent), object, &[]);
        }
        Act::LuaDestroy { id } => {
            let request = ui_core::world::Request::Destroy { id: VarId(*id) };
            play.world.graph.requests.push(request);
        }
        Act::Drop(conn) => {
            if let Some(conn) = at(open, *conn)
                && let Some(frame) = play.heard.remove(&conn)
            {
                play.session.dropped(conn, &frame);
            }
        }
        Act::Settle => play.settle(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_order_of_events_keeps_the_tree_sound_and_leaves_nothing_behind(
        acts in prop::collection::vec(any_act(), 0..80)
    ) {
        let (mut play, root) = Play::new();
        play.world.graph.set(root, "next", root);
        let mut open = vec![play.join()];
        for one in &acts {
            act(&mut play, &mut open, one);
        }
        play.check();
        for conn in open {
            play.session.disconnect(conn);
        }
        let made: Vec<VarId> =
            play.session.variables().iter().map(|variable| variable.id).filter(|id| id.0 < 0).collect();
        for id in made {
            play.world.graph.requests.push(ui_core::world::Request::Destroy { id });
        }
        play.check();
        prop_assert!(play.session.is_empty(), "{:?}", play.listing());
        let before = play.world.reads;
        play.settle();
        prop_assert_eq!(play.world.reads, before, "nobody watches anything");
    }
}
