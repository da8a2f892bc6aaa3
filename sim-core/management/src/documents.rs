//! `/_sim/documents`: documents of the outside world that the service fetches, such as the metadata of identity providers.

use serde::Serialize;
use sim_base::operations;
use sim_base::{
    Access, Cx, Empty, Error, FromJson, Meta, New, Operation, Resource, ToSchema, View, put, view,
};

use crate::kept;

operations![SetDocument];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE document (url TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID;
";

pub(crate) const VIEWS: &[View] =
    &[view("document", "A document of the outside world.", "SELECT url, text FROM document")];

/// Set the document that is fetched from an address: by `metadata_url` of an identity provider, or by `oidc_issuer_url` and
/// `jwks_url` of third-party authentication. No request is sent to the address.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct SetDocument {
    /// The address, as in requests. For an issuer it ends in `/.well-known/openid-configuration`.
    #[schemars(length(min = 1, max = 4096), extend("format" = "uri"))]
    pub url: String,
    /// The document; if absent, the document is fetched from the address again, if the simulator can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = kept::LONGEST))]
    pub text: Option<String>,
}

impl Operation for SetDocument {
    type Output = Empty;
    const META: Meta = Meta { access: Access::Control, ..put("sim-set-document", "/_sim/documents") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        cx.db.run("DELETE FROM document WHERE url = ?1", (&self.url,));
        if let Some(text) = &self.text {
            cx.db.run("INSERT INTO document VALUES (?1, ?2)", (&self.url, text));
            kept::require_room(cx)?;
        }
        Ok(Empty {})
    }
}

/// The document at `url`, from the request's field `field`: the document that was set, or else the one that the embedder fetches.
pub(crate) fn fetch(cx: &Cx<'_>, field: &str, url: &str) -> Result<String, Error> {
    let set = cx.db.maybe("SELECT text FROM document WHERE url = ?1", (url,), |row| row.get(0));
    set.map_or_else(|| cx.fetch(field, url), Ok)
}
