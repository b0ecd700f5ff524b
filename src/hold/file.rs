//! The file of holds, which this process and other programs write.

use std::fs;
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::recorded;
use super::set::Hold;
use crate::private_file;
use crate::recorder::Recorder;

/// Maximum size in bytes.
const MAX_SIZE: u64 = 16 << 20;
/// Maximum number of holds that have not ended. Other programs can add some to those of this process.
const MAX_STORED: usize = 2_000;

/// The reasons why the file is refused. Each message is one sentence that names the file.
#[derive(Debug, Clone, thiserror::Error)]
#[error("hold-file: {} {fault}", .path.display())]
pub struct FileError {
    path: PathBuf,
    fault: String,
}

/// The content of the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    holds: Vec<Hold>,
}

#[derive(Serialize)]
struct NewContent<'h> {
    holds: Vec<&'h Hold>,
}

/// The file. Clones share the state.
#[derive(Debug, Clone)]
pub(super) struct HoldFile {
    path: Arc<Path>,
    /// The content that was read or written last; `None` if there was no file. Locked while the disk works.
    content: Arc<Mutex<Option<Vec<u8>>>>,
    /// The reason why the file is refused. Never locked while the disk works, because requests read it.
    fault: Arc<Mutex<Option<String>>>,
    /// True while the file differs from the holds of this process.
    must_write: Arc<AtomicBool>,
}

/// Checks a file without using it.
///
/// # Errors
/// If it cannot be read, or is invalid.
pub fn check_file(path: &Path, now: Timestamp) -> Result<usize, FileError> {
    let fail = |fault| FileError { path: path.to_owned(), fault };
    match read(path).map_err(fail)? {
        Some(content) => Ok(parse(&content, now).map_err(fail)?.len()),
        None => Ok(0),
    }
}

impl HoldFile {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path: path.into(), content: Arc::default(), fault: Arc::default(), must_write: Arc::default() }
    }

    /// Returns the reason why the file is refused, if it is.
    pub(super) fn fault(&self) -> Option<String> {
        lock(&self.fault).clone()
    }

    pub(super) fn must_write(&self) -> bool {
        self.must_write.load(Ordering::SeqCst)
    }

    pub(super) fn set_must_write(&self, must_write: bool) {
        self.must_write.store(must_write, Ordering::SeqCst);
    }

    /// Returns the holds of the file if its content has changed since the last read or write. A file with a fault is
    /// reported once.
    pub(super) fn read_if_changed(
        &self,
        now: Timestamp,
        recorder: Option<&Recorder>,
    ) -> Result<Option<Vec<Hold>>, FileError> {
        let mut known = lock(&self.content);
        let fail = |fault: String| FileError { path: self.path.to_path_buf(), fault };
        let fault = self.fault();
        let content = match read(&self.path) {
            Ok(content) => content,
            Err(new) if fault.as_ref() == Some(&new) => return Ok(None),
            Err(new) => {
                *lock(&self.fault) = Some(new.clone());
                return Err(fail(new));
            }
        };
        // A fault of the disk can end, and a start in the future is reached.
        let has_same_fault = || content.as_ref().is_some_and(|content| parse(content, now).is_err());
        if content == *known && (fault.is_none() || has_same_fault()) {
            return Ok(None);
        }
        let parsed = match &content {
            Some(content) => parse(content, now).and_then(|holds| resolve(holds, recorder)),
            None => Ok(Vec::new()),
        };
        *known = content;
        *lock(&self.fault) = parsed.as_ref().err().cloned();
        parsed.map(Some).map_err(fail)
    }

    /// Replaces the file.
    pub(super) fn write(&self, holds: &[Arc<Hold>]) -> io::Result<()> {
        let mut known = lock(&self.content);
        let content = NewContent { holds: holds.iter().map(|hold| &**hold).collect() };
        let mut content = serde_json::to_vec_pretty(&content).map_err(io::Error::other)?;
        content.push(b'\n');
        // A larger file would be refused when it is read again.
        check_size(&content).map_err(io::Error::other)?;
        private_file::replace(&self.path, &content)?;
        *known = Some(content);
        *lock(&self.fault) = None;
        Ok(())
    }
}

/// A poisoned lock is safe to use: values are replaced as a whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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

/// Parses and checks the holds. An empty file contains none. Holds that have ended are left out.
fn parse(content: &[u8], now: Timestamp) -> Result<Vec<Hold>, String> {
    if content.trim_ascii().is_empty() {
        return Ok(Vec::new());
    }
    let Content { holds } =
        serde_json::from_slice(content).map_err(|cause| format!("is not a list of holds: {cause}"))?;
    for (index, hold) in holds.iter().enumerate() {
        let place = || format!("is invalid: hold {} ({:?}): ", index + 1, hold.toggle);
        hold.check(now).map_err(|fault| place() + &fault)?;
    }
    let holds: Vec<_> = holds.into_iter().filter(|hold| hold.expires > now).collect();
    if holds.len() > MAX_STORED {
        return Err(format!("contains {} holds, and the maximum is {MAX_STORED}; remove some", holds.len()));
    }
    Ok(holds)
}

/// Adds the earlier states of toggles that another program holds as of a time.
fn resolve(mut holds: Vec<Hold>, recorder: Option<&Recorder>) -> Result<Vec<Hold>, String> {
    for hold in &mut holds {
        let Some(at) = hold.at.filter(|_| hold.recorded.is_empty()) else { continue };
        let environment = hold.environment.as_deref();
        let found = recorder.ok_or_else(|| "at needs the setting recorder".to_owned()).and_then(|recorder| {
            recorded::find(recorder, &hold.toggle, environment, at).map_err(|error| error.to_string())
        });
        hold.recorded = found.map_err(|fault| format!("is invalid: {:?}: {fault}", hold.toggle))?;
    }
    Ok(holds)
}
