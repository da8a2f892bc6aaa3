//! Random choices, from one number.

/// A source of choices: the same number gives the same choices.
///
/// ```
/// use sim_fixtures::strategies::Dice;
///
/// assert_eq!(Dice::new(7).below(1000), Dice::new(7).below(1000));
/// assert_eq!(Dice::plain().pick(&["first", "second"]), "first");
/// ```
#[derive(Clone, Debug)]
pub struct Dice {
    /// `None` always chooses the first possibility.
    state: Option<u64>,
}

impl Dice {
    /// Choices that follow from `chance`.
    pub fn new(chance: u64) -> Dice {
        Dice { state: Some(chance) }
    }

    /// No randomness: always the first possibility; events with a probability do not happen.
    pub fn plain() -> Dice {
        Dice { state: None }
    }

    /// A number below `limit`, which is at least 1.
    pub fn below(&mut self, limit: usize) -> usize {
        let Some(state) = &mut self.state else { return 0 };
        // SplitMix64: small, and good enough to choose by.
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % limit as u64) as usize
    }

    /// One of `options`, of which there is at least one.
    pub fn pick<T: Copy>(&mut self, options: &[T]) -> T {
        options[self.below(options.len())]
    }

    /// True once in `times` draws, on average.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.state.is_some() && self.below(times) == 0
    }

    /// Up to `most` of `options`, possibly with repetitions; without randomness only the first.
    pub fn some<T: Copy>(&mut self, options: &[T], most: usize) -> Vec<T> {
        let count = if self.state.is_some() { self.below(most + 1) } else { 1 };
        (0..count).map(|_| self.pick(options)).collect()
    }
}
