//! One world's directory: `world.json`, how it began, and `log.N`, what became of it.
//!
//! A log is a sequence of frames, each a piece of the world's chronicle behind its length and checksums. The first is the
//! whole world; when the others outweigh it, a new log begins with the world as it is by then.
//!
//! A frame that is not all there was never answered for: the process died while it wrote. One that is all there and does
//! not fit its checksum is damage, and nothing is read beyond it.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sim_core::seed::Seed;
use sim_core::{Simulator, Snapshot};
use twox_hash::XxHash3_64;

use super::{DiskError, Found};

/// The version of the directory's form that this program writes, and the newest that it reads.
const FORMAT: u32 = 1;

const BEGINNING: &str = "world.json";

/// The beginning of the name of what is being removed, or was not wholly made. No world's name begins like that.
const HALF_GONE: &str = "~";

/// Bytes of a frame before its piece: length, a checksum of that, a checksum of the piece.
const HEAD: usize = 16;

/// A log is begun anew when it is so many times as long as its first frame, and at least so many bytes longer.
const LONGER: u64 = 4;
const LONGER_BYTES: u64 = 4 << 20;

/// How a world began.
#[derive(Serialize, Deserialize)]
struct Beginning {
    format: u32,
    /// Simulated seconds for each real one.
    #[serde(default)]
    speed: f64,
    /// Whether it has the tokens of another world, to which they go on leading.
    #[serde(default)]
    fork: bool,
    #[serde(default)]
    begins: Seed,
}

/// A world's files, open to add to.
#[derive(Debug)]
pub(crate) struct WorldLog {
    dir: PathBuf,
    file: File,
    /// The number of the log.
    number: u64,
    /// How many frames it has, and bytes of good ones.
    frames: u64,
    length: u64,
    /// Bytes of its first frame.
    first: u64,
    /// Whether bytes follow that could not be taken back.
    torn: bool,
}

impl WorldLog {
    /// A new directory with the world as it is. It appears there whole or not at all.
    pub(crate) fn create(dir: &Path, sim: &Simulator, speed: f64, fork: bool) -> Result<WorldLog, DiskError> {
        let wrong = DiskError::of(dir, "can't be written");
        if dir.exists() {
            return Err(DiskError::new(dir, "is there already"));
        }
        let piece = sim.snapshot().changes(None).map_err(|error| DiskError::new(dir, error.message))?;
        let beginning = Beginning { format: FORMAT, speed, fork, begins: sim.beginning() };
        let half = half_gone(dir);
        let make = || {
            fs::create_dir(&half)?;
            let beginning = serde_json::to_vec_pretty(&beginning).expect("a beginning is plain data");
            write_file(&half.join(BEGINNING), &beginning)?;
            let log = WorldLog::begin(&half, 1, &piece)?;
            fs::rename(&half, dir)?;
            sync_dir(dir.parent().unwrap_or(dir))?;
            Ok(WorldLog { dir: dir.to_owned(), ..log })
        };
        make().map_err(|error| {
            // What is left over is removed at the next start.
            let _ = fs::remove_dir_all(&half);
            wrong(error)
        })
    }

    /// A new log whose first frame is that piece.
    fn begin(dir: &Path, number: u64, piece: &[u8]) -> io::Result<WorldLog> {
        let half = dir.join(format!("{HALF_GONE}{number}"));
        let file = File::options().create(true).append(true).open(&half)?;
        file.set_len(0)?;
        let mut log =
            WorldLog { dir: dir.to_owned(), file, number, frames: 0, length: 0, first: 0, torn: false };
        log.append(piece, true)?;
        fs::rename(&half, name_of(dir, number))?;
        sync_dir(dir)?;
        log.first = log.length;
        Ok(log)
    }

    /// The world of a directory as it was when its last good frame was written, and how fast its clock went.
    pub(crate) fn open(dir: &Path) -> Result<Found, DiskError> {
        let path = dir.join(BEGINNING);
        let text = fs::read(&path).map_err(DiskError::of(&path, "can't be read"))?;
        let Beginning { speed, fork, begins, .. } = read_beginning(&path, &text)?;
        let wrong = |error: sim_core::Error| DiskError::new(&path, error.message);
        let mut sim = begins.build().map_err(wrong)?;
        let number = last_log(dir)?;
        let path = name_of(dir, number);
        let bytes = fs::read(&path).map_err(DiskError::of(&path, "can't be read"))?;
        let (frames, length, first) = read_frames(&path, &bytes, &mut sim)?;
        let unwritable = DiskError::of(&path, "can't be written");
        let file = File::options().append(true).open(&path).map_err(&unwritable)?;
        if (length as usize) < bytes.len() {
            eprintln!(
                "{}: ends with {} bytes of a call that was not answered; they are dropped",
                path.display(),
                bytes.len() - length as usize
            );
            file.set_len(length).map_err(&unwritable)?;
        }
        let log = WorldLog { dir: dir.to_owned(), file, number, frames, length, first, torn: false };
        log.remove_others().map_err(unwritable)?;
        let name = dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Found { name, sim, speed, fork, log })
    }

    /// Adds what the world became; begins a new log where this one has become long.
    /// With `sync`, waits until it is on the disk. Where that fails, the file is as it was.
    pub(crate) fn write(&mut self, now: &Snapshot, piece: &[u8], sync: bool) -> io::Result<()> {
        if self.length + (piece.len() as u64) < self.first * LONGER + LONGER_BYTES {
            return self.append(piece, sync);
        }
        let whole = now.changes(None).map_err(|error| io::Error::other(error.message))?;
        *self = WorldLog::begin(&self.dir, self.number + 1, &whole)?;
        // From here on the new log counts; what is left over is removed at the next start.
        let _ = self.remove_others();
        Ok(())
    }

    /// Adds a frame, or leaves the file as it was.
    fn append(&mut self, piece: &[u8], sync: bool) -> io::Result<()> {
        let frame = frame(self.frames, piece)?;
        if self.torn {
            self.file.set_len(self.length)?;
            self.torn = false;
        }
        let written = self.file.write_all(&frame).and_then(|()| match sync {
            true => self.file.sync_data(),
            false => Ok(()),
        });
        if let Err(error) = written {
            self.torn = self.file.set_len(self.length).is_err();
            return Err(error);
        }
        self.frames += 1;
        self.length += frame.len() as u64;
        Ok(())
    }

    /// Removes the world from the disk.
    pub(crate) fn remove(&self) -> io::Result<()> {
        let half = half_gone(&self.dir);
        fs::rename(&self.dir, &half)?;
        // It is gone by its name; what is left over is removed at the next start.
        let _ = fs::remove_dir_all(half);
        Ok(())
    }

    fn remove_others(&self) -> io::Result<()> {
        let own = name_of(&self.dir, self.number);
        for entry in fs::read_dir(&self.dir)? {
            let path = entry?.path();
            if path != own && path.file_name().is_some_and(|name| name != BEGINNING) {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }
}

fn read_beginning(path: &Path, text: &[u8]) -> Result<Beginning, DiskError> {
    #[derive(Deserialize)]
    struct Format {
        format: u32,
    }
    let wrong = |error: serde_json::Error| DiskError::new(path, format!("is damaged: {error}"));
    let Format { format } = serde_json::from_slice(text).map_err(wrong)?;
    if format > FORMAT {
        let text = format!(
            "was written by a newer version, in form {format}; this one reads form {FORMAT}: use that version"
        );
        return Err(DiskError::new(path, text));
    }
    serde_json::from_slice(text).map_err(wrong)
}

/// Has `sim` follow every frame; returns how many there are, where the last good one ends, and the first.
fn read_frames(path: &Path, bytes: &[u8], sim: &mut Simulator) -> Result<(u64, u64, u64), DiskError> {
    let (mut frames, mut at, mut first) = (0, 0, 0);
    while let Some(piece) = next_frame(path, bytes, at, frames)? {
        sim.follow(piece).map_err(|error| {
            DiskError::new(path, format!("at byte {at}: {}; it can't be read by this version", error.message))
        })?;
        at += HEAD + piece.len();
        frames += 1;
        if frames == 1 {
            first = at;
        }
    }
    if frames == 0 {
        return Err(DiskError::new(
            path,
            "is damaged: it breaks off in its first frame, which holds the world",
        ));
    }
    Ok((frames, at as u64, first as u64))
}

/// The piece that begins at byte `at`; `None` where the log ends, be it in the middle of a frame.
fn next_frame<'b>(
    path: &Path,
    bytes: &'b [u8],
    at: usize,
    number: u64,
) -> Result<Option<&'b [u8]>, DiskError> {
    let damaged = || {
        let text =
            format!("is damaged at byte {at}, {} bytes from its end; put back a copy", bytes.len() - at);
        DiskError::new(path, text)
    };
    let rest = &bytes[at..];
    // A file system may have made room for a frame that it never got.
    if rest.len() < HEAD || rest.iter().all(|byte| *byte == 0) {
        return Ok(None);
    }
    let (head, rest) = rest.split_at(HEAD);
    let (length, sums) = head.split_at(4);
    let (of_length, of_piece) = sums.split_at(4);
    if of_length != &sum(length, number).to_le_bytes()[..4] {
        return Err(damaged());
    }
    let length = u32::from_le_bytes(length.try_into().expect("four bytes")) as usize;
    let Some(piece) = rest.get(..length) else { return Ok(None) };
    if of_piece != sum(piece, number).to_le_bytes() {
        return Err(damaged());
    }
    Ok(Some(piece))
}

fn frame(number: u64, piece: &[u8]) -> io::Result<Vec<u8>> {
    let length = u32::try_from(piece.len()).map_err(|_| io::Error::other("a world of 4 GiB is too large"))?;
    let length = length.to_le_bytes();
    let mut frame = Vec::with_capacity(HEAD + piece.len());
    frame.extend_from_slice(&length);
    frame.extend_from_slice(&sum(&length, number).to_le_bytes()[..4]);
    frame.extend_from_slice(&sum(piece, number).to_le_bytes());
    frame.extend_from_slice(piece);
    Ok(frame)
}

/// The number of the frame is in it, so that frames can't change places.
fn sum(bytes: &[u8], number: u64) -> u64 {
    XxHash3_64::oneshot_with_seed(number, bytes)
}

fn name_of(dir: &Path, number: u64) -> PathBuf {
    dir.join(format!("log.{number}"))
}

/// A second name for a directory that is not wholly there.
fn half_gone(dir: &Path) -> PathBuf {
    let name = dir.file_name().unwrap_or_default().to_string_lossy();
    dir.with_file_name(format!("{HALF_GONE}{name}"))
}

pub(super) fn is_half_gone(dir: &Path) -> bool {
    dir.file_name().is_some_and(|name| name.to_string_lossy().starts_with(HALF_GONE))
}

fn last_log(dir: &Path) -> Result<u64, DiskError> {
    let wrong = DiskError::of(dir, "can't be read");
    let mut last = None;
    for entry in fs::read_dir(dir).map_err(&wrong)? {
        let name = entry.map_err(&wrong)?.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix("log.")?.parse().ok());
        last = last.max(number);
    }
    last.ok_or_else(|| DiskError::new(dir, "has no log of its world; put back a copy"))
}

fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Waits until the names in a directory are on the disk, where the system knows of such a thing.
fn sync_dir(dir: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(dir)?.sync_all() } else { Ok(()) }
}
