//! Every transition of every lifecycle, as in `docs/lifecycles.md`.

use sim_core::management::lifecycles::{self, Lifecycle};
use sim_core::management::project::{Event, Status};

use crate::support::held;

#[test]
fn the_document_has_every_arrow() {
    let head = "# Lifecycles\n\n\
        Generated from the code by `STUNTDOUBLE_BLESS=1 cargo test -p sim-tests lifecycles`. An event that has no \
        arrow\nin a state does not apply there: a call that asks for it is refused and changes nothing.\n";
    let sections: String = lifecycles::all().iter().map(section).collect();
    held("docs/lifecycles.md", &(head.to_owned() + &sections));
}

/// The transitions of one lifecycle, as a diagram and as a table.
fn section(lifecycle: &Lifecycle) -> String {
    let (mut diagram, mut table) = (String::new(), String::new());
    for lifecycles::Arrow { from, event, to } in &lifecycle.arrows {
        diagram += &format!("    {from} --> {to}: {event}\n");
        table += &format!("| {from} | {event} | {to} |\n");
    }
    format!(
        "\n## {}\n\n```mermaid\nstateDiagram-v2\n{diagram}```\n\n| State | Event | Next |\n|---|---|---|\n{table}",
        lifecycle.name
    )
}

#[test]
fn no_status_is_a_dead_end_but_removed() {
    for status in Status::ALL {
        let leaves = Event::ALL.into_iter().any(|event| status.on(event).is_some());
        assert_eq!(leaves, status != Status::Removed, "{status}");
    }
}

#[test]
fn every_status_but_the_first_is_reached() {
    for status in Status::ALL {
        let mut arrows = Status::ALL.into_iter().flat_map(|from| Event::ALL.map(|event| from.on(event)));
        assert_eq!(arrows.any(|to| to == Some(status)), status != Status::Unknown, "{status}");
    }
}
