//! The toggles of both servers.

use serde_json::{Value, json};

pub(crate) fn name(index: usize) -> String {
    format!("shop.area-{:02}.flag-{index:05}", index % 40)
}

/// Three of four toggles have one strategy; one of four has two, a constraint and a longer list.
pub(crate) fn toggle(index: usize) -> Value {
    let name = name(index);
    let rollout = json!({
        "name": "flexibleRollout",
        "parameters": { "rollout": (index % 101).to_string(), "stickiness": "default", "groupId": name },
        "constraints": if index.is_multiple_of(4) {
            json!([{ "contextName": "environment", "operator": "IN", "values": ["staging", "production"] }])
        } else {
            json!([])
        },
    });
    let users: Vec<_> = (0..20).map(|user| format!("user-{}", index * 7 + user)).collect();
    let listed = json!({ "name": "userWithId", "parameters": { "userIds": users.join(",") } });
    json!({
        "name": name,
        "description": format!("What happens in the shop when flag {index} is on, in a sentence or so."),
        "type": "release",
        "project": "default",
        "enabled": true,
        "stale": false,
        "strategies": if index.is_multiple_of(4) { json!([rollout, listed]) } else { json!([rollout]) },
        "variants": [],
    })
}
