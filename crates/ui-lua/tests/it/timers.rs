//! Timers: the VM keeps them, the owner asks when and runs them.

use std::time::Duration;

use ui_lua::Host;

use crate::world::{Bench, bench};

fn later(bench: &mut Bench, ms: u64) -> Vec<String> {
    bench.host.add(Duration::from_millis(ms));
    let now = bench.host.elapsed();
    bench.vm.run_due(now).into_iter().map(|fault| fault.message).collect()
}

#[test]
fn timers_run_when_they_are_due() {
    let mut bench = bench();
    assert_eq!(bench.vm.next_timer(), None);
    bench.run(
        "log = '' local function add(c) return function() log = log .. c end end
         session:setTimeout(add('t'), 50000) session:setImmediate(add('i')) session:setInterval(add('v'), 20000)",
    );
    assert!(bench.vm.next_timer().unwrap() <= bench.host.elapsed());
    later(&mut bench, 0);
    assert_eq!(bench.run("return log"), r#""i""#);
    for _ in 0..3 {
        later(&mut bench, 20_000);
    }
    assert_eq!(bench.run("return log"), r#""ivvtv""#);
    assert!(bench.vm.next_timer().is_some(), "the interval goes on");
}

#[test]
fn cleared_timers_do_not_run_and_clearing_twice_is_no_error() {
    let mut bench = bench();
    bench.run(
        "n = 0 local function f() n = n + 1 end
         local a, b, c = session:setTimeout(f, 1), session:setInterval(f, 1), session:setImmediate(f)
         session:clearTimeout(a) session:clearInterval(b) session:clearImmediate(c) session:clearTimeout(a) session:clearTimeout(nil)",
    );
    later(&mut bench, 1000);
    assert_eq!(bench.run("return n"), "0");
    assert_eq!(bench.vm.next_timer(), None);
}

#[test]
fn a_timer_that_fails_is_noted_and_stops_no_other() {
    let mut bench = bench();
    bench.run("session:setTimeout(function() error('tick') end, 1) session:setTimeout(function() fine = true end, 2) session:setTimeout(function() while true do end end, 3)");
    let faults = later(&mut bench, 1000);
    assert_eq!(faults, ["ui_run:1: tick", "ui_run:1: time limit of 300ms exceeded"]);
    assert_eq!(bench.run("return fine"), "true");
    assert!(bench.host.err().contains("tick\nstack traceback:"));
}

#[test]
fn an_immediate_that_sets_itself_lets_others_run_between() {
    let mut bench = bench();
    bench.run(
        "n = 0 local function f() n = n + 1 session:setImmediate(f) end session:setImmediate(f)",
    );
    later(&mut bench, 1);
    assert_eq!(bench.run("return n"), "1");
    later(&mut bench, 1);
    assert_eq!(bench.run("return n"), "2");
}

#[test]
fn timers_are_bounded_and_checked() {
    let mut bench = bench();
    assert_eq!(
        bench.fails("for i = 1, 20000 do session:setTimeout(print, 1000) end").message,
        "ui_run:1: the session has too many timers"
    );
    assert_eq!(
        bench.fails("session:setTimeout(5, 1)").message,
        "ui_run:1: `session:setTimeout` needs a function, got number"
    );
    bench.fails("session:setTimeout(print, 'x')");
}
