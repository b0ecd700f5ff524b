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
    let acceptance = match sessions.verify_profile(caller, user).await {
        Err(failure) if !failure.has_status(401) && !failure.has_status(403) => {
            return Err(unverified().into());
        }
        result => result?,
    };
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

fn unverified() -> ApiError {
    let message = "Flagdeck cannot verify your permissions, because the flag service does not respond and has not reported them \
                   before. Run `flagdeck hold` on the machine of Flagdeck";
    DomainError::new("editor_unverified", StatusCode::SERVICE_UNAVAILABLE, message).into()
}
