//! Verifies that a user may update toggles, for holds: also during an outage, with what the flag service reported before.

use actix_web::http::StatusCode;

use super::caller::Caller;
use super::failure::Failure;
use super::sessions::Sessions;
use super::user_key::UserKey;
use crate::error::{ApiError, DomainError};

/// Returns the name of the user, who may update the toggles of the project; empty if the flag service requires no sign-in. Without
/// a project, the user must be allowed to update those of all projects.
///
/// # Errors
/// The response of the flag service if the user must sign in. Other errors if the user may not, or if that is not known.
pub(super) async fn verify(
    sessions: &Sessions,
    caller: &Caller,
    user: UserKey,
    project: Option<&str>,
) -> Result<String, Failure> {
    // A permission that the flag service has withdrawn must not count for as long as a session is remembered.
    let acceptance = replace_outage(sessions.ask_profile(caller, user).await)?;
    match acceptance.profile() {
        Some(profile) if profile.may_update(project) => Ok(profile.name.clone()),
        Some(_) => {
            let projects = project.map_or_else(
                || {
                    "all projects, because no SDK has requested the toggle, so that its project is unknown"
                        .to_owned()
                },
                |project| format!("the project {project}"),
            );
            let message = format!(
                "You need the permission UPDATE_FEATURE of the flag service for {projects}. Or run `flagdeck hold` on the machine of Flagdeck"
            );
            Err(ApiError::from(DomainError::new("forbidden", StatusCode::FORBIDDEN, message)).into())
        }
        None if !acceptance.is_verified => Ok(String::new()),
        None => Err(unverified().into()),
    }
}

/// Replaces the failure of a flag service that does not respond by an error that names the remedy.
pub(super) fn replace_outage<T>(acceptance: Result<T, Failure>) -> Result<T, Failure> {
    match acceptance {
        Err(failure) if !matches!(failure.status(), StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) => {
            Err(unverified().into())
        }
        result => result,
    }
}

fn unverified() -> ApiError {
    let message = "Flagdeck cannot verify your permissions, because the flag service does not respond and has not reported them \
                   before. Run `flagdeck hold` on the machine of Flagdeck";
    DomainError::new("editor_unverified", StatusCode::SERVICE_UNAVAILABLE, message).into()
}
