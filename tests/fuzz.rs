//! Hostile bytes for every target of `sim_fixtures::fuzz`: the corpus in `fuzz/corpus`, and random mutations
//! of it. Set `STUNTDOUBLE_FUZZ_ROUNDS` for more rounds and `STUNTDOUBLE_FUZZ_SEED` for other mutations.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sim_core::Simulator;
use sim_core::management::organization::ListOrganizations;
use sim_fixtures::fuzz::{GROWING, TARGETS, choice, chosen_text, disk, mutated};
use sim_http::{Durability, Server};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn number(name: &str, or: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(or)
}

fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = root().join("fuzz/corpus").join(name);
    let files = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    files.sort();
    files.into_iter().map(|file| std::fs::read(file).expect("it can be read")).collect()
}

/// Writes an input that breaks an invariant to a file.
fn found(name: &str, bytes: &[u8]) -> PathBuf {
    let folder = root().join("target");
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let file = folder.join(format!("fuzz-found-{name}"));
    std::fs::write(&file, bytes).expect("it can be written");
    file
}

/// Runs `run` with the corpus unchanged, and with `rounds` mutated inputs.
fn thrown(name: &str, rounds: u64, run: impl Fn(&[u8])) {
    let corpus = corpus(name);
    let rounds = number("STUNTDOUBLE_FUZZ_ROUNDS", rounds);
    let seed = number("STUNTDOUBLE_FUZZ_SEED", 1);
    let made = (0..rounds).map(|round| mutated(seed.wrapping_mul(1 << 32).wrapping_add(round), &corpus));
    for bytes in corpus.iter().cloned().chain(made) {
        if catch_unwind(AssertUnwindSafe(|| run(&bytes))).is_err() {
            let file = found(name, &bytes);
            panic!(
                "an input of {} bytes, now in {}, breaks what is said above; again:\n\
                 STUNTDOUBLE_FUZZ_SEED={seed} cargo test -p sim-tests --test facts -- fuzz::{name}\n{}",
                bytes.len(),
                file.display(),
                String::from_utf8_lossy(&bytes),
            );
        }
    }
}

macro_rules! targets {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            let target = TARGETS.iter().find(|target| target.name == stringify!($name)).expect("it is one");
            thrown(target.name, ROUNDS, target.run);
        })*

        #[test]
        fn every_target_is_thrown_at() {
            let listed: Vec<_> = TARGETS.iter().map(|target| target.name).collect();
            assert_eq!(listed, [$(stringify!($name)),*]);
        }
    };
}

/// About a second per target in an unoptimised build.
const ROUNDS: u64 = 150;

targets! { http json multipart saml cidr sql json_path warehouse_sql postgres_sql lql ingest seed replay state cron glob }

/// How long one text may take. The slowest needs a hundredth of it, so only endless work reaches it.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn texts_that_grow() {
    let rounds = number("STUNTDOUBLE_FUZZ_ROUNDS", 40);
    let seed = number("STUNTDOUBLE_FUZZ_SEED", 1);
    for name in GROWING {
        let target = TARGETS.iter().find(|target| target.name == *name).expect("it is one");
        let inputs =
            move || (0..rounds).map(move |round| choice(seed.wrapping_mul(1 << 32).wrapping_add(round)));
        let (done, each) = std::sync::mpsc::channel();
        // The thread has the stack size of a server's threads: nesting that is too deep for it aborts the process.
        let worker = std::thread::spawn(move || {
            for input in inputs() {
                let held = catch_unwind(AssertUnwindSafe(|| (target.run)(&input))).is_ok();
                if done.send(held).is_err() {
                    return;
                }
            }
        });
        for (round, input) in inputs().enumerate() {
            let held = each.recv_timeout(PATIENCE);
            if held != Ok(true) {
                let text = chosen_text(name, &input);
                let shown: String = text.chars().take(400).collect();
                let what = if held.is_err() { "does not end" } else { "breaks what is said above" };
                panic!(
                    "round {round}: a text of {} bytes, chosen by the input in {}, {what}; again:\n\
                     STUNTDOUBLE_FUZZ_SEED={seed} cargo test -p sim-tests --test facts -- fuzz::texts_that_grow\n{shown}",
                    text.len(),
                    found(name, &input).display(),
                );
            }
        }
        worker.join().expect("it only sends");
    }
}

#[test]
fn directories_of_worlds() {
    let dir = root().join("target").join(format!("fuzz-disk-{}", std::process::id()));
    let serve = || Server::builder().data(&dir, Durability::Eventual).spawn(Simulator::builder().build());
    {
        let server = serve().expect("the directory is new");
        (0..4).for_each(|_| drop(server.sim().call(ListOrganizations {})));
        server.sim().advance(Duration::from_secs(1));
    }
    let log = dir.join("main").join("log.1");
    let good = std::fs::read(&log).expect("the world was written");
    thrown("disk", 40, |bytes| {
        disk(bytes, &log, &good, &|| match serve() {
            Ok(server) => Ok(server.sim().calls()),
            Err(error) => Err(error.to_string()),
        });
    });
    std::fs::remove_dir_all(&dir).expect("it can be removed");
}
