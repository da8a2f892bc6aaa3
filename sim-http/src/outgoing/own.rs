//! The addresses of this process's own servers. No world may post to them: such a message would control the simulator itself, from
//! this machine and past the checks that keep pages of other sites out.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use bytes::Bytes;
use http::Uri;
use parking_lot::RwLock;
use serde_json::Value;
use sim_core::Error;

/// The addresses of this process's servers.
static LISTENERS: RwLock<Vec<SocketAddr>> = RwLock::new(Vec::new());

/// A registered server address. It is unregistered when this is dropped.
pub(crate) struct Listening(SocketAddr);

impl Listening {
    /// Registers a server's address.
    pub(crate) fn at(addr: SocketAddr) -> Listening {
        LISTENERS.write().push(addr);
        Listening(addr)
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let mut listeners = LISTENERS.write();
        if let Some(place) = listeners.iter().position(|addr| *addr == self.0) {
            listeners.swap_remove(place);
        }
    }
}

/// Whether a connection to `addr` reaches a server of this process. `from` is this machine's end of the connection, once there is
/// one: a connection to an address of this machine comes from the same address.
pub(crate) fn is_own(addr: SocketAddr, from: Option<IpAddr>) -> bool {
    let ip = addr.ip().to_canonical();
    LISTENERS.read().iter().filter(|listener| listener.port() == addr.port()).any(|listener| {
        ip.is_loopback()
            || ip.is_unspecified()
            || ip == listener.ip().to_canonical()
            || from.is_some_and(|from| from.to_canonical() == ip)
    })
}

/// Refuses changes of settings, of the analytics server and of webhooks, that would post messages to this process. `is_own_name`
/// knows the names of the server. Other names that lead here are found when a message is posted.
pub(crate) fn check(path: &str, body: &Bytes, is_own_name: impl Fn(&str) -> bool) -> Result<(), Error> {
    const SETTINGS: [&str; 3] = ["/api/sources", "/api/alerts", "/api/backends"];
    let is_webhook = path.starts_with("/v2/") && path.contains("/webhooks/endpoints");
    if body.is_empty() || !(is_webhook || SETTINGS.iter().any(|settings| path.starts_with(settings))) {
        return Ok(());
    }
    let Ok(body) = serde_json::from_slice(body) else { return Ok(()) };
    let Some((field, url)) = own_url(&body, &is_own_name) else { return Ok(()) };
    let text = format!("{field}: {url} is this simulator itself; worlds post to other servers only");
    Err(Error::forbidden("own_address", text))
}

/// The first address field that names a server of this process.
fn own_url<'v>(value: &'v Value, is_own_name: &dyn Fn(&str) -> bool) -> Option<(&'v str, &'v str)> {
    let fields = match value {
        Value::Object(fields) => fields,
        Value::Array(values) => return values.iter().find_map(|value| own_url(value, is_own_name)),
        _ => return None,
    };
    fields.iter().find_map(|(name, value)| match value {
        Value::String(url) if name.ends_with("url") && names_own(url, is_own_name) => {
            Some((name.as_str(), url.as_str()))
        }
        value => own_url(value, is_own_name),
    })
}

fn names_own(url: &str, is_own_name: &dyn Fn(&str) -> bool) -> bool {
    let Ok(uri) = url.trim().parse::<Uri>() else { return false };
    let Some(host) = uri.host() else { return false };
    let usual = if uri.scheme_str() == Some("https") { 443 } else { 80 };
    let port = uri.port_u16().unwrap_or(usual);
    let host = host.trim_matches(['[', ']']).trim_end_matches('.');
    match ip_of(host) {
        Some(ip) => is_own(SocketAddr::new(ip, port), None),
        None => is_own_name(host) && is_own(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port), None),
    }
}

/// The address of a host that needs no name lookup, in any form that the system accepts: `127.0.0.1`, `127.1`, `2130706433`,
/// `0x7f.0.0.1`, `::ffff:127.0.0.1`.
fn ip_of(host: &str) -> Option<IpAddr> {
    host.parse::<Ipv6Addr>().map(IpAddr::V6).ok().or_else(|| ipv4_of(host).map(IpAddr::V4))
}

fn ipv4_of(host: &str) -> Option<Ipv4Addr> {
    let number = |text: &str| match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => u32::from_str_radix(&text[2..], 16).ok(),
        [b'0', _, ..] => u32::from_str_radix(text, 8).ok(),
        [b'0'..=b'9', ..] => text.parse().ok(),
        _ => None,
    };
    let numbers: Vec<u32> = host.split('.').map(number).collect::<Option<_>>()?;
    let (last, first) = numbers.split_last()?;
    // The last number takes all remaining bytes.
    let left = u32::try_from(first.len()).ok().filter(|count| *count < 4).map(|count| 8 * (4 - count))?;
    let fits = first.iter().all(|byte| *byte < 256) && u64::from(*last) < 1 << left;
    let start = first.iter().zip([24, 16, 8]).fold(0, |sum, (byte, shift)| sum | byte << shift);
    fits.then(|| Ipv4Addr::from(start | last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_an_address_in_every_form() {
        let loopback = Some(IpAddr::V4(Ipv4Addr::LOCALHOST));
        for host in [
            "127.0.0.1",
            "127.1",
            "127.0.1",
            "2130706433",
            "0x7f000001",
            "0x7f.1",
            "0177.0.0.01",
            "017700000001",
        ] {
            assert_eq!(ip_of(host), loopback, "{host}");
        }
        assert_eq!(ip_of("::ffff:7f00:1").map(|ip| ip.to_canonical()), loopback);
        assert_eq!(ip_of("0"), Some(IpAddr::V4(Ipv4Addr::UNSPECIFIED)));
        for host in [
            "",
            "localhost",
            "1.2.3.4.5",
            "256.1.1.1",
            "1.2.3.256",
            "4294967296",
            "08.1",
            "127.0.0.x",
            "a.1",
            "1..1",
        ] {
            assert_eq!(ip_of(host), None, "{host}");
        }
    }

    #[test]
    fn a_server_of_this_process_is_known_by_every_address() {
        let of = |host: &str, port: u16| format!("http://{host}:{port}/_sim/reset");
        let is_own_name = |host: &str| host == "localhost" || host == "sim.test";
        let hosts = [
            "127.0.0.1",
            "127.8.9.1",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "0.0.0.0",
            "[::]",
            "0",
            "127.1",
            "2130706433",
            "0x7f.0.0.1",
            "0177.0.0.1",
            "localhost",
            "127.0.0.1.",
            "sim.test",
            "u:p@127.0.0.1",
        ];
        // No server of another test has this port.
        let listening = Listening::at(SocketAddr::from(([127, 0, 0, 1], 1)));
        for host in hosts {
            assert!(names_own(&of(host, 1), &is_own_name), "{host}");
            assert!(!names_own(&of(host, 2), &is_own_name), "{host} at another port");
        }
        for host in ["192.0.2.1", "elsewhere.test", "128.0.0.1"] {
            assert!(!names_own(&of(host, 1), &is_own_name), "{host}");
        }
        drop(listening);
        assert!(!names_own(&of("127.0.0.1", 1), &is_own_name));
    }

    #[test]
    fn an_address_of_the_machine_is_known_by_where_the_connection_comes_from() {
        let _listening = Listening::at(SocketAddr::from(([0, 0, 0, 0], 3)));
        let machine = IpAddr::from([192, 0, 2, 7]);
        assert!(is_own((machine, 3).into(), Some(machine)));
        assert!(!is_own((machine, 3).into(), Some(IpAddr::from([192, 0, 2, 8]))));
        assert!(!is_own((machine, 4).into(), Some(machine)));
    }

    #[test]
    fn settings_that_post_to_this_process_are_refused_by_field() {
        let _listening = Listening::at(SocketAddr::from(([127, 0, 0, 1], 5)));
        let checked = |path: &str, body: &str| {
            check(path, &Bytes::from(body.to_owned()), |_| true).map_err(|error| error.message)
        };
        for (path, body, field) in [
            (
                "/api/sources",
                r#"{"name":"a","webhook_notification_url":"http://127.0.0.1:5/_sim/reset"}"#,
                "webhook_notification_url",
            ),
            ("/api/sources/x", r#"{"chat_hook_url":"http://localhost:5"}"#, "chat_hook_url"),
            (
                "/api/alerts/1",
                r#"{"webhook_notification_url":"http://[::1]:5/"}"#,
                "webhook_notification_url",
            ),
            ("/api/backends", r#"{"type":"webhook","config":{"url":"http://0.0.0.0:5/"}}"#, "url"),
            ("/api/backends", r#"[{"config":[{"url":"http://127.1:5/"}]}]"#, "url"),
            (
                "/v2/organizations/acme/webhooks/endpoints",
                r#"{"data":{"type":"endpoint","attributes":{"url":"http://127.0.0.1:5/_sim/reset"}}}"#,
                "url",
            ),
            (
                "/v2/projects/a/webhooks/endpoints/b",
                r#"{"data":{"attributes":{"url":"http://localhost:5/"}}}"#,
                "url",
            ),
        ] {
            let refused = checked(path, body).expect_err(body);
            assert!(refused.starts_with(field) && refused.ends_with("to other servers only"), "{refused}");
        }
        for (path, body) in [
            ("/api/logs", r#"{"url":"http://127.0.0.1:5/"}"#),
            ("/api/sources", r#"{"description":"http://127.0.0.1:5/"}"#),
            ("/api/sources", r#"{"webhook_notification_url":"http://127.0.0.1:6/"}"#),
            ("/api/sources", "no JSON"),
        ] {
            assert_eq!(checked(path, body), Ok(()), "{path} {body}");
        }
    }
}
