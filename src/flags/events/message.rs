//! Describes an event in a sentence, for chat messages, comments and the journal.

use serde_json::Value;

use super::Entity;
use crate::api::{Diff, Event, PathStep};
use crate::journal::Item;

/// The parts of the sentence `{author} {action} {toggle}{details}`, so that each can be formatted.
#[derive(Debug, PartialEq, Eq)]
pub struct Message {
    /// Name of the author.
    pub author: String,
    /// The verb and its object.
    pub action: &'static str,
    /// Name of the toggle.
    pub toggle: String,
    /// The rest of the sentence, which starts with its separator.
    pub details: String,
}

impl Message {
    /// Returns the sentence as plain text.
    #[must_use]
    pub fn to_text(&self) -> String {
        format!("{} {} {}{}", self.author, self.action, self.toggle, self.details)
    }
}

/// Returns the item of an event and the sentence without its author, such as "switched on the toggle shop.pay". `name` is the
/// recorded name of the item.
#[must_use]
pub(crate) fn describe_change(event: &Event, entity: Entity, name: &str) -> (Item, String) {
    let item = |kind: &str, name: &str| Item { kind: kind.to_owned(), name: name.to_owned() };
    let verb = event.kind.rsplit('-').next().unwrap_or_default();
    match (entity, verb) {
        (Entity::Feature, "import") => (item("toggle", name), format!("imported the toggle {name}")),
        (Entity::Feature, _) => {
            let message = describe(event);
            (item("toggle", name), format!("{} {name}{}", message.action, message.details))
        }
        (Entity::TagOnFeature, _) => {
            // The recorded name contains the toggle and the tag.
            let (toggle, tag) = name.split_once(' ').unwrap_or((name, ""));
            let (verb, preposition) = if verb == "untagged" { ("removed", "from") } else { ("added", "to") };
            (item("toggle", toggle), format!("{verb} the tag {tag} {preposition} the toggle {toggle}"))
        }
        _ => {
            // Segments are recorded by their ids.
            let segment_name = event.data.get("name").and_then(Value::as_str);
            let name = segment_name.filter(|_| entity == Entity::Segment).unwrap_or(name);
            let kind = match entity {
                Entity::ApiToken => "API token".to_owned(),
                other => other.as_str().replace('-', " "),
            };
            let verb = match verb {
                "updated" => "changed",
                "import" => "imported",
                other => other,
            };
            (item(&kind, name), format!("{verb} the {kind} {name}"))
        }
    }
}

/// Describes an event about a toggle.
#[must_use]
pub fn describe(event: &Event) -> Message {
    let (action, details) = match event.kind.as_str() {
        "feature-created" => ("created the toggle", describe_creation(event)),
        "feature-updated" => describe_update(event),
        "feature-archived" => ("archived the toggle", String::new()),
        "feature-revived" => ("revived the toggle", "; it is switched off".to_owned()),
        "feature-stale-on" => ("marked the toggle", " as stale: its code can be cleaned up".to_owned()),
        "feature-stale-off" => ("marked the toggle", " as active".to_owned()),
        _ => ("changed the toggle", format!(" ({})", event.kind)),
    };
    let toggle = event.data.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    Message { author: event.created_by.clone(), action, toggle, details }
}

fn describe_creation(event: &Event) -> String {
    let text = |key: &str| event.data.get(key).and_then(Value::as_str).unwrap_or_default();
    let state = if event.data.get("enabled") == Some(&Value::Bool(true)) { "on" } else { "off" };
    format!(" ({} in project {}), which is {state}", text("type"), text("project"))
}

/// Describes an update. Switching a toggle without other changes has its own text.
fn describe_update(event: &Event) -> (&'static str, String) {
    let diffs = event.diffs.as_deref().unwrap_or_default();
    let on = event.data.get("enabled") == Some(&Value::Bool(true));
    // A new `type` means that the previous event had only the name, as events of the archive do.
    if diffs.iter().any(|diff| matches!(diff, Diff::N { path, .. } if first_property(path) == Some("type"))) {
        return ("changed the toggle", String::new());
    }
    match changed_properties(diffs).as_slice() {
        [] => ("saved the toggle", String::new()),
        ["enabled"] if on => ("switched on the toggle", String::new()),
        ["enabled"] => ("switched off the toggle", String::new()),
        fields => ("changed the toggle", format!(": {}", fields.join(", "))),
    }
}

/// Returns the changed properties, each once and without times.
fn changed_properties(diffs: &[Diff]) -> Vec<&str> {
    let mut changed = Vec::new();
    for diff in diffs {
        let path = match diff {
            // Null is equivalent to a missing property.
            Diff::N { rhs: Value::Null, .. } | Diff::D { lhs: Value::Null, .. } => continue,
            Diff::N { path, .. } | Diff::D { path, .. } | Diff::E { path, .. } | Diff::A { path, .. } => path,
        };
        if let Some(property) = first_property(path)
            && !["createdAt", "lastSeenAt"].contains(&property)
            && !changed.contains(&property)
        {
            changed.push(property);
        }
    }
    changed
}

fn first_property(path: &[PathStep]) -> Option<&str> {
    match path.first()? {
        PathStep::Key(key) => Some(key),
        PathStep::Index(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::describe;
    use crate::api::{Diff, Event, diff};

    fn diffs(before: &Value, after: &Value) -> Vec<Diff> {
        serde_json::from_value(json!(diff::compute(before, after))).unwrap()
    }

    #[test]
    fn describes_each_kind_of_event() {
        let toggle = json!({
            "name": "probe", "description": null, "type": "release", "project": "shop", "enabled": true,
            "strategies": [{ "name": "default" }], "createdAt": "2026-01-01T00:00:00.000Z", "lastSeenAt": null,
        });
        let with = |key: &str, value: Value| {
            let mut toggle = toggle.clone();
            toggle[key] = value;
            toggle
        };
        let name = json!({ "name": "probe" });
        let (off, seen) = (with("enabled", json!(false)), with("lastSeenAt", json!("2026")));
        let mut draft = off.clone();
        draft.as_object_mut().unwrap().retain(|key, _| key != "description" && !key.ends_with("At"));
        let two = with("strategies", json!([{ "name": "a" }, { "name": "b" }]));
        for (kind, before, after, said) in [
            (
                "feature-created",
                None,
                &toggle,
                "ann created the toggle probe (release in project shop), which is on",
            ),
            (
                "feature-created",
                None,
                &off,
                "ann created the toggle probe (release in project shop), which is off",
            ),
            ("feature-updated", Some(&off), &toggle, "ann switched on the toggle probe"),
            ("feature-updated", Some(&draft), &toggle, "ann switched on the toggle probe"),
            ("feature-updated", Some(&seen), &off, "ann switched off the toggle probe"),
            ("feature-updated", Some(&off), &two, "ann changed the toggle probe: enabled, strategies"),
            ("feature-updated", Some(&toggle), &toggle, "ann saved the toggle probe"),
            ("feature-updated", Some(&name), &toggle, "ann changed the toggle probe"),
            ("feature-archived", Some(&toggle), &name, "ann archived the toggle probe"),
            ("feature-revived", Some(&name), &name, "ann revived the toggle probe; it is switched off"),
            (
                "feature-stale-on",
                None,
                &toggle,
                "ann marked the toggle probe as stale: its code can be cleaned up",
            ),
            ("feature-stale-off", None, &toggle, "ann marked the toggle probe as active"),
        ] {
            let event = Event {
                id: 1,
                kind: kind.to_owned(),
                created_by: "ann".to_owned(),
                created_at: String::new(),
                data: serde_json::from_value::<Map<_, _>>(after.clone()).unwrap(),
                tags: Vec::new(),
                diffs: before.map(|before| diffs(before, after)),
            };
            assert_eq!(describe(&event).to_text(), said);
        }
    }
}
