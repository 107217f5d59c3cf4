//! The stages in their order, from a request to a snapshot.

use std::ops::ControlFlow;

use serde_json::{Map, Value, json};

use super::{
    Parameters, Progress, Request, Topology, Totals, black_holes,
    body::Body,
    choices::BlackHoleMasses,
    groups::Groups,
    layout,
    names::{Names, slug},
    nebulae,
    physics::Scale,
    random::{Random, count},
    rogues::{self, Realm},
    system::System,
    topology::Tree,
};

pub(super) struct Sky {
    pub snapshot: Value,
    pub totals: Totals,
}

impl Sky {
    /// `None` if it was stopped.
    pub(super) fn make(
        request: &Request,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Option<Self> {
        let parameters = &request.parameters;
        let random = request.seed.random();
        let mut names = Names::new(random.fork("names"));
        let mut steps = Steps::new(parameters.max_systems as usize, progress);
        let mut systems = systems(request, &mut names, &random, &mut steps)?;

        let mut of_groups = random.fork("groups");
        let mut groups = Groups::of(systems.len(), parameters, &mut names, &mut of_groups);
        add_centres(&mut groups, &mut systems, parameters, &random);
        let scale = Scale::of(parameters.scale_mode);
        layout::spread(&mut groups, &mut systems, scale, &mut random.fork("layout"));
        steps.done("groups")?;

        let nebulae = nebulae::make(&groups, parameters, &mut names, &mut random.fork("nebulae"));
        steps.done("nebulae")?;

        let realm = realm(&groups, &systems, parameters);
        let rogues = rogues::make(&realm, parameters, &mut names, &mut random.fork("rogues"));
        steps.done("roguePlanets")?;

        share_particles(&mut systems, parameters.max_particles);
        write(systems, &rogues, &groups, nebulae, &mut steps)
    }
}

/// Makes systems until there are enough, or until the next would be too much.
fn systems(
    request: &Request,
    names: &mut Names,
    random: &Random,
    steps: &mut Steps,
) -> Option<Vec<System>> {
    let parameters = &request.parameters;
    let topology = request.topology.unwrap_or(Topology::Classic);
    // Every galaxy may still get a centre.
    let mut room = parameters.max_bodies.saturating_sub(parameters.galaxies) as usize;
    let mut systems = Vec::new();
    for index in 0..parameters.max_systems {
        let random = random.fork(&format!("system-{index}"));
        let mut of_topology = random.fork("topology");
        let mut tree = Tree::grow(topology, parameters, &mut of_topology);
        // A universe of bare stars is a disappointment.
        if index == 0 && topology == Topology::Classic {
            tree = tree.or_one_planet(parameters, &mut of_topology);
        }
        let system = System::make(parameters, &tree, names, &random);
        if system.bodies.len() > room {
            steps.skip((parameters.max_systems - index) as usize);
            break;
        }
        room -= system.bodies.len();
        systems.push(system);
        steps.done("systems")?;
    }
    Some(systems)
}

/// Puts a giant black hole into the middle of each galaxy, if that was asked for.
fn add_centres(
    groups: &mut Groups,
    systems: &mut Vec<System>,
    parameters: &Parameters,
    random: &Random,
) {
    let wanted = parameters.black_hole_masses == BlackHoleMasses::SupermassiveCentres;
    if !parameters.black_holes || !wanted {
        return;
    }
    for index in 0..groups.galaxies.len() {
        let mut random = random.fork(&format!("centre-{index}"));
        let name = format!("{} Core", groups.galaxies[index].name);
        let body = black_holes::galactic_centre(slug(&name), name, parameters, &mut random);
        groups.add_centre(index, systems.len());
        systems.push(System::around(body, parameters));
    }
}

fn realm(groups: &Groups, systems: &[System], parameters: &Parameters) -> Realm {
    let of_galaxies = groups.galaxies.iter().map(|galaxy| {
        let [x, y, z] = groups.all[galaxy.group].position;
        (x * x + y * y + z * z).sqrt() + galaxy.radius
    });
    let of_systems = systems.iter().map(|system| system.reach);
    let bodies: usize = systems.iter().map(|system| system.bodies.len()).sum();
    Realm {
        radius: of_galaxies.chain(of_systems).fold(100.0, f64::max),
        systems: count(systems.len()),
        room: parameters.max_bodies.saturating_sub(count(bodies)),
    }
}

/// Gives every belt and disk its share of the particles that may be there.
fn share_particles(systems: &mut [System], most: u32) {
    let clouds = || systems.iter().flat_map(|system| system.fields.iter().chain(&system.disks));
    let wanted: u64 = clouds().map(particles).sum();
    let most = u64::from(most);
    if wanted <= most {
        return;
    }
    for system in systems {
        for cloud in system.fields.iter_mut().chain(&mut system.disks) {
            let share = (particles(cloud) * most / wanted).max(1);
            cloud.insert("particleCount".into(), json!(share));
        }
    }
}

fn particles(cloud: &Map<String, Value>) -> u64 {
    cloud["particleCount"].as_u64().unwrap_or(0)
}

fn write(
    systems: Vec<System>,
    rogues: &[Body],
    groups: &Groups,
    nebulae: Vec<Map<String, Value>>,
    steps: &mut Steps,
) -> Option<Sky> {
    let mut totals =
        Totals { groups: groups.all.len(), nebulae: nebulae.len(), ..Totals::default() };
    let groups_json = groups.to_json(&systems);
    let root_groups: Vec<_> =
        groups.galaxies.iter().map(|galaxy| json!(groups.all[galaxy.group].id)).collect();
    let (mut bodies, mut roots) = (Map::new(), Vec::new());
    let (mut fields, mut disks) = (Map::new(), Map::new());
    for system in systems {
        totals.add_system(&system);
        roots.push(json!(system.root().id));
        for body in &system.bodies {
            bodies.insert(body.id.clone(), Value::Object(body.to_json(&system.bodies)));
        }
        for cloud in system.fields.iter().chain(&system.disks) {
            totals.particles += usize::try_from(particles(cloud)).unwrap_or(usize::MAX);
        }
        fields.extend(by_id(system.fields));
        disks.extend(by_id(system.disks));
        steps.done("writing")?;
    }
    for rogue in rogues {
        totals.add_rogue();
        bodies.insert(rogue.id.clone(), Value::Object(rogue.to_json(&[])));
    }
    let parts = [
        ("stars", Value::Object(bodies)),
        ("rootIds", Value::Array(roots)),
        ("groups", Value::Object(groups_json)),
        ("rootGroupIds", Value::Array(root_groups)),
        ("belts", json!({})),
        ("smallBodyFields", Value::Object(fields)),
        ("protoplanetaryDisks", Value::Object(disks)),
        ("nebulae", by_id(nebulae).collect()),
    ];
    let snapshot = parts.into_iter().map(|(key, part)| (key.to_owned(), part)).collect();
    steps.finish("writing")?;
    Some(Sky { snapshot: Value::Object(snapshot), totals })
}

fn by_id(entities: Vec<Map<String, Value>>) -> impl Iterator<Item = (String, Value)> {
    entities.into_iter().map(|entity| {
        let id = entity["id"].as_str().unwrap_or_default().to_owned();
        (id, Value::Object(entity))
    })
}

/// Counts what is done and tells of it.
struct Steps<'a> {
    done: usize,
    of: usize,
    progress: &'a mut dyn FnMut(Progress) -> ControlFlow<()>,
}

impl<'a> Steps<'a> {
    /// Each system is made and written; groups, nebulae, rogues and the end are a step each.
    fn new(systems: usize, progress: &'a mut dyn FnMut(Progress) -> ControlFlow<()>) -> Self {
        Self { done: 0, of: 2 * systems + 4, progress }
    }

    /// `None` if whoever listens wants no more.
    fn done(&mut self, stage: &'static str) -> Option<()> {
        // Centres of galaxies are systems that were not foreseen.
        self.done = (self.done + 1).min(self.of - 1);
        self.tell(stage)
    }

    fn skip(&mut self, steps: usize) {
        self.done += steps;
    }

    fn finish(&mut self, stage: &'static str) -> Option<()> {
        self.done = self.of;
        self.tell(stage)
    }

    fn tell(&mut self, stage: &'static str) -> Option<()> {
        let progress = Progress { stage, done: self.done, of: self.of };
        (self.progress)(progress).continue_value()
    }
}
