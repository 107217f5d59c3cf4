//! What is printed, and where it goes.

use ui_lua::{LogFiles, Stream};

use crate::world::bench;

// spec: ui 4
#[test]
fn print_joins_its_arguments_by_tabs() {
    let mut bench = bench();
    bench.run("print('a', 1, 2.0, nil, true) print() print(nil, nil)");
    assert_eq!(bench.host.out(), "a\t1\t2.0\tnil\ttrue\n\nnil\tnil\n");
    bench.run("print(setmetatable({}, { __tostring = function() return 'me' end }))");
    assert_eq!(bench.host.out(), "me\n");
}

// spec: ui 4
#[test]
fn standard_streams_are_redirected() {
    let mut bench = bench();
    bench.run("io.write('a', 1):write('b') io.stdout:write('c') io.stderr:write('d')");
    assert_eq!(bench.host.out(), "a1bc");
    assert_eq!(bench.host.err(), "d");
    assert_eq!(
        bench.run("return { io.type(io.stdout), io.type({}) == nil, io.read() == nil }"),
        r#"["file",true,true]"#
    );
}

// spec: ui 4
#[test]
fn log_files_are_opened_for_each_write_and_survive_what_happens_outside() {
    let folder = tempfile::tempdir().unwrap();
    let files = LogFiles::new(folder.path());
    let log = folder.path().join("lua.log");
    files.write(Stream::Out, b"one\n").unwrap();
    files.write(Stream::Out, b"two\n").unwrap();
    assert_eq!(std::fs::read_to_string(&log).unwrap(), "one\ntwo\n");
    std::fs::write(&log, "").unwrap();
    files.write(Stream::Out, b"three\n").unwrap();
    assert_eq!(std::fs::read_to_string(&log).unwrap(), "three\n");
    std::fs::remove_file(&log).unwrap();
    files.write(Stream::Out, b"four\n").unwrap();
    assert_eq!(std::fs::read_to_string(&log).unwrap(), "four\n");
    files.write(Stream::Err, b"bad\n").unwrap();
    assert_eq!(std::fs::read_to_string(folder.path().join("lua-err.log")).unwrap(), "bad\n");
}
