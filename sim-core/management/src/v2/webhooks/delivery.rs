//! `/v2/…/webhooks/endpoints/{id}/deliveries` and `/deliveries/{id}`: what was posted to endpoints, and posting it again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sim_base::operations;
use sim_base::{
    Cx, Error, FromJson, Listed, Meta, New, Operation, Timestamp, ToSchema, act, from_micros, get, post,
};

use super::endpoint::{self, page_size};
use super::event::{Event, EventPayload, EventType, events};
use super::place::{OfOrganization, OfProject, Owner, Place, of_webhooks};
use super::posting;
use crate::named;
use crate::v2::document::{Asked, Given, Object, One, PAGING, Page, kind};

/// Tests an endpoint of an organization.
pub type TestOrganizationEndpoint = TestEndpoint<OfOrganization>;
/// Lists what was posted to an endpoint of an organization.
pub type ListOrganizationDeliveries = ListDeliveries<OfOrganization>;
/// Gets what was posted to an endpoint of an organization.
pub type GetOrganizationDelivery = GetDelivery<OfOrganization>;
/// Posts it again.
pub type RetryOrganizationDelivery = RetryDelivery<OfOrganization>;
/// Tests an endpoint of a project.
pub type TestProjectEndpoint = TestEndpoint<OfProject>;
/// Lists what was posted to an endpoint of a project.
pub type ListProjectDeliveries = ListDeliveries<OfProject>;
/// Gets what was posted to an endpoint of a project.
pub type GetProjectDelivery = GetDelivery<OfProject>;
/// Posts it again.
pub type RetryProjectDelivery = RetryDelivery<OfProject>;

operations![
    TestOrganizationEndpoint,
    ListOrganizationDeliveries,
    GetOrganizationDelivery,
    RetryOrganizationDelivery,
    TestProjectEndpoint,
    ListProjectDeliveries,
    GetProjectDelivery,
    RetryProjectDelivery,
];

kind! {
    /// An attempt to post an event.
    DeliveryKind = "delivery";
    /// An event that is asked for.
    EventKind = "event";
    /// An event that was taken in.
    IngressKind = "ingress";
}

/// An attempt to post an event to an endpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[schemars(rename = "WebhookDelivery")]
pub struct Delivery {
    /// UUID.
    #[schemars(extend("format" = "uuid"))]
    pub id: String,
    /// UUID of the event; the attempts to post it to all endpoints have the same.
    #[schemars(extend("format" = "uuid"))]
    pub event_id: String,
    /// The event, as it is posted.
    pub event: Event,
    /// When the attempt was made.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub attempt_timestamp: Timestamp,
    /// Where it stands.
    pub status: DeliveryStatus,
    /// The status of the answer; 0 if there is none.
    pub response_code: u16,
    /// The headers of the answer.
    pub response_headers: BTreeMap<String, String>,
    /// The body of the answer.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub response_body: Option<String>,
    /// Why it failed, in a word.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub error_code: Option<String>,
    /// Why it failed.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub error_message: Option<String>,
}

/// Where an attempt to post an event stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DeliveryStatus {
    /// There is no answer yet.
    Pending,
    /// The endpoint took it.
    Success,
    /// The endpoint did not take it.
    Failure,
    /// The endpoint was disabled.
    Skipped,
}

/// The kind of event that an endpoint is tested with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct TestedEvent {
    /// The kind.
    #[schemars(schema_with = "events")]
    pub r#type: EventType,
}

/// Post an event to an endpoint that did not happen.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
pub struct TestEndpoint<P> {
    /// Whose it is.
    #[serde(flatten)]
    pub place: P,
    /// UUID of the endpoint.
    #[schemars(extend("format" = "uuid"))]
    pub id: String,
    /// The event; the first kind that the endpoint wants to know of unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Given<EventKind, TestedEvent>>,
}

/// An event that was taken in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[schemars(rename = "WebhookIngress")]
pub struct Ingress {
    /// UUID of the delivery that posts it.
    pub id: String,
    /// What this is.
    pub r#type: IngressKind,
}

impl<P: Place> Operation for TestEndpoint<P>
where
    TestEndpoint<P>: Listed,
{
    type Output = One<Ingress>;
    const META: Meta = of_webhooks(post(P::PATHS.test.0, P::PATHS.test.1));

    fn run(self, cx: &mut Cx<'_>) -> Result<One<Ingress>, Error> {
        let owner = self.place.owner(cx)?;
        let endpoint::Found { seq, shown } = endpoint::load(cx, &owner, &self.id)?;
        let endpoint = shown.attributes;
        require_enabled(endpoint.enabled)?;
        let first = endpoint.event_types.first().map_or(EventType::All, |one| one.r#type);
        let first = if first == EventType::All { EventType::ProjectCreated } else { first };
        let r#type = self.data.map_or(first, |data| data.attributes.r#type);
        if !endpoint.event_types.iter().any(|one| one.r#type == r#type || one.r#type == EventType::All) {
            let text = "data.attributes.type: the endpoint does not want to know of such events";
            let refusal = Error::invalid("endpoint_event_type_not_subscribed", text);
            return Err(refusal.field("data.attributes.type", text));
        }
        let event = Event::now(cx, r#type, &owner.organization, owner.project.as_deref());
        let id = posting::deliver(cx, seq, true, &posting::new_event(cx), &event, 1);
        Ok(One::of(Ingress { id, r#type: IngressKind::It }))
    }
}

/// List what was posted to an endpoint, the newest attempt first.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
pub struct ListDeliveries<P> {
    /// Whose it is.
    #[serde(flatten)]
    pub place: P,
    /// UUID of the endpoint.
    #[schemars(extend("format" = "uuid"))]
    pub id: String,
    /// Those after this one.
    #[serde(rename = "page[after]", default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "uuid"))]
    pub after: Option<String>,
    /// Those before this one.
    #[serde(rename = "page[before]", default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "uuid"))]
    pub before: Option<String>,
    /// How many at most: from 1 to 100, and 100 unless given.
    #[serde(rename = "page[size]", default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = r"^\d+$"), extend("x-rule" = "digits"))]
    pub size: Option<String>,
}

impl<P: Place> Operation for ListDeliveries<P>
where
    ListDeliveries<P>: Listed,
{
    type Output = Page<Object<DeliveryKind, Delivery>>;
    const META: Meta =
        Meta { query: &PAGING, ..of_webhooks(get(P::PATHS.deliveries.0, P::PATHS.deliveries.1)) };

    fn run(self, cx: &mut Cx<'_>) -> Result<Page<Object<DeliveryKind, Delivery>>, Error> {
        let owner = self.place.owner(cx)?;
        let endpoint = endpoint::load(cx, &owner, &self.id)?;
        let target = format!("{}/webhooks/endpoints/{}/deliveries", owner.path, endpoint.shown.id);
        let (after, before) =
            (self.after.as_deref().map(str::to_lowercase), self.before.as_deref().map(str::to_lowercase));
        let size = self.size.as_ref().map(|digits| page_size(Some(digits)) as u32);
        let asked = Asked::of(after.as_ref(), before.as_ref(), size);
        let sql = format!("SELECT {COLUMNS} FROM webhook_delivery WHERE endpoint = ?1 ORDER BY seq DESC");
        let all = cx.db.all(&sql, (endpoint.seq,), read);
        asked.of_all(all, |one| one.id.clone(), &target, &[])
    }
}

/// Get an attempt to post an event.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
pub struct GetDelivery<P> {
    /// Whose the endpoint is.
    #[serde(flatten)]
    pub place: P,
    /// UUID of the attempt.
    #[schemars(extend("format" = "uuid"))]
    pub id: String,
}

impl<P: Place> Operation for GetDelivery<P>
where
    GetDelivery<P>: Listed,
{
    type Output = One<Object<DeliveryKind, Delivery>>;
    const META: Meta = of_webhooks(get(P::PATHS.delivery.0, P::PATHS.delivery.1));

    fn run(self, cx: &mut Cx<'_>) -> Result<One<Object<DeliveryKind, Delivery>>, Error> {
        let owner = self.place.owner(cx)?;
        load(cx, &owner, &self.id).map(|found| One::of(found.shown))
    }
}

/// Post an event to its endpoint once more, whatever came of the attempt.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
pub struct RetryDelivery<P> {
    /// Whose the endpoint is.
    #[serde(flatten)]
    pub place: P,
    /// UUID of an attempt to post it.
    #[schemars(extend("format" = "uuid"))]
    pub id: String,
}

impl<P: Place> Operation for RetryDelivery<P>
where
    RetryDelivery<P>: Listed,
{
    type Output = One<Ingress>;
    const META: Meta = Meta { status: 201, ..of_webhooks(act(P::PATHS.retry.0, P::PATHS.retry.1)) };

    fn run(self, cx: &mut Cx<'_>) -> Result<One<Ingress>, Error> {
        let owner = self.place.owner(cx)?;
        let Found { endpoint, enabled, shown } = load(cx, &owner, &self.id)?;
        require_enabled(enabled)?;
        let Delivery { event_id, event, .. } = shown.attributes;
        let id = posting::deliver(cx, endpoint, true, &event_id, &event, 1);
        Ok(One::of(Ingress { id, r#type: IngressKind::It }))
    }
}

fn require_enabled(enabled: bool) -> Result<(), Error> {
    if enabled {
        return Ok(());
    }
    Err(Error::invalid("endpoint_disabled", "The endpoint is disabled; enable it first."))
}

/// A delivery as stored.
struct Found {
    endpoint: i64,
    /// Whether the endpoint is enabled.
    enabled: bool,
    shown: Object<DeliveryKind, Delivery>,
}

/// The delivery to one of the owner's endpoints, or 404.
fn load(cx: &Cx<'_>, owner: &Owner, id: &str) -> Result<Found, Error> {
    let sql = format!("SELECT {COLUMNS}, endpoint FROM webhook_delivery WHERE id = ?1");
    let unknown = || Error::not_found("delivery", id);
    let found = cx.db.maybe(&sql, (id.to_lowercase(),), |row| Ok((row.get::<_, i64>(13)?, read(row)?)));
    let (endpoint, shown) = found.ok_or_else(unknown)?;
    let sql = format!("SELECT enabled FROM webhook_endpoint WHERE seq = ?1 AND {} = ?2", owner.column);
    let enabled = cx.db.maybe(&sql, (endpoint, &owner.name), |row| row.get(0)).ok_or_else(unknown)?;
    Ok(Found { endpoint, enabled, shown })
}

const COLUMNS: &str = "id, event_id, event_type, event_at, organization, project, attempted_at, status, code, headers, body, \
    error_code, error_message";

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Object<DeliveryKind, Delivery>> {
    let id: String = row.get(0)?;
    let delivery = Delivery {
        id: id.clone(),
        event_id: row.get(1)?,
        event: Event {
            r#type: named(row.get_ref(2)?.as_str()?),
            timestamp: from_micros(row.get(3)?),
            payload: EventPayload { organization_slug: row.get(4)?, project_ref: row.get(5)? },
        },
        attempt_timestamp: from_micros(row.get(6)?),
        status: named(row.get_ref(7)?.as_str()?),
        response_code: row.get(8)?,
        response_headers: serde_json::from_str(row.get_ref(9)?.as_str()?).expect("they were stored as such"),
        response_body: row.get(10)?,
        error_code: row.get(11)?,
        error_message: row.get(12)?,
    };
    Ok(Object::new(id, delivery))
}
