//! Many connections, many worlds and misbehaving clients for as long as you like. No response is a server
//! error, none takes long, and memory does not grow.

mod hostile;
mod neighbours;
mod soak;

use std::fmt;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::{Mutex, RwLock};
use sim_fixtures::strategies::Dice;

pub use self::neighbours::Neighbours;
pub use self::soak::{Soak, SoakFigures};
use crate::calls::{self, Weight};
use crate::client::Connection;
use crate::progress::Progress;
use crate::race::{Race, Races, make_world};

/// A world is reset after this many calls.
const OLD: u64 = 2_000;

/// Calls of a connection in one world before it moves to another.
const STAY: usize = 20;

/// The parts of the time in which memory is measured, each longer than any call.
const PARTS: usize = 3;

/// A part that is shorter may have hostile queries in it all the time: each takes up to ten seconds.
const LONG_PART: Duration = Duration::from_secs(30);

/// Bytes that hostile queries hold in a part that is not long: 63 MiB were the most in ten runs of a minute.
const HELD_BY_HOSTILE: u64 = 80 << 20;

/// A load test.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// The server.
    pub addr: SocketAddr,
    /// Its process, if its memory is to be measured.
    pub pid: Option<u32>,
    /// Connections that call all the time.
    pub connections: usize,
    /// Connections that the server takes at most.
    pub limit: usize,
    /// The number of worlds.
    pub worlds: usize,
    /// The duration.
    pub time: Duration,
    /// The seed of the random calls.
    pub seed: u64,
    /// Whether clients also race over other worlds, with what they see compared with the journal.
    pub races: bool,
    /// Connections that run hostile SQL all the time, in one more world.
    pub hostile: usize,
}

/// The results of a load test.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// Answered calls; each status is below 500, or the simulated service's own 544.
    pub calls: u64,
    /// Refused calls: 400 to 499, and 544.
    pub refused: u64,
    /// The duration.
    pub time: Duration,
    /// Response times in microseconds, sorted.
    latencies: Vec<u32>,
    /// The least resident bytes of the server in each third of the time: so calls under way, which may hold much for a moment,
    /// count least.
    pub memory: Vec<u64>,
    /// The results of the misbehaving clients.
    pub neighbours: Neighbours,
    /// The results of the racing clients.
    pub races: Races,
    /// Answered calls with hostile SQL.
    pub hostile: u64,
}

impl Figures {
    /// The time within which this many of a thousand responses came.
    pub fn within(&self, permille: usize) -> Duration {
        let place = (self.latencies.len() * permille / 1000).min(self.latencies.len().saturating_sub(1));
        Duration::from_micros(self.latencies.get(place).copied().unwrap_or_default().into())
    }

    /// Whether the memory in the last third equals that in the second, within a tenth and 16 MiB; in a short time with hostile
    /// SQL, within what its queries hold as well.
    pub fn is_flat(&self) -> bool {
        let is_short = self.time < LONG_PART * PARTS as u32;
        let held = if self.hostile > 0 && is_short { HELD_BY_HOSTILE } else { 0 };
        match self.memory[..] {
            [_, middle, end] => end <= middle + middle / 10 + (16 << 20) + held,
            _ => true,
        }
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Figures { calls, refused, time, neighbours, races, hostile, .. } = self;
        let rate = *calls as f64 / time.as_secs_f64();
        writeln!(
            f,
            "{calls} calls in {:.0} s, {rate:.0}/s, {refused} refused with reason, no server error",
            time.as_secs_f64()
        )?;
        let [p50, p90, p99, p999, most] = [500, 900, 990, 999, 1000].map(|permille| self.within(permille));
        writeln!(
            f,
            "latency: p50 {p50:.1?}, p90 {p90:.1?}, p99 {p99:.1?}, p99.9 {p999:.1?}, most {most:.1?}"
        )?;
        if let [first, middle, end] = self.memory[..] {
            let [first, middle, end] = [first, middle, end].map(|bytes| bytes >> 20);
            writeln!(
                f,
                "memory: {first} MiB in the first third, {middle} MiB in the second, {end} MiB in the last"
            )?;
        }
        write!(f, "{neighbours}")?;
        if *hostile > 0 {
            write!(
                f,
                "\n{hostile} calls with hostile SQL in one more world, each answered without a server error"
            )?;
        }
        if races.races > 0 {
            write!(f, "\n{races}")?;
        }
        Ok(())
    }
}

/// A world under load.
struct World {
    name: String,
    token: String,
    projects: Mutex<Vec<String>>,
    calls: AtomicU64,
}

/// State shared by the threads of a load test.
struct Stage<'a> {
    load: &'a Load,
    worlds: Vec<World>,
    numbers: AtomicU64,
    refused: AtomicU64,
    over: AtomicBool,
    /// The first error.
    wrong: Mutex<Option<String>>,
    /// Held exclusively to take all connections, shared to open new ones.
    places: RwLock<()>,
}

impl Load {
    /// Calls for the given time. The first failure is the error.
    pub fn run(&self) -> Result<Figures, String> {
        let mut control = Connection::open(self.addr).map_err(|error| error.to_string())?;
        let worlds = (0..self.worlds).map(|number| {
            let name = format!("load-{number}");
            let token = make_world(&mut control, &name, number as u64)?;
            // Else all worlds would be at their largest at the same time.
            let calls = AtomicU64::new(number as u64 * OLD / self.worlds as u64);
            Ok(World { name, token, projects: Mutex::default(), calls })
        });
        let stage = Stage {
            load: self,
            worlds: worlds.collect::<Result<_, String>>()?,
            numbers: AtomicU64::new(1),
            refused: AtomicU64::new(0),
            over: AtomicBool::new(false),
            wrong: Mutex::new(None),
            places: RwLock::default(),
        };
        let begun = Instant::now();
        let mut figures = Figures::default();
        thread::scope(|scope| {
            let stage = &stage;
            let callers: Vec<_> = (0..self.connections)
                .map(|number| scope.spawn(move || stage.ended(stage.calls(number))))
                .collect();
            let neighbours = scope.spawn(|| stage.ended(neighbours::live(self, &stage.over, &stage.places)));
            let races = scope.spawn(|| stage.ended(stage.race()));
            let hostile = scope.spawn(|| stage.ended(hostile::live(self, &stage.over)));
            figures.memory = stage.watch(begun);
            stage.over.store(true, Ordering::SeqCst);
            figures.time = begun.elapsed();
            for caller in callers {
                figures.latencies.extend(stage.checked(caller.join().expect("a caller does not panic")));
            }
            figures.neighbours = stage.checked(neighbours.join().expect("a neighbour does not panic"));
            figures.races = stage.checked(races.join().expect("a race does not panic"));
            figures.hostile = stage.checked(hostile.join().expect("a hostile client does not panic"));
        });
        if let Some(wrong) = stage.wrong.into_inner() {
            return Err(wrong);
        }
        // The server closes idle connections, so open a new one.
        let mut control = Connection::open(self.addr).map_err(|error| error.to_string())?;
        for world in &stage.worlds {
            let deleted = control.ask("DELETE", &format!("/_sim/worlds/{}", world.name), "", "");
            deleted.map_err(|error| error.to_string())?.good()?;
        }
        figures.latencies.sort_unstable();
        (figures.calls, figures.refused) = (figures.latencies.len() as u64, stage.refused.into_inner());
        match figures.is_flat() {
            true => Ok(figures),
            false => Err(format!("memory grows:\n{figures}")),
        }
    }
}

impl Stage<'_> {
    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// The result of a thread; an error ends the load test.
    fn checked<T: Default>(&self, outcome: Result<T, String>) -> T {
        outcome.unwrap_or_else(|wrong| {
            self.wrong.lock().get_or_insert(wrong);
            T::default()
        })
    }

    /// The end of a thread; after an error, of all threads.
    fn ended<T>(&self, outcome: Result<T, String>) -> Result<T, String> {
        self.over.fetch_or(outcome.is_err(), Ordering::SeqCst);
        outcome
    }

    /// Calls one world after the other; returns all response times.
    fn calls(&self, number: usize) -> Result<Vec<u32>, String> {
        let broken = |error: std::io::Error| format!("a good connection breaks: {error}");
        let mut dice = Dice::new(self.load.seed.wrapping_mul(1_000_003).wrapping_add(number as u64));
        let mut connection = Connection::open(self.load.addr).map_err(broken)?;
        let mut latencies = Vec::new();
        while !self.is_over() {
            let world = &self.worlds[dice.below(self.worlds.len())];
            for _ in 0..STAY {
                let number = self.numbers.fetch_add(1, Ordering::Relaxed);
                let projects = world.projects.lock().clone();
                let wish = calls::draw(&mut dice, &projects, number, Weight::Light);
                let path = format!("/w/{}{}", world.name, wish.path);
                let began = Instant::now();
                let answer = connection.ask(wish.method, &path, &world.token, &wish.body).map_err(broken)?;
                latencies.push(u32::try_from(began.elapsed().as_micros()).unwrap_or(u32::MAX));
                if answer.status >= 500 && answer.status != 544 {
                    return Err(format!("{} {path}: {} {}", wish.method, answer.status, answer.body));
                }
                self.refused.fetch_add(u64::from(answer.status >= 400), Ordering::Relaxed);
                if let Some(project) = answer.json()["id"].as_str().filter(|_| wish.makes_project()) {
                    world.projects.lock().push(project.to_owned());
                }
            }
            self.go_on(world, &mut connection).map_err(broken)?;
        }
        Ok(latencies)
    }

    /// Advances a world's clock, and resets the world when it is old.
    fn go_on(&self, world: &World, connection: &mut Connection) -> std::io::Result<()> {
        let path = |path: &str| format!("/w/{}/_sim/{path}", world.name);
        connection.ask("POST", &path("clock/advance"), "", r#"{"ms": 20000}"#)?;
        let calls = world.calls.fetch_add(STAY as u64, Ordering::Relaxed);
        if calls / OLD != (calls + STAY as u64) / OLD {
            connection.ask("POST", &path("reset"), "", "")?;
            world.projects.lock().clear();
        }
        Ok(())
    }

    /// Races over worlds of their own, one after the other.
    fn race(&self) -> Result<Races, String> {
        let mut all = Races::default();
        while self.load.races && !self.is_over() {
            let _places = self.places.read();
            let seed = self.load.seed.wrapping_add(all.races);
            let race = Race { addr: self.load.addr, clients: 8, calls: 40, seed };
            let Races { races, calls, together } = race.run(&format!("race-{}", all.races))?;
            all = Races {
                races: all.races + races,
                calls: all.calls + calls,
                together: all.together + together,
            };
        }
        Ok(all)
    }

    /// Waits until the time is over or an error occurs; returns the memory of the server measured meanwhile.
    fn watch(&self, begun: Instant) -> Vec<u64> {
        let time = self.load.time;
        let mut progress = Progress::of(time.as_secs() as usize);
        let mut least = [u64::MAX; PARTS];
        while begun.elapsed() < time && !self.is_over() {
            thread::sleep(Duration::from_millis(20));
            let now = self.load.pid.and_then(resident).unwrap_or(u64::MAX);
            let part = begun.elapsed().as_millis() * PARTS as u128 / time.as_millis().max(1);
            if let Some(least) = usize::try_from(part).ok().and_then(|part| least.get_mut(part)) {
                *least = now.min(*least);
            }
            let done = begun.elapsed().as_secs() as usize;
            progress.at(done, &format!("s, {} calls", self.numbers.load(Ordering::Relaxed)));
        }
        if least.contains(&u64::MAX) { Vec::new() } else { least.to_vec() }
    }
}

/// Resident bytes of a process.
fn resident(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}
