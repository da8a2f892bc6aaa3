//! Signing keys of a project, temporary log-ins to its database, and claims of the project by another
//! organization.

mod access;
mod claims;

use std::time::Duration;

use serde_json::{Value, json};
use sim_core::Operation as _;
use sim_core::management::claim_token::{CreateClaimToken, DeleteClaimToken, GetClaimToken};
use sim_core::management::jit_access::{
    AuthorizeJitAccess, DeleteJitAccess, GetJitAccess, GetJitConfig, ListJitAccess, UpdateJitAccess,
    UpdateJitConfig,
};
use sim_core::management::jit_invite::{AcceptJitInvite, DeleteJitInvite, InviteJitAccess};
use sim_core::management::login_role::{CreateLoginRole, DeleteLoginRoles};
use sim_core::management::project_claim::{ClaimProject, PreviewClaim};
use sim_core::management::signing_key::{
    CreateLegacySigningKey, CreateSigningKey, DeleteSigningKey, GetLegacySigningKey, GetSigningKey,
    ListSigningKeys, UpdateSigningKey,
};
use sim_core::management::third_party_auth::{
    CreateThirdPartyAuth, DeleteThirdPartyAuth, GetThirdPartyAuth, ListThirdPartyAuth,
};

use super::rule::{Answer, Asked, Group, Rule, done, given};
use super::time::later;
use super::{Model, rule_of};
use crate::strategies::{Dice, Text, What};

pub(super) use access::{Access, Invite};
use access::{authorize, invite, let_in, let_out};
pub(super) use claims::Claim;
use claims::{claim, some_claim};

pub(super) const GROUP: Group = Group {
    rules: RULES,
    first: &[
        ("sim-list-users", |what| what),
        ("v1-create-a-project", |mut what| {
            (what.body["name"], what.body["postgres_engine"]) = (json!("newer"), json!("17"));
            what
        }),
        (CreateSigningKey::META.id, |what| what),
    ],
    next,
    works: &[],
};

const ISSUERS: [Text; 2] = ["https://issuer.example", "https://other.example/"];
const ALGORITHMS: [Text; 4] = ["ES256", "EdDSA", "RS256", "HS256"];
const STATUSES: [Text; 4] = ["in_use", "standby", "previously_used", "revoked"];
const ROLES: [Text; 2] = ["postgres", "reader"];
const EMAILS: [Text; 2] = ["one@example.com", "two@example.com"];
const DAY: Duration = Duration::from_secs(86_400);

const RULES: &[Rule] = &[
    Rule::write(CreateSigningKey::META, "secrets:write", |model, asked| {
        let status = asked.body("status").as_str().unwrap_or("standby").to_owned();
        Ok(model.add_signing_key(asked.project(), asked.text("algorithm"), &status, false))
    })
    .call(|dice, _, what| {
        let status = dice.one_in(2).then(|| json!(dice.pick(&["in_use", "standby"])));
        what.with(given([("algorithm", Some(json!(dice.pick(&ALGORITHMS)))), ("status", status)]))
    })
    .bodies(|| {
        let with = |jwk: Value| json!({ "algorithm": "ES256", "private_jwk": jwk });
        vec![
            json!({}),
            json!({ "algorithm": "none" }),
            json!({ "algorithm": "ES256", "status": "revoked" }),
            json!({ "algorithm": "ES256", "surprise": 1 }),
            with(json!({})),
            with(json!("key")),
            with(json!({ "kty": "EC", "crv": "P-256", "x": "AA", "y": "AA" })),
            with(json!({ "kty": "EC", "crv": "P-256", "x": "AA", "y": "AA", "d": "%" })),
            with(json!({ "kty": "RSA", "crv": "P-256", "x": "AA", "y": "AA", "d": "AA" })),
            with(json!({ "kty": "EC", "crv": "P-256", "x": "AA", "y": "AA", "d": "AA", "k": "AA" })),
            with(json!({ "kty": "EC", "crv": "P-256", "x": "AA", "y": "AA", "d": "AA", "kid": "one" })),
        ]
    })
    .makes(&[("signing", "/id")]),
    Rule::read(ListSigningKeys::META, "secrets:read", |model, asked| {
        let mine = model.signing_keys.iter().enumerate().filter(|(_, key)| key.is_of(asked.project()));
        Ok(json!({ "keys": mine.map(|(number, key)| key.shown(number)).rev().collect::<Vec<_>>() }))
    }),
    Rule::read(GetLegacySigningKey::META, "secrets:read", |model, asked| {
        let number = model.legacy_signing_key(asked.project()).ok_or(404_u16)?;
        Ok(model.signing_keys[number].shown(number))
    }),
    Rule::write(CreateLegacySigningKey::META, "secrets:write", |model, asked| {
        if model.legacy_signing_key(asked.project()).is_some() {
            return Err(400);
        }
        Ok(model.add_signing_key(asked.project(), "HS256", "in_use", true))
    })
    .makes(&[("signing", "/id")]),
    Rule::read(GetSigningKey::META, "secrets:read", |model, asked| {
        let number = model.signing_key(asked)?;
        Ok(model.signing_keys[number].shown(number))
    })
    .call(some_signing_key),
    Rule::write(UpdateSigningKey::META, "secrets:write", update_signing_key)
        .call(|dice, model, what| {
            some_signing_key(dice, model, what).with(json!({ "status": dice.pick(&STATUSES) }))
        })
        .bodies(|| {
            vec![json!({}), json!({ "status": "lost" }), json!({ "status": "revoked", "surprise": 1 })]
        }),
    Rule::write(DeleteSigningKey::META, "secrets:write", |model, asked| {
        let number = model.signing_key(asked)?;
        let key = &mut model.signing_keys[number];
        if !["standby", "revoked"].contains(&&*key.status) {
            return Err(422);
        }
        key.is_deleted = true;
        Ok(model.signing_keys[number].shown(number))
    })
    .call(some_signing_key),
    Rule::write(CreateThirdPartyAuth::META, "auth:write", create_third_party)
        .call(|dice, _, what| {
            what.with(match dice.below(3) {
                0 => json!({ "oidc_issuer_url": dice.pick(&ISSUERS) }),
                1 => json!({ "jwks_url": dice.pick(&ISSUERS) }),
                _ => json!({ "custom_jwks": { "keys": [{ "kty": "oct" }] } }),
            })
        })
        .bodies(|| {
            vec![
                json!({}),
                json!({ "oidc_issuer_url": "http://issuer.example" }),
                json!({ "jwks_url": "https://" }),
                json!({ "custom_jwks": {} }),
                json!({ "custom_jwks": { "keys": {} } }),
                json!({ "oidc_issuer_url": "https://a.example", "jwks_url": "https://a.example" }),
            ]
        })
        .makes(&[("tpa", "/id")]),
    Rule::read(ListThirdPartyAuth::META, "auth:read", |model, asked| {
        let mine = model.third_parties.iter().enumerate().filter(|(_, one)| one.is_of(asked.project()));
        Ok(mine.map(|(number, one)| one.shown(number)).collect())
    }),
    Rule::read(GetThirdPartyAuth::META, "auth:read", |model, asked| {
        let number = model.third_party(asked)?;
        Ok(model.third_parties[number].shown(number))
    })
    .call(some_third_party),
    Rule::write(DeleteThirdPartyAuth::META, "auth:write", |model, asked| {
        let number = model.third_party(asked)?;
        model.third_parties[number].is_deleted = true;
        Ok(model.third_parties[number].shown(number))
    })
    .call(some_third_party),
    Rule::develop(CreateLoginRole::META, "database:write", |_, _| Ok(json!({ "ttl_seconds": 3600 })))
    .call(|dice, _, what| what.with(json!({ "read_only": dice.one_in(2) })))
    .bodies(|| vec![json!({}), json!({ "read_only": "yes" })]),
    Rule::develop(DeleteLoginRoles::META, "database:write", |_, _| Ok(json!({ "message": "ok" }))),
    Rule::write(CreateClaimToken::META, "", |model, asked| {
        let (project, until) = (asked.project(), later(model.now, DAY));
        if model.projects[project].is_branch {
            return Err(400);
        }
        model.withdraw_claims(project);
        model.claims.push(Claim { project, until, user: asked.user, is_open: true });
        Ok(json!({ "expires_at": until.to_string(), "created_at": model.now.to_string() }))
    })
    .makes(&[("claim", "/token")]),
    Rule::write(GetClaimToken::META, "", |model, asked| {
        let project = asked.project();
        let claim = model.claims.iter().find(|claim| claim.project == project && claim.is_good(model.now));
        Ok(json!({ "expires_at": claim.ok_or(404_u16)?.until.to_string() }))
    }),
    Rule::write(DeleteClaimToken::META, "", |model, asked| {
        model.withdraw_claims(asked.project());
        Ok(json!([]))
    }),
    Rule::read(GetJitConfig::META, "database:read", |model, asked| Ok(model.shown_jit(asked.project()))),
    Rule::write(UpdateJitConfig::META, "database:write", |model, asked| {
        let project = asked.project();
        if model.jit_obstacle(project).is_none() {
            model.projects[project].access.jit = asked.text("state") == "enabled";
        }
        Ok(model.shown_jit(project))
    })
    .call(|dice, _, what| what.with(json!({ "state": dice.pick(&["enabled", "enabled", "disabled"]) })))
    .bodies(|| vec![json!({}), json!({ "state": "unavailable" })]),
    Rule::read(GetJitAccess::META, "database:read", |model, asked| {
        let roles = asked.user.and_then(|user| model.jit_roles(asked.project(), user));
        Ok(json!({ "user_roles": roles.cloned().unwrap_or_else(|| json!([])) }))
    }),
    Rule::read(AuthorizeJitAccess::META, "database:read", authorize)
        .call(|dice, _, what| {
            let rhost = dice.pick(&["203.0.113.10", "198.51.100.1", "2001:db8::1"]);
            what.with(json!({ "role": dice.pick(&ROLES), "rhost": rhost }))
        })
        .bodies(|| {
            vec![
                json!({}),
                json!({ "role": "", "rhost": "203.0.113.10" }),
                json!({ "role": "x", "rhost": "home" }),
            ]
        }),
    Rule::write(UpdateJitAccess::META, "database:write", |model, asked| {
        let user = model.known_user(asked.text("user_id"))?;
        let organization = model.projects[asked.project()].organization;
        model.ranked(Some(user), organization, "Read-only").map_err(|_| 404_u16)?;
        let roles = asked.body("roles").clone();
        model.projects[asked.project()].access.roles.insert(user, roles.clone());
        Ok(json!({ "user_id": asked.text("user_id"), "user_roles": roles }))
    })
    .call(|dice, model, what| {
        let seconds = model.now.as_second();
        let expires = dice.one_in(2).then(|| json!(seconds + dice.pick(&[60, 0, 86_400])));
        let networks = dice.one_in(2).then(|| json!({ "allowed_cidrs": [{ "cidr": "203.0.113.0/24" }] }));
        let role = given([
            ("role", Some(json!(dice.pick(&ROLES)))),
            ("expires_at", expires),
            ("allowed_networks", networks),
            ("branches_only", dice.one_in(3).then(|| json!(dice.one_in(2)))),
        ]);
        what.with(json!({ "user_id": format!("{{user_id {}}}", dice.below(5)), "roles": [role] }))
    })
    .bodies(|| {
        let with =
            |role: Value| json!({ "user_id": "00000000-0000-4000-8000-000000000000", "roles": [role] });
        vec![
            json!({}),
            json!({ "user_id": "one", "roles": [] }),
            json!({ "user_id": "00000000-0000-4000-8000-000000000000" }),
            with(json!({})),
            with(json!({ "role": "" })),
            with(json!({ "role": "x", "expires_at": "never" })),
            with(json!({ "role": "x", "branches_only": "yes" })),
            with(json!({ "role": "x", "allowed_networks": { "allowed_cidrs": [{ "cidr": "::/0" }] } })),
            with(json!({ "role": "x", "allowed_networks": { "allowed_cidrs_v6": [{ "cidr": "home" }] } })),
        ]
    }),
    Rule::read(ListJitAccess::META, "database:read", |model, asked| {
        let users = model.projects[asked.project()].access.roles.values();
        let users = users.map(|roles| json!({ "user_roles": roles, "invite_id": null }));
        let open = model.invites.iter().filter(|one| one.is_good(asked.project(), model.now));
        let invited = open.map(|one| json!({ "user_roles": one.roles, "primary_email": one.email }));
        Ok(json!({ "items": { "any order": users.chain(invited).collect::<Vec<_>>() } }))
    }),
    Rule::write(DeleteJitAccess::META, "database:write", |model, asked| {
        let user = model.known_user(asked.what.part("user_id"))?;
        model.projects[asked.project()].access.roles.remove(&user).ok_or(404_u16)?;
        done()
    })
    .call(|dice, _, what| what.at("user_id", format!("{{user_id {}}}", dice.below(5)))),
    Rule::write(PreviewClaim::META, "", |model, asked| {
        let (project, until) = model.claimed(asked)?;
        let obstacles = model.obstacles_to_claim(project, asked.number("slug"));
        let keys: Vec<_> = obstacles.iter().map(|key| json!({ "key": key })).collect();
        Ok(json!({
            "project": { "ref": format!("{{project {project}}}") },
            "preview": { "valid": keys.is_empty(), "errors": keys, "source_subscription_plan": model.plan(project) },
            "expires_at": until.to_string(),
        }))
    })
    .call(some_claim),
    Rule::write(ClaimProject::META, "", |model, asked| {
        let (project, _) = model.claimed(asked)?;
        let organization = asked.number("slug");
        if !model.obstacles_to_claim(project, organization).is_empty() {
            return Err(400);
        }
        model.hand_over(project, organization);
        Ok(json!([]))
    })
    .call(some_claim),
    Rule::write(InviteJitAccess::META, "database:write", |model, asked| {
        let (project, email) = (asked.project(), asked.text("email").to_owned());
        let roles = asked.body("roles").clone();
        let earlier = model.invites.iter_mut().filter(|one| one.project == project && one.email == email);
        earlier.for_each(|invite| invite.is_open = false);
        let until = later(model.now, 7 * DAY);
        let answer = json!({ "email": email, "user_roles": roles });
        model.invites.push(Invite { project, email, roles, until, is_open: true });
        Ok(answer)
    })
    .call(|dice, _, what| {
        let roles = json!([{ "role": dice.pick(&ROLES) }]);
        what.with(json!({ "email": dice.pick(&EMAILS), "roles": roles }))
    })
    .bodies(|| {
        vec![
            json!({}),
            json!({ "email": "one", "roles": [] }),
            json!({ "email": "one@example.com" }),
            json!({ "email": "one@example.com", "roles": [{ "role": "" }] }),
        ]
    })
    .makes(&[("invite", "/invite_id")]),
    Rule::read(AcceptJitInvite::META, "database:read", |model, asked| {
        let number = super::rule::number(asked.text("token"));
        let email = asked.text("email");
        let invite = model.open_invite(asked.project(), number).filter(|invite| invite.email == email);
        let roles = invite.ok_or(404_u16)?.roles.clone();
        model.invites[number].is_open = false;
        let user = asked.user.expect("a token has a user");
        model.projects[asked.project()].access.roles.insert(user, roles.clone());
        Ok(json!({ "user_roles": roles }))
    })
    .call(|dice, model, what| {
        let token = format!("{{invite {}}}", dice.below(model.invites.len() + 1));
        what.with(json!({ "email": dice.pick(&EMAILS), "token": token }))
    })
    .bodies(|| {
        vec![
            json!({}),
            json!({ "email": "one", "token": "x" }),
            json!({ "email": "one@example.com", "token": "" }),
        ]
    }),
    Rule::write(DeleteJitInvite::META, "database:write", |model, asked| {
        let number = asked.number("invite_id");
        // One that is no longer valid is deleted as well, unless it was accepted or replaced.
        let is_there = |one: &&mut Invite| one.project == asked.project() && one.is_open;
        model.invites.get_mut(number).filter(is_there).ok_or(404_u16)?.is_open = false;
        done()
    })
    .call(|dice, model, what| {
        what.at("invite_id", format!("{{invite {}}}", dice.below(model.invites.len() + 1)))
    }),
];

/// A call that is valid for an existing key, or lets members in.
fn next(dice: &mut Dice, model: &Model) -> Option<What> {
    match dice.below(4) {
        0 => return Some(let_in(model)),
        1 => return Some(claim(dice, model)),
        2 => return Some(invite(dice, model)),
        _ => {}
    }
    let keys: Vec<_> =
        (0..model.signing_keys.len()).filter(|key| !model.signing_keys[*key].is_deleted).collect();
    let others: Vec<_> =
        (0..model.third_parties.len()).filter(|one| !model.third_parties[*one].is_deleted).collect();
    match dice.below(5) {
        4 => Some(let_out(dice, model)),
        0 => Some(
            dice.pick(&[rule_of::<CreateSigningKey>(), rule_of::<CreateThirdPartyAuth>()])
                .for_project(dice, model, 0),
        ),
        1 => Some(
            What::of(dice.pick(&[rule_of::<CreateLegacySigningKey>(), rule_of::<GetLegacySigningKey>()]))
                .at("ref", "{project 0}"),
        ),
        2 if !others.is_empty() => {
            let one = dice.pick(&others);
            let rule = dice.pick(&[rule_of::<GetThirdPartyAuth>(), rule_of::<DeleteThirdPartyAuth>()]);
            let what = rule.for_project(dice, model, model.third_parties[one].project);
            Some(what.at("tpa_id", format!("{{tpa {one}}}")))
        }
        _ if keys.is_empty() => None,
        _ => {
            let key = dice.pick(&keys);
            let rule = dice.pick(&[
                rule_of::<UpdateSigningKey>(),
                rule_of::<UpdateSigningKey>(),
                rule_of::<DeleteSigningKey>(),
            ]);
            let what = rule.for_project(dice, model, model.signing_keys[key].project);
            Some(what.at("id", format!("{{signing {key}}}")))
        }
    }
}

fn some_signing_key(dice: &mut Dice, model: &Model, what: What) -> What {
    what.at("id", format!("{{signing {}}}", dice.below(model.signing_keys.len() + 1)))
}

fn some_third_party(dice: &mut Dice, model: &Model, what: What) -> What {
    what.at("tpa_id", format!("{{tpa {}}}", dice.below(model.third_parties.len() + 1)))
}

/// A key that signs tokens.
#[derive(Clone, Debug)]
pub(super) struct SigningKey {
    project: usize,
    algorithm: String,
    status: String,
    is_legacy: bool,
    is_deleted: bool,
}

impl SigningKey {
    fn is_of(&self, project: usize) -> bool {
        self.project == project && !self.is_deleted
    }

    fn shown(&self, number: usize) -> Value {
        json!({ "id": format!("{{signing {number}}}"), "algorithm": self.algorithm, "status": self.status })
    }
}

fn update_signing_key(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let number = model.signing_key(asked)?;
    let SigningKey { project, status, is_legacy, .. } = model.signing_keys[number].clone();
    let wanted = asked.text("status");
    let is_allowed = match (&*status, wanted) {
        (status, wanted) if status == wanted => true,
        ("in_use", _) | ("standby", "previously_used") | ("revoked", "in_use") => false,
        _ => true,
    };
    let legacy_keys_on = !model.projects[project].legacy_keys_off;
    if !is_allowed || (status != wanted && wanted == "revoked" && is_legacy && legacy_keys_on) {
        return Err(422);
    }
    if wanted == "in_use" && status != wanted {
        model.replace_signing_key(project);
    }
    model.signing_keys[number].status = wanted.to_owned();
    Ok(model.signing_keys[number].shown(number))
}

/// Another service whose tokens are accepted.
#[derive(Clone, Debug)]
pub(super) struct ThirdParty {
    project: usize,
    body: Value,
    is_deleted: bool,
}

impl ThirdParty {
    fn is_of(&self, project: usize) -> bool {
        self.project == project && !self.is_deleted
    }

    fn shown(&self, number: usize) -> Value {
        let field = |name: &str| self.body.get(name).cloned();
        json!({
            "id": format!("{{tpa {number}}}"),
            "oidc_issuer_url": field("oidc_issuer_url"),
            "jwks_url": field("jwks_url"),
            // Nothing is fetched.
            "resolved_jwks": field("custom_jwks"),
        })
    }
}

fn create_third_party(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let (project, body) = (asked.project(), asked.what.body.clone());
    let is_custom = body.get("custom_jwks").is_some();
    if !is_custom && model.third_parties.iter().any(|one| one.is_of(project) && one.body == body) {
        return Err(400);
    }
    let number = model.third_parties.len();
    model.third_parties.push(ThirdParty { project, body, is_deleted: false });
    Ok(model.third_parties[number].shown(number))
}

impl Model {
    fn add_signing_key(&mut self, project: usize, algorithm: &str, status: &str, is_legacy: bool) -> Value {
        if status == "in_use" {
            self.replace_signing_key(project);
        }
        let [algorithm, status] = [algorithm, status].map(str::to_owned);
        self.signing_keys.push(SigningKey { project, algorithm, status, is_legacy, is_deleted: false });
        let number = self.signing_keys.len() - 1;
        self.signing_keys[number].shown(number)
    }

    /// The key in use is no longer in use.
    fn replace_signing_key(&mut self, project: usize) {
        let used = self.signing_keys.iter_mut().find(|key| key.is_of(project) && key.status == "in_use");
        if let Some(used) = used {
            used.status = "previously_used".to_owned();
        }
    }

    /// Whether the secret that signs the legacy API keys was revoked.
    pub(super) fn is_legacy_key_revoked(&self, project: usize) -> bool {
        self.legacy_signing_key(project).is_some_and(|key| self.signing_keys[key].status == "revoked")
    }

    fn legacy_signing_key(&self, project: usize) -> Option<usize> {
        self.signing_keys.iter().position(|key| key.is_of(project) && key.is_legacy)
    }

    fn signing_key(&self, asked: &Asked<'_>) -> Result<usize, u16> {
        let number = asked.number("id");
        self.signing_keys.get(number).filter(|key| key.is_of(asked.project())).map(|_| number).ok_or(404)
    }

    fn third_party(&self, asked: &Asked<'_>) -> Result<usize, u16> {
        let number = asked.number("tpa_id");
        self.third_parties.get(number).filter(|one| one.is_of(asked.project())).map(|_| number).ok_or(404)
    }

    /// The user behind a UUID, if a list has shown it.
    pub(super) fn known_user(&self, placeholder: &str) -> Result<usize, u16> {
        Some(super::rule::number(placeholder)).filter(|user| *user < self.known_users).ok_or(404)
    }
}
