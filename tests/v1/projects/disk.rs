//! `/v1/projects/{ref}/config/disk`.

use serde_json::{Value, json};
use sim_core::engine::DiskGrowth;
use sim_core::{Policy, Role};
use sim_fixtures::{Api, Call, Reply, scenario};

use crate::steps::{Steps as _, refuse_strangers, refused, under};
use crate::support::both;

const DISK: &str = "/v1/projects/{ref}/config/disk";

fn change(api: &mut dyn Api, kind: &str, size: u64, iops: u64) -> Reply {
    api.post(DISK, json!({ "attributes": { "type": kind, "size_gb": size, "iops": iops } }))
}

fn write(api: &mut dyn Api, bytes: u64) -> Reply {
    api.post("/_sim/projects/{ref}/database/writes", json!({ "bytes": bytes }))
}

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    let good = json!({ "attributes": { "type": "gp3", "size_gb": 8, "iops": 3000 } });
    refuse_strangers(&[
        (Call::get(DISK), Role::ReadOnly),
        (Call::get("/v1/projects/{ref}/config/disk/util"), Role::ReadOnly),
        (Call::get("/v1/projects/{ref}/config/disk/autoscale"), Role::ReadOnly),
        (Call::post(DISK).json(good), Role::Administrator),
    ]);
}

#[test]
fn a_larger_disk_takes_more_before_the_database_turns_read_only() {
    both(scenario::active_project, |api| {
        let first = json!({ "type": "gp3", "size_gb": 8, "iops": 3000, "throughput_mibps": 125 });
        assert_eq!(api.get(DISK).json(), json!({ "attributes": first }));
        write(api, 7_800_000_000);
        assert_eq!(write(api, 1).reason(), "read_only");
        assert_eq!(change(api, "gp3", 100, 3000).to_string(), "201 {}");
        assert_eq!(write(api, 1).status, 201);
        let disk = api.get(DISK).json();
        assert_eq!(
            (&disk["attributes"]["size_gb"], &disk["last_modified_at"]),
            (&json!(100), &json!("2026-01-01T00:01:00Z"))
        );
        let used = api.get("/v1/projects/{ref}/config/disk/util").json()["metrics"].clone();
        let of = |name: &str| used[name].as_u64().unwrap_or_default();
        assert_eq!(of("fs_size_bytes"), 102_400_000_000);
        assert_eq!(of("fs_used_bytes") + of("fs_avail_bytes"), of("fs_size_bytes"));
    });
}

#[test]
fn a_disk_does_not_shrink_and_is_changed_four_times_a_day() {
    both(scenario::active_project, |api| {
        let text = "attributes.size_gb: a disk can't shrink, this one has 8";
        refused(&change(api, "gp3", 4, 3000), 400, "disk_shrinks", text);
        for size in 9..13 {
            assert_eq!(change(api, "gp3", size, 3000).status, 201);
        }
        let text = "The disk can be changed 4 times in 24 hours.";
        refused(&change(api, "gp3", 13, 3000), 400, "disk_changed_often", text);
        api.after(86_400);
        assert_eq!(change(api, "gp3", 13, 3000).status, 201);
        api.plan("free");
        assert_eq!(change(api, "gp3", 14, 3000).reason(), "plan_too_low");
    });
}

#[test]
fn a_disk_is_changed_again_after_a_while_if_the_policy_says_so() {
    let six_hours = |policy: &mut Policy| policy.disk_changes_apart_ms = 6 * 3_600_000;
    both(
        || under(six_hours),
        |api| {
            assert_eq!(change(api, "gp3", 9, 3000).status, 201);
            let text = "The disk can be changed again at 2026-01-01T06:01:00Z.";
            refused(&change(api, "gp3", 10, 3000), 400, "disk_changed_recently", text);
            api.after(6 * 3600 - 1);
            assert_eq!(change(api, "gp3", 10, 3000).reason(), "disk_changed_recently");
            api.after(1);
            assert_eq!(change(api, "gp3", 10, 3000).status, 201);
        },
    );
    let growth = DiskGrowth { percent: 50, at_least_gb: 4, up_to_gb: 100 };
    both(
        || {
            under(|policy| {
                six_hours(policy);
                policy.disk_growth = Some(growth);
            })
        },
        |api| {
            write(api, 7_500_000_000);
            assert_eq!(api.get(DISK).json()["attributes"]["size_gb"], 12);
            write(api, 4_500_000_000);
            assert_eq!(write(api, 1).reason(), "read_only", "it grew a moment ago");
            assert_eq!(change(api, "gp3", 20, 3000).reason(), "disk_changed_recently");
        },
    );
}

#[test]
fn a_disk_is_as_fast_as_its_kind_and_size_allow() {
    both(scenario::active_project, |api| {
        for (kind, size, iops, field, range) in [
            ("gp3", 16_385, 3000, "size_gb", "1 to 16384"),
            ("gp3", 10, 2999, "iops", "3000 to 5000"),
            ("gp3", 10, 5001, "iops", "3000 to 5000"),
            ("gp3", 100, 16_001, "iops", "3000 to 16000"),
            ("io2", 10, 10_001, "iops", "100 to 10000"),
        ] {
            let text = format!("attributes.{field}: must be from {range} for this disk");
            refused(&change(api, kind, size, iops), 400, &format!("invalid_body.attributes.{field}"), &text);
        }
        let wide =
            json!({ "attributes": { "type": "gp3", "size_gb": 10, "iops": 4000, "throughput_mibps": 1001 } });
        let text = "attributes.throughput_mibps: must be from 125 to 1000 for this disk";
        refused(&api.post(DISK, wide), 400, "invalid_body.attributes.throughput_mibps", text);
        assert_eq!(change(api, "io2", 10, 10_000).status, 201);
        assert_eq!(api.get(DISK).json()["attributes"].get("throughput_mibps"), None::<&Value>);
    });
}

#[test]
fn a_disk_grows_by_itself_where_the_policy_says_so() {
    both(scenario::active_project, |api| {
        let none = json!({ "growth_percent": null, "min_increment_gb": null, "max_size_gb": null });
        assert_eq!(api.get("/v1/projects/{ref}/config/disk/autoscale").json(), none);
    });
    let growth = DiskGrowth { percent: 50, at_least_gb: 4, up_to_gb: 14 };
    both(
        || under(|policy| policy.disk_growth = Some(growth)),
        |api| {
            let expected = json!({ "growth_percent": 50, "min_increment_gb": 4, "max_size_gb": 14 });
            assert_eq!(api.get("/v1/projects/{ref}/config/disk/autoscale").json(), expected);
            let size = |api: &mut dyn Api| api.get(DISK).json()["attributes"]["size_gb"].clone();
            write(api, 7_000_000_000);
            assert_eq!(size(api), 8);
            write(api, 500_000_000);
            assert_eq!(size(api), 12, "nine tenths of it are full");
            write(api, 4_000_000_000);
            assert_eq!(size(api), 14);
            write(api, 2_300_000_000);
            assert_eq!(write(api, 1).reason(), "read_only", "it does not grow further");
        },
    );
}
