//! Snapshots of transactions: which of them a statement sees.

use std::fmt;

use super::invalid;
use crate::error::Result;
use crate::types::Type;

/// The transactions that had ended: those before `least`, and those before `next` that are not `running`.
#[derive(Debug)]
pub struct Snapshot {
    /// The first transaction that may still run.
    pub least: u64,
    /// The first transaction that had not begun.
    pub next: u64,
    /// The transactions in between that were running.
    pub running: Vec<u64>,
}

impl Snapshot {
    /// Reads `10:20:10,14`. Fails with 22P02.
    pub fn parse(text: &str) -> Result<Snapshot> {
        Snapshot::read(text).ok_or_else(|| invalid(Type::PG_SNAPSHOT, text))
    }

    fn read(text: &str) -> Option<Snapshot> {
        let mut parts = text.splitn(3, ':');
        let least: u64 = parts.next()?.trim_start().parse().ok()?;
        let next: u64 = parts.next()?.parse().ok()?;
        let listed = parts.next()?;
        let listed = listed.split(',').filter(|_| !listed.is_empty()).map(str::parse);
        let mut running = listed.collect::<std::result::Result<Vec<u64>, _>>().ok()?;
        let is_sound = least > 0
            && least <= next
            && running.is_sorted()
            && running.iter().all(|number| (least..next).contains(number));
        running.dedup();
        is_sound.then_some(Snapshot { least, next, running })
    }

    /// Whether the transaction had ended.
    pub fn sees(&self, number: u64) -> bool {
        number < self.least || number < self.next && self.running.binary_search(&number).is_err()
    }
}

impl fmt::Display for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let running: Vec<String> = self.running.iter().map(u64::to_string).collect();
        write!(f, "{}:{}:{}", self.least, self.next, running.join(","))
    }
}
