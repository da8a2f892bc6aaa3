//! A world that another language holds, and the calls to it: what the C interface, Node's addon and Python's extension share.
#![forbid(unsafe_code)]

use std::ffi::CString;
use std::fmt::Write as _;

use bytes::Bytes;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderName, HeaderValue};
use http::{HeaderMap, Method, Request, Response, StatusCode, Uri};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use sim_core::engine::fault::Mishap;
use sim_http::SimService;
use sim_http::control::CreateWorld;

/// The header that names the world of a request.
const WORLD_HEADER: HeaderName = HeaderName::from_static("x-sim-world");

/// The world of a new service.
const MAIN: &str = "main";

/// The host in the URLs of worlds. No such host exists: `.test` is reserved.
const HOST: &str = "http://stuntdouble.test";

/// One world of a service. The service lives as long as one of its worlds is held.
pub struct World {
    service: SimService,
    name: String,
    /// What `GET /_sim/worlds/{name}` said when the world was made.
    pub info: CString,
}

/// What a request consists of.
pub struct Asked<'a> {
    /// The method.
    pub method: &'a str,
    /// A path or a URL.
    pub target: &'a str,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: &'a [u8],
}

impl World {
    /// Makes a world of its own from settings, the body of `POST /_sim/worlds`.
    ///
    /// # Errors
    ///
    /// The settings are wrong; the text names the field.
    pub fn new(settings: &str) -> Result<World, String> {
        let built = CreateWorld::from_json(settings).and_then(CreateWorld::build);
        let sim = built.map_err(|error| format!("settings: {}", error.message))?;
        World::of(SimService::new(sim), MAIN)
    }

    fn of(service: SimService, name: &str) -> Result<World, String> {
        let mut world = World { service, name: name.to_owned(), info: CString::default() };
        let info = world.control(Method::GET, &format!("/_sim/worlds/{name}"), None)?;
        world.info = text(succeeded(info)?)?;
        Ok(world)
    }

    /// A second world, equal to this one.
    ///
    /// # Errors
    ///
    /// The world was deleted by a control call.
    pub fn fork(&self) -> Result<World, String> {
        let forked = succeeded(self.control(Method::POST, "/_sim/fork", Some(json!({})))?)?;
        let info: Value = serde_json::from_slice(&forked).map_err(|error| error.to_string())?;
        let name = info["name"].as_str().ok_or("a fork has no name")?.to_owned();
        Ok(World { service: self.service.clone(), name, info: text(forked)? })
    }

    /// Answers a request. It goes to this world unless its path or a header names another.
    ///
    /// # Errors
    ///
    /// A part of the request is none; the text names the part.
    pub fn handle(&self, asked: Asked<'_>) -> Result<Response<Bytes>, String> {
        let method: Method =
            asked.method.parse().map_err(|_| format!("method: {:?} is no HTTP method", asked.method))?;
        let uri: Uri =
            asked.target.parse().map_err(|error| format!("target: {:?}: {error}", asked.target))?;
        if let Some(refusal) = running_clock(&method, &uri, asked.body) {
            return Ok(refusal);
        }
        Ok(self.answer(method, uri, asked.headers, Bytes::copy_from_slice(asked.body)))
    }

    /// Makes a control call.
    ///
    /// # Errors
    ///
    /// The target is none.
    pub fn control(
        &self,
        method: Method,
        target: &str,
        body: Option<Value>,
    ) -> Result<Response<Bytes>, String> {
        let uri = format!("{HOST}{target}").parse().map_err(|error| format!("{target:?}: {error}"))?;
        let json = (CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let headers = body.is_some().then_some(json).into_iter().collect();
        let body = body.map_or_else(Bytes::new, |body| body.to_string().into());
        Ok(self.answer(method, uri, headers, body))
    }

    fn answer(&self, method: Method, uri: Uri, mut headers: HeaderMap, body: Bytes) -> Response<Bytes> {
        if !uri.path().starts_with("/w/") {
            let name = HeaderValue::from_str(&self.name).expect("names of worlds are letters, digits, `-_.`");
            headers.entry(WORLD_HEADER).or_insert(name);
        }
        let mut request = Request::new(body);
        (*request.method_mut(), *request.uri_mut(), *request.headers_mut()) = (method, uri, headers);
        measured(self.service.answer(request))
    }
}

/// A fork ends with its handle; the main world ends with the service.
impl Drop for World {
    fn drop(&mut self) {
        if self.name != MAIN {
            // It may have been deleted by a control call.
            let _ = self.control(Method::DELETE, &format!("/_sim/worlds/{}", self.name), None);
        }
    }
}

/// An answer with the length of its body, as a connection says it of one that arrives whole.
fn measured(mut answer: Response<Bytes>) -> Response<Bytes> {
    let is_whole = matches!(answer.extensions().get(), None | Some(Mishap::Delayed(_)));
    if is_whole && !matches!(answer.status(), StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED) {
        let length = answer.body().len().into();
        answer.headers_mut().entry(CONTENT_LENGTH).or_insert(length);
    }
    answer
}

/// The refusal for a speed other than 0: a clock that runs by itself would make answers depend on the machine's time.
fn running_clock(method: &Method, uri: &Uri, body: &[u8]) -> Option<Response<Bytes>> {
    let sets = method == Method::PATCH && uri.path().ends_with("/_sim/clock");
    let given: Value = sets.then(|| serde_json::from_slice(body).ok()).flatten()?;
    given["speed"].as_f64().filter(|speed| *speed != 0.0)?;
    let text =
        json!({ "message": "speed: is for worlds of a server; advance the clock instead" }).to_string();
    let response = Response::builder().status(400).header("x-sim-reason", "invalid_body.speed");
    Some(
        response
            .header(CONTENT_TYPE, "application/json; charset=utf-8")
            .body(text.into())
            .expect("it is whole"),
    )
}

/// A text as a part of a path.
pub fn escaped(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

/// The number of what a fault rule does to an answer on its way, and the milliseconds that belong to it.
pub fn mishap(answer: &Response<Bytes>) -> (u32, u64) {
    match answer.extensions().get() {
        None => (0, 0),
        Some(&Mishap::Delayed(ms)) => (1, ms),
        Some(Mishap::Reset) => (2, 0),
        Some(Mishap::Torn) => (3, 0),
        Some(&Mishap::Slow(ms)) => (4, ms),
    }
}

/// The headers in lines of `name: value`.
///
/// # Errors
///
/// A line is none.
pub fn headers(lines: &str) -> Result<HeaderMap, String> {
    let lines = lines.lines().filter(|line| !line.is_empty());
    lines.map(|line| header(line).ok_or_else(|| format!("headers: {line:?} is not `name: value`"))).collect()
}

/// The headers of an answer, as lines of `name: value`.
pub fn lines(headers: &HeaderMap) -> String {
    headers.iter().fold(String::new(), |mut lines, (name, value)| {
        let _ = writeln!(lines, "{name}: {}", String::from_utf8_lossy(value.as_bytes()));
        lines
    })
}

fn header(line: &str) -> Option<(HeaderName, HeaderValue)> {
    let (name, value) = line.split_once(':')?;
    Some((name.trim().parse().ok()?, HeaderValue::from_bytes(value.trim().as_bytes()).ok()?))
}

/// The body of an answer that is no refusal.
fn succeeded(answer: Response<Bytes>) -> Result<Bytes, String> {
    let status = answer.status();
    if status.is_success() {
        return Ok(answer.into_body());
    }
    Err(format!("{}: {}", status.as_u16(), String::from_utf8_lossy(answer.body())))
}

fn text(body: Bytes) -> Result<CString, String> {
    CString::new(body.to_vec()).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(world: &World, method: &str, target: &str) -> u16 {
        let asked = Asked { method, target, headers: HeaderMap::new(), body: b"{}" };
        world.handle(asked).expect("it is a request").status().as_u16()
    }

    #[test]
    fn a_fork_outlives_its_origin_and_is_deleted_with_its_handle() {
        let world = World::new(r#"{"seed": 7}"#).expect("good settings");
        let fork = world.fork().expect("a fork");
        let other = fork.fork().expect("a fork of a fork");
        drop(world);
        assert_eq!(status(&fork, "POST", "/_sim/clock/advance"), 400);
        assert_eq!(status(&fork, "GET", &format!("/w/{}/_sim/clock", other.name)), 200);
        let name = other.name.clone();
        drop(other);
        assert_eq!(status(&fork, "GET", &format!("/_sim/worlds/{name}")), 404);
    }

    #[test]
    fn bad_settings_and_requests_name_the_field() {
        let refused = |settings| World::new(settings).err().expect("a refusal");
        for (settings, text) in [
            (r#"{"sed": 7}"#, "settings: sed: unknown field `sed`, "),
            (r#"{"seed": "x"}"#, r#"settings: seed: invalid type: string "x", "#),
            (
                r#"{"policy": {"rate_limit": {"enabled": "no"}}}"#,
                "settings: policy.rate_limit.enabled: invalid type",
            ),
            (r#"{"speed": 2}"#, "settings: speed: is for worlds of a server"),
            (r#"{"seed": 1, "seed": 2}"#, "settings: "),
            ("", "settings: "),
        ] {
            assert!(refused(settings).starts_with(text), "{settings}: {}", refused(settings));
        }
        let world = World::new("{}").expect("good settings");
        let set = |body: &'static str| {
            let asked = Asked {
                method: "PATCH",
                target: "/_sim/clock",
                headers: headers("content-type: application/json").expect("a header"),
                body: body.as_bytes(),
            };
            world.handle(asked).expect("it is a request").status().as_u16()
        };
        assert_eq!([set(r#"{"speed": 5}"#), set(r#"{"speed": 0}"#)], [400, 200]);
        let world = World::new("{}").expect("good settings");
        let refused = |method, target| {
            let asked = Asked { method, target, headers: HeaderMap::new(), body: b"" };
            world.handle(asked).expect_err("a refusal")
        };
        assert_eq!(refused("GE T", "/"), r#"method: "GE T" is no HTTP method"#);
        assert!(refused("GET", "no path").starts_with(r#"target: "no path""#));
        assert_eq!(
            headers("nonsense").expect_err("a refusal"),
            r#"headers: "nonsense" is not `name: value`"#
        );
    }
}
