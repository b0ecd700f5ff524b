//! Exports the state in the format of Unleash 3.x.

use super::model::{STATE_VERSION, State};
use crate::flags::database::{StoreError, Transaction};
use crate::flags::events::Actor;

/// Author of imported changes in the event history.
const IMPORT_ACTOR_NAME: &str = "flagdeck import";

/// Exports the state. The format does not support archived toggles, context fields, addons, users and the history.
///
/// # Errors
/// See [`StoreError`].
pub fn export(tx: &Transaction<'_>) -> Result<State, StoreError> {
    let custom = tx.list_strategies()?.into_iter().filter(|strategy| strategy.editable);
    Ok(State {
        version: STATE_VERSION,
        features: tx.list_toggles(false)?,
        strategies: custom.map(Into::into).collect(),
        projects: tx.list_projects()?,
        tag_types: tx.list_tag_types()?.into_iter().map(Into::into).collect(),
        tags: tx.list_tags(None)?,
        feature_tags: tx.list_toggle_tags()?,
        segments: tx.list_segments()?.into_iter().map(|listed| listed.segment).collect(),
    })
}

/// Returns the actor of an import.
#[must_use]
pub fn import_actor() -> Actor {
    Actor::now(IMPORT_ACTOR_NAME)
}
