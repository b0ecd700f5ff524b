//! `flagdeck toggle …`: lists, shows, creates, switches and archives toggles of a target.

use std::io::{self, Write as _};

use actix_web::http::{Method, StatusCode};
use serde::Serialize;
use serde_json::json;

use super::CommandError;
use super::service::{Service, path_of};
use crate::api::{ArchiveResponse, FeaturesResponse, Toggle};
use crate::cli::{NewToggleArguments, SwitchArguments, TargetArguments, ToggleCommand};
use crate::config::{Config, Settings};
use crate::terminal;

/// Output of `flagdeck toggle list --json`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ToggleList<'a> {
    /// Name of the target.
    target: &'a str,
    /// Toggles, sorted by name.
    toggles: &'a [Toggle],
}

/// Output of `flagdeck toggle show --json`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ShownToggle<'a> {
    /// Name of the target.
    target: &'a str,
    /// The toggle.
    toggle: &'a Toggle,
}

/// Output of `flagdeck toggle create`, `on`, `off` and `archive` with `--json`: one line for each toggle.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ChangedToggle<'a> {
    /// Name of the target.
    target: &'a str,
    /// Name of the toggle.
    name: &'a str,
    /// The requested change.
    action: Action,
    /// False if the toggle was in this state before.
    changed: bool,
}

/// A change of a toggle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) enum Action {
    /// The toggle is created.
    Create,
    /// The toggle is switched on.
    On,
    /// The toggle is switched off.
    Off,
    /// The toggle is archived.
    Archive,
}

pub(super) async fn run(
    command: &ToggleCommand,
    config: &Config,
    flags: &Settings,
) -> Result<(), CommandError> {
    let target = config.targets.find(command.target().to.as_deref(), flags)?;
    let service = Service::open(target, config).await?;
    let result = run_on(&service, command).await;
    service.close().await?;
    result
}

async fn run_on(service: &Service, command: &ToggleCommand) -> Result<(), CommandError> {
    match command {
        ToggleCommand::List { archived, target } => list(service, *archived, target).await,
        ToggleCommand::Show { name, target } => show(service, name, target).await,
        ToggleCommand::Create(arguments) => create(service, arguments).await,
        ToggleCommand::On(arguments) => change(service, Action::On, arguments).await,
        ToggleCommand::Off(arguments) => change(service, Action::Off, arguments).await,
        ToggleCommand::Archive(arguments) => change(service, Action::Archive, arguments).await,
    }
}

async fn list(service: &Service, is_archived: bool, arguments: &TargetArguments) -> Result<(), CommandError> {
    let toggles = if is_archived {
        service.read::<ArchiveResponse>("/archive/features").await?.features
    } else {
        service.read::<FeaturesResponse>("/features").await?.features
    };
    if arguments.json {
        return print_json(&ToggleList { target: service.name(), toggles: &toggles });
    }
    let width = toggles.iter().map(|toggle| toggle.name.chars().count()).max().unwrap_or_default();
    let describe = |toggle: &Toggle| {
        let state = if toggle.enabled { "on " } else { "off" };
        let Toggle { name, kind, project, .. } = toggle;
        let mark = if toggle.stale { "  stale" } else { "" };
        format!("{name:width$}  {state}  {kind}  {project}{mark}")
    };
    match toggles.as_slice() {
        [] if is_archived => print("There are no archived toggles"),
        [] => print("There are no toggles"),
        toggles => print(&terminal::join_lines(toggles.iter().map(describe))),
    }
}

async fn show(service: &Service, name: &str, arguments: &TargetArguments) -> Result<(), CommandError> {
    let toggle: Toggle = service.read(&path_of(name)).await.map_err(|error| name_missing(error, name))?;
    if arguments.json {
        return print_json(&ShownToggle { target: service.name(), toggle: &toggle });
    }
    let yaml = serde_saphyr::to_string(&toggle).map_err(|cause| CommandError::Failed(cause.into()))?;
    print(yaml.trim_end())
}

async fn create(service: &Service, arguments: &NewToggleArguments) -> Result<(), CommandError> {
    let NewToggleArguments { name, description, kind, project, target } = arguments;
    let mut body = json!({
        "name": name, "type": kind, "project": project, "enabled": false,
        "strategies": [{ "name": "default", "parameters": {} }],
    });
    if let (Some(description), Some(fields)) = (description, body.as_object_mut()) {
        fields.insert("description".to_owned(), description.as_str().into());
    }
    service.send(Method::POST, "/features", Some(&body)).await?;
    report(service, name, Action::Create, true, target)
}

/// Changes the toggles one after the other.
async fn change(service: &Service, action: Action, arguments: &SwitchArguments) -> Result<(), CommandError> {
    for name in &arguments.names {
        let changed = apply(service, action, name, arguments.yes).await;
        report(
            service,
            name,
            action,
            changed.map_err(|error| name_missing(error, name))?,
            &arguments.target,
        )?;
    }
    Ok(())
}

/// Changes a toggle. Returns false if it was in this state before.
async fn apply(
    service: &Service,
    action: Action,
    name: &str,
    is_confirmed: bool,
) -> Result<bool, CommandError> {
    let path = path_of(name);
    let (method, path) = match action {
        Action::Create => (Method::POST, "/features".to_owned()),
        Action::Archive => (Method::DELETE, path),
        Action::On | Action::Off => {
            let toggle: Toggle = service.read(&path).await?;
            if toggle.enabled == (action == Action::On) {
                return Ok(false);
            }
            let end = if action == Action::On { "on" } else { "off" };
            (Method::POST, format!("{path}/toggle/{end}"))
        }
    };
    service.confirm(method, &path, None, None, is_confirmed).await?;
    Ok(true)
}

/// Prints the result of a change.
fn report(
    service: &Service,
    name: &str,
    action: Action,
    changed: bool,
    arguments: &TargetArguments,
) -> Result<(), CommandError> {
    if arguments.json {
        let line = ChangedToggle { target: service.name(), name, action, changed };
        let line = serde_json::to_string(&line).map_err(|cause| CommandError::Failed(cause.into()))?;
        return writeln!(io::stdout(), "{line}").map_err(CommandError::Output);
    }
    let words = match (action, changed) {
        (Action::Create, _) => "is created, and off",
        (Action::On, true) => "is switched on",
        (Action::On, false) => "is already on",
        (Action::Off, true) => "is switched off",
        (Action::Off, false) => "is already off",
        (Action::Archive, _) => "is archived",
    };
    print(&format!("{}: {name} {words}", service.name()))
}

/// Names the toggle in the error of a target that does not know it.
fn name_missing(error: CommandError, name: &str) -> CommandError {
    match error {
        CommandError::Target(mut error) if error.status == StatusCode::NOT_FOUND => {
            error.reason = format!(
                "there is no active toggle {name:?}; flagdeck toggle list shows all, and --archived the others"
            );
            error.into()
        }
        other => other,
    }
}

fn print(text: &str) -> Result<(), CommandError> {
    terminal::print(text).map_err(CommandError::Output)
}

fn print_json(output: &impl Serialize) -> Result<(), CommandError> {
    let json = serde_json::to_string_pretty(output).map_err(|cause| CommandError::Failed(cause.into()))?;
    writeln!(io::stdout(), "{json}").map_err(CommandError::Output)
}

impl ToggleCommand {
    fn target(&self) -> &TargetArguments {
        match self {
            Self::List { target, .. } | Self::Show { target, .. } => target,
            Self::Create(arguments) => &arguments.target,
            Self::On(arguments) | Self::Off(arguments) | Self::Archive(arguments) => &arguments.target,
        }
    }
}

#[cfg(test)]
mod tests {
    use schemars::generate::SchemaSettings;
    use serde_json::json;

    use super::{ChangedToggle, ShownToggle, ToggleList};
    use crate::generated_file;

    #[test]
    fn schema_of_the_output_is_generated() {
        let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
        generator.subschema_for::<ToggleList<'_>>();
        generator.subschema_for::<ShownToggle<'_>>();
        generator.subschema_for::<ChangedToggle<'_>>();
        let outputs = ["ToggleList", "ShownToggle", "ChangedToggle"];
        let outputs = outputs.map(|name| json!({ "$ref": format!("#/$defs/{name}") }));
        let mut schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Output of flagdeck toggle with --json",
            "anyOf": outputs,
            "$defs": generator.take_definitions(true),
        });
        generated_file::remove_typescript_keywords(&mut schema);
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        generated_file::check_or_update("examples/toggle.schema.json", &text);
    }
}
