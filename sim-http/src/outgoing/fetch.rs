//! Documents that calls name by address: metadata of identity providers, keys of other issuers.

use std::sync::Arc;

use sim_core::engine::Fetcher;

use super::post::Poster;

/// A function that fetches documents, for [`metadata_fetcher`](sim_core::engine::Builder::metadata_fetcher): from loopback addresses, or with
/// `egress` from anywhere, over HTTP or HTTPS. It reaches no server of this process.
///
/// ```
/// let fetch = sim_http::fetcher(false);
/// let refused = fetch("http://idp.test/metadata").unwrap_err();
/// assert!(refused.starts_with("idp.test is not on this machine"), "{refused}");
/// ```
pub fn fetcher(egress: bool) -> Fetcher {
    let poster = Arc::new(Poster::new(egress));
    Arc::new(move |url| {
        let (poster, url) = (poster.clone(), url.to_owned());
        // On a thread of its own, because the caller may be a task of another runtime.
        let fetched = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.map_err(|error| error.to_string())?.block_on(poster.get(&url))
        });
        fetched.join().unwrap_or_else(|_| Err("the fetch failed".to_owned()))
    })
}
