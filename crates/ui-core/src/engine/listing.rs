//! The variables as `ui://variables` shows them.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::Session;
use super::variable::Variable;
use crate::error::Failure;
use crate::ids::{Slot, VarId};
use crate::props::names;
use crate::value::Value;

/// One variable, borrowed from the session; serde writes it with the names of the wire.
#[derive(Debug, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Listed<'a> {
    /// The session's id.
    pub id: VarId,
    /// 0: none.
    pub parent_id: VarId,
    /// The type of the value or its wrapper.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub type_name: Option<&'a str>,
    /// As it was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<&'a str>,
    /// The wire value that was last seen.
    pub value: &'a Value,
    /// All that are set, `type` among them.
    pub properties: ListedProperties<'a>,
    /// In the order they were made.
    pub child_ids: Vec<VarId>,
    /// What is wrong with it, if anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<&'a Failure>,
    /// What `diag` said of it, the last few.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub notes: &'a [String],
    /// How often its value was another.
    pub change_count: u64,
}

/// The properties of a variable.
#[derive(Clone, Copy, Debug)]
pub struct ListedProperties<'a>(&'a Variable);

impl<'a> ListedProperties<'a> {
    pub(super) fn new(variable: &'a Variable) -> Self {
        Self(variable)
    }

    /// Names and values, `type` first.
    pub fn iter(&self) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
        let type_name = self.0.type_name.as_deref().map(|name| (names::TYPE, name));
        type_name
            .into_iter()
            .chain(self.0.props.iter().map(|prop| (prop.name.as_str(), &*prop.value)))
    }
}

impl Serialize for ListedProperties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, value) in self.iter() {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl Session {
    /// Every variable, parents before children, siblings in the order they were made.
    pub fn variables(&self) -> Vec<Listed<'_>> {
        let order = self.tree.pre_order();
        order.into_iter().filter_map(|slot| self.tree.get(slot)).map(|it| self.listed(it)).collect()
    }

    fn listed<'a>(&'a self, variable: &'a Variable) -> Listed<'a> {
        let id = |slot: Slot| self.tree.get(slot).map(Variable::id);
        Listed {
            id: variable.id(),
            parent_id: variable.placed.parent.and_then(id).unwrap_or(VarId(0)),
            type_name: variable.type_name.as_deref(),
            path: variable.props.get(names::PATH).map(|path| &**path),
            value: &variable.value,
            properties: ListedProperties::new(variable),
            child_ids: self.tree.children(Some(variable.placed.slot)).filter_map(id).collect(),
            error: variable.error(),
            notes: &variable.notes,
            change_count: variable.changes,
        }
    }
}
