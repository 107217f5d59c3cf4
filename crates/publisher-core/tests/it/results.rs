//! Raw and stable results.

use publisher_core::result::{raw::Raw, stable::Stable};
use serde_json::{Value, json};

use crate::fair::{Fair, comparable};

fn json_of(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap()
}

// spec: publisher 6.2, the stable result.
#[test]
fn stable_results_are_those_of_the_official_packages() {
    let fair = Fair::new();
    for case in fair.recorded["cases"].as_array().unwrap() {
        let asked = fair.asked(case);
        let ours = comparable(json_of(&Stable(asked.rows())));
        let theirs = comparable(case["stable"].clone());
        for part in ["schema", "data", "connection_name", "model_annotations", "query_timezone"] {
            assert_eq!(ours[part], theirs[part], "{part} of {}", asked.text);
        }
        let written = |result: &Value| -> Vec<Value> {
            let all = result["annotations"].as_array().unwrap().iter();
            all.filter(|note| !note.as_str().unwrap().starts_with("#(malloy)")).cloned().collect()
        };
        assert_eq!(written(&ours), written(&theirs), "annotations of {}", asked.text);
    }
}

#[test]
fn stable_results_tell_order_limit_zone_and_source() {
    let fair = Fair::new();
    let told = |at: usize| {
        let asked = fair.asked(&fair.recorded["cases"][at]);
        let all = json_of(&Stable(asked.rows()))["annotations"].clone();
        let values = all.as_array().unwrap().iter().map(|note| note["value"].as_str().unwrap());
        values.collect::<String>()
    };
    insta::assert_snapshot!(told(0), @"
    # line_chart
    #(malloy) drillable ordered_by = [{ in_month }]
    #(malloy) source.name = sales
    ");
    insta::assert_snapshot!(told(1), @"
    #(malloy) limit = 3 drillable ordered_by = [{ sale_count = desc }]
    #(malloy) source.name = sales
    ");
    insta::assert_snapshot!(told(6), @r#"
    #(malloy) drillable ordered_by = [{ on_day = desc }]
    #(malloy) query_timezone = "Europe/Lisbon"
    #(malloy) source.name = sales
    "#);
    insta::assert_snapshot!(told(8), @"
    # dashboard
    #(malloy) limit = 3 ordered_by = [{ sale_count = desc }]
    #(malloy) source.name = sales
    #(malloy) query_name = overview
    ");
}

#[test]
fn a_column_tells_what_it_came_from_and_the_same_field_has_the_same_reference() {
    let fair = Fair::new();
    let asked = fair.asked(&fair.recorded["cases"][1]);
    let schema = json_of(&Stable(asked.rows()))["schema"]["fields"].clone();
    let note = |field: &Value| field["annotations"][0]["value"].as_str().unwrap().to_owned();
    insta::assert_snapshot!(note(&schema[0]), @r#"#(malloy) reference_id = "efe88d90-7f0c-872b-8f76-8a64645cfaef" drill_expression.code = "stalls.name""#);
    let other = fair.asked(&fair.recorded["cases"][5]);
    let first = json_of(&Stable(other.rows()))["schema"]["fields"][0].clone();
    assert_eq!(note(&schema[2]), note(&first), "`sale_count` in two queries");
}

// spec: publisher 6.1, the raw result.
#[test]
fn raw_results_have_the_rows_and_columns_of_the_official_packages() {
    let fair = Fair::new();
    for case in fair.recorded["cases"].as_array().unwrap() {
        let asked = fair.asked(case);
        let ours = json_of(&Raw(asked.rows()));
        let theirs = &case["raw"];
        for part in ["connectionName", "sourceExplore", "totalRows"] {
            assert_eq!(ours[part], theirs[part], "{part} of {}", asked.text);
        }
        let structs = |raw: &Value| columns(&raw["structs"][0]["fields"]);
        assert_eq!(structs(&ours), structs(theirs), "{}", asked.text);
        assert_eq!(
            ours["structs"][0]["primaryKey"], theirs["structs"][0]["primaryKey"],
            "{}",
            asked.text
        );
        assert_eq!(
            comparable(ours["result"].clone()),
            comparable(exact(theirs["result"].clone())),
            "{}",
            asked.text
        );
    }
}

/// The official packages send every whole number of 64 bits as text; ours only those that JSON would round.
fn exact(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(exact).collect(),
        Value::Object(members) => {
            members.into_iter().map(|(name, value)| (name, exact(value))).collect()
        }
        Value::String(text) => match text.parse::<u64>() {
            Ok(number) if number < 1 << 53 => json!(number),
            _ => Value::String(text),
        },
        other => other,
    }
}

/// What both tell of columns.
fn columns(fields: &Value) -> Value {
    let column = |field: &Value| {
        // Of a list that is no nest, the elements are told in different ways.
        if field["type"] == "array" && field["elementTypeDef"]["type"] != "record_element" {
            return json!({"name": field["name"], "join": field["join"]});
        }
        let about = &field["resultMetadata"];
        let integer = field["numberType"] == "bigint" || field["numberType"] == "integer";
        let mut made = json!({
            "name": field["name"],
            "type": field["type"],
            "numberType": if integer { json!("integer") } else { field["numberType"].clone() },
            "timeframe": field["timeframe"],
            "join": field["join"],
            // Of an index nothing is said about them.
            "kind": about["fieldKind"].as_str().unwrap_or("dimension"),
            "limit": about["limit"],
        });
        if field["elementTypeDef"]["type"] == "record_element" {
            made["element"] = json!("record_element");
        }
        if field["fields"].is_array() {
            made["fields"] = columns(&field["fields"]);
        }
        made
    };
    fields.as_array().unwrap().iter().map(column).collect()
}

#[test]
fn a_raw_result_says_what_was_asked_and_how_far_it_goes() {
    let fair = Fair::new();
    let asked = fair.asked(&fair.recorded["cases"][1]);
    let mut rows = asked.rows();
    (rows.row_limit, rows.limit_hit) = (3, true);
    let raw = json_of(&Raw(rows));
    assert_eq!(raw["rowLimit"], 3);
    assert_eq!(raw["limitHit"], true);
    assert_eq!(raw["malloy"], "run: sales -> by_stall");
    assert_eq!(raw["lastStageName"], raw["structs"][0]["name"]);
    let days = &raw["structs"][0]["fields"][5];
    insta::assert_json_snapshot!(days);
}

#[test]
fn numbers_that_json_cannot_say_are_texts_beside_the_nearest() {
    let fair = Fair::new();
    let mut asked = fair.asked(&fair.recorded["cases"][5]);
    asked.rows = vec![json!({"sale_count": "123456789012345678901", "total": "NaN"})];
    let cells = json_of(&Stable(asked.rows()))["data"]["array_value"][0]["record_value"].clone();
    assert_eq!(cells[0]["string_value"], "123456789012345678901");
    assert_eq!(cells[0]["number_value"], 1.234_567_890_123_456_8e20);
    assert_eq!(cells[1]["number_value"], Value::Null);
    assert_eq!(cells[1]["string_value"], "NaN");
}
