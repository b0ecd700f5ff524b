//! The endpoints of the console below `/-/` that the embedded flag service handles.

use actix_web::HttpResponse;

use super::auth::Author;
use super::examples;
use crate::console_api::ExamplesLoaded;
use crate::database::Database;
use crate::error::ApiError;

/// Creates the example toggles. Existing toggles are not changed.
pub(crate) async fn load_examples(author: Author, database: &Database) -> Result<HttpResponse, ApiError> {
    let created = examples::load_all(database, author).await?;
    Ok(HttpResponse::Created().json(ExamplesLoaded { created }))
}
