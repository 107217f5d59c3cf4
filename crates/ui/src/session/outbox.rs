//! What waits to be sent to one browser.
//!
//! A session never waits for a reader. When one falls too far behind, what waits for it is taken away and given back to the
//! engine, which tells it in a few words what to ask for again: that costs the reader a moment and nobody else
//! anything.

use std::collections::VecDeque;

use parking_lot::Mutex;
use tokio::sync::Notify;
use ui_core::Frame;

/// Frames that may wait for one reader.
const MOST_FRAMES: usize = 512;
/// Bytes that may wait for one reader; a single frame may be larger.
const MOST_BYTES: usize = 8 << 20;

/// The frames for one connection, in order.
#[derive(Default)]
pub(crate) struct Outbox {
    queue: Mutex<Queue>,
    ready: Notify,
}

#[derive(Default)]
struct Queue {
    frames: VecDeque<Frame>,
    bytes: usize,
    closed: bool,
}

impl Outbox {
    /// Puts a frame behind the others. Gives what found no room, which is everything if one did not.
    pub(crate) fn push(&self, frame: Frame) -> Vec<Frame> {
        let mut queue = self.queue.lock();
        if queue.closed {
            return Vec::new();
        }
        let full = queue.frames.len() >= MOST_FRAMES
            || (!queue.frames.is_empty() && queue.bytes + frame.text.len() > MOST_BYTES);
        if full {
            queue.bytes = 0;
            return queue.frames.drain(..).chain([frame]).collect();
        }
        queue.bytes += frame.text.len();
        queue.frames.push_back(frame);
        drop(queue);
        self.ready.notify_one();
        Vec::new()
    }

    /// What is there is not sent any more, and the connection ends.
    pub(crate) fn close(&self) {
        self.queue.lock().closed = true;
        self.ready.notify_one();
    }

    /// Waits for the next frame; none when the connection is to end. For one reader.
    pub(crate) async fn next(&self) -> Option<Frame> {
        loop {
            let mut ready = std::pin::pin!(self.ready.notified());
            ready.as_mut().enable();
            {
                let mut queue = self.queue.lock();
                if queue.closed {
                    return None;
                }
                if let Some(frame) = queue.frames.pop_front() {
                    queue.bytes -= frame.text.len();
                    return Some(frame);
                }
            }
            ready.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(text: impl Into<String>) -> Frame {
        let mut frame = Frame::default();
        frame.text = text.into();
        frame
    }

    #[tokio::test]
    async fn frames_leave_in_order_until_the_end() {
        let outbox = Outbox::default();
        assert!(outbox.push(frame("a")).is_empty() && outbox.push(frame("b")).is_empty());
        assert_eq!(outbox.next().await, Some(frame("a")));
        assert_eq!(outbox.next().await, Some(frame("b")));
        outbox.close();
        assert_eq!(outbox.next().await, None);
    }

    #[tokio::test]
    async fn a_reader_that_falls_behind_loses_everything_that_waits() {
        let outbox = Outbox::default();
        let mut sent = 0;
        let lost = loop {
            sent += 1;
            let lost = outbox.push(frame("x".repeat(1 << 20)));
            if !lost.is_empty() {
                break lost;
            }
        };
        assert_eq!(lost.len(), sent);
        assert!(outbox.push(frame("again")).is_empty());
        assert_eq!(outbox.next().await, Some(frame("again")));
    }

    #[test]
    fn one_large_frame_passes() {
        let outbox = Outbox::default();
        assert!(outbox.push(frame("x".repeat(MOST_BYTES + 1))).is_empty());
        assert_eq!(outbox.push(frame("y")).len(), 2);
    }
}
