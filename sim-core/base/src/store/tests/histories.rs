//! Made-up histories of several worlds, beside ordered maps.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use rusqlite::{Connection, Result};

use super::{bare, items, put, text, world};
use crate::store::Store;

const WORLDS: usize = 4;

#[derive(Clone, Debug)]
enum Step {
    Transact { world: usize, changes: Vec<Change>, fails: bool },
    Fork { from: usize, to: usize },
    Snapshot { world: usize, slot: usize },
    Restore { world: usize, slot: usize },
    Read { world: usize },
}

/// Sets an item or, without a name, deletes it; or does so within a savepoint that is then rolled back.
#[derive(Clone, Debug)]
struct Change {
    id: i64,
    name: Option<String>,
    undone: bool,
}

fn change() -> impl Strategy<Value = Change> {
    // Lengths on both sides of a page, so that rows move and overflow.
    let name = (prop_oneof![0..40_usize, 0..3_000_usize], "[a-c]").prop_map(|(n, letter)| letter.repeat(n));
    let name = prop::option::weighted(0.7, name);
    (0..60_i64, name, prop::bool::weighted(0.2)).prop_map(|(id, name, undone)| Change { id, name, undone })
}

fn step() -> impl Strategy<Value = Step> {
    let world = 0..WORLDS;
    prop_oneof![
        6 => (world.clone(), vec(change(), 0..12), prop::bool::weighted(0.3))
            .prop_map(|(world, changes, fails)| Step::Transact { world, changes, fails }),
        1 => (world.clone(), world.clone()).prop_map(|(from, to)| Step::Fork { from, to }),
        1 => (world.clone(), world.clone()).prop_map(|(world, slot)| Step::Snapshot { world, slot }),
        1 => (world.clone(), world.clone()).prop_map(|(world, slot)| Step::Restore { world, slot }),
        3 => world.prop_map(|world| Step::Read { world }),
    ]
}

fn apply(db: &Connection, change: &Change) -> Result<()> {
    db.execute_batch("SAVEPOINT attempt")?;
    match &change.name {
        Some(name) => put(db, change.id, name)?,
        None => db.execute("DELETE FROM item WHERE id = ?1", [change.id])?,
    };
    db.execute_batch(if change.undone { "ROLLBACK TO attempt; RELEASE attempt" } else { "RELEASE attempt" })
}

fn apply_to_model(model: &mut BTreeMap<i64, String>, change: &Change) {
    match &change.name {
        _ if change.undone => {}
        Some(name) => drop(model.insert(change.id, name.clone())),
        None => drop(model.remove(&change.id)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn stores_agree_with_ordered_maps(steps in vec(step(), 1..60)) {
        let mut stores: Vec<Store> = (0..WORLDS).map(|_| world(&[])).collect();
        let mut models = vec![BTreeMap::new(); WORLDS];
        let mut kept: Vec<_> = stores.iter().map(Store::snapshot).zip(models.clone()).collect();
        for step in steps {
            match step {
                Step::Transact { world, changes, fails } => {
                    let done = stores[world].change(|db| {
                        changes.iter().try_for_each(|change| apply(db, change)).unwrap();
                        if fails { Err(()) } else { Ok(()) }
                    });
                    if done.is_ok() {
                        changes.iter().for_each(|change| apply_to_model(&mut models[world], change));
                    }
                }
                Step::Fork { from, to } => {
                    stores[to] = stores[from].fork();
                    models[to] = models[from].clone();
                }
                Step::Snapshot { world, slot } => {
                    kept[slot] = (stores[world].snapshot(), models[world].clone());
                }
                Step::Restore { world, slot } => {
                    stores[world].restore(&kept[slot].0);
                    models[world] = kept[slot].1.clone();
                }
                Step::Read { world } => prop_assert_eq!(items(&stores[world]), models[world].clone()),
            }
        }
        for (store, model) in stores.iter().zip(&models) {
            prop_assert_eq!(&items(store), model);
            prop_assert_eq!(text(bare(&store.root.pages).get(), "PRAGMA integrity_check"), "ok");
        }
    }
}
