//! One history: the client in its world, and the same calls in a twin of that world.

use std::time::Duration;

use serde_json::Value;
use sim_core::engine::fault::{AddFault, Effect, Fault, On, SetFaults};
use sim_core::engine::{Access, Call};
use sim_core::lens::early_calls;
use sim_core::sweep::calls_of_client;
use sim_core::{Simulator, Timestamp};

use super::subject::Subject;
use super::{Seen, Wanted};
use crate::api::Reply;
use crate::everything;
use crate::model::{self, Expected, Model, Start};
use crate::strategies::{Ask, Names, Step, Who};

/// The client in its world, and a twin of that world in which the trial makes each call.
pub(super) struct Stage<S> {
    model: Model,
    twin: Simulator,
    names: Names,
    subject: S,
    /// How many calls both worlds had answered when they were last equal.
    calls: [u64; 2],
}

impl<S: Subject> Stage<S> {
    /// The first steps are made before the client starts.
    pub(super) fn begin(start: Start) -> Stage<S> {
        let (mut twin, mut names) = model::world(start);
        for step in start.steps() {
            match step {
                Step::Wait(length) => drop(twin.advance(length)),
                Step::Ask(ask) => {
                    let reply = Reply::from(twin.handle(&ask.call(&names).request("", None)));
                    names.learn(&ask.what, &reply);
                }
            }
        }
        let (subject, calls) = (S::begin(twin.fork()), [twin.calls(); 2]);
        Stage { model: Model::begun(start), subject, twin, names, calls }
    }

    /// Does a step, with a fault in the client's next call; describes what failed.
    pub(super) async fn take(&mut self, step: &Step, fault: Option<&Effect>) -> Result<(), String> {
        match step {
            Step::Wait(length) => {
                self.pass(*length);
                self.subject.look(&mut |world| drop(world.advance(*length)));
            }
            Step::Ask(ask) if ask.what.meta().access == Access::Control => {
                let (request, _) = self.ask_twin(step, ask)?;
                self.subject.look(&mut |world| drop(world.handle(&request)));
            }
            Step::Ask(ask) => self.ask(step, ask, fault).await?,
        }
        self.compare_worlds(step)
    }

    /// Time goes by for the model and the twin.
    fn pass(&mut self, length: Duration) {
        self.model.step(&Step::Wait(length));
        self.twin.advance(length);
    }

    fn pass_until(&mut self, instant: Timestamp) {
        let length = Duration::try_from(instant.duration_since(self.twin.now())).unwrap_or_default();
        if length > Duration::ZERO {
            self.pass(length);
        }
    }

    /// Makes the call in the twin, and checks its answer by the model.
    fn ask_twin(&mut self, step: &Step, ask: &Ask) -> Result<(http::Request<bytes::Bytes>, Reply), String> {
        self.model.step(step);
        let request = ask.call(&self.names).request("", None);
        let reply = Reply::from(self.twin.handle(&request));
        self.names.learn(&ask.what, &reply);
        let expected = self.model.expected.as_ref().expect("the model expects something of a call");
        expected.check(&reply, &self.names).map_err(|why| format!("{ask:?}: a defect of ours: {why}"))?;
        Ok((request, reply))
    }

    async fn ask(&mut self, step: &Step, ask: &Ask, fault: Option<&Effect>) -> Result<(), String> {
        let wanted = self.wanted(ask);
        let mut before = 0;
        self.subject.look(&mut |world| {
            if fault.is_some() {
                set_fault(world, fault);
            }
            before = world.calls();
        });
        let seen = self.subject.perform(&wanted).await?;
        let (mut made, mut now) = (Vec::new(), self.twin.now());
        self.subject.look(&mut |world| {
            (made, now) = (world.journal_from(before + 1, u64::MAX), world.now());
            if fault.is_some() {
                set_fault(world, None);
            }
        });
        let made: Vec<Call> = calls_of_client(&made).cloned().collect();
        if seen == Seen::NotMine {
            self.pass_until(now);
            return Ok(());
        }
        // The twin makes the call at the instant at which the client's call took effect.
        if let Some(instant) = took_effect(&made, wanted.operation) {
            self.pass_until(instant);
        }
        let (_, reply) = self.ask_twin(step, ask)?;
        self.pass_until(now);
        if let Some(early) = early_calls(&made).first() {
            let until = early.blocked_until.as_str();
            return Err(format!("{ask:?}: told to wait until {until}, the client called again before that"));
        }
        if is_what_there_was(&seen, &reply) {
            return Ok(());
        }
        Err(format!("{ask:?}: the client has seen {seen:?}, the answer is {reply}"))
    }

    fn wanted(&self, ask: &Ask) -> Wanted {
        let request = ask.call(&self.names).request("", None);
        let bearer = request.headers().get("authorization").filter(|_| ask.who != Who::Nobody);
        let token =
            bearer.and_then(|bearer| bearer.to_str().ok()?.strip_prefix("Bearer ").map(str::to_owned));
        Wanted { operation: ask.what.meta().id, token, request }
    }

    /// The client has done the call, and nothing else.
    fn compare_worlds(&mut self, step: &Step) -> Result<(), String> {
        let Stage { twin, calls, .. } = self;
        let mut differ = None;
        self.subject.look(&mut |world| {
            // Worlds with the same past are one world, and equal worlds stay equal while nobody changes them.
            let is_one = world.journal_hash() == twin.journal_hash();
            let [from, of_twin] = calls;
            if world.now() != twin.now() {
                differ = Some(format!("/now is {} instead of {}", world.now(), twin.now()));
            } else if !is_one && (has_changed(world, *from) || has_changed(twin, *of_twin)) {
                differ = difference(&state(world), &state(twin), String::new());
            }
            *calls = [world.calls(), twin.calls()];
        });
        match differ {
            None => Ok(()),
            Some(what) => Err(format!("{step:?}: the world is not what it should be: {what}")),
        }
    }
}

/// Leaves the world with this fault for its next call, or with none.
fn set_fault(world: &mut Simulator, effect: Option<&Effect>) {
    let mut driver = world.as_admin();
    let set = match effect {
        Some(effect) => driver.call(AddFault(Fault::new(On::path("*"), effect.clone()))).map(drop),
        None => driver.call(SetFaults { rules: Vec::new() }).map(drop),
    };
    set.unwrap_or_else(|error| panic!("Trial::faults: {}", error.message));
}

/// When the operation was done: by its first call that was not refused, else by its last.
fn took_effect(made: &[Call], operation: &str) -> Option<Timestamp> {
    let of_it: Vec<&Call> = made.iter().filter(|call| call.operation.as_deref() == Some(operation)).collect();
    let done = of_it.iter().find(|call| call.status < 400).or(of_it.last());
    done.map(|call| call.at)
}

/// Whether a call after that number may have changed something.
fn has_changed(world: &Simulator, after: u64) -> bool {
    let reads = |call: &Call| call.method == "GET" && call.status < 300;
    world.journal_from(after + 1, u64::MAX).iter().any(|call| call.status < 400 && !reads(call))
}

fn is_what_there_was(seen: &Seen, reply: &Reply) -> bool {
    match seen {
        Seen::Refused(status) => reply.status == *status,
        Seen::Failed => reply.status >= 400,
        Seen::NotMine => true,
        Seen::Done(_) if reply.status >= 400 => false,
        Seen::Done(Value::Null) => true,
        Seen::Done(shown) => {
            let body = serde_json::from_slice(&reply.body).unwrap_or_default();
            Expected::is_met_by(&body, shown) || shown.as_object().is_some_and(serde_json::Map::is_empty)
        }
    }
}

/// All observable state of a world except call numbers: a client may read before it writes.
fn state(world: &Simulator) -> Value {
    let mut state = everything(world);
    forget(&mut state, "caused_by_call");
    state
}

fn forget(value: &mut Value, name: &str) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(|one| forget(one, name)),
        Value::Object(fields) => {
            fields.shift_remove(name);
            fields.values_mut().for_each(|one| forget(one, name));
        }
        _ => {}
    }
}

/// The first difference between two states.
fn difference(found: &Value, expected: &Value, place: String) -> Option<String> {
    match (found, expected) {
        _ if found == expected => None,
        (Value::Object(one), Value::Object(other)) if one.keys().eq(other.keys()) => {
            let mut pairs = one.iter().zip(other.values());
            pairs.find_map(|((name, one), other)| difference(one, other, format!("{place}/{name}")))
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let mut pairs = one.iter().zip(other).enumerate();
            pairs.find_map(|(number, (one, other))| difference(one, other, format!("{place}/{number}")))
        }
        _ => Some(format!("{place} is {found} instead of {expected}")),
    }
}
