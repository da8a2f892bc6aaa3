//! Writes to a world on disk from many clients at once, compared with a file that is synced after every
//! write.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::client::{Client, Serving, post};
use crate::measure::{Report, Samples, since_the_start};

/// Clients that write at the same time.
const CLIENTS: usize = 64;

/// Bytes on disk per write.
const WRITTEN: usize = 4096;

pub(crate) fn run(samples: &Samples, report: &mut Report) {
    let dir = Dir::new();
    let Some(path) = dir.0.to_str() else { return };
    let Some(serving) = Serving::start(&["--rate-limit", "off", "--data", path, "--durability", "power"])
    else {
        return;
    };
    let mut writers: [Box<dyn FnMut()>; 3] = [
        Box::new(file(&dir.0.join("file~"))),
        Box::new(clients(&serving, "one", 1)),
        Box::new(clients(&serving, "many", CLIENTS)),
    ];
    let samples = Samples { batch: samples.batch.div_ceil(400), ..*samples };
    let [file, one, together] =
        samples.medians(since_the_start, &mut writers, |_| (), |write, (), _| write());
    let together = together / CLIENTS as f64;
    report.add("durable write, 64 clients", together, Some(("one client, an fsync each", one)), "≤ 0.1 ×");
    report.add("the same", together, Some(("a file, an fsync each", file)), "≤ 0.1 ×");
}

/// Lets this many clients write at the same time, each to the project of that name, and waits for all of
/// them.
fn clients(serving: &Serving, name: &str, clients: usize) -> impl FnMut() + 'static {
    let path = format!("/v1/projects/{}/secrets", serving.project(name));
    let requests: Vec<Vec<u8>> = (0..clients)
        .map(|client| {
            post(&path, &serving.token, &format!(r#"[{{"name":"NAME_{client}","value":"value"}}]"#))
                .into_bytes()
        })
        .collect();
    let mut connections: Vec<Client> = requests.iter().map(|_| Client::connect(serving.addr)).collect();
    // One thread sends for all of them: a thread per client would take processor time from the server.
    move || {
        connections.iter_mut().zip(&requests).for_each(|(client, request)| client.send(request));
        connections.iter_mut().for_each(|client| drop(client.receive()));
    }
}

/// Only writes and syncs.
fn file(path: &Path) -> impl FnMut() + 'static {
    let mut file = File::create(path).expect("a file can be made");
    move || {
        file.write_all(&[7; WRITTEN]).and_then(|()| file.sync_data()).expect("the disk takes it");
    }
}

/// A directory next to this program, so on a real disk if the program is on one; removed at the end.
struct Dir(PathBuf);

impl Dir {
    fn new() -> Dir {
        let here = std::env::current_exe().expect("this program has a path");
        Dir(here.with_file_name(format!("bench-worlds-{}", std::process::id())))
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        // A leftover directory is not overwritten; it stays next to the program.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
