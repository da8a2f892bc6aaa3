//! `stuntdouble snapshot NAME` and `stuntdouble restore NAME`: states of a world that are kept by name.

use clap::Args;
use sim_core::engine::near;
use sim_http::control::SnapshotInfo;

use super::Reach;
use crate::{Failure, say};

/// Arguments of `snapshot`.
#[derive(Args)]
#[command(after_help = "Examples:
  stuntdouble snapshot before            keep the present state of main
  stuntdouble restore before             return to it
  stuntdouble snapshot                   print the snapshots
  stuntdouble snapshot before --delete   drop one")]
pub(crate) struct Arguments {
    /// Name of the snapshot; one that exists is replaced. Without it, the snapshots are printed
    name: Option<String>,
    /// Delete the snapshot of that name instead
    #[arg(long, requires = "name")]
    delete: bool,
    #[command(flatten)]
    reach: Reach,
}

pub(crate) fn run(Arguments { name, delete, reach }: &Arguments) -> Result<(), Failure> {
    let world = reach.world()?;
    let failed = |error| reach.failed(&error);
    match name {
        None => reach.show(&world.snapshots().map_err(failed)?, |all| match all.as_slice() {
            [] => "there are no snapshots".to_owned(),
            all => all.iter().map(line).collect::<Vec<_>>().join("\n"),
        }),
        Some(name) if *delete => {
            world.delete_snapshot(name).map_err(failed)?;
            say(&format!("snapshot {name} is deleted"));
        }
        Some(name) => reach.show(&world.snapshot(name).map_err(failed)?, line),
    }
    Ok(())
}

fn line(SnapshotInfo { name, now, calls, .. }: &SnapshotInfo) -> String {
    format!("snapshot {name} of {now}, {}", near::counted(*calls, "call"))
}

/// Arguments of `restore`.
#[derive(Args)]
#[command(after_help = "Example:
  stuntdouble restore before             return to the snapshot before")]
pub(crate) struct Restore {
    /// Name of the snapshot
    name: String,
    #[command(flatten)]
    reach: Reach,
}

pub(crate) fn restore(Restore { name, reach }: &Restore) -> Result<(), Failure> {
    let restored = reach.world()?.restore(name).map_err(|error| reach.failed(&error))?;
    reach.show(&restored, |one| format!("world {} is restored\n{}", reach.name(), line(one)));
    Ok(())
}
