//! Start-up: from starting the process to the first answer.

use std::time::Instant;

use crate::{
    load::{Connection, StdioLoad},
    rounds::median,
    subject::{Subject, Talk},
};

/// The median of `times` starts, in seconds, for each subject; in turn, as the rounds are.
pub(crate) fn measure(subjects: &[Subject], times: usize) -> anyhow::Result<Vec<f64>> {
    let mut all = vec![Vec::with_capacity(times); subjects.len()];
    for _ in 0..times {
        for (subject, seconds) in subjects.iter().zip(&mut all) {
            seconds.push(once(subject)?);
        }
    }
    Ok(all.into_iter().map(median).collect())
}

fn once(subject: &Subject) -> anyhow::Result<f64> {
    let began = Instant::now();
    let mut process = subject.launch.start()?;
    if subject.talk == Talk::Stdio {
        let load = StdioLoad::open(&mut process)?;
        let seconds = began.elapsed().as_secs_f64();
        drop(load);
        process.end()?;
        Ok(seconds)
    } else {
        let address = process.first_line()?.parse()?;
        Connection::open(address)?.greet(subject.talk)?;
        let seconds = began.elapsed().as_secs_f64();
        process.end()?;
        Ok(seconds)
    }
}
