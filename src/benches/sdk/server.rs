//! The measured servers: Flagdeck with the embedded flag service, a replica of it, and Unleash Edge without an upstream.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::json;
use tempfile::TempDir;

use crate::{Outcome, listening, machine};

/// A running server.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) name: &'static str,
    pub(crate) port: u16,
    pub(crate) client_token: String,
    pub(crate) frontend_token: String,
    child: Child,
    _folder: TempDir,
}

/// Writes a file with toggles, as exports and responses to SDKs contain them. 350 toggles take about 100 KB.
fn write_toggles(file: &Path, count: usize) -> Outcome<()> {
    let rollout = json!({ "rollout": "50", "stickiness": "userId", "groupId": "shop" });
    let users = json!({ "userIds": "1,2,3,4,5,6,7,8" });
    let features: Vec<_> = (0..count)
        .map(|number| {
            json!({
                "name": format!("shop.toggle-{number}"), "type": "release", "enabled": true, "stale": false,
                "project": "default", "impressionData": false, "variants": [],
                "strategies": [
                    { "name": "userWithId", "parameters": users },
                    { "name": "flexibleRollout", "parameters": rollout, "constraints": [] },
                ],
            })
        })
        .collect();
    fs::write(file, json!({ "version": 1, "features": features }).to_string())?;
    Ok(())
}

impl Server {
    /// Starts Flagdeck without a rate limit.
    pub(crate) fn flagdeck(toggles: usize) -> Outcome<Self> {
        Self::embedded("Flagdeck", toggles, false)
    }

    /// Starts Flagdeck with the flight recorder.
    pub(crate) fn recorded(toggles: usize) -> Outcome<Self> {
        Self::embedded("Flagdeck recorded", toggles, true)
    }

    fn embedded(name: &'static str, toggles: usize, is_recorded: bool) -> Outcome<Self> {
        let folder = TempDir::new()?;
        let file = folder.path().join("toggles.json");
        write_toggles(&file, toggles)?;
        let data = folder.path().join("flags.db");
        let run = |arguments: &[&str]| -> Outcome<String> {
            let mut command = Command::new(machine::binary());
            let output = command.env_clear().args(arguments).arg("--data").arg(&data).output()?;
            if !output.status.success() {
                return Err(String::from_utf8_lossy(&output.stderr).into());
            }
            Ok(String::from_utf8(output.stdout)?.trim().to_owned())
        };
        run(&["import", &file.display().to_string()])?;
        let client_token = run(&["token", "add", "--name", "server"])?;
        let frontend_token = run(&["token", "add", "--name", "web", "--kind", "frontend"])?;
        let mut command = Command::new(machine::binary());
        command
            .env_clear()
            .args(["--listen", "127.0.0.1:0", "--sdk-rate-limit", "0", "--log-level", "warn", "--data"])
            .arg(&data);
        if is_recorded {
            command.arg("--recorder");
        }
        let (child, port) = listening::start(&mut command)?;
        Ok(Self { name, port, client_token, frontend_token, child, _folder: folder })
    }

    /// Starts Flagdeck as a replica in front of `upstream`, without a rate limit.
    pub(crate) fn replica(upstream: &Self) -> Outcome<Self> {
        Self::replica_of("replica", upstream, false)
    }

    /// Starts Flagdeck as a replica with the flight recorder.
    pub(crate) fn recorded_replica(upstream: &Self) -> Outcome<Self> {
        Self::replica_of("replica recorded", upstream, true)
    }

    fn replica_of(name: &'static str, upstream: &Self, is_recorded: bool) -> Outcome<Self> {
        let folder = TempDir::new()?;
        let mut command = Command::new(machine::binary());
        command
            .env_clear()
            .current_dir(folder.path())
            .args(["--listen", "127.0.0.1:0", "--sdk-rate-limit", "0", "--log-level", "warn", "--replica"])
            .args(["--upstream", &format!("http://127.0.0.1:{}", upstream.port)]);
        if is_recorded {
            command.arg("--recorder").arg("--data").arg(folder.path().join("flags.db"));
        }
        let (child, port) = listening::start(&mut command)?;
        let [client_token, frontend_token] =
            [&upstream.client_token, &upstream.frontend_token].map(Clone::clone);
        Ok(Self { name, port, client_token, frontend_token, child, _folder: folder })
    }

    /// Starts Unleash Edge. Returns `None` if it is not installed.
    pub(crate) fn edge(toggles: usize) -> Outcome<Option<Self>> {
        let folder = TempDir::new()?;
        let file = folder.path().join("toggles.json");
        write_toggles(&file, toggles)?;
        let port = listening::free_port()?;
        let [client_token, frontend_token] =
            ["*:development.client", "*:development.frontend"].map(str::to_owned);
        let started = Command::new("unleash-edge")
            .args(["--interface", "127.0.0.1", "--port", &port.to_string(), "offline", "--bootstrap-file"])
            .arg(&file)
            .args(["--client-tokens", &client_token, "--frontend-tokens", &frontend_token])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let child = match started {
            Ok(child) => child,
            Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(None),
            Err(cause) => return Err(cause.into()),
        };
        let side = Self { name: "Edge", port, client_token, frontend_token, child, _folder: folder };
        listening::wait(side.name, port)?;
        Ok(Some(side))
    }

    /// Returns the memory in kilobytes.
    pub(crate) fn memory(&self) -> u64 {
        machine::memory(self.child.id())
    }

    /// Returns the processor time.
    pub(crate) fn cpu_time(&self) -> Duration {
        machine::cpu_time(self.child.id())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
