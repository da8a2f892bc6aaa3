//! Kills the server at random moments under load, again and again in one directory. After each restart,
//! compares the worlds there with everything that the clients were told.

mod world;
mod worlds;

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use sim_fixtures::strategies::Dice;

use self::worlds::Worlds;
use crate::progress::Progress;
use crate::serving::{self, Serving};

/// Clients that call at the same time.
const CLIENTS: usize = 6;

/// The longest that a server runs under load, or while it starts, before it is killed.
const LONGEST_MS: usize = 400;

/// One run in so many ends while the server starts.
const KILLED_EARLY: usize = 8;

/// What `--durability` promises about an answered call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Promise {
    /// It is on the disk.
    Power,
    /// It survives the process.
    Process,
    /// It may be lost, with everything after it; nothing is half written.
    Eventual,
}

impl Promise {
    /// The name on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Promise::Power => "power",
            Promise::Process => "process",
            Promise::Eventual => "eventual",
        }
    }

    /// Whether an answered call survives a kill.
    pub fn keeps(self) -> bool {
        self != Promise::Eventual
    }
}

/// A series of kills.
pub struct Crash<'a> {
    /// The server's binary.
    pub binary: &'a Path,
    /// A directory for this alone; it is emptied first.
    pub dir: &'a Path,
    /// The number of kills.
    pub kills: usize,
    /// The promised durability.
    pub durability: Promise,
    /// The seed of all random choices: which calls are made, and when the server is killed.
    pub seed: u64,
}

/// The results of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Figures {
    /// Kills.
    pub kills: usize,
    /// Kills while the server started.
    pub early: usize,
    /// Calls that were answered.
    pub answered: u64,
    /// Calls in progress when it was killed.
    pub cut_off: u64,
    /// Of those, calls that had been done.
    pub done_unanswered: u64,
    /// Answered reads that are not in the journal: their answers are right, nothing else is promised.
    pub reads_dropped: u64,
    /// Answered calls that were lost, if that is allowed.
    pub lost: u64,
    /// Worlds created, and forks.
    pub worlds: u64,
    /// Comparisons of a world with what its clients have seen, over all restarts.
    pub checks: u64,
    /// Calls replayed for these comparisons.
    pub replayed: u64,
    /// Jobs found done, and jobs waiting, over all restarts.
    pub work: (u64, u64),
    /// The duration.
    pub time: Duration,
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Figures { kills, early, answered, cut_off, done_unanswered, reads_dropped, lost, .. } = self;
        let Figures { worlds, checks, replayed, work: (done, waiting), time, .. } = self;
        writeln!(f, "{kills} kills, {early} of them while it started, in {:.0} s", time.as_secs_f64())?;
        writeln!(f, "{answered} calls were answered, of which {lost} were lost")?;
        writeln!(
            f,
            "{reads_dropped} answered reads were not in the journal any more, each with the right answer"
        )?;
        writeln!(f, "{cut_off} calls were cut off; {done_unanswered} of them were found done, none half")?;
        writeln!(
            f,
            "{worlds} worlds were made; {checks} checks of a world against its clients, each with a replay"
        )?;
        write!(
            f,
            "{replayed} calls were replayed, with {done} pieces of work done and {waiting} waiting: none lost or doubled"
        )
    }
}

impl Crash<'_> {
    /// Kills and compares, the given number of times. The error names the defect, and the directory with the
    /// state after the kill.
    pub fn run(&self) -> Result<Figures, String> {
        let (data, copy) = (self.dir.join("data"), self.dir.join("as-killed"));
        let empty = || -> io::Result<()> {
            [&data, &copy].into_iter().filter(|dir| dir.exists()).try_for_each(fs::remove_dir_all)?;
            fs::create_dir_all(&data)
        };
        empty().map_err(|error| format!("{}: {error}", self.dir.display()))?;
        let (begun, mut worlds, mut figures) =
            (Instant::now(), Worlds::new(self.durability), Figures::default());
        let mut progress = Progress::of(self.kills);
        for round in 0..=self.kills {
            let ran = self.run_once(round, &data, &mut worlds, &mut figures);
            ran.map_err(|error| {
                format!("after kill {round}: {error}\nthe directory as it was killed: {}", copy.display())
            })?;
            copy_dir(&data, &copy).map_err(|error| format!("{}: {error}", copy.display()))?;
            progress.at(
                round,
                &format!("{} calls answered, {} worlds checked", figures.answered, figures.checks),
            );
        }
        figures.time = begun.elapsed();
        Ok(figures)
    }

    /// One run of the server: it starts, its worlds are compared, it is called, it is killed. The last run
    /// only compares.
    fn run_once(
        &self,
        round: usize,
        data: &Path,
        worlds: &mut Worlds,
        figures: &mut Figures,
    ) -> Result<(), String> {
        let mut dice = Dice::new(self.seed.wrapping_mul(1_000_003).wrapping_add(round as u64));
        let data = data.to_str().ok_or("the directory's name is not text")?;
        let flags = ["--data", data, "--durability", self.durability.as_str()];
        let is_last = round == self.kills;
        if !is_last && round > 0 && dice.one_in(KILLED_EARLY) {
            let mut child = serving::spawn(self.binary, &flags)?;
            thread::sleep(Duration::from_millis(dice.below(LONGEST_MS) as u64));
            serving::end(&mut child);
            (figures.kills, figures.early) = (figures.kills + 1, figures.early + 1);
            return Ok(());
        }
        let mut serving = Serving::start(self.binary, &flags)?;
        worlds.check_all(serving.addr, figures)?;
        if is_last {
            return Ok(());
        }
        let over = AtomicBool::new(false);
        thread::scope(|scope| {
            let clients = (0..CLIENTS).map(|client| {
                let (worlds, over, addr) = (&*worlds, &over, serving.addr);
                let dice = Dice::new(dice.below(usize::MAX) as u64);
                scope.spawn(move || worlds.call(client, addr, dice, over))
            });
            let clients: Vec<_> = clients.collect();
            thread::sleep(Duration::from_millis(dice.below(LONGEST_MS) as u64));
            over.store(true, Ordering::SeqCst);
            serving.kill();
            clients.into_iter().try_for_each(|client| client.join().expect("a client does not panic"))
        })?;
        figures.kills += 1;
        let words = serving.last_words();
        if words.contains("panicked") { Err(format!("it has panicked: {words}")) } else { Ok(()) }
    }
}

/// Copies a directory whose subdirectories contain only files.
fn copy_dir(from: &Path, to: &PathBuf) -> io::Result<()> {
    let _ = fs::remove_dir_all(to);
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
        match path.is_dir() {
            true => copy_dir(&path, &to.join(name))?,
            false => fs::copy(&path, to.join(name)).map(drop)?,
        }
    }
    Ok(())
}
