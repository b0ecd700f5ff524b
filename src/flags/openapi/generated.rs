//! Writes `openapi.json`, or proves that it is what the types, the bodies and the operations say.

use schemars::generate::SchemaSettings;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::{bodies, operations};
use crate::flags::admin::body::count::{MAX_OBJECTS, MAX_VALUES};
use crate::flags::generated_file;
use crate::flags::model::AuthDetails;

/// What each status of a failure means; the body says more.
const FAILURES: [(&str, &str); 10] = [
    ("400", "Something about the request is not valid."),
    ("401", "This service asks client libraries for a token."),
    ("403", "The user may not do this, or it is built in and stays as it is."),
    ("404", "There is no such thing."),
    ("408", "The body stopped coming."),
    ("409", "What there is does not allow it, such as a name that is taken."),
    ("413", "The body is too large."),
    ("415", "The Content-Type is not application/json."),
    ("429", "There were too many attempts to sign in; Retry-After tells how long to wait."),
    ("5XX", "The service cannot do it now, such as on a full disk."),
];

fn document() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut generator = SchemaGenerator::new(settings);
    let mut paths = Map::new();
    for operation in operations::all() {
        let path = paths.entry(operation.path).or_insert_with(|| json!({}));
        path[operation.method] = operation.describe(&mut generator);
    }
    let how_to_sign_in = generator.subschema_for::<AuthDetails>();
    let mut schemas = generator.take_definitions(true);
    schemas.values_mut().for_each(say_what_times_are);
    schemas.extend(bodies::schemas());
    schemas.insert("Failure".to_owned(), failure());
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Flagdeck's flag service",
            "description": format!(
                "What consoles (admin) and client libraries (client) of the Unleash 3.x line call. A body holds at most \
                 {MAX_VALUES} JSON values and at most {MAX_OBJECTS} objects.",
            ),
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
            "version": env!("CARGO_PKG_VERSION"),
        },
        "servers": [{ "url": "/" }],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": failures(&how_to_sign_in),
            "securitySchemes": {
                "session": { "type": "apiKey", "in": "cookie", "name": "flagdeck-session" },
                "token": { "type": "apiKey", "in": "header", "name": "Authorization" },
            },
        },
    })
}

/// Types hold moments as texts; what they are called tells.
fn say_what_times_are(schema: &mut Value) {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for (name, property) in properties.into_iter().flatten() {
        if name.ends_with("At") || name == "lastSeen" {
            property["format"] = "date-time".into();
        }
    }
}

fn failures(how_to_sign_in: &Schema) -> Map<String, Value> {
    let content = json!({ "application/json": { "schema": { "$ref": "#/components/schemas/Failure" } } });
    let response = |(status, meaning)| {
        (format!("Failure{status}"), json!({ "description": meaning, "content": content }))
    };
    let sign_in = json!({
        "description": "Nobody is signed in; the body tells how to.",
        "content": { "application/json": { "schema": how_to_sign_in } },
    });
    FAILURES.map(response).into_iter().chain([("SignIn".to_owned(), sign_in)]).collect()
}

fn failure() -> Value {
    let step = json!({ "type": ["string", "integer"] });
    json!({
        "type": "object",
        "required": ["code", "message"],
        "properties": {
            "code": { "type": "string", "description": "A stable name of the failure." },
            "message": { "type": "string", "description": "What went wrong, for people." },
            "requestId": { "type": "string", "description": "By which the request is found again in logs." },
            "error": { "type": "string", "description": "The message once more, where a thing was not found." },
            "name": { "enum": ["NameExistsError", "FeatureHasTagError"] },
            "permission": { "type": "string", "description": "The permission that is missing." },
            "isJoi": { "const": true, "description": "There are details." },
            "details": {
                "type": "array",
                "description": "The broken rules: at most 20, and the number of further errors as the last item.",
                "maxItems": 21,
                "items": {
                    "type": "object",
                    "required": ["message"],
                    "properties": {
                        "message": { "type": "string" },
                        "path": { "type": "array", "items": step },
                        "type": { "type": "string", "description": "The broken rule." },
                    },
                },
            },
        },
    })
}

#[test]
fn the_document_is_what_the_code_says() {
    generated_file::hold("src/flags/openapi/openapi.json", &format!("{:#}\n", document()));
}
