//! A page of the operators' journal. The routes check that the user is an administrator.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};

use crate::error::{ApiError, DomainError};
use crate::journal::Journal;
use crate::journal::reader::{JournalQuery, ReadError, read_page};

/// Returns the lines that match a query.
pub(crate) async fn show(journal: &Journal, request: &HttpRequest) -> Result<HttpResponse, ApiError> {
    let query = web::Query::<JournalQuery>::from_query(request.query_string());
    let query =
        query.map_err(|fault| ApiError::invalid("query", format!("The filter is not valid: {fault}")))?;
    let Some(file) = journal.file().map(ToOwned::to_owned) else {
        let message =
            "The journal is written to standard output, where Flagdeck cannot read it; set journal to a file";
        return Err(DomainError::new("journal_not_readable", StatusCode::NOT_FOUND, message).into());
    };
    let page = web::block(move || read_page(&file, &query)).await.map_err(ApiError::internal)?;
    page.map(|page| HttpResponse::Ok().json(page)).map_err(|error| match error {
        ReadError::Replaced => {
            let message = "The journal continues in a new file. Load the newest entries again";
            DomainError::new("journal_replaced", StatusCode::GONE, message).into()
        }
        ReadError::Io(cause) => ApiError::internal(cause),
    })
}
