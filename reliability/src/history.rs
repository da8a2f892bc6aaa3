//! Compares what clients have seen of a world with the journal of that world.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use sim_core::engine::{Call, MASK};
use sim_core::seed::Seed;
use sim_core::{Replay, Simulator, management};
use sim_fixtures::everything;

use crate::client::{Answer, Connection};

/// A call as its client has seen it.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) method: &'static str,
    /// Path and query, which contain the call's own mark.
    pub(crate) target: String,
    pub(crate) began: Instant,
    /// The response and its time; nothing if the server was killed first.
    pub(crate) answer: Option<(Instant, Answer)>,
}

impl Seen {
    /// Whether it is a read.
    pub(crate) fn is_read(&self) -> bool {
        self.method == "GET"
    }
}

/// A call's path with its mark, which identifies the call in the journal. Operations ignore unknown query
/// parameters.
pub(crate) fn marked(path: &str, mark: u64) -> String {
    format!("{path}?mark={mark}")
}

/// Compares what clients have seen of a world with its journal. Each record belongs to a different call that
/// was made. Each answered call is there with its answer. A call that ended before another began comes before
/// it. Returns the answered calls that are missing in the journal.
pub(crate) fn compare<'s>(seen: &'s [Seen], journal: &[Call]) -> Result<Vec<(u64, &'s Seen)>, String> {
    let mut by_target = BTreeMap::new();
    for one in seen {
        by_target.insert(&*one.target, one);
    }
    let mut met = BTreeSet::new();
    for record in journal {
        let one = by_target.get(&*record.target);
        let one = one.filter(|one| one.method == record.method);
        let one = one.ok_or_else(|| format!("nobody made call {}: {}", record.call, shown(record)))?;
        if !met.insert(&*record.target) {
            return Err(format!("a call was done twice, again as {}: {}", record.call, shown(record)));
        }
        let Some((_, answer)) = &one.answer else { continue };
        let said = (answer.call, answer.status, &*answer.body);
        // A rule may give the client another body than the journal keeps.
        let is_hidden = record.response.contains(MASK) || record.fault.is_some();
        let body = if is_hidden { &*answer.body } else { &*record.response };
        if said != (record.call, record.status, body) {
            return Err(format!("its client got {said:?}, the journal has {}", shown(record)));
        }
    }
    in_order(seen)?;
    let missing = seen.iter().filter(|one| !met.contains(&*one.target));
    let mut missing: Vec<_> = missing
        .filter_map(|one| Some((one.answer.as_ref()?.1.call, one)))
        .filter(|(call, _)| *call > 0)
        .collect();
    missing.sort_by_key(|(call, _)| *call);
    match missing.first() {
        Some((call, one)) if *call <= journal.len() as u64 => Err(format!(
            "{} {} was answered as call {call}, and another call has that place",
            one.method, one.target
        )),
        _ => Ok(missing),
    }
}

/// A call that ended before another began has the lower number.
fn in_order(seen: &[Seen]) -> Result<(), String> {
    let answered = seen.iter().filter_map(|one| Some((one, one.answer.as_ref()?)));
    let mut answered: Vec<_> = answered.filter(|(_, (_, answer))| answer.call > 0).collect();
    answered.sort_by_key(|(_, (_, answer))| answer.call);
    let mut latest: Option<&Seen> = None;
    for (one, (ended, answer)) in answered {
        if let Some(before) = latest.filter(|before| before.began > *ended) {
            let (first, second) = (&one.target, &before.target);
            return Err(format!(
                "{first} had ended before {second} began, and is after it as call {}",
                answer.call
            ));
        }
        latest = latest.filter(|before| before.began > one.began).or(Some(one));
    }
    Ok(())
}

fn shown(record: &Call) -> String {
    let Call { method, target, status, response, .. } = record;
    format!("{method} {target}: {status} {}", response.chars().take(300).collect::<String>())
}

/// A world on the server, and a replay of its journal.
pub(crate) struct Replayed {
    /// The world on the server.
    pub(crate) found: Simulator,
    /// The replay: a fresh world in which the journal's calls were made again in order.
    pub(crate) again: Simulator,
}

/// Takes a world from the server and replays it. Every answer is the same, so is the journal's hash, and so
/// is the observable state: rows, clock, waiting jobs and finished jobs.
pub(crate) fn replay_world(connection: &mut Connection, world: &str) -> Result<Replayed, String> {
    let mut read = |path: &str| {
        let answer = connection.ask("GET", &format!("/w/{world}/_sim/{path}"), "", "");
        answer.map_err(|error| error.to_string())?.good()
    };
    let replay: Replay =
        serde_json::from_value(read("replay")?).map_err(|error| format!("replay: {error}"))?;
    let seed: Seed = serde_json::from_value(read("export")?).map_err(|error| format!("export: {error}"))?;
    let found = seed.build().map_err(|error| format!("the export is refused: {}", error.message))?;
    let again = replay.run(management::registry()).map_err(|error| format!("replay: {error}"))?;
    if again.journal_hash() != found.journal_hash() {
        return Err("the journal's hash does not follow from its calls".to_owned());
    }
    let (now, then) = (everything(&found), everything(&again));
    if now != then {
        return Err(format!("the world is not what its calls make of it:\n{now}\ninstead of\n{then}"));
    }
    Ok(Replayed { found, again })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// A world of three calls in sequence, and what three clients have seen of them.
    fn three() -> (Vec<Seen>, Vec<Call>) {
        let mut sim = Simulator::builder().build();
        let start = Instant::now();
        let seen = (0..3_u64).map(|number| {
            let target = marked("/v1/organizations", number);
            let request = sim_fixtures::Call::get(&target).request("", Some(sim.token()));
            let answer = sim.handle(&request);
            let body = String::from_utf8(answer.body().to_vec()).expect("it is text");
            let answer = Answer { status: answer.status().as_u16(), call: number + 1, body };
            let [began, ended] = [2, 3].map(|after| start + Duration::from_secs(number * 2 + after));
            Seen { method: "GET", target, began, answer: Some((ended, answer)) }
        });
        let seen = seen.collect();
        (seen, sim.journal())
    }

    fn answer(seen: &mut Seen) -> &mut Answer {
        &mut seen.answer.as_mut().expect("it was answered").1
    }

    fn complaint(seen: &[Seen], journal: &[Call]) -> String {
        compare(seen, journal).map(|missing| missing.len()).expect_err("something is wrong")
    }

    #[test]
    fn clients_and_journal_agree() {
        let (mut seen, journal) = three();
        assert!(compare(&seen, &journal).expect("no error").is_empty());
        seen[1].answer = None;
        assert!(compare(&seen, &journal).expect("a call without an answer claims nothing").is_empty());
    }

    #[test]
    fn a_lost_call_is_reported() {
        let (seen, journal) = three();
        let missing = compare(&seen, &journal[..2]).expect("the recorded calls are right");
        assert_eq!(missing.iter().map(|(call, _)| *call).collect::<Vec<_>>(), [3]);
    }

    #[test]
    fn another_answer_is_seen() {
        let (mut seen, journal) = three();
        answer(&mut seen[1]).body.push(' ');
        assert!(complaint(&seen, &journal).contains("its client got"));
    }

    #[test]
    fn a_recorded_call_that_no_client_made_is_found() {
        let (seen, journal) = three();
        assert!(complaint(&seen[..2], &journal).contains("nobody made call 3"));
    }

    #[test]
    fn a_call_that_was_done_twice_is_seen() {
        let (mut seen, mut journal) = three();
        seen[0].answer = None;
        seen[1].answer = None;
        journal[1].target = journal[0].target.clone();
        assert!(complaint(&seen, &journal).contains("done twice"));
    }

    #[test]
    fn two_calls_in_one_place_are_seen() {
        let (mut seen, journal) = three();
        let mut other = seen[1].clone();
        other.target = marked("/v1/organizations", 9);
        seen.push(other);
        assert!(complaint(&seen, &journal).contains("another call has that place"));
    }

    #[test]
    fn a_call_that_comes_before_one_that_had_ended_is_seen() {
        let (mut seen, journal) = three();
        seen[0].began += Duration::from_secs(60);
        seen[0].answer.as_mut().expect("it was answered").0 += Duration::from_secs(60);
        assert!(complaint(&seen, &journal).contains("had ended before"));
    }
}
