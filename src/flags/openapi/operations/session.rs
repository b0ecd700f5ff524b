//! Operations for sign-in and sign-out, the signed-in user, and the server's health and version.

use super::super::operation::{Operation, get, post};
use crate::flags::model::{Health, SignedOut, UiConfig, User};

pub(super) fn operations() -> Vec<Operation> {
    vec![
        post("/api/admin/login", "Sign in with an email address; requires --auth unsecure")
            .with_body("Email")
            .returns::<User>(200)
            .fails_with(&[404, 429]),
        post("/auth/simple/login", "Sign in with a password; requires --auth password")
            .with_body("Credentials")
            .returns::<User>(200)
            .fails_with(&[404, 429]),
        get("/api/admin/user/logout", "Sign out; redirects to the console unless Accept names JSON")
            .returns::<SignedOut>(200)
            .returns::<SignedOut>(302)
            .fails_with(&[403]),
        get(
            "/logout",
            "Sign out as above; returns the console's page, which signs out, if Accept names HTML",
        )
        .returns::<SignedOut>(200)
        .returns::<SignedOut>(302)
        .fails_with(&[403]),
        get("/health", "Check the health of the service").returns::<Health>(200).returns::<Health>(500),
        get("/api/admin/user", "Get the signed-in user").returns::<User>(200),
        get("/api/admin/ui-config", "Get the name and version of the server").returns::<UiConfig>(200),
    ]
}
