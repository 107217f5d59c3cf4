//! Which systems belong together: galaxies, arms in them, clusters in those.

use serde_json::{Map, Value, json};

use super::{
    Parameters,
    body::{object, point},
    choices::GroupStructure,
    names::{Names, slug},
    random::{Random, count},
    system::System,
};

const COLORS: &[&str] =
    &["#6C8EBF", "#B07CC6", "#D79B5B", "#6FB58A", "#C66C7B", "#5FB3B3", "#A3A85C", "#8A7FD1"];

#[derive(Debug)]
pub(super) struct Group {
    pub id: String,
    name: String,
    color: &'static str,
    icon: &'static str,
    pub parent: Option<usize>,
    pub members: Vec<Member>,
    /// Where a root group stands; set by the layout.
    pub position: [f64; 3],
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Member {
    System(usize),
    Group(usize),
}

/// A root group with the systems in it, wherever they are inside.
#[derive(Debug)]
pub(super) struct Galaxy {
    pub group: usize,
    /// `Velara` for the group `Velara Galaxy`.
    pub name: String,
    /// Systems of each arm, from the inside out; one arm if there are no groups inside.
    pub arms: Vec<Vec<usize>>,
    /// The system in the middle, if one was put there.
    pub centre: Option<usize>,
    pub radius: f64,
}

/// The groups of a universe.
#[derive(Debug, Default)]
pub(super) struct Groups {
    /// A parent comes before its children.
    pub all: Vec<Group>,
    pub galaxies: Vec<Galaxy>,
}

impl Groups {
    pub(super) fn of(
        systems: usize,
        parameters: &Parameters,
        names: &mut Names,
        random: &mut Random,
    ) -> Self {
        let mut groups = Self::default();
        if systems <= 1 && !parameters.groups {
            return groups;
        }
        for systems in shares(systems, parameters.galaxies, random) {
            groups.galaxy(&systems, parameters.group_structure, names, random);
        }
        groups
    }

    /// Puts a system into the middle of a galaxy.
    pub(super) fn add_centre(&mut self, galaxy: usize, system: usize) {
        let galaxy = &mut self.galaxies[galaxy];
        galaxy.centre = Some(system);
        self.all[galaxy.group].members.push(Member::System(system));
    }

    fn galaxy(
        &mut self,
        systems: &[usize],
        structure: GroupStructure,
        names: &mut Names,
        random: &mut Random,
    ) {
        let name = names.place();
        let color = COLORS[self.galaxies.len() % COLORS.len()];
        let group = self.add(None, slug(&name), format!("{name} Galaxy"), color, "🌌");
        let arms = match structure {
            GroupStructure::DeepHierarchy if systems.len() >= 4 => random.whole(2, 4),
            _ => 1,
        };
        let arms = systems.len().div_ceil(arms as usize);
        let arms: Vec<Vec<usize>> = systems.chunks(arms).map(<[usize]>::to_vec).collect();
        if arms.len() == 1 {
            self.all[group].members.extend(systems.iter().map(|system| Member::System(*system)));
        } else {
            for (index, arm) in arms.iter().enumerate() {
                let number = index + 1;
                let id = format!("{}-arm-{number}", slug(&name));
                let inside = self.add(Some(group), id, format!("{name} Arm {number}"), color, "🌀");
                self.clusters(inside, arm, names, random);
            }
        }
        self.galaxies.push(Galaxy { group, name, arms, centre: None, radius: 0.0 });
    }

    /// Fills an arm: few systems stand in it by themselves, more are gathered in clusters.
    fn clusters(&mut self, arm: usize, systems: &[usize], names: &mut Names, random: &mut Random) {
        let mut left = systems;
        while left.len() >= 4 {
            let (here, rest) = left.split_at(random.whole(2, 4) as usize);
            left = rest;
            let name = names.place();
            let id = format!("{}-cluster", slug(&name));
            let color = self.all[arm].color;
            let cluster = self.add(Some(arm), id, format!("{name} Cluster"), color, "✨");
            self.all[cluster].members.extend(here.iter().map(|system| Member::System(*system)));
        }
        self.all[arm].members.extend(left.iter().map(|system| Member::System(*system)));
    }

    fn add(
        &mut self,
        parent: Option<usize>,
        id: String,
        name: String,
        color: &'static str,
        icon: &'static str,
    ) -> usize {
        let index = self.all.len();
        if let Some(parent) = parent {
            self.all[parent].members.push(Member::Group(index));
        }
        let members = Vec::new();
        self.all.push(Group { id, name, color, icon, parent, members, position: [0.0; 3] });
        index
    }

    /// As the wire has them.
    pub(super) fn to_json(&self, systems: &[System]) -> Map<String, Value> {
        let entry = |group: &Group| (group.id.clone(), self.group_json(group, systems));
        self.all.iter().map(entry).collect()
    }

    fn group_json(&self, group: &Group, systems: &[System]) -> Value {
        let member = |member: &Member| match member {
            Member::System(index) => json!({"id": systems[*index].root().id, "type": "system"}),
            Member::Group(index) => json!({"id": self.all[*index].id, "type": "group"}),
        };
        let mut map = object(json!({
            "id": group.id,
            "name": group.name,
            "color": group.color,
            "icon": group.icon,
        }));
        if group.parent.is_none() {
            map.insert("position".into(), point(group.position));
        }
        map.insert("children".into(), group.members.iter().map(member).collect());
        let parent = group.parent.map(|parent| self.all[parent].id.clone());
        map.insert("parentGroupId".into(), json!(parent));
        Value::Object(map)
    }
}

/// Deals systems out to galaxies: one to each, the others by chance, so that some are larger.
fn shares(systems: usize, galaxies: u32, random: &mut Random) -> Vec<Vec<usize>> {
    let galaxies = galaxies.min(count(systems));
    let mut shares = vec![Vec::new(); galaxies as usize];
    for system in 0..systems {
        let galaxy = if system < shares.len() { system } else { random.below(galaxies) as usize };
        shares[galaxy].push(system);
    }
    shares
}
