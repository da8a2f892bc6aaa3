//! `tokens`: measures whether the time of a refusal shows how much of a token is right. Tokens are looked up
//! by digest, so a nearly right text is as far from a token as any other; this prints what can be measured.

use bytes::Bytes;
use http::Request;
use sim_core::{Policy, Simulator};

use crate::measure::{Samples, of_this_thread};

/// Batches of each kind, in turn, so that a machine that slows down affects all of them.
const ROUNDS: usize = 41;

pub(crate) fn run() {
    let policy = Policy { journal_calls: 64, ..Policy::default() };
    let mut sim = Simulator::builder().seed(7).policy(policy).build();
    let token = sim.token().to_owned();
    let kinds: Vec<(usize, Request<Bytes>)> =
        (0..=8).map(|eighths| token.len() * eighths / 8).map(|right| (right, guess(&token, right))).collect();
    // The whole token is valid; the refused one differs in its last character.
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); kinds.len()];
    let one = Samples { batches: 1, batch: 2_000 };
    for _ in 0..ROUNDS {
        for ((_, request), times) in kinds.iter().zip(&mut times) {
            let refuse = |_: &mut (), _| assert_eq!(sim.handle(request).status(), 401);
            times.push(one.median_by(of_this_thread, || (), refuse));
        }
    }
    println!(
        "| right leading characters of {} | median | middle half of {ROUNDS} batches |\n|---|---|---|",
        token.len()
    );
    let mut medians = Vec::new();
    let mut noise: f64 = 0.0;
    for ((right, _), times) in kinds.iter().zip(&mut times) {
        times.sort_by(f64::total_cmp);
        let at = |quarter: usize| times[(times.len() - 1) * quarter / 4];
        noise = noise.max(at(3) - at(1));
        medians.push((*right as f64, at(2)));
        println!("| {right} | {:.0} ns | {:.0} to {:.0} ns |", at(2), at(1), at(3));
    }
    println!(
        "\n{:+.2} ns for each right character; batches of one kind are {noise:.0} ns apart",
        slope(&medians)
    );
}

/// A token with this many leading characters of `token`, then other characters.
fn guess(token: &str, right: usize) -> Request<Bytes> {
    let right = right.min(token.len() - 1);
    let wrong = token[right..].chars().map(|sign| if sign == '0' { '1' } else { '0' });
    let text: String = token[..right].chars().chain(wrong).collect();
    let request = Request::get("/v1/projects").header("authorization", format!("Bearer {text}"));
    request.body(Bytes::new()).expect("a request")
}

/// Of the straight line fitted to all points.
fn slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0 / count, y + point.1 / count));
    let (up, along) = points.iter().fold((0.0, 0.0), |(up, along), point| {
        (up + (point.0 - x) * (point.1 - y), along + (point.0 - x) * (point.0 - x))
    });
    up / along
}
