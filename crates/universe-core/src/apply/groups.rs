//! Groups and their members.

use crate::{Entity, Event, Fields, Group, GroupId, Member, Move, Ordered, State};

impl State {
    pub(super) fn apply_to_groups(&mut self, event: &Event) {
        match event {
            Event::GroupAdded { id, parent, fields, moves } => {
                self.put_group(id, fields.clone());
                self.seat(&Member::Group(id.clone()), parent.as_ref(), Fields::default());
                self.move_all(moves);
            }
            Event::GroupUpdated { id, fields, moves } => {
                if let Some(group) = self.groups.get_mut(id).map(Entity::change) {
                    group.fields.merge(fields);
                }
                self.move_all(moves);
            }
            Event::GroupRemoved { id, moves, .. } => {
                self.move_all(moves);
                self.remove_group(id);
            }
            Event::ChildAddedToGroup(moved) | Event::MovedToGroup(moved) => self.move_one(moved),
            Event::ChildRemovedFromGroup { moves } => self.move_all(moves),
            _ => {}
        }
    }

    /// A group without members that is in no list yet.
    pub(super) fn put_group(&mut self, id: &GroupId, fields: Fields) {
        let group = Group { id: id.clone(), parent: None, members: Ordered::default(), fields };
        self.groups.insert(id.clone(), Entity::new(group));
    }

    pub(super) fn remove_group(&mut self, id: &GroupId) {
        self.unseat(&Member::Group(id.clone()));
        self.groups.remove(id);
    }

    fn move_all(&mut self, moves: &[Move]) {
        for moved in moves {
            self.move_one(moved);
        }
    }

    fn move_one(&mut self, moved: &Move) {
        if self.has(&moved.member) {
            self.unseat(&moved.member);
            self.seat(&moved.member, moved.to.as_ref(), moved.extra.clone());
        }
    }

    /// Takes a member out of the group it is in, or a group out of the roots.
    pub(super) fn unseat(&mut self, member: &Member) {
        if let Some(home) = self.group_of(member).cloned()
            && let Some(group) = self.groups.get_mut(&home).map(Entity::change)
        {
            group.members.remove(member);
        }
        match member {
            Member::System(body) => self.references.set_home(body, None),
            Member::Group(id) => {
                self.root_groups.remove(id);
                if let Some(group) = self.groups.get_mut(id).filter(|group| group.parent.is_some())
                {
                    group.change().parent = None;
                }
            }
        }
    }

    /// Puts a member that is in no group at the end of one; without one a group comes last among the roots.
    fn seat(&mut self, member: &Member, home: Option<&GroupId>, extra: Fields) {
        self.settle(member, home);
        match (home, member) {
            (Some(home), _) => {
                if let Some(group) = self.groups.get_mut(home).map(Entity::change) {
                    group.members.insert(member.clone(), extra);
                }
            }
            (None, Member::Group(id)) => self.root_groups.add(id.clone()),
            (None, Member::System(_)) => {}
        }
    }

    /// Notes at the member where it is.
    pub(super) fn settle(&mut self, member: &Member, home: Option<&GroupId>) {
        match member {
            Member::System(body) => self.references.set_home(body, home),
            Member::Group(id) => {
                if let Some(group) = self.groups.get_mut(id).map(Entity::change) {
                    group.parent = home.cloned();
                }
            }
        }
    }
}
