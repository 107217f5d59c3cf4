//! Relative paths of files in SQL, made absolute before DuckDB sees them. Start at [`absolute`].
//!
//! DuckDB checks whether a file may be read against the working directory of the process, whatever `file_search_path`
//! says, and one process serves many folders. So the SQL that is shown has paths as people wrote them, and the SQL that
//! runs has them below the root. Only texts in the place of a table or in a call that reads files are touched; whether the file
//! may be read is still DuckDB's decision.

use std::path::Path;

use serde_json::Value;

/// The statement with relative paths put below `root`.
pub(crate) fn absolute(sql: &str, root: &Path) -> String {
    written(sql, root, &mut |_| None)
}

/// The same with tables in the place of files for which `stand_in` has one; nothing where it has none. Only of a file that has
/// another name in the statement, since without one its own name is that of its columns.
pub(crate) fn replaced(
    sql: &str,
    root: &Path,
    stand_in: &mut dyn FnMut(&str) -> Option<String>,
) -> Option<String> {
    let mut any = false;
    let out = written(sql, root, &mut |path| {
        let table = stand_in(path)?;
        any = true;
        Some(table)
    });
    any.then_some(out)
}

fn written(sql: &str, root: &Path, stand_in: &mut dyn FnMut(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(sql.len() + 256);
    let mut context = Context::default();
    let mut rest = sql;
    while let Some(length) = token(rest) {
        let (text, after) = rest.split_at(length);
        match rewritten(text, &context, root) {
            Some(path) => {
                let is_table = context.names_table() && is_renamed(after);
                let table = if is_table { stand_in(&path) } else { None };
                out.push_str(&table.unwrap_or_else(|| format!("'{path}'")));
            }
            None => out.push_str(text),
        }
        context.pass(text);
        rest = after;
    }
    out
}

/// Whether ` AS …` follows.
fn is_renamed(after: &str) -> bool {
    let mut rest = after;
    while let Some(length) = token(rest) {
        let (text, after) = rest.split_at(length);
        if !text.starts_with(char::is_whitespace) && !is_comment(text) {
            return text.eq_ignore_ascii_case("as");
        }
        rest = after;
    }
    false
}

/// Whether a text has more than one statement: something but blanks and comments after a semicolon.
pub(crate) fn has_several(sql: &str) -> bool {
    let (mut ended, mut rest) = (false, sql);
    while let Some(length) = token(rest) {
        let (text, after) = rest.split_at(length);
        let silent = text.starts_with(char::is_whitespace) || is_comment(text);
        match text {
            ";" => ended = true,
            _ if ended && !silent => return true,
            _ => {}
        }
        rest = after;
    }
    false
}

/// Whether the rows of a statement may name places of this machine: those of files that were read, or of the lock itself.
pub(crate) fn tells_places(sql: &str) -> bool {
    const WORDS: [&str; 8] =
        ["filename", "glob", "setting", "pragma", "duckdb_", "read_", "parquet_", "sniff_"];
    let lower = sql.to_ascii_lowercase();
    WORDS.iter().any(|word| lower.contains(word))
}

/// Takes the place of the root out of every text of a value.
pub(crate) fn without(value: &mut Value, root: &Path) {
    match value {
        Value::String(text) => {
            let root = root.to_string_lossy();
            if text.contains(&*root) {
                *text = text.replace(&format!("{root}/"), "").replace(&*root, ".");
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| without(item, root)),
        Value::Object(members) => members.values_mut().for_each(|member| without(member, root)),
        _ => {}
    }
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

    /// Whether what comes is a table.
    fn names_table(&self) -> bool {
        matches!(&*self.word, "from" | "join")
    }

    /// Inside a list of paths; in the call itself only the first argument is one.
    fn in_list(&self) -> bool {
        let depth = self.brackets.len();
        depth >= 2 && self.brackets[depth - 1] && self.brackets[depth - 2]
    }
}

/// The path below the root that a text stands for, if it stands for one; a quote in it is two, as in the text.
fn rewritten(text: &str, context: &Context, root: &Path) -> Option<String> {
    let inside = text.strip_prefix('\'')?.strip_suffix('\'')?;
    let table = context.names_table();
    // A name without a point or a slash is a table, not a file.
    let is_file = inside.contains(['.', '/']);
    let is_absolute =
        inside.starts_with(['/', '~']) || inside.contains("://") || inside.contains(":\\");
    if !(table && is_file || context.path_next) || is_absolute {
        return None;
    }
    let root = root.to_string_lossy().replace('\'', "''");
    Some(format!("{root}/{}", inside.strip_prefix("./").unwrap_or(inside)))
}

/// The length of the next token in bytes; `None` at the end.
fn token(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    let bytes = text.as_bytes();
    Some(match first {
        '\'' | '"' => quoted(bytes, bytes[0]),
        '-' if text.starts_with("--") => text.find(['\n', '\r']).unwrap_or(text.len()),
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
    // `$1` is a parameter, whatever follows.
    let is_tag = |tag: &str| tag.chars().all(is_word) && !tag.starts_with(|c: char| c.is_numeric());
    let Some(name_end) = name_end.filter(|end| is_tag(&text[1..end - 1])) else {
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
    fn a_table_stands_in_for_a_file_that_has_another_name_there() {
        let table = |sql: &str| {
            let stand_in = |path: &str| path.ends_with("/a.csv").then(|| "t".to_owned());
            replaced(sql, Path::new("/data"), &mut { stand_in })
        };
        let sql =
            "SELECT 'a.csv' FROM 'a.csv' /* as */ AS x JOIN 'b.csv' as y JOIN './a.csv'\nas z";
        let wanted = "SELECT 'a.csv' FROM t /* as */ AS x JOIN '/data/b.csv' as y JOIN t\nas z";
        assert_eq!(table(sql).as_deref(), Some(wanted));
        for sql in [
            "SELECT a.x FROM 'a.csv' WHERE a.x",
            "SELECT x FROM 'a.csv' a",
            "SELECT x FROM read_csv('a.csv') AS a",
            "SELECT x FROM '/data/a.csv' AS a",
            "SELECT x FROM 'b.csv' AS b",
        ] {
            assert_eq!(table(sql), None, "{sql}");
        }
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
    fn a_second_statement_is_seen_wherever_it_hides() {
        for sql in [
            "SELECT 1; SELECT 2",
            "SELECT * FROM (SELECT 1) AS a; COPY (SELECT 1) TO 'x.csv'; SELECT * FROM (SELECT 1)",
            "SELECT 1; -- x\nDROP TABLE t",
            "SELECT 1 -- x\r; DROP TABLE t",
            "SELECT /* ' */ 1; DROP TABLE t -- '",
            "SELECT 1;;/* */;COPY t TO 'x'",
            "SELECT $1$; DROP TABLE t; SELECT $1$",
        ] {
            assert!(has_several(sql), "{sql}");
        }
        for sql in [
            "SELECT 1",
            "SELECT 1;",
            "SELECT 1; -- that is all; really\n ; /* ; */",
            "SELECT ';', \";\", $$;$$, $t$ ; $t$, E'\\';' /* ; x */ -- ; y",
        ] {
            assert!(!has_several(sql), "{sql}");
        }
    }

    #[test]
    fn values_do_not_tell_where_the_root_is() {
        let mut value = serde_json::json!([{"a": "/data/x.csv", "b": ["/data", 1, "other"]}]);
        without(&mut value, Path::new("/data"));
        assert_eq!(value, serde_json::json!([{"a": "x.csv", "b": [".", 1, "other"]}]));
        assert!(tells_places("SELECT current_setting('allowed_directories')"));
        assert!(!tells_places("SELECT a FROM 'x.csv'"));
    }

    #[test]
    fn messages_do_not_tell_where_the_root_is() {
        let message = "no files match \"/data/a.csv\" in /data";
        assert_eq!(relative(message, Path::new("/data")), "no files match \"a.csv\" in .");
        let message = "Permission Error: Cannot access file \"/x.csv\" - disabled";
        assert!(!relative(message, Path::new("/data")).contains("/x"));
    }
}
