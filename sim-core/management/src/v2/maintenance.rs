//! `/v2/organizations/{slug}/maintenance/windows`: when the service may restart an organization's databases.

use std::time::Duration;

use serde::Serialize;
use sim_base::operations;
use sim_base::{
    Cx, Edition, Error, FromJson, Meta, New, Operation, Resource, Scope, Timestamp, ToSchema, from_micros,
    get, later, micros,
};

use super::document::{Many, Object, kind};

operations![ListMaintenanceWindows];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

kind! {
    /// The maintenance windows, in which the service may restart databases.
    WindowKind = "maintenance_window";
}

/// The maintenance windows of an organization, in which the service may restart its databases. It never does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct MaintenanceWindow {
    /// The time of the week.
    pub window: WeeklyWindow,
    /// The window that is open now.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub current_window: Option<Span>,
    /// The next windows.
    pub next_windows: Vec<Span>,
}

/// A time of the week.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct WeeklyWindow {
    /// The day on which it opens.
    pub day: Day,
    /// The time of day at which it opens: `02:00`, in UTC.
    pub start_utc: String,
    /// Its duration.
    pub duration_minutes: u32,
}

/// A day of the week.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum Day {
    Mon,
    Tue,
    Wed,
    Thu,
    Fri,
    Sat,
    Sun,
}

/// A period of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Span {
    /// The beginning.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub start_at: Timestamp,
    /// The end.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub end_at: Timestamp,
}

/// Get the times at which the service may restart an organization's databases.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListMaintenanceWindows {
    /// The organization's slug.
    #[schemars(regex(pattern = r"^[\w-]+$"))]
    pub slug: String,
}

impl Operation for ListMaintenanceWindows {
    type Output = Many<Object<WindowKind, MaintenanceWindow>>;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("organizations:read")),
        also: &[500],
        failure: "Failed to list the maintenance windows",
        ..get("v2-list-organization-maintenance-windows", "/v2/organizations/{slug}/maintenance/windows")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Many<Object<WindowKind, MaintenanceWindow>>, Error> {
        let window = WeeklyWindow { day: Day::Sun, start_utc: "02:00".to_owned(), duration_minutes: 60 };
        let last = last_start(cx.now);
        let span = |weeks: i64| {
            let start_at = from_micros(last + weeks * WEEK);
            Span { start_at, end_at: later(start_at, OPEN) }
        };
        let shown = MaintenanceWindow {
            window,
            current_window: Some(span(0)).filter(|span| cx.now < span.end_at),
            next_windows: (1..=3).map(span).collect(),
        };
        Ok(Many { data: vec![Object::new(self.slug, shown)] })
    }
}

const WEEK: i64 = 7 * 86_400_000_000;

/// Microseconds from the epoch, a Thursday, to the first Sunday at two.
const FIRST: i64 = (3 * 24 + 2) * 3_600_000_000;

const OPEN: Duration = Duration::from_secs(3600);

/// The last time at which it opened.
fn last_start(now: Timestamp) -> i64 {
    let now = micros(now);
    now - (now - FIRST).rem_euclid(WEEK)
}
