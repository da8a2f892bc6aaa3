//! Every lifecycle of the service as data: its transitions, for documents and diagrams.

use std::fmt::Debug;

use serde::Serialize;
use sim_base::jobs::Step;
use sim_base::{FromJson, ToSchema};

use crate::branch_workflow::{BranchEvent, BranchStatus};
use crate::project::{Event, Status};
use crate::replica::{ReplicaEvent, ReplicaStatus};
use crate::restore_point::{PointEvent, PointStatus};
use crate::signing_key::{KeyEvent, KeyStatus};
use crate::v2::compute_build::{BuildEvent, BuildState};
use crate::{function, hostname};

/// The states of one kind of thing, and the events that lead from one to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Lifecycle {
    /// The kind: `Project`.
    pub name: String,
    /// All states, in the order of the lifecycle.
    pub states: Vec<String>,
    /// The transitions. An event without an arrow in a state does not apply there.
    pub arrows: Vec<Arrow>,
}

/// An event that leads from one state to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Arrow {
    /// The state before.
    pub from: String,
    /// The event.
    pub event: String,
    /// The state after.
    pub to: String,
}

/// All lifecycles.
///
/// ```
/// let lifecycles = sim_core::management::lifecycles::all();
/// assert_eq!(lifecycles[0].name, "Project");
/// assert!(lifecycles[0].arrows.iter().any(|arrow| arrow.from == "COMING_UP" && arrow.to == "ACTIVE_HEALTHY"));
/// ```
pub fn all() -> Vec<Lifecycle> {
    vec![
        of("Project", &Status::ALL, &Event::ALL, Status::on),
        of("Branch", &BranchStatus::ALL, &BranchEvent::ALL, BranchStatus::on),
        of("Read replica", &ReplicaStatus::ALL, &ReplicaEvent::ALL, ReplicaStatus::on),
        of("Custom hostname", &hostname::Status::ALL, &hostname::Event::ALL, hostname::Status::on),
        of("Function", &function::Status::ALL, &function::Event::ALL, function::Status::on),
        of("Signing key", &KeyStatus::ALL, &KeyEvent::ALL, KeyStatus::on),
        of("Compute instance", &BuildState::ALL, &BuildEvent::ALL, BuildState::on),
        of("Restore point", &PointStatus::ALL, &PointEvent::ALL, PointStatus::on),
    ]
}

fn of<S: Copy + Serialize, E: Copy + Debug>(
    name: &str,
    states: &[S],
    events: &[E],
    on: fn(S, E) -> Option<S>,
) -> Lifecycle {
    let pairs = states.iter().flat_map(|state| events.iter().map(move |event| (*state, *event)));
    let arrow = |(state, event)| {
        let next = on(state, event)?;
        Some(Arrow { from: published(state), event: format!("{event:?}"), to: published(next) })
    };
    Lifecycle {
        name: name.to_owned(),
        states: states.iter().map(published).collect(),
        arrows: pairs.filter_map(arrow).collect(),
    }
}

/// An event of a lifecycle, with the state to which it leads.
pub(crate) fn step<S: Copy + Serialize, E: Copy + Debug>(
    event: E,
    states: &[S],
    on: fn(S, E) -> Option<S>,
) -> Option<Step> {
    let mut ends: Vec<String> = states.iter().filter_map(|state| on(*state, event)).map(published).collect();
    ends.dedup();
    let becomes = if ends.len() == 1 { ends.pop() } else { None };
    Some(Step { event: format!("{event:?}"), becomes })
}

/// The name on the wire.
fn published(state: impl Serialize) -> String {
    let value = serde_json::to_value(state).expect("a state is plain data");
    value.as_str().expect("a state is a word").to_owned()
}
