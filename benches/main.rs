//! Each figure beside its limit, measured in the same run: absolute times lie on shared machines, ratios less so.
//!
//! `cargo build --release && cargo run --release -p sim-benches` prints the table; `--quick` takes fewer samples.

mod database;
mod http;
mod in_process;
mod measure;
mod memory;

use measure::{Report, Samples};

fn main() {
    let quick = std::env::args().any(|word| word == "--quick");
    let samples = if quick { Samples::QUICK } else { Samples::FULL };
    let mut report = Report::default();
    in_process::run(&samples, &mut report);
    database::run(&samples, &mut report);
    http::run(&samples, &mut report);
    http::start(&samples, &mut report);
    memory::run(quick, &mut report);
    print!("{report}");
}
