//! The `stuntdouble` binary: a simulator of the management API to point clients at.

#![forbid(unsafe_code)]

mod cli;

fn main() -> std::process::ExitCode {
    cli::run()
}
