//! Moments in time, as arguments bring them: a core reads no clock.

use std::fmt;

use serde::{Deserialize, Serialize};

const DAY: i64 = 86_400_000;

/// Milliseconds since 1970, UTC.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Moment(pub i64);

impl Moment {
    /// As records show it: `2025-01-15T10:30:00Z`.
    pub fn rfc3339_seconds(self) -> String {
        let (date, time) = (self.date(), self.0.rem_euclid(DAY) / 1000);
        format!("{date}T{:02}:{:02}:{:02}Z", time / 3600, time / 60 % 60, time % 60)
    }

    /// As entries of the journal show it: `2025-01-15T10:30:00.123Z`.
    pub fn rfc3339_millis(self) -> String {
        let mut text = self.rfc3339_seconds();
        text.pop();
        format!("{text}.{:03}Z", self.0.rem_euclid(1000))
    }

    fn date(self) -> Date {
        Date::of(self.0.div_euclid(DAY))
    }
}

/// A day of the Gregorian calendar.
struct Date {
    year: i64,
    month: i64,
    day: i64,
}

impl Date {
    /// Counts in years that begin in March, so that the leap day is the last of a year and all months before it have
    /// fixed places: the n-th month since March begins on day (153 n + 2) / 5.
    fn of(days_since_1970: i64) -> Self {
        // 400 years are always 146 097 days; 1970 began 719 468 days after the March of year 0.
        let days = days_since_1970 + 719_468;
        let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year_of_era =
            (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let since_march = (5 * day_of_year + 2) / 153;
        let month = if since_march < 10 { since_march + 3 } else { since_march - 9 };
        Self {
            year: era * 400 + year_of_era + i64::from(month <= 2),
            month,
            day: day_of_year - (153 * since_march + 2) / 5 + 1,
        }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_read_as_people_write_them() {
        let shown = |ms| Moment(ms).rfc3339_seconds();
        assert_eq!(shown(0), "1970-01-01T00:00:00Z");
        assert_eq!(shown(1_736_937_000_999), "2025-01-15T10:30:00Z");
        assert_eq!(shown(951_782_400_000), "2000-02-29T00:00:00Z");
        assert_eq!(shown(-1), "1969-12-31T23:59:59Z");
        assert_eq!(Moment(1_736_937_000_007).rfc3339_millis(), "2025-01-15T10:30:00.007Z");
        assert_eq!(Moment(-1).rfc3339_millis(), "1969-12-31T23:59:59.999Z");
    }

    #[test]
    fn every_day_of_four_centuries_follows_the_day_before() {
        let leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let (mut year, mut month, mut day) = (1970, 1, 1);
        for days in 0..146_097 {
            let date = Date::of(days);
            assert_eq!((date.year, date.month, date.day), (year, month, day));
            day += 1;
            let length = match month {
                2 => 28 + i64::from(leap(year)),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            if day > length {
                (month, day) = (month + 1, 1);
            }
            if month > 12 {
                (year, month) = (year + 1, 1);
            }
        }
    }

    #[test]
    fn no_moment_is_too_far_away() {
        assert!(Moment(i64::MAX).rfc3339_millis().ends_with('Z'));
        assert!(Moment(i64::MIN).rfc3339_millis().ends_with('Z'));
    }
}
