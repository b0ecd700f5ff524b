//! Example toggles for an empty service (`examples/toggles.json`), validated like any others.

use serde_json::Value;

use super::auth::Author;
use super::events::Actor;
use super::toggles;
use super::toggles::transactions::NameState;
use super::validation::RequestBody as _;
use crate::api::ToggleDraft;
use crate::database::{Database, Transaction};
use crate::error::ApiError;

const TOGGLES: &str = include_str!("../../examples/toggles.json");

/// Adds the example toggles with `author` as the author. Skips names that exist, including archived toggles. Returns the
/// number of added toggles.
pub(super) async fn load_all(database: &Database, author: Author) -> Result<usize, ApiError> {
    database.write(move |tx| load(tx, &author.actor_now())).await
}

/// Creates the example toggles whose names are free. Returns the number of new toggles.
fn load(tx: &Transaction<'_>, actor: &Actor) -> Result<usize, ApiError> {
    let mut created = 0;
    for draft in parse_examples()? {
        if tx.name_state(&draft.name)? == NameState::Free {
            toggles::transactions::create(tx, &draft, actor)?;
            created += 1;
        }
    }
    Ok(created)
}

/// Creates the example toggle with this name.
pub(super) fn load_by_name(tx: &Transaction<'_>, name: &str, actor: &Actor) -> Result<(), ApiError> {
    for draft in parse_examples()?.iter().filter(|draft| draft.name == name) {
        toggles::transactions::create(tx, draft, actor)?;
    }
    Ok(())
}

fn parse_examples() -> Result<Vec<ToggleDraft>, ApiError> {
    let examples: Vec<Value> = serde_json::from_str(TOGGLES).map_err(ApiError::internal)?;
    examples.iter().map(ToggleDraft::parse).collect()
}
