//! How a project's users sign in, and the identity providers that the project accepts.

use serde_json::{Map, Value, json};
use sim_core::Operation as _;
use sim_core::management::auth_config::{GetAuthConfig, UpdateAuthConfig};
use sim_core::management::documents::SetDocument;
use sim_core::management::sso::{
    CreateSsoProvider, GetSsoProvider, ListSsoProviders, RemoveSsoProvider, UpdateSsoProvider,
};

use super::rule::{Answer, Asked, Group, Rule, done, given};
use super::{Model, rule_of};
use crate::strategies::Text;

pub(super) const GROUP: Group = Group {
    rules: RULES,
    first: &[(UpdateAuthConfig::META.id, |what| what.with(json!({ "saml_enabled": true })))],
    next: |dice, model| {
        let rule = if model.providers.len() < 2 {
            rule_of::<CreateSsoProvider>()
        } else {
            rule_of::<UpdateSsoProvider>()
        };
        Some(rule.draw(dice, model))
    },
    works: &[],
};

/// Some fields and their values in a new project.
const FIELDS: [(Text, fn() -> Value); 10] = [
    ("site_url", || json!("http://localhost:3000")),
    ("jwt_exp", || json!(3600)),
    ("disable_signup", || json!(false)),
    ("smtp_host", || json!(null)),
    ("sms_provider", || json!("vendor_c")),
    ("external_idp_01_enabled", || json!(false)),
    ("mfa_phone_enroll_enabled", || json!(false)),
    ("mfa_phone_verify_enabled", || json!(false)),
    ("password_hibp_enabled", || json!(false)),
    ("saml_enabled", || json!(false)),
];

/// Valid values for these fields, and for fields that updates ignore.
const VALUES: [(Text, fn() -> Value); 19] = [
    ("jwt_exp", || json!(0)),
    ("jwt_exp", || json!(604_800)),
    ("jwt_exp", || json!(null)),
    ("site_url", || json!("https://a.example")),
    ("disable_signup", || json!(true)),
    ("disable_signup", || json!(null)),
    ("smtp_host", || json!("mail.example")),
    ("smtp_host", || json!(null)),
    ("sms_provider", || json!("vendor_a")),
    ("external_idp_01_enabled", || json!(true)),
    ("mfa_phone_enroll_enabled", || json!(true)),
    ("mfa_phone_enroll_enabled", || json!(false)),
    ("mfa_phone_verify_enabled", || json!(true)),
    ("mfa_phone_verify_enabled", || json!(false)),
    ("password_hibp_enabled", || json!(true)),
    ("saml_enabled", || json!(true)),
    ("saml_enabled", || json!(null)),
    ("saml_allow_encrypted_assertions", || json!(true)),
    ("no_field_of_that_name", || json!("x")),
];

const ENTITIES: [Text; 3] = ["https://one.example", "https://two.example", "https://three.example"];
const DOMAINS: [Text; 4] = ["one.example", "two.example", "ONE.example", "three.example"];

const RULES: &[Rule] = &[
    Rule::read(GetAuthConfig::META, "auth:read", |model, asked| Ok(model.projects[asked.project()].auth.shown())),
    Rule::write(UpdateAuthConfig::META, "auth:write", update)
        .call(|dice, _, what| {
            let fields = dice.some(&VALUES, 3).into_iter();
            what.with(Value::Object(fields.map(|(name, value)| (name.to_owned(), value())).collect()))
        })
        .bodies(|| {
            vec![
                json!([]),
                json!({ "jwt_exp": -1 }),
                json!({ "jwt_exp": 604_801 }),
                json!({ "jwt_exp": "1" }),
                json!({ "mailer_otp_exp": null }),
                json!({ "site_url": "a,b" }),
                json!({ "sms_provider": "nobody" }),
                json!({ "disable_signup": 1 }),
                json!({ "hook_send_sms_secrets": "guess" }),
                json!({ "sms_test_otp_valid_until": "soon" }),
            ]
        }),
    Rule::write(CreateSsoProvider::META, "auth:write", create)
        .call(|dice, model, what| {
            // Half of them have an entity that is not used yet.
            let entity = match dice.one_in(2) {
                true => dice.pick(&ENTITIES).to_owned(),
                false => format!("https://{}.example", model.providers.len()),
            };
            let metadata = if dice.one_in(12) { "<Nothing/>".to_owned() } else { metadata(&entity) };
            let domains = dice.one_in(2).then(|| json!(dice.some(&DOMAINS, 2)));
            what.with(given([("type", Some(json!("saml"))), ("metadata_xml", Some(json!(metadata))), ("domains", domains)]))
        })
        .bodies(|| {
            vec![
                json!({}),
                json!({ "type": "saml" }),
                json!({ "type": "oidc", "metadata_xml": metadata(ENTITIES[0]) }),
                json!({ "type": "saml", "metadata_xml": metadata(ENTITIES[0]), "metadata_url": "https://one.example" }),
                json!({ "type": "saml", "metadata_url": "http://one.example" }),
                json!({ "type": "saml", "metadata_xml": metadata(ENTITIES[0]), "domains": ["nodots"] }),
            ]
        })
        .makes(&[("provider", "/id")]),
    Rule::read(ListSsoProviders::META, "auth:read", |model, asked| {
        let is_on = model.require_saml(asked).is_ok();
        let is_mine = |provider: &Provider| is_on && provider.project == asked.project() && !provider.is_removed;
        let mine = model.providers.iter().enumerate().filter(|(_, provider)| is_mine(provider));
        Ok(json!({ "items": mine.map(|(number, provider)| provider.shown(number)).collect::<Vec<_>>() }))
    }),
    Rule::read(GetSsoProvider::META, "auth:read", |model, asked| {
        let number = model.provider(asked)?;
        Ok(model.providers[number].shown(number))
    }),
    Rule::write(UpdateSsoProvider::META, "auth:write", change)
        .call(|dice, model, what| {
            let known = model.providers.get(super::rule::number(what.part("provider_id")));
            let entity = known.map_or(ENTITIES[0].to_owned(), |provider| provider.entity.clone());
            let entity = if dice.one_in(4) { dice.pick(&ENTITIES).to_owned() } else { entity };
            let metadata = dice.one_in(2).then(|| json!(metadata(&entity)));
            let domains = Some(json!(dice.some(&DOMAINS, 2))).filter(|_| !dice.one_in(3));
            what.with(given([("metadata_xml", metadata), ("domains", domains)]))
        })
        .bodies(|| {
            vec![
                json!({ "metadata_xml": "<x/>", "metadata_url": "https://one.example" }),
                json!({ "metadata_url": "one.example" }),
                json!({ "domains": [""] }),
                json!({ "attribute_mapping": {} }),
            ]
        }),
    // Histories create no provider by its address, so what is there does not show.
    Rule::control(SetDocument::META, |_, _| done())
        .call(|dice, _, what| {
            let text = dice.one_in(2).then(|| json!(metadata(ENTITIES[0])));
            what.with(given([("url", Some(json!("https://one.example"))), ("text", text)]))
        })
        .bodies(|| vec![json!({}), json!({ "url": "" }), json!({ "url": "https://one.example", "body": "" })]),
    Rule::write(RemoveSsoProvider::META, "auth:write", |model, asked| {
        let number = model.provider(asked)?;
        model.providers[number].is_removed = true;
        Ok(model.providers[number].shown(number))
    }),
];

fn metadata(entity: &str) -> String {
    format!("<EntityDescriptor entityID=\"{entity}\"/>")
}

/// The differences from a new project's configuration.
#[derive(Clone, Debug, Default)]
pub(super) struct AuthConfig(Map<String, Value>);

impl AuthConfig {
    fn shown(&self) -> Value {
        Value::Object(FIELDS.iter().map(|(name, _)| ((*name).to_owned(), self.field(name))).collect())
    }

    fn field(&self, name: &str) -> Value {
        let new =
            || FIELDS.iter().find(|(field, _)| *field == name).map(|(_, new)| new()).unwrap_or_default();
        self.0.get(name).cloned().unwrap_or_else(new)
    }

    fn is_on(&self, name: &str) -> bool {
        self.field(name) == true
    }
}

fn update(model: &mut Model, asked: &Asked<'_>) -> Answer {
    if model.is_free(asked.project()) && asked.body("password_hibp_enabled") == true {
        return Err(402);
    }
    let mut config = model.projects[asked.project()].auth.clone();
    for (name, value) in asked.what.body.as_object().into_iter().flatten() {
        match value {
            Value::Null => drop(config.0.remove(name)),
            value => drop(config.0.insert(name.clone(), value.clone())),
        }
    }
    let shown = config.shown();
    model.projects[asked.project()].auth = config;
    Ok(shown)
}

#[derive(Clone, Debug)]
pub(super) struct Provider {
    project: usize,
    entity: String,
    domains: Vec<String>,
    is_removed: bool,
}

impl Provider {
    fn shown(&self, number: usize) -> Value {
        let domains: Vec<_> = self.domains.iter().map(|domain| json!({ "domain": domain })).collect();
        let id = format!("{{provider {number}}}");
        json!({ "id": id, "saml": { "entity_id": self.entity }, "domains": domains })
    }
}

/// The entity of the metadata; 400 if the metadata has none.
fn entity_of(metadata: &str) -> Result<String, u16> {
    let entity = metadata.split('"').nth(1).ok_or(400_u16)?;
    Ok(entity.to_owned())
}

fn create(model: &mut Model, asked: &Asked<'_>) -> Answer {
    model.require_saml(asked)?;
    let (project, entity) = (asked.project(), entity_of(asked.text("metadata_xml"))?);
    let mut others = model.providers.iter().filter(|other| other.project == project && !other.is_removed);
    if others.any(|other| other.entity == entity) {
        return Err(400);
    }
    let domains = asked.texts("domains");
    model.require_free_domains(project, usize::MAX, &domains)?;
    model.providers.push(Provider { project, entity, domains, is_removed: false });
    let number = model.providers.len() - 1;
    Ok(model.providers[number].shown(number))
}

fn change(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let number = model.provider(asked)?;
    if let Some(metadata) = asked.body("metadata_xml").as_str()
        && entity_of(metadata)? != model.providers[number].entity
    {
        return Err(400);
    }
    if asked.body("domains").is_array() {
        let domains = asked.texts("domains");
        model.require_free_domains(asked.project(), number, &domains)?;
        model.providers[number].domains = domains;
    }
    Ok(model.providers[number].shown(number))
}

impl Model {
    fn require_saml(&self, asked: &Asked<'_>) -> Result<(), u16> {
        if self.projects[asked.project()].auth.is_on("saml_enabled") { Ok(()) } else { Err(404) }
    }

    fn provider(&self, asked: &Asked<'_>) -> Result<usize, u16> {
        self.require_saml(asked)?;
        let number = asked.number("provider_id");
        let found =
            self.providers.get(number).filter(|one| !one.is_removed && one.project == asked.project());
        found.map(|_| number).ok_or(404)
    }

    /// A domain belongs to one provider of a project; the case of its letters does not matter.
    fn require_free_domains(&self, project: usize, own: usize, domains: &[String]) -> Result<(), u16> {
        let others = self.providers.iter().enumerate();
        let others =
            others.filter(|(number, one)| *number != own && one.project == project && !one.is_removed);
        let mut taken: Vec<_> =
            others.flat_map(|(_, one)| &one.domains).map(|name| name.to_lowercase()).collect();
        for domain in domains.iter().map(|name| name.to_lowercase()) {
            if taken.contains(&domain) {
                return Err(400);
            }
            taken.push(domain);
        }
        Ok(())
    }
}
