//! Tests live in `main.rs` and below; there is nothing to link.
