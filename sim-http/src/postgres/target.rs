//! The address of a server, and the user that calls it.

use std::path::PathBuf;

use percent_encoding::percent_decode_str;

/// The port of a URL without one.
const PORT: u16 = 5432;

/// A server, and the user that connects to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) place: Place,
    pub(super) user: String,
    pub(super) password: Option<String>,
}

/// The address of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The directory of its socket, and the number in the socket's name.
    Socket(PathBuf, u16),
    /// Host name or address, and port.
    Tcp(String, u16),
}

impl Target {
    /// Reads `postgres://USER[:PASSWORD]@HOST[:PORT]`; a host that begins with a slash, percent-encoded, is the
    /// directory of a socket.
    pub(super) fn parse(url: &str) -> Result<Target, String> {
        let rest = ["postgres://", "postgresql://"].iter().find_map(|scheme| url.strip_prefix(scheme));
        let rest = rest.ok_or("must begin with postgres:// or postgresql://")?;
        let authority = rest.split(['/', '?']).next().unwrap_or("");
        let (login, host) =
            authority.rsplit_once('@').ok_or("must name a user, as in postgres://USER@HOST")?;
        let (user, password) = match login.split_once(':') {
            Some((user, password)) => (user, Some(decoded(password)?)),
            None => (login, None),
        };
        Ok(Target { place: place(host)?, user: decoded(user)?, password })
    }

    /// The same server with another user.
    pub(super) fn called_by(&self, user: &str) -> Target {
        Target { user: user.to_owned(), ..self.clone() }
    }
}

/// The database in a URL, if there is one.
pub(super) fn database_of(url: &str) -> Result<Option<String>, String> {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = rest.split('?').next().and_then(|rest| rest.split_once('/')).map_or("", |(_, path)| path);
    Ok(Some(decoded(path)?).filter(|name| !name.is_empty()))
}

fn place(text: &str) -> Result<Place, String> {
    // An IPv6 address is in brackets because of its colons.
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => {
            (host, port.parse().map_err(|_| format!("port {port:?} must be a number below 65536"))?)
        }
        _ => (text, PORT),
    };
    let host = decoded(host.trim_start_matches('[').trim_end_matches(']'))?;
    Ok(match host.as_str() {
        "" => Place::Tcp("127.0.0.1".to_owned(), port),
        folder if folder.starts_with('/') => Place::Socket(folder.into(), port),
        _ => Place::Tcp(host, port),
    })
}

fn decoded(text: &str) -> Result<String, String> {
    let decoded = percent_decode_str(text).decode_utf8();
    decoded.map(String::from).map_err(|_| format!("{text:?} must be UTF-8, percent-encoded"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_names_user_host_and_port() {
        let tcp = |host: &str, port| Place::Tcp(host.to_owned(), port);
        let socket = |folder: &str, port| Place::Socket(folder.into(), port);
        for (url, user, password, place) in [
            ("postgres://ann@db.local", "ann", None, tcp("db.local", 5432)),
            (
                "postgresql://ann:p%40ss@10.0.0.1:6000/any?sslmode=disable",
                "ann",
                Some("p@ss"),
                tcp("10.0.0.1", 6000),
            ),
            ("postgres://ann@[::1]:6000", "ann", None, tcp("::1", 6000)),
            ("postgres://ann@[::1]", "ann", None, tcp("::1", 5432)),
            ("postgres://ann@", "ann", None, tcp("127.0.0.1", 5432)),
            ("postgres://ann@%2Ftmp%2Fpg:5433", "ann", None, socket("/tmp/pg", 5433)),
        ] {
            let expected = Target { place, user: user.to_owned(), password: password.map(str::to_owned) };
            assert_eq!(Target::parse(url), Ok(expected), "{url}");
        }
    }

    #[test]
    fn other_urls_are_refused() {
        for url in [
            "",
            "mysql://a@b",
            "postgres://host",
            "postgres://a@b:port",
            "postgres://a@b:70000",
            "postgres://%ff@b",
        ] {
            assert!(Target::parse(url).is_err(), "{url}");
        }
    }
}
