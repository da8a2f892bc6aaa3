//! References of projects, which have the number of their row.

use proptest::prelude::*;
use sim_core::management::project::{CreateProject, DeleteProject};
use sim_core::{Pace, Policy, Simulator};
use sim_management::project_ref::{LETTERS, PARTS, likely_number, of_number};

#[test]
fn a_reference_finds_its_row_after_changes_of_others() {
    let at_once = Policy { pace: Pace::Instant, ..Policy::default() };
    let mut sim = Simulator::builder().policy(at_once).build();
    let create = |sim: &mut Simulator, name: &str| sim.call(CreateProject::named(name, "acme"));
    create(&mut sim, "first").expect("the name is new");
    let last = create(&mut sim, "last").expect("the name is new");
    sim.call(DeleteProject { r#ref: last.id }).expect("it is there");
    create(&mut sim, "another").expect("the name is new");
    let sql = "SELECT id, ref FROM project ORDER BY id";
    let read =
        |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, likely_number(&row.get::<_, String>(1)?)));
    let numbers = sim.read(|db| db.all(sql, (), read));
    assert_eq!(numbers, [(1, Some(1)), (3, Some(3))]);
}

proptest! {
    #[test]
    fn a_reference_says_its_number(number in 0..(PARTS * PARTS) as i64, chance in "[a-z]{10}") {
        let reference = of_number(number, &chance);
        prop_assert!(reference.len() == 2 * LETTERS && reference.bytes().all(|letter| letter.is_ascii_lowercase()));
        prop_assert_eq!(likely_number(&reference), Some(number));
    }

    #[test]
    fn other_texts_decode_to_any_number_or_none(text in ".{0,30}") {
        prop_assert_eq!(likely_number(&text).is_some(), text.len() == 2 * LETTERS);
    }
}

#[test]
fn references_of_neighbours_look_like_any_others() {
    let letters = |number| of_number(number, "abcdefghij").into_bytes();
    let alike = |number| {
        letters(number).iter().zip(&letters(number + 1)).take(LETTERS).filter(|(a, b)| a == b).count()
    };
    let alike: usize = (0..26_000).map(alike).sum();
    assert!(
        (9_500..10_500).contains(&alike),
        "{alike} of 260,000 letters are the next one's, not every 26th"
    );
}
