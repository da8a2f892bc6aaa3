//! The reference model: the simplest thing that could be right.
//!
//! Lists and maps, no rows, no jobs, no schemas. It shares no logic with the simulator; what both know is the
//! published contract. Given a [`Step`] it says how a world must answer.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use proptest::prelude::*;
use proptest_state_machine::ReferenceStateMachine;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use sim_core::management::user::CreateToken;
use sim_core::{Policy, RateLimit, Simulator, Timestamp};

use crate::scenario;
use crate::strategies::{self, Ask, Extent, MAX_BODY_BYTES, Names, Step, What, Who};

/// Calls in a minute: few, so that short histories meet the limit.
const CALLS: u32 = 15;
/// Secrets of a project: few, for the same reason.
const SECRETS: usize = 3;
const MINUTE: Duration = Duration::from_secs(60);

/// A world for the model to describe: everyone of [`scenario::cast`], an app that may do everything for the owner and
/// one that may read projects, and limits low enough to be met.
pub fn world() -> (Simulator, Names) {
    let policy = Policy {
        rate_limit: RateLimit::of(CALLS, 60),
        secrets_per_project: SECRETS as u32,
        max_body_bytes: MAX_BODY_BYTES,
        ..Policy::default()
    };
    let mut sim = scenario::with_policy(policy);
    let owned = |list: &[&str]| list.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>();
    for (text, scopes) in APPS {
        let token = CreateToken {
            token: Some((*text).into()),
            scopes: Some(owned(scopes)),
            ..CreateToken::personal("owner")
        };
        sim.as_admin().call(token).expect("the token is new");
    }
    let users = owned(&CAST);
    let mut tokens: Vec<_> = users.iter().map(|name| format!("token-of-{name}")).collect();
    tokens.extend(APPS.iter().map(|(text, _)| (*text).to_owned()));
    (sim, Names { projects: vec![], organizations: owned(&["acme"]), users, tokens })
}

const CAST: [&str; 5] = ["owner", "administrator", "developer", "reader", "outsider"];
const APPS: &[(&str, &[&str])] = &[
    (
        "token-of-an-app",
        &[
            "organizations:read",
            "projects:read",
            "projects:write",
            "secrets:read",
            "secrets:write",
            "database:read",
            "database:write",
        ],
    ),
    ("token-of-a-reading-app", &["projects:read"]),
];

/// The world as the model has it.
#[derive(Clone, Debug)]
pub struct Model {
    now: Timestamp,
    organizations: Vec<Organization>,
    projects: Vec<Project>,
    users: Vec<User>,
    tokens: Vec<Token>,
    /// How the next work of a kind ends: whether it fails.
    outcomes: BTreeMap<&'static str, bool>,
    /// By user, and whether it is an app that calls.
    windows: BTreeMap<(usize, bool), Window>,
    /// What the last step must have come to; nothing after a wait.
    pub expected: Option<Expected>,
}

/// What a call must come to.
#[derive(Clone, Debug)]
pub struct Expected {
    /// The status.
    pub status: u16,
    /// What the body must contain at least. `{project 0}` and `{organization 0}` stand for what the world called them.
    pub body: Value,
    /// `x-ratelimit-remaining` and `x-ratelimit-reset`, where calls are counted.
    pub standing: Option<(u32, u64)>,
}

#[derive(Clone, Debug)]
struct Organization {
    name: String,
    plan: &'static str,
    /// Role by user.
    members: BTreeMap<usize, &'static str>,
}

#[derive(Clone, Debug)]
struct Project {
    organization: usize,
    name: &'static str,
    status: &'static str,
    /// What it becomes next, and when.
    next: Option<(Timestamp, &'static str)>,
    engine: &'static str,
    /// The engine that it will be on when it is restored.
    restores_on: &'static str,
    addons: BTreeSet<&'static str>,
    broken: BTreeSet<&'static str>,
    secrets: BTreeMap<&'static str, (&'static str, Timestamp)>,
    bytes: i64,
    told_read_only: bool,
    override_until: Option<Timestamp>,
}

#[derive(Clone, Debug)]
struct User {
    name: String,
    email: String,
}

#[derive(Clone, Debug)]
struct Token {
    text: Option<String>,
    user: usize,
    scopes: Option<Vec<&'static str>>,
    expires: Option<Timestamp>,
    revoked: bool,
}

#[derive(Clone, Copy, Debug)]
struct Window {
    opened: Timestamp,
    used: u32,
    blocked_until: Option<Timestamp>,
}

/// The status of a project that is not there any more.
const GONE: &str = "gone";
const ROLES: [&str; 4] = ["Read-only", "Developer", "Administrator", "Owner"];
const ENGINES: [&str; 3] = ["15", "17", "17-oriole"];

/// Status and body of a success, or the status of a refusal.
type Answer = Result<(u16, Value), u16>;

impl Model {
    /// The world as it begins.
    pub fn new() -> Model {
        let users = CAST.map(|name| User { name: name.to_owned(), email: format!("{name}@example.test") });
        let personal = (0..CAST.len()).map(|user| Token {
            text: Some(format!("token-of-{}", CAST[user])),
            user,
            scopes: None,
            expires: None,
            revoked: false,
        });
        let apps = APPS.iter().map(|(text, scopes)| Token {
            text: Some((*text).to_owned()),
            user: 0,
            scopes: Some(scopes.to_vec()),
            expires: None,
            revoked: false,
        });
        let members = [(0, "Owner"), (1, "Administrator"), (2, "Developer"), (3, "Read-only")];
        Model {
            now: "2026-01-01T00:00:00Z".parse().expect("it is an instant"),
            organizations: vec![Organization {
                name: "Acme".to_owned(),
                plan: "pro",
                members: members.into(),
            }],
            projects: Vec::new(),
            users: users.into(),
            tokens: personal.chain(apps).collect(),
            outcomes: BTreeMap::new(),
            windows: BTreeMap::new(),
            expected: None,
        }
    }

    /// The status of each project that there is, in order of creation.
    pub fn statuses(&self) -> Vec<(usize, &'static str)> {
        let there = self.projects.iter().enumerate().filter(|(_, project)| project.status != GONE);
        there.map(|(number, project)| (number, project.status)).collect()
    }

    /// Does `step`; afterwards [`Model::expected`] says what it must have come to.
    pub fn step(&mut self, step: &Step) {
        self.expected = match step {
            Step::Wait(length) => {
                self.wait(*length);
                None
            }
            Step::Ask(ask) => Some(self.ask(ask)),
        };
    }

    fn extent(&self) -> Extent {
        let next = self.projects.iter().filter_map(|project| project.next).map(|(at, _)| at).min();
        Extent {
            organizations: self.organizations.len(),
            projects: self.projects.iter().map(|project| project.status).collect(),
            users: self.users.len(),
            tokens: self.tokens.len(),
            next_due: next.and_then(|at| at.duration_since(self.now).try_into().ok()),
        }
    }

    fn wait(&mut self, length: Duration) {
        self.now = later(self.now, length);
        for project in &mut self.projects {
            while let Some((at, status)) = project.next.filter(|(at, _)| *at <= self.now) {
                project.turn(status);
                if status == "REMOVED" {
                    project.next = Some((later(at, MINUTE), GONE));
                }
            }
        }
    }

    fn ask(&mut self, ask: &Ask) -> Expected {
        let mut standing = None;
        let answer = self.answer(ask, &mut standing);
        let (status, body) = answer.unwrap_or_else(|status| (status, json!({})));
        Expected { status, body, standing }
    }

    /// Credentials, rate limit, path, form, then what the operation itself has to say.
    fn answer(&mut self, ask: &Ask, standing: &mut Option<(u32, u64)>) -> Answer {
        let caller = match controls(&ask.what) {
            true => None,
            false => Some(self.admit(ask.who)?),
        };
        if let Some(caller) = caller {
            let (remaining, reset, over) = self.count(caller);
            *standing = Some((remaining, reset));
            if over {
                return Err(429);
            }
        }
        match ask.what {
            What::UnknownPath => return Err(404),
            What::WrongMethod => return Err(405),
            _ => {}
        }
        if let Some(wrong) = &ask.wrong {
            return Err(wrong.status());
        }
        if let Some(granted) = caller.and_then(|caller| self.tokens[caller].scopes.as_ref())
            && !scope(&ask.what).is_some_and(|needed| granted.contains(&needed))
        {
            return Err(403);
        }
        self.run(caller.map(|caller| self.tokens[caller].user), &ask.what)
    }

    /// The number of a token that is good now.
    fn admit(&self, who: Who) -> Result<usize, u16> {
        let Who::Token(number) = who else { return Err(401) };
        let token = self.tokens.get(number).ok_or(401_u16)?;
        let expired = token.expires.is_some_and(|end| end <= self.now);
        if token.revoked || expired { Err(401) } else { Ok(number) }
    }

    /// Calls left, seconds until there are more, and whether this one is too many.
    fn count(&mut self, token: usize) -> (u32, u64, bool) {
        let now = self.now;
        let token = &self.tokens[token];
        let fresh = Window { opened: now, used: 0, blocked_until: None };
        let window = self.windows.entry((token.user, token.scopes.is_some())).or_insert(fresh);
        match window.blocked_until {
            Some(until) if now < until => return (0, seconds(now, until), true),
            Some(_) => *window = fresh,
            None if later(window.opened, MINUTE) <= now => *window = fresh,
            None => {}
        }
        if window.used == CALLS {
            window.blocked_until = Some(later(now, MINUTE));
            return (0, 60, true);
        }
        window.used += 1;
        (CALLS - window.used, seconds(now, later(window.opened, MINUTE)), false)
    }

    /// What the operation says to `caller`, a user or (`None`) whoever drives the simulator.
    fn run(&mut self, caller: Option<usize>, what: &What) -> Answer {
        match what {
            What::CreateOrganization { name } => {
                let owner = caller.map(|user| (user, "Owner"));
                let members = owner.into_iter().collect();
                self.organizations.push(Organization { name: name.clone(), plan: "free", members });
                Ok((201, json!({ "name": name })))
            }
            What::ListOrganizations => {
                let mine = self.organizations.iter().enumerate().filter(|(_, one)| one.has(caller));
                Ok((200, mine.map(|(number, one)| one.shown(number)).collect()))
            }
            What::GetOrganization { organization } => {
                let found = self.organization(caller, *organization, "Read-only")?;
                Ok((200, merged(found.shown(*organization), json!({ "plan": found.plan }))))
            }
            What::ListMembers { organization } => {
                let found = self.organization(caller, *organization, "Read-only")?;
                let members = found.members.iter().map(|(user, role)| {
                    let User { name, email } = &self.users[*user];
                    json!({ "user_name": name, "email": email, "role_name": role })
                });
                Ok((200, members.collect()))
            }
            What::SetPlan { organization, plan } => {
                self.organizations.get_mut(*organization).ok_or(404_u16)?.plan = plan;
                Ok((200, json!({ "plan": plan })))
            }
            What::SetMember { organization, user, role } => {
                let found = self.organizations.get_mut(*organization).ok_or(404_u16)?;
                self.users.get(*user).ok_or(404_u16)?;
                found.members.insert(*user, role);
                Ok((200, json!({})))
            }
            What::RemoveMember { organization, user } => {
                let found = self.organizations.get_mut(*organization).ok_or(404_u16)?;
                found.members.remove(user).ok_or(404_u16)?;
                Ok((200, json!({})))
            }
            What::CreateProject { organization, name, engine } => {
                self.create_project(caller, *organization, name, engine.unwrap_or("15"))
            }
            What::ListProjects => {
                let mine = |project: &Project| self.organizations[project.organization].has(caller);
                let there = self.projects.iter().enumerate();
                let shown = there.filter(|(_, project)| project.status != GONE && mine(project));
                Ok((200, shown.map(|(number, project)| project.shown(number)).collect()))
            }
            What::GetProject { project } => {
                Ok((200, self.project(caller, *project, "Read-only")?.shown(*project)))
            }
            What::PauseProject { project } => {
                let pausable = ["COMING_UP", "ACTIVE_HEALTHY", "ACTIVE_UNHEALTHY", "PAUSE_FAILED"];
                if !pausable.contains(&self.project(caller, *project, "Administrator")?.status) {
                    return Err(400);
                }
                self.set_off(*project, "PAUSING", 20, "pause", "INACTIVE", "PAUSE_FAILED");
                Ok((200, json!({})))
            }
            What::DeleteProject { project } => {
                self.project(caller, *project, "Administrator")?;
                let gone_at = later(self.now, MINUTE);
                let found = &mut self.projects[*project];
                found.turn("REMOVED");
                found.next = Some((gone_at, GONE));
                Ok((200, json!({ "name": found.name, "ref": format!("{{project {project}}}") })))
            }
            What::SetNextOutcome { work, fails } => {
                self.outcomes.insert(work, *fails);
                Ok((200, json!({})))
            }
            What::ListRestoreVersions { project } => {
                let engine = self.project(caller, *project, "Read-only")?.engine;
                // Engine 15 is on offer in two versions.
                let all = ["15", "15", "17", "17-oriole"];
                let from = all.iter().position(|one| *one == engine).expect("engines are on offer");
                let versions: Vec<_> =
                    all[from..].iter().map(|engine| json!({ "postgres_engine": engine })).collect();
                Ok((200, json!({ "available_versions": versions })))
            }
            What::RestoreProject { project, engine } => self.restore_project(caller, *project, *engine),
            What::CancelRestoration { project } => {
                if self.project(caller, *project, "Administrator")?.status != "RESTORING" {
                    return Err(400);
                }
                self.projects[*project].turn("INACTIVE");
                Ok((200, json!({})))
            }
            What::GetHealth { project, services, timeout_ms } => {
                let found = self.project(caller, *project, "Read-only")?;
                let late = timeout_ms.is_some_and(|limit| limit < 50);
                Ok((200, services.iter().map(|service| found.health(service, late)).collect()))
            }
            What::SetServiceHealth { project, service, healthy } => {
                let active = ["ACTIVE_HEALTHY", "ACTIVE_UNHEALTHY"];
                if !active.contains(&self.project(None, *project, "Owner")?.status) {
                    return Err(400);
                }
                let found = &mut self.projects[*project];
                if *healthy {
                    found.broken.remove(service);
                } else {
                    found.broken.insert(service);
                }
                found.status = active[usize::from(!found.broken.is_empty())];
                Ok((200, json!({})))
            }
            What::SetAddon { project, addon, enabled } => {
                self.project(None, *project, "Owner")?;
                let addons = &mut self.projects[*project].addons;
                if *enabled {
                    addons.insert(addon)
                } else {
                    addons.remove(addon)
                };
                Ok((200, json!({})))
            }
            What::ListAddons { project } => {
                let addons = &self.project(None, *project, "Owner")?.addons;
                let published = ["custom_domain", "pitr_7", "pitr_14", "pitr_28"];
                Ok((200, published.into_iter().filter(|one| addons.contains(one)).collect()))
            }
            What::ListApiKeys { project, reveal } => {
                self.project(caller, *project, "Read-only")?;
                if *reveal == Some(true) {
                    self.project(caller, *project, "Administrator")?;
                }
                let types = ["legacy", "legacy", "publishable", "secret"];
                Ok((200, types.into_iter().map(|kind| json!({ "type": kind })).collect()))
            }
            What::CreateSecrets { project, secrets } => {
                let mut all = self.project(caller, *project, "Administrator")?.secrets.clone();
                all.extend(secrets.iter().map(|(name, value)| (*name, (*value, self.now))));
                if all.len() > SECRETS {
                    return Err(400);
                }
                self.projects[*project].secrets = all;
                Ok((201, json!({})))
            }
            What::ListSecrets { project } => {
                let secrets = &self.project(caller, *project, "Read-only")?.secrets;
                let shown = secrets.iter().map(|(name, (value, at))| {
                    let digest: String =
                        Sha256::digest(value).iter().map(|byte| format!("{byte:02x}")).collect();
                    json!({ "name": name, "value": digest, "updated_at": at.to_string() })
                });
                Ok((200, shown.collect()))
            }
            What::DeleteSecrets { project, names } => {
                self.project(caller, *project, "Administrator")?;
                self.projects[*project].secrets.retain(|name, _| !names.contains(name));
                Ok((200, json!({})))
            }
            What::GetReadOnly { project } => {
                let found = self.project(caller, *project, "Read-only")?;
                let enabled = self.is_read_only(found);
                let overridden = enabled && found.override_until.is_some_and(|until| self.now < until);
                let mut body = json!({ "enabled": enabled, "override_enabled": overridden });
                if let Some(until) = found.override_until {
                    body["override_active_until"] = until.to_string().into();
                }
                Ok((200, body))
            }
            What::DisableReadOnly { project } => {
                if self.is_read_only(self.project(caller, *project, "Administrator")?) {
                    self.projects[*project].override_until = Some(later(self.now, 15 * MINUTE));
                }
                Ok((201, json!({})))
            }
            What::SetReadOnly { project, enabled } => {
                self.project(None, *project, "Owner")?;
                self.projects[*project].told_read_only = *enabled;
                Ok((200, json!({})))
            }
            What::WriteDatabase { project, bytes } => {
                let found = self.project(None, *project, "Owner")?;
                let active = ["ACTIVE_HEALTHY", "ACTIVE_UNHEALTHY"].contains(&found.status);
                let overridden = found.override_until.is_some_and(|until| self.now < until);
                if !active || (self.is_read_only(found) && !overridden) {
                    return Err(400);
                }
                let found = &mut self.projects[*project];
                found.bytes = (found.bytes + bytes).max(0);
                Ok((201, json!({ "database_bytes": found.bytes })))
            }
            What::CreateUser { name, email } => {
                let email = email.map_or_else(|| format!("{name}@example.test"), str::to_owned);
                if self.users.iter().any(|user| user.name == *name || user.email == email) {
                    return Err(400);
                }
                self.users.push(User { name: (*name).to_owned(), email });
                Ok((201, json!({ "name": name })))
            }
            What::ListUsers => {
                let users = self.users.iter().map(|user| json!({ "name": user.name, "email": user.email }));
                Ok((200, users.collect()))
            }
            What::CreateToken { user, text, scopes, lasts_s } => {
                let text = text.map(str::to_owned);
                self.users.get(*user).ok_or(404_u16)?;
                if text.is_some() && self.tokens.iter().any(|token| token.text == text) {
                    return Err(400);
                }
                let expires = lasts_s.map(|seconds| later(self.now, Duration::from_secs(seconds)));
                let token = Token { text, user: *user, scopes: scopes.clone(), expires, revoked: false };
                self.tokens.push(token);
                Ok((201, json!({ "id": self.tokens.len() })))
            }
            What::ListTokens => {
                let shown =
                    self.tokens.iter().enumerate().map(
                        |(number, token)| json!({ "id": number + 1, "user": self.users[token.user].name }),
                    );
                Ok((200, shown.collect()))
            }
            What::RevokeToken { token } => {
                let found = self.tokens.get_mut(*token).filter(|token| !token.revoked).ok_or(404_u16)?;
                found.revoked = true;
                Ok((200, json!({})))
            }
            What::UnknownPath | What::WrongMethod => unreachable!("refused before"),
        }
    }

    fn create_project(
        &mut self,
        caller: Option<usize>,
        organization: usize,
        name: &'static str,
        engine: &'static str,
    ) -> Answer {
        self.organization(caller, organization, "Administrator")?;
        let mut siblings =
            self.projects.iter().filter(|one| one.organization == organization && one.status != GONE);
        if siblings.any(|one| one.name == name) || self.is_quota_full(organization, None) {
            return Err(400);
        }
        self.projects.push(Project {
            organization,
            name,
            status: "UNKNOWN",
            next: None,
            engine,
            restores_on: engine,
            addons: BTreeSet::new(),
            broken: BTreeSet::new(),
            secrets: BTreeMap::new(),
            bytes: 10_000_000,
            told_read_only: false,
            override_until: None,
        });
        let answered = self.projects[self.projects.len() - 1].shown(self.projects.len() - 1);
        self.set_off(self.projects.len() - 1, "COMING_UP", 60, "create", "ACTIVE_HEALTHY", "INIT_FAILED");
        Ok((201, answered))
    }

    fn restore_project(
        &mut self,
        caller: Option<usize>,
        project: usize,
        engine: Option<&'static str>,
    ) -> Answer {
        let found = self.project(caller, project, "Administrator")?;
        let age = |engine| ENGINES.iter().position(|one| *one == engine);
        let engine = engine.unwrap_or(found.engine);
        if age(engine) < age(found.engine) || found.status != "INACTIVE" {
            return Err(400);
        }
        if self.is_quota_full(found.organization, Some(project)) {
            return Err(403);
        }
        self.projects[project].restores_on = engine;
        self.set_off(project, "RESTORING", 120, "restore", "ACTIVE_HEALTHY", "RESTORE_FAILED");
        Ok((200, json!({})))
    }

    /// Turns the project to `status` now, and `seconds` later to `good` or, if that was decided, to `bad`.
    fn set_off(
        &mut self,
        project: usize,
        status: &'static str,
        seconds: u64,
        work: &'static str,
        good: &'static str,
        bad: &'static str,
    ) {
        let fails = self.outcomes.remove(work).unwrap_or(false);
        let end = later(self.now, Duration::from_secs(seconds));
        let project = &mut self.projects[project];
        project.turn(status);
        project.next = Some((end, if fails { bad } else { good }));
    }

    /// The organization: 404 unless there is one, 403 unless `caller` has at least `role` in it.
    fn organization(&self, caller: Option<usize>, number: usize, role: &str) -> Result<&Organization, u16> {
        let found = self.organizations.get(number).ok_or(404_u16)?;
        let rank = |role: &str| ROLES.iter().position(|one| *one == role);
        let Some(user) = caller else { return Ok(found) };
        match found.members.get(&user) {
            Some(held) if rank(held) >= rank(role) => Ok(found),
            _ => Err(403),
        }
    }

    /// The project: 404 unless it is there, 403 unless `caller` has at least `role`, 400 once it is removed.
    fn project(&self, caller: Option<usize>, number: usize, role: &str) -> Result<&Project, u16> {
        let found = self.projects.get(number).filter(|project| project.status != GONE).ok_or(404_u16)?;
        self.organization(caller, found.organization, role)?;
        if found.status == "REMOVED" { Err(400) } else { Ok(found) }
    }

    /// Whether some administrator of a free organization has two active free projects already, `but` not counted.
    fn is_quota_full(&self, organization: usize, but: Option<usize>) -> bool {
        let administers = |organization: &Organization, user| {
            matches!(organization.members.get(&user), Some(&"Administrator" | &"Owner"))
        };
        let is_counted = |number, project: &Project, user| {
            let organization = &self.organizations[project.organization];
            let rests = ["INACTIVE", "PAUSING", GONE].contains(&project.status);
            organization.plan == "free" && administers(organization, user) && !rests && Some(number) != but
        };
        let active = |user| {
            self.projects
                .iter()
                .enumerate()
                .filter(|(number, project)| is_counted(*number, project, user))
                .count()
        };
        let organization = &self.organizations[organization];
        organization.plan == "free"
            && (0..self.users.len()).any(|user| administers(organization, user) && active(user) >= 2)
    }

    fn is_read_only(&self, project: &Project) -> bool {
        let limit = match self.organizations[project.organization].plan {
            "free" => 500_000_000,
            _ => 7_782_400_000,
        };
        project.told_read_only || project.bytes > limit
    }
}

impl Default for Model {
    fn default() -> Model {
        Model::new()
    }
}

impl Organization {
    fn has(&self, caller: Option<usize>) -> bool {
        caller.is_none_or(|user| self.members.contains_key(&user))
    }

    fn shown(&self, number: usize) -> Value {
        json!({ "id": format!("{{organization {number}}}"), "name": self.name })
    }
}

impl Project {
    fn turn(&mut self, status: &'static str) {
        if (self.status, status) == ("RESTORING", "ACTIVE_HEALTHY") {
            self.engine = self.restores_on;
        }
        self.status = status;
        self.next = None;
        if status != "ACTIVE_UNHEALTHY" {
            self.broken.clear();
        }
    }

    fn shown(&self, number: usize) -> Value {
        json!({
            "id": format!("{{project {number}}}"),
            "organization_id": format!("{{organization {}}}", self.organization),
            "name": self.name,
            "region": "eu-west-1",
            "status": self.status,
        })
    }

    fn health(&self, service: &'static str, late: bool) -> Value {
        let status = match self.status {
            _ if late => "UNHEALTHY",
            "ACTIVE_HEALTHY" | "ACTIVE_UNHEALTHY" if !self.broken.contains(service) => "ACTIVE_HEALTHY",
            "COMING_UP" | "RESTORING" => "COMING_UP",
            _ => "UNHEALTHY",
        };
        json!({ "name": service, "healthy": status == "ACTIVE_HEALTHY", "status": status })
    }
}

/// Whether the call is for whoever drives the simulator: no token, no limit.
fn controls(what: &What) -> bool {
    matches!(
        what,
        What::SetPlan { .. }
            | What::SetMember { .. }
            | What::RemoveMember { .. }
            | What::SetNextOutcome { .. }
            | What::SetAddon { .. }
            | What::ListAddons { .. }
            | What::SetServiceHealth { .. }
            | What::SetReadOnly { .. }
            | What::WriteDatabase { .. }
            | What::CreateUser { .. }
            | What::ListUsers
            | What::CreateToken { .. }
            | What::ListTokens
            | What::RevokeToken { .. }
    )
}

/// The scope that an app needs; `None`: no app may.
fn scope(what: &What) -> Option<&'static str> {
    Some(match what {
        What::ListOrganizations | What::GetOrganization { .. } | What::ListMembers { .. } => {
            "organizations:read"
        }
        What::ListProjects
        | What::GetProject { .. }
        | What::GetHealth { .. }
        | What::ListRestoreVersions { .. } => "projects:read",
        What::CreateProject { .. }
        | What::PauseProject { .. }
        | What::DeleteProject { .. }
        | What::RestoreProject { .. }
        | What::CancelRestoration { .. } => "projects:write",
        What::ListApiKeys { .. } | What::ListSecrets { .. } => "secrets:read",
        What::CreateSecrets { .. } | What::DeleteSecrets { .. } => "secrets:write",
        What::GetReadOnly { .. } => "database:read",
        What::DisableReadOnly { .. } => "database:write",
        _ => return None,
    })
}

fn merged(mut one: Value, other: Value) -> Value {
    if let (Value::Object(one), Value::Object(other)) = (&mut one, other) {
        one.extend(other);
    }
    one
}

fn later(at: Timestamp, by: Duration) -> Timestamp {
    at.checked_add(by).expect("histories are shorter than the calendar")
}

/// Whole seconds from `now` to `end`, begun ones counted.
fn seconds(now: Timestamp, end: Timestamp) -> u64 {
    let left = Duration::try_from(end.duration_since(now)).expect("the end is ahead");
    left.as_micros().div_ceil(1_000_000) as u64
}

impl ReferenceStateMachine for Model {
    type State = Model;
    type Transition = Step;

    fn init_state() -> BoxedStrategy<Model> {
        Just(Model::new()).boxed()
    }

    fn transitions(state: &Model) -> BoxedStrategy<Step> {
        strategies::step(state.extent())
    }

    fn apply(mut state: Model, step: &Step) -> Model {
        state.step(step);
        state
    }
}
