//! The nine tools, in the order in which they are listed.

use kit_mcp::{
    Call, ToolError,
    rmcp::{self, handler::server::wrapper::Parameters, tool, tool_router},
};

use super::{
    answer::{Object, schema},
    input::{Nothing, OfChange, OfScenario, OfSpec, PerhapsChange, PerhapsSpec, Search},
};
use crate::{SearchQuery, Service, wire};

/// From the outline to the details, then changes, then checks.
pub(super) const ORDER: &[&str] = &[
    "list_specs",
    "get_spec_requirements",
    "get_scenario",
    "search_specs",
    "list_changes",
    "get_change",
    "validate_spec",
    "validate_change",
    "rebuild_index",
];

#[derive(Clone)]
pub(super) struct Tools {
    pub(super) service: Service,
}

type Answer<T> = Result<Object<T>, ToolError>;

#[tool_router(router = router, vis = "pub(super)")]
impl Tools {
    /// List all specs of the project with title and purpose. Begin here when you do not know the project.
    #[tool(
        title = "List specs",
        output_schema = schema::<wire::SpecList>(),
        annotations(read_only_hint = true, destructive_hint = false, idempotent_hint = true, open_world_hint = false)
    )]
    async fn list_specs(&self, _: Parameters<Nothing>) -> Answer<wire::SpecList> {
        Ok(Object(self.service.ask(Service::list_specs).await?))
    }

    /// List the requirements of one spec by name, with the number of their scenarios and without their texts. Use
    /// `get_scenario` to read one.
    #[tool(
        title = "Get a spec's requirements",
        output_schema = schema::<wire::SpecRequirements>(),
        annotations(read_only_hint = true, destructive_hint = false, idempotent_hint = true, open_world_hint = false)
    )]
    async fn get_spec_requirements(
        &self,
        Parameters(OfSpec { spec_id }): Parameters<OfSpec>,
    ) -> Answer<wire::SpecRequirements> {
        Ok(Object(self.service.ask(move |spox| spox.spec_requirements(&spec_id)).await?))
    }

    /// Read one scenario of a requirement: its conditions, its outcomes, and what the requirement demands.
    #[tool(
        title = "Get a scenario",
        output_schema = schema::<wire::ScenarioFound>(),
        annotations(read_only_hint = true, destructive_hint = false, idempotent_hint = true, open_world_hint = false)
    )]
    async fn get_scenario(
        &self,
        Parameters(OfScenario { spec_id, requirement, scenario }): Parameters<OfScenario>,
    ) -> Answer<wire::ScenarioFound> {
        let question =
            move |spox: &Service| spox.scenario(&spec_id, &requirement, scenario.as_deref());
        Ok(Object(self.service.ask(question).await?))
    }

    /// Search all specs by meaning and by words. Ask as you would ask a colleague, or give an identifier, a flag or an error
    /// text. What is not in the specs gives no results.
    #[tool(
        title = "Search specs",
        output_schema = schema::<wire::SearchResults>(),
        annotations(read_only_hint = true, destructive_hint = false, idempotent_hint = true, open_world_hint = false)
    )]
    async fn search_specs(
        &self,
        Parameters(Search { query, top_k, include_changes }): Parameters<Search>,
    ) -> Answer<wire::SearchResults> {
        let query = SearchQuery {
            query,
            top_k: top_k.map(|most| most as usize),
            include_changes: include_changes.unwrap_or(false),
        };
        Ok(Object(self.service.ask(move |spox| spox.search(&query)).await?))
    }

    /// List the active changes with their progress. Look here before you propose one of your own.
    #[tool(
        title = "List changes",
        output_schema = schema::<wire::ChangeList>(),
        annotations(read_only_hint = true, destructive_hint = false, idempotent_hint = true, open_world_hint = false)
    )]
    async fn list_changes(&self, _: Parameters<Nothing>) -> Answer<wire::ChangeList> {
        Ok(Object(self.service.ask(Service::list_changes).await?))
    }

    /// Read a change: why, what changes, its tasks, its design if it has one, and what it does to each spec. `section` gives
    /// one part alone.
    #[tool(
        title = "Get a change",
        output_schema = schema::<wire::ChangeFound>(),
        annotations(read_only_hint = true, destructive_hint = false, idempotent_hint = true, open_world_hint = false)
    )]
    async fn get_change(
        &self,
        Parameters(OfChange { change_id, section }): Parameters<OfChange>,
    ) -> Answer<wire::ChangeFound> {
        let question = move |spox: &Service| {
            let section = section.as_deref().map(str::parse).transpose()?;
            spox.change(&change_id, section)
        };
        Ok(Object(self.service.ask(question).await?))
    }

    /// Check that specs are well formed. Each finding has a file, a line, the rule and what to write instead.
    #[tool(
        title = "Validate specs",
        output_schema = schema::<wire::Validation>(),
        annotations(read_only_hint = true, destructive_hint = false, idempotent_hint = true, open_world_hint = false)
    )]
    async fn validate_spec(
        &self,
        Parameters(PerhapsSpec { spec_id }): Parameters<PerhapsSpec>,
    ) -> Answer<wire::Validation> {
        Ok(Object(self.service.ask(move |spox| spox.validate_spec(spec_id.as_deref())).await?))
    }

    /// Check that changes are well formed and can be applied to the specs as they are now.
    #[tool(
        title = "Validate changes",
        output_schema = schema::<wire::Validation>(),
        annotations(read_only_hint = true, destructive_hint = false, idempotent_hint = true, open_world_hint = false)
    )]
    async fn validate_change(
        &self,
        Parameters(PerhapsChange { change_id }): Parameters<PerhapsChange>,
    ) -> Answer<wire::Validation> {
        Ok(Object(self.service.ask(move |spox| spox.validate_change(change_id.as_deref())).await?))
    }

    /// Build the search index anew, or bring it up to date: only texts that changed are embedded again.
    #[tool(
        title = "Rebuild the search index",
        output_schema = schema::<wire::IndexBuilt>(),
        annotations(read_only_hint = false, destructive_hint = false, idempotent_hint = true, open_world_hint = false)
    )]
    async fn rebuild_index(&self, call: Call, _: Parameters<Nothing>) -> Answer<wire::IndexBuilt> {
        let (told, mut heard) = tokio::sync::watch::channel((0, 0));
        let building = self.service.ask(move |spox| {
            // Nobody has to listen.
            spox.rebuild_index(&|done, total| _ = told.send((done, total)))
        });
        tokio::pin!(building);
        loop {
            tokio::select! {
                built = &mut building => return Ok(Object(built?)),
                // Told again and again, since a call without news is given up in the end.
                changed = heard.changed() => if changed.is_ok() {
                    let (done, total) = *heard.borrow_and_update();
                    #[expect(clippy::cast_precision_loss, reason = "a count of texts")]
                    call.progress(done as f64, Some(total as f64), Some("embedding texts")).await;
                } else {
                    return Ok(Object(building.await?));
                },
            }
        }
    }
}
