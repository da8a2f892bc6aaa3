//! One way to call a world: in process or over HTTP.

#[cfg(feature = "http")]
mod over_http;

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, Method, Request, Response};
use serde_json::Value;
use sim_core::Simulator;
use sim_core::engine::{File, MULTIPART, multipart_of};

#[cfg(feature = "http")]
pub use over_http::{Http, Lend};

use crate::scenario::Scene;

/// What a client sees of the service.
///
/// By default the world's first user calls; [`Call::token`] and [`Call::nobody`] change that. `{ref}` in a
/// path stands for the scene's project.
pub trait Api {
    /// Sends `request` as it is.
    fn exchange(&mut self, request: Request<Bytes>) -> Reply;

    /// Inspects the world that answers, or moves its clock.
    fn look(&mut self, look: &mut dyn FnMut(&mut Simulator));

    /// The scene's project.
    fn project(&self) -> String;

    /// Sends `call`.
    fn send(&mut self, call: Call) -> Reply {
        let first = match call.sender {
            Sender::FirstUser => Some(peek(self, |sim| sim.token().to_owned())),
            _ => None,
        };
        let project = self.project();
        self.exchange(call.request(&project, first.as_deref()))
    }

    /// GET.
    fn get(&mut self, path: &str) -> Reply {
        self.send(Call::get(path))
    }

    /// POST without a body.
    fn act(&mut self, path: &str) -> Reply {
        self.send(Call::post(path))
    }

    /// POST with a JSON body.
    fn post(&mut self, path: &str, body: Value) -> Reply {
        self.send(Call::post(path).json(body))
    }

    /// PUT with a JSON body.
    fn put(&mut self, path: &str, body: Value) -> Reply {
        self.send(Call::put(path).json(body))
    }

    /// PATCH with a JSON body.
    fn patch(&mut self, path: &str, body: Value) -> Reply {
        self.send(Call::new(Method::PATCH, path).json(body))
    }

    /// DELETE without a body.
    fn delete(&mut self, path: &str) -> Reply {
        self.send(Call::delete(path))
    }

    /// Advances simulated time.
    fn advance(&mut self, by: Duration) {
        self.look(&mut |sim| drop(sim.advance(by)));
    }
}

/// Returns what `look` finds in the world behind `api`.
///
/// ```
/// use sim_fixtures::{InProcess, api, scenario};
///
/// let mut api = InProcess::new(scenario::fresh());
/// assert_eq!(api::peek(&mut api, |sim| sim.calls()), 0);
/// ```
pub fn peek<T>(api: &mut (impl Api + ?Sized), mut look: impl FnMut(&mut Simulator) -> T) -> T {
    let mut found = None;
    api.look(&mut |sim| found = Some(look(sim)));
    found.expect("an Api gives access to its world")
}

/// A request about to be sent.
///
/// ```
/// use serde_json::json;
/// use sim_fixtures::{Api as _, Call, InProcess, scenario};
///
/// let mut api = InProcess::new(scenario::active_project());
/// let call = Call::post("/v1/projects/{ref}/secrets").token("token-of-developer").json(json!([]));
/// assert_eq!(api.send(call).status, 403);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// HTTP method.
    pub method: Method,
    /// Path and query; `{ref}` stands for the scene's project.
    pub path: String,
    /// Who calls.
    pub sender: Sender,
    /// Further headers.
    pub headers: Vec<(String, String)>,
    /// Body, empty for none.
    pub body: Bytes,
}

/// Who calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sender {
    /// The world's first user.
    FirstUser,
    /// The user with this token.
    Token(String),
    /// No `authorization` header.
    Nobody,
}

impl Call {
    /// A call without body.
    pub fn new(method: Method, path: &str) -> Call {
        Call {
            method,
            path: path.to_owned(),
            sender: Sender::FirstUser,
            headers: Vec::new(),
            body: Bytes::new(),
        }
    }

    /// GET.
    pub fn get(path: &str) -> Call {
        Call::new(Method::GET, path)
    }

    /// POST.
    pub fn post(path: &str) -> Call {
        Call::new(Method::POST, path)
    }

    /// PUT.
    pub fn put(path: &str) -> Call {
        Call::new(Method::PUT, path)
    }

    /// DELETE.
    pub fn delete(path: &str) -> Call {
        Call::new(Method::DELETE, path)
    }

    /// With a JSON body.
    #[must_use]
    pub fn json(self, body: Value) -> Call {
        self.bytes("application/json", body.to_string())
    }

    /// With a body of any content type.
    #[must_use]
    pub fn bytes(mut self, content_type: &str, body: impl Into<Bytes>) -> Call {
        self.body = body.into();
        self.header(CONTENT_TYPE.as_str(), content_type)
    }

    /// With a multipart form: a JSON part named `metadata`, and files, each a path and a text.
    #[must_use]
    pub fn multipart(self, metadata: &Value, files: &[(&str, &str)]) -> Call {
        let file = |(name, text): &(&str, &str)| File {
            name: (*name).to_owned(),
            content: text.as_bytes().to_vec().into(),
        };
        let files: Vec<_> = files.iter().map(file).collect();
        self.bytes(MULTIPART, multipart_of(Some(metadata), &files))
    }

    /// As the user with this token.
    #[must_use]
    pub fn token(mut self, token: &str) -> Call {
        self.sender = Sender::Token(token.to_owned());
        self
    }

    /// Without credentials.
    #[must_use]
    pub fn nobody(mut self) -> Call {
        self.sender = Sender::Nobody;
        self
    }

    /// With one more header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Call {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The HTTP request for this call; `project` is the scene's, `first` is the first user's token.
    ///
    /// # Panics
    ///
    /// When path or headers are not valid HTTP.
    pub fn request(self, project: &str, first: Option<&str>) -> Request<Bytes> {
        let mut request = Request::builder().method(self.method).uri(self.path.replace("{ref}", project));
        let token = match &self.sender {
            Sender::FirstUser => first,
            Sender::Token(token) => Some(token.as_str()),
            Sender::Nobody => None,
        };
        if let Some(token) = token {
            request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        for (name, value) in self.headers {
            request = request.header(name, value);
        }
        request.body(self.body).expect("a call is valid HTTP")
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)?;
        match &self.sender {
            Sender::FirstUser => {}
            Sender::Token(token) => write!(f, " as {token}")?,
            Sender::Nobody => f.write_str(" as nobody")?,
        }
        let mut body = String::from_utf8_lossy(&self.body);
        if let Some((end, _)) = body.char_indices().nth(200) {
            body = format!("{}… ({} bytes)", &body[..end], self.body.len()).into();
        }
        if !body.is_empty() {
            write!(f, " {body}")?;
        }
        Ok(())
    }
}

/// A response.
#[derive(Clone, Debug)]
pub struct Reply {
    /// HTTP status.
    pub status: u16,
    /// Headers.
    pub headers: HeaderMap,
    /// Body.
    pub body: Bytes,
}

impl Reply {
    /// The body as JSON.
    ///
    /// # Panics
    ///
    /// When it is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self}"))
    }

    /// The message of a refusal, in the shape of `/v1` or of `/v2`; empty when there is none.
    pub fn message(&self) -> String {
        let body: Value = serde_json::from_slice(&self.body).unwrap_or_default();
        let found = [&body["message"], &body["error"]["message"]].into_iter().find_map(Value::as_str);
        found.unwrap_or_default().to_owned()
    }

    /// The value of a header; empty when there is none.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap_or_default())
    }

    /// The machine-readable reason of a refusal, such as `project_paused`.
    pub fn reason(&self) -> &str {
        self.header("x-sim-reason")
    }
}

impl From<Response<Bytes>> for Reply {
    fn from(response: Response<Bytes>) -> Reply {
        let (parts, body) = response.into_parts();
        Reply { status: parts.status.as_u16(), headers: parts.headers, body }
    }
}

/// Status and body, as in `404 {"message":"Project not found"}`.
impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.status, String::from_utf8_lossy(&self.body))
    }
}

/// A world in process: no socket, no sleep.
pub struct InProcess {
    sim: Simulator,
    project: String,
}

impl InProcess {
    /// Calls the world of `scene`.
    pub fn new(scene: impl Into<Scene>) -> InProcess {
        let Scene { sim, project } = scene.into();
        InProcess { sim, project: project.0 }
    }
}

impl Api for InProcess {
    fn exchange(&mut self, request: Request<Bytes>) -> Reply {
        self.sim.handle(&request).into()
    }

    fn look(&mut self, look: &mut dyn FnMut(&mut Simulator)) {
        look(&mut self.sim);
    }

    fn project(&self) -> String {
        self.project.clone()
    }
}
