//! Plans: sequences of calls with the expected result of each and time in between, for clients in any
//! language.
//!
//! A plan has a world of its own. The plan contains every value as it will be at run time, references and
//! tokens too, because the same seed and the same calls give the same bytes. The expected result of a call is
//! what the [`model`] says and the simulator answers; no plan is made if they differ.
//!
//! ```
//! use sim_fixtures::plans::{PlanStep, plan};
//! use sim_fixtures::strategies::Menu;
//!
//! let menu = Menu::well_formed().of(&["v1-list-all-projects", "v1-create-a-project"])?;
//! let plan = plan(&menu, 7, 10);
//! let by_client = |step: &&PlanStep| matches!(step, PlanStep::Call(call) if !call.setup);
//! assert!(plan.steps.iter().any(|step| by_client(&step)), "{plan:?}");
//! # Ok::<(), sim_core::Error>(())
//! ```

use std::collections::BTreeMap;

use bytes::Bytes;
use http::Request;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sim_core::engine::{Access, Meta};
use sim_core::management::user::CreateToken;
use sim_core::{Operation as _, Policy, Simulator, Timestamp};

use crate::api::Reply;
use crate::model::{self, Model, Start};
use crate::scenario::{SEED, cast, with_policy};
use crate::strategies::{Ask, Dice, Menu, Names, Step};

/// A history, and what must come of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Plan {
    /// The seed that it was drawn from, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Its world: fields for `POST /_sim/worlds`.
    pub world: Map<String, Value>,
    /// The steps, first to last.
    pub steps: Vec<PlanStep>,
}

/// One step of a plan: a wait or a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum PlanStep {
    /// A wait: the body of `POST /_sim/clock/advance`.
    Advance {
        /// Until this timestamp.
        #[schemars(with = "String", extend("format" = "date-time"))]
        until: Timestamp,
    },
    /// A call.
    Call(Box<PlannedCall>),
}

/// A call, and what must come of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedCall {
    /// The operation's id.
    pub operation: String,
    /// Whether it is for the test to make, because the client under test has no part in it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub setup: bool,
    /// HTTP method.
    pub method: String,
    /// Path and query.
    pub path: String,
    /// The caller's token; nothing for calls without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// Other headers that matter.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// The body, if it is JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Value>,
    /// The body, if it is not JSON: a form, or source text. The header `content-type` gives its type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The expected result.
    pub expect: Outcome,
}

/// The expected result of a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Outcome {
    /// The status.
    pub status: u16,
    /// The machine-readable reason of a refusal: the header `x-sim-reason`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The body of a success, if it is JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Value>,
}

/// The plan of that seed: a start, and this many steps from the menu.
///
/// # Panics
///
/// When simulator and model differ: that is a defect of one of them.
pub fn plan(menu: &Menu, seed: u64, length: usize) -> Plan {
    let (start, steps) = menu.history(&mut Dice::new(seed), length);
    Plan { seed: Some(seed), ..Plan::of(start, &steps) }
}

impl Plan {
    /// Writes that history down as a plan.
    ///
    /// # Panics
    ///
    /// When simulator and model differ: that is a defect of one of them.
    pub fn of(start: Start, steps: &[Step]) -> Plan {
        let mut author = Author {
            sim: with_policy(model::policy(start)),
            model: Model::new(start),
            names: model::names(),
            steps: Vec::new(),
        };
        for token in model::tokens_of_apps() {
            author.call_as_nobody(&token);
        }
        for step in start.steps() {
            author.take(&step, true);
        }
        for step in steps {
            author.take(step, false);
        }
        let world = json!({ "seed": SEED, "policy": changes(&model::policy(start)), "world": cast("pro") });
        let Value::Object(world) = world else { unreachable!("it is written as an object") };
        Plan { seed: None, world, steps: author.steps }
    }
}

/// The settings of `policy` that differ from the default.
fn changes(policy: &Policy) -> Value {
    let as_fields = |policy: &Policy| match serde_json::to_value(policy) {
        Ok(Value::Object(fields)) => fields,
        other => panic!("a policy is an object: {other:?}"),
    };
    let usual = as_fields(&Policy::default());
    as_fields(policy).into_iter().filter(|(name, value)| usual.get(name) != Some(value)).collect()
}

/// Runs a history and writes it down.
struct Author {
    sim: Simulator,
    model: Model,
    names: Names,
    steps: Vec<PlanStep>,
}

impl Author {
    fn take(&mut self, step: &Step, is_first: bool) {
        self.model.step(step);
        match step {
            Step::Wait(length) => {
                self.sim.advance(*length);
                self.steps.push(PlanStep::Advance { until: self.sim.now() });
            }
            Step::Ask(ask) => self.ask(ask, is_first),
        }
    }

    fn ask(&mut self, ask: &Ask, is_first: bool) {
        let request = ask.call(&self.names).request("", None);
        let reply = Reply::from(self.sim.handle(&request));
        self.names.learn(&ask.what, &reply);
        let expected = self.model.expected.as_ref().expect("the model expects something of a call");
        if let Err(why) = expected.check(&reply, &self.names) {
            panic!("{ask:?}: {why}");
        }
        self.write(&ask.what.meta(), is_first, &request, &reply);
    }

    fn call_as_nobody(&mut self, token: &CreateToken) {
        let request =
            CreateToken::META.request(serde_json::to_value(token).expect("a request is plain data"));
        let reply = Reply::from(self.sim.handle(&request));
        self.write(&CreateToken::META, true, &request, &reply);
    }

    fn write(&mut self, meta: &Meta, is_first: bool, request: &Request<Bytes>, reply: &Reply) {
        let access = meta.access;
        let text = |bytes: &Bytes| String::from_utf8_lossy(bytes).into_owned();
        let mut headers: BTreeMap<String, String> = request
            .headers()
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_str().unwrap_or_default().to_owned()))
            .collect();
        let bearer = headers.remove(AUTHORIZATION.as_str()).filter(|_| access != Access::Control);
        let token = bearer.and_then(|bearer| bearer.strip_prefix("Bearer ").map(str::to_owned));
        let is_json = headers.get(CONTENT_TYPE.as_str()).is_some_and(|name| name == "application/json");
        let body = is_json.then(|| serde_json::from_slice(request.body()).ok()).flatten();
        if body.is_some() {
            headers.remove(CONTENT_TYPE.as_str());
        }
        let reason = Some(reply.reason().to_owned()).filter(|reason| !reason.is_empty());
        let answered = reason.is_none().then(|| serde_json::from_slice(&reply.body).ok()).flatten();
        self.steps.push(PlanStep::Call(Box::new(PlannedCall {
            operation: meta.id.to_owned(),
            setup: is_first || access == Access::Control,
            method: request.method().to_string(),
            path: request.uri().to_string(),
            token,
            headers,
            text: (body.is_none() && !request.body().is_empty()).then(|| text(request.body())),
            body,
            expect: Outcome { status: reply.status, reason, body: answered },
        })));
    }
}
