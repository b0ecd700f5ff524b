//! `flagdeck drift`: differences between the toggles of several flag services and files.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use actix_web::http::StatusCode;
use bytes::Bytes;
use futures_util::future::try_join_all;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;

use super::CommandError;
use super::file_source::{FileSource, is_file_target, read_source, read_texts};
use super::files::{CHANGES, MAX_READING, find_segments};
use super::progress::Progress;
use super::service::{Service, path_of};
use crate::cli::DriftArguments;
use crate::config::{Config, Settings, redact_location};
use crate::evaluation::{RawToggles, SegmentDefinition};
use crate::files::drift::{Drift, Snapshot, SourceKind};
use crate::terminal;

/// Path of the toggles for client libraries.
const CLIENT_PATH: &str = "/api/client/features";

/// A toggle in a list.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    name: String,
    /// Only in the lists of servers with environments, which have no strategies.
    #[serde(default)]
    strategies_known: Option<bool>,
    #[serde(default)]
    strategies: Vec<RowStrategy>,
}

#[derive(Deserialize)]
struct RowStrategy {
    /// Unleash 4 has ids of strategies, and its lists contain the strategies in no order.
    #[serde(default)]
    id: Option<IgnoredAny>,
}

impl Row {
    /// Returns true if only the toggle's own endpoint has its strategies in their order.
    fn is_incomplete(&self) -> bool {
        let has_ids = || self.strategies.iter().any(|strategy| strategy.id.is_some());
        self.strategies_known.is_some() || (self.strategies.len() > 1 && has_ids())
    }
}

pub(super) async fn run(
    arguments: &DriftArguments,
    config: &Config,
    flags: &Settings,
) -> Result<ExitCode, CommandError> {
    let mut targets = arguments.targets.clone();
    targets.sort();
    if let Some([name, _]) = targets.array_windows().find(|[one, other]| one == other) {
        let name = redact_location(name);
        return Err(CommandError::Files(format!("{name} is named twice; compare different targets")));
    }
    let read = |name: &String| read_target(name.clone(), arguments, config, flags);
    let snapshots = try_join_all(arguments.targets.iter().map(read)).await?;
    let drift = Drift::new(&snapshots);
    if arguments.json {
        let json =
            serde_json::to_string_pretty(&drift).map_err(|cause| CommandError::Failed(cause.into()))?;
        writeln!(io::stdout(), "{}", terminal::escape_json(&json)).map_err(CommandError::Output)?;
    } else {
        terminal::print(&drift.to_text()).map_err(CommandError::Output)?;
    }
    Ok(if drift.toggles.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(CHANGES) })
}

async fn read_target(
    name: String,
    arguments: &DriftArguments,
    config: &Config,
    flags: &Settings,
) -> Result<Snapshot, CommandError> {
    if !config.targets.contains(&name) && is_file_target(Path::new(&name)) {
        return read_file_target(&name, arguments.environment.as_deref());
    }
    let service = Service::open(config.targets.find(Some(&name), flags)?, config).await?;
    let snapshot = read_service(&service).await;
    service.close().await?;
    snapshot
}

fn read_file_target(name: &str, environment: Option<&str>) -> Result<Snapshot, CommandError> {
    match read_source(read_texts(&[name.into()])?, environment)? {
        FileSource::Export(export, _) => {
            let kind = if export.is_client_format { SourceKind::Client } else { SourceKind::Server };
            let mut snapshot = Snapshot::new(name, kind);
            for toggle in &export.toggles {
                snapshot.add(name_of(toggle), toggle, &export.segments);
            }
            Ok(snapshot)
        }
        FileSource::Document(document, _) => {
            let mut snapshot = Snapshot::new(name, SourceKind::Files);
            for (toggle, file) in &document.toggles {
                let value = serde_json::to_value(file).map_err(|cause| CommandError::Failed(cause.into()))?;
                snapshot.add(toggle, &value, &[]);
            }
            Ok(snapshot)
        }
    }
}

fn name_of(toggle: &Value) -> &str {
    toggle.get("name").and_then(Value::as_str).unwrap_or_default()
}

/// Reads the admin API, or the API for client libraries if the credential is that of a client library.
async fn read_service(service: &Service) -> Result<Snapshot, CommandError> {
    let refusal = match service.read_bytes("/features").await {
        Ok(list) => return read_admin(service, &list).await,
        Err(CommandError::Target(refusal)) if is_foreign(refusal.status) => refusal,
        Err(error) => return Err(error),
    };
    match service.read_for_clients(CLIENT_PATH).await {
        Ok(body) => {
            let mut snapshot = Snapshot::new(service.name(), SourceKind::Client);
            let list: RawToggles<'_> = service.parse(&body, CLIENT_PATH)?;
            let segments = list.segments().map_err(|cause| service.not_understood(CLIENT_PATH, &cause))?;
            for toggle in list.features {
                add(service, &mut snapshot, toggle, &segments)?;
            }
            Ok(snapshot)
        }
        Err(CommandError::Target(error)) if is_foreign(error.status) => Err(refusal.into()),
        Err(error) => Err(error),
    }
}

/// Returns true if the server has no admin API for the credential.
fn is_foreign(status: StatusCode) -> bool {
    matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::NOT_FOUND)
}

async fn read_admin(service: &Service, list: &Bytes) -> Result<Snapshot, CommandError> {
    let mut snapshot = Snapshot::new(service.name(), SourceKind::Server);
    let segments = find_segments(service).await?;
    let RawToggles { features, .. }: RawToggles<'_> = service.parse(list, "/features")?;
    let mut incomplete = Vec::new();
    for toggle in features {
        let row: Row = service.parse(toggle.get().as_bytes(), "/features")?;
        if row.is_incomplete() {
            incomplete.push(row.name);
        } else {
            add(service, &mut snapshot, toggle, &segments)?;
        }
    }
    let progress = Progress::new(service.name(), "read", incomplete.len());
    let read = async |name: &String| {
        let body = service.read_bytes(&path_of(name)).await;
        progress.advance();
        body
    };
    let mut bodies = stream::iter(&incomplete).map(read).buffered(MAX_READING);
    while let Some(body) = bodies.try_next().await? {
        let toggle: &RawValue = service.parse(&body, "/features")?;
        add(service, &mut snapshot, toggle, &segments)?;
    }
    Ok(snapshot)
}

fn add(
    service: &Service,
    snapshot: &mut Snapshot,
    toggle: &RawValue,
    segments: &[SegmentDefinition],
) -> Result<(), CommandError> {
    let toggle: Value = service.parse(toggle.get().as_bytes(), "/features")?;
    snapshot.add(name_of(&toggle), &toggle, segments);
    Ok(())
}

#[cfg(test)]
mod tests {
    use schemars::generate::SchemaSettings;

    use super::Drift;
    use crate::generated_file;

    #[test]
    fn schema_of_differences_is_generated() {
        let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
        let schema = generator.into_root_schema_for::<Drift>();
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        generated_file::check_or_update("examples/drift.schema.json", &text);
    }
}
