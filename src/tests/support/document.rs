//! The OpenAPI document of a running service.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use actix_web::http::Method;
use jsonschema::Validator;
use serde_json::{Value, json};

use super::app::{Response, TestApp};

/// The document that the service returned.
pub struct Document {
    pub json: Value,
    /// Validators of responses by their schema.
    response_validators: RefCell<HashMap<String, Rc<Validator>>>,
}

/// An operation of the document.
pub struct Operation<'d> {
    pub method: Method,
    /// The path with its parameters in braces.
    pub path: &'d str,
    pub described: &'d Value,
}

impl Document {
    pub async fn of(app: &TestApp) -> Self {
        let json = app.get("/-/openapi.json").await.json();
        Self { json, response_validators: RefCell::default() }
    }

    pub fn operations(&self) -> impl Iterator<Item = Operation<'_>> {
        let paths = self.json["paths"].as_object().unwrap();
        paths.iter().flat_map(|(path, methods)| {
            methods.as_object().unwrap().iter().map(|(method, described)| {
                let method = method.to_uppercase().parse().unwrap();
                Operation { method, path, described }
            })
        })
    }

    /// Returns the operation of a request. A path without parameters takes precedence.
    pub fn operation(&self, method: &Method, path: &str) -> Option<Operation<'_>> {
        let path = path.split('?').next().unwrap();
        let fitting =
            self.operations().filter(|one| one.method == *method && matches_template(one.path, path));
        fitting.min_by_key(|one| one.path.matches('{').count())
    }

    /// Returns the differences of a response from the document, including undocumented properties.
    pub fn differences(&self, operation: &Operation<'_>, response: &Response) -> Vec<String> {
        let mut described = &operation.described["responses"][response.status.as_str()];
        if let Some(name) = described["$ref"].as_str() {
            described = self.json.pointer(name.trim_start_matches('#')).unwrap();
        }
        let content = &described["content"];
        let media_type = response.header("content-type").split(';').next().unwrap();
        let schema = &content[media_type]["schema"];
        match (described.is_null(), content.is_null(), response.body.is_empty()) {
            (true, ..) => vec![format!("the status {} is not documented", response.status)],
            (false, true, true) => Vec::new(),
            (false, true, false) => vec!["it should have no body".to_owned()],
            (false, false, true) => vec!["it should have a body".to_owned()],
            _ if schema.is_null() => vec![format!("the type {media_type:?} is not documented")],
            _ if media_type != "application/json" => Vec::new(),
            _ => self
                .response_validator(schema)
                .iter_errors(&response.json())
                .map(|e| format!("{} {e}", e.instance_path()))
                .collect(),
        }
    }

    /// Returns a validator that rejects undocumented properties. To create one takes longer than most requests.
    fn response_validator(&self, schema: &Value) -> Rc<Validator> {
        let mut validators = self.response_validators.borrow_mut();
        let create = || Rc::new(self.validator(schema, true));
        Rc::clone(validators.entry(schema.to_string()).or_insert_with(create))
    }

    /// Returns a validator for a schema of the document. If `closed`, it rejects undocumented properties.
    pub fn validator(&self, schema: &Value, closed: bool) -> Validator {
        let mut components = self.json["components"].clone();
        if closed {
            close(&mut components["schemas"]);
        }
        let schema = json!({ "allOf": [schema], "components": components });
        jsonschema::options().should_validate_formats(true).build(&schema).unwrap()
    }
}

impl Operation<'_> {
    /// Returns true if the response is a stream of events, which does not end.
    pub fn is_stream(&self) -> bool {
        !self.described["responses"]["200"]["content"]["text/event-stream"].is_null()
    }

    /// Returns true if every request needs a token.
    pub fn needs_token(&self) -> bool {
        self.described["security"] == json!([{ "token": [] }])
    }

    /// Returns the schema of the request body, null if there is none.
    pub fn body(&self) -> &Value {
        &self.described["requestBody"]["content"]["application/json"]["schema"]
    }
}

fn matches_template(template: &str, path: &str) -> bool {
    let (template, path): (Vec<&str>, Vec<&str>) = (template.split('/').collect(), path.split('/').collect());
    template.len() == path.len()
        && template.iter().zip(&path).all(|(expected, part)| expected.starts_with('{') || expected == part)
}

fn close(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            if object.get("properties").is_some_and(Value::is_object)
                && !object.contains_key("additionalProperties")
            {
                object.insert("additionalProperties".to_owned(), json!(false));
            }
            object.values_mut().for_each(close);
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}
