//! Everything that is possible in process has a control call, and the other way round.

use std::collections::BTreeSet;
use std::path::Path;

use sim_core::engine::Registry;

/// The abilities of a simulator, each with the equivalent control operation (`sim-…`), or the reason why there is none.
const ABILITIES: [(&str, &str); 59] = [
    ("advance", "sim-advance-clock"),
    ("advance_to", "sim-advance-clock"),
    ("advance_to_next", "sim-advance-clock"),
    ("agenda", "sim-get-agenda"),
    ("analytics", "sim-create-world"),
    ("as_admin", "the control API itself"),
    ("as_admin_of", "the query service=analytics"),
    ("as_user", "a token in the request"),
    ("at", "sim-fork-world"),
    ("at_call", "sim-fork-world"),
    ("at_call_of", "sim-fork-world"),
    ("beginning", "world.json of serve --data"),
    ("beside", "the query service=analytics"),
    ("builder", "sim-create-world"),
    ("call", "a request"),
    ("calls", "sim-get-world"),
    ("changes_of", "sim-list-changes"),
    ("client_names", "sim-search-journal"),
    ("control_openapi", "sim-get-openapi"),
    ("coverage", "sim-get-coverage"),
    ("database_server", "what a world is built with"),
    ("diff", "sim-diff-worlds"),
    ("dropped", "sim-get-world"),
    ("ended_since", "sim-advance-clock"),
    ("event_server", "what a world is built with"),
    ("explain", "sim-explain"),
    ("export", "sim-export-world"),
    ("fetcher", "what a world is built with"),
    ("first_token", "sim-get-world"),
    ("follow", "serve --data"),
    ("fork", "sim-fork-world"),
    ("handle", "a request"),
    ("history", "sim-get-history"),
    ("history_after", "sim-watch"),
    ("interrupted_by", "what a world is built with"),
    ("is_heard", "sim-create-world"),
    ("journal", "sim-get-journal"),
    ("journal_from", "sim-get-journal"),
    ("journal_hash", "sim-get-journal"),
    ("knows", "sim-list-tokens"),
    ("next_change", "sim-get-agenda"),
    ("next_due", "sim-get-clock"),
    ("now", "sim-get-clock"),
    ("on_database_server", "what a world is built with"),
    ("on_event_server", "what a world is built with"),
    ("openapi", "/openapi.json"),
    ("peek", "sim-peek"),
    ("policy", "sim-get-policy"),
    ("profile", "sim-get-profile"),
    ("query_journal", "sim-query-journal"),
    ("query_journal_while", "sim-query-journal"),
    ("rate_windows", "sim-list-rate-windows"),
    ("registry", "/openapi.json"),
    ("replay_file", "sim-get-replay"),
    ("restore", "sim-restore-snapshot"),
    ("search_journal", "sim-search-journal"),
    ("seed", "sim-get-world"),
    ("snapshot", "sim-create-snapshot"),
    ("with_pooler_at", "a server's own, which listens there"),
];

/// Further abilities of a simulator.
const MORE: [(&str, &str); 13] = [
    ("answer_post", "sim-answer-message"),
    ("answer_webhook_post", "sim-answer-webhook-post"),
    ("read", "sim-query-journal"),
    ("step", "sim-step"),
    ("take_up", "serve --data"),
    ("take_posts", "sim-list-outbox"),
    ("take_webhook_posts", "sim-list-webhook-posts"),
    ("token", "sim-get-world"),
    ("unused_decisions", "sim-list-next-outcomes"),
    ("unused_faults", "sim-list-faults"),
    // A server answers in another form if `Policy.answers` of its world, or a fault rule, says so.
    ("vary_answer", "sim-get-policy"),
    ("work_done", "sim-watch"),
    ("world", "sim-get-world"),
];

/// The kit's uses of a simulator's results, each with the equivalent control operation, or the reason why there is none. Getters
/// and texts of their results are omitted.
const KIT: [(&str, &str, &str); 20] = [
    ("sim-core/src/lens.rs", "of", "sim-get-lens"),
    ("sim-core/src/lens.rs", "reaction", "sim-get-lens"),
    ("sim-core/src/sweep/mod.rs", "calls_of_client", "part of sim-list-sweep-points"),
    ("sim-core/src/sweep/mod.rs", "count_calls", "sim-list-sweep-points"),
    ("sim-core/src/sweep/mod.rs", "effect", "sim-list-sweep-points"),
    ("sim-core/src/sweep/mod.rs", "harmed", "sim-fork-world, then sim-add-fault"),
    ("sim-core/src/sweep/mod.rs", "points", "sim-list-sweep-points"),
    ("sim-core/src/sweep/judge.rs", "new", "sim-judge-run"),
    ("sim-core/src/sweep/judge.rs", "judge", "sim-judge-run"),
    // It asks a closure or a command whether a world fails; a server runs neither. `stuntdouble shrink` does
    // it with the file of sim-get-replay.
    ("sim-core/src/shrink.rs", "shrink", "none: a file and a command, on the command line"),
    // They run the client. With a server you run it yourself, between the operations of `/_sim/sweep`.
    ("sim-fixtures/src/sweep.rs", "run", "none: the client is run elsewhere"),
    ("sim-fixtures/src/sweep.rs", "sweep", "none: the client is run elsewhere"),
    ("sim-fixtures/src/sweep.rs", "except", "none: the client is run elsewhere"),
    ("sim-fixtures/src/sweep.rs", "ignore", "none: the client is run elsewhere"),
    ("sim-fixtures/src/sweep.rs", "with_latency", "none: the client is run elsewhere"),
    ("sim-core/src/sweep/mod.rs", "points_except", "none: who runs the client leaves out the points"),
    ("sim-core/src/sweep/judge.rs", "ignoring", "none: who runs the client leaves out the findings"),
    // The client of a server waits by another clock than the world's.
    ("sim-core/src/sweep/early.rs", "early_calls", "none: only waits by the world's clock can be judged"),
    ("sim-core/src/sweep/judge.rs", "judging_waits", "none: only waits by the world's clock can be judged"),
    // Its control operation is a query.
    ("sim-fixtures/src/asserts.rs", "Expect", "sim-query-journal"),
];

/// Public functions of those files that only convert the input or output of others.
const SHAPES: [&str; 9] =
    ["as_str", "bad", "budget_percent", "counts", "effects", "is_clean", "may_fail", "name_of", "outage"];

/// Control operations of the server that need no function in process, because a value or a variable does it.
const OF_THE_SERVER: [&str; 10] = [
    "sim-list-worlds",
    "sim-delete-world",
    "sim-reset-world",
    "sim-set-speed",
    "sim-list-snapshots",
    "sim-delete-snapshot",
    "sim-get-world",
    // A function of the management API, in process.
    "sim-list-lifecycles",
    // Of the fixtures, in process.
    "sim-list-scenarios",
    "sim-draw-plans",
];

fn abilities() -> impl Iterator<Item = (&'static str, &'static str)> {
    ABILITIES.into_iter().chain(MORE)
}

#[test]
fn functions_of_the_kit_are_listed_with_their_control_operation() {
    let files: BTreeSet<&str> = KIT.iter().map(|(file, ..)| *file).collect();
    let mut found = BTreeSet::new();
    for file in files {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
        let text = std::fs::read_to_string(path).expect("a source is text");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let public = ["pub fn ", "pub trait "].into_iter().flat_map(|start| code.split(start).skip(1));
        let names = public
            .filter_map(|rest| rest.split(['(', '<', ' ']).next())
            .filter(|name| !SHAPES.contains(name));
        found.extend(names.map(|name| (file, name.to_owned())));
    }
    let listed: BTreeSet<_> = KIT.iter().map(|(file, name, _)| (*file, (*name).to_owned())).collect();
    assert_eq!(found, listed);
}

/// The names of all public methods that source files give to `Simulator`.
fn methods(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("the sources are there") {
        let path = entry.expect("a file").path();
        if path.is_dir() {
            methods(&path, found);
            continue;
        }
        if path.extension().is_none_or(|kind| kind != "rs") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a source is text");
        for block in text.split("\nimpl Simulator {").skip(1) {
            let block = block.split("\n}").next().unwrap_or_default();
            let names = block.split("\n    pub fn ").skip(1).filter_map(|rest| rest.split(['(', '<']).next());
            found.extend(names.map(str::to_owned));
        }
    }
}

#[test]
fn everything_in_process_can_be_done_over_http() {
    let mut found = BTreeSet::new();
    methods(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../sim-core/src"), &mut found);
    let listed: BTreeSet<String> = abilities().map(|(method, _)| method.to_owned()).collect();
    assert_eq!(found, listed);
}

#[test]
fn everything_over_http_can_be_done_in_process() {
    let shim: BTreeSet<&str> = sim_http::control_operations().map(|meta| meta.id).collect();
    // An operation declared in the core is a typed call there.
    let core: BTreeSet<&str> = [sim_core::management::registry(), sim_core::analytics::registry()]
        .into_iter()
        .flat_map(Registry::operations)
        .map(|meta| meta.id)
        .collect();
    let named: BTreeSet<&str> = abilities()
        .map(|(_, operation)| operation)
        .chain(KIT.map(|(.., operation)| operation))
        .filter(|id| id.starts_with("sim-") && !id.contains(' '))
        .collect();
    let unknown: Vec<_> = named.iter().filter(|id| !shim.contains(*id) && !core.contains(*id)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    let alone: Vec<_> =
        shim.iter().filter(|id| !named.contains(*id) && !OF_THE_SERVER.contains(id)).collect();
    assert!(alone.is_empty(), "{alone:?}");
}
