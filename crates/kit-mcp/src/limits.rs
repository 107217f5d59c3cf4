//! How much anyone may ask for.

use std::time::Duration;

/// Bounds of one server. Every one of them is answered with words, none by falling over.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Bytes of one request body or one line on stdio.
    pub message_bytes: usize,
    /// Calls running at once in one session.
    pub calls_per_session: usize,
    /// Sessions held by this process.
    pub sessions: usize,
    /// How long an unused session is kept.
    pub session_idle: Duration,
    /// How long a call may take in all, however much progress it reports.
    pub call_longest: Duration,
    /// Messages that one response stream holds for a reader that is slow or away.
    pub stream_messages: usize,
    /// How long a finished response stream can be resumed.
    pub stream_kept: Duration,
    /// Tasks running at once for one caller.
    pub tasks_per_caller: usize,
    /// How long a task may run, and how long its result is kept after.
    pub task_kept: Duration,
    /// Entries on one page of a list.
    pub page: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            message_bytes: 4 * 1024 * 1024,
            calls_per_session: 64,
            sessions: 50_000,
            session_idle: Duration::from_hours(24),
            call_longest: Duration::from_mins(10),
            stream_messages: 256,
            stream_kept: Duration::from_mins(1),
            tasks_per_caller: 64,
            task_kept: Duration::from_hours(1),
            page: 200,
        }
    }
}
