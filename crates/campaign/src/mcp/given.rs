//! The arguments of a call, judged in the order and the words of the specification.
//!
//! A tool's input is put together of parts: `Given<InCampaign, OfActor, SheetPatch>`. Their properties are announced as
//! one schema; each part reads its own. Arguments that are right are read without looking at a schema ([`quick`]).

mod quick;

use std::any::Any;

use campaign_core::Refusal;
use kit_core::nearest;
use kit_mcp::rmcp::{
    ErrorData,
    handler::server::{
        common::{FromContextPart, schema_for_type},
        tool::ToolCallContext,
    },
    model::JsonObject,
    schemars::JsonSchema,
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::sync::Arc;

use super::failure::Failure;

/// The arguments, or what is wrong with them: a tool answers that itself.
pub(super) struct Given<A = Nothing, B = Nothing, C = Nothing>(
    pub(super) Result<(A, B, C), Failure>,
);

/// No part.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[schemars(crate = "kit_mcp::rmcp::schemars")]
pub(super) struct Nothing {}

/// What a part of an input must be.
pub(super) trait Part: DeserializeOwned + JsonSchema + Any {}

impl<T: DeserializeOwned + JsonSchema + Any> Part for T {}

/// The schema of an input of up to three parts, in their order.
pub(super) fn schema<A: Part, B: Part, C: Part>() -> Arc<JsonObject> {
    let mut whole = (*schema_for_type::<A>()).clone();
    for part in [schema_for_type::<B>(), schema_for_type::<C>()] {
        for key in ["properties", "$defs"] {
            if let Some(Value::Object(more)) = part.get(key) {
                let all = whole.entry(key).or_insert_with(|| Value::Object(JsonObject::new()));
                all.as_object_mut().into_iter().for_each(|all| all.extend(more.clone()));
            }
        }
        if let Some(Value::Array(more)) = part.get("required") {
            let all = whole.entry("required").or_insert_with(|| Value::Array(Vec::new()));
            all.as_array_mut().into_iter().for_each(|all| all.extend(more.clone()));
        }
    }
    whole.entry("properties").or_insert_with(|| Value::Object(JsonObject::new()));
    whole.insert("additionalProperties".into(), false.into());
    whole.values_mut().for_each(without_empty_defaults);
    // What the parts say of themselves is not what the tool is.
    whole.remove("title");
    whole.remove("description");
    whole.into()
}

/// That something may be left out is said by its not being required; an empty default would be one more thing to read, and
/// of the wrong type where it is null.
fn without_empty_defaults(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            let empty = |value: &Value| value.is_null() || value == "" || value == &json!([]);
            if object.get("default").is_some_and(empty) {
                object.remove("default");
            }
            object.values_mut().for_each(without_empty_defaults);
        }
        Value::Array(list) => list.iter_mut().for_each(without_empty_defaults),
        _ => {}
    }
}

impl<S, A: Part, B: Part, C: Part> FromContextPart<ToolCallContext<'_, S>> for Given<A, B, C> {
    fn from_context_part(context: &mut ToolCallContext<'_, S>) -> Result<Self, ErrorData> {
        Ok(Self(read(context.arguments.take().unwrap_or_default()).map_err(Failure::from)))
    }
}

fn read<A: Part, B: Part, C: Part>(given: JsonObject) -> Result<(A, B, C), Refusal> {
    match quick::read(&given) {
        Some(parts) => Ok(parts),
        None => judge(given),
    }
}

/// Finds out what is wrong, if anything is.
fn judge<A: Part, B: Part, C: Part>(mut given: JsonObject) -> Result<(A, B, C), Refusal> {
    let parts = (part(&mut given), part(&mut given), part(&mut given));
    if let Some(name) = given.keys().next() {
        return Err(unknown::<A, B, C>(name));
    }
    Ok((parts.0?, parts.1?, parts.2?))
}

/// Takes out what belongs to a part, and reads it.
fn part<T: Part>(given: &mut JsonObject) -> Result<T, Refusal> {
    let schema = schema_for_type::<T>();
    let mut own = JsonObject::new();
    for name in names(&schema) {
        if let Some(value) = given.remove(name) {
            own.insert(name.clone(), value);
        }
    }
    serde_path_to_error::deserialize(Value::Object(own)).map_err(|error| {
        let place = error.path().to_string();
        let why = error.into_inner().to_string();
        // What is missing stands at the top, and serde names it.
        match place.as_str() {
            "." => Refusal::invalid(why),
            place => Refusal::invalid(format!("`{place}`: {why}")).field(place.to_owned()),
        }
    })
}

fn names(schema: &JsonObject) -> impl Iterator<Item = &String> {
    schema.get("properties").and_then(Value::as_object).into_iter().flat_map(|all| all.keys())
}

fn unknown<A: Part, B: Part, C: Part>(name: &str) -> Refusal {
    let known = schema::<A, B, C>();
    let refusal = Refusal::invalid(format!("unknown argument `{name}`")).field(name.to_owned());
    if let Some(near) = nearest(name, names(&known).map(String::as_str)) {
        return refusal.hint(format!("did you mean `{near}`?"));
    }
    let names: Vec<_> = names(&known).map(String::as_str).collect();
    refusal.hint(format!("there are `{}`", names.join("`, `")))
}
