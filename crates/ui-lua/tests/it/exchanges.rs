//! The exchanges of the engine's tests, played with Lua behind them.

use crate::played::play;
use crate::world::fresh;

fn plays(text: &str) {
    play(text, fresh(), |vm, code| {
        if let Err(fault) = vm.run(code.as_bytes()) {
            panic!("{}\nin {code}", fault.full());
        }
    });
}

#[test]
fn the_worked_exchange_happens_with_lua() {
    plays(include_str!("../../../ui-core/tests/exchanges/worked.txt"));
}

#[test]
fn reading_is_as_the_engine_wants_it() {
    plays(include_str!("../../../ui-core/tests/exchanges/reading.txt"));
}

#[test]
fn writing_is_as_the_engine_wants_it() {
    plays(include_str!("../../../ui-core/tests/exchanges/writing.txt"));
}

#[test]
fn lists_are_as_the_engine_wants_them() {
    plays(include_str!("../../../ui-core/tests/exchanges/lists.txt"));
}
