//! The host that a request addresses. It must be given exactly once, as a host with or without a port, so that the check and the
//! routing cannot read different hosts.

use http::Version;
use std::net::Ipv6Addr;

use http::header::HOST;
use http::request::Parts;
use http::uri::Authority;
use sim_core::Error;

use super::access::is_name;

/// Refuses requests without a host, with several hosts, or with something else in the place of one.
pub(crate) fn check(parts: &Parts) -> Result<(), Error> {
    let mut headers = parts.headers.get_all(HOST).iter();
    let header = headers.next();
    if headers.next().is_some() {
        return Err(wrong("must be sent once, received more than one"));
    }
    match (header.map(|header| read(header.to_str().ok())).transpose()?, parts.uri.authority()) {
        (Some(header), Some(target)) if !is_same(&header, target, parts.uri.scheme_str()) => {
            Err(wrong(&format!("contradicts the target of the request: received {header} and {target}")))
        }
        (_, Some(target)) => read(Some(target.as_str())).map(drop),
        (Some(_), None) => Ok(()),
        // Older clients don't know the header.
        (None, None) if parts.version < Version::HTTP_11 => Ok(()),
        (None, None) => {
            Err(wrong("is missing; send the name or address of the server, as in host: localhost:8787"))
        }
    }
}

fn wrong(text: &str) -> Error {
    Error::invalid("invalid_host", format!("host: {text}"))
}

fn read(text: Option<&str>) -> Result<Authority, Error> {
    let is_port = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<u16>().is_ok();
    let is_good = |read: &Authority| match read.as_str().strip_prefix(read.host()) {
        // An empty port is that of the scheme.
        Some("" | ":") => is_host(read.host()),
        Some(rest) => is_host(read.host()) && rest.strip_prefix(':').is_some_and(is_port),
        None => false,
    };
    text.and_then(|text| text.parse().ok())
        .filter(is_good)
        .ok_or_else(|| wrong("must be a name or an address, with a port or without, as in localhost:8787"))
}

fn is_host(text: &str) -> bool {
    match text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
        Some(address) => address.parse::<Ipv6Addr>().is_ok(),
        None => is_name(text),
    }
}

/// Whether both are the same host and port. The default port is that of the scheme.
fn is_same(one: &Authority, other: &Authority, scheme: Option<&str>) -> bool {
    let usual = if scheme == Some("https") { 443 } else { 80 };
    let port = |of: &Authority| of.port_u16().unwrap_or(usual);
    one.host().eq_ignore_ascii_case(other.host()) && port(one) == port(other)
}

#[cfg(test)]
mod tests {
    use http::{HeaderValue, Request};

    use super::*;

    fn checked(target: &str, version: Version, hosts: &[&[u8]]) -> Result<(), String> {
        let mut request = Request::get(target).version(version);
        for host in hosts {
            request = request.header(HOST, HeaderValue::from_bytes(host).expect("a header"));
        }
        check(&request.body(()).expect("a request").into_parts().0).map_err(|error| error.message)
    }

    #[test]
    fn a_host_is_named_once() {
        for host in
            ["localhost", "LOCALHOST:8787", "127.0.0.1:1", "[::1]", "[::1]:80", "sim.test:", "my_host"]
        {
            assert_eq!(checked("/", Version::HTTP_11, &[host.as_bytes()]), Ok(()), "{host}");
        }
        assert_eq!(checked("/", Version::HTTP_10, &[]), Ok(()));
        let hosts: [&[&[u8]]; 4] = [&[], &[b"a", b"a"], &[b"a", b"b"], &[b"localhost", b""]];
        for hosts in hosts {
            assert!(checked("/", Version::HTTP_11, hosts).is_err(), "{hosts:?}");
        }
    }

    #[test]
    fn a_host_has_the_form_of_one() {
        let long = format!("a:{}", "9".repeat(400));
        for host in [
            &b""[..],
            b" ",
            b":80",
            b"a b",
            b"a/b",
            b"a,b",
            b"a:b",
            b"a:70000",
            b"a:-1",
            b"a:+1",
            b"a:80:80",
            b"u@a",
            b"http://a",
            b"[::1",
            b"[::1%25eth0]",
            b"[a]",
            b"\xff",
            b"a?b",
            b"a#b",
            b"a\\b",
            b"\"a\"",
            long.as_bytes(),
        ] {
            assert!(checked("/", Version::HTTP_11, &[host]).is_err(), "{}", host.escape_ascii());
            assert!(checked("/", Version::HTTP_10, &[host]).is_err(), "{}", host.escape_ascii());
        }
    }

    #[test]
    fn a_target_with_a_host_agrees_with_the_header() {
        for (target, host, is_good) in [
            ("http://localhost/v1", "localhost", true),
            ("http://localhost/v1", "LocalHost:80", true),
            ("https://localhost/v1", "localhost:443", true),
            ("http://localhost:8787/v1", "localhost:8787", true),
            ("http://localhost/v1", "elsewhere", false),
            ("http://localhost:1/v1", "localhost:2", false),
            ("http://localhost/v1", "localhost:443", false),
            ("http://u@localhost/v1", "localhost", false),
        ] {
            for version in [Version::HTTP_11, Version::HTTP_2] {
                let found = checked(target, version, &[host.as_bytes()]);
                assert_eq!(found.is_ok(), is_good, "{target} {host} {found:?}");
            }
        }
        assert_eq!(checked("http://localhost/v1", Version::HTTP_2, &[]), Ok(()));
    }
}
