//! The runs behind docs/reliability.md, as short as tests may be.

use std::path::Path;
use std::time::Duration;

use sim_core::Simulator;
use sim_http::{Limits, Server};
use sim_reliability::crash::{Crash, Promise};
use sim_reliability::load::{Load, Soak};
use sim_reliability::race::Race;

use crate::client::spawn;

#[test]
fn a_server_that_is_killed_keeps_what_it_promised() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (durability, kills) in [(Promise::Power, 3), (Promise::Process, 4), (Promise::Eventual, 2)] {
        let dir = folder.join(format!("{}-crash-{}", std::process::id(), durability.as_str()));
        let binary = Path::new(env!("CARGO_BIN_EXE_stuntdouble"));
        let figures = Crash { binary, dir: &dir, kills, durability, seed: 7 }.run();
        let figures = figures.unwrap_or_else(|wrong| panic!("{}: {wrong}", durability.as_str()));
        assert_eq!((figures.kills, durability.keeps() && figures.lost > 0), (kills, false), "{figures}");
        std::fs::remove_dir_all(&dir).expect("it can be removed");
    }
}

/// Two seconds of load on a server that allows 60 connections.
fn load(server: &Server, races: bool) -> Load {
    Load {
        addr: server.addr(),
        pid: None,
        connections: 8,
        limit: 60,
        worlds: 4,
        time: Duration::from_secs(2),
        seed: 7,
        races,
        hostile: 0,
    }
}

#[test]
fn misbehaving_clients_affect_no_others() {
    let limits = Limits { connections: 60, ..Limits::default() };
    let server = Server::builder().limits(limits).spawn(Simulator::builder().build());
    let server = server.expect("a port is to be had");
    let figures = load(&server, true).run().unwrap_or_else(|wrong| panic!("{wrong}"));
    assert!(figures.calls > 0 && figures.neighbours.turned_away >= 50, "{figures}");
}

#[test]
fn hostile_sql_in_one_world_affects_no_other() {
    let limits = Limits { connections: 60, ..Limits::default() };
    let server = Server::builder().limits(limits).spawn(Simulator::builder().build());
    let server = server.expect("a port is to be had");
    let figures = Soak { load: load(&server, false) }.run().unwrap_or_else(|wrong| panic!("{wrong}"));
    assert!(figures.with.calls > 0 && figures.with.hostile > 0, "{figures}");
}

#[test]
fn racing_clients_see_a_sequential_order() {
    let server = spawn();
    for seed in 0..2 {
        let race = Race { addr: server.addr(), clients: 6, calls: 30, seed };
        let races = race.run("race").unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}"));
        assert_eq!((races.calls, races.together > 0), (180, true), "{races}");
    }
}
