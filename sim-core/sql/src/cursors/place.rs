//! Where `FETCH` and `MOVE` go. The rules are PostgreSQL's, with its answers for cursors that only go forward.

use std::ops::Range;

use super::Portal;
use crate::error::{Result, SqlError, SqlState};

/// The way that `FETCH` and `MOVE` go; `None` is all rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Forward(Option<i64>),
    Backward(Option<i64>),
    Absolute(i64),
    Relative(i64),
}

/// The places that were passed, counted from one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Passed {
    pub(crate) places: Range<usize>,
    /// Whether the last of them came first.
    pub(crate) backward: bool,
}

impl Portal {
    /// Goes on. `moves`: whether nobody reads the rows.
    pub(super) fn go(&mut self, way: Way, moves: bool) -> Result<Passed> {
        match way {
            Way::Forward(Some(count)) if count < 0 => {
                self.go(Way::Backward(Some(count.saturating_neg())), moves)
            }
            Way::Backward(Some(count)) if count < 0 => {
                self.go(Way::Forward(Some(count.saturating_neg())), moves)
            }
            Way::Forward(Some(0)) | Way::Relative(0) => self.stay(false, moves),
            Way::Backward(Some(0)) => self.stay(true, moves),
            Way::Forward(count) => Ok(self.forward(count)),
            Way::Backward(None) if moves => {
                let passed = Passed { places: 1..self.at.max(1), backward: true };
                self.rewind()?;
                Ok(passed)
            }
            Way::Backward(count) => self.backward(count),
            Way::Absolute(0) => {
                self.rewind()?;
                Ok(Passed::default())
            }
            Way::Absolute(place) if place > 0 => {
                let before = usize::try_from(place - 1).unwrap_or(usize::MAX);
                if self.at > before {
                    self.require_scroll()?;
                }
                self.at = before.min(self.count + 1);
                Ok(self.forward(Some(1)))
            }
            Way::Absolute(place) => {
                self.forward(None);
                self.require_scroll()?;
                self.backward(Some(place.saturating_neg() - 1))?;
                self.backward(Some(1))
            }
            Way::Relative(count) if count > 0 => {
                self.forward(Some(count - 1));
                Ok(self.forward(Some(1)))
            }
            Way::Relative(count) => {
                self.backward(Some(count.saturating_neg() - 1))?;
                self.backward(Some(1))
            }
        }
    }

    fn forward(&mut self, count: Option<i64>) -> Passed {
        let left = self.count.saturating_sub(self.at);
        let asked = count.map_or(usize::MAX, |count| usize::try_from(count).unwrap_or(0));
        if asked == 0 || self.at > self.count {
            return Passed::default();
        }
        let places = self.at + 1..self.at + 1 + left.min(asked);
        self.at = if asked > left { self.count + 1 } else { self.at + asked };
        Passed { places, backward: false }
    }

    fn backward(&mut self, count: Option<i64>) -> Result<Passed> {
        self.require_scroll()?;
        let left = self.at.saturating_sub(1);
        let asked = count.map_or(usize::MAX, |count| usize::try_from(count).unwrap_or(0));
        if asked == 0 || self.at == 0 {
            return Ok(Passed::default());
        }
        let places = self.at - left.min(asked)..self.at;
        self.at = if asked > left { 0 } else { self.at - asked };
        Ok(Passed { places, backward: true })
    }

    /// Passes the present row again, if there is one.
    fn stay(&mut self, backward: bool, moves: bool) -> Result<Passed> {
        let on_row = (1..=self.count).contains(&self.at);
        if !moves && (on_row || backward) {
            self.require_scroll()?;
        }
        let places = if on_row { self.at..self.at + 1 } else { 0..0 };
        Ok(Passed { places, backward: false })
    }

    fn rewind(&mut self) -> Result<()> {
        if self.at > 0 {
            self.require_scroll()?;
        }
        self.at = 0;
        Ok(())
    }

    fn require_scroll(&self) -> Result<()> {
        if self.scrollable {
            return Ok(());
        }
        let message = "cursor can only scan forward";
        Err(SqlError::new(SqlState::NOT_IN_PREREQUISITE_STATE, message)
            .hint("Declare it with SCROLL option to enable backward scan."))
    }
}
