//! The file of holds, which this process and other programs write.

use std::fs;
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use jiff::Timestamp;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::set::Hold;
use crate::private_file;

/// Maximum size in bytes.
const MAX_SIZE: u64 = 16 << 20;
/// Maximum number of holds that have not ended. Other programs can add some to those of this process.
const MAX_STORED: usize = 2_000;
/// Maximum number of entries whose faults are described.
const MAX_DESCRIBED: usize = 3;

/// The faults of the file. The message is one sentence that names the file.
#[derive(Debug, Clone, thiserror::Error)]
#[error("the file of holds {} {fault}", .path.display())]
pub struct FileError {
    path: PathBuf,
    fault: String,
}

/// The content of the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    holds: Vec<Box<RawValue>>,
}

/// The part of an entry that messages name.
#[derive(Deserialize)]
struct Entry {
    toggle: String,
}

/// The holds of the file that have not ended.
#[derive(Debug, Default)]
pub(super) struct StoredHolds {
    /// The valid ones.
    pub(super) holds: Vec<Hold>,
    /// The fault of the file, or of the other holds.
    pub(super) fault: Option<FileError>,
}

/// The content of the file after a check of each hold.
#[derive(Debug, Default)]
struct Checked {
    holds: Vec<Hold>,
    /// The faults, each as the end of a sentence.
    faults: Vec<String>,
}

#[derive(Serialize)]
struct NewContent<'h> {
    holds: Vec<&'h Hold>,
}

/// The file. Clones share the state.
#[derive(Debug, Clone)]
pub(super) struct HoldFile {
    path: Arc<Path>,
    /// Content that was read or written last. Locked while the disk works.
    known: Arc<Mutex<Known>>,
    /// The fault of the file. Never locked while the disk works, because requests read it.
    fault: Arc<Mutex<Option<String>>>,
    /// True while the file differs from the holds of this process.
    must_write: Arc<AtomicBool>,
}

/// The last state of the file.
#[derive(Debug, Default)]
struct Known {
    /// The content; `None` if there was no file.
    content: Option<Vec<u8>>,
    /// Number of faults in it.
    faults: usize,
    /// True if the last attempt to read the file has failed.
    is_unreadable: bool,
}

/// Checks a file without using it. Returns the number of its holds.
///
/// # Errors
/// If it cannot be read, or has a fault.
pub fn check_file(path: &Path, now: Timestamp) -> Result<usize, FileError> {
    let fail = |fault| FileError { path: path.to_owned(), fault };
    let checked = read(path).map_err(fail)?.map(|content| check(&content, now)).unwrap_or_default();
    match checked.fault() {
        Some(fault) => Err(fail(fault)),
        None => Ok(checked.holds.len()),
    }
}

impl StoredHolds {
    /// Logs the change of the file.
    pub(super) fn log(&self) {
        let holds = self.holds.len();
        if let Some(fault) = &self.fault {
            tracing::error!(%fault, holds, "the file of holds has a fault; its valid holds and the previous ones are active");
        } else {
            tracing::info!(holds, "the file of holds was read");
        }
    }
}

impl Checked {
    /// Returns all faults as the end of a sentence about the file.
    fn fault(&self) -> Option<String> {
        let described: Vec<_> = self.faults.iter().take(MAX_DESCRIBED).map(String::as_str).collect();
        let more = self.faults.len() - described.len();
        let more = if more > 0 { format!("; and {more} more faults") } else { String::new() };
        (!described.is_empty()).then(|| described.join("; ") + &more)
    }

    fn add_fault(&mut self, index: usize, toggle: &str, fault: &str) {
        self.faults.push(format!("is invalid: hold {} ({toggle:?}): {fault}", index + 1));
    }
}

impl HoldFile {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path: path.into(), known: Arc::default(), fault: Arc::default(), must_write: Arc::default() }
    }

    /// Returns the fault of the file, if it has one.
    pub(super) fn fault(&self) -> Option<String> {
        self.fault.lock().clone()
    }

    pub(super) fn must_write(&self) -> bool {
        self.must_write.load(Ordering::SeqCst)
    }

    pub(super) fn set_must_write(&self, must_write: bool) {
        self.must_write.store(must_write, Ordering::SeqCst);
    }

    /// Returns the holds of the file if its content has changed since the last read or write. A file with the same fault is
    /// reported once.
    pub(super) fn read_if_changed(&self, now: Timestamp) -> Option<StoredHolds> {
        let mut known = self.known.lock();
        let fault = self.fault();
        let content = match read(&self.path) {
            Ok(content) => content,
            Err(new) if fault.as_ref() == Some(&new) => return None,
            Err(new) => {
                known.is_unreadable = true;
                return Some(self.report(Checked { holds: Vec::new(), faults: vec![new] }));
            }
        };
        let checked = content.as_ref().map(|content| check(content, now)).unwrap_or_default();
        // A fault of the disk can end, and a start in the future is reached.
        if !known.is_unreadable && content == known.content && checked.faults.len() == known.faults {
            return None;
        }
        *known = Known { content, faults: checked.faults.len(), is_unreadable: false };
        Some(self.report(checked))
    }

    /// Stores the fault of the file.
    fn report(&self, checked: Checked) -> StoredHolds {
        let fault = checked.fault();
        self.fault.lock().clone_from(&fault);
        let fault = fault.map(|fault| FileError { path: self.path.to_path_buf(), fault });
        StoredHolds { holds: checked.holds, fault }
    }

    /// Replaces the file.
    pub(super) fn write(&self, holds: &[Arc<Hold>]) -> io::Result<()> {
        let mut known = self.known.lock();
        let content = NewContent { holds: holds.iter().map(|hold| &**hold).collect() };
        let mut content = serde_json::to_vec_pretty(&content).map_err(io::Error::other)?;
        content.push(b'\n');
        // A larger file would be refused when it is read again.
        check_size(&content).map_err(io::Error::other)?;
        private_file::replace(&self.path, &content)?;
        *known = Known { content: Some(content), faults: 0, is_unreadable: false };
        *self.fault.lock() = None;
        Ok(())
    }
}

/// Reads the file; `None` if there is none.
fn read(path: &Path) -> Result<Option<Vec<u8>>, String> {
    let file = match fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(format!("cannot be read: {error}")),
    };
    let mut content = Vec::new();
    file.take(MAX_SIZE + 1).read_to_end(&mut content).map_err(|error| format!("cannot be read: {error}"))?;
    check_size(&content)?;
    Ok(Some(content))
}

fn check_size(content: &[u8]) -> Result<(), String> {
    let is_small = u64::try_from(content.len()).is_ok_and(|size| size <= MAX_SIZE);
    if is_small { Ok(()) } else { Err(format!("has more than {MAX_SIZE} bytes; remove holds")) }
}

/// Checks each hold. An empty file contains none. Holds that have ended are left out.
fn check(content: &[u8], now: Timestamp) -> Checked {
    let mut checked = Checked::default();
    if content.trim_ascii().is_empty() {
        return checked;
    }
    let entries = match serde_json::from_slice(content) {
        Ok(Content { holds }) => holds,
        Err(cause) => {
            checked.faults.push(format!("is not a list of holds: {cause}"));
            return checked;
        }
    };
    for (index, entry) in entries.into_iter().enumerate() {
        match parse(entry.get(), now) {
            Ok(hold) if hold.expires <= now => {}
            Ok(hold) => checked.holds.push(hold),
            Err(fault) => {
                let toggle = serde_json::from_str::<Entry>(entry.get()).map(|entry| entry.toggle);
                checked.add_fault(index, &toggle.unwrap_or_default(), &fault);
            }
        }
    }
    let count = checked.holds.len();
    if count > MAX_STORED {
        checked.holds.truncate(MAX_STORED);
        checked.faults.push(format!("contains {count} holds, and the maximum is {MAX_STORED}; remove some"));
    }
    checked
}

fn parse(entry: &str, now: Timestamp) -> Result<Hold, String> {
    let hold: Hold = serde_json::from_str(entry).map_err(|cause| cause.to_string())?;
    hold.check(now)?;
    Ok(hold)
}
