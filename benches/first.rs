//! The first world of a process, measured in fresh processes, compared with the first table of a process.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use rusqlite::Connection;
use sim_core::Simulator;

use crate::measure::{Report, Samples, since_the_start};

/// A freshly linked program is in small pieces in the system's memory, so everything takes a third longer. A
/// copy behaves like an installed program.
pub(crate) fn run(samples: &Samples, report: &mut Report) {
    let linked = env::current_exe().expect("this program has a path");
    let copy = linked.with_file_name("sim-benches-as-installed");
    fs::copy(&linked, &copy).expect("the program's folder is writable");
    let mut kinds = [(&linked, "world"), (&linked, "table"), (&copy, "world"), (&copy, "table")]
        .map(|(program, what)| (program, what, Vec::new()));
    for _ in 0..samples.batches {
        // In turn, so that other load on the machine affects all of them.
        kinds.iter_mut().for_each(|(program, what, times)| times.push(first(program, what)));
    }
    let [world, table, copied, table_of_copy] = kinds.map(|(.., mut times)| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    });
    fs::remove_file(&copy).expect("it was copied");
    let raw = "raw open and one table";
    report.add(
        "first world of a process just linked, by the clock on the wall",
        world,
        Some((raw, table)),
        "≤ 1 ms",
    );
    report.add("the same of a program as it is installed", copied, Some((raw, table_of_copy)), "≤ 1 ms");
}

/// The nanoseconds that the first one takes in a new process of that program.
fn first(program: &Path, what: &str) -> f64 {
    let done = Command::new(program).args(["first", what]).output().expect("the program starts");
    let text = String::from_utf8(done.stdout).expect("it prints a number");
    text.trim().parse().expect("it prints a number")
}

/// Prints the nanoseconds that the first one takes in this process.
///
/// # Panics
///
/// When the name is neither `world` nor `table`.
pub(crate) fn time(what: &str) {
    let start = since_the_start();
    match what {
        "world" => drop(std::hint::black_box(Simulator::builder().build())),
        "table" => {
            let connection = Connection::open_in_memory().expect("SQLite opens a database in memory");
            connection
                .execute_batch("CREATE TABLE row (key TEXT PRIMARY KEY)")
                .expect("the table is valid SQL");
        }
        _ => panic!("first world or first table"),
    }
    println!("{}", (since_the_start() - start).as_nanos());
}
