//! Generates the JSON Schemas of files and plans, and the table of refusals, or checks that they are up to date.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use schemars::generate::SchemaSettings;
use serde_json::Value;

use super::document::Document;
use super::notation::{BOOLEANS, NUMBERS};
use super::plan::Plan;
use crate::flags::auth::PasswordRefusal;
use crate::generated_file;
use crate::{journal, sign_in};

const REFUSALS: &str = "# Codes of refused sign-ins and of the journal

The response names the code, and its message says what to do. For sign-ins, the log has a line with the code and the details, without
secrets. Generated from `src/sign_in/refusal.rs` and `src/journal/refusal.rs`; after a change there: `make types`.

| code | status | message with the remedy |
|---|---|---|
";

#[test]
fn table_of_refusals_is_generated() {
    let sign_in = sign_in::Refusal::ALL.iter().map(|refusal| refusal.properties());
    let passwords = PasswordRefusal::ALL.iter().map(|refusal| refusal.properties());
    let journal = journal::Refusal::ALL.iter().map(|refusal| refusal.properties());
    let mut table = REFUSALS.to_owned();
    for (code, status, message) in sign_in.chain(passwords).chain(journal) {
        writeln!(table, "| `{code}` | {} | {message} |", status.as_u16()).unwrap();
    }
    generated_file::check_or_update("examples/refusals.md", &table);
}

#[test]
fn schemas_of_files_and_plans_are_generated() {
    let files =
        SchemaSettings::draft2020_12().for_deserialize().into_generator().into_root_schema_for::<Document>();
    let plan = SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<Plan>();
    for (file, schema) in [("src/files/files.schema.json", files), ("examples/plan.schema.json", plan)] {
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        generated_file::check_or_update(file, &text);
    }
}

/// Adds the names of the properties with this type, and of the lists of such values.
fn collect_properties(schema: &Value, kind: &str, names: &mut BTreeSet<String>) {
    let is_kind = |schema: &Value| {
        let types = &schema["type"];
        types == kind || types.as_array().is_some_and(|types| types.contains(&kind.into()))
    };
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        if is_kind(property) || is_kind(&property["items"]) {
            names.insert(name.clone());
        }
    }
    for definition in schema["$defs"].as_object().into_iter().flat_map(|definitions| definitions.values()) {
        collect_properties(definition, kind, names);
    }
}

#[test]
fn texts_are_refused_in_all_booleans_and_numbers() {
    let schema = serde_json::from_str(super::SCHEMA).unwrap();
    for (kind, known) in [("boolean", &BOOLEANS[..]), ("integer", &NUMBERS)] {
        let mut names = BTreeSet::new();
        collect_properties(&schema, kind, &mut names);
        assert!(names.iter().eq(known), "{kind}: {names:?}");
    }
}
