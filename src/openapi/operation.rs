//! Describes an endpoint as an operation of the OpenAPI document.

use actix_web::http::Method;
use serde_json::{Map, Value, json};

use crate::flags::endpoint::schema::Generator;
use crate::flags::endpoint::{Authorization, Endpoint};

/// Returns the path with its prefix.
pub(super) fn path(endpoint: &Endpoint) -> String {
    format!("{}{}", endpoint.authorization.prefix(), endpoint.path)
}

/// Returns the method as the document writes it.
pub(super) fn method(endpoint: &Endpoint) -> String {
    endpoint.method.as_str().to_lowercase()
}

/// Returns the operation of an endpoint.
pub(super) fn to_json(endpoint: &Endpoint, generator: &mut Generator) -> Value {
    let (path, summary) = (path(endpoint), &endpoint.summary);
    assert!(!summary.is_empty() && !endpoint.responses.is_empty(), "{path} has no summary or no response");
    let mut operation = json!({
        "operationId": id(&method(endpoint), &path),
        "tags": [tag(&path)],
        "summary": summary,
        "parameters": parameters(endpoint),
        "responses": responses(endpoint, generator),
    });
    // Sessions and tokens are optional because they depend on the settings.
    match endpoint.authorization {
        Authorization::Public => {}
        Authorization::Session | Authorization::Permission(_) => {
            operation["security"] = json!([{}, { "session": [] }]);
        }
        Authorization::ClientToken => operation["security"] = json!([{}, { "token": [] }]),
    }
    let mut sentences = Vec::new();
    if let Authorization::Permission(permission) = endpoint.authorization {
        operation["x-permission"] = permission.to_string().into();
        sentences.push(format!("Requires the permission {permission}."));
    }
    if !endpoint.note.is_empty() {
        sentences.push(endpoint.note.to_string());
    }
    if !sentences.is_empty() {
        operation["description"] = sentences.join(" ").into();
    }
    let body = endpoint.body.as_ref().map(|body| (body.generate)(generator));
    // Operations without a body declare one too, so that generated clients send its Content-Type.
    let description = "Ignored. The body may be empty, but Content-Type: application/json is required.";
    let ignored = json!({ "description": description, "examples": [{}] });
    let ignored = || requires_json(endpoint).then(|| generator.requests.add("IgnoredBody", ignored));
    if let Some(schema) = body.or_else(ignored) {
        operation["requestBody"] =
            json!({ "required": true, "content": { "application/json": { "schema": schema } } });
    }
    operation
}

/// Returns a unique id of method and path.
fn id(method: &str, path: &str) -> String {
    let words = path.split(['/', '-', '{', '}']).filter(|word| !word.is_empty() && *word != "api");
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    method.to_owned() + &words.map(capital).collect::<String>()
}

/// Returns the resource that the operation belongs to.
fn tag(path: &str) -> &str {
    match path.strip_prefix("/api/admin/").and_then(|path| path.split('/').next()) {
        None if ["/api/admin", "/api/client"].contains(&path) => "index",
        None if path.starts_with("/api/client/") => "client",
        None | Some("user" | "login") => "session",
        Some(resource) => resource,
    }
}

fn parameters(endpoint: &Endpoint) -> Vec<Value> {
    let names = endpoint.path.split('{').skip(1).filter_map(|rest| rest.split('}').next());
    let in_path = names.map(|name| {
        json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string", "minLength": 1 } })
    });
    let in_query = endpoint.query.iter().map(|parameter| {
        json!({
            "name": parameter.name, "in": "query", "required": false, "description": parameter.description,
            "schema": (parameter.schema)(),
        })
    });
    let condition = endpoint.is_conditional.then(|| {
        json!({
            "name": "If-Match", "in": "header", "required": false, "schema": { "type": "string" },
            "description": "Entity tags of the item. The change is refused (412) unless the item has one of them. Weak tags \
                            never match; * matches every item that exists.",
        })
    });
    in_path.chain(in_query).chain(condition).collect()
}

fn requires_json(endpoint: &Endpoint) -> bool {
    matches!(endpoint.method, Method::POST | Method::PUT)
}

fn responses(endpoint: &Endpoint, generator: &mut Generator) -> Map<String, Value> {
    let mut responses = Map::new();
    for (status, schema) in &endpoint.responses {
        let mut response = json!({ "description": "Success." });
        if let Some(schema) = schema {
            let schema = (schema.generate)(generator);
            response["content"] = json!({ "application/json": { "schema": schema } });
            if let Some(media_type) = endpoint.other_form {
                response["content"][media_type] = json!({ "schema": schema });
            }
            if endpoint.is_tagged {
                response["headers"] = json!({ "ETag": {
                    "description": "Strong entity tag of the item. It changes with each edit, and not with lastSeenAt.",
                    "schema": { "type": "string" },
                } });
            }
        } else if endpoint.has_events {
            response["content"] = events();
        }
        responses.insert(status.to_string(), response);
    }
    let body_errors: &[u16] = if endpoint.body.is_some() { &[400, 408, 413] } else { &[] };
    let write_errors: &[u16] = if requires_json(endpoint) { &[415] } else { &[] };
    let (challenge, authorization_errors): (_, &[u16]) = match endpoint.authorization {
        Authorization::Public => (false, &[]),
        Authorization::Session => (true, &[]),
        Authorization::Permission(_) => (true, &[403, 412]),
        Authorization::ClientToken => (false, &[401, 403]),
    };
    for status in [&endpoint.errors, body_errors, write_errors, authorization_errors].into_iter().flatten() {
        responses.insert(status.to_string(), error_reference(&format!("Failure{status}")));
    }
    if challenge {
        responses.insert("401".to_owned(), error_reference("SignIn"));
    }
    responses.insert("5XX".to_owned(), error_reference("Failure5XX"));
    responses
}

/// Returns the content of a response with server-sent events.
pub(super) fn events() -> Value {
    json!({ "text/event-stream": { "schema": { "type": "string" } } })
}

pub(super) fn error_reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/responses/{name}") })
}

/// An operation of the console that is not an endpoint of the flag service alone.
pub(super) struct ConsoleOperation<'a> {
    /// Name of the group.
    pub(super) tag: &'a str,
    /// Unique id.
    pub(super) id: &'a str,
    /// Summary of one line.
    pub(super) summary: &'a str,
    /// Further sentences.
    pub(super) description: String,
    /// Parameters in the path and in the query.
    pub(super) parameters: Value,
    /// Schema of the request body.
    pub(super) body: Option<Value>,
    /// Status and schema of the response.
    pub(super) response: (&'a str, Value),
    /// Statuses of failures, except 401, and 5XX.
    pub(super) failures: &'a [&'a str],
}

impl ConsoleOperation<'_> {
    /// Returns the operation.
    pub(super) fn to_json(&self) -> Value {
        let failures = self.failures.iter().chain(&["5XX"]);
        let mut responses: Map<_, _> = failures
            .map(|status| ((*status).to_owned(), error_reference(&format!("Failure{status}"))))
            .chain([("401".to_owned(), error_reference("SignIn"))])
            .collect();
        let content = |schema: &Value| json!({ "application/json": { "schema": schema } });
        let (status, schema) = &self.response;
        responses
            .insert((*status).to_owned(), json!({ "description": "Success.", "content": content(schema) }));
        let mut operation = json!({
            "operationId": self.id,
            "tags": [self.tag],
            "summary": self.summary,
            "description": self.description,
            "parameters": self.parameters,
            "security": [{}, { "session": [] }],
            "responses": responses,
        });
        if let Some(schema) = &self.body {
            operation["requestBody"] = json!({ "required": true, "content": content(schema) });
        }
        operation
    }
}

/// Describes a read of the console: its path and its operation.
pub(super) fn console_read(
    tag: &str,
    path: &str,
    id: &str,
    summary: &str,
    description: String,
    parameters: &Value,
    schema: &Value,
) -> (String, Value) {
    let operation = ConsoleOperation {
        tag,
        id,
        summary,
        description,
        parameters: parameters.clone(),
        body: None,
        response: ("200", schema.clone()),
        failures: &["400", "404"],
    };
    (path.to_owned(), json!({ "get": operation.to_json() }))
}
