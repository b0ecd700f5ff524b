//! Endpoints of sign-in, sign-out and the signed-in user.

use actix_web::guard::{self, GuardContext};

use super::handlers;
use crate::api::{SignedOut, User};
use crate::config::AuthMode;
use crate::flags::auth::access::{EMAIL_SIGN_IN_PATH, PASSWORD_SIGN_IN_PATH};
use crate::flags::auth::rules::{Credentials, Email};
use crate::flags::endpoint::{Endpoint, get, public_action, public_post};
use crate::middleware::accept;

pub(in crate::flags) fn endpoints() -> Vec<Endpoint> {
    vec![
        public_post(EMAIL_SIGN_IN_PATH, handlers::sign_in_by_email)
            .only_in(&[AuthMode::Unsecure])
            .summary("Sign in with an email address; requires --auth unsecure")
            .body::<Email>()
            .returns::<User>(200)
            .fails_with(&[404, 429]),
        public_post(PASSWORD_SIGN_IN_PATH, handlers::sign_in_by_password)
            .only_in(&[AuthMode::Password, AuthMode::Oidc])
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
    ]
}

/// Returns false if a browser opens the URL. It gets the console's page, which signs out with `POST /-/logout`.
fn is_no_page_load(request: &GuardContext<'_>) -> bool {
    !accept::lists_media_type(request.head().headers(), accept::HTML)
}
