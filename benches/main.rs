//! Each figure and its limit, measured in the same run, in processor time: on shared machines absolute times
//! vary, ratios vary less.
//!
//! `cargo build --release && cargo run --release -p sim-benches` prints the table; `--quick` takes fewer
//! samples, `--json FILE` also writes the figures to a file. `soak [EVENTS]` sends a million events instead,
//! or that many; `volume [EVENTS]` measures the memory that they take, and charts over them. `loop NAME TIMES` repeats one
//! operation. `tokens` measures how long nearly right tokens take to be refused, `languages` what `benches/languages/run` measures
//! from other languages, `databases` prints the part of the table on databases of projects. `first world` and `first table` are run by
//! the program itself, in its child processes.

#![forbid(unsafe_code)]

mod analytics;
mod bare;
mod client;
mod database;
mod durable;
mod first;
mod http;
mod in_process;
mod languages;
mod loops;
mod measure;
mod memory;
mod soak;
mod tokens;
mod volume;

use measure::{Report, Samples};

/// The same allocator as in the `stuntdouble` binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.first().is_some_and(|word| word == "soak") {
        return soak::run(words.get(1).map(String::as_str));
    }
    if words.first().is_some_and(|word| word == "volume") {
        return volume::run(&words[1..]);
    }
    if words.first().is_some_and(|word| word == "loop") {
        return loops::run(&words[1..]);
    }
    if words.first().is_some_and(|word| word == "tokens") {
        return tokens::run();
    }
    if words.first().is_some_and(|word| word == "languages") {
        return languages::run();
    }
    if words.first().is_some_and(|word| word == "first") {
        return first::time(words.get(1).map_or("", String::as_str));
    }
    if words.first().is_some_and(|word| word == "databases") {
        let mut report = Report::default();
        database::run(&Samples::QUICK, &mut report);
        return print!("{report}");
    }
    let quick = words.iter().any(|word| word == "--quick");
    let json =
        words.iter().position(|word| word == "--json").map(|at| words.get(at + 1).expect("--json FILE"));
    let samples = if quick { Samples::QUICK } else { Samples::FULL };
    let mut report = Report::default();
    in_process::run(&samples, &mut report);
    first::run(&samples, &mut report);
    database::run(&samples, &mut report);
    analytics::run(&samples, &mut report);
    http::run(&samples, &mut report);
    http::start(&samples, &mut report);
    durable::run(&samples, &mut report);
    memory::run(quick, &mut report);
    print!("{report}");
    if let Some(file) = json {
        std::fs::write(file, format!("{:#}\n", report.json())).expect("the file can be written");
    }
}
