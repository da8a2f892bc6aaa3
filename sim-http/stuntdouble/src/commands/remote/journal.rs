//! `stuntdouble journal`: the calls of a running server, one line each.

use std::io::Write as _;
use std::time::Duration;

use clap::Args;
use sim_client::World;
use sim_core::engine::Call;
use sim_http::client::Core;

use super::Reach;
use crate::Failure;

/// How often a followed journal is read, in real time.
const INTERVAL: Duration = Duration::from_millis(200);
/// How many calls are read at once.
const PAGE: u64 = 1000;

/// Arguments of `journal`.
#[derive(Args)]
#[command(after_help = "Examples:
  stuntdouble journal                    the last 20 calls
  stuntdouble journal --failed --last 1  the latest call that was refused
  stuntdouble journal --follow           also print new calls, until Ctrl-C")]
pub(crate) struct Arguments {
    /// How many of the latest calls to print
    #[arg(long, value_name = "N", default_value_t = 20)]
    last: usize,
    /// Only calls with a status of 400 or more
    #[arg(long)]
    failed: bool,
    /// Go on with new calls until Ctrl-C
    #[arg(long, short)]
    follow: bool,
    #[command(flatten)]
    reach: Reach,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let world = arguments.reach.world()?;
    let mut next = arguments.print_latest(&world)?;
    if !arguments.follow {
        return Ok(());
    }
    loop {
        let Some(after) = arguments.print_from(&world, next)? else { return Ok(()) };
        if after == next {
            std::thread::sleep(INTERVAL);
        }
        next = after;
    }
}

impl Arguments {
    /// Prints the latest calls. Returns the number of the first call that is not there yet.
    fn print_latest(&self, world: &World<Core>) -> Result<u64, Failure> {
        let all = world.info().map_err(|error| self.reach.failed(&error))?.calls;
        let mut wanted = Vec::new();
        let mut end = all + 1;
        // From the newest page to the oldest, until there are enough.
        while wanted.len() < self.last && end > 1 {
            let from = end.saturating_sub(PAGE).max(1);
            let page = self.read(world, from, end - from)?;
            wanted.splice(0..0, page.into_iter().filter(|call| self.wants(call)));
            end = from;
        }
        let surplus = wanted.len().saturating_sub(self.last);
        self.print(&wanted[surplus..]);
        Ok(all + 1)
    }

    /// Prints the calls from `next` on. `None` when nobody reads the lines.
    fn print_from(&self, world: &World<Core>, next: u64) -> Result<Option<u64>, Failure> {
        let page = self.read(world, next, PAGE)?;
        let after = page.last().map_or(next, |call| call.call + 1);
        let wanted: Vec<Call> = page.into_iter().filter(|call| self.wants(call)).collect();
        Ok(self.print(&wanted).then_some(after))
    }

    fn read(&self, world: &World<Core>, from: u64, limit: u64) -> Result<Vec<Call>, Failure> {
        world.journal_from(from, limit).map_err(|error| self.reach.failed(&error))
    }

    fn wants(&self, call: &Call) -> bool {
        !self.failed || call.status >= 400
    }

    /// Prints one line for each call. Returns whether the lines could be written.
    fn print(&self, calls: &[Call]) -> bool {
        let mut out = std::io::stdout().lock();
        let mut lines = calls.iter().map(|call| match self.reach.json {
            true => serde_json::to_string(call).expect("a call is plain data"),
            false => line(call),
        });
        lines.try_for_each(|line| writeln!(out, "{line}")).and_then(|()| out.flush()).is_ok()
    }
}

fn line(call: &Call) -> String {
    let Call { call: number, at, method, target, status, reason, fault, .. } = call;
    let reason = reason.as_ref().map(|reason| format!(" {reason}")).unwrap_or_default();
    let fault = fault.as_ref().map(|fault| format!(" ({fault})")).unwrap_or_default();
    format!("{at}  {number:>4}  {method} {target}  {status}{reason}{fault}")
}
