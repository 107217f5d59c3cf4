//! Describe a model.

use kit_cli::{Outcome, Ui};

use super::{
    desk::{Address, Desk},
    refused,
};

/// Show the sources of a model with their fields, joins and views
#[derive(Debug, clap::Args)]
pub struct DescribeArgs {
    #[command(flatten)]
    address: Address,
}

pub(super) async fn describe(
    ui: &mut Ui,
    desk: &Desk,
    args: &DescribeArgs,
) -> anyhow::Result<Outcome> {
    let found = async { desk.service.model(&desk.find(ui, &args.address).await?).await }.await;
    match found {
        Err(error) => refused(ui, &error),
        Ok(model) => {
            if ui.global().json {
                ui.print(&serde_json::to_string_pretty(&model.description)?)?;
            } else {
                ui.print(&malloy::description(&model.description))?;
            }
            Ok(Outcome::Success)
        }
    }
}
