//! Types of columns, read from DuckDB's own words for them. Start at [`parse`].

use malloy_model::ir::{NumberKind, RecordField, Type};

/// Reads `STRUCT(a INTEGER, "b c" VARCHAR[])[]` and its like; `None` when the text is not well formed.
pub(crate) fn parse(text: &str) -> Option<Type> {
    let mut reader = Reader { rest: text };
    let ty = reader.ty()?;
    reader.rest.trim().is_empty().then_some(ty)
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn ty(&mut self) -> Option<Type> {
        let start = self.rest.trim_start();
        let mut ty = self.element()?;
        // `INTEGER[]` is a list and `INTEGER[3]` an array; Malloy reads both as arrays.
        while self.eat('[') {
            self.until(']')?;
            ty = match ty {
                // An array of what Malloy cannot read is itself something it cannot read.
                Type::Sql(_) => {
                    let length = start.len() - self.rest.len();
                    Type::Sql(start[..length].to_lowercase())
                }
                ty => Type::Array(Box::new(ty)),
            };
        }
        Some(ty)
    }

    fn element(&mut self) -> Option<Type> {
        let name = self.name();
        if name.is_empty() {
            return None;
        }
        match &*name {
            "STRUCT" => return Some(Type::Record(self.fields()?)),
            "MAP" | "UNION" | "ENUM" => {
                let arguments = self.arguments()?;
                return Some(Type::Sql(format!("{}{arguments}", name.to_lowercase())));
            }
            _ => {}
        }
        let arguments = if self.peek() == Some('(') { self.arguments()? } else { String::new() };
        Some(match &*name {
            "VARCHAR" | "TIME" => Type::String,
            "BOOLEAN" => Type::Boolean,
            "TINYINT" | "SMALLINT" | "INTEGER" | "UTINYINT" | "USMALLINT" | "UINTEGER" => {
                Type::INTEGER
            }
            "BIGINT" | "UBIGINT" | "HUGEINT" | "UHUGEINT" => Type::Number(NumberKind::Bigint),
            "DOUBLE" | "FLOAT" | "DECIMAL" => Type::Number(NumberKind::Float),
            "DATE" => Type::Date(None),
            "TIMESTAMP" | "TIMESTAMP_S" | "TIMESTAMP_MS" | "TIMESTAMP_NS" => Type::Timestamp(None),
            "TIMESTAMP WITH TIME ZONE" => Type::Timestamptz(None),
            "JSON" => Type::Json,
            _ => Type::Sql(format!("{}{arguments}", name.to_lowercase())),
        })
    }

    /// `(a INTEGER, "b c" VARCHAR)`
    fn fields(&mut self) -> Option<Vec<RecordField>> {
        if !self.eat('(') {
            return None;
        }
        let mut fields = Vec::new();
        loop {
            let name = self.field_name()?;
            fields.push(RecordField { name, ty: self.ty()? });
            if self.eat(')') {
                return Some(fields);
            }
            if !self.eat(',') {
                return None;
            }
        }
    }

    fn field_name(&mut self) -> Option<String> {
        self.rest = self.rest.trim_start();
        let Some(quoted) = self.rest.strip_prefix('"') else {
            let end = self.rest.find(char::is_whitespace)?;
            let (name, rest) = self.rest.split_at(end);
            self.rest = rest;
            return Some(name.to_owned());
        };
        let mut name = String::new();
        let mut chars = quoted.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            if c != '"' {
                name.push(c);
            } else if chars.peek().is_some_and(|(_, next)| *next == '"') {
                chars.next();
                name.push('"');
            } else {
                self.rest = &quoted[at + 1..];
                return Some(name);
            }
        }
        None
    }

    /// Words up to a bracket, a parenthesis or a comma: `TIMESTAMP WITH TIME ZONE`.
    fn name(&mut self) -> String {
        self.rest = self.rest.trim_start();
        let end = self.rest.find(['(', ')', '[', ']', ',']).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        name.trim().to_owned()
    }

    /// What stands in parentheses, with them, not read further.
    fn arguments(&mut self) -> Option<String> {
        self.rest = self.rest.trim_start();
        let (mut depth, mut quote) = (0_usize, None);
        for (at, c) in self.rest.char_indices() {
            match (quote, c) {
                (Some(open), c) if c == open => quote = None,
                (None, '\'' | '"') => quote = Some(c),
                (None, '(') => depth += 1,
                (None, ')') => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        let (arguments, rest) = self.rest.split_at(at + 1);
                        self.rest = rest;
                        return Some(arguments.to_owned());
                    }
                }
                _ => {}
            }
        }
        None
    }

    fn until(&mut self, end: char) -> Option<&'a str> {
        let (inside, rest) = self.rest.split_once(end)?;
        self.rest = rest;
        Some(inside)
    }

    fn peek(&self) -> Option<char> {
        self.rest.trim_start().chars().next()
    }

    fn eat(&mut self, c: char) -> bool {
        match self.rest.trim_start().strip_prefix(c) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, ty: Type) -> RecordField {
        RecordField { name: name.to_owned(), ty }
    }

    #[test]
    fn nested_types_are_read_to_their_ends() {
        let text =
            r#"STRUCT(a INTEGER, "b ""c" DECIMAL(10,2)[], d STRUCT(e TIMESTAMP WITH TIME ZONE))[]"#;
        let inner = Type::Record(vec![column("e", Type::Timestamptz(None))]);
        let fields = vec![
            column("a", Type::INTEGER),
            column("b \"c", Type::Array(Box::new(Type::Number(NumberKind::Float)))),
            column("d", inner),
        ];
        assert_eq!(parse(text), Some(Type::Array(Box::new(Type::Record(fields)))));
    }

    #[test]
    fn what_malloy_does_not_know_keeps_its_name() {
        assert_eq!(
            parse("MAP(VARCHAR, INTEGER[])"),
            Some(Type::Sql("map(VARCHAR, INTEGER[])".into()))
        );
        assert_eq!(parse("ENUM('a)', 'b')"), Some(Type::Sql("enum('a)', 'b')".into())));
        assert_eq!(parse("INTERVAL"), Some(Type::Sql("interval".into())));
        assert_eq!(parse("BLOB[]"), Some(Type::Sql("blob[]".into())));
    }

    #[test]
    fn broken_texts_are_refused() {
        for text in
            ["", "STRUCT(a", "STRUCT(\"a INTEGER)", "INTEGER[", "INTEGER)", "MAP(", "STRUCT()"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
