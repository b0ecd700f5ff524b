//! Switches a toggle on or off in the selected environment.

use actix_web::HttpResponse;
use actix_web::http::{Method, StatusCode};
use serde::Deserialize;

use super::failure::Failure;
use super::{Call, encode, scope, toggle};
use crate::error::Confirmation;

/// The strategies of a toggle in one environment.
#[derive(Deserialize)]
struct State {
    strategies: Vec<Strategy>,
}

#[derive(Deserialize)]
struct Strategy {
    /// Missing on 4.19, where strategies cannot be disabled.
    #[serde(default)]
    disabled: bool,
}

/// Switches the toggle, and responds with its new state.
///
/// Switching on makes servers add a rollout to everyone if the environment has no enabled strategy. Therefore the user
/// must confirm this.
///
/// # Errors
/// [`crate::error::ApiError::ConfirmationRequired`], and those of the requests.
pub(super) async fn switch(call: &Call, name: &str, is_on: bool) -> Result<HttpResponse, Failure> {
    let environment = call.environment()?;
    let _lock = call.locks.lock(name).await;
    let toggle = scope::toggle_path(&call.caller, &call.server, name).await?;
    let state = format!("{toggle}/environments/{}", encode(environment));
    let query = if is_on { confirm_strategies(call, &state).await? } else { "" };
    let path = format!("{state}/{}{query}", if is_on { "on" } else { "off" });
    call.caller.request(Method::POST, &path, None).await?;
    toggle::respond(call, name, StatusCode::OK).await
}

/// Checks that switching on changes no strategies, or that the user has confirmed the change. Returns the query for the
/// request.
async fn confirm_strategies(call: &Call, state: &str) -> Result<&'static str, Failure> {
    let State { strategies } = call.caller.read(state).await?;
    let (question, query) = if strategies.is_empty() {
        (Confirmation::AddRollout, "")
    } else if strategies.iter().all(|strategy| strategy.disabled) {
        (Confirmation::EnableStrategies, "?shouldActivateDisabledStrategies=true")
    } else {
        return Ok("");
    };
    call.confirm(question)?;
    Ok(query)
}
