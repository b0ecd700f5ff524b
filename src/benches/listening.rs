//! Starts servers on free ports.

use std::error::Error;
use std::io::{BufRead as _, BufReader};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Time that a server may take to start.
const PATIENCE: Duration = Duration::from_secs(10);

/// Starts Flagdeck. The arguments must include `--listen 127.0.0.1:0`. Returns the process and its port, which it prints.
pub(crate) fn start(command: &mut Command) -> Result<(Child, u16), Box<dyn Error>> {
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let mut line = String::new();
    BufReader::new(child.stdout.take().ok_or("no output")?).read_line(&mut line)?;
    let port = line.trim_end().trim_end_matches('/').rsplit(':').next().and_then(|port| port.parse().ok());
    Ok((child, port.ok_or_else(|| format!("Flagdeck did not start: {line}"))?))
}

/// Returns a port that no process uses.
pub(crate) fn free_port() -> Result<u16, Box<dyn Error>> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}

/// Waits until a server accepts connections.
pub(crate) fn wait(name: &str, port: u16) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        if start.elapsed() > PATIENCE {
            return Err(format!("{name} does not listen").into());
        }
        std::thread::yield_now();
    }
    Ok(())
}
