//! One call, as the OpenAPI document describes it.

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::flags::auth::Permission;

/// A method on a path, with what it takes and answers.
pub(super) struct Operation {
    pub(super) method: &'static str,
    pub(super) path: &'static str,
    summary: &'static str,
    remark: &'static str,
    permission: Option<Permission>,
    query: Vec<Value>,
    body: Option<&'static str>,
    answers: Vec<(u16, Option<Answer>)>,
    failures: Vec<u16>,
}

type Answer = fn(&mut SchemaGenerator) -> Value;

pub(super) fn get(path: &'static str, summary: &'static str) -> Operation {
    Operation {
        method: "get",
        path,
        summary,
        remark: "",
        permission: None,
        query: Vec::new(),
        body: None,
        answers: Vec::new(),
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
    /// The permission that it takes.
    pub(super) fn needs(self, permission: Permission) -> Self {
        Self { permission: Some(permission), ..self }
    }

    /// A sentence that the summary has no room for.
    pub(super) fn remark(self, remark: &'static str) -> Self {
        Self { remark, ..self }
    }

    /// A part of the query, once or, where it is a list, any number of times.
    pub(super) fn query(mut self, name: &str, description: &str, schema: &Value) -> Self {
        self.query.push(json!({
            "name": name, "in": "query", "required": false, "description": description, "schema": schema,
        }));
        self
    }

    /// A body, by the name of its schema in `bodies`.
    pub(super) fn takes(self, body: &'static str) -> Self {
        Self { body: Some(body), ..self }
    }

    /// An answer of this type.
    pub(super) fn answers<T: JsonSchema>(mut self, status: u16) -> Self {
        self.answers.push((status, Some(|generator| generator.subschema_for::<T>().to_value())));
        self
    }

    /// An answer without a body.
    pub(super) fn answers_nothing(mut self, status: u16) -> Self {
        self.answers.push((status, None));
        self
    }

    /// How it can fail, besides what every call of its kind can say.
    pub(super) fn fails(mut self, statuses: &[u16]) -> Self {
        self.failures.extend(statuses);
        self
    }

    pub(super) fn describe(&self, generator: &mut SchemaGenerator) -> Value {
        let mut described = json!({
            "operationId": self.id(),
            "tags": [self.tag()],
            "summary": self.summary,
            "parameters": self.parameters(),
            "responses": self.responses(generator),
        });
        // Asked for where people sign in, and where there are tokens.
        if self.asks_who_it_is() {
            described["security"] = json!([{}, { "session": [] }]);
        } else if self.is_for_clients() {
            described["security"] = json!([{}, { "token": [] }]);
        }
        let permission = self.permission.map(|permission| format!("Takes the permission {permission}."));
        let sentences: Vec<&str> = permission
            .iter()
            .map(String::as_str)
            .chain([self.remark])
            .filter(|text| !text.is_empty())
            .collect();
        if !sentences.is_empty() {
            described["description"] = sentences.join(" ").into();
        }
        if let Some(permission) = self.permission {
            described["x-permission"] = permission.to_string().into();
        }
        // One that takes no body is described with one, so that clients made from this send its Content-Type.
        if let Some(body) = self.body.or(self.needs_media_type().then_some("Anything")) {
            let schema = json!({ "$ref": format!("#/components/schemas/{body}") });
            described["requestBody"] =
                json!({ "required": true, "content": { "application/json": { "schema": schema } } });
        }
        described
    }

    /// Unique, as method and path are.
    fn id(&self) -> String {
        let words = self.path.split(['/', '-', '{', '}']).filter(|word| !word.is_empty() && *word != "api");
        let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
        self.method.to_owned() + &words.map(capital).collect::<String>()
    }

    /// The resource that it belongs to.
    fn tag(&self) -> &str {
        match self.path.strip_prefix("/api/admin/").and_then(|path| path.split('/').next()) {
            None if self.is_for_clients() => "client",
            None | Some("user" | "login") => "session",
            Some(resource) => resource,
        }
    }

    fn is_for_clients(&self) -> bool {
        self.path.starts_with("/api/client/")
    }

    /// Signing in and out are for everybody.
    fn asks_who_it_is(&self) -> bool {
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

    fn needs_media_type(&self) -> bool {
        matches!(self.method, "post" | "put")
    }

    fn responses(&self, generator: &mut SchemaGenerator) -> Map<String, Value> {
        let mut responses = Map::new();
        for (status, answer) in &self.answers {
            let mut response = json!({ "description": "Done as asked." });
            if let Some(schema) = answer {
                response["content"] = json!({ "application/json": { "schema": schema(generator) } });
            }
            responses.insert(status.to_string(), response);
        }
        let of_body: &[u16] = if self.body.is_some() { &[400, 408, 413] } else { &[] };
        let of_write: &[u16] = if self.needs_media_type() { &[415] } else { &[] };
        let of_permission: &[u16] = if self.permission.is_some() { &[403] } else { &[] };
        let of_client: &[u16] = if self.is_for_clients() { &[401] } else { &[] };
        let failures = [&self.failures, of_body, of_write, of_permission, of_client];
        for status in failures.into_iter().flatten() {
            responses.insert(status.to_string(), failure(&format!("Failure{status}")));
        }
        if self.asks_who_it_is() {
            responses.insert("401".to_owned(), failure("SignIn"));
        }
        responses.insert("5XX".to_owned(), failure("Failure5XX"));
        responses
    }
}

fn failure(name: &str) -> Value {
    json!({ "$ref": format!("#/components/responses/{name}") })
}
