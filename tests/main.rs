//! One binary of facts; the tree mirrors the URLs.
