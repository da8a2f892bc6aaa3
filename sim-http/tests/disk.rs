//! Worlds on disk: what was answered is there again, and what is damaged is said to be.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use sim_core::Simulator;
use sim_core::management::project::{CreateProject, ListProjects};
use sim_http::{Durability, Server};

use crate::cli::{Served, stuntdouble};
use crate::client::{Answer, call, get, new_project, post};

/// A directory for one test, removed at its end.
struct Dir(PathBuf);

impl Dir {
    fn new(name: &str) -> Dir {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        Dir(dir)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("it is text")
    }

    /// The log of the main world.
    fn log(&self) -> PathBuf {
        let files = fs::read_dir(self.0.join("main")).expect("it is there");
        let mut paths = files.map(|entry| entry.expect("it can be read").path());
        let is_log = |path: &PathBuf| path.file_stem().is_some_and(|name| name == "log");
        paths.find(is_log).expect("it has a log")
    }

    fn serve(&self) -> Command {
        stuntdouble(&["serve", "--port", "0", "--json", "--rate-limit", "off", "--data", self.path()])
    }

    /// The same where nothing can be written to the directory, for those whom permissions do not bind.
    #[cfg(unix)]
    fn serve_mounted_read_only(&self) -> Command {
        let (plain, dir) = (self.serve(), self.path());
        let mount =
            format!("mount --bind '{dir}' '{dir}' && mount -o remount,bind,ro '{dir}' && exec \"$0\" \"$@\"");
        let mut command = Command::new("unshare");
        command.args(["--mount", "sh", "-c", &mount]).arg(plain.get_program()).args(plain.get_args());
        command
    }

    /// Why a server does not start here.
    fn refusal(&self) -> String {
        let output = self.serve().output().expect("the binary runs");
        assert!(!output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    }
}

#[test]
fn drawn_tokens_stay_with_their_worlds() {
    let dir = Dir::new("drawn-tokens");
    let start = || Served::start(dir.serve().arg("--analytics"));
    let worlds = |served: &Served| {
        let answer = served.get("/_sim/worlds", "");
        let (_, worlds) = answer.split_once("\r\n\r\n").expect("a body");
        let worlds: serde_json::Value = serde_json::from_str(worlds).expect("JSON");
        let tokens =
            |world: &serde_json::Value| [world["token"].to_string(), world["analytics_token"].to_string()];
        worlds.as_array().expect("a list").iter().map(tokens).collect::<Vec<_>>()
    };
    let served = start();
    assert!(served.post("/_sim/worlds", "", r#"{"name":"made"}"#).starts_with("HTTP/1.1 201"));
    let before = worlds(&served);
    drop(served);
    let again = start();
    assert_eq!((worlds(&again), before.len()), (before, 2));
    for (path, token) in [("/v1/projects", "token"), ("/api/sources", "analytics_token")] {
        let token = again.line[token].as_str().expect("a token");
        assert!(again.get(path, token).starts_with("HTTP/1.1 200"), "{path}");
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn create(served: &Served, name: &str) -> Answer {
    let token = served.line["token"].as_str().expect("it has a user");
    let body =
        json!({ "name": name, "organization_id": "acme", "region": "us-east-1", "db_pass": "a-password" });
    Answer::parse(&served.post("/v1/projects", token, &body.to_string())).expect("an answer")
}

fn names(served: &Served) -> Vec<Value> {
    let token = served.line["token"].as_str().expect("it has a user");
    let answer = Answer::parse(&served.get("/v1/projects", token)).expect("an answer");
    answer.json().as_array().expect("a list").iter().map(|project| project["name"].clone()).collect()
}

fn serve(dir: &Dir, durability: Durability) -> Server {
    let server = Server::builder().data(&dir.0, durability).spawn(Simulator::builder().seed(7).build());
    server.expect("the directory is good")
}

#[test]
fn answered_calls_survive_a_kill() {
    let dir = Dir::new("kill");
    for round in 0..3 {
        // Dropped, it is killed.
        let served = Served::start(dir.serve().args(["--durability", "process"]));
        assert_eq!(names(&served).len(), round);
        assert_eq!(create(&served, &format!("project {round}")).status, 201);
    }
}

#[test]
fn every_level_keeps_a_world_whole() {
    for durability in Durability::ALL {
        let dir = Dir::new(durability.as_str());
        let server = serve(&dir, durability);
        let project = server.sim().call(CreateProject::named("demo", "acme")).expect("the name is new");
        server.sim().advance(std::time::Duration::from_secs(60));
        let query = format!("/v1/projects/{}/database/query", project.id);
        let sql = json!({ "query": "create table t (x int); insert into t values (1), (2)" }).to_string();
        assert_eq!(post(&server, &query, &sql).status, 201);
        assert_eq!(post(&server, "/v1/projects", "{").status, 400);
        let journal = server.sim().journal();
        let coverage = server.coverage();
        let (token, now) = (server.token().to_owned(), server.sim().now());
        drop(server);
        let server = serve(&dir, durability);
        assert_eq!((server.token(), server.sim().now()), (&*token, now), "{durability}");
        assert_eq!(server.sim().journal(), journal, "{durability}");
        assert_eq!(server.coverage(), coverage, "{durability}");
        let sum = post(&server, &query, &json!({ "query": "select sum(x) from t" }).to_string());
        assert_eq!(sum.json(), json!([{ "sum": 3 }]), "{durability}");
    }
}

#[test]
fn worlds_and_forks_come_back_and_deleted_ones_do_not() {
    let dir = Dir::new("worlds");
    let server = serve(&dir, Durability::Process);
    for name in ["one", "two"] {
        assert_eq!(post(&server, "/_sim/worlds", &json!({ "name": name }).to_string()).status, 201);
    }
    let token = get(&server, "/_sim/worlds/one").json()["token"].clone();
    assert_eq!(post(&server, "/w/one/_sim/fork", r#"{"name": "fork"}"#).status, 201);
    assert_eq!(call(&server, "DELETE", "/_sim/worlds/two", "").status, 200);
    let again = post(&server, "/_sim/worlds", r#"{"name": "one"}"#);
    assert_eq!((again.status, again.reason()), (409, "world_exists"));
    drop(server);
    let server = serve(&dir, Durability::Process);
    let worlds = get(&server, "/_sim/worlds").json();
    let names: Vec<_> = worlds.as_array().expect("a list").iter().map(|world| &world["name"]).collect();
    assert_eq!(names, ["fork", "main", "one"]);
    assert_eq!(get(&server, "/_sim/worlds/one").json()["token"], token);
    let bearer = format!("Bearer {}", token.as_str().expect("it has a user"));
    crate::client::call_with(&server, "GET", "/v1/projects", &[("authorization", &bearer)], "");
    let calls = |name: &str| get(&server, &format!("/_sim/worlds/{name}")).json()["calls"].clone();
    assert_eq!((calls("one"), calls("fork")), (json!(1), json!(0)), "the token leads where it led");
}

#[test]
fn no_name_of_a_world_means_anything_else_on_disk() {
    let dir = Dir::new("names");
    let names = ["lock", ".half-one", "log.1", "world.json"];
    let server = serve(&dir, Durability::Process);
    for name in names {
        assert_eq!(post(&server, "/_sim/worlds", &json!({ "name": name }).to_string()).status, 201, "{name}");
    }
    drop(server);
    let server = serve(&dir, Durability::Process);
    for name in names {
        assert_eq!(get(&server, &format!("/_sim/worlds/{name}")).status, 200, "{name}");
    }
}

#[test]
fn a_restored_world_is_stored() {
    let dir = Dir::new("back");
    let server = serve(&dir, Durability::Process);
    post(&server, "/v1/projects", &new_project(&server));
    assert_eq!(post(&server, "/_sim/reset", "").status, 200);
    server.sim().call(CreateProject::named("other", "acme")).expect("the name is new");
    let journal = server.sim().journal();
    drop(server);
    assert_eq!(serve(&dir, Durability::Process).sim().journal(), journal);
}

#[test]
fn a_world_reset_after_a_restart_is_as_it_was_created() {
    let dir = Dir::new("anew");
    let server = serve(&dir, Durability::Process);
    server.sim().call(CreateProject::named("first", "acme")).expect("the name is new");
    assert_eq!(post(&server, "/_sim/fork", r#"{"name": "fork"}"#).status, 201);
    let path =
        format!("/v1/projects/{}/functions", server.sim().call(ListProjects {}).expect("a list")[0].id);
    post(&server, "/w/fork/v1/projects", &new_project(&server));
    server.sim().advance(std::time::Duration::from_secs(60));
    for number in 0..20 {
        let body = json!({ "slug": format!("f{number}"), "name": "f", "body": "x".repeat(400_000) });
        assert_eq!(post(&server, &path, &body.to_string()).status, 201);
    }
    drop(server);
    // The second time the world's beginning is no longer in its log.
    for _ in 0..2 {
        let server = serve(&dir, Durability::Process);
        let count = |path: &str| get(&server, path).json().as_array().expect("a list").len();
        assert_eq!(post(&server, "/w/fork/_sim/reset", "").status, 200);
        assert_eq!(count("/w/fork/v1/projects"), 1);
        assert_eq!(post(&server, "/_sim/reset", "").status, 200);
        assert_eq!(count("/v1/projects"), 0);
    }
}

#[test]
fn a_long_log_is_rewritten() {
    let dir = Dir::new("long");
    let server = serve(&dir, Durability::Eventual);
    let project = server.sim().call(CreateProject::named("demo", "acme")).expect("the name is new");
    server.sim().advance(std::time::Duration::from_secs(60));
    let first = dir.log();
    let body = json!({ "slug": "f", "name": "f", "body": "x".repeat(400_000) }).to_string();
    let path = format!("/v1/projects/{}/functions", project.id);
    assert_eq!(post(&server, &path, &body).status, 201);
    for _ in 0..30 {
        let update = json!({ "body": "y".repeat(400_000) }).to_string();
        assert_eq!(call(&server, "PATCH", &format!("{path}/f"), &update).status, 200);
    }
    let journal = server.sim().journal();
    drop(server);
    assert_ne!(dir.log(), first);
    assert_eq!(serve(&dir, Durability::Eventual).sim().journal(), journal);
}

#[test]
fn a_partly_written_call_is_dropped() {
    let dir = Dir::new("torn");
    let server = serve(&dir, Durability::Process);
    server.sim().call(CreateProject::named("one", "acme")).expect("the name is new");
    drop(server);
    let whole = fs::read(dir.log()).expect("it can be read");
    let server = serve(&dir, Durability::Process);
    server.sim().call(CreateProject::named("two", "acme")).expect("the name is new");
    drop(server);
    let longer = fs::read(dir.log()).expect("it can be read");
    for length in [whole.len() + 1, whole.len() + 15, whole.len() + 17, longer.len() - 1] {
        fs::write(dir.log(), &longer[..length]).expect("it can be written");
        let server = serve(&dir, Durability::Process);
        assert_eq!(server.sim().call(ListProjects {}).expect("they are listed").len(), 1, "{length}");
        drop(server);
    }
}

#[test]
fn damage_is_refused_with_its_place() {
    let dir = Dir::new("damage");
    let server = serve(&dir, Durability::Process);
    server.sim().call(CreateProject::named("one", "acme")).expect("the name is new");
    drop(server);
    let good = fs::read(dir.log()).expect("it can be read");
    for place in [0, 5, 9, 40, good.len() / 2, good.len() - 1] {
        let mut bad = good.clone();
        bad[place] ^= 1;
        fs::write(dir.log(), bad).expect("it can be written");
        let said = dir.refusal();
        assert!(said.contains("--data") && said.contains("is damaged at byte"), "{place}: {said}");
    }
    fs::write(dir.log(), &good[..good.len() / 2]).expect("it can be written");
    let said = dir.refusal();
    assert!(said.contains("breaks off in its first frame"), "{said}");
}

#[test]
fn a_damaged_world_stops_no_other() {
    let dir = Dir::new("damaged");
    let server = serve(&dir, Durability::Process);
    let named = |name: &str| json!({ "name": name }).to_string();
    for name in ["bad", "good"] {
        assert_eq!(post(&server, "/_sim/worlds", &named(name)).status, 201);
    }
    drop(server);
    let log = dir.0.join("bad/log.1");
    let mut bytes = fs::read(&log).expect("it can be read");
    bytes[40] ^= 1;
    fs::write(&log, &bytes).expect("it can be written");
    fs::create_dir(dir.0.join("empty")).expect("the directory is there");
    for _ in 0..2 {
        let server = serve(&dir, Durability::Process);
        assert_eq!(get(&server, "/_sim/worlds/good").status, 200);
        let answer = get(&server, "/w/bad/v1/projects");
        assert_eq!((answer.status, answer.reason()), (503, "world_damaged"));
        assert!(answer.body.contains("bad/log.1: is damaged at byte"), "{}", answer.body);
        assert_eq!(get(&server, "/w/empty/v1/projects").reason(), "world_damaged");
        assert_eq!(post(&server, "/_sim/worlds", &named("bad")).reason(), "world_exists");
    }
    assert_eq!(fs::read(&log).expect("it can be read"), bytes, "it stays as it is");
    let server = serve(&dir, Durability::Process);
    assert_eq!(call(&server, "DELETE", "/_sim/worlds/bad", "").status, 200);
    assert_eq!(get(&server, "/w/bad/v1/projects").status, 404);
    assert_eq!(post(&server, "/_sim/worlds", &named("bad")).status, 201);
    drop(server);
    assert_eq!(get(&serve(&dir, Durability::Process), "/_sim/worlds/bad").status, 200);
}

#[test]
fn another_format_and_a_directory_in_use_are_refused() {
    let dir = Dir::new("format");
    drop(serve(&dir, Durability::Process));
    let beginning = dir.0.join("main/world.json");
    let text = fs::read_to_string(&beginning).expect("it can be read");
    let other = text.replacen("\"format\": 1", "\"format\": 3", 1);
    let other = other.replacen("\"program\": \"0.1.0\"", "\"program\": \"9.0.0\"", 1);
    fs::write(&beginning, other).expect("it can be written");
    let said = dir.refusal();
    let words = "was made by another version; start a new world (found format 3 of stuntdouble 9.0.0, this version \
                 reads format 1 of stuntdouble 0.1.0)";
    assert!(said.contains(words) && said.contains("main/world.json"), "{said}");
    fs::write(&beginning, text).expect("it can be written");
    let _server = serve(&dir, Durability::Process);
    let said = dir.refusal();
    assert!(said.contains("is in use by another process"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_directory_that_can_not_be_written_is_refused_by_name() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = Dir::new("read-only");
    drop(serve(&dir, Durability::Process));
    let allow =
        |mode: u32| fs::set_permissions(&dir.0, fs::Permissions::from_mode(mode)).expect("it is ours");
    fs::remove_file(dir.0.join("lock~")).expect("nobody holds it");
    allow(0o555);
    let binds_us = fs::File::create(dir.0.join("probe")).is_err();
    let output = if binds_us { dir.serve() } else { dir.serve_mounted_read_only() }.output();
    let output = output.expect("the binary runs");
    allow(0o755);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && said.contains("lock~: can't be opened for writing; make it so"),
        "{said}"
    );
}

/// Starts a server whose files can't grow much longer than its log.
#[cfg(unix)]
fn serve_on_a_full_disk(dir: &Dir, durability: Durability) -> Served {
    drop(Served::start(&mut dir.serve()));
    // A file may not grow beyond so many blocks; who ignores the signal gets an error.
    let blocks = fs::metadata(dir.log()).expect("it is there").len() / 512 + 150;
    let plain = dir.serve();
    let mut limited = Command::new("sh");
    limited.args(["-c", &format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"")]);
    limited.arg(plain.get_program()).args(plain.get_args()).args(["--durability", durability.as_str()]);
    Served::start(&mut limited)
}

#[cfg(unix)]
#[test]
fn a_full_disk_undoes_unwritten_changes() {
    let dir = Dir::new("full");
    let served = serve_on_a_full_disk(&dir, Durability::Power);
    let mut kept = Vec::new();
    let refused = (0..200).find_map(|index| {
        let name = format!("project {index}");
        let answer = create(&served, &name);
        match answer.status {
            201 => {
                kept.push(json!(name));
                None
            }
            _ => Some(answer),
        }
    });
    let refused = refused.expect("it fills up");
    assert_eq!((refused.status, refused.reason()), (503, "not_kept"), "{refused:?}");
    assert_eq!(names(&served), kept);
    drop(served);
    assert_eq!(names(&Served::start(&mut dir.serve())), kept);
}

#[cfg(unix)]
#[test]
fn a_full_disk_refuses_calls_of_the_lowest_level_too() {
    let dir = Dir::new("full-eventual");
    let served = serve_on_a_full_disk(&dir, Durability::Eventual);
    let (mut kept, mut refused) = (Vec::new(), 0);
    for index in 0..400 {
        let name = format!("project {index}");
        let answer = create(&served, &name);
        match answer.status {
            201 => kept.push(json!(name)),
            _ => {
                assert_eq!((answer.status, answer.reason()), (503, "not_kept"), "{answer:?}");
                refused += 1;
            }
        }
        // A read of answered state is not a write.
        assert_eq!(names(&served), kept, "answered calls stay in the running world");
        if refused == 5 {
            break;
        }
    }
    assert_eq!(refused, 5, "it fills up and stays full");
    drop(served);
    let there = names(&Served::start(&mut dir.serve()));
    assert_eq!(there[..], kept[..there.len()], "the last ones may be lost");
}

#[cfg(unix)]
#[test]
fn a_directory_that_is_removed_keeps_no_call() {
    for durability in Durability::ALL {
        let dir = Dir::new(&format!("removed-{durability}"));
        let served = Served::start(dir.serve().args(["--durability", durability.as_str()]));
        assert_eq!(create(&served, "before").status, 201);
        fs::remove_dir_all(&dir.0).expect("it is ours");
        let answers = (0..1000).map(|index| create(&served, &format!("after {index}")));
        // Calls of the lowest level do not wait for the write that fails.
        let refused = answers.into_iter().find(|answer| answer.status != 201).expect("the write fails");
        assert_eq!((refused.status, refused.reason()), (503, "not_kept"), "{refused:?}");
        assert_eq!(create(&served, "later").status, 503);
    }
}

#[cfg(unix)]
#[test]
fn a_server_whose_lock_was_removed_writes_no_more() {
    let dir = Dir::new("two-servers");
    let first = Served::start(&mut dir.serve());
    assert_eq!(create(&first, "one").status, 201);
    fs::remove_file(dir.0.join("lock~")).expect("it is there");
    let second = Served::start(&mut dir.serve());
    assert_eq!(create(&second, "two").status, 201);
    let refused = create(&first, "three");
    assert_eq!((refused.status, refused.reason()), (503, "not_kept"), "{refused:?}");
    assert!(refused.body.contains("lock~ was replaced"), "{}", refused.body);
    assert_eq!(post_world(&first, "new").status, 503);
    assert_eq!(create(&second, "four").status, 201);
    drop((first, second));
    assert_eq!(names(&Served::start(&mut dir.serve())), ["one", "two", "four"].map(Value::from));
}

#[cfg(unix)]
fn post_world(served: &Served, name: &str) -> Answer {
    let token = served.line["token"].as_str().expect("it has a user");
    let body = json!({ "name": name }).to_string();
    Answer::parse(&served.post("/_sim/worlds", token, &body)).expect("an answer")
}

#[cfg(unix)]
#[test]
fn there_can_be_more_worlds_than_open_files() {
    let dir = Dir::new("many");
    let plain = dir.serve();
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -n 64; exec \"$0\" \"$@\""]);
    limited.arg(plain.get_program()).args(plain.get_args()).args(["--durability", "process"]);
    let served = Served::start(&mut limited);
    for number in 0..80 {
        assert_eq!(post_world(&served, &format!("w{number}")).status, 201, "{number}");
    }
    drop(served);
    let served = Served::start(&mut limited);
    let token = served.line["token"].as_str().expect("it has a user");
    let worlds = Answer::parse(&served.get("/_sim/worlds", token)).expect("an answer").json();
    assert_eq!(worlds.as_array().map(Vec::len), Some(81));
}
