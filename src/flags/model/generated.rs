//! Writes `frontend/src/api/generated/types.ts` from the wire types, or proves that it is what they say.

use std::path::Path;
use std::{env, fs};

use ts_rs::{Config, TS};

use super::*;
use crate::console::model::{ExamplesLoaded, LoggedOut, Mode, Settings};

const FILE: &str = "frontend/src/api/generated/types.ts";
const UPDATE: &str = "FLAGDECK_UPDATE_TYPES";
const HEADER: &str = "// The wire types, written from src/flags/model/ and src/console/model.rs. Do not edit.\n\
                      // After a change there: FLAGDECK_UPDATE_TYPES=1 cargo test --lib types\n";

macro_rules! declarations {
    ($($ty:ty),+ $(,)?) => { vec![$(declaration::<$ty>()),+] };
}

/// One exported type with its documentation as `JSDoc`.
fn declaration<T: TS>() -> String {
    let config = Config::new().with_large_int("number");
    format!("\n{}export {}\n", T::docs().unwrap_or_default(), T::decl(&config))
}

fn rendered() -> String {
    let declarations = declarations![
        Toggle,
        ToggleDraft,
        Strategy,
        Constraint,
        ConstraintOperator,
        Variant,
        WeightType,
        Payload,
        PayloadType,
        Override,
        FeatureType,
        StrategyDefinition,
        ParameterDefinition,
        ParameterType,
        ContextField,
        Project,
        Tag,
        TagType,
        Addon,
        AddonDraft,
        AddonProvider,
        AddonParameter,
        Event,
        Diff,
        ArrayChange,
        PathStep,
        ToggleMetrics,
        Counts,
        SeenApp,
        Application,
        Known<StrategyDefinition>,
        Missing,
        Instance,
        ApplicationLinks,
        UiConfig,
        VersionInfo,
        Versions,
        Link,
        User,
        Permission,
        UserAnswer,
        AuthDetails,
        AuthOption,
        FeaturesAnswer,
        ArchiveAnswer,
        FeatureTypesAnswer,
        StrategiesAnswer,
        ProjectsAnswer,
        ApplicationsAnswer,
        TagTypesAnswer,
        TagTypeAnswer,
        TagsAnswer,
        AddonsAnswer,
        EventsAnswer,
        ToggleEventsAnswer,
        ErrorBody,
        ErrorDetail,
        Settings,
        Mode,
        LoggedOut,
        ExamplesLoaded,
    ];
    format!("{HEADER}{}", tidied(&declarations.concat()))
}

/// Short comments on one line, members indented, no blanks at line ends: made to be read.
fn tidied(source: &str) -> String {
    let mut inside = false;
    let mut tidied = String::new();
    for line in source.replace("/**\n * ", "/** ").replace("\n */", " */").lines().map(str::trim_end) {
        let indent = if inside { "  " } else { "" };
        inside = (inside || line.starts_with("export ")) && !line.ends_with(';');
        tidied += indent;
        tidied += &line.replace(", };", ",\n};");
        tidied.push('\n');
    }
    tidied
}

#[test]
fn types_of_the_console_are_those_of_the_service() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    let rendered = rendered();
    if env::var_os(UPDATE).is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &rendered).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == rendered,
        "{FILE} is not what the Rust types say: run `{UPDATE}=1 cargo test --lib types` and commit the file"
    );
}
