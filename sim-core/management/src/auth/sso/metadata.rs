//! The metadata of identity providers, and the refusals of it.

use serde_json::Value;
use sim_base::{Cx, Error, Profile};

use crate::project::ProjectRef;
use crate::{documents, saml_metadata};

pub(super) fn check_new_source(input: &Value, profile: &Profile) -> Result<(), Error> {
    if input.get("metadata_xml").is_none() && input.get("metadata_url").is_none() {
        let text = "metadata_xml: Required, or metadata_url in its place";
        return Err(Error::invalid("invalid_body.metadata_xml", text));
    }
    check_source(input, profile)
}

pub(super) fn check_source(input: &Value, _: &Profile) -> Result<(), Error> {
    if input.get("metadata_xml").is_some() && input.get("metadata_url").is_some() {
        let text = "metadata_url: Only one of metadata_xml and metadata_url can be given";
        return Err(Error::invalid("invalid_body.metadata_url", text));
    }
    Ok(())
}

/// An identity provider's metadata, parsed.
pub(super) struct Metadata {
    pub(super) entity_id: String,
    pub(super) url: Option<String>,
    pub(super) xml: String,
}

impl Metadata {
    /// The metadata in a request, if there is any; a 400 names the wrong field.
    pub(super) fn of(
        cx: &Cx<'_>,
        xml: Option<String>,
        url: Option<String>,
    ) -> Result<Option<Metadata>, Error> {
        let (field, xml, url) = match (xml, url) {
            (None, None) => return Ok(None),
            (Some(xml), _) => ("metadata_xml", xml, None),
            (None, Some(url)) => {
                require_https(&url)?;
                ("metadata_url", documents::fetch(cx, "metadata_url", &url)?, Some(url))
            }
        };
        let entity_id = saml_metadata::entity_id(&xml).map_err(|problem| {
            Error::invalid(format!("invalid_body.{field}"), format!("{field}: {problem}"))
        })?;
        Ok(Some(Metadata { entity_id, url, xml }))
    }
}

fn require_https(url: &str) -> Result<(), Error> {
    let parsed = url.parse::<http::Uri>().ok();
    if parsed.is_some_and(|uri| uri.scheme_str() == Some("https") && uri.host().is_some()) {
        return Ok(());
    }
    let text = "metadata_url: Invalid url, must start with https://";
    Err(Error::invalid("invalid_body.metadata_url", text))
}

pub(super) fn require_new_entity(cx: &Cx<'_>, project: &ProjectRef, entity_id: &str) -> Result<(), Error> {
    let sql = "SELECT id, changed_by_call FROM sso_provider WHERE project = ?1 AND entity_id = ?2";
    let taken = cx.db.maybe(sql, (&project.0, entity_id), |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)? as u64))
    });
    match taken {
        None => Ok(()),
        Some((id, since)) => {
            let text = format!("SAML Identity Provider for this EntityID ({entity_id}) already exists");
            Err(Error::invalid("entity_id_taken", text).because("provider", id, Some(since)))
        }
    }
}
