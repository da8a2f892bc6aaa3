//! Temporary files of queries, in memory and with a limit: sort buffers and intermediate tables.
//!
//! SQLite keeps a few megabytes of such data in its caches and writes the rest to temporary files. Here these files
//! are memory. All of a thread together have a limit, beyond which the query fails with `SQLITE_NOMEM`.

use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::Once;
use std::{ptr, slice};

use rusqlite::{Connection, OpenFlags, ffi};

use super::{METHODS, contain};

const NAME: &CStr = c"stuntdouble-scratch";

/// Bytes that the temporary files of a thread may have together.
const BYTES_MAX: usize = 128 << 20;

/// Bytes of a file that are allocated at a time.
const CHUNK: usize = 64 << 10;

thread_local! {
    static ALLOCATED: Cell<usize> = const { Cell::new(0) };
}

/// Opens an empty database in memory. Its temporary files are in memory too, with a limit.
pub(crate) fn open() -> rusqlite::Result<Connection> {
    register();
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_MEMORY;
    let connection = Connection::open_with_flags_and_vfs(":memory:", flags, NAME.to_str()?)?;
    connection.execute_batch("PRAGMA temp_store = FILE; PRAGMA trusted_schema = OFF;")?;
    Ok(connection)
}

/// The contents of the memory that SQLite allocates for an open file.
#[repr(C)]
pub(super) struct ScratchFile {
    /// The first field, because SQLite sees only this.
    base: ffi::sqlite3_file,
    chunks: Vec<Box<[u8]>>,
    size: usize,
}

impl ScratchFile {
    /// # Safety
    /// `file` was opened by [`open_file`] and not closed, and no other reference to it is used during `'a`.
    unsafe fn at<'a>(file: *mut ffi::sqlite3_file) -> &'a mut ScratchFile {
        // SAFETY: `open_file` wrote a ScratchFile there, whose first field `file` points to; the rest is the caller's
        // promise.
        unsafe { &mut *file.cast::<ScratchFile>() }
    }

    fn write(&mut self, mut bytes: &[u8], mut offset: usize) -> c_int {
        let end = offset + bytes.len();
        while self.chunks.len() * CHUNK < end {
            if ALLOCATED.get() + CHUNK > BYTES_MAX {
                return ffi::SQLITE_NOMEM;
            }
            ALLOCATED.set(ALLOCATED.get() + CHUNK);
            self.chunks.push(vec![0; CHUNK].into());
        }
        while !bytes.is_empty() {
            let place = &mut self.chunks[offset / CHUNK][offset % CHUNK..];
            let length = place.len().min(bytes.len());
            place[..length].copy_from_slice(&bytes[..length]);
            (bytes, offset) = (&bytes[length..], offset + length);
        }
        self.size = self.size.max(end);
        ffi::SQLITE_OK
    }

    /// Fills `out`, with zeros beyond the end of the file. Returns whether the file has all of these bytes.
    fn read(&self, out: &mut [u8], offset: usize) -> bool {
        let known = self.size.saturating_sub(offset).min(out.len());
        let (mut known, beyond) = out.split_at_mut(known);
        let mut offset = offset;
        while !known.is_empty() {
            let place = &self.chunks[offset / CHUNK][offset % CHUNK..];
            let length = place.len().min(known.len());
            known[..length].copy_from_slice(&place[..length]);
            (known, offset) = (&mut known[length..], offset + length);
        }
        beyond.fill(0);
        beyond.is_empty()
    }

    fn truncate(&mut self, size: usize) {
        if size < self.size {
            self.size = size;
            let kept = size.div_ceil(CHUNK);
            // Saturates, since the connection of an unfinished query may be dropped by another thread.
            ALLOCATED.set(ALLOCATED.get().saturating_sub((self.chunks.len() - kept) * CHUNK));
            self.chunks.truncate(kept);
            if let Some(last) = self.chunks.last_mut().filter(|_| !size.is_multiple_of(CHUNK)) {
                last[size % CHUNK..].fill(0);
            }
        }
    }
}

impl Drop for ScratchFile {
    fn drop(&mut self) {
        self.truncate(0);
    }
}

/// Registers the VFS with SQLite, once in a process.
fn register() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        const { assert!(align_of::<ScratchFile>() <= 8, "SQLite aligns a file to eight bytes") };
        let vfs = ffi::sqlite3_vfs {
            szOsFile: size_of::<ScratchFile>() as c_int,
            zName: NAME.as_ptr(),
            xOpen: Some(open_file),
            ..super::vfs()
        };
        // SAFETY: the structure is complete and never freed.
        let code = unsafe { ffi::sqlite3_vfs_register(Box::into_raw(Box::new(vfs)), 0) };
        assert_eq!(code, ffi::SQLITE_OK, "a VFS can be registered");
    });
}

static SCRATCH_METHODS: ffi::sqlite3_io_methods = ffi::sqlite3_io_methods {
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xFileSize: Some(file_size),
    xLock: Some(no_lock),
    xUnlock: Some(no_lock),
    ..METHODS
};

// Only SQLite calls the functions below, with the promises that the module above names. A connection runs a query on one
// thread from beginning to end, so a file is opened, used and closed on that thread.

pub(super) unsafe extern "C" fn open_file(
    _: *mut ffi::sqlite3_vfs,
    _: *const c_char,
    file: *mut ffi::sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    if flags & ffi::SQLITE_OPEN_MAIN_DB != 0 {
        // SAFETY: `file` can be written; without methods SQLite will not close it.
        unsafe { (*file).pMethods = ptr::null() };
        return ffi::SQLITE_CANTOPEN;
    }
    let base = ffi::sqlite3_file { pMethods: &raw const SCRATCH_METHODS };
    // SAFETY: SQLite has set aside szOsFile bytes, aligned to eight, which hold nothing yet.
    unsafe { file.cast::<ScratchFile>().write(ScratchFile { base, chunks: Vec::new(), size: 0 }) };
    if !out_flags.is_null() {
        // SAFETY: SQLite may pass null here, and otherwise a place that can be written.
        unsafe { *out_flags = flags };
    }
    ffi::SQLITE_OK
}

unsafe extern "C" fn close(file: *mut ffi::sqlite3_file) -> c_int {
    contain(ffi::SQLITE_IOERR_CLOSE, || {
        // SAFETY: `open_file` wrote it, and after this call SQLite only frees the memory.
        unsafe { file.cast::<ScratchFile>().drop_in_place() };
        ffi::SQLITE_OK
    })
}

unsafe extern "C" fn read(
    file: *mut ffi::sqlite3_file,
    out: *mut c_void,
    length: c_int,
    offset: i64,
) -> c_int {
    contain(ffi::SQLITE_IOERR_READ, || {
        // SAFETY: `out` has `length` bytes. They may be uninitialised, so they are set before a slice is made of them.
        let out = unsafe {
            out.cast::<u8>().write_bytes(0, length as usize);
            slice::from_raw_parts_mut(out.cast::<u8>(), length as usize)
        };
        // SAFETY: an open file, see above.
        let complete = unsafe { ScratchFile::at(file) }.read(out, offset as usize);
        if complete { ffi::SQLITE_OK } else { ffi::SQLITE_IOERR_SHORT_READ }
    })
}

unsafe extern "C" fn write(
    file: *mut ffi::sqlite3_file,
    data: *const c_void,
    length: c_int,
    offset: i64,
) -> c_int {
    contain(ffi::SQLITE_IOERR_WRITE, || {
        // SAFETY: `data` has `length` bytes, which nothing changes during the call.
        let data = unsafe { slice::from_raw_parts(data.cast::<u8>(), length as usize) };
        // SAFETY: an open file, see above.
        unsafe { ScratchFile::at(file) }.write(data, offset as usize)
    })
}

unsafe extern "C" fn truncate(file: *mut ffi::sqlite3_file, size: i64) -> c_int {
    contain(ffi::SQLITE_IOERR_TRUNCATE, || {
        // SAFETY: an open file, see above.
        unsafe { ScratchFile::at(file) }.truncate(size as usize);
        ffi::SQLITE_OK
    })
}

unsafe extern "C" fn file_size(file: *mut ffi::sqlite3_file, out: *mut i64) -> c_int {
    // SAFETY: an open file and an out-pointer, see above.
    unsafe { *out = ScratchFile::at(file).size as i64 };
    ffi::SQLITE_OK
}

/// Nobody else has the file.
unsafe extern "C" fn no_lock(_: *mut ffi::sqlite3_file, _: c_int) -> c_int {
    ffi::SQLITE_OK
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of a kilobyte each, `count` of them, which have to be sorted.
    fn sorted(count: u32) -> rusqlite::Result<i64> {
        let sql = "with recursive n(i) as (select 1 union all select i + 1 from n where i < ?1)
                   select count(*) from (select distinct printf('%1000d', i * 7919 % ?1) as text from n order by 1 desc)";
        open()?.query_row(sql, (count,), |row| row.get(0))
    }

    #[test]
    fn sorting_has_a_memory_limit() {
        assert_eq!(sorted(10_000), Ok(10_000));
        let error = sorted(1_000_000).expect_err("a gigabyte is too much");
        assert_eq!(error.sqlite_error_code(), Some(rusqlite::ErrorCode::OutOfMemory));
        assert_eq!(ALLOCATED.get(), 0, "all memory is freed");
    }

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let base = ffi::sqlite3_file { pMethods: ptr::null() };
        let mut file = ScratchFile { base, chunks: Vec::new(), size: 0 };
        assert_eq!(file.write(&[7; 10], CHUNK - 5), ffi::SQLITE_OK);
        let mut out = [1; 12];
        assert!(!file.read(&mut out, CHUNK - 6));
        assert_eq!(out, [0, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 0]);
        file.truncate(CHUNK - 3);
        assert_eq!(file.write(&[9], CHUNK), ffi::SQLITE_OK);
        assert!(file.read(&mut out[..5], CHUNK - 4));
        assert_eq!(out[..5], [7, 0, 0, 0, 9]);
        file.truncate(0);
        assert_eq!(ALLOCATED.get(), 0);
    }
}
