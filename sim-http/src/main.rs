//! The `stuntdouble` binary.
fn main() {}
