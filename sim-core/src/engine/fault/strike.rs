//! Finds the rule that strikes a call, and applies its effect.

use std::time::Duration;

use bytes::Bytes;
use rand::RngExt as _;
use serde::de::DeserializeOwned;
use sim_base::cx::Cx;
use sim_base::db::Db;
use sim_base::error::{Error, Kind};
use sim_base::request::Sent;
use sim_base::time::{Timestamp, later, micros};

use super::operations::{FaultStanding, STANDING, standing};
use super::rule::{Effect, Fault, On, STALE_MAX, project_in};
use super::{Mishap, alter, glob};
use crate::engine::service::contract::{Matched, Registered};

/// A rule that strikes the current call.
#[derive(Clone, Debug)]
pub(crate) struct Strike {
    pub id: i64,
    pub effect: Effect,
}

/// Facts about the rules that every call needs. Cached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Faults {
    /// The number of rules.
    pub rules: usize,
    /// How far back the stalest read of any rule looks, in calls.
    pub stale: u32,
}

impl Faults {
    pub(crate) fn of(db: Db<'_>) -> Faults {
        let stale = |rule: &FaultStanding| match rule.rule.effect {
            Effect::Stale { calls } => calls.min(STALE_MAX),
            _ => 0,
        };
        let rules = db.all(STANDING, (), standing);
        Faults { rules: rules.len(), stale: rules.iter().map(stale).max().unwrap_or(0) }
    }
}

/// Returns the rule that strikes this call, if any. Each matching rule up to and including that one counts the call.
pub(crate) fn strike(
    cx: &Cx<'_>,
    sent: &Sent<'_>,
    user: Option<i64>,
    route: Option<&Matched<'_>>,
) -> Option<Strike> {
    let rules = cx.db.all(STANDING, (), standing);
    let user = user.map(|id| cx.db.one("SELECT name FROM user WHERE id = ?1", (id,), |row| row.get(0)));
    rules.into_iter().find_map(|rule| {
        if !fits(&rule.rule.on, cx, sent, user.as_ref(), route) {
            return None;
        }
        let met = rule.met.saturating_add(1);
        let strikes = is_due(&rule, met, cx.now) && has_luck(cx, &rule.rule);
        let struck = rule.struck + u32::from(strikes);
        let since = rule.since.or(strikes.then_some(cx.now)).map(micros);
        let sql = "UPDATE fault SET met = ?2, struck = ?3, since = ?4 WHERE id = ?1";
        cx.db.run(sql, (rule.id, met, struck, since));
        strikes.then_some(Strike { id: rule.id, effect: rule.rule.effect })
    })
}

fn is_due(FaultStanding { rule, struck, since, .. }: &FaultStanding, met: u32, now: Timestamp) -> bool {
    let is_over = |(since, ms): (Timestamp, u64)| now >= later(since, Duration::from_millis(ms));
    met >= rule.nth
        && (rule.times == 0 || *struck < rule.times)
        && !since.zip(rule.for_ms).is_some_and(is_over)
}

fn has_luck(cx: &Cx<'_>, rule: &Fault) -> bool {
    rule.probability.is_none_or(|chance| cx.rng.draw("fault").source().random_bool(chance))
}

fn fits(on: &On, cx: &Cx<'_>, sent: &Sent<'_>, user: Option<&String>, route: Option<&Matched<'_>>) -> bool {
    let is = |wanted: &Option<String>, found: Option<&str>| {
        wanted.as_deref().is_none_or(|wanted| found == Some(wanted))
    };
    let path = sent.target.split('?').next().unwrap_or_default();
    let named = |name: &str| names_project(path, route, name);
    let called = |id: &String| route.is_some_and(|matched| matched.operation.entry.meta.has_id(id));
    on.operation.as_ref().is_none_or(called)
        && is(&on.method, Some(sent.method))
        && on.path.as_deref().is_none_or(|pattern| glob::matches(path, pattern))
        && on.project.as_deref().is_none_or(named)
        && is(&on.caller, user.map(String::as_str))
        && on.from.is_none_or(|from| cx.now >= from)
        && on.until.is_none_or(|until| cx.now < until)
}

/// Whether a path names the project. Other words of the path may be spelt like its reference.
fn names_project(path: &str, route: Option<&Matched<'_>>, reference: &str) -> bool {
    let words = || path.trim_end_matches('/').split('/');
    let Some(meta) = route.map(|matched| &matched.operation.entry.meta) else {
        // No operation has the path.
        return words().skip_while(|word| *word != "projects").nth(1) == Some(reference);
    };
    let routes = meta.aliases.iter().copied().chain([meta.path]);
    let of_path = routes.filter(|route| route.split('/').count() == words().count());
    of_path.filter_map(|route| Some((route, project_in(route)?))).any(|(route, variable)| {
        route.split('/').zip(words()).any(|(part, word)| part == variable && word == reference)
    })
}

impl Strike {
    /// The refusal, if the rule keeps the call from running.
    pub(crate) fn refusal(&self, operation: Option<&Registered>) -> Option<Error> {
        let error = match &self.effect {
            Effect::Status { status, message: given, retry_after_s, .. } => {
                let text = given.clone().unwrap_or_else(|| text_of(*status, operation));
                let error = Error::new(Kind::Fault(*status), "fault", text);
                match retry_after_s {
                    Some(seconds) => error.header("retry-after", seconds),
                    None => error,
                }
            }
            Effect::RateLimit { seconds } if operation.is_none_or(|it| !it.manner.rate_limited) => {
                let text = text_of(429, operation);
                Error::new(Kind::RateLimited, "rate_limited", text).header("retry-after", seconds)
            }
            Effect::Reset | Effect::Late { .. } => no_answer(),
            _ => return None,
        };
        Some(error.because("fault", self, None))
    }

    /// How many items of the call's list are done before it is refused, if the rule breaks it off.
    pub(crate) fn done(&self) -> Option<u32> {
        match self.effect {
            Effect::Partial { done, .. } => Some(done),
            _ => None,
        }
    }

    /// The refusal of a call that the rule breaks off.
    pub(crate) fn broken_off(&self, operation: &Registered) -> Error {
        let Effect::Partial { status, .. } = self.effect else { return no_answer() };
        Error::new(Kind::Fault(status), "fault", text_of(status, Some(operation)))
            .because("fault", self, None)
    }

    /// The places that an alteration does not find in an answer.
    pub(crate) fn missed(&self, body: &[u8]) -> Vec<String> {
        match self.effect {
            Effect::Alter { .. } => alter::body(&self.effect, body).map_or_else(Vec::new, |one| one.missed),
            _ => Vec::new(),
        }
    }

    /// What happens to the answer on its way to the client.
    pub(crate) fn mishap(&self) -> Option<Mishap> {
        Some(match self.effect {
            Effect::Latency { ms } => Mishap::Delayed(ms),
            Effect::Reset | Effect::LostAnswer | Effect::Late { .. } => Mishap::Reset,
            Effect::Torn => Mishap::Torn,
            Effect::Slow { ms } => Mishap::Slow(ms),
            _ => return None,
        })
    }
}

impl Strike {
    /// The altered answer for a typed caller; `None` if the rule alters none. It may no longer be an answer of that type.
    pub(crate) fn altered<T: DeserializeOwned>(&self, body: &[u8]) -> Option<Result<T, Error>> {
        let varies = matches!(self.effect, Effect::Lean | Effect::Rich | Effect::Varied | Effect::Reorder);
        let altered = match varies {
            true => Bytes::copy_from_slice(body),
            false => alter::body(&self.effect, body)?.body,
        };
        Some(serde_json::from_slice(&altered).map_err(|error| {
            let text = format!("The body of the answer is altered: {error}");
            Error::new(Kind::NoAnswer, "unreadable_answer", text).because("fault", self, None)
        }))
    }

    /// The error for a typed caller if a client over a network would get a body that it cannot parse.
    pub(crate) fn unreadable(&self) -> Option<Error> {
        let what = match self.effect {
            Effect::Empty => "is empty",
            Effect::Torn => "breaks off",
            Effect::Garbage => "is no JSON",
            _ => return None,
        };
        let text = format!("The body of the answer {what}");
        Some(Error::new(Kind::NoAnswer, "unreadable_answer", text).because("fault", self, None))
    }
}

/// The error for an in-process caller if a client over a network would get no answer.
pub(crate) fn no_answer() -> Error {
    Error::new(Kind::NoAnswer, "no_answer", "The connection was closed before an answer came")
}

/// The service's message for a status, used if the rule has no message.
fn text_of(status: u16, operation: Option<&Registered>) -> String {
    let failure = operation.map_or("", |operation| operation.entry.meta.failure);
    match status {
        500 if !failure.is_empty() => failure.to_owned(),
        429 => "ThrottlerException: Too Many Requests".to_owned(),
        _ => {
            let known = http::StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
            known.unwrap_or("Error").to_owned()
        }
    }
}

/// Formats the rule as in the journal: `rule 2: lost_answer`.
impl std::fmt::Display for Strike {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "rule {}: {}", self.id, self.effect.name())
    }
}
