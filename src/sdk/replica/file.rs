//! The file that keeps the copies across a restart. It contains hashes of cache keys, no credentials.
//!
//! A line with the format, a checksum and the length of the index; the index as JSON; the bodies. Only the user of this
//! process can read the file. It is replaced as a whole, so that a crash leaves the old or the new one.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;

use actix_web::http::header::HeaderValue;
use bytes::Bytes;
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::cache_key::{CacheKey, Salt};
use super::copy::ToggleCopy;

/// Start of the first line. The number is the version of the format.
const FORMAT: &str = "flagdeck-replica 1";
/// Maximum size of a file that is read, in bytes: the bodies with their compressed form, and the index.
const MAX_SIZE: u64 = 320 << 20;

/// The content of the file.
#[derive(Debug)]
pub(super) struct Stored {
    pub(super) salt: Salt,
    pub(super) copies: Vec<StoredCopy>,
    /// Hashes of the credentials that the upstream has accepted.
    pub(super) accepted: Vec<[u8; 32]>,
}

/// A copy with its key and the time when the upstream has last confirmed it.
#[derive(Debug)]
pub(super) struct StoredCopy {
    pub(super) key: CacheKey,
    pub(super) confirmed_at: u64,
    pub(super) copy: ToggleCopy,
}

#[derive(Serialize, Deserialize)]
struct Index {
    salt: String,
    copies: Vec<Record>,
    #[serde(default)]
    accepted: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct Record {
    credential: String,
    key: String,
    confirmed_at: u64,
    content_type: String,
    tag: Option<String>,
    body: usize,
    gzip: usize,
}

/// The reasons why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum FileError {
    /// The file cannot be read.
    #[error("it cannot be read: {0}")]
    Read(#[from] io::Error),
    /// The file has another format, or is damaged.
    #[error("{0}")]
    Invalid(&'static str),
}

/// A copy that is going to be written: key, time of the last confirmation, and content.
pub(super) type CopyToWrite = (CacheKey, u64, Arc<ToggleCopy>);

/// Reads a file; `None` if it does not exist.
pub(super) fn read(path: &Path) -> Result<Option<Stored>, FileError> {
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Ok(metadata) if metadata.len() > MAX_SIZE => return Err(FileError::Invalid("it is too large")),
        _ => {}
    }
    decode(&fs::read(path)?.into()).map(Some).map_err(FileError::Invalid)
}

/// Builds the content of the file.
pub(super) fn encode(
    salt: &Salt,
    copies: &[CopyToWrite],
    accepted: &[[u8; 32]],
) -> Result<Vec<u8>, serde_json::Error> {
    let record = |(key, confirmed_at, copy): &CopyToWrite| {
        let text = |value: &HeaderValue| value.to_str().ok().map(str::to_owned);
        Record {
            credential: HEXLOWER.encode(&key.credential),
            key: HEXLOWER.encode(&key.whole),
            confirmed_at: *confirmed_at,
            content_type: text(&copy.content_type).unwrap_or_default(),
            tag: copy.upstream_tag.as_ref().and_then(text),
            body: copy.body.len(),
            gzip: copy.gzip.len(),
        }
    };
    let index = Index {
        salt: HEXLOWER.encode(salt),
        copies: copies.iter().map(record).collect(),
        accepted: accepted.iter().map(|hash| HEXLOWER.encode(hash)).collect(),
    };
    let mut content = serde_json::to_vec(&index)?;
    let index_length = content.len();
    for (_, _, copy) in copies {
        content.extend_from_slice(&copy.body);
        content.extend_from_slice(&copy.gzip);
    }
    let checksum = HEXLOWER.encode(&Sha256::digest(&content));
    let mut file = format!("{FORMAT} {checksum} {index_length}\n").into_bytes();
    file.append(&mut content);
    Ok(file)
}

/// Parses the content of a file. The copies share its memory.
fn decode(file: &Bytes) -> Result<Stored, &'static str> {
    const DAMAGED: &str = "it is damaged";
    let end = file.iter().position(|byte| *byte == b'\n').ok_or("it is not a file of a replica")?;
    let line = file.get(..end).and_then(|line| str::from_utf8(line).ok()).unwrap_or_default();
    let (checksum, index_length) = line
        .strip_prefix(FORMAT)
        .and_then(|rest| rest.trim_start().split_once(' '))
        .ok_or("it is not a file of a replica, or it has another version")?;
    let mut content = file.slice(end + 1..);
    if HEXLOWER.encode(&Sha256::digest(&content)) != checksum {
        return Err(DAMAGED);
    }
    let index = take(&mut content, index_length.parse().map_err(|_not_a_number| DAMAGED)?).ok_or(DAMAGED)?;
    let index: Index = serde_json::from_slice(&index).map_err(|_another_form| DAMAGED)?;
    let copies = index.copies.into_iter().map(|record| decode_copy(record, &mut content).ok_or(DAMAGED));
    let accepted = index.accepted.iter().map(|hash| decode_hex(hash).ok_or(DAMAGED));
    Ok(Stored {
        copies: copies.collect::<Result<_, _>>()?,
        salt: decode_hex(&index.salt).ok_or(DAMAGED)?,
        accepted: accepted.collect::<Result<_, _>>()?,
    })
}

fn decode_copy(record: Record, content: &mut Bytes) -> Option<StoredCopy> {
    let (body, gzip) = (take(content, record.body)?, take(content, record.gzip)?);
    let content_type = HeaderValue::try_from(record.content_type).ok()?;
    let tag = record.tag.map(HeaderValue::try_from).transpose().ok()?;
    Some(StoredCopy {
        key: CacheKey { credential: decode_hex(&record.credential)?, whole: decode_hex(&record.key)? },
        confirmed_at: record.confirmed_at,
        copy: ToggleCopy::from_parts(body, gzip, content_type, tag),
    })
}

fn decode_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    HEXLOWER.decode(text.as_bytes()).ok()?.try_into().ok()
}

/// Takes the first bytes; `None` if there are not enough.
fn take(content: &mut Bytes, length: usize) -> Option<Bytes> {
    (length <= content.len()).then(|| content.split_to(length))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;
    use std::sync::Arc;

    use actix_web::http::header::{ETAG, HeaderMap, HeaderValue};
    use bytes::Bytes;

    use super::{decode, encode, fs, read};
    use crate::private_file;
    use crate::sdk::replica::cache_key::CacheKey;
    use crate::sdk::replica::copy::ToggleCopy;

    fn example() -> Vec<(CacheKey, u64, Arc<ToggleCopy>)> {
        let tag = HeaderMap::from_iter([(ETAG, HeaderValue::from_static("\"7\""))]);
        let copy = |body: &str, headers: &HeaderMap| {
            Arc::new(ToggleCopy::new(Bytes::copy_from_slice(body.as_bytes()), headers).unwrap())
        };
        let key = |byte: u8| CacheKey { credential: [byte; 32], whole: [byte + 1; 32] };
        vec![(key(1), 5, copy(&"long ".repeat(1_000), &tag)), (key(2), 6, copy("short", &HeaderMap::new()))]
    }

    #[test]
    fn file_keeps_copies_and_is_readable_for_its_owner_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("replica");
        assert!(read(&path).unwrap().is_none());
        for old_mode in [None, Some(0o644)] {
            if let Some(mode) = old_mode {
                fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            }
            private_file::replace(&path, &encode(&[9; 16], &example(), &[[3; 32]]).unwrap()).unwrap();
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        let stored = read(&path).unwrap().unwrap();
        assert_eq!((stored.salt, &*stored.accepted), ([9; 16], &[[3; 32]][..]));
        assert_eq!(stored.copies.len(), 2);
        for (stored, (key, confirmed_at, copy)) in stored.copies.iter().zip(example()) {
            assert_eq!((stored.key, stored.confirmed_at, &stored.copy), (key, confirmed_at, &*copy));
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file remains");
    }

    #[test]
    fn damaged_files_are_refused() {
        let file = encode(&[9; 16], &example(), &[[3; 32]]).unwrap();
        assert!(decode(&file.clone().into()).is_ok());
        for position in (0..file.len()).step_by(7) {
            let mut damaged = file.clone();
            damaged[position] ^= 1;
            assert!(decode(&damaged.into()).is_err(), "byte {position} is changed");
            assert!(decode(&file[..position].to_vec().into()).is_err(), "cut at {position}");
        }
        let other_version = String::from_utf8_lossy(&file).replace("replica 1", "replica 2");
        assert!(decode(&other_version.into_bytes().into()).unwrap_err().contains("another version"));
    }
}
