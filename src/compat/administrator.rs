//! Verifies that a user is an administrator of the flag service, for changes of Flagdeck's own state.

use actix_web::http::StatusCode;
use serde_json::Value;

use super::caller::Caller;
use super::failure::{Failure, admin_only};
use super::permissions;
use super::sessions::Acceptance;
use crate::error::{ApiError, DomainError};

/// The operation of an administrator, for the texts of errors.
#[derive(Debug, Clone, Copy)]
pub(crate) enum AdministratorPurpose {
    /// Removing the copies of the replica.
    RemoveCopies,
    /// Reading the journal.
    ReadJournal,
}

impl AdministratorPurpose {
    /// Returns the error for users who are no administrators.
    fn refusal(self) -> &'static str {
        match self {
            Self::RemoveCopies => {
                "Only administrators of the flag service can remove the copies. Sign in as an administrator, or run `flagdeck replica purge` on the machine of Flagdeck"
            }
            Self::ReadJournal => {
                "Only administrators of the flag service can read the journal. Sign in as an administrator, or read the file on the machine of Flagdeck"
            }
        }
    }

    /// Returns the operation without the flag service.
    fn alternative(self) -> &'static str {
        match self {
            Self::RemoveCopies => "run `flagdeck replica purge` on the machine of Flagdeck",
            Self::ReadJournal => "read the file of the journal on the machine of Flagdeck",
        }
    }
}

/// Succeeds if the flag service accepts the user's credentials and reports that the user is an administrator.
///
/// # Errors
/// The response of the flag service if the user must sign in. Other errors if the user is no administrator, or if the flag
/// service does not respond.
pub(super) async fn verify(caller: &Caller, purpose: AdministratorPurpose) -> Result<(), Failure> {
    match caller.read::<Value>("/user").await {
        Ok(user) if is_administrator(&user) => Ok(()),
        Err(failure) if failure.has_status(401) => Err(failure),
        Err(failure) if !failure.is_refusal() => {
            let message = format!(
                "Flagdeck cannot verify that you are an administrator: {}. Without the flag service, {}",
                failure.message(),
                purpose.alternative()
            );
            let status = StatusCode::SERVICE_UNAVAILABLE;
            Err(ApiError::from(DomainError::new("admin_unverified", status, message)).into())
        }
        Ok(_) | Err(_) => Err(admin_only(purpose.refusal()).into()),
    }
}

/// Succeeds if the user may read the records of toggles: the flag service describes an administrator, who can see all projects, or
/// requires no sign-in. While it does not respond, its last response counts.
///
/// # Errors
/// The response of the flag service if the user must sign in. Other errors if the user is no administrator, or if that is not known.
pub(super) fn verify_reader(acceptance: &Acceptance) -> Result<(), Failure> {
    match acceptance.profile() {
        Some(profile) if profile.is_administrator() => Ok(()),
        None if !acceptance.is_verified => Ok(()),
        Some(_) => {
            let refusal = "Only administrators of the flag service can see earlier states, which contain the toggles of all \
                           projects. Sign in as an administrator, or run `flagdeck changes` on the machine of Flagdeck";
            Err(admin_only(refusal).into())
        }
        None => {
            let message = "Flagdeck cannot verify that you are an administrator, because the flag service has not described you. \
                           Run `flagdeck changes` on the machine of Flagdeck";
            let status = StatusCode::SERVICE_UNAVAILABLE;
            Err(ApiError::from(DomainError::new("admin_unverified", status, message)).into())
        }
    }
}

/// Returns true if the response to `GET user` contains the permission ADMIN without limits. Old servers have no
/// permissions: every user is an administrator. A response without a user is not from such a server.
fn is_administrator(user: &Value) -> bool {
    let list = [user.get("permissions"), user.pointer("/user/permissions")];
    match list.into_iter().flatten().find(|list| !list.is_null()) {
        Some(list) => list.as_array().is_some_and(|list| list.iter().any(permissions::is_admin)),
        None => ["user", "email", "username"].iter().any(|field| user.get(field).is_some()),
    }
}
