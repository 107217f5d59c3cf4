//! Figures as Markdown.

use std::fmt::Write;

/// Adds a row of a table.
pub fn line<C: AsRef<str>>(text: &mut String, first: &str, cells: &[C]) {
    let cells: Vec<_> = cells.iter().map(AsRef::as_ref).collect();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "| {first} | {} |", cells.join(" | "));
}

pub fn ratio(value: f64) -> String {
    if value >= 10.0 { format!("{value:.1}") } else { format!("{value:.2}") }
}

/// With the unit that reads best, as [`size`] too.
pub fn time(seconds: f64) -> String {
    let micros = seconds * 1e6;
    if micros < 100.0 {
        format!("{micros:.1} µs")
    } else if micros < 1000.0 {
        format!("{micros:.0} µs")
    } else {
        format!("{:.1} ms", micros / 1000.0)
    }
}

pub fn size(bytes: f64) -> String {
    let kib = bytes / 1024.0;
    if kib < 1024.0 { format!("{kib:.1} KiB") } else { format!("{:.1} MiB", kib / 1024.0) }
}

/// Digits in groups of three.
pub fn grouped(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[expect(clippy::cast_precision_loss, reason = "bytes and counts here are far below 2^52")]
pub fn as_float(value: u64) -> f64 {
    value as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_the_unit_that_reads_best() {
        assert_eq!(time(0.000_012_34), "12.3 µs");
        assert_eq!(time(0.000_345), "345 µs");
        assert_eq!(time(0.0123), "12.3 ms");
        assert_eq!(size(2048.0), "2.0 KiB");
        assert_eq!(grouped(1_234_567.0), "1,234,567");
        assert_eq!(grouped(123.0), "123");
    }
}
