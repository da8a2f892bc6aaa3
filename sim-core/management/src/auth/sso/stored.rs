//! Providers as stored, and their domains.

use std::collections::BTreeMap;

use sim_base::{Cx, Error, Kind, Timestamp, from_micros, micros};
use uuid::Uuid;

use super::metadata::Metadata;
use super::{
    AttributeMapping, Domain, NOT_FOUND, NameIdFormat, SamlProvider, SsoDomain, SsoProvider, StoredMapping,
};
use crate::project::ProjectRef;
use crate::{named, text_of};

pub(super) fn insert(
    cx: &Cx<'_>,
    project: &ProjectRef,
    metadata: &Metadata,
    mapping: &str,
    name_id_format: Option<NameIdFormat>,
) -> i64 {
    let mut draw = cx.rng.draw("sso provider");
    cx.db.one(
        "INSERT INTO sso_provider (project, id, saml, entity_id, metadata_url, metadata_xml, attribute_mapping,
                                   created_at, updated_at, changed_by_call, name_id_format)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9, ?10) RETURNING seq",
        rusqlite::params![
            project.0,
            draw.uuid().to_string(),
            draw.uuid().to_string(),
            metadata.entity_id,
            metadata.url,
            metadata.xml,
            mapping,
            micros(cx.now),
            cx.call as i64,
            name_id_format.map(|format| text_of(&format)),
        ],
        |row| row.get(0),
    )
}

pub(super) fn stored_mapping(mapping: Option<AttributeMapping>) -> String {
    let stored = StoredMapping { keys: mapping.map(|mapping| mapping.keys) };
    serde_json::to_string(&stored).expect("a mapping is plain data")
}

/// Sets the provider's domains to `domains`; domains it already has keep their ids.
pub(super) fn set_domains(
    cx: &Cx<'_>,
    project: &ProjectRef,
    provider: i64,
    domains: &[Domain],
) -> Result<(), Error> {
    let kept =
        cx.db.all("SELECT domain, id, created_at FROM sso_domain WHERE provider = ?1", (provider,), |row| {
            Ok((
                row.get::<_, String>(0)?.to_ascii_lowercase(),
                (row.get::<_, String>(1)?, row.get::<_, i64>(2)?),
            ))
        });
    let kept: BTreeMap<_, _> = kept.into_iter().collect();
    cx.db.run("DELETE FROM sso_domain WHERE provider = ?1", (provider,));
    for (place, Domain(domain)) in domains.iter().enumerate() {
        if let Some(first) =
            domains[..place].iter().position(|Domain(other)| other.eq_ignore_ascii_case(domain))
        {
            let text = format!("domains.{place}: '{domain}' is given twice, at {first} too");
            return Err(Error::invalid(format!("invalid_body.domains.{place}"), text));
        }
        require_free_domain(cx, project, domain, place)?;
        let new = || (cx.rng.uuid("sso domain").to_string(), micros(cx.now));
        let (id, created_at) = kept.get(&domain.to_ascii_lowercase()).cloned().unwrap_or_else(new);
        let sql = "INSERT INTO sso_domain VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        cx.db.run(sql, (&project.0, domain, provider, id, place as i64, created_at));
    }
    Ok(())
}

fn require_free_domain(cx: &Cx<'_>, project: &ProjectRef, domain: &str, place: usize) -> Result<(), Error> {
    let sql = "SELECT p.id, p.changed_by_call FROM sso_domain d JOIN sso_provider p ON p.seq = d.provider
               WHERE d.project = ?1 AND d.domain = ?2";
    let taken = cx
        .db
        .maybe(sql, (&project.0, domain), |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)? as u64)));
    match taken {
        None => Ok(()),
        Some((id, since)) => {
            let text = format!(
                "domains.{place}: SSO Domain '{domain}' is already assigned to an SSO identity provider ({id})"
            );
            Err(Error::invalid("domain_taken", text).because("provider", id, Some(since)))
        }
    }
}

/// A provider as stored.
pub(super) struct Row {
    pub(super) seq: i64,
    pub(super) id: String,
    pub(super) saml: String,
    pub(super) entity_id: String,
    pub(super) metadata_url: Option<String>,
    pub(super) metadata_xml: String,
    pub(super) attribute_mapping: String,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
    pub(super) name_id_format: Option<NameIdFormat>,
}

pub(super) const COLUMNS: &str = "seq, id, saml, entity_id, metadata_url, metadata_xml, attribute_mapping, created_at, updated_at, \
    name_id_format";

impl Row {
    pub(super) fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Row> {
        Ok(Row {
            seq: row.get(0)?,
            id: row.get(1)?,
            saml: row.get(2)?,
            entity_id: row.get(3)?,
            metadata_url: row.get(4)?,
            metadata_xml: row.get(5)?,
            attribute_mapping: row.get(6)?,
            created_at: from_micros(row.get(7)?),
            updated_at: from_micros(row.get(8)?),
            name_id_format: row.get::<_, Option<String>>(9)?.map(|name| named(&name)),
        })
    }

    pub(super) fn require_same_entity(&self, metadata: &Metadata) -> Result<(), Error> {
        if self.entity_id == metadata.entity_id {
            return Ok(());
        }
        let text = format!(
            "SAML Metadata can be updated only if the EntityIDs match for the provider; expected '{}' but got '{}'",
            self.entity_id, metadata.entity_id
        );
        Err(Error::invalid("entity_id_differs", text))
    }
}

pub(super) fn load(cx: &Cx<'_>, project: &ProjectRef, id: Uuid) -> Result<Row, Error> {
    let sql = format!("SELECT {COLUMNS} FROM sso_provider WHERE id = ?1 AND project = ?2");
    let found = cx.db.maybe(&sql, (id.to_string(), &project.0), Row::read);
    found.ok_or_else(|| {
        Error::new(Kind::NotFound, "sso_provider_not_found", NOT_FOUND).because("provider", id, None)
    })
}

pub(super) fn find_by_seq(cx: &Cx<'_>, seq: i64) -> Row {
    cx.db.one(&format!("SELECT {COLUMNS} FROM sso_provider WHERE seq = ?1"), (seq,), Row::read)
}

pub(super) fn shown(cx: &Cx<'_>, row: &Row) -> SsoProvider {
    let sql = "SELECT id, domain, created_at FROM sso_domain WHERE provider = ?1 ORDER BY place";
    let domains = cx.db.all(sql, (row.seq,), |row| {
        let created_at = from_micros(row.get(2)?);
        Ok(SsoDomain { id: row.get(0)?, domain: row.get(1)?, created_at, updated_at: created_at })
    });
    SsoProvider {
        id: row.id.clone(),
        saml: SamlProvider {
            id: row.saml.clone(),
            entity_id: row.entity_id.clone(),
            metadata_url: row.metadata_url.clone(),
            metadata_xml: Some(row.metadata_xml.clone()),
            attribute_mapping: serde_json::from_str(&row.attribute_mapping).ok(),
            name_id_format: row.name_id_format,
        },
        domains,
        created_at: row.created_at,
        updated_at: row.updated_at,
    }
}
