//! SQL of small queries, built by hand so that each shows one thing. The rows that it gives are checked by the
//! conformance corpus, in the crate `malloy`.

#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

use malloy_model::ir::*;
use malloy_sql::{DuckDb, Error, write};

fn column(name: &str) -> Expr {
    Expr::Column { join: JoinId::ROOT, name: name.to_owned() }
}

fn number(digits: &str) -> Expr {
    Expr::Literal(Literal::Number(digits.to_owned()))
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr::Binary { op, left: Box::new(left), right: Box::new(right) }
}

fn aggregate(function: AggregateFunction, args: Vec<Expr>) -> Expr {
    let at = JoinId::ROOT;
    Expr::Aggregate(Box::new(Aggregate {
        function,
        args,
        at,
        by_key: false,
        filter: None,
        order: Vec::new(),
        limit: None,
    }))
}

fn output(name: &str, kind: OutputKind) -> Output {
    Output { name: name.to_owned(), ty: Type::String, annotations: Vec::new(), origin: None, kind }
}

fn level(kind: LevelKind, outputs: Vec<Output>) -> Level {
    let (filters, having, order, window_order) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    Level { kind, filters, outputs, having, order, window_order, limit: None }
}

fn join(name: &str, relation: Relation) -> Join {
    Join {
        name: name.to_owned(),
        parent: None,
        relation,
        relationship: Relationship::One,
        kind: JoinKind::Left,
        on: None,
        key: None,
    }
}

fn query(path: &str, fields: Vec<Field>, level: Level) -> Query {
    let kind = SourceKind::Table { path: path.to_owned() };
    let stage = Stage { joins: vec![join("t", Relation::Source(SourceId(0)))], fields, level };
    Query {
        connection: "duckdb".to_owned(),
        sources: vec![Source { name: "t".to_owned(), kind, columns: Vec::new() }],
        pipeline: Pipeline { base: SourceId(0), stages: vec![stage] },
        schema: Vec::new(),
        annotations: Vec::new(),
        name: None,
        zone: None,
    }
}

fn select(expr: Expr) -> String {
    let level = level(LevelKind::Project, vec![output("x", OutputKind::Dimension(expr))]);
    let sql = write(&query("t", Vec::new(), level), &DuckDb).unwrap();
    let start = sql.find('\n').unwrap() + 3;
    sql[start..sql.find(" AS \"x\"").unwrap()].to_owned()
}

#[test]
fn a_grouping_without_nests_is_one_select() {
    let dimension = output("state", OutputKind::Dimension(column("state")));
    let count = output("n", OutputKind::Aggregate(aggregate(AggregateFunction::Count, Vec::new())));
    let mut level = level(LevelKind::Group, vec![count, dimension]);
    level.order = vec![Order { output: 0, direction: Direction::Desc }];
    level.limit = Some(3);
    let sql = write(&query("data/t.parquet", Vec::new(), level), &DuckDb).unwrap();
    insta::assert_snapshot!(sql, @r#"
    SELECT
      COUNT(*) AS "n",
      "t_0"."state" AS "state"
    FROM 'data/t.parquet' AS "t_0"
    GROUP BY 2
    ORDER BY 1 DESC NULLS LAST
    LIMIT 3
    "#);
}

#[test]
fn a_nest_is_grouped_by_itself_and_joined_by_the_dimensions_around_it() {
    let count =
        || output("n", OutputKind::Aggregate(aggregate(AggregateFunction::Count, Vec::new())));
    let mut inner = level(
        LevelKind::Group,
        vec![output("city", OutputKind::Dimension(column("city"))), count()],
    );
    inner.order = vec![Order { output: 1, direction: Direction::Desc }];
    inner.limit = Some(2);
    let nest = Nest { level: inner, then: Vec::new(), one_record: false };
    let outputs = vec![
        output("state", OutputKind::Dimension(column("state"))),
        output("cities", OutputKind::Nest(Box::new(nest))),
        count(),
    ];
    let sql = write(&query("t", Vec::new(), level(LevelKind::Group, outputs)), &DuckDb).unwrap();
    insta::assert_snapshot!(sql);
}

#[test]
fn names_and_texts_are_quoted_whatever_is_in_them() {
    assert_eq!(select(column("a\"b")), "\"t_0\".\"a\"\"b\"");
    assert_eq!(select(Expr::Literal(Literal::String("it's; --".to_owned()))), "'it''s; --'");
    let level = level(LevelKind::Project, vec![output("x", OutputKind::Dimension(column("x")))]);
    let sql = write(&query("a'b.csv' UNION", Vec::new(), level), &DuckDb).unwrap();
    assert!(sql.contains("FROM 'a''b.csv'' UNION' AS"), "{sql}");
}

#[test]
fn minus_a_negative_number_is_not_a_comment() {
    let negative = Expr::Negate(Box::new(number("1")));
    assert_eq!(select(binary(BinaryOp::Subtract, number("4"), negative)), "4 - (-1)");
    assert_eq!(select(binary(BinaryOp::Subtract, number("4"), number("-1"))), "4 - (-1)");
    assert_eq!(
        select(Expr::Negate(Box::new(Expr::Negate(Box::new(column("a")))))),
        "-(-\"t_0\".\"a\")"
    );
}

#[test]
fn operators_bind_as_the_tree_says() {
    let (a, b, c) = (|| column("a"), || column("b"), || column("c"));
    let right = binary(BinaryOp::Subtract, a(), binary(BinaryOp::Subtract, b(), c()));
    assert_eq!(select(right), r#""t_0"."a" - ("t_0"."b" - "t_0"."c")"#);
    let left = binary(BinaryOp::Multiply, binary(BinaryOp::Add, a(), b()), c());
    assert_eq!(select(left), r#"("t_0"."a" + "t_0"."b") * "t_0"."c""#);
    let mixed = binary(BinaryOp::Add, binary(BinaryOp::Divide, a(), b()), c());
    assert_eq!(select(mixed), r#"("t_0"."a" / "t_0"."b") + "t_0"."c""#);
    let not = Expr::Not(Box::new(Expr::Or(vec![a(), b()])));
    assert_eq!(select(not), r#"NOT ("t_0"."a" OR "t_0"."b")"#);
}

#[test]
fn fields_that_use_each_other_twice_do_not_double_the_text() {
    let mut fields = vec![Field { name: "f0".to_owned(), ty: Type::NUMBER, expr: column("x") }];
    for index in 0..60 {
        let before = || Expr::Field(FieldId(index));
        let expr = binary(BinaryOp::Add, before(), before());
        fields.push(Field { name: format!("f{}", index + 1), ty: Type::NUMBER, expr });
    }
    let level = level(
        LevelKind::Project,
        vec![output("y", OutputKind::Dimension(Expr::Field(FieldId(60))))],
    );
    let sql = write(&query("t", fields, level), &DuckDb).unwrap();
    assert!(sql.len() < 40_000, "{}", sql.len());
}

#[test]
fn a_long_chain_is_written_without_a_deep_stack() {
    let mut sum = number("1");
    for _ in 0..5_000 {
        sum = binary(BinaryOp::Add, sum, number("1"));
    }
    assert!(select(sum).len() > 20_000);
}

#[test]
fn a_broken_query_is_an_error_and_no_panic() {
    let stray = Expr::Column { join: JoinId(7), name: "x".to_owned() };
    let level = level(LevelKind::Project, vec![output("x", OutputKind::Dimension(stray))]);
    assert!(matches!(write(&query("t", Vec::new(), level), &DuckDb), Err(Error::Broken(_))));
}
