//! The recipients of a source's notifications: one object, which the document shows inside a list.

use serde::{Deserialize, Serialize};
use sim_base::{Error, FromJson, NotificationsShape, ToSchema};

use crate::change::Change;
use crate::manner::unprocessable;

/// The recipients of a source's notifications about new events and new fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[schemars(rename = "Notification")]
pub struct Notifications {
    /// Send mail to these users of the owner's team.
    pub team_user_ids_for_email: Vec<String>,
    /// Send text messages to these users.
    pub team_user_ids_for_sms: Vec<String>,
    /// Send mail about new fields to these users.
    pub team_user_ids_for_schema_updates: Vec<String>,
    /// Send mail to these addresses, separated by commas.
    #[schemars(extend("x-nullable" = true))]
    pub other_email_notifications: Option<String>,
    /// Send mail to the owner.
    pub user_email_notifications: bool,
    /// Send text messages to the owner.
    pub user_text_notifications: bool,
    /// Send mail about new fields to the owner.
    pub user_schema_update_notifications: bool,
}

impl Default for Notifications {
    fn default() -> Notifications {
        Notifications {
            team_user_ids_for_email: Vec::new(),
            team_user_ids_for_sms: Vec::new(),
            team_user_ids_for_schema_updates: Vec::new(),
            other_email_notifications: None,
            user_email_notifications: false,
            user_text_notifications: false,
            user_schema_update_notifications: true,
        }
    }
}

/// The recipients in an update. Omitted fields do not change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schemars(rename = "NotificationUpdate")]
#[serde(default)]
#[expect(missing_docs, reason = "they are the fields of `Notifications`")]
pub struct NotificationChanges {
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub team_user_ids_for_email: Change<Vec<String>>,
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub team_user_ids_for_sms: Change<Vec<String>>,
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub team_user_ids_for_schema_updates: Change<Vec<String>>,
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub other_email_notifications: Change<String>,
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub user_email_notifications: Change<bool>,
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub user_text_notifications: Change<bool>,
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub user_schema_update_notifications: Change<bool>,
}

impl NotificationChanges {
    fn apply(self, to: &mut Notifications) -> Result<(), Error> {
        let other = self.other_email_notifications.unless_blank();
        if !other.set().is_none_or(|list| list.split(',').all(is_email)) {
            return Err(unprocessable(
                "other_email_notifications",
                "must be email addresses, separated by commas",
            ));
        }
        for (field, ids) in [
            ("team_user_ids_for_email", &self.team_user_ids_for_email),
            ("team_user_ids_for_sms", &self.team_user_ids_for_sms),
            ("team_user_ids_for_schema_updates", &self.team_user_ids_for_schema_updates),
        ] {
            let is_number = |id: &String| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
            if !ids.set().is_none_or(|ids| ids.iter().all(is_number)) {
                return Err(unprocessable(field, "must be the numbers of team users"));
            }
        }
        self.team_user_ids_for_email.apply_or(&mut to.team_user_ids_for_email, Vec::new());
        self.team_user_ids_for_sms.apply_or(&mut to.team_user_ids_for_sms, Vec::new());
        let ids = &mut to.team_user_ids_for_schema_updates;
        self.team_user_ids_for_schema_updates.apply_or(ids, Vec::new());
        other.apply(&mut to.other_email_notifications);
        self.user_email_notifications.apply_or(&mut to.user_email_notifications, false);
        self.user_text_notifications.apply_or(&mut to.user_text_notifications, false);
        self.user_schema_update_notifications.apply_or(&mut to.user_schema_update_notifications, true);
        Ok(())
    }
}

/// Whether it has the form of an email address, with or without blanks around.
pub(crate) fn is_email(text: &str) -> bool {
    let text = text.trim();
    let is_part =
        |part: &str| !part.is_empty() && !part.contains(|sign: char| sign.is_whitespace() || sign == '@');
    text.split_once('@').is_some_and(|(name, host)| is_part(name) && is_part(host))
}

/// The object in a list, as in the document, or by itself, as clients send it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub enum Shaped<T> {
    /// In a list.
    List(Vec<T>),
    /// By itself.
    Object(T),
}

impl Shaped<Notifications> {
    /// In the format of the profile.
    pub(crate) fn new(notifications: Notifications, shape: NotificationsShape) -> Self {
        match shape {
            NotificationsShape::Array => Shaped::List(vec![notifications]),
            NotificationsShape::Object => Shaped::Object(notifications),
        }
    }
}

/// Applies the change. A list with more than one object is ambiguous.
pub(crate) fn apply(
    change: Change<Shaped<NotificationChanges>>,
    to: &mut Notifications,
) -> Result<(), Error> {
    match change {
        Change::Keep => {}
        Change::Clear => *to = Notifications::default(),
        Change::Set(Shaped::Object(changes)) => changes.apply(to)?,
        Change::Set(Shaped::List(list)) if list.len() <= 1 => {
            list.into_iter().try_for_each(|changes| changes.apply(to))?;
        }
        Change::Set(Shaped::List(_)) => return Err(unprocessable("notifications", "is invalid")),
    }
    Ok(())
}
