//! The events for server SDKs: all toggles, or the difference of two lists of toggles. Pure.
//!
//! Toggles and segments are compared and sent as they are written in the lists, so that properties that this program does
//! not know arrive too.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::Hash;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::config::DEFAULT_PROJECT;
use crate::evaluation::{RawToggles, name_of};
use crate::hold::ServedNumber;

/// Name of the first event of a stream.
const CONNECTED: &str = "unleash-connected";
/// Name of later events.
const UPDATED: &str = "unleash-updated";

/// A version of the list of toggles.
#[derive(Debug, Clone)]
pub struct Edition {
    /// The body of `GET /api/client/features`.
    pub body: Bytes,
    /// Id of the last event. It may become lower, after a failover of the database to a standby without the last events.
    pub id: u64,
    /// Number of the list, which grows with each edition.
    pub number: ServedNumber,
}

/// The data of an event.
#[derive(Serialize)]
struct Data<'b> {
    events: Vec<Change<'b>>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
enum Change<'b> {
    Hydration { event_id: u64, features: Vec<&'b RawValue>, segments: Vec<&'b RawValue> },
    FeatureUpdated { event_id: u64, feature: &'b RawValue },
    FeatureRemoved { event_id: u64, feature_name: Cow<'b, str>, project: Cow<'b, str> },
    SegmentUpdated { event_id: u64, segment: &'b RawValue },
    SegmentRemoved { event_id: u64, segment_id: i64 },
}

/// The property of a removed toggle that its event contains beside the name.
#[derive(Deserialize)]
struct FeatureProject<'b> {
    #[serde(borrow)]
    project: Option<Cow<'b, str>>,
}

#[derive(Deserialize)]
struct SegmentKey {
    id: i64,
}

/// The items of two lists that differ.
struct Difference<'b, K> {
    updated: Vec<&'b RawValue>,
    /// The keys of removed items, with the items.
    removed: Vec<(K, &'b RawValue)>,
}

/// Encodes all toggles as the first event of a stream.
pub(super) fn encode_hydration(edition: &Edition) -> Result<Bytes, serde_json::Error> {
    encode(CONNECTED, edition.id, &hydration(edition)?)
}

/// Returns the data of the first event of a stream. It is also the response to a poll for changes (`/api/client/delta`), after
/// which the SDK has exactly these toggles.
pub(crate) fn hydration_json(edition: &Edition) -> Result<Bytes, serde_json::Error> {
    Ok(serde_json::to_vec(&hydration(edition)?)?.into())
}

fn hydration(edition: &Edition) -> Result<Data<'_>, serde_json::Error> {
    let list: RawToggles<'_> = serde_json::from_slice(&edition.body)?;
    let (segments, features) = (list.segments()?, list.features);
    Ok(Data { events: vec![Change::Hydration { event_id: edition.id, features, segments }] })
}

/// Encodes the changes between two editions; `None` if toggles and segments are the same.
pub(super) fn encode_change(old: &Edition, new: &Edition) -> Result<Option<Bytes>, serde_json::Error> {
    let (old_list, new_list): (RawToggles<'_>, RawToggles<'_>) =
        (serde_json::from_slice(&old.body)?, serde_json::from_slice(&new.body)?);
    let event_id = new.id;
    let features = difference(&old_list.features, &new_list.features, name_of)?;
    let segments = difference(&old_list.segments()?, &new_list.segments()?, segment_id)?;
    let mut changes = Vec::new();
    // Segments exist before and after the toggles that use them.
    changes.extend(segments.updated.into_iter().map(|segment| Change::SegmentUpdated { event_id, segment }));
    for (feature_name, feature) in features.removed {
        let FeatureProject { project } = serde_json::from_str(feature.get())?;
        let project = project.unwrap_or(Cow::Borrowed(DEFAULT_PROJECT));
        changes.push(Change::FeatureRemoved { event_id, feature_name, project });
    }
    changes.extend(features.updated.into_iter().map(|feature| Change::FeatureUpdated { event_id, feature }));
    changes.extend(
        segments.removed.into_iter().map(|(segment_id, _)| Change::SegmentRemoved { event_id, segment_id }),
    );
    if changes.is_empty() { Ok(None) } else { encode(UPDATED, event_id, &Data { events: changes }).map(Some) }
}

fn segment_id(segment: &RawValue) -> Result<i64, serde_json::Error> {
    Ok(serde_json::from_str::<SegmentKey>(segment.get())?.id)
}

/// Compares the items of two lists by key and by text.
fn difference<'b, K: Hash + Eq>(
    old: &[&'b RawValue],
    new: &[&'b RawValue],
    key: impl Fn(&'b RawValue) -> Result<K, serde_json::Error>,
) -> Result<Difference<'b, K>, serde_json::Error> {
    let keyed = old.iter().map(|item| Ok((key(item)?, *item)));
    let mut removed = keyed.collect::<Result<HashMap<_, _>, serde_json::Error>>()?;
    let mut updated = Vec::new();
    for item in new {
        let known = removed.remove(&key(item)?);
        if known.is_none_or(|known| known.get() != item.get()) {
            updated.push(*item);
        }
    }
    Ok(Difference { updated, removed: removed.into_iter().collect() })
}

/// Encodes an event. Its data is one line: the line breaks of JSON, which are outside its texts, become spaces.
fn encode(name: &str, id: u64, data: &Data<'_>) -> Result<Bytes, serde_json::Error> {
    let mut event = format!("event: {name}\nid: {id}\ndata: ").into_bytes();
    let start = event.len();
    serde_json::to_writer(&mut event, data)?;
    for byte in event.iter_mut().skip(start).filter(|byte| matches!(byte, b'\n' | b'\r')) {
        *byte = b' ';
    }
    event.extend_from_slice(b"\n\n");
    Ok(event.into())
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use serde_json::{Value, json};

    use super::{Edition, encode_change, encode_hydration};
    use crate::hold::ServedNumber;

    /// Returns the name, the id and the changes of an encoded event.
    fn decode(event: &Bytes) -> (String, String, Value) {
        let text = str::from_utf8(event).unwrap();
        let lines: Vec<_> = text.strip_suffix("\n\n").unwrap().split('\n').collect();
        let [name, id, data] = lines[..] else { panic!("{text}") };
        let data: Value = serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap();
        let value = |line: &str, field: &str| line.strip_prefix(field).unwrap().to_owned();
        (value(name, "event: "), value(id, "id: "), data["events"].clone())
    }

    fn edition(id: u64, features: &Value, segments: &Value) -> Edition {
        Edition {
            body: json!({ "features": features, "segments": segments }).to_string().into(),
            id,
            number: ServedNumber(id),
        }
    }

    #[test]
    fn change_contains_updated_and_removed_toggles_and_segments() {
        let old = edition(
            1,
            &json!([{ "name": "same" }, { "name": "changed", "enabled": false },
                { "name": "gone", "project": "shop" }, { "name": "old" }]),
            &json!([{ "id": 1, "constraints": [] }, { "id": 2 }, { "id": 3 }]),
        );
        let new = edition(
            7,
            &json!([{ "name": "new" }, { "name": "changed", "enabled": true }, { "name": "same" }]),
            &json!([{ "id": 1, "constraints": [1] }, { "id": 3 }]),
        );
        let (name, id, mut changes) = decode(&encode_change(&old, &new).unwrap().unwrap());
        assert_eq!((name.as_str(), id.as_str()), ("unleash-updated", "7"));
        let removed = &mut changes.as_array_mut().unwrap()[1..3];
        removed.sort_by_key(|change| change["featureName"].to_string());
        assert_eq!(
            changes,
            json!([
                { "type": "segment-updated", "eventId": 7, "segment": { "id": 1, "constraints": [1] } },
                { "type": "feature-removed", "eventId": 7, "featureName": "gone", "project": "shop" },
                { "type": "feature-removed", "eventId": 7, "featureName": "old", "project": "default" },
                { "type": "feature-updated", "eventId": 7, "feature": { "name": "new" } },
                { "type": "feature-updated", "eventId": 7, "feature": { "name": "changed", "enabled": true } },
                { "type": "segment-removed", "eventId": 7, "segmentId": 2 },
            ])
        );
    }

    #[test]
    fn hydration_is_one_line_with_the_unchanged_toggles() {
        let body = "{\"version\":1,\r\n \"features\":[{\"name\":\"a\\nb\",\n\"rate\": 1.50}],\"query\":{}}\n";
        let event = encode_hydration(&Edition { body: body.into(), id: 7, number: ServedNumber(1) }).unwrap();
        let (name, id, changes) = decode(&event);
        assert_eq!((name.as_str(), id.as_str()), ("unleash-connected", "7"));
        let features = json!([{ "name": "a\nb", "rate": 1.5 }]);
        let expected = json!([{ "type": "hydration", "eventId": 7, "features": features, "segments": [] }]);
        assert_eq!(changes, expected);
        assert!(str::from_utf8(&event).unwrap().contains("\"rate\": 1.50"));
    }

    #[test]
    fn other_order_and_other_properties_are_no_change() {
        let (old, new) =
            (json!([{ "name": "a" }, { "name": "b" }]), json!([{ "name": "b" }, { "name": "a" }]));
        assert_eq!(
            encode_change(&edition(1, &old, &json!(null)), &edition(2, &new, &json!([]))).unwrap(),
            None
        );
    }

    #[test]
    fn bodies_without_toggles_are_errors() {
        for body in ["", "[]", "{}", "{\"features\":[1]}", "{\"features\":[{}]}"] {
            let edition = Edition { body: body.into(), id: 1, number: ServedNumber(1) };
            assert!(encode_change(&edition, &edition).is_err(), "{body}");
        }
    }
}
