//! `/v1/projects/{ref}/config/disk`: the disk of a project's database, how full it is, and how it grows.

use std::time::Duration;

use serde::Serialize;
use serde_json::Value;
use sim_base::operations;
use sim_base::{
    Cx, DiskGrowth, Edition, Empty, Error, FromJson, Meta, Needs, New, Operation, Profile, Resource,
    Timestamp, ToSchema, View, from_micros, get, later, micros, post, view,
};

use crate::organization;
use crate::project::{self, ProjectRef, Row as Project};
use crate::{named, text_of};

operations![GetDisk, UpdateDisk, GetDiskUse, GetDiskAutoscale];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

/// A project has a row in the first table if its disk differs from the policy's.
const TABLES: &str = "
    CREATE TABLE disk (
        project TEXT PRIMARY KEY REFERENCES project (ref) ON DELETE CASCADE,
        kind TEXT NOT NULL,
        size_gb INTEGER NOT NULL,
        iops INTEGER NOT NULL,
        throughput INTEGER,
        changed INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE disk_change (
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX disk_change_by_project ON disk_change (project, at);
";

pub(crate) const VIEWS: &[View] = &[view(
    "disk",
    "The disk of a project, if it differs from the policy's.",
    "SELECT project, kind, size_gb, iops, throughput, changed FROM disk",
)];

/// A kind of disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DiskType {
    /// For most workloads.
    Gp3,
    /// For workloads that read and write much.
    Io2,
}

/// The attributes of a disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct DiskAttributes {
    /// Its kind.
    #[schemars(extend("x-closed" = true))]
    pub r#type: DiskType,
    /// Its size in gigabytes.
    #[schemars(range(min = 1, max = 65_536))]
    pub size_gb: u64,
    /// Reads and writes per second.
    #[schemars(range(min = 1, max = 256_000))]
    pub iops: u64,
    /// Mebibytes per second of a `gp3` disk. For another kind the field is marked as ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 4000))]
    pub throughput_mibps: Option<u64>,
}

/// A project's disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Disk {
    /// Its attributes.
    pub attributes: DiskAttributes,
    /// When it was last changed; absent if it never was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub last_modified_at: Option<Timestamp>,
}

/// Get the attributes of a project's disk.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetDisk {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for GetDisk {
    type Output = Disk;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        also: &[500],
        failure: "Failed to get database disk attributes",
        ..get("v1-get-database-disk", "/v1/projects/{ref}/config/disk")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Disk, Error> {
        let project = project::load(cx, &self.r#ref)?;
        Ok(disk(cx, &project))
    }
}

/// Change the disk of a project's database to a larger or faster one.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct UpdateDisk {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The new attributes.
    pub attributes: DiskAttributes,
}

impl Operation for UpdateDisk {
    type Output = Empty;
    const META: Meta = Meta {
        needs: Needs::ACTIVE,
        since: Edition::V2026_11,
        check: Some(check),
        also: &[402, 500],
        failure: "Failed to modify database disk",
        ..post("v1-modify-database-disk", "/v1/projects/{ref}/config/disk")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        organization::require_paid(cx, &project.organization, "Changing the disk")?;
        let size = size_gb(cx, &project);
        if self.attributes.size_gb < size {
            let text = format!("attributes.size_gb: a disk can't shrink, this one has {size}");
            return Err(Error::invalid("disk_shrinks", text).because("size_gb", size, None));
        }
        if self.attributes.r#type != DiskType::Gp3 && self.attributes.throughput_mibps.is_some() {
            cx.without_effect(|| "body.attributes.throughput_mibps".to_owned())?;
        }
        require_change_left(cx, &project)?;
        change(cx, &project, &self.attributes);
        Ok(Empty {})
    }
}

/// The limits of the kind of disk.
fn check(input: &Value, _: &Profile) -> Result<(), Error> {
    let attributes = &input["attributes"];
    let number = |name: &str| attributes[name].as_u64();
    let (size, iops) = (number("size_gb").unwrap_or_default(), number("iops").unwrap_or_default());
    let (largest, slowest, fastest) = match named(attributes["type"].as_str().unwrap_or_default()) {
        DiskType::Gp3 => (16_384, 3000, (500 * size).clamp(3000, 16_000)),
        DiskType::Io2 => (65_536, 100, (1000 * size).min(256_000)),
    };
    let refused = |name: &str, low: u64, high: u64| {
        let text = format!("attributes.{name}: must be from {low} to {high} for this disk");
        Err(Error::invalid(format!("invalid_body.attributes.{name}"), text))
    };
    if size > largest {
        return refused("size_gb", 1, largest);
    }
    if !(slowest..=fastest).contains(&iops) {
        return refused("iops", slowest, fastest);
    }
    let widest = (iops / 4).clamp(125, 1000);
    match number("throughput_mibps") {
        Some(throughput) if attributes["type"] == "gp3" && !(125..=widest).contains(&throughput) => {
            refused("throughput_mibps", 125, widest)
        }
        _ => Ok(()),
    }
}

/// Refuses too many changes in a day, and a change too soon after the last one.
fn require_change_left(cx: &Cx<'_>, project: &Project) -> Result<(), Error> {
    const DAY: Duration = Duration::from_secs(86_400);
    let since = micros(cx.now) - DAY.as_micros() as i64;
    cx.db.run("DELETE FROM disk_change WHERE project = ?1 AND at <= ?2", (&project.r#ref, since));
    let sql = "SELECT count(*), max(at) FROM disk_change WHERE project = ?1";
    let (made, last): (u32, Option<i64>) =
        cx.db.one(sql, (&project.r#ref,), |row| Ok((row.get(0)?, row.get(1)?)));
    let limit = cx.policy.disk_changes_per_day;
    if made >= limit {
        let text = format!("The disk can be changed {limit} times in 24 hours.");
        return Err(Error::invalid("disk_changed_often", text).because("changes in 24 hours", made, None));
    }
    let wait = Duration::from_millis(cx.policy.disk_changes_apart_ms);
    match last.map(from_micros).filter(|last| later(*last, wait) > cx.now) {
        None => Ok(()),
        Some(last) => {
            let text = format!("The disk can be changed again at {}.", later(last, wait));
            Err(Error::invalid("disk_changed_recently", text).because("last change", last, None))
        }
    }
}

fn change(cx: &Cx<'_>, project: &Project, new: &DiskAttributes) {
    cx.db.run("INSERT INTO disk_change VALUES (?1, ?2)", (&project.r#ref, micros(cx.now)));
    store(cx, project, new);
}

/// The usage of a disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct DiskUse {
    /// The time of the measurement.
    #[schemars(with = "String")]
    pub timestamp: Timestamp,
    /// The usage.
    pub metrics: DiskMetrics,
}

/// The usage of a disk in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct DiskMetrics {
    /// Its capacity.
    pub fs_size_bytes: u64,
    /// Free space.
    pub fs_avail_bytes: u64,
    /// Used space.
    pub fs_used_bytes: u64,
}

/// Get the usage of a project's disk.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetDiskUse {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for GetDiskUse {
    type Output = DiskUse;
    const META: Meta = Meta {
        needs: Needs::ACTIVE,
        since: Edition::V2026_11,
        also: &[500],
        failure: "Failed to get disk utilization",
        ..get("v1-get-disk-utilization", "/v1/projects/{ref}/config/disk/util")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<DiskUse, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let sql = "SELECT database_bytes FROM project WHERE id = ?1";
        let used = cx.db.one(sql, (project.id,), |row| row.get::<_, i64>(0)).unsigned_abs();
        let size = bytes(cx, &project).max(used);
        let metrics = DiskMetrics { fs_size_bytes: size, fs_avail_bytes: size - used, fs_used_bytes: used };
        Ok(DiskUse { timestamp: cx.now, metrics })
    }
}

/// Get the rules by which a project's disk grows when it fills up; `null` if it does not grow.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetDiskAutoscale {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

/// The rules by which a disk grows when it fills up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct DiskAutoscale {
    /// Growth in percent.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub growth_percent: Option<u64>,
    /// Smallest growth in gigabytes.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub min_increment_gb: Option<u64>,
    /// Largest size in gigabytes.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub max_size_gb: Option<u64>,
}

impl Operation for GetDiskAutoscale {
    type Output = DiskAutoscale;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        also: &[500],
        failure: "Failed to get project disk autoscale config",
        ..get("v1-get-project-disk-autoscale-config", "/v1/projects/{ref}/config/disk/autoscale")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<DiskAutoscale, Error> {
        project::load(cx, &self.r#ref)?;
        let growth = cx.policy.disk_growth;
        Ok(DiskAutoscale {
            growth_percent: growth.map(|one| one.percent),
            min_increment_gb: growth.map(|one| one.at_least_gb),
            max_size_gb: growth.map(|one| one.up_to_gb),
        })
    }
}

/// The default throughput of a `gp3` disk in mebibytes per second.
pub(crate) const USUAL_THROUGHPUT: u64 = 125;

/// Bytes in a gigabyte of a disk.
const GIGABYTE: u64 = 1_024_000_000;

/// The capacity of a project's disk, in bytes.
pub(crate) fn bytes(cx: &Cx<'_>, project: &Project) -> u64 {
    let sql = "SELECT size_gb FROM disk WHERE project = ?1";
    bytes_of(cx, cx.db.maybe(sql, (&project.r#ref,), |row| row.get(0)))
}

/// The capacity in gigabytes, rounded up.
fn size_gb(cx: &Cx<'_>, project: &Project) -> u64 {
    bytes(cx, project).div_ceil(GIGABYTE)
}

/// The capacity in gigabytes of a project that was read together with its disk's own size, if it has one.
pub(crate) fn size_gb_of(cx: &Cx<'_>, own_gb: Option<i64>) -> u64 {
    bytes_of(cx, own_gb).div_ceil(GIGABYTE)
}

/// The same in bytes.
pub(crate) fn bytes_of(cx: &Cx<'_>, own_gb: Option<i64>) -> u64 {
    own_gb.map_or(cx.policy.paid_disk_bytes, |size| size.unsigned_abs() * GIGABYTE)
}

fn disk(cx: &Cx<'_>, project: &Project) -> Disk {
    let sql = "SELECT kind, size_gb, iops, throughput, changed FROM disk WHERE project = ?1";
    let number =
        |row: &rusqlite::Row<'_>, column| Ok::<_, rusqlite::Error>(row.get::<_, i64>(column)?.unsigned_abs());
    let found = cx.db.maybe(sql, (&project.r#ref,), |row| {
        let attributes = DiskAttributes {
            r#type: named(row.get_ref(0)?.as_str()?),
            size_gb: number(row, 1)?,
            iops: number(row, 2)?,
            throughput_mibps: row.get::<_, Option<i64>>(3)?.map(i64::unsigned_abs),
        };
        Ok(Disk { attributes, last_modified_at: Some(from_micros(row.get(4)?)) })
    });
    found.unwrap_or_else(|| {
        let (r#type, size_gb) = (DiskType::Gp3, size_gb(cx, project));
        let attributes =
            DiskAttributes { r#type, size_gb, iops: 3000, throughput_mibps: Some(USUAL_THROUGHPUT) };
        Disk { attributes, last_modified_at: None }
    })
}

fn store(cx: &Cx<'_>, project: &Project, new: &DiskAttributes) {
    let throughput = (new.r#type == DiskType::Gp3).then(|| new.throughput_mibps.unwrap_or(USUAL_THROUGHPUT));
    let sql = "INSERT OR REPLACE INTO disk VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let numbers = [new.size_gb, new.iops].map(u64::cast_signed);
    let row = rusqlite::params![
        project.r#ref,
        text_of(&new.r#type),
        numbers[0],
        numbers[1],
        throughput.map(u64::cast_signed),
        micros(cx.now),
    ];
    cx.db.run(sql, row);
}

/// Grows a disk that is 90 % full, if the policy allows it. That is a change of the disk like any other, so a database can turn
/// read-only before its disk can grow again.
pub(crate) fn grow(cx: &Cx<'_>, project: &Project, used: u64) {
    let Some(DiskGrowth { percent, at_least_gb, up_to_gb }) = cx.policy.disk_growth else { return };
    let size = size_gb(cx, project);
    if u128::from(used) * 10 <= u128::from(bytes(cx, project)) * 9 {
        return;
    }
    let wanted = size.saturating_add((size.saturating_mul(percent) / 100).max(at_least_gb)).min(up_to_gb);
    if wanted > size && require_change_left(cx, project).is_ok() {
        change(cx, project, &DiskAttributes { size_gb: wanted, ..disk(cx, project).attributes });
    }
}

/// Gives a project's disk another size.
pub(crate) fn resize(cx: &Cx<'_>, project: &Project, size_gb: u64) {
    store(cx, project, &DiskAttributes { size_gb, ..disk(cx, project).attributes });
}
