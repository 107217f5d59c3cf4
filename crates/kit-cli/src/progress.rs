//! How far a long command is.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// What is over sooner than this shows no bar.
const PATIENCE: Duration = Duration::from_millis(250);

/// A bar on standard error, or nothing where nobody looks. Gone when dropped.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    start: Instant,
    shown: bool,
    wanted: bool,
}

impl Progress {
    pub(crate) fn new(wanted: bool, total: u64, what: &str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}") {
            bar.set_style(style);
        }
        bar.set_message(what.to_owned());
        Self { bar, start: Instant::now(), shown: false, wanted }
    }

    pub fn advance(&mut self, steps: u64) {
        if self.wanted && !self.shown && self.start.elapsed() >= PATIENCE {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.shown = true;
        }
        self.bar.inc(steps);
    }

    pub fn done(&self) -> u64 {
        self.bar.position()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
