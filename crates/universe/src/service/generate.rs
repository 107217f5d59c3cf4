//! Universes made by a seed, beside the requests.

use std::{ops::ControlFlow, sync::Arc};

use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tracing::instrument;
use universe_core::{
    State, UniverseId,
    generate::{Generated, Progress, Request, Seed, Totals, generate},
};
use uuid::Uuid;

use super::{Caller, Order, Record, Service, given_name, order::Asked};
use crate::Error;

/// How many are made at a time: each keeps one core busy.
const AT_ONCE: usize = 2;

/// Lets two work and the others wait.
#[derive(Clone)]
pub(super) struct Workshop(Arc<Semaphore>);

impl Default for Workshop {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(AT_ONCE)))
    }
}

/// What is to be made, and where.
#[derive(Debug)]
pub struct Blueprint {
    request: Request,
    name: String,
    into: Option<UniverseId>,
}

/// A universe that was made.
#[derive(Debug)]
pub struct Made {
    pub record: Record,
    pub seed: Seed,
    pub totals: Totals,
}

impl Service {
    /// Reads what is asked for. Whatever is wrong with it is told before any work begins.
    pub async fn blueprint(
        &self,
        asked: &Value,
        into: Option<&UniverseId>,
    ) -> Result<Blueprint, Error> {
        if let Some(id) = into {
            self.get(id).await?;
        }
        let empty = json!({});
        let asked = if asked.is_null() { &empty } else { asked };
        let (chosen, ..) = Uuid::new_v4().as_fields();
        let wrong = |source| Error::Invalid { id: into.cloned(), source };
        let request = Request::from_json(asked, chosen).map_err(wrong)?;
        let name = match asked.get("name") {
            Some(name) => given_name(name)?,
            None => match &request.seed {
                Seed::Text(seed) => format!("Universe {seed}"),
                Seed::Number(seed) => format!("Universe {seed}"),
            },
        };
        Ok(Blueprint { request, name, into: into.cloned() })
    }

    /// Makes it. A caller that goes away before it is done takes the work along.
    #[instrument(skip_all)]
    pub async fn generate(
        &self,
        caller: &Caller,
        blueprint: Blueprint,
        told: impl FnMut(Progress) + Send + 'static,
    ) -> Result<Made, Error> {
        let Work { product, seed, totals } = self.work(blueprint, told).await?;
        let record = match product {
            Product::Universe { name, state } => self.begin(caller, name, *state).await?,
            Product::Order { into, asked } => {
                self.carry_out(caller, &into, asked).await?.record().clone()
            }
        };
        Ok(Made { record, seed, totals })
    }

    async fn work(
        &self,
        blueprint: Blueprint,
        mut told: impl FnMut(Progress) + Send + 'static,
    ) -> Result<Work, Error> {
        // Never closed: the workshop lives as long as the service.
        let turn = self.workshop.0.clone().acquire_owned().await;
        let left = CancellationToken::new();
        let _leaving = left.clone().drop_guard();
        let work = move || {
            // In here, so that a caller who goes away does not free the turn before its time.
            let _turn = turn;
            blueprint.make(&mut |progress| {
                told(progress);
                if left.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
        };
        // It stops only for a caller that is gone, and the runtime only at the end of the process.
        tokio::task::spawn_blocking(work).await.unwrap_or(Err(Error::Stopped))
    }
}

impl Blueprint {
    /// All that takes long, so that it is done beside the runtime's threads.
    fn make(self, told: &mut dyn FnMut(Progress) -> ControlFlow<()>) -> Result<Work, Error> {
        let Self { request, name, into } = self;
        let made = generate(&request, told).ok_or(Error::Stopped)?;
        let Generated { snapshot, totals, seed } = made;
        let product = if let Some(into) = into {
            let command = json!({"type": "replaceSnapshot", "snapshot": snapshot});
            Product::Order { into, asked: Asked::read(Order::one(command))? }
        } else {
            let state = State::from_json(snapshot, 0.0, "state");
            let state = state.map_err(|source| Error::Invalid { id: None, source })?;
            Product::Universe { name, state: Box::new(state) }
        };
        Ok(Work { product, seed, totals })
    }
}

/// What was made, before it is in the log.
struct Work {
    product: Product,
    seed: Seed,
    totals: Totals,
}

enum Product {
    Universe { name: String, state: Box<State> },
    Order { into: UniverseId, asked: Asked },
}
