//! Queries: sources, pipelines, stages, joins, levels.

use serde::{Deserialize, Serialize};

use super::{Expr, Type};

/// A compiled query.
///
/// To write it: each [`Source`] that is a query becomes a CTE (they are ordered, a source only reads sources before it),
/// then the stages of [`Query::pipeline`], then one `SELECT` of the last stage in the order of [`Query::schema`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Query {
    /// The name of the database connection that everything is read from.
    pub connection: String,
    /// What is read, each at most once. A pipeline of a source names only sources before it.
    pub sources: Vec<Source>,
    /// The operations.
    pub pipeline: Pipeline,
    /// The columns of the result, in order.
    pub schema: Vec<OutputField>,
    /// Annotations of the query as written, outermost first: of the model's `##` not included.
    pub annotations: Vec<String>,
    /// The name of the named query that is run, if it is one.
    pub name: Option<String>,
    /// The time zone on whose clock the last stage counts, if one is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
}

/// Position in [`Query::sources`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SourceId(pub u32);

/// Something with rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// A name for aliases and CTEs. Not unique.
    pub name: String,
    pub kind: SourceKind,
    /// Its columns, in the database's order; for a query the outputs of its last stage.
    pub columns: Vec<Column>,
}

/// Where rows come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    /// A table or a file, the path as written in `connection.table('path')`.
    Table { path: String },
    /// A select in SQL.
    Sql(SqlText),
    /// The result of a query. Its last stage is ordered only where it has a limit.
    Query(Pipeline),
}

/// SQL text with queries spliced in at `%{ }`, each to be written as a select without parentheses.
///
/// A pipeline in here has sources of its own, since the text goes to the database to learn its columns before the
/// query around it is compiled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SqlText {
    pub parts: Vec<SqlTextPart>,
}

/// A piece of [`SqlText`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SqlTextPart {
    /// As written.
    Text(String),
    /// A whole query.
    Query(Box<Query>),
}

/// A column of a table, of a select or of a stage.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Column {
    pub name: String,
    #[serde(rename = "type")]
    pub ty: Type,
}

/// Operations one after another. The first stage's root reads [`Pipeline::base`]; each later one's root is
/// [`Relation::Previous`].
///
/// Without stages the rows of the base are the result as they are: a bare SQL source that is run keeps the order that
/// its text gives.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pipeline {
    pub base: SourceId,
    pub stages: Vec<Stage>,
}

/// One operation: what is scanned, and what is made of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stage {
    /// The joins in use, parents before children; the first is the root, what the stage reads. Joins that no
    /// expression needs are left out already.
    pub joins: Vec<Join>,
    /// Row-level expressions that have a name in the model and are used here, each once however often it is used.
    /// A field names only fields before it. The writer may write [`Expr::Field`] out where it stands, or compute it once.
    pub fields: Vec<Field>,
    /// The operation, with its nests inside.
    pub level: Level,
}

/// Position in [`Stage::joins`]. `JoinId(0)` is the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct JoinId(pub u32);

impl JoinId {
    /// What the stage reads.
    pub const ROOT: JoinId = JoinId(0);
}

/// Position in [`Stage::fields`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FieldId(pub u32);

/// A named row-level expression. It contains no aggregate and no window.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Field {
    /// For aliases and for reading. Not unique.
    pub name: String,
    #[serde(rename = "type")]
    pub ty: Type,
    pub expr: Expr,
}

/// A member of the join tree. Every instance has its own alias, also of the same source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Join {
    /// For the alias. Not unique.
    pub name: String,
    /// What it hangs on, before it in the list; none for the root.
    pub parent: Option<JoinId>,
    pub relation: Relation,
    /// How many rows of it there are for one of the parent.
    pub relationship: Relationship,
    pub kind: JoinKind,
    /// The condition, including the joined source's own `where:`. Absent for the root, for [`Relation::Unnest`], and for
    /// a cross join of everything with everything (`LEFT JOIN … ON true`). It names this join and joins before it.
    pub on: Option<Expr>,
    /// How to tell one row of it from another, if some [`Aggregate`](super::Aggregate) of the stage needs to know
    /// (its `by_key`). None otherwise.
    pub key: Option<Key>,
}

/// What a join reads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// Rows of a source.
    Source(SourceId),
    /// Rows of the stage before, only as a root. In [`Nest::then`] of the first such stage: the elements of the list that
    /// the nest's own level has collected, within one parent row.
    Previous,
    /// The elements of a list, which is a row-level expression over joins before this one. Left join: a row whose list is
    /// empty or null stays, with nulls. Of a list of records [`Expr::Column`] names a field of the element; of any other list
    /// the only column is `value`, the element itself.
    Unnest { list: Expr, of_records: bool },
}

/// How many rows of a join there are for one row of what it hangs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relationship {
    /// At most one. The root is one, too.
    One,
    /// Any number, and each belongs to one parent row. Lists are many.
    Many,
    /// Any number, and each may belong to many.
    Cross,
}

impl Relationship {
    /// `one`, `many` or `cross`.
    pub fn name(self) -> &'static str {
        match self {
            Relationship::One => "one",
            Relationship::Many => "many",
            Relationship::Cross => "cross",
        }
    }
}

/// The kind of SQL join. Everything is `Left` unless `join_types` are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JoinKind {
    Left,
    Inner,
    Right,
    Full,
}

/// How to tell rows of a join apart, where joins multiply them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Key {
    /// By this row-level expression, the primary key. Null where a left join found nothing.
    Primary(Expr),
    /// An element of a list: by the parent's key (which is set, too) and the position in the list. Must be null where there is
    /// no element.
    Element,
    /// By a key made for each row when it is read (`SELECT uuid() AS key, x.* FROM x`), null where a left join found
    /// nothing.
    Made,
}

/// One level of grouping: the outermost of a stage, or a nest in it.
///
/// All levels of a stage are computed from one scan of [`Stage::joins`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Level {
    pub kind: LevelKind,
    /// All must hold, before grouping. At the outermost level this includes the source's own `where:`. In a nest they apply to
    /// the nest alone.
    pub filters: Vec<Expr>,
    /// The columns that come out, in the order written. A grouping level without a
    /// [`Dimension`](OutputKind::Dimension) gives one row. Of an [`Index`](LevelKind::Index): the five fixed columns, whose
    /// `kind` is a dimension with a null expression that is not to be written.
    pub outputs: Vec<Output>,
    /// All must hold, after grouping: aggregates, and dimensions of this level. Ungrouped aggregates do not see it.
    pub having: Vec<Expr>,
    /// The order, already decided: as written, or by the default rule. Nulls last in both directions. Empty where there
    /// is none, or where nobody would see it (a stage that feeds another and has no limit). Windows without an order of their own
    /// use [`Level::window_order`].
    pub order: Vec<Order>,
    /// The order that calculations of this level run in: as `order`, but present also where the rows need none.
    pub window_order: Vec<Order>,
    /// At most so many rows; in a nest so many for each row of the parent. Counts what is left after `having`.
    pub limit: Option<u64>,
}

/// What a level does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LevelKind {
    /// Groups by its dimensions.
    Group,
    /// Gives a row for each row. Its outputs are dimensions and calculations, its expressions row-level.
    Project,
    /// Gives `fieldName, fieldPath, fieldType, fieldValue, weight`.
    Index(Index),
}

/// What an index stage lists: a row for each distinct value of a string field, and for fields of
/// numbers and times one with `min to max` as text. No row of nulls for a field without values beyond that.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Index {
    pub fields: Vec<IndexField>,
    /// The aggregate after `by`; else the count of rows.
    pub weight: Expr,
    /// Of the root, before joining.
    pub sample: Option<Sample>,
}

/// A field of an index.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct IndexField {
    /// `fieldName`: the path with dots, `users.state`.
    pub name: String,
    /// `fieldPath`: the path with slashes, `users/state`.
    pub path: String,
    #[serde(rename = "type")]
    pub ty: Type,
    pub expr: Expr,
}

/// `sample:` of an index.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sample {
    /// `sample: true`: as the dialect thinks fit.
    Default,
    /// So many rows.
    Rows(u64),
    /// So many of a hundred rows.
    Percent(f64),
}

/// A column that a level gives.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Output {
    pub name: String,
    /// Of a nest: a record, or a list of records.
    #[serde(rename = "type")]
    pub ty: Type,
    /// Annotations as written, inherited ones first.
    pub annotations: Vec<String>,
    /// What it was made from, as written where it was asked for: `copies.books.genre`, `lent.month`, `count()`.
    /// None for a nest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    pub kind: OutputKind,
}

/// How a column comes about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputKind {
    /// A row-level expression: what is grouped by, or what a projection gives.
    Dimension(Expr),
    /// An expression of aggregates and of dimensions of this level, possibly ungrouped ones.
    Aggregate(Expr),
    /// An expression of windows, of [`Expr::Output`] of this level, and of aggregates.
    Calculation(Expr),
    /// A query inside.
    Nest(Box<Nest>),
}

/// How a column of a result came about: an [`OutputKind`] without what is in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputRole {
    #[default]
    Dimension,
    Aggregate,
    Calculation,
    Nest,
}

impl OutputRole {
    /// Whether it is what is grouped by, or what a projection gives.
    pub fn is_dimension(&self) -> bool {
        *self == OutputRole::Dimension
    }
}

impl OutputKind {
    /// The kind without what is in it.
    pub fn role(&self) -> OutputRole {
        match self {
            OutputKind::Dimension(_) => OutputRole::Dimension,
            OutputKind::Aggregate(_) => OutputRole::Aggregate,
            OutputKind::Calculation(_) => OutputRole::Calculation,
            OutputKind::Nest(_) => OutputRole::Nest,
        }
    }
}

/// A query inside a query.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Nest {
    /// Its first operation, computed from the scan of the stage that it stands in. A [`LevelKind::Project`] has one element
    /// for each row of its parent's group.
    pub level: Level,
    /// Further operations on the list that the level gives, within each parent row. The root of the first is
    /// [`Relation::Previous`], the list's elements.
    pub then: Vec<Stage>,
    /// Whether the result is one record, since the last operation is a grouping without dimensions. Else it is a list, `[]`
    /// when there is nothing, never null.
    pub one_record: bool,
}

/// A column of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// Position in [`Level::outputs`].
    pub output: u32,
    pub direction: Direction,
}

/// Ascending or descending. Nulls are last in both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    Asc,
    Desc,
}

/// A column of a result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutputField {
    pub name: String,
    #[serde(rename = "type")]
    pub ty: Type,
    /// How it came about.
    #[serde(default, skip_serializing_if = "OutputRole::is_dimension")]
    pub role: OutputRole,
    /// Annotations as written, inherited ones first.
    pub annotations: Vec<String>,
    /// As [`Output::origin`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// The columns of a nest with their own annotations; empty for what is no nest.
    pub fields: Vec<OutputField>,
}
