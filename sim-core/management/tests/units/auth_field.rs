//! The fields of the configuration of auth.

use std::collections::BTreeSet;

use sim_base::Edition;
use sim_management::auth_field::{Default, Kind, all};

#[test]
fn the_catalog_has_every_field_of_the_first_edition_once() {
    let first = || all().iter().filter(|field| field.since == Edition::FIRST);
    let of = |kind: fn(&Kind) -> bool| first().filter(|field| kind(&field.kind)).count();
    assert_eq!(of(|kind| matches!(kind, Kind::Integer(..) | Kind::Hours)), 22, "numbers");
    assert_eq!(of(|kind| *kind == Kind::Boolean), 22 + 5 + 20 + 1, "booleans");
    let texts = 18 + 12 + 10 + 40 + 4 + 2 + 14;
    let is_text = |kind: &Kind| !matches!(kind, Kind::Integer(..) | Kind::Hours | Kind::Boolean);
    assert_eq!(of(is_text), texts, "texts");
    let names: BTreeSet<_> = all().iter().map(|field| &field.name).collect();
    assert_eq!(names.len(), all().len(), "no name stands twice");
}

#[test]
fn every_default_fits_its_kind() {
    for field in all() {
        let fits = match (field.kind, field.default) {
            (_, Default::Null) => true,
            (Kind::Boolean, Default::Boolean(_)) => true,
            (Kind::Integer(min, max), Default::Integer(value)) => (min..=max).contains(&value),
            (Kind::Hours, Default::Integer(value)) => value >= 0,
            (Kind::Text | Kind::Instant, Default::Text(_)) => true,
            (Kind::Like(pattern, _), Default::Text(text)) => {
                regex::Regex::new(pattern).expect("it is a pattern").is_match(text)
            }
            (Kind::OneOf(names) | Kind::OneOfInUpdates(names), Default::Text(text)) => names.contains(&text),
            _ => false,
        };
        assert!(fits, "{}", field.name);
    }
}
