//! What people are told about an event: who did what to which toggle.

use serde_json::Value;

use crate::flags::model::{Diff, Event, PathStep};

/// A sentence in its parts, for whoever marks them in some way: `{who} {did} {toggle}{more}`.
#[derive(Debug, PartialEq, Eq)]
pub struct Message {
    /// The person.
    pub who: String,
    /// What that person did.
    pub did: &'static str,
    /// The name of the toggle.
    pub toggle: String,
    /// The end of the sentence.
    pub more: String,
}

impl Message {
    /// The whole sentence, without marks.
    #[must_use]
    pub fn plain(&self) -> String {
        format!("{} {} {}{}", self.who, self.did, self.toggle, self.more)
    }
}

/// Words for an event about a toggle.
#[must_use]
pub fn of(event: &Event) -> Message {
    let (did, more) = match event.kind.as_str() {
        "feature-created" => ("created the toggle", created(event)),
        "feature-updated" => updated(event),
        "feature-archived" => ("archived the toggle", String::new()),
        "feature-revived" => ("revived the toggle", ", which is off for now".to_owned()),
        "feature-stale-on" => ("marked the toggle", " as stale: its code can be cleaned up".to_owned()),
        "feature-stale-off" => ("marked the toggle", " as active".to_owned()),
        _ => ("did something to the toggle", format!(" ({})", event.kind)),
    };
    let toggle = event.data.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    Message { who: event.created_by.clone(), did, toggle, more }
}

fn created(event: &Event) -> String {
    let text = |key: &str| event.data.get(key).and_then(Value::as_str).unwrap_or_default();
    let state = if event.data.get("enabled") == Some(&Value::Bool(true)) { "on" } else { "off" };
    format!(" ({} in project {}), which is {state}", text("type"), text("project"))
}

/// A toggle that was switched and otherwise left alone is the case that everybody waits for.
fn updated(event: &Event) -> (&'static str, String) {
    let diffs = event.diffs.as_deref().unwrap_or_default();
    let on = event.data.get("enabled") == Some(&Value::Bool(true));
    // Every toggle has a type: the event before had only the name, as for the archive.
    if diffs.iter().any(|diff| matches!(diff, Diff::N { path, .. } if property(path) == Some("type"))) {
        return ("changed the toggle", String::new());
    }
    match changed(diffs).as_slice() {
        [] => ("saved the toggle", String::new()),
        ["enabled"] if on => ("switched on the toggle", String::new()),
        ["enabled"] => ("switched off the toggle", String::new()),
        fields => ("changed the toggle", format!(": {}", fields.join(", "))),
    }
}

/// The properties that somebody changed, each once. Times are nobody's doing.
fn changed(diffs: &[Diff]) -> Vec<&str> {
    let mut changed = Vec::new();
    for diff in diffs {
        let path = match diff {
            // Null is as good as nothing.
            Diff::N { rhs: Value::Null, .. } | Diff::D { lhs: Value::Null, .. } => continue,
            Diff::N { path, .. } | Diff::D { path, .. } | Diff::E { path, .. } | Diff::A { path, .. } => path,
        };
        if let Some(property) = property(path)
            && !["createdAt", "lastSeenAt"].contains(&property)
            && !changed.contains(&property)
        {
            changed.push(property);
        }
    }
    changed
}

fn property(path: &[PathStep]) -> Option<&str> {
    match path.first()? {
        PathStep::Key(key) => Some(key),
        PathStep::Index(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::of;
    use crate::flags::events::diff;
    use crate::flags::model::Event;

    #[test]
    fn events_in_words() {
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
            ("feature-revived", Some(&name), &name, "ann revived the toggle probe, which is off for now"),
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
                diffs: before.map(|before| diff::between(before, after)),
            };
            assert_eq!(of(&event).plain(), said);
        }
    }
}
