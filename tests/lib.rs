//! Tests live in `main.rs` and below; from here the examples of the documents are run.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(doctest)]
#[doc = include_str!("../docs/guide.md")]
struct Guide;

#[cfg(doctest)]
#[doc = include_str!("../docs/plans.md")]
struct PlansPage;

#[cfg(doctest)]
#[doc = include_str!("../docs/sweep.md")]
struct SweepPage;

#[cfg(doctest)]
#[doc = include_str!("../docs/lens.md")]
struct LensPage;

#[cfg(doctest)]
#[doc = include_str!("../docs/shrink.md")]
struct ShrinkPage;
