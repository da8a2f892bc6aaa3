//! Addresses that may not connect, after too many failed logins.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;
use sim_base::{
    Access, Body, Cx, Edition, Empty, Error, FromJson, Meta, New, Operation, Profile, Role, Scope, ToSchema,
    act, delete, later, micros, post,
};

use super::{check_list, in_force};
use crate::project::{self, ProjectRef, Row};

/// Addresses that are banned from a project's database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Bans {
    /// IPv4 and IPv6 addresses.
    pub banned_ipv4_addresses: Vec<String>,
}

/// The result of an attempt to log in with a wrong password.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Login {
    /// The reason for the refusal.
    pub refused: LoginRefusal,
}

/// The reason why a login is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LoginRefusal {
    /// The address is not in an allowed network. The attempt is not counted.
    NetworkRestricted,
    /// The address is banned. The attempt is not counted.
    Banned,
    /// The password was wrong.
    WrongPassword,
    /// The password was wrong too often. The address is banned from now on.
    WrongPasswordThenBanned,
}

/// Try to log in to a project's database from an address, with a wrong password.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct FailLogin {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The IPv4 or IPv6 address it comes from.
    pub address: IpAddr,
}

impl Operation for FailLogin {
    type Output = Login;
    const META: Meta = Meta {
        access: Access::Control,
        ..post("sim-fail-login", "/_sim/projects/{ref}/database/failed-logins")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Login, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let refused = if !in_force(cx, &project).admit(self.address) {
            LoginRefusal::NetworkRestricted
        } else if bans(cx, &project).contains(&self.address) {
            LoginRefusal::Banned
        } else {
            count_failure(cx, &project, self.address)
        };
        Ok(Login { refused })
    }
}

fn count_failure(cx: &Cx<'_>, project: &Row, address: IpAddr) -> LoginRefusal {
    let durations = &cx.policy.durations;
    let from_now = |length: u64| micros(later(cx.now, Duration::from_millis(length)));
    let failures: u32 = cx.db.one(
        "INSERT INTO failed_login VALUES (?1, ?2, 1, ?4, NULL)
         ON CONFLICT DO UPDATE SET failures = iif(counts_until > ?3 AND banned_until IS NULL, failures, 0) + 1,
                                   counts_until = ?4, banned_until = NULL
         RETURNING failures",
        (&project.r#ref, address.to_string(), micros(cx.now), from_now(durations.failed_login_ms)),
        |row| row.get(0),
    );
    if failures < cx.policy.ban_after_failures {
        return LoginRefusal::WrongPassword;
    }
    let sql = "UPDATE failed_login SET banned_until = ?3 WHERE project = ?1 AND address = ?2";
    cx.db.run(sql, (&project.r#ref, address.to_string(), from_now(durations.ban_ms)));
    LoginRefusal::WrongPasswordThenBanned
}

/// Get the addresses that are banned from a project's database.
///
/// Failed log-ins ban an address for a while.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetBans {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for GetBans {
    type Output = Bans;
    const META: Meta = Meta {
        status: 201,
        beta: true,
        role: Role::ReadOnly,
        scope: Some(Scope("projects:read")),
        also: &[500],
        failure: "Failed to retrieve project's network bans",
        ..act("v1-list-all-network-bans", "/v1/projects/{ref}/network-bans/retrieve")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Bans, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let banned_ipv4_addresses = bans(cx, &project).iter().map(IpAddr::to_string).collect();
        Ok(Bans { banned_ipv4_addresses })
    }
}

/// A banned address, and the service that it is banned from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct EnrichedBan {
    /// The address.
    pub banned_address: String,
    /// The database: the project's reference.
    pub identifier: String,
    /// `primary`: that database is the project's own.
    pub r#type: String,
}

/// Addresses that are banned from a project's database, and the services that they are banned from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct EnrichedBans {
    /// One for each address.
    pub banned_ipv4_addresses: Vec<EnrichedBan>,
}

/// Get the addresses that are banned from a project's database, and the services that they are banned from.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetEnrichedBans {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for GetEnrichedBans {
    type Output = EnrichedBans;
    const META: Meta = Meta {
        status: 201,
        beta: true,
        since: Edition::V2026_11,
        role: Role::ReadOnly,
        scope: Some(Scope("projects:read")),
        also: &[500],
        failure: "Failed to retrieve project's enriched network bans",
        ..act("v1-list-all-network-bans-enriched", "/v1/projects/{ref}/network-bans/retrieve/enriched")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<EnrichedBans, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let enriched = |address: &IpAddr| EnrichedBan {
            banned_address: address.to_string(),
            identifier: project.r#ref.clone(),
            r#type: "primary".to_owned(),
        };
        Ok(EnrichedBans { banned_ipv4_addresses: bans(cx, &project).iter().map(enriched).collect() })
    }
}

/// Banned at this time, in numeric order, IPv4 first.
pub(super) fn bans(cx: &Cx<'_>, project: &Row) -> Vec<IpAddr> {
    let sql = "SELECT address FROM failed_login WHERE project = ?1 AND banned_until > ?2";
    let mut addresses: Vec<IpAddr> = cx.db.all(sql, (&project.r#ref, micros(cx.now)), |row| {
        Ok(row.get::<_, String>(0)?.parse().expect("a stored address was written by the same type"))
    });
    addresses.sort_unstable();
    addresses
}

/// Remove bans from a project's database. Addresses that are not banned have no effect.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct RemoveBans {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The addresses; clients send both families here.
    #[schemars(extend("items" = { "type": "string" }))]
    pub ipv4_addresses: Vec<String>,
    /// Whether to also remove the ban of the address that sent the request: 127.0.0.1 here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11"))]
    pub requester_ip: Option<bool>,
    /// The database: the project's reference by default. Others have no bans.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-2025-05" = { "x-hidden": true }))]
    pub identifier: Option<String>,
}

impl Operation for RemoveBans {
    type Output = Empty;
    const META: Meta = Meta {
        body: Body::Fields,
        beta: true,
        scope: Some(Scope("projects:write")),
        check: Some(check_addresses),
        also: &[500],
        failure: "Failed to remove network bans.",
        ..delete("v1-delete-network-bans", "/v1/projects/{ref}/network-bans")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        if self.identifier.is_some_and(|database| database != project.r#ref) {
            cx.without_effect(|| "body.identifier".to_owned())?;
            return Ok(Empty {});
        }
        let place = |index: usize| format!("body.ipv4_addresses.{index}");
        let given = self.ipv4_addresses.iter().enumerate();
        let given = given.filter_map(|(index, text)| Some((place(index), text.parse::<IpAddr>().ok()?)));
        let own = self.requester_ip.filter(|lifted| *lifted);
        let own = own.map(|_| ("body.requester_ip".to_owned(), IpAddr::V4(Ipv4Addr::LOCALHOST)));
        for (place, address) in given.chain(own) {
            let sql =
                "DELETE FROM failed_login WHERE project = ?1 AND address = ?2 AND banned_until IS NOT NULL";
            if cx.db.run(sql, (&project.r#ref, address.to_string())) == 0 {
                cx.without_effect(|| place)?;
            }
        }
        Ok(Empty {})
    }
}

fn check_addresses(input: &Value, _: &Profile) -> Result<(), Error> {
    let is_good = |text: &str| text.parse::<IpAddr>().is_ok();
    check_list(input, "", "ipv4_addresses", "an IP address such as 192.0.2.1 or 2001:db8::1", is_good)
}
