//! The first world of a process, each in a process of its own, beside the first table of one.

use std::process::Command;
use std::{env, fs};

use rusqlite::Connection;
use sim_core::Simulator;

use crate::measure::{Report, Samples, since_the_start};

pub(crate) fn run(samples: &Samples, report: &mut Report) {
    // A copy, as an installed program is one. What a linker has just written lies in small pieces in the system's memory, and
    // both lines take a third longer then.
    let linked = env::current_exe().expect("this program has a path");
    let program = linked.with_file_name("sim-benches-as-installed");
    fs::copy(&linked, &program).expect("there is room beside this program");
    let first = |what: &str| -> f64 {
        let done = Command::new(&program).args(["first", what]).output().expect("the program starts");
        let text = String::from_utf8(done.stdout).expect("it prints a number");
        text.trim().parse().expect("it prints a number")
    };
    // In turn, so that what else the machine does meets both.
    let (mut worlds, mut tables): (Vec<f64>, Vec<f64>) =
        (0..samples.batches).map(|_| (first("world"), first("table"))).unzip();
    let [world, table] = [&mut worlds, &mut tables].map(|times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    });
    fs::remove_file(&program).expect("it was copied");
    let what = "first world of a process, by the clock on the wall";
    report.add(what, world, Some(("raw open and one table", table)), "≤ 1 ms");
}

/// Prints the nanoseconds that the first of them takes in this process.
///
/// # Panics
///
/// When it is neither a world nor a table.
pub(crate) fn time(what: &str) {
    let start = since_the_start();
    match what {
        "world" => drop(std::hint::black_box(Simulator::builder().build())),
        "table" => {
            let connection = Connection::open_in_memory().expect("SQLite opens a database in memory");
            connection
                .execute_batch("CREATE TABLE row (key TEXT PRIMARY KEY)")
                .expect("the table is good SQL");
        }
        _ => panic!("first world or first table"),
    }
    println!("{}", (since_the_start() - start).as_nanos());
}
