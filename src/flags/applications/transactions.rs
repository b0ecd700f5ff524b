//! Operations on applications that reported usage.

use std::collections::BTreeMap;

use super::rules::ApplicationTexts;
use super::seen_apps::ToggleUse;
use crate::api::{Application, ApplicationLinks, ApplicationToggles, MaybeMissing};
use crate::database::Transaction;
use crate::error::ApiError;

/// The maximum number of listed instances of an application; those with the newest reports are listed.
pub(super) const MAX_LISTED_INSTANCES: u32 = 2_000;

/// Returns an application with its instances, its strategies and the toggles that it uses.
pub(crate) fn find(tx: &Transaction<'_>, name: &str) -> Result<Application, ApiError> {
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

/// Returns the applications that reported evaluations with the names of their toggles, sorted by name.
pub(crate) fn list_seen_toggles(tx: &Transaction<'_>) -> Result<Vec<ApplicationToggles>, ApiError> {
    let evaluations = tx.sum_evaluations()?;
    let mut applications: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for ToggleUse { toggle, application, .. } in tx.list_toggle_uses()? {
        applications.entry(application).or_default().push(toggle);
    }
    let applications = applications.into_iter().map(|(app_name, seen_toggles)| {
        let metrics_count = evaluations.get(&app_name).copied().unwrap_or_default();
        ApplicationToggles { app_name, seen_toggles, metrics_count }
    });
    Ok(applications.collect())
}

/// Updates the texts of an application.
pub(crate) fn update_texts(
    tx: &Transaction<'_>,
    name: &str,
    texts: &ApplicationTexts,
) -> Result<(), ApiError> {
    if tx.update_application_texts(name, texts)? { Ok(()) } else { Err(not_found()) }
}

fn not_found() -> ApiError {
    ApiError::NotFound("Could not find application".to_owned())
}
