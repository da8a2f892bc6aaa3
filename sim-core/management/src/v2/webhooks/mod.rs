//! `/v2/…/webhooks`: what happens in an organization or a project, posted to the endpoints that want to know.
//!
//! Something happens (`event`), each endpoint for it (`endpoint`) gets a delivery (`delivery`), and a transport posts it and
//! reports the answer (`posting`). An endpoint belongs to an organization or a project (`place`), with the same operations.

use sim_base::{Resource, TaskEntry, View, view};

pub mod delivery;
pub mod endpoint;
pub mod event;
pub mod place;
pub mod posting;

/// An endpoint belongs to an organization or a project. A delivery is one attempt to post an event to an endpoint.
const TABLES: &str = "
    CREATE TABLE webhook_endpoint (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        organization TEXT REFERENCES organization ON DELETE CASCADE,
        project TEXT REFERENCES project (ref) ON DELETE CASCADE,
        url TEXT NOT NULL,
        enabled INTEGER NOT NULL,
        event_types TEXT NOT NULL,
        description TEXT,
        custom_headers TEXT, -- secret
        signing_secret TEXT NOT NULL, -- secret
        created_by TEXT NOT NULL,
        created_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX webhook_endpoint_by_organization ON webhook_endpoint (organization);
    CREATE INDEX webhook_endpoint_by_project ON webhook_endpoint (project);
    CREATE TABLE webhook_delivery (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        endpoint INTEGER NOT NULL REFERENCES webhook_endpoint ON DELETE CASCADE,
        event_id TEXT NOT NULL,
        event_type TEXT NOT NULL,
        event_at INTEGER NOT NULL,
        organization TEXT NOT NULL,
        project TEXT,
        attempt INTEGER NOT NULL,
        attempted_at INTEGER NOT NULL,
        status TEXT NOT NULL,
        code INTEGER NOT NULL,
        headers TEXT NOT NULL,
        body TEXT,
        error_code TEXT,
        error_message TEXT,
        to_post INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX webhook_delivery_by_endpoint ON webhook_delivery (endpoint, seq);
    CREATE INDEX webhook_delivery_to_post ON webhook_delivery (seq) WHERE to_post;
";

pub(crate) const ENDPOINTS: Resource =
    Resource { tables: TABLES, operations: endpoint::OPERATIONS, tasks: &[] };
pub(crate) const DELIVERIES: Resource = Resource { tables: "", operations: delivery::OPERATIONS, tasks: &[] };
pub(crate) const POSTS: Resource =
    Resource { tables: "", operations: posting::OPERATIONS, tasks: &[TaskEntry::of::<posting::Again>()] };

pub(crate) const VIEWS: &[View] = &[
    view(
        "webhook_endpoint",
        "An endpoint that events are posted to, without its secret and its headers.",
        "SELECT id, organization, project, url, enabled, event_types, description, created_by, created_at
         FROM webhook_endpoint ORDER BY seq",
    ),
    view(
        "webhook_delivery",
        "An attempt to post an event to an endpoint.",
        "SELECT d.id, e.id AS endpoint, event_id, event_type, event_at, d.organization, d.project, attempt, attempted_at,
         status, code, error_code, error_message
         FROM webhook_delivery d JOIN webhook_endpoint e ON e.seq = d.endpoint ORDER BY d.seq",
    ),
];
