//! The example toggles that an empty service offers: `examples/toggles.json`, held to the rules like any other.

use serde_json::Value;

use super::events::Actor;
use super::store::{NameState, Session};
use super::{rules, toggles};
use crate::error::ApiError;

const TOGGLES: &str = include_str!("../../examples/toggles.json");

/// Adds those whose names are free; answers how many that were.
pub(super) fn load(session: &Session<'_>, actor: &Actor) -> Result<usize, ApiError> {
    let examples: Vec<Value> = serde_json::from_str(TOGGLES).map_err(ApiError::internal)?;
    let mut created = 0;
    for example in &examples {
        let draft = rules::new_toggle(example)?;
        if session.name_state(&draft.name)? == NameState::Free {
            toggles::create(session, &draft, actor)?;
            created += 1;
        }
    }
    Ok(created)
}
