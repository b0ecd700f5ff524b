//! Endpoints of sign-in, sign-out and the signed-in user.

use actix_web::guard::{self, GuardContext};
use actix_web::middleware::from_fn;
use actix_web::{Resource, web};
use serde_json::{Value, json};

use super::{administration, handlers};
use crate::api::{RevokedSessions, SessionsResponse, SignedOut, User};
use crate::config::AuthMode;
use crate::error::ApiError;
use crate::flags::auth::Permission::Admin;
use crate::flags::auth::access::{EMAIL_SIGN_IN_PATH, PASSWORD_SIGN_IN_PATH};
use crate::flags::auth::rules::{Credentials, Email};
use crate::flags::endpoint::{Endpoint, delete, get, get_with, public_action, public_post};
use crate::flags::media_type::require_json;
use crate::middleware::accept;

/// Path of the sessions of all users.
pub(in crate::flags) const SESSIONS_PATH: &str = "/sessions";
/// Modes in which sessions belong to a known person.
const SIGNED_IN: &[AuthMode] = &[AuthMode::Password, AuthMode::Oidc];

pub(in crate::flags) fn endpoints() -> Vec<Endpoint> {
    let mut endpoints = vec![
        public_post(EMAIL_SIGN_IN_PATH, handlers::sign_in_by_email)
            .only_in(&[AuthMode::Unsecure])
            .summary("Sign in with an email address; requires --auth unsecure")
            .body::<Email>()
            .returns::<User>(200)
            .fails_with(&[404, 429]),
        public_post(PASSWORD_SIGN_IN_PATH, handlers::sign_in_by_password)
            .only_in(SIGNED_IN)
            .summary("Sign in with a password; requires --auth password or oidc")
            .body::<Credentials>()
            .returns::<User>(200)
            .fails_with(&[404, 429]),
        public_action("/api/admin/user/logout", handlers::sign_out)
            .summary("Sign out; redirects to the console unless Accept names JSON")
            .returns::<SignedOut>(200)
            .returns::<SignedOut>(302)
            .fails_with(&[403]),
        public_action("/logout", handlers::sign_out)
            .only_if(guard::Get())
            .only_if(is_no_page_load)
            .summary("Sign out as above; returns the console's page, which signs out, if Accept names HTML")
            .returns::<SignedOut>(200)
            .returns::<SignedOut>(302)
            .fails_with(&[403]),
        get("/user", handlers::user).summary("Get the signed-in user").returns::<User>(200),
    ];
    endpoints.extend(administration());
    endpoints
}

/// Returns the endpoints with which administrators see and revoke sessions.
pub(in crate::flags) fn administration() -> Vec<Endpoint> {
    vec![
        get_with(SESSIONS_PATH, Admin, administration::list)
            .only_in(SIGNED_IN)
            .summary("List the sessions of all users, the most recently used first; requires --auth password or oidc")
            .returns::<SessionsResponse>(200)
            .fails_with(&[404]),
        delete(SESSIONS_PATH, Admin, administration::revoke_of_person)
            .only_in(SIGNED_IN)
            .summary("Revoke all sessions of a person, whose next requests are refused")
            .note("The query contains either `username`, or `issuer` and `subject`.")
            .query("username", "User name of the person's account", text)
            .query("issuer", "Identity provider of the person", text)
            .query("subject", "Id of the person at the identity provider", text)
            .returns::<RevokedSessions>(200)
            .fails_with(&[400, 404]),
        delete("/sessions/{id}", Admin, administration::revoke)
            .only_in(SIGNED_IN)
            .summary("Revoke a session, whose next requests are refused")
            .note("A session that has already ended is no error.")
            .returns::<RevokedSessions>(200)
            .fails_with(&[404]),
    ]
}

fn text() -> Value {
    json!({ "type": "string" })
}

/// Returns the resource of the sign-in with a password below a base path, for an upstream without a sign-in of its own.
pub(crate) fn password_sign_in(base_path: &str) -> Resource {
    web::resource(format!("{base_path}{PASSWORD_SIGN_IN_PATH}"))
        .default_service(web::to(ApiError::unknown_path))
        .route(web::post().to(handlers::sign_in_by_password).wrap(from_fn(require_json)))
}

/// Returns false if a browser opens the URL. It gets the console's page, which signs out with `POST /-/logout`.
fn is_no_page_load(request: &GuardContext<'_>) -> bool {
    !accept::lists_media_type(request.head().headers(), accept::HTML)
}
