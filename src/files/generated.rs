//! Generates the JSON Schemas of files and plans, or checks that they are up to date.

use schemars::generate::SchemaSettings;

use super::document::Document;
use super::plan::Plan;
use crate::generated_file;

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
