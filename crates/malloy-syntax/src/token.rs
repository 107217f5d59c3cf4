//! Tokens: the kinds there are, and the words that are keywords.

use std::fmt;

use crate::span::Span;
use crate::tree::{TimeShape, TimeUnit};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// A word with its colon: `group_by:`.
    Clause(Clause),
    /// A reserved word.
    Keyword(Keyword),
    /// A bare name.
    Identifier,
    /// A name in backquotes.
    Quoted,
    /// `$NAME`
    Given,
    /// `'…'` or `"…"`
    String,
    /// `s'…'` or `s"…"`
    RawString,
    /// `r'…'`
    Regex,
    /// `f'…'` and its other quotes
    Filter,
    Integer,
    /// With a point or an exponent.
    Decimal,
    /// `10%`, after `sample:` only.
    Percent,
    Time(TimeShape),
    /// `# …`
    Note,
    /// `## …`
    ModelNote,
    /// `#| … |#`
    NoteBlock,
    /// `##| … |##`
    ModelNoteBlock,
    /// `"""`, before text
    SqlOpen,
    /// Text between `"""`s and holes; left out where it is empty.
    SqlText,
    /// `%{` in SQL
    HoleOpen,
    /// the `}` that closes it
    HoleClose,
    /// `"""`, after text
    SqlClose,
    ParenOpen,
    ParenClose,
    BracketOpen,
    BracketClose,
    BraceOpen,
    BraceClose,
    Arrow,
    Comma,
    Semicolon,
    Dot,
    Colon,
    DoubleColon,
    TripleColon,
    Bang,
    Plus,
    Minus,
    Star,
    Slash,
    Percentage,
    Ampersand,
    Bar,
    Question,
    DoubleQuestion,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Tilde,
    NotTilde,
    /// What is no token; the lexer has said why.
    Error,
    End,
}

impl TokenKind {
    /// How a message names what it looked for: `` `is` ``, `a name`.
    pub fn describe(self) -> String {
        match self {
            Self::Clause(clause) => format!("`{}:`", clause.as_str()),
            Self::Keyword(keyword) => format!("`{}`", keyword.as_str()),
            Self::Identifier | Self::Quoted => "a name".to_owned(),
            Self::Given => "a given".to_owned(),
            Self::String | Self::RawString | Self::SqlOpen => "a string".to_owned(),
            Self::Regex => "a regular expression".to_owned(),
            Self::Filter => "a filter".to_owned(),
            Self::Integer | Self::Decimal => "a number".to_owned(),
            Self::Percent => "a percentage".to_owned(),
            Self::Time(_) => "a time".to_owned(),
            Self::Note | Self::ModelNote | Self::NoteBlock | Self::ModelNoteBlock => {
                "an annotation".to_owned()
            }
            Self::SqlText => "SQL".to_owned(),
            Self::SqlClose => "`\"\"\"`".to_owned(),
            Self::HoleOpen => "`%{`".to_owned(),
            Self::Error => "text that is no token".to_owned(),
            Self::End => "the end of the text".to_owned(),
            _ => format!("`{}`", self.symbol()),
        }
    }

    /// The text of a token that always has the same; empty for the others.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::ParenOpen => "(",
            Self::ParenClose => ")",
            Self::BracketOpen => "[",
            Self::BracketClose => "]",
            Self::BraceOpen => "{",
            Self::BraceClose | Self::HoleClose => "}",
            Self::Arrow => "->",
            Self::Comma => ",",
            Self::Semicolon => ";",
            Self::Dot => ".",
            Self::Colon => ":",
            Self::DoubleColon => "::",
            Self::TripleColon => ":::",
            Self::Bang => "!",
            Self::Plus => "+",
            Self::Minus => "-",
            Self::Star => "*",
            Self::Slash => "/",
            Self::Percentage => "%",
            Self::Ampersand => "&",
            Self::Bar => "|",
            Self::Question => "?",
            Self::DoubleQuestion => "??",
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::Tilde => "~",
            Self::NotTilde => "!~",
            _ => "",
        }
    }

    pub const fn is_note(self) -> bool {
        matches!(self, Self::Note | Self::NoteBlock)
    }

    pub const fn is_model_note(self) -> bool {
        matches!(self, Self::ModelNote | Self::ModelNoteBlock)
    }

    pub const fn is_name(self) -> bool {
        matches!(self, Self::Identifier | Self::Quoted)
    }
}

/// Declares an enumeration of words with the text of each.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name { $($variant,)* }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }

            /// The word that `text`, which is in lower case, is.
            pub fn from_lower(text: &str) -> Option<Self> {
                match text { $($text => Some(Self::$variant),)* _ => None }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

words! {
    /// Words that begin a statement, always with a colon. Without it they are names like any other, unless they are
    /// reserved too.
    Clause {
        Accept = "accept",
        Aggregate = "aggregate",
        Calculate = "calculate",
        Declare = "declare",
        Dimension = "dimension",
        Drill = "drill",
        Except = "except",
        Extend = "extend",
        Given = "given",
        GroupBy = "group_by",
        GroupedBy = "grouped_by",
        Having = "having",
        Index = "index",
        Internal = "internal",
        JoinCross = "join_cross",
        JoinMany = "join_many",
        JoinOne = "join_one",
        Limit = "limit",
        Measure = "measure",
        Nest = "nest",
        OrderBy = "order_by",
        PartitionBy = "partition_by",
        PrimaryKey = "primary_key",
        Private = "private",
        Public = "public",
        Query = "query",
        Rename = "rename",
        Run = "run",
        Sample = "sample",
        Select = "select",
        Source = "source",
        Timezone = "timezone",
        Top = "top",
        Type = "type",
        View = "view",
        Where = "where",
    }
}

words! {
    /// Reserved words. To be a name they need backquotes. The plural of a unit of time is the same word.
    Keyword {
        All = "all",
        And = "and",
        As = "as",
        Asc = "asc",
        Avg = "avg",
        Boolean = "boolean",
        By = "by",
        Case = "case",
        Cast = "cast",
        Compose = "compose",
        Count = "count",
        Date = "date",
        Day = "day",
        Desc = "desc",
        Distinct = "distinct",
        Else = "else",
        End = "end",
        Exclude = "exclude",
        Export = "export",
        Extend = "extend",
        False = "false",
        Filter = "filter",
        For = "for",
        From = "from",
        Full = "full",
        Has = "has",
        Hour = "hour",
        Import = "import",
        In = "in",
        Include = "include",
        Inner = "inner",
        Internal = "internal",
        Is = "is",
        Json = "json",
        Left = "left",
        Like = "like",
        Max = "max",
        Min = "min",
        Minute = "minute",
        Month = "month",
        Not = "not",
        Now = "now",
        Null = "null",
        Number = "number",
        On = "on",
        Or = "or",
        Pick = "pick",
        Private = "private",
        Public = "public",
        Quarter = "quarter",
        Right = "right",
        Second = "second",
        Source = "source",
        Sql = "sql",
        String = "string",
        Sum = "sum",
        Table = "table",
        Then = "then",
        This = "this",
        Timestamp = "timestamp",
        Timestamptz = "timestamptz",
        To = "to",
        True = "true",
        Virtual = "virtual",
        Week = "week",
        When = "when",
        With = "with",
        Year = "year",
    }
}

impl Keyword {
    /// The keyword that `text`, in lower case, is, units of time in the plural among them.
    pub fn from_word(text: &str) -> Option<Self> {
        Self::from_lower(text).or_else(|| {
            let singular = Self::from_lower(text.strip_suffix('s')?)?;
            singular.unit().map(|_| singular)
        })
    }

    pub const fn unit(self) -> Option<TimeUnit> {
        match self {
            Self::Second => Some(TimeUnit::Second),
            Self::Minute => Some(TimeUnit::Minute),
            Self::Hour => Some(TimeUnit::Hour),
            Self::Day => Some(TimeUnit::Day),
            Self::Week => Some(TimeUnit::Week),
            Self::Month => Some(TimeUnit::Month),
            Self::Quarter => Some(TimeUnit::Quarter),
            Self::Year => Some(TimeUnit::Year),
            _ => None,
        }
    }
}

impl Clause {
    /// `declare:` and `join_cross:` take no space before the colon.
    pub const fn takes_space(self) -> bool {
        !matches!(self, Self::Declare | Self::JoinCross)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_units_of_time_have_a_plural() {
        assert_eq!(Keyword::from_word("days"), Some(Keyword::Day));
        assert_eq!(Keyword::from_word("nows"), None);
        assert_eq!(Keyword::from_word("is"), Some(Keyword::Is));
        assert_eq!(Keyword::from_word("s"), None);
    }
}
