//! Answering a request: access, world, body, the answer of the core or of a control operation, and the headers of HTTP.

use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::header::{CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use http::request::Parts;
use http::uri::{PathAndQuery, Uri};
use http::{Method, Request, Response, StatusCode};
use http_body_util::Full;
use hyper::body::Body;
use serde_json::json;
use sim_core::engine::fault::SetFaults;
use sim_core::engine::request::refuse_compressed;
use sim_core::engine::{ClientAddress, Manner, near, refuse};
use sim_core::{Error, Operation as _, Simulator};
use sim_fixtures::net::{Delivered, deliver};

use super::access::{AccessRules, base};
use super::body::{self, Cause, Refused};
use super::cors::{self, Readers};
use super::explain;
use super::guide;
use super::host;
use super::log::LogLine;
use super::warn::Warn;
use super::{consent, discovery};
use crate::control::{self, Place};
use crate::listen::{NO_ROOM, Requests, Room, Unsent};
use crate::outgoing;
use crate::worlds::{
    Hub, Service, Services, SimGuard, Touch, World, now, simulator_of, wait_for, without_token,
};

/// The function that gets each line of the request log.
pub(crate) type Log = Arc<dyn Fn(&LogLine) + Send + Sync>;

/// The worlds as a `tower` service, for clients that accept one in the place of a socket.
///
/// A clone is a second handle on the same worlds. Requests whose URI has the scheme `https` count as secure. A fault rule delays
/// or breaks the answer as it would on a connection: a reset is an [`io::Error`].
///
/// ```
/// use bytes::Bytes;
/// use http::Request;
/// use http_body_util::Full;
/// use sim_core::Simulator;
/// use sim_http::SimService;
/// use tower_service::Service as _;
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let mut service = SimService::new(Simulator::builder().token("secret").build());
/// let request = Request::get("/v1/projects").header("authorization", "Bearer secret");
/// let response = service.call(request.body(Full::<Bytes>::default()).unwrap()).await.unwrap();
/// assert_eq!(response.status(), 200);
/// # });
/// ```
#[derive(Clone)]
pub struct SimService {
    pub(crate) app: Arc<App>,
}

impl SimService {
    /// A service with `sim` as its main world, whose clock is paused. It posts nothing: messages stay in the outbox.
    pub fn new(sim: Simulator) -> SimService {
        SimService { app: Arc::new(App::new(Hub::new(sim, 0.0, None))) }
    }

    /// Reads the main world, or changes it.
    pub fn with<T>(&self, look: impl FnOnce(&mut Simulator) -> T) -> T {
        look(&mut self.app.sim())
    }

    /// The main world, locked to look inside. A call on the thread that holds it panics instead of waiting for ever; prefer
    /// [`with`](SimService::with).
    pub fn sim(&self) -> SimGuard<'_> {
        self.app.sim()
    }

    /// Answers on this thread, for callers without an asynchronous runtime. A request for a stream of events gets its start.
    ///
    /// ```
    /// use bytes::Bytes;
    /// use http::Request;
    /// use sim_core::Simulator;
    /// use sim_http::SimService;
    ///
    /// let service = SimService::new(Simulator::builder().build());
    /// let request = Request::get("/_sim/clock").body(Bytes::new()).expect("a request");
    /// assert_eq!(service.answer(request).status(), 200);
    /// ```
    pub fn answer(&self, request: Request<Bytes>) -> Response<Bytes> {
        let transport = in_process(&request);
        wait_for(self.app.answer(request.map(Full::new), transport))
    }
}

/// How a request without a socket arrives.
fn in_process<B>(request: &Request<B>) -> Transport {
    Transport {
        secure: request.uri().scheme_str() == Some("https"),
        body_timeout: None,
        peer: Peer::InProcess,
        address: None,
    }
}

impl<B> tower_service::Service<Request<B>> for SimService
where
    B: Body<Data: Send> + Send + 'static,
    B::Error: Into<Cause>,
{
    type Response = Response<Delivered>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Response<Delivered>>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let app = Arc::clone(&self.app);
        let transport = in_process(&request);
        Box::pin(async move { deliver(app.answer(request, transport).await).await })
    }
}

/// The way in which a request arrived.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transport {
    pub(crate) secure: bool,
    /// `None` for requests without a socket.
    pub(crate) body_timeout: Option<Duration>,
    pub(crate) peer: Peer,
    /// The address of the sender. A request in process may have it as an extension.
    pub(crate) address: Option<IpAddr>,
}

/// The sender of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Peer {
    /// This process, without a socket.
    InProcess,
    /// This machine.
    Local,
    /// Another machine.
    Remote,
}

/// The state that is shared by all requests.
pub(crate) struct App {
    pub(crate) hub: Hub,
    pub(crate) log: Option<Log>,
    pub(crate) warn: Option<Warn>,
    pub(crate) access: AccessRules,
    pub(crate) unsent: Arc<Unsent>,
    pub(crate) requests: Arc<Requests>,
    #[cfg(feature = "dashboard")]
    pub(crate) dashboard: crate::Dashboard,
}

impl App {
    /// Answers for these worlds, without a log.
    pub(crate) fn new(hub: Hub) -> App {
        App {
            hub,
            log: None,
            warn: None,
            access: AccessRules::default(),
            unsent: Arc::new(Unsent::new(usize::MAX)),
            requests: Arc::new(Requests::new(usize::MAX)),
            #[cfg(feature = "dashboard")]
            dashboard: crate::Dashboard::default(),
        }
    }

    pub(crate) fn sim(&self) -> SimGuard<'_> {
        // Whoever holds the guard may make tokens.
        self.hub.clear_cached_tokens(&self.hub.main);
        self.hub.main.lock()
    }

    pub(crate) async fn answer<B>(&self, request: Request<B>, transport: Transport) -> Response<Bytes>
    where
        B: Body<Data: Send>,
        B::Error: Into<Cause>,
    {
        let timed = self.log.as_ref().map(|log| (log, Timed::start(&request)));
        let is_head = request.method() == Method::HEAD;
        let readers = self.access.readers(request.uri(), request.headers());
        let manner = manner_at(request.uri().path());
        let mut is_unread = false;
        let mut response = match self.respond(request, transport).await {
            Ok(response) => response,
            Err(Refused::Error(error)) => {
                is_unread = *error.reason == *NO_ROOM;
                refuse(manner, &error)
            }
            Err(Refused::TooSlow(limit)) => too_slow(limit),
        };
        if is_unread || response.status() == StatusCode::PAYLOAD_TOO_LARGE {
            // The rest of the body is not read, so the connection ends. A client that is not told would use it again.
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        finish(is_head, readers, &mut response);
        self.warn.iter().for_each(|warn| warn.look_at(&response));
        if let Some((log, timed)) = timed {
            log(&timed.finish(&response));
        }
        response
    }

    async fn respond<B>(&self, request: Request<B>, transport: Transport) -> Result<Response<Bytes>, Refused>
    where
        B: Body<Data: Send>,
        B::Error: Into<Cause>,
    {
        let (mut parts, body) = request.into_parts();
        if let Some(address) = transport.address {
            parts.extensions.insert(ClientAddress(address));
        }
        if transport.peer != Peer::InProcess {
            host::check(&parts)?;
        }
        self.access.check(&parts, transport)?;
        if parts.method == Method::OPTIONS {
            return Ok(cors::preflight(&parts.headers));
        }
        #[cfg(feature = "dashboard")]
        if let Some(page) = self.dashboard.answer(&parts, transport.peer, &self.access) {
            return Ok(page?);
        }
        let is_named = discovery::world_of(parts.uri.path()).is_some();
        let world = self.choose_world(&mut parts).await?;
        let target = Target::of(&parts)?;
        // Held until the request is answered.
        let mut room = Room::new(&self.requests);
        let body = match body.is_end_stream() {
            true => Bytes::new(),
            false => body::read(body, world.max_body_bytes, transport.body_timeout, &mut room).await?,
        };
        self.unsent.check()?;
        match target {
            Target::Core => {
                if touch(&parts.method) == Touch::Writes {
                    outgoing::check(parts.uri.path(), &body, |host| self.access.is_own_host(host))?;
                }
                Ok(self.call_core(&world, &Request::from_parts(parts, body), transport).await?)
            }
            Target::ConsentPage => {
                refuse_compressed(&parts.headers, &body)?;
                let decided = |sim: &mut Simulator| consent::answer(sim, &parts, &body);
                Ok(world.with(touch(&parts.method), |inside| decided(&mut inside.sim)).await??)
            }
            Target::Metadata if world.services == Services::Analytics => {
                Ok(self.call_core(&world, &Request::from_parts(parts, body), transport).await?)
            }
            Target::Metadata => {
                let own = if is_named { format!("/w/{}", world.name) } else { String::new() };
                Ok(json_response(&discovery::metadata(&(base(&parts, transport) + &own))))
            }
            Target::Index => Ok(json_response(&self.index(&world))),
            Target::Controls => {
                let operations = world.with(Touch::Reads, |inside| control::index(&inside.sim)).await?;
                Ok(json_response(&operations))
            }
            Target::Guide => {
                let base = base(&parts, transport);
                let text = world.with(Touch::Reads, |inside| guide::text(&inside.sim, &base)).await?;
                Ok(text_response(text))
            }
            Target::OpenApi(service, tag) => {
                let document = |sim: &Simulator| Ok::<_, Error>(simulator_of(sim, service)?.openapi());
                let document = world.with(Touch::Reads, |inside| document(&inside.sim)).await??;
                Ok(json_response(&control::part(document, tag.as_deref())?))
            }
            Target::Control(matched) => {
                refuse_compressed(&parts.headers, &body)?;
                let place =
                    Place { hub: &self.hub, world: &world, base: base(&parts, transport), parts: &parts };
                let response = control::run(&matched, &place, &body).await?;
                self.after_control(&world, &parts.method);
                Ok(response)
            }
        }
    }

    async fn choose_world(&self, parts: &mut Parts) -> Result<Arc<World>, Error> {
        let query = parts.uri.query().unwrap_or_default();
        let Some((name, rest)) = discovery::world_of(parts.uri.path()) else {
            return self.hub.choose(&parts.headers, query, None).await;
        };
        let world = self.hub.choose(&parts.headers, query, Some(name)).await?;
        parts.uri = with_path(&parts.uri, rest);
        Ok(world)
    }

    async fn call_core(
        &self,
        world: &World,
        request: &Request<Bytes>,
        transport: Transport,
    ) -> Result<Response<Bytes>, Error> {
        let control = request.uri().path().starts_with(control::PREFIX);
        let call = world.with(touch(request.method()), |inside| {
            if inside.sim.policy().require_https && !transport.secure && !control {
                return Err(https_required());
            }
            // Again, because other calls were answered while this one waited.
            self.unsent.check()?;
            let _watched = (!control).then(|| world.watch.begin());
            let before = inside.sim.calls();
            let mut response = match replaces_faults(request) {
                false => inside.sim.handle(request),
                true => self.hub.gone.note_change(&world.name, &mut inside.sim, |sim| sim.handle(request)),
            };
            if self.access.allows_machine(transport.peer) {
                explain::link(&mut response, &world.name, inside.sim.calls() == before);
            }
            inside.clock.tell_real_seconds(&inside.sim, response.headers_mut());
            Ok(response)
        });
        let response = call.await??;
        if control {
            self.after_control(world, request.method());
        }
        Ok(response)
    }

    fn index(&self, world: &World) -> serde_json::Value {
        let services = world.services;
        let api = if services == Services::Analytics { "/api" } else { "/v1" };
        let mut index = json!({
            "name": "stuntdouble",
            "version": env!("CARGO_PKG_VERSION"),
            "world": world.name,
            "services": services,
            "links": {
                "api": api,
                "guide": "/llms.txt",
                "openapi": "/openapi.json",
                "controls": "/_sim",
                "control": "/_sim/openapi.json",
                "worlds": "/_sim/worlds",
                "clock": "/_sim/clock",
                "journal": "/_sim/journal",
                "explain": "/_sim/journal/{call}/explain",
            },
        });
        if services != Services::Analytics {
            index["links"]["api_v2"] = "/v2".into();
        }
        if services == Services::Both {
            index["links"]["analytics"] = "/api".into();
        }
        if let Some((host, port)) = &self.hub.pooler {
            index["pooler"] = format!("{host}:{port}").into();
        }
        #[cfg(feature = "dashboard")]
        if self.dashboard != crate::Dashboard::Off {
            index["links"]["dashboard"] = "/dashboard".into();
        }
        index
    }

    /// A control operation may have made or revoked tokens.
    fn after_control(&self, world: &World, method: &Method) {
        if touch(method) == Touch::Writes {
            self.hub.clear_cached_tokens(world);
        }
    }
}

impl From<Error> for Refused {
    fn from(error: Error) -> Refused {
        Refused::Error(error)
    }
}

/// The target of a request.
enum Target {
    Core,
    Control(control::Matched),
    ConsentPage,
    Metadata,
    Index,
    Controls,
    Guide,
    OpenApi(Option<Service>, Option<String>),
}

impl Target {
    fn of(parts: &Parts) -> Result<Target, Error> {
        let reads = touch(&parts.method) == Touch::Reads;
        match parts.uri.path() {
            "/" if reads => Ok(Target::Index),
            control::PREFIX if reads => Ok(Target::Controls),
            discovery::PATH if reads => Ok(Target::Metadata),
            "/llms.txt" if reads => Ok(Target::Guide),
            "/openapi.json" if reads => {
                let query = parts.uri.query().unwrap_or_default();
                let known = ["service", "tag"];
                for (name, _) in form_urlencoded::parse(query.as_bytes()) {
                    if !known.contains(&&*name) {
                        let question = near::question(&name, known);
                        let text = format!("{name}: unknown field; the fields are service and tag{question}");
                        return Err(Error::invalid(format!("invalid_query.{name}"), text));
                    }
                }
                let field = |name| form_urlencoded::parse(query.as_bytes()).find(|(known, _)| known == name);
                let service = field("service").map(|(_, name)| Service::named(&name)).transpose()?;
                Ok(Target::OpenApi(service, field("tag").map(|(_, tag)| tag.into_owned())))
            }
            "/api/v1-json" if reads => Ok(Target::OpenApi(Some(Service::Management), None)),
            "/api/openapi" if reads => Ok(Target::OpenApi(Some(Service::Analytics), None)),
            consent::PATH if reads || parts.method == Method::POST => Ok(Target::ConsentPage),
            path if path.starts_with(control::PREFIX) => {
                Ok(control::route(&parts.method, path)?.map_or(Target::Core, Target::Control))
            }
            _ => Ok(Target::Core),
        }
    }
}

/// Whether a request replaces the fault rules of its world.
fn replaces_faults(request: &Request<Bytes>) -> bool {
    request.method() == Method::PUT && request.uri().path() == SetFaults::META.path
}

fn touch(method: &Method) -> Touch {
    match *method {
        Method::GET | Method::HEAD => Touch::Reads,
        _ => Touch::Writes,
    }
}

/// How the service behaves at a path, which may begin with the name of a world.
fn manner_at(path: &str) -> &'static Manner {
    let named = path.strip_prefix("/w/").and_then(|rest| rest.split_at_checked(rest.find('/')?));
    sim_core::management::SERVICE.manner_at(named.map_or(path, |(_, own)| own))
}

fn https_required() -> Error {
    let text = "HTTPS is required: start the server with --tls and use its https:// URL, \
                or turn off require_https in the policy";
    Error::forbidden("https_required", text)
}

fn too_slow(limit: Duration) -> Response<Bytes> {
    let text = format!("body: did not arrive within {} ms", limit.as_millis());
    let mut response = json_response(&json!({ "message": text }));
    *response.status_mut() = StatusCode::REQUEST_TIMEOUT;
    response.headers_mut().insert("x-sim-reason", HeaderValue::from_static("body_timeout"));
    response
}

pub(crate) fn json_response(body: &impl serde::Serialize) -> Response<Bytes> {
    let body = serde_json::to_vec(body).expect("an answer is plain data");
    let mut response = Response::new(Bytes::from(body));
    let json = HeaderValue::from_static("application/json; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, json);
    response
}

fn text_response(text: String) -> Response<Bytes> {
    let mut response = Response::new(Bytes::from(text));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response
}

/// `uri` with another path, query unchanged.
fn with_path(uri: &Uri, path: &str) -> Uri {
    let target = match uri.query() {
        Some(query) => PathAndQuery::try_from(format!("{path}?{query}")),
        None => PathAndQuery::try_from(path),
    };
    Uri::from(target.expect("the end of a path is a path"))
}

/// Sets the headers that every answer has.
fn finish(is_head: bool, readers: Readers, response: &mut Response<Bytes>) {
    cors::protect(readers, response.headers_mut());
    if response.status() == StatusCode::NO_CONTENT {
        return;
    }
    let length = response.body().len();
    if is_head {
        // Clients that read the body of anything called JSON would fail on one that is empty.
        response.headers_mut().remove(CONTENT_TYPE);
        if length > 0 {
            *response.body_mut() = Bytes::new();
            response.headers_mut().insert(CONTENT_LENGTH, length.into());
        }
    } else if length == 0 {
        response.headers_mut().insert(CONTENT_LENGTH, 0.into());
        response.headers_mut().remove(CONTENT_TYPE);
    }
}

/// A request that is being timed for the log.
struct Timed {
    at: Instant,
    method: Method,
    target: String,
}

impl Timed {
    fn start<B>(request: &Request<B>) -> Timed {
        let target = request.uri().path_and_query().map_or("/", PathAndQuery::as_str);
        Timed { at: Instant::now(), method: request.method().clone(), target: without_token(target) }
    }

    fn finish(self, response: &Response<Bytes>) -> LogLine {
        let header = |name: &str| {
            let value = response.headers().get(name).and_then(|value| value.to_str().ok());
            value.map(str::to_owned)
        };
        LogLine {
            at: now(),
            call: header("x-sim-call").and_then(|call| call.parse().ok()),
            method: self.method,
            target: self.target,
            status: response.status().as_u16(),
            reason: header("x-sim-reason"),
            ignored: header("x-sim-ignored"),
            took: self.at.elapsed(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished(is_head: bool, status: StatusCode, body: &'static str) -> Response<Bytes> {
        let mut response = json_response(&());
        *response.status_mut() = status;
        *response.body_mut() = Bytes::from_static(body.as_bytes());
        finish(is_head, Readers::Own, &mut response);
        response
    }

    #[test]
    fn an_answer_without_body_has_length_0_and_no_type() {
        let response = finished(false, StatusCode::OK, "");
        assert_eq!(response.headers()[CONTENT_LENGTH], "0");
        assert!(!response.headers().contains_key(CONTENT_TYPE));
    }

    #[test]
    fn an_answer_to_head_keeps_its_length_and_has_no_type() {
        let response = finished(true, StatusCode::OK, "{}");
        assert_eq!(response.headers()[CONTENT_LENGTH], "2");
        assert!(response.body().is_empty());
        assert!(!response.headers().contains_key(CONTENT_TYPE));
    }

    #[test]
    fn a_path_is_replaced_before_its_query() {
        let uri = |text: &str| text.parse::<Uri>().expect("a URI");
        assert_eq!(with_path(&uri("/w/a/v1?x=1"), "/v1"), "/v1?x=1");
        assert_eq!(with_path(&uri("http://sim/w/a"), "/"), "/");
    }
}
