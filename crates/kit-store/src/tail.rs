//! Follows a stream: what is in the log, then what comes.

use std::{collections::VecDeque, sync::Arc};

use futures::{Stream, stream};
use tokio::sync::broadcast::{Receiver, error::RecvError};

use crate::{Appended, Journal, Recorded, StoreError, StreamId, Version};

/// Events read at once. A reader that is far behind must not hold a whole history in memory.
const PAGE: usize = 256;

/// Every event of `stream` after `after`, in order, each once: first from the log, then live, whoever appends.
///
/// Starts to listen before it is polled, so an append after this call is never missed. A wake only says
/// that there is more; whenever it does not bring exactly the next events (the reader lagged, another
/// replica appended, wakes crossed) the log is read. Ends after an error: begin again after the last version seen.
pub fn tail(
    journal: Arc<dyn Journal>,
    stream: StreamId,
    after: Version,
) -> impl Stream<Item = Result<Recorded, StoreError>> + Send + 'static {
    let wakes = journal.watch_stream(&stream);
    let tail = Tail { journal, stream, seen: after, ready: VecDeque::new(), wakes, behind: true };
    stream::try_unfold(tail, |mut tail| async move {
        let next = tail.next().await?;
        Ok(next.map(|event| (event, tail)))
    })
}

struct Tail {
    journal: Arc<dyn Journal>,
    stream: StreamId,
    /// The last version handed out.
    seen: Version,
    /// Follows `seen` without a gap.
    ready: VecDeque<Recorded>,
    wakes: Receiver<Appended>,
    /// The log may hold more than `ready`.
    behind: bool,
}

impl Tail {
    async fn next(&mut self) -> Result<Option<Recorded>, StoreError> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                self.seen = event.version;
                return Ok(Some(event));
            }
            if self.behind {
                self.ready = self.journal.read(&self.stream, self.seen, PAGE).await?.into();
                self.behind = self.ready.len() == PAGE;
                continue;
            }
            match self.wakes.recv().await {
                Ok(appended) => self.wake(&appended),
                Err(RecvError::Lagged(_)) => self.behind = true,
                Err(RecvError::Closed) => return Ok(None),
            }
        }
    }

    fn wake(&mut self, appended: &Appended) {
        if appended.version <= self.seen {
            return;
        }
        let follows =
            appended.events.first().is_some_and(|first| first.version.0 <= self.seen.0 + 1);
        if follows {
            let new = appended.events.iter().filter(|event| event.version > self.seen);
            self.ready.extend(new.cloned());
        } else {
            self.behind = true;
        }
    }
}
