//! `stuntdouble outcome restore fail`: how the next work of a kind ends.

use clap::Args;

use super::Reach;
use crate::{Failure, say};

/// Arguments of `outcome`.
#[derive(Args)]
#[command(after_help = "Examples:
  stuntdouble outcome restore fail       the next restore fails
  stuntdouble outcome create never       the next project stays COMING_UP")]
pub(crate) struct Arguments {
    /// Kind of work: create, pause, restore, … (an unknown one gets the list)
    work: String,
    /// How it ends
    #[arg(value_parser = ["succeed", "fail", "never"])]
    outcome: String,
    #[command(flatten)]
    reach: Reach,
}

pub(crate) fn run(Arguments { work, outcome, reach }: &Arguments) -> Result<(), Failure> {
    reach.world()?.set_next_outcome(work, outcome).map_err(|error| reach.failed(&error))?;
    let ends = match &**outcome {
        "succeed" => "succeeds",
        "fail" => "fails",
        _ => "never ends",
    };
    say(&format!("the next {work} {ends}"));
    Ok(())
}
