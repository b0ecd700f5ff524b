//! Switches a toggle on or off in the selected environment.

use actix_web::HttpResponse;
use actix_web::http::{Method, StatusCode};
use serde::Deserialize;

use super::failure::Failure;
use super::save::strategies::{Remaining, Strategy};
use super::{Call, encode, scope, toggle};

/// The state of a toggle in one environment.
#[derive(Deserialize)]
struct State {
    strategies: Vec<Strategy>,
}

/// Switches the toggle, and responds with its new state.
///
/// Switching on makes servers add a rollout to everyone if the environment has no enabled strategy. Therefore the user
/// must confirm this.
pub(super) async fn switch(call: &Call, name: &str, is_on: bool) -> Result<HttpResponse, Failure> {
    let environment = call.environment()?;
    let _lock = call.locks.lock(name).await;
    let switch = async |toggle: &str| {
        let state = format!("{toggle}/environments/{}", encode(environment));
        let end = if is_on {
            let State { strategies } = call.caller.read(&state).await?;
            let strategies = Remaining::of(&strategies);
            strategies.question().map_or(Ok(()), |question| call.confirm(question))?;
            strategies.switch_on()
        } else {
            "off"
        };
        call.caller.request(Method::POST, &format!("{state}/{end}"), None).await
    };
    scope::with_toggle_path(call, name, switch).await?;
    toggle::respond(call, name, StatusCode::OK).await
}
