//! Choices, read one after the other: a shorter tape, or one with smaller numbers, gives a simpler statement.

/// The numbers from which a statement is made. After its end it continues with zeros, which choose the first
/// option.
pub(super) struct Tape<'n> {
    numbers: std::slice::Iter<'n, u16>,
    /// Whether one more deliberate error is allowed.
    pub(super) may_err: bool,
}

impl<'n> Tape<'n> {
    pub(super) fn new(numbers: &'n [u16]) -> Tape<'n> {
        Tape { numbers: numbers.iter(), may_err: false }
    }

    /// A number below `count`.
    pub(super) fn below(&mut self, count: usize) -> usize {
        usize::from(self.numbers.next().copied().unwrap_or(0)) % count.max(1)
    }

    /// True once in `times` draws, on average.
    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    pub(super) fn flip(&mut self) -> bool {
        self.once_in(2)
    }

    pub(super) fn pick<'t, T>(&mut self, items: &'t [T]) -> &'t T {
        &items[self.below(items.len())]
    }

    pub(super) fn word(&mut self, words: &[&'static str]) -> &'static str {
        words[self.below(words.len())]
    }
}
