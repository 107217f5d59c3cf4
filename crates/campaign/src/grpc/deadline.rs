//! How long a call may take: what its client says, and never longer than half a minute.

use std::time::Duration;

use http::HeaderMap;

/// The longest that any call may take to be answered. A stream may go on once it has begun.
pub(super) const LONGEST: Duration = Duration::from_secs(30);

/// The time that this call has. A `grpc-timeout` that cannot be read counts as none, as everywhere in gRPC.
pub(super) fn of(headers: &HeaderMap) -> Duration {
    let wanted = headers.get("grpc-timeout").and_then(|value| parse(value.to_str().ok()?));
    wanted.map_or(LONGEST, |wanted| wanted.min(LONGEST))
}

/// At most eight digits and a letter for the unit: `250m` is a quarter of a second.
fn parse(text: &str) -> Option<Duration> {
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if digits.is_empty() || digits.len() > 8 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let count: u64 = digits.parse().ok()?;
    Some(match unit {
        "H" => Duration::from_secs(count * 3600),
        "M" => Duration::from_secs(count * 60),
        "S" => Duration::from_secs(count),
        "m" => Duration::from_millis(count),
        "u" => Duration::from_micros(count),
        "n" => Duration::from_nanos(count),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn given(timeout: &'static str) -> Duration {
        of(&HeaderMap::from_iter([(
            http::HeaderName::from_static("grpc-timeout"),
            HeaderValue::from_static(timeout),
        )]))
    }

    #[test]
    fn the_client_may_ask_for_less_but_not_for_more() {
        assert_eq!(given("250m"), Duration::from_millis(250));
        assert_eq!(given("7S"), Duration::from_secs(7));
        assert_eq!(given("12u"), Duration::from_micros(12));
        assert_eq!(given("99999999H"), LONGEST);
        assert_eq!(of(&HeaderMap::new()), LONGEST);
    }

    #[test]
    fn what_is_no_timeout_counts_as_none() {
        for text in ["", "S", "5", "123456789S", "-1S", "5x", "1.5S"] {
            assert_eq!(given(text), LONGEST, "{text}");
        }
    }
}
