//! A scan: the joins of a stage, and how their columns, keys and named fields are written. Start at [`Scan::new`].
//!
//! Named fields are written out where they are used while they are short. A long one that is used more than once is
//! computed once for each row and named, so a chain of fields that each use the last one twice stays as long as it is
//! written, not twice as long each time.

use std::collections::{BTreeMap, BTreeSet};

use malloy_model::ir::{Expr, Field, FieldId, Join, JoinId, JoinKind, Key, Relation, Stage, Type};

use crate::{
    Error,
    expr::Writer,
    names,
    plan::Input,
    scope::{Rows, Scope},
    select::From,
    walk,
};

/// Longer than this, a field that is used again is computed once.
const SHORT: usize = 400;

/// The rows of a stage before anything is made of them.
pub(crate) struct Scan<'a> {
    writer: Writer<'a>,
    stage: &'a Stage,
    aliases: Vec<String>,
    /// What the root's and the joins' columns are called, where that is not their name.
    inputs: Vec<Option<BTreeMap<String, String>>>,
    /// Whether a join reads what is not of our making: a table, or a select that somebody wrote.
    foreign: Vec<bool>,
    /// The types of what joins read, by join.
    types: Vec<&'a BTreeMap<String, Type>>,
    /// Fields as they are written where they are used, in parentheses if they need them.
    fields: Vec<String>,
    /// The join after which each field can be computed.
    after: Vec<JoinId>,
    computed: Vec<Option<String>>,
}

impl<'a> Scan<'a> {
    pub(crate) fn new(
        writer: Writer<'a>,
        stage: &'a Stage,
        inputs: &'a [Input],
    ) -> Result<Self, Error> {
        let aliases = stage
            .joins
            .iter()
            .enumerate()
            .map(|(index, join)| format!("{}_{index}", join.name))
            .collect();
        let renamed = |input: &Input| {
            let differ =
                input.names.iter().zip(&input.columns).any(|(name, column)| name != column);
            differ.then(|| input.names.iter().cloned().zip(input.columns.iter().cloned()).collect())
        };
        let mut scan = Self {
            writer,
            stage,
            aliases,
            inputs: inputs.iter().map(renamed).collect(),
            foreign: inputs.iter().map(|input| input.names.is_empty()).collect(),
            types: inputs.iter().map(|input| &input.types).collect(),
            fields: Vec::new(),
            after: Vec::new(),
            computed: Vec::new(),
        };
        let uses = uses(stage);
        let inline = named_in_conditions(stage);
        for (index, field) in stage.fields.iter().enumerate() {
            let after = scan.reaches(field);
            let sql = writer.operand(&field.expr, &Scope::of(Rows::Scan(&scan)))?;
            let again = uses.get(index).is_some_and(|uses| *uses > 1) && !inline.contains(&index);
            let (sql, computed) = if sql.len() > SHORT && again {
                (writer.dialect.column(&names::inner("field", index), "value"), Some(sql))
            } else {
                (sql, None)
            };
            scan.fields.push(sql);
            scan.after.push(after);
            scan.computed.push(computed);
        }
        Ok(scan)
    }

    /// The last join that a field needs.
    fn reaches(&self, field: &Field) -> JoinId {
        let mut last = JoinId::ROOT;
        walk::deep(&field.expr, &mut |expr| {
            match expr {
                Expr::Column { join, .. } => last = last.max(*join),
                Expr::Field(id) => {
                    let inner = self.after.get(id.0 as usize).copied();
                    last = last.max(inner.unwrap_or(JoinId::ROOT));
                }
                _ => {}
            }
            true
        });
        last
    }

    pub(crate) fn column(&self, join: JoinId, name: &str) -> Result<String, Error> {
        let index = join.0 as usize;
        let (Some(alias), Some(instance)) = (self.aliases.get(index), self.stage.joins.get(index))
        else {
            return Err(Error::broken(format!("no join {index}")));
        };
        if let Relation::Unnest { of_records, .. } = &instance.relation {
            let ty = self.column_type(join, name);
            return Ok(self.writer.dialect.element(alias, of_records.then_some(name), ty));
        }
        if self.foreign.get(index).is_some_and(|foreign| *foreign) {
            let ty = self.column_type(join, name);
            return Ok(self.writer.dialect.table_column(alias, name, ty));
        }
        let column =
            self.inputs.get(index).and_then(Option::as_ref).and_then(|names| names.get(name));
        Ok(self.writer.dialect.column(alias, column.map_or(name, String::as_str)))
    }

    /// The type of a row-level expression, where it can be told from what it names.
    fn type_of<'e>(&self, expr: &'e Expr) -> Option<&'e Type>
    where
        'a: 'e,
    {
        match expr {
            Expr::Column { join, name } => self.column_type(*join, name),
            Expr::Field(id) => self.stage.fields.get(id.0 as usize).map(|field| &field.ty),
            Expr::RecordField { record, name } => field_type(self.type_of(record)?, name),
            Expr::Case { ty, .. }
            | Expr::Call { ty, .. }
            | Expr::SqlCall { ty, .. }
            | Expr::SqlText { ty, .. }
            | Expr::Cast { to: ty, .. } => Some(ty),
            _ => None,
        }
    }

    pub(crate) fn known_type(&self, expr: &Expr) -> Option<Type> {
        self.type_of(expr).cloned()
    }

    fn column_type(&self, join: JoinId, name: &str) -> Option<&'a Type> {
        let index = join.0 as usize;
        let Relation::Unnest { list, of_records } = &self.stage.joins.get(index)?.relation else {
            return self.types.get(index)?.get(name);
        };
        let Type::Array(element) = self.type_of(list)? else { return None };
        if *of_records { field_type(element, name) } else { Some(element) }
    }

    pub(crate) fn field(&self, id: FieldId) -> Result<String, Error> {
        let field = self.fields.get(id.0 as usize).cloned();
        field.ok_or_else(|| Error::broken(format!("field {} is used before it is known", id.0)))
    }

    pub(crate) fn may_lack(&self, join: JoinId) -> bool {
        let keeps_others = |join: &Join| matches!(join.kind, JoinKind::Right | JoinKind::Full);
        join != JoinId::ROOT || self.stage.joins.iter().any(keeps_others)
    }

    /// What tells rows of a join apart; null where the join found nothing.
    pub(crate) fn key(&self, join: JoinId) -> Result<String, Error> {
        let index = join.0 as usize;
        let broken = || Error::broken(format!("join {index} has no key"));
        let instance = self.stage.joins.get(index).ok_or_else(broken)?;
        let alias = self.aliases.get(index).ok_or_else(broken)?;
        let dialect = self.writer.dialect;
        Ok(match instance.key.as_ref().ok_or_else(broken)? {
            Key::Primary(expr) => self.writer.operand(expr, &Scope::of(Rows::Scan(self)))?,
            Key::Made => dialect.column(alias, MADE),
            Key::Element => {
                let parent = self.key(instance.parent.ok_or_else(broken)?)?;
                let text = dialect.type_name(&Type::String);
                let position = dialect.position(alias);
                let (parent, digits) =
                    (dialect.cast(&parent, &text, false)?, dialect.cast(&position, &text, false)?);
                // Null as soon as one of both is; the digits after the last `x` keep pairs apart.
                format!("({parent} || 'x' || {digits})")
            }
        })
    }

    /// FROM with all joins, and the fields that are computed once right after the join that they need last.
    pub(crate) fn from(&self, inputs: &[Input]) -> Result<Vec<From>, Error> {
        let scope = Scope::of(Rows::Scan(self));
        let dialect = self.writer.dialect;
        let mut from = Vec::new();
        for (index, join) in self.stage.joins.iter().enumerate() {
            let alias = self.aliases[index].clone();
            match &join.relation {
                Relation::Unnest { list, .. } => {
                    from.push(From::Text(
                        dialect.unnest(&self.writer.operand(list, &scope)?, &alias),
                    ));
                }
                Relation::Source(_) | Relation::Previous => {
                    let input =
                        inputs.get(index).ok_or_else(|| Error::broken("a join without rows"))?;
                    let sql = if matches!(join.key, Some(Key::Made)) {
                        made(self.writer, input)
                    } else {
                        input.sql.clone()
                    };
                    if index == 0 {
                        from.push(From::Rows { sql, alias });
                    } else {
                        let on =
                            join.on.as_ref().map(|on| self.writer.write(on, &scope)).transpose()?;
                        from.push(From::Join { kind: dialect.join(join.kind), sql, alias, on });
                    }
                }
            }
            for (field, computed) in self.computed.iter().enumerate() {
                if let Some(sql) = computed
                    && self.after[field].0 as usize == index
                {
                    from.push(From::Text(dialect.computed(
                        sql,
                        &names::inner("field", field),
                        "value",
                    )));
                }
            }
        }
        Ok(from)
    }
}

fn field_type<'t>(record: &'t Type, name: &str) -> Option<&'t Type> {
    let Type::Record(fields) = record else { return None };
    fields.iter().find(|field| field.name == name).map(|field| &field.ty)
}

const MADE: &str = "__key";

/// The rows with a key made for each.
fn made(writer: Writer<'_>, input: &Input) -> String {
    let dialect = writer.dialect;
    let (key, rows) = (dialect.ident(MADE), dialect.ident("rows"));
    format!("(SELECT {} AS {key}, {rows}.* FROM {} AS {rows})", dialect.row_key(), input.sql)
}

/// Fields that the condition of a join needs, at any distance: they cannot be computed after that join.
fn named_in_conditions(stage: &Stage) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut waiting: Vec<&Expr> = stage.joins.iter().filter_map(|join| join.on.as_ref()).collect();
    while let Some(expr) = waiting.pop() {
        walk::deep(expr, &mut |expr| {
            if let Expr::Field(id) = expr
                && found.insert(id.0 as usize)
                && let Some(field) = stage.fields.get(id.0 as usize)
            {
                waiting.push(&field.expr);
            }
            true
        });
    }
    found
}

/// How often each field is named in the stage.
fn uses(stage: &Stage) -> Vec<usize> {
    let mut uses = vec![0; stage.fields.len()];
    let mut count = |expr: &Expr| {
        walk::deep(expr, &mut |expr| {
            if let Expr::Field(id) = expr
                && let Some(uses) = uses.get_mut(id.0 as usize)
            {
                *uses += 1;
            }
            true
        });
    };
    stage.for_each_expr(&mut count);
    uses
}
