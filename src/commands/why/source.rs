//! Reads toggles from a file, from a flag service, from the flight recorder, or from the database of the settings.

use std::fs;

use actix_web::http::StatusCode;
use actix_web::http::header;
use jiff::Timestamp;
use serde_json::from_slice;

use super::super::{CommandError, hold, open_existing_store, recorder};
use super::environments::{self, EnvironmentError};
use crate::api::past::{apply_holds, find_past_holds};
use crate::cli::WhyArguments;
use crate::config::{Config, Settings, Upstream};
use crate::evaluation::Definitions;
use crate::evaluation::reason::PastHold;
use crate::flags::toggles::list::definitions_json;
use crate::hold::UpstreamHolds;
use crate::hold::words::describe_past;
use crate::recorder::reader::{PastTime, Selection};
use crate::state_export::has_environments;
use crate::upstream::awc_client;
use crate::upstream::error::ExchangeError;

/// Path of the toggles for client libraries.
const PATH: &str = "/api/client/features";
/// Maximum size of the response in bytes.
const MAX_RESPONSE: usize = 256 << 20;

/// Toggles, and the time of their evaluation.
pub(super) struct Source {
    pub(super) definitions: Definitions,
    pub(super) time: Timestamp,
    /// The recorded state that the toggles come from.
    pub(super) recording: Option<PastTime>,
    /// Sentences about the holds of the evaluated toggle.
    pub(super) holds: Vec<String>,
}

pub(super) async fn read(
    arguments: &WhyArguments,
    config: &Config,
    flags: &Settings,
) -> Result<Source, CommandError> {
    if let Some(at) = arguments.at {
        let selection =
            Selection { scope: arguments.scope.clone(), environment: arguments.environment.clone() };
        let state = recorder::read(config, |reader| reader.state_at(Some(at), &selection))?;
        let json = serde_json::to_vec(&state).map_err(|cause| CommandError::Failed(cause.into()))?;
        let mut definitions = parse("the flight recorder", &json)?;
        let environment = state.recording.scope.environment.as_deref();
        let holds = read_holds(config, &arguments.name, environment, at).await;
        apply_holds(&mut definitions, &holds);
        let holds = describe_holds(&holds);
        return Ok(Source { definitions, time: at, recording: Some(state.recording), holds });
    }
    let time = Timestamp::now();
    let (definitions, holds) = read_current(arguments, config, flags, time).await?;
    Ok(Source { definitions, time, recording: None, holds })
}

/// Returns the holds of a toggle at a time, as far as the running server knows them.
async fn read_holds(config: &Config, name: &str, environment: Option<&str>, at: Timestamp) -> Vec<PastHold> {
    let list = hold::find_list(config).await;
    list.map(|list| find_past_holds(&list, (at, at), environment, |toggle| toggle == name))
        .unwrap_or_default()
}

fn describe_holds(holds: &[PastHold]) -> Vec<String> {
    holds.iter().map(|hold| describe_past(hold, "is")).collect()
}

async fn read_current(
    arguments: &WhyArguments,
    config: &Config,
    flags: &Settings,
    time: Timestamp,
) -> Result<(Definitions, Vec<String>), CommandError> {
    if let Some(file) = &arguments.state {
        let json = fs::read(file).map_err(|cause| CommandError::File { path: file.clone(), cause })?;
        return Ok((parse_file(&file.display().to_string(), &json, arguments)?, Vec::new()));
    }
    if let Some(url) = &arguments.to {
        let upstream = Upstream::for_url(flags, url).map_err(|error| CommandError::Failed(error.into()))?;
        let (definitions, holds) = fetch(&upstream).await?;
        let is_held = holds.may_contain(&arguments.name);
        let holds = is_held.then(|| describe_remote_hold(&arguments.name, &upstream));
        return Ok((definitions, holds.into_iter().collect()));
    }
    let json = open_existing_store(config)?.read(definitions_json)?;
    let holds = read_holds(config, &arguments.name, None, time).await;
    Ok((parse("the database", &json)?, describe_holds(&holds)))
}

/// Describes the hold of a toggle that another Flagdeck serves. Its response names only the toggle.
fn describe_remote_hold(name: &str, server: &Upstream) -> String {
    format!(
        "{name} is held off for SDKs by the Flagdeck at {}, and can be another at the flag service; flagdeck hold list on its machine says by whom and until when",
        server.authority
    )
}

/// Parses a file, which can be an export of a server with environments.
fn parse_file(origin: &str, json: &[u8], arguments: &WhyArguments) -> Result<Definitions, CommandError> {
    let environment = arguments.environment.as_deref();
    let selected = match from_slice(json) {
        Ok(export) if has_environments(&export) => {
            environments::select(&export, &arguments.name, environment)
        }
        Ok(_) if environment.is_some() => Err(EnvironmentError::None),
        Ok(_) | Err(_) => return parse(origin, json),
    };
    let selected =
        selected.map_err(|cause| CommandError::Environment { origin: origin.to_owned(), cause })?;
    let json = serde_json::to_vec(&selected).map_err(|cause| CommandError::Failed(cause.into()))?;
    parse(origin, &json)
}

fn parse(origin: &str, json: &[u8]) -> Result<Definitions, CommandError> {
    from_slice(json).map_err(|cause| CommandError::NoToggles { origin: origin.to_owned(), cause })
}

async fn fetch(upstream: &Upstream) -> Result<(Definitions, UpstreamHolds), CommandError> {
    // awc 3.11 panics while it builds a TLS connector if no provider is installed.
    drop(rustls::crypto::ring::default_provider().install_default());
    let url = format!("{}{}{PATH}", upstream.origin, upstream.path);
    let failed = |reason: String| CommandError::Unhealthy { url: url.clone(), reason };
    let mut request = awc_client::for_upstream(upstream)
        .get(format!("{}{}{PATH}", upstream.connect_url, upstream.path))
        .insert_header((header::HOST, upstream.authority.as_str()))
        .insert_header((header::ACCEPT, "application/json"));
    for (name, value) in &upstream.added_headers {
        request = request.insert_header((name.clone(), value.clone()));
    }
    let seconds = upstream.head_timeout.as_secs_f64();
    let late = |_elapsed| failed(format!("no response within {seconds} s"));
    let mut response = tokio::time::timeout(upstream.head_timeout, request.send())
        .await
        .map_err(late)?
        .map_err(|error| failed(ExchangeError::from(error).reason()))?;
    match response.status() {
        StatusCode::OK => {}
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            let remedy = "send the token of a client library: --upstream-header Authorization=@FILE";
            return Err(failed(format!("it responds with {}; {remedy}", response.status())));
        }
        status => return Err(failed(format!("it responds with {status}"))),
    }
    let holds = UpstreamHolds::from_headers(response.headers());
    let body = tokio::time::timeout(upstream.head_timeout, response.body().limit(MAX_RESPONSE))
        .await
        .map_err(late)?
        .map_err(|error| failed(error.to_string()))?;
    Ok((parse(&url, &body)?, holds))
}
