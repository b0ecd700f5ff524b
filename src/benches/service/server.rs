//! The measured servers: start them, create toggles, and stop them.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};

use flagdeck::api::ToggleDraft;
use flagdeck::flags::events::Actor;
use flagdeck::flags::validation::RequestBody as _;
use flagdeck::flags::{DataLocation, Flags, toggles};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::connection::Connection;
use crate::{Outcome, machine};

const REAL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/frontend/e2e/upstream/start.mjs");
/// The number of toggles per import request, because the real server limits the body.
const TOGGLES_PER_IMPORT: usize = 100;
/// Start of the line with the address.
const READY: &str = "Flagdeck is ready on http://";
const POLL: &str = "/api/client/features";

/// A running server.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) name: &'static str,
    pub(crate) address: SocketAddr,
    cookie: String,
    child: Child,
    /// The standard input of the real server, which stops and cleans up when it closes.
    input: Option<ChildStdin>,
    _folder: TempDir,
}

impl Server {
    /// Starts Unleash with durable commits, like Flagdeck's.
    pub(crate) async fn real(count: usize) -> Outcome<Self> {
        let mut command = Command::new("node");
        command.args([REAL, "durable"]).env("NODE_ENV", "production").stdin(Stdio::piped());
        let mut server = Self::start("Unleash 3.17.6", command, "{\"url\":\"http://", TempDir::new()?)?;
        let login = server.request("POST", "/api/admin/login", "", r#"{"email":"bench@example.com"}"#);
        let mut connection = Connection::open(server.address).await?;
        let session = connection.exchange(&login).await?.header("set-cookie").map(str::to_owned);
        let session = session.ok_or("the real server returned no session")?;
        server.cookie = format!("Cookie: {}\r\n", session.split(';').next().unwrap_or_default());
        for start in (0..count).step_by(TOGGLES_PER_IMPORT) {
            let features: Vec<Value> =
                (start..count.min(start + TOGGLES_PER_IMPORT)).map(crate::toggles::toggle).collect();
            let state = json!({ "version": 1, "features": features }).to_string();
            let import = server.request("POST", "/api/admin/state/import", "", &state);
            let response = connection.exchange(&import).await?;
            if response.status != 202 {
                let body = String::from_utf8_lossy(response.body);
                return Err(
                    format!("the real server rejected the toggles: {} {body}", response.status).into()
                );
            }
        }
        Ok(server)
    }

    /// Starts Flagdeck on a database file with default settings.
    pub(crate) async fn flagdeck(count: usize) -> Outcome<Self> {
        let folder = TempDir::new()?;
        let file = Self::create_database(&folder, count).await?;
        Self::on(&file, folder)
    }

    /// Starts Flagdeck on a database file with a journal on the same disk.
    pub(crate) async fn with_journal(count: usize) -> Outcome<Self> {
        let folder = TempDir::new()?;
        let file = Self::create_database(&folder, count).await?;
        let mut command = Self::command(&file);
        command.arg("--journal").arg(folder.path().join("journal"));
        Self::start("Flagdeck with journal", command, READY, folder)
    }

    async fn create_database(folder: &TempDir, count: usize) -> Outcome<PathBuf> {
        let file = folder.path().join("flags.db");
        let flags = Flags::open(&DataLocation::File(file.clone()))?;
        flags
            .database
            .write(move |tx| {
                let actor = Actor::now("bench");
                (0..count).try_for_each(|index| {
                    let draft = ToggleDraft::parse(&crate::toggles::toggle(index))?;
                    toggles::transactions::create(tx, &draft, &actor).map(drop)
                })
            })
            .await?;
        Ok(file)
    }

    /// This one, on a database that exists. `folder` is deleted when the server ends.
    pub(crate) fn on(file: &Path, folder: TempDir) -> Outcome<Self> {
        Self::start("Flagdeck", Self::command(file), READY, folder)
    }

    fn command(file: &Path) -> Command {
        let mut command = Command::new(machine::binary());
        command.env_clear().args(["--listen", "127.0.0.1:0", "--data"]).arg(file);
        command
    }

    /// Starts a server and waits for the line with its address.
    fn start(name: &'static str, mut command: Command, ready: &str, folder: TempDir) -> Outcome<Self> {
        let log = File::create(folder.path().join("log"))?;
        let mut child = command.stdout(Stdio::piped()).stderr(log).spawn()?;
        let output = child.stdout.take().ok_or("no output")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        let rest = line.trim_end().strip_prefix(ready).unwrap_or_default();
        let Ok(address) = rest.trim_end_matches(['/', '"', '}']).parse() else {
            let log = std::fs::read_to_string(folder.path().join("log")).unwrap_or_default();
            return Err(format!("{name} did not start: {line}{log}").into());
        };
        let input = child.stdin.take();
        Ok(Self { name, address, cookie: String::new(), child, input, _folder: folder })
    }

    /// Returns a request with the usual headers. `headers` are additional lines.
    pub(crate) fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> Vec<u8> {
        let Self { address, cookie, .. } = self;
        let length = body.len();
        format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nAccept: application/json\r\nAccept-Encoding: gzip\r\n\
             {cookie}{headers}Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        )
        .into_bytes()
    }

    /// Returns the polling request of SDKs, conditional if `tag` is not empty.
    pub(crate) fn poll(&self, tag: &str) -> Vec<u8> {
        let known = if tag.is_empty() { String::new() } else { format!("If-None-Match: {tag}\r\n") };
        self.request("GET", POLL, &known, "")
    }

    /// Creates the toggle with this number.
    pub(crate) async fn create(&self, connection: &mut Connection, index: usize) -> Outcome<()> {
        let toggle = crate::toggles::toggle(index).to_string();
        let request = self.request("POST", "/api/admin/features", "", &toggle);
        let status = connection.exchange(&request).await?.status;
        if status == 201 { Ok(()) } else { Err(format!("{status} for a new toggle").into()) }
    }

    /// Returns the current entity tag of the features.
    pub(crate) async fn tag(&self) -> Outcome<String> {
        let mut connection = Connection::open(self.address).await?;
        let response = connection.exchange(&self.poll("")).await?;
        Ok(response.header("etag").ok_or("no tag")?.to_owned())
    }

    /// Returns the sizes of the responses.
    pub(crate) async fn describe(&self) -> Outcome<String> {
        let mut connection = Connection::open(self.address).await?;
        let mut sizes = Vec::new();
        for path in [POLL, "/api/admin/features"] {
            let response = connection.exchange(&self.request("GET", path, "", "")).await?;
            let encoding = response.header("content-encoding").unwrap_or("plain");
            sizes.push(format!("{} KB {encoding}", response.body.len() >> 10));
        }
        Ok(format!("SDK response {}, console list {}", sizes.remove(0), sizes.remove(0)))
    }

    /// Returns the memory in kilobytes, including a database process.
    pub(crate) fn memory(&self) -> u64 {
        machine::memory(self.child.id())
    }

    /// Returns the processor time.
    pub(crate) fn cpu_time(&self) -> std::time::Duration {
        machine::cpu_time(self.child.id())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if self.input.take().is_none() {
            drop(self.child.kill());
        }
        drop(self.child.wait());
    }
}
