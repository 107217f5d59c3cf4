//! What the guard counts. Only atomics on a request's way.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use http::StatusCode;
use prometheus_client::{
    encoding::{EncodeLabelSet, EncodeMetric, MetricEncoder, NoLabelSet},
    metrics::{MetricType, counter::Counter, family::Family, gauge::Gauge},
    registry::Registry,
};

use crate::guard::Reason;

/// Upper bounds of the buckets of a request's time, in seconds; the last one is everything above.
const BOUNDS: [f64; 13] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, f64::INFINITY];

/// Counts of requests, refusals and connections. Cloning shares the counts.
#[derive(Debug, Clone)]
pub struct Metrics(Arc<Counts>);

#[derive(Debug)]
struct Counts {
    by_class: Family<ClassLabel, Counter>,
    by_reason: Family<ReasonLabel, Counter>,
    /// The same counters as in the families, found by index instead of by hash.
    classes: [Counter; 5],
    reasons: [Counter; Reason::ALL.len()],
    in_flight: Gauge,
    connections: Gauge,
    seconds: Times,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ClassLabel {
    status: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ReasonLabel {
    reason: &'static str,
}

impl Default for Metrics {
    fn default() -> Self {
        let by_class = Family::<ClassLabel, Counter>::default();
        let by_reason = Family::<ReasonLabel, Counter>::default();
        let classes = ["1xx", "2xx", "3xx", "4xx", "5xx"]
            .map(|status| by_class.get_or_create_owned(&ClassLabel { status }));
        let reasons = Reason::ALL
            .map(|reason| by_reason.get_or_create_owned(&ReasonLabel { reason: reason.name() }));
        Self(Arc::new(Counts {
            by_class,
            by_reason,
            classes,
            reasons,
            in_flight: Gauge::default(),
            connections: Gauge::default(),
            seconds: Times::default(),
        }))
    }
}

impl Metrics {
    pub fn register(&self, registry: &mut Registry) {
        let counts = &self.0;
        registry.register("http_requests", "Requests answered", counts.by_class.clone());
        registry.register("http_refusals", "Requests refused, by why", counts.by_reason.clone());
        let help = "Requests whose answer has not begun";
        registry.register("http_requests_in_flight", help, counts.in_flight.clone());
        registry.register("http_connections", "Open connections", counts.connections.clone());
        let help = "Seconds from a request's head to its answer's head";
        registry.register("http_request_seconds", help, counts.seconds.clone());
    }

    pub(crate) fn answered(&self, status: StatusCode, took: Duration) {
        let class = usize::from(status.as_u16() / 100).clamp(1, 5) - 1;
        self.0.classes[class].inc();
        self.0.seconds.observe(took);
    }

    pub(crate) fn refused(&self, reason: Reason) {
        self.0.reasons[reason as usize].inc();
    }

    /// Counts a request until the guard is dropped; says how many there are with it.
    pub(crate) fn enter(&self) -> (Counted, i64) {
        (Counted(self.0.in_flight.clone()), self.0.in_flight.inc() + 1)
    }

    pub(crate) fn connected(&self) -> (Counted, i64) {
        (Counted(self.0.connections.clone()), self.0.connections.inc() + 1)
    }
}

/// Something that is counted as long as it lives.
#[derive(Debug)]
pub(crate) struct Counted(Gauge);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// A histogram without a lock.
#[derive(Clone, Default)]
struct Times(Arc<TimesInner>);

#[derive(Default)]
struct TimesInner {
    buckets: [AtomicU64; BOUNDS.len()],
    nanos: AtomicU64,
}

impl Times {
    fn observe(&self, took: Duration) {
        let seconds = took.as_secs_f64();
        let at = BOUNDS.iter().position(|bound| seconds <= *bound).unwrap_or(BOUNDS.len() - 1);
        self.0.buckets[at].fetch_add(1, Relaxed);
        let nanos = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        self.0.nanos.fetch_add(nanos, Relaxed);
    }
}

impl fmt::Debug for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Times")
    }
}

impl EncodeMetric for Times {
    fn encode(&self, mut encoder: MetricEncoder<'_>) -> fmt::Result {
        let counts = self.0.buckets.each_ref().map(|bucket| bucket.load(Relaxed));
        let buckets: Vec<(f64, u64)> = BOUNDS.into_iter().zip(counts).collect();
        let sum = Duration::from_nanos(self.0.nanos.load(Relaxed)).as_secs_f64();
        encoder.encode_histogram::<NoLabelSet>(sum, counts.iter().sum(), &buckets, None)
    }

    fn metric_type(&self) -> MetricType {
        MetricType::Histogram
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_has_classes_reasons_and_cumulative_buckets() {
        let metrics = Metrics::default();
        let mut registry = Registry::default();
        metrics.register(&mut registry);
        metrics.answered(StatusCode::OK, Duration::from_millis(2));
        metrics.answered(StatusCode::FORBIDDEN, Duration::from_mins(1));
        metrics.refused(Reason::Host);
        let mut text = String::new();
        prometheus_client::encoding::text::encode(&mut text, &registry).unwrap();
        assert!(text.contains("http_requests_total{status=\"2xx\"} 1"), "{text}");
        assert!(text.contains("http_refusals_total{reason=\"host\"} 1"), "{text}");
        assert!(text.contains("http_request_seconds_bucket{le=\"0.0025\"} 1"), "{text}");
        assert!(text.contains("http_request_seconds_bucket{le=\"+Inf\"} 2"), "{text}");
    }
}
