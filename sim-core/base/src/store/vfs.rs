//! The only unsafe code of the workspace: an SQLite VFS whose one file is a [`Pages`] tree in memory. What queries sort
//! goes to temporary files, see [`scratch`].
//!
//! Every connection has its own file. The file is in memory that SQLite allocates for the open file, and is reached
//! again through `SQLITE_FCNTL_FILE_POINTER`. Nothing else is shared, so a lock only records the level that was asked
//! for.
//!
//! The file changes only in [`PageConnection::writing`]. Elsewhere the exclusive lock is refused, which SQLite takes
//! before it changes a file. The cache never spills, so a transaction that is not committed there leaves no trace.
#![expect(unsafe_code, reason = "SQLite calls a VFS through C functions; this module is audited")]

pub(super) mod scratch;

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::{mem, ptr, slice};

use rusqlite::hooks::{AuthContext, Authorization};
use rusqlite::{Connection, OpenFlags, ffi};
use self_cell::self_cell;

use self::scratch::ScratchFile;
use super::pages::{PAGE_SIZE, Page, Pages, RESERVED};
use super::statements::Shelf;
use sim_values::across::Done as _;

const NAME: &CStr = c"stuntdouble-pages";
const PATH_MAX: c_int = 64;

/// What SQLite sets aside for an open file: the image, or a temporary one.
const FILE_BYTES: usize = match size_of::<PageFile>() > size_of::<ScratchFile>() {
    true => size_of::<PageFile>(),
    false => size_of::<ScratchFile>(),
};

/// The current time for SQL, in milliseconds of the Julian day: the Unix epoch. The time of a world is data.
const NOW: i64 = 210_866_760_000_000;

/// Where the first page says which version of SQLite wrote it. SQLite does not read it. It stays zero, so that a world
/// is the same for every version.
const WRITER: Range<usize> = 96..100;

self_cell!(
    /// A connection and the statements that are prepared on it.
    pub(super) struct Prepared {
        owner: PageConnection,
        #[not_covariant]
        dependent: Shelf,
    }
);

// SAFETY: the connection may go to another thread, and so may its statements as long as they go with it: they refer to
// nothing else, and SQLite binds neither to a thread. `Prepared` lends both by shared reference only, and nothing that
// it lends can be sent or shared, as neither connections nor statements can.
unsafe impl Send for Prepared {}

/// A connection to an image that can be exchanged under it.
pub(super) struct PageConnection(Connection);

impl PageConnection {
    /// Opens a connection to an empty image.
    pub(super) fn open() -> rusqlite::Result<PageConnection> {
        PageConnection::reserving(RESERVED)
    }

    /// Like [`open`](PageConnection::open), but reserves so many bytes of each page as long as the image is empty. An
    /// image that is not empty keeps the number it has.
    pub(super) fn reserving(bytes: usize) -> rusqlite::Result<PageConnection> {
        register();
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection =
            Connection::open_with_flags_and_vfs("world", flags, NAME.to_str()?).map(PageConnection)?;
        let mut bytes = bytes as c_int;
        let code = connection.control(ffi::SQLITE_FCNTL_RESERVE_BYTES, (&raw mut bytes).cast());
        assert_eq!(code, ffi::SQLITE_OK, "bytes can be reserved");
        Ok(connection)
    }

    pub(super) fn get(&self) -> &Connection {
        &self.0
    }

    pub(super) fn get_mut(&mut self) -> &mut Connection {
        &mut self.0
    }

    /// Calls `rule` for every statement that is prepared from now on.
    pub(super) fn authorize(&mut self, rule: fn(AuthContext<'_>) -> Authorization) -> rusqlite::Result<()> {
        self.0.authorizer(Some(rule)).done()
    }

    /// Whether no transaction is open and no statement is half read.
    pub(super) fn is_idle(&self) -> bool {
        self.0.is_autocommit() && self.file(|file| file.lock) == ffi::SQLITE_LOCK_NONE
    }

    /// Puts an image of the same schema into the connection and clears its page cache.
    pub(super) fn load(&self, image: Pages) {
        self.resume(image);
        // Counters in the first page show most exchanges to SQLite, but not one between two equally old forks.
        let code = self.control(ffi::SQLITE_FCNTL_RESET_CACHE, ptr::null_mut());
        assert_eq!(code, ffi::SQLITE_OK, "a page cache can be reset");
    }

    /// Puts back the image that was taken last, or one equal to it. So cached pages stay valid.
    pub(super) fn resume(&self, image: Pages) {
        assert!(self.is_idle(), "an image is exchanged between transactions only");
        self.file(|file| file.image = image);
    }

    /// Takes the image out. Also returns whether it was written to since it was put in.
    pub(super) fn take(&self) -> (Pages, bool) {
        self.file(|file| (mem::take(&mut file.image), mem::take(&mut file.changed)))
    }

    /// Runs `f`. Only in here can a commit reach the image.
    pub(super) fn writing<T>(&self, f: impl FnOnce(&Connection) -> T) -> T {
        self.file(|file| file.writable = true);
        let result = f(&self.0);
        self.file(|file| file.writable = false);
        result
    }

    /// Calls `look` with the file. `look` must not call SQLite.
    fn file<T>(&self, look: impl FnOnce(&mut PageFile) -> T) -> T {
        let mut file: *mut ffi::sqlite3_file = ptr::null_mut();
        let code = self.control(ffi::SQLITE_FCNTL_FILE_POINTER, (&raw mut file).cast());
        assert!(code == ffi::SQLITE_OK && !file.is_null(), "a connection has a main file");
        // SAFETY: `open` is the only constructor, so the main file is a PageFile, which lives until the
        // connection is closed. A connection is used by one thread at a time, and the callers, all of them above,
        // have `look` touch fields only: SQLite is not called, and so does not use the file, while the reference lives.
        look(unsafe { PageFile::at(file) })
    }

    fn control(&self, operation: c_int, argument: *mut c_void) -> c_int {
        // SAFETY: the handle is that of an open connection, and a null name means its main database. Of the three
        // operations used, one takes no argument, one writes a pointer to where the caller has room for it, and one
        // reads an int that the caller has put there and writes another in its place.
        unsafe { ffi::sqlite3_file_control(self.0.handle(), ptr::null(), operation, argument) }
    }
}

/// Whether the open transaction has changed anything.
pub(crate) fn is_writing(db: &Connection) -> bool {
    // SAFETY: the handle is that of an open connection, and a null name means all its databases.
    unsafe { ffi::sqlite3_txn_state(db.handle(), ptr::null()) == ffi::SQLITE_TXN_WRITE }
}

/// The contents of the memory that SQLite allocates for an open file.
#[repr(C)]
struct PageFile {
    /// The first field, because SQLite sees only this.
    base: ffi::sqlite3_file,
    image: Pages,
    changed: bool,
    writable: bool,
    lock: c_int,
}

impl PageFile {
    /// # Safety
    /// `file` was opened by [`open`] and not closed, and no other reference to it is used during `'a`.
    unsafe fn at<'a>(file: *mut ffi::sqlite3_file) -> &'a mut PageFile {
        // SAFETY: `open` wrote a PageFile there, whose first field `file` points to; the rest is the caller's
        // promise.
        unsafe { &mut *file.cast::<PageFile>() }
    }

    fn write(&mut self, page: &[u8], offset: usize) -> c_int {
        let Ok(page) = <&Page>::try_from(page) else { return ffi::SQLITE_IOERR_WRITE };
        if !self.writable || !offset.is_multiple_of(PAGE_SIZE) {
            return ffi::SQLITE_IOERR_WRITE;
        }
        self.changed = true;
        if offset == 0 {
            let mut first = *page;
            first[WRITER].fill(0);
            self.image.write(0, &first);
        } else {
            self.image.write(offset / PAGE_SIZE, page);
        }
        ffi::SQLITE_OK
    }

    fn truncate(&mut self, size: usize) -> c_int {
        if !self.writable {
            return ffi::SQLITE_IOERR_TRUNCATE;
        }
        self.changed = true;
        self.image.truncate(size.div_ceil(PAGE_SIZE));
        ffi::SQLITE_OK
    }
}

/// Registers the VFS with SQLite, once in a process.
fn register() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: the option takes one int. Without it every allocation of every thread takes one mutex.
        // SQLite refuses it when the program around us has already used SQLite, and then works all the same.
        unsafe { ffi::sqlite3_config(ffi::SQLITE_CONFIG_MEMSTATUS, 0 as c_int) };
        // SAFETY: the structure is complete and never freed.
        let code = unsafe { ffi::sqlite3_vfs_register(Box::into_raw(Box::new(vfs())), 0) };
        assert_eq!(code, ffi::SQLITE_OK, "a VFS can be registered");
    });
}

fn vfs() -> ffi::sqlite3_vfs {
    const { assert!(align_of::<PageFile>() <= 8, "SQLite aligns a file to eight bytes") };
    ffi::sqlite3_vfs {
        iVersion: 2,
        szOsFile: FILE_BYTES as c_int,
        mxPathname: PATH_MAX,
        pNext: ptr::null_mut(),
        zName: NAME.as_ptr(),
        pAppData: ptr::null_mut(),
        xOpen: Some(open),
        xDelete: Some(delete),
        xAccess: Some(access),
        xFullPathname: Some(full_pathname),
        xDlOpen: None,
        xDlError: None,
        xDlSym: None,
        xDlClose: None,
        xRandomness: Some(randomness),
        xSleep: Some(sleep),
        xCurrentTime: None,
        xGetLastError: None,
        xCurrentTimeInt64: Some(current_time),
        xSetSystemCall: None,
        xGetSystemCall: None,
        xNextSystemCall: None,
    }
}

static METHODS: ffi::sqlite3_io_methods = ffi::sqlite3_io_methods {
    // Neither shared memory (so no WAL) nor mapped pages.
    iVersion: 1,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock),
    xUnlock: Some(unlock),
    xCheckReservedLock: Some(check_reserved_lock),
    xFileControl: Some(file_control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(device_characteristics),
    xShmMap: None,
    xShmLock: None,
    xShmBarrier: None,
    xShmUnmap: None,
    xFetch: None,
    xUnfetch: None,
};

/// A panic must not cross into C, so it becomes the operation's error code.
fn contain(failure: c_int, f: impl FnOnce() -> c_int) -> c_int {
    catch_unwind(AssertUnwindSafe(f)).unwrap_or(failure)
}

// Only SQLite calls the functions below, with arguments that its documentation of sqlite3_vfs and sqlite3_io_methods
// promises: files are ones that `open` has set up and `close` has not yet seen, out-pointers can be written, a buffer
// has the length that comes with it, and offsets and sizes are not negative. A connection is used by one thread at a
// time and SQLite does not call a file's methods from within another, so a file is never referred to twice.

unsafe extern "C" fn open(
    vfs: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    file: *mut ffi::sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    if flags & ffi::SQLITE_OPEN_DELETEONCLOSE != 0 {
        // SAFETY: the arguments of this function; `FILE_BYTES` has room for either.
        return unsafe { scratch::open_file(vfs, name, file, flags, out_flags) };
    }
    if flags & ffi::SQLITE_OPEN_MAIN_DB == 0 {
        // SAFETY: `file` can be written; without methods SQLite will not close it.
        unsafe { (*file).pMethods = ptr::null() };
        return ffi::SQLITE_CANTOPEN;
    }
    let base = ffi::sqlite3_file { pMethods: &raw const METHODS };
    let new = PageFile {
        base,
        image: Pages::default(),
        changed: false,
        writable: false,
        lock: ffi::SQLITE_LOCK_NONE,
    };
    // SAFETY: SQLite has set aside szOsFile bytes, aligned to eight, which hold nothing yet.
    unsafe { file.cast::<PageFile>().write(new) };
    if !out_flags.is_null() {
        // SAFETY: see above; SQLite may pass null here.
        unsafe { *out_flags = flags };
    }
    ffi::SQLITE_OK
}

unsafe extern "C" fn close(file: *mut ffi::sqlite3_file) -> c_int {
    contain(ffi::SQLITE_IOERR_CLOSE, || {
        // SAFETY: `open` wrote it, and after this call SQLite only frees the memory.
        unsafe { file.cast::<PageFile>().drop_in_place() };
        ffi::SQLITE_OK
    })
}

/// Makes the processor fetch a whole page at once. Few pages of a large world are in any cache, and a copy would wait
/// for one cache line after the other.
fn prefetch(bytes: &[u8]) {
    #[cfg(target_arch = "x86_64")]
    for line in bytes.chunks(64) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: it is a hint, which does nothing to memory.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = bytes;
}

unsafe extern "C" fn read(
    file: *mut ffi::sqlite3_file,
    out: *mut c_void,
    length: c_int,
    offset: i64,
) -> c_int {
    contain(ffi::SQLITE_IOERR_READ, || {
        // SAFETY: an open file, see above.
        let image = &unsafe { PageFile::at(file) }.image;
        if let Some((bytes, rest)) = image.within_page(offset as usize, length as usize) {
            prefetch(bytes);
            let out = out.cast::<u8>();
            // SAFETY: `out` has `length` bytes, as many as these together, which lie elsewhere.
            unsafe {
                ptr::copy_nonoverlapping(bytes.as_ptr(), out, bytes.len());
                ptr::copy_nonoverlapping(rest.as_ptr(), out.add(bytes.len()), rest.len());
            }
            return ffi::SQLITE_OK;
        }
        // SAFETY: `out` has `length` bytes. They may be uninitialised, so they are set before a slice is made
        // of them; zeros are also what SQLite wants to find after a short read.
        let out = unsafe {
            out.write_bytes(0, length as usize);
            slice::from_raw_parts_mut(out.cast::<u8>(), length as usize)
        };
        let complete = image.read(offset as usize, out);
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
        unsafe { PageFile::at(file) }.write(data, offset as usize)
    })
}

unsafe extern "C" fn truncate(file: *mut ffi::sqlite3_file, size: i64) -> c_int {
    contain(ffi::SQLITE_IOERR_TRUNCATE, || {
        // SAFETY: an open file, see above.
        unsafe { PageFile::at(file) }.truncate(size as usize)
    })
}

unsafe extern "C" fn file_size(file: *mut ffi::sqlite3_file, out: *mut i64) -> c_int {
    // SAFETY: an open file and an out-pointer, see above.
    unsafe { *out = PageFile::at(file).image.size() as i64 };
    ffi::SQLITE_OK
}

unsafe extern "C" fn lock(file: *mut ffi::sqlite3_file, level: c_int) -> c_int {
    // SAFETY: an open file, see above.
    let file = unsafe { PageFile::at(file) };
    if level == ffi::SQLITE_LOCK_EXCLUSIVE && !file.writable {
        return ffi::SQLITE_READONLY;
    }
    file.lock = level;
    ffi::SQLITE_OK
}

unsafe extern "C" fn unlock(file: *mut ffi::sqlite3_file, level: c_int) -> c_int {
    // SAFETY: an open file, see above.
    unsafe { PageFile::at(file) }.lock = level;
    ffi::SQLITE_OK
}

unsafe extern "C" fn check_reserved_lock(_: *mut ffi::sqlite3_file, out: *mut c_int) -> c_int {
    // SAFETY: an out-pointer, see above.
    unsafe { *out = 0 };
    ffi::SQLITE_OK
}

unsafe extern "C" fn sync(_: *mut ffi::sqlite3_file, _: c_int) -> c_int {
    ffi::SQLITE_OK
}

unsafe extern "C" fn file_control(_: *mut ffi::sqlite3_file, _: c_int, _: *mut c_void) -> c_int {
    ffi::SQLITE_NOTFOUND
}

/// Not more than a page: SQLite journals all pages of a sector together.
unsafe extern "C" fn sector_size(_: *mut ffi::sqlite3_file) -> c_int {
    PAGE_SIZE as c_int
}

unsafe extern "C" fn device_characteristics(_: *mut ffi::sqlite3_file) -> c_int {
    0
}

unsafe extern "C" fn delete(_: *mut ffi::sqlite3_vfs, _: *const c_char, _: c_int) -> c_int {
    ffi::SQLITE_OK
}

/// No file but the open one exists, least of all a journal to recover from.
unsafe extern "C" fn access(_: *mut ffi::sqlite3_vfs, _: *const c_char, _: c_int, out: *mut c_int) -> c_int {
    // SAFETY: an out-pointer, see above.
    unsafe { *out = 0 };
    ffi::SQLITE_OK
}

unsafe extern "C" fn full_pathname(
    _: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    length: c_int,
    out: *mut c_char,
) -> c_int {
    // SAFETY: `name` ends with a zero byte.
    let name = unsafe { CStr::from_ptr(name) }.to_bytes_with_nul();
    if name.len() > length as usize {
        return ffi::SQLITE_CANTOPEN;
    }
    // SAFETY: `out` has `length` bytes and does not overlap the name.
    unsafe { ptr::copy_nonoverlapping(name.as_ptr().cast(), out, name.len()) };
    ffi::SQLITE_OK
}

/// No entropy. SQLite asks its default VFS for some, never this one; SQL's own random functions are barred in
/// the pool.
unsafe extern "C" fn randomness(_: *mut ffi::sqlite3_vfs, length: c_int, out: *mut c_char) -> c_int {
    // SAFETY: `out` has `length` bytes.
    unsafe { out.write_bytes(0, length as usize) };
    length
}

unsafe extern "C" fn sleep(_: *mut ffi::sqlite3_vfs, microseconds: c_int) -> c_int {
    microseconds
}

unsafe extern "C" fn current_time(_: *mut ffi::sqlite3_vfs, out: *mut i64) -> c_int {
    // SAFETY: an out-pointer, see above.
    unsafe { *out = NOW };
    ffi::SQLITE_OK
}
