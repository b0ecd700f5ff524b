//! The endpoints of files and plans below `/-/`. They compute a response from the body of the request and change nothing, as evaluations
//! do, and share their queue.

use actix_web::http::header::ContentType;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::review::{ReviewError, review, write_file};
use crate::console::evaluation::{Turn, too_much_work};
use crate::error::ApiError;

/// An endpoint that computes its response.
#[derive(Debug, Clone, Copy)]
pub(crate) enum FileEndpoint {
    /// `POST /-/plans`: makes a plan of files, or compares a plan with the stored toggles.
    Plans,
    /// `POST /-/files`: writes toggles as YAML.
    Files,
}

impl FileEndpoint {
    /// Responds to a request of a client whose user is verified.
    pub(crate) async fn respond(
        self,
        turn: Turn<'_>,
        request: &HttpRequest,
        body: web::Payload,
    ) -> Result<HttpResponse, ApiError> {
        let respond = move |body: &[u8], work: &mut _| match self {
            Self::Plans => match review(parse(body)?, work) {
                Ok(review) => write(&review),
                Err(ReviewError::Invalid(message)) => Err(ApiError::BadBody(message)),
                Err(ReviewError::Stopped(_)) => {
                    let message =
                        "The plan has too many changes to compare them in time. Use fewer files at once";
                    Err(too_much_work(message.to_owned()))
                }
            },
            Self::Files => write(&write_file(parse(body)?).map_err(ApiError::BadBody)?),
        };
        let json = turn.run(request, body, respond).await??;
        Ok(HttpResponse::Ok().content_type(ContentType::json()).body(json))
    }
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    let parsed = serde_json::from_slice(body);
    parsed.map_err(|cause| ApiError::BadBody(format!("The request body is not valid: {cause}")))
}

fn write(response: &impl Serialize) -> Result<Vec<u8>, ApiError> {
    serde_json::to_vec(response).map_err(ApiError::internal)
}
