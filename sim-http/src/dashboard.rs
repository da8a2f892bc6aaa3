//! `/dashboard`: pages for people, compiled into the program. They call `/_sim`, `/v1` and `/api` of the server that they come
//! from, and nothing else.

use std::sync::LazyLock;

use bytes::Bytes;
use http::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH, LOCATION};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode};
use sha2::{Digest as _, Sha256};
use sim_core::engine::hex;
use sim_core::{Error, Kind};

use crate::request::{AccessRules, Peer, host_of};

/// The path of the pages.
const PATH: &str = "/dashboard";

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// Everything comes from this server, scripts are files, and no other page can frame these pages.
const POLICY: &str =
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'";

/// A file of the pages.
struct Asset {
    path: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
}

macro_rules! assets {
    ($($kind:ident $path:literal,)*) => {
        &[$(Asset {
            path: $path,
            kind: $kind,
            bytes: include_bytes!(concat!("../../dashboard/", $path)),
        }),*]
    };
}

/// All files, the page itself first.
const ASSETS: &[Asset] = assets![
    HTML "index.html",
    CSS "style.css",
    SVG "icon.svg",
    SCRIPT "app.js",
    SCRIPT "lib/api.js",
    SCRIPT "lib/chart.js",
    SCRIPT "lib/code.js",
    SCRIPT "lib/copies.js",
    SCRIPT "lib/editor.js",
    SCRIPT "lib/list.js",
    SCRIPT "lib/schema.js",
    SCRIPT "lib/time.js",
    SCRIPT "lib/ui.js",
    SCRIPT "lib/work.js",
    SCRIPT "views/analytics.js",
    SCRIPT "views/compare.js",
    SCRIPT "views/connect.js",
    SCRIPT "views/controls.js",
    SCRIPT "views/coverage.js",
    SCRIPT "views/faults.js",
    SCRIPT "views/journal.js",
    SCRIPT "views/limits.js",
    SCRIPT "views/palette.js",
    SCRIPT "views/plans.js",
    SCRIPT "views/project.js",
    SCRIPT "views/project/backups.js",
    SCRIPT "views/project/database.js",
    SCRIPT "views/project/life.js",
    SCRIPT "views/project/parts.js",
    SCRIPT "views/projects.js",
    SCRIPT "views/search.js",
    SCRIPT "views/worlds.js",
    SCRIPT "vendor/dagre.js",
    SCRIPT "vendor/preact.js",
    SCRIPT "vendor/uplot.js",
    CSS "vendor/uplot.css",
];

/// Tells browsers whether their cached files are current: one tag for all files, because they belong together.
static TAG: LazyLock<HeaderValue> = LazyLock::new(|| {
    let digest =
        ASSETS.iter().fold(Sha256::new(), |digest, asset| digest.chain_update(asset.bytes)).finalize();
    HeaderValue::from_str(&format!("\"{}\"", hex(&digest[..12]))).expect("hex digits can stand in a header")
});

/// Who may see the pages at `/dashboard`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dashboard {
    /// Nobody: there are no pages.
    Off,
    /// Browsers on the server's own machine that address it by a name of that machine.
    #[default]
    Loopback,
    /// Everybody who can reach the server.
    Anywhere,
}

impl Dashboard {
    /// The answer to a request for the pages; `None` for other requests.
    pub(crate) fn answer(
        self,
        parts: &Parts,
        peer: Peer,
        rules: &AccessRules,
    ) -> Option<Result<Response<Bytes>, Error>> {
        if parts.uri.path() == "/" {
            return self.redirect(parts, peer, rules).map(Ok);
        }
        let name = parts.uri.path().strip_prefix(PATH)?;
        let name = if name.is_empty() { "index.html" } else { name.strip_prefix('/')? };
        if self == Dashboard::Off {
            return None;
        }
        Some(self.check(parts, peer, rules).and_then(|()| match name {
            "" => Ok(to_pages()),
            _ => serve(name, parts),
        }))
    }

    /// Sends a browser that opens the server's address to the pages. Other clients get the index.
    fn redirect(self, parts: &Parts, peer: Peer, rules: &AccessRules) -> Option<Response<Bytes>> {
        let accepted = parts.headers.get(ACCEPT)?.to_str().ok()?;
        if self == Dashboard::Off
            || !accepted.contains("text/html")
            || self.check(parts, peer, rules).is_err()
        {
            return None;
        }
        Some(to_pages())
    }

    fn check(self, parts: &Parts, peer: Peer, rules: &AccessRules) -> Result<(), Error> {
        let is_own_host = || host_of(parts).is_none_or(|host| rules.is_own_host(host));
        if self == Dashboard::Anywhere || peer == Peer::InProcess || peer == Peer::Local && is_own_host() {
            return Ok(());
        }
        let text = "The dashboard is for this machine only, as http://localhost or by its address; \
                    start the server with --dashboard anywhere to open it to others";
        Err(Error::forbidden("dashboard_not_here", text))
    }
}

/// A redirect to the pages.
fn to_pages() -> Response<Bytes> {
    let mut response = Response::default();
    *response.status_mut() = StatusCode::SEE_OTHER;
    response.headers_mut().insert(LOCATION, HeaderValue::from_static(PATH));
    response
}

fn serve(name: &str, parts: &Parts) -> Result<Response<Bytes>, Error> {
    if parts.method != Method::GET && parts.method != Method::HEAD {
        let text = format!("Cannot {} {}", parts.method, parts.uri.path());
        return Err(Error::new(Kind::MethodNotAllowed("GET, HEAD, OPTIONS"), "unknown_method", text));
    }
    let asset = ASSETS
        .iter()
        .find(|asset| asset.path == name)
        .ok_or_else(|| Error::new(Kind::NotFound, "unknown_path", format!("{PATH} has no {name:?}")))?;
    let mut response = Response::default();
    let headers = response.headers_mut();
    let fixed = [
        (CONTENT_TYPE, asset.kind),
        (CACHE_CONTROL, "no-cache"),
        (HeaderName::from_static("content-security-policy"), POLICY),
        (HeaderName::from_static("referrer-policy"), "no-referrer"),
    ];
    headers.extend(fixed.map(|(name, value)| (name, HeaderValue::from_static(value))));
    headers.insert(ETAG, TAG.clone());
    if is_cached(&parts.headers) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    } else {
        *response.body_mut() = Bytes::from_static(asset.bytes);
    }
    Ok(response)
}

/// Whether the client has cached the current file.
fn is_cached(headers: &HeaderMap) -> bool {
    let known = headers.get(IF_NONE_MATCH).and_then(|tags| tags.to_str().ok());
    let tag = TAG.to_str().expect("a tag is text");
    known.is_some_and(|known| known.split(',').any(|one| one.trim().trim_start_matches("W/") == tag))
}

#[cfg(test)]
mod tests {
    use http::Request;
    use http::header::HOST;

    use super::*;

    fn asked(open: Dashboard, peer: Peer, host: &str, path: &str) -> String {
        let request = Request::get(path).header(HOST, host).body(()).expect("a request");
        let rules =
            AccessRules { hosts: vec!["sim.test".parse().expect("a name")], ..AccessRules::default() };
        match open.answer(&request.into_parts().0, peer, &rules) {
            None => "elsewhere".to_owned(),
            Some(Ok(response)) => {
                let shown =
                    response.headers().get(CONTENT_TYPE).unwrap_or_else(|| &response.headers()[LOCATION]);
                format!("{} {shown:?}", response.status().as_u16())
            }
            Some(Err(error)) => error.reason.into_owned(),
        }
    }

    #[test]
    fn other_machines_are_refused() {
        use Dashboard::{Anywhere, Loopback, Off};
        use Peer::{Local, Remote};
        let page = "200 \"text/html; charset=utf-8\"";
        for (open, peer, host, expected) in [
            (Loopback, Local, "localhost:8787", page),
            (Loopback, Local, "127.0.0.1:8787", page),
            (Loopback, Local, "[::1]:8787", page),
            (Loopback, Local, "sim.test", page),
            (Loopback, Local, "elsewhere.test:8787", "dashboard_not_here"),
            (Loopback, Remote, "localhost:8787", "dashboard_not_here"),
            (Anywhere, Remote, "elsewhere.test", page),
            (Off, Local, "localhost", "elsewhere"),
        ] {
            assert_eq!(asked(open, peer, host, "/dashboard"), expected, "{open:?} {peer:?} {host}");
        }
    }

    #[test]
    fn unknown_files_are_refused() {
        let asked = |path| asked(Dashboard::Loopback, Peer::Local, "localhost", path);
        assert_eq!(asked("/dashboard/app.js"), "200 \"text/javascript; charset=utf-8\"");
        assert_eq!(asked("/dashboard/../Cargo.toml"), "unknown_path");
        assert_eq!(asked("/dashboard/"), "303 \"/dashboard\"");
        assert_eq!(asked("/dashboards"), "elsewhere");
        assert_eq!(asked("/v1/projects"), "elsewhere");
    }

    #[test]
    fn the_page_loads_exactly_the_files_that_are_compiled_in() {
        let page = std::str::from_utf8(ASSETS[0].bytes).expect("a page is text");
        let named = page.split(['"']).filter_map(|word| word.strip_prefix("/dashboard/"));
        let named: Vec<&str> = named.collect();
        for asset in &ASSETS[1..] {
            assert!(named.contains(&asset.path), "{} is loaded late, or never", asset.path);
        }
        for name in named {
            assert!(ASSETS.iter().any(|asset| asset.path == name), "{name}");
        }
    }

    #[test]
    fn the_files_take_less_than_half_a_megabyte() {
        let bytes: usize = ASSETS.iter().map(|asset| asset.bytes.len()).sum();
        assert!(bytes < 500_000, "{bytes} bytes");
    }
}
