//! Describes the machine, and measures the memory and processor time of processes. Only on Linux; other systems get
//! zeros.

use std::ffi::OsString;
use std::fs;
use std::time::Duration;

/// Returns the path of the measured binary: `FLAGDECK_BIN`, or the one built with the benchmark.
pub(crate) fn binary() -> OsString {
    std::env::var_os("FLAGDECK_BIN").unwrap_or_else(|| env!("CARGO_BIN_EXE_flagdeck").into())
}

/// The unit of times in `/proc/PID/stat`: 100 ticks per second on Linux.
const TICK: Duration = Duration::from_millis(10);

/// Returns one line about the machine.
pub(crate) fn describe() -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let model = field("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown processors".to_owned());
    let memory = field("/proc/meminfo", "MemTotal").and_then(|text| kilobytes(&text)).unwrap_or(0);
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!("{cores} cores ({model}), {} GB, Linux {}", memory >> 20, kernel.trim())
}

/// Returns the memory of a process and its children in kilobytes. Shared pages count once.
pub(crate) fn memory(process: u32) -> u64 {
    let own = field(&format!("/proc/{process}/smaps_rollup"), "Pss").and_then(|text| kilobytes(&text));
    children(process).into_iter().map(memory).sum::<u64>() + own.unwrap_or(0)
}

/// Returns the processor time of a process and its running children.
pub(crate) fn cpu_time(process: u32) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The second field is the name in parentheses, which may contain any character.
    let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks = after_name.split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse::<u32>().ok());
    children(process).into_iter().map(cpu_time).sum::<Duration>() + TICK * ticks.sum::<u32>()
}

fn children(process: u32) -> Vec<u32> {
    let listed = fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap_or_default();
    listed.split_whitespace().filter_map(|child| child.parse().ok()).collect()
}

fn field(file: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.trim_start().strip_prefix(':'))?;
    Some(value.trim().to_owned())
}

fn kilobytes(text: &str) -> Option<u64> {
    text.trim_end_matches(" kB").parse().ok()
}
