//! `flagdeck replica …`: commands for the replica of the running server, which its listener for monitoring receives.
//!
//! The copies are in the memory of the server, so that changing the file would not remove them.

use std::time::Duration;

use actix_web::http::Method;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::CommandError;
use super::health::probe_address;
use crate::admin::PERSON;
use crate::cli::ReplicaCommand;
use crate::config::{Config, Upstream};
use crate::console_api::Purged;
use crate::journal::command_lines::operating_system_user;
use crate::sdk::replica::ReplicaStatus;
use crate::terminal::{self, Escaped};
use crate::upstream::awc_client;
use crate::upstream::error::ExchangeError;

/// A response takes milliseconds, and a write of a large file a second.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Path of the replica.
const PATH: &str = "/replica";

pub(super) async fn run(config: &Config, command: &ReplicaCommand) -> Result<(), CommandError> {
    let ReplicaCommand::Purge = command;
    let Purged { copies, fault } = send(config, Method::DELETE).await?;
    // Standard output may be closed, which is not an error.
    drop(terminal::print(&format!(
        "Removed copies: {copies}. SDKs get toggles again as soon as the upstream responds, and the status 503 until then"
    )));
    if let Some(fault) = fault {
        drop(terminal::print(&format!(
            "The copies in the database are removed as soon as it responds: {fault}"
        )));
    }
    Ok(())
}

/// Returns the user of the operating system who runs this program, as the value of a header.
fn user_name(config: &Config) -> String {
    let person = operating_system_user(config.sudo_user.as_deref());
    let name = person.name.or(person.sub).unwrap_or_default();
    name.chars().filter(|letter| letter.is_ascii_graphic() || *letter == ' ').collect()
}

/// Reads the state of the replica.
pub(super) async fn status(config: &Config) -> Result<ReplicaStatus, CommandError> {
    send(config, Method::GET).await
}

async fn send<T: DeserializeOwned>(config: &Config, method: Method) -> Result<T, CommandError> {
    send_to_admin(config, method, PATH, None).await
}

/// The body of an error.
#[derive(Deserialize)]
struct Refusal {
    message: String,
}

/// Sends a request to the listener for monitoring of the running server, in the name of the user of the operating system.
pub(super) async fn send_to_admin<T: DeserializeOwned>(
    config: &Config,
    method: Method,
    path: &str,
    body: Option<&Value>,
) -> Result<T, CommandError> {
    let address = probe_address(config.operation.admin.ok_or(CommandError::NoAdminListener)?)?;
    let server =
        Upstream::for_local_server(address, false).map_err(|error| CommandError::Failed(error.into()))?;
    let url = format!("{}{path}", server.connect_url);
    let fail = |reason: String| CommandError::Unhealthy { url: url.clone(), reason };
    let request = awc_client::for_upstream(&server).request(method, &url).timeout(TIMEOUT);
    let request = request.insert_header((PERSON, user_name(config)));
    let sent = match body {
        Some(body) => request.send_json(body),
        None => request.send(),
    };
    let mut response = sent.await.map_err(|error| fail(ExchangeError::from(error).reason()))?;
    if response.status().is_client_error()
        && let Ok(Refusal { message }) = response.json().await
    {
        // Texts of the server must not add lines.
        return Err(CommandError::Server(Escaped::line(&message).to_string()));
    }
    if !response.status().is_success() {
        return Err(fail(format!("it responds with {}", response.status())));
    }
    response.json().await.map_err(|error| fail(error.to_string()))
}
