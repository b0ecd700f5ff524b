//! The state of a toggle in one environment: on or off, strategies and variants.

use serde_json::{Value, json};

use super::model::{Answer, Model, Version, merge, refuse};

/// Maximum number of strategies from 6.10 on.
const MAX_STRATEGIES: usize = 30;

impl Model {
    pub(super) fn handle_state(
        &mut self,
        method: &str,
        (name, environment, rest): (&str, &str, &[&str]),
        query: &str,
        body: &Value,
    ) -> Answer {
        let version = self.version;
        match (method, rest) {
            ("POST", ["strategies"]) => return self.add_strategy(name, environment, body),
            ("POST", ["on"]) => return self.switch_on(name, environment, query),
            _ => {}
        }
        let state = self.state(name, environment);
        match (method, rest) {
            ("GET", []) => (200, state.clone()),
            ("POST", ["off"]) => {
                state["enabled"] = json!(false);
                (200, Value::Null)
            }
            ("GET", ["variants"]) => (200, json!({ "variants": state["variants"] })),
            ("PUT", ["variants"]) => {
                if version >= Version::V6_10 && state["variants"] == json!([]) {
                    return refuse(403, "InvalidOperationError", "Environment variants deprecated");
                }
                state["variants"] = body.clone();
                (200, json!({ "variants": body }))
            }
            ("POST", ["strategies", "set-sort-order"]) => {
                let strategies = state["strategies"].as_array_mut().unwrap();
                for entry in body.as_array().unwrap() {
                    let found = strategies.iter_mut().find(|strategy| strategy["id"] == entry["id"]);
                    found.unwrap()["sortOrder"] = entry["sortOrder"].clone();
                }
                strategies.sort_by_key(|strategy| strategy["sortOrder"].as_u64());
                (200, Value::Null)
            }
            (_, ["strategies", id]) => {
                let strategies = state["strategies"].as_array_mut().unwrap();
                let Some(index) = strategies.iter().position(|strategy| strategy["id"] == *id) else {
                    return refuse(404, "NotFoundError", "Could not find strategy");
                };
                let answer = match method {
                    "PUT" => {
                        replace(&mut strategies[index], body, version);
                        strategies[index].clone()
                    }
                    _ => strategies.remove(index),
                };
                if !strategies.iter().any(|strategy| strategy["disabled"] != json!(true)) {
                    state["enabled"] = json!(false);
                }
                (200, answer)
            }
            _ => refuse(404, "NotFoundError", "No such path"),
        }
    }

    /// Adds a strategy at the end.
    pub fn add_strategy(&mut self, name: &str, environment: &str, body: &Value) -> Answer {
        self.next_id += 1;
        let (id, version) = (format!("id-{}", self.next_id), self.version);
        let strategies = self.state(name, environment)["strategies"].as_array_mut().unwrap();
        if version >= Version::V6_10 && strategies.len() >= MAX_STRATEGIES {
            return refuse(400, "ExceedsLimitError", "You may not exceed 30 strategies");
        }
        let last = strategies.iter().filter_map(|strategy| strategy["sortOrder"].as_u64()).max();
        let mut strategy = json!({
            "id": id, "parameters": {}, "constraints": [], "title": null, "disabled": false, "segments": [], "variants": [],
            "sortOrder": last.map_or(0, |last| last + 1),
        });
        merge(&mut strategy, known(body));
        strategies.push(strategy.clone());
        (200, strategy)
    }

    /// Adds a rollout to everyone if no strategy is enabled.
    fn switch_on(&mut self, name: &str, environment: &str, query: &str) -> Answer {
        let state = self.state(name, environment);
        if query == "shouldActivateDisabledStrategies=true" {
            for strategy in state["strategies"].as_array_mut().unwrap() {
                strategy["disabled"] = json!(false);
            }
        }
        state["enabled"] = json!(true);
        let is_enabled = |strategy: &Value| strategy["disabled"] != json!(true);
        if !state["strategies"].as_array().unwrap().iter().any(is_enabled) {
            let everyone = json!({ "name": "flexibleRollout", "parameters": { "rollout": "100" } });
            self.add_strategy(name, environment, &everyone);
        }
        (200, Value::Null)
    }
}

/// Replaces a strategy. Missing constraints and variants become empty; on 8.2 missing parameters get their defaults.
fn replace(strategy: &mut Value, body: &Value, version: Version) {
    strategy["constraints"] = json!([]);
    strategy["variants"] = json!([]);
    if version >= Version::V8_2 {
        strategy["parameters"] = json!({ "rollout": "100" });
    }
    merge(strategy, known(body));
}

/// Returns the properties of a request that the server stores. Null is ignored.
fn known(body: &Value) -> Value {
    let known = ["name", "parameters", "constraints", "title", "disabled", "segments", "variants"];
    let is_kept = |key: &str, value: &Value| known.contains(&key) && !value.is_null();
    let kept = body.as_object().unwrap().iter().filter(|(key, value)| is_kept(key, value));
    kept.map(|(key, value)| (key.clone(), value.clone())).collect()
}
