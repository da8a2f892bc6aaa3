//! `/v1/projects/{ref}/config/auth/sso/providers`: the SAML identity providers of a project.

mod metadata;
mod stored;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sim_base::operations;
use sim_base::{
    Cx, Error, FromJson, Kind, Meta, Needs, New, Operation, Resource, Scope, Timestamp, ToSchema, View,
    delete, get, micros, post, put, view,
};
use uuid::Uuid;

use self::metadata::{Metadata, check_new_source, check_source, require_new_entity};
use self::stored::{COLUMNS, Row, find_by_seq, insert, load, set_domains, shown, stored_mapping};
use crate::project::{self, ProjectRef};
use crate::{auth_config, text_of};

operations![CreateSsoProvider, ListSsoProviders, GetSsoProvider, UpdateSsoProvider, RemoveSsoProvider];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE sso_provider (
        seq INTEGER PRIMARY KEY,
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        id TEXT NOT NULL UNIQUE,
        saml TEXT NOT NULL,
        entity_id TEXT NOT NULL,
        metadata_url TEXT,
        metadata_xml TEXT NOT NULL,
        attribute_mapping TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        changed_by_call INTEGER NOT NULL,
        name_id_format TEXT,
        UNIQUE (project, entity_id)
    ) STRICT;
    CREATE INDEX sso_provider_by_project ON sso_provider (project, seq);
    CREATE TABLE sso_domain (
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        domain TEXT NOT NULL COLLATE NOCASE,
        provider INTEGER NOT NULL REFERENCES sso_provider ON DELETE CASCADE,
        id TEXT NOT NULL,
        place INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        PRIMARY KEY (project, domain)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sso_domain_by_provider ON sso_domain (provider, place);
";

pub(crate) const VIEWS: &[View] = &[
    view(
        "sso_provider",
        "An identity provider.",
        "SELECT project, id, entity_id, metadata_url, attribute_mapping, name_id_format, created_at, updated_at,
         changed_by_call
         FROM sso_provider ORDER BY seq",
    ),
    view(
        "sso_domain",
        "A domain of an identity provider.",
        "SELECT domain.project, domain, provider.id AS provider, domain.created_at FROM sso_domain AS domain
         JOIN sso_provider AS provider ON provider.seq = domain.provider ORDER BY provider, place",
    ),
];

const NOT_ENABLED: &str = "SAML 2.0 support is not enabled for this project";
const NO_PROVIDER: &str = "Either SAML 2.0 was not enabled for this project, or the provider does not exist";
const NOT_FOUND: &str = "SSO Identity Provider not found";

/// An identity provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct SsoProvider {
    /// UUID.
    pub id: String,
    /// Its SAML configuration.
    pub saml: SamlProvider,
    /// The domains whose users sign in through it.
    pub domains: Vec<SsoDomain>,
    /// When it was created.
    #[schemars(with = "String")]
    pub created_at: Timestamp,
    /// When it was last changed.
    #[schemars(with = "String")]
    pub updated_at: Timestamp,
}

/// The SAML configuration of an identity provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct SamlProvider {
    /// UUID.
    pub id: String,
    /// Its entity identifier, from its metadata.
    pub entity_id: String,
    /// The address of its metadata; absent if the metadata was given as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata_url: Option<String>,
    /// Its metadata.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata_xml: Option<String>,
    /// The mapping from its claims to a user's attributes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribute_mapping: Option<StoredMapping>,
    /// The format of the names by which it identifies users; absent if none was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11"))]
    pub name_id_format: Option<NameIdFormat>,
}

/// The format of the names by which an identity provider identifies users.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub enum NameIdFormat {
    /// Unspecified.
    #[serde(rename = "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified")]
    Unspecified,
    /// A different name each time.
    #[serde(rename = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient")]
    Transient,
    /// An email address.
    #[serde(rename = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress")]
    EmailAddress,
    /// The same name each time.
    #[serde(rename = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent")]
    Persistent,
}

/// The mapping from claims to attributes, as stored: without `keys` if no mapping was given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct StoredMapping {
    /// Attributes, with their claims.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keys: Option<BTreeMap<String, Claim>>,
}

/// The mapping from claims to attributes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct AttributeMapping {
    /// Attributes, with their claims.
    pub keys: BTreeMap<String, Claim>,
}

/// The claim of an attribute.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Claim {
    /// The claim's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Names of claims; the first existing one counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub names: Option<Vec<String>>,
    /// The value if no claim exists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// Whether all values of the claim are used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub array: Option<bool>,
}

/// A domain whose users sign in through a provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct SsoDomain {
    /// UUID.
    pub id: String,
    /// The domain.
    pub domain: String,
    /// When it was added.
    #[schemars(with = "String")]
    pub created_at: Timestamp,
    /// When it was last changed.
    #[schemars(with = "String")]
    pub updated_at: Timestamp,
}

/// The kind of an identity provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SsoType {
    /// SAML 2.0.
    Saml,
}

/// A domain name: letters, digits and hyphens, at least two labels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Domain(
    #[schemars(
        length(min = 1, max = 253),
        regex(pattern = r"^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$"),
        extend("x-rule" = "a domain name such as example.com")
    )]
    pub String,
);

/// List the identity providers of a project; none while SAML is off.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListSsoProviders {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

/// The identity providers of a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct SsoProviders {
    /// The providers, oldest first.
    pub items: Vec<SsoProvider>,
}

/// Create an identity provider.
///
/// Its metadata is given as `metadata_xml`, or fetched from `metadata_url`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
#[schemars(extend("allOf" = [{ "oneOf": [{ "required": ["metadata_xml"] }, { "required": ["metadata_url"] }] }]))]
pub struct CreateSsoProvider {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Its kind.
    pub r#type: SsoType,
    /// Its metadata.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata_xml: Option<String>,
    /// The address of its metadata.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(
        regex(pattern = r"^https://"),
        extend("format" = "uri", "x-pattern-refusal" = "metadata_url: Invalid url, must start with https://")
    )]
    pub metadata_url: Option<String>,
    /// The domains whose users sign in through it; a domain belongs to one provider of the project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domains: Option<Vec<Domain>>,
    /// The mapping from its claims to a user's attributes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribute_mapping: Option<AttributeMapping>,
    /// The format of the names by which it identifies users.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11"))]
    pub name_id_format: Option<NameIdFormat>,
}

impl CreateSsoProvider {
    /// A provider with that metadata and those domains.
    pub fn with_xml(r#ref: ProjectRef, metadata_xml: &str, domains: &[&str]) -> CreateSsoProvider {
        CreateSsoProvider {
            r#ref,
            r#type: SsoType::Saml,
            metadata_xml: Some(metadata_xml.to_owned()),
            metadata_url: None,
            domains: Some(domains.iter().map(|domain| Domain((*domain).to_owned())).collect()),
            attribute_mapping: None,
            name_id_format: None,
        }
    }
}

impl Operation for CreateSsoProvider {
    type Output = SsoProvider;
    const META: Meta = Meta {
        scope: Some(Scope("auth:write")),
        check: Some(check_new_source),
        needs: Needs::AUTH,
        failure: "Failed to create SSO provider",
        ..post("v1-create-a-sso-provider", "/v1/projects/{ref}/config/auth/sso/providers")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<SsoProvider, Error> {
        require_saml(cx, &self.r#ref, NOT_ENABLED)?;
        let metadata = Metadata::of(cx, self.metadata_xml, self.metadata_url)?
            .expect("validation wants one of metadata_xml and metadata_url");
        require_new_entity(cx, &self.r#ref, &metadata.entity_id)?;
        let mapping = stored_mapping(self.attribute_mapping);
        let seq = insert(cx, &self.r#ref, &metadata, &mapping, self.name_id_format);
        set_domains(cx, &self.r#ref, seq, &self.domains.unwrap_or_default())?;
        Ok(shown(cx, &find_by_seq(cx, seq)))
    }
}

impl Operation for ListSsoProviders {
    type Output = SsoProviders;
    const META: Meta = Meta {
        scope: Some(Scope("auth:read")),
        needs: Needs::AUTH,
        failure: "Failed to list SSO providers",
        ..get("v1-list-all-sso-provider", "/v1/projects/{ref}/config/auth/sso/providers")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<SsoProviders, Error> {
        let project = project::load(cx, &self.r#ref)?;
        if !auth_config::saml(cx, &project.r#ref).0 {
            return Ok(SsoProviders { items: Vec::new() });
        }
        let sql = format!("SELECT {COLUMNS} FROM sso_provider WHERE project = ?1 ORDER BY seq");
        let rows = cx.db.all(&sql, (&self.r#ref.0,), Row::read);
        Ok(SsoProviders { items: rows.iter().map(|row| shown(cx, row)).collect() })
    }
}

/// Get an identity provider.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetSsoProvider {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The provider's id.
    #[schemars(with = "String", extend("format" = "uuid"))]
    pub provider_id: Uuid,
}

impl Operation for GetSsoProvider {
    type Output = SsoProvider;
    const META: Meta = Meta {
        scope: Some(Scope("auth:read")),
        needs: Needs::AUTH,
        failure: "Failed to get SSO provider",
        ..get("v1-get-a-sso-provider", "/v1/projects/{ref}/config/auth/sso/providers/{provider_id}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<SsoProvider, Error> {
        require_saml(cx, &self.r#ref, NO_PROVIDER)?;
        Ok(shown(cx, &load(cx, &self.r#ref, self.provider_id)?))
    }
}

/// Update an identity provider. Omitted fields do not change.
///
/// New metadata must be of the same entity. Domains and the mapping are replaced as a whole.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[schemars(extend("not" = { "required": ["metadata_xml", "metadata_url"] }))]
pub struct UpdateSsoProvider {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The provider's id.
    #[schemars(with = "String", extend("format" = "uuid"))]
    pub provider_id: Uuid,
    /// Its metadata.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata_xml: Option<String>,
    /// The address of its metadata.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(
        regex(pattern = r"^https://"),
        extend("format" = "uri", "x-pattern-refusal" = "metadata_url: Invalid url, must start with https://")
    )]
    pub metadata_url: Option<String>,
    /// The domains whose users sign in through it; a domain belongs to one provider of the project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domains: Option<Vec<Domain>>,
    /// The mapping from its claims to a user's attributes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribute_mapping: Option<AttributeMapping>,
    /// The format of the names by which it identifies users.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11"))]
    pub name_id_format: Option<NameIdFormat>,
}

impl Operation for UpdateSsoProvider {
    type Output = SsoProvider;
    const META: Meta = Meta {
        scope: Some(Scope("auth:write")),
        check: Some(check_source),
        needs: Needs::AUTH,
        failure: "Failed to update SSO provider",
        ..put("v1-update-a-sso-provider", "/v1/projects/{ref}/config/auth/sso/providers/{provider_id}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<SsoProvider, Error> {
        require_saml(cx, &self.r#ref, NO_PROVIDER)?;
        let provider = load(cx, &self.r#ref, self.provider_id)?;
        if let Some(metadata) = Metadata::of(cx, self.metadata_xml, self.metadata_url)? {
            provider.require_same_entity(&metadata)?;
            let sql = "UPDATE sso_provider SET metadata_url = ?2, metadata_xml = ?3 WHERE seq = ?1";
            cx.db.run(sql, (provider.seq, metadata.url, metadata.xml));
        }
        if self.attribute_mapping.is_some() {
            let sql = "UPDATE sso_provider SET attribute_mapping = ?2 WHERE seq = ?1";
            cx.db.run(sql, (provider.seq, stored_mapping(self.attribute_mapping)));
        }
        if let Some(format) = self.name_id_format {
            let sql = "UPDATE sso_provider SET name_id_format = ?2 WHERE seq = ?1";
            cx.db.run(sql, (provider.seq, text_of(&format)));
        }
        if let Some(domains) = self.domains {
            set_domains(cx, &self.r#ref, provider.seq, &domains)?;
        }
        let sql = "UPDATE sso_provider SET updated_at = ?2, changed_by_call = ?3 WHERE seq = ?1";
        cx.db.run(sql, (provider.seq, micros(cx.now), cx.call as i64));
        Ok(shown(cx, &find_by_seq(cx, provider.seq)))
    }
}

/// Remove an identity provider. Returns the removed provider.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct RemoveSsoProvider {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The provider's id.
    #[schemars(with = "String", extend("format" = "uuid"))]
    pub provider_id: Uuid,
}

impl Operation for RemoveSsoProvider {
    type Output = SsoProvider;
    const META: Meta = Meta {
        scope: Some(Scope("auth:write")),
        needs: Needs::AUTH,
        failure: "Failed to delete SSO provider",
        ..delete("v1-delete-a-sso-provider", "/v1/projects/{ref}/config/auth/sso/providers/{provider_id}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<SsoProvider, Error> {
        require_saml(cx, &self.r#ref, NO_PROVIDER)?;
        let provider = load(cx, &self.r#ref, self.provider_id)?;
        let removed = shown(cx, &provider);
        cx.db.run("DELETE FROM sso_provider WHERE seq = ?1", (provider.seq,));
        Ok(removed)
    }
}

/// Refuses with 404 and this message if SAML is off.
fn require_saml(cx: &Cx<'_>, r#ref: &ProjectRef, words: &str) -> Result<(), Error> {
    let project = project::load(cx, r#ref)?;
    match auth_config::saml(cx, &project.r#ref) {
        (true, _) => Ok(()),
        (false, since) => {
            Err(Error::new(Kind::NotFound, "saml_not_enabled", words).because("saml_enabled", false, since))
        }
    }
}
