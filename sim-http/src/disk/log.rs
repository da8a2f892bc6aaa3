//! One world's directory: `world.json`, the world's description, and `log.N`, its changes. When `log.1` is
//! replaced by the next log, its first frame is kept in `made`: the world as it was created, to which a reset
//! returns.
//!
//! A log is a sequence of frames. Each frame is a piece of the world's changes, after its length and
//! checksums. The first frame is the whole world; when the others outweigh it, a new log starts with the
//! world's present state.
//!
//! A frame that is not all there is dropped. As a rule the process died while it wrote, and nobody was answered; but a file
//! that was cut afterwards looks the same. A frame that is all there and does not fit its checksum is damage, and nothing is
//! read beyond it.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sim_core::engine::{FORMAT, other_version};
use sim_core::seed::Seed;
use sim_core::{Simulator, Snapshot};
use twox_hash::XxHash3_64;

use super::{DiskError, Found};

/// The version of this program.
const PROGRAM: &str = env!("CARGO_PKG_VERSION");

const BEGINNING: &str = "world.json";
const MADE: &str = "made";

/// The field of a description with the checksum of the others.
const SUM: &str = "sum";

/// The prefix of directories that are being removed, or were not created completely. No world's name has it.
const HALF_GONE: &str = "~";

/// Bytes of a frame before its piece: length, checksum of the length, checksum of the piece.
const HEAD: usize = 16;

/// A new log is started when the log is this many times as long as its first frame, and at least this many
/// bytes longer.
const LONGER: u64 = 4;
const LONGER_BYTES: u64 = 4 << 20;

/// The description of a world's start. A checksum over all of it is stored with it.
#[derive(Serialize, Deserialize)]
struct Beginning {
    format: u32,
    /// The version of the program that wrote it.
    program: String,
    /// Simulated seconds for each real one.
    speed: f64,
    /// Whether it has the tokens of another world, which still lead to that world.
    fork: bool,
    begins: Seed,
}

/// A world's files. None stays open between two writes, so there can be more worlds than a process may open files.
#[derive(Debug)]
pub(crate) struct WorldLog {
    dir: PathBuf,
    /// The number of the log.
    number: u64,
    /// The number of its frames, and the bytes of valid ones.
    frames: u64,
    length: u64,
    /// Bytes of its first frame.
    first: u64,
    /// Whether it is followed by bytes that could not be removed.
    torn: bool,
}

impl WorldLog {
    /// A new directory with the world in its present state. It appears there completely or not at all.
    pub(crate) fn create(dir: &Path, sim: &Simulator, speed: f64, fork: bool) -> Result<WorldLog, DiskError> {
        let wrong = DiskError::of(dir, "can't be written");
        if dir.exists() {
            return Err(DiskError::new(dir, "is there already"));
        }
        let piece = sim.snapshot().changes(None).map_err(|error| DiskError::new(dir, error.message))?;
        let beginning =
            Beginning { format: FORMAT, program: PROGRAM.to_owned(), speed, fork, begins: sim.beginning() };
        let half = half_gone(dir);
        let make = || {
            fs::create_dir(&half)?;
            beginning.write(&half.join(BEGINNING))?;
            let log = WorldLog::begin(&half, 1, &piece)?;
            fs::rename(&half, dir)?;
            sync_dir(dir.parent().unwrap_or(dir))?;
            Ok(WorldLog { dir: dir.to_owned(), ..log })
        };
        make().map_err(|error| {
            // Remains are removed at the next start.
            let _ = fs::remove_dir_all(&half);
            wrong(error)
        })
    }

    /// A new log whose first frame is that piece.
    fn begin(dir: &Path, number: u64, piece: &[u8]) -> io::Result<WorldLog> {
        let half = dir.join(format!("{HALF_GONE}{number}"));
        let mut file = File::create(&half)?;
        let mut log = WorldLog { dir: dir.to_owned(), number, frames: 0, length: 0, first: 0, torn: false };
        log.append(&mut file, piece, true)?;
        fs::rename(&half, name_of(dir, number))?;
        sync_dir(dir)?;
        log.first = log.length;
        Ok(log)
    }

    /// The world of a directory after its last valid frame, and the speed of its clock.
    pub(crate) fn open(dir: &Path) -> Result<Found, DiskError> {
        let path = dir.join(BEGINNING);
        let text = fs::read(&path).map_err(DiskError::of(&path, "can't be read"))?;
        let beginning = read_beginning(&path, &text)?;
        let wrong = |error: sim_core::Error| DiskError::new(&path, error.message);
        let mut sim = beginning.begins.build().map_err(wrong)?;
        let number = last_log(dir)?;
        let path = name_of(dir, number);
        let bytes = fs::read(&path).map_err(DiskError::of(&path, "can't be read"))?;
        let pieces = pieces(&path, &bytes)?;
        let made = as_made(dir, &beginning, pieces[0])?;
        let (frames, length, first) = follow(&path, &pieces, &mut sim)?;
        sim.take_up().map_err(|error| DiskError::new(&path, error.message))?;
        let unwritable = DiskError::of(&path, "can't be written");
        let file = File::options().append(true).open(&path).map_err(&unwritable)?;
        if (length as usize) < bytes.len() {
            eprintln!(
                "{}: the last write is not complete: {} bytes are dropped. Its call may have been answered or not",
                path.display(),
                bytes.len() - length as usize
            );
            file.set_len(length).map_err(&unwritable)?;
        }
        let log = WorldLog { dir: dir.to_owned(), number, frames, length, first, torn: false };
        log.remove_others().map_err(DiskError::of(dir, "can't be tidied"))?;
        let Beginning { speed, fork, .. } = beginning;
        Ok(Found { name: name_of_world(dir), sim, made, speed, fork, log })
    }

    /// The next log, with the whole world. The world's initial state is kept.
    fn next(&self, whole: &[u8]) -> io::Result<WorldLog> {
        if self.number == 1 {
            let mut first = Vec::new();
            File::open(name_of(&self.dir, 1))?.take(self.first).read_to_end(&mut first)?;
            let (half, made) = (half_gone(&self.dir.join(MADE)), self.dir.join(MADE));
            write_file(&half, &first)?;
            fs::rename(half, made)?;
        }
        WorldLog::begin(&self.dir, self.number + 1, whole)
    }

    /// Appends a change of the world; starts a new log if this one is too long. With `sync`, waits until it
    /// is on disk. If that fails, the file is unchanged.
    pub(crate) fn write(&mut self, now: &Snapshot, piece: &[u8], sync: bool) -> io::Result<()> {
        if self.length + (piece.len() as u64) < self.first * LONGER + LONGER_BYTES {
            let mut file = File::options().append(true).open(name_of(&self.dir, self.number))?;
            self.check_length(&file)?;
            return self.append(&mut file, piece, sync);
        }
        let whole = now.changes(None).map_err(|error| io::Error::other(error.message))?;
        *self = self.next(&whole)?;
        // From here on the new log is valid; remains are removed at the next start.
        let _ = self.remove_others();
        Ok(())
    }

    /// Refuses a file to which another process has written.
    fn check_length(&mut self, file: &File) -> io::Result<()> {
        if self.torn {
            file.set_len(self.length)?;
            self.torn = false;
        }
        match file.metadata()?.len() == self.length {
            true => Ok(()),
            false => Err(io::Error::other("another program has changed the log; nothing is added to it")),
        }
    }

    /// Appends a frame, or leaves the file unchanged.
    fn append(&mut self, file: &mut File, piece: &[u8], sync: bool) -> io::Result<()> {
        let frame = frame(self.frames, piece)?;
        let written = file.write_all(&frame).and_then(|()| match sync {
            true => file.sync_data(),
            false => Ok(()),
        });
        if let Err(error) = written {
            self.torn = file.set_len(self.length).is_err();
            return Err(error);
        }
        self.frames += 1;
        self.length += frame.len() as u64;
        Ok(())
    }

    /// Removes the world from disk.
    pub(crate) fn remove(&self) -> io::Result<()> {
        remove(&self.dir)
    }

    fn remove_others(&self) -> io::Result<()> {
        let own = name_of(&self.dir, self.number);
        for entry in fs::read_dir(&self.dir)? {
            let path = entry?.path();
            let stays = |name: &OsStr| [BEGINNING, MADE].iter().any(|other| name == *other);
            if path != own && !path.file_name().is_some_and(stays) {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }
}

impl Beginning {
    fn write(&self, path: &Path) -> io::Result<()> {
        let written = serde_json::to_value(self).expect("a beginning is plain data");
        let Value::Object(mut fields) = written else { unreachable!("it is written as an object") };
        fields.insert(SUM.to_owned(), sum_of(&fields).into());
        write_file(path, &serde_json::to_vec_pretty(&fields).expect("fields are plain data"))
    }
}

/// The description of a world. A description of another version is refused before anything else is checked.
fn read_beginning(path: &Path, text: &[u8]) -> Result<Beginning, DiskError> {
    let wrong =
        |error: serde_json::Error| DiskError::new(path, format!("is damaged: {error}; put back a copy"));
    let mut beginning: Map<String, Value> = serde_json::from_slice(text).map_err(wrong)?;
    let format = beginning.get("format").and_then(Value::as_u64);
    if let Some(format) = format.filter(|format| *format != u64::from(FORMAT)) {
        let program = beginning.get("program").and_then(Value::as_str).unwrap_or("of no known version");
        let found = format!("format {format} of stuntdouble {program}");
        let reads = format!("format {FORMAT} of stuntdouble {PROGRAM}");
        return Err(DiskError::new(path, other_version(found, reads)));
    }
    if beginning.remove(SUM) != Some(sum_of(&beginning).into()) {
        return Err(DiskError::new(path, "is damaged: it does not fit its sum; put back a copy"));
    }
    serde_json::from_value(Value::Object(beginning)).map_err(wrong)
}

/// The checksum over a description without the checksum, as text.
fn sum_of(beginning: &Map<String, Value>) -> String {
    let text = serde_json::to_vec(beginning).expect("fields are plain data");
    format!("{:016x}", XxHash3_64::oneshot(&text))
}

/// The world as it was created. `first` is the first piece of its log, which has that state until a new log
/// is started.
fn as_made(dir: &Path, beginning: &Beginning, first: &[u8]) -> Result<Snapshot, DiskError> {
    let path = dir.join(MADE);
    let bytes = match fs::read(&path) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(DiskError::of(&path, "can't be read")(error)),
    };
    let piece = bytes.as_ref().map_or(Ok(first), |bytes| pieces(&path, bytes).map(|pieces| pieces[0]))?;
    let made = || {
        let mut sim = beginning.begins.build()?;
        sim.follow(piece)?;
        sim.take_up()?;
        Ok(sim.snapshot())
    };
    made().map_err(|error: sim_core::Error| DiskError::new(&path, error.message))
}

/// The pieces of a log to its end, which may be in the middle of a frame. There is at least one.
fn pieces<'b>(path: &Path, bytes: &'b [u8]) -> Result<Vec<&'b [u8]>, DiskError> {
    let (mut pieces, mut at) = (Vec::new(), 0);
    while let Some(piece) = next_frame(path, bytes, at, pieces.len() as u64)? {
        at += HEAD + piece.len();
        pieces.push(piece);
    }
    if pieces.is_empty() {
        let text = "is damaged: it breaks off in its first frame, which holds the world; put back a copy";
        return Err(DiskError::new(path, text));
    }
    Ok(pieces)
}

/// Applies every piece to `sim`; returns their number, the end of the last one, and the first.
fn follow(path: &Path, pieces: &[&[u8]], sim: &mut Simulator) -> Result<(u64, u64, u64), DiskError> {
    let mut at = 0;
    for piece in pieces {
        sim.follow(piece)
            .map_err(|error| DiskError::new(path, format!("at byte {at}: {}", error.message)))?;
        at += HEAD + piece.len();
    }
    Ok((pieces.len() as u64, at as u64, (HEAD + pieces[0].len()) as u64))
}

/// The piece at byte `at`; `None` if the log ends there or in the middle of the frame.
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
    // A file system may have extended the file for a frame that was never written.
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

/// The frame's checksum includes its number, so that frames can't change places.
fn sum(bytes: &[u8], number: u64) -> u64 {
    XxHash3_64::oneshot_with_seed(number, bytes)
}

fn name_of(dir: &Path, number: u64) -> PathBuf {
    dir.join(format!("log.{number}"))
}

/// The name of the world in a directory.
pub(super) fn name_of_world(dir: &Path) -> String {
    dir.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Removes the directory of a world.
pub(super) fn remove(dir: &Path) -> io::Result<()> {
    let half = half_gone(dir);
    fs::rename(dir, &half)?;
    // Its name is gone; remains are removed at the next start.
    let _ = fs::remove_dir_all(half);
    Ok(())
}

/// Another name for an incomplete directory.
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

/// Waits until the names in a directory are on disk, if the system supports that.
fn sync_dir(dir: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(dir)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A log of four frames, and where each begins. Their content does not matter here.
    fn log() -> (Vec<u8>, Vec<usize>) {
        let (mut bytes, mut begins) = (Vec::new(), Vec::new());
        for (number, length) in [700, 1, 300, 40].into_iter().enumerate() {
            begins.push(bytes.len());
            let piece: Vec<u8> = (0..length).map(|place| (place * 7 + number) as u8).collect();
            bytes.extend(frame(number as u64, &piece).expect("it is small"));
        }
        (bytes, begins)
    }

    /// The number of pieces read, or the error.
    fn read(bytes: &[u8]) -> Result<usize, String> {
        pieces(Path::new("log.1"), bytes).map(|pieces| pieces.len()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_log_cut_anywhere_has_all_complete_entries() {
        let (bytes, begins) = log();
        for length in 0..bytes.len() {
            let whole = begins[1..].iter().filter(|begin| **begin <= length).count();
            match read(&bytes[..length]) {
                Ok(pieces) => assert_eq!(pieces, whole, "{length}"),
                Err(said) => {
                    assert!(
                        whole == 0 && said.starts_with("log.1: is damaged: it breaks off"),
                        "{length}: {said}"
                    );
                }
            }
        }
        assert_eq!(read(&bytes), Ok(4));
    }

    #[test]
    fn a_damaged_description_is_refused() {
        let dir = std::env::temp_dir().join(format!("stuntdouble-description-{}", std::process::id()));
        let sim = Simulator::builder().seed(7).build();
        let (format, program, begins) = (FORMAT, PROGRAM.to_owned(), sim.beginning());
        let beginning = Beginning { format, program, speed: 1.5, fork: true, begins };
        beginning.write(&dir).expect("it can be written");
        let good = fs::read(&dir).expect("it can be read");
        fs::remove_file(&dir).expect("it can be removed");
        let read = |text: &[u8]| {
            let read = read_beginning(Path::new("world.json"), text);
            read.map(|beginning| serde_json::to_string(&beginning).expect("it is plain data"))
        };
        let whole = read(&good).expect("it is good");
        for length in (0..good.len()).step_by(13) {
            let said = read(&good[..length]).expect_err("it is damaged").to_string();
            assert!(
                said.starts_with("world.json: is damaged: ") && said.ends_with("put back a copy"),
                "{said}"
            );
        }
        for place in (0..good.len()).step_by(13) {
            let mut bad = good.clone();
            bad[place] ^= 1 << (place % 8);
            match read(&bad) {
                // Other white space is valid, too.
                Ok(read) => assert_eq!(read, whole, "{place}"),
                Err(said) => assert!(said.to_string().starts_with("world.json: "), "{said}"),
            }
        }
    }

    #[test]
    fn a_bit_that_turns_anywhere_is_found_where_it_is() {
        let (mut bytes, begins) = log();
        for (place, bit) in (0..bytes.len()).flat_map(|place| (0..8).map(move |bit| (place, 1 << bit))) {
            bytes[place] ^= bit;
            let frame = begins.iter().rfind(|begin| **begin <= place).expect("the first begins at 0");
            let said = read(&bytes).expect_err("it is damaged");
            assert!(said.starts_with(&format!("log.1: is damaged at byte {frame}, ")), "{place}: {said}");
            assert!(said.ends_with("put back a copy"), "{said}");
            bytes[place] ^= bit;
        }
    }
}
