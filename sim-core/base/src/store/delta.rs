//! The difference between an image and an earlier one, as bytes: a line that lists pages, then the pages themselves.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::databases::{Image, Images};
use super::pages::{PAGE_SIZE, Page, Pages};
use super::pool::Pool;
use super::{Root, Snapshot, Store};
use crate::db::Db;

/// Limits of what is read: pages of an image, and databases of a world. No world has as many, and they are few enough
/// to count and to check.
const LARGEST: usize = 1 << 24;
const MOST: usize = 1 << 24;

/// Which pages of an image differ from those of an image that exists already.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Changed {
    /// The number of the existing database, in its state when this database is read. A copy shares pages with it.
    /// `None` stands for an empty database.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    like: Option<usize>,
    /// How many pages it has.
    count: usize,
    /// Numbers of the pages that follow, in this order.
    pages: Vec<usize>,
    /// Numbers of the pages that are as if never written.
    blank: Vec<usize>,
}

/// The changed pages of a world and its databases.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Index {
    world: Changed,
    /// By number; `None` for a deleted database.
    databases: BTreeMap<usize, Option<Changed>>,
    /// The number of the next database.
    next: usize,
}

impl Changed {
    /// Compares two images, and adds the changed pages to `bytes`.
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

    /// Applies the changes to `pages`. Takes the pages it needs from the front of `bytes`.
    fn apply(&self, pages: &mut Pages, bytes: &mut &[Page]) -> Result<(), &'static str> {
        if self.count > LARGEST || self.blank.iter().chain(&self.pages).any(|index| *index >= self.count) {
            return Err("has pages that belong nowhere");
        }
        pages.truncate(self.count);
        self.blank.iter().for_each(|index| pages.blank(*index));
        for index in &self.pages {
            let (page, rest) = bytes.split_first().ok_or("lacks pages")?;
            // A page that is there already stays shared with other worlds.
            if pages.page(*index).as_ref() != Some(page) {
                pages.write(*index, page);
            }
            *bytes = rest;
        }
        let whole = pages.count() == self.count && is_database(pages);
        whole.then_some(()).ok_or("is no database")
    }
}

impl Snapshot {
    /// Whether all pages are exactly the pages of `before`.
    pub fn is_as(&self, before: &Snapshot) -> bool {
        self.root.stamp == before.root.stamp && self.images.differences(&before.images).is_empty()
    }

    /// Whether every page has the same contents as in `before`, even if it was written again. Pages of the tables in
    /// `passed_over` may differ. A database on a server counts as changed as soon as it may have changed.
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

    /// The pages of these tables, counted from zero. If a page belonged to another table before, it is not the only
    /// changed page: the pages that pointed to it have changed too.
    fn pages_of(&self, tables: &[&str]) -> BTreeSet<usize> {
        let pages = |db: Db<'_>, table: &&str| {
            db.all("SELECT pageno - 1 FROM dbstat WHERE name = ?1", (table,), |row| {
                Ok(row.get::<_, u32>(0)? as usize)
            })
        };
        self.open().read(|db| tables.iter().flat_map(|table| pages(db, table)).collect())
    }

    /// The changes since `before`, or the whole world without it. `None` where a server stores the databases.
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
    /// Applies `bytes`, the changes of another world, to this world. They start from the state of this world, or from
    /// nothing if `new`. After the last bytes, the world must be [checked](Store::check). `Err` says what is wrong with
    /// the bytes; then this world must not be used any more.
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
            (self.root.pages, self.images) = (self.pool.blank().pages, Images::default());
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
        // Deleted databases go last: others may be copies of them.
        let gone = databases.iter().filter(|(_, changed)| changed.is_none());
        gone.for_each(|(number, _)| self.images.clear(*number));
        pages.is_empty().then_some(()).ok_or_else(|| "has pages that belong nowhere".to_owned())
    }
}

impl Pool {
    /// An image from elsewhere, with a new stamp.
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

/// The first page without SQLite's write counters. Work that was undone increases them too.
fn uncounted(page: &Page) -> [&[u8]; 3] {
    [&page[..24], &page[28..92], &page[96..]]
}

fn is_database(pages: &Pages) -> bool {
    pages.page(0).is_some_and(|page| page.starts_with(b"SQLite format 3\0"))
}
