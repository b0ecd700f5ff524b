//! The stored data of the fake, and the behaviour that recordings of real servers show. `saves/recordings.rs` compares both.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// A version of Unleash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    V5_12,
    V6_10,
    V8_2,
}

pub const VERSIONS: [Version; 3] = [Version::V5_12, Version::V6_10, Version::V8_2];

impl Version {
    /// Returns the number that the server reports.
    pub fn number(self) -> &'static str {
        match self {
            Self::V5_12 => "5.12.8",
            Self::V6_10 => "6.10.1",
            Self::V8_2 => "8.2.0",
        }
    }
}

fn names(names: &[&str]) -> Value {
    names.iter().map(|name| json!({ "name": name })).collect()
}

/// All toggles, as the server returns them.
pub struct Model {
    pub version: Version,
    pub toggles: BTreeMap<String, Value>,
    /// Archived toggles.
    pub archived: BTreeMap<String, Value>,
    /// Ids of the projects.
    pub projects: Vec<&'static str>,
    /// Tags by name of the toggle.
    pub tags: BTreeMap<String, Vec<Value>>,
    /// Counts in the last hour, by name of the toggle: environment, application, yes and no.
    pub usage: BTreeMap<String, Vec<(&'static str, &'static str, u64, u64)>>,
    pub(super) next_id: usize,
}

pub type Answer = (u16, Value);

impl Model {
    pub fn new(version: Version) -> Self {
        Self {
            version,
            toggles: BTreeMap::new(),
            archived: BTreeMap::new(),
            projects: vec!["default"],
            tags: BTreeMap::new(),
            usage: BTreeMap::new(),
            next_id: 0,
        }
    }

    /// Archives a toggle.
    pub fn archive(&mut self, name: &str) {
        let mut toggle = self.toggles.remove(name).unwrap();
        toggle["archived"] = json!(true);
        toggle["archivedAt"] = json!("2026-11-23T10:00:00.000Z");
        self.archived.insert(name.to_owned(), toggle);
    }

    /// Revives a toggle in its project. It is off.
    fn revive(&mut self, name: &str) -> Answer {
        let Some(mut toggle) = self.archived.remove(name) else {
            return refuse(404, "NotFoundError", "No feature flag found");
        };
        toggle["archived"] = json!(false);
        toggle["archivedAt"] = Value::Null;
        for state in toggle["environments"].as_array_mut().unwrap() {
            state["enabled"] = json!(false);
        }
        self.toggles.insert(name.to_owned(), toggle);
        (200, Value::Null)
    }

    /// Returns true if a project contains a toggle.
    fn contains(&self, project: &str, name: &str) -> bool {
        self.toggles.get(name).is_some_and(|toggle| toggle["project"] == project)
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
        match (method, path) {
            ("GET", ["environments"]) => {
                let names = ["development", "production"];
                let one = |name: &&str| json!({ "name": name, "type": name, "enabled": true });
                (200, json!({ "environments": names.iter().map(one).collect::<Value>() }))
            }
            ("GET", ["projects"]) => {
                let projects = self.projects.iter().map(|id| json!({ "id": id }));
                (200, json!({ "projects": projects.collect::<Value>() }))
            }
            (_, ["projects", id, ..]) if !self.projects.contains(id) => {
                refuse(404, "NotFoundError", "No such project")
            }
            ("GET", ["projects", _, "overview"]) => (200, project()),
            ("GET", ["archive", "features"]) if self.version < Version::V8_2 => {
                (200, json!({ "features": self.archived.values().collect::<Vec<_>>() }))
            }
            ("GET", ["search", "features"]) if query.contains("archived=IS%3Atrue") => {
                let found: Vec<_> = self.archived.values().collect();
                (200, json!({ "features": found, "total": found.len() }))
            }
            ("GET", ["search", "features"]) => {
                let found: Vec<_> = self.toggles.values().map(|toggle| self.with_counts(toggle)).collect();
                (200, json!({ "features": found, "total": found.len() }))
            }
            ("POST", ["archive", "revive", name]) => self.revive(name),
            ("GET", ["ui-config"]) => (200, json!({ "version": self.version.number() })),
            ("GET", ["strategies"]) => {
                (200, json!({ "strategies": names(&["default", "flexibleRollout", "userWithId"]) }))
            }
            ("GET", ["context"]) => (200, names(&["appName", "environment", "userId"])),
            ("GET", ["segments"]) => (200, json!({ "segments": [] })),
            ("GET", ["user"]) => (200, json!({ "user": { "id": 1 }, "permissions": [] })),
            ("POST", ["features", "validate"]) => (200, json!({})),
            (_, ["features", name, "tags"]) => {
                let tags = self.tags.entry((*name).to_owned()).or_default();
                if method == "POST" {
                    tags.push(body.clone());
                    return (201, body.clone());
                }
                (200, json!({ "tags": tags }))
            }
            ("GET", ["client-metrics", "features", name, "raw"]) => (200, self.to_usage(name)),
            ("GET", ["projects", project, "features"]) => {
                let of_project = self.toggles.values().filter(|toggle| toggle["project"] == *project);
                (200, json!({ "features": of_project.collect::<Vec<_>>() }))
            }
            ("POST", ["projects", project, "features"]) => self.create(project, body),
            (_, ["projects", project, "features", name, rest @ ..]) => {
                if self.contains(project, name) {
                    self.handle_toggle(method, (name, rest), query, body)
                } else {
                    refuse(404, "NotFoundError", "No feature flag found")
                }
            }
            _ => refuse(404, "NotFoundError", "No such path"),
        }
    }

    fn create(&mut self, project: &str, body: &Value) -> Answer {
        let name = body["name"].as_str().unwrap_or_default().to_owned();
        if self.toggles.contains_key(&name) || self.archived.contains_key(&name) {
            return refuse(409, "NameExistsError", "A flag with that name already exists");
        }
        // The state in the environments is ignored.
        let mut changes = body.clone();
        for ignored in ["enabled", "strategies", "variants"] {
            changes.as_object_mut().unwrap().remove(ignored);
        }
        changes["project"] = json!(project);
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
                self.archive(name);
                (202, Value::Null)
            }
            ("POST", ["dependencies"]) => {
                self.toggles.get_mut(name).unwrap()["dependencies"] = json!([body]);
                (200, body.clone())
            }
            ("POST", ["clone"]) => self.clone_toggle(name, body),
            ("PUT", ["variants-batch"]) => {
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

    /// Copies the state in all environments, which is off, and no tags.
    fn clone_toggle(&mut self, name: &str, body: &Value) -> Answer {
        let copy = body["name"].as_str().unwrap().to_owned();
        let mut toggle = self.toggles[name].clone();
        toggle["name"] = json!(copy);
        for state in toggle["environments"].as_array_mut().unwrap() {
            state["enabled"] = json!(false);
            for strategy in state["strategies"].as_array_mut().unwrap() {
                self.next_id += 1;
                strategy["id"] = json!(format!("id-{}", self.next_id));
                if body["replaceGroupId"] == true && strategy["parameters"].get("groupId").is_some() {
                    strategy["parameters"]["groupId"] = json!(copy);
                }
            }
        }
        self.toggles.insert(copy, toggle.clone());
        (201, toggle)
    }

    /// The counts of a toggle for each environment and application.
    fn to_usage(&self, name: &str) -> Value {
        let usage = self.usage.get(name).cloned().unwrap_or_default();
        let apps = usage.iter().map(|(environment, app, yes, no)| {
            json!({ "featureName": name, "environment": environment, "appName": app, "yes": yes, "no": no })
        });
        json!({ "data": apps.collect::<Value>() })
    }

    /// Returns a toggle with the counts of the last hour in each environment.
    fn with_counts(&self, toggle: &Value) -> Value {
        let mut toggle = toggle.clone();
        let usage = self.usage.get(toggle["name"].as_str().unwrap()).cloned().unwrap_or_default();
        for state in toggle["environments"].as_array_mut().unwrap() {
            let counts = usage.iter().filter(|(environment, ..)| state["name"] == *environment);
            let (yes, no) = counts.fold((0, 0), |sum, (_, _, yes, no)| (sum.0 + yes, sum.1 + no));
            merge(state, json!({ "yes": yes, "no": no }));
        }
        toggle
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
        let tests: Vec<_> = body.as_array().unwrap().iter().filter(|one| one["op"] == "test").collect();
        if self.version < Version::V8_2 && !tests.is_empty() {
            return refuse(400, "BadDataError", "The operation test is not supported");
        }
        if tests.iter().any(|test| toggle[&test["path"].as_str().unwrap()[1..]] != test["value"]) {
            return refuse(500, "UnknownError", "Test operation failed\nname: TEST_OPERATION_FAILED");
        }
        for operation in body.as_array().unwrap().iter().filter(|one| one["op"] == "replace") {
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
