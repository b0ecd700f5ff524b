//! Generates `openapi.json` and the TypeScript types of the console, or checks that they are up to date.

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, ReplaceBoolSchemas};
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::{evaluation, files, holds, operation, recorder, sdk, typescript};
use crate::api::limits::MAX_LISTED_ERRORS;
use crate::api::{
    AccountDraft, AddonDraft, ApiTokenDraft, AuthDetails, ErrorBody, PermissionChange, SdkToggles,
    SegmentDraft, ToggleDraft, UserResponse,
};
use crate::config::Permission;
use crate::console_api::{ExamplesLoaded, LoggedOut, Purged, ReplicaSummary, Settings};
use crate::flags::endpoint::schema::Generator;
use crate::flags::endpoints;
use crate::flags::validation::description::Components;
use crate::generated_file;
use crate::journal::reader::JournalPage;
use crate::json_body::value_count::{MAX_OBJECTS, MAX_VALUES};

/// Descriptions of error responses.
const FAILURE_DESCRIPTIONS: [(&str, &str); 12] = [
    ("400", "The request is not valid."),
    ("401", "The token of the client library is missing or unknown."),
    (
        "403",
        "The user does not have the permission, the token is of the wrong kind, or the item is built in.",
    ),
    ("404", "The item does not exist."),
    ("408", "The body was not received in time."),
    ("409", "The request conflicts with an existing item, for example a name that is taken."),
    (
        "412",
        "The item has none of the entity tags in If-Match, or the change cannot be conditional. Nothing was changed.",
    ),
    ("413", "The body is too large, or the request would take too much work."),
    ("415", "The Content-Type is not application/json."),
    (
        "429",
        "Too many sign-in attempts, or too many requests of a token. Retry-After contains the time to wait in seconds.",
    ),
    ("431", "The request line and the headers are too large. Send the context in the body of a POST."),
    ("5XX", "The service cannot process the request now, for example because the disk is full."),
];

/// Types of the console that the document does not contain.
const CONSOLE_TYPES: [fn(&mut SchemaGenerator) -> Schema; 16] = [
    SchemaGenerator::subschema_for::<AccountDraft>,
    SchemaGenerator::subschema_for::<AddonDraft>,
    SchemaGenerator::subschema_for::<ApiTokenDraft>,
    SchemaGenerator::subschema_for::<ErrorBody>,
    SchemaGenerator::subschema_for::<ExamplesLoaded>,
    SchemaGenerator::subschema_for::<JournalPage>,
    SchemaGenerator::subschema_for::<LoggedOut>,
    SchemaGenerator::subschema_for::<Permission>,
    SchemaGenerator::subschema_for::<PermissionChange>,
    SchemaGenerator::subschema_for::<Purged>,
    SchemaGenerator::subschema_for::<ReplicaSummary>,
    SchemaGenerator::subschema_for::<SdkToggles>,
    SchemaGenerator::subschema_for::<SegmentDraft>,
    SchemaGenerator::subschema_for::<Settings>,
    SchemaGenerator::subschema_for::<ToggleDraft>,
    SchemaGenerator::subschema_for::<UserResponse>,
];

/// Types of responses that the console does not read.
const UNREAD_TYPES: &str = "ApiLink ApiPartIndex ApplicationToggles ClientFeature ClientFeaturesResponse ClientQuery \
    ClientSegment DeletedApiToken ExportedStrategy ExportedTagType FeatureTag HealthResponse \
    HealthStatus ImportSummary MetricsOfToggle ReportedCounts SignedOut State TagResponse TagTypeName \
    ValidTagType";

/// Returns all paths, the schema of the response without a session, and the generator with all schemas.
fn paths() -> (Map<String, Value>, Schema, Generator) {
    // Generators of clients do not read all schemas that are booleans.
    let settings =
        SchemaSettings::draft2020_12().with_transform(ReplaceBoolSchemas::default()).with(|settings| {
            settings.definitions_path = "/components/schemas".into();
            settings.meta_schema = None;
        });
    let responses = settings.clone().for_serialize().with_transform(RecursiveTransform(refuse_null));
    let mut generator = Generator {
        responses: SchemaGenerator::new(responses),
        requests: Components::default(),
        parsed_requests: SchemaGenerator::new(settings.for_deserialize()),
    };
    let mut paths = Map::new();
    for endpoint in endpoints() {
        let path = paths.entry(operation::path(&endpoint)).or_insert_with(|| json!({}));
        path[operation::method(&endpoint)] = operation::to_json(&endpoint, &mut generator);
    }
    paths.insert(evaluation::PATH.to_owned(), evaluation::path_item(&mut generator));
    paths.extend(recorder::path_items(&mut generator));
    paths.extend(holds::path_items(&mut generator));
    paths.extend(files::path_items(&mut generator));
    paths.extend(sdk::path_items(&generator.requests));
    (paths, generator.responses.subschema_for::<AuthDetails>(), generator)
}

/// Returns the schemas that are derived from Rust types.
fn derived_schemas(generator: &mut Generator) -> Map<String, Value> {
    let mut schemas = generator.responses.take_definitions(true);
    schemas.values_mut().for_each(add_time_formats);
    schemas.extend(generator.parsed_requests.take_definitions(true));
    schemas.values_mut().for_each(list_words);
    schemas
}

fn types() -> String {
    let (_, _, mut generator) = paths();
    for add_schema in CONSOLE_TYPES {
        add_schema(&mut generator.responses);
    }
    let mut schemas = derived_schemas(&mut generator);
    for name in UNREAD_TYPES.split(' ') {
        assert!(schemas.remove(name).is_some(), "{name}");
    }
    let types = typescript::declare_types(&schemas);
    format!(
        "// API types, generated from the Rust types of responses. Do not edit.\n// After a change there: make types\n{types}"
    )
}

fn document() -> Value {
    let (paths, sign_in_schema, mut generator) = paths();
    let mut schemas = derived_schemas(&mut generator);
    schemas.values_mut().for_each(generated_file::remove_typescript_keywords);
    schemas.extend(generator.requests.schemas());
    schemas.values_mut().for_each(refuse_other_properties);
    schemas.insert("Failure".to_owned(), failure());
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Flagdeck's flag service",
            "description": format!(
                "The API of Unleash 3.x for consoles (admin) and client libraries (client). A request body contains at \
                 most {MAX_VALUES} JSON values and at most {MAX_OBJECTS} objects.",
            ),
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
            "version": env!("CARGO_PKG_VERSION"),
        },
        "servers": [{ "url": "/" }],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": failures(&sign_in_schema),
            "securitySchemes": {
                "session": {
                    "type": "apiKey", "in": "cookie", "name": "flagdeck-session",
                    "description": "Over HTTPS, the name begins with `__Host-`, or with `__Secure-` below a base path. Responses name \
                                    the user of the session by a hash in the header `Flagdeck-User`. A request other than GET may \
                                    send that header: it is refused (409, code `user_changed`) if the session belongs to another \
                                    user.",
                },
                "token": { "type": "apiKey", "in": "header", "name": "Authorization" },
            },
        },
    })
}

/// Refuses null for properties that responses omit instead.
fn refuse_null(schema: &mut Schema) {
    let required = schema.get("required").cloned().unwrap_or_default();
    let is_required =
        |name: &str| required.as_array().is_some_and(|names| names.iter().any(|one| one == name));
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten();
    for (_, property) in properties.filter(|(name, _)| !is_required(name)) {
        let Some(fields) = property.as_object_mut() else { continue };
        if let Some(Value::Array(kinds)) = fields.get_mut("type") {
            kinds.retain(|kind| kind != "null");
            if let [kind] = &kinds[..] {
                fields["type"] = kind.clone();
            }
        } else if let Some(Value::Array(parts)) = fields.get_mut("anyOf") {
            parts.retain(|part| part["type"] != "null");
            if let [Value::Object(part)] = &parts[..] {
                let part = part.clone();
                fields.remove("anyOf");
                fields.extend(part);
            }
        }
    }
}

/// Adds the format `date-time` to string properties that contain times, by their names.
fn add_time_formats(schema: &mut Value) {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for (name, property) in properties.into_iter().flatten() {
        if name.ends_with("At") || name == "lastSeen" {
            property["format"] = "date-time".into();
        }
    }
}

/// Describes alternatives that are single words as a list of words, which generators of clients read as an enumeration.
fn list_words(schema: &mut Value) {
    let Some(Value::Array(alternatives)) = schema.get("oneOf").cloned() else { return };
    let word = |one: &Value| one.get("const").filter(|word| word.is_string()).cloned();
    let Some(words) = alternatives.iter().map(word).collect::<Option<Vec<_>>>() else { return };
    let meaning =
        |one: &Value| Some(format!("`{}`: {}", one["const"].as_str()?, one["description"].as_str()?));
    let summary = schema["description"].as_str().map(str::to_owned);
    let texts: Vec<_> = summary.into_iter().chain(alternatives.iter().filter_map(meaning)).collect();
    let fields = schema.as_object_mut().unwrap();
    fields.remove("oneOf");
    fields.insert("description".to_owned(), texts.join(" ").into());
    fields.insert("type".to_owned(), "string".into());
    fields.insert("enum".to_owned(), words.into());
}

/// Describes an object without other properties by `false`, which generators of clients read.
fn refuse_other_properties(schema: &mut Value) {
    if let Some(others) =
        schema.get_mut("additionalProperties").filter(|others| **others == json!({ "not": {} }))
    {
        *others = Value::Bool(false);
    }
}

fn failures(sign_in_schema: &Schema) -> Map<String, Value> {
    let content = json!({ "application/json": { "schema": { "$ref": "#/components/schemas/Failure" } } });
    let response = |(status, meaning)| {
        (format!("Failure{status}"), json!({ "description": meaning, "content": content }))
    };
    let sign_in = json!({
        "description": "No user is signed in. The body describes how to sign in.",
        "content": { "application/json": { "schema": sign_in_schema } },
    });
    FAILURE_DESCRIPTIONS.map(response).into_iter().chain([("SignIn".to_owned(), sign_in)]).collect()
}

fn failure() -> Value {
    let step = json!({ "type": ["string", "integer"] });
    json!({
        "type": "object",
        "required": ["code", "message"],
        "properties": {
            "code": { "type": "string", "description": "Stable error code." },
            "message": { "type": "string", "description": "Error message." },
            "requestId": { "type": "string", "description": "Request id for finding the request in logs." },
            "error": { "type": "string", "description": "The message again, if an item was not found." },
            "name": { "enum": ["NameExistsError", "FeatureHasTagError"] },
            "permission": { "type": "string", "description": "The missing permission." },
            "isJoi": { "type": "boolean", "description": "True if there are details." },
            "details": {
                "type": "array",
                "description": format!(
                    "Validation errors: at most {MAX_LISTED_ERRORS}, and the number of further errors as the last item.",
                ),
                "maxItems": MAX_LISTED_ERRORS + 1,
                "items": {
                    "type": "object",
                    "required": ["message"],
                    "properties": {
                        "message": { "type": "string" },
                        "path": { "type": "array", "items": step },
                        "type": { "type": "string", "description": "Rule of the validation." },
                    },
                },
            },
        },
    })
}

#[test]
fn the_document_is_up_to_date() {
    generated_file::check_or_update("src/openapi/openapi.json", &format!("{:#}\n", document()));
}

#[test]
fn typescript_types_are_up_to_date() {
    generated_file::check_or_update("frontend/src/api/generated/types.ts", &types());
}
