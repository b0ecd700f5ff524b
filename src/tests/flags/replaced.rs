//! Database files that are deleted, moved or replaced while the server runs.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use actix_web::http::StatusCode;
use flagdeck::flags::{DataLocation, Flags};
use tempfile::TempDir;

use super::{FEATURES, create, message, names, plain};
use crate::support::app::TestApp;
use crate::support::binary::{Binary, flagdeck};
use crate::support::engine::skips_file_tests;

/// A running server with one toggle, and its monitoring listener.
struct Server {
    folder: TempDir,
    app: TestApp,
    admin: TestApp,
}

impl Server {
    async fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let (app, admin) = start(&folder.path().join("flags.db")).await;
        create(&app, &plain("before")).await;
        Self { folder, app, admin }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    async fn assert_refuses_writes(&self, case: &str) {
        let refused = self.app.post(FEATURES, &plain("after")).await;
        assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE, "{case}: {}", refused.body);
        assert_eq!(refused.header("x-flagdeck-error"), "storage_replaced", "{case}");
        assert!(message(&refused).contains("deleted, moved or replaced"), "{case}: {}", refused.body);
        let ready = self.admin.get("/readyz").await;
        assert_eq!(ready.status, StatusCode::SERVICE_UNAVAILABLE, "{case}");
        assert_eq!(ready.json()["code"], "storage_replaced", "{case}");
        let health = self.app.get("/health").await;
        assert_eq!(health.status, StatusCode::INTERNAL_SERVER_ERROR, "{case}");
        assert_eq!(health.json()["health"], "BAD", "{case}");
        assert_eq!(names(&self.app, FEATURES).await, ["before"], "reads continue: {case}");
    }

    async fn assert_accepts_writes(&self, name: &str) {
        let created = self.app.post(FEATURES, &plain(name)).await;
        assert_eq!(created.status, StatusCode::CREATED, "{}", created.body);
        assert_eq!(self.admin.get("/readyz").await.status, StatusCode::OK);
        assert_eq!(self.app.get("/health").await.json()["health"], "GOOD");
    }
}

async fn start(file: &Path) -> (TestApp, TestApp) {
    let app = TestApp::with(&["--data", file.to_str().unwrap(), "--admin-listen", "0"]).await;
    let admin = TestApp::at(app.admin_port.unwrap());
    (app, admin)
}

#[actix_web::test]
async fn deleted_database_refuses_writes_and_fails_readiness() {
    if skips_file_tests() {
        return;
    }
    for suffix in ["", "-wal", "-shm"] {
        let server = Server::new().await;
        fs::remove_file(server.path(&format!("flags.db{suffix}"))).unwrap();
        server.assert_refuses_writes(suffix).await;
    }
}

#[actix_web::test]
async fn replaced_database_refuses_writes_until_the_same_file_is_back() {
    if skips_file_tests() {
        return;
    }
    let server = Server::new().await;
    let (file, other, aside) = (server.path("flags.db"), server.path("other.db"), server.path("aside.db"));
    drop(Flags::open(&DataLocation::File(other.clone())).unwrap());
    fs::rename(&file, &aside).unwrap();
    server.assert_refuses_writes("moved").await;
    fs::rename(&other, &file).unwrap();
    server.assert_refuses_writes("replaced").await;
    fs::rename(&aside, &file).unwrap();
    server.assert_accepts_writes("after").await;
    server.app.stop().await;
    let (again, _) = start(&file).await;
    assert_eq!(names(&again, FEATURES).await, ["after", "before"], "completed writes are in the file");
}

#[cfg(unix)]
#[actix_web::test]
async fn retargeted_symbolic_link_refuses_writes() {
    if skips_file_tests() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["one.db", "other.db"] {
        drop(Flags::open(&DataLocation::File(path(name))).unwrap());
    }
    std::os::unix::fs::symlink("one.db", path("flags.db")).unwrap();
    let (app, admin) = start(&path("flags.db")).await;
    create(&app, &plain("before")).await;
    let server = Server { folder, app, admin };
    server.assert_accepts_writes("probe").await;
    fs::remove_file(server.path("flags.db")).unwrap();
    std::os::unix::fs::symlink("other.db", server.path("flags.db")).unwrap();
    let refused = server.app.post(FEATURES, &plain("after")).await;
    assert_eq!(refused.header("x-flagdeck-error"), "storage_replaced", "{}", refused.body);
}

#[test]
fn log_reports_a_deleted_database_before_the_next_write() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("flags.db");
    let mut command = flagdeck();
    command.args(["--listen", "127.0.0.1:0", "--data", file.to_str().unwrap()]).stderr(Stdio::piped());
    let mut binary = Binary::started(&mut command);
    fs::remove_file(&file).unwrap();
    // No request is sent: the server detects it by itself.
    let lines = BufReader::new(binary.child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in lines {
            if line.contains("a database file was deleted, moved or replaced") {
                drop(sender.send(line));
            }
        }
    });
    let line = receiver.recv_timeout(Duration::from_secs(30));
    assert!(line.unwrap().contains("flags.db"), "the path is named");
}
