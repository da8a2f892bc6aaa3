//! The menu from which histories are drawn.

use std::time::Duration;

use sim_core::Error;
use sim_core::engine::{Access, near};

use super::{Ask, Dice, Step, What, Who, wrong};
use crate::model::{self, Model, Rule, Start};

/// Attempts to draw a call that succeeds; then time passes instead.
const ATTEMPTS: usize = 64;

/// What a history consists of: which operations are called, and whether the calls must succeed.
///
/// ```
/// use sim_fixtures::strategies::Menu;
///
/// let menu = Menu::well_formed().of(&["v1-create-a-project", "v1-pause-a-project"])?.good();
/// assert!(Menu::well_formed().of(&["v1-pause-project"]).is_err(), "{menu:?}");
/// # Ok::<(), sim_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Menu {
    /// Ids of operations; empty means all.
    operations: Vec<String>,
    /// Ids of operations that are left out of all.
    without: Vec<String>,
    /// Whether calls may be malformed and worlds may limit calls.
    is_rough: bool,
    /// Whether every call succeeds.
    is_good: bool,
}

impl Menu {
    /// Calls of any operation by any caller: one in eight is malformed, and one world in three limits calls.
    pub fn everything() -> Menu {
        Menu { operations: Vec::new(), without: Vec::new(), is_rough: true, is_good: false }
    }

    /// Well-formed calls of any operation by any caller. A call is refused if its caller may not make it or
    /// the state does not allow it; none exceeds a rate limit.
    pub fn well_formed() -> Menu {
        Menu { is_rough: false, ..Menu::everything() }
    }

    /// Calls of these operations only, by id. Refuses an unknown id.
    pub fn of(self, operations: &[impl AsRef<str>]) -> Result<Menu, Error> {
        let operations: Vec<_> = operations.iter().map(|id| id.as_ref().to_owned()).collect();
        let unknown = operations.iter().find(|id| model::rules().all(|rule| rule.meta.id != **id));
        match unknown {
            Some(id) => {
                let question = near::question(id, model::rules().map(|rule| rule.meta.id));
                let text = format!(
                    "operations: there is no {id:?}; `stuntdouble routes` lists all that there are{question}"
                );
                Err(Error::invalid("invalid_query.operations", text))
            }
            None => Ok(Menu { operations, ..self }),
        }
    }

    /// Calls of all operations but these. The histories are those that there would be if the operations did not exist.
    #[must_use]
    pub fn without(self, operations: &[&str]) -> Menu {
        Menu { without: operations.iter().map(|id| (*id).to_owned()).collect(), ..self }
    }

    /// Only calls that succeed: their preconditions hold in the current state.
    #[must_use]
    pub fn good(self) -> Menu {
        Menu { is_rough: false, is_good: true, ..self }
    }

    /// This menu with well-formed requests only.
    #[cfg(feature = "proptest")]
    pub(crate) fn in_good_form(self) -> Menu {
        Menu { is_rough: false, ..self }
    }

    #[cfg(feature = "proptest")]
    pub(crate) fn is_rough(&self) -> bool {
        self.is_rough
    }

    pub(crate) fn has(&self, id: &str) -> bool {
        self.operations.is_empty() || self.operations.iter().any(|one| one == id)
    }

    /// Whether `step` may be taken in the model's current state.
    pub fn allows(&self, model: &Model, step: &Step) -> bool {
        match step {
            Step::Ask(ask) if self.is_good => {
                let mut model = model.clone();
                model.step(&Step::Ask(ask.clone()));
                model.expected.is_some_and(|expected| expected.status < 400)
            }
            _ => true,
        }
    }

    /// A step in the model's current state: a call seven times in eight.
    pub fn step(&self, dice: &mut Dice, model: &Model) -> Step {
        if dice.one_in(8) {
            return Step::Wait(wait(dice, model));
        }
        let mut attempts = (0..ATTEMPTS).map(|_| Step::Ask(Box::new(self.ask(dice, model))));
        let found = attempts.find(|step| self.allows(model, step));
        found.unwrap_or_else(|| Step::Wait(wait(dice, model)))
    }

    /// A call by any caller; from a rough menu one in eight is malformed.
    fn ask(&self, dice: &mut Dice, model: &Model) -> Ask {
        let what = self.what(dice, model);
        let wrong = (self.is_rough && dice.one_in(8)).then(|| wrong::any(dice, &what)).flatten();
        let who = who_for(dice, model, &what);
        Ask { who, what, wrong }
    }

    fn what(&self, dice: &mut Dice, model: &Model) -> What {
        if self.operations.is_empty() {
            return model.draw(dice, &self.without);
        }
        let fitting = dice.one_in(2).then(|| model.fitting(dice)).flatten();
        fitting.filter(|what| self.has(what.meta().id)).unwrap_or_else(|| {
            let rules: Vec<&'static Rule> = model::rules().filter(|rule| self.has(rule.meta.id)).collect();
            dice.pick(&rules).draw(dice, model)
        })
    }

    /// A random history of this many steps, from its start.
    ///
    /// ```
    /// use sim_fixtures::strategies::{Dice, Menu};
    ///
    /// let (start, steps) = Menu::well_formed().history(&mut Dice::new(7), 10);
    /// assert_eq!(steps.len(), 10, "after {:?}: {steps:?}", start.steps());
    /// ```
    pub fn history(&self, dice: &mut Dice, length: usize) -> (Start, Vec<Step>) {
        let start = dice.pick(&self.starts());
        let mut model = Model::begun(start);
        let steps = (0..length).map(|_| {
            let step = self.step(dice, &model);
            model.step(&step);
            step
        });
        (start, steps.collect())
    }

    /// How its histories may start, without a rate limit.
    pub(crate) fn starts(&self) -> Vec<Start> {
        Start::all().filter(|start| start.ids().any(|id| self.has(id))).collect()
    }
}

/// A wait: lengths at boundaries, to the microsecond, and the time until work is due.
fn wait(dice: &mut Dice, model: &Model) -> Duration {
    const TICK: Duration = Duration::from_micros(1);
    const HINGES_S: [u64; 9] = [1, 2, 20, 60, 60, 120, 180, 15 * 60, 30 * 60];
    let around = |length: Duration, dice: &mut Dice| match dice.below(3) {
        0 => length.saturating_sub(TICK),
        1 => length,
        _ => length + TICK,
    };
    let deadlines = model.deadlines();
    match dice.below(10) {
        0 => TICK,
        1 => Duration::from_secs(86_400),
        2..5 if !deadlines.is_empty() => around(deadlines[0], dice),
        5..8 if !deadlines.is_empty() => around(dice.pick(&deadlines), dice),
        _ => around(Duration::from_secs(dice.pick(&HINGES_S)), dice),
    }
}

/// The first user two times in three, else any. An operation that reads no token gets the owner's.
pub(super) fn who_for(dice: &mut Dice, model: &Model, what: &What) -> Who {
    if what.rule.meta.access != Access::Token {
        return Who::Token(0);
    }
    match dice.below(24) {
        0..15 => Who::Token(0),
        15..22 => Who::Token(dice.below(model.tokens())),
        22 => Who::Nobody,
        _ => Who::Stranger,
    }
}
