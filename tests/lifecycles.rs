//! Every arrow of every lifecycle, as `docs/lifecycles.md` has it.

use std::fmt::Debug;

use serde::Serialize;
use sim_core::management::branch_workflow::{BranchEvent, BranchStatus};
use sim_core::management::project::{Event, Status};
use sim_core::management::replica::{ReplicaEvent, ReplicaStatus};
use sim_core::management::{function, hostname};

use crate::support::held;

#[test]
fn the_document_has_every_arrow() {
    let sections = [
        section("Project", &Status::ALL, &Event::ALL, Status::on),
        section("Branch", &BranchStatus::ALL, &BranchEvent::ALL, BranchStatus::on),
        section("Read replica", &ReplicaStatus::ALL, &ReplicaEvent::ALL, ReplicaStatus::on),
        section("Custom hostname", &hostname::Status::ALL, &hostname::Event::ALL, hostname::Status::on),
        section("Function", &function::Status::ALL, &function::Event::ALL, function::Status::on),
    ];
    let head = "# Lifecycles\n\n\
        Generated from the code by `STUNTDOUBLE_BLESS=1 cargo test -p sim-tests lifecycles`. An event that has no \
        arrow\nin a state does not apply there: a call that asks for it is refused and changes nothing.\n";
    held("docs/lifecycles.md", &(head.to_owned() + &sections.concat()));
}

/// The arrows of one lifecycle, as a diagram and as a table.
fn section<S: Copy + Serialize, E: Copy + Debug>(
    name: &str,
    states: &[S],
    events: &[E],
    on: fn(S, E) -> Option<S>,
) -> String {
    let (mut diagram, mut table) = (String::new(), String::new());
    for (state, event) in states.iter().flat_map(|state| events.iter().map(move |event| (*state, *event))) {
        if let Some(next) = on(state, event) {
            let (from, to) = (published(state), published(next));
            diagram += &format!("    {from} --> {to}: {event:?}\n");
            table += &format!("| {from} | {event:?} | {to} |\n");
        }
    }
    format!(
        "\n## {name}\n\n```mermaid\nstateDiagram-v2\n{diagram}```\n\n| State | Event | Next |\n|---|---|---|\n{table}"
    )
}

/// The name on the wire.
fn published(state: impl Serialize) -> String {
    serde_json::to_value(state)
        .expect("a state is plain data")
        .as_str()
        .expect("a state is a word")
        .to_owned()
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
