//! The tests are in `main.rs` and below; this file runs the examples of the documents.

#![forbid(unsafe_code)]

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(doctest)]
#[doc = include_str!("../docs/first-test.md")]
struct FirstTest;

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

#[cfg(doctest)]
#[doc = include_str!("../docs/clients.md")]
struct ClientsPage;

#[cfg(doctest)]
#[doc = include_str!("../docs/point-your-client.md")]
struct PointYourClientPage;

#[cfg(doctest)]
#[doc = include_str!("../docs/control.md")]
struct ControlPage;

#[cfg(doctest)]
#[doc = include_str!("../docs/coverage.md")]
struct CoveragePage;

#[cfg(doctest)]
#[doc = include_str!("../docs/disk.md")]
struct DiskPage;

#[cfg(doctest)]
#[doc = include_str!("../docs/own-operations.md")]
struct OwnOperationsPage;

#[cfg(doctest)]
#[doc = include_str!("../docs/faults.md")]
struct FaultsPage;

#[cfg(doctest)]
#[doc = include_str!("../docs/journal.md")]
struct JournalPage;

#[cfg(doctest)]
#[doc = include_str!("../docs/replay.md")]
struct ReplayPage;

#[cfg(doctest)]
#[doc = include_str!("../docs/seeds.md")]
struct SeedsPage;

#[cfg(doctest)]
#[doc = include_str!("../docs/time.md")]
struct TimePage;

#[cfg(doctest)]
#[doc = include_str!("../docs/recipes/reproduce.md")]
struct ReproducePage;

#[cfg(doctest)]
#[doc = include_str!("../docs/recipes/time-and-state.md")]
struct TimeAndStatePage;

#[cfg(doctest)]
#[doc = include_str!("../docs/recipes/test-a-client.md")]
struct TestAClientPage;

#[cfg(doctest)]
#[doc = include_str!("../docs/recipes/analytics.md")]
struct AnalyticsRecipesPage;
