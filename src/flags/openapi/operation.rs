//! An operation of the OpenAPI document.

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::flags::auth::Permission;

/// A method of a path with its parameters, body and responses.
pub(super) struct Operation {
    pub(super) method: &'static str,
    pub(super) path: &'static str,
    summary: &'static str,
    note: &'static str,
    permission: Option<Permission>,
    query: Vec<Value>,
    body: Option<&'static str>,
    successes: Vec<(u16, Option<ResponseSchema>)>,
    failures: Vec<u16>,
}

type ResponseSchema = fn(&mut SchemaGenerator) -> Value;

pub(super) fn get(path: &'static str, summary: &'static str) -> Operation {
    Operation {
        method: "get",
        path,
        summary,
        note: "",
        permission: None,
        query: Vec::new(),
        body: None,
        successes: Vec::new(),
        failures: Vec::new(),
    }
}

pub(super) fn post(path: &'static str, summary: &'static str) -> Operation {
    Operation { method: "post", ..get(path, summary) }
}

pub(super) fn put(path: &'static str, summary: &'static str) -> Operation {
    Operation { method: "put", ..get(path, summary) }
}

pub(super) fn delete(path: &'static str, summary: &'static str) -> Operation {
    Operation { method: "delete", ..get(path, summary) }
}

impl Operation {
    /// Sets the required permission.
    pub(super) fn requires(self, permission: Permission) -> Self {
        Self { permission: Some(permission), ..self }
    }

    /// Sets a text that follows the summary.
    pub(super) fn note(self, note: &'static str) -> Self {
        Self { note, ..self }
    }

    /// Adds a query parameter. A list may be repeated any number of times.
    pub(super) fn query(mut self, name: &str, description: &str, schema: &Value) -> Self {
        self.query.push(json!({
            "name": name, "in": "query", "required": false, "description": description, "schema": schema,
        }));
        self
    }

    /// Sets the request body by the name of its schema in `bodies`.
    pub(super) fn with_body(self, body: &'static str) -> Self {
        Self { body: Some(body), ..self }
    }

    /// Adds a successful response with a body of this type.
    pub(super) fn returns<T: JsonSchema>(mut self, status: u16) -> Self {
        self.successes.push((status, Some(|generator| generator.subschema_for::<T>().to_value())));
        self
    }

    /// Adds a successful response without a body.
    pub(super) fn returns_empty(mut self, status: u16) -> Self {
        self.successes.push((status, None));
        self
    }

    /// Adds error responses besides those that every operation of its kind has.
    pub(super) fn fails_with(mut self, statuses: &[u16]) -> Self {
        self.failures.extend(statuses);
        self
    }

    pub(super) fn to_json(&self, generator: &mut SchemaGenerator) -> Value {
        let mut operation = json!({
            "operationId": self.id(),
            "tags": [self.tag()],
            "summary": self.summary,
            "parameters": self.parameters(),
            "responses": self.responses(generator),
        });
        // Sessions and tokens are optional because they depend on the settings.
        if self.requires_session() {
            operation["security"] = json!([{}, { "session": [] }]);
        } else if self.is_client_api() {
            operation["security"] = json!([{}, { "token": [] }]);
        }
        let permission = self.permission.map(|permission| format!("Requires the permission {permission}."));
        let sentences: Vec<&str> = permission
            .iter()
            .map(String::as_str)
            .chain([self.note])
            .filter(|text| !text.is_empty())
            .collect();
        if !sentences.is_empty() {
            operation["description"] = sentences.join(" ").into();
        }
        if let Some(permission) = self.permission {
            operation["x-permission"] = permission.to_string().into();
        }
        // Operations without a body declare one too, so that generated clients send its Content-Type.
        if let Some(body) = self.body.or(self.requires_json().then_some("IgnoredBody")) {
            let schema = json!({ "$ref": format!("#/components/schemas/{body}") });
            operation["requestBody"] =
                json!({ "required": true, "content": { "application/json": { "schema": schema } } });
        }
        operation
    }

    /// Returns a unique id of method and path.
    fn id(&self) -> String {
        let words = self.path.split(['/', '-', '{', '}']).filter(|word| !word.is_empty() && *word != "api");
        let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
        self.method.to_owned() + &words.map(capital).collect::<String>()
    }

    /// Returns the resource that the operation belongs to.
    fn tag(&self) -> &str {
        match self.path.strip_prefix("/api/admin/").and_then(|path| path.split('/').next()) {
            None if self.is_client_api() => "client",
            None | Some("user" | "login") => "session",
            Some(resource) => resource,
        }
    }

    fn is_client_api(&self) -> bool {
        self.path.starts_with("/api/client/")
    }

    /// Returns true if the operation requires a session. Sign-in and sign-out do not.
    fn requires_session(&self) -> bool {
        self.path.starts_with("/api/admin/")
            && !self.path.ends_with("/login")
            && !self.path.ends_with("/logout")
    }

    fn parameters(&self) -> Vec<Value> {
        let names = self.path.split('{').skip(1).filter_map(|rest| rest.split('}').next());
        let in_path = names.map(|name| {
            json!({
                "name": name, "in": "path", "required": true, "schema": { "type": "string", "minLength": 1 },
            })
        });
        in_path.chain(self.query.iter().cloned()).collect()
    }

    fn requires_json(&self) -> bool {
        matches!(self.method, "post" | "put")
    }

    fn responses(&self, generator: &mut SchemaGenerator) -> Map<String, Value> {
        let mut responses = Map::new();
        for (status, schema) in &self.successes {
            let mut response = json!({ "description": "Success." });
            if let Some(schema) = schema {
                response["content"] = json!({ "application/json": { "schema": schema(generator) } });
            }
            responses.insert(status.to_string(), response);
        }
        let body_failures: &[u16] = if self.body.is_some() { &[400, 408, 413] } else { &[] };
        let write_failures: &[u16] = if self.requires_json() { &[415] } else { &[] };
        let permission_failures: &[u16] = if self.permission.is_some() { &[403] } else { &[] };
        let client_failures: &[u16] = if self.is_client_api() { &[401] } else { &[] };
        let failures = [&self.failures, body_failures, write_failures, permission_failures, client_failures];
        for status in failures.into_iter().flatten() {
            responses.insert(status.to_string(), failure_reference(&format!("Failure{status}")));
        }
        if self.requires_session() {
            responses.insert("401".to_owned(), failure_reference("SignIn"));
        }
        responses.insert("5XX".to_owned(), failure_reference("Failure5XX"));
        responses
    }
}

fn failure_reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/responses/{name}") })
}
