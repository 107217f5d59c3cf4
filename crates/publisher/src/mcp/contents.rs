//! What is in a package, as addresses that can be read.

use publisher_core::{
    about::{self, About},
    compiled,
    uri::{Part, Place},
};
use serde_json::{Value, json};

use crate::{Model, ModelKind, Package};

/// One entry for each file and each listed view under the addresses that the first servers gave, then the model itself,
/// its sources, views and queries under their own. A file that does not compile is there all the same.
pub(super) fn of(package: &Package) -> Vec<Value> {
    package.models.values().flat_map(|model| of_file(package, model)).collect()
}

fn of_file(package: &Package, model: &Model) -> Vec<Value> {
    let place = Place::of_package(&package.project, &package.name);
    let (name, path) = (|| package.name.clone(), || model.path.clone());
    let entry =
        |part: Part, about: About| json!({"uri": place.with(part).uri(), "metadata": about});
    if model.kind == ModelKind::Notebook {
        return vec![entry(Part::Notebook { package: name(), path: path() }, about::NOTEBOOK)];
    }
    let mut old = vec![entry(Part::ModelFile { package: name(), path: path() }, about::SOURCE)];
    let mut own = vec![entry(Part::Model { package: name(), path: path() }, about::MODEL)];
    let outline = &model.outline;
    for source in &outline.sources {
        own.push(entry(
            Part::Source { package: name(), path: path(), source: source.name.clone() },
            about::SOURCE,
        ));
        for view in compiled::listed_views(source) {
            let (source, view) = (source.name.clone(), view.name.clone());
            old.push(entry(
                Part::ViewOfModel { package: name(), path: path(), view: view.clone() },
                about::VIEW,
            ));
            own.push(entry(
                Part::View { package: name(), path: path(), source, view },
                about::VIEW,
            ));
        }
    }
    for query in &outline.queries {
        let query = query.name.clone();
        own.push(entry(Part::Query { package: name(), path: path(), query }, about::QUERY));
    }
    old.extend(own);
    old
}
