//! The cost of a call does not grow with the size of its world. A world with hundreds more projects, their
//! past calls and finished work, and hundreds of waiting jobs, takes as many SQLite steps.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use sim_core::engine::fault::{Effect, Fault, On, SetFaults};
use sim_core::engine::steps_taken;
use sim_core::management::organization::{CreateOrganization, ListOrganizations, Plan, SetPlan};
use sim_core::management::project::{CreateProject, GetProject, PauseProject};
use sim_core::management::secret::CreateSecrets;
use sim_core::seed::{ProjectSeed, Seed};
use sim_core::{Operation as _, Simulator};
use sim_fixtures::Reply;
use sim_fixtures::model::{self, Start};
use sim_fixtures::strategies::{Ask, Dice, Menu, Names, Step, What};

/// How many more projects and jobs the large world has. A statement that reads each of them takes several
/// times as many more steps.
const CROWD: u64 = 500;

/// Histories that run in both worlds, and their length.
const HISTORIES: u64 = 60;
const STEPS: usize = 120;

/// Operations that do take more steps for projects of the same organization, and why. Projects of other
/// organizations cost them nothing.
const GROWING: [(&str, &str); 4] = [
    ("sim-set-plan", "what they keep beyond the plan is in the answer"),
    ("v1-list-all-projects", "all are the answer"),
    ("v1-get-all-projects-for-organization", "a page is longer; with search or statuses all are looked at"),
    ("v2-list-organization-projects", "a page is longer; with search all are looked at"),
];

/// Steps per statement text.
type Taken = BTreeMap<String, u64>;

struct World {
    sim: Simulator,
    names: Names,
}

impl World {
    fn take(&mut self, ask: &Ask) -> (u16, Taken) {
        let request = ask.call(&self.names).request("", None);
        steps_taken();
        let reply = Reply::from(self.sim.handle(&request));
        let taken = steps_taken();
        self.names.learn(&ask.what, &reply);
        (reply.status, taken)
    }
}

#[test]
fn the_work_of_a_call_does_not_grow_with_its_world() {
    let (small, names) = model::world(Start::plain());
    let growing = growing(small.fork(), crowded(small, "acme"), &names);
    let known: BTreeSet<_> = GROWING.iter().map(|(id, _)| *id).collect();
    assert_eq!(growing.keys().copied().collect::<BTreeSet<_>>(), known, "{growing:#?}");
}

#[test]
fn no_calls_work_grows_with_the_data_of_others() {
    let (small, names) = model::world(Start::plain());
    let mut large = small.fork();
    let others = CreateOrganization { name: "Others".to_owned() };
    let others = large.as_admin().call(others).expect("there may be another").slug;
    let growing = growing(small, crowded(large, &others), &names);
    assert!(growing.is_empty(), "{growing:#?}");
}

#[test]
fn no_call_searches_by_reference_for_the_project_that_it_names() {
    let mut sim = Simulator::builder().build();
    let r#ref = sim.call(CreateProject::named("demo", "acme")).expect("the name is new").id;
    steps_taken();
    sim.call(GetProject { r#ref: r#ref.clone() }).expect("it is there");
    sim.call(CreateSecrets::one(r#ref, "NAME", "value")).expect("the secret is valid");
    let (by_number, by_reference): (Vec<_>, Vec<_>) = steps_taken()
        .into_keys()
        .filter(|sql| sql.contains("FROM project WHERE"))
        .partition(|sql| sql.contains("WHERE id ="));
    assert_eq!(by_number.len(), 1);
    assert_eq!(by_reference, [""; 0]);
}

#[test]
fn the_work_for_each_project_of_a_seed_does_not_grow_with_their_number() {
    let built = |count: usize| {
        let project = |number| ProjectSeed::named(&format!("p{number}")).branch("dev");
        let seed = (0..count).map(project).fold(Seed::new(), Seed::project);
        steps_taken();
        seed.build().expect("a good seed");
        steps_taken()
    };
    let (few, many) = (built(20), built(80));
    let steps = |sql: &String| few.get(sql).copied().unwrap_or_default();
    let growing: Vec<_> = many.iter().filter(|(sql, many)| **many > 8 * steps(sql) + 1000).collect();
    assert!(growing.is_empty(), "{growing:#?}");
}

/// The operations that take more steps in the large world, each with such a statement.
fn growing(mut small: Simulator, large: Simulator, names: &Names) -> BTreeMap<&'static str, String> {
    small.advance_to(large.now());
    let (mut compared, mut growing) = (BTreeSet::new(), BTreeMap::new());
    for seed in 0..HISTORIES {
        let (start, steps) = Menu::well_formed().history(&mut Dice::new(seed), STEPS);
        let mut worlds = [&small, &large].map(|sim| World { sim: sim.fork(), names: names.clone() });
        for step in start.steps().iter().chain(&steps) {
            match step {
                Step::Wait(length) => worlds.iter_mut().for_each(|world| drop(world.sim.advance(*length))),
                Step::Ask(ask) => {
                    let [(status, few), (in_crowd, many)] = worlds.each_mut().map(|world| world.take(ask));
                    // The random histories diverged, or one of the two calls was answered from the cache.
                    if status != in_crowd || few.is_empty() || many.is_empty() {
                        continue;
                    }
                    let id = ask.what.meta().id;
                    compared.insert(id);
                    if let Some(statement) = growth(&few, &many) {
                        growing.insert(id, statement);
                    }
                }
            }
        }
    }
    let never: Vec<_> =
        What::one_of_each().iter().map(|what| what.meta().id).filter(|id| !compared.contains(id)).collect();
    assert!(never.is_empty(), "they were never compared: {never:?}");
    growing
}

/// The statement that took at least one more step per added project, with its steps, if there is one.
fn growth(few: &Taken, many: &Taken) -> Option<String> {
    let steps =
        |(sql, steps): (&String, &u64)| (few.get(sql).copied().unwrap_or_default(), *steps, sql.clone());
    let grown = many.iter().map(steps).find(|(few, many, _)| *many >= few + CROWD);
    grown.map(|(few, many, sql)| format!("{few} steps became {many}: {sql}"))
}

/// The same world with more projects in that organization. Its projects are paused, so that they don't use up
/// the free quota.
fn crowded(mut sim: Simulator, slug: &str) -> Simulator {
    let plan = |sim: &mut Simulator, plan| {
        sim.as_admin().call(SetPlan::new(slug, plan)).expect("there is such a plan");
    };
    plan(&mut sim, Plan::Free);
    for number in 0..CROWD {
        let project = CreateProject::named(&format!("crowd {number}"), slug);
        let r#ref = sim.as_admin().call(project).expect("the name is new").id;
        sim.advance(Duration::from_secs(60));
        sim.as_admin().call(PauseProject { r#ref }).expect("it is active");
        sim.advance(Duration::from_secs(60));
    }
    plan(&mut sim, Plan::Pro);
    // Calls whose work is done within an hour.
    let late = Effect::Late { ms: 3_600_000 };
    let rule = Fault::new(On::operation(ListOrganizations::META.id), late).times(0);
    sim.as_admin().call(SetFaults { rules: vec![rule] }).expect("the rule is valid");
    (0..CROWD).for_each(|_| assert!(sim.call(ListOrganizations {}).is_err(), "nobody answers"));
    sim.as_admin().call(SetFaults { rules: Vec::new() }).expect("there need be none");
    assert_eq!(sim.agenda().len() as u64, CROWD);
    sim
}
