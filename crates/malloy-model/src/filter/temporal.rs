//! Filters of dates and timestamps, by the clock of the query's zone.

use malloy_syntax::filter::{Moment, TemporalClause, Weekday};
use malloy_syntax::tree::{self, TimeShape};

use super::binary;
use crate::expr::{Moment as Point, offset, truncated, unit_of};
use crate::ir::{BinaryOp, Expr, ExtractUnit, Literal, TimeUnit, Type};

/// What is filtered, and how moments become values of its type.
pub(super) struct Clock<'c> {
    left: &'c Expr,
    ty: &'c Type,
    /// What moments are worked out in: a timestamp also for dates, since `now` is one.
    work: Type,
    zone: Option<&'c str>,
}

impl<'c> Clock<'c> {
    pub(super) fn new(left: &'c Expr, ty: &'c Type, zone: Option<&'c str>) -> Clock<'c> {
        let work = match ty {
            Type::Timestamptz(_) => Type::Timestamptz(None),
            _ => Type::Timestamp(None),
        };
        Clock { left, ty, work, zone }
    }

    pub(super) fn clause(&self, clause: &TemporalClause, negated: bool) -> Expr {
        match clause {
            TemporalClause::In(moment) => {
                let (start, end) = self.moment(moment);
                match end {
                    Some(end) => self.within(start, end, negated),
                    None if negated => Expr::OrTrue(Box::new(self.test(BinaryOp::NotEqual, start))),
                    None => self.test(BinaryOp::Equal, start),
                }
            }
            TemporalClause::Before(moment) => {
                let (start, _) = self.moment(moment);
                self.test(if negated { BinaryOp::GreaterOrEqual } else { BinaryOp::Less }, start)
            }
            TemporalClause::After(moment) => match self.moment(moment) {
                (_, Some(end)) => {
                    self.test(if negated { BinaryOp::Less } else { BinaryOp::GreaterOrEqual }, end)
                }
                (start, None) => self
                    .test(if negated { BinaryOp::LessOrEqual } else { BinaryOp::Greater }, start),
            },
            TemporalClause::To { from, to } => {
                self.within(self.moment(from).0, self.moment(to).0, negated)
            }
            TemporalClause::For { from, count, unit } => {
                let (start, _) = self.moment(from);
                let end = self.later(start.clone(), count_of(i64::from(*count)), unit_of(*unit));
                self.within(start, end, negated)
            }
            TemporalClause::InLast { count, unit } => {
                self.window(*unit, 1 - i64::from(*count), 1, negated)
            }
            TemporalClause::Last { count, unit } => {
                self.window(*unit, -i64::from(*count), 0, negated)
            }
            TemporalClause::Next { count, unit } => {
                self.window(*unit, 1, 1 + i64::from(*count), negated)
            }
        }
    }

    /// When a moment begins, and when it ends if it lasts.
    fn moment(&self, moment: &Moment) -> (Expr, Option<Expr>) {
        let around = |unit, from: i64| (self.around(unit, from), Some(self.around(unit, from + 1)));
        match moment {
            Moment::Now => (self.now(), None),
            Moment::Today => around(TimeUnit::Day, 0),
            Moment::Yesterday => around(TimeUnit::Day, -1),
            Moment::Tomorrow => around(TimeUnit::Day, 1),
            Moment::This(unit) => around(unit_of(*unit), 0),
            Moment::Last(unit) => around(unit_of(*unit), -1),
            Moment::Next(unit) => around(unit_of(*unit), 1),
            Moment::Ago { count, unit } => around(unit_of(*unit), -i64::from(*count)),
            Moment::FromNow { count, unit } => around(unit_of(*unit), i64::from(*count)),
            Moment::LastWeekday(day) => {
                // From 1 to 7 days back: `(today - day + 6) mod 7 + 1`.
                let back = self.days_apart(&|today| subtract(today, count_of(index(*day))));
                let start = self.later(
                    self.around(TimeUnit::Day, 0),
                    Expr::Negate(Box::new(back)),
                    TimeUnit::Day,
                );
                let end = self.later(start.clone(), count_of(1), TimeUnit::Day);
                (start, Some(end))
            }
            Moment::NextWeekday(day) => {
                let ahead = self.days_apart(&|today| subtract(count_of(index(*day)), today));
                let start = self.later(self.around(TimeUnit::Day, 0), ahead, TimeUnit::Day);
                let end = self.later(start.clone(), count_of(1), TimeUnit::Day);
                (start, Some(end))
            }
            Moment::Literal(literal) => {
                let mut start = Point::of(literal);
                if literal.shape == TimeShape::Week {
                    // A week is named by any of its days. 1970-01-01 was a Thursday.
                    start.days -= (start.days + 4).rem_euclid(7);
                }
                let zone = literal.zone.as_deref().or(self.zone);
                let end = literal
                    .shape
                    .unit()
                    .map(|unit| start.plus(1, unit_of(unit)).literal(&self.work, zone));
                (start.literal(&self.work, zone), end)
            }
        }
    }

    fn window(&self, unit: tree::TimeUnit, from: i64, to: i64, negated: bool) -> Expr {
        let unit = unit_of(unit);
        self.within(self.around(unit, from), self.around(unit, to), negated)
    }

    /// The start of the current unit, or of one so many later.
    fn around(&self, unit: TimeUnit, later: i64) -> Expr {
        let start = truncated(self.now(), unit, &self.work, self.zone);
        if later == 0 { start } else { self.later(start, count_of(later), unit) }
    }

    /// `(difference + 6) mod 7 + 1`, where `today` counts from Sunday, which is 0.
    fn days_apart(&self, difference: &dyn Fn(Expr) -> Expr) -> Expr {
        let day = Expr::Extract {
            expr: Box::new(self.now()),
            unit: ExtractUnit::DayOfWeek,
            ty: self.work.clone(),
            zone: self.zone.map(str::to_owned),
        };
        let today = subtract(day, count_of(1));
        // Six more would do; thirteen keeps what is divided above zero.
        let shifted = binary(BinaryOp::Add, difference(today), count_of(13));
        binary(BinaryOp::Add, binary(BinaryOp::Modulo, shifted, count_of(7)), count_of(1))
    }

    fn later(&self, start: Expr, amount: Expr, unit: TimeUnit) -> Expr {
        offset(start, amount, unit, &self.work, self.zone)
    }

    fn now(&self) -> Expr {
        Expr::Now { ty: self.work.clone() }
    }

    fn within(&self, start: Expr, end: Expr, negated: bool) -> Expr {
        if negated {
            Expr::Or(vec![
                self.test(BinaryOp::Less, start),
                self.test(BinaryOp::GreaterOrEqual, end),
            ])
        } else {
            Expr::And(vec![
                self.test(BinaryOp::GreaterOrEqual, start),
                self.test(BinaryOp::Less, end),
            ])
        }
    }

    fn test(&self, op: BinaryOp, moment: Expr) -> Expr {
        binary(op, self.left.clone(), self.of_type(moment))
    }

    /// A moment as a value of the type that is filtered.
    fn of_type(&self, moment: Expr) -> Expr {
        if !matches!(self.ty, Type::Date(_)) {
            return moment;
        }
        match moment {
            Expr::Literal(Literal::Timestamp { text, .. }) => {
                Expr::Literal(Literal::Date(text.get(..10).unwrap_or_default().to_owned()))
            }
            other => Expr::Cast {
                expr: Box::new(other),
                from: self.work.clone(),
                to: Type::Date(None),
                safe: false,
                zone: self.zone.map(str::to_owned),
            },
        }
    }
}

fn count_of(count: i64) -> Expr {
    Expr::Literal(Literal::Number(count.to_string()))
}

fn subtract(left: Expr, right: Expr) -> Expr {
    binary(BinaryOp::Subtract, left, right)
}

/// Days after Sunday.
fn index(day: Weekday) -> i64 {
    match day {
        Weekday::Sunday => 0,
        Weekday::Monday => 1,
        Weekday::Tuesday => 2,
        Weekday::Wednesday => 3,
        Weekday::Thursday => 4,
        Weekday::Friday => 5,
        Weekday::Saturday => 6,
    }
}
