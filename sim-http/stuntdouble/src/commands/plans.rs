//! `stuntdouble plans`: random call sequences for clients in any language, one JSON line each.

use std::process::ExitCode;

use clap::Args;
use sim_http::control::DrawPlans;

use crate::{Failure, say};

/// Arguments of `plans`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Seed of the first plan; each further plan has the next number
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Number of plans, 1 to 100
    #[arg(long, value_name = "N", default_value_t = 1)]
    count: u64,
    /// Steps of each plan after its setup, 1 to 100
    #[arg(long, value_name = "N", default_value_t = 20)]
    length: u64,
    /// Ids of the operations that the client can call [default: all]
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    operations: Vec<String>,
    /// Only calls that succeed
    #[arg(long)]
    good: bool,
}

/// Prints each plan as soon as it is generated.
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { seed, count, length, operations, good } = arguments;
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
