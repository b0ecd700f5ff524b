//! Tokens in the database: restarts, revoked tokens, and secrets.

use std::fs;

use actix_web::http::StatusCode;
use tempfile::TempDir;

use super::{
    FRONTEND, OFTEN, RARELY, SERVER, SOON, WEB, WEB_SHOP, assert_undecided, file, start, start_upstream,
    start_with, wait_for, wait_for_validations, wait_until,
};
use crate::sdk::{get, names};
use crate::support::app::TestApp;
use crate::support::binary::{Binary, flagdeck};
use crate::support::client_api::ClientApi;
use crate::support::engine::skips_file_tests;
use crate::support::postgres_server::{Server, run_sql};

/// Starts an upstream, and Flagdeck with a database that knows the tokens; `None` if the tests use PostgreSQL.
async fn start_on_file(token: &str) -> Option<(ClientApi, TempDir, String)> {
    if skips_file_tests() {
        return None;
    }
    let (api, folder) = (start_upstream().await, tempfile::tempdir().unwrap());
    let data = folder.path().join("flagdeck.db").to_str().unwrap().to_owned();
    let app = start(&api, RARELY, &["--data", &data]).await;
    assert_eq!(get(&app, token, FRONTEND).await.status, StatusCode::OK);
    app.stop().await;
    Some((api, folder, data))
}

fn count_tokens(data: &str) -> i64 {
    let connection = rusqlite::Connection::open(format!("{data}.kept")).unwrap();
    connection.query_row("SELECT count(*) FROM tokens", [], |row| row.get(0)).unwrap_or_default()
}

#[actix_web::test]
async fn stored_token_counts_after_a_restart_during_an_outage() {
    let Some((api, _folder, data)) = start_on_file(WEB_SHOP).await else { return };
    api.set_down(true);
    let app = start(&api, OFTEN, &["--data", &data]).await;
    assert_eq!(names(&get(&app, WEB_SHOP, FRONTEND).await), ["pay"]);
    assert_undecided(&get(&app, WEB, FRONTEND).await);
    // The upstream is asked about it as soon as it responds.
    api.remove_token(WEB_SHOP);
    api.set_down(false);
    wait_until(async || get(&app, WEB_SHOP, FRONTEND).await.status == StatusCode::UNAUTHORIZED).await;
    wait_for(|| count_tokens(&data) == 1).await;
    app.stop().await;
    api.set_down(true);
    let app = start(&api, OFTEN, &["--data", &data]).await;
    assert_undecided(&get(&app, WEB_SHOP, FRONTEND).await);
}

#[actix_web::test]
async fn stored_token_that_was_revoked_is_refused_when_it_is_presented() {
    let Some((api, _folder, data)) = start_on_file(WEB).await else { return };
    api.remove_token(WEB);
    let app = start(&api, RARELY, &["--data", &data]).await;
    assert_eq!(get(&app, WEB, FRONTEND).await.status, StatusCode::UNAUTHORIZED);
    wait_for(|| count_tokens(&data) == 1).await;
}

#[actix_web::test]
async fn stored_tokens_of_another_environment_do_not_count() {
    let Some((api, _folder, data)) = start_on_file(WEB).await else { return };
    api.set_down(true);
    let app = start_with(&api, "*:development.0123456789abcdef0123", OFTEN, &["--data", &data]).await;
    assert_eq!(get(&app, WEB, FRONTEND).await.status, StatusCode::UNAUTHORIZED);
}

#[actix_web::test]
async fn tokens_are_neither_logged_nor_stored_in_clear() {
    if skips_file_tests() {
        return;
    }
    let (api, folder) = (start_upstream().await, tempfile::tempdir().unwrap());
    let (_tokens, tokens) = file(SERVER);
    let (data, log) = (folder.path().join("flagdeck.db"), folder.path().join("log"));
    let mut arguments = vec!["--listen", "127.0.0.1:0", "--log-level", "trace", "--frontend-origin", "*"];
    arguments.extend(["--upstream", &api.stub.url, "--upstream-token", &tokens]);
    arguments.extend(["--data", data.to_str().unwrap(), "--replica-refresh", SOON]);
    let mut process = Binary::started(flagdeck().args(arguments).stderr(fs::File::create(&log).unwrap()));
    let app = TestApp::at(process.port);
    wait_until(async || get(&app, WEB, FRONTEND).await.status == StatusCode::OK).await;
    let unknown = "*:production.fedcba9876543210eeee";
    assert_eq!(get(&app, unknown, FRONTEND).await.status, StatusCode::UNAUTHORIZED);
    // A response that contains a token at an unexpected place.
    api.set_validation(Some(("200 OK", &format!("{{\"tokens\":\"{WEB}\"}}"))));
    assert_undecided(&get(&app, WEB_SHOP, FRONTEND).await);
    wait_for(|| count_tokens(data.to_str().unwrap()) == 2).await;
    // Log lines are written in batches.
    wait_for(|| fs::read_to_string(&log).unwrap().contains("which tokens are valid")).await;
    process.kill();
    let mut size = 0;
    for entry in fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        let content = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        size += content.len();
        for token in [SERVER, WEB, WEB_SHOP, unknown] {
            let (_, secret) = token.split_once('.').unwrap();
            assert!(!content.contains(secret), "{token} in {}", path.display());
        }
    }
    assert!(size > 10_000, "{size}");
}

#[actix_web::test]
#[ignore = "needs PostgreSQL"]
async fn instance_that_starts_during_an_outage_knows_the_tokens_of_another() {
    let (api, server) = (start_upstream().await, Server::start("off"));
    let url = server.url();
    let first = start(&api, OFTEN, &["--data", &url]).await;
    assert_eq!(get(&first, WEB, FRONTEND).await.status, StatusCode::OK);
    wait_for(|| run_sql(&url, "SELECT count(*) FROM pg_tables WHERE tablename = 'tokens'") == "1").await;
    wait_for(|| run_sql(&url, "SELECT count(*) FROM tokens") == "2").await;
    wait_for(|| run_sql(&url, "SELECT count(*) FROM copies") == "1").await;
    api.set_down(true);
    let second = start(&api, OFTEN, &["--data", &url]).await;
    wait_until(async || get(&second, WEB, FRONTEND).await.status == StatusCode::OK).await;
    api.remove_token(WEB);
    api.set_down(false);
    wait_until(async || get(&first, WEB, FRONTEND).await.status == StatusCode::UNAUTHORIZED).await;
    wait_until(async || get(&second, WEB, FRONTEND).await.status == StatusCode::UNAUTHORIZED).await;
    wait_for_validations(&api, 2).await;
    wait_for(|| run_sql(&url, "SELECT count(*) FROM tokens") == "1").await;
}
