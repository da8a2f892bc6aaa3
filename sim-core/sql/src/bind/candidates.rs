//! The choice among functions, operators and procedures of one name. It follows `func_select_candidate` of PostgreSQL.

use super::Binder;
use crate::types::Type;

impl Binder<'_> {
    /// Which of `signatures`, all of which accept arguments of `types`, a call means: the places of those that are left. Several mean
    /// that the call is ambiguous. `accepts` says whether a signature also accepts another type at a place.
    pub(super) fn choose(
        &self,
        signatures: &[&[Type]],
        types: &[Type],
        accepts: impl Fn(usize, usize, Type) -> bool,
    ) -> Vec<usize> {
        let given: Vec<Type> = types.iter().map(|type_| self.catalog.base_type(*type_)).collect();
        let mut left: Vec<usize> = (0..signatures.len()).collect();
        // A placeholder is never an exact match.
        let exact = |index: usize| {
            let pairs = signatures[index].iter().zip(&given);
            pairs.filter(|(declared, given)| declared == given).count()
        };
        keep_best(&mut left, exact);
        let preferred = |index: usize| {
            let pairs = signatures[index].iter().zip(&given);
            let fits = |declared: Type, given: Type| {
                declared == given
                    || given != Type::UNKNOWN
                        && declared.is_preferred()
                        && declared.category() == self.category(given)
            };
            pairs.filter(|(declared, given)| fits(**declared, **given)).count()
        };
        keep_best(&mut left, preferred);
        if left.len() > 1 {
            self.keep_for_literals(&mut left, signatures, &given);
        }
        if left.len() > 1
            && let Some(known) = only_known(&given)
        {
            let fits = |index: &usize| {
                let mut slots = given.iter().enumerate();
                slots.all(|(slot, type_)| *type_ != Type::UNKNOWN || accepts(*index, slot, known))
            };
            let fitting: Vec<usize> = left.iter().copied().filter(fits).collect();
            if fitting.len() == 1 {
                return fitting;
            }
        }
        left
    }

    /// Keeps those signatures that have a type of the best category for each literal without a type: that of strings if one of them
    /// has it, otherwise the one that they all have.
    fn keep_for_literals(&self, left: &mut Vec<usize>, signatures: &[&[Type]], given: &[Type]) {
        let mut wanted = Vec::new();
        for (slot, _) in given.iter().enumerate().filter(|(_, type_)| **type_ == Type::UNKNOWN) {
            let mut categories = left.iter().map(|index| self.category(signatures[*index][slot]));
            let Some(first) = categories.next() else { return };
            let category = match categories.clone().any(|category| category == 'S') || first == 'S' {
                true => 'S',
                false if categories.all(|category| category == first) => first,
                // Nothing decides about this literal, so nothing is decided about the others.
                false => return,
            };
            let mut types = left.iter().map(|index| signatures[*index][slot]);
            let preferred = types.any(|type_| self.category(type_) == category && type_.is_preferred());
            wanted.push((slot, category, preferred));
        }
        let fits = |index: &usize| {
            wanted.iter().all(|(slot, category, preferred)| {
                let type_ = signatures[*index][*slot];
                self.category(type_) == *category && (!preferred || type_.is_preferred())
            })
        };
        if left.iter().any(fits) {
            left.retain(fits);
        }
    }

    /// The category of a type, as in `pg_type`.
    pub(super) fn category(&self, type_: Type) -> char {
        let base = self.catalog.base_type(type_);
        if self.catalog.labels(base).is_some() {
            return 'E';
        }
        if self.catalog.attributes(base).is_some() {
            return 'C';
        }
        base.category()
    }
}

/// The type of all arguments that have one.
fn only_known(given: &[Type]) -> Option<Type> {
    let mut known = given.iter().copied().filter(|type_| *type_ != Type::UNKNOWN);
    let first = known.next()?;
    known.all(|type_| type_ == first).then_some(first)
}

fn keep_best(left: &mut Vec<usize>, score: impl Fn(usize) -> usize) {
    let best = left.iter().map(|index| score(*index)).max().unwrap_or(0);
    left.retain(|index| score(*index) == best);
}
