//! Alerts, notifications, and their messages: `/api/alerts`.

use sim_base::Section;

pub mod alert;
pub(crate) mod alert_run;
pub(crate) mod cron;
pub mod notifications;
pub(crate) mod notify;
pub mod outbox;

/// The operations, for the service.
pub(crate) const SECTION: Section = Section {
    title: "Alerts",
    resources: &[outbox::RESOURCE, notify::RESOURCE, alert::RESOURCE, alert_run::RESOURCE],
    views: &[outbox::VIEWS, alert::VIEWS],
};
