//! The OpenAPI document of a running service, asked about what it says of a call.

use actix_web::http::Method;
use jsonschema::Validator;
use serde_json::{Value, json};

use super::app::{Answer, TestApp};

/// The document, as the service gave it.
pub struct Document {
    pub json: Value,
}

/// One call that the document describes.
pub struct Operation<'d> {
    pub method: Method,
    /// With its parameters in braces.
    pub path: &'d str,
    pub described: &'d Value,
}

impl Document {
    pub async fn of(app: &TestApp) -> Self {
        Self { json: app.get("/-/openapi.json").await.json() }
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

    /// The call that a request is, an address without parameters before one with.
    pub fn operation(&self, method: &Method, path: &str) -> Option<Operation<'_>> {
        let path = path.split('?').next().unwrap();
        let fitting = self.operations().filter(|one| one.method == *method && fits(one.path, path));
        fitting.min_by_key(|one| one.path.matches('{').count())
    }

    /// What an answer says that the document does not, up to properties that it does not name.
    pub fn complaints(&self, operation: &Operation<'_>, answer: &Answer) -> Vec<String> {
        let mut response = &operation.described["responses"][answer.status.as_str()];
        if let Some(name) = response["$ref"].as_str() {
            response = self.json.pointer(name.trim_start_matches('#')).unwrap();
        }
        let schema = &response["content"]["application/json"]["schema"];
        match (response.is_null(), schema.is_null(), answer.body.is_empty()) {
            (true, ..) => vec![format!("{} is no status of it", answer.status)],
            (false, true, true) => Vec::new(),
            (false, true, false) => vec!["it should have no body".to_owned()],
            (false, false, true) => vec!["it should have a body".to_owned()],
            (false, false, false) => {
                let validator = self.validator(schema, true);
                validator.iter_errors(&answer.json()).map(|e| format!("{} {e}", e.instance_path())).collect()
            }
        }
    }

    /// Checks values against a schema of the document; a closed one takes no properties that it does not name.
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
    /// The schema of the body that it takes, null for none.
    pub fn body(&self) -> &Value {
        &self.described["requestBody"]["content"]["application/json"]["schema"]
    }
}

fn fits(template: &str, path: &str) -> bool {
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
