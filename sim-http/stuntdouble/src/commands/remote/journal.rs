//! `stuntdouble journal`: the calls of a running server, one line each.

use std::io::Write as _;
use std::time::Duration;

use clap::Args;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use sim_client::World;
use sim_core::engine::{Call, CallPage, Origin, near};
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
  stuntdouble journal --reason sql_error the calls that were refused for this reason
  stuntdouble journal --client ada       the calls that the user ada made, or a token or app of that name
  stuntdouble journal --follow           also print new calls, until Ctrl-C")]
pub(crate) struct Arguments {
    /// How many of the latest calls to print
    #[arg(long, value_name = "N", default_value_t = 20)]
    last: usize,
    /// Only calls with a status of 400 or more
    #[arg(long)]
    failed: bool,
    /// Only calls of this client: the name of a user or a token, the id of an OAuth app, nobody, or control
    #[arg(long, value_name = "NAME")]
    client: Option<String>,
    /// Only calls that were refused for this reason, as in the header x-sim-reason: rate_limited, invalid_body
    #[arg(long, value_name = "WORD")]
    reason: Option<String>,
    /// The service whose calls are printed, in a world with both services: management or analytics [default: management]
    #[arg(long, value_name = "SERVICE", value_parser = ["management", "analytics"])]
    service: Option<String>,
    /// Go on with new calls until Ctrl-C
    #[arg(long, short)]
    follow: bool,
    #[command(flatten)]
    reach: Reach,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let world = arguments.reach.world()?;
    arguments.check(&world)?;
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
        let all = self.search::<CallPage>(world, &json!({ "service": self.service, "limit": 0 }))?;
        let all = all.first + all.total - 1;
        let mut wanted = Vec::new();
        let mut end = all + 1;
        // From the newest page to the oldest, until there are enough.
        while wanted.len() < self.last && end > 1 {
            let from = end.saturating_sub(PAGE).max(1);
            let page = self.read(world, from, end - from)?;
            wanted.splice(0..0, self.pick(world, page)?);
            end = from;
        }
        if wanted.is_empty() && !self.follow {
            let calls = near::counted(all, "call");
            eprintln!("note: the world has {calls}, and none of them matches");
        }
        let surplus = wanted.len().saturating_sub(self.last);
        self.print(&wanted[surplus..]);
        Ok(all + 1)
    }

    /// Prints the calls from `next` on. `None` when nobody reads the lines.
    fn print_from(&self, world: &World<Core>, next: u64) -> Result<Option<u64>, Failure> {
        let page = self.read(world, next, PAGE)?;
        let after = page.last().map_or(next, |call| call.call + 1);
        let wanted = self.pick(world, page)?;
        Ok(self.print(&wanted).then_some(after))
    }

    /// Refuses a client that the world does not have and a reason that nothing has, as the server does.
    fn check(&self, world: &World<Core>) -> Result<(), Failure> {
        if self.client.is_none() && self.reason.is_none() {
            return Ok(());
        }
        let fields =
            json!({ "client": self.client, "reason": self.reason, "service": self.service, "limit": 0 });
        self.search::<Value>(world, &fields).map(drop)
    }

    fn search<T: DeserializeOwned>(&self, world: &World<Core>, fields: &Value) -> Result<T, Failure> {
        world.control("sim-search-journal", fields).map_err(|error| self.reach.failed(&error))
    }

    fn read(&self, world: &World<Core>, from: u64, limit: u64) -> Result<Vec<Call>, Failure> {
        let fields = json!({ "from": from, "limit": limit, "service": self.service });
        world.control("sim-get-journal", &fields).map_err(|error| self.reach.failed(&error))
    }

    /// The calls of a page that are wanted.
    fn pick(&self, world: &World<Core>, page: Vec<Call>) -> Result<Vec<Call>, Failure> {
        let callers =
            self.client.as_ref().map(|name| callers(world, name, self.service.as_deref())).transpose();
        let callers = callers.map_err(|error| self.reach.failed(&error))?;
        let is_wanted = |call: &Call| {
            (!self.failed || call.status >= 400)
                && self.reason.as_ref().is_none_or(|wanted| call.is_refused_for(wanted))
                && callers.as_ref().is_none_or(|callers| callers.contains(&call.caller))
        };
        Ok(page.into_iter().filter(is_wanted).collect())
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

/// The callers of a client's calls: its tokens, or those without one.
fn callers(world: &World<Core>, client: &str, service: Option<&str>) -> sim_client::Result<Vec<Origin>> {
    match client {
        "nobody" => Ok(vec![Origin::Nobody]),
        "control" => Ok(vec![Origin::Control]),
        name => {
            let name = name.replace('\'', "''");
            // Those of the service whose journal this is: the management API if there is one.
            let service =
                service.map_or("(select max(service) from token)".to_owned(), |name| format!("'{name}'"));
            let sql =
                format!("select id from token where service = {service} and '{name}' in (user, name, app)");
            let rows = world.query_journal(&sql)?;
            Ok(rows.iter().filter_map(|row| row["id"].as_i64()).map(Origin::Token).collect())
        }
    }
}

fn line(call: &Call) -> String {
    let Call { call: number, at, method, target, status, reason, fault, .. } = call;
    let reason = reason.as_ref().map(|reason| format!(" {reason}")).unwrap_or_default();
    let fault = fault.as_ref().map(|fault| format!(" ({fault})")).unwrap_or_default();
    format!("{at}  {number:>4}  {method} {target}  {status}{reason}{fault}")
}
