//! `/v2/…/webhooks/endpoints`: addresses that events are posted to.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};
use sim_base::operations;
use sim_base::{
    Cx, Error, FromJson, Listed, Meta, New, Operation, Profile, Role, Secret, Timestamp, ToSchema, delete,
    from_micros, get, micros, patch, post,
};

use super::event::EventType;
use super::place::{OfOrganization, OfProject, Owner, Place, of_webhooks};
use crate::kept;
use crate::text_of;
use crate::v2::document::{Given, Links, Many, Object, One, PAGE, Page, kind};

/// Creates an endpoint of an organization.
pub type CreateOrganizationEndpoint = CreateEndpoint<OfOrganization>;
/// Lists the endpoints of an organization.
pub type ListOrganizationEndpoints = ListEndpoints<OfOrganization>;
/// Gets an endpoint of an organization.
pub type GetOrganizationEndpoint = GetEndpoint<OfOrganization>;
/// Changes an endpoint of an organization.
pub type UpdateOrganizationEndpoint = UpdateEndpoint<OfOrganization>;
/// Deletes an endpoint of an organization.
pub type DeleteOrganizationEndpoint = DeleteEndpoint<OfOrganization>;
/// Deletes all endpoints of an organization.
pub type DeleteOrganizationEndpoints = DeleteEndpoints<OfOrganization>;
/// Creates an endpoint of a project.
pub type CreateProjectEndpoint = CreateEndpoint<OfProject>;
/// Lists the endpoints of a project.
pub type ListProjectEndpoints = ListEndpoints<OfProject>;
/// Gets an endpoint of a project.
pub type GetProjectEndpoint = GetEndpoint<OfProject>;
/// Changes an endpoint of a project.
pub type UpdateProjectEndpoint = UpdateEndpoint<OfProject>;
/// Deletes an endpoint of a project.
pub type DeleteProjectEndpoint = DeleteEndpoint<OfProject>;
/// Deletes all endpoints of a project.
pub type DeleteProjectEndpoints = DeleteEndpoints<OfProject>;

operations![
    CreateOrganizationEndpoint,
    ListOrganizationEndpoints,
    GetOrganizationEndpoint,
    UpdateOrganizationEndpoint,
    DeleteOrganizationEndpoint,
    DeleteOrganizationEndpoints,
    CreateProjectEndpoint,
    ListProjectEndpoints,
    GetProjectEndpoint,
    UpdateProjectEndpoint,
    DeleteProjectEndpoint,
    DeleteProjectEndpoints,
];

kind! {
    /// An address that events are posted to.
    EndpointKind = "endpoint";
}

/// A kind of event that an endpoint wants to know of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema, New)]
#[schemars(rename = "WebhookSubscription")]
pub struct Subscription {
    /// The kind; `*` for all.
    pub r#type: EventType,
}

/// An address that events are posted to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[schemars(rename = "WebhookEndpoint")]
pub struct Endpoint {
    /// UUID.
    #[schemars(extend("format" = "uuid"))]
    pub id: String,
    /// The address.
    #[schemars(extend("format" = "uri"))]
    pub url: String,
    /// What it is for.
    #[schemars(length(max = 512), extend("x-nullable" = true, "x-required" = true))]
    pub description: Option<String>,
    /// Whether events are posted to it.
    pub enabled: bool,
    /// The events that it wants to know of.
    #[schemars(length(min = 1))]
    pub event_types: Vec<Subscription>,
    /// Headers that posts have besides their own; for administrators and above, and absent if none were given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custom_headers: Option<BTreeMap<String, Secret>>,
    /// When it was made.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub created_at: Timestamp,
    /// UUID of the user who made it; all zeros if no user did.
    #[schemars(extend("format" = "uuid"))]
    pub created_by: String,
}

/// An endpoint to be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema, New)]
#[schemars(rename = "NewWebhookEndpoint")]
pub struct NewEndpoint {
    /// The address: `http` or `https`.
    #[schemars(extend("format" = "uri"))]
    pub url: String,
    /// What it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 512), extend("x-nullable" = true))]
    pub description: Option<String>,
    /// Whether events are posted to it, as they are unless told otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// The events that it wants to know of.
    #[schemars(length(min = 1))]
    pub event_types: Vec<Subscription>,
    /// Headers that posts have besides their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custom_headers: Option<BTreeMap<String, Secret>>,
    /// What posts are signed with.
    #[schemars(length(min = 8, max = 64))]
    pub signing_secret: Secret,
}

/// Changes of an endpoint. What is left out stays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema, New)]
#[schemars(rename = "WebhookEndpointChanges")]
pub struct EndpointChanges {
    /// The address: `http` or `https`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "uri"))]
    pub url: Option<String>,
    /// What it is for; `null` removes it.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    #[schemars(with = "Option<String>", length(max = 512), extend("x-nullable" = true))]
    pub description: Option<Option<String>>,
    /// Whether events are posted to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// The events that it wants to know of; all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub event_types: Option<Vec<Subscription>>,
    /// Headers that posts have besides their own; all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custom_headers: Option<BTreeMap<String, Secret>>,
    /// What posts are signed with from now on, retries of earlier ones too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 8, max = 64))]
    pub signing_secret: Option<Secret>,
}

/// Distinguishes `null` from a missing field.
fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// The most endpoints of an organization or a project: each event is kept for each of them.
const ENDPOINTS_MAX: i64 = 50;

fn require_place(cx: &Cx<'_>, owner: &Owner) -> Result<(), Error> {
    let sql = format!("SELECT count(*) FROM webhook_endpoint WHERE {} = ?1", owner.column);
    let count = cx.db.maybe(&sql, (&owner.name,), |row| row.get::<_, i64>(0)).unwrap_or(0);
    if count < ENDPOINTS_MAX {
        return Ok(());
    }
    let text = format!("There are {count} endpoints already, as many as there may be; delete some");
    Err(Error::invalid("too_many_endpoints", text))
}

type EndpointObject = Object<EndpointKind, Endpoint>;

/// Create an endpoint. Events that happen from now on are posted to it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
pub struct CreateEndpoint<P> {
    /// Whose it is.
    #[serde(flatten)]
    pub place: P,
    /// The endpoint.
    pub data: Given<EndpointKind, NewEndpoint>,
}

impl<P: Place> Operation for CreateEndpoint<P>
where
    CreateEndpoint<P>: Listed,
{
    type Output = One<EndpointObject>;
    const META: Meta = Meta { check: Some(check), ..of_webhooks(post(P::PATHS.create.0, P::PATHS.create.1)) };

    fn run(self, cx: &mut Cx<'_>) -> Result<One<EndpointObject>, Error> {
        let owner = self.place.owner(cx)?;
        require_place(cx, &owner)?;
        let mut new = self.data.attributes;
        require_address(&new.url)?;
        tell_unheard(cx, &owner, &new.event_types)?;
        new.event_types = once(cx, new.event_types)?;
        let by = "SELECT uuid FROM user WHERE id = ?1";
        let user = cx.caller.user().and_then(|user| cx.db.maybe(by, (user,), |row| row.get(0)));
        let id = cx.rng.uuid("webhook endpoint").to_string();
        let sql = format!(
            "INSERT INTO webhook_endpoint (id, {}, url, enabled, event_types, description, custom_headers,
             signing_secret, created_by, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            owner.column
        );
        let row = rusqlite::params![
            id,
            owner.name,
            new.url,
            new.enabled.unwrap_or(true),
            json!(new.event_types).to_string(),
            new.description,
            new.custom_headers.map(|headers| json!(headers).to_string()),
            new.signing_secret.0,
            user.unwrap_or_else(|| uuid::Uuid::nil().to_string()),
            micros(cx.now),
        ];
        cx.db.insert(&sql, row);
        kept::require_room(cx)?;
        load(cx, &owner, &id).map(|found| One::of(found.shown))
    }
}

/// List the endpoints, oldest first.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
pub struct ListEndpoints<P> {
    /// Whose they are.
    #[serde(flatten)]
    pub place: P,
    /// How many at most: from 1 to 100, and 100 unless given.
    #[serde(rename = "page[limit]", default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = r"^\d+$"), extend("x-rule" = "digits"))]
    pub limit: Option<String>,
    /// How many to pass over; none unless given.
    #[serde(rename = "page[offset]", default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = r"^\d+$"), extend("x-rule" = "digits"))]
    pub offset: Option<String>,
}

/// How many things a page has at most; what is out of bounds counts as the nearest bound.
pub(super) fn page_size(digits: Option<&String>) -> usize {
    number(digits, PAGE as usize).clamp(1, PAGE as usize)
}

/// The number that the digits are, which may be too large.
fn number(digits: Option<&String>, preset: usize) -> usize {
    digits.map_or(preset, |digits| digits.parse().unwrap_or(usize::MAX))
}

impl<P: Place> Operation for ListEndpoints<P>
where
    ListEndpoints<P>: Listed,
{
    type Output = Page<EndpointObject>;
    const META: Meta = Meta {
        query: &["page[limit]", "page[offset]"],
        ..of_webhooks(get(P::PATHS.list.0, P::PATHS.list.1))
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Page<EndpointObject>, Error> {
        let owner = self.place.owner(cx)?;
        let (limit, offset) = (page_size(self.limit.as_ref()), number(self.offset.as_ref(), 0));
        let all = find(cx, &owner, None);
        let count = all.len();
        let data = all.into_iter().skip(offset).take(limit).map(|found| found.shown).collect();
        let link = |offset: usize| {
            let mut query = form_urlencoded::Serializer::new(String::new());
            query.append_pair("page[limit]", &limit.to_string());
            query.append_pair("page[offset]", &offset.to_string());
            format!("{}/webhooks/endpoints?{}", owner.path, query.finish())
        };
        let next = offset.saturating_add(limit);
        let links = Links {
            first: Some(link(0)),
            last: Some(link(count.saturating_sub(1) / limit * limit)),
            next: (next < count).then(|| link(next)),
            prev: (offset > 0).then(|| link(offset.min(count).saturating_sub(limit))),
        };
        Ok(Page { data, links })
    }
}

/// Get an endpoint.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
pub struct GetEndpoint<P> {
    /// Whose it is.
    #[serde(flatten)]
    pub place: P,
    /// UUID of the endpoint.
    #[schemars(extend("format" = "uuid"))]
    pub id: String,
}

impl<P: Place> Operation for GetEndpoint<P>
where
    GetEndpoint<P>: Listed,
{
    type Output = One<EndpointObject>;
    const META: Meta = of_webhooks(get(P::PATHS.get.0, P::PATHS.get.1));

    fn run(self, cx: &mut Cx<'_>) -> Result<One<EndpointObject>, Error> {
        let owner = self.place.owner(cx)?;
        load(cx, &owner, &self.id).map(|found| One::of(found.shown))
    }
}

/// Change an endpoint. What is left out stays as it is.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
pub struct UpdateEndpoint<P> {
    /// Whose it is.
    #[serde(flatten)]
    pub place: P,
    /// UUID of the endpoint.
    #[schemars(extend("format" = "uuid"))]
    pub id: String,
    /// The changes.
    pub data: Given<EndpointKind, EndpointChanges>,
}

impl<P: Place> Operation for UpdateEndpoint<P>
where
    UpdateEndpoint<P>: Listed,
{
    type Output = One<EndpointObject>;
    const META: Meta =
        Meta { check: Some(check), ..of_webhooks(patch(P::PATHS.update.0, P::PATHS.update.1)) };

    fn run(self, cx: &mut Cx<'_>) -> Result<One<EndpointObject>, Error> {
        let owner = self.place.owner(cx)?;
        let found = load(cx, &owner, &self.id)?;
        let mut changes = self.data.attributes;
        changes.url.as_deref().map_or(Ok(()), require_address)?;
        tell_unheard(cx, &owner, changes.event_types.as_deref().unwrap_or_default())?;
        changes.event_types = changes.event_types.map(|types| once(cx, types)).transpose()?;
        let sql = "UPDATE webhook_endpoint SET url = ifnull(?2, url), enabled = ifnull(?3, enabled),
                       event_types = ifnull(?4, event_types), description = ?5,
                       custom_headers = ifnull(?6, custom_headers), signing_secret = ifnull(?7, signing_secret)
                   WHERE seq = ?1";
        let row = (
            found.seq,
            &changes.url,
            changes.enabled,
            changes.event_types.map(|types| json!(types).to_string()),
            changes.description.unwrap_or(found.shown.attributes.description),
            changes.custom_headers.map(|headers| json!(headers).to_string()),
            changes.signing_secret.map(|secret| secret.0),
        );
        cx.db.run(sql, row);
        kept::require_room(cx)?;
        load(cx, &owner, &self.id).map(|found| One::of(found.shown))
    }
}

/// Delete an endpoint, with its deliveries.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
pub struct DeleteEndpoint<P> {
    /// Whose it is.
    #[serde(flatten)]
    pub place: P,
    /// UUID of the endpoint.
    #[schemars(extend("format" = "uuid"))]
    pub id: String,
}

impl<P: Place> Operation for DeleteEndpoint<P>
where
    DeleteEndpoint<P>: Listed,
{
    type Output = One<EndpointObject>;
    const META: Meta = of_webhooks(delete(P::PATHS.delete.0, P::PATHS.delete.1));

    fn run(self, cx: &mut Cx<'_>) -> Result<One<EndpointObject>, Error> {
        let owner = self.place.owner(cx)?;
        let found = load(cx, &owner, &self.id)?;
        cx.db.run("DELETE FROM webhook_endpoint WHERE seq = ?1", (found.seq,));
        Ok(One::of(found.shown))
    }
}

/// Delete all endpoints, with their deliveries.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
pub struct DeleteEndpoints<P> {
    /// Whose they are.
    #[serde(flatten)]
    pub place: P,
}

impl<P: Place> Operation for DeleteEndpoints<P>
where
    DeleteEndpoints<P>: Listed,
{
    type Output = Many<EndpointObject>;
    const META: Meta = of_webhooks(delete(P::PATHS.delete_all.0, P::PATHS.delete_all.1));

    fn run(self, cx: &mut Cx<'_>) -> Result<Many<EndpointObject>, Error> {
        let owner = self.place.owner(cx)?;
        let data = find(cx, &owner, None).into_iter().map(|found| found.shown).collect();
        let sql = format!("DELETE FROM webhook_endpoint WHERE {} = ?1", owner.column);
        cx.db.run(&sql, (&owner.name,));
        Ok(Many { data })
    }
}

/// Headers of posts that are not the endpoint's to set.
const RESERVED: [&str; 8] = [
    "host",
    "connection",
    "content-length",
    "transfer-encoding",
    "user-agent",
    "webhook-id",
    "webhook-timestamp",
    "webhook-signature",
];

/// Headers must be such as can be sent, and not those that posts have anyway.
fn check(input: &Value, _: &Profile) -> Result<(), Error> {
    let headers = input["data"]["attributes"]["custom_headers"].as_object().into_iter().flatten();
    for (name, value) in headers {
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        let can_be_sent = !name.is_empty() && name.bytes().all(is_name);
        let value = value.as_str().unwrap_or_default();
        let problem = if !can_be_sent || RESERVED.iter().any(|one| one.eq_ignore_ascii_case(name)) {
            "is not a header that an endpoint can have"
        } else if !value.bytes().all(|byte| byte == b'\t' || (b' '..=b'~').contains(&byte)) {
            "must be visible characters of ASCII"
        } else {
            continue;
        };
        let field = format!("data.attributes.custom_headers.{name}");
        let text = format!("{field}: {problem}");
        return Err(Error::invalid(format!("invalid_body.{field}"), &text).field(field, text));
    }
    Ok(())
}

/// Refuses an address that nothing can be posted to.
fn require_address(url: &str) -> Result<(), Error> {
    if is_address(url) {
        return Ok(());
    }
    let text = "data.attributes.url: must be an http or https address with a host";
    Err(Error::invalid("endpoint_url_unresolvable", text).field("data.attributes.url", text))
}

/// Whether something can be posted there.
pub(in crate::v2) fn is_address(url: &str) -> bool {
    let rest = ["http://", "https://"].iter().find_map(|scheme| url.strip_prefix(scheme));
    let host = rest.map(|rest| rest.split(['/', '?', '#']).next().unwrap_or_default());
    host.is_some_and(|host| !host.is_empty() && !host.starts_with(':'))
}

/// Marks events of the organization, which a project's endpoint never hears of.
fn tell_unheard(cx: &Cx<'_>, owner: &Owner, types: &[Subscription]) -> Result<(), Error> {
    let of_organization = |one: &Subscription| text_of(&one.r#type).starts_with("v1.organization.");
    let unheard = types.iter().enumerate().filter(|(_, one)| owner.project.is_some() && of_organization(one));
    unheard
        .map(|(place, _)| place)
        .try_for_each(|place| cx.without_effect(|| format!("body.data.attributes.event_types.{place}.type")))
}

/// The events of a list, and marks those that come a second time.
fn once(cx: &Cx<'_>, types: Vec<Subscription>) -> Result<Vec<Subscription>, Error> {
    let mut kept: Vec<Subscription> = Vec::new();
    for (place, one) in types.into_iter().enumerate() {
        match kept.contains(&one) {
            false => kept.push(one),
            true => cx.without_effect(|| format!("body.data.attributes.event_types.{place}.type"))?,
        }
    }
    Ok(kept)
}

/// Whether an endpoint with these event types wants to know of an event.
pub(super) fn wants(event_types: &str, r#type: EventType) -> bool {
    let types: Vec<Subscription> = serde_json::from_str(event_types).expect("they were stored as such");
    types.iter().any(|one| one.r#type == EventType::All || one.r#type == r#type)
}

/// An endpoint as stored.
pub(super) struct Found {
    pub(super) seq: i64,
    pub(super) shown: EndpointObject,
}

/// The owner's endpoint with that UUID, or 404.
pub(super) fn load(cx: &Cx<'_>, owner: &Owner, id: &str) -> Result<Found, Error> {
    find(cx, owner, Some(&id.to_lowercase())).pop().ok_or_else(|| Error::not_found("endpoint", id))
}

/// The owner's endpoints, or the one with that UUID.
fn find(cx: &Cx<'_>, owner: &Owner, id: Option<&str>) -> Vec<Found> {
    let sql = format!(
        "SELECT seq, id, url, enabled, event_types, description, custom_headers, created_by, created_at
         FROM webhook_endpoint WHERE {} = ?1 AND (?2 IS NULL OR id = ?2) ORDER BY seq",
        owner.column
    );
    // Those who can't set them don't see them: they have passwords.
    let shows_headers = cx.require_role(&owner.organization, Role::Administrator).is_ok();
    cx.db.all(&sql, (&owner.name, id), |row| {
        let (id, headers): (String, Option<String>) = (row.get(1)?, row.get(6)?);
        let headers = headers.filter(|_| shows_headers);
        let types = row.get::<_, String>(4)?;
        let endpoint = Endpoint {
            id: id.clone(),
            url: row.get(2)?,
            enabled: row.get(3)?,
            event_types: serde_json::from_str(&types).expect("they were stored as such"),
            description: row.get(5)?,
            custom_headers: headers
                .map(|text| serde_json::from_str(&text).expect("they were stored as such")),
            created_by: row.get(7)?,
            created_at: from_micros(row.get(8)?),
        };
        Ok(Found { seq: row.get(0)?, shown: Object::new(id, endpoint) })
    })
}
