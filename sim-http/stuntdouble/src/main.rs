//! The `stuntdouble` binary: a simulator of the management API to point clients at.

#![forbid(unsafe_code)]

mod cli;

/// What belongs together lies together, however large worlds are: see docs/speed.md.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    cli::run()
}
