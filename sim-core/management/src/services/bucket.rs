//! `/v1/projects/{ref}/storage/buckets`: the buckets for a project's files. They are rows of `storage.buckets` in its database.

use serde::Serialize;
use serde_json::Value;
use sim_base::operations;
use sim_base::{Cx, Error, FromJson, Meta, Needs, New, Operation, Resource, Scope, ToSchema, get};

use crate::project::{self, ProjectRef};
use crate::query;

operations![ListBuckets];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// A bucket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Bucket {
    /// Its identifier, usually its name.
    pub id: String,
    /// Its name.
    pub name: String,
    /// UUID of the user who created it; empty if there is none.
    pub owner: String,
    /// When it was created.
    pub created_at: String,
    /// When it was last changed.
    pub updated_at: String,
    /// Whether its files can be read without a token.
    pub public: bool,
}

/// List a project's buckets.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListBuckets {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

/// Timestamps in the storage service's format.
const BUCKETS: &str = r#"
    select id, name, coalesce(owner::text, '') as owner, coalesce(public, false) as public,
           to_char(created_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at,
           to_char(updated_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as updated_at
    from storage.buckets order by name"#;

impl Operation for ListBuckets {
    type Output = Vec<Bucket>;
    const META: Meta = Meta {
        scope: Some(Scope("storage:read")),
        also: &[500],
        failure: "Failed to get list of buckets",
        needs: Needs { services: &["db", "storage"], ..Needs::DATABASE },
        ..get("v1-list-all-buckets", "/v1/projects/{ref}/storage/buckets")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<Bucket>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let rows = query::run(cx, &project, BUCKETS)?.rows;
        // If the table or its columns were dropped, there are no buckets.
        Ok(rows.into_iter().filter_map(|row| serde_json::from_value(Value::Object(row)).ok()).collect())
    }
}
