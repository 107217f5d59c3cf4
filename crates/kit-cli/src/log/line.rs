//! One event as one line: the time, the fields, and last what happened.

use std::fmt::{self, Debug, Write};

use tracing::{
    Event, Level, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{
    fmt::{FmtContext, FormatEvent, FormatFields, FormattedFields, format::Writer},
    registry::{LookupSpan, Scope},
};

use super::{digits::Digits, time::Time};

/// How a line is written.
#[derive(Debug, Clone, Copy)]
pub enum Line {
    Text { colors: bool },
    Json,
}

impl<S, N> FormatEvent<S, N> for Line
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut out: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let (level, target) = (*event.metadata().level(), event.metadata().target());
        let now = Time::now();
        let spans = spans(context)?;
        match *self {
            Self::Json => {
                push(&mut out, ["{\"timestamp\":\"", now.as_str(), "\",\"level\":\""])?;
                push(&mut out, [level.as_str(), "\",\"target\":\"", target, "\""])?;
                if !spans.is_empty() {
                    out.write_str(",\"spans\":\"")?;
                    Escaped(&mut out).write_str(&spans)?;
                    out.write_char('"')?;
                }
            }
            Self::Text { colors } => {
                let (begin, end) = if colors { (color(level), "\x1b[0m") } else { ("", "") };
                write!(out, "{} {begin}{:>5}{end} {target}", now.as_str(), level.as_str())?;
                if !spans.is_empty() {
                    write!(out, " [{spans}]")?;
                }
            }
        }
        let mut fields = Fields { line: *self, out: &mut out, message: None, result: Ok(()) };
        event.record(&mut fields);
        let (result, message) = (fields.result, fields.message);
        result?;
        match (self, message) {
            (Self::Json, Some(message)) => {
                out.write_str(",\"message\":\"")?;
                Escaped(&mut out).write_str(&message)?;
                out.write_str("\"}\n")
            }
            (Self::Json, None) => out.write_str("}\n"),
            (Self::Text { .. }, Some(message)) => writeln!(out, " {message}"),
            (Self::Text { .. }, None) => out.write_char('\n'),
        }
    }
}

/// Writes the parts one after the other; `write!` would cost several times as much.
fn push<const N: usize>(out: &mut Writer<'_>, parts: [&str; N]) -> fmt::Result {
    parts.into_iter().try_for_each(|part| out.write_str(part))
}

/// The spans around an event, the outermost first.
fn spans<S, N>(context: &FmtContext<'_, S, N>) -> Result<String, fmt::Error>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    let mut text = String::new();
    for span in context.event_scope().into_iter().flat_map(Scope::from_root) {
        if !text.is_empty() {
            text.push(':');
        }
        text.push_str(span.name());
        if let Some(fields) = span.extensions().get::<FormattedFields<N>>()
            && !fields.is_empty()
        {
            write!(text, "{{{fields}}}")?;
        }
    }
    Ok(text)
}

fn color(level: Level) -> &'static str {
    match level {
        Level::ERROR => "\x1b[31m",
        Level::WARN => "\x1b[33m",
        Level::INFO => "\x1b[32m",
        Level::DEBUG => "\x1b[34m",
        Level::TRACE => "\x1b[35m",
    }
}

/// Writes fields as they come and keeps the message for the end.
struct Fields<'a, 'w> {
    line: Line,
    out: &'a mut Writer<'w>,
    message: Option<String>,
    result: fmt::Result,
}

impl Fields<'_, '_> {
    /// A value that needs no quotes in either format.
    fn bare(&mut self, field: &Field, value: &str) {
        self.result = self.result.and_then(|()| match self.line {
            Line::Json => push(self.out, [",\"", field.name(), "\":", value]),
            Line::Text { .. } => push(self.out, [" ", field.name(), "=", value]),
        });
    }
}

impl Visit for Fields<'_, '_> {
    fn record_i64(&mut self, field: &Field, value: i64) {
        self.bare(field, Digits::signed(value).as_str());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.bare(field, Digits::unsigned(value).as_str());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.bare(field, if value { "true" } else { "false" });
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        if value.is_finite() {
            self.bare(field, &value.to_string());
        } else {
            self.record_str(field, &value.to_string());
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        let out = &mut *self.out;
        self.result = self.result.and_then(|()| match self.line {
            Line::Json => {
                push(out, [",\"", field.name(), "\":\""])?;
                Escaped(out).write_str(value)?;
                out.write_char('"')
            }
            Line::Text { .. } if is_word(value) => push(out, [" ", field.name(), "=", value]),
            Line::Text { .. } => write!(out, " {field}={value:?}"),
        });
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" {
            self.message = Some(format!("{value:?}"));
            return;
        }
        let out = &mut *self.out;
        self.result = self.result.and_then(|()| match self.line {
            Line::Json => {
                write!(out, ",\"{field}\":\"")?;
                write!(Escaped(out), "{value:?}")?;
                out.write_char('"')
            }
            Line::Text { .. } => write!(out, " {field}={value:?}"),
        });
    }
}

/// Reads well without quotes.
fn is_word(value: &str) -> bool {
    !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'"')
}

/// Writes the inside of a JSON string.
struct Escaped<'a, W>(&'a mut W);

impl<W: Write> Write for Escaped<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut written = 0;
        for (at, byte) in text.bytes().enumerate() {
            if byte >= b' ' && byte != b'"' && byte != b'\\' {
                continue;
            }
            self.0.write_str(&text[written..at])?;
            written = at + 1;
            match byte {
                b'"' | b'\\' => write!(self.0, "\\{}", char::from(byte))?,
                b'\n' => self.0.write_str("\\n")?,
                _ => write!(self.0, "\\u{byte:04x}")?,
            }
        }
        self.0.write_str(&text[written..])
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use insta::assert_snapshot;

    use super::*;

    #[derive(Clone, Default)]
    struct Paper(Arc<Mutex<Vec<u8>>>);

    impl std::io::Write for Paper {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    fn logged(line: Line) -> String {
        let paper = Paper::default();
        let writer = paper.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_ansi(false)
            .event_format(line)
            .with_writer(move || writer.clone())
            .finish();
        tracing::subscriber::with_default(subscriber, || {
            let span = tracing::info_span!("request", id = 7);
            let _inside = span.enter();
            let error = "a \"quoted\"\nline";
            tracing::info!(target: "http", path = "/a b", word = "x", n = 3, ms = 0.5, none = None::<u8>, ?error, "served {}", 1);
        });
        let text = String::from_utf8(paper.0.lock().unwrap().clone()).unwrap();
        // Everything but the time, which is another each time.
        let at = text.find("20").unwrap();
        text.replacen(&text[at..at + 27], "TIME", 1)
    }

    #[test]
    fn a_line_of_json_has_the_fields_before_the_prose() {
        let line = logged(Line::Json);
        serde_json::from_str::<serde_json::Value>(&line).unwrap();
        assert_snapshot!(line, @r#"{"timestamp":"TIME","level":"INFO","target":"http","spans":"request{id=7}","path":"/a b","word":"x","n":3,"ms":0.5,"error":"\"a \\\"quoted\\\"\\nline\"","message":"served 1"}"#);
    }

    #[test]
    fn a_line_of_text_has_them_too() {
        assert_snapshot!(logged(Line::Text { colors: false }), @r#"TIME  INFO http [request{id=7}] path="/a b" word=x n=3 ms=0.5 error="a \"quoted\"\nline" served 1"#);
    }
}
