//! Access control: by the client's machine, the host name, and the origin of the page. The checks keep out pages of other sites,
//! even if a site's name resolves to this machine.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use http::header::{HOST, HeaderValue, ORIGIN, USER_AGENT};
use http::request::Parts;
use http::uri::Authority;
use http::{HeaderMap, Method, Uri};
use sim_core::Error;

use super::cors::Readers;
use super::service::{Peer, Transport};
use crate::control;
use crate::outgoing::POST_AGENT;
use crate::worlds::split_prefix;

/// Who may call the control API at `/_sim`.
///
/// In each case a request must address the server by a known name, and pages of other origins are refused: see [`Builder::allow_host`](crate::Builder::allow_host) and
/// [`Builder::allow_origin`](crate::Builder::allow_origin).
///
/// ```
/// use sim_http::ControlAccess;
///
/// assert_eq!("open".parse(), Ok(ControlAccess::Open));
/// assert_eq!("ajar".parse::<ControlAccess>().unwrap_err(), "must be loopback, open or off");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ControlAccess {
    /// Nobody.
    Off,
    /// Clients on the server's own machine.
    #[default]
    Loopback,
    /// Everybody who can reach the server.
    Open,
}

impl FromStr for ControlAccess {
    type Err = String;

    fn from_str(text: &str) -> Result<ControlAccess, String> {
        match text {
            "loopback" => Ok(ControlAccess::Loopback),
            "open" => Ok(ControlAccess::Open),
            "off" => Ok(ControlAccess::Off),
            _ => Err("must be loopback, open or off".to_owned()),
        }
    }
}

/// A name or an address by which clients call a server, without scheme, port and path.
///
/// ```
/// use sim_http::HostName;
///
/// assert_eq!("Sim.Test".parse::<HostName>()?.to_string(), "sim.test");
/// assert!("http://sim.test".parse::<HostName>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostName(String);

impl FromStr for HostName {
    type Err = String;

    fn from_str(text: &str) -> Result<HostName, String> {
        let bare = bare(text).to_ascii_lowercase();
        if bare.parse::<IpAddr>().is_err() && !is_name(&bare) {
            return Err(
                "must be a name or an address without scheme, port and path, as in sim.test".to_owned()
            );
        }
        Ok(HostName(bare))
    }
}

impl fmt::Display for HostName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The origin of a page, as browsers send it: scheme, host and port. `*` stands for every origin.
///
/// ```
/// use sim_http::Origin;
///
/// assert_eq!("http://localhost:3000".parse::<Origin>()?.to_string(), "http://localhost:3000");
/// assert_eq!("*".parse::<Origin>()?.to_string(), "*");
/// assert!("localhost:3000".parse::<Origin>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(String);

impl FromStr for Origin {
    type Err = String;

    fn from_str(text: &str) -> Result<Origin, String> {
        if text == ANY {
            return Ok(Origin(text.to_owned()));
        }
        let wrong = || "must be an origin as browsers name it, as in http://localhost:3000, or *".to_owned();
        let (scheme, authority) = text.split_once("://").ok_or_else(wrong)?;
        let parsed: Authority = authority.parse().map_err(|_| wrong())?;
        if scheme.is_empty()
            || parsed.host().is_empty()
            || authority.contains('@')
            || HeaderValue::from_str(text).is_err()
        {
            return Err(wrong());
        }
        Ok(Origin(text.to_ascii_lowercase()))
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The origin that means all origins.
const ANY: &str = "*";

const FETCH_SITE: &str = "sec-fetch-site";
const FETCH_MODE: &str = "sec-fetch-mode";
const FETCH_DEST: &str = "sec-fetch-dest";

/// The rules of access.
#[derive(Debug, Default)]
pub(crate) struct AccessRules {
    pub(crate) control: ControlAccess,
    /// Names of the server, beside those of the loopback.
    pub(crate) hosts: Vec<HostName>,
    /// Origins whose pages may call the server, beside its own. `*` does not open the control API.
    pub(crate) origins: Vec<Origin>,
}

impl AccessRules {
    /// Refuses requests that the rules do not allow.
    pub(crate) fn check(&self, parts: &Parts, transport: Transport) -> Result<(), Error> {
        if transport.peer == Peer::InProcess {
            return Ok(());
        }
        let is_control = is_control(&parts.uri);
        if is_control {
            self.check_machine(transport.peer)?;
            AccessRules::check_sender(parts)?;
        }
        // Other machines may use names that the server does not know, such as that of its container.
        if is_control || transport.peer == Peer::Local {
            self.check_name(parts, !is_control || self.control == ControlAccess::Open)?;
        }
        self.check_page(parts, transport, is_control)
    }

    /// Refuses messages of worlds, including those of another simulator on this machine.
    fn check_sender(parts: &Parts) -> Result<(), Error> {
        let is_message = |agent: &HeaderValue| agent.as_bytes() == POST_AGENT.as_bytes();
        if parts.headers.get_all(USER_AGENT).iter().any(is_message) {
            let text = "The control API takes no messages that a world of a simulator posts";
            return Err(Error::forbidden("posted_by_simulator", text));
        }
        Ok(())
    }

    /// Whether the client may call the control API from its machine.
    pub(crate) fn allows_machine(&self, peer: Peer) -> bool {
        peer == Peer::InProcess || self.check_machine(peer).is_ok()
    }

    fn check_machine(&self, peer: Peer) -> Result<(), Error> {
        match self.control {
            ControlAccess::Off => {
                let text = "The control API is turned off; start the server with --control loopback or --control open";
                Err(Error::forbidden("control_off", text))
            }
            ControlAccess::Loopback if peer == Peer::Remote => {
                let text = "The control API is for this machine only; start the server with --control open to open it to \
                            everybody who can reach it, for example from outside of a container";
                Err(Error::forbidden("control_not_here", text))
            }
            ControlAccess::Loopback | ControlAccess::Open => Ok(()),
        }
    }

    /// Whether `host` is a name or an address of this machine.
    pub(crate) fn is_own_host(&self, host: &str) -> bool {
        let host = bare(host);
        let address: Option<IpAddr> = host.parse().ok();
        is_localhost(host)
            || address.is_some_and(|ip| ip.to_canonical().is_loopback())
            || self.hosts.iter().any(|known| known.0.eq_ignore_ascii_case(host))
    }

    /// Whether `host` is known, or is any address if `any_address`. An unknown name may belong to another site, which made its name
    /// resolve to this machine after its page was loaded. That attack is not possible with an address.
    fn is_known_host(&self, host: &str, any_address: bool) -> bool {
        self.is_own_host(host) || any_address && bare(host).parse::<IpAddr>().is_ok()
    }

    fn check_name(&self, parts: &Parts, any_address: bool) -> Result<(), Error> {
        let Some(host) = host_of(parts) else { return Ok(()) };
        if self.is_known_host(host, any_address) {
            return Ok(());
        }
        let text = format!(
            "This server is not known as {host:?}; call it as http://localhost or by its address, or start it with \
             --allow-host {host}"
        );
        Err(Error::forbidden("unknown_host", text).because("host", host, None))
    }

    /// Refuses requests by pages of other origins. Browsers name the origin in all requests but simple reads, and mark simple reads
    /// of other sites.
    fn check_page(&self, parts: &Parts, transport: Transport, is_control: bool) -> Result<(), Error> {
        let is_foreign = |origin: &&HeaderValue| {
            !self.allows(origin, is_control) && !self.is_own_origin(origin, parts, transport)
        };
        let origins = parts.headers.get_all(ORIGIN);
        if let Some(origin) = origins.iter().find(is_foreign) {
            let origin = String::from_utf8_lossy(origin.as_bytes());
            let text = format!(
                "This server takes no calls from pages of {origin}; start it with --allow-origin {origin} to allow them"
            );
            return Err(Error::forbidden("cross_origin", text).because("origin", origin, None));
        }
        let is_open = !is_control && self.allows_any();
        if origins.iter().next().is_none() && !is_open && is_part_of_foreign_page(parts) {
            let text = "This server is not for pages of other sites; start it with --allow-origin ORIGIN, and let the page \
                        call it by fetch() with its default mode, cors";
            return Err(Error::forbidden("cross_origin", text));
        }
        Ok(())
    }

    /// The pages that may read the answer to a request.
    pub(crate) fn readers(&self, uri: &Uri, headers: &HeaderMap) -> Readers {
        if self.origins.is_empty() {
            return Readers::Own;
        }
        let is_control = is_control(uri);
        if self.allows_any() && !is_control {
            return Readers::All;
        }
        let allowed = headers.get(ORIGIN).filter(|origin| self.allows(origin, is_control));
        allowed.map_or(Readers::Others, |origin| Readers::Of(origin.clone()))
    }

    fn allows_any(&self) -> bool {
        self.origins.iter().any(|known| known.0 == ANY)
    }

    fn allows(&self, origin: &HeaderValue, is_control: bool) -> bool {
        let is_named = |known: &Origin| known.0 != ANY && known.0.as_bytes() == origin.as_bytes();
        !is_control && self.allows_any() || self.origins.iter().any(is_named)
    }

    /// Whether `origin` is the one under which the client called the server, and not another name that resolves here.
    fn is_own_origin(&self, origin: &HeaderValue, parts: &Parts, transport: Transport) -> bool {
        origin.as_bytes() == base(parts, transport).as_bytes()
            && host_of(parts).is_some_and(|host| self.is_known_host(host, true))
    }
}

/// Whether another site's page makes the request, for a part of that page or in a frame. Opening a link is allowed: the page with
/// the link cannot read the answer.
fn is_part_of_foreign_page(parts: &Parts) -> bool {
    let is = |name, values: &[&str]| {
        parts
            .headers
            .get(name)
            .is_some_and(|value| values.iter().any(|one| value.as_bytes() == one.as_bytes()))
    };
    let opens_link = (parts.method == Method::GET || parts.method == Method::HEAD)
        && is(FETCH_MODE, &["navigate"])
        && is(FETCH_DEST, &["document"]);
    is(FETCH_SITE, &["cross-site", "same-site"]) && !opens_link
}

/// Whether the path is a path of the control API, in any world.
pub(crate) fn is_control(uri: &Uri) -> bool {
    let path = uri.path();
    split_prefix(path).map_or(path, |(_, rest)| rest).starts_with(control::PREFIX)
}

/// The address that the client used, without path.
pub(crate) fn base(parts: &Parts, transport: Transport) -> String {
    format!(
        "{}://{}",
        if transport.secure { "https" } else { "http" },
        authority(parts).unwrap_or("localhost")
    )
}

/// The host that the client addressed, without port.
pub(crate) fn host_of(parts: &Parts) -> Option<&str> {
    authority(parts).map(|authority| match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    })
}

fn authority(parts: &Parts) -> Option<&str> {
    let header = || parts.headers.get(HOST).map(|host| host.to_str().unwrap_or("unreadable"));
    parts.uri.authority().map(Authority::as_str).or_else(header)
}

/// A host without the brackets of an address.
pub(crate) fn bare(host: &str) -> &str {
    host.trim_start_matches('[').trim_end_matches(']')
}

/// Whether a text has the form of a name, or of an address of four numbers.
pub(crate) fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte))
}

/// Whether a name always resolves to the client's own machine: `localhost`, and names below it.
pub(crate) fn is_localhost(name: &str) -> bool {
    let ends_so = |tail: &str| {
        let start = name.len().checked_sub(tail.len());
        start.and_then(|start| name.get(start..)).is_some_and(|end| end.eq_ignore_ascii_case(tail))
    };
    name.eq_ignore_ascii_case("localhost") || ends_so(".localhost")
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    fn rules(control: ControlAccess, origin: &str) -> AccessRules {
        AccessRules {
            control,
            hosts: vec!["sim.test".parse().expect("a name")],
            origins: vec![origin.parse().expect("an origin")],
        }
    }

    /// The reason of the refusal, or `in`. An empty origin is none.
    fn checked(control: ControlAccess, peer: Peer, path: &str, host: &str, origin: &str) -> String {
        let headers = [("origin", origin)];
        let headers = if origin.is_empty() { &[][..] } else { &headers };
        asked(&rules(control, "http://page.test:3000"), peer, &format!("GET {path}"), host, headers)
    }

    fn asked(rules: &AccessRules, peer: Peer, line: &str, host: &str, headers: &[(&str, &str)]) -> String {
        let (method, path) = line.split_once(' ').expect("a method and a path");
        let mut request = Request::builder().method(method).uri(path).header(HOST, host);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let transport = Transport { secure: false, body_timeout: None, peer, address: None };
        let parts = request.body(()).expect("a request").into_parts().0;
        rules.check(&parts, transport).map_or_else(|error| error.reason.into_owned(), |()| "in".to_owned())
    }

    #[test]
    fn access_depends_on_machine_and_host_name() {
        use ControlAccess::{Loopback, Off, Open};
        use Peer::{InProcess, Local, Remote};
        for (control, peer, host, expected) in [
            (Loopback, Local, "localhost:8787", "in"),
            (Loopback, Local, "LOCALHOST", "in"),
            (Loopback, Local, "127.0.0.1:8787", "in"),
            (Loopback, Local, "[::1]:8787", "in"),
            (Loopback, Local, "[::ffff:127.0.0.1]", "in"),
            (Loopback, Local, "sim.test:8787", "in"),
            (Loopback, Local, "page.test", "unknown_host"),
            (Loopback, Local, "localhost.page.test", "unknown_host"),
            (Loopback, Local, "127.0.0.1.page.test", "unknown_host"),
            (Loopback, Local, "10.0.0.5:8787", "unknown_host"),
            (Loopback, Local, "", "unknown_host"),
            (Loopback, Remote, "localhost:8787", "control_not_here"),
            (Open, Remote, "10.0.0.5:8787", "in"),
            (Open, Remote, "sim.test", "in"),
            (Open, Remote, "page.test", "unknown_host"),
            (Off, Local, "localhost", "control_off"),
            (Off, InProcess, "page.test", "in"),
        ] {
            let found = checked(control, peer, "/_sim/worlds", host, "");
            assert_eq!(found, expected, "{control:?} {peer:?} {host:?}");
        }
    }

    #[test]
    fn pages_of_other_origins_are_refused() {
        for (host, origin, expected) in [
            ("localhost:8787", "http://localhost:8787", "in"),
            ("localhost:8787", "http://page.test:3000", "in"),
            ("localhost:8787", "http://page.test", "cross_origin"),
            ("localhost:8787", "http://localhost:3000", "cross_origin"),
            ("localhost:8787", "https://localhost:8787", "cross_origin"),
            ("localhost:8787", "null", "cross_origin"),
            ("page.test:8787", "http://page.test:8787", "unknown_host"),
        ] {
            for path in
                ["/_sim/worlds", "/w/a/_sim/worlds", "/v1/projects", "/api/sources", "/w/a/v1", "/dashboard"]
            {
                let found = checked(ControlAccess::Loopback, Peer::Local, path, host, origin);
                assert_eq!(found, expected, "{path} {host} {origin}");
            }
        }
    }

    #[test]
    fn a_star_opens_the_services_and_not_the_control_api() {
        let rules = rules(ControlAccess::Loopback, "*");
        let asked = |path: &str, origin| {
            asked(&rules, Peer::Local, &format!("POST {path}"), "localhost", &[("origin", origin)])
        };
        for origin in ["http://page.test", "null", "*"] {
            assert_eq!(asked("/v1/projects", origin), "in", "{origin}");
            assert_eq!(asked("/_sim/worlds", origin), "cross_origin", "{origin}");
        }
    }

    #[test]
    fn other_pages_cannot_use_an_answer_as_a_part_of_theirs() {
        let rules = rules(ControlAccess::Loopback, "http://page.test:3000");
        for (line, site, mode, dest, expected) in [
            ("GET /v1/projects", "cross-site", "no-cors", "script", "cross_origin"),
            ("GET /_sim/worlds", "cross-site", "no-cors", "script", "cross_origin"),
            ("GET /v1/projects", "same-site", "no-cors", "image", "cross_origin"),
            ("GET /v1/projects", "cross-site", "navigate", "iframe", "cross_origin"),
            ("POST /v1/projects", "cross-site", "navigate", "document", "cross_origin"),
            ("POST /v1/projects", "cross-site", "no-cors", "empty", "cross_origin"),
            // A link that is opened, and the address bar.
            ("GET /dashboard", "cross-site", "navigate", "document", "in"),
            ("GET /v1/oauth/authorize", "cross-site", "navigate", "document", "in"),
            ("GET /dashboard", "none", "navigate", "document", "in"),
            ("GET /dashboard/app.js", "same-origin", "cors", "script", "in"),
        ] {
            let headers = [("sec-fetch-site", site), ("sec-fetch-mode", mode), ("sec-fetch-dest", dest)];
            let found = asked(&rules, Peer::Local, line, "localhost:8787", &headers);
            assert_eq!(found, expected, "{line} {site} {mode} {dest}");
        }
    }

    #[test]
    fn upgrades_and_second_origins_are_refused() {
        let rules = rules(ControlAccess::Loopback, "http://page.test:3000");
        let upgrade = [("upgrade", "websocket"), ("connection", "upgrade"), ("origin", "http://evil.test")];
        assert_eq!(asked(&rules, Peer::Local, "GET /v1/projects", "localhost", &upgrade), "cross_origin");
        let two = [("origin", "http://page.test:3000"), ("origin", "http://evil.test")];
        assert_eq!(asked(&rules, Peer::Local, "GET /v1/projects", "localhost", &two), "cross_origin");
    }

    #[test]
    fn names_that_lead_here_are_refused_on_every_path() {
        use ControlAccess::Open;
        for (peer, path, host, origin, expected) in [
            (Peer::Local, "/v1/projects", "page.test", "", "unknown_host"),
            (Peer::Local, "/openapi.json", "page.test", "", "unknown_host"),
            (Peer::Local, "/w/a/api/sources", "page.test", "", "unknown_host"),
            (Peer::Local, "/v1/projects", "sim.test", "", "in"),
            (Peer::Local, "/v1/projects", "SIM.test:1", "", "in"),
            (Peer::Local, "/v1/projects", "acme.localhost:8787", "", "in"),
            (Peer::Local, "/v1/projects", "notlocalhost", "", "unknown_host"),
            (Peer::Local, "/v1/projects", "10.0.0.5:8787", "", "in"),
            // Other machines call it by names of their own.
            (Peer::Remote, "/v1/projects", "container", "", "in"),
            (Peer::Remote, "/_sim/users", "container", "", "unknown_host"),
            (Peer::Remote, "/w/a/_sim/users", "container", "", "unknown_host"),
            (Peer::Remote, "/v1/projects", "page.test", "http://page.test", "cross_origin"),
            (Peer::Remote, "/v1/projects", "10.0.0.5:8787", "http://10.0.0.5:8787", "in"),
            (Peer::InProcess, "/_sim/users", "page.test", "http://page.test", "in"),
        ] {
            assert_eq!(checked(Open, peer, path, host, origin), expected, "{peer:?} {path} {host} {origin}");
        }
    }

    #[test]
    fn names_and_origins_have_the_form_that_browsers_send() {
        for good in ["sim.test", "10.0.0.5", "::1", "[::1]", "my_host"] {
            assert!(good.parse::<HostName>().is_ok(), "{good}");
        }
        for bad in ["", "sim.test:80", "http://sim.test", "sim.test/", "*", "a b"] {
            assert!(bad.parse::<HostName>().is_err(), "{bad}");
        }
        for good in ["http://localhost:3000", "https://sim.test", "http://[::1]:80", "*"] {
            assert!(good.parse::<Origin>().is_ok(), "{good}");
        }
        for bad in ["", "null", "**", "sim.test", "http://", "http://a/", "http://u@a"] {
            assert!(bad.parse::<Origin>().is_err(), "{bad}");
        }
    }
}
