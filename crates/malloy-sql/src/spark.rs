//! Spark SQL.

use std::fmt::Write as _;

use malloy_model::ir::{
    AggregateFunction, ExtractUnit, Function, RecordField, Sample, TimeUnit, Type,
};

use crate::{
    Dialect, Error,
    dialect::{Aggregated, common_aggregate, filtered, order_by, present, text_arguments},
    functions,
};

/// Spark SQL 3.5 and newer, with its session in UTC and `TIMESTAMP_NTZ` for timestamps without a zone.
#[derive(Debug, Clone, Copy, Default)]
pub struct Spark;

impl Spark {
    fn unsupported<T>(self, what: &str) -> Result<T, Error> {
        Err(Error::Unsupported { dialect: self.name(), what: what.to_owned() })
    }
}

impl Dialect for Spark {
    fn name(&self) -> &'static str {
        "Spark SQL"
    }

    fn ident(&self, name: &str) -> String {
        format!("`{}`", name.replace('`', "``"))
    }

    fn string(&self, text: &str) -> String {
        format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
    }

    fn table(&self, path: &str) -> String {
        path.split('.').map(|part| self.ident(part)).collect::<Vec<_>>().join(".")
    }

    fn type_name(&self, ty: &Type) -> String {
        match ty {
            Type::String | Type::Json | Type::Null => "STRING".to_owned(),
            Type::Number(_) => "DOUBLE".to_owned(),
            Type::Boolean => "BOOLEAN".to_owned(),
            Type::Date(_) => "DATE".to_owned(),
            Type::Timestamp(_) => "TIMESTAMP_NTZ".to_owned(),
            Type::Timestamptz(_) => "TIMESTAMP".to_owned(),
            Type::Array(element) => format!("ARRAY<{}>", self.type_name(element)),
            Type::Record(fields) => {
                let field = |field: &RecordField| {
                    format!("{}: {}", self.ident(&field.name), self.type_name(&field.ty))
                };
                format!("STRUCT<{}>", fields.iter().map(field).collect::<Vec<_>>().join(", "))
            }
            Type::Sql(name) => name.clone(),
        }
    }

    fn date(&self, text: &str) -> String {
        format!("DATE '{text}'")
    }

    fn timestamp(&self, text: &str, zone: Option<&str>) -> String {
        match zone {
            None => format!("TIMESTAMP_NTZ '{text}'"),
            Some(zone) => {
                back(&format!("TIMESTAMP_NTZ '{text}'"), &Type::Timestamp(None), &self.string(zone))
            }
        }
    }

    fn timestamptz(&self, text: &str, zone: &str) -> String {
        format!("TO_UTC_TIMESTAMP(TIMESTAMP '{text}', {})", self.string(zone))
    }

    fn now(&self, ty: &Type) -> String {
        match ty {
            Type::Timestamptz(_) => "CURRENT_TIMESTAMP()".to_owned(),
            _ => "CAST(CURRENT_TIMESTAMP() AS TIMESTAMP_NTZ)".to_owned(),
        }
    }

    fn cast(&self, value: &str, to: &str, safe: bool) -> Result<String, Error> {
        Ok(format!("{}({value} AS {to})", if safe { "TRY_CAST" } else { "CAST" }))
    }

    fn divide(&self, left: &str, right: &str) -> String {
        format!("CAST({left} AS DOUBLE) / {right}")
    }

    fn like(&self, value: &str, pattern: &str) -> String {
        // Backslash is the escape character already; the dialect's strings double it.
        format!("{value} LIKE {pattern}")
    }

    fn regex_match(&self, value: &str, pattern: &str) -> String {
        format!("{value} RLIKE {pattern}")
    }

    fn same(&self, left: &str, right: &str) -> String {
        format!("{left} <=> {right}")
    }

    fn in_list(&self, value: &str, list: &str) -> String {
        format!("ARRAY_CONTAINS({list}, {value})")
    }

    fn function(&self, function: Function, arguments: usize) -> Result<&'static str, Error> {
        Ok(match function {
            Function::Concat if arguments == 0 => "''",
            // One null makes a `CONCAT` null.
            Function::Concat => "CONCAT_WS('', {* AS STRING})",
            Function::EndsWith => "COALESCE(ENDSWITH({0}, {1}), false)",
            Function::StartsWith => "COALESCE(STARTSWITH({0}, {1}), false)",
            Function::LtrimChars => "LTRIM({1}, {0})",
            Function::RtrimChars => "RTRIM({1}, {0})",
            Function::TrimChars => "TRIM(BOTH {1} FROM {0})",
            Function::RegexpExtract => "REGEXP_SUBSTR({0}, {1})",
            Function::ReplaceRegex => "REGEXP_REPLACE({0}, {1}, {2})",
            Function::Strpos => "INSTR({0}, {1})",
            Function::Unicode => "ASCII({0})",
            Function::Div => "CAST({0} / {1} AS BIGINT)",
            Function::IsInf => "COALESCE(ABS({0}) = DOUBLE('Infinity'), false)",
            Function::IsNan => "COALESCE(ISNAN({0}), false)",
            Function::Rand => "RAND()",
            Function::Trunc => "CASE WHEN {0} < 0 THEN CEIL({0}) ELSE FLOOR({0}) END",
            Function::TruncTo => {
                "(CASE WHEN {0} < 0 THEN CEIL({0} * POWER(10, {1})) ELSE FLOOR({0} * POWER(10, {1})) END / POWER(10, {1}))"
            }
            // They leave nulls out of the comparison here.
            Function::Greatest => {
                "CASE WHEN EXISTS(ARRAY({*}), x -> x IS NULL) THEN NULL ELSE GREATEST({*}, {0}) END"
            }
            Function::Least => {
                "CASE WHEN EXISTS(ARRAY({*}), x -> x IS NULL) THEN NULL ELSE LEAST({*}, {0}) END"
            }
            Function::ListExtract => "TRY_ELEMENT_AT({0}, CAST({1} AS INT))",
            Function::Dayname => "DATE_FORMAT({0}, 'EEEE')",
            Function::ToTimestamp => "TIMESTAMP_SECONDS({0})",
            Function::ToSeconds => return self.unsupported("function `to_seconds`"),
            other => functions::common(other, arguments),
        })
    }

    fn truncate(&self, value: &str, unit: TimeUnit, ty: &Type, zone: Option<&str>) -> String {
        match zone.map(|zone| self.string(zone)) {
            Some(zone) => back(&truncated(&local(value, ty, &zone), unit), ty, &zone),
            None => format!("CAST({} AS {})", truncated(value, unit), self.type_name(ty)),
        }
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
            None if unit.is_calendar() => {
                format!("CAST({} AS {})", shifted(value, amount, unit), self.type_name(ty))
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
            ExtractUnit::Second => {
                return format!("CAST(FLOOR(EXTRACT(SECOND FROM {value})) AS INT)");
            }
            ExtractUnit::Minute => "MINUTE",
            ExtractUnit::Hour => "HOUR",
            ExtractUnit::Day => "DAY",
            // 1 on Sunday, as here.
            ExtractUnit::DayOfWeek => return format!("DAYOFWEEK({value})"),
            ExtractUnit::DayOfYear => return format!("DAYOFYEAR({value})"),
            ExtractUnit::Week => "WEEK",
            ExtractUnit::Month => "MONTH",
            ExtractUnit::Quarter => "QUARTER",
            ExtractUnit::Year => "YEAR",
        };
        format!("EXTRACT({name} FROM {value})")
    }

    fn diff(&self, from: &str, to: &str, unit: TimeUnit, _: &Type) -> String {
        // Not `TIMESTAMPDIFF` for these, which Sail takes from midnight to midnight.
        let seconds: u64 = match unit {
            TimeUnit::Second => 1,
            TimeUnit::Minute => 60,
            TimeUnit::Hour => 3_600,
            TimeUnit::Day => 86_400,
            TimeUnit::Week => 604_800,
            TimeUnit::Month | TimeUnit::Quarter | TimeUnit::Year => {
                return format!("TIMESTAMPDIFF({}, {from}, {to})", unit.name().to_uppercase());
            }
        };
        let micros = |value: &str| format!("UNIX_MICROS(CAST({value} AS TIMESTAMP))");
        format!("(({} - {}) DIV {}000000)", micros(to), micros(from), seconds)
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
        Ok(match (from, to) {
            (Type::Timestamp(_) | Type::Timestamptz(_), Type::Date(_)) => {
                format!("CAST({} AS DATE)", local(value, from, &zone))
            }
            (Type::Date(_), Type::Timestamp(_) | Type::Timestamptz(_)) => {
                back(&format!("CAST({value} AS TIMESTAMP)"), to, &zone)
            }
            (Type::Timestamptz(_), Type::Timestamp(_)) => {
                format!("CAST({} AS TIMESTAMP_NTZ)", local(value, from, &zone))
            }
            // From a timestamp to an instant too: it is a clock of UTC, whatever the zone of the query.
            _ => self.cast(value, &self.type_name(to), safe)?,
        })
    }

    fn record(&self, fields: &[(String, String)]) -> String {
        let fields: Vec<_> =
            fields.iter().map(|(name, value)| format!("{}, {value}", self.string(name))).collect();
        format!("NAMED_STRUCT({})", fields.join(", "))
    }

    fn list(&self, items: &[String], _: &Type) -> String {
        format!("ARRAY({})", items.join(", "))
    }

    fn empty_list(&self, _: &Type) -> String {
        "ARRAY()".to_owned()
    }

    /// A collected list has no order of its own: what it is sorted by goes in with each element and is taken out after.
    fn collect(&self, value: &str, order: &[(String, bool)]) -> String {
        if order.is_empty() {
            return format!("COLLECT_LIST({value})");
        }
        let mut fields: Vec<(String, String)> = order
            .iter()
            .enumerate()
            .map(|(index, (by, _))| (format!("o{index}"), by.clone()))
            .collect();
        fields.push(("v".to_owned(), value.to_owned()));
        let mut whens = String::new();
        for (index, (_, down)) in order.iter().enumerate() {
            let (less, more) = if *down { (1, -1) } else { (-1, 1) };
            let (l, r) = (format!("l.o{index}"), format!("r.o{index}"));
            let _infallible = write!(
                whens,
                " WHEN {l} IS NULL AND {r} IS NOT NULL THEN 1 WHEN {l} IS NOT NULL AND {r} IS NULL THEN -1 \
                 WHEN {l} < {r} THEN {less} WHEN {l} > {r} THEN {more}"
            );
        }
        let list = format!("COLLECT_LIST({})", self.record(&fields));
        format!("TRANSFORM(ARRAY_SORT({list}, (l, r) -> CASE{whens} ELSE 0 END), x -> x.v)")
    }

    fn record_field(&self, record: &str, name: &str, _: Option<&Type>) -> String {
        format!("{record}.{}", self.ident(name))
    }

    fn unnest(&self, list: &str, alias: &str) -> String {
        format!(
            "CROSS JOIN LATERAL POSEXPLODE_OUTER({list}) AS {}(`position`, `value`)",
            self.ident(alias)
        )
    }

    fn element(&self, alias: &str, field: Option<&str>, _: Option<&Type>) -> String {
        let value = self.column(alias, "value");
        field.map_or_else(|| value.clone(), |field| format!("{value}.{}", self.ident(field)))
    }

    fn position(&self, alias: &str) -> String {
        self.column(alias, "position")
    }

    /// The distinct pairs of a group are a set of records; the aggregate goes over that. Exact.
    fn by_key(&self, aggregate: &Aggregated<'_>, key: &str, optional: bool) -> Option<String> {
        let filter = present(aggregate, key, optional);
        if aggregate.function == AggregateFunction::Count {
            return Some(count_distinct(key, aggregate.filter));
        }
        let value = aggregate.args.first()?;
        let pair =
            self.record(&[("k".to_owned(), key.to_owned()), ("v".to_owned(), value.clone())]);
        let values =
            format!("FILTER(TRANSFORM(COLLECT_SET({pair}){filter}, x -> x.v), x -> x IS NOT NULL)");
        let sum = format!("AGGREGATE({values}, CAST(0 AS DOUBLE), (s, x) -> s + x)");
        Some(match aggregate.function {
            // Exact, also beyond what a float holds.
            AggregateFunction::Sum if aggregate.whole => format!(
                "AGGREGATE({values}, CAST(0 AS DECIMAL(38, 0)), (s, x) -> CAST(s + x AS DECIMAL(38, 0)))"
            ),
            AggregateFunction::Sum => sum,
            AggregateFunction::Avg => format!("({sum} / NULLIF(SIZE({values}), 0))"),
            AggregateFunction::Stddev => format!(
                "SQRT(AGGREGATE({values}, CAST(0 AS DOUBLE), (s, x) -> s + POWER(x - ({sum} / NULLIF(SIZE({values}), 0)), 2)) \
                 / NULLIF(SIZE({values}) - 1, 0))"
            ),
            AggregateFunction::StringAgg if aggregate.order.is_empty() => {
                format!("ARRAY_JOIN({values}, {})", aggregate.args.get(1)?)
            }
            AggregateFunction::StringAgg => return None,
            _ => return self.aggregate(aggregate).ok(),
        })
    }

    fn aggregate(&self, aggregate: &Aggregated<'_>) -> Result<String, Error> {
        if aggregate.limit.is_some() {
            return self.unsupported("limit inside an aggregate");
        }
        let value = aggregate.args.first().map_or("NULL", String::as_str);
        if aggregate.function == AggregateFunction::CountDistinct {
            return Ok(count_distinct(value, aggregate.filter));
        }
        if let Some(call) = common_aggregate(aggregate) {
            return Ok(call);
        }
        let filter = filtered(aggregate.filter);
        if aggregate.function == AggregateFunction::CountApprox {
            return Ok(format!("APPROX_COUNT_DISTINCT({value}){filter}"));
        }
        let (text, separator) = text_arguments(aggregate)?;
        let order = order_by(aggregate.order);
        let order = order.trim_start();
        let within =
            if order.is_empty() { String::new() } else { format!(" WITHIN GROUP ({order})") };
        Ok(format!("LISTAGG({text}, {separator}){within}{filter}"))
    }

    fn row_key(&self) -> &'static str {
        // A window over everything would bring all rows to one machine.
        "UUID()"
    }

    fn sample(&self, rows: &str, sample: Sample) -> Result<String, Error> {
        let size = match sample {
            Sample::Default => "50000 ROWS".to_owned(),
            Sample::Rows(rows) => format!("{rows} ROWS"),
            Sample::Percent(percent) => format!("{percent} PERCENT"),
        };
        Ok(format!("(SELECT * FROM {rows} TABLESAMPLE ({size}))"))
    }
}

/// The condition says nothing new. Without it, several counts over a left join without groups are taken from the joined table itself by
/// engines on `DataFusion`, also its rows that nothing joins.
fn count_distinct(value: &str, filter: Option<&str>) -> String {
    let filter = filter.map(|filter| format!("({filter}) AND ")).unwrap_or_default();
    format!("COUNT(DISTINCT {value}) FILTER (WHERE {filter}{value} IS NOT NULL)")
}

fn truncated(value: &str, unit: TimeUnit) -> String {
    match unit {
        TimeUnit::Week => {
            format!("(DATE_TRUNC('WEEK', {value} + INTERVAL '1' DAY) - INTERVAL '1' DAY)")
        }
        unit => format!("DATE_TRUNC('{}', {value})", unit.name().to_uppercase()),
    }
}

fn shifted(value: &str, amount: &str, unit: TimeUnit) -> String {
    format!("TIMESTAMPADD({}, {amount}, {value})", unit.name().to_uppercase())
}

fn local(value: &str, ty: &Type, zone: &str) -> String {
    match ty {
        Type::Timestamptz(_) | Type::Timestamp(_) => format!("FROM_UTC_TIMESTAMP({value}, {zone})"),
        _ => value.to_owned(),
    }
}

fn back(local: &str, ty: &Type, zone: &str) -> String {
    match ty {
        Type::Timestamptz(_) => format!("TO_UTC_TIMESTAMP({local}, {zone})"),
        Type::Timestamp(_) => format!("CAST(TO_UTC_TIMESTAMP({local}, {zone}) AS TIMESTAMP_NTZ)"),
        _ => format!("CAST({local} AS DATE)"),
    }
}
