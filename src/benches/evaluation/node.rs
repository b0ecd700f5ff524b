//! The Node client library, in a process of its own.

use std::io::{BufRead as _, BufReader, Error, ErrorKind, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use super::Outcome;

/// A process that evaluates with the library. `node.mjs` describes its input and output.
pub(super) struct NodeLibrary {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl NodeLibrary {
    /// Starts the process and evaluates each task once. Returns the numbers of results that are on.
    pub(super) fn start(input: &Value) -> Outcome<(Self, Vec<usize>)> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut process = Command::new("node")
            .arg(root.join("src/benches/evaluation/node.mjs"))
            .arg(root.join("frontend/e2e/sdk/package.json"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (Some(stdin), Some(stdout)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(Error::from(ErrorKind::BrokenPipe).into());
        };
        let mut library = Self { process, input: stdin, output: BufReader::new(stdout) };
        let counts = serde_json::from_str(&library.send(&input.to_string())?)?;
        Ok((library, counts))
    }

    /// Returns the time of one repetition of a task.
    pub(super) fn time(&mut self, task: usize) -> Outcome<Duration> {
        Ok(Duration::from_nanos(self.send(&task.to_string())?.trim().parse()?))
    }

    fn send(&mut self, line: &str) -> Outcome<String> {
        writeln!(self.input, "{line}")?;
        let mut response = String::new();
        self.output.read_line(&mut response)?;
        if response.is_empty() {
            return Err("the Node library ended; run npm ci in frontend/e2e/sdk".into());
        }
        Ok(response)
    }
}

impl Drop for NodeLibrary {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}
