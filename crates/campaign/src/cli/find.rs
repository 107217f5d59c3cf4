//! Which campaign, participant, actor or session is meant.

use anyhow::anyhow;
use kit_cli::{Client, Hint, client::Ask};
use kit_core::nearest;
use serde_json::Value;

/// All campaigns, page by page.
pub(super) async fn all(client: &Client) -> anyhow::Result<Vec<Value>> {
    let (mut found, mut next) = (Vec::new(), String::new());
    loop {
        let mut page = client.ask(Ask::get(&format!("/campaigns?limit=200{next}"))).await?;
        if let Value::Array(campaigns) = page["campaigns"].take() {
            found.extend(campaigns);
        }
        match page["next"].as_str() {
            Some(cursor) => next = format!("&cursor={cursor}"),
            None => return Ok(found),
        }
    }
}

/// The id of the campaign that `given` names: by its id, by the beginning of it, or by its name.
pub(super) async fn campaign(client: &Client, given: &str) -> anyhow::Result<String> {
    let all = all(client).await?;
    let names: Vec<_> = all.iter().map(|record| names(record, "name")).collect();
    choose("campaign", given, &names, "make one with `tandem campaign create NAME`")
}

/// The table of a campaign, by the campaign's id.
pub(super) async fn table(client: &Client, campaign: &str) -> anyhow::Result<Value> {
    client.ask(Ask::get(&format!("/campaigns/{campaign}"))).await
}

pub(super) async fn participant(
    client: &Client,
    campaign: &str,
    given: &str,
) -> anyhow::Result<String> {
    let table = table(client, campaign).await?;
    let way_out = "add one with `tandem campaign participant CAMPAIGN NAME --role player`";
    choose("participant", given, &listed(&table["participants"], "display_name"), way_out)
}

pub(super) async fn actor(client: &Client, campaign: &str, given: &str) -> anyhow::Result<String> {
    let table = table(client, campaign).await?;
    let way_out = "add one with `tandem campaign actor CAMPAIGN NAME --kind pc`";
    choose("actor", given, &listed(&table["actors"], "name"), way_out)
}

/// A session of a campaign; without a name the active one, else the latest.
pub(super) async fn session(
    client: &Client,
    campaign: &str,
    given: Option<&str>,
) -> anyhow::Result<String> {
    let table = table(client, campaign).await?;
    let way_out = "start one with `tandem campaign start CAMPAIGN`";
    let sessions = listed(&table["sessions"], "name");
    if let Some(given) = given {
        return choose("session", given, &sessions, way_out);
    }
    let active = table["active_session"].as_str();
    let found = active.or(sessions.last().map(|(id, _)| *id)).map(str::to_owned);
    found.ok_or_else(|| anyhow!("the campaign has no session yet")).hint(way_out)
}

fn listed<'a>(list: &'a Value, name: &str) -> Vec<(&'a str, &'a str)> {
    list.as_array().into_iter().flatten().map(|record| names(record, name)).collect()
}

fn names<'a>(record: &'a Value, name: &str) -> (&'a str, &'a str) {
    let text = |key: &str| record[key].as_str().unwrap_or_default();
    (text("id"), text(name))
}

/// By id or by the beginning of the part after its `_`, by name in any case, or by a part of a name that no other has.
fn choose(what: &str, given: &str, all: &[(&str, &str)], way_out: &str) -> anyhow::Result<String> {
    if let Some((id, _)) = all.iter().find(|(id, _)| *id == given) {
        return Ok((*id).to_owned());
    }
    let begins = |id: &str| {
        let bare = id.split_once('_').map_or(id, |(_, bare)| bare);
        !given.is_empty() && (id.starts_with(given) || bare.starts_with(given))
    };
    let wanted = given.to_lowercase();
    let fits = |(id, name): &&(&str, &str)| begins(id) || name.to_lowercase() == wanted;
    let near = |(_, name): &&(&str, &str)| name.to_lowercase().contains(&wanted);
    let mut chosen: Vec<_> = all.iter().filter(fits).collect();
    if chosen.is_empty() && !wanted.is_empty() {
        chosen = all.iter().filter(near).collect();
    }
    match chosen.as_slice() {
        [(id, _)] => Ok((*id).to_owned()),
        [] => {
            let hint = match nearest(given, all.iter().map(|(_, name)| *name)) {
                _ if all.is_empty() => format!("there is none yet: {way_out}"),
                Some(near) => format!("did you mean `{near}`?"),
                None => {
                    let names: Vec<_> = all.iter().take(8).map(|(_, name)| *name).collect();
                    format!("there are `{}`", names.join("`, `"))
                }
            };
            Err(anyhow!("no {what} `{given}`")).hint(hint)
        }
        several => {
            let ids: Vec<_> = several.iter().map(|(id, name)| format!("`{id}` ({name})")).collect();
            Err(anyhow!("`{given}` can be {}", ids.join(" or "))).hint("give more of the id")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [(&str, &str); 3] = [("part_abc", "Mira"), ("part_abd", "Tom"), ("part_xyz", "Tom")];

    #[test]
    fn an_id_its_beginning_or_a_name_is_enough() {
        for given in ["part_abc", "abc", "mira", "Mira", "ir"] {
            assert_eq!(choose("participant", given, &ALL, "").unwrap(), "part_abc", "{given}");
        }
    }

    #[test]
    fn what_can_be_several_is_asked_again() {
        let error = choose("participant", "Tom", &ALL, "").unwrap_err().to_string();
        assert_eq!(error, "`Tom` can be `part_abd` (Tom) or `part_xyz` (Tom)");
        assert!(choose("participant", "ab", &ALL, "").is_err());
        assert!(choose("participant", "", &ALL, "").is_err());
    }
}
