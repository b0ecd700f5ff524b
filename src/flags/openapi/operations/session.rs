//! Signing in and out, who is there, and what this server is.

use super::super::operation::{Operation, get, post};
use crate::flags::model::{Health, SignedOut, UiConfig, User};

pub(super) fn operations() -> Vec<Operation> {
    vec![
        post(
            "/api/admin/login",
            "Sign in with an address, where the service is started with --auth unsecure",
        )
        .takes("Email")
        .answers::<User>(200)
        .fails(&[404, 429]),
        post(
            "/auth/simple/login",
            "Sign in with a password, where the service is started with --auth password",
        )
        .takes("Credentials")
        .answers::<User>(200)
        .fails(&[404, 429]),
        get("/api/admin/user/logout", "Sign out; redirects to the console unless Accept names JSON")
            .answers::<SignedOut>(200)
            .answers::<SignedOut>(302)
            .fails(&[403]),
        get("/logout", "The same; where Accept names HTML, the console's page, which signs out")
            .answers::<SignedOut>(200)
            .answers::<SignedOut>(302)
            .fails(&[403]),
        get("/health", "Whether the service works").answers::<Health>(200).answers::<Health>(500),
        get("/api/admin/user", "Who is signed in").answers::<User>(200),
        get("/api/admin/ui-config", "What this server is").answers::<UiConfig>(200),
    ]
}
