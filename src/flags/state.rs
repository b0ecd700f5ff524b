//! Moving in and out: everything that people set up, in the format of Unleash 3.x.

use super::events::Actor;
use super::model::state::{STATE_VERSION, State};
use super::store::{StoreError, Transaction};

mod import;

pub use import::{ImportMode, Imported, import};

/// Who imports, as the history tells it: whoever may write to the database file.
const IMPORTER: &str = "flagdeck import";

/// All that can be exported. Archived toggles, context fields, addons, users and the history have no place in the
/// format.
///
/// # Errors
/// See [`StoreError`].
pub fn export(tx: &Transaction<'_>) -> Result<State, StoreError> {
    let own = tx.list_strategies()?.into_iter().filter(|strategy| strategy.editable);
    Ok(State {
        version: STATE_VERSION,
        features: tx.list_toggles(false)?,
        strategies: own.map(Into::into).collect(),
        projects: tx.list_projects()?,
        tag_types: tx.list_tag_types()?.into_iter().map(Into::into).collect(),
        tags: tx.list_tags(None)?,
        feature_tags: tx.list_toggle_tags()?,
    })
}

/// The one who imports, now.
#[must_use]
pub fn importer() -> Actor {
    Actor::now(IMPORTER)
}
