//! What differs between databases. Start at [`Dialect`]; [`DuckDb`](crate::DuckDb) is the model for others.

use malloy_model::ir::{
    AggregateFunction, ExtractUnit, Function, JoinKind, Sample, TimeUnit, Type,
};

use crate::Error;

/// How one database spells what the planner needs. Operands are SQL that stands by itself: a name, a call, or something in
/// parentheses.
pub trait Dialect {
    /// For messages: `DuckDB`.
    fn name(&self) -> &'static str;

    // Names, literals, types.

    fn ident(&self, name: &str) -> String;
    fn string(&self, text: &str) -> String;
    /// What to write after FROM for the path of a table or a file.
    fn table(&self, path: &str) -> String;
    /// The type that a value is cast to.
    fn type_name(&self, ty: &Type) -> String;
    fn date(&self, text: &str) -> String;
    /// A UTC wall clock; `text` is on the clock of `zone`, if there is one.
    fn timestamp(&self, text: &str, zone: Option<&str>) -> String;
    /// An instant; `text` is on the clock of `zone`.
    fn timestamptz(&self, text: &str, zone: &str) -> String;
    fn now(&self, ty: &Type) -> String;

    fn column(&self, alias: &str, name: &str) -> String {
        format!("{}.{}", self.ident(alias), self.ident(name))
    }

    /// A column of a table or of a select that somebody wrote. `ty` is its type, where it is known.
    fn table_column(&self, alias: &str, name: &str, ty: Option<&Type>) -> String {
        let _ = ty;
        self.column(alias, name)
    }

    // Operators.

    fn cast(&self, value: &str, to: &str, safe: bool) -> Result<String, Error>;
    fn divide(&self, left: &str, right: &str) -> String;
    /// `pattern` is SQL text, in which a backslash takes the next character literally.
    fn like(&self, value: &str, pattern: &str) -> String;
    fn regex_match(&self, value: &str, pattern: &str) -> String;
    /// Whether both are equal or both are null. Must be something that a join can hash.
    fn same(&self, left: &str, right: &str) -> String;
    fn in_list(&self, value: &str, list: &str) -> String;
    /// The call of a function of the language: text with `{0}`, `{1}` and `{*}` in the place of arguments.
    fn function(&self, function: Function, arguments: usize) -> Result<&'static str, Error>;

    // Time. `ty` is the type of the operand.

    fn truncate(&self, value: &str, unit: TimeUnit, ty: &Type, zone: Option<&str>) -> String;
    fn offset(
        &self,
        value: &str,
        amount: &str,
        unit: TimeUnit,
        ty: &Type,
        zone: Option<&str>,
    ) -> String;
    fn extract(&self, value: &str, unit: ExtractUnit, ty: &Type, zone: Option<&str>) -> String;
    fn diff(&self, from: &str, to: &str, unit: TimeUnit, ty: &Type) -> String;
    /// Between types of time, in a zone where one is given.
    fn cast_time(
        &self,
        value: &str,
        from: &Type,
        to: &Type,
        safe: bool,
        zone: Option<&str>,
    ) -> Result<String, Error>;

    // Nested values.

    /// A record of these names and values.
    fn record(&self, fields: &[(String, String)]) -> String;
    fn list(&self, items: &[String], element: &Type) -> String;
    fn empty_list(&self, list: &Type) -> String;
    /// An aggregate: the records of a group as a list, in the order of these expressions; true goes down.
    fn collect(&self, value: &str, order: &[(String, bool)]) -> String;
    /// `ty` is the type of the field, where it is known.
    fn record_field(&self, record: &str, name: &str, ty: Option<&Type>) -> String;
    /// The left join of the elements of a list: each with the name [`Self::element`] reads it by, and its position.
    fn unnest(&self, list: &str, alias: &str) -> String;
    /// A field of the element (of a list of records), or the element itself. `ty` is its type, where it is known.
    fn element(&self, alias: &str, field: Option<&str>, ty: Option<&Type>) -> String;
    /// The position of the element, null where the list has none.
    fn position(&self, alias: &str) -> String;

    // Aggregates.

    /// An aggregate over distinct `(key, arguments)`, or `None` if the database cannot say it in an expression. With
    /// `optional`, a key that is null means that there is no row.
    fn by_key(&self, aggregate: &Aggregated<'_>, key: &str, optional: bool) -> Option<String>;
    /// An aggregate over rows.
    fn aggregate(&self, aggregate: &Aggregated<'_>) -> Result<String, Error>;
    /// A number for each row, the same for no two, in the order in which they are read.
    fn row_key(&self) -> &'static str {
        "ROW_NUMBER() OVER ()"
    }
    /// `select * from rows`, some of them.
    fn sample(&self, rows: &str, sample: Sample) -> Result<String, Error>;
    /// A value computed once for each row of what stands before it in FROM.
    fn computed(&self, value: &str, alias: &str, name: &str) -> String {
        let (alias, name) = (self.ident(alias), self.ident(name));
        format!("CROSS JOIN LATERAL (SELECT {value} AS {name}) AS {alias}")
    }

    fn join(&self, kind: JoinKind) -> &'static str {
        match kind {
            JoinKind::Left => "LEFT",
            JoinKind::Inner => "INNER",
            JoinKind::Right => "RIGHT",
            JoinKind::Full => "FULL",
        }
    }
}

/// An aggregate with its parts written.
#[derive(Debug)]
pub struct Aggregated<'a> {
    pub function: AggregateFunction,
    pub args: &'a [String],
    /// Whether the first argument is known to be a whole number.
    pub whole: bool,
    pub filter: Option<&'a str>,
    /// Expressions, and whether they go down.
    pub order: &'a [(String, bool)],
    pub limit: Option<u64>,
}

/// `x ASC NULLS LAST`
pub(crate) fn ordered(sql: &str, descending: bool) -> String {
    format!("{sql} {} NULLS LAST", if descending { "DESC" } else { "ASC" })
}

/// What keeps an aggregate over keys to rows that are there and that its filter lets through: ` FILTER (WHERE …)`.
pub(crate) fn present(aggregate: &Aggregated<'_>, key: &str, optional: bool) -> String {
    let there = optional.then(|| format!("{key} IS NOT NULL"));
    let filter = aggregate.filter.map(|filter| format!("({filter})"));
    let conditions: Vec<String> = there.into_iter().chain(filter).collect();
    if conditions.is_empty() {
        String::new()
    } else {
        format!(" FILTER (WHERE {})", conditions.join(" AND "))
    }
}

/// ` ORDER BY a ASC NULLS LAST, …`, or nothing.
pub(crate) fn order_by(order: &[(String, bool)]) -> String {
    let order: Vec<_> = order.iter().map(|(by, down)| ordered(by, *down)).collect();
    if order.is_empty() { String::new() } else { format!(" ORDER BY {}", order.join(", ")) }
}

/// ` FILTER (WHERE …)`, or nothing.
pub(crate) fn filtered(filter: Option<&str>) -> String {
    filter.map(|filter| format!(" FILTER (WHERE {filter})")).unwrap_or_default()
}

/// An aggregate that every database calls by the same name, with its filter; `None` where they differ.
pub(crate) fn common_aggregate(aggregate: &Aggregated<'_>) -> Option<String> {
    let name = match aggregate.function {
        AggregateFunction::Count => {
            return Some(format!("COUNT(*){}", filtered(aggregate.filter)));
        }
        AggregateFunction::CountDistinct => "COUNT(DISTINCT ",
        AggregateFunction::Sum => "SUM(",
        AggregateFunction::Avg => "AVG(",
        AggregateFunction::Min => "MIN(",
        AggregateFunction::Max => "MAX(",
        AggregateFunction::Stddev => "STDDEV_SAMP(",
        AggregateFunction::CountApprox
        | AggregateFunction::StringAgg
        | AggregateFunction::StringAggDistinct => return None,
    };
    Some(format!("{name}{}){}", aggregate.args.first()?, filtered(aggregate.filter)))
}

/// The text and the separator of a string aggregate, with `DISTINCT` before the text where each is wanted once.
pub(crate) fn text_arguments<'a>(aggregate: &Aggregated<'a>) -> Result<(String, &'a str), Error> {
    let [text, separator] = aggregate.args else {
        return Err(Error::broken("a string aggregate has a text and a separator"));
    };
    let distinct = match aggregate.function {
        AggregateFunction::StringAggDistinct => "DISTINCT ",
        _ => "",
    };
    Ok((format!("{distinct}{text}"), separator))
}
