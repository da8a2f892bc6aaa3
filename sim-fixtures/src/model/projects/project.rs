//! A project, as the model knows it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use sim_core::Timestamp;

use super::{VERSIONS, first_of};
use crate::model::auth::AuthConfig;
use crate::model::database::{Backups, Schedule};
use crate::model::disks::{Disk, Realtime};
use crate::model::functions::Function;
use crate::model::keys::Access;
use crate::model::merged;
use crate::model::network::Network;
use crate::model::query::{Migrations, Notes};
use crate::model::settings::Settings;
use crate::model::upgrades;
use crate::strategies::Text;

#[derive(Clone, Debug)]
pub(in crate::model) struct Project {
    pub(in crate::model) organization: usize,
    pub(in crate::model) name: String,
    pub(in crate::model) status: Text,
    pub(in crate::model) is_branch: bool,
    /// Which of [`VERSIONS`]. Its region; unknown for a branch.
    pub(super) region: String,
    pub(in crate::model) version: usize,
    pub(in crate::model) size: String,
    pub(in crate::model) addons: BTreeSet<String>,
    pub(in crate::model) legacy_keys_off: bool,
    /// Services that are down.
    pub(in crate::model) broken: BTreeSet<String>,
    /// Services that are still coming up, and until when.
    pub(in crate::model) rising: BTreeMap<Text, Timestamp>,
    /// When somebody last used it.
    pub(in crate::model) used_at: Timestamp,
    /// Secrets: value and when it was set.
    pub(in crate::model) secrets: BTreeMap<String, (String, Timestamp)>,
    pub(in crate::model) settings: Settings,
    pub(in crate::model) auth: AuthConfig,
    pub(in crate::model) backups: Backups,
    pub(in crate::model) schedule: Schedule,
    pub(in crate::model) upgrade: upgrades::Plan,
    pub(in crate::model) network: Network,
    pub(in crate::model) vanity: Option<String>,
    /// Custom hostname, by number.
    pub(in crate::model) hostname: Option<usize>,
    pub(in crate::model) functions: BTreeMap<String, Function>,
    pub(in crate::model) notes: Notes,
    pub(in crate::model) migrations: Migrations,
    pub(in crate::model) disk: Disk,
    pub(in crate::model) realtime: Realtime,
    pub(in crate::model) access: Access,
}

/// The status of a removed project.
pub(super) const GONE: Text = "gone";

impl Project {
    pub(in crate::model) fn new(organization: usize, name: &str, version: usize, size: &str) -> Project {
        Project {
            organization,
            name: name.to_owned(),
            status: "UNKNOWN",
            is_branch: false,
            region: "eu-west-1".to_owned(),
            version,
            size: size.to_owned(),
            addons: BTreeSet::new(),
            legacy_keys_off: false,
            broken: BTreeSet::new(),
            rising: BTreeMap::new(),
            used_at: Timestamp::UNIX_EPOCH,
            secrets: BTreeMap::new(),
            settings: Settings::new(),
            auth: AuthConfig::default(),
            backups: Backups::default(),
            schedule: Schedule::default(),
            upgrade: upgrades::Plan::default(),
            network: Network::default(),
            vanity: None,
            hostname: None,
            functions: BTreeMap::new(),
            notes: Notes::default(),
            migrations: Migrations::default(),
            disk: Disk::default(),
            realtime: Realtime::default(),
            access: Access::default(),
        }
    }

    pub(in crate::model) fn is_gone(&self) -> bool {
        self.status == GONE
    }

    /// Whether it exists and has not been removed.
    pub(in crate::model) fn is_live(&self) -> bool {
        !self.is_gone() && self.status != "REMOVED"
    }

    /// Whether one of its services answers.
    pub(in crate::model) fn answers(&self, service: &str) -> bool {
        self.is_active() && !self.broken.contains(service) && !self.rising.contains_key(service)
    }

    pub(in crate::model) fn is_active(&self) -> bool {
        ["ACTIVE_HEALTHY", "ACTIVE_UNHEALTHY"].contains(&self.status)
    }

    pub(in crate::model) fn is_listed(&self) -> bool {
        !self.is_gone() && !self.is_branch
    }

    pub(in crate::model) fn engine(&self) -> Text {
        VERSIONS[self.version].1
    }

    /// Versions on which it can be restored.
    pub(super) fn on_offer(&self) -> std::ops::Range<usize> {
        first_of(self.engine())..VERSIONS.len()
    }

    pub(super) fn shown(&self, number: usize) -> Value {
        json!({
            "id": format!("{{project {number}}}"),
            "ref": format!("{{project {number}}}"),
            "organization_id": format!("{{organization {}}}", self.organization),
            "organization_slug": format!("{{organization {}}}", self.organization),
            "name": self.name,
            "region": self.region,
            "status": self.status,
        })
    }

    pub(super) fn shown_whole(&self, number: usize) -> Value {
        let (version, engine, release_channel) = VERSIONS[self.version];
        let database = json!({
            "host": format!("db.{{project {number}}}.platform.test"),
            "version": version,
            "postgres_engine": engine,
            "release_channel": release_channel,
        });
        merged(self.shown(number), json!({ "database": database }))
    }
}
