//! Writes `frontend/src/api/generated/types.ts` from the wire types, or proves that it is what they say.

use ts_rs::{Config, TS};

use super::*;
use crate::console::model::{Environment, ExamplesLoaded, LoggedOut, Mode, Settings};
use crate::flags::generated_file;

const HEADER: &str = "// The wire types, written from src/flags/model/ and src/console/model.rs. Do not edit.\n\
                      // After a change there: FLAGDECK_UPDATE_TYPES=1 cargo test --lib types\n";

macro_rules! declarations {
    ($($ty:ty),+ $(,)?) => { [$(declaration::<$ty>()),+].concat() };
}

/// One exported type with its documentation as `JSDoc`.
fn declaration<T: TS>() -> String {
    let config = Config::new().with_large_int("number");
    format!("\n{}export {}\n", T::docs().unwrap_or_default(), T::decl(&config))
}

fn rendered() -> String {
    format!("{HEADER}{}", tidied(&(of_things() + &of_answers())))
}

fn of_things() -> String {
    declarations![
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
    ]
}

fn of_answers() -> String {
    declarations![
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
        Environment,
        Mode,
        LoggedOut,
        ExamplesLoaded,
    ]
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
    generated_file::hold("frontend/src/api/generated/types.ts", &rendered());
}
