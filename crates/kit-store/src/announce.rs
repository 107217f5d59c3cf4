//! Tells watchers of this process that a stream has grown.

use std::collections::HashMap;

use parking_lot::Mutex;
use tokio::sync::broadcast;

use crate::{Appended, StreamId};

/// How far a watcher of everything may fall behind before it is told to read the log.
const ALL_KEPT: usize = 1024;
/// The same for a watcher of one stream; small, since each watched stream has its own queue.
const STREAM_KEPT: usize = 32;
/// Abandoned queues are looked for when the table has doubled, but not before it has this many.
const SWEEP_FROM: usize = 64;

/// The watchers of a back end.
pub(crate) struct Announcer {
    all: broadcast::Sender<Appended>,
    streams: Mutex<Streams>,
}

struct Streams {
    senders: HashMap<StreamId, broadcast::Sender<Appended>>,
    sweep_at: usize,
}

impl Announcer {
    pub(crate) fn new() -> Self {
        let streams = Streams { senders: HashMap::new(), sweep_at: SWEEP_FROM };
        Self { all: broadcast::Sender::new(ALL_KEPT), streams: Mutex::new(streams) }
    }

    pub(crate) fn watch(&self) -> broadcast::Receiver<Appended> {
        self.all.subscribe()
    }

    pub(crate) fn watch_stream(&self, stream: &StreamId) -> broadcast::Receiver<Appended> {
        let mut streams = self.streams.lock();
        if streams.senders.len() >= streams.sweep_at {
            streams.senders.retain(|_, sender| sender.receiver_count() > 0);
            streams.sweep_at = SWEEP_FROM.max(2 * streams.senders.len());
        }
        let new = || broadcast::Sender::new(STREAM_KEPT);
        streams.senders.entry(stream.clone()).or_insert_with(new).subscribe()
    }

    /// Nobody listening is fine: whoever comes later reads the log.
    pub(crate) fn announce(&self, appended: Appended) {
        let mut streams = self.streams.lock();
        if let Some(sender) = streams.senders.get(&appended.stream)
            && sender.send(appended.clone()).is_err()
        {
            streams.senders.remove(&appended.stream);
        }
        drop(streams);
        drop(self.all.send(appended));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::Version;

    fn grown(stream: &StreamId) -> Appended {
        Appended { stream: stream.clone(), version: Version(1), events: Arc::new([]) }
    }

    #[tokio::test]
    async fn a_watcher_of_one_stream_hears_of_no_other() {
        let announcer = Announcer::new();
        let (mine, other) = (StreamId::new("a", "mine"), StreamId::new("a", "other"));
        let mut watcher = announcer.watch_stream(&mine);
        announcer.announce(grown(&other));
        announcer.announce(grown(&mine));
        assert_eq!(watcher.recv().await.unwrap().stream, mine);
    }

    #[test]
    fn watchers_that_went_away_leave_nothing_behind() {
        let announcer = Announcer::new();
        for number in 0..10 * SWEEP_FROM {
            drop(announcer.watch_stream(&StreamId::new("a", &number.to_string())));
        }
        assert!(announcer.streams.lock().senders.len() <= SWEEP_FROM);
    }
}
