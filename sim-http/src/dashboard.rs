//! `/dashboard`: pages for people, compiled in. They ask `/_sim`, `/v1` and `/api` of the server they come from, and nobody
//! else.

use std::sync::LazyLock;

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode};
use sha2::{Digest as _, Sha256};
use sim_core::engine::hex;
use sim_core::{Error, Kind};

use crate::request::access::{Gate, host_of};
use crate::request::service::Peer;

/// Where the pages live.
const PATH: &str = "/dashboard";

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// Nothing comes from elsewhere, nothing is run that is no file, and nobody frames it.
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

/// All of them, the page itself first.
const ASSETS: &[Asset] = assets![
    HTML "index.html",
    CSS "style.css",
    SVG "icon.svg",
    SCRIPT "app.js",
    SCRIPT "lib/api.js",
    SCRIPT "lib/chart.js",
    SCRIPT "lib/code.js",
    SCRIPT "lib/editor.js",
    SCRIPT "lib/list.js",
    SCRIPT "lib/time.js",
    SCRIPT "lib/ui.js",
    SCRIPT "views/analytics.js",
    SCRIPT "views/coverage.js",
    SCRIPT "views/faults.js",
    SCRIPT "views/journal.js",
    SCRIPT "views/limits.js",
    SCRIPT "views/project.js",
    SCRIPT "views/projects.js",
    SCRIPT "views/worlds.js",
    SCRIPT "vendor/preact.js",
    SCRIPT "vendor/uplot.js",
    CSS "vendor/uplot.css",
];

/// Tells browsers whether what they have is what there is: one tag for all files, which belong together.
static TAG: LazyLock<HeaderValue> = LazyLock::new(|| {
    let digest =
        ASSETS.iter().fold(Sha256::new(), |digest, asset| digest.chain_update(asset.bytes)).finalize();
    HeaderValue::from_str(&format!("\"{}\"", hex(&digest[..12]))).expect("hex digits can stand in a header")
});

/// Who gets to see the pages at `/dashboard`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dashboard {
    /// Nobody: there are none.
    Off,
    /// Those on the server's own machine, under a name of that machine.
    #[default]
    Loopback,
    /// Whoever reaches the server.
    Anywhere,
}

impl Dashboard {
    /// The answer to a request for the pages; `None` where it is for something else.
    pub(crate) fn answer(
        self,
        parts: &Parts,
        peer: Peer,
        gate: &Gate,
    ) -> Option<Result<Response<Bytes>, Error>> {
        let name = parts.uri.path().strip_prefix(PATH)?;
        let name = if name.is_empty() { "index.html" } else { name.strip_prefix('/')? };
        if self == Dashboard::Off {
            return None;
        }
        Some(self.let_in(parts, peer, gate).and_then(|()| serve(name, parts)))
    }

    fn let_in(self, parts: &Parts, peer: Peer, gate: &Gate) -> Result<(), Error> {
        let is_meant = || host_of(parts).is_none_or(|host| gate.knows(host));
        if self == Dashboard::Anywhere || peer == Peer::Inside || peer == Peer::Near && is_meant() {
            return Ok(());
        }
        let text = "The dashboard is for this machine only, as http://localhost or by its address; \
                    start the server with --dashboard anywhere to open it to others";
        Err(Error::forbidden("dashboard_not_here", text))
    }
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
        (HeaderName::from_static("x-content-type-options"), "nosniff"),
        (HeaderName::from_static("referrer-policy"), "no-referrer"),
    ];
    headers.extend(fixed.map(|(name, value)| (name, HeaderValue::from_static(value))));
    headers.insert(ETAG, TAG.clone());
    if is_known(&parts.headers) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    } else {
        *response.body_mut() = Bytes::from_static(asset.bytes);
    }
    Ok(response)
}

/// Whether the client has the same already.
fn is_known(headers: &HeaderMap) -> bool {
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
        let gate = Gate { hosts: vec!["sim.test".parse().expect("a name")], ..Gate::default() };
        match open.answer(&request.into_parts().0, peer, &gate) {
            None => "elsewhere".to_owned(),
            Some(Ok(response)) => {
                format!("{} {:?}", response.status().as_u16(), response.headers()[CONTENT_TYPE])
            }
            Some(Err(error)) => error.reason.into_owned(),
        }
    }

    #[test]
    fn who_is_not_on_this_machine_is_not_let_in() {
        use Dashboard::{Anywhere, Loopback, Off};
        use Peer::{Far, Near};
        let page = "200 \"text/html; charset=utf-8\"";
        for (open, peer, host, expected) in [
            (Loopback, Near, "localhost:8787", page),
            (Loopback, Near, "127.0.0.1:8787", page),
            (Loopback, Near, "[::1]:8787", page),
            (Loopback, Near, "sim.test", page),
            (Loopback, Near, "elsewhere.test:8787", "dashboard_not_here"),
            (Loopback, Far, "localhost:8787", "dashboard_not_here"),
            (Anywhere, Far, "elsewhere.test", page),
            (Off, Near, "localhost", "elsewhere"),
        ] {
            assert_eq!(asked(open, peer, host, "/dashboard"), expected, "{open:?} {peer:?} {host}");
        }
    }

    #[test]
    fn only_what_is_there_is_served() {
        let asked = |path| asked(Dashboard::Loopback, Peer::Near, "localhost", path);
        assert_eq!(asked("/dashboard/app.js"), "200 \"text/javascript; charset=utf-8\"");
        assert_eq!(asked("/dashboard/../Cargo.toml"), "unknown_path");
        assert_eq!(asked("/dashboards"), "elsewhere");
        assert_eq!(asked("/v1/projects"), "elsewhere");
    }

    #[test]
    fn the_page_loads_what_is_compiled_in_and_nothing_else() {
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
    fn all_of_it_weighs_less_than_half_a_megabyte() {
        let weight: usize = ASSETS.iter().map(|asset| asset.bytes.len()).sum();
        assert!(weight < 500_000, "{weight} bytes");
    }
}
