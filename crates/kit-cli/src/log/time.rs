//! The moment of a line.

use std::time::{SystemTime, UNIX_EPOCH};

use super::digits::fill;

/// A moment as RFC 3339, in UTC, to the microsecond: `2026-11-16T00:40:30.096384Z`.
pub(super) struct Time([u8; 27]);

impl Time {
    pub(super) fn now() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self::new(since.as_secs(), since.subsec_micros())
    }

    fn new(seconds: u64, micros: u32) -> Self {
        let (days, rest) = (seconds / 86_400, seconds % 86_400);
        let (year, month, day) = date(days);
        let mut text = *b"0000-00-00T00:00:00.000000Z";
        fill(&mut text[0..4], year);
        fill(&mut text[5..7], month);
        fill(&mut text[8..10], day);
        fill(&mut text[11..13], rest / 3600);
        fill(&mut text[14..16], rest / 60 % 60);
        fill(&mut text[17..19], rest % 60);
        fill(&mut text[20..26], micros.into());
        Self(text)
    }

    pub(super) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// Year, month and day of a day since 1970. Counted in years that begin in March, so that the leap day is the
/// last of its year, and in eras of 400 years, which all have the same number of days.
fn date(since_1970: u64) -> (u64, u64, u64) {
    let days = since_1970 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let leaps = day_of_era / 1460 + day_of_era / 146_096 - day_of_era / 36_524;
    let year_of_era = (day_of_era - leaps) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), (1970, 1, 1));
        assert_eq!(date(11_016), (2000, 2, 29));
        assert_eq!(date(20_773), (2026, 11, 16));
        assert_eq!(date(47_540), (2100, 2, 28));
        assert_eq!(date(47_541), (2100, 3, 1));
    }

    #[test]
    fn a_moment_reads_as_rfc_3339() {
        assert_eq!(Time::new(1_794_789_630, 96_384).as_str(), "2026-11-16T00:40:30.096384Z");
    }
}
