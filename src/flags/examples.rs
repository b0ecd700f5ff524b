//! The example toggles that an empty service offers: `examples/toggles.json`, held to the rules like any other.

use serde_json::Value;

use super::events::Actor;
use super::model::ToggleDraft;
use super::store::{NameState, Transaction};
use super::{rules, toggles};
use crate::error::ApiError;

const TOGGLES: &str = include_str!("../../examples/toggles.json");

/// Adds those whose names are free; answers how many that were.
pub(super) fn load(tx: &Transaction<'_>, actor: &Actor) -> Result<usize, ApiError> {
    let mut created = 0;
    for draft in drafts()? {
        if tx.name_state(&draft.name)? == NameState::Free {
            toggles::create(tx, &draft, actor)?;
            created += 1;
        }
    }
    Ok(created)
}

/// Adds the one with this name.
pub(super) fn load_one(tx: &Transaction<'_>, name: &str, actor: &Actor) -> Result<(), ApiError> {
    for draft in drafts()?.iter().filter(|draft| draft.name == name) {
        toggles::create(tx, draft, actor)?;
    }
    Ok(())
}

fn drafts() -> Result<Vec<ToggleDraft>, ApiError> {
    let examples: Vec<Value> = serde_json::from_str(TOGGLES).map_err(ApiError::internal)?;
    examples.iter().map(rules::new_toggle).collect()
}
