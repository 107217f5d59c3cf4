//! Arguments that are right, which is nearly all: each part picks the fields that it knows, and all must have been picked.
//!
//! Says nothing of what is wrong. Whatever is unusual is left to the way that can explain it.

use std::iter::Enumerate;

use kit_mcp::rmcp::model::JsonObject;
use serde::{
    Deserializer,
    de::{
        DeserializeSeed, Error as _, MapAccess, Visitor,
        value::{Error, StrDeserializer},
    },
    forward_to_deserialize_any,
};
use serde_json::{Value, map::Iter};

use super::Part;

/// The parts, if every field of `given` belongs to exactly one of them and fits.
pub(super) fn read<A: Part, B: Part, C: Part>(given: &JsonObject) -> Option<(A, B, C)> {
    let mut taken = 0;
    let parts = (part(given, &mut taken)?, part(given, &mut taken)?, part(given, &mut taken)?);
    (taken.count_ones() as usize == given.len()).then_some(parts)
}

fn part<T: Part>(given: &JsonObject, taken: &mut u64) -> Option<T> {
    T::deserialize(Picking { given, taken }).ok()
}

/// Gives a struct the fields that it asks for and notes their places in `taken`, a bit for each.
struct Picking<'de, 't> {
    given: &'de JsonObject,
    taken: &'t mut u64,
}

impl<'de> Deserializer<'de> for Picking<'de, '_> {
    type Error = Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        known: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let Self { given, taken } = self;
        visitor.visit_map(Fields { given: given.iter().enumerate(), taken, known, value: None })
    }

    /// Not a struct: nobody knows what it would take.
    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("not a struct"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// The fields that are there of those that the struct knows.
struct Fields<'de, 't> {
    given: Enumerate<Iter<'de>>,
    taken: &'t mut u64,
    known: &'static [&'static str],
    value: Option<&'de Value>,
}

impl<'de> MapAccess<'de> for Fields<'de, '_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        let known = self.known;
        let next = self.given.find(|(_, (name, _))| known.contains(&name.as_str()));
        let Some((place, (name, value))) = next else { return Ok(None) };
        let bit = u32::try_from(place).ok().and_then(|place| 1_u64.checked_shl(place));
        let free = bit.filter(|bit| *self.taken & bit == 0);
        *self.taken |= free.ok_or_else(|| Error::custom("in two parts, or one of too many"))?;
        self.value = Some(value);
        seed.deserialize(StrDeserializer::new(name)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let value = self.value.take().ok_or_else(|| Error::custom("no name before the value"))?;
        seed.deserialize(value).map_err(Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use kit_mcp::rmcp::schemars::JsonSchema;
    use serde::Deserialize;
    use serde_json::json;

    use super::{super::Nothing, *};

    #[derive(Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    #[schemars(crate = "kit_mcp::rmcp::schemars")]
    struct Named {
        name: String,
    }

    #[derive(Deserialize, JsonSchema)]
    #[schemars(crate = "kit_mcp::rmcp::schemars")]
    struct Counted {
        #[serde(default)]
        count: u8,
    }

    fn quickly(given: &Value) -> Option<(String, u8)> {
        let parts = read::<Named, Counted, Nothing>(given.as_object().unwrap());
        parts.map(|(Named { name }, Counted { count }, Nothing {})| (name, count))
    }

    #[test]
    fn each_part_takes_its_own() {
        assert_eq!(quickly(&json!({"count": 3, "name": "a"})), Some(("a".into(), 3)));
        assert_eq!(quickly(&json!({"name": "a"})), Some(("a".into(), 0)));
    }

    #[test]
    fn what_is_missing_wrong_or_nobodys_is_left_to_the_judge() {
        for given in [json!({}), json!({"name": "a", "count": 300}), json!({"name": "a", "x": 1})] {
            assert_eq!(quickly(&given), None, "{given}");
        }
    }

    #[test]
    fn a_name_in_two_parts_is_left_to_the_judge() {
        let given = json!({"name": "a", "x": 1});
        assert!(read::<Named, Named, Nothing>(given.as_object().unwrap()).is_none());
    }
}
