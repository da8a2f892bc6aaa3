//! The settings of a source, and their validation.

use serde::{Deserialize, Serialize};
use sim_base::{Cx, Error, FromJson, ToSchema};

use crate::change::Change;
use crate::enrich;
use crate::lql::Filter;
use crate::manner::{require_between, unprocessable};
use crate::notifications::{self, NotificationChanges, Notifications, Shaped};

/// The settings of a source, as stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson)]
pub(crate) struct Settings {
    pub api_quota: i64,
    pub retention_days: Option<i64>,
    pub description: Option<String>,
    pub service_name: Option<String>,
    pub custom_event_message_keys: Option<String>,
    pub transform_copy_fields: Option<String>,
    #[serde(default)]
    pub transform_key_values: Option<String>,
    #[serde(default)]
    pub transform_drop_fields: Option<String>,
    pub drop_lql_string: Option<String>,
    pub chat_hook_url: Option<String>,
    pub webhook_notification_url: Option<String>,
    pub notifications_every: i64,
    pub notifications: Notifications,
}

/// Milliseconds between two notifications of a source: four hours.
const NOTIFICATIONS_EVERY_MS: i64 = 14_400_000;

impl Settings {
    pub(crate) fn new(cx: &Cx<'_>) -> Settings {
        Settings {
            api_quota: cx.policy.analytics.source_quota,
            retention_days: None,
            description: None,
            service_name: None,
            custom_event_message_keys: None,
            transform_copy_fields: None,
            transform_key_values: None,
            transform_drop_fields: None,
            drop_lql_string: None,
            chat_hook_url: None,
            webhook_notification_url: None,
            notifications_every: NOTIFICATIONS_EVERY_MS,
            notifications: Notifications::default(),
        }
    }

    /// Days after which events are deleted: as set, otherwise seven, or fewer if the plan has fewer.
    pub(crate) fn days(&self, cx: &Cx<'_>) -> i64 {
        self.retention_days.unwrap_or(7.min(cx.policy.analytics.plan_retention_days))
    }
}

/// Settings in a creation or an update of a source. Omitted settings do not change; `null` restores the default.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct SourceChanges {
    /// Whether it is first in lists.
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub favorite: Change<bool>,
    /// UUID with which everybody can read its events.
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub public_token: Change<String>,
    /// Quota of events per second, measured over 60 s.
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub api_quota: Change<i64>,
    /// Days after which the warehouse deletes its events.
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub warehouse_table_ttl: Change<i64>,
    /// The same setting under its newer name, which takes precedence.
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub retention_days: Change<i64>,
    /// Its purpose.
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub description: Change<String>,
    /// The group in which it is shown.
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub service_name: Change<String>,
    /// Paths, separated by commas, whose values make up `event_message`.
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub custom_event_message_keys: Change<String>,
    /// Lines `from.path:to.path` of values to copy.
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub transform_copy_fields: Change<String>,
    /// Lines `from.path:to.path` or `from.path:to.path:path.in.value`: the value whose key is at the first path is put at the
    /// second, or a part of it.
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub transform_key_values: Change<String>,
    /// Paths of fields that are not stored, one per line.
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub transform_drop_fields: Change<String>,
    /// Events that match this filter are dropped.
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub drop_lql_string: Change<String>,
    /// The address for chat messages about new events.
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub chat_hook_url: Change<String>,
    /// The address to which new events are posted.
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub webhook_notification_url: Change<String>,
    /// Milliseconds between two notifications.
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub notifications_every: Change<i64>,
    /// The recipients of notifications about new events: one object, by itself or in a list.
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub notifications: Change<Shaped<NotificationChanges>>,
}

impl SourceChanges {
    /// Applies the changes to `to`; `favorite` and `public_token` are the source's own columns.
    pub(crate) fn apply(mut self, cx: &Cx<'_>, to: &mut Settings) -> Result<(), Error> {
        for text in [
            &mut self.custom_event_message_keys,
            &mut self.transform_copy_fields,
            &mut self.transform_key_values,
            &mut self.transform_drop_fields,
            &mut self.drop_lql_string,
        ] {
            *text = std::mem::take(text).unless_blank();
        }
        self.check(cx)?;
        let days = if self.retention_days.is_kept() { self.warehouse_table_ttl } else { self.retention_days };
        days.apply(&mut to.retention_days);
        self.api_quota.apply_or(&mut to.api_quota, cx.policy.analytics.source_quota);
        self.description.apply(&mut to.description);
        self.service_name.apply(&mut to.service_name);
        self.custom_event_message_keys.apply(&mut to.custom_event_message_keys);
        self.transform_copy_fields.apply(&mut to.transform_copy_fields);
        self.transform_key_values.apply(&mut to.transform_key_values);
        self.transform_drop_fields.apply(&mut to.transform_drop_fields);
        self.drop_lql_string.apply(&mut to.drop_lql_string);
        self.chat_hook_url.apply(&mut to.chat_hook_url);
        self.webhook_notification_url.apply(&mut to.webhook_notification_url);
        self.notifications_every.apply_or(&mut to.notifications_every, NOTIFICATIONS_EVERY_MS);
        notifications::apply(self.notifications, &mut to.notifications)
    }

    fn check(&self, cx: &Cx<'_>) -> Result<(), Error> {
        for days in [&self.warehouse_table_ttl, &self.retention_days] {
            require_between("retention_days", days.set().copied(), 0, i64::MAX)?;
            if days.set().is_some_and(|days| *days > cx.policy.analytics.plan_retention_days) {
                return Err(unprocessable("retention_days", "ttl is over your plan limit"));
            }
        }
        require_between("api_quota", self.api_quota.set().copied(), 0, QUOTA_BELOW)?;
        require_between("notifications_every", self.notifications_every.set().copied(), 0, MS_BELOW)?;
        for (field, text) in [
            ("custom_event_message_keys", &self.custom_event_message_keys),
            ("transform_copy_fields", &self.transform_copy_fields),
            ("transform_key_values", &self.transform_key_values),
            ("transform_drop_fields", &self.transform_drop_fields),
        ] {
            // The work for each event grows with this length.
            if text.set().is_some_and(|text| text.chars().count() > PATHS_CHARACTERS) {
                let problem = format!("should be at most {PATHS_CHARACTERS} character(s)");
                return Err(unprocessable(field, &problem));
            }
        }
        for (field, text, problem) in [
            (
                "custom_event_message_keys",
                &self.custom_event_message_keys,
                enrich::problem_of_keys as fn(&str) -> Option<String>,
            ),
            ("transform_copy_fields", &self.transform_copy_fields, enrich::problem_of_copies),
            ("transform_key_values", &self.transform_key_values, enrich::problem),
            ("transform_drop_fields", &self.transform_drop_fields, enrich::problem_of_drops),
        ] {
            if let Some(problem) = text.set().and_then(|text| problem(text)) {
                return Err(unprocessable(field, &problem));
            }
        }
        if self.transform_drop_fields.set().is_some_and(|lines| enrich::drops_own(lines)) {
            cx.without_effect(|| "body.transform_drop_fields".to_owned())?;
        }
        if let Some(Err(problem)) = self.drop_lql_string.set().map(|text| Filter::read(text, cx.now)) {
            return Err(unprocessable("drop_lql_string", &problem));
        }
        for (field, url) in [
            ("chat_hook_url", &self.chat_hook_url),
            ("webhook_notification_url", &self.webhook_notification_url),
        ] {
            require_address(field, url)?;
        }
        Ok(())
    }
}

/// Characters of a list of paths.
const PATHS_CHARACTERS: usize = 4096;

/// A quota must be below this number, so that its sum over a minute can be counted.
const QUOTA_BELOW: i64 = 1_000_000_001;

/// The time between notifications must be below this number: a hundred years.
const MS_BELOW: i64 = 3_155_760_000_000;

/// 422 if an address to post to is not a web address.
pub(crate) fn require_address(field: &str, url: &Change<String>) -> Result<(), Error> {
    if url.set().is_none_or(|url| is_address(url)) {
        Ok(())
    } else {
        Err(unprocessable(field, "has invalid format"))
    }
}

/// Whether it is a web address.
pub(crate) fn is_address(url: &str) -> bool {
    let is_web = |uri: &http::Uri| matches!(uri.scheme_str(), Some("http" | "https"));
    let has_host = |uri: &http::Uri| uri.host().is_some_and(|host| !host.is_empty());
    url.parse().is_ok_and(|uri| is_web(&uri) && has_host(&uri))
}
