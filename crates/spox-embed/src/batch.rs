//! Many texts: in batches, on as many threads as the caller says.

use std::{
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
};

use crate::{MAX_TOKENS, Model, Vector, encoder};

/// Rows of one multiplication: enough that unpacking the weights costs little, few enough for the near caches.
const BATCH: usize = MAX_TOKENS;

impl Model {
    /// The vectors of many texts, in their order; each the same, to the bit, as [`Model::embed`] gives.
    ///
    /// Works on `threads` threads of its own (with 0 or 1 on the caller's) and returns when all is done; who may want to
    /// stop before gives it the texts in portions. `progress` is called on the caller's thread with the count of
    /// texts that are done.
    #[expect(clippy::missing_panics_doc, reason = "each text is in a batch")]
    pub fn embed_all<T: AsRef<str>>(
        &self,
        texts: &[T],
        threads: usize,
        progress: &mut dyn FnMut(usize),
    ) -> Vec<Vector> {
        let tokens: Vec<_> = texts.iter().map(|text| self.tokenize(text.as_ref())).collect();
        let encode = |batch: &[usize]| {
            let these: Vec<_> = batch.iter().map(|place| tokens[*place].as_slice()).collect();
            encoder::vectors(self, &these)
        };
        let mut vectors = vec![None; texts.len()];
        let mut done = 0;
        spread(&batches(&tokens), threads, encode, |batch, made| {
            for (place, vector) in batch.iter().zip(made) {
                vectors[*place] = Some(vector);
            }
            done += batch.len();
            progress(done);
        });
        vectors.into_iter().map(|vector| vector.expect("each text is in a batch")).collect()
    }
}

/// Does `work` for each batch, on threads; `keep` gets the results on this one, in any order.
fn spread<T: Send>(
    batches: &[Vec<usize>],
    threads: usize,
    work: impl Fn(&[usize]) -> T + Sync,
    mut keep: impl FnMut(&[usize], T),
) {
    let threads = threads.min(batches.len());
    if threads <= 1 {
        return batches.iter().for_each(|batch| keep(batch, work(batch)));
    }
    let next = AtomicUsize::new(0);
    let (results, arriving) = mpsc::channel();
    let until_done = |results: mpsc::Sender<_>| {
        while let Some(batch) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
            if results.send((batch, work(batch))).is_err() {
                return; // `keep` panicked, and nobody waits for the rest.
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads {
            let results = results.clone();
            scope.spawn(|| until_done(results));
        }
        // The loop ends with the last thread's sender, so this one must not be left.
        drop(results);
        for (batch, made) in arriving {
            keep(batch, made);
        }
    });
}

/// Which texts are computed together: those of like length, the longest first, so that threads end at about the same time.
fn batches(tokens: &[Vec<u32>]) -> Vec<Vec<usize>> {
    let mut order: Vec<_> = (0..tokens.len()).collect();
    order.sort_by_key(|place| std::cmp::Reverse(tokens[*place].len()));
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut room = 0;
    for place in order {
        let length = tokens[place].len();
        if let Some(batch) = batches.last_mut().filter(|_| length <= room) {
            batch.push(place);
        } else {
            batches.push(vec![place]);
            room = BATCH;
        }
        // A text alone never has more than fit.
        room -= length;
    }
    batches
}
