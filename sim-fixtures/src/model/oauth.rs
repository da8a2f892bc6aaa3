//! Apps that act for users.

use std::time::Duration;

use serde_json::{Value, json};
use sim_core::management::oauth::{Authorize, ExchangeToken, RevokeAuthorization};
use sim_core::management::oauth_app::{DeleteApp, ListApps, RegisterApp, RemoveAuthorization, SetConsent};
use sim_core::management::oauth_claim::AuthorizeProjectClaim;
use sim_core::management::oauth_client::RegisterClient;
use sim_core::{Operation as _, Timestamp};

use super::rule::{Answer, Asked, Group, Rule, done, given, number};
use super::time::{MINUTE, later};
use super::users::Token;
use super::{Model, SCOPES, rule_of};
use crate::strategies::{Dice, Shape, Text, What};

pub(super) const GROUP: Group =
    Group { rules: RULES, first: &[("sim-register-oauth-app", |what| what)], next, works: &[] };

const ADDRESSES: [Text; 2] = ["https://client.example/back", "https://client.example/other?x=1"];
const SECRET: Text = "a secret between us";
const VERIFIER: Text = "a-verifier-that-is-long-enough-to-be-hard-to-guess";
/// SHA-256 of the verifier, base64url.
const CHALLENGE: Text = "EkbvH9d9DTk7zu82bHbcuGn0ERPfepAkcVKp2u8Lj6w";
const HOUR: Duration = Duration::from_secs(3600);

const RULES: &[Rule] = &[
    Rule::control(RegisterApp::META, register)
        .call(|dice, model, what| {
            let live: Vec<_> = (0..model.apps.len()).filter(|app| !model.apps[*app].is_deleted).collect();
            let taken = dice.one_in(6) && !live.is_empty();
            let id = taken.then(|| json!(format!("{{app {}}}", dice.pick(&live))));
            let scopes = [dice.some(&SCOPES, 6), vec!["projects:read"]].concat();
            what.with(given([
                ("name", Some(json!("App"))),
                ("redirect_uris", Some(json!(ADDRESSES))),
                ("scopes", Some(json!(scopes))),
                ("client_id", id),
                ("client_secret", Some(json!(SECRET))),
            ]))
        })
        .bodies(|| {
            let good = json!({ "name": "App", "redirect_uris": ADDRESSES, "scopes": [] });
            let with = |field: &str, value: Value| super::merged(good.clone(), json!({ field: value }));
            vec![
                json!({}),
                with("name", json!("")),
                with("redirect_uris", json!([])),
                with("redirect_uris", json!(["no address"])),
                with("scopes", json!(["everything"])),
                with("client_id", json!("one")),
                with("surprise", json!(1)),
            ]
        })
        .makes(&[("app", "/client_id")]),
    Rule::control(ListApps::META, |model, _| {
        let there = model.apps.iter().enumerate().filter(|(_, app)| !app.is_deleted);
        let shown = there.map(|(number, app)| {
            let mut scopes = app.scopes.clone();
            scopes.sort_unstable();
            scopes.dedup();
            json!({ "client_id": format!("{{app {number}}}"), "name": "App", "scopes": scopes.join(" ") })
        });
        // Grants of one timestamp are listed by id, which is random.
        Ok(json!({ "any order": shown.collect::<Vec<_>>() }))
    }),
    Rule::control(SetConsent::META, |model, asked| {
        let user = asked.body("user").as_str().map(number);
        if user.is_some_and(|user| user >= model.users.len()) {
            return Err(404);
        }
        model.consent = Consent { user, granted: asked.body("granted") == true };
        done()
    })
    .call(|dice, model, what| {
        let user = dice.one_in(2).then(|| json!(format!("{{user {}}}", model.some_user(dice))));
        what.with(given([("granted", Some(json!(!dice.one_in(4)))), ("user", user)]))
    })
    .bodies(|| vec![json!({}), json!({ "granted": "yes" }), json!({ "granted": true, "x": 1 })]),
    Rule::control(RemoveAuthorization::META, |model, asked| {
        let app = model.app(asked.what.part("client_id"))?;
        let user = asked.number("user");
        model.users.get(user).ok_or(404_u16)?;
        if model.end_grants(app, Some(user)) == 0 { Err(404) } else { done() }
    })
    .call(|dice, model, what| match model.grants.last().filter(|_| !dice.one_in(3)) {
        Some(Grant { app, user, .. }) => {
            what.at("client_id", format!("{{app {app}}}")).at("user", format!("{{user {user}}}"))
        }
        None => what,
    }),
    Rule::control(DeleteApp::META, |model, asked| {
        let app = model.app(asked.what.part("client_id"))?;
        model.end_grants(app, None);
        model.apps[app].is_deleted = true;
        done()
    }),
    Rule::open(RegisterClient::META, "", |model, asked| {
        let scopes: Vec<String> = asked.text("scope").split(' ').map(str::to_owned).collect();
        model.apps.push(App { scopes, is_deleted: false, has_own_secret: true });
        Ok(json!({ "client_name": "App", "client_secret_expires_at": 0, "scope": asked.text("scope") }))
    })
    .call(|dice, _, what| {
        let scopes = [dice.some(&SCOPES, 6), vec!["projects:read"]].concat();
        let body = json!({ "redirect_uris": ADDRESSES, "client_name": "App", "scope": scopes.join(" ") });
        what.with(body)
    })
    .bodies(|| {
        let good = json!({ "redirect_uris": ADDRESSES });
        let with = |field: &str, value: Value| super::merged(good.clone(), json!({ field: value }));
        vec![
            json!({}),
            json!({ "redirect_uris": [] }),
            with("scope", json!("everything")),
            with("response_types", json!(["token"])),
            with("token_endpoint_auth_method", json!("guess")),
            with("grant_types", json!(["password"])),
        ]
    })
    .makes(&[("app", "/client_id")]),
    Rule::open(Authorize::META, "", authorize)
        .call(draw_authorize)
        .queries(&[
            "",
            "client_id=one&response_type=code&redirect_uri=x:y",
            "client_id=00000000-0000-4000-8000-000000000000&response_type=tokens&redirect_uri=x:y",
            "client_id=00000000-0000-4000-8000-000000000000&response_type=code",
        ])
        .makes(&[("code", "code")]),
    Rule::open(ExchangeToken::META, "", exchange)
        .call(draw_exchange)
        .bodies(|| {
            vec![
                json!({ "grant_type": "password" }),
                json!({ "surprise": "x" }),
                json!({ "client_id": "one" }),
                json!({ "code": 7 }),
            ]
        })
        .makes(&[("token", "/access_token"), ("refresh", "/refresh_token")]),
    Rule::open(RevokeAuthorization::META, "", |model, asked| {
        let app = model.app(asked.text("client_id"))?;
        require_secret(model, app, asked)?;
        let grant = model.grant_by_refresh(app, asked.text("refresh_token"))?;
        let user = model.grants[grant].user;
        model.end_grants(app, Some(user));
        done()
    })
    .call(|dice, model, what| {
        let body = json!({ "refresh_token": some(dice, "refresh", model.refreshes) });
        what.with(super::merged(client(dice, model), body))
    })
    .bodies(|| {
        vec![
            json!({}),
            json!({ "client_id": "one", "client_secret": "x", "refresh_token": "x" }),
            json!({ "client_secret": "x", "refresh_token": "x" }),
        ]
    }),
    Rule::open(AuthorizeProjectClaim::META, "", authorize_claim)
        .call(|dice, model, what| {
            let app = if dice.one_in(6) { model.apps.len() } else { 0 };
            claim_of(what, model, model.some_project(dice), app)
        })
        .queries(&[
            "",
            "project_ref=abc&client_id=00000000-0000-4000-8000-000000000000&response_type=code&redirect_uri=x:y",
        ])
        .makes(&[("code", "code")]),
];

/// The steps of an app: a code, tokens for it, then any call.
fn next(dice: &mut Dice, model: &Model) -> Option<What> {
    let rule = match (model.codes, model.refreshes) {
        (0, _) => rule_of::<Authorize>(),
        (_, 0) => rule_of::<ExchangeToken>(),
        _ => dice.pick(&[
            rule_of::<Authorize>(),
            rule_of::<ExchangeToken>(),
            rule_of::<ExchangeToken>(),
            rule_of::<ExchangeToken>(),
            rule_of::<RevokeAuthorization>(),
        ]),
    };
    Some(rule.draw(dice, model))
}

/// One of the last two of a kind, or an invalid one.
fn some(dice: &mut Dice, kind: &str, count: usize) -> String {
    let back = dice.below(12);
    let number = match back {
        0..8 => count.saturating_sub(1),
        8..11 => count.saturating_sub(2),
        _ => count,
    };
    format!("{{{kind} {number}}}")
}

fn client(dice: &mut Dice, model: &Model) -> Value {
    let app = if dice.one_in(4) { dice.below(model.apps.len() + 1) } else { 0 };
    let secret = if dice.one_in(10) { "guess" } else { SECRET };
    json!({ "client_id": format!("{{app {app}}}"), "client_secret": secret })
}

fn draw_authorize(dice: &mut Dice, model: &Model, what: What) -> What {
    let app = if dice.one_in(4) { dice.below(model.apps.len() + 1) } else { 0 };
    let address = if dice.one_in(10) { "https://elsewhere.example" } else { dice.pick(&ADDRESSES) };
    let kind = if dice.one_in(12) { "token" } else { "code" };
    let what = what.asking("client_id", format!("{{app {app}}}")).asking("response_type", kind);
    let what = what.asking("redirect_uri", address);
    match dice.below(8) {
        1 => what.asking("code_challenge", VERIFIER),
        2 => what.asking("code_challenge", VERIFIER).asking("code_challenge_method", "plain"),
        3 => what.asking("code_challenge", CHALLENGE).asking("code_challenge_method", "S256"),
        4 => what.asking("code_challenge_method", "S256"),
        5 => what.asking("state", "a state"),
        _ => what,
    }
}

fn draw_exchange(dice: &mut Dice, model: &Model, what: What) -> What {
    let fields = if model.refreshes == 0 || dice.one_in(2) {
        let address = if dice.one_in(10) {
            ADDRESSES[1]
        } else {
            model.grants.last().map_or(ADDRESSES[0], |grant| grant.address)
        };
        let verifier =
            Some(json!(if dice.one_in(8) { "guess" } else { VERIFIER })).filter(|_| !dice.one_in(8));
        given([
            ("grant_type", Some(json!("authorization_code"))),
            ("code", Some(json!(some(dice, "code", model.codes)))),
            ("redirect_uri", Some(json!(address))),
            ("code_verifier", verifier),
        ])
    } else {
        json!({ "grant_type": "refresh_token", "refresh_token": some(dice, "refresh", model.refreshes) })
    };
    let what = what.with(super::merged(client(dice, model), fields));
    if dice.one_in(2) { what.shaped(Shape::Form) } else { what }
}

#[derive(Clone, Debug)]
pub(super) struct App {
    scopes: Vec<String>,
    is_deleted: bool,
    /// Whether it registered itself: then its secret is random, so calls of the model do not know it.
    has_own_secret: bool,
}

/// The user at the consent page (by default the first one), and the user's decision.
#[derive(Clone, Debug)]
pub(super) struct Consent {
    pub(super) user: Option<usize>,
    pub(super) granted: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Grant {
    app: usize,
    user: usize,
    code: usize,
    address: Text,
    challenge: Option<String>,
    expires: Timestamp,
    is_used: bool,
    refresh: Option<usize>,
    token: Option<usize>,
    is_over: bool,
}

fn register(model: &mut Model, asked: &Asked<'_>) -> Answer {
    if !asked.body("client_id").is_null() {
        return Err(400);
    }
    model.apps.push(App { scopes: asked.texts("scopes"), is_deleted: false, has_own_secret: false });
    Ok(json!({ "client_secret": SECRET }))
}

fn require_secret(model: &Model, app: usize, asked: &Asked<'_>) -> Result<(), u16> {
    if asked.text("client_secret") == SECRET && !model.apps[app].has_own_secret { Ok(()) } else { Err(401) }
}

fn authorize(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let app = model.app(asked.what.asked("client_id").unwrap_or_default())?;
    let address = ADDRESSES.into_iter().find(|address| Some(*address) == asked.what.asked("redirect_uri"));
    let address = address.ok_or(400_u16)?;
    let challenge = asked.what.asked("code_challenge").map(str::to_owned);
    let method = asked.what.asked("code_challenge_method");
    if asked.what.asked("response_type") != Some("code") || method.is_some() && challenge.is_none() {
        return Err(400);
    }
    if model.consent.granted {
        model.grants.push(Grant {
            app,
            user: model.consent.user.unwrap_or(0),
            code: model.codes,
            address,
            challenge,
            expires: later(model.now, 10 * MINUTE),
            is_used: false,
            refresh: None,
            token: None,
            is_over: false,
        });
        model.codes += 1;
    }
    done()
}

/// A request to take the project over. With several organizations it asks for a token and is refused: the model can't
/// tell which organization gets the project.
pub(super) fn claim_of(what: What, model: &Model, project: usize, app: usize) -> What {
    what.asking("project_ref", format!("{{project {project}}}"))
        .asking("client_id", format!("{{app {app}}}"))
        .asking("response_type", if model.organizations.len() < 3 { "code" } else { "token" })
        .asking("redirect_uri", ADDRESSES[0])
}

fn authorize_claim(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let project = number(asked.what.asked("project_ref").unwrap_or_default());
    model.live_project(None, project, "")?;
    model.app(asked.what.asked("client_id").unwrap_or_default())?;
    if asked.what.asked("response_type") != Some("code") {
        return Err(400);
    }
    if model.consent.granted {
        let user = model.consent.user.unwrap_or(0);
        let own = model.projects[project].organization;
        model.require_claimable(project)?;
        let administers = |one: &usize| model.ranked(Some(user), *one, "Administrator").is_ok();
        let target =
            (0..model.organizations.len()).find(|one| *one != own && administers(one)).ok_or(400_u16)?;
        if !model.obstacles_to_claim(project, target).is_empty() {
            return Err(400);
        }
        model.hand_over(project, target);
    }
    authorize(model, asked)
}

fn exchange(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let app = model.app(asked.text("client_id"))?;
    require_secret(model, app, asked)?;
    let grant = match asked.text("grant_type") {
        "refresh_token" => model.grant_by_refresh(app, asked.text("refresh_token"))?,
        _ => redeem(model, app, asked)?,
    };
    // New tokens replace those of the grant.
    if let Some(token) = model.grants[grant].token {
        model.tokens[token].revoked = true;
    }
    let user = model.grants[grant].user;
    let token = Token::of_app(user, app, model.apps[app].scopes.clone(), later(model.now, HOUR));
    model.tokens.push(token);
    model.grants[grant].token = Some(model.tokens.len() - 1);
    model.grants[grant].refresh = Some(model.refreshes);
    model.refreshes += 1;
    Ok(json!({ "token_type": "Bearer", "expires_in": 3600 }))
}

fn redeem(model: &mut Model, app: usize, asked: &Asked<'_>) -> Result<usize, u16> {
    let code = number(asked.text("code"));
    let mut all = model.grants.iter();
    let found =
        all.position(|grant| grant.app == app && grant.code == code && !grant.is_over).ok_or(400_u16)?;
    let grant = &model.grants[found];
    let verified = grant.challenge.as_ref().is_none_or(|_| asked.text("code_verifier") == VERIFIER);
    let is_good = !grant.is_used && model.now < grant.expires && asked.text("redirect_uri") == grant.address;
    if !is_good || !verified {
        return Err(400);
    }
    model.grants[found].is_used = true;
    Ok(found)
}

impl Model {
    /// When codes and tokens expire.
    pub(super) fn ends_of_grants(&self) -> impl Iterator<Item = Timestamp> {
        let codes = self.grants.iter().filter(|grant| !grant.is_used).map(|grant| grant.expires);
        codes.chain(self.tokens.iter().filter_map(|token| token.expires))
    }

    fn app(&self, placeholder: &str) -> Result<usize, u16> {
        let app = number(placeholder);
        self.apps.get(app).filter(|found| !found.is_deleted).map(|_| app).ok_or(400)
    }

    fn grant_by_refresh(&self, app: usize, placeholder: &str) -> Result<usize, u16> {
        let refresh = Some(number(placeholder));
        let mut all = self.grants.iter();
        all.position(|grant| grant.app == app && grant.refresh == refresh && !grant.is_over).ok_or(404)
    }

    /// Revokes all access that `user`, or any user, gave the app; returns how much that was.
    fn end_grants(&mut self, app: usize, user: Option<usize>) -> usize {
        let mine = |grant: &&mut Grant| {
            grant.app == app && user.is_none_or(|user| user == grant.user) && !grant.is_over
        };
        let mut ended = 0;
        for grant in self.grants.iter_mut().filter(mine) {
            grant.is_over = true;
            if let Some(token) = grant.token {
                self.tokens[token].revoked = true;
            }
            ended += 1;
        }
        ended
    }
}
