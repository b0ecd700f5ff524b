//! Addons: what can be done to them, and what becomes of their deliveries. Each function is the work of one
//! transaction: the change and its event.
//!
//! An event is put into the outbox by the transaction that writes it (`store/deliveries`), composed here, sent by the
//! `courier`, and judged by `retries`.

pub(super) mod courier;
pub mod message;
pub mod outgoing;
pub mod providers;
pub mod retries;
pub mod secrets;
pub mod template;

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};
use url::Url;

use self::outgoing::{Outgoing, compose};
use self::providers::{MASK, Provider};
use self::retries::Outcome;
use self::secrets::Secrets;
use super::events::{Actor, record_other};
use super::model::{Addon, AddonDraft, Event};
use super::store::{Delivery, Entity, Transaction};
use super::tags;
use crate::error::{ApiError, Detail};

/// All addons, their secrets masked.
///
/// # Errors
/// Those of the store.
pub fn all(tx: &Transaction<'_>) -> Result<Vec<Addon>, ApiError> {
    tx.list_addons()?.into_iter().map(|addon| masked(tx, addon)).collect()
}

/// One addon, its secrets masked.
///
/// # Errors
/// [`ApiError::NotFound`].
pub fn find(tx: &Transaction<'_>, id: i64) -> Result<Addon, ApiError> {
    masked(tx, tx.find_addon(id)?.ok_or_else(|| not_found(id))?)
}

/// Adds an addon and the tag types of its provider, and answers it with its secrets masked.
///
/// # Errors
/// [`ApiError::Invalid`] for a secret that is masked already, [`ApiError::KeyFile`].
pub fn create(
    tx: &Transaction<'_>,
    secrets: &Secrets,
    draft: AddonDraft,
    actor: &Actor,
) -> Result<Addon, ApiError> {
    let (draft, hidden) = split(draft);
    for (name, value) in &hidden {
        if value == MASK {
            return Err(refused(
                name,
                "must be entered: five asterisks stand for a secret that is kept already",
            ));
        }
    }
    let id = tx.insert_addon(&draft)?;
    for (name, value) in &hidden {
        tx.save_secret(id, name, &secrets.seal(id, name, value)?)?;
    }
    let tag_type = Provider::named(&draft.provider).and_then(Provider::tag_type);
    if let Some(tag_type) = tag_type
        && tx.find_tag_type(&tag_type.name)?.is_none()
    {
        tags::create_type(tx, &tag_type, actor)?;
    }
    let addon = masked(tx, Addon { id, draft })?;
    record(tx, "addon-config-created", id, &addon, actor)?;
    Ok(addon)
}

/// Replaces an addon. Masked secrets stay as they are.
///
/// # Errors
/// [`ApiError::NotFound`], [`ApiError::Invalid`] for another provider or a masked secret that cannot be kept,
/// [`ApiError::KeyFile`].
pub fn replace(
    tx: &Transaction<'_>,
    secrets: &Secrets,
    id: i64,
    draft: AddonDraft,
    actor: &Actor,
) -> Result<(), ApiError> {
    let before = tx.find_addon(id)?.ok_or_else(|| not_found(id))?.draft;
    if before.provider != draft.provider {
        let message = format!("\"provider\" must stay {}: create another addon instead", before.provider);
        return Err(ApiError::invalid("provider", message));
    }
    let (draft, hidden) = split(draft);
    let kept = tx.list_secret_names(id)?;
    for (name, value) in &hidden {
        if value != MASK {
            tx.save_secret(id, name, &secrets.seal(id, name, value)?)?;
        } else if !kept.contains(name) {
            return Err(refused(name, "must be entered: none is kept"));
        } else if let Some(moved) = moved(&before, &draft) {
            let complaint = format!("must be entered again, because {moved} names another server");
            return Err(refused(name, &complaint));
        }
    }
    for name in kept.iter().filter(|name| !hidden.contains_key(*name)) {
        tx.delete_secret(id, name)?;
    }
    tx.replace_addon(id, &draft)?;
    let addon = masked(tx, Addon { id, draft })?;
    record(tx, "addon-config-updated", id, &addon, actor)
}

/// Removes an addon and all that is still to be delivered to it: nobody is left who would want it.
///
/// # Errors
/// [`ApiError::NotFound`].
pub fn delete(tx: &Transaction<'_>, id: i64, actor: &Actor) -> Result<(), ApiError> {
    if !tx.delete_addon(id)? {
        return Err(not_found(id));
    }
    record(tx, "addon-config-deleted", id, &json!({ "id": id }), actor)
}

/// A delivery on its way.
pub(super) struct Parcel {
    pub(super) delivery: Delivery,
    pub(super) event: Event,
    /// What its addon is an instance of.
    pub(super) provider: String,
    /// What to send, or why there is nothing that could be sent.
    pub(super) content: Result<Outgoing, Outcome>,
}

/// Makes a parcel of a delivery. Nothing where its addon has gone.
pub(super) fn pack(
    tx: &Transaction<'_>,
    secrets: &Secrets,
    delivery: Delivery,
) -> Result<Option<Parcel>, ApiError> {
    let (Some(addon), Some(event)) = (tx.find_addon(delivery.addon)?, tx.find_event(delivery.event)?) else {
        return Ok(None);
    };
    let AddonDraft { provider, mut parameters, .. } = addon.draft;
    let opened = open(tx, secrets, addon.id)?;
    let content = opened.and_then(|opened| {
        parameters.extend(opened);
        let kind = Provider::named(&provider)
            .ok_or_else(|| Outcome::Hopeless(format!("there is no provider called {provider}")))?;
        compose(kind, &parameters, &event, delivery.target.as_deref())
            .map_err(|cause| Outcome::Hopeless(cause.to_string()))
    });
    Ok(Some(Parcel { delivery, event, provider, content }))
}

/// The secrets of an addon, or why they cannot be read. Somebody may mend that.
fn open(
    tx: &Transaction<'_>,
    secrets: &Secrets,
    addon: i64,
) -> Result<Result<BTreeMap<String, String>, Outcome>, ApiError> {
    let mut opened = BTreeMap::new();
    for name in tx.list_secret_names(addon)? {
        let sealed = tx.find_secret(addon, &name)?.unwrap_or_default();
        match secrets.open(addon, &name, &sealed) {
            Ok(secret) => opened.insert(name, secret),
            Err(cause) => return Ok(Err(Outcome::Failed(cause.to_string()))),
        };
    }
    Ok(Ok(opened))
}

/// How a delivery ended, as the history tells it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Ending<'p> {
    /// Of the addon.
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

/// Takes a delivery out of the outbox, and tells in the history how it ended: the status that the receiver answered,
/// or the reason why it was given up. One event for each, also on success: whoever asks whether the receiver was told
/// finds it in the place where the change itself is found. What is tried again is in the log alone.
pub(super) fn settle(
    tx: &Transaction<'_>,
    parcel: &Parcel,
    ended: Result<u16, String>,
    actor: &Actor,
) -> Result<(), ApiError> {
    let Parcel { delivery, event, provider, .. } = parcel;
    if !tx.delete_delivery(delivery.id)? {
        return Ok(());
    }
    let kind = if ended.is_ok() { "addon-delivered" } else { "addon-delivery-failed" };
    let ending = Ending {
        id: delivery.addon,
        provider,
        event_id: event.id,
        event_type: &event.kind,
        target: delivery.target.as_deref(),
        attempts: delivery.attempts,
        status: ended.as_ref().ok().copied(),
        reason: ended.err(),
    };
    Ok(record_other(tx, kind, Entity::Delivery, &delivery.id.to_string(), &ending, actor)?)
}

fn record(
    tx: &Transaction<'_>,
    kind: &'static str,
    id: i64,
    data: &impl Serialize,
    actor: &Actor,
) -> Result<(), ApiError> {
    Ok(record_other(tx, kind, Entity::Addon, &id.to_string(), data, actor)?)
}

/// The draft without its secrets, and those.
fn split(mut draft: AddonDraft) -> (AddonDraft, BTreeMap<String, String>) {
    let parameters = Provider::named(&draft.provider).map(Provider::parameters).unwrap_or_default();
    let sensitive = |name: &str| parameters.iter().any(|known| known.sensitive && known.name == name);
    let (hidden, shown) =
        std::mem::take(&mut draft.parameters).into_iter().partition(|(name, _)| sensitive(name));
    draft.parameters = shown;
    (draft, hidden)
}

fn masked(tx: &Transaction<'_>, mut addon: Addon) -> Result<Addon, ApiError> {
    for name in tx.list_secret_names(addon.id)? {
        addon.draft.parameters.insert(name, MASK.to_owned());
    }
    Ok(addon)
}

/// The parameter that names another server than before. A secret that was entered for one server is not sent to
/// another because somebody who never knew it changed the address.
fn moved(before: &AddonDraft, after: &AddonDraft) -> Option<String> {
    let origin = |draft: &AddonDraft, name: &str| {
        draft.parameters.get(name).and_then(|text| Url::parse(text).ok()).map(|url| url.origin())
    };
    let parameters = Provider::named(&after.provider).map(Provider::parameters).unwrap_or_default();
    let mut addresses = parameters.into_iter().filter(|known| known.kind == "url" && !known.sensitive);
    addresses.find(|known| origin(before, &known.name) != origin(after, &known.name)).map(|known| known.name)
}

fn refused(parameter: &str, complaint: &str) -> ApiError {
    let path = vec![Value::from("parameters"), Value::from(parameter)];
    let message = format!("\"parameters.{parameter}\" {complaint}");
    ApiError::Invalid(vec![Detail { message, path, rule: "any.invalid".to_owned() }])
}

fn not_found(id: i64) -> ApiError {
    ApiError::NotFound(format!("There is no addon with the id {id}"))
}
