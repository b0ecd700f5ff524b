//! Operations on applications that reported usage.

use super::rules::ApplicationTexts;
use crate::error::ApiError;
use crate::flags::database::Transaction;
use crate::flags::model::{Application, ApplicationLinks, MaybeMissing};

/// The maximum number of listed instances of an application; those with the newest reports are listed.
pub(super) const MAX_LISTED_INSTANCES: u32 = 2_000;

/// Returns an application with its instances, its strategies and the toggles that it uses.
///
/// # Errors
/// [`ApiError::NotFound`] if it does not exist.
pub fn find(tx: &Transaction<'_>, name: &str) -> Result<Application, ApiError> {
    let application = tx.find_application(name)?.ok_or_else(not_found)?;
    let mut strategies = Vec::new();
    for strategy in application.strategies {
        strategies.push(MaybeMissing::or_missing(tx.find_strategy(&strategy)?, strategy));
    }
    let mut seen_toggles = Vec::new();
    for toggle in tx.list_toggles_used_by(name)? {
        seen_toggles.push(MaybeMissing::or_missing(tx.find_toggle(&toggle)?, toggle));
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
        instances: tx.list_newest_instances(name, MAX_LISTED_INSTANCES)?,
        seen_toggles,
    })
}

/// Updates the texts of an application.
///
/// # Errors
/// [`ApiError::NotFound`] if it does not exist.
pub fn update_texts(tx: &Transaction<'_>, name: &str, texts: &ApplicationTexts) -> Result<(), ApiError> {
    if tx.update_application_texts(name, texts)? { Ok(()) } else { Err(not_found()) }
}

fn not_found() -> ApiError {
    ApiError::NotFound("Could not find application".to_owned())
}
