//! What is counted.

use prometheus_client::{
    metrics::{counter::Counter, gauge::Gauge, histogram::Histogram},
    registry::Registry,
};

/// Counters of all MCP endpoints of a process. Cloning shares them.
#[derive(Debug, Clone)]
pub struct Metrics {
    pub(crate) calls: Outcomes,
    pub(crate) call_seconds: Histogram,
    pub(crate) sessions: Gauge,
    pub(crate) sessions_opened: Counter,
    pub(crate) sessions_restored: Counter,
    pub(crate) streams: Gauge,
    pub(crate) streams_dropped: Counter,
    pub(crate) rejected: Counter,
}

/// Tool calls by how they ended.
#[derive(Debug, Clone, Default)]
pub(crate) struct Outcomes {
    pub(crate) ok: Counter,
    pub(crate) tool_error: Counter,
    pub(crate) protocol_error: Counter,
    pub(crate) timeout: Counter,
    pub(crate) cancelled: Counter,
    pub(crate) panic: Counter,
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            calls: Outcomes::default(),
            call_seconds: Histogram::new([0.0001, 0.001, 0.01, 0.1, 1.0, 10.0, 60.0]),
            sessions: Gauge::default(),
            sessions_opened: Counter::default(),
            sessions_restored: Counter::default(),
            streams: Gauge::default(),
            streams_dropped: Counter::default(),
            rejected: Counter::default(),
        }
    }
}

impl Metrics {
    /// Shows them in `registry` under `mcp_…`.
    pub fn register(&self, registry: &mut Registry) {
        let registry = registry.sub_registry_with_prefix("mcp");
        let calls = &self.calls;
        for (outcome, counter) in [
            ("ok", &calls.ok),
            ("tool_error", &calls.tool_error),
            ("protocol_error", &calls.protocol_error),
            ("timeout", &calls.timeout),
            ("cancelled", &calls.cancelled),
            ("panic", &calls.panic),
        ] {
            registry.sub_registry_with_label(("outcome".into(), outcome.into())).register(
                "calls",
                "Tool calls by how they ended",
                counter.clone(),
            );
        }
        let seconds = self.call_seconds.clone();
        registry.register("call_seconds", "Time that tool calls took", seconds);
        registry.register("sessions", "Sessions held in memory", self.sessions.clone());
        let opened = self.sessions_opened.clone();
        registry.register("sessions_opened", "Sessions opened", opened);
        let restored = self.sessions_restored.clone();
        registry.register("sessions_restored", "Sessions taken up from the store", restored);
        registry.register("streams", "Open notification streams", self.streams.clone());
        let dropped = self.streams_dropped.clone();
        registry.register("streams_dropped", "Streams ended because the reader was slow", dropped);
        registry.register("rejected", "Requests refused by the transport", self.rejected.clone());
    }
}
