//! Checks before the first write of `flagdeck apply` that the flag service has the items to which a plan refers, and accepts its values.

use actix_web::http::StatusCode;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::CommandError;
use super::service::Service;
use crate::api::{FileProblem, ItemList, NamedText};
use crate::files::checks::{Findings, Items, PlanChecks};
use crate::files::plan::{Plan, ServerState};
use crate::terminal;

#[derive(Deserialize)]
struct Projects {
    projects: Vec<Project>,
}

#[derive(Deserialize)]
struct Project {
    id: String,
}

#[derive(Deserialize)]
struct Strategies {
    strategies: Vec<Named>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

/// Checks the toggles that a plan changes. `texts` are the files from which it was made, for the places of problems. Items and
/// values that the server refuses are errors; probable mistakes are warnings on standard error, because applications can know custom
/// strategies and properties of contexts that the server does not.
///
/// # Errors
/// [`CommandError::Files`] with one line for each problem.
pub(super) async fn check_plan(
    service: &Service,
    plan: &Plan,
    state: &ServerState,
    texts: &[NamedText],
) -> Result<(), CommandError> {
    let checks = PlanChecks::new(plan, state);
    let server = if checks.depend_on_server() { Some(service.server().await) } else { None };
    let mut items = Items::new();
    for list in checks.lists() {
        let existing = match list {
            ItemList::Projects => {
                let list: Option<Projects> = find(service, "/projects").await?;
                list.map(|list| list.projects.into_iter().map(|project| project.id).collect())
            }
            ItemList::Strategies => {
                let list: Option<Strategies> = find(service, "/strategies").await?;
                list.map(|list| list.strategies.into_iter().map(|strategy| strategy.name).collect())
            }
            ItemList::ContextFields => {
                let list: Option<Vec<Named>> = find(service, "/context").await?;
                list.map(|list| list.into_iter().map(|field| field.name).collect())
            }
        };
        items.insert(list, existing);
    }
    let Findings { problems, warnings } = checks.run(server, &items, service.name(), texts);
    warn(&warnings)?;
    if problems.is_empty() {
        return Ok(());
    }
    let lines: Vec<_> = problems.iter().map(ToString::to_string).collect();
    Err(CommandError::Files(lines.join("\n")))
}

/// Prints warnings on standard error.
pub(super) fn warn(warnings: &[FileProblem]) -> Result<(), CommandError> {
    for warning in warnings {
        terminal::print_error(&format!("flagdeck: warning: {warning}")).map_err(CommandError::Output)?;
    }
    Ok(())
}

/// Reads a list that the server may not have, or may not show to this user.
async fn find<T: DeserializeOwned>(service: &Service, path: &str) -> Result<Option<T>, CommandError> {
    match service.find(path).await {
        Err(CommandError::Target(error)) if error.status == StatusCode::FORBIDDEN => Ok(None),
        result => result,
    }
}
