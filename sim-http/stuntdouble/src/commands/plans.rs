//! `stuntdouble plans`: histories for clients in any language, one a line.

use std::process::ExitCode;

use clap::Args;
use sim_http::control::DrawPlans;

use crate::{Failure, say};

/// Which plans.
#[derive(Args)]
pub(crate) struct Asked {
    /// The first plan's seed; each further plan has the next
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// How many, 1 to 100
    #[arg(long, value_name = "N", default_value_t = 1)]
    count: u64,
    /// Steps in each after those that make it ready, 1 to 100
    #[arg(long, value_name = "N", default_value_t = 20)]
    length: u64,
    /// Ids of the operations that the client can call; all unless given
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    operations: Vec<String>,
    /// Only calls that succeed
    #[arg(long)]
    good: bool,
}

/// Prints them, each as soon as it is drawn.
pub(crate) fn run(asked: Asked) -> Result<ExitCode, Failure> {
    let Asked { seed, count, length, operations, good } = asked;
    let wanted = DrawPlans {
        seed: Some(seed),
        count: Some(count),
        length: Some(length),
        operations: (!operations.is_empty()).then(|| operations.join(",")),
        good: Some(good),
    };
    let refused = |error: sim_core::Error| Failure(format!("--{}", error.message));
    for plan in wanted.drawn().map_err(refused)? {
        say(&serde_json::to_string(&plan).expect("a plan is plain data"));
    }
    Ok(ExitCode::SUCCESS)
}
