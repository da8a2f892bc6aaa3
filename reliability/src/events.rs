//! Many events over HTTP with queries beside, in one world with a bound on its events: none is lost, memory stays flat, and a kill
//! loses no acknowledged batch.

use std::fmt;
use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use serde_json::{Value, json};
use sim_fixtures::strategies::Dice;

use crate::client::Connection;
use crate::progress::Progress;
use crate::serving::Serving;

/// Connections that send events, and the events of a call.
const WRITERS: usize = 3;
const BATCH: usize = 500;

/// Connections that query.
const READERS: usize = 2;

/// The longest that a server runs before it is killed.
const LONGEST_MS: usize = 1_500;

/// 2026-01-01T00:00:00Z in microseconds, the start of the world; each event is a tenth of a second after the one before it.
const START_US: i64 = 1_767_225_600_000_000;
const STEP_US: i64 = 100_000;

/// The journal keeps its calls beside the events; this much of it, so that the events are what is measured.
const JOURNAL_BYTES: u64 = 4_000_000;

const SOURCE: &str = "soak";

/// The queries, as a page of charts sends them.
const QUERIES: [&str; 4] = [
    "select timestamp_trunc(timestamp, minute) as m, count(*) as n from soak group by m order by m desc limit 100",
    "select id, event_message from soak order by timestamp desc limit 100",
    "select count(*) as n from soak",
    "select m.path as path, count(*) as n from soak as t cross join unnest(t.metadata) as m where m.status >= 500 \
     and t.timestamp > timestamp_sub(current_timestamp(), interval 1 hour) group by path order by n desc limit 20",
];

/// A run.
#[derive(Clone, Copy, Debug)]
pub struct Events<'a> {
    /// The server's binary.
    pub binary: &'a Path,
    /// A directory for this alone; it is emptied first.
    pub dir: &'a Path,
    /// How many events to send.
    pub events: usize,
    /// How many the source holds.
    pub bound: usize,
    /// How often to kill the server afterwards, in other runs.
    pub kills: usize,
    /// The seed of the moments of the kills.
    pub seed: u64,
}

/// The results of a run.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    events: usize,
    bound: usize,
    time: Duration,
    /// Times of the calls with events, and of the queries, sorted.
    sent: Vec<Duration>,
    asked: Vec<Duration>,
    /// Resident megabytes after each tenth of the events.
    memory: Vec<u64>,
    kills: usize,
    acknowledged: usize,
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Figures { events, bound, time, sent, asked, memory, kills, acknowledged } = self;
        let rate = *events as f64 / time.as_secs_f64();
        writeln!(
            f,
            "{events} events in {:.0} s, {rate:.0}/s, {bound} of them kept, none lost",
            time.as_secs_f64()
        )?;
        for (what, times) in [("calls with events", sent), ("queries beside", asked)] {
            let [p50, p99, most] = [500, 990, 1000].map(|permille| within(times, permille));
            writeln!(f, "{} {what}: p50 {p50:.1?}, p99 {p99:.1?}, most {most:.1?}", times.len())?;
        }
        writeln!(f, "memory after each tenth, MB: {memory:?}")?;
        write!(f, "{kills} kills: {acknowledged} batches were acknowledged, none lost, none half")
    }
}

fn within(times: &[Duration], permille: usize) -> Duration {
    let place = (times.len() * permille / 1000).min(times.len().saturating_sub(1));
    times.get(place).copied().unwrap_or_default()
}

impl Events<'_> {
    /// Sends the events and then kills servers. The error says what is wrong.
    pub fn run(&self) -> Result<Figures, String> {
        let empty = || {
            if self.dir.exists() {
                fs::remove_dir_all(self.dir)?;
            }
            fs::create_dir_all(self.dir)
        };
        empty().map_err(|error| format!("{}: {error}", self.dir.display()))?;
        let mut figures = self.soak()?;
        if !figures.is_flat() {
            return Err(format!("memory grows after the bound:\n{figures}"));
        }
        let mut dice = Dice::new(self.seed);
        for round in 0..self.kills {
            figures.acknowledged +=
                self.kill(round, &mut dice).map_err(|wrong| format!("kill {round}: {wrong}"))?;
            figures.kills += 1;
        }
        Ok(figures)
    }

    fn soak(&self) -> Result<Figures, String> {
        let policy = self.dir.join("policy.toml");
        let text =
            format!("journal_bytes = {JOURNAL_BYTES}\n\n[analytics]\nsource_events = {}\n", self.bound);
        fs::write(&policy, text).map_err(|error| format!("{}: {error}", policy.display()))?;
        let serving = self.serve("soak", &["--policy", &policy.to_string_lossy()])?;
        make_source(&serving)?;
        let (begun, next, is_over) = (Instant::now(), AtomicUsize::new(0), AtomicBool::new(false));
        let (memory, mut progress) = (Mutex::new(Vec::new()), Progress::of(self.events));
        let (sent, asked) = thread::scope(|scope| {
            let (addr, token) = (serving.addr, serving.analytics_token.as_str());
            let (next, is_over) = (&next, &is_over);
            let writers: Vec<_> =
                (0..WRITERS).map(|_| scope.spawn(move || self.write(addr, token, next))).collect();
            let readers: Vec<_> =
                (0..READERS).map(|number| scope.spawn(move || read(addr, token, number, is_over))).collect();
            while writers.iter().any(|writer| !writer.is_finished()) {
                let done = next.load(Ordering::Relaxed).min(self.events);
                progress.at(done, "events");
                let mut memory = memory.lock();
                if done * 10 / self.events > memory.len() {
                    memory.push(resident_mb(serving.pid()));
                }
                drop(memory);
                thread::sleep(Duration::from_millis(20));
            }
            is_over.store(true, Ordering::Relaxed);
            let all = |threads: Vec<thread::ScopedJoinHandle<'_, Result<Vec<Duration>, String>>>| {
                let times = threads.into_iter().map(|thread| thread.join().expect("it does not panic"));
                times.collect::<Result<Vec<_>, _>>().map(|times| sorted(times.concat()))
            };
            (all(writers), all(readers))
        });
        let time = begun.elapsed();
        let mut memory = memory.into_inner();
        memory.push(resident_mb(serving.pid()));
        let kept = self.check_kept(&serving)?;
        let words = serving.last_words();
        if words.contains("panicked") {
            return Err(words);
        }
        let (sent, asked) = (sent?, asked?);
        Ok(Figures { events: self.events, bound: kept, time, sent, asked, memory, ..Figures::default() })
    }

    /// The newest events are there, each once, and what left is counted.
    fn check_kept(&self, serving: &Serving) -> Result<usize, String> {
        let sql = "select count(*) as n, count(distinct id) as ids from soak";
        let row = query(&mut connect(serving.addr)?, &serving.analytics_token, sql)?;
        let (kept, ids) = (number(&row, "n"), number(&row, "ids"));
        let expected = self.bound.min(self.events);
        if kept != expected || ids != expected {
            return Err(format!("{kept} events and {ids} ids are kept, not {expected}"));
        }
        let sources = connect(serving.addr)?.ask("GET", "/api/sources", &serving.analytics_token, "");
        let sources = sources.map_err(|error| error.to_string())?.good()?;
        let source = sources.as_array().into_iter().flatten().find(|one| one["name"] == SOURCE);
        let dropped = source.map_or(0, |one| number(&one["metrics"], "dropped"));
        match dropped + kept == self.events {
            true => Ok(kept),
            false => Err(format!("{dropped} left and {kept} are kept, of {}", self.events)),
        }
    }

    fn write(&self, addr: SocketAddr, token: &str, next: &AtomicUsize) -> Result<Vec<Duration>, String> {
        let (mut connection, mut times) = (connect(addr)?, Vec::new());
        loop {
            let first = next.fetch_add(BATCH, Ordering::Relaxed);
            if first >= self.events {
                return Ok(times);
            }
            let last = (first + BATCH).min(self.events);
            let body = Value::from_iter((first..last).map(|number| event(number, self.events))).to_string();
            let begun = Instant::now();
            send(&mut connection, token, &body)?;
            times.push(begun.elapsed());
        }
    }

    /// Kills a server under load, and counts the acknowledged batches after a restart.
    fn kill(&self, round: usize, dice: &mut Dice) -> Result<usize, String> {
        let name = format!("kill-{round}");
        let mut serving = self.serve(&name, &[])?;
        make_source(&serving)?;
        let life = Duration::from_millis(100 + dice.below(LONGEST_MS) as u64);
        let acknowledged: Vec<usize> = thread::scope(|scope| {
            let (addr, token) = (serving.addr, serving.analytics_token.clone());
            let writers: Vec<_> = (0..WRITERS)
                .map(|writer| {
                    let token = token.clone();
                    scope.spawn(move || batches_until_the_end(addr, &token, writer))
                })
                .collect();
            thread::sleep(life);
            serving.kill();
            writers.into_iter().map(|writer| writer.join().expect("it does not panic")).collect()
        });
        let serving = self.serve(&name, &[])?;
        let mut connection = connect(serving.addr)?;
        for (writer, acknowledged) in acknowledged.iter().enumerate() {
            let sql = format!(
                "select count(*) as n, count(distinct m.batch) as batches, max(m.batch) as last from soak as t \
                 cross join unnest(t.metadata) as m where m.writer = {writer}"
            );
            let row = query(&mut connection, &serving.analytics_token, &sql)?;
            let (events, batches) = (number(&row, "n"), number(&row, "batches"));
            let is_whole = events == batches * BATCH && (batches == 0 || number(&row, "last") + 1 == batches);
            // One more may have been stored without its answer.
            if !is_whole || batches < *acknowledged || batches > acknowledged + 1 {
                return Err(format!(
                    "writer {writer} was told of {acknowledged} batches, and there are {row}"
                ));
            }
        }
        Ok(acknowledged.iter().sum())
    }

    fn serve(&self, name: &str, flags: &[&str]) -> Result<Serving, String> {
        let data = self.dir.join(name).to_string_lossy().into_owned();
        let own = ["--analytics", "--data", &data, "--durability", "process"];
        Serving::start(self.binary, &[&own[..], flags].concat())
    }
}

impl Figures {
    /// Whether the last tenths take no more memory than those after the bound was reached, within a fifth.
    fn is_flat(&self) -> bool {
        let filled = self.bound * 10 / self.events.max(1) + 2;
        let after = self.memory.get(filled..).unwrap_or_default();
        match (after.first(), after.last()) {
            (Some(first), Some(last)) => *last <= first + first / 5,
            _ => true,
        }
    }
}

fn batches_until_the_end(addr: SocketAddr, token: &str, writer: usize) -> usize {
    let Ok(mut connection) = connect(addr) else { return 0 };
    let mut acknowledged = 0;
    loop {
        let own = |number: usize| {
            json!({ "id": format!("{writer}-{acknowledged}-{number}"), "event_message": "m",
                "metadata": { "writer": writer, "batch": acknowledged } })
        };
        let body = Value::from_iter((0..BATCH).map(own)).to_string();
        if send(&mut connection, token, &body).is_err() {
            return acknowledged;
        }
        acknowledged += 1;
    }
}

fn read(addr: SocketAddr, token: &str, number: usize, is_over: &AtomicBool) -> Result<Vec<Duration>, String> {
    let (mut connection, mut times) = (connect(addr)?, Vec::new());
    for sql in QUERIES.iter().cycle().skip(number) {
        if is_over.load(Ordering::Relaxed) {
            break;
        }
        let begun = Instant::now();
        query(&mut connection, token, sql)?;
        times.push(begun.elapsed());
        thread::sleep(Duration::from_millis(200));
    }
    Ok(times)
}

fn event(number: usize, of: usize) -> Value {
    json!({
        "id": format!("e{number}"),
        "timestamp": START_US - (of - number) as i64 * STEP_US,
        "event_message": format!("GET /items/{} {}", number % 100, 200 + number % 4 * 100),
        "project": "default",
        "metadata": {
            "method": "GET", "path": format!("/items/{}", number % 100), "status": 200 + number % 4 * 100,
            "duration_ms": number % 1000, "host": "db.test",
        },
    })
}

fn make_source(serving: &Serving) -> Result<(), String> {
    let body = json!({ "name": SOURCE }).to_string();
    let made = connect(serving.addr)?.ask("POST", "/api/sources", &serving.analytics_token, &body);
    made.map_err(|error| error.to_string())?.good().map(drop)
}

fn connect(addr: SocketAddr) -> Result<Connection, String> {
    Connection::open(addr).map_err(|error| error.to_string())
}

fn send(connection: &mut Connection, token: &str, body: &str) -> Result<(), String> {
    let answer = connection.ask("POST", "/api/logs?source_name=soak", token, body);
    answer.map_err(|error| error.to_string())?.good().map(drop)
}

/// The first row of a query.
fn query(connection: &mut Connection, token: &str, sql: &str) -> Result<Value, String> {
    let path = format!("/api/query?sql={}", sql.replace(' ', "%20").replace('>', "%3E").replace('+', "%2B"));
    let answer = connection.ask("GET", &path, token, "").map_err(|error| error.to_string())?;
    answer.good().map(|body| body["result"][0].clone()).map_err(|wrong| format!("{sql}: {wrong}"))
}

fn number(row: &Value, name: &str) -> usize {
    row[name].as_u64().and_then(|number| usize::try_from(number).ok()).unwrap_or_default()
}

fn sorted(mut times: Vec<Duration>) -> Vec<Duration> {
    times.sort_unstable();
    times
}

/// Resident megabytes of a process; 0 where there is no /proc.
fn resident_mb(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().unwrap_or_default();
    kilobytes / 1000
}
