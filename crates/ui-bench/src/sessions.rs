//! What many open sessions cost, each with its own application and a page that shows it.

use bench_kit::table::{self, as_float};

use crate::{
    Args, app,
    tandem::{open_page, session, start},
};

/// A small application, as agents write them.
const LABELS: usize = 10;

pub(crate) fn measure(args: &Args) -> anyhow::Result<String> {
    let dir = tempfile::Builder::new().prefix("tandem-ui-").tempdir()?;
    app::write(dir.path(), LABELS)?;
    let (process, address) = start(args, dir.path())?;
    let at_rest = process.memory()?;
    let mut sockets = Vec::with_capacity(args.sessions);
    for _ in 0..args.sessions {
        sockets.push(open_page(address, &session(address)?)?);
    }
    let open = process.memory()?;
    let mut text = "\n### Open sessions\n\n".to_owned();
    table::line(&mut text, "what", &["memory"]);
    table::line(&mut text, "---", &["---:"]);
    table::line(&mut text, "the server before any", &[table::size(as_float(at_rest))]);
    let name = format!("with {} sessions, each with its application and a page", sockets.len());
    table::line(&mut text, &name, &[table::size(as_float(open))]);
    Ok(text)
}
