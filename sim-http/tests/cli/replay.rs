//! `replay` and `doctor`.

use std::process::{Command, Stdio};

use super::{File, refusal, run, stuntdouble, text};
use crate::client::{self, spawn};

#[test]
fn doctor_says_what_it_found() {
    let output = run(&["doctor", "--port", "0"]);
    let found = text(&output.stdout);
    assert!(output.status.success(), "{found}");
    assert_eq!(found.lines().filter(|line| line.starts_with("ok ")).count(), 4, "{found}");

    let busy = spawn();
    let output = run(&["doctor", "--port", &busy.addr().port().to_string()]);
    let found = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1));
    assert!(found.contains("FAIL  listen") && found.contains("in use"), "{found}");

    // Settings without a world fail once.
    let (code, found) = {
        let output = run(&["doctor", "--scenario", "none"]);
        (output.status.code(), text(&output.stdout))
    };
    assert_eq!((code, found.matches("FAIL").count(), found.lines().count()), (Some(1), 1, 2), "{found}");
}

#[test]
fn replay_reports_whether_a_world_can_be_replayed() {
    let server = spawn();
    client::post(&server, "/v1/projects", &client::new_project(&server));
    let file = client::get(&server, "/_sim/replay").body;
    let same = File::new("same.json", &file);
    let output = run(&["replay", same.path()]);
    assert_eq!(
        (output.status.code(), text(&output.stdout).starts_with("the same: 2 calls")),
        (Some(0), true)
    );

    let other = File::new("other.json", &file.replacen("\"seed\":0", "\"seed\":1", 1));
    let output = run(&["replay", other.path()]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said.contains("call 2") && said.contains("diverges") && said.contains("POST /v1/projects"),
        "{said}"
    );

    let broken = File::new("broken.json", "{}");
    let (code, error) = refusal(&["replay", broken.path()]);
    assert_eq!(code, Some(2));
    assert!(error.contains("can't be read as a replay file") && error.contains("version"), "{error}");
}

#[test]
#[cfg(unix)]
fn a_replay_is_interrupted_also_while_its_file_is_read() {
    // The command waits for the end of a pipe that never ends.
    let pipe = File::new("replay-pipe", "");
    std::fs::remove_file(pipe.path()).expect("it was there");
    assert!(Command::new("mkfifo").arg(pipe.path()).status().expect("mkfifo runs").success());
    for signal in ["-INT", "-TERM"] {
        let mut replay = stuntdouble(&["replay", pipe.path()]);
        let replay = replay.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
        let writer = std::fs::OpenOptions::new().write(true).open(pipe.path()).expect("it is read");
        let id = replay.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().expect("kill runs").success());
        let output = replay.wait_with_output().expect("it ends");
        let (said, error) = (text(&output.stdout), text(&output.stderr));
        assert_eq!((output.status.code(), said.as_str()), (Some(130), ""), "{error}");
        assert!(error.contains("error: interrupted"), "{error}");
        drop(writer);
    }
}

#[test]
#[cfg(unix)]
fn an_interrupted_replay_reports_how_far_it_is_the_same() {
    let server = spawn();
    for _ in 0..1000 {
        client::get(&server, "/v1/projects");
    }
    let file = File::new("replay-long", &client::get(&server, "/_sim/replay").body);
    // A signal may come before the first call or after the last; then another one is sent later or earlier.
    let mut wait = std::time::Duration::from_millis(200);
    for _ in 0..20 {
        let mut replay = stuntdouble(&["replay", file.path()]);
        let replay = replay.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
        std::thread::sleep(wait);
        let id = replay.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill runs").success());
        let output = replay.wait_with_output().expect("it ends");
        let (said, error) = (text(&output.stdout), text(&output.stderr));
        if output.status.code() != Some(130) || said.is_empty() {
            wait = if output.status.success() { wait / 2 } else { wait * 3 / 2 };
            continue;
        }
        assert!(said.starts_with("the same so far: ") && said.ends_with(" of 1000 calls\n"), "{said}");
        assert!(error.contains("error: interrupted"), "{error}");
        return;
    }
    panic!("no signal came while it replayed");
}

#[test]
#[cfg(unix)]
fn files_that_are_too_long_are_refused_without_reading_them() {
    let huge = File::new("huge", "");
    let file = std::fs::OpenOptions::new().write(true).open(huge.path()).expect("it is there");
    file.set_len(3 << 30).expect("a file may have holes");
    for (arguments, most) in [
        (&["replay"][..], 256 << 20),
        (&["serve", "--port", "0", "--seed-file"], 256 << 20),
        (&["serve", "--port", "0", "--policy"], 16 << 20),
        (&["serve", "--port", "0", "--profile"], 16 << 20),
        (&["serve", "--port", "0", "--config"], 16 << 20),
        (&["serve", "--port", "0", "--faults"], 16 << 20),
        (&["profile", "--check"], 16 << 20),
        (&["coverage"], 256 << 20),
    ] {
        // A device has no length, and no end.
        for path in [huge.path(), "/dev/zero"] {
            let (code, error) = refusal(&[arguments, &[path]].concat());
            let words = format!("it has more than {most} bytes");
            assert!(code == Some(2) && error.contains(&words), "{arguments:?} {path}: {error}");
        }
    }
}
