//! Strategies for `proptest`.

use std::sync::atomic::Ordering;

use proptest::prelude::*;
use proptest_state_machine::Sequential;
use serde_json::Value;
use sim_core::engine::Answers;
use sim_core::{Operation, Simulator, management};

use super::menu::who_for;
use super::{Ask, Dice, Menu, Names, Step, What, Who, wrong};
use crate::model::{Model, Start, rule_of};

/// Typed calls of operation `O` that are well formed, with boundary cases, about the things in `names`.
///
/// ```
/// use proptest::prelude::*;
/// use sim_core::management::project::CreateProject;
/// use sim_fixtures::scenario;
/// use sim_fixtures::strategies::any_call_of;
///
/// let scene = scenario::active_project();
/// proptest!(|(create in any_call_of::<CreateProject>(&scene.names()))| {
///     let mut sim = scene.sim.fork();
///     let name = create.name.clone();
///     if let Ok(created) = sim.call(create) {
///         prop_assert_eq!(created.name, name);
///     }
/// });
/// ```
///
/// # Panics
///
/// When `O` is not an operation of the management service.
pub fn any_call_of<O: Operation + Clone + std::fmt::Debug>(names: &Names) -> BoxedStrategy<O> {
    let (rule, names) = (rule_of::<O>(), names.clone());
    let typed = move |chance: u64| {
        let what = rule.draw(&mut Dice::new(chance), &Model::begun(Start::plain()));
        let request = Ask { who: Who::Nobody, what, wrong: None }.call(&names).request("", None);
        management::registry().read(&request).unwrap_or_else(|error| panic!("{}: {error}", O::META.id))
    };
    any::<u64>().no_shrink().prop_map(typed).boxed()
}

/// Calls of operation `O` by any caller, one in eight malformed: [`Ask::call`] makes requests of them.
///
/// ```
/// use proptest::prelude::*;
/// use sim_core::management::project::PauseProject;
/// use sim_fixtures::strategies::any_ask_of;
/// use sim_fixtures::{Reply, scenario};
///
/// let scene = scenario::active_project();
/// proptest!(|(ask in any_ask_of::<PauseProject>())| {
///     let request = ask.call(&scene.names()).request("", None);
///     let reply = Reply::from(scene.sim.fork().handle(&request));
///     prop_assert_ne!(reply.status, 500);
/// });
/// ```
///
/// # Panics
///
/// When `O` is not an operation of the management service.
pub fn any_ask_of<O: Operation>() -> BoxedStrategy<Ask> {
    let rule = rule_of::<O>();
    let ask = move |chance: u64| {
        let (dice, model) = (&mut Dice::new(chance), Model::begun(Start::plain()));
        let what: What = rule.draw(dice, &model);
        let wrong = dice.one_in(8).then(|| wrong::any(dice, &what)).flatten();
        Ask { who: who_for(dice, &model, &what), what, wrong }
    };
    any::<u64>().no_shrink().prop_map(ask).boxed()
}

/// Histories of this many steps, each with its start. When a failing history is shortened, things of removed
/// steps are gone for the rest; with a [good](Menu::good) menu every remaining step still succeeds.
///
/// ```
/// use proptest::prelude::*;
/// use sim_fixtures::strategies::{Menu, Step, histories};
/// use sim_fixtures::{Reply, model};
///
/// let menu = Menu::well_formed().good();
/// proptest!(ProptestConfig::with_cases(8), |((start, steps) in histories(&menu, 10))| {
///     let (mut sim, mut names) = model::world(start);
///     for step in start.steps().iter().chain(&steps) {
///         match step {
///             Step::Wait(length) => drop(sim.advance(*length)),
///             Step::Ask(ask) => {
///                 let reply = Reply::from(sim.handle(&ask.call(&names).request("", None)));
///                 prop_assert!(reply.status < 400, "{step:?}: {reply}");
///                 names.learn(&ask.what, &reply);
///             }
///         }
///     }
/// });
/// ```
pub fn histories(menu: &Menu, length: usize) -> BoxedStrategy<(Start, Vec<Step>)> {
    let (starts, is_rough) = (menu.starts(), menu.is_rough());
    let begun = move || {
        let starts = starts.clone();
        let calls = match is_rough {
            true => prop_oneof![2 => Just(None), 1 => Just(Some(15))].boxed(),
            false => Just(None).boxed(),
        };
        let numbers = 0..starts.len();
        (numbers, calls).prop_map(move |(number, calls)| Model::begun(starts[number].counting(calls))).boxed()
    };
    let (allowed, next) = (menu.clone(), menu.clone());
    let all = Sequential::new(
        length.into(),
        begun,
        move |model: &Model, step: &Step| allowed.allows(model, step),
        move |model: &Model| {
            let (menu, model) = (next.clone(), model.clone());
            let step = move |chance| menu.step(&mut Dice::new(chance), &model);
            any::<u64>().no_shrink().prop_map(step).boxed()
        },
        |mut model: Model, step: &Step| {
            model.step(step);
            model
        },
    );
    all.prop_map(|(begun, steps, seen)| {
        // Steps that the test has not read are removed first; a removed step is never shown to the test.
        seen.inspect(|seen| seen.store(steps.len(), Ordering::SeqCst));
        (begun.start(), steps)
    })
    .boxed()
}

/// Answers like `answer`, a success of operation `id`, that its schema allows as well: for tests of a decoder.
///
/// ```
/// use proptest::prelude::*;
/// use serde_json::json;
/// use sim_fixtures::scenario;
/// use sim_fixtures::strategies::answers_like;
///
/// let scene = scenario::active_project();
/// let project = json!({ "id": scene.project.0, "name": "demo", "created_at": "2026-01-01T00:00:00Z" });
/// proptest!(|(answer in answers_like(&scene.sim, "v1-get-project", &project))| {
///     prop_assert_eq!(&answer["name"], "demo");
/// });
/// ```
///
/// # Panics
///
/// When the world has no operation `id`.
pub fn answers_like(sim: &Simulator, id: &str, answer: &Value) -> BoxedStrategy<Value> {
    let (sim, id, answer) = (sim.fork(), id.to_owned(), answer.clone());
    let vary = move |seed| {
        sim.vary_answer(&id, Answers::Varied, seed, answer.clone())
            .unwrap_or_else(|| panic!("there is no operation {id}"))
    };
    any::<u64>().prop_map(vary).boxed()
}
