//! How large a result may be, and what happens beyond. Start at [`Limits`]; engines count with a [`Meter`].

use std::time::Duration;

use serde_json::Value;

use crate::Error;

/// When a result is too large or takes too long.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub rows: usize,
    /// Of the result as the engine hands it over, about.
    pub bytes: usize,
    /// For one statement; without, as long as it takes.
    pub time: Option<Duration>,
    /// What happens to a result with more rows or bytes.
    pub beyond: Beyond,
}

/// What becomes of a result that is too large.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Beyond {
    /// It is refused: [`Error::TooManyRows`], [`Error::TooManyBytes`].
    #[default]
    Refuse,
    /// Its first rows are kept, and [`Rows::cut`] says so.
    Cut,
}

impl Default for Limits {
    fn default() -> Self {
        Self { rows: 1_000_000, bytes: 1 << 30, time: None, beyond: Beyond::Refuse }
    }
}

/// The rows of a statement.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rows {
    /// Objects, in the form of docs/malloy.md.
    pub rows: Vec<Value>,
    /// The limit that cut rows off at the end, if one did.
    pub cut: Option<Cut>,
}

/// A table that was made of a select.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// How statements name it.
    pub table: String,
    /// What it takes, about; nothing where only the select is kept and runs each time.
    pub bytes: usize,
}

impl Kept {
    /// Says no where a table is larger than allowed.
    pub fn within(self, rows: usize, limits: &Limits) -> Result<Self, Error> {
        if rows > limits.rows {
            return Err(Error::TooManyRows { limit: limits.rows });
        }
        if self.bytes > limits.bytes {
            return Err(Error::TooManyBytes { limit: limits.bytes });
        }
        Ok(self)
    }
}

/// A limit that was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    Rows,
    Bytes,
}

/// Counts what arrives against limits.
#[derive(Debug)]
pub struct Meter {
    limits: Limits,
    rows: usize,
    bytes: usize,
    cut: Option<Cut>,
}

impl Meter {
    pub fn new(limits: &Limits) -> Self {
        Self { limits: *limits, rows: 0, bytes: 0, cut: None }
    }

    /// So many rows arrived. Says how many of them may be kept; where that is not all, [`Meter::cut`] is set, and there is no need to read on.
    pub fn take(&mut self, rows: usize, bytes: usize) -> Result<usize, Error> {
        let Limits { rows: most_rows, bytes: most_bytes, beyond, .. } = self.limits;
        let mut keep = rows;
        if self.rows + rows > most_rows {
            keep = most_rows - self.rows;
            self.cut = Some(Cut::Rows);
        }
        let left = most_bytes.saturating_sub(self.bytes);
        if bytes > left {
            // Rows of one batch are taken to be of one size.
            let fit = rows * left / bytes;
            if fit < keep {
                keep = fit;
                self.cut = Some(Cut::Bytes);
            }
        }
        match (self.cut, beyond) {
            (Some(Cut::Rows), Beyond::Refuse) => Err(Error::TooManyRows { limit: most_rows }),
            (Some(Cut::Bytes), Beyond::Refuse) => Err(Error::TooManyBytes { limit: most_bytes }),
            _ => {
                self.rows += keep;
                self.bytes += bytes;
                Ok(keep)
            }
        }
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    pub fn cut(&self) -> Option<Cut> {
        self.cut
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meter(rows: usize, bytes: usize, beyond: Beyond) -> Meter {
        Meter::new(&Limits { rows, bytes, beyond, ..Limits::default() })
    }

    #[test]
    fn the_first_rows_are_kept_up_to_the_limit() {
        let mut meter = meter(10, 1_000, Beyond::Cut);
        assert_eq!((meter.take(8, 80), meter.cut()), (Ok(8), None));
        assert_eq!((meter.take(2, 20), meter.cut()), (Ok(2), None));
        assert_eq!((meter.take(1, 10), meter.cut()), (Ok(0), Some(Cut::Rows)));
    }

    #[test]
    fn bytes_cut_within_a_batch() {
        let mut meter = meter(100, 1_000, Beyond::Cut);
        assert_eq!((meter.take(10, 600), meter.cut()), (Ok(10), None));
        assert_eq!((meter.take(10, 800), meter.cut()), (Ok(5), Some(Cut::Bytes)));
    }

    #[test]
    fn what_is_too_large_is_refused_by_default() {
        let mut narrow = meter(10, 1_000, Beyond::Refuse);
        assert_eq!(narrow.take(11, 11), Err(Error::TooManyRows { limit: 10 }));
        let mut small = meter(10, 1_000, Beyond::Refuse);
        assert_eq!(small.take(1, 1_001), Err(Error::TooManyBytes { limit: 1_000 }));
    }
}
