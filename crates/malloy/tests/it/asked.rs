//! Questions of our own, over the models and data of the corpus, with the answers of the official implementation.
//!
//! Each file of `tests/asked` is a list of cases in the form of the corpus. They are held to more than the corpus is: rows and types must be the
//! same, and an error must have the same code and place. Where the official answer is wrong, the file says so with `ours`: why our
//! answer, which is the one in `expect`, is another.

use std::{fmt::Write as _, fs, path::PathBuf};

use serde_json::Value;

use crate::corpus::{Case, Notes, Runner, corpus, on_one_thread};

// spec: queries give the rows, types and errors of the official compiler, wherever that one is right
#[test]
fn questions_of_our_own_are_answered_as_the_official_implementation_does() {
    let Some(corpus) = corpus() else { return };
    let one = std::env::var("MALLOY_CASE").ok();
    let mut runner = Runner::new(on_one_thread(&corpus), one.is_some());
    let (mut asked, mut wrong) = (0, String::new());
    for file in fs::read_dir(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/asked")).unwrap()
    {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        let cases: Vec<Value> = serde_json::from_str(&text).unwrap();
        for case in cases.into_iter().map(Case::new) {
            if one.as_ref().is_some_and(|one| *one != case.name) {
                continue;
            }
            asked += 1;
            let why = match runner.run(&case) {
                Ok(notes) if notes == Notes::default() => continue,
                Ok(notes) => format!("{notes:?}"),
                Err(why) => why,
            };
            let _infallible = writeln!(wrong, "{}: {why}", case.name);
        }
    }
    assert!(asked > 0, "there are no questions");
    assert!(wrong.is_empty(), "{wrong}");
}
