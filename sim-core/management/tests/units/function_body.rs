//! How the files of functions are stored.

use sim_core::management::function::{CreateFunction, DeleteFunction};
use sim_core::management::project::{CreateProject, DeleteProject};
use sim_core::{Pace, Policy, Simulator};

#[test]
fn equal_files_are_stored_once_and_go_with_the_last_of_them() {
    // The API does not show stored content, so this counts the rows of the table.
    let contents = |sim: &Simulator| {
        let sql = "SELECT count(*) FROM function_content";
        sim.read(|db| db.all(sql, (), |row| row.get::<_, i64>(0)))
    };
    let at_once = Policy { pace: Pace::Instant, ..Policy::default() };
    let mut sim = Simulator::builder().policy(at_once).build();
    let project = sim.call(CreateProject::named("shop", "acme")).expect("the name is new").id;
    for slug in ["first", "second"] {
        let function = CreateFunction::text(project.clone(), slug, "export default () => 1");
        sim.call(function).expect("the slug is new");
    }
    assert_eq!(contents(&sim), [1]);
    let first = DeleteFunction { r#ref: project.clone(), function_slug: "first".into() };
    sim.call(first).expect("it is there");
    assert_eq!(contents(&sim), [1]);
    sim.call(DeleteProject { r#ref: project }).expect("it is there");
    assert_eq!(contents(&sim), [0]);
}
