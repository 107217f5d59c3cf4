//! The sentence model, loaded once and when it is first needed.

use std::{fs, path::PathBuf, sync::Arc, thread};

use parking_lot::Mutex;
use spox_core::config::Model as SearchModel;
use spox_embed::Model;
use spox_search::{Embedder, ModelId};

use crate::Error;

/// The packed file in a directory that somebody names in place of the built-in model.
const FILE: &str = "model.bin";

/// Keeps the model that was last asked for.
#[derive(Default)]
pub(super) struct Models(Mutex<Option<(SearchModel, Arc<Model>)>>);

impl Models {
    /// The model of these settings; none where words alone decide.
    pub(super) fn get(&self, wanted: &SearchModel) -> Result<Option<Arc<Model>>, Error> {
        let mut kept = self.0.lock();
        if let Some((known, model)) = &*kept
            && known == wanted
        {
            return Ok(Some(model.clone()));
        }
        let model = match wanted {
            SearchModel::None => return Ok(None),
            SearchModel::Builtin => Model::builtin(),
            SearchModel::Folder(dir) => from(dir)?,
            SearchModel::Hub(name) => {
                return Err(Error::Model {
                    name: format!("hub:{name}"),
                    reason: "this program downloads nothing: fetch it, convert it with `cargo xtask weights`, \
                             and name its directory"
                        .into(),
                });
            }
        };
        let model = Arc::new(model);
        *kept = Some((wanted.clone(), model.clone()));
        Ok(Some(model))
    }
}

fn from(dir: &str) -> Result<Model, Error> {
    let failed = |reason: String| Error::Model { name: dir.to_owned(), reason };
    let path = PathBuf::from(dir).join(FILE);
    let bytes = fs::read(path).map_err(|error| failed(format!("{FILE}: {error}")))?;
    Model::read(&bytes).map_err(|error| failed(error.to_string()))
}

/// A model at work on all cores.
pub(super) struct Encoder<'a>(pub(super) &'a Model);

impl Embedder for Encoder<'_> {
    fn id(&self) -> ModelId {
        let id = self.0.id();
        ModelId { name: id.name.clone(), hash: id.hash, dimensions: spox_embed::HIDDEN }
    }

    fn embed(&self, texts: &[&str]) -> Vec<Vec<f32>> {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let vectors = self.0.embed_all(texts, threads, &mut |_| ());
        vectors.iter().map(|vector| vector.numbers().to_vec()).collect()
    }
}
