//! `flagdeck replica …`: commands for the replica of the running server, which its listener for monitoring receives.
//!
//! The copies are in the memory of the server, so that changing the file would not remove them.

use std::time::Duration;

use actix_web::http::Method;
use serde::de::DeserializeOwned;

use super::CommandError;
use super::health::probe_address;
use crate::cli::ReplicaCommand;
use crate::config::{Config, Upstream};
use crate::console_api::Purged;
use crate::sdk::replica::ReplicaStatus;
use crate::terminal;
use crate::upstream::awc_client;
use crate::upstream::error::ExchangeError;

/// A response takes milliseconds, and a write of a large file a second.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Path of the replica.
const PATH: &str = "/replica";

pub(super) async fn run(config: &Config, command: &ReplicaCommand) -> Result<(), CommandError> {
    let ReplicaCommand::Purge = command;
    let Purged { copies } = send(config, Method::DELETE).await?;
    // Standard output may be closed, which is not an error.
    drop(terminal::print(&format!("Removed copies: {copies}. SDKs get toggles again from the upstream")));
    Ok(())
}

/// Reads the state of the replica.
pub(super) async fn status(config: &Config) -> Result<ReplicaStatus, CommandError> {
    send(config, Method::GET).await
}

async fn send<T: DeserializeOwned>(config: &Config, method: Method) -> Result<T, CommandError> {
    let address = probe_address(config.operation.admin.ok_or(CommandError::NoAdminListener)?)?;
    let server =
        Upstream::for_local_server(address, false).map_err(|error| CommandError::Failed(error.into()))?;
    let url = format!("{}{PATH}", server.connect_url);
    let fail = |reason: String| CommandError::Unhealthy { url: url.clone(), reason };
    let request = awc_client::for_upstream(&server).request(method, &url).timeout(TIMEOUT).send();
    let mut response = request.await.map_err(|error| fail(ExchangeError::from(error).reason()))?;
    if !response.status().is_success() {
        return Err(fail(format!("it responds with {}", response.status())));
    }
    response.json().await.map_err(|error| fail(error.to_string()))
}
