//! DuckDB.

use malloy_model::ir::{AggregateFunction, ExtractUnit, Function, Sample, TimeUnit, Type};

use crate::{
    Dialect, Error,
    dialect::{Aggregated, common_aggregate, filtered, order_by, present, text_arguments},
    functions,
    zone::{self, back, local, utc},
};

/// DuckDB 1.5. Sessions are in UTC.
#[derive(Debug, Clone, Copy, Default)]
pub struct DuckDb;

/// Endings that say that a path is a file, not a table.
const FILES: [&str; 8] = ["parquet", "csv", "tsv", "json", "jsonl", "ndjson", "gz", "zst"];

impl Dialect for DuckDb {
    fn name(&self) -> &'static str {
        "DuckDB"
    }

    fn ident(&self, name: &str) -> String {
        format!("\"{}\"", name.replace('"', "\"\""))
    }

    fn string(&self, text: &str) -> String {
        format!("'{}'", text.replace('\'', "''"))
    }

    fn table(&self, path: &str) -> String {
        let word =
            |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_');
        let is_file = path.rsplit_once('.').is_some_and(|(_, ending)| FILES.contains(&ending));
        if !is_file && path.split('.').all(word) {
            let parts: Vec<_> = path.split('.').map(|part| self.ident(part)).collect();
            return parts.join(".");
        }
        self.string(path)
    }

    fn type_name(&self, ty: &Type) -> String {
        match ty {
            Type::String => "VARCHAR".to_owned(),
            Type::Number(_) => "DOUBLE".to_owned(),
            Type::Boolean => "BOOLEAN".to_owned(),
            Type::Date(_) => "DATE".to_owned(),
            Type::Timestamp(_) => "TIMESTAMP".to_owned(),
            Type::Timestamptz(_) => "TIMESTAMPTZ".to_owned(),
            Type::Json => "JSON".to_owned(),
            Type::Array(element) => format!("{}[]", self.type_name(element)),
            Type::Record(fields) => {
                let field = |field: &malloy_model::ir::RecordField| {
                    format!("{} {}", self.ident(&field.name), self.type_name(&field.ty))
                };
                format!("STRUCT({})", fields.iter().map(field).collect::<Vec<_>>().join(", "))
            }
            Type::Sql(name) => name.clone(),
            Type::Null => "INTEGER".to_owned(),
        }
    }

    fn date(&self, text: &str) -> String {
        format!("DATE '{text}'")
    }

    fn timestamp(&self, text: &str, zone: Option<&str>) -> String {
        match zone {
            None => format!("TIMESTAMP '{text}'"),
            Some(zone) => utc(&format!("TIMESTAMP '{text}'"), &self.string(zone)),
        }
    }

    fn timestamptz(&self, text: &str, zone: &str) -> String {
        format!("(TIMESTAMP '{text}' AT TIME ZONE {})", self.string(zone))
    }

    fn now(&self, ty: &Type) -> String {
        match ty {
            Type::Timestamptz(_) => "NOW()".to_owned(),
            _ => "CAST(NOW() AS TIMESTAMP)".to_owned(),
        }
    }

    fn cast(&self, value: &str, to: &str, safe: bool) -> Result<String, Error> {
        Ok(format!("{}({value} AS {to})", if safe { "TRY_CAST" } else { "CAST" }))
    }

    fn divide(&self, left: &str, right: &str) -> String {
        // DuckDB's `/` never is integer division.
        format!("{left} / {right}")
    }

    fn like(&self, value: &str, pattern: &str) -> String {
        // A pattern that is a literal without a backslash needs no escape, and runs faster without.
        if pattern.starts_with('\'') && !pattern.contains('\\') {
            return format!("{value} LIKE {pattern}");
        }
        format!("{value} LIKE {pattern} ESCAPE '\\'")
    }

    fn regex_match(&self, value: &str, pattern: &str) -> String {
        format!("REGEXP_MATCHES({value}, {pattern})")
    }

    fn same(&self, left: &str, right: &str) -> String {
        format!("{left} IS NOT DISTINCT FROM {right}")
    }

    fn in_list(&self, value: &str, list: &str) -> String {
        format!("LIST_CONTAINS({list}, {value})")
    }

    fn function(&self, function: Function, arguments: usize) -> Result<&'static str, Error> {
        Ok(match function {
            Function::ByteLength => "STRLEN({0})",
            Function::EndsWith => "COALESCE(SUFFIX({0}, {1}), false)",
            Function::Greatest => {
                "CASE WHEN LIST_COUNT([{*}]) < LEN([{*}]) THEN NULL ELSE GREATEST({*}) END"
            }
            Function::Least => {
                "CASE WHEN LIST_COUNT([{*}]) < LEN([{*}]) THEN NULL ELSE LEAST({*}) END"
            }
            other => functions::common(other, arguments),
        })
    }

    fn truncate(&self, value: &str, unit: TimeUnit, ty: &Type, zone: Option<&str>) -> String {
        let Some(zone) = zone.map(|zone| self.string(zone)) else {
            let truncated = truncated(value, unit);
            return if matches!(ty, Type::Date(_)) {
                format!("CAST({truncated} AS DATE)")
            } else {
                truncated
            };
        };
        let local = truncated(&local(value, ty, &zone), unit);
        back(&local, ty, &zone)
    }

    fn offset(
        &self,
        value: &str,
        amount: &str,
        unit: TimeUnit,
        ty: &Type,
        zone: Option<&str>,
    ) -> String {
        match zone.map(|zone| self.string(zone)) {
            Some(zone) => back(&shifted(&local(value, ty, &zone), amount, unit), ty, &zone),
            None if matches!(ty, Type::Date(_)) && unit.is_calendar() => {
                format!("CAST({} AS DATE)", shifted(value, amount, unit))
            }
            None => shifted(value, amount, unit),
        }
    }

    fn extract(&self, value: &str, unit: ExtractUnit, ty: &Type, zone: Option<&str>) -> String {
        let value = match zone.map(|zone| self.string(zone)) {
            Some(zone) => local(value, ty, &zone),
            None => value.to_owned(),
        };
        let name = match unit {
            ExtractUnit::Second => "second",
            ExtractUnit::Minute => "minute",
            ExtractUnit::Hour => "hour",
            ExtractUnit::Day => "day",
            ExtractUnit::DayOfWeek => return format!("(EXTRACT(dow FROM {value}) + 1)"),
            ExtractUnit::DayOfYear => "doy",
            ExtractUnit::Week => "week",
            ExtractUnit::Month => "month",
            ExtractUnit::Quarter => "quarter",
            ExtractUnit::Year => "year",
        };
        format!("EXTRACT({name} FROM {value})")
    }

    fn diff(&self, from: &str, to: &str, unit: TimeUnit, ty: &Type) -> String {
        let unit_name = unit.name();
        if matches!(ty, Type::Date(_)) && !unit.is_calendar() {
            return format!(
                "DATE_SUB('{unit_name}', CAST({from} AS TIMESTAMP), CAST({to} AS TIMESTAMP))"
            );
        }
        format!("DATE_SUB('{unit_name}', {from}, {to})")
    }

    fn cast_time(
        &self,
        value: &str,
        from: &Type,
        to: &Type,
        safe: bool,
        zone: Option<&str>,
    ) -> Result<String, Error> {
        let Some(zone) = zone.map(|zone| self.string(zone)) else {
            return self.cast(value, &self.type_name(to), safe);
        };
        match zone::cast(value, from, to, &zone) {
            Some(cast) => Ok(cast),
            None => self.cast(value, &self.type_name(to), safe),
        }
    }

    fn record(&self, fields: &[(String, String)]) -> String {
        let fields: Vec<_> =
            fields.iter().map(|(name, value)| format!("{}: {value}", self.string(name))).collect();
        format!("{{{}}}", fields.join(", "))
    }

    fn list(&self, items: &[String], element: &Type) -> String {
        if items.is_empty() {
            return self.empty_list(&Type::Array(Box::new(element.clone())));
        }
        format!("[{}]", items.join(", "))
    }

    fn empty_list(&self, _: &Type) -> String {
        // Takes the type of what it stands beside.
        "[]".to_owned()
    }

    fn collect(&self, value: &str, order: &[(String, bool)]) -> String {
        format!("LIST({value}{})", order_by(order))
    }

    fn record_field(&self, record: &str, name: &str, _: Option<&Type>) -> String {
        format!("({record}).{}", self.ident(name))
    }

    fn unnest(&self, list: &str, alias: &str) -> String {
        let alias = self.ident(alias);
        format!(
            "LEFT JOIN LATERAL (SELECT UNNEST({list}) AS \"value\", GENERATE_SUBSCRIPTS({list}, 1) AS \"position\") AS {alias} ON true"
        )
    }

    fn element(&self, alias: &str, field: Option<&str>, _: Option<&Type>) -> String {
        let value = self.column(alias, "value");
        field.map_or_else(|| value.clone(), |field| format!("({value}).{}", self.ident(field)))
    }

    fn position(&self, alias: &str) -> String {
        self.column(alias, "position")
    }

    /// Exact for every function: the distinct pairs of a group are a list, and the aggregate goes over that.
    fn by_key(&self, aggregate: &Aggregated<'_>, key: &str, optional: bool) -> Option<String> {
        let filter = present(aggregate, key, optional);
        if aggregate.function == AggregateFunction::Count {
            return Some(format!("COUNT(DISTINCT {key}){}", filtered(aggregate.filter)));
        }
        let value = aggregate.args.first()?;
        let mut fields = vec![("k".to_owned(), key.to_owned()), ("v".to_owned(), value.clone())];
        for (index, (by, _)) in aggregate.order.iter().enumerate() {
            fields.push((format!("o{index}"), by.clone()));
        }
        let pairs = format!("LIST(DISTINCT {}){filter}", self.record(&fields));
        let over_list = |name: &str| {
            format!("LIST_AGGREGATE(LIST_TRANSFORM({pairs}, lambda x: x.v), '{name}')")
        };
        Some(match aggregate.function {
            AggregateFunction::Sum => over_list("sum"),
            AggregateFunction::Avg => over_list("avg"),
            AggregateFunction::Stddev => over_list("stddev_samp"),
            AggregateFunction::StringAgg => {
                let order: Vec<_> = (aggregate.order.iter().enumerate())
                    .map(|(index, (_, down))| (format!("x.o{index}"), *down))
                    .collect();
                let inner = Aggregated {
                    args: &["x.v".to_owned(), aggregate.args.get(1)?.clone()],
                    filter: None,
                    order: &order,
                    ..*aggregate
                };
                let call = text_aggregate(&inner).ok()?;
                format!("(SELECT {call} FROM (SELECT UNNEST({pairs}) AS x))")
            }
            // The same whether rows repeat or not.
            _ => return self.aggregate(aggregate).ok(),
        })
    }

    fn aggregate(&self, aggregate: &Aggregated<'_>) -> Result<String, Error> {
        if let Some(call) = common_aggregate(aggregate) {
            return Ok(call);
        }
        if aggregate.function == AggregateFunction::CountApprox {
            let value = aggregate.args.first().map_or("NULL", String::as_str);
            let filter = filtered(aggregate.filter);
            return Ok(format!("APPROX_COUNT_DISTINCT({value}){filter}"));
        }
        text_aggregate(aggregate)
    }

    fn sample(&self, rows: &str, sample: Sample) -> Result<String, Error> {
        let size = match sample {
            Sample::Default => "50000 ROWS".to_owned(),
            Sample::Rows(rows) => format!("{rows} ROWS"),
            Sample::Percent(percent) => format!("{percent} PERCENT"),
        };
        Ok(format!("(SELECT * FROM {rows} USING SAMPLE {size})"))
    }
}

fn text_aggregate(aggregate: &Aggregated<'_>) -> Result<String, Error> {
    let (text, separator) = text_arguments(aggregate)?;
    let order = order_by(aggregate.order);
    let Some(limit) = aggregate.limit else {
        let filter = filtered(aggregate.filter);
        return Ok(format!("STRING_AGG({text}, {separator}{order}){filter}"));
    };
    let value = aggregate.args.first().map_or("NULL", String::as_str);
    let filter = aggregate.filter.map(|filter| format!(" AND ({filter})")).unwrap_or_default();
    let list = format!("LIST({text}{order}) FILTER (WHERE {value} IS NOT NULL{filter})");
    Ok(format!("ARRAY_TO_STRING(({list})[1:{limit}], {separator})"))
}

/// The start of the unit on the clock of `value`. Weeks begin on Monday for DuckDB and on Sunday here.
fn truncated(value: &str, unit: TimeUnit) -> String {
    match unit {
        TimeUnit::Week => {
            format!("(DATE_TRUNC('week', {value} + INTERVAL 1 DAY) - INTERVAL 1 DAY)")
        }
        unit => format!("DATE_TRUNC('{}', {value})", unit.name()),
    }
}

fn shifted(value: &str, amount: &str, unit: TimeUnit) -> String {
    // An interval takes whole numbers; a literal is one as it stands.
    let whole = !amount.is_empty() && amount.bytes().all(|byte| byte.is_ascii_digit());
    let amount = if whole { amount.to_owned() } else { format!("CAST({amount} AS INTEGER)") };
    let (amount, name) = match unit {
        TimeUnit::Week => (format!("{amount} * 7"), "day"),
        TimeUnit::Quarter => (format!("{amount} * 3"), "month"),
        unit => (amount, unit.name()),
    };
    format!("({value} + INTERVAL ({amount}) {name})")
}
