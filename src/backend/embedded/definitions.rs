//! Toggles from a file (`definitions`): reads the file at the start and after each change, and replaces the toggles of the embedded
//! flag service, which is in memory.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use actix_web::web::Data;
use sha2::{Digest as _, Sha256};
use tokio::task::spawn_blocking;
use tokio::time::{MissedTickBehavior, interval};

use super::overrides;
use crate::api::{ApiTokenDraft, SegmentFormat};
use crate::config::{Definitions, DefinitionsToken};
use crate::error::ApiError;
use crate::files::state::read_state;
use crate::flags::Flags;
use crate::flags::state::rules::{Import, parse_trusted};
use crate::flags::state::{self, ImportMode};
use crate::metrics::DefinitionsMetrics;
use crate::state_export::has_environments;

/// Interval in which changes of the file are noticed.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// Maximum size of the file in bytes. A list of 10,000 toggles takes about 6 MB.
const MAX_FILE: u64 = 64 << 20;

/// The properties of a file that a change of its content also changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Version {
    length: u64,
    changed_at: Option<SystemTime>,
    /// Seconds and nanoseconds of the last change of the file or its properties, which programs cannot set.
    status_changed_at: (i64, i64),
    /// Number of the file in its file system: a file that replaces another one can have its time.
    number: u64,
}

/// The toggles of the file, and the hash of its content.
struct Content {
    import: Import,
    hash: [u8; 32],
}

/// Reads the file, and puts its toggles and the tokens into the empty service. Returns the hash of the file.
///
/// # Errors
/// A sentence that names the file, and the place and the cause of the fault.
pub(super) async fn load(flags: &Flags, settings: &Definitions) -> Result<[u8; 32], String> {
    let hash = read_again(flags, settings, None).await?;
    let tokens = settings.tokens.clone();
    let added = flags.database.write(move |tx| {
        let actor = state::definitions_actor();
        for (index, DefinitionsToken { hash, scope }) in tokens.iter().enumerate() {
            let name = format!("{} token {}", scope.kind.as_str(), index + 1);
            let draft = ApiTokenDraft { name, scope: scope.as_ref().clone() };
            tx.insert_api_token(&draft, hash, actor.name(), actor.time())?;
        }
        Ok(())
    });
    added.await.map_err(|cause: ApiError| cause.to_string())?;
    // Before the first request: a long list takes some time.
    let prepared = flags.snapshots.for_client(SegmentFormat::Listed).await;
    prepared.map_err(|cause| cause.to_string())?;
    flags.snapshots.definitions().await.map_err(|cause| cause.to_string())?;
    Ok(hash)
}

/// Reads the file after each change until the future is dropped. `loaded` is the hash of the content that the service has.
pub(super) async fn watch(
    flags: Data<Flags>,
    settings: Definitions,
    metrics: DefinitionsMetrics,
    mut loaded: [u8; 32],
) {
    let mut ticks = interval(CHECK_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // The file may have changed since it was read.
    let mut seen = None;
    loop {
        ticks.tick().await;
        let file = settings.file.clone();
        let found = spawn_blocking(move || version_of(&file)).await;
        let found = found.unwrap_or_else(|cause| Err(cause.to_string()));
        if seen.as_ref() == Some(&found) {
            continue;
        }
        let result = match &found {
            Ok(_) => read_again(&flags, &settings, Some(loaded)).await,
            Err(fault) => Err(fault.clone()),
        };
        seen = Some(found);
        metrics.set_valid(result.is_ok());
        match result {
            Ok(hash) => loaded = hash,
            Err(cause) => tracing::error!(
                %cause,
                "definitions: the file cannot be used; SDKs get the toggles of its last valid content"
            ),
        }
    }
}

/// Reads the file without a service.
///
/// # Errors
/// As for [`load`].
pub(crate) fn check(settings: &Definitions) -> Result<usize, String> {
    let content = read(settings)?;
    Ok(content.import.features.map_or(0, |features| features.len()))
}

/// Reads the file, and replaces the toggles unless its hash is `loaded`. Returns the hash.
async fn read_again(
    flags: &Flags,
    settings: &Definitions,
    loaded: Option<[u8; 32]>,
) -> Result<[u8; 32], String> {
    let file = settings.file.display().to_string();
    let settings = settings.clone();
    let Content { import, hash } =
        spawn_blocking(move || read(&settings)).await.map_err(|cause| cause.to_string())??;
    if loaded == Some(hash) {
        return Ok(hash);
    }
    let toggles = import.features.as_ref().map_or(0, Vec::len);
    let mode = ImportMode { replace_all: true, ..ImportMode::default() };
    let replaced =
        flags.database.write(move |tx| Ok(state::import(tx, &import, mode, &state::definitions_actor())?));
    let summary = replaced.await.map_err(|cause| format!("{file}: {cause}"))?;
    let changes = summary.added + summary.updated;
    tracing::info!(file, toggles, changes, "definitions: the file was read");
    Ok(hash)
}

/// Reads and parses the file, and applies the overrides.
fn read(settings: &Definitions) -> Result<Content, String> {
    let name = settings.file.display().to_string();
    let unreadable = |cause: std::io::Error| format!("{name} cannot be read: {cause}");
    let metadata = fs::metadata(&settings.file).map_err(unreadable)?;
    if !metadata.is_file() {
        // Reading a named pipe would not end.
        return Err(format!("{name} is not a file"));
    }
    let length = metadata.len();
    if length > MAX_FILE {
        return Err(format!("{name} has {length} bytes, and the maximum is {MAX_FILE}"));
    }
    let text = fs::read_to_string(&settings.file).map_err(unreadable)?;
    let state = read_state(&name, text.trim_start_matches('\u{feff}'))?;
    let environment = settings.environment.as_deref();
    if environment.is_some() && !has_environments(&state) {
        return Err(format!(
            "{name} has no environments, and upstream-environment selects one; remove it from the settings"
        ));
    }
    let mut import = parse_trusted(&state, environment).map_err(|fault| format!("{name}: {fault}"))?;
    overrides::apply(&mut import, &settings.overrides).map_err(|fault| format!("{name}: {fault}"))?;
    Ok(Content { import, hash: Sha256::digest(&text).into() })
}

fn version_of(file: &Path) -> Result<Version, String> {
    use std::os::unix::fs::MetadataExt as _;
    let found = fs::metadata(file).map_err(|cause| format!("{} cannot be read: {cause}", file.display()))?;
    Ok(Version {
        length: found.len(),
        changed_at: found.modified().ok(),
        status_changed_at: (found.ctime(), found.ctime_nsec()),
        number: found.ino(),
    })
}
