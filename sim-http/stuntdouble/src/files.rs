//! Files that the command line names. They are read whole, so each has a limit: a device or a wrong name must not fill the memory.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// The largest file of settings, rules or keys, in bytes.
const SETTINGS_MAX: u64 = 16 << 20;

/// The largest file that a server has written: a replay, a coverage; and seed files, which may have an exported world in them.
const WRITTEN_MAX: u64 = 256 << 20;

/// The text of a file of settings, rules or keys; or why it can't be read.
pub(crate) fn settings(path: &Path) -> Result<String, String> {
    text(read(path, SETTINGS_MAX)?)
}

/// The text of a seed file.
pub(crate) fn seed(path: &Path) -> Result<String, String> {
    text(read(path, WRITTEN_MAX)?)
}

/// A file that a server has written.
pub(crate) fn written(path: &Path) -> Result<Vec<u8>, String> {
    read(path, WRITTEN_MAX)
}

/// A file or a pipe. Memory is taken for what arrives, not for what the file says of its size.
fn read(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let unread = |error: io::Error| format!("can't be read, {error}");
    let too_long = || format!("can't be read, it has more than {most} bytes");
    let file = File::open(path).map_err(unread)?;
    let kind = file.metadata().map_err(unread)?;
    if kind.is_file() && kind.len() > most {
        return Err(too_long());
    }
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes).map_err(unread)?;
    if bytes.len() as u64 > most {
        return Err(too_long());
    }
    Ok(bytes)
}

fn text(bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|_| "can't be read, it is no UTF-8".to_owned())
}
