//! PostgreSQL. Nested values are `jsonb`.

use malloy_model::ir::{
    AggregateFunction, ExtractUnit, Function, NumberKind, Sample, TimeUnit, Type,
};

use crate::{
    Dialect, Error,
    dialect::{Aggregated, common_aggregate, filtered, order_by, present, text_arguments},
    functions,
    zone::{self, back, local, utc},
};

/// PostgreSQL 15 and newer.
#[derive(Debug, Clone, Copy, Default)]
pub struct Postgres;

/// A function takes at most a hundred arguments; a record has two for each field.
const FIELDS_AT_ONCE: usize = 40;

impl Postgres {
    fn unsupported<T>(self, what: &str) -> Result<T, Error> {
        Err(Error::Unsupported { dialect: self.name(), what: what.to_owned() })
    }

    /// A value inside JSON as a value of a type.
    fn json_field(self, json: &str, path: &str, ty: Option<&Type>) -> String {
        let text = |to: &str| format!("CAST({json} ->> {path} AS {to})");
        match ty {
            Some(Type::Array(_) | Type::Record(_) | Type::Json) => format!("({json} -> {path})"),
            Some(Type::String) | None => format!("({json} ->> {path})"),
            Some(Type::Number(NumberKind::Integer | NumberKind::Bigint)) => text("BIGINT"),
            Some(ty) => text(&self.type_name(ty)),
        }
    }
}

impl Dialect for Postgres {
    fn name(&self) -> &'static str {
        "PostgreSQL"
    }

    fn ident(&self, name: &str) -> String {
        format!("\"{}\"", name.replace('"', "\"\""))
    }

    fn string(&self, text: &str) -> String {
        format!("'{}'", text.replace('\'', "''"))
    }

    fn table(&self, path: &str) -> String {
        path.split('.').map(|part| self.ident(part)).collect::<Vec<_>>().join(".")
    }

    fn type_name(&self, ty: &Type) -> String {
        match ty {
            Type::String | Type::Null => "TEXT",
            Type::Number(_) => "DOUBLE PRECISION",
            Type::Boolean => "BOOLEAN",
            Type::Date(_) => "DATE",
            Type::Timestamp(_) => "TIMESTAMP",
            Type::Timestamptz(_) => "TIMESTAMPTZ",
            Type::Json | Type::Array(_) | Type::Record(_) => "JSONB",
            Type::Sql(name) => return name.clone(),
        }
        .to_owned()
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
            _ => "(NOW() AT TIME ZONE 'UTC')".to_owned(),
        }
    }

    /// Lists and composite types are JSON from here on.
    fn table_column(&self, alias: &str, name: &str, ty: Option<&Type>) -> String {
        let column = self.column(alias, name);
        match ty {
            Some(Type::Array(_) | Type::Record(_)) => format!("TO_JSONB({column})"),
            _ => column,
        }
    }

    fn cast(&self, value: &str, to: &str, safe: bool) -> Result<String, Error> {
        if !safe || to == "TEXT" {
            return Ok(format!("CAST({value} AS {to})"));
        }
        // There is no cast that gives null: the text is looked at first.
        let text = format!("CAST({value} AS TEXT)");
        let fits = match to {
            "DOUBLE PRECISION" => format!("{text} ~ {NUMBER}"),
            "BOOLEAN" => {
                format!("LOWER({text}) IN ('true', 'false', 't', 'f', 'yes', 'no', '1', '0')")
            }
            "DATE" => valid_date(&text, "$"),
            "TIMESTAMP" | "TIMESTAMPTZ" => valid_date(&text, TIME),
            _ => {
                return self
                    .unsupported(&format!("cast to `{to}` that gives null instead of failing"));
            }
        };
        Ok(format!("CASE WHEN {fits} THEN CAST({text} AS {to}) END"))
    }

    fn divide(&self, left: &str, right: &str) -> String {
        format!("CAST({left} AS DOUBLE PRECISION) / {right}")
    }

    fn like(&self, value: &str, pattern: &str) -> String {
        format!("{value} LIKE {pattern}")
    }

    fn regex_match(&self, value: &str, pattern: &str) -> String {
        format!("{value} ~ {pattern}")
    }

    /// `IS NOT DISTINCT FROM` cannot be hashed here, and two lists of ten thousand groups would meet a hundred million
    /// times. The values come from the same rows, so that equal ones have the same text.
    fn same(&self, left: &str, right: &str) -> String {
        format!(
            "(({left}) IS NULL) = (({right}) IS NULL) AND COALESCE(CAST({left} AS TEXT), '') = COALESCE(CAST({right} AS TEXT), '')"
        )
    }

    fn in_list(&self, value: &str, list: &str) -> String {
        format!("({list} @> TO_JSONB({value}))")
    }

    fn function(&self, function: Function, arguments: usize) -> Result<&'static str, Error> {
        Ok(match function {
            Function::Concat if arguments == 0 => "''",
            // Booleans are `t` and `f` to it.
            Function::Concat => "CONCAT({* AS TEXT})",
            Function::RegexpExtract => "REGEXP_SUBSTR({0}, {1})",
            Function::Repeat => "REPEAT({0}, CAST({1} AS INTEGER))",
            Function::Unicode => "ASCII({0})",
            Function::Chr => "CASE WHEN {0} = 0 THEN '' ELSE CHR(CAST({0} AS INTEGER)) END",
            Function::Substr if arguments == 2 => {
                "SUBSTR({0}, CAST(CASE WHEN {1} < 0 THEN LENGTH({0}) + {1} + 1 ELSE {1} END AS INTEGER))"
            }
            Function::Substr => {
                "SUBSTR({0}, CAST(CASE WHEN {1} < 0 THEN LENGTH({0}) + {1} + 1 ELSE {1} END AS INTEGER), CAST({2} AS INTEGER))"
            }
            Function::Div => "TRUNC(CAST({0} AS NUMERIC) / CAST({1} AS NUMERIC))",
            Function::IsInf => "COALESCE(ABS(CAST({0} AS DOUBLE PRECISION)) = 'Infinity', false)",
            Function::IsNan => "COALESCE(CAST({0} AS DOUBLE PRECISION) = 'NaN', false)",
            Function::RoundTo => "ROUND(CAST({0} AS NUMERIC), CAST({1} AS INTEGER))",
            Function::TruncTo => "TRUNC(CAST({0} AS NUMERIC), CAST({1} AS INTEGER))",
            Function::Greatest => "CASE WHEN NUM_NULLS({*}) > 0 THEN NULL ELSE GREATEST({*}) END",
            Function::Least => "CASE WHEN NUM_NULLS({*}) > 0 THEN NULL ELSE LEAST({*}) END",
            Function::Dayname => "TO_CHAR({0}, 'FMDay')",
            Function::ListExtract => "({0} ->> (CAST({1} AS INTEGER) - 1))",
            Function::ToSeconds => return self.unsupported("function `to_seconds`"),
            other => functions::common(other, arguments),
        })
    }

    fn truncate(&self, value: &str, unit: TimeUnit, ty: &Type, zone: Option<&str>) -> String {
        match zone.map(|zone| self.string(zone)) {
            Some(zone) => back(&truncated(&local(value, ty, &zone), unit), ty, &zone),
            None if matches!(ty, Type::Date(_)) => {
                format!("CAST({} AS DATE)", truncated(value, unit))
            }
            None if matches!(ty, Type::Timestamptz(_)) => {
                format!(
                    "({} AT TIME ZONE 'UTC')",
                    truncated(&format!("({value} AT TIME ZONE 'UTC')"), unit)
                )
            }
            None => truncated(value, unit),
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
            None if matches!(ty, Type::Date(_)) && unit.is_calendar() => {
                format!("CAST({} AS DATE)", shifted(value, amount, unit))
            }
            None => shifted(value, amount, unit),
        }
    }

    fn extract(&self, value: &str, unit: ExtractUnit, ty: &Type, zone: Option<&str>) -> String {
        let zone = zone.map_or_else(|| "'UTC'".to_owned(), |zone| self.string(zone));
        let value = match ty {
            Type::Timestamptz(_) => local(value, ty, &zone),
            Type::Timestamp(_) if zone != "'UTC'" => local(value, ty, &zone),
            _ => value.to_owned(),
        };
        let name = match unit {
            ExtractUnit::Second => {
                return format!("CAST(FLOOR(EXTRACT(SECOND FROM {value})) AS INTEGER)");
            }
            ExtractUnit::Minute => "MINUTE",
            ExtractUnit::Hour => "HOUR",
            ExtractUnit::Day => "DAY",
            ExtractUnit::DayOfWeek => {
                return format!("CAST(EXTRACT(DOW FROM {value}) + 1 AS INTEGER)");
            }
            ExtractUnit::DayOfYear => "DOY",
            ExtractUnit::Week => "WEEK",
            ExtractUnit::Month => "MONTH",
            ExtractUnit::Quarter => "QUARTER",
            ExtractUnit::Year => "YEAR",
        };
        format!("CAST(EXTRACT({name} FROM {value}) AS INTEGER)")
    }

    fn diff(&self, from: &str, to: &str, unit: TimeUnit, ty: &Type) -> String {
        let seconds = match unit {
            TimeUnit::Second => 1,
            TimeUnit::Minute => 60,
            TimeUnit::Hour => 3_600,
            TimeUnit::Day => 86_400,
            TimeUnit::Week => 604_800,
            TimeUnit::Month | TimeUnit::Quarter | TimeUnit::Year => {
                let age = format!("AGE(CAST({to} AS TIMESTAMP), CAST({from} AS TIMESTAMP))");
                let months = format!("(EXTRACT(YEAR FROM {age}) * 12 + EXTRACT(MONTH FROM {age}))");
                let size = match unit {
                    TimeUnit::Month => 1,
                    TimeUnit::Quarter => 3,
                    _ => 12,
                };
                return format!("CAST(TRUNC({months} / {size}) AS BIGINT)");
            }
        };
        let as_time = |value: &str| match ty {
            Type::Date(_) => format!("CAST({value} AS TIMESTAMP)"),
            _ => value.to_owned(),
        };
        format!(
            "CAST(TRUNC(EXTRACT(EPOCH FROM {} - {}) / {seconds}) AS BIGINT)",
            as_time(to),
            as_time(from)
        )
    }

    fn cast_time(
        &self,
        value: &str,
        from: &Type,
        to: &Type,
        safe: bool,
        zone: Option<&str>,
    ) -> Result<String, Error> {
        let zone = zone.map_or_else(|| "'UTC'".to_owned(), |zone| self.string(zone));
        let cast = match (from, to) {
            // Their clocks are the same.
            (Type::Timestamp(_), Type::Date(_)) | (Type::Date(_), Type::Timestamp(_))
                if zone == "'UTC'" =>
            {
                None
            }
            _ => zone::cast(value, from, to, &zone),
        };
        match cast {
            Some(cast) => Ok(cast),
            None => self.cast(value, &self.type_name(to), safe),
        }
    }

    fn record(&self, fields: &[(String, String)]) -> String {
        let objects: Vec<String> = fields
            .chunks(FIELDS_AT_ONCE)
            .map(|fields| {
                let pairs: Vec<_> = fields
                    .iter()
                    .map(|(name, value)| format!("{}, {value}", self.string(name)))
                    .collect();
                format!("JSONB_BUILD_OBJECT({})", pairs.join(", "))
            })
            .collect();
        if objects.len() == 1 { objects.concat() } else { format!("({})", objects.join(" || ")) }
    }

    fn list(&self, items: &[String], _: &Type) -> String {
        format!("JSONB_BUILD_ARRAY({})", items.join(", "))
    }

    fn empty_list(&self, _: &Type) -> String {
        "'[]'::jsonb".to_owned()
    }

    fn collect(&self, value: &str, order: &[(String, bool)]) -> String {
        format!("JSONB_AGG({value}{})", order_by(order))
    }

    fn record_field(&self, record: &str, name: &str, ty: Option<&Type>) -> String {
        self.json_field(record, &self.string(name), ty)
    }

    fn unnest(&self, list: &str, alias: &str) -> String {
        // Null as JSON has it is no list.
        let list = format!("CASE WHEN JSONB_TYPEOF({list}) = 'array' THEN {list} END");
        format!(
            "LEFT JOIN LATERAL JSONB_ARRAY_ELEMENTS({list}) WITH ORDINALITY AS {}(\"value\", \"position\") ON true",
            self.ident(alias)
        )
    }

    fn element(&self, alias: &str, field: Option<&str>, ty: Option<&Type>) -> String {
        let value = self.column(alias, "value");
        match field {
            Some(field) => self.json_field(&value, &self.string(field), ty),
            None if matches!(ty, Some(Type::Array(_) | Type::Record(_) | Type::Json)) => value,
            None => {
                let text = format!("({value} #>> '{{}}')");
                match ty {
                    Some(Type::String) | None => text,
                    Some(ty) => format!("CAST({text} AS {})", self.type_name(ty)),
                }
            }
        }
    }

    fn position(&self, alias: &str) -> String {
        self.column(alias, "position")
    }

    /// The keys and values of a group are two lists side by side; their distinct pairs are aggregated. Exact.
    fn by_key(&self, aggregate: &Aggregated<'_>, key: &str, optional: bool) -> Option<String> {
        let filter = present(aggregate, key, optional);
        if aggregate.function == AggregateFunction::Count {
            return Some(format!("COUNT(DISTINCT {key}){}", filtered(aggregate.filter)));
        }
        let value = aggregate.args.first()?;
        let name = match aggregate.function {
            AggregateFunction::Sum => "SUM(x.v)".to_owned(),
            AggregateFunction::Avg => "AVG(x.v)".to_owned(),
            AggregateFunction::Stddev => "STDDEV_SAMP(x.v)".to_owned(),
            AggregateFunction::StringAgg => {
                let order: Vec<_> = (aggregate.order.iter().enumerate())
                    .map(|(index, (_, down))| (format!("x.o{index}"), *down))
                    .collect();
                format!("STRING_AGG(x.v, {}{})", aggregate.args.get(1)?, order_by(&order))
            }
            _ => return self.aggregate(aggregate).ok(),
        };
        let values = [key.to_owned(), value.clone()]
            .into_iter()
            .chain(aggregate.order.iter().map(|(by, _)| by.clone()));
        let lists: Vec<_> = values.map(|value| format!("ARRAY_AGG({value}){filter}")).collect();
        let names: Vec<_> = (0..aggregate.order.len()).map(|index| format!(", o{index}")).collect();
        Some(format!(
            "(SELECT {name} FROM (SELECT DISTINCT * FROM UNNEST({}) AS u(k, v{})) AS x)",
            lists.join(", "),
            names.concat()
        ))
    }

    fn aggregate(&self, aggregate: &Aggregated<'_>) -> Result<String, Error> {
        if aggregate.limit.is_some() {
            return self.unsupported("limit inside an aggregate");
        }
        if let Some(call) = common_aggregate(aggregate) {
            return Ok(call);
        }
        let filter = filtered(aggregate.filter);
        if aggregate.function == AggregateFunction::CountApprox {
            let value = aggregate.args.first().map_or("NULL", String::as_str);
            return Ok(format!("COUNT(DISTINCT {value}){filter}"));
        }
        let (text, separator) = text_arguments(aggregate)?;
        Ok(format!("STRING_AGG({text}, {separator}{}){filter}", order_by(aggregate.order)))
    }

    fn sample(&self, rows: &str, sample: Sample) -> Result<String, Error> {
        Ok(match sample {
            Sample::Default => format!("(SELECT * FROM {rows} AS s LIMIT 50000)"),
            Sample::Rows(count) => {
                format!("(SELECT * FROM {rows} AS s ORDER BY RANDOM() LIMIT {count})")
            }
            Sample::Percent(percent) => {
                format!("(SELECT * FROM {rows} AS s WHERE RANDOM() < {})", percent / 100.0)
            }
        })
    }
}

/// The text of a number, as a pattern.
const NUMBER: &str = r"'^\s*[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?\s*$'";

/// What may follow a day in the text of a time, as a pattern.
const TIME: &str = r"([ T]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[-+]\d\d(:?\d\d)?)?)?$";

/// Whether a text begins with a day that there is, and goes on as the pattern says.
fn valid_date(text: &str, rest: &str) -> String {
    let month = format!("CAST(SUBSTR({text}, 1, 7) || '-01' AS DATE)");
    format!(
        "CASE WHEN {text} ~ '^\\d{{4}}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01]){rest}' \
         THEN CAST(SUBSTR({text}, 9, 2) AS INTEGER) <= EXTRACT(DAY FROM {month} + INTERVAL '1 month - 1 day') ELSE false END"
    )
}

fn truncated(value: &str, unit: TimeUnit) -> String {
    match unit {
        TimeUnit::Week => {
            format!("(DATE_TRUNC('week', {value} + INTERVAL '1 day') - INTERVAL '1 day')")
        }
        unit => format!("DATE_TRUNC('{}', {value})", unit.name()),
    }
}

fn shifted(value: &str, amount: &str, unit: TimeUnit) -> String {
    let (count, name) = match unit {
        TimeUnit::Quarter => (3, "month"),
        unit => (1, unit.name()),
    };
    format!("({value} + {amount} * INTERVAL '{count} {name}')")
}
