//! Misbehaving clients: slow ones, silent ones, ones that send too much or hang up, and too many at once.

use std::fmt;
use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use parking_lot::RwLock;

use super::Load;
use crate::client::Connection;

/// Connections above the limit that are attempted.
const TOO_MANY: usize = 50;

/// Slow and silent connections at a time.
const HELD: usize = 4;

/// Requests that are sent at once.
const PIPELINED: usize = 32;

/// Rounds until all connections are taken for a moment.
const CROWD: u64 = 50;

/// Attempts to get a connection again.
const ATTEMPTS: usize = 10_000;

const PATIENCE: Duration = Duration::from_secs(60);

/// Their results.
#[derive(Clone, Copy, Debug, Default)]
pub struct Neighbours {
    /// Connections that sent a head byte by byte while others did other things.
    pub slow: u64,
    /// Connections that sent nothing, or half a request and no more.
    pub half: u64,
    /// Bodies and heads that were too large, each answered with 413 or 431.
    pub oversized: u64,
    /// Requests sent without waiting for responses, each answered in order.
    pub pipelined: u64,
    /// Connections that closed before reading their response.
    pub reset: u64,
    /// How often all connections were taken.
    pub crowds: u64,
    /// Connections above the limit, refused or closed.
    pub turned_away: u64,
}

impl fmt::Display for Neighbours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Neighbours { slow, half, oversized, pipelined, reset, crowds, turned_away } = self;
        write!(
            f,
            "beside them {slow} slow and {half} half-open connections, {oversized} oversized requests, all refused, \
             {pipelined} pipelined, all answered, {reset} connections reset; {crowds} times more connections than the limit, \
             {turned_away} of them turned away"
        )
    }
}

/// Misbehaves until it is `over`. The error is anything that a well-behaved client could complain about, too.
pub(super) fn live(load: &Load, over: &AtomicBool, places: &RwLock<()>) -> Result<Neighbours, String> {
    let mut all = Neighbours::default();
    let mut round = 0;
    while !over.load(Ordering::Relaxed) {
        let slow: Vec<_> = (0..HELD).filter_map(|_| connect(load).ok()).collect();
        let half: Vec<_> = (0..HELD).filter_map(|number| half_open(load, number).ok()).collect();
        for byte in b"GET / HT" {
            // A connection that was refused meanwhile does not count.
            slow.iter().for_each(|mut stream| drop(stream.write_all(&[*byte])));
            oversized(load, &mut all)?;
            pipeline(load, &mut all)?;
            hang_up(load, &mut all).map_err(|error| format!("a connection can't be had: {error}"))?;
            thread::sleep(Duration::from_millis(5));
        }
        (all.slow, all.half) = (all.slow + slow.len() as u64, all.half + half.len() as u64);
        drop((slow, half));
        if round % CROWD == 0 {
            let _places = places.write();
            crowd(load, &mut all)?;
        }
        round += 1;
    }
    Ok(all)
}

fn connect(load: &Load) -> io::Result<TcpStream> {
    let stream = TcpStream::connect(load.addr)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    Ok(stream)
}

fn half_open(load: &Load, number: usize) -> io::Result<TcpStream> {
    let mut stream = connect(load)?;
    match number % 4 {
        0 => {}
        1 => stream
            .write_all(b"POST /v1/projects HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{")?,
        2 => stream.write_all(b"GET / HTTP/1.1\r\nho")?,
        _ => {
            stream.write_all(b"GET / HTTP/1.1\r\nho")?;
            stream.shutdown(Shutdown::Write)?;
        }
    }
    Ok(stream)
}

fn oversized(load: &Load, all: &mut Neighbours) -> Result<(), String> {
    let long = "x".repeat(70 << 10);
    let requests = [
        (
            "413",
            "POST /v1/projects HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100000000000\r\n\r\n"
                .to_owned(),
        ),
        ("431", format!("GET / HTTP/1.1\r\nhost: localhost\r\nx-long: {long}\r\n\r\n")),
    ];
    for (status, request) in requests {
        let said = first_line(load, &request).map_err(|error| format!("oversized: {error}"))?;
        if !said.contains(status) {
            return Err(format!("an oversized request is answered {said:?} instead of {status}"));
        }
        all.oversized += 1;
    }
    Ok(())
}

/// The first line of the response.
fn first_line(load: &Load, request: &str) -> io::Result<String> {
    let mut stream = connect(load)?;
    stream.write_all(request.as_bytes())?;
    stream.shutdown(Shutdown::Write)?;
    let mut answer = Vec::new();
    // A reset after the response is an end, too.
    let _ = stream.read_to_end(&mut answer);
    Ok(String::from_utf8_lossy(&answer).lines().next().unwrap_or_default().to_owned())
}

fn pipeline(load: &Load, all: &mut Neighbours) -> Result<(), String> {
    let send = || {
        let mut connection = Connection::open(load.addr)?;
        (0..PIPELINED).try_for_each(|number| {
            let path = if number % 2 == 0 { "/_sim/clock" } else { "/v1/nothing" };
            connection.send("GET", path, "", "")
        })?;
        (0..PIPELINED).map(|_| Ok(connection.answer()?.status)).collect::<io::Result<Vec<_>>>()
    };
    let statuses = send().map_err(|error| format!("pipelined: {error}"))?;
    if statuses.chunks(2).any(|pair| pair[0] != 200 || !(400..500).contains(&pair[1])) {
        return Err(format!("pipelined requests are answered {statuses:?}"));
    }
    all.pipelined += PIPELINED as u64;
    Ok(())
}

/// Closes while there is something to read, which resets the connection.
fn hang_up(load: &Load, all: &mut Neighbours) -> io::Result<()> {
    let mut stream = connect(load)?;
    stream.write_all(b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n")?;
    stream.peek(&mut [0])?;
    all.reset += 1;
    Ok(())
}

/// Opens more connections than the server takes; open connections stay.
fn crowd(load: &Load, all: &mut Neighbours) -> Result<(), String> {
    let mut held = Vec::new();
    let mut away = 0;
    for _ in 0..load.limit + TOO_MANY {
        let Ok(stream) = connect(load) else { continue };
        held.push(stream);
    }
    for mut stream in &held {
        let mut first = [0; 12];
        let asked = stream.write_all(b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
        match asked.and_then(|()| stream.read_exact(&mut first)) {
            Ok(()) if first.ends_with(b"200") => {}
            Ok(()) if first.ends_with(b"503") => away += 1,
            Ok(()) => {
                return Err(format!("in a crowd somebody is told {:?}", String::from_utf8_lossy(&first)));
            }
            // Closed without a response.
            Err(_) => away += 1,
        }
    }
    if away < TOO_MANY {
        return Err(format!(
            "{} connections were taken of {}, the limit is {}",
            held.len() - away,
            held.len(),
            load.limit
        ));
    }
    (all.crowds, all.turned_away) = (all.crowds + 1, all.turned_away + away as u64);
    drop(held);
    // The server frees these connections in a moment; until then nobody gets one.
    let request = "GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    let mut attempts = (0..ATTEMPTS).map(|_| first_line(load, request));
    match attempts.any(|line| line.is_ok_and(|line| line.contains("200"))) {
        true => Ok(()),
        false => Err("no place is free again after a crowd".to_owned()),
    }
}
