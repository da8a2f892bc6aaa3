//! A call and a fork from Rust, as `benches/languages/run` measures them from other languages.

use std::time::Instant;

use ::http::Request;
use bytes::Bytes;
use sim_core::{Policy, Simulator};

use crate::in_process::NEVER_MET;

const BATCHES: usize = 21;
const CALLS: u32 = 200;

/// Prints the microseconds of a call and of a fork, of the best batch.
pub(crate) fn run() {
    let policy = Policy { rate_limit: NEVER_MET, ..Policy::default() };
    let mut sim = Simulator::builder().seed(7).policy(policy).build();
    measure("fork", || drop(sim.fork()));
    let bearer = format!("Bearer {}", sim.token());
    let request = || {
        let request = Request::get("/v1/organizations").header("authorization", &bearer);
        request.body(Bytes::new()).expect("the path is valid")
    };
    assert_eq!(sim.handle(&request()).status(), 200);
    measure("call", || drop(sim.handle(&request())));
}

fn measure(name: &str, mut work: impl FnMut()) {
    let batch = |_| {
        let began = Instant::now();
        (0..CALLS).for_each(|_| work());
        began.elapsed().as_secs_f64() * 1e6 / f64::from(CALLS)
    };
    let best = (0..BATCHES).map(batch).fold(f64::INFINITY, f64::min);
    println!("rust    {name:<28} {best:>8.1} us");
}
