//! Times: literals, truncation, extraction, differences.

use malloy_syntax::tree::{self, ExprKind, TimeLiteral};
use malloy_syntax::{Diagnostic, Span};

use crate::analyser::Analyser;
use crate::build::{Build, Scope};
use crate::ir::{Expr, ExtractUnit, Literal, TimeUnit, Type};
use crate::typed::{Ty, Typed};

/// The unit, in the form that compiled queries have it.
pub(crate) fn unit_of(unit: tree::TimeUnit) -> TimeUnit {
    match unit {
        tree::TimeUnit::Second => TimeUnit::Second,
        tree::TimeUnit::Minute => TimeUnit::Minute,
        tree::TimeUnit::Hour => TimeUnit::Hour,
        tree::TimeUnit::Day => TimeUnit::Day,
        tree::TimeUnit::Week => TimeUnit::Week,
        tree::TimeUnit::Month => TimeUnit::Month,
        tree::TimeUnit::Quarter => TimeUnit::Quarter,
        tree::TimeUnit::Year => TimeUnit::Year,
    }
}

/// A moment of the calendar: what a literal begins or ends with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Moment {
    /// Days since 1970-01-01.
    pub(crate) days: i64,
    /// Seconds of the day.
    pub(crate) seconds: i64,
    /// Digits after the second.
    pub(crate) fraction: Option<String>,
}

impl Moment {
    pub(crate) fn new(year: i64, month: i64, day: i64, seconds: i64) -> Moment {
        Moment { days: days_from_civil(year, month, day), seconds, fraction: None }
    }

    pub(crate) fn of(literal: &TimeLiteral) -> Moment {
        let seconds = i64::from(literal.hour) * 3600
            + i64::from(literal.minute) * 60
            + i64::from(literal.second);
        let mut moment =
            Moment::new(literal.year.into(), literal.month.into(), literal.day.into(), seconds);
        moment.fraction = literal.fraction.as_deref().map(str::to_owned);
        moment
    }

    /// So many units later.
    pub(crate) fn plus(&self, count: i64, unit: TimeUnit) -> Moment {
        let (year, month, day) = civil_from_days(self.days);
        let months = |count: i64| {
            let total = year * 12 + month - 1 + count;
            let (year, month) = (total.div_euclid(12), total.rem_euclid(12) + 1);
            let last = days_from_civil(year + month / 12, month % 12 + 1, 1)
                - days_from_civil(year, month, 1);
            Moment { days: days_from_civil(year, month, day.min(last)), ..self.clone() }
        };
        let seconds = |count: i64| {
            let total = self.seconds + count;
            Moment {
                days: self.days + total.div_euclid(86_400),
                seconds: total.rem_euclid(86_400),
                ..self.clone()
            }
        };
        match unit {
            TimeUnit::Year => months(12 * count),
            TimeUnit::Quarter => months(3 * count),
            TimeUnit::Month => months(count),
            TimeUnit::Week => Moment { days: self.days + 7 * count, ..self.clone() },
            TimeUnit::Day => Moment { days: self.days + count, ..self.clone() },
            TimeUnit::Hour => seconds(3600 * count),
            TimeUnit::Minute => seconds(60 * count),
            TimeUnit::Second => seconds(count),
        }
    }

    pub(crate) fn date_text(&self) -> String {
        let (year, month, day) = civil_from_days(self.days);
        format!("{year:04}-{month:02}-{day:02}")
    }

    fn timestamp_text(&self) -> String {
        let (hour, minute, second) =
            (self.seconds / 3600, self.seconds / 60 % 60, self.seconds % 60);
        let fraction =
            self.fraction.as_ref().map(|digits| format!(".{digits}")).unwrap_or_default();
        format!("{} {hour:02}:{minute:02}:{second:02}{fraction}", self.date_text())
    }

    /// As a constant of a type of time, on the clock of a zone.
    pub(crate) fn literal(&self, ty: &Type, zone: Option<&str>) -> Expr {
        Expr::Literal(match ty {
            Type::Date(_) => Literal::Date(self.date_text()),
            Type::Timestamptz(_) => Literal::Timestamptz {
                text: self.timestamp_text(),
                zone: zone.unwrap_or("UTC").to_owned(),
            },
            _ => Literal::Timestamp { text: self.timestamp_text(), zone: zone.map(str::to_owned) },
        })
    }
}

/// A time literal by itself.
pub(crate) fn literal_value(literal: &TimeLiteral, zone: Option<&str>) -> Typed {
    let unit = literal.shape.unit().map(unit_of);
    let ty = if literal.zone.is_some() {
        Type::Timestamptz(unit)
    } else if literal.shape.is_date() {
        Type::Date(unit)
    } else {
        Type::Timestamp(unit)
    };
    let zone = literal.zone.as_deref().or(zone);
    Typed::constant(Moment::of(literal).literal(&ty, zone), Ty::Is(ty))
}

/// A time so many units later.
pub(crate) fn offset(
    expr: Expr,
    amount: Expr,
    unit: TimeUnit,
    ty: &Type,
    zone: Option<&str>,
) -> Expr {
    let zone = calendar_zone(unit, ty, zone);
    Expr::Offset { expr: Box::new(expr), amount: Box::new(amount), unit, ty: ty.clone(), zone }
}

/// The start of the unit.
pub(crate) fn truncated(expr: Expr, unit: TimeUnit, ty: &Type, zone: Option<&str>) -> Expr {
    let zone = calendar_zone(unit, ty, zone);
    Expr::Truncate { expr: Box::new(expr), unit, ty: ty.clone(), zone }
}

fn calendar_zone(unit: TimeUnit, ty: &Type, zone: Option<&str>) -> Option<String> {
    let matters = unit.is_calendar() && !matches!(ty, Type::Date(_));
    zone.filter(|_| matters).map(str::to_owned)
}

impl Analyser<'_> {
    pub(super) fn truncate(
        &mut self,
        b: &mut Build,
        s: &Scope,
        value: &tree::Expr,
        unit: tree::TimeUnit,
        span: Span,
    ) -> Typed {
        let operand = self.expr(b, s, value);
        self.truncate_value(s, operand, unit_of(unit), value.span.cover(span))
    }

    pub(crate) fn truncate_value(
        &mut self,
        s: &Scope,
        operand: Typed,
        unit: TimeUnit,
        span: Span,
    ) -> Typed {
        let Some(ty) = operand.value_type().cloned() else { return Typed::error() };
        if !ty.is_time() {
            let message = format!(
                "only a time can be truncated to a {}, not a `{}`",
                unit.name(),
                operand.ty.name()
            );
            self.error("unsupported-type-for-time-truncation", span, message);
            return Typed::error();
        }
        if matches!(ty, Type::Date(_)) && unit < TimeUnit::Day {
            let message = format!("a date has no {}", unit.name());
            self.error("invalid-timeframe-for-time-truncation", span, message);
            return Typed::error();
        }
        let result = ty.clone().with_unit(Some(unit));
        operand.map(Ty::Is(result), |expr| truncated(*expr, unit, &ty, s.zone.as_deref()))
    }

    /// `month(t)`, `days(a to b)`, `day_of_week(t)`: `None` if the name is none of these.
    pub(super) fn time_function(
        &mut self,
        b: &mut Build,
        s: &Scope,
        call: &tree::Call,
        span: Span,
    ) -> Option<Typed> {
        if call.path.is_some() || call.raw.is_some() {
            return None;
        }
        let name = call.name.text.to_lowercase();
        let unit = match (call.unit, name.as_str()) {
            (Some(unit), _) => extract_unit(unit),
            (None, "day_of_week") => ExtractUnit::DayOfWeek,
            (None, "day_of_year") => ExtractUnit::DayOfYear,
            _ => return None,
        };
        let [argument] = call.arguments.as_slice() else {
            let message = format!("`{name}` takes one argument");
            self.error("too-many-arguments-for-time-extraction", span, message);
            return Some(Typed::error());
        };
        if let ExprKind::Range { from, until } = &argument.unparenthesized().kind {
            let Some(unit) = call.unit else {
                self.error(
                    "invalid-timeframe-for-measurement",
                    span,
                    format!("`{name}` does not measure ranges"),
                );
                return Some(Typed::error());
            };
            return Some(self.difference(b, s, unit_of(unit), from, until, span));
        }
        let value = self.expr(b, s, argument);
        let Some(ty) = value.value_type().cloned() else { return Some(Typed::error()) };
        if !ty.is_time() {
            let message = format!("`{name}` needs a time, not a `{}`", value.ty.name());
            self.error("unsupported-type-for-time-extraction", span, message);
            return Some(Typed::error());
        }
        let is_clock =
            matches!(unit, ExtractUnit::Hour | ExtractUnit::Minute | ExtractUnit::Second);
        let date = matches!(ty, Type::Date(_));
        // The clock of a date stands at midnight, in any zone.
        let (value, ty) = if date && is_clock {
            let midnight = Type::Timestamp(None);
            (super::coerce(value, &midnight, None), midnight)
        } else {
            (value, ty)
        };
        let zone = s.zone.as_deref().filter(|_| !date).map(str::to_owned);
        Some(value.map(Ty::Is(Type::INTEGER), |expr| Expr::Extract { expr, unit, ty, zone }))
    }

    /// `days(from to until)`
    fn difference(
        &mut self,
        b: &mut Build,
        s: &Scope,
        unit: TimeUnit,
        from: &tree::Expr,
        until: &tree::Expr,
        span: Span,
    ) -> Typed {
        let start = self.expr(b, s, from);
        let end = self.expr(b, s, until);
        let (Some(left), Some(right)) = (start.value_type().cloned(), end.value_type().cloned())
        else {
            return Typed::error();
        };
        for (ty, written) in [(&left, from), (&right, until)] {
            if !ty.is_time() {
                let message =
                    format!("only times can be measured, not a `{}`", Ty::Is(ty.clone()).name());
                self.error("invalid-type-for-time-extraction", written.span, message);
                return Typed::error();
            }
        }
        let written_day = |e: &tree::Expr| matches!(e.unparenthesized().kind, ExprKind::Time(_));
        let measurable = match (&left, &right) {
            (Type::Date(_), Type::Date(_))
            | (Type::Timestamp(_), Type::Timestamp(_))
            | (Type::Timestamptz(_), Type::Timestamptz(_)) => true,
            (Type::Date(_), _) => written_day(from),
            (_, Type::Date(_)) => written_day(until),
            _ => false,
        };
        if !measurable {
            let (left, right) = (start.ty.name(), end.ty.name());
            let message = format!("what is between a {left} and a {right} cannot be measured");
            self.report(
                Diagnostic::error("invalid-types-for-time-measurement", from.span, message)
                    .with_help("cast one of them to the type of the other"),
            );
            return Typed::error();
        }
        let as_dates = matches!((&left, &right), (Type::Date(_), Type::Date(_)));
        if unit >= TimeUnit::Week && !as_dates {
            let message = format!("{}s between timestamps cannot be counted", unit.name());
            self.report(
                Diagnostic::error("invalid-timeframe-for-time-measurement", span, message)
                    .with_help("make both dates: `::date`"),
            );
            return Typed::error();
        }
        let ty = match (&left, &right) {
            (Type::Date(_), Type::Date(_)) if unit >= TimeUnit::Day => Type::Date(None),
            (Type::Timestamptz(_), Type::Timestamptz(_)) => Type::Timestamptz(None),
            _ => Type::Timestamp(None),
        };
        let start = super::coerce(start, &ty, s.zone.as_deref());
        let end = super::coerce(end, &ty, s.zone.as_deref());
        let expr = Expr::Diff {
            from: Box::new(start.expr.clone()),
            to: Box::new(end.expr.clone()),
            unit,
            ty,
        };
        Typed::of(expr, Ty::Is(Type::INTEGER), &[&start, &end])
    }
}

fn extract_unit(unit: tree::TimeUnit) -> ExtractUnit {
    match unit {
        tree::TimeUnit::Second => ExtractUnit::Second,
        tree::TimeUnit::Minute => ExtractUnit::Minute,
        tree::TimeUnit::Hour => ExtractUnit::Hour,
        tree::TimeUnit::Day => ExtractUnit::Day,
        tree::TimeUnit::Week => ExtractUnit::Week,
        tree::TimeUnit::Month => ExtractUnit::Month,
        tree::TimeUnit::Quarter => ExtractUnit::Quarter,
        tree::TimeUnit::Year => ExtractUnit::Year,
    }
}

/// Days since 1970-01-01 in the Gregorian calendar, by counting 400-year cycles from a March.
pub(crate) fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let cycle = year.div_euclid(400);
    let year_of_cycle = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    cycle * 146_097 + year_of_cycle * 365 + year_of_cycle / 4 - year_of_cycle / 100 + day_of_year
        - 719_468
}

/// Year, month and day of a day since 1970-01-01.
pub(crate) fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let cycle = days.div_euclid(146_097);
    let day = days.rem_euclid(146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = cycle * 400 + year + i64::from(month <= 2);
    (year, month, day_of_year - (153 * shifted + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_dates_turn_into_each_other() {
        for days in (-800_000..800_000).step_by(997) {
            let (year, month, day) = civil_from_days(days);
            assert_eq!(days_from_civil(year, month, day), days);
        }
        assert_eq!(days_from_civil(1970, 1, 1), 0);
        assert_eq!(days_from_civil(2024, 2, 29), 19_782);
    }

    #[test]
    fn a_month_later_is_within_the_month() {
        let text = |moment: Moment| moment.date_text();
        assert_eq!(text(Moment::new(2024, 1, 31, 0).plus(1, TimeUnit::Month)), "2024-02-29");
        assert_eq!(text(Moment::new(2021, 12, 1, 0).plus(1, TimeUnit::Quarter)), "2022-03-01");
        assert_eq!(text(Moment::new(2021, 12, 31, 86_399).plus(1, TimeUnit::Second)), "2022-01-01");
    }
}
