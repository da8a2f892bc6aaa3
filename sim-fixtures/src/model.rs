//! The reference model: the simplest implementation that could be right.
//!
//! Lists and maps, no rows, no jobs, no schemas. It shares no logic with the simulator, only the published
//! contract. Given a [`Step`] it says how a world must respond.
//!
//! An operation is one rule in the file of its group: who may call it, which calls are drawn, and what the
//! results must be.

mod auth;
mod branches;
mod compute;
mod database;
mod disks;
mod documents;
mod drains;
mod expected;
mod faults;
mod functions;
mod hostnames;
mod keys;
mod links;
mod members;
mod network;
mod notebooks;
mod oauth;
mod organizations;
mod permissions;
mod projects;
mod query;
mod rule;
mod services;
mod settings;
mod slow;
mod snippets;
mod start;
mod time;
mod upgrades;
mod users;
mod webhooks;

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use sim_core::engine::{Access, Meta, Method};
use sim_core::{Operation, Timestamp};

use self::branches::{Branch, Run};
use self::compute::{Program, Upload};
use self::database::Replica;
use self::disks::Point;
use self::documents::Connection;
use self::drains::Drain;
use self::faults::{Fault, Struck};
use self::hostnames::{Hostname, Records};
use self::keys::{Claim, Invite, SigningKey, ThirdParty};
use self::links::Link;
use self::notebooks::Notebook;
use self::oauth::{App, Consent, Grant};
use self::organizations::Organization;
use self::projects::Project;
use self::rule::{Answer, Asked, Group};
use self::services::ApiKey;
use self::snippets::{Cursor, Snippet};
use self::time::{Agenda, MINUTE, later, seconds};
use self::upgrades::Upgrade;
use self::users::{Limits, Token, User};
use self::webhooks::{Delivery, Webhook};
use crate::strategies::{self, Ask, Dice, Step, Text, What, Who};

pub use self::expected::Expected;
pub(crate) use self::rule::Rule;
pub use self::start::{Start, world, world_under};
pub(crate) use self::start::{names, policy, tokens_of_apps};

/// Groups of operations, each in its own file.
const GROUPS: [&Group; 25] = [
    &organizations::GROUP,
    &members::GROUP,
    &drains::GROUP,
    &links::GROUP,
    &notebooks::GROUP,
    &compute::GROUP,
    &documents::GROUP,
    &webhooks::GROUP,
    &users::GROUP,
    &projects::GROUP,
    &services::GROUP,
    &disks::GROUP,
    &keys::GROUP,
    &settings::GROUP,
    &auth::GROUP,
    &database::GROUP,
    &query::GROUP,
    &upgrades::GROUP,
    &branches::GROUP,
    &network::GROUP,
    &hostnames::GROUP,
    &functions::GROUP,
    &snippets::GROUP,
    &oauth::GROUP,
    &faults::GROUP,
];

/// The rules for all operations.
pub(crate) fn rules() -> impl Iterator<Item = &'static Rule> {
    GROUPS.into_iter().flat_map(|group| group.rules)
}

/// The rule for the operation `O`.
pub(crate) fn rule_of<O: Operation>() -> &'static Rule {
    rule_with(O::META.id)
}

/// The rule for the operation with this id.
fn rule_with(id: &str) -> &'static Rule {
    let found = rules().find(|rule| rule.meta.id == id);
    found.unwrap_or_else(|| panic!("{id} is not an operation of the management service"))
}

/// Low limits, so that short histories reach them.
const SECRETS: usize = 3;
const SNIPPETS_ON_A_PAGE: usize = 2;
const FUNCTION_BYTES: usize = 64;
const FUNCTIONS: [(Text, usize); 4] = [("free", 1), ("pro", 2), ("team", 3), ("enterprise", usize::MAX)];

pub(crate) const CAST: [Text; 5] = ["owner", "administrator", "developer", "reader", "outsider"];
const ROLES: [Text; 4] = ["Read-only", "Developer", "Administrator", "Owner"];
const SCOPES: [Text; 19] = [
    "analytics:read",
    "projects:read",
    "auth:read",
    "auth:write",
    "database:read",
    "database:write",
    "domains:read",
    "domains:write",
    "edge_functions:read",
    "edge_functions:write",
    "environment:read",
    "environment:write",
    "organizations:read",
    "projects:write",
    "rest:read",
    "rest:write",
    "secrets:read",
    "secrets:write",
    "storage:read",
];

/// Tokens of apps that act for the owner: one may do everything, one reads projects.
const APPS: [(Text, &[Text]); 2] =
    [("token-of-an-app", &SCOPES), ("token-of-a-reading-app", &["projects:read"])];

/// The model's state of the world.
#[derive(Clone, Debug)]
pub struct Model {
    start: Start,
    now: Timestamp,
    agenda: Agenda,
    organizations: Vec<Organization>,
    projects: Vec<Project>,
    branches: Vec<Branch>,
    users: Vec<User>,
    /// The roles that people were invited to, by organization and address.
    invitations: BTreeMap<(usize, String), String>,
    tokens: Vec<Token>,
    /// The limits of the present call's token.
    reach: Limits,
    /// How the next background work of each kind ends, where that was decided.
    outcomes: BTreeMap<String, String>,
    replicas: Vec<Replica>,
    upgrades: Vec<Upgrade>,
    providers: Vec<auth::Provider>,
    keys: Vec<ApiKey>,
    signing_keys: Vec<SigningKey>,
    third_parties: Vec<ThirdParty>,
    claims: Vec<Claim>,
    invites: Vec<Invite>,
    /// How many users a list has shown so far: the first ones.
    known_users: usize,
    points: Vec<Point>,
    drains: Vec<Drain>,
    links: Vec<Link>,
    notebooks: Vec<Notebook>,
    programs: Vec<Program>,
    uploads: Vec<Upload>,
    connections: Vec<Connection>,
    webhooks: Vec<Webhook>,
    deliveries: Vec<Delivery>,
    runs: Vec<Run>,
    hostnames: Vec<Hostname>,
    dns: BTreeMap<String, Records>,
    snippets: Vec<Snippet>,
    cursors: Vec<Cursor>,
    apps: Vec<App>,
    grants: Vec<Grant>,
    codes: usize,
    refreshes: usize,
    consent: Consent,
    windows: BTreeMap<Bucket, Window>,
    faults: Vec<Fault>,
    faults_made: usize,
    /// The expected result of the last step; none after a wait.
    pub expected: Option<Expected>,
}

/// Whose rate limit a call counts against: a user's, or an app's for a user.
type Bucket = (usize, Option<usize>);

#[derive(Clone, Copy, Debug)]
struct Window {
    opened: Timestamp,
    used: u32,
    blocked_until: Option<Timestamp>,
}

impl Model {
    /// The world at its start, before the first steps.
    pub fn new(start: Start) -> Model {
        Model {
            start,
            now: "2026-01-01T00:00:00Z".parse().expect("it is an instant"),
            agenda: Agenda::default(),
            organizations: vec![Organization::first()],
            projects: Vec::new(),
            branches: Vec::new(),
            invitations: BTreeMap::new(),
            users: CAST.into_iter().map(User::named).collect(),
            tokens: users::first_tokens(),
            reach: Limits::default(),
            outcomes: BTreeMap::new(),
            replicas: Vec::new(),
            upgrades: Vec::new(),
            providers: Vec::new(),
            keys: Vec::new(),
            signing_keys: Vec::new(),
            third_parties: Vec::new(),
            claims: Vec::new(),
            invites: Vec::new(),
            known_users: 0,
            points: Vec::new(),
            drains: Vec::new(),
            links: Vec::new(),
            notebooks: Vec::new(),
            programs: Vec::new(),
            uploads: Vec::new(),
            connections: Vec::new(),
            webhooks: Vec::new(),
            deliveries: Vec::new(),
            runs: Vec::new(),
            hostnames: Vec::new(),
            dns: BTreeMap::new(),
            snippets: Vec::new(),
            cursors: Vec::new(),
            apps: Vec::new(),
            grants: Vec::new(),
            codes: 0,
            refreshes: 0,
            consent: Consent { user: None, granted: true },
            windows: BTreeMap::new(),
            faults: Vec::new(),
            faults_made: 0,
            expected: None,
        }
    }

    /// The world after the first steps.
    pub fn begun(start: Start) -> Model {
        let mut model = Model::new(start);
        start.steps().iter().for_each(|step| model.step(step));
        model
    }

    /// How the history starts.
    pub fn start(&self) -> Start {
        self.start
    }

    /// Does `step`; afterwards [`Model::expected`] returns its expected result.
    pub fn step(&mut self, step: &Step) {
        self.expected = match step {
            Step::Wait(length) => {
                self.wait(*length);
                None
            }
            Step::Ask(ask) => Some(self.ask(ask)),
        };
    }

    pub(crate) fn tokens(&self) -> usize {
        self.tokens.len() + 1
    }

    /// A call of the history's theme that is valid in the current state.
    pub(crate) fn fitting(&self, dice: &mut Dice) -> Option<What> {
        (GROUPS[self.start.theme].next)(dice, self)
    }

    /// A call: three times in four one of the history's theme, else any.
    pub(crate) fn draw(&self, dice: &mut Dice, without: &[String]) -> What {
        let theme = GROUPS[self.start.theme];
        let is_drawn = |rule: &&Rule| without.iter().all(|id| id != rule.meta.id);
        match dice.below(20) {
            0..8 => self.fitting(dice),
            8 => (dice.pick(&GROUPS).next)(dice, self),
            9 if !theme.works.is_empty() => Some(projects::next_fails(dice.pick(theme.works))),
            9..15 => {
                Some(dice.pick(&theme.rules.iter().filter(is_drawn).collect::<Vec<_>>()).draw(dice, self))
            }
            _ => None,
        }
        .unwrap_or_else(|| dice.pick(&rules().filter(is_drawn).collect::<Vec<_>>()).draw(dice, self))
    }

    /// Steps that read everything of the history's theme, or everything there is. They add a user who may see
    /// it all, so use them on a copy of the world.
    pub fn audit(&self, whole: bool) -> Vec<Step> {
        let auditor = self.users.len();
        let control =
            |id: &str, change: &dyn Fn(What) -> What| change(rule_with(id).draw(&mut Dice::plain(), self));
        let mut asks = vec![control("sim-create-user", &|what| what.with(json!({ "name": "auditor" })))];
        for organization in 0..self.organizations.len() {
            let at = |what: What| {
                let slug = format!("{{organization {organization}}}");
                what.at("slug", slug)
                    .at("user", format!("{{user {auditor}}}"))
                    .with(json!({ "role": "Owner" }))
            };
            asks.push(control("sim-set-member", &at));
        }
        let user = format!("{{user {auditor}}}");
        asks.push(control("sim-create-token", &|what| what.at("user", user.clone()).with(json!({}))));
        let groups = GROUPS.iter().enumerate().filter(|(number, _)| whole || *number == self.start.theme);
        let reads = groups.flat_map(|(_, group)| group.rules).filter(|rule| rule.is_read());
        for (chance, rule) in reads.enumerate() {
            let mut dice = Dice::new(chance as u64);
            let (first, any) = (rule.for_project(&mut dice, self, 0), rule.draw(&mut dice, self));
            let is_other = (&first.path, &first.query, &first.body) != (&any.path, &any.query, &any.body);
            asks.push(first);
            asks.extend(is_other.then_some(any));
        }
        let by_auditor = asks.into_iter().map(|what| (self.tokens.len(), what));
        // The remaining validity of the last tokens can only be seen by using them.
        let last = self.tokens.len().saturating_sub(3)..self.tokens.len();
        let by_others = last.map(|token| (token, control("v1-list-all-projects", &|what| what)));
        let step = |(token, what)| Step::Ask(Box::new(Ask { who: Who::Token(token), what, wrong: None }));
        by_auditor.chain(by_others).map(step).collect()
    }

    fn ask(&mut self, ask: &Ask) -> Expected {
        let mut standing = None;
        let answer = self.answer(ask, &mut standing);
        self.settle();
        let good = ask.what.rule.meta.status;
        let (status, body) = answer.map_or_else(|status| (status, json!({})), |body| (good, body));
        Expected { status, body, standing }
    }

    /// The order of checks: injected faults, credentials, rate limit, path, form, scope or permissions, role, existence, then
    /// the checks of the operation itself.
    fn answer(&mut self, ask: &Ask, standing: &mut Option<(u32, u64)>) -> Answer {
        let struck = self.struck(ask);
        if let Some(Struck { status, done: None }) = struck {
            return Err(status);
        }
        self.reach = Limits::default();
        let rule = ask.what.rule;
        let routed = ask.wrong.as_ref().is_none_or(strategies::Wrong::is_routed);
        let caller = match rule.meta.access {
            Access::Control => None,
            Access::Public if routed => None,
            _ => Some(self.admit(ask.who)?),
        };
        if let Some(caller) = caller
            && let Some((remaining, reset, over)) = self.count(caller)
        {
            *standing = Some((remaining, reset));
            if over {
                return Err(429);
            }
        }
        if let Some(wrong) = &ask.wrong {
            return Err(wrong.status());
        }
        self.reach = caller.map(|caller| self.tokens[caller].limits.clone()).unwrap_or_default();
        if let Some(granted) = caller.and_then(|caller| self.tokens[caller].scopes.as_ref())
            && (rule.scope.is_empty() || !granted.iter().any(|one| one == rule.scope))
        {
            return Err(403);
        }
        let asked = Asked { user: caller.map(|caller| self.tokens[caller].user), what: &ask.what };
        if self.reach.permissions.as_ref().is_some_and(|granted| !permissions::cover(granted, &asked)) {
            return Err(403);
        }
        self.guard(&asked)?;
        self.needs(&asked)?;
        let meta = &rule.meta;
        let of_project =
            ["/v1/projects/{ref}", "/v2/projects/{ref}"].iter().any(|of| meta.path.starts_with(of));
        if of_project && meta.method != Method::Get {
            self.note_use(asked.project());
        }
        let Some(Struck { status, done: Some(done) }) = struck else { return (rule.run)(self, &asked) };
        let mut first = ask.what.clone();
        let items = first.body.as_array_mut().expect("only calls with a list are broken off");
        items.truncate(done);
        if !items.is_empty() {
            (rule.run)(self, &Asked { what: &first, ..asked })?;
        }
        Err(status)
    }

    /// The number of a token that is valid now.
    fn admit(&self, who: Who) -> Result<usize, u16> {
        let Who::Token(number) = who else { return Err(401) };
        let token = self.tokens.get(number).ok_or(401_u16)?;
        let expired = token.expires.is_some_and(|end| end <= self.now);
        if token.revoked || expired { Err(401) } else { Ok(number) }
    }

    /// Calls left, seconds until the limit is renewed, and whether this call exceeds it.
    fn count(&mut self, token: usize) -> Option<(u32, u64, bool)> {
        let calls = self.start.calls?;
        let now = self.now;
        let token = &self.tokens[token];
        let fresh = Window { opened: now, used: 0, blocked_until: None };
        let window = self.windows.entry((token.user, token.app)).or_insert(fresh);
        match window.blocked_until {
            Some(until) if now < until => return Some((0, seconds(now, until), true)),
            Some(_) => *window = fresh,
            None if later(window.opened, MINUTE) <= now => *window = fresh,
            None => {}
        }
        if window.used == calls {
            window.blocked_until = Some(later(now, MINUTE));
            return Some((0, 60, true));
        }
        window.used += 1;
        Some((calls - window.used, seconds(now, later(window.opened, MINUTE)), false))
    }

    /// Whether the call reaches the operation: everything in the path exists, the caller has the role for it, and the project
    /// has not been removed.
    fn guard(&self, asked: &Asked<'_>) -> Result<(), u16> {
        let (path, role) = (asked.what.rule.meta.path, asked.what.rule.role);
        if path.contains("/organizations/{slug}") && !path.starts_with("/_sim") {
            self.organization(asked.user, asked.number("slug"), role)?;
        } else if path.contains("/branches/{branch_id}") {
            let branch = self.branch(asked)?;
            let project = self.branches[branch].project;
            let organization = self.projects[project].organization;
            self.ranked(asked.user, organization, role)?;
            self.require_reach(organization, Some(project))?;
        } else if path.contains("/projects/{") {
            self.live_project(asked.user, asked.project(), role)?;
        }
        Ok(())
    }

    /// Whether the project has what the operation is declared to need.
    fn needs(&self, asked: &Asked<'_>) -> Result<(), u16> {
        let Meta { path, needs, .. } = &asked.what.rule.meta;
        let project = match path {
            path if path.contains("/projects/{") => asked.project(),
            path if path.starts_with("/v1/branches/{") => self.branches[self.branch(asked)?].project,
            _ => return Ok(()),
        };
        let found = &self.projects[project];
        if needs.set_up && ["UNKNOWN", "COMING_UP"].contains(&found.status) {
            return Err(400);
        }
        if needs.active && !found.is_active() {
            return Err(400);
        }
        if needs.services.iter().all(|service| found.answers(service)) { Ok(()) } else { Err(544) }
    }

    /// Whether the next piece of `work` fails, as was decided; a decision counts once.
    fn next_fails(&mut self, work: &str) -> bool {
        self.next_outcome(work) == "fail"
    }

    /// How the next piece of `work` ends: `succeed`, `fail`, or `never`.
    fn next_outcome(&mut self, work: &str) -> String {
        self.outcomes.remove(work).unwrap_or_else(|| "succeed".to_owned())
    }
}

/// `one` overwritten with the fields of `other`.
fn merged(mut one: Value, other: Value) -> Value {
    if let (Value::Object(one), Value::Object(other)) = (&mut one, other) {
        one.extend(other);
    }
    one
}

/// Days as a duration.
const fn days(count: u64) -> Duration {
    Duration::from_secs(count * 86_400)
}
