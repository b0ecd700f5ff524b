//! A page of the operators' journal. The routes check that the user is an administrator.

use actix_web::{HttpRequest, HttpResponse, web};

use crate::error::ApiError;
use crate::journal::reader::{JournalQuery, LineSource, ReadError, read_page};
use crate::journal::{Journal, Refusal};

/// Returns the lines that match a query.
pub(crate) async fn show(journal: &Journal, request: &HttpRequest) -> Result<HttpResponse, ApiError> {
    let query = web::Query::<JournalQuery>::from_query(request.query_string());
    let query =
        query.map_err(|fault| ApiError::invalid("query", format!("The filter is not valid: {fault}")))?;
    let file = match query.source {
        LineSource::Requests => journal.file().map(ToOwned::to_owned),
        LineSource::Commands => journal.commands_file(),
    };
    let Some(file) = file else {
        return Err(Refusal::NotReadable.into());
    };
    let page = web::block(move || read_page(&file, &query)).await.map_err(ApiError::internal)?;
    page.map(|page| HttpResponse::Ok().json(page)).map_err(|error| match error {
        ReadError::Replaced => Refusal::Replaced.into(),
        ReadError::Io(cause) => ApiError::internal(cause),
    })
}
