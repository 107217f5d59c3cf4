//! Expressions as SQL. Start at [`Writer::write`].
//!
//! What is written stands by itself (a name, a call, a literal) or is put in parentheses when it becomes an operand, so
//! no operator of a dialect can bind otherwise than meant, and `4 - -1` is not a comment.

use malloy_model::ir::{
    Aggregate, AggregateFunction, BinaryOp, Bound, Direction, Expr, Frame, Literal, SqlPart,
    Window, WindowFunction,
};

use crate::{
    Dialect, Error,
    dialect::{Aggregated, ordered},
    scope::Scope,
};

/// More SQL than any engine would read with pleasure; what is larger has grown out of fields that use each other.
pub(crate) const LIMIT: usize = 8 << 20;

/// Writes expressions in one dialect.
#[derive(Clone, Copy)]
pub(crate) struct Writer<'a> {
    pub(crate) dialect: &'a dyn Dialect,
}

impl Writer<'_> {
    /// As it may stand in a list of columns or alone in parentheses.
    pub(crate) fn write(self, expr: &Expr, scope: &Scope<'_>) -> Result<String, Error> {
        let mut out = String::new();
        self.put(&mut out, expr, scope)?;
        Ok(out)
    }

    /// As an operand.
    pub(crate) fn operand(self, expr: &Expr, scope: &Scope<'_>) -> Result<String, Error> {
        let mut out = String::new();
        self.put_operand(&mut out, expr, scope)?;
        Ok(out)
    }

    fn all(self, exprs: &[Expr], scope: &Scope<'_>) -> Result<Vec<String>, Error> {
        exprs.iter().map(|expr| self.operand(expr, scope)).collect()
    }

    fn put_operand(self, out: &mut String, expr: &Expr, scope: &Scope<'_>) -> Result<(), Error> {
        if stands_alone(expr) || scope.known.iter().any(|(known, _)| *known == expr) {
            return self.put(out, expr, scope);
        }
        out.push('(');
        self.put(out, expr, scope)?;
        out.push(')');
        Ok(())
    }

    fn put(self, out: &mut String, expr: &Expr, scope: &Scope<'_>) -> Result<(), Error> {
        if out.len() > LIMIT {
            return Err(Error::TooLarge { limit: LIMIT });
        }
        if let Some((_, column)) = scope.known.iter().find(|(known, _)| *known == expr) {
            out.push_str(column);
            return Ok(());
        }
        let dialect = self.dialect;
        match expr {
            Expr::Column { join, name } => out.push_str(&scope.rows.column(*join, name)?),
            Expr::Field(id) => out.push_str(&scope.rows.field(*id)?),
            Expr::Output(index) => {
                let name = scope.outputs.get(*index as usize);
                out.push_str(name.ok_or_else(|| Error::broken(format!("no output {index}")))?);
            }
            Expr::RecordField { record, name } => {
                let ty = scope.rows.known_type(expr);
                out.push_str(&dialect.record_field(
                    &self.operand(record, scope)?,
                    name,
                    ty.as_ref(),
                ));
            }
            Expr::Literal(literal) => out.push_str(&self.literal(literal)),
            Expr::Now { ty } => out.push_str(&dialect.now(ty)),
            Expr::Negate(expr) => {
                out.push('-');
                self.put_operand(out, expr, scope)?;
            }
            Expr::Binary { .. } => self.binary(out, expr, scope)?,
            Expr::Not(expr) => {
                out.push_str("NOT ");
                self.put_operand(out, expr, scope)?;
            }
            Expr::OrTrue(expr) => self.or(out, expr, "true", scope)?,
            Expr::OrFalse(expr) => self.or(out, expr, "false", scope)?,
            Expr::IsNull { expr, negated } => {
                self.put_operand(out, expr, scope)?;
                out.push_str(if *negated { " IS NOT NULL" } else { " IS NULL" });
            }
            Expr::And(items) => self.joined(out, items, " AND ", "true", scope)?,
            Expr::Or(items) => self.joined(out, items, " OR ", "false", scope)?,
            Expr::Coalesce(items) => self.call(out, "COALESCE", items, scope)?,
            Expr::In { expr, list, negated } => {
                self.put_operand(out, expr, scope)?;
                out.push_str(if *negated { " NOT IN " } else { " IN " });
                self.call(out, "", list, scope)?;
            }
            Expr::InList { expr, list, negated } => {
                let test =
                    dialect.in_list(&self.operand(expr, scope)?, &self.operand(list, scope)?);
                if *negated {
                    out.push_str("NOT ");
                }
                out.push_str(&test);
            }
            Expr::Like { expr, pattern } => {
                out.push_str(
                    &dialect.like(&self.operand(expr, scope)?, &self.operand(pattern, scope)?),
                );
            }
            Expr::RegexMatch { expr, pattern } => {
                out.push_str(
                    &dialect.regex_match(&self.operand(expr, scope)?, &dialect.string(pattern)),
                );
            }
            Expr::Case { whens, otherwise, .. } => {
                self.case(out, whens, otherwise.as_deref(), scope)?;
            }
            Expr::Cast { expr, from, to, safe, zone } => {
                let value = self.operand(expr, scope)?;
                out.push_str(&if from.is_time() && to.is_time() {
                    dialect.cast_time(&value, from, to, *safe, zone.as_deref())?
                } else {
                    dialect.cast(&value, &dialect.type_name(to), *safe)?
                });
            }
            Expr::SqlCast { expr, to, safe } => {
                out.push_str(&dialect.cast(&self.operand(expr, scope)?, to, *safe)?);
            }
            Expr::Truncate { expr, unit, ty, zone } => {
                let value = self.operand(expr, scope)?;
                out.push_str(&dialect.truncate(&value, *unit, ty, zone.as_deref()));
            }
            Expr::Offset { expr, amount, unit, ty, zone } => {
                let (value, amount) = (self.operand(expr, scope)?, self.operand(amount, scope)?);
                out.push_str(&dialect.offset(&value, &amount, *unit, ty, zone.as_deref()));
            }
            Expr::Extract { expr, unit, ty, zone } => {
                let value = self.operand(expr, scope)?;
                out.push_str(&dialect.extract(&value, *unit, ty, zone.as_deref()));
            }
            Expr::Diff { from, to, unit, ty } => {
                let (from, to) = (self.operand(from, scope)?, self.operand(to, scope)?);
                out.push_str(&dialect.diff(&from, &to, *unit, ty));
            }
            Expr::Array { items, element } => {
                out.push_str(&dialect.list(&self.all(items, scope)?, element));
            }
            Expr::Record { items, fields } => {
                let names = fields.iter().map(|field| field.name.clone());
                let fields: Vec<_> = names.zip(self.all(items, scope)?).collect();
                out.push_str(&dialect.record(&fields));
            }
            Expr::Call { function, args, .. } => {
                let template = dialect.function(*function, args.len())?;
                fill(out, template, &self.all(args, scope)?)?;
            }
            Expr::SqlCall { name, args, .. } => self.call(out, name, args, scope)?,
            Expr::SqlText { parts, .. } => self.text(out, parts, scope)?,
            Expr::Aggregate(aggregate) => out.push_str(&self.aggregate(aggregate, scope)?),
            Expr::Ungrouped(_) => {
                return Err(Error::broken("an ungrouped aggregate where none may be"));
            }
            Expr::Window(window) => self.window(out, window, scope)?,
        }
        Ok(())
    }

    fn literal(self, literal: &Literal) -> String {
        let dialect = self.dialect;
        match literal {
            Literal::Null => "NULL".to_owned(),
            Literal::Boolean(value) => value.to_string(),
            Literal::String(text) => dialect.string(text),
            Literal::Number(digits) => digits.clone(),
            Literal::Date(text) => dialect.date(text),
            Literal::Timestamp { text, zone } => dialect.timestamp(text, zone.as_deref()),
            Literal::Timestamptz { text, zone } => dialect.timestamptz(text, zone),
        }
    }

    /// A chain such as `a + b + c` leans to the left; it is walked, not entered, however long it is.
    fn binary(self, out: &mut String, expr: &Expr, scope: &Scope<'_>) -> Result<(), Error> {
        let mut chain = Vec::new();
        let mut first = expr;
        while let Expr::Binary { op, left, right } = first {
            if *op == BinaryOp::Divide && !chain.is_empty() {
                break;
            }
            chain.push((*op, &**right));
            first = left;
            if *op == BinaryOp::Divide || scope.known.iter().any(|(known, _)| *known == first) {
                break;
            }
        }
        if let [(BinaryOp::Divide, right)] = &*chain {
            let (left, right) = (self.operand(first, scope)?, self.operand(right, scope)?);
            out.push_str(&self.dialect.divide(&left, &right));
            return Ok(());
        }
        for _ in 1..chain.len() {
            out.push('(');
        }
        self.put_operand(out, first, scope)?;
        for (index, (op, right)) in chain.iter().rev().enumerate() {
            if index > 0 {
                out.push(')');
            }
            out.push_str(symbol(*op));
            self.put_operand(out, right, scope)?;
        }
        Ok(())
    }

    fn or(
        self,
        out: &mut String,
        expr: &Expr,
        otherwise: &str,
        scope: &Scope<'_>,
    ) -> Result<(), Error> {
        out.push_str("COALESCE(");
        self.put(out, expr, scope)?;
        out.push_str(", ");
        out.push_str(otherwise);
        out.push(')');
        Ok(())
    }

    fn joined(
        self,
        out: &mut String,
        items: &[Expr],
        between: &str,
        none: &str,
        scope: &Scope<'_>,
    ) -> Result<(), Error> {
        if items.is_empty() {
            out.push_str(none);
        }
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                out.push_str(between);
            }
            self.put_operand(out, item, scope)?;
        }
        Ok(())
    }

    fn call(
        self,
        out: &mut String,
        name: &str,
        args: &[Expr],
        scope: &Scope<'_>,
    ) -> Result<(), Error> {
        out.push_str(name);
        out.push('(');
        for (index, arg) in args.iter().enumerate() {
            if index > 0 {
                out.push_str(", ");
            }
            self.put(out, arg, scope)?;
        }
        out.push(')');
        Ok(())
    }

    fn case(
        self,
        out: &mut String,
        whens: &[(Expr, Expr)],
        otherwise: Option<&Expr>,
        scope: &Scope<'_>,
    ) -> Result<(), Error> {
        out.push_str("CASE");
        for (when, then) in whens {
            out.push_str(" WHEN ");
            self.put(out, when, scope)?;
            out.push_str(" THEN ");
            self.put(out, then, scope)?;
        }
        if let Some(otherwise) = otherwise {
            out.push_str(" ELSE ");
            self.put(out, otherwise, scope)?;
        }
        out.push_str(" END");
        Ok(())
    }

    fn text(self, out: &mut String, parts: &[SqlPart], scope: &Scope<'_>) -> Result<(), Error> {
        out.push('(');
        for part in parts {
            match part {
                SqlPart::Text(text) => out.push_str(text),
                SqlPart::Expr(expr) => self.put_operand(out, expr, scope)?,
            }
        }
        out.push(')');
        Ok(())
    }

    fn aggregate(self, aggregate: &Aggregate, scope: &Scope<'_>) -> Result<String, Error> {
        let inside = scope.inside();
        let args = self.all(&aggregate.args, &inside)?;
        let filter =
            aggregate.filter.as_ref().map(|filter| self.write(filter, &inside)).transpose()?;
        let order: Result<Vec<_>, Error> = aggregate
            .order
            .iter()
            .map(|order| {
                Ok((self.operand(&order.expr, &inside)?, order.direction == Direction::Desc))
            })
            .collect();
        let parts = Aggregated {
            function: aggregate.function,
            args: &args,
            whole: aggregate.args.first().is_some_and(|arg| inside.rows.is_whole(arg)),
            filter: filter.as_deref(),
            order: &order?,
            limit: aggregate.limit,
        };
        let written = if aggregate.by_key {
            let key = scope.rows.key(aggregate.at)?;
            let unsupported = || Error::Unsupported {
                dialect: self.dialect.name(),
                what: "aggregate over distinct keys in an expression".to_owned(),
            };
            self.dialect
                .by_key(&parts, &key, scope.rows.may_lack(aggregate.at))
                .ok_or_else(unsupported)?
        } else {
            self.dialect.aggregate(&parts)?
        };
        Ok(match aggregate.function {
            AggregateFunction::Sum => format!("COALESCE({written}, 0)"),
            _ => written,
        })
    }

    fn window(self, out: &mut String, window: &Window, scope: &Scope<'_>) -> Result<(), Error> {
        let name = match window.function {
            WindowFunction::RowNumber => "ROW_NUMBER",
            WindowFunction::Rank => "RANK",
            WindowFunction::DenseRank => "DENSE_RANK",
            WindowFunction::Lag => "LAG",
            WindowFunction::Lead => "LEAD",
            WindowFunction::FirstValue => "FIRST_VALUE",
            WindowFunction::LastValue => "LAST_VALUE",
            WindowFunction::Sum => "SUM",
            WindowFunction::Avg => "AVG",
            WindowFunction::Min => "MIN",
            WindowFunction::Max => "MAX",
        };
        self.call(out, name, &window.args, scope)?;
        let mut partition = scope.partition.to_vec();
        partition.extend(self.all(&window.partition, scope)?);
        let mut order = Vec::new();
        for by in &window.order {
            order.push(ordered(&self.operand(&by.expr, scope)?, by.direction == Direction::Desc));
        }
        if order.is_empty() && window.frame != Frame::All {
            order = scope.order.to_vec();
        }
        let mut parts = Vec::new();
        if !partition.is_empty() {
            parts.push(format!("PARTITION BY {}", partition.join(", ")));
        }
        if !order.is_empty() {
            parts.push(format!("ORDER BY {}", order.join(", ")));
        }
        if let Frame::Rows { start, end } = window.frame {
            let (start, end) = (bound(start, "PRECEDING"), bound(end, "FOLLOWING"));
            parts.push(format!("ROWS BETWEEN {start} AND {end}"));
        }
        out.push_str(" OVER (");
        out.push_str(&parts.join(" "));
        out.push(')');
        Ok(())
    }
}

fn bound(bound: Bound, side: &str) -> String {
    match bound {
        Bound::Unbounded => format!("UNBOUNDED {side}"),
        Bound::Current => "CURRENT ROW".to_owned(),
        Bound::Preceding(rows) => format!("{rows} PRECEDING"),
        Bound::Following(rows) => format!("{rows} FOLLOWING"),
    }
}

fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => " + ",
        BinaryOp::Subtract => " - ",
        BinaryOp::Multiply => " * ",
        BinaryOp::Divide => " / ",
        BinaryOp::Modulo => " % ",
        BinaryOp::Equal => " = ",
        BinaryOp::NotEqual => " <> ",
        BinaryOp::Less => " < ",
        BinaryOp::LessOrEqual => " <= ",
        BinaryOp::Greater => " > ",
        BinaryOp::GreaterOrEqual => " >= ",
    }
}

/// Whether it needs no parentheses as an operand.
fn stands_alone(expr: &Expr) -> bool {
    match expr {
        Expr::Literal(Literal::Number(digits)) => !digits.starts_with('-'),
        Expr::Column { .. }
        // A field is kept with the parentheses that it needs.
        | Expr::Field(_)
        | Expr::Output(_)
        | Expr::RecordField { .. }
        | Expr::Literal(_)
        | Expr::Now { .. }
        | Expr::OrTrue(_)
        | Expr::OrFalse(_)
        | Expr::Coalesce(_)
        | Expr::Cast { .. }
        | Expr::SqlCast { .. }
        | Expr::Array { .. }
        | Expr::Record { .. }
        | Expr::Call { .. }
        | Expr::SqlCall { .. }
        | Expr::SqlText { .. }
        | Expr::Truncate { .. }
        | Expr::Offset { .. }
        | Expr::Extract { .. }
        | Expr::Diff { .. }
        | Expr::Aggregate(_) => true,
        Expr::Case { .. }
        | Expr::Negate(_)
        | Expr::Binary { .. }
        | Expr::Not(_)
        | Expr::IsNull { .. }
        | Expr::And(_)
        | Expr::Or(_)
        | Expr::In { .. }
        | Expr::InList { .. }
        | Expr::Like { .. }
        | Expr::RegexMatch { .. }
        | Expr::Ungrouped(_)
        | Expr::Window(_) => false,
    }
}

/// Puts arguments into the place of `{0}`, `{1}` and `{*}`; `{* AS TEXT}` casts each.
pub(crate) fn fill(out: &mut String, template: &str, args: &[String]) -> Result<(), Error> {
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let broken = || Error::broken(format!("function template `{template}`"));
        let (name, after) = after.split_once('}').ok_or_else(broken)?;
        if name == "*" {
            out.push_str(&args.join(", "));
        } else if let Some(cast) = name.strip_prefix('*') {
            let cast: Vec<_> = args.iter().map(|arg| format!("CAST({arg}{cast})")).collect();
            out.push_str(&cast.join(", "));
        } else {
            let index: usize = name.parse().map_err(|_| broken())?;
            out.push_str(args.get(index).ok_or_else(broken)?);
        }
        rest = after;
    }
    out.push_str(rest);
    Ok(())
}
