//! Models: what there is, and what a model has.

use axum::{
    extract::State,
    response::{IntoResponse as _, Response},
};
use serde_json::{Value, json};

use super::{
    Api,
    answer::{Json, large},
    failure::Failure,
    input::{Asked, Caller, InFile, InPackage, Path, Sent},
    notebooks, queries,
};
use crate::{At, Error, Model, ModelKind, What, wire};

/// Models and notebooks; later servers list notebooks apart, and here they are in both lists.
pub(super) async fn list(
    State(api): State<Api>,
    Path(InPackage { project, package }): Path<InPackage>,
) -> Result<Json<Vec<Value>>, Failure> {
    let package = api.service.package(&project, &package).await?;
    let models = package.models.values();
    Ok(Json(models.map(|model| listed(&project, &package.name, model)).collect()))
}

/// A file in a list.
pub(super) fn listed(project: &str, package: &str, model: &Model) -> Value {
    let kind = match model.kind {
        ModelKind::Model => "source",
        ModelKind::Notebook => "notebook",
    };
    let mut made = json!({
        "projectName": project,
        "packageName": package,
        "path": model.path,
        "type": kind,
    });
    if let Err(failure) = &model.compiled {
        let error = Error::failure(What::Compile, failure, Some(&model.path), &model.text);
        made["error"] = Value::Object(wire::failure(&error));
    } else if let Some(stale) = &model.stale {
        made["stale"] = json!(stale);
    }
    made
}

/// A compiled model. A notebook is answered here, too, with its cells run.
pub(super) async fn read(
    State(api): State<Api>,
    caller: Caller,
    Path(file): Path<InFile>,
) -> Result<Response, Failure> {
    let at = file.at();
    let (package, model) = api.service.found(&at).await?;
    if model.kind == ModelKind::Notebook {
        return notebooks::whole(&api, &at, crate::Run::All, &caller).await;
    }
    let model = api.service.model(&at).await?;
    Ok(large(usize::MAX, move || wire::model(&package, &model)).await?.into_response())
}

/// `POST /models/{path}/query` and `/compile`: the path of the model is before the word, and may have any number of parts.
pub(super) async fn ask(
    State(api): State<Api>,
    asked: Asked,
    caller: Caller,
    Path(file): Path<InFile>,
    Sent(body): Sent<Value>,
) -> Result<Response, Failure> {
    let At { project, package, path } = file.at();
    let of = |path: &str| At {
        project: project.clone(),
        package: package.clone(),
        path: path.to_owned(),
    };
    if let Some(path) = path.strip_suffix("/query") {
        queries::query(&api, &asked, caller, of(path), body).await
    } else if let Some(path) = path.strip_suffix("/compile") {
        queries::compile(&api, caller, of(path), body).await
    } else {
        let message = format!("nothing can be sent to `{path}`");
        Err(Error::new(What::Model, message)
            .hint("end the path with `/query` or `/compile`")
            .into())
    }
}
