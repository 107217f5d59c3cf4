//! Line breaks and blank lines: what two texts may differ in and still say the same.

/// How the lines of a file end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Break {
    Lf,
    CrLf,
}

impl Break {
    /// What most lines of `text` end with.
    pub(crate) fn of(text: &str) -> Self {
        let all = memchr::memchr_iter(b'\n', text.as_bytes()).count();
        let long = memchr::memmem::find_iter(text.as_bytes(), "\r\n").count();
        if long > all - long { Self::CrLf } else { Self::Lf }
    }

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
        }
    }

    /// `plain`, whose lines end with `\n`, with these breaks.
    pub(crate) fn write(self, plain: &str) -> String {
        match self {
            Self::Lf => plain.to_owned(),
            Self::CrLf => plain.replace('\n', "\r\n"),
        }
    }
}

/// A block by what it says: its lines end with `\n`, and nothing blank is at its end.
pub(crate) fn plain(block: &str) -> String {
    block.trim_end().replace("\r\n", "\n")
}

/// What follows the heading of a plain block, whose name is known otherwise.
pub(crate) fn body(plain: &str) -> &str {
    plain.split_once('\n').map_or("", |(_, body)| body)
}

/// Where the last line of `text[..end]` ends that is not blank; its own line break is not included.
pub(crate) fn content_end(text: &str, end: usize) -> usize {
    let text = &text[..end];
    let content = text.trim_end().len();
    let rest = &text[content..];
    let line = rest.find('\n').map_or(rest, |at| &rest[..at]);
    content + line.strip_suffix('\r').unwrap_or(line).len()
}
