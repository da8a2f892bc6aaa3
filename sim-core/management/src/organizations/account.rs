//! `/v1/profile`: the caller.

use serde::Serialize;
use sim_base::operations;
use sim_base::{Cx, Edition, Error, FromJson, Meta, New, Operation, Resource, ToSchema, get};

operations![GetAccount];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// A user as they see themselves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Account {
    /// UUID of the user.
    pub auth_server_id: String,
    /// Address of the user.
    pub primary_email: String,
    /// Name of the user.
    pub username: String,
}

/// Get the user of the token.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetAccount {}

impl Operation for GetAccount {
    type Output = Account;
    const META: Meta = Meta { since: Edition::V2026_11, ..get("v1-get-profile", "/v1/profile") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Account, Error> {
        // The control API has no user.
        let user = cx.caller.user().ok_or_else(|| Error::unauthorized("no_user"))?;
        let sql = "SELECT uuid, email, name FROM user WHERE id = ?1";
        Ok(cx.db.one(sql, (user,), |row| {
            Ok(Account { auth_server_id: row.get(0)?, primary_email: row.get(1)?, username: row.get(2)? })
        }))
    }
}
