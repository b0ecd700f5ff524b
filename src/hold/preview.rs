//! The effect of a hold before it starts, and the creation of a hold from a request.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::StatusCode;
use bytes::Bytes;
use data_encoding::HEXLOWER;
use tokio::task::spawn_blocking;

use super::Holds;
use super::body::{ToggleState, UpstreamHolds, find_toggle, state_of};
use super::list::{HoldChild, HoldDraft, HoldPreview, NewHold};
use super::set::{CopyScope, Hold, MAX_DURATION};
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
    /// Toggles that the upstream itself holds, so that their state is not known.
    pub upstream_holds: UpstreamHolds,
}

impl Holds {
    /// Creates a hold from a request. It is not active yet.
    ///
    /// # Errors
    /// If the request is invalid.
    pub(crate) fn prepare(&self, draft: HoldDraft, person: &str) -> Result<Hold, ApiError> {
        let now = self.now().wall;
        let HoldDraft { toggle, reason, seconds, environment } = draft;
        let seconds = u64::from(seconds.unwrap_or(DEFAULT_SECONDS));
        if !(1..=MAX_SECONDS).contains(&seconds) {
            let rule = format!("must be 1 to {MAX_SECONDS}: a hold ends after 24 hours at most");
            return Err(invalid("seconds", &rule));
        }
        let person = if person.trim().is_empty() { "a user without sign-in" } else { person };
        let hold = Hold {
            id: new_id()?,
            toggle,
            environment,
            reason: reason.trim().to_owned(),
            person: person.to_owned(),
            start: now,
            expires: now + Duration::from_secs(seconds),
        };
        hold.check(now).map_err(|fault| {
            let field = fault.split(' ').next().unwrap_or_default().to_owned();
            ApiError::invalid(&field, fault)
        })?;
        Ok(hold)
    }

    /// Makes a hold active.
    ///
    /// # Errors
    /// If no SDK gets the toggle, or it is off already.
    pub(crate) async fn create(&self, hold: Hold, copies: &Arc<[HeldCopy]>) -> Result<NewHold, ApiError> {
        let effect = preview(&hold.toggle, hold.environment.as_deref(), copies).await?;
        let environment = || {
            let environment = hold.environment.as_ref();
            environment.map(|name| format!(" in the environment {name}")).unwrap_or_default()
        };
        let is_known = |copy: &HeldCopy| !copy.scope.is_filtered;
        if effect.copies == 0 && copies.iter().any(is_known) {
            let message = format!(
                "No SDK gets a toggle {:?} from Flagdeck{}. Check the name, or wait for the first request of an SDK",
                hold.toggle,
                environment()
            );
            return Err(ApiError::NotFound(message));
        }
        if effect.is_off {
            let message = format!(
                "The toggle {:?} is off already for all SDKs that get it from Flagdeck{}, so that there is nothing to hold",
                hold.toggle,
                environment()
            );
            return Err(DomainError::new("toggle_is_off", StatusCode::CONFLICT, message).into());
        }
        let active = self.add(hold).await?;
        Ok(NewHold { hold: self.describe(&active), effect, storage_fault: self.storage_fault() })
    }
}

/// Returns the effect of a hold. Reads the lists on a thread that may block.
///
/// # Errors
/// If the program ends.
pub async fn preview(
    toggle: &str,
    environment: Option<&str>,
    copies: &Arc<[HeldCopy]>,
) -> Result<HoldPreview, ApiError> {
    let (toggle, environment, copies) =
        (toggle.to_owned(), environment.map(str::to_owned), Arc::clone(copies));
    let read = move || compute_preview(&toggle, environment.as_deref(), &copies);
    spawn_blocking(read).await.map_err(ApiError::internal)
}

fn compute_preview(toggle: &str, environment: Option<&str>, copies: &[HeldCopy]) -> HoldPreview {
    let mut preview = HoldPreview { is_off: true, ..HoldPreview::default() };
    let (mut children, mut without_effect, mut instances) = (BTreeSet::new(), BTreeSet::new(), None);
    for copy in copies {
        let is_selected = environment.is_none() || copy.scope.environment.as_deref() == environment;
        let Some(found) = find_toggle(&copy.body, toggle).filter(|_| is_selected) else {
            // The filter of the client hides other toggles of the token, so that an effect is possible.
            let is_unknown = copy.token.is_empty() || (copy.scope.is_filtered && is_selected);
            if !is_unknown {
                without_effect.insert(copy.token.clone());
            }
            continue;
        };
        preview.copies = preview.copies.saturating_add(1);
        preview.is_off &= state_of(found) == ToggleState::Off && !copy.upstream_holds.may_contain(toggle);
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

/// Returns a random id.
fn new_id() -> Result<String, ApiError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(ApiError::internal)?;
    Ok(HEXLOWER.encode(&bytes))
}

fn invalid(field: &str, rule: &str) -> ApiError {
    ApiError::invalid(field, format!("\"{field}\" {rule}"))
}
