//! `/v1/projects/{ref}/network-restrictions` and `/v1/projects/{ref}/network-bans`: the addresses that may connect to a project's
//! database. Changing single restrictions is in `network_change`.

mod bans;

use std::collections::BTreeSet;
use std::net::IpAddr;
use std::time::Duration;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use serde::Serialize;
use serde_json::Value;
use sim_base::ends::End;
use sim_base::operations;
use sim_base::{
    Cx, Edition, Error, FromJson, Meta, Needs, New, Operation, Profile, Resource, Scope, Task, TaskEntry,
    Timestamp, ToSchema, View, from_micros, get, micros, post, view,
};

use crate::organization::{self, Plan};
use crate::outcome::{self, Work};
use crate::project::{self, ProjectRef, Row};

pub use self::bans::{
    Bans, EnrichedBan, EnrichedBans, FailLogin, GetBans, GetEnrichedBans, Login, LoginRefusal, RemoveBans,
};

operations![GetRestrictions, ApplyRestrictions, FailLogin, GetBans, GetEnrichedBans, RemoveBans];

pub(crate) const RESOURCE: Resource =
    Resource { tables: TABLES, operations: OPERATIONS, tasks: &[TaskEntry::of::<TakeEffect>()] };

const TABLES: &str = "
    CREATE TABLE network_restriction (
        project TEXT PRIMARY KEY REFERENCES project (ref) ON DELETE CASCADE,
        config TEXT NOT NULL,
        in_force TEXT,
        updated_at INTEGER,
        applied_at INTEGER,
        pending TEXT,
        pending_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE failed_login (
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        address TEXT NOT NULL,
        failures INTEGER NOT NULL,
        counts_until INTEGER NOT NULL,
        banned_until INTEGER,
        PRIMARY KEY (project, address)
    ) STRICT, WITHOUT ROWID;
";

/// The end of the ban of an address.
pub(crate) const BAN_END: End = End {
    kind: "end of ban",
    sql: "SELECT banned_until, project, json_object('address', address) FROM failed_login WHERE banned_until > ?1",
};

pub(crate) const VIEWS: &[View] = &[
    view(
        "network_restriction",
        "The addresses that may reach a project: configured, in force, and waiting for review.",
        "SELECT project, config, in_force, updated_at, applied_at, pending, pending_at FROM network_restriction",
    ),
    view(
        "failed_login",
        "An address from which logins failed.",
        "SELECT project, address, failures, counts_until, banned_until FROM failed_login",
    ),
];

/// Whether a project may restrict access to its database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum Entitlement {
    Disallowed,
    Allowed,
}

/// The status of network restrictions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RestrictionStatus {
    /// Stored; the old restrictions are still in force.
    Stored,
    /// In force.
    Applied,
}

/// Networks that may reach a project's database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[expect(non_snake_case, reason = "the published names")]
pub struct Cidrs {
    /// IPv4 networks.
    pub dbAllowedCidrs: Vec<String>,
    /// IPv6 networks.
    pub dbAllowedCidrsV6: Vec<String>,
}

impl Cidrs {
    /// The restrictions of a new project.
    pub(crate) fn everyone() -> Cidrs {
        Cidrs { dbAllowedCidrs: vec!["0.0.0.0/0".to_owned()], dbAllowedCidrsV6: vec!["::/0".to_owned()] }
    }

    fn admit(&self, address: IpAddr) -> bool {
        let networks = if address.is_ipv4() { &self.dbAllowedCidrs } else { &self.dbAllowedCidrsV6 };
        networks.iter().any(|cidr| cidr.parse::<IpNet>().is_ok_and(|net| net.contains(&address)))
    }

    fn stored(text: &str) -> Cidrs {
        serde_json::from_str(text).expect("stored networks were written by the same type")
    }

    fn to_text(&self) -> String {
        serde_json::to_string(self).expect("networks are plain data")
    }
}

/// Network restrictions of a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Restrictions {
    /// Whether the project may have restrictions.
    pub entitlement: Entitlement,
    /// The restrictions requested last.
    pub config: Cidrs,
    /// The restrictions in force, if the requested ones are not yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_config: Option<Cidrs>,
    /// The status of `config`. In the first edition it is absent until restrictions are set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-required" = true, "x-2025-05" = { "required": false }))]
    pub status: Option<RestrictionStatus>,
    /// When `config` was set; absent until it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("format" = "date-time", "x-since" = "2026-11"))]
    pub updated_at: Option<Timestamp>,
    /// When `config` took effect; absent until it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("format" = "date-time", "x-since" = "2026-11"))]
    pub applied_at: Option<Timestamp>,
    /// The restrictions that wait for review.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11"))]
    pub pending_config: Option<Cidrs>,
    /// When they were requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("format" = "date-time", "x-since" = "2026-11"))]
    pub pending_requested_at: Option<Timestamp>,
}

/// Get a project's network restrictions.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetRestrictions {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for GetRestrictions {
    type Output = Restrictions;
    const META: Meta = Meta {
        beta: true,
        scope: Some(Scope("projects:read")),
        also: &[500],
        failure: "Failed to retrieve project's network restrictions",
        ..get("v1-get-network-restrictions", "/v1/projects/{ref}/network-restrictions")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Restrictions, Error> {
        let project = project::load(cx, &self.r#ref)?;
        restrictions(cx, &project)
    }
}

/// Set the networks that may reach a project's database.
///
/// Both lists are replaced; an omitted list becomes empty, so that no address of that family can connect.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[expect(non_snake_case, reason = "the published names")]
pub struct ApplyRestrictions {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// IPv4 networks in CIDR notation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("items" = { "type": "string", "format": "ipv4-cidr" }))]
    pub dbAllowedCidrs: Option<Vec<String>>,
    /// IPv6 networks in CIDR notation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("items" = { "type": "string", "format": "ipv6-cidr" }))]
    pub dbAllowedCidrsV6: Option<Vec<String>>,
}

impl Operation for ApplyRestrictions {
    type Output = Restrictions;
    const META: Meta = Meta {
        beta: true,
        scope: Some(Scope("projects:write")),
        check: Some(check_cidrs),
        also: &[500],
        failure: "Failed to update project network restrictions",
        needs: Needs::SET_UP,
        ..post("v1-update-network-restrictions", "/v1/projects/{ref}/network-restrictions/apply")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Restrictions, Error> {
        let project = project::load(cx, &self.r#ref)?;
        require_entitlement(cx, &project)?;
        let config = Cidrs {
            dbAllowedCidrs: once(cx, "dbAllowedCidrs", self.dbAllowedCidrs.unwrap_or_default())?,
            dbAllowedCidrsV6: once(cx, "dbAllowedCidrsV6", self.dbAllowedCidrsV6.unwrap_or_default())?,
        };
        request(cx, &project, &config);
        restrictions(cx, &project)
    }
}

/// The networks of a list, and says which come a second time.
fn once(cx: &Cx<'_>, name: &str, list: Vec<String>) -> Result<Vec<String>, Error> {
    let mut seen = BTreeSet::new();
    let mut kept = Vec::new();
    for (place, one) in list.into_iter().enumerate() {
        match seen.insert(one.clone()) {
            true => kept.push(one),
            false => cx.without_effect(|| format!("body.{name}.{place}"))?,
        }
    }
    Ok(kept)
}

/// Stores the requested restrictions, or lets them wait for review where the policy wants one.
pub(crate) fn request(cx: &mut Cx<'_>, project: &Row, config: &Cidrs) {
    if !cx.policy.review_restrictions {
        store(cx, project, config);
        return;
    }
    let now = in_force(cx, project);
    let sql = "INSERT INTO network_restriction (project, config, pending, pending_at) VALUES (?1, ?2, ?3, ?4)
               ON CONFLICT DO UPDATE SET pending = ?3, pending_at = ?4";
    cx.db.run(sql, (&project.r#ref, now.to_text(), config.to_text(), micros(cx.now)));
}

/// Stores restrictions in place of any that wait for review; they take effect now or later.
pub(crate) fn store(cx: &mut Cx<'_>, project: &Row, config: &Cidrs) {
    let in_force = in_force(cx, project);
    let sql =
        "INSERT INTO network_restriction (project, config, in_force, updated_at) VALUES (?1, ?2, ?3, ?4)
               ON CONFLICT DO UPDATE SET config = ?2, in_force = ?3, updated_at = ?4, applied_at = NULL,
                                         pending = NULL, pending_at = NULL";
    cx.db.run(sql, (&project.r#ref, config.to_text(), in_force.to_text(), micros(cx.now)));
    cx.cancel::<TakeEffect>(&project.r#ref);
    let effect = TakeEffect { r#ref: project.r#ref.clone() };
    let usual_ms = cx.policy.durations.apply_restrictions_ms;
    match outcome::of(cx, Work::ApplyRestrictions, &project.r#ref, usual_ms).wait() {
        Some(Duration::ZERO) => drop(effect.run(cx)),
        Some(wait) => cx.after(wait, &effect),
        None => {}
    }
}

fn check_cidrs(input: &Value, _: &Profile) -> Result<(), Error> {
    check_cidrs_in(input, "")
}

/// Refuses the first text that is not a network of its family; `at` is the place of `input`, such as `add.`.
pub(crate) fn check_cidrs_in(input: &Value, at: &str) -> Result<(), Error> {
    let is_v4: fn(&str) -> bool = |text| text.parse::<Ipv4Net>().is_ok();
    let is_v6: fn(&str) -> bool = |text| text.parse::<Ipv6Net>().is_ok();
    let families = [
        ("dbAllowedCidrs", "IPv4", "10.0.0.0/8", is_v4),
        ("dbAllowedCidrsV6", "IPv6", "2001:db8::/32", is_v6),
    ];
    for (field, family, example, is_good) in families {
        let form = format!("an {family} network in CIDR notation such as {example}");
        check_list(input, at, field, &form, is_good)?;
    }
    Ok(())
}

/// Refuses the first invalid text of the list `field`.
fn check_list(
    input: &Value,
    at: &str,
    field: &str,
    form: &str,
    is_good: fn(&str) -> bool,
) -> Result<(), Error> {
    let list = input[field].as_array().into_iter().flatten().filter_map(Value::as_str);
    match list.enumerate().find(|(_, text)| !is_good(text)) {
        Some((index, text)) => {
            let message = format!("{at}{field}.{index}: Invalid, must be {form}, received '{text}'");
            Err(Error::invalid(format!("invalid_body.{at}{field}.{index}"), message))
        }
        None => Ok(()),
    }
}

pub(crate) fn require_entitlement(cx: &Cx<'_>, project: &Row) -> Result<(), Error> {
    let (entitlement, plan) = entitlement(cx, project)?;
    match entitlement {
        Entitlement::Allowed => Ok(()),
        Entitlement::Disallowed => {
            let text = "project not allowed to set up network restrictions";
            Err(Error::invalid("restrictions_not_allowed", text).because(
                "organization plan",
                plan.as_str(),
                None,
            ))
        }
    }
}

fn entitlement(cx: &Cx<'_>, project: &Row) -> Result<(Entitlement, Plan), Error> {
    let plan = organization::load(cx, &project.organization)?.plan;
    let allowed = plan != Plan::Free || cx.policy.free_plan_restrictions;
    Ok((if allowed { Entitlement::Allowed } else { Entitlement::Disallowed }, plan))
}

pub(crate) fn restrictions(cx: &Cx<'_>, project: &Row) -> Result<Restrictions, Error> {
    let (entitlement, _) = entitlement(cx, project)?;
    let sql = "SELECT config, in_force, updated_at, applied_at, pending, pending_at
               FROM network_restriction WHERE project = ?1";
    let stored = cx.db.maybe(sql, (&project.r#ref,), |row| {
        let networks = |column: usize| row.get::<_, Option<String>>(column);
        let instant = |column: usize| row.get::<_, Option<i64>>(column);
        let old_config = networks(1)?.as_deref().map(Cidrs::stored);
        Ok(Restrictions {
            entitlement,
            config: Cidrs::stored(&row.get::<_, String>(0)?),
            status: Some(match old_config {
                None => RestrictionStatus::Applied,
                Some(_) => RestrictionStatus::Stored,
            }),
            old_config,
            updated_at: instant(2)?.map(from_micros),
            applied_at: instant(3)?.map(from_micros),
            pending_config: networks(4)?.as_deref().map(Cidrs::stored),
            pending_requested_at: instant(5)?.map(from_micros),
        })
    });
    Ok(stored.unwrap_or_else(|| Restrictions {
        entitlement,
        config: Cidrs::everyone(),
        old_config: None,
        status: (cx.policy.edition > Edition::FIRST).then_some(RestrictionStatus::Applied),
        updated_at: None,
        applied_at: None,
        pending_config: None,
        pending_requested_at: None,
    }))
}

/// Forgets restrictions that wait for review.
pub(crate) fn forget_pending(cx: &Cx<'_>, project: &Row) {
    let sql = "UPDATE network_restriction SET pending = NULL, pending_at = NULL WHERE project = ?1";
    cx.db.run(sql, (&project.r#ref,));
}

/// The networks allowed now; requests that have not taken effect do not count.
fn in_force(cx: &Cx<'_>, project: &Row) -> Cidrs {
    let sql = "SELECT coalesce(in_force, config) FROM network_restriction WHERE project = ?1";
    let stored = cx.db.maybe(sql, (&project.r#ref,), |row| row.get::<_, String>(0));
    stored.as_deref().map_or_else(Cidrs::everyone, Cidrs::stored)
}

/// Makes the stored restrictions take effect.
#[derive(Clone, Debug, Serialize, FromJson)]
pub struct TakeEffect {
    r#ref: String,
}

impl Task for TakeEffect {
    const KIND: &'static str = "network restrictions";
    const NAME: Option<&'static str> = project::NAME;

    fn subject(&self) -> &str {
        &self.r#ref
    }

    fn run(self, cx: &mut Cx<'_>) -> String {
        let sql = "UPDATE network_restriction SET in_force = NULL, applied_at = ?2 WHERE project = ?1";
        match cx.db.run(sql, (&self.r#ref, micros(cx.now))) {
            0 => "gone".to_owned(),
            _ => "applied".to_owned(),
        }
    }
}
