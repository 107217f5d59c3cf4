//! Part of a state: some maps, some entities, some of their fields, a page at a time.
//!
//! A page names the revision that it was cut from, and the next one is cut from the same: whoever walks through a
//! universe that others change sees every entity once.

use std::{fmt::Display, hash::Hash};

use kit_mcp::rmcp::schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use universe_core::{Invalid, Ordered, State, json::encode};

use crate::service::Record;

/// A map of the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline, crate = "kit_mcp::rmcp::schemars")]
pub enum Part {
    Stars,
    Groups,
    Belts,
    SmallBodyFields,
    ProtoplanetaryDisks,
    Nebulae,
}

impl Part {
    pub(super) const ALL: [Self; 6] = [
        Self::Stars,
        Self::Groups,
        Self::Belts,
        Self::SmallBodyFields,
        Self::ProtoplanetaryDisks,
        Self::Nebulae,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Stars => "stars",
            Self::Groups => "groups",
            Self::Belts => "belts",
            Self::SmallBodyFields => "smallBodyFields",
            Self::ProtoplanetaryDisks => "protoplanetaryDisks",
            Self::Nebulae => "nebulae",
        }
    }
}

/// What is wanted of a state. Nothing said is nothing left out.
#[derive(Debug, Clone, Default)]
pub struct Cut {
    pub fields: Option<Vec<String>>,
    pub only: Option<Vec<Part>>,
    pub ids: Option<Vec<String>>,
    pub limit: Option<usize>,
    pub cursor: Option<String>,
}

impl Cut {
    /// Whether the state is wanted as it is.
    pub fn is_whole(&self) -> bool {
        self.fields.is_none()
            && self.only.is_none()
            && self.ids.is_none()
            && self.limit.is_none()
            && self.cursor.is_none()
    }

    /// The revision that the cursor goes on in, and how many entities were shown before.
    pub fn place(&self) -> Result<Option<(u64, usize)>, Invalid> {
        let Some(cursor) = &self.cursor else { return Ok(None) };
        let read = cursor.split_once('.');
        let read = read.and_then(|(at, skip)| Some((at.parse().ok()?, skip.parse().ok()?)));
        read.map(Some).ok_or_else(|| Invalid::new("cursor", "must be a `page.next` of this tool"))
    }
}

/// Prints the part of a universe that is wanted; whether there is more of it.
pub fn cut(record: &Record, cut: &Cut) -> Result<(String, bool), Invalid> {
    let skip = cut.place()?.map_or(0, |(_, skip)| skip);
    let mut taker = Taker { cut, skip, total: 0, shown: 0 };
    let state = &record.universe().state;
    let mut body = Map::new();
    for part in Part::ALL {
        if cut.only.as_ref().is_none_or(|only| only.contains(&part)) {
            body.insert(part.name().to_owned(), taker.part(state, part).into());
        }
    }
    let Taker { total, shown, .. } = taker;
    body.insert("time".to_owned(), json!(record.time()));
    body.insert("revision".to_owned(), record.revision().into());
    let mut page = json!({"shown": shown, "total": total});
    let more = skip + shown < total;
    if more {
        page["next"] = format!("{}.{}", record.revision(), skip + shown).into();
    }
    body.insert("page".to_owned(), page);
    Ok((encode(&body), more))
}

struct Taker<'a> {
    cut: &'a Cut,
    skip: usize,
    /// Entities that are wanted, in this page or another.
    total: usize,
    shown: usize,
}

impl Taker<'_> {
    fn part(&mut self, state: &State, part: Part) -> Map<String, Value> {
        match part {
            Part::Stars => self.take(state.bodies()),
            Part::Groups => self.take(state.groups()),
            Part::Belts => self.take(state.belts()),
            Part::SmallBodyFields => self.take(state.small_body_fields()),
            Part::ProtoplanetaryDisks => self.take(state.disks()),
            Part::Nebulae => self.take(state.nebulae()),
        }
    }

    fn take<K, V>(&mut self, map: &Ordered<K, V>) -> Map<String, Value>
    where
        K: Eq + Hash + Clone + Display + for<'t> From<&'t str>,
        V: Clone + Serialize,
    {
        let mut taken = Map::new();
        match &self.cut.ids {
            Some(ids) => {
                for id in ids {
                    if let Some(entity) = map.get(&K::from(id)) {
                        self.see(id, entity, &mut taken);
                    }
                }
            }
            None => {
                for (id, entity) in map.iter() {
                    self.see(id, entity, &mut taken);
                }
            }
        }
        taken
    }

    fn see(&mut self, id: impl Display, entity: &impl Serialize, taken: &mut Map<String, Value>) {
        let at = self.total;
        self.total += 1;
        let limit = self.cut.limit.unwrap_or(usize::MAX);
        if at < self.skip || self.shown >= limit {
            return;
        }
        self.shown += 1;
        let mut entity = serde_json::to_value(entity).unwrap_or_default();
        if let (Some(fields), Value::Object(keys)) = (&self.cut.fields, &mut entity) {
            keys.retain(|key, _| key == "id" || fields.contains(key));
        }
        taken.insert(id.to_string(), entity);
    }
}
