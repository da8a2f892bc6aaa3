//! `stuntdouble fault`: the fault rules of a running server.

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use sim_core::engine::fault::{Effect, Fault, FaultStanding, On};
use sim_core::engine::json::refuse_repeated;
use sim_core::sweep;

use super::Reach;
use super::length::Length;
use crate::{Failure, say};

/// Arguments of `fault`.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Add a fault rule after the existing ones
    Add(Box<Add>),
    /// Print the rules, and how many calls each has matched
    List {
        #[command(flatten)]
        reach: Reach,
    },
    /// Remove a rule
    Remove {
        /// Number of the rule
        id: i64,
        #[command(flatten)]
        reach: Reach,
    },
    /// Remove all rules
    Clear {
        #[command(flatten)]
        reach: Reach,
    },
}

/// A rule. Without --operation, --path and so on it matches every call.
#[derive(Args)]
#[command(after_help = "Examples:
  stuntdouble fault add lost_answer --operation v1-create-a-project
  stuntdouble fault add 503 --path '/v1/*' --for 60s       an outage of a simulated minute
  stuntdouble fault add latency=2s --nth 3                 the third call is late
  stuntdouble fault add '{\"on\": {\"path\": \"*\"}, \"effect\": {\"kind\": \"status\", \"status\": 500, \"message\": \"no\"}}'")]
struct Add {
    /// A status from 400 to 599; lost_answer, reset, torn, empty, garbage, twice or stale; rate_limit, latency, slow or late, which
    /// may have a length, as in latency=2s; or a whole rule as JSON
    effect: String,
    /// Only calls of this operation; `stuntdouble routes` lists them
    #[arg(long, value_name = "ID", help_heading = "Which calls")]
    operation: Option<String>,
    /// Only calls of this method
    #[arg(long, value_name = "METHOD", help_heading = "Which calls")]
    method: Option<String>,
    /// Only calls of this path, in which * matches any text
    #[arg(long, value_name = "PATH", help_heading = "Which calls")]
    path: Option<String>,
    /// Only calls on this project
    #[arg(long, value_name = "REF", help_heading = "Which calls")]
    project: Option<String>,
    /// Only calls of this user
    #[arg(long, value_name = "NAME", help_heading = "Which calls")]
    caller: Option<String>,
    /// First matching call that the rule applies to
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "How often")]
    nth: u32,
    /// How many calls it applies to from there on; 0 is all [default: 1, or all with --for]
    #[arg(long, value_name = "N", help_heading = "How often")]
    times: Option<u32>,
    /// How long it applies after the first time, in simulated time, as in 60s
    #[arg(long = "for", value_name = "LENGTH", help_heading = "How often")]
    length: Option<Length>,
    /// Probability that it applies to a matching call, over 0 and at most 1; the seed of the world decides
    #[arg(long, value_name = "P", help_heading = "How often")]
    probability: Option<f64>,
    #[command(flatten)]
    reach: Reach,
}

pub(crate) fn run(Arguments { action }: &Arguments) -> Result<(), Failure> {
    match action {
        Action::Add(add) => add.run(),
        Action::List { reach } => list(reach),
        Action::Remove { id, reach } => {
            reach.world()?.delete_fault(*id).map_err(|error| reach.failed(&error))?;
            say(&format!("rule {id} is removed"));
            Ok(())
        }
        Action::Clear { reach } => {
            reach.world()?.set_faults(&[] as &[Fault]).map_err(|error| reach.failed(&error))?;
            say("all rules are removed");
            Ok(())
        }
    }
}

fn list(reach: &Reach) -> Result<(), Failure> {
    let rules = reach.world()?.faults().map_err(|error| reach.failed(&error))?;
    reach.show(&rules, |rules| match rules.as_slice() {
        [] => "there are no rules".to_owned(),
        rules => rules.iter().map(line).collect::<Vec<_>>().join("\n"),
    });
    Ok(())
}

/// A rule on one line.
fn line(standing: &FaultStanding) -> String {
    let FaultStanding { id, rule, met, struck, .. } = standing;
    let rule = serde_json::to_string(rule).expect("a rule is plain data");
    format!("rule {id}: matched {met}, applied to {struck}: {rule}")
}

impl Add {
    fn run(&self) -> Result<(), Failure> {
        let added = self.reach.world()?.add_fault(&self.rule()?);
        self.reach.show(&added.map_err(|error| self.reach.failed(&error))?, line);
        Ok(())
    }

    fn rule(&self) -> Result<Value, Failure> {
        if self.effect.trim_start().starts_with('{') {
            let wrong = |why: String| Failure(format!("EFFECT: can't be read as a rule, {why}"));
            let rule = serde_json::from_str(&self.effect).map_err(|error| wrong(error.to_string()))?;
            refuse_repeated(self.effect.as_bytes(), &rule).map_err(|error| wrong(error.message))?;
            return Ok(rule);
        }
        let rule = Fault {
            on: self.on(),
            nth: self.nth,
            times: self.times.unwrap_or(u32::from(self.length.is_none())),
            for_ms: self.length.map(Length::ms),
            probability: self.probability,
            effect: effect(&self.effect)?,
        };
        Ok(json!(rule))
    }

    fn on(&self) -> On {
        let any = [&self.operation, &self.method, &self.path, &self.project, &self.caller];
        let path = match any.iter().all(|field| field.is_none()) {
            true => Some("*".to_owned()),
            false => self.path.clone(),
        };
        On {
            operation: self.operation.clone(),
            method: self.method.clone(),
            path,
            project: self.project.clone(),
            caller: self.caller.clone(),
            ..On::default()
        }
    }
}

fn has_length(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::RateLimit { .. } | Effect::Latency { .. } | Effect::Slow { .. } | Effect::Late { .. }
    )
}

/// An effect by its name, which a length may follow.
fn effect(text: &str) -> Result<Effect, Failure> {
    let (name, length) = text.split_once('=').map_or((text, None), |(name, length)| (name, Some(length)));
    let known = sweep::effect(name);
    if let (Some(effect), Some(_)) = (&known, length)
        && !has_length(effect)
    {
        return Err(Failure(format!(
            "EFFECT {text:?}: {name} takes no value here, only rate_limit, latency, slow and late have a length; give a whole \
             rule as JSON"
        )));
    }
    // A name that is unknown is told before what follows it.
    let length = length.filter(|_| known.is_some()).map(str::parse::<Length>).transpose();
    let length = length.map_err(|why| Failure(format!("EFFECT {name}: {why}")))?;
    match (known, length) {
        (Some(Effect::RateLimit { .. }), Some(length)) => {
            Ok(Effect::RateLimit { seconds: length.ms().div_ceil(1000) })
        }
        (Some(Effect::Latency { .. }), Some(length)) => Ok(Effect::Latency { ms: length.ms() }),
        (Some(Effect::Slow { .. }), Some(length)) => Ok(Effect::Slow { ms: length.ms() }),
        (Some(Effect::Late { .. }), Some(length)) => Ok(Effect::Late { ms: length.ms() }),
        (Some(effect), _) => Ok(effect),
        (None, _) => {
            let names = sweep::USUAL
                .into_iter()
                .chain(["twice", "slow", "lean", "rich", "varied", "reorder", "partial"]);
            let names: Vec<&str> = names.filter(|name| name.parse::<u16>().is_err()).collect();
            let question = sim_core::engine::near::question(name, names.iter().copied());
            Err(Failure(format!(
                "EFFECT {name:?}: must be a status from 400 to 599 or one of {}{question}",
                names.join(", ")
            )))
        }
    }
}
