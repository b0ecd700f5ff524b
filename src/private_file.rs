//! Writes files that only the user of this process may read, such as keys.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

/// Returns the path of a file beside another one: `flagdeck.db.key` for `flagdeck.db` and the suffix `.key`.
#[must_use]
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}

/// Creates a file that only the user of this process may read, from its creation on. Follows no symbolic link.
///
/// # Errors
/// [`ErrorKind::AlreadyExists`] if anything has this path, and the errors of the operating system.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Creates a file with this content that only the user of this process may read. Other processes see either no file or the whole
/// content, which is on the disk when this function returns.
///
/// # Errors
/// [`ErrorKind::AlreadyExists`] if anything has this path, also if another process has created it at the same time, and the errors
/// of the operating system.
pub(crate) fn create_with(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().ok_or(ErrorKind::InvalidInput)?.to_owned();
    name.push(format!(".{:016x}.new", getrandom::u64().map_err(io::Error::other)?));
    let new = path.with_file_name(name);
    let mut file = create(&new)?;
    let written = file.write_all(content).and_then(|()| file.sync_all());
    // Unlike a rename, this never replaces a file.
    let linked = written.and_then(|()| match fs::hard_link(&new, path) {
        // The file system has no hard links. Another process that starts now may read an incomplete file, which it refuses.
        Err(error) if matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::PermissionDenied) => {
            create(path).and_then(|mut file| file.write_all(content).and_then(|()| file.sync_all()))
        }
        linked => linked,
    });
    drop(fs::remove_file(&new));
    linked?;
    File::open(folder_of(path))?.sync_all()
}

/// Creates the folders of a file. Only the user of this process may list them.
pub(crate) fn create_folder_of(file: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder_of(file))
}

/// Replaces a file by a new one that only the user of this process may read. A crash leaves the old or the new one, and both
/// are complete. The content is on the disk when this function returns. If `path` is a symbolic link, the link is replaced.
///
/// The new content is first in `path` with the suffix `.new`. Two processes must not write the same file at once.
pub(crate) fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().ok_or(ErrorKind::InvalidInput)?.to_owned();
    name.push(".new");
    let new = path.with_file_name(name);
    // After a crash, or prepared by another user: such a file would keep its owner and mode, and a link its target.
    match fs::remove_file(&new) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = create(&new)?;
    let written =
        file.write_all(content).and_then(|()| file.sync_all()).and_then(|()| fs::rename(&new, path));
    if let Err(error) = written {
        drop(fs::remove_file(&new));
        return Err(error);
    }
    File::open(folder_of(path))?.sync_all()
}

/// Returns the folder of a file.
#[must_use]
pub fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Checks that files can be created in a folder, by creating and removing one.
pub(crate) fn check_folder(folder: &Path) -> io::Result<()> {
    let probe = folder.join(format!(".flagdeck-check-{:016x}", getrandom::u64().map_err(io::Error::other)?));
    create(&probe)?;
    fs::remove_file(probe)
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::replace;

    #[test]
    fn replaces_a_foreign_temporary_file_and_follows_no_link() {
        let folder = tempfile::tempdir().unwrap();
        let [file, new, victim] = ["key", "key.new", "victim"].map(|name| folder.path().join(name));
        fs::write(&victim, "untouched").unwrap();
        let prepare: [&dyn Fn(); 3] = [
            &|| {},
            &|| {
                fs::write(&new, "prepared").unwrap();
                fs::set_permissions(&new, Permissions::from_mode(0o666)).unwrap();
            },
            &|| symlink(&victim, &new).unwrap(),
        ];
        for (round, prepare) in prepare.into_iter().enumerate() {
            prepare();
            replace(&file, round.to_string().as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), round.to_string());
            let metadata = fs::symlink_metadata(&file).unwrap();
            assert!(metadata.is_file());
            assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
            assert!(!new.exists());
        }
        assert_eq!(fs::read_to_string(&victim).unwrap(), "untouched");
    }

    #[test]
    fn failed_write_leaves_the_old_file_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        // A folder cannot be replaced by a file.
        let file = folder.path().join("key");
        fs::create_dir(&file).unwrap();
        assert!(replace(&file, b"x").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
