//! The outbox: which deliveries an event needs, and the request and the result of each.

use std::collections::BTreeMap;

use serde::Serialize;

use super::outgoing_request::compose;
use super::providers::Provider;
use super::secrets::Secrets;
use crate::api::{AddonDraft, Event, Tag};
use crate::database::{RecordedEvent, StoreError, Transaction};
use crate::error::ApiError;
use crate::flags::events::{self, Actor, Entity, record_event};
use crate::upstream::outgoing_request::OutgoingRequest;
use crate::upstream::retry_policy::Outcome;

/// A delivery: an event to send to an addon.
#[derive(Debug)]
pub struct Delivery {
    /// The id of the delivery. Ids are never reused.
    pub id: i64,
    /// The id of the addon.
    pub addon: i64,
    /// The id of the event.
    pub event: i64,
    /// The channel or issue, from a tag of the toggle. `None` for the addon's default.
    pub target: Option<String>,
    /// The number of attempts, including the current one.
    pub attempts: u32,
}

/// Queues the deliveries of an event: one for each target of each enabled addon that listens to it. Must run in the
/// transaction that writes the event, so that no event is lost.
pub(in crate::flags) fn queue(tx: &Transaction<'_>, event: &RecordedEvent<'_>) -> Result<(), StoreError> {
    let listeners = tx.list_listening_addons(event.kind)?;
    if listeners.is_empty() {
        return Ok(());
    }
    let tags: Vec<Tag> = serde_json::from_str(event.tags)?;
    for (addon, target) in plan_deliveries(listeners, &tags) {
        tx.insert_delivery(addon, event.id, target.as_deref())?;
    }
    Ok(())
}

/// Returns the addon and the target of each delivery. `listeners` are ids and provider names of addons.
fn plan_deliveries(listeners: Vec<(i64, String)>, tags: &[Tag]) -> Vec<(i64, Option<String>)> {
    let targets = |(addon, provider): (i64, String)| {
        let targets = Provider::from_name(&provider).map_or_else(Vec::new, |provider| provider.targets(tags));
        targets.into_iter().map(move |target| (addon, target))
    };
    listeners.into_iter().flat_map(targets).collect()
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
    let (Some(addon), Some(event)) = (tx.find_addon(delivery.addon)?, events::find(tx, delivery.event)?)
    else {
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

#[cfg(test)]
mod tests {
    use super::plan_deliveries;
    use crate::api::Tag;

    /// Each case: the listening addons, the tags of the toggle (type and value), and the deliveries (addon and target).
    #[test]
    fn each_target_of_each_listener_gets_a_delivery() {
        type Case<'c> = (&'c [(i64, &'c str)], &'c [(&'c str, &'c str)], &'c [(i64, Option<&'c str>)]);
        let cases: [Case<'_>; 6] = [
            (&[], &[("slack", "ops")], &[]),
            (&[(1, "webhook")], &[], &[(1, None)]),
            (&[(1, "webhook"), (2, "slack")], &[], &[(1, None), (2, None)]),
            (&[(2, "slack")], &[("slack", "ops"), ("slack", "web")], &[(2, Some("ops")), (2, Some("web"))]),
            (&[(3, "jira-comment")], &[("slack", "ops")], &[]),
            (&[(4, "removed-provider"), (1, "webhook")], &[], &[(1, None)]),
        ];
        for (listeners, tags, deliveries) in cases {
            let named = listeners.iter().map(|(addon, provider)| (*addon, (*provider).to_owned())).collect();
            let tags: Vec<_> = tags
                .iter()
                .map(|(kind, value)| Tag { kind: (*kind).to_owned(), value: (*value).to_owned() })
                .collect();
            let planned = plan_deliveries(named, &tags);
            let planned: Vec<_> = planned.iter().map(|(addon, target)| (*addon, target.as_deref())).collect();
            assert_eq!(planned, deliveries, "{listeners:?} with {tags:?}");
        }
    }
}
