//! Who gets to the control API, and under which names this machine is known: no page of another site drives it, wherever
//! that site's name may lead.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use http::header::{HOST, HeaderValue, ORIGIN};
use http::request::Parts;
use http::uri::Authority;
use http::{HeaderMap, Uri};
use sim_core::Error;

use crate::control;
use crate::request::service::{Peer, Way};
use crate::worlds::hub::split_prefix;

/// Who gets to the control API at `/_sim`.
///
/// Whoever it is, the request has to call the server by a name that it is known under, and no page of another origin gets
/// in: see [`Builder::allow_host`](crate::Builder::allow_host) and
/// [`Builder::allow_origin`](crate::Builder::allow_origin).
///
/// ```
/// use sim_http::ControlAccess;
///
/// assert_eq!("open".parse(), Ok(ControlAccess::Open));
/// assert_eq!("ajar".parse::<ControlAccess>().unwrap_err(), "must be loopback, open or off");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ControlAccess {
    /// Nobody.
    Off,
    /// Those on the server's own machine.
    #[default]
    Loopback,
    /// Whoever reaches the server.
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
        let bare = bare(text);
        let is_name = |text: &str| {
            !text.is_empty()
                && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte))
        };
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

/// Where pages come from, as browsers name it: scheme, host and port.
///
/// ```
/// use sim_http::Origin;
///
/// assert_eq!("http://localhost:3000".parse::<Origin>()?.to_string(), "http://localhost:3000");
/// assert!("localhost:3000".parse::<Origin>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(String);

impl FromStr for Origin {
    type Err = String;

    fn from_str(text: &str) -> Result<Origin, String> {
        let wrong = || "must be an origin as browsers name it, as in http://localhost:3000".to_owned();
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

/// Keeps out of the control API whom it does not concern.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    pub(crate) control: ControlAccess,
    /// Names by which clients call the server, beside those of the loopback.
    pub(crate) hosts: Vec<HostName>,
    /// Where pages come from that may drive it, beside its own.
    pub(crate) origins: Vec<Origin>,
}

impl Gate {
    /// Refuses a request to the control API that is not meant to be there; lets all others pass.
    pub(crate) fn let_in(&self, parts: &Parts, way: Way) -> Result<(), Error> {
        if way.peer == Peer::Inside || !is_control(&parts.uri) {
            return Ok(());
        }
        match self.control {
            ControlAccess::Off => {
                let text = "The control API is turned off; start the server with --control loopback or --control open";
                return Err(Error::forbidden("control_off", text));
            }
            ControlAccess::Loopback if way.peer == Peer::Far => {
                let text = "The control API is for this machine only; start the server with --control open to open it to \
                            whoever reaches it, as from outside of a container";
                return Err(Error::forbidden("control_not_here", text));
            }
            ControlAccess::Loopback | ControlAccess::Open => {}
        }
        self.check_name(parts, self.control == ControlAccess::Open)?;
        self.check_origin(parts, way)
    }

    /// Whether the request calls this machine by a name of its own.
    pub(crate) fn knows(&self, host: &str) -> bool {
        let host = bare(host);
        let address: Option<IpAddr> = host.parse().ok();
        host == "localhost"
            || address.is_some_and(|ip| ip.to_canonical().is_loopback())
            || self.hosts.iter().any(|known| known.0 == host)
    }

    /// A name that is not known may be a page's elsewhere, which was led here after it was loaded. An address can't be led
    /// anywhere, so where others may come, any will do.
    fn check_name(&self, parts: &Parts, any_address: bool) -> Result<(), Error> {
        let Some(host) = host_of(parts) else { return Ok(()) };
        if self.knows(host) || any_address && bare(host).parse::<IpAddr>().is_ok() {
            return Ok(());
        }
        let text = format!(
            "The control API is not known as {host:?}; call it http://localhost or by its address, or start the server with \
             --allow-host {host}"
        );
        Err(Error::forbidden("unknown_host", text).because("host", host, None))
    }

    fn check_origin(&self, parts: &Parts, way: Way) -> Result<(), Error> {
        let Some(origin) = parts.headers.get(ORIGIN) else { return Ok(()) };
        if self.origin_of(&parts.headers).is_some() || origin.as_bytes() == base(parts, way).as_bytes() {
            return Ok(());
        }
        let origin = String::from_utf8_lossy(origin.as_bytes());
        let text = format!(
            "The control API takes no calls of pages from {origin}; start the server with --allow-origin {origin} to allow them"
        );
        Err(Error::forbidden("cross_origin", text).because("origin", origin, None))
    }

    /// The origin of the page that calls, if it is one of those that are allowed.
    pub(crate) fn origin_of(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        let asked = headers.get(ORIGIN)?;
        self.origins.iter().any(|known| known.0.as_bytes() == asked.as_bytes()).then(|| asked.clone())
    }
}

/// Whether it is the control API that is asked for, in whichever world.
pub(crate) fn is_control(uri: &Uri) -> bool {
    let path = uri.path();
    split_prefix(path).map_or(path, |(_, rest)| rest).starts_with(control::PREFIX)
}

/// The address that the client used, without path.
pub(crate) fn base(parts: &Parts, way: Way) -> String {
    format!("{}://{}", if way.secure { "https" } else { "http" }, authority(parts).unwrap_or("localhost"))
}

/// The host that the client called, without port.
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

/// A host as it is compared: in lower case, without the brackets of an address.
fn bare(host: &str) -> String {
    host.trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    /// What becomes of a request with that host and origin, the latter empty for none.
    fn asked(control: ControlAccess, peer: Peer, path: &str, host: &str, origin: &str) -> String {
        let gate = Gate {
            control,
            hosts: vec!["sim.test".parse().expect("a name")],
            origins: vec!["http://page.test:3000".parse().expect("an origin")],
        };
        let mut request = Request::get(path).header(HOST, host);
        if !origin.is_empty() {
            request = request.header(ORIGIN, origin);
        }
        let way = Way { secure: false, body_timeout: None, peer };
        let parts = request.body(()).expect("a request").into_parts().0;
        gate.let_in(&parts, way).map_or_else(|error| error.reason.into_owned(), |()| "in".to_owned())
    }

    #[test]
    fn the_control_api_is_for_whom_it_is_opened() {
        use ControlAccess::{Loopback, Off, Open};
        use Peer::{Far, Inside, Near};
        for (control, peer, host, expected) in [
            (Loopback, Near, "localhost:8787", "in"),
            (Loopback, Near, "LOCALHOST", "in"),
            (Loopback, Near, "127.0.0.1:8787", "in"),
            (Loopback, Near, "[::1]:8787", "in"),
            (Loopback, Near, "[::ffff:127.0.0.1]", "in"),
            (Loopback, Near, "sim.test:8787", "in"),
            (Loopback, Near, "page.test", "unknown_host"),
            (Loopback, Near, "localhost.page.test", "unknown_host"),
            (Loopback, Near, "127.0.0.1.page.test", "unknown_host"),
            (Loopback, Near, "10.0.0.5:8787", "unknown_host"),
            (Loopback, Near, "", "unknown_host"),
            (Loopback, Far, "localhost:8787", "control_not_here"),
            (Open, Far, "10.0.0.5:8787", "in"),
            (Open, Far, "sim.test", "in"),
            (Open, Far, "page.test", "unknown_host"),
            (Off, Near, "localhost", "control_off"),
            (Off, Inside, "page.test", "in"),
        ] {
            let found = asked(control, peer, "/_sim/worlds", host, "");
            assert_eq!(found, expected, "{control:?} {peer:?} {host:?}");
        }
    }

    #[test]
    fn pages_of_other_origins_do_not_drive_it() {
        for (host, origin, expected) in [
            ("localhost:8787", "http://localhost:8787", "in"),
            ("localhost:8787", "http://page.test:3000", "in"),
            ("localhost:8787", "http://page.test", "cross_origin"),
            ("localhost:8787", "http://localhost:3000", "cross_origin"),
            ("localhost:8787", "https://localhost:8787", "cross_origin"),
            ("localhost:8787", "null", "cross_origin"),
            ("page.test:8787", "http://page.test:8787", "unknown_host"),
        ] {
            let found = asked(ControlAccess::Loopback, Peer::Near, "/_sim/worlds", host, origin);
            assert_eq!(found, expected, "{host} {origin}");
        }
    }

    #[test]
    fn only_the_control_api_is_guarded_and_in_every_world() {
        for (path, expected) in [
            ("/v1/projects", "in"),
            ("/api/sources", "in"),
            ("/openapi.json", "in"),
            ("/w/a/v1/projects", "in"),
            ("/_sim", "unknown_host"),
            ("/_sim/users", "unknown_host"),
            ("/w/a/_sim/users", "unknown_host"),
        ] {
            assert_eq!(
                asked(ControlAccess::Open, Peer::Far, path, "page.test", "http://page.test"),
                expected,
                "{path}"
            );
        }
    }

    #[test]
    fn names_and_origins_are_what_browsers_call_them() {
        for good in ["sim.test", "10.0.0.5", "::1", "[::1]", "my_host"] {
            assert!(good.parse::<HostName>().is_ok(), "{good}");
        }
        for bad in ["", "sim.test:80", "http://sim.test", "sim.test/", "*", "a b"] {
            assert!(bad.parse::<HostName>().is_err(), "{bad}");
        }
        for good in ["http://localhost:3000", "https://sim.test", "http://[::1]:80"] {
            assert!(good.parse::<Origin>().is_ok(), "{good}");
        }
        for bad in ["", "null", "*", "sim.test", "http://", "http://a/", "http://u@a"] {
            assert!(bad.parse::<Origin>().is_err(), "{bad}");
        }
    }
}
