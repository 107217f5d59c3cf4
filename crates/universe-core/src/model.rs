//! What a universe is: a forest of bodies, groups of them, and what lies around.
//!
//! Start at [`State`]. It changes only by [`State::apply`]; the tree, the lists of roots and the index of
//! references are tied to one another, so their fields are private to the crate.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer, ser::SerializeMap};
use serde_json::Value;

use crate::{
    BeltId, BodyId, Clock, DiskId, Entity, FieldId, Fields, GroupId, History, Keys, NebulaId,
    ordered::{Ordered, OrderedSet, as_list},
    references::References,
};

/// One universe with its name and times. What the log of a universe adds up to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Universe {
    pub name: String,
    pub state: State,
    /// Milliseconds since 1970.
    pub created_at: i64,
    /// Milliseconds since 1970.
    pub updated_at: i64,
    pub deleted: bool,
    /// The number of lines in the log, and so of the last change.
    pub revision: u64,
    pub clock: Clock,
    pub history: History,
    pub keys: Keys,
}

/// Everything that is in a universe. A clone costs nothing.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct State {
    #[serde(rename = "stars")]
    pub(crate) bodies: Ordered<BodyId, Entity<Body>>,
    #[serde(rename = "rootIds", serialize_with = "as_list")]
    pub(crate) roots: OrderedSet<BodyId>,
    pub(crate) groups: Ordered<GroupId, Entity<Group>>,
    #[serde(rename = "rootGroupIds", serialize_with = "as_list")]
    pub(crate) root_groups: OrderedSet<GroupId>,
    pub(crate) belts: Ordered<BeltId, Entity<Fields>>,
    pub(crate) small_body_fields: Ordered<FieldId, Entity<Fields>>,
    #[serde(rename = "protoplanetaryDisks")]
    pub(crate) disks: Ordered<DiskId, Entity<Fields>>,
    pub(crate) nebulae: Ordered<NebulaId, Entity<Fields>>,
    /// Seconds of simulation; always finite.
    pub(crate) time: f64,
    /// Keys that we do not know and keep.
    #[serde(flatten)]
    pub(crate) extra: Fields,
    #[serde(skip)]
    pub(crate) references: References,
}

impl State {
    /// Every body, in the order of arrival.
    pub fn bodies(&self) -> &Ordered<BodyId, Entity<Body>> {
        &self.bodies
    }

    /// Bodies that circle nothing; each is the root of a system.
    pub fn roots(&self) -> &OrderedSet<BodyId> {
        &self.roots
    }

    pub fn groups(&self) -> &Ordered<GroupId, Entity<Group>> {
        &self.groups
    }

    pub fn root_groups(&self) -> &OrderedSet<GroupId> {
        &self.root_groups
    }

    pub fn belts(&self) -> &Ordered<BeltId, Entity<Fields>> {
        &self.belts
    }

    pub fn small_body_fields(&self) -> &Ordered<FieldId, Entity<Fields>> {
        &self.small_body_fields
    }

    pub fn disks(&self) -> &Ordered<DiskId, Entity<Fields>> {
        &self.disks
    }

    pub fn nebulae(&self) -> &Ordered<NebulaId, Entity<Fields>> {
        &self.nebulae
    }

    /// Keys of a state from outside that we do not know and keep.
    pub fn extra(&self) -> &Fields {
        &self.extra
    }

    /// Seconds of simulation; with a playing clock [`Universe::time_at`] is the time.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The group that a member is in.
    pub fn group_of(&self, member: &Member) -> Option<&GroupId> {
        match member {
            Member::System(body) => self.references.home(body),
            Member::Group(group) => self.groups.get(group)?.parent.as_ref(),
        }
    }
}

/// Anything that moves or stands in the sky; the wire calls every one of them a star.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    pub id: BodyId,
    /// What it circles.
    pub parent: Option<BodyId>,
    pub children: OrderedSet<BodyId>,
    /// Everything else, see [`crate::shape::BODY`].
    pub fields: Fields,
}

impl Body {
    pub fn is_rogue(&self) -> bool {
        self.fields.flag("isRoguePlanet")
    }

    /// The pair of bodies that a Lagrange marker belongs to; nothing for any other body.
    pub fn marks(&self) -> impl Iterator<Item = BodyId> {
        let marker = self.fields.text("bodyType") == Some("lagrangePoint");
        let pair = self.fields.get("lagrangePoint").filter(|_| marker);
        ["primaryId", "secondaryId"]
            .into_iter()
            .filter_map(move |key| pair?.get(key)?.as_str().map(BodyId::from))
    }

    /// The marker that a Trojan body accompanies.
    pub fn host(&self) -> Option<BodyId> {
        self.fields.text("lagrangeHostId").map(BodyId::from)
    }
}

impl Serialize for Body {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.serialize_start(&mut map)?;
        map.serialize_entry("children", &List(&self.children))?;
        map.end()
    }
}

impl Body {
    fn serialize_start<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("id", &self.id)?;
        for (key, value) in self.fields.iter() {
            map.serialize_entry(key, value)?;
        }
        map.serialize_entry("parentId", &self.parent)
    }
}

/// A body without its list of children, which follows from the parents of the others: what happens to a moon is
/// no news of its planet, and a root may have a hundred thousand children.
pub struct WithoutChildren<'a>(pub &'a Body);

impl Serialize for WithoutChildren<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.0.serialize_start(&mut map)?;
        map.end()
    }
}

struct List<'a>(&'a OrderedSet<BodyId>);

impl Serialize for List<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        as_list(self.0, serializer)
    }
}

/// A container of systems and of other groups.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    pub id: GroupId,
    pub parent: Option<GroupId>,
    /// Who is in it, with the keys that we do not know of each entry.
    pub members: Ordered<Member, Fields>,
    /// Everything else.
    pub fields: Fields,
}

/// What a group can hold.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "type", content = "id", rename_all = "camelCase")]
pub enum Member {
    /// The root body of a system.
    System(BodyId),
    Group(GroupId),
}

impl Member {
    pub fn id(&self) -> &str {
        match self {
            Self::System(id) => id.as_str(),
            Self::Group(id) => id.as_str(),
        }
    }
}

impl fmt::Display for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self {
            Self::System(_) => "system",
            Self::Group(_) => "group",
        };
        write!(f, "{kind} `{}`", self.id())
    }
}

impl Serialize for Group {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let children: Vec<Value> = self.members.iter().map(member_json).collect();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", &self.id)?;
        for (key, value) in self.fields.iter() {
            map.serialize_entry(key, value)?;
        }
        map.serialize_entry("children", &children)?;
        map.serialize_entry("parentGroupId", &self.parent)?;
        map.end()
    }
}

fn member_json((member, extra): (&Member, &Fields)) -> Value {
    let (id, kind) = match member {
        Member::System(id) => (id.as_str(), "system"),
        Member::Group(id) => (id.as_str(), "group"),
    };
    let mut entry = serde_json::Map::new();
    entry.insert("id".into(), id.into());
    entry.insert("type".into(), kind.into());
    entry.extend(extra.iter().map(|(key, value)| (key.clone(), value.clone())));
    Value::Object(entry)
}
