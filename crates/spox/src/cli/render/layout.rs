//! Boxes, bars, columns and colours. Text is measured as a terminal shows it, and cut only between characters.

use std::borrow::Cow;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How wide to write.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::cli) struct Canvas {
    /// The columns of the terminal; none where the output is not one, and lines stay whole.
    pub(in crate::cli) columns: Option<usize>,
}

impl Canvas {
    /// The terminal that standard output is.
    pub(in crate::cli) fn of_terminal() -> Self {
        let size = terminal_size::terminal_size_of(std::io::stdout());
        // A window of no width is one whose width nobody knows.
        let columns = size.map(|(width, _)| usize::from(width.0)).filter(|columns| *columns > 0);
        Self { columns }
    }

    /// What is left beside an indentation, for lines to be broken at.
    fn beside(self, indent: usize) -> Option<usize> {
        self.columns.map(|columns| columns.saturating_sub(indent).max(LEAST))
    }
}

/// No line is broken shorter than this, however narrow the terminal.
const LEAST: usize = 16;

/// The colours, in the codes that terminals know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum Color {
    /// Headers and names.
    Header,
    /// What is added, done or well.
    Green,
    /// Labels, and what is modified.
    Yellow,
    /// What is removed or wrong.
    Red,
    /// What is renamed.
    Blue,
    /// Counts and what matters less.
    Dim,
}

impl Color {
    const fn code(self) -> &'static str {
        match self {
            Self::Header => "1;36",
            Self::Green => "32",
            Self::Yellow => "33",
            Self::Red => "31",
            Self::Blue => "34",
            Self::Dim => "2",
        }
    }

    /// `text` in this colour.
    pub(in crate::cli) fn paint(self, text: &str) -> String {
        match clean(text) {
            text if text.is_empty() => String::new(),
            text => format!("\x1b[{}m{text}\x1b[0m", self.code()),
        }
    }
}

/// `text` without what a terminal would obey instead of showing it: files come from anywhere.
pub(in crate::cli) fn clean(text: &str) -> Cow<'_, str> {
    if !text.chars().any(char::is_control) {
        return Cow::Borrowed(text);
    }
    let shown = |c: char| match c {
        '\t' | '\n' => ' ',
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    text.chars().map(shown).collect()
}

/// How many columns a text takes.
pub(in crate::cli) fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// `text` followed by blanks up to `columns`.
pub(in crate::cli) fn pad(text: &str, columns: usize) -> String {
    let text = clean(text);
    let blanks = columns.saturating_sub(width(&text));
    format!("{text}{}", " ".repeat(blanks))
}

/// `text` cut to `columns`, with `…` where it was.
pub(in crate::cli) fn fit(text: &str, columns: usize) -> String {
    let text = clean(text);
    if width(&text) <= columns {
        return text.into_owned();
    }
    let mut room = columns.saturating_sub(1);
    let fits = |c: &char| match room.checked_sub(c.width().unwrap_or(0)) {
        Some(left) => {
            room = left;
            true
        }
        None => false,
    };
    let mut cut: String = text.chars().take_while(fits).collect();
    cut.push('…');
    cut
}

/// The lines of `text`, each broken at blanks to fit beside an indentation of `indent` columns. A line that is continued keeps
/// its own indentation.
pub(in crate::cli) fn wrap(text: &str, indent: usize, canvas: Canvas) -> Vec<String> {
    let room = canvas.beside(indent);
    text.lines().flat_map(|line| wrap_line(line.trim_end(), room)).collect()
}

fn wrap_line(line: &str, room: Option<usize>) -> Vec<String> {
    let line = clean(line);
    let Some(room) = room.filter(|room| width(&line) > *room) else {
        return vec![line.into_owned()];
    };
    let own = line.len() - line.trim_start().len();
    let bullet = if line[own..].starts_with(['-', '*']) { 2 } else { 0 };
    let hanging = " ".repeat((own + bullet).min(room / 2));
    let mut lines = vec![line[..own].to_owned()];
    let mut empty = true;
    for word in line.split_whitespace() {
        for piece in pieces(word, room - hanging.len()) {
            let current = lines.last().map_or(0, |line| width(line));
            if !empty && current + 1 + width(&piece) > room {
                lines.push(hanging.clone());
                empty = true;
            }
            if let Some(last) = lines.last_mut() {
                last.push_str(if empty { "" } else { " " });
                last.push_str(&piece);
            }
            empty = false;
        }
    }
    lines
}

/// A word, or the parts of one that is too long for any line.
fn pieces(word: &str, room: usize) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut used = 0;
    for c in word.chars() {
        let columns = c.width().unwrap_or(0);
        if used + columns > room && used > 0 {
            pieces.push(String::new());
            used = 0;
        }
        if let Some(last) = pieces.last_mut() {
            last.push(c);
        }
        used += columns;
    }
    pieces
}

/// Where a box's title stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum Align {
    Left,
    Center,
}

/// A title in a box of `columns`, wider if the title is, never wider than the terminal. `label` comes before the title and is
/// not coloured.
pub(in crate::cli) fn boxed(
    label: &str,
    title: &str,
    columns: usize,
    align: Align,
    canvas: Canvas,
) -> String {
    const BORDERS: usize = 4;
    let needed = width(label) + width(&clean(title)) + BORDERS;
    let most = canvas.columns.unwrap_or(usize::MAX).max(LEAST);
    let inner = needed.max(columns).min(most) - BORDERS;
    let title = fit(title, inner - width(label).min(inner));
    let blanks = inner.saturating_sub(width(label) + width(&title));
    let left = if align == Align::Center { blanks / 2 } else { 0 };
    let line = "─".repeat(inner + 2);
    format!(
        "┌{line}┐\n│ {}{label}{}{} │\n└{line}┘",
        " ".repeat(left),
        Color::Header.paint(&title),
        " ".repeat(blanks - left),
    )
}

/// Twenty cells, as many full as parts are done; full only when everything is.
pub(in crate::cli) fn bar(done: usize, total: usize) -> String {
    const CELLS: usize = 20;
    let full = (CELLS * done.min(total)).checked_div(total).unwrap_or(0);
    let (full, rest) = ("█".repeat(full), "░".repeat(CELLS - full));
    format!("{}{}", Color::Green.paint(&full), Color::Dim.paint(&rest))
}

/// How much is done, rounded down: 100 only when everything is.
pub(in crate::cli) fn percent(done: usize, total: usize) -> usize {
    (100 * done.min(total)).checked_div(total).unwrap_or(0)
}

/// `1 error`, `2 errors`
pub(in crate::cli) fn count(number: usize, one: &str) -> String {
    format!("{number} {one}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use proptest::prelude::*;

    use super::*;

    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    fn at(columns: usize) -> Canvas {
        Canvas { columns: Some(columns) }
    }

    #[test]
    fn a_box_is_as_wide_as_it_looks() {
        let wide = boxed("Spec: ", "認証 und Prüfung 🎲", 40, Align::Left, Canvas::default());
        assert_snapshot!(plain(&wide), @r"
        ┌──────────────────────────────────────┐
        │ Spec: 認証 und Prüfung 🎲            │
        └──────────────────────────────────────┘
        ");
        let centred = boxed("", "Dashboard", 20, Align::Center, Canvas::default());
        assert_snapshot!(plain(&centred), @r"
        ┌──────────────────┐
        │    Dashboard     │
        └──────────────────┘
        ");
    }

    #[test]
    fn a_box_grows_with_its_title_and_shrinks_with_the_terminal() {
        let title = "a title that is longer than the box";
        assert_snapshot!(plain(&boxed("", title, 20, Align::Left, Canvas::default())), @r"
        ┌─────────────────────────────────────┐
        │ a title that is longer than the box │
        └─────────────────────────────────────┘
        ");
        assert_snapshot!(plain(&boxed("Spec: ", title, 61, Align::Left, at(24))), @r"
        ┌──────────────────────┐
        │ Spec: a title that … │
        └──────────────────────┘
        ");
    }

    #[test]
    fn a_bar_is_full_only_when_everything_is_done() {
        let shown = |done, total| plain(&bar(done, total));
        assert_eq!(shown(4, 6), "█████████████░░░░░░░");
        assert_eq!(shown(0, 0), "░".repeat(20));
        assert_eq!(shown(999, 1000), format!("{}░", "█".repeat(19)));
        assert_eq!(shown(3, 3), "█".repeat(20));
        assert_eq!(
            [percent(2, 3), percent(999, 1000), percent(3, 3), percent(0, 0)],
            [66, 99, 100, 0]
        );
    }

    #[test]
    fn lines_break_at_blanks_and_hang_below_their_bullet() {
        let text = "- one two three four five six\n\nshort";
        assert_eq!(wrap(text, 0, at(18)), ["- one two three", "  four five six", "", "short"]);
        assert_eq!(wrap(text, 0, Canvas::default())[0], "- one two three four five six");
        let kanji = "認証は利用者を確認する仕組みである";
        assert_eq!(wrap(kanji, 0, at(16)), ["認証は利用者を確", "認する仕組みであ", "る"]);
    }

    #[test]
    fn what_a_terminal_would_obey_is_not_passed_on() {
        assert_eq!(clean("a\x1b[2Jb\u{9b}1m\rc\td"), "a�[2Jb�1m�c d");
        assert_eq!(Color::Red.paint("\x1b"), "\x1b[31m�\x1b[0m");
        assert_eq!(Color::Red.paint(""), "");
    }

    proptest! {
        #[test]
        fn nothing_is_wider_than_asked_and_nothing_is_lost(text in "\\PC{0,60}", columns in 16_usize..40) {
            prop_assert!(width(&fit(&text, columns)) <= columns);
            let lines = wrap(&text, 0, at(columns));
            // A character may be wider than its part: joined emoji measure less together than apart, never more.
            prop_assert!(lines.iter().all(|line| width(line) <= columns + 2), "{lines:?}");
            let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(letters(&lines.concat()), letters(&clean(&text)));
        }

        #[test]
        fn every_line_of_a_box_is_equally_wide(title in "\\PC{0,80}", columns in 0_usize..100) {
            let drawn = plain(&boxed("Spec: ", &title, 61, Align::Left, at(columns)));
            let widths: Vec<_> = drawn.lines().map(width).collect();
            prop_assert_eq!(widths.len(), 3);
            prop_assert!(widths.iter().all(|one| *one == widths[0]), "{drawn}");
        }
    }
}
