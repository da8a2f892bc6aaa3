//! `stuntdouble advance 15m`: advances the clock of a running server.

use std::fmt::Write as _;
use std::str::FromStr;

use clap::Args;
use sim_core::{Due, Happened, Timestamp};
use sim_http::control::Moved;

use super::Reach;
use super::length::Length;
use crate::Failure;

/// Arguments of `advance`.
#[derive(Args)]
#[command(after_help = "Examples:
  stuntdouble advance 15m                      by fifteen minutes
  stuntdouble advance next                     to the next scheduled work
  stuntdouble advance 2026-01-01T12:00:00Z     to a timestamp")]
pub(crate) struct Arguments {
    /// A length (90s, 15m, 1h30m, 2d), a timestamp (2026-01-01T12:00:00Z), or next for the next scheduled work
    #[arg(value_name = "TIME")]
    to: Goal,
    #[command(flatten)]
    reach: Reach,
}

/// A destination of the clock.
#[derive(Clone, Copy, Debug)]
enum Goal {
    By(Length),
    Until(Timestamp),
    Next,
}

impl FromStr for Goal {
    type Err = String;

    fn from_str(text: &str) -> Result<Goal, String> {
        if text == "next" {
            return Ok(Goal::Next);
        }
        if text.starts_with('-') {
            return Err(
                "a clock does not go back; `stuntdouble fork --at` copies the world as it was".to_owned()
            );
        }
        let wrong = |_| {
            format!(
                "must be a length of time such as 90s, 15m, 1h30m or 2d, a timestamp such as 2026-01-01T12:00:00Z, or next, \
                 received {text:?}"
            )
        };
        if let Ok(length) = text.parse() {
            return Ok(Goal::By(length));
        }
        text.parse().map(Goal::Until).map_err(wrong)
    }
}

pub(crate) fn run(Arguments { to, reach }: &Arguments) -> Result<(), Failure> {
    let world = reach.world()?;
    let agenda = world.agenda().map_err(|error| reach.failed(&error))?;
    let moved = match *to {
        Goal::By(length) => world.advance(length.0),
        Goal::Until(instant) => world.advance_to(instant),
        Goal::Next => world.advance_to_next(),
    };
    let moved = moved.map_err(|error| reach.failed(&error))?;
    reach.show(&moved, |moved| text(moved, &agenda));
    Ok(())
}

fn text(moved: &Moved, agenda: &[Due]) -> String {
    let mut text = format!("now {}", moved.now);
    for Happened { at, kind, subject, became, caused_by_call, .. } in &moved.happened {
        let name = agenda.iter().find(|one| one.subject == *subject).and_then(|one| one.name.as_ref());
        let kind = kind.replace('_', " ");
        write!(text, "\n  {at}  {kind} {}", name.unwrap_or(subject)).expect("a string takes it");
        // What ends by itself, such as a ban, becomes nothing else.
        if !kind.starts_with("end of ") {
            write!(text, ": {became} (call {caused_by_call})").expect("a string takes it");
        }
    }
    let next = moved
        .next_due
        .map_or_else(|| "nothing is scheduled".to_owned(), |due| format!("next on the agenda at {due}"));
    format!("{text}\n{next}")
}
