//! A replay file as a Rust test and as a curl script.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::Value;
use sim_core::engine::{Builder, Origin, Registry, ReplayCall};
use sim_core::{Policy, Profile, Replay, Timestamp, analytics};

use crate::commands::serve::quoted;

/// The journal's method for a step, which does one piece of work.
const STEP: &str = "STEP";
/// The first token of the world.
const FIRST: Origin = Origin::Token(1);

/// A test that makes the calls. If the world needs more than a seed and a policy, the test replays the file instead.
pub(crate) fn rust(replay: &Replay, registry: &'static Registry) -> String {
    let mut text = "#[test]\nfn shrunk() {\n".to_owned();
    if is_plain(replay, registry) && replay.calls.iter().all(is_of_first_user) {
        write_calls(&mut text, replay);
    } else {
        text.push_str(
            "    let file: sim_core::Replay = serde_json::from_str(include_str!(\"shrunk.json\")).expect(\"a replay file\");\n",
        );
        let service = if is_analytics(replay) { "analytics" } else { "management" };
        writeln!(
            text,
            "    file.run(sim_core::{service}::registry()).expect(\"the replay has no divergence\");"
        )
        .expect(FITS);
    }
    text.push_str("}\n");
    text
}

/// Writing to a string does not fail.
const FITS: &str = "a string takes it";

fn is_analytics(replay: &Replay) -> bool {
    replay.service == analytics::SERVICE.title
}

/// Whether the world is one that a builder makes by default.
fn is_plain(replay: &Replay, registry: &'static Registry) -> bool {
    let sim = Builder::new(registry).seed(replay.seed).start(replay.start).build();
    let file = sim.replay_file().expect("nothing has happened");
    let same = |one: &dyn Fn(&Replay) -> Value| one(&file) == one(replay);
    let is_default = is_value(&replay.profile, &Profile::default());
    is_default && same(&|file| serde_json::to_value(&file.world).expect("a world is plain data"))
}

fn is_value(one: &impl Serialize, other: &impl Serialize) -> bool {
    serde_json::to_value(one).ok() == serde_json::to_value(other).ok()
}

fn is_of_first_user(call: &ReplayCall) -> bool {
    let is_control = call.target.starts_with("/_sim") || call.method == STEP;
    let is_text = call.body_base64.is_none();
    is_text
        && if is_control {
            call.caller == Origin::Control
        } else {
            [FIRST, Origin::Nobody].contains(&call.caller)
        }
}

fn write_calls(text: &mut String, replay: &Replay) {
    let begun = if is_analytics(replay) { "analytics" } else { "builder" };
    write!(text, "    let mut sim = sim_core::Simulator::{begun}()\n        .seed({})\n", replay.seed)
        .expect(FITS);
    writeln!(text, "        .start({:?}.parse().expect(\"a timestamp\"))", replay.start.to_string())
        .expect(FITS);
    let policy = changes(&replay.policy, &Policy::default());
    if policy != "{}" {
        writeln!(text, "        .policy(serde_json::from_str({policy:?}).expect(\"a policy\"))").expect(FITS);
    }
    text.push_str("        .build();\n");
    if replay.calls.iter().any(|call| call.caller == FIRST) {
        text.push_str("    let bearer = format!(\"Bearer {}\", sim.token());\n");
    }
    let mut now = replay.start;
    for call in &replay.calls {
        let micros = pause(&mut now, call.at);
        if micros > 0 {
            writeln!(text, "    sim.advance(std::time::Duration::from_micros({micros}));").expect(FITS);
        }
        write_call(text, call);
    }
}

/// Microseconds from `now` to `at`; moves `now` there.
fn pause(now: &mut Timestamp, at: Timestamp) -> i64 {
    let micros = at.as_microsecond() - now.as_microsecond();
    *now = at;
    micros
}

fn write_call(text: &mut String, call: &ReplayCall) {
    if call.method == STEP {
        text.push_str("    sim.step();\n");
        return;
    }
    let ReplayCall { method, target, status, .. } = call;
    if let Some(cut) = &call.body_cut {
        writeln!(text, "    // {method} {target} can't be made again: its body was not kept {cut}")
            .expect(FITS);
        return;
    }
    writeln!(text, "    let request = http::Request::builder().method({method:?}).uri({target:?})")
        .expect(FITS);
    if call.caller == FIRST {
        text.push_str("        .header(\"authorization\", &bearer)\n");
    }
    for (name, value) in headers(call) {
        writeln!(text, "        .header({name:?}, {value:?})").expect(FITS);
    }
    let body = call.body.as_deref().unwrap_or_default();
    writeln!(text, "        .body(bytes::Bytes::from({body:?})).expect(\"good HTTP\");").expect(FITS);
    writeln!(text, "    assert_eq!(sim.handle(&request).status(), {status});").expect(FITS);
}

fn headers(call: &ReplayCall) -> Vec<(&str, &str)> {
    let given = call.headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let is_json = call.body.is_some() && !call.headers.contains_key("content-type");
    given.chain(is_json.then_some(("content-type", "application/json"))).collect()
}

/// The fields of `policy` that differ from `usual`, as JSON.
fn changes(policy: &Policy, usual: &Policy) -> String {
    let fields = |policy: &Policy| match serde_json::to_value(policy) {
        Ok(Value::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    };
    let usual = fields(usual);
    let mut changed = fields(policy);
    changed.retain(|name, value| usual.get(name) != Some(value));
    Value::Object(changed).to_string()
}

/// A script for `exec`; its first lines have the command that runs it. A replay file has no texts of tokens, so the script reads
/// all tokens but the first from variables.
pub(crate) fn curl(replay: &Replay) -> String {
    let mut text = "#!/bin/sh\n".to_owned();
    let Replay { seed, start, .. } = replay;
    writeln!(text, "# stuntdouble exec --speed 0 --seed {seed} --start {start} -- sh shrunk.sh").expect(FITS);
    let policy = changes(&replay.policy, &Policy::default());
    if policy != "{}" {
        writeln!(text, "# with a --policy that says {policy}").expect(FITS);
    }
    let mut now = *start;
    for call in &replay.calls {
        let micros = pause(&mut now, call.at);
        if micros > 0 {
            let until = quoted(&format!("{{\"until\":\"{}\"}}", call.at));
            writeln!(text, "curl -sS \"$STUNTDOUBLE_URL/_sim/clock/advance\" -H 'content-type: application/json' --data-raw {until}; echo").expect(FITS);
        }
        writeln!(text, "{}; echo", curl_line(call)).expect(FITS);
    }
    text
}

fn curl_line(call: &ReplayCall) -> String {
    if call.method == STEP {
        return "curl -sS -X POST \"$STUNTDOUBLE_URL/_sim/clock/step\"".to_owned();
    }
    let mut line = format!("curl -sS -X {} \"$STUNTDOUBLE_URL\"{}", call.method, quoted(&call.target));
    match call.caller {
        _ if call.target.starts_with("/_sim") => {}
        Origin::Nobody => {}
        Origin::Token(1) | Origin::Control => {
            line.push_str(" -H \"authorization: Bearer $STUNTDOUBLE_TOKEN\"");
        }
        Origin::Token(number) => {
            write!(line, " -H \"authorization: Bearer ${{TOKEN_{number}:?}}\"").expect(FITS);
        }
    }
    for (name, value) in headers(call) {
        write!(line, " -H {}", quoted(&format!("{name}: {value}"))).expect(FITS);
    }
    if let Some(body) = &call.body {
        write!(line, " --data-raw {}", quoted(body)).expect(FITS);
    }
    if let Some(body) = &call.body_base64 {
        let base64 = serde_json::to_value(body).expect("bytes are plain data");
        let base64 = base64.as_str().unwrap_or_default();
        line = format!("printf %s {base64} | base64 -d | {line} --data-binary @-");
    }
    line
}

#[cfg(test)]
mod tests {
    use sim_core::management::project::ListProjects;
    use sim_core::{Policy, Simulator, UserSpec, World};

    use super::{curl, rust};

    #[test]
    fn a_world_with_users_is_replayed_from_its_file() {
        let world = World::empty().user(UserSpec::named("ada")).user(UserSpec::named("bob").token("of-bob"));
        let mut sim = Simulator::builder().world(world).build();
        sim.as_user("of-bob")
            .and_then(|mut bob| bob.call(ListProjects {}))
            .expect("a member can list projects");
        let file = sim.replay_file().expect("the journal is whole");
        assert!(rust(&file, sim.registry()).contains("include_str!(\"shrunk.json\")"));
        assert!(curl(&file).contains("Bearer ${TOKEN_2:?}"), "{}", curl(&file));
    }

    #[test]
    fn steps_pauses_and_policies_are_written() {
        let policy = Policy { auto_advance_ms: 5, ..Policy::default() };
        let mut sim = Simulator::builder().policy(policy).build();
        let create = sim_core::management::project::CreateProject::named("demo", "acme");
        sim.call(create).expect("it can be made");
        sim.advance(std::time::Duration::from_secs(1));
        sim.step().expect("it comes up");
        let file = sim.replay_file().expect("the journal is whole");
        let (rust, curl) = (rust(&file, sim.registry()), curl(&file));
        for line in [
            "\"{\\\"auto_advance_ms\\\":5}\"",
            "from_micros(1000000)",
            "sim.step();",
            ".uri(\"/v1/projects\")",
        ] {
            assert!(rust.contains(line), "{line}: {rust}");
        }
        for line in ["{\"auto_advance_ms\":5}", "{\"until\":\"2026-01-01T00:00:01Z\"}", "/_sim/clock/step"] {
            assert!(curl.contains(line), "{line}: {curl}");
        }
    }
}
