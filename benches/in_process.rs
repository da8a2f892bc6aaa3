//! Calls in process, compared with raw prepared statements; worlds, forks and snapshots of several sizes.

use std::time::Duration;

use bytes::Bytes;
use http::Request;
use rusqlite::Connection;
use sim_core::engine::RateLimit;
use sim_core::management::organization_project::{ListOrganizationProjects, ProjectOrder};
use sim_core::management::project::{
    CreateProject, GetProject, ListProjects, PauseProject, ProjectRef, Status,
};
use sim_core::management::secret::CreateSecrets;
use sim_core::{Policy, Role, Simulator, UserSpec, World};

use crate::client::MANY;
use crate::measure::{Report, Samples, of_this_thread};

/// Calls are counted, as by default, but never exceed the limit.
pub(crate) const NEVER_MET: RateLimit = RateLimit::of(u32::MAX, 60);

/// A repeated operation; its argument is the number of earlier repetitions.
type Repeated<'a> = Box<dyn FnMut(usize) + 'a>;

pub(crate) fn run(samples: &Samples, report: &mut Report) {
    let [word, row, get, handle, polled] = reads(samples);
    let [insert, secret, project] = writes(samples);
    report.add(
        "in-process GetProject",
        get,
        Some(("raw prepared select of such a row", row)),
        "≤ 8 ×, ≤ 10 µs",
    );
    // Compared with SQLite's time to find a row at all; the rest is the time to read and decode its columns.
    report.add("the same", get, Some(("raw prepared select of one word", word)), "–");
    report.add("the same through handle", handle, Some(("call", get)), "≤ 1.5 ×");
    report.add("the same of the same project, polled", polled, Some(("call", get)), "≤ 1.5 ×");
    let raw = Some(("raw prepared insert", insert));
    report.add("in-process CreateSecrets, one name", secret, raw, "≤ 8 ×, ≤ 20 µs");
    report.add("in-process CreateProject", project, raw, "≤ 20 µs");
    worlds(samples, report);
    // A world of a million projects takes a minute to make.
    if samples.batches == Samples::FULL.batches {
        million(samples, report);
    }
}

/// Selects of a word and of a row; GetProject by typed call, by request, and by the same request again.
fn reads(samples: &Samples) -> [f64; 5] {
    let (words, rows) = (raw_table(), raw_rows());
    let (word, row) = (select_word(&words), select_row(&rows));
    let mut reads: [Repeated<'_>; 5] =
        [Box::new(word), Box::new(row), get_project(), handle_get(MANY), handle_get(1)];
    samples.medians(of_this_thread, &mut reads, |_| (), |read, (), index| read(index))
}

/// An insert; creating a secret and a project. Each batch starts with a fresh world.
fn writes(samples: &Samples) -> [f64; 3] {
    let mut anew: [fn() -> Repeated<'static>; 3] = [raw_insert, create_secret, create_project];
    samples.medians(of_this_thread, &mut anew, |anew| anew(), |_, write, index| write(index))
}

fn raw_table() -> Connection {
    let connection = Connection::open_in_memory().expect("SQLite opens a database in memory");
    connection
        .execute_batch("CREATE TABLE row (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID")
        .expect("the table is valid SQL");
    connection
}

fn select_word(words: &Connection) -> impl FnMut(usize) {
    for key in 0..100 {
        words.execute("INSERT INTO row VALUES (?1, 'value')", (key.to_string(),)).expect("the key is new");
    }
    let mut statement =
        words.prepare("SELECT value FROM row WHERE key = ?1").expect("the statement is valid");
    move |index| {
        let key = (index % 100).to_string();
        let value: String = statement.query_row((key,), |row| row.get(0)).expect("the key is there");
        std::hint::black_box(value);
    }
}

/// Rows as wide as those of projects.
fn raw_rows() -> Connection {
    let connection = Connection::open_in_memory().expect("SQLite opens a database in memory");
    connection
        .execute_batch(
            "CREATE TABLE row (
                id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, organization TEXT NOT NULL, name TEXT NOT NULL,
                region TEXT NOT NULL, created_at INTEGER NOT NULL, status TEXT NOT NULL, call INTEGER NOT NULL,
                version TEXT NOT NULL, engine TEXT NOT NULL, channel TEXT NOT NULL, size TEXT NOT NULL, branch_of TEXT
            ) STRICT",
        )
        .expect("the table is valid SQL");
    connection
}

/// Found by the same key and read completely.
fn select_row(rows: &Connection) -> impl FnMut(usize) {
    let keys: Vec<String> = (0..100).map(|index| format!("abcdefghijklmnopq{index:03}")).collect();
    for key in &keys {
        rows.execute(
            "INSERT INTO row VALUES (NULL, ?1, 'acme', 'project 100', 'us-east-1', 1767225600000000,
                'ACTIVE_HEALTHY', 100, '17.4.1.054', '17', 'ga', 'micro', NULL)",
            (key,),
        )
        .expect("the key is new");
    }
    let mut statement = rows.prepare("SELECT * FROM row WHERE key = ?1").expect("the statement is valid");
    move |index| {
        let row = statement.query_row((&keys[index % keys.len()],), |row| {
            let texts: [String; 9] = [
                row.get(1)?,
                row.get(2)?,
                row.get(3)?,
                row.get(4)?,
                row.get(6)?,
                row.get(8)?,
                row.get(9)?,
                row.get(10)?,
                row.get(11)?,
            ];
            let numbers: [i64; 3] = [row.get(0)?, row.get(5)?, row.get(7)?];
            Ok((texts, numbers, row.get::<_, Option<String>>(12)?))
        });
        std::hint::black_box(row.expect("the key is there"));
    }
}

fn raw_insert() -> Repeated<'static> {
    let connection = raw_table();
    Box::new(move |index| {
        let mut insert =
            connection.prepare_cached("INSERT INTO row VALUES (?1, ?2)").expect("the statement is valid");
        insert.execute((index.to_string(), "value")).expect("the key is new");
    })
}

/// A world with `count` projects. Their names have equal lengths, and so have the responses about them.
pub(crate) fn world(count: usize) -> (Simulator, Vec<ProjectRef>) {
    let mut sim = Simulator::builder().policy(Policy { rate_limit: NEVER_MET, ..Policy::default() }).build();
    let create = |index| CreateProject::named(&format!("project {index:06}"), "acme");
    let refs = (0..count).map(|index| sim.call(create(index)).expect("the name is new").id).collect();
    sim.advance(Duration::from_secs(60));
    (sim, refs)
}

/// The same calls in a large and a small world, in turn, each time on another project; and a list of few of
/// many.
fn million(samples: &Samples, report: &mut Report) {
    let mut sizes = [1_000, 1_000_000].map(Size::of);
    let in_turn = |samples: &Samples, sizes: &mut [Size; 2], make: Make| {
        // The calls are built in advance: choosing among a million references is not part of the measurement.
        let prepare = |size: &mut Size| (0..samples.batch).map(|index| make(size, index)).collect();
        let work =
            |size: &mut Size, calls: &mut Vec<Work>, _| calls.pop().expect("one a time")(&mut size.sim);
        samples.medians(of_this_thread, sizes, prepare, work)
    };
    let few = Samples { batch: samples.batch / 200, ..*samples };
    let operations: [(_, _, Make); 3] = [
        ("GetProject at 10⁶ projects", samples, Size::get),
        ("CreateSecrets at 10⁶ projects", samples, Size::write),
        ("PauseProject at 10⁶ projects", &few, Size::change),
    ];
    for (what, samples, make) in operations {
        let [small, large] = in_turn(samples, &mut sizes, make);
        report.add(what, large, Some(("at 10³", small)), "≤ 2 ×");
    }
    let lists = Samples { batch: 20, ..*samples };
    let operations: [(_, Make); 2] =
        [("list of 100 projects of 10⁶", Size::list), ("page of 100 of an organization's 10⁶", Size::page)];
    for (what, make) in operations {
        let [small, large] = in_turn(&lists, &mut sizes, make);
        report.add(what, large, Some(("of 10³", small)), "≤ 300 µs");
    }
    let few = Samples { batch: 1, batches: 3 };
    let conditions: [(_, Make); 2] =
        [("the same, of those in one status", Size::paused), ("the same, of those named alike", Size::alike)];
    for (what, make) in conditions {
        let [small, large] = in_turn(&few, &mut sizes, make);
        report.add(what, large, Some(("of 10³", small)), "–");
    }
}

/// A call ready to be made.
type Work = Box<dyn FnOnce(&mut Simulator)>;

/// Builds the next one of a batch.
type Make = fn(&mut Size, usize) -> Work;

/// A world with this many projects, of which one user sees a hundred.
struct Size {
    sim: Simulator,
    refs: Vec<ProjectRef>,
    /// How many have been requested, one by one.
    asked: usize,
}

impl Size {
    fn of(count: usize) -> Size {
        let world = World::empty()
            .user(UserSpec::named("ada").token("token-of-ada"))
            .user(UserSpec::named("bob").token("token-of-bob"))
            .organization("Acme", "pro", &[("ada", Role::Owner)])
            .organization("Few", "pro", &[("bob", Role::Owner)]);
        let policy = Policy { rate_limit: NEVER_MET, pause_paid_projects: true, ..Policy::default() };
        let mut sim = Simulator::builder().policy(policy).world(world).build();
        let refs: Vec<ProjectRef> = (0..count)
            .map(|index| {
                let (organization, token) = match index % (count / 100) {
                    0 => ("few", "token-of-bob"),
                    _ => ("acme", "token-of-ada"),
                };
                let mut user = sim.as_user(token).expect("the token is valid");
                let project = CreateProject::named(&format!("project {index}"), organization);
                let r#ref = user.call(project).expect("the name is new").id;
                user.call(CreateSecrets::one(r#ref.clone(), "NAME", "first")).expect("the secret is valid");
                r#ref
            })
            .collect();
        sim.advance(Duration::from_secs(60));
        Size { sim, refs, asked: 0 }
    }

    /// Any of them. Steps by a prime, so that it visits all before it repeats one.
    fn any(&mut self) -> ProjectRef {
        self.asked += 1;
        self.refs[self.asked * 7_919 % self.refs.len()].clone()
    }

    fn get(&mut self, _: usize) -> Work {
        let get = GetProject { r#ref: self.any() };
        Box::new(|sim| drop(sim.as_admin().call(get).expect("the project is there")))
    }

    /// A new value of the one secret that each project has.
    fn write(&mut self, _: usize) -> Work {
        let secret = CreateSecrets::one(self.any(), "NAME", &format!("value {}", self.asked));
        Box::new(|sim| assert!(sim.as_admin().call(secret).is_ok(), "the secret is good"))
    }

    fn change(&mut self, _: usize) -> Work {
        let pause = PauseProject { r#ref: self.any() };
        Box::new(|sim| assert!(sim.as_admin().call(pause).is_ok(), "each once"))
    }

    fn list(&mut self, _: usize) -> Work {
        Box::new(|sim| {
            let list = sim.as_user("token-of-bob").and_then(|mut few| few.call(ListProjects {}));
            assert_eq!(list.expect("the token is valid").len(), 100);
        })
    }

    /// With the total; the pages in all sort orders in turn.
    fn page(&mut self, index: usize) -> Work {
        use ProjectOrder::{CreatedAsc, CreatedDesc, NameAsc, NameDesc};
        let sort = [NameAsc, CreatedDesc, NameDesc, CreatedAsc][index % 4];
        page(ListOrganizationProjects { sort: Some(sort), ..ListOrganizationProjects::of("acme") }, 900)
    }

    fn paused(&mut self, _: usize) -> Work {
        let statuses = Some(vec![Status::Pausing]);
        page(ListOrganizationProjects { statuses, ..ListOrganizationProjects::of("acme") }, 1)
    }

    fn alike(&mut self, _: usize) -> Work {
        let search = Some("99".to_owned());
        page(ListOrganizationProjects { search, ..ListOrganizationProjects::of("acme") }, 1)
    }
}

/// The first page of a list with at least this many items.
fn page(asked: ListOrganizationProjects, least: u64) -> Work {
    Box::new(move |sim| {
        let page = sim.as_admin().call(asked).expect("the organization is there");
        assert!(page.pagination.count >= least);
        assert_eq!(page.projects.len() as u64, page.pagination.count.min(100));
    })
}

fn get_project() -> Repeated<'static> {
    let (mut sim, refs) = world(MANY);
    Box::new(move |index| {
        let get = GetProject { r#ref: refs[index % refs.len()].clone() };
        std::hint::black_box(sim.call(get).expect("the project is there"));
    })
}

/// GetProject as a request of the first user.
pub(crate) fn get_request(sim: &Simulator, r#ref: &str) -> Request<Bytes> {
    Request::get(format!("/v1/projects/{ref}"))
        .header("authorization", format!("Bearer {}", sim.token()))
        .body(Bytes::new())
        .expect("the request is well-formed")
}

/// Of this many projects, one after the other.
fn handle_get(projects: usize) -> Repeated<'static> {
    let (mut sim, refs) = world(MANY);
    let requests: Vec<_> = refs[..projects].iter().map(|r#ref| get_request(&sim, &r#ref.0)).collect();
    Box::new(move |index| {
        let response = sim.handle(&requests[index % requests.len()]);
        assert_eq!(response.status(), 200);
    })
}

fn create_secret() -> Repeated<'static> {
    let policy = Policy { rate_limit: NEVER_MET, secrets_per_project: u32::MAX, ..Policy::default() };
    let mut sim = Simulator::builder().policy(policy).build();
    let r#ref = sim.call(CreateProject::named("one", "acme")).expect("the name is new").id;
    Box::new(move |index| {
        // One of a hundred names per project: the call counts the project's secrets.
        let secret = CreateSecrets::one(r#ref.clone(), &format!("NAME_{}", index % 100), "value");
        sim.call(secret).expect("the secret is valid");
    })
}

fn create_project() -> Repeated<'static> {
    let (mut sim, _) = world(1);
    Box::new(move |index| {
        sim.call(CreateProject::named(&format!("more {index}"), "acme")).expect("the name is new");
    })
}

/// Forks of worlds with this many projects, in turn.
fn forks<const N: usize>(samples: &Samples, counts: [usize; N]) -> [f64; N] {
    let mut worlds = counts.map(|count| world(count).0);
    let fork = |sim: &mut Simulator, (): &mut (), _| drop(std::hint::black_box(sim.fork()));
    samples.medians(of_this_thread, &mut worlds, |_| (), fork)
}

fn worlds(samples: &Samples, report: &mut Report) {
    let new = samples.median(|| (), |(), _| drop(std::hint::black_box(Simulator::builder().build())));
    report.add("new world", new, None, "≤ 50 µs");
    let names = ["fork at 10 projects", "fork at 10³ projects", "fork at 10⁵ projects"];
    let forks = match samples.batches {
        batches if batches < Samples::FULL.batches => forks(samples, [10, 1_000]).to_vec(),
        _ => forks(samples, [10, 1_000, 100_000]).to_vec(),
    };
    for (index, (name, fork)) in names.into_iter().zip(&forks).enumerate() {
        report.add(name, *fork, (index > 0).then_some(("at 10", forks[0])), "flat, ≤ 10 µs");
    }
    let (sim, refs) = world(1_000);
    let base = sim.snapshot();
    let restore = |write: &dyn Fn(&mut Simulator, usize)| {
        let written = || {
            let mut sim = sim.fork();
            (0..100).for_each(|index| write(&mut sim, index));
            sim
        };
        Samples { batch: 1, ..*samples }.median(written, |sim, _| sim.restore(&base))
    };
    let secrets = restore(&|sim, index| {
        let secret = CreateSecrets::one(refs[0].clone(), &format!("NAME_{index}"), "value");
        sim.call(secret).expect("the secret is valid");
    });
    report.add("restore after 100 secrets", secrets, None, "≤ 5 µs");
    let projects = restore(&|sim, index| {
        sim.call(CreateProject::named(&format!("more {index}"), "acme")).expect("the name is new");
    });
    report.add("restore after 100 projects", projects, None, "≤ 5 µs");
    // As many as the budget says, except in a quick run.
    let (due, batches) = if samples.batches == Samples::FULL.batches { (100_000, 3) } else { (2_000, 11) };
    // Of what happened, as many pieces are told as the journal has calls.
    let told = usize::try_from(Policy::default().journal_calls).map_or(due, |calls| calls.min(due));
    let advance = Samples { batch: 1, batches }.median(
        || {
            let mut sim =
                Simulator::builder().policy(Policy { rate_limit: NEVER_MET, ..Policy::default() }).build();
            for index in 0..due {
                sim.call(CreateProject::named(&format!("project {index}"), "acme")).expect("the name is new");
            }
            sim
        },
        |sim, _| assert_eq!(sim.advance(Duration::from_secs(60)).len(), told),
    );
    report.add("advance, each due job", advance / due as f64, None, "≤ 5 µs");
}
