//! The stored data of the fake, and the behaviour that recordings of real servers show. `saves/recordings.rs` compares both.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// A version of Unleash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    V4_19,
    V5_12,
    V6_10,
    V8_2,
}

pub const VERSIONS: [Version; 4] = [Version::V4_19, Version::V5_12, Version::V6_10, Version::V8_2];

/// All toggles, as the server returns them.
pub struct Model {
    pub version: Version,
    pub toggles: BTreeMap<String, Value>,
    pub(super) next_id: usize,
}

pub type Answer = (u16, Value);

impl Model {
    pub fn new(version: Version) -> Self {
        Self { version, toggles: BTreeMap::new(), next_id: 0 }
    }

    /// Stores a toggle with the environments `development` and `production`; `changes` are properties of the toggle.
    pub fn add(&mut self, name: &str, changes: Value) {
        let mut toggle = json!({
            "name": name, "type": "release", "project": "default", "description": "", "stale": false, "archived": false,
            "createdAt": "2026-11-22T10:00:00.000Z", "impressionData": false, "children": [], "dependencies": [],
            "links": [{ "id": "l", "url": "https://tracker.example/1" }],
            "environments": [environment("development"), environment("production")],
        });
        merge(&mut toggle, changes);
        self.toggles.insert(name.to_owned(), toggle);
    }

    /// Returns the state of a toggle in an environment.
    pub fn state(&mut self, name: &str, environment: &str) -> &mut Value {
        let states = self.toggles.get_mut(name).unwrap()["environments"].as_array_mut().unwrap();
        states.iter_mut().find(|state| state["name"] == environment).unwrap()
    }

    /// Returns the strategies of a toggle in the environment `development`.
    pub fn strategies(&mut self, name: &str) -> Vec<Value> {
        self.state(name, "development")["strategies"].as_array().unwrap().clone()
    }

    /// Handles a request to a path below `/api/admin`.
    pub fn handle(&mut self, method: &str, path: &[&str], query: &str, body: &Value) -> Answer {
        let has_titles = self.version > Version::V4_19;
        match (method, path) {
            ("GET", ["environments"]) => {
                let names = ["development", "production"];
                let one = |name: &&str| json!({ "name": name, "type": name, "enabled": true });
                (200, json!({ "environments": names.iter().map(one).collect::<Value>() }))
            }
            ("GET", ["projects"]) => (200, json!({ "projects": [{ "id": "default" }] })),
            ("GET", ["projects", "default", "overview"]) if has_titles => (200, project()),
            ("GET", ["projects", "default"]) if !has_titles => (200, project()),
            ("GET", ["ui-config"]) => (200, json!({ "version": format!("{:?}", self.version) })),
            ("GET", ["segments"]) if has_titles => (200, json!({ "segments": [] })),
            ("POST", ["features", "validate"]) => (200, json!({})),
            ("POST", ["projects", "default", "features"]) => self.create(body),
            (_, ["projects", "default", "features", name, rest @ ..]) => {
                if self.toggles.contains_key(*name) {
                    self.handle_toggle(method, (name, rest), query, body)
                } else if method == "GET" && !has_titles {
                    refuse(403, "InvalidOperationError", "The feature exists in another project")
                } else {
                    refuse(404, "NotFoundError", "No feature flag found")
                }
            }
            _ => refuse(404, "NotFoundError", "No such path"),
        }
    }

    fn create(&mut self, body: &Value) -> Answer {
        let name = body["name"].as_str().unwrap_or_default().to_owned();
        if self.toggles.contains_key(&name) {
            return refuse(409, "NameExistsError", "A flag with that name already exists");
        }
        // The state in the environments is ignored.
        let mut changes = body.clone();
        for ignored in ["enabled", "strategies", "variants"] {
            changes.as_object_mut().unwrap().remove(ignored);
        }
        self.add(&name, changes);
        (201, self.toggles[&name].clone())
    }

    fn handle_toggle(
        &mut self,
        method: &str,
        (name, rest): (&str, &[&str]),
        query: &str,
        body: &Value,
    ) -> Answer {
        match (method, rest) {
            ("GET", []) => (200, self.to_response(name)),
            ("PATCH", []) => self.patch(name, body),
            ("DELETE", []) if self.toggles[name]["children"] != json!([]) => {
                refuse(403, "InvalidOperationError", "You can not archive/delete this feature")
            }
            ("DELETE", []) => {
                self.toggles.remove(name);
                (202, Value::Null)
            }
            ("PUT", ["variants-batch"]) if self.version > Version::V4_19 => {
                for environment in body["environments"].as_array().unwrap() {
                    self.state(name, environment.as_str().unwrap())["variants"] = body["variants"].clone();
                }
                (200, json!({ "variants": body["variants"] }))
            }
            (_, ["environments", environment, rest @ ..]) => {
                self.handle_state(method, (name, environment, rest), query, body)
            }
            _ => refuse(404, "NotFoundError", "No such path"),
        }
    }

    /// The variants are not part of the toggle, but have their own path.
    fn to_response(&self, name: &str) -> Value {
        let mut toggle = self.toggles[name].clone();
        for state in toggle["environments"].as_array_mut().unwrap() {
            state.as_object_mut().unwrap().remove("variants");
        }
        toggle
    }

    /// Changes only the metadata; other paths are ignored.
    fn patch(&mut self, name: &str, body: &Value) -> Answer {
        let toggle = self.toggles.get_mut(name).unwrap();
        for operation in body.as_array().unwrap() {
            let key = operation["path"].as_str().unwrap().trim_start_matches('/');
            if ["description", "type", "stale", "impressionData"].contains(&key) {
                toggle[key] = operation["value"].clone();
            }
        }
        (200, toggle.clone())
    }
}

fn environment(name: &str) -> Value {
    json!({ "name": name, "type": name, "enabled": false, "strategies": [], "variants": [] })
}

fn project() -> Value {
    json!({ "environments": [{ "environment": "development" }, { "environment": "production" }] })
}

/// Replaces properties of an object.
pub(super) fn merge(object: &mut Value, changes: Value) {
    let changes: Map<String, Value> = serde_json::from_value(changes).unwrap();
    object.as_object_mut().unwrap().extend(changes);
}

/// Returns a refusal in the server's format.
pub(super) fn refuse(status: u16, name: &str, message: &str) -> Answer {
    (status, json!({ "name": name, "message": message, "details": [{ "message": message }] }))
}
