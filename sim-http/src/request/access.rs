//! Access to the control API: from which machine, under which host name, from pages of which origin. The checks keep pages of
//! other sites out, even where a site's name resolves to this machine.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use http::header::{HOST, HeaderValue, ORIGIN};
use http::request::Parts;
use http::uri::Authority;
use http::{HeaderMap, Uri};
use sim_core::Error;

use super::service::{Peer, Transport};
use crate::control;
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

/// The origin of a page, as browsers send it: scheme, host and port.
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

/// The rules of access to the control API.
#[derive(Debug, Default)]
pub(crate) struct AccessRules {
    pub(crate) control: ControlAccess,
    /// Names of the server, beside those of the loopback.
    pub(crate) hosts: Vec<HostName>,
    /// Origins whose pages may call it, beside the server's own.
    pub(crate) origins: Vec<Origin>,
}

impl AccessRules {
    /// Refuses requests to the control API that the rules do not allow. All other requests pass.
    pub(crate) fn check(&self, parts: &Parts, transport: Transport) -> Result<(), Error> {
        if transport.peer == Peer::InProcess || !is_control(&parts.uri) {
            return Ok(());
        }
        match self.control {
            ControlAccess::Off => {
                let text = "The control API is turned off; start the server with --control loopback or --control open";
                return Err(Error::forbidden("control_off", text));
            }
            ControlAccess::Loopback if transport.peer == Peer::Remote => {
                let text = "The control API is for this machine only; start the server with --control open to open it to \
                            everybody who can reach it, for example from outside of a container";
                return Err(Error::forbidden("control_not_here", text));
            }
            ControlAccess::Loopback | ControlAccess::Open => {}
        }
        self.check_name(parts, self.control == ControlAccess::Open)?;
        self.check_origin(parts, transport)
    }

    /// Whether `host` is a name or an address of this machine.
    pub(crate) fn is_own_host(&self, host: &str) -> bool {
        let host = bare(host);
        let address: Option<IpAddr> = host.parse().ok();
        host == "localhost"
            || address.is_some_and(|ip| ip.to_canonical().is_loopback())
            || self.hosts.iter().any(|known| known.0 == host)
    }

    /// An unknown name may belong to another site's page, whose name was made to resolve to this machine after the page was
    /// loaded. That can't be done with an address, so any address is accepted where remote clients are.
    fn check_name(&self, parts: &Parts, any_address: bool) -> Result<(), Error> {
        let Some(host) = host_of(parts) else { return Ok(()) };
        if self.is_own_host(host) || any_address && bare(host).parse::<IpAddr>().is_ok() {
            return Ok(());
        }
        let text = format!(
            "The control API is not known as {host:?}; call it as http://localhost or by its address, or start the server \
             with --allow-host {host}"
        );
        Err(Error::forbidden("unknown_host", text).because("host", host, None))
    }

    fn check_origin(&self, parts: &Parts, transport: Transport) -> Result<(), Error> {
        let Some(origin) = parts.headers.get(ORIGIN) else { return Ok(()) };
        if self.origin_of(&parts.headers).is_some() || origin.as_bytes() == base(parts, transport).as_bytes()
        {
            return Ok(());
        }
        let origin = String::from_utf8_lossy(origin.as_bytes());
        let text = format!(
            "The control API takes no calls from pages of {origin}; start the server with --allow-origin {origin} to allow them"
        );
        Err(Error::forbidden("cross_origin", text).because("origin", origin, None))
    }

    /// The origin of the calling page, if it is an allowed one.
    pub(crate) fn origin_of(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        let origin = headers.get(ORIGIN)?;
        self.origins.iter().any(|known| known.0.as_bytes() == origin.as_bytes()).then(|| origin.clone())
    }
}

/// Whether the path is one of the control API, in any world.
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

/// A host in the form in which it is compared: in lower case, without the brackets of an address.
fn bare(host: &str) -> String {
    host.trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    /// The reason of the refusal, or `in`. An empty origin is none.
    fn checked(control: ControlAccess, peer: Peer, path: &str, host: &str, origin: &str) -> String {
        let rules = AccessRules {
            control,
            hosts: vec!["sim.test".parse().expect("a name")],
            origins: vec!["http://page.test:3000".parse().expect("an origin")],
        };
        let mut request = Request::get(path).header(HOST, host);
        if !origin.is_empty() {
            request = request.header(ORIGIN, origin);
        }
        let transport = Transport { secure: false, body_timeout: None, peer };
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
            let found = checked(ControlAccess::Loopback, Peer::Local, "/_sim/worlds", host, origin);
            assert_eq!(found, expected, "{host} {origin}");
        }
    }

    #[test]
    fn the_control_api_is_guarded_in_every_world_and_nothing_else_is() {
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
                checked(ControlAccess::Open, Peer::Remote, path, "page.test", "http://page.test"),
                expected,
                "{path}"
            );
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
        for good in ["http://localhost:3000", "https://sim.test", "http://[::1]:80"] {
            assert!(good.parse::<Origin>().is_ok(), "{good}");
        }
        for bad in ["", "null", "*", "sim.test", "http://", "http://a/", "http://u@a"] {
            assert!(bad.parse::<Origin>().is_err(), "{bad}");
        }
    }
}
