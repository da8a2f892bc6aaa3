//! Writes to a world on disk, from many clients at once, beside a file that is brought to the disk after every write.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::client::{Client, Serving, post};
use crate::measure::{Report, Samples, since_the_start};

/// Clients that write at once.
const CLIENTS: usize = 64;

/// Bytes that a write takes on the disk.
const WRITTEN: usize = 4096;

pub(crate) fn run(samples: &Samples, report: &mut Report) {
    let dir = Dir::new();
    let Some(path) = dir.0.to_str() else { return };
    let Some(serving) = Serving::start(&["--rate-limit", "off", "--data", path, "--durability", "power"])
    else {
        return;
    };
    let each = samples.batch / 10;
    let file = one_fsync_each(&dir.0.join("file~"), each);
    let one = clients(&serving, "one", 1, each);
    let together = clients(&serving, "many", CLIENTS, each);
    report.add("durable write, 64 clients", together, Some(("one client, an fsync each", one)), "≤ 0.1 ×");
    report.add("the same", together, Some(("a file, an fsync each", file)), "≤ 0.1 ×");
}

/// Nanoseconds by the clock on the wall that a write takes of so many clients at once, to a project of that name.
fn clients(serving: &Serving, name: &str, clients: usize, each: usize) -> f64 {
    let path = format!("/v1/projects/{}/secrets", serving.project(name));
    let requests: Vec<Vec<u8>> = (0..clients)
        .map(|client| {
            post(&path, &serving.token, &format!(r#"[{{"name":"NAME_{client}","value":"value"}}]"#))
                .into_bytes()
        })
        .collect();
    let mut connections: Vec<Client> = requests.iter().map(|_| Client::connect(serving.addr)).collect();
    let start = since_the_start();
    for _ in 0..each {
        // One thread, which has them all wait at once: threads of their own would take the server's processor.
        connections.iter_mut().zip(&requests).for_each(|(client, request)| client.send(request));
        connections.iter_mut().for_each(|client| drop(client.receive()));
    }
    (since_the_start() - start).as_secs_f64() * 1e9 / (clients * each) as f64
}

/// Nanoseconds that a write takes which waits for the disk alone.
fn one_fsync_each(path: &Path, times: usize) -> f64 {
    let mut file = File::create(path).expect("a file can be made");
    let start = since_the_start();
    for _ in 0..times {
        file.write_all(&[7; WRITTEN]).and_then(|()| file.sync_data()).expect("the disk takes it");
    }
    (since_the_start() - start).as_secs_f64() * 1e9 / times as f64
}

/// A directory beside this program, on a real disk where that is on one; gone in the end.
struct Dir(PathBuf);

impl Dir {
    fn new() -> Dir {
        let here = std::env::current_exe().expect("this program has a path");
        Dir(here.with_file_name(format!("bench-worlds-{}", std::process::id())))
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        // What is left over is overwritten by nobody, and lies beside the program.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
