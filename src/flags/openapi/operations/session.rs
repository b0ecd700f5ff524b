//! Signing in and out, who is there, and what this server is.

use super::super::operation::{Operation, get, post};
use crate::flags::model::{SignedOut, UiConfig, User};

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
        get("/api/admin/user/logout", "Sign out").answers::<SignedOut>(200),
        get("/api/admin/user", "Who is signed in").answers::<User>(200),
        get("/api/admin/ui-config", "What this server is").answers::<UiConfig>(200),
    ]
}
