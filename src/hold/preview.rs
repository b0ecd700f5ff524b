//! The effect of a hold before it starts, and the creation of a hold from a request.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use actix_web::http::StatusCode;
use bytes::Bytes;
use jiff::Timestamp;
use serde_json::value::RawValue;
use tokio::task::spawn_blocking;

use super::body::{ToggleState, find_toggle, is_narrower, state_of};
use super::list::{HoldChild, HoldDraft, HoldPreview, NewHold};
use super::set::{CopyScope, Hold, MAX_DURATION};
use super::{Holds, recorded};
use crate::error::{ApiError, DomainError};
use crate::evaluation::Definitions;
use crate::sdk_instances::InstanceCount;

/// Duration of a hold, unless the request states it.
const DEFAULT_SECONDS: u32 = 7_200;
/// Maximum duration of a hold in seconds.
const MAX_SECONDS: u64 = MAX_DURATION.as_secs();

/// Toggles that SDKs get now, without holds.
#[derive(Debug, Clone)]
pub struct HeldCopy {
    /// Last characters of the token; empty if they are unknown.
    pub token: String,
    /// The selection of the token.
    pub scope: CopyScope,
    /// The list of toggles.
    pub body: Bytes,
    /// Number of instances of applications that get the toggles.
    pub instances: InstanceCount,
}

impl Holds {
    /// Creates a hold from a request.
    ///
    /// # Errors
    /// If the request is invalid, the earlier state is not recorded, or it would widen who gets the feature.
    pub(crate) async fn create(
        &self,
        draft: HoldDraft,
        person: &str,
        copies: &[HeldCopy],
    ) -> Result<NewHold, ApiError> {
        let now = self.now().wall;
        let HoldDraft { toggle, reason, seconds, environment, at, .. } = draft;
        let at: Option<Timestamp> = at
            .map(|at| at.parse())
            .transpose()
            .map_err(|_cause| invalid("at", "must be a time in RFC 3339, such as 2026-11-24T13:55:00Z"))?;
        let seconds = u64::from(seconds.unwrap_or(DEFAULT_SECONDS));
        if !(1..=MAX_SECONDS).contains(&seconds) {
            let rule = format!("must be 1 to {MAX_SECONDS}: a hold ends after 24 hours at most");
            return Err(invalid("seconds", &rule));
        }
        let person = if person.trim().is_empty() { "a user without sign-in" } else { person };
        let mut hold = Hold {
            toggle,
            environment,
            at,
            reason: reason.trim().to_owned(),
            person: person.to_owned(),
            start: now,
            expires: now + Duration::from_secs(seconds),
            recorded: BTreeMap::new(),
        };
        hold.check(now).map_err(|fault| {
            let field = fault.split(' ').next().unwrap_or_default().to_owned();
            ApiError::invalid(&field, fault)
        })?;
        let effect = preview(&hold.toggle, hold.environment.as_deref(), copies);
        if effect.copies == 0 && !copies.is_empty() {
            let message = format!(
                "No SDK gets a toggle {:?} from Flagdeck{}. Check the name, or wait for the first request of an SDK",
                hold.toggle,
                hold.environment
                    .as_ref()
                    .map(|name| format!(" in the environment {name}"))
                    .unwrap_or_default()
            );
            return Err(ApiError::NotFound(message));
        }
        if let Some(at) = at {
            hold.recorded = self.find_recorded(&hold.toggle, hold.environment.as_deref(), at).await?;
            refuse_widening(&hold, copies)?;
        }
        let active = self.add(hold).await?;
        Ok(NewHold { hold: self.describe(&active), effect })
    }

    async fn find_recorded(
        &self,
        toggle: &str,
        environment: Option<&str>,
        at: Timestamp,
    ) -> Result<BTreeMap<String, Box<RawValue>>, ApiError> {
        let Some(recorder) = self.recorder().cloned() else {
            let message = "Earlier states are not recorded. Hold the toggle off, or set recorder to a folder and start Flagdeck again";
            return Err(DomainError::new("no_recorder", StatusCode::NOT_FOUND, message).into());
        };
        recorder.flush().await;
        let (name, environment) = (toggle.to_owned(), environment.map(str::to_owned));
        let found = spawn_blocking(move || recorded::find(&recorder, &name, environment.as_deref(), at));
        let found = found.await.map_err(ApiError::internal)?.map_err(|error| {
            let message = format!("{error}. Or hold the toggle off");
            ApiError::from(DomainError::new("not_recorded", StatusCode::NOT_FOUND, message))
        })?;
        if found.is_empty() {
            let message = format!(
                "There was no toggle {toggle:?} at {at}. Ask for another time, or hold the toggle off"
            );
            return Err(ApiError::NotFound(message));
        }
        Ok(found)
    }
}

/// Returns the effect of a hold.
#[must_use]
pub fn preview(toggle: &str, environment: Option<&str>, copies: &[HeldCopy]) -> HoldPreview {
    let mut preview = HoldPreview { is_off: true, ..HoldPreview::default() };
    let (mut children, mut without_effect, mut instances) = (BTreeSet::new(), BTreeSet::new(), None);
    for copy in copies {
        let is_selected = environment.is_none() || copy.scope.environment.as_deref() == environment;
        let Some(found) = find_toggle(&copy.body, toggle).filter(|_| is_selected) else {
            if !copy.token.is_empty() {
                without_effect.insert(copy.token.clone());
            }
            continue;
        };
        preview.copies = preview.copies.saturating_add(1);
        preview.is_off &= state(found) == ToggleState::Off;
        let InstanceCount { number, has_more } = copy.instances;
        let sum = instances.get_or_insert(0_u32);
        *sum = sum.saturating_add(u32::try_from(number).unwrap_or(u32::MAX));
        preview.has_more_instances |= has_more;
        children.extend(find_direct_children(&copy.body, toggle));
    }
    preview.is_off &= preview.copies > 0;
    preview.instances = instances;
    preview.children = children.into_iter().collect();
    preview.without_effect = without_effect.into_iter().collect();
    preview
}

fn state(toggle: &str) -> ToggleState {
    serde_json::from_str::<&RawValue>(toggle).map_or(ToggleState::On, state_of)
}

/// Returns the toggles that depend on a toggle directly and are on.
fn find_direct_children(body: &[u8], toggle: &str) -> Vec<HoldChild> {
    let Ok(definitions) = serde_json::from_slice::<Definitions>(body) else { return Vec::new() };
    let features = definitions.features.into_iter().filter(|feature| feature.enabled);
    features
        .filter_map(|feature| {
            let mut parents = feature.dependencies.iter().filter(|parent| parent.feature == toggle);
            let turns_on = parents.next()?.enabled == Some(false);
            Some(HoldChild { name: feature.name, turns_on })
        })
        .collect()
}

/// Refuses an earlier state that is not provably narrower than the current one for the SDKs of each token.
fn refuse_widening(hold: &Hold, copies: &[HeldCopy]) -> Result<(), ApiError> {
    for copy in copies.iter().filter(|copy| hold.applies_to(&copy.scope)) {
        let recorded = copy.scope.id.as_ref().and_then(|id| hold.recorded.get(id));
        let (Some(recorded), Some(current)) = (recorded, find_toggle(&copy.body, &hold.toggle)) else {
            continue;
        };
        let current: &RawValue = serde_json::from_str(current).map_err(ApiError::internal)?;
        if state_of(current) == ToggleState::On && !is_narrower(&copy.body, current, recorded, &hold.toggle) {
            let message = format!(
                "The state of {:?} at that time could turn the feature on for users who do not have it now. A hold only narrows: hold the toggle off",
                hold.toggle
            );
            return Err(DomainError::new("hold_would_widen", StatusCode::CONFLICT, message).into());
        }
    }
    Ok(())
}

fn invalid(field: &str, rule: &str) -> ApiError {
    ApiError::invalid(field, format!("\"{field}\" {rule}"))
}
