//! The report of a sweep, for people and for programs.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use sim_base::{ToSchema, near};

use super::judge::{Ending, Trouble, TroubleKind};
use super::{Point, name_of};

/// The result of one run with a fault.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Verdict {
    /// The call, and the injected fault.
    #[serde(flatten)]
    pub point: Point,
    /// How the client ended.
    pub ending: Ending,
    /// The defects; empty if there are none.
    pub troubles: Vec<Trouble>,
}

/// All runs of a sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Report {
    /// How the good run ended.
    pub good: Ending,
    /// The calls of the good run.
    pub calls: u32,
    /// The other runs, in the order of the calls.
    pub runs: Vec<Verdict>,
}

impl Report {
    /// The runs in which something is wrong.
    pub fn bad(&self) -> impl Iterator<Item = &Verdict> {
        self.runs.iter().filter(|run| !run.troubles.is_empty())
    }

    /// Whether the client handled all faults well.
    pub fn is_clean(&self) -> bool {
        self.bad().next().is_none()
    }

    /// How many runs had a trouble of each kind.
    pub fn counts(&self) -> BTreeMap<TroubleKind, usize> {
        let mut counts = BTreeMap::new();
        for trouble in self.runs.iter().flat_map(|run| &run.troubles) {
            *counts.entry(trouble.kind).or_default() += 1;
        }
        counts
    }
}

impl Verdict {
    /// `call 2 POST /v1/organizations`
    fn place(&self) -> String {
        let Point { call, method, target, .. } = &self.point;
        format!("{call} {method} {target}")
    }
}

/// Prints a table of the runs in which something is wrong, and a summary line.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows: Vec<[String; 2]> =
            self.bad().map(|run| [run.place(), name_of(&run.point.fault.effect)]).collect();
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let (first, second) = (width(0), width(1));
        for (row, run) in rows.iter().zip(self.bad()) {
            let troubles: Vec<_> = run.troubles.iter().map(Trouble::to_string).collect();
            writeln!(f, "{:first$}  {:second$}  {}", row[0], row[1], troubles.join("; "))?;
        }
        let bad = self.bad().count();
        let runs = near::counted(self.runs.len() as u64, "run");
        write!(f, "{}, {runs}, {bad} bad", near::counted(self.calls.into(), "call"))?;
        for (index, (kind, count)) in self.counts().into_iter().enumerate() {
            write!(f, "{}{count} {}", if index == 0 { ": " } else { ", " }, kind.as_str())?;
        }
        Ok(())
    }
}
