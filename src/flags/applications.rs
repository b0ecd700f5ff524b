//! What can be asked about the applications that reported, and said about them.

use super::model::{Application, ApplicationLinks, MaybeMissing};
use super::store::{ApplicationTexts, Session};
use crate::error::ApiError;

/// One application with its instances, its strategies and the toggles that it asked for.
///
/// # Errors
/// [`ApiError::NotFound`].
pub fn find(session: &Session<'_>, name: &str) -> Result<Application, ApiError> {
    let application = session.application(name)?.ok_or_else(not_found)?;
    let mut strategies = Vec::new();
    for strategy in application.strategies {
        strategies.push(MaybeMissing::or_missing(session.strategy(&strategy)?, strategy));
    }
    let mut seen_toggles = Vec::new();
    for toggle in session.toggles_used_by(name)? {
        seen_toggles.push(MaybeMissing::or_missing(session.toggle(&toggle)?, toggle));
    }
    Ok(Application {
        links: ApplicationLinks { page: format!("/applications/{}", application.app_name) },
        app_name: application.app_name,
        created_at: application.created_at,
        description: application.description,
        url: application.url,
        color: application.color,
        icon: application.icon,
        strategies,
        instances: session.instances(name)?,
        seen_toggles,
    })
}

/// Says something about an application.
///
/// # Errors
/// [`ApiError::NotFound`].
pub fn describe(session: &Session<'_>, name: &str, texts: &ApplicationTexts) -> Result<(), ApiError> {
    if session.describe_application(name, texts)? { Ok(()) } else { Err(not_found()) }
}

fn not_found() -> ApiError {
    ApiError::NotFound("Could not find application".to_owned())
}
