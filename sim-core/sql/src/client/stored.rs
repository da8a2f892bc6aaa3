//! Settings as they are stored between calls.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::bind::Settings;
use crate::catalog::Oid;

/// The settings of a connection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Stored {
    search_path: Vec<String>,
    values: BTreeMap<String, String>,
    #[serde(default)]
    first: BTreeMap<String, String>,
    role: String,
    session_role: String,
    #[serde(default)]
    fresh: BTreeSet<(Oid, String)>,
}

impl Stored {
    pub(super) fn of(settings: &Settings) -> Stored {
        Stored {
            search_path: settings.search_path.clone(),
            values: BTreeMap::clone(&settings.values),
            first: BTreeMap::clone(&settings.first),
            role: settings.role.to_string(),
            session_role: settings.session_role.to_string(),
            fresh: BTreeSet::clone(&settings.fresh),
        }
    }

    pub(super) fn settings(&self) -> Settings {
        Settings {
            search_path: self.search_path.clone(),
            values: self.values.clone().into(),
            first: self.first.clone().into(),
            role: self.role.as_str().into(),
            session_role: self.session_role.as_str().into(),
            outside: None,
            fresh: self.fresh.clone().into(),
        }
    }
}
