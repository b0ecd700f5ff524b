//! The binary in its own process.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;

use serde_json::Value;
use url::Url;

use super::engine::with_engine;
use super::skip::skipped;
use super::watched::MAX_WAIT;

/// A running binary. Dropping this value kills it.
pub struct Binary {
    pub child: Child,
    pub port: u16,
}

/// A keep-alive connection.
pub struct Wire {
    stream: BufReader<TcpStream>,
    /// The head of the last response, in lower case.
    pub head: String,
}

pub fn flagdeck() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flagdeck"));
    command.env_clear().stdin(Stdio::null());
    command
}

/// Returns the command like [`flagdeck`], with a disk on which files can have this number of bytes, or `unlimited`:
/// writes above the limit fail, because the signal that would end the process is ignored. See [`Binary::limit_files`].
pub fn flagdeck_with_file_limit(bytes: &str) -> Command {
    let mut command = Command::new("sh");
    let script = format!("trap '' XFSZ; exec prlimit --fsize={bytes}: -- \"$0\" \"$@\"");
    command.args(["-c", &script]).arg(flagdeck().get_program()).env_clear().stdin(Stdio::null());
    command
}

/// Runs a command that ends by itself, and kills it if it does not.
pub fn output_of(command: &mut Command) -> Output {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let process = child.id().to_string();
    let (end, ended) = mpsc::channel::<()>();
    let watch = thread::spawn(move || {
        if ended.recv_timeout(MAX_WAIT) == Err(RecvTimeoutError::Timeout) {
            drop(Command::new("kill").args(["-9", &process]).status());
        }
    });
    let output = child.wait_with_output().unwrap();
    drop(end);
    watch.join().unwrap();
    output
}

/// Returns a port that no program uses: below those that systems assign by themselves, also to connections.
pub fn free_port() -> u16 {
    loop {
        let port = fastrand::u16(10_000..32_000);
        if std::net::TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

/// Returns the command that starts the binary with its own file system at `folder`; `None` if the machine does not allow it.
/// `mount` is a shell command in which `$0` is the folder.
pub fn in_own_file_system(mount: &str, folder: &Path, arguments: &[&str]) -> Option<Command> {
    let mut probe = Command::new("unshare");
    let can = probe.args(["-rm", "true"]).stderr(Stdio::null()).status().is_ok_and(|status| status.success());
    if !can {
        skipped("this machine has no user namespaces; a full disk is not tested");
        return None;
    }
    let script = format!("{mount} && exec \"$@\"");
    let mut command = Command::new("unshare");
    command.args(["-rm", "sh", "-c", &script]).arg(folder).arg(flagdeck().get_program());
    command.args(arguments).stdin(Stdio::null());
    Some(command)
}

impl Binary {
    /// Starts the embedded flag service on this database file.
    pub fn on(file: &Path) -> Self {
        Self::started(flagdeck().args(with_engine(&Self::arguments(file))))
    }

    /// Returns the arguments of a server on SQLite.
    pub fn arguments(file: &Path) -> [&str; 6] {
        ["--listen", "127.0.0.1:0", "--log-level", "off", "--data", file.to_str().unwrap()]
    }

    /// Runs a command and waits until the server is ready.
    pub fn started(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let (_, url) = line.trim_end().rsplit_once(' ').unwrap();
        let port = Url::parse(url).unwrap().port().unwrap();
        Self { child, port }
    }

    /// Limits the size of the files that the process writes: a number of bytes, or `unlimited`.
    pub fn limit_files(&self, bytes: &str) {
        let arguments = ["--pid", &self.child.id().to_string(), &format!("--fsize={bytes}:")];
        assert!(Command::new("prlimit").args(arguments).status().unwrap().success());
    }

    pub fn wire(&self) -> Wire {
        Wire::connect(self.port).unwrap()
    }

    /// Kills the process.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Binary {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Wire {
    /// Connects to a port; `None` if nothing listens.
    pub fn connect(port: u16) -> Option<Self> {
        let stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
        stream.set_read_timeout(Some(MAX_WAIT)).unwrap();
        Some(Self { stream: BufReader::new(stream), head: String::new() })
    }

    /// Sends a request and returns the status and the body of the response. Returns `None` if the connection ends before
    /// the response is complete.
    pub fn send(&mut self, method: &str, path: &str, body: &str) -> Option<(u16, Value)> {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        self.stream.get_mut().write_all((head + body).as_bytes()).ok()?;
        let status = self.line()?.split(' ').nth(1)?.parse().ok()?;
        let mut length = 0;
        self.head.clear();
        loop {
            let line = self.line()?.to_ascii_lowercase();
            self.head.extend(["\r\n", &line]);
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().ok()?;
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).ok()?;
        Some((status, serde_json::from_slice(&body).unwrap_or(Value::Null)))
    }

    /// Returns a header of the last response. The name is in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        self.stream.read_line(&mut line).ok()?;
        line.ends_with('\n').then(|| line.trim_end().to_owned())
    }
}
