//! The same load twice: without hostile SQL, then with it in one more world. The other worlds must not notice.

use std::fmt;
use std::time::Duration;

use super::{Figures, Load};

/// Connections that run hostile SQL.
const HOSTILE: usize = 2;

/// A soak test.
#[derive(Clone, Copy, Debug)]
pub struct Soak {
    /// The load; it is applied twice, for half of the time each.
    pub load: Load,
}

/// The results of a soak test.
#[derive(Clone, Debug)]
pub struct SoakFigures {
    /// Without hostile SQL.
    pub without: Figures,
    /// With it.
    pub with: Figures,
}

impl Soak {
    /// Runs both loads. The error is the first failure of either.
    pub fn run(&self) -> Result<SoakFigures, String> {
        let half = Load { time: self.load.time / 2, ..self.load };
        let without = Load { hostile: 0, ..half }.run()?;
        let with = Load { hostile: HOSTILE, ..half }.run()?;
        Ok(SoakFigures { without, with })
    }
}

impl SoakFigures {
    /// How many times as long 99 of 100 calls of the other worlds took with hostile SQL beside them.
    pub fn ratio(&self) -> f64 {
        let p99 = |figures: &Figures| figures.within(990).max(Duration::from_micros(1)).as_secs_f64();
        p99(&self.with) / p99(&self.without)
    }
}

impl fmt::Display for SoakFigures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SoakFigures { without, with } = self;
        write!(
            f,
            "without hostile SQL: {without}\nwith it: {with}\np99 of the other worlds: {:.2} ×",
            self.ratio()
        )
    }
}
