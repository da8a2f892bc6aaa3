//! Worlds on disk: a directory of worlds, each with a description of its start and a log of its changes.
//!
//! A call is answered once its changes are as safe as the [`Durability`] says. A few threads write for all worlds: while they
//! wait for the disk, calls continue, and the changes of a world are then written together.

mod keeper;
mod lock;
mod log;

use std::fmt;
use std::fs;
use std::io;
use std::iter;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use sim_core::{Simulator, Snapshot};

pub(crate) use self::keeper::{Keeper, Keeping, Safe, not_kept};
use self::lock::Lock;
pub(crate) use self::log::WorldLog;

/// Which changes are safe once a call is answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Durability {
    /// On disk: no answered call is lost, even in a power cut.
    #[default]
    Power,
    /// With the operating system: no answered call is lost if the process dies; the last moments may be lost
    /// if the machine does.
    Process,
    /// Not yet written: the last moments may be lost, but no call is ever half done.
    Eventual,
}

impl Durability {
    /// All levels, safest first.
    pub const ALL: [Durability; 3] = [Durability::Power, Durability::Process, Durability::Eventual];

    /// The name on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Durability::Power => "power",
            Durability::Process => "process",
            Durability::Eventual => "eventual",
        }
    }
}

impl fmt::Display for Durability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Durability {
    type Err = String;

    fn from_str(text: &str) -> Result<Durability, String> {
        let known = Durability::ALL.into_iter().find(|level| level.as_str() == text);
        known.ok_or_else(|| format!("must be power, process or eventual, received {text:?}"))
    }
}

/// The problem with a directory of worlds, and its place.
#[derive(Debug)]
pub struct DiskError {
    path: PathBuf,
    text: String,
}

impl DiskError {
    fn new(path: &Path, text: impl Into<String>) -> DiskError {
        DiskError { path: path.to_owned(), text: text.into() }
    }

    fn of(path: &Path, doing: &str) -> impl Fn(io::Error) -> DiskError + use<> {
        let (path, doing) = (path.to_owned(), doing.to_owned());
        move |error| DiskError::new(&path, format!("{doing}: {error}"))
    }
}

impl fmt::Display for DiskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.text)
    }
}

impl std::error::Error for DiskError {}

impl From<DiskError> for io::Error {
    fn from(error: DiskError) -> io::Error {
        io::Error::other(error)
    }
}

/// A directory of worlds, locked by this process while it is open.
#[derive(Debug)]
pub(crate) struct Disk {
    dir: PathBuf,
    durability: Durability,
    lock: Arc<Lock>,
}

/// A world found on disk.
pub(crate) struct Found {
    pub(crate) name: String,
    pub(crate) sim: Simulator,
    /// As it was created.
    pub(crate) made: Snapshot,
    pub(crate) speed: f64,
    /// Whether its tokens lead to another world.
    pub(crate) fork: bool,
    pub(crate) log: WorldLog,
}

/// A world on disk that cannot be read.
pub(crate) struct Damaged {
    pub(crate) name: String,
    pub(crate) error: DiskError,
}

impl Disk {
    /// Opens the directory, or creates it. Refuses a directory that another process has open.
    pub(crate) fn open(dir: &Path, durability: Durability) -> Result<Disk, DiskError> {
        fs::create_dir_all(dir)
            .map_err(DiskError::of(dir, "can't be made; --data needs a directory that can be written to"))?;
        Ok(Disk { dir: dir.to_owned(), durability, lock: Arc::new(Lock::take(dir)?) })
    }

    /// All worlds in their last safe state, by name, and why the others cannot be read. These stay as they are. The worlds are read
    /// side by side.
    pub(crate) fn worlds(&self) -> Result<(Vec<Found>, Vec<Damaged>), DiskError> {
        let list = || -> io::Result<Vec<PathBuf>> {
            let all: io::Result<Vec<_>> = fs::read_dir(&self.dir)?.map(|entry| Ok(entry?.path())).collect();
            Ok(all?.into_iter().filter(|path| path.is_dir()).collect())
        };
        let mut dirs = list().map_err(DiskError::of(&self.dir, "can't be read"))?;
        dirs.sort();
        let (gone, dirs): (Vec<_>, Vec<_>) = dirs.into_iter().partition(|dir| log::is_half_gone(dir));
        for dir in gone {
            fs::remove_dir_all(&dir).map_err(DiskError::of(&dir, "can't be removed"))?;
        }
        let (mut found, mut damaged) = (Vec::new(), Vec::new());
        for (dir, opened) in dirs.iter().zip(side_by_side(&dirs, |dir| WorldLog::open(dir))) {
            match opened {
                Ok(world) => found.push(world),
                Err(error) => damaged.push(Damaged { name: log::name_of_world(dir), error }),
            }
        }
        Ok((found, damaged))
    }

    /// Removes the files of a world that cannot be read.
    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        self.lock.check()?;
        log::remove(&self.dir.join(name))
    }

    /// Starts to keep a world under that name.
    pub(crate) fn create(
        &self,
        name: &str,
        sim: &Simulator,
        speed: f64,
        fork: bool,
    ) -> Result<WorldLog, DiskError> {
        self.lock.check().map_err(DiskError::of(&self.dir, "can't be written"))?;
        WorldLog::create(&self.dir.join(name), sim, speed, fork)
    }

    /// Starts the threads that write.
    pub(crate) fn keeper(&self) -> io::Result<Keeper> {
        Keeper::start(self.durability, Arc::clone(&self.lock))
    }

    /// Lets the next server have the directory.
    pub(crate) fn release(&self) {
        self.lock.release();
    }
}

/// The results of `work` on each input, in the order of the inputs. There are as many threads as processors.
fn side_by_side<I: Sync, R: Send>(inputs: &[I], work: impl Fn(&I) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let run = || {
        let numbers = iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)));
        let inputs = numbers.map_while(|number| Some((number, inputs.get(number)?)));
        inputs.map(|(number, input)| (number, work(input))).collect::<Vec<_>>()
    };
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let mut results = thread::scope(|scope| {
        let threads: Vec<_> = (0..processors.min(inputs.len())).map(|_| scope.spawn(run)).collect();
        let results =
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        results.flatten().collect::<Vec<_>>()
    });
    results.sort_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_have_the_order_of_their_inputs() {
        let inputs: Vec<usize> = (0..100).collect();
        assert_eq!(side_by_side(&inputs, |input| input * 2), (0..200).step_by(2).collect::<Vec<_>>());
        assert!(side_by_side(&[], |input: &usize| *input).is_empty());
    }
}
