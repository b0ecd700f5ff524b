//! Exports the state in the format of Unleash 3.x.

use crate::api::state::{STATE_VERSION, State};
use crate::database::{StoreError, Transaction};
use crate::flags::events::Actor;

/// Author of imported changes in the event history.
const IMPORT_ACTOR_NAME: &str = "flagdeck import";
/// Author of changes in the file of `definitions`.
const DEFINITIONS_ACTOR_NAME: &str = "definitions";

/// A part of an export that can be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// Toggles and segments.
    Features,
    /// Strategy definitions.
    Strategies,
    /// Projects.
    Projects,
    /// Tag types, tags, and the tags of toggles.
    Tags,
}

impl Section {
    /// All sections.
    pub const ALL: [Self; 4] = [Self::Features, Self::Strategies, Self::Projects, Self::Tags];
}

/// Exports sections of the state. The format does not support archived toggles, context fields, addons, users and the
/// history.
pub(crate) fn export(tx: &Transaction<'_>, sections: &[Section]) -> Result<State, StoreError> {
    let mut state = State { version: STATE_VERSION, ..State::default() };
    for section in sections {
        match section {
            Section::Features => {
                state.features = Some(tx.list_toggles(false)?);
                state.segments = tx.list_segments()?.into_iter().map(|listed| listed.segment).collect();
            }
            Section::Strategies => {
                let custom = tx.list_strategies()?.into_iter().filter(|strategy| strategy.editable);
                state.strategies = Some(custom.map(Into::into).collect());
            }
            Section::Projects => state.projects = Some(tx.list_projects()?),
            Section::Tags => {
                state.tag_types = Some(tx.list_tag_types()?.into_iter().map(Into::into).collect());
                state.tags = Some(tx.list_tags(None)?);
                state.feature_tags = Some(tx.list_toggle_tags()?);
            }
        }
    }
    Ok(state)
}

/// Returns the actor of an import.
#[must_use]
pub fn import_actor() -> Actor {
    Actor::now(IMPORT_ACTOR_NAME)
}

/// Returns the actor of changes in the file of `definitions`.
#[must_use]
pub(crate) fn definitions_actor() -> Actor {
    Actor::now(DEFINITIONS_ACTOR_NAME)
}
