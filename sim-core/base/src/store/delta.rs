//! What distinguishes an image from an earlier one, as bytes: a line that says which pages, and the pages themselves.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::databases::{Image, Images};
use super::pages::{PAGE_SIZE, Page, Pages};
use super::pool::Pool;
use super::{Root, Snapshot, Store};
use crate::db::Db;

/// Pages of the largest image that is read, and databases of a world: more than any has, and few enough to count.
const LARGEST: usize = 1 << 32;
const MOST: usize = 1 << 24;

/// Which pages of an image are others than those of an image that is there already.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Changed {
    /// The number of that database, as it is when this one's turn comes: copies share their pages. Nothing for an empty one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    like: Option<usize>,
    /// How many pages it has.
    count: usize,
    /// Numbers of those that follow, in this order.
    pages: Vec<usize>,
    /// Numbers of those that are as if never written.
    blank: Vec<usize>,
}

/// The same of a world and its databases.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Index {
    world: Changed,
    /// By number; nothing for one that is gone.
    databases: BTreeMap<usize, Option<Changed>>,
    /// The number that the next database gets.
    next: usize,
}

impl Changed {
    /// Compares, and adds the pages that are others to `bytes`.
    fn of(now: &Pages, like: Option<usize>, before: &Pages, bytes: &mut Vec<u8>) -> Changed {
        let mut changed = Changed { like, count: now.count(), pages: Vec::new(), blank: Vec::new() };
        now.differences(before, &mut |index, page| match page {
            Some(page) => {
                changed.pages.push(index);
                bytes.extend_from_slice(&page[..]);
            }
            None if index < now.count() => changed.blank.push(index),
            None => {}
        });
        changed
    }

    /// Does to `pages` what was done to the image; takes what it needs from the front of `bytes`.
    fn apply(&self, pages: &mut Pages, bytes: &mut &[Page]) -> Result<(), &'static str> {
        if self.count > LARGEST || self.blank.iter().chain(&self.pages).any(|index| *index >= self.count) {
            return Err("has pages that belong nowhere");
        }
        pages.truncate(self.count);
        self.blank.iter().for_each(|index| pages.write(*index, &[0; PAGE_SIZE]));
        for index in &self.pages {
            let (page, rest) = bytes.split_first().ok_or("lacks pages")?;
            pages.write(*index, page);
            *bytes = rest;
        }
        let whole = pages.count() == self.count && is_database(pages);
        whole.then_some(()).ok_or("is no database")
    }
}

impl Snapshot {
    /// Whether no page is another.
    pub fn is_as(&self, before: &Snapshot) -> bool {
        self.root.stamp == before.root.stamp && self.images.differences(&before.images).is_empty()
    }

    /// Whether every page holds what it held, written anew or not, but for those of the tables that are `passed_over`. What a
    /// server keeps is another as soon as it may be.
    pub fn equals(&self, before: &Snapshot, passed_over: &[&str]) -> bool {
        let none = BTreeSet::new();
        let images = self.images.differences(&before.images).into_iter().all(|(number, now)| {
            let now = now.and_then(Image::root).map(|root| &root.pages);
            let then = before.images.root(number).map(|root| &root.pages);
            now.zip(then).is_some_and(|(now, then)| hold_the_same(now, then, &none))
        });
        let world = |but| hold_the_same(&self.root.pages, &before.root.pages, but);
        images && (world(&none) || world(&self.pages_of(passed_over)))
    }

    /// The pages of these tables, counted from zero. A page that was another table's before is not the only one that changed:
    /// what led to it did too.
    fn pages_of(&self, tables: &[&str]) -> BTreeSet<usize> {
        let pages = |db: Db<'_>, table: &&str| {
            db.all("SELECT pageno - 1 FROM dbstat WHERE name = ?1", (table,), |row| {
                Ok(row.get::<_, u32>(0)? as usize)
            })
        };
        self.open().read(|db| tables.iter().flat_map(|table| pages(db, table)).collect())
    }

    /// What has become of the world since `before`, or since nothing. `None` where a server keeps its databases.
    pub fn changes(&self, before: Option<&Snapshot>) -> Option<Vec<u8>> {
        let (no_pages, no_images) = (Pages::default(), Images::default());
        let (pages_then, images_then) =
            before.map_or((&no_pages, &no_images), |before| (&before.root.pages, &before.images));
        let mut bytes = Vec::new();
        let world = Changed::of(&self.root.pages, None, pages_then, &mut bytes);
        let mut databases = BTreeMap::new();
        for (number, now) in self.images.differences(images_then) {
            let Some(image) = now else {
                databases.insert(number, None);
                continue;
            };
            let pages = &image.root()?.pages;
            let (like, then) = self.images.most_like(number, pages, images_then).unzip();
            let changed = Changed::of(pages, like, then.unwrap_or(&no_pages), &mut bytes);
            databases.insert(number, Some(changed));
        }
        let index = Index { world, databases, next: self.images.next() };
        let mut whole = serde_json::to_vec(&index).expect("an index is plain data");
        whole.push(b'\n');
        whole.append(&mut bytes);
        Some(whole)
    }
}

impl Store {
    /// Does to this world what was done to the one that the bytes are of; they begin where this one stands, or with
    /// nothing where it is `new`. After the last bytes the world has to be [checked](Store::check). `Err` says what is
    /// wrong with the bytes, and this world is good for nothing any more.
    pub fn follow(&mut self, bytes: &[u8], new: bool) -> Result<(), String> {
        let end = bytes.iter().position(|byte| *byte == b'\n').ok_or("has no index of its pages")?;
        let index =
            serde_json::from_slice(&bytes[..end]).map_err(|error| format!("has no index, {error}"))?;
        let Index { world, databases, next } = index;
        let (mut pages, rest) = bytes[end + 1..].as_chunks::<PAGE_SIZE>();
        if !rest.is_empty() {
            return Err("has half a page".to_owned());
        }
        if new {
            (self.root.pages, self.images) = (Pages::default(), Images::default());
        }
        world.apply(&mut self.root.pages, &mut pages)?;
        self.root.stamp = self.pool.new_stamp();
        if next > MOST {
            return Err("has more databases than there can be".to_owned());
        }
        self.images.grow(next);
        for (number, changed) in &databases {
            let Some(changed) = changed else { continue };
            let like = changed.like.map(|like| self.images.root(like).ok_or("lacks a database"));
            let mut image = like.transpose()?.map(|root| root.pages.clone()).unwrap_or_default();
            changed.apply(&mut image, &mut pages)?;
            let root = self.pool.databases().adopt(image);
            self.images.set(*number, root).ok_or("has a database beyond the last")?;
        }
        // Last, for what is gone may be what another one is a copy of.
        let gone = databases.iter().filter(|(_, changed)| changed.is_none());
        gone.for_each(|(number, _)| self.images.clear(*number));
        pages.is_empty().then_some(()).ok_or_else(|| "has pages that belong nowhere".to_owned())
    }
}

impl Pool {
    /// An image from elsewhere, under a name of its own.
    pub(super) fn adopt(&self, pages: Pages) -> Root {
        Root { pages, stamp: self.new_stamp() }
    }
}

fn hold_the_same(now: &Pages, then: &Pages, but: &BTreeSet<usize>) -> bool {
    let mut same = now.count() == then.count();
    now.differences(then, &mut |index, page| {
        let before = then.page(index);
        let before = before.as_ref();
        same &= match index {
            _ if but.contains(&index) => true,
            0 => page.map(uncounted) == before.map(uncounted),
            _ => page == before,
        };
    });
    same
}

/// The first page without SQLite's counts of how often the file was written, which work that was taken back adds to.
fn uncounted(page: &Page) -> [&[u8]; 3] {
    [&page[..24], &page[28..92], &page[96..]]
}

fn is_database(pages: &Pages) -> bool {
    pages.page(0).is_some_and(|page| page.starts_with(b"SQLite format 3\0"))
}
