//! Faults and outcomes, sweeps, and the users of a world.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::World;
use crate::{Result, SweepPoint, Trouble, Types};

impl<T: Types> World<T> {
    /// Adds a fault rule after the existing ones: a [`Fault`](crate::Fault), or anything that serializes to one.
    pub fn add_fault(&self, rule: &impl Serialize) -> Result<T::Fault> {
        self.control("sim-add-fault", rule)
    }

    /// Replaces all fault rules. An empty list ends all faults.
    pub fn set_faults(&self, rules: &[impl Serialize]) -> Result<Vec<T::Fault>> {
        self.control("sim-set-faults", &rules)
    }

    /// The fault rules in the order in which they are tried, with their counts.
    pub fn faults(&self) -> Result<Vec<T::Fault>> {
        self.control("sim-list-faults", &())
    }

    /// Deletes a fault rule.
    pub fn delete_fault(&self, id: i64) -> Result<()> {
        self.act("sim-delete-fault", &json!({ "id": id }))
    }

    /// Sets how the next work of a kind (`create`, `pause`, `restore` …) ends: `succeed`, `fail` or `never`.
    pub fn set_next_outcome(&self, work: &str, outcome: &str) -> Result<()> {
        self.act("sim-set-next-outcome", &json!({ "work": work, "outcome": outcome }))
    }

    /// The decisions about work to come, by kind of work.
    pub fn next_outcomes(&self) -> Result<Vec<Value>> {
        self.control("sim-list-next-outcomes", &())
    }

    /// Takes back the decision about the next work of a kind on any project.
    pub fn delete_next_outcome(&self, work: &str) -> Result<()> {
        self.act("sim-delete-next-outcome", &json!({ "work": work }))
    }

    /// The faults to inject into the run that led from `beginning` to this world. `effects` are names such as `lost_answer` or
    /// statuses such as `503`; an empty list means the default ones.
    ///
    /// For each point, fork `beginning`, add the rule to the fork, run the client there, and ask the fork for its
    /// [`verdict`](World::verdict).
    pub fn sweep_points(&self, beginning: &World<T>, effects: &[&str]) -> Result<Vec<SweepPoint>> {
        #[derive(Deserialize)]
        struct Points {
            points: Vec<SweepPoint>,
        }
        let effects = Some(effects).filter(|effects| !effects.is_empty());
        let fields = json!({ "beginning": beginning.name(), "effects": effects });
        Ok(self.control::<Points>("sim-list-sweep-points", &fields)?.points)
    }

    /// The defects of this world after a run of the client, compared with the good run; empty if there are none. `exit` is the
    /// exit code of the client, `allowed` are the codes with which it may give up.
    pub fn verdict(
        &self,
        beginning: &World<T>,
        good: &World<T>,
        exit: i32,
        allowed: &[i32],
    ) -> Result<Vec<Trouble>> {
        #[derive(Deserialize)]
        struct Verdict {
            troubles: Vec<Trouble>,
        }
        let fields = json!({
            "beginning": beginning.name(),
            "good": good.name(),
            "ending": { "exit": exit },
            "allowed_exits": allowed,
        });
        Ok(self.control::<Verdict>("sim-judge-run", &fields)?.troubles)
    }

    /// All users.
    pub fn users(&self) -> Result<Vec<Value>> {
        self.control("sim-list-users", &())
    }

    /// Creates a user without a token.
    pub fn create_user(&self, name: &str) -> Result<Value> {
        self.control("sim-create-user", &json!({ "name": name }))
    }

    /// Creates a token for a user; returns its text.
    pub fn create_token(&self, user: &str) -> Result<String> {
        #[derive(Deserialize)]
        struct Created {
            token: String,
        }
        Ok(self.control::<Created>("sim-create-token", &json!({ "user": user }))?.token)
    }

    /// All tokens, without their texts.
    pub fn tokens(&self) -> Result<Vec<Value>> {
        self.control("sim-list-tokens", &())
    }

    /// What a token may do, and what it lacks for the operation with that id, or for each operation if none is given.
    pub fn introspect_token(&self, token: &str, operation: Option<&str>) -> Result<Value> {
        let mut fields = json!({ "token": token });
        if let Some(operation) = operation {
            fields["operation"] = operation.into();
        }
        self.control("sim-introspect-token", &fields)
    }

    /// Revokes a token: calls with it are refused from now on.
    pub fn revoke_token(&self, id: i64) -> Result<()> {
        self.act("sim-revoke-token", &json!({ "id": id }))
    }
}
