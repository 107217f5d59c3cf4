//! The formatter: one way to lay out a text. Start at [`format()`].
//!
//! It moves white space and nothing else: every token and every comment stays, in its order. The tree says where lines may
//! break (`marks`), the tokens are laid out with those breaks (`layout`), and what does not fit into [`WIDTH`] is
//! broken from the outside in (`print`). Where the author broke a block or a list after its opening, it stays broken.
//!
//! The result is parsed again and compared; if it did not mean the same, the text would come back as it was.

mod layout;
mod marks;
mod print;

use crate::diagnostic::Diagnostic;
use crate::dump::{Spans, dump};
use crate::lexer::lex;
use crate::parser::{parse, parse_lexed};

/// How long lines should be at most.
pub const WIDTH: usize = 100;

/// Lays out a text. A text with errors is not touched; they come back instead.
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let lexed = lex(text);
    let parsed = parse_lexed(text, &lexed);
    if !parsed.is_ok() {
        return Err(parsed.diagnostics);
    }
    let marks = marks::marks(text, &lexed.tokens, &parsed.tree);
    let formatted = print::print(&layout::layout(text, &lexed, &marks));
    let again = parse(&formatted);
    let same = dump(&again.tree, Spans::Hidden) == dump(&parsed.tree, Spans::Hidden);
    let comments = lex(&formatted).comments.len() == lexed.comments.len();
    Ok(if same && comments { formatted } else { text.to_owned() })
}
