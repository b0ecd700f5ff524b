//! Addons and their deliveries. Each function runs in one transaction: the change and its event.
//!
//! `store/deliveries` puts an event into the outbox in the transaction that records it. `delivery_worker` sends it,
//! and `retry_policy` decides about retries.

mod bodies;
pub(super) mod delivery_worker;
pub mod message;
pub mod outgoing_request;
pub mod providers;
pub mod retry_policy;
pub(super) mod routes;
pub mod secrets;
pub mod template;

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};
use url::Url;

use self::outgoing_request::{OutgoingRequest, compose};
use self::providers::{MASK, Provider};
use self::retry_policy::Outcome;
use self::secrets::Secrets;
use super::events::{Actor, record_event};
use super::model::{Addon, AddonDraft, Event};
use super::store::{Delivery, Entity, Transaction};
use super::tags;
use crate::error::{ApiError, Detail};

/// Returns all addons with masked secrets.
///
/// # Errors
/// [`ApiError::Storage`] or [`ApiError::Internal`] if the database cannot be read.
pub fn list(tx: &Transaction<'_>) -> Result<Vec<Addon>, ApiError> {
    tx.list_addons()?.into_iter().map(|addon| mask_secrets(tx, addon)).collect()
}

/// Returns an addon with masked secrets.
///
/// # Errors
/// [`ApiError::NotFound`] if the addon does not exist.
pub fn find(tx: &Transaction<'_>, id: i64) -> Result<Addon, ApiError> {
    mask_secrets(tx, tx.find_addon(id)?.ok_or_else(|| not_found(id))?)
}

/// Creates an addon and the tag type of its provider. Returns the addon with masked secrets.
///
/// # Errors
/// [`ApiError::Invalid`] for a masked secret, [`ApiError::KeyFile`] if the secrets cannot be encrypted.
pub fn create(
    tx: &Transaction<'_>,
    secrets: &Secrets,
    draft: AddonDraft,
    actor: &Actor,
) -> Result<Addon, ApiError> {
    let (draft, secret_values) = split_secrets(draft);
    for (name, value) in &secret_values {
        if value == MASK {
            return Err(invalid_parameter(name, "must be entered: ***** stands for a stored secret"));
        }
    }
    let id = tx.insert_addon(&draft)?;
    for (name, value) in &secret_values {
        tx.save_secret(id, name, &secrets.encrypt(id, name, value)?)?;
    }
    let tag_type = Provider::from_name(&draft.provider).and_then(Provider::tag_type);
    if let Some(tag_type) = tag_type
        && tx.find_tag_type(&tag_type.name)?.is_none()
    {
        tags::create_type(tx, &tag_type, actor)?;
    }
    let addon = mask_secrets(tx, Addon { id, draft })?;
    record_addon_event(tx, "addon-config-created", id, &addon, actor)?;
    Ok(addon)
}

/// Replaces an addon. A masked secret keeps its stored value.
///
/// # Errors
/// [`ApiError::NotFound`], [`ApiError::Invalid`] for another provider or a masked secret without a usable stored
/// value, [`ApiError::KeyFile`].
pub fn replace(
    tx: &Transaction<'_>,
    secrets: &Secrets,
    id: i64,
    draft: AddonDraft,
    actor: &Actor,
) -> Result<(), ApiError> {
    let before = tx.find_addon(id)?.ok_or_else(|| not_found(id))?.draft;
    if before.provider != draft.provider {
        let message =
            format!("\"provider\" cannot be changed from {}: create another addon instead", before.provider);
        return Err(ApiError::invalid("provider", message));
    }
    let (draft, secret_values) = split_secrets(draft);
    let stored = tx.list_secret_names(id)?;
    for (name, value) in &secret_values {
        if value != MASK {
            tx.save_secret(id, name, &secrets.encrypt(id, name, value)?)?;
        } else if !stored.contains(name) {
            return Err(invalid_parameter(name, "must be entered: no value is stored"));
        } else if let Some(moved) = moved_parameter(&before, &draft) {
            let requirement = format!("must be entered again because {moved} now points to another server");
            return Err(invalid_parameter(name, &requirement));
        }
    }
    for name in stored.iter().filter(|name| !secret_values.contains_key(*name)) {
        tx.delete_secret(id, name)?;
    }
    tx.replace_addon(id, &draft)?;
    let addon = mask_secrets(tx, Addon { id, draft })?;
    record_addon_event(tx, "addon-config-updated", id, &addon, actor)
}

/// Deletes an addon, its secrets and its pending deliveries.
///
/// # Errors
/// [`ApiError::NotFound`] if the addon does not exist.
pub fn delete(tx: &Transaction<'_>, id: i64, actor: &Actor) -> Result<(), ApiError> {
    if !tx.delete_addon(id)? {
        return Err(not_found(id));
    }
    record_addon_event(tx, "addon-config-deleted", id, &json!({ "id": id }), actor)
}

/// A delivery with the request to send.
pub(super) struct PreparedDelivery {
    pub(super) row: Delivery,
    pub(super) event_type: String,
    /// Time of the event: RFC 3339 in UTC.
    pub(super) event_time: String,
    /// Name of the addon's provider.
    pub(super) provider: String,
    /// The request, or the reason why it cannot be sent.
    pub(super) content: Result<OutgoingRequest, Outcome>,
}

impl PreparedDelivery {
    /// Returns the size of the body, in bytes.
    pub(super) fn size(&self) -> usize {
        self.content.as_ref().map_or(0, |request| request.body.len())
    }
}

/// Builds the request of a delivery. Returns `None` if its addon was deleted.
pub(super) fn prepare(
    tx: &Transaction<'_>,
    secrets: &Secrets,
    delivery: Delivery,
) -> Result<Option<PreparedDelivery>, ApiError> {
    let (Some(addon), Some(event)) = (tx.find_addon(delivery.addon)?, tx.find_event(delivery.event)?) else {
        return Ok(None);
    };
    let AddonDraft { provider, mut parameters, .. } = addon.draft;
    let decrypted = decrypt_secrets(tx, secrets, addon.id)?;
    let content = decrypted.and_then(|decrypted| {
        parameters.extend(decrypted);
        let kind = Provider::from_name(&provider)
            .ok_or_else(|| Outcome::PermanentlyFailed(format!("there is no provider called {provider}")))?;
        compose(kind, &parameters, &event, delivery.target.as_deref())
            .map_err(|cause| Outcome::PermanentlyFailed(cause.to_string()))
    });
    // The event itself is not kept: it is as large as the request.
    let Event { kind: event_type, created_at: event_time, .. } = event;
    Ok(Some(PreparedDelivery { row: delivery, event_type, event_time, provider, content }))
}

/// Returns the decrypted secrets of an addon, or a failure that the operator can repair.
fn decrypt_secrets(
    tx: &Transaction<'_>,
    secrets: &Secrets,
    addon: i64,
) -> Result<Result<BTreeMap<String, String>, Outcome>, ApiError> {
    let mut decrypted = BTreeMap::new();
    for name in tx.list_secret_names(addon)? {
        let encrypted = tx.find_secret(addon, &name)?.unwrap_or_default();
        match secrets.decrypt(addon, &name, &encrypted) {
            Ok(secret) => decrypted.insert(name, secret),
            Err(cause) => return Ok(Err(Outcome::Failed(cause.to_string()))),
        };
    }
    Ok(Ok(decrypted))
}

/// Result of a delivery in the event history.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DeliveryResult<'p> {
    /// Id of the addon.
    id: i64,
    provider: &'p str,
    event_id: i64,
    event_type: &'p str,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<&'p str>,
    attempts: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// Removes a delivery from the outbox and records its result in the event history: the status of the response, or the
/// reason of the final failure. Attempts that will be retried are only logged.
pub(super) fn record_outcome(
    tx: &Transaction<'_>,
    prepared: &PreparedDelivery,
    outcome: Result<u16, String>,
    actor: &Actor,
) -> Result<(), ApiError> {
    let PreparedDelivery { row: delivery, event_type, provider, .. } = prepared;
    if !tx.delete_delivery(delivery.id)? {
        return Ok(());
    }
    let kind = if outcome.is_ok() { "addon-delivered" } else { "addon-delivery-failed" };
    let result = DeliveryResult {
        id: delivery.addon,
        provider,
        event_id: delivery.event,
        event_type,
        target: delivery.target.as_deref(),
        attempts: delivery.attempts,
        status: outcome.as_ref().ok().copied(),
        reason: outcome.err(),
    };
    Ok(record_event(tx, kind, Entity::Delivery, &delivery.id.to_string(), &result, actor)?)
}

fn record_addon_event(
    tx: &Transaction<'_>,
    kind: &'static str,
    id: i64,
    data: &impl Serialize,
    actor: &Actor,
) -> Result<(), ApiError> {
    Ok(record_event(tx, kind, Entity::Addon, &id.to_string(), data, actor)?)
}

/// Separates the secrets from the other parameters.
fn split_secrets(mut draft: AddonDraft) -> (AddonDraft, BTreeMap<String, String>) {
    let parameters = Provider::from_name(&draft.provider).map(Provider::parameters).unwrap_or_default();
    let sensitive = |name: &str| parameters.iter().any(|known| known.sensitive && known.name == name);
    let (secret_values, shown) =
        std::mem::take(&mut draft.parameters).into_iter().partition(|(name, _)| sensitive(name));
    draft.parameters = shown;
    (draft, secret_values)
}

fn mask_secrets(tx: &Transaction<'_>, mut addon: Addon) -> Result<Addon, ApiError> {
    for name in tx.list_secret_names(addon.id)? {
        addon.draft.parameters.insert(name, MASK.to_owned());
    }
    Ok(addon)
}

/// Returns the URL parameter that now has another origin. A stored secret must not be sent to a server that a user
/// without the secret entered.
fn moved_parameter(before: &AddonDraft, after: &AddonDraft) -> Option<String> {
    let origin = |draft: &AddonDraft, name: &str| {
        draft.parameters.get(name).and_then(|text| Url::parse(text).ok()).map(|url| url.origin())
    };
    let parameters = Provider::from_name(&after.provider).map(Provider::parameters).unwrap_or_default();
    let mut addresses = parameters.into_iter().filter(|known| known.kind == "url" && !known.sensitive);
    addresses.find(|known| origin(before, &known.name) != origin(after, &known.name)).map(|known| known.name)
}

fn invalid_parameter(parameter: &str, requirement: &str) -> ApiError {
    let path = vec![Value::from("parameters"), Value::from(parameter)];
    let message = format!("\"parameters.{parameter}\" {requirement}");
    ApiError::Invalid(vec![Detail { message, path, rule: "any.invalid".to_owned() }])
}

fn not_found(id: i64) -> ApiError {
    ApiError::NotFound(format!("There is no addon with the id {id}"))
}
