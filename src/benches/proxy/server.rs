//! The measured servers: the upstream with its files, and the proxies in front of it.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use crate::wrk::Task;
use crate::{Outcome, listening, machine};

pub(crate) const SMALL: &str = "/api/small.json";
pub(crate) const LARGE: &str = "/api/large.json";
pub(crate) const SINK: &str = "/api/sink";

const CONSOLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/frontend/dist");

/// A running server.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) name: &'static str,
    pub(crate) port: u16,
    forwards: bool,
    has_assets: bool,
    child: Child,
    _folder: TempDir,
}

/// Creates the files that the upstream serves, including the console's. Returns the paths of the assets that the page
/// loads, largest first.
pub(crate) fn create_files(folder: &Path) -> Outcome<Vec<String>> {
    let item =
        r#"{"name":"shop.checkout","enabled":true,"description":"A toggle as large as most of them are."}"#;
    let list = |bytes: usize| format!("[{}]", vec![item; bytes / item.len()].join(","));
    fs::create_dir(folder.join("api"))?;
    fs::write(folder.join(&SMALL[1..]), list(4_505))?;
    fs::write(folder.join(&LARGE[1..]), list(1024 * 1024))?;
    let console = std::env::var_os("FLAGDECK_FRONTEND_DIST").map_or_else(|| CONSOLE.into(), PathBuf::from);
    fs::create_dir(folder.join("assets"))?;
    let page = fs::read_to_string(console.join("index.html"))?;
    let mut loaded = Vec::new();
    for entry in fs::read_dir(console.join("assets"))? {
        let entry = entry?;
        fs::copy(entry.path(), folder.join("assets").join(entry.file_name()))?;
        let address = format!("/assets/{}", entry.file_name().display());
        if page.contains(&format!("{address}\"")) {
            loaded.push((entry.metadata()?.len(), address));
        }
    }
    loaded.sort();
    Ok(loaded.into_iter().rev().map(|(_, address)| address).collect())
}

impl Server {
    /// Starts the upstream: nginx with files and a sink for POST requests.
    pub(crate) fn nginx_with_files(files: &Path) -> Outcome<Self> {
        let sink = format!("location = {SINK} {{ client_max_body_size 10m; return 200; }}");
        Self::start_nginx("direct", "", &sink, files, false)
    }

    /// Starts nginx as a proxy with the console's files, tuned as its manual recommends, with its default access log.
    pub(crate) fn nginx(upstream: u16, files: &Path) -> Outcome<Self> {
        // Keep-alive to the upstream needs a named server group.
        let group = format!("upstream behind {{ server 127.0.0.1:{upstream}; keepalive 256; }}");
        let locations = "location / { proxy_pass http://behind; proxy_http_version 1.1; \
                         proxy_set_header Connection ''; client_max_body_size 10m; \
                         proxy_request_buffering off; }\nlocation /assets/ { }";
        Self::start_nginx("nginx", &group, locations, files, true)
    }

    fn start_nginx(
        name: &'static str,
        group: &str,
        locations: &str,
        files: &Path,
        forwards: bool,
    ) -> Outcome<Self> {
        let folder = TempDir::new()?;
        let at = folder.path().display();
        let port = listening::free_port()?;
        let log = if forwards { format!("{at}/access.log") } else { "off".to_owned() };
        fs::write(
            folder.path().join("nginx.conf"),
            format!(
                "daemon off;\nworker_processes 2;\npid {at}/pid;\nerror_log {at}/error.log;\nuser root;\n\
                 events {{ worker_connections 4096; }}\nhttp {{\naccess_log {log};\nsendfile on;\ntcp_nopush on;\n\
                 keepalive_requests 10000000;\nclient_body_temp_path {at}/body;\nproxy_temp_path {at}/proxy;\n{group}\n\
                 server {{ listen 127.0.0.1:{port} reuseport;\nroot {};\ngzip_static on;\n\
                 types {{ application/json json; text/javascript js; text/css css; font/woff2 woff2; }}\n{locations}\n}} }}\n",
                files.display()
            ),
        )?;
        let mut command = Command::new("nginx");
        command.arg("-c").arg(folder.path().join("nginx.conf")).args(["-e", "stderr"]);
        let child = command
            .stderr(Stdio::null())
            .spawn()
            .map_err(|cause| format!("nginx cannot be started ({cause}): install it"))?;
        Self { name, port, forwards, has_assets: true, child, _folder: folder }.wait_until_listening()
    }

    /// Starts haproxy as a proxy. Returns `None` if it is not installed.
    pub(crate) fn haproxy(upstream: u16) -> Outcome<Option<Self>> {
        let folder = TempDir::new()?;
        let port = listening::free_port()?;
        let file = folder.path().join("haproxy.cfg");
        fs::write(
            &file,
            format!(
                "global\n nbthread 2\n maxconn 4096\ndefaults\n mode http\n timeout connect 5s\n timeout client 60s\n \
                 timeout server 60s\n http-reuse always\nfrontend front\n bind 127.0.0.1:{port}\n default_backend back\n\
                 backend back\n server upstream 127.0.0.1:{upstream}\n"
            ),
        )?;
        match Command::new("haproxy").arg("-f").arg(&file).stderr(Stdio::null()).spawn() {
            Ok(child) => {
                let side =
                    Self { name: "haproxy", port, forwards: true, has_assets: false, child, _folder: folder };
                side.wait_until_listening().map(Some)
            }
            Err(cause) if cause.kind() == ErrorKind::NotFound => Ok(None),
            Err(cause) => Err(cause.into()),
        }
    }

    /// Starts Flagdeck as a proxy with default settings.
    pub(crate) fn flagdeck(upstream: u16) -> Outcome<Self> {
        let folder = TempDir::new()?;
        let log = fs::File::create(folder.path().join("log"))?;
        let mut command = Command::new(machine::binary());
        command
            .env_clear()
            .args(["--listen", "127.0.0.1:0", "--upstream", &format!("http://127.0.0.1:{upstream}")])
            .stderr(log);
        let (child, port) = listening::start(&mut command)?;
        Ok(Self { name: "Flagdeck", port, forwards: true, has_assets: true, child, _folder: folder })
    }

    /// Returns whether the server can run the task.
    pub(crate) fn can_run(&self, task: &Task) -> bool {
        if task.is_asset { self.has_assets } else { true }
    }

    /// Returns whether the server is a proxy, and not the upstream.
    pub(crate) fn is_proxy(&self) -> bool {
        self.forwards
    }

    /// Returns the memory in kilobytes.
    pub(crate) fn memory(&self) -> u64 {
        machine::memory(self.child.id())
    }

    /// Returns the processor time.
    pub(crate) fn cpu_time(&self) -> Duration {
        machine::cpu_time(self.child.id())
    }

    fn wait_until_listening(self) -> Outcome<Self> {
        listening::wait(self.name, self.port)?;
        Ok(self)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // SIGTERM makes nginx stop its workers; SIGKILL does not.
        let signalled = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        if !signalled.is_ok_and(|status| status.success()) {
            drop(self.child.kill());
        }
        drop(self.child.wait());
    }
}
