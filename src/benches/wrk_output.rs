//! Parses the output of the load generator `wrk`.

use std::time::Duration;

/// The results of a run.
#[derive(Debug)]
pub(crate) struct Figures {
    pub(crate) per_second: f64,
    pub(crate) p50: Duration,
    pub(crate) p99: Duration,
    /// The processor time of the server per request.
    pub(crate) cpu_time: Duration,
}

/// Parses the output of wrk. Returns `None` if requests failed.
pub(crate) fn parse_output(output: &str, cpu_time: Duration) -> Option<Figures> {
    let after =
        |label: &str| output.lines().find_map(|line| line.trim_start().strip_prefix(label)).map(str::trim);
    if after("Non-2xx").is_some() || after("Socket errors").is_some() {
        return None;
    }
    let total: u32 =
        output.lines().find_map(|line| line.split_once(" requests in "))?.0.trim().parse().ok()?;
    Some(Figures {
        per_second: after("Requests/sec:")?.parse().ok()?,
        p50: parse_time(after("50%")?)?,
        p99: parse_time(after("99%")?)?,
        cpu_time: cpu_time.checked_div(total)?,
    })
}

/// Parses a time such as `1.25ms`.
fn parse_time(text: &str) -> Option<Duration> {
    let unit = text.find(|c: char| c.is_ascii_alphabetic())?;
    let (number, unit) = text.split_at(unit);
    let seconds = match unit {
        "us" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        _ => return None,
    };
    Some(Duration::from_secs_f64(number.parse::<f64>().ok()? * seconds))
}
