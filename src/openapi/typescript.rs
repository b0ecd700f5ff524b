//! Writes schemas of the OpenAPI document as TypeScript types.
//!
//! The console also reads responses of other flag services and of older servers. Two keywords, which the document does not contain, describe
//! them: `x-may-be` says that a property can be `absent`, `null`, or both (`absent or null`) there, and `x-typescript` names
//! the type of a property that the document describes as any value.

use serde_json::{Map, Value};

/// Keywords that restrict values in a way that these types would lose.
const UNSUPPORTED: [&str; 5] = ["allOf", "if", "not", "patternProperties", "unevaluatedProperties"];

/// Returns a declaration for each schema, with its description.
pub(super) fn declare_types(schemas: &Map<String, Value>) -> String {
    let declare =
        |(name, schema)| format!("\n{}export type {name} = {};\n", comment(schema, ""), union(schema, ""));
    schemas.iter().map(declare).collect()
}

fn comment(schema: &Value, indent: &str) -> String {
    let Some(text) = schema["description"].as_str() else { return String::new() };
    format!("{indent}/** {} */\n", text.replace('\n', &format!("\n{indent} * ")))
}

fn union(schema: &Value, indent: &str) -> String {
    alternatives(schema, indent).join(" | ")
}

fn alternatives(schema: &Value, indent: &str) -> Vec<String> {
    assert!(UNSUPPORTED.iter().all(|keyword| schema.get(keyword).is_none()), "{schema}");
    let list = |keyword: &str| schema[keyword].as_array();
    if let Some(name) = schema["x-typescript"].as_str() {
        vec![name.to_owned()]
    } else if let Some(reference) = schema["$ref"].as_str() {
        vec![reference.replace("#/components/schemas/", "")]
    } else if let Some(word) = schema.get("const") {
        vec![word.to_string()]
    } else if let Some(words) = list("enum") {
        words.iter().map(Value::to_string).collect()
    } else if let Some(parts) = list("anyOf").or_else(|| list("oneOf")) {
        parts.iter().flat_map(|part| alternatives(part, indent)).collect()
    } else if let Some(kinds) = list("type") {
        kinds.iter().map(|kind| of_kind(kind, schema, indent)).collect()
    } else {
        vec![of_kind(&schema["type"], schema, indent)]
    }
}

fn of_kind(kind: &Value, schema: &Value, indent: &str) -> String {
    let Some(kind) = kind.as_str() else { return "unknown".to_owned() };
    match kind {
        "string" | "boolean" | "null" => kind.to_owned(),
        "integer" | "number" => "number".to_owned(),
        "array" => match schema["prefixItems"].as_array() {
            Some(items) => {
                let types: Vec<_> = items.iter().map(|item| union(item, indent)).collect();
                format!("[{}]", types.join(", "))
            }
            None => format!("Array<{}>", union(&schema["items"], indent)),
        },
        "object" => match (schema["properties"].as_object(), schema.get("propertyNames")) {
            (Some(properties), _) => object(properties, &schema["required"], indent),
            (None, Some(names)) => {
                format!(
                    "{{ [key in {}]?: {} }}",
                    union(names, indent),
                    union(&schema["additionalProperties"], indent)
                )
            }
            (None, None) => {
                format!("{{ [key: string]: {} }}", union(&schema["additionalProperties"], indent))
            }
        },
        _ => panic!("{schema}"),
    }
}

/// Returns an object type. Required properties come first, in the order of their declaration.
fn object(properties: &Map<String, Value>, required: &Value, indent: &str) -> String {
    let required: Vec<_> = required.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let others = properties.keys().map(String::as_str).filter(|name| !required.contains(name));
    let inner = format!("{indent}  ");
    let to_member = |name| {
        let property = &properties[name];
        let exceptions = property["x-may-be"].as_str().unwrap_or_default();
        let is_optional = !required.contains(&name) || exceptions.contains("absent");
        let mut types = alternatives(property, &inner);
        if exceptions.contains("null") {
            types.push("null".to_owned());
        }
        let mark = if is_optional { "?" } else { "" };
        format!("{}{inner}{name}{mark}: {};\n", comment(property, &inner), types.join(" | "))
    };
    let members: String = required.iter().copied().chain(others).map(to_member).collect();
    format!("{{\n{members}{indent}}}")
}
