//! Commands about groups.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::{Command, Input, Members, Named};
use crate::{Fields, GroupId, Member, error::Problem, shape};

const PARENT: &str = "the id of a group or null";

impl Input<'_> {
    pub(super) fn add_group(&mut self) -> Command {
        let id: GroupId = self.id("id", "a group");
        let (mut fields, parent, members) = self.group(true);
        if fields.get("name").is_none_or(Value::is_null) {
            fields.set("name", id.as_str().into());
        }
        let parent = match parent {
            Named::In(parent) => Some(parent),
            Named::Root | Named::Not => None,
        };
        Command::AddGroup { id, parent, fields, members: members.unwrap_or_default() }
    }

    pub(super) fn update_group(&mut self) -> Command {
        let id = self.id("id", "a group");
        let (fields, parent, members) = self.group(false);
        Command::UpdateGroup { id, fields, parent, members }
    }

    fn group(&mut self, new: bool) -> (Fields, Named<GroupId>, Option<Members>) {
        let wanted = "an object with the group's fields";
        let mut payload = self.fields("payload", wanted, shape::GROUP, new);
        let parent = self.parent(&mut payload, "parentGroupId", PARENT);
        let members = self.members(&mut payload);
        (Fields::from(payload), parent, members)
    }

    fn members(&mut self, payload: &mut Map<String, Value>) -> Option<Members> {
        let listed = match payload.shift_remove("children")? {
            Value::Null => return None,
            Value::Array(listed) => listed,
            other => {
                self.wrong("payload.children", "a list", &other);
                return None;
            }
        };
        let mut members = Members::new();
        let mut seen = HashSet::new();
        for (index, entry) in listed.iter().enumerate() {
            let way = format!("payload.children[{index}]");
            if let Some((member, extra)) = self.member(&way, entry)
                && seen.insert(member.clone())
            {
                members.push((member, extra));
            }
        }
        Some(members)
    }

    fn member(&mut self, way: &str, entry: &Value) -> Option<(Member, Fields)> {
        let found = Member::from_json(entry);
        if found.is_none() {
            let wanted = "an object with an `id` and a `type`, `system` or `group`";
            self.wrong(way, wanted, entry);
        }
        found
    }

    pub(super) fn add_to_group(&mut self) -> Command {
        let group = self.id("groupId", "a group");
        let child = self.command.get("child").unwrap_or(&Value::Null);
        let unread = || (Member::Group(GroupId::from("")), Fields::default());
        let (member, extra) = self.member("child", child).unwrap_or_else(unread);
        Command::AddToGroup { group, member, extra }
    }

    pub(super) fn move_to_group(&mut self) -> Command {
        let child = self.text("childId", "the id of a system or a group");
        let kind = self.text("childType", "`system` or `group`");
        let member = match &*kind {
            "system" => Member::System(child.as_str().into()),
            "group" => Member::Group(child.as_str().into()),
            _ => {
                if self.problems.is_empty() {
                    self.wrong("childType", "`system` or `group`", &Value::String(kind));
                }
                Member::Group(child.as_str().into())
            }
        };
        let target = match self.command.get("targetGroupId") {
            Some(Value::String(id)) => Some(GroupId::from(&**id)),
            Some(Value::Null) => None,
            Some(other) => {
                self.wrong("targetGroupId", PARENT, other);
                None
            }
            // Leaving it out is not taken for "out of all groups": that would be a costly slip.
            None => {
                let message = "is missing; it is the id of a group, or null for none".to_owned();
                self.problems.push(Problem { field: "targetGroupId".into(), message });
                None
            }
        };
        Command::MoveToGroup { member, target }
    }
}

impl Member {
    /// Reads an entry of a group's list, with the keys that we do not know.
    pub(crate) fn from_json(entry: &Value) -> Option<(Self, Fields)> {
        let mut map = entry.as_object()?.clone();
        let (id, kind) = (map.shift_remove("id")?, map.shift_remove("type")?);
        let member = match kind.as_str()? {
            "system" => Self::System(id.as_str()?.into()),
            "group" => Self::Group(id.as_str()?.into()),
            _ => return None,
        };
        Some((member, Fields::from(map)))
    }
}
