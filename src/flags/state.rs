//! Moving in and out: everything that people set up, in the format of Unleash 3.x.

use super::events::Actor;
use super::model::state::{STATE_VERSION, State};
use super::store::{Session, StoreError};

mod import;

pub use import::{ImportMode, Imported, import};

/// Who imports, as the history tells it: whoever may write to the database file.
const IMPORTER: &str = "flagdeck import";

/// All that can be exported. Archived toggles, context fields, addons, users and the history have no place in the
/// format.
///
/// # Errors
/// See [`StoreError`].
pub fn export(session: &Session<'_>) -> Result<State, StoreError> {
    let own = session.strategies()?.into_iter().filter(|strategy| strategy.editable);
    Ok(State {
        version: STATE_VERSION,
        features: session.toggles(false)?,
        strategies: own.map(Into::into).collect(),
        projects: session.projects()?,
        tag_types: session.tag_types()?.into_iter().map(Into::into).collect(),
        tags: session.tags(None)?,
        feature_tags: session.feature_tags()?,
    })
}

/// The one who imports, now.
#[must_use]
pub fn importer() -> Actor {
    Actor::now(IMPORTER)
}
