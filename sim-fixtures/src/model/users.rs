//! Users and their tokens.

use std::time::Duration;

use serde_json::{Value, json};
use sim_core::management::account::GetAccount;
use sim_core::management::user::{
    CreateToken, CreateUser, IntrospectToken, ListTokens, ListUsers, RevokeToken,
};
use sim_core::{Operation as _, Timestamp};

use super::permissions::{self, PERMISSIONS};
use super::rule::{Answer, Asked, Group, Rule, done, given, number, texts};
use super::time::later;
use super::{APPS, CAST, Model, SCOPES};
use crate::strategies::{Dice, Text};

pub(super) const GROUP: Group = Group { rules: RULES, first: &[], next: |_, _| None, works: &[] };

const NAMES: [Text; 3] = ["zoe", "owner", "max"];
const ADDRESSES: [Text; 2] = ["same@example.test", "owner@example.test"];
const TEXTS: [Text; 3] = ["token-one", "token-two", "token-three"];

const RULES: &[Rule] = &[
    Rule::control(CreateUser::META, create)
        .call(|dice, _, what| {
            let email = dice.one_in(2).then(|| json!(dice.pick(&ADDRESSES)));
            what.with(given([("name", Some(json!(dice.pick(&NAMES)))), ("email", email)]))
        })
        .bodies(|| vec![json!({}), json!({ "name": "" }), json!({ "name": "x", "mfa_enabled": "no" })])
        .makes(&[("user", "/name")]),
    Rule::control(ListUsers::META, |model, _| {
        model.known_users = model.users.len();
        Ok(model.users.iter().map(|user| json!({ "name": user.name, "email": user.email })).collect())
    })
    .makes(&[("user_id", "/*/user_id")]),
    Rule::open(GetAccount::META, "", |model, asked| {
        let user = &model.users[asked.user.expect("it takes a token")];
        Ok(json!({ "primary_email": user.email, "username": user.name }))
    }),
    Rule::control(CreateToken::META, create_token)
        .call(|dice, model, what| {
            let text = dice.one_in(2).then(|| json!(dice.pick(&TEXTS)));
            let scopes = dice.one_in(2).then(|| json!(dice.some(&SCOPES, 12)));
            let lasts_s = dice.one_in(2).then(|| json!(dice.pick(&[1, 60, 3_153_600_000_u64])));
            let organizations = dice
                .one_in(4)
                .then(|| json!([format!("{{organization {}}}", model.some_organization(dice))]));
            let projects =
                dice.one_in(4).then(|| json!([format!("{{project {}}}", model.some_project(dice))]));
            let permissions = dice.one_in(3).then(|| json!(dice.some(&PERMISSIONS, 6)));
            what.with(given([
                ("token", text),
                ("scopes", scopes),
                ("lasts_s", lasts_s),
                ("organizations", organizations),
                ("projects", projects),
                ("permissions", permissions),
            ]))
        })
        .bodies(|| {
            vec![
                json!({ "lasts_s": 0 }),
                json!({ "lasts_s": -1 }),
                json!({ "scopes": "projects:read" }),
                json!({ "scopes": ["everything"] }),
                json!({ "token": 7 }),
                json!({ "organizations": [] }),
                json!({ "permissions": ["nap_read"] }),
                json!({ "projects": ["short"] }),
                json!({ "user": 7, "surprise": 1 }),
            ]
        })
        .makes(&[("token", "/token")]),
    Rule::control(ListTokens::META, |model, _| {
        let shown = model.tokens.iter().enumerate().map(|(number, token)| {
            let shown = json!({ "id": number + 1, "user": model.users[token.user].name });
            let permissions = token.limits.permissions.as_ref().map(|all| json!({ "permissions": all }));
            super::merged(shown, permissions.unwrap_or_default())
        });
        Ok(shown.collect())
    }),
    Rule::control(IntrospectToken::META, |model, asked| {
        let found = model.tokens.get(super::rule::number(asked.text("token")));
        let lives = |token: &&Token| !token.revoked && token.expires.is_none_or(|end| model.now < end);
        Ok(match found.filter(lives) {
            Some(token) => {
                let shown = json!({ "active": true, "user": model.users[token.user].name });
                super::merged(shown, lacks(token, asked))
            }
            None => json!({ "active": false, "lacks": [] }),
        })
    })
    .call(|dice, model, what| {
        let token = format!("{{token {}}}", dice.below(model.tokens.len() + 1));
        what.with(json!({ "token": token, "operation": "v1-get-project" }))
    })
    .bodies(|| vec![json!({}), json!({ "token": 7 }), json!({ "token": "x", "operation": "nap" })]),
    Rule::control(RevokeToken::META, |model, asked| {
        let number = asked.number("id") - 1;
        let found = model.tokens.get_mut(number).filter(|token| !token.revoked).ok_or(404_u16)?;
        found.revoked = true;
        done()
    })
    .call(|dice, model, what| what.at("id", (dice.below(model.tokens.len() + 1) + 1).to_string())),
];

#[derive(Clone, Debug)]
pub(super) struct User {
    pub(super) name: String,
    pub(super) email: String,
}

impl User {
    pub(super) fn named(name: &str) -> User {
        User { name: name.to_owned(), email: format!("{name}@example.test") }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Token {
    text: Option<String>,
    pub(super) user: usize,
    /// The scopes of the app that it was given to; `None` for a personal token.
    pub(super) scopes: Option<Vec<String>>,
    /// That app.
    pub(super) app: Option<usize>,
    pub(super) expires: Option<Timestamp>,
    pub(super) revoked: bool,
    pub(super) limits: Limits,
}

/// What a token is limited to, by number; without limits it reaches all that its user does.
#[derive(Clone, Debug, Default)]
pub(super) struct Limits {
    organizations: Option<Vec<usize>>,
    projects: Option<Vec<usize>>,
    /// The permissions of a fine-grained token, by name.
    pub(super) permissions: Option<Vec<String>>,
}

/// The app of tokens that were created by hand.
const NO_APP: usize = usize::MAX;

impl Token {
    pub(super) fn of_app(user: usize, app: usize, scopes: Vec<String>, expires: Timestamp) -> Token {
        let (scopes, app) = (Some(scopes), Some(app));
        Token {
            text: None,
            user,
            scopes,
            app,
            expires: Some(expires),
            revoked: false,
            limits: Limits::default(),
        }
    }
}

/// The token of each user, and those of two apps of the owner.
pub(super) fn first_tokens() -> Vec<Token> {
    let token = |text: String, user, scopes: Option<Vec<String>>| {
        let app = scopes.is_some().then_some(NO_APP);
        Token {
            text: Some(text),
            user,
            scopes,
            app,
            expires: None,
            revoked: false,
            limits: Limits::default(),
        }
    };
    let personal = CAST.iter().enumerate().map(|(user, name)| token(format!("token-of-{name}"), user, None));
    let owned = |scopes: &[Text]| scopes.iter().map(|scope| (*scope).to_owned()).collect();
    let apps = APPS.iter().map(|(text, scopes)| token((*text).to_owned(), 0, Some(owned(scopes))));
    personal.chain(apps).collect()
}

fn create(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let mut user = User::named(asked.text("name"));
    if let Some(email) = asked.body("email").as_str() {
        user.email = email.to_owned();
    }
    if model.users.iter().any(|other| other.name == user.name || other.email == user.email) {
        return Err(400);
    }
    let shown = json!({ "name": user.name, "email": user.email });
    model.users.push(user);
    Ok(shown)
}

fn create_token(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let user = asked.number("user");
    model.users.get(user).ok_or(404_u16)?;
    let limits = limits(model, asked)?;
    let text = asked.body("token").as_str().map(str::to_owned);
    if text.is_some() && model.tokens.iter().any(|token| token.text == text) {
        return Err(400);
    }
    let expires =
        asked.body("lasts_s").as_u64().map(|lasts_s| later(model.now, Duration::from_secs(lasts_s)));
    let scopes = Some(asked.body("scopes")).filter(|scopes| scopes.is_array()).map(texts);
    let app = scopes.is_some().then_some(NO_APP);
    model.tokens.push(Token { text, user, scopes, app, expires, revoked: false, limits });
    Ok(json!({ "id": model.tokens.len() }))
}

/// What an introspection says that a personal token lacks for reading a project.
fn lacks(token: &Token, asked: &Asked<'_>) -> Value {
    let Some(granted) = token.limits.permissions.as_deref() else { return Value::Null };
    match permissions::reach(granted, asked.text("operation")) {
        true => json!({ "permissions": granted, "lacks": [] }),
        false => json!({ "permissions": granted, "lacks": [{ "missing": ["project_admin_read"] }] }),
    }
}

/// What a new token is limited to: permissions, and organizations or projects, all of which are there.
fn limits(model: &Model, asked: &Asked<'_>) -> Result<Limits, u16> {
    let numbers = |field| {
        let list = Some(asked.texts(field)).filter(|list| !list.is_empty());
        list.map(|list| list.iter().map(|text| number(text)).collect::<Vec<_>>())
    };
    let permissions = Some(asked.body("permissions")).filter(|list| list.is_array()).map(texts);
    if permissions.is_some() && asked.body("scopes").is_array() {
        return Err(400);
    }
    let (organizations, projects) = (numbers("organizations"), numbers("projects"));
    let limits = Limits { organizations, projects, permissions };
    if limits.organizations.is_some() && limits.projects.is_some() {
        return Err(400);
    }
    for organization in limits.organizations.iter().flatten() {
        model.organizations.get(*organization).ok_or(404_u16)?;
    }
    for project in limits.projects.iter().flatten() {
        model.live_project(None, *project, "")?;
    }
    Ok(limits)
}

impl Model {
    /// Whether the token of the present call reaches the organization, or a project in it.
    pub(super) fn reaches(&self, organization: usize, project: Option<usize>) -> bool {
        let Limits { organizations, projects, .. } = &self.reach;
        let branch = |project| self.branches.iter().find(|branch| branch.project == project);
        let is_in = |all: &Vec<usize>, project: usize| {
            all.contains(&project) || branch(project).is_some_and(|branch| all.contains(&branch.parent))
        };
        organizations.as_ref().is_none_or(|all| all.contains(&organization))
            && projects.as_ref().is_none_or(|all| project.is_some_and(|project| is_in(all, project)))
    }

    pub(super) fn require_reach(&self, organization: usize, project: Option<usize>) -> Result<(), u16> {
        if self.reaches(organization, project) { Ok(()) } else { Err(403) }
    }

    /// Whether a list shows the organization: also for a project in it that the token is limited to.
    pub(super) fn reaches_some_of(&self, organization: usize) -> bool {
        let has = |project: &usize| {
            let found = &self.projects[*project];
            !found.is_gone() && found.organization == organization
        };
        let in_projects = self.reach.projects.as_ref().is_none_or(|all| all.iter().any(has));
        in_projects && self.reach.organizations.as_ref().is_none_or(|all| all.contains(&organization))
    }

    pub(super) fn some_user(&self, dice: &mut Dice) -> usize {
        dice.below(self.users.len() + 1)
    }
}
