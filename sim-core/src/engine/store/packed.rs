//! Worlds as bytes: each page once, compressed, behind a line that says which image has which pages.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::sync::Arc;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};

use super::databases::Images;
use super::pages::{PAGE_SIZE, Page, Pages};
use super::pool::Pool;
use super::{Root, Store};

/// The largest world that is unpacked, in bytes, so that a small file can't fill the memory.
const LARGEST: u64 = 1 << 30;

/// Which pages an image has, by their numbers among all.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Index {
    world: Vec<usize>,
    databases: BTreeMap<usize, Vec<usize>>,
    /// The number that the next database gets.
    next: usize,
}

/// Pages met so far, each once.
#[derive(Default)]
struct Book {
    numbers: BTreeMap<Arc<Page>, usize>,
    bytes: Vec<u8>,
}

impl Book {
    fn enter(&mut self, pages: &Pages) -> Vec<usize> {
        let count = pages.size() / PAGE_SIZE;
        (0..count).map(|index| self.number(pages.page(index).cloned().unwrap_or_else(blank))).collect()
    }

    fn number(&mut self, page: Arc<Page>) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(page).or_insert_with_key(|page| {
            self.bytes.extend_from_slice(&**page);
            next
        })
    }
}

fn blank() -> Arc<Page> {
    Arc::new([0; PAGE_SIZE])
}

impl Store {
    /// The world and its databases as bytes, the same for equal worlds. `None` where a server keeps its databases.
    pub(crate) fn pack(&self) -> Option<Vec<u8>> {
        let mut book = Book::default();
        let world = book.enter(&self.root.pages);
        let databases = self.images.pages()?;
        let databases = databases.into_iter().map(|(number, pages)| (number, book.enter(pages))).collect();
        let index = Index { world, databases, next: self.images.next() };
        let mut packer = GzEncoder::new(Vec::new(), Compression::default());
        let index = serde_json::to_vec(&index).expect("an index is plain data");
        let whole = [index.as_slice(), b"\n", &book.bytes].concat();
        packer.write_all(&whole).expect("memory takes what is written");
        Some(packer.finish().expect("memory takes what is written"))
    }

    /// The world that was packed, or what is wrong with the bytes.
    pub(crate) fn unpack(pool: &Arc<Pool>, bytes: &[u8]) -> Result<Store, String> {
        let mut whole = Vec::new();
        let mut unpacker = GzDecoder::new(bytes).take(LARGEST);
        unpacker.read_to_end(&mut whole).map_err(|error| format!("can't be unpacked, {error}"))?;
        let end = whole.iter().position(|byte| *byte == b'\n').ok_or("has no index of its pages")?;
        let index =
            serde_json::from_slice(&whole[..end]).map_err(|error| format!("has no index, {error}"))?;
        let Index { world, databases, next } = index;
        let all = &whole[end + 1..];
        let mut images = Images::beginning_at(next);
        for (number, numbers) in databases {
            let root = pool.databases().adopt(image(&numbers, all)?);
            images.set(number, root).ok_or("has a database beyond the last")?;
        }
        let store = Store { root: pool.adopt(image(&world, all)?), images, ..Store::new(pool) };
        if store.read(schema) != Store::new(pool).read(schema) {
            return Err("was made by another version of the simulator".to_owned());
        }
        Ok(store)
    }
}

fn image(numbers: &[usize], all: &[u8]) -> Result<Pages, &'static str> {
    let (every, _) = all.as_chunks::<PAGE_SIZE>();
    let mut pages = Pages::default();
    for (index, number) in numbers.iter().enumerate() {
        pages.write(index, every.get(*number).ok_or("lacks pages")?);
    }
    let is_database = pages.page(0).is_some_and(|page| page.starts_with(b"SQLite format 3\0"));
    is_database.then_some(pages).ok_or("is no database")
}

impl Pool {
    /// An image from elsewhere, under a name of its own.
    fn adopt(&self, pages: Pages) -> Root {
        Root { pages, stamp: self.new_stamp() }
    }
}

/// What the tables of a world are, and where; `None` where that can't be read.
fn schema(connection: &Connection) -> Option<Vec<(String, i64, Option<String>)>> {
    let mut statement =
        connection.prepare_cached("SELECT name, rootpage, sql FROM sqlite_schema ORDER BY rowid").ok()?;
    let rows = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).ok()?;
    rows.collect::<rusqlite::Result<_>>().ok()
}
