//! `/api/sources/{token}/schema` and `/recent`, and all events page by page: reads a source's events.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value, json};
use sim_base::operations;
use sim_base::{
    Access, Cx, Edition, Error, FromJson, Meta, New, Operation, Resource, Timestamp, ToSchema, from_micros,
    get,
};

use crate::manner::read_one;
use crate::source_search::SourceSearch;
use crate::{event_store, source};

operations![GetSourceSchema, ListRecentEvents, ListEvents, GetEventVolume];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// Get the columns of a source's events: a JSON Schema, or paths and types.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetSourceSchema {
    /// The source's token.
    pub token: String,
    /// `dot` for paths and types. Another value has no effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
}

impl Operation for GetSourceSchema {
    type Output = Map<String, Value>;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        query: &["variant"],
        ..read_one("analytics-get-source-schema", "/api/sources/{token}/schema")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Map<String, Value>, Error> {
        let source = source::own(cx, &self.token)?;
        let columns = source::columns(cx, source.id);
        if self.variant.as_deref() == Some("dot") {
            let name = |kind: String| if kind == "timestamp" { "datetime".to_owned() } else { kind };
            return Ok(columns.into_iter().map(|(path, kind)| (path, name(kind).into())).collect());
        }
        if self.variant.is_some() {
            cx.without_effect(|| "query.variant".to_owned())?;
        }
        let domain = &cx.profile.project_domain;
        let mut schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": format!("https://analytics.{domain}/api/sources/{}/schema", source.token),
            "title": source.name,
        });
        add_columns(&mut schema, columns);
        Ok(schema.as_object().cloned().unwrap_or_default())
    }
}

fn add_columns(schema: &mut Value, columns: BTreeMap<String, String>) {
    schema["type"] = "object".into();
    for (path, kind) in columns {
        let mut place = &mut *schema;
        for name in path.split('.') {
            place["type"] = "object".into();
            place = &mut place["properties"][name];
        }
        *place = match kind.strip_prefix("array<").and_then(|kind| kind.strip_suffix('>')) {
            Some(items) => json!({ "type": "array", "items": { "type": type_name(items) } }),
            None => json!({ "type": type_name(&kind) }),
        };
    }
}

fn type_name(kind: &str) -> &str {
    match kind {
        // A timestamp is the microseconds since the epoch.
        "float" | "timestamp" => "number",
        other => other,
    }
}

/// List the newest events of a source, at most 100, oldest first.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListRecentEvents {
    /// The source's token.
    pub token: String,
}

/// The most events in the list.
const RECENT: u32 = 100;

impl Operation for ListRecentEvents {
    type Output = Vec<Value>;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        also: &[401, 404, 500],
        ..read_one("analytics-list-recent-events", "/api/sources/{token}/recent")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<Value>, Error> {
        event_store::recent(cx, &source::own(cx, &self.token)?.token, RECENT)
    }
}

/// List the events of a source page by page, by their time. The API itself shows only the newest events.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListEvents {
    /// The source's token.
    pub token: String,
    /// The number of events to skip; none by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u32>,
    /// The maximum number of events, up to 1000; 100 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 1000))]
    pub limit: Option<u32>,
    /// Only events that this search finds: `m.level:error t:last@1h`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<String>,
}

/// Some of a source's events.
#[derive(Clone, Debug, PartialEq, Serialize, FromJson, ToSchema)]
pub struct EventPage {
    /// The number of all events.
    pub total: u64,
    /// The events of the page, oldest first.
    pub events: Vec<Value>,
}

impl Operation for ListEvents {
    type Output = EventPage;
    const META: Meta = Meta {
        access: Access::Control,
        query: &["offset", "limit", "search"],
        also: &[400, 404, 500],
        ..get("sim-list-events", "/_sim/sources/{token}/events")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<EventPage, Error> {
        let source = source::own(cx, &self.token)?;
        let (offset, limit) = (self.offset.unwrap_or(0), self.limit.unwrap_or(RECENT));
        if let Some(search) = sought(self.search.as_deref()) {
            let search = SourceSearch::new(cx, &source, search)?;
            return Ok(EventPage { total: search.summary()?.total, events: search.page(offset, limit)? });
        }
        let total = event_store::count(cx, &source.token)?;
        Ok(EventPage { total, events: event_store::page(cx, &source.token, offset, limit)? })
    }
}

/// A search that is not empty.
fn sought(search: Option<&str>) -> Option<&str> {
    search.filter(|text| !text.trim().is_empty())
}

/// Count the events of a source over time: in intervals of equal length, at least a second each, from the first event on.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetEventVolume {
    /// The source's token.
    pub token: String,
    /// The number of intervals, up to 1000; 60 by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1000))]
    pub stretches: Option<u32>,
    /// Only events that this search finds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<String>,
}

/// The numbers of events over time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct EventVolume {
    /// The time of the first event; absent if there are no events.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub from: Option<Timestamp>,
    /// The length of each interval in microseconds.
    pub stretch_us: i64,
    /// The number of events in each interval.
    pub counts: Vec<u64>,
}

impl Operation for GetEventVolume {
    type Output = EventVolume;
    const META: Meta = Meta {
        access: Access::Control,
        query: &["stretches", "search"],
        also: &[400, 404, 500],
        ..get("sim-get-event-volume", "/_sim/sources/{token}/volume")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<EventVolume, Error> {
        let source = source::own(cx, &self.token)?;
        let stretches = self.stretches.unwrap_or(STRETCHES);
        let search = sought(self.search.as_deref());
        let search = search.map(|text| SourceSearch::new(cx, &source, text)).transpose()?;
        let ends = match &search {
            Some(search) => search.summary()?.ends,
            None => event_store::ends(cx, &source.token)?,
        };
        let Some((first, last)) = ends else {
            return Ok(EventVolume { from: None, stretch_us: 0, counts: Vec::new() });
        };
        let stretch_us = ((last - first) / i64::from(stretches) + 1).max(SECOND_US);
        let counts = match search {
            Some(search) => search.volume(first, stretch_us, stretches as usize)?,
            None => event_store::volume(cx, &source.token, first, stretch_us, stretches as usize)?,
        };
        Ok(EventVolume { from: Some(from_micros(first)), stretch_us, counts })
    }
}

/// The shortest interval.
const SECOND_US: i64 = 1_000_000;

/// The number of intervals by default.
const STRETCHES: u32 = 60;
