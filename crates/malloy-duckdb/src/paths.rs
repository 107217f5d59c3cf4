//! Relative paths of files in SQL, made absolute before DuckDB sees them. Start at [`absolute`].
//!
//! DuckDB checks whether a file may be read against the working directory of the process, whatever `file_search_path`
//! says, and one process serves many folders. So the SQL that is shown has paths as people wrote them, and the SQL that
//! runs has them below the root. Only texts in the place of a table or in a call that reads files are touched; whether the file
//! may be read is still DuckDB's decision.

use std::path::Path;

/// The statement with relative paths put below `root`.
pub(crate) fn absolute(sql: &str, root: &Path) -> String {
    let mut out = String::with_capacity(sql.len() + 256);
    let mut context = Context::default();
    let mut rest = sql;
    while let Some(length) = token(rest) {
        let (text, after) = rest.split_at(length);
        match rewritten(text, &context, root) {
            Some(path) => out.push_str(&path),
            None => out.push_str(text),
        }
        context.pass(text);
        rest = after;
    }
    out
}

/// A message without the place of the root. Of a file that may not be read nothing is said: DuckDB has put `..` together with
/// the root by then.
pub(crate) fn relative(message: &str, root: &Path) -> String {
    if message.starts_with("Permission Error: Cannot access") {
        return "Permission Error: only files of this folder can be read".to_owned();
    }
    let root = root.to_string_lossy();
    message.replace(&format!("{root}/"), "").replace(&*root, ".")
}

/// What stands before a token.
#[derive(Default)]
struct Context {
    /// The word before, in lower case, with nothing but blanks in between.
    word: String,
    /// For each open bracket, whether it is that of a call that reads files.
    brackets: Vec<bool>,
    /// Whether an argument may be a path: right after the bracket of such a call, or in a list there.
    path_next: bool,
}

impl Context {
    fn pass(&mut self, text: &str) {
        let first = text.chars().next().unwrap_or(' ');
        if first.is_whitespace() || is_comment(text) {
            return;
        }
        match first {
            '(' => {
                let reads = ["read_", "parquet_", "sniff_", "glob"]
                    .iter()
                    .any(|name| self.word.starts_with(name));
                self.brackets.push(reads);
                self.path_next = reads;
            }
            // A list of paths as the first argument.
            '[' => self.brackets.push(self.path_next),
            ')' | ']' => {
                self.brackets.pop();
                self.path_next = false;
            }
            ',' => self.path_next = text == "," && self.in_list(),
            _ => self.path_next = false,
        }
        self.word = if is_word(first) { text.to_lowercase() } else { String::new() };
        if first == ',' && self.brackets.is_empty() {
            self.word.clear();
        }
    }

    /// Inside a list of paths; in the call itself only the first argument is one.
    fn in_list(&self) -> bool {
        let depth = self.brackets.len();
        depth >= 2 && self.brackets[depth - 1] && self.brackets[depth - 2]
    }
}

fn rewritten(text: &str, context: &Context, root: &Path) -> Option<String> {
    let inside = text.strip_prefix('\'')?.strip_suffix('\'')?;
    let table = matches!(&*context.word, "from" | "join");
    // A name without a point or a slash is a table, not a file.
    let is_file = inside.contains(['.', '/']);
    let is_absolute =
        inside.starts_with(['/', '~']) || inside.contains("://") || inside.contains(":\\");
    if !(table && is_file || context.path_next) || is_absolute {
        return None;
    }
    let root = root.to_string_lossy().replace('\'', "''");
    Some(format!("'{root}/{}'", inside.strip_prefix("./").unwrap_or(inside)))
}

/// The length of the next token in bytes; `None` at the end.
fn token(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    let bytes = text.as_bytes();
    Some(match first {
        '\'' | '"' => quoted(bytes, bytes[0]),
        '-' if text.starts_with("--") => text.find('\n').unwrap_or(text.len()),
        '/' if text.starts_with("/*") => text.find("*/").map_or(text.len(), |end| end + 2),
        '$' => dollar(text),
        'e' | 'E' if bytes.get(1) == Some(&b'\'') => escaped(bytes),
        first if is_word(first) => text.find(|c: char| !is_word(c)).unwrap_or(text.len()),
        first if first.is_whitespace() => {
            text.find(|c: char| !c.is_whitespace()).unwrap_or(text.len())
        }
        first => first.len_utf8(),
    })
}

/// `'it''s'`: two quotes are one.
fn quoted(bytes: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < bytes.len() {
        if bytes[at] == quote {
            if bytes.get(at + 1) != Some(&quote) {
                return at + 1;
            }
            at += 1;
        }
        at += 1;
    }
    bytes.len()
}

/// `E'it\'s'`
fn escaped(bytes: &[u8]) -> usize {
    let mut at = 2;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'\'' => return at + 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// `$tag$ … $tag$`, or a lone dollar.
fn dollar(text: &str) -> usize {
    let name_end = text[1..].find('$').map(|end| end + 2);
    let Some(name_end) = name_end.filter(|end| text[1..end - 1].chars().all(is_word)) else {
        return 1;
    };
    let tag = &text[..name_end];
    text[name_end..].find(tag).map_or(text.len(), |end| name_end + end + tag.len())
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_comment(text: &str) -> bool {
    text.starts_with("--") || text.starts_with("/*")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(sql: &str) -> String {
        absolute(sql, Path::new("/data"))
    }

    #[test]
    fn tables_and_calls_that_read_files_are_below_the_root() {
        assert_eq!(written("SELECT * FROM 'a/b.csv' AS x"), "SELECT * FROM '/data/a/b.csv' AS x");
        assert_eq!(written("FROM a join -- x\n './b.csv'"), "FROM a join -- x\n '/data/b.csv'");
        let call = "read_csv(['a.csv', 'b.csv'], sep = ',', names = ['p.q'])";
        let wanted = "read_csv(['/data/a.csv', '/data/b.csv'], sep = ',', names = ['p.q'])";
        assert_eq!(written(call), wanted);
        assert_eq!(written("read_parquet('*/x.parquet')"), "read_parquet('/data/*/x.parquet')");
    }

    #[test]
    fn other_texts_stay_as_they_are() {
        for sql in [
            "SELECT 'FROM ''a.csv''' FROM t WHERE f = 'a/b.csv'",
            "SELECT * FROM '/abs/a.csv'",
            "SELECT * FROM 'https://host/a.csv'",
            "SELECT \"from 'a.csv'\" -- FROM 'b.csv'",
            "SELECT E'\\'' || 'FROM', $$ FROM 'a.csv' $$, $t$ FROM 'a.csv' $t$",
            "SELECT extract('year' FROM x), concat('a.b', 'c.d') /* FROM 'a.csv' */",
            "SELECT * FROM 'name'",
            "'unclosed FROM 'x.csv",
        ] {
            assert_eq!(written(sql), sql);
        }
    }

    #[test]
    fn messages_do_not_tell_where_the_root_is() {
        let message = "no files match \"/data/a.csv\" in /data";
        assert_eq!(relative(message, Path::new("/data")), "no files match \"a.csv\" in .");
        let message = "Permission Error: Cannot access file \"/x.csv\" - disabled";
        assert!(!relative(message, Path::new("/data")).contains("/x"));
    }
}
