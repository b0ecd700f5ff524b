//! Operations on addons. Each function runs in one transaction: the change and its event.

use std::collections::BTreeMap;

use actix_web::http::header::EntityTag;
use serde::Serialize;
use serde_json::{Value, json};
use url::Url;

use super::providers::{CHECKPOINT_EVENT, HOLD_END_EVENT, HOLD_START_EVENT, MASK, Provider};
use super::secrets::Secrets;
use crate::api::{Addon, AddonDraft};
use crate::database::Transaction;
use crate::error::{ApiError, Detail};
use crate::flags::events::{Actor, Entity, format_time, record_event};
use crate::flags::tagged_json::tag_of;
use crate::flags::tags;
use crate::hold::{EndedHold, Hold, HoldEvent};
use crate::journal::record::StoredLine;

/// Author of checkpoints, and of ends of holds without a request, in the history.
const FLAGDECK: &str = "flagdeck";

/// Returns all addons with masked secrets.
pub(crate) fn list(tx: &Transaction<'_>) -> Result<Vec<Addon>, ApiError> {
    tx.list_addons()?.into_iter().map(|addon| mask_secrets(tx, addon)).collect()
}

/// Returns an addon with masked secrets.
pub(crate) fn find(tx: &Transaction<'_>, id: i64) -> Result<Addon, ApiError> {
    mask_secrets(tx, tx.find_addon(id)?.ok_or_else(|| not_found(id))?)
}

/// Returns the strong entity tag of an addon. It covers the encrypted secrets too: a new secret looks like the old one in the
/// response.
pub(crate) fn find_tag(tx: &Transaction<'_>, id: i64) -> Result<EntityTag, ApiError> {
    let addon = tx.find_addon(id)?.ok_or_else(|| not_found(id))?;
    let names = tx.list_secret_names(id)?;
    let secrets = names.iter().map(|name| tx.find_secret(id, name)).collect::<Result<Vec<_>, _>>()?;
    tag_of(&(addon, names, secrets))
}

/// Creates an addon and the tag type of its provider. Returns the addon with masked secrets.
///
/// # Errors
/// [`ApiError::Invalid`] for a masked secret; the error of a key file that cannot be used.
pub(crate) fn create(
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
        check_key(tx, secrets)?;
        tx.save_secret(id, name, &secrets.encrypt(id, name, value)?)?;
    }
    let tag_type = Provider::from_name(&draft.provider).and_then(Provider::tag_type);
    if let Some(tag_type) = tag_type
        && tx.find_tag_type(&tag_type.name)?.is_none()
    {
        tags::transactions::create_type(tx, &tag_type, actor)?;
    }
    let addon = mask_secrets(tx, Addon { id, draft })?;
    record_addon_event(tx, "addon-config-created", id, &addon, actor)?;
    Ok(addon)
}

/// Replaces an addon. A masked secret keeps its stored value.
///
/// # Errors
/// [`ApiError::NotFound`]; [`ApiError::Invalid`] for another provider or a masked secret without a usable stored value; the
/// error of a key file that cannot be used.
pub(crate) fn replace(
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
            check_key(tx, secrets)?;
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
pub(crate) fn delete(tx: &Transaction<'_>, id: i64, actor: &Actor) -> Result<(), ApiError> {
    if !tx.delete_addon(id)? {
        return Err(not_found(id));
    }
    record_addon_event(tx, "addon-config-deleted", id, &json!({ "id": id }), actor)
}

/// Records a checkpoint of the operators' journal as an event for the addons that listen to it. Without one, an hourly event
/// would only hide changes in the history. `line` is the line in the journal: as a text, it stays the same byte for byte.
pub(crate) fn record_checkpoint(tx: &Transaction<'_>, line: &str) -> Result<(), ApiError> {
    if tx.list_listening_addons(CHECKPOINT_EVENT)?.is_empty() {
        return Ok(());
    }
    let number = StoredLine::parse(line.as_bytes()).map_or(0, |stored| stored.line.sequence);
    let data = json!({ "name": number.to_string(), "line": line });
    Ok(record_event(
        tx,
        CHECKPOINT_EVENT,
        Entity::JournalCheckpoint,
        "journal",
        &data,
        &Actor::now(FLAGDECK),
    )?)
}

/// Records the start or end of a hold as an event for the addons that listen to it. Without one, there is no event: a hold is
/// no change of the flag service, and each instance has its own.
pub(crate) fn record_hold_event(tx: &Transaction<'_>, event: &HoldEvent) -> Result<(), ApiError> {
    let (kind, toggle, author, data) = match event {
        HoldEvent::Started(hold) => {
            let Hold { toggle, environment, reason, person, start, expires, .. } = &**hold;
            let data = json!({
                "name": toggle, "environment": environment, "reason": reason, "person": person,
                "start": format_time(*start), "expires": format_time(*expires),
            });
            (HOLD_START_EVENT, toggle, person.as_str(), data)
        }
        HoldEvent::Ended(_, EndedHold { toggle, environment, reason, ended_at, end, person, .. }) => {
            let data = json!({
                "name": toggle, "environment": environment, "reason": reason, "person": person, "end": end,
                "endedAt": ended_at,
            });
            (HOLD_END_EVENT, toggle, person.as_deref().unwrap_or(FLAGDECK), data)
        }
    };
    if tx.list_listening_addons(kind)?.is_empty() {
        return Ok(());
    }
    Ok(record_event(tx, kind, Entity::Hold, toggle, &data, &Actor::now(author))?)
}

/// Checks that this instance has a key if a shared database has secrets: it must not create another key then.
fn check_key(tx: &Transaction<'_>, secrets: &Secrets) -> Result<(), ApiError> {
    if tx.is_shared() && !tx.list_secrets()?.is_empty() {
        secrets.check_key_exists()?;
    }
    Ok(())
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
