//! Sign-in, sessions, permissions and tokens.

mod api_tokens;
mod commands;
mod oidc;
mod oidc_front;
mod permissions;
mod sessions;
mod sign_in;
mod signed_in_user;
mod tokens;
mod upstream;
mod users;

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use actix_web::http::{Method, StatusCode};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::app::{Response, TestApp};
use crate::support::engine::{run_sql, with_engine};

const JSON: (&str, &str) = ("content-type", "application/json");
const LOGIN: &str = "/auth/simple/login";
const USER: &str = "/api/admin/user";
const PASSWORD: &str = "correct horse";

/// A folder with a database that servers and commands share.
struct Installation(TempDir);

impl Installation {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn data(&self) -> String {
        self.0.path().join("flagdeck.db").to_str().unwrap().to_owned()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_flagdeck"));
        command.args(with_engine(&[arguments, &["--data", &self.data()]].concat())).env_clear();
        command
    }

    /// Runs `flagdeck` with these arguments and standard input on the database.
    fn run(&self, arguments: &[&str], input: &str) -> Output {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // Fails if the command rejects its arguments and exits without reading.
        drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
        child.wait_with_output().unwrap()
    }

    /// Runs a command that must succeed, and returns its standard output.
    fn run_ok(&self, arguments: &[&str], input: &str) -> String {
        let Output { status, stdout, stderr } = self.run(arguments, input);
        assert!(status.success(), "{arguments:?}: {}", String::from_utf8(stderr).unwrap());
        String::from_utf8(stdout).unwrap()
    }

    /// Adds a user with this password and these permissions.
    fn add(&self, name: &str, more: &[&str]) {
        self.run_ok(&[&["user", "add", name], more].concat(), &format!("{PASSWORD}\n"));
    }

    async fn start(&self, more: &[&str]) -> TestApp {
        TestApp::with(&[&["--data", &self.data()], more].concat()).await
    }

    async fn start_with_passwords(&self) -> TestApp {
        self.start(&["--auth", "password"]).await
    }

    fn run_sql(&self, sql: &str) -> String {
        run_sql(Path::new(&self.data()), sql)
    }
}

async fn sign_in(app: &TestApp, name: &str, password: &str) -> Response {
    app.post(LOGIN, &json!({ "username": name, "password": password })).await
}

/// Returns the `Cookie` header for the cookie that a response sets.
fn cookie(response: &Response) -> String {
    assert_eq!(response.status, StatusCode::OK, "{}", response.body);
    response.header("set-cookie").split(';').next().unwrap().to_owned()
}

/// Signs in and returns the cookie.
async fn signed_in(app: &TestApp, name: &str) -> String {
    cookie(&sign_in(app, name, PASSWORD).await)
}

/// Sends a request with a session cookie.
async fn send_as(app: &TestApp, cookie: &str, method: Method, path: &str, body: &Value) -> Response {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    app.send(method, path, &[JSON, ("cookie", cookie)], &body).await
}

async fn get(app: &TestApp, cookie: &str, path: &str) -> Response {
    send_as(app, cookie, Method::GET, path, &Value::Null).await
}
