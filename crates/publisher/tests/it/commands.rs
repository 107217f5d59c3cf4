//! The command line, over files and without a server.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
};

use clap::{Args as _, FromArgMatches as _, Subcommand as _};
use insta::assert_snapshot;
use kit_cli::{Global, Outcome, Ui};

use crate::helper::{Root, SHOP, shop};

/// A stream that can be read afterwards.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Shared {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

/// What a command came to, printed and noted.
pub(crate) fn typed(root: &Root, words: &[&str]) -> String {
    let command = publisher::cli::Command::augment_subcommands(clap::Command::new("publisher"));
    let command = Global::augment_args(command)
        .arg(clap::Arg::new("server_root").long("server_root").global(true));
    let place = root.dir.path().to_str().unwrap();
    let all = ["publisher", "--server_root", place].into_iter().chain(words.iter().copied());
    let matches = command.try_get_matches_from(all).unwrap();
    let global = Global::from_arg_matches(&matches).unwrap();
    let (out, err) = (Shared::default(), Shared::default());
    let outcome = publisher::cli::run(&mut Ui::on(&global, out.clone(), err.clone()), &matches);
    let code = match outcome {
        Ok(Outcome::Success) => 0,
        Ok(Outcome::Negative) => 1,
        Err(_) => 2,
    };
    format!("exit {code}\n{}\n{}", out.text().trim_end(), err.text().trim_end())
}

#[test]
fn packages_and_what_is_in_one_are_listed() {
    let root = shop();
    assert_snapshot!(typed(&root, &["list"]));
    assert_snapshot!(typed(&root, &["list", "shop"]));
}

#[test]
fn a_query_is_shown_as_a_table_as_json_and_as_csv() {
    let root = shop();
    assert_snapshot!(typed(&root, &["query", "shop/shop.malloy", "orders -> by_item"]));
    assert_snapshot!(typed(
        &root,
        &["query", "shop.malloy", "--name", "by_item", "--source", "orders", "--csv"]
    ));
    assert_snapshot!(typed(&root, &["query", "shop.malloy", "--name", "everything", "--json"]));
}

#[test]
fn a_folder_needs_no_manifest_to_be_asked() {
    let files: Vec<_> = SHOP
        .iter()
        .filter(|(path, _)| !path.contains(".json"))
        .map(|(path, text)| (path.strip_prefix("shop/").unwrap(), *text))
        .collect();
    let root = Root::with(&files);
    assert_snapshot!(typed(&root, &["query", "shop.malloy", "orders -> { aggregate: n }"]));
}

#[test]
fn a_mistake_is_shown_where_it_is_and_is_the_answer() {
    let root = shop();
    assert_snapshot!(typed(&root, &["query", "shop.malloy", "run: orders -> by_itm"]));
    assert_snapshot!(typed(&root, &["query", "shp.malloy", "run: orders"]));
    assert_snapshot!(typed(&root, &["query", "shop.malloy", "--name", "by_item"]));
}

#[test]
fn a_cut_is_noted_beside_the_rows() {
    let root = shop();
    assert_snapshot!(typed(
        &root,
        &["query", "shop.malloy", "orders -> { select: id }", "--limit", "1"]
    ));
}

#[test]
fn a_model_is_described_a_query_compiled_a_notebook_run() {
    let root = shop();
    root.write(
        "shop/b.malloynb",
        ">>>markdown\n# Hi\n>>>malloy\nimport \"shop.malloy\"\nrun: everything\n",
    );
    assert_snapshot!(typed(&root, &["describe", "shop.malloy"]));
    assert_snapshot!(typed(&root, &["compile", "shop.malloy", "orders -> { aggregate: n }"]));
    assert_snapshot!(typed(&root, &["notebook", "b.malloynb"]));
}

#[test]
fn what_is_wrong_with_a_package_is_found() {
    let root = shop();
    assert_snapshot!(typed(&root, &["check"]));
    root.write("shop/bad.malloy", "source: x is nothing\n");
    root.write("other/publisher.json", "[]");
    assert_snapshot!(typed(&root, &["check"]));
}
