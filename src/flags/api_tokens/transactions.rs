//! Operations on tokens. Each function runs in one transaction, which contains the change and its event.

use serde_json::json;

use crate::api::limits::MAX_API_TOKENS;
use crate::api::{ApiToken, ApiTokenDraft, Tag};
use crate::config::TokenScope;
use crate::database::Transaction;
use crate::error::ApiError;
use crate::flags::auth::token::TokenHash;
use crate::flags::events::{Actor, Entity, record_event};
use crate::flags::tags::transactions::check_type_exists;
use crate::flags::toggles::transactions::check_project_exists;

/// Creates a token, of which only the hash is stored, and returns it.
///
/// # Errors
/// [`ApiError::Conflict`] if there are too many tokens, [`ApiError::Invalid`] if a project or a tag type does not exist,
/// [`ApiError::NameTaken`] if a token has the name.
pub(crate) fn create(
    tx: &Transaction<'_>,
    draft: &ApiTokenDraft,
    hash: &TokenHash,
    actor: &Actor,
) -> Result<ApiToken, ApiError> {
    if tx.count_api_tokens()? >= MAX_API_TOKENS {
        let message = format!("There are already {MAX_API_TOKENS} API tokens, the maximum; delete one first");
        return Err(ApiError::Conflict(message));
    }
    check_references(tx, &draft.scope)?;
    let name = &draft.name;
    if !tx.insert_api_token(draft, hash, actor.name(), actor.time())? {
        let message = format!("A token with the name {name} already exists; choose another name");
        return Err(ApiError::NameTaken(message));
    }
    record_event(tx, "api-token-created", Entity::ApiToken, name, draft, actor)?;
    tx.find_api_token(name)?.ok_or_else(|| not_found(name))
}

/// Deletes a token. Requests with it are refused within a second.
pub(crate) fn delete(tx: &Transaction<'_>, name: &str, actor: &Actor) -> Result<(), ApiError> {
    if !tx.delete_api_token(name)? {
        return Err(not_found(name));
    }
    Ok(record_event(tx, "api-token-deleted", Entity::ApiToken, name, &json!({ "name": name }), actor)?)
}

/// Checks the projects and the tag types of the scope: a token with a misspelled one would see no toggles.
fn check_references(tx: &Transaction<'_>, scope: &TokenScope) -> Result<(), ApiError> {
    for project in &scope.projects {
        check_project_exists(tx, project)?;
    }
    for (kind, value) in scope.tags.iter().filter_map(|tag| tag.split_once(':')) {
        check_type_exists(tx, &Tag { kind: kind.to_owned(), value: value.to_owned() })?;
    }
    Ok(())
}

fn not_found(name: &str) -> ApiError {
    ApiError::NotFound(format!("There is no token {name}"))
}
