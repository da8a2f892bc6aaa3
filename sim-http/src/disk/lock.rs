//! The lock of a directory of worlds. The operating system holds it on an open file, so it ends with the process.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::DiskError;

/// No world can have that name.
const LOCK: &str = "lock~";

/// A locked directory.
#[derive(Debug)]
pub(crate) struct Lock {
    path: PathBuf,
    file: File,
    is_released: AtomicBool,
}

impl Lock {
    /// Locks the directory. Refuses one that another process has locked.
    pub(crate) fn take(dir: &Path) -> Result<Lock, DiskError> {
        let path = dir.join(LOCK);
        let file = File::options().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(DiskError::of(
            &path,
            "can't be opened for writing; make it so, or give another directory",
        ))?;
        file.try_lock().map_err(|error| match error {
            fs::TryLockError::WouldBlock => {
                DiskError::new(dir, "is in use by another process; stop that one, or give another directory")
            }
            fs::TryLockError::Error(error) => DiskError::new(&path, format!("can't be locked: {error}")),
        })?;
        Ok(Lock { path, file, is_released: AtomicBool::new(false) })
    }

    /// Call this before each write. Fails if the file was removed or replaced: then another process may have locked the
    /// directory, or the directory was removed.
    pub(crate) fn check(&self) -> io::Result<()> {
        if !self.is_released.load(Ordering::SeqCst) && self.is_in_place()? {
            return Ok(());
        }
        let path = self.path.display();
        Err(io::Error::other(format!(
            "{path} was replaced, so the directory may have another owner; restart the server"
        )))
    }

    #[cfg(unix)]
    fn is_in_place(&self) -> io::Result<bool> {
        use std::os::unix::fs::MetadataExt as _;
        let (held, there) = (self.file.metadata()?, fs::metadata(&self.path)?);
        Ok((held.dev(), held.ino()) == (there.dev(), there.ino()))
    }

    /// Elsewhere a file that is open can't be removed.
    #[cfg(not(unix))]
    fn is_in_place(&self) -> io::Result<bool> {
        self.path.try_exists()
    }

    /// Lets the next server have the directory. Nothing is written from here on.
    pub(crate) fn release(&self) {
        self.is_released.store(true, Ordering::SeqCst);
        // Where this fails, it is released with the process.
        let _ = self.file.unlock();
    }
}
