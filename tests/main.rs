//! What clients see, as facts; the tree mirrors the URLs. Each fact holds in process and over HTTP.

mod property;
