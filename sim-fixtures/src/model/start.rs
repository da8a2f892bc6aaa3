//! The world that the model begins with.

use sim_core::engine::FunctionLimits;
use sim_core::management::user::CreateToken;
use sim_core::{Policy, RateLimit, Simulator};

use super::rule::Change;
use super::time::MINUTE;
use super::{APPS, CAST, FUNCTION_BYTES, GROUPS, Model, SECRETS, SNIPPETS_ON_A_PAGE, rule_with};
use crate::scenario;
use crate::strategies::{Ask, Dice, MAX_BODY_BYTES, Names, Step, Text, Who};

/// How a history starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// The group of operations that most of its calls belong to.
    pub(super) theme: usize,
    /// Calls that a user has per minute; `None` is no limit.
    pub(super) calls: Option<u32>,
}

impl Start {
    /// A start without random choices.
    pub fn plain() -> Start {
        Start { theme: 0, calls: None }
    }

    /// One start per theme, without a rate limit.
    pub(crate) fn all() -> impl Iterator<Item = Start> {
        (0..GROUPS.len()).map(|theme| Start { theme, calls: None })
    }

    /// This start with a rate limit of this many calls per minute and user.
    #[cfg(feature = "proptest")]
    pub(crate) fn counting(self, calls: Option<u32>) -> Start {
        Start { calls, ..self }
    }

    /// The operations that its history is mainly about.
    pub(crate) fn ids(self) -> impl Iterator<Item = Text> {
        GROUPS[self.theme].rules.iter().map(|rule| rule.meta.id)
    }

    /// The first steps: they give every user one project, prepared for the theme of the history.
    pub fn steps(self) -> Vec<Step> {
        let model = Model::new(self);
        let good = |id: &str, change: Change| {
            let what = change(rule_with(id).draw(&mut Dice::plain(), &model));
            Step::Ask(Box::new(Ask { who: Who::Token(0), what, wrong: None }))
        };
        let mut steps = vec![good("v1-create-a-project", |what| what), Step::Wait(MINUTE)];
        if self.is_slow() {
            steps.push(Step::Wait(MINUTE));
        }
        for (id, change) in GROUPS[self.theme].first {
            steps.push(good(id, *change));
        }
        steps.push(Step::Wait(MINUTE));
        steps
    }
}

/// A world for the model to describe: the users of [`scenario::cast`], an app with every scope of the owner,
/// an app that may read projects, and limits low enough to be reached.
pub fn world(start: Start) -> (Simulator, Names) {
    world_under(policy(start))
}

/// The same world under another policy, which the model does not describe.
pub fn world_under(policy: Policy) -> (Simulator, Names) {
    let mut sim = scenario::with_policy(policy);
    for token in tokens_of_apps() {
        sim.as_admin().call(token).expect("the token is new");
    }
    (sim, names())
}

/// The policy of that world.
pub(crate) fn policy(start: Start) -> Policy {
    start.slowed(Policy {
        rate_limit: start.calls.map_or(RateLimit::off(), |calls| RateLimit::of(calls, 60)),
        secrets_per_project: SECRETS as u32,
        snippets_page: SNIPPETS_ON_A_PAGE as u32,
        functions: FunctionLimits { free: 1, pro: 2, team: 3, enterprise: None },
        function_bytes: FUNCTION_BYTES as u64,
        max_body_bytes: MAX_BODY_BYTES,
        ..Policy::default()
    })
}

/// The calls that make the tokens of its apps.
pub(crate) fn tokens_of_apps() -> impl Iterator<Item = CreateToken> {
    APPS.into_iter().map(|(text, scopes)| CreateToken {
        token: Some(text.into()),
        scopes: Some(scopes.iter().map(|scope| (*scope).to_owned()).collect()),
        ..CreateToken::personal("owner")
    })
}

/// The names of things in it.
pub(crate) fn names() -> Names {
    let mut tokens: Vec<_> = CAST.iter().map(|name| format!("token-of-{name}")).collect();
    tokens.extend(APPS.iter().map(|(text, _)| (*text).to_owned()));
    let users = CAST.map(str::to_owned).into();
    Names::of([("organization", vec!["acme".to_owned()]), ("user", users), ("token", tokens)])
}
