//! Endpoints of tokens.
//!
//! The list requires no permission, as every list: it contains no secrets, and nothing that the history does not show.

use super::handlers;
use crate::api::{ApiTokenDraft, ApiTokensResponse, CreatedApiToken, DeletedApiToken};
use crate::flags::auth::Permission::{CreateApiToken, DeleteApiToken};
use crate::flags::endpoint::{Endpoint, delete, get, post};

pub(in crate::flags) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/api-tokens", handlers::list)
            .summary("List the tokens of SDKs, without their secrets")
            .returns::<ApiTokensResponse>(200),
        post("/api-tokens", CreateApiToken, handlers::create)
            .summary("Create a token for SDKs; only this response contains its secret")
            .body::<ApiTokenDraft>()
            .returns::<CreatedApiToken>(201)
            .fails_with(&[409]),
        delete("/api-tokens/{name}", DeleteApiToken, handlers::delete)
            .summary("Delete a token; requests with it are refused within a second")
            .note("Without the last client token, `/api/client` accepts requests without a token, unless require-client-tokens is set.")
            .returns::<DeletedApiToken>(200)
            .fails_with(&[404]),
    ]
}
