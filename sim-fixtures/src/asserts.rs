//! One-line asserts over a journal.

use sim_core::engine::{Call, Registry, near};
use sim_core::lens::{EarlyCall, early_calls};
use sim_core::{analytics, management};

/// What a test expects of the recorded calls. A failure prints the journal.
///
/// ```
/// use sim_core::Operation as _;
/// use sim_core::management::project::{CreateProject, ListProjects};
/// use sim_fixtures::{Expect as _, scenario};
///
/// let mut sim = scenario::fresh();
/// sim.call(ListProjects {})?;
/// sim.call(CreateProject::named("demo", "acme"))?;
/// sim.journal().expect(1, CreateProject::META.id).expect_in_order(&["v1-list-all-projects", "v1-create-a-project"]);
/// sim.journal().expect_no_refusals();
/// # Ok::<(), sim_core::Error>(())
/// ```
pub trait Expect {
    /// Exactly this number of calls of an operation succeeded.
    ///
    /// # Panics
    ///
    /// When there were more or fewer, the journal has dropped calls, or the id is misspelt.
    #[track_caller]
    fn expect(&self, count: usize, operation: &str) -> &Self;

    /// These operations were called in this order; other calls may come in between.
    ///
    /// # Panics
    ///
    /// When one is missing or out of order, or the journal has dropped calls.
    #[track_caller]
    fn expect_in_order(&self, operations: &[&str]) -> &Self;

    /// No call was refused.
    ///
    /// # Panics
    ///
    /// When one was, or the journal has dropped calls.
    #[track_caller]
    fn expect_no_refusals(&self) -> &Self;

    /// Every client waited as long as `retry-after` told it to: no call came before the end of a block that its caller
    /// was told of.
    ///
    /// # Panics
    ///
    /// When one did, or the journal has dropped calls.
    #[track_caller]
    fn expect_waits(&self) -> &Self;
}

impl Expect for [Call] {
    fn expect(&self, count: usize, operation: &str) -> &Self {
        check_known(self, operation);
        let good = |call: &&Call| call.operation.as_deref() == Some(operation) && call.reason.is_none();
        let found = whole(self).iter().filter(good).count();
        assert!(
            found == count,
            "{found} calls of {operation} instead of {count} succeeded:\n{}",
            shown(self)
        );
        self
    }

    fn expect_in_order(&self, operations: &[&str]) -> &Self {
        let mut calls = whole(self).iter();
        for operation in operations {
            check_known(self, operation);
            let found = calls.any(|call| call.operation.as_deref() == Some(*operation));
            assert!(found, "{operation} was not called when it should have been:\n{}", shown(self));
        }
        self
    }

    fn expect_no_refusals(&self) -> &Self {
        let refused = whole(self).iter().any(|call| call.reason.is_some());
        assert!(!refused, "a call was refused:\n{}", shown(self));
        self
    }

    fn expect_waits(&self) -> &Self {
        if let Some(early) = early_calls(whole(self)).first() {
            let EarlyCall { call, told_at, blocked_until } = early;
            let told = format!("told at call {told_at} to wait until {blocked_until}");
            panic!("{told}, a client made call {call} before that:\n{}", shown(self));
        }
        self
    }
}

/// Refuses an id that is none, but nearly one. An id that is unlike all others may be an operation of the embedder.
#[track_caller]
fn check_known(calls: &[Call], operation: &str) {
    let registries = [management::registry(), analytics::registry()];
    let ids = || registries.into_iter().flat_map(Registry::operations).map(|meta| meta.id);
    let was_called = calls.iter().any(|call| call.operation.as_deref() == Some(operation));
    let is_known = || registries.into_iter().any(|one| one.operations().any(|meta| meta.has_id(operation)));
    if !was_called && !is_known() {
        let question = near::question(operation, ids());
        assert!(question.is_empty(), "there is no operation {operation:?}{question}");
    }
}

#[track_caller]
fn whole(calls: &[Call]) -> &[Call] {
    let first = calls.first().map_or(1, |call| call.call);
    assert!(
        first == 1,
        "the journal has dropped the calls before {first}; raise Policy.journal_calls or journal_bytes"
    );
    calls
}

fn shown(calls: &[Call]) -> String {
    let line = |call: &Call| {
        let reason = call.reason.as_deref().unwrap_or_default();
        format!("  {} {} {} → {} {reason}", call.call, call.method, call.target, call.status)
    };
    calls.iter().map(line).collect::<Vec<_>>().join("\n")
}
