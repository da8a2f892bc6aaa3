//! One-line asserts over a journal.

use sim_core::engine::Call;

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
    /// When there were more or fewer, or the journal has dropped calls.
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
}

impl Expect for [Call] {
    fn expect(&self, count: usize, operation: &str) -> &Self {
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
