//! Refusals of the token of a browser or of an OpenFeature client, each with its remedy.

use actix_web::http::StatusCode;

/// The reason why a token is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TokenFault {
    /// The request has no token, or an unknown one.
    #[error(
        "Send a token in the header Authorization; create one with: flagdeck token add --name NAME --kind frontend --origin https://HOST (with an upstream, in the file of frontend-tokens)"
    )]
    Missing,
    /// The token is for servers, which must keep it secret.
    #[error(
        "This token is for servers. Pages and phones need a frontend token; create one with: flagdeck token add --name NAME --kind frontend --origin https://HOST"
    )]
    WrongKind,
    /// The token does not allow pages of the origin, or no token does.
    #[error(
        "Pages of {origin} may not use this API; create a token for them with: flagdeck token add --name NAME --kind frontend --origin {origin}"
    )]
    ForeignOrigin {
        /// The origin.
        origin: String,
    },
}

impl TokenFault {
    /// Returns the code and the status of the request.
    pub(super) fn code_and_status(&self) -> (&'static str, StatusCode) {
        match self {
            Self::Missing => ("token_missing", StatusCode::UNAUTHORIZED),
            Self::WrongKind => ("wrong_token_kind", StatusCode::FORBIDDEN),
            Self::ForeignOrigin { .. } => ("foreign_origin", StatusCode::FORBIDDEN),
        }
    }
}
