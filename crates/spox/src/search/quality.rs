//! How good the answers are, on this repository's own specs and questions written for them.

use std::{fs, path::Path, sync::Arc};

use spox_search::{
    Embedder as _, Index, Query, Settings, Vectors,
    quality::{Bars, Questions, measure},
};

use super::{
    documents,
    model::{Encoder, Models},
};
use crate::project::{Place, Project, Snapshot};

#[test]
fn questions_about_this_repository_find_their_answers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let project = Project::open(&Place::At(root.clone())).unwrap();
    let model = Models::default().get(&project.config.search.model).unwrap().unwrap();
    let snapshot: Arc<Snapshot> = Snapshot::read(project, None);
    let documents = documents::of(&snapshot).into_iter().map(|placed| placed.document).collect();
    let encoder = Encoder(&model);
    let known = Vectors::new(encoder.id());
    let mut index = Index::new(documents, Some(known), Settings::default());
    index.fill(&encoder, 64, |_, _| ()).unwrap();

    let questions = fs::read_to_string(root.join("specs/questions.json")).unwrap();
    let questions: Questions = serde_json::from_str(&questions).unwrap();
    assert!(questions.questions.len() >= 100);
    let report = measure(&index, Some(&encoder), &Query::new(""), &questions.questions).unwrap();
    println!("{report}");
    assert_eq!(report.unknown, Vec::<String>::new(), "questions about what is not there");
    assert_eq!(report.shortfalls(&Bars::default()), Vec::<String>::new(), "{report}");
}
