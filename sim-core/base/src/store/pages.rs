//! A database image as a tree of pages. A clone copies a pointer, and a write copies the shared path.

use std::ptr;

#[cfg(test)]
use triomphe::Arc;

use super::tree::Tree;

/// Bytes in a page. Small pages keep a parked fork small: it owns a whole page for every row it changed.
pub(super) const PAGE_SIZE: usize = 1024;

/// Bytes at the end of each page that SQLite is asked not to use. So a page and its reference count together are as
/// long as a page, and no page takes part of another cache line.
pub(super) const RESERVED: usize = 8;

pub(super) type Page = [u8; PAGE_SIZE];

const BLANK: [u8; RESERVED] = [0; RESERVED];

/// A page without the reserved bytes.
pub(super) type Used = [u8; PAGE_SIZE - RESERVED];

/// The pages of one image, numbered from zero. A page that was never written reads as it was at first, or as zeros.
#[derive(Clone, Default)]
pub(super) struct Pages {
    tree: Tree<Used>,
    /// Reserved bytes that are not zero. Only images from before the reservation have them.
    tails: Tree<[u8; RESERVED]>,
    count: usize,
    first: &'static [Page],
}

impl Pages {
    /// The image that has these pages. No page is copied before it is written.
    pub(super) fn over(first: &'static [Page]) -> Pages {
        Pages { count: first.len(), first, ..Pages::default() }
    }

    /// The size of the image in bytes.
    pub(super) fn size(&self) -> usize {
        self.count * PAGE_SIZE
    }

    /// The number of pages.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Visits every index where this image may differ from `before`, with the present page. Images that were created from
    /// different images may differ anywhere.
    pub(super) fn differences(&self, before: &Pages, visit: &mut impl FnMut(usize, Option<&Page>)) {
        let mut visit = |index| visit(index, self.page(index).as_ref());
        let new = self.first.is_empty() && before.first.is_empty();
        if new || ptr::eq(self.first, before.first) {
            self.tree.differences(&before.tree, &mut |index, _| visit(index));
        } else {
            (0..self.count.max(before.count)).for_each(visit);
        }
    }

    /// An estimate of how much this image shares with another one. A higher number means more.
    pub(super) fn likeness(&self, other: &Pages) -> usize {
        self.tree.likeness(&other.tree)
    }

    /// The bytes from `offset` on, in two parts, if all of them are in one page that has been written.
    pub(super) fn within_page(&self, offset: usize, length: usize) -> Option<(&[u8], &[u8])> {
        let (index, start) = (offset / PAGE_SIZE, offset % PAGE_SIZE);
        if index >= self.count || start + length > PAGE_SIZE {
            return None;
        }
        let Some(used) = self.tree.get(index) else {
            return Some((&self.first.get(index)?[start..start + length], &[]));
        };
        let (from, to) = (start.min(used.len()), (start + length).min(used.len()));
        let tail = self.tail(index);
        Some((&used[from..to], &tail[start - from..start + length - to]))
    }

    /// Fills `out` from `offset` on. Returns `false` when the image ends first, and leaves the rest of `out` as it was.
    pub(super) fn read(&self, mut offset: usize, mut out: &mut [u8]) -> bool {
        while !out.is_empty() {
            let (index, start) = (offset / PAGE_SIZE, offset % PAGE_SIZE);
            if index >= self.count {
                return false;
            }
            let length = out.len().min(PAGE_SIZE - start);
            let (part, rest) = out.split_at_mut(length);
            match self.page(index) {
                Some(page) => part.copy_from_slice(&page[start..start + length]),
                None => part.fill(0),
            }
            (offset, out) = (offset + length, rest);
        }
        true
    }

    /// Writes a page at `index`: in place if no other image shares it, else as a new page.
    pub(super) fn write(&mut self, index: usize, page: &Page) {
        let (used, tail) = page.split_first_chunk().expect("less than a page is used");
        self.count = self.count.max(index + 1);
        self.tree.set(index, *used);
        match tail.try_into().expect("the rest is reserved") {
            BLANK => self.tails.clear(index),
            tail => self.tails.set(index, tail),
        }
    }

    /// Makes the page at `index` one that was never written. That takes no memory.
    pub(super) fn blank(&mut self, index: usize) {
        if index < self.first.len() {
            return self.write(index, &[0; PAGE_SIZE]);
        }
        self.count = self.count.max(index + 1);
        self.tree.clear(index);
        self.tails.clear(index);
    }

    /// Drops the pages from `count` on.
    pub(super) fn truncate(&mut self, count: usize) {
        if count < self.count {
            self.tree.truncate(count);
            self.tails.truncate(count);
            self.count = count;
            self.first = &self.first[..self.first.len().min(count)];
        }
    }

    pub(super) fn page(&self, index: usize) -> Option<Page> {
        let Some(used) = self.tree.get(index) else { return self.first.get(index).copied() };
        let mut page = [0; PAGE_SIZE];
        let (start, end) = page.split_at_mut(used.len());
        start.copy_from_slice(&used[..]);
        end.copy_from_slice(self.tail(index));
        Some(page)
    }

    fn tail(&self, index: usize) -> &[u8; RESERVED] {
        self.tails.get(index).map_or(&BLANK, |tail| tail)
    }

    /// A page that has been written.
    #[cfg(test)]
    pub(super) fn shared(&self, index: usize) -> Option<&Arc<Used>> {
        self.tree.get(index)
    }

    pub(super) fn into_tree(self) -> Tree<Used> {
        self.tree
    }
}

#[cfg(test)]
mod tests {
    use std::array;

    use super::*;

    fn image(count: u8) -> Pages {
        let mut pages = Pages::default();
        (0..count).for_each(|index| pages.write(index.into(), &[index; PAGE_SIZE]));
        pages
    }

    fn first_bytes(pages: &Pages) -> Vec<u8> {
        (0..pages.count).map(|index| pages.page(index).map_or(0, |page| page[0])).collect()
    }

    #[test]
    fn read_crosses_pages_and_stops_at_the_end() {
        let pages = image(3);
        let mut out = [9; 4];
        assert!(pages.read(2 * PAGE_SIZE - 2, &mut out));
        assert_eq!(out, [1, 1, 2, 2]);
        assert!(!pages.read(3 * PAGE_SIZE - 1, &mut out));
        assert_eq!(out, [2, 1, 2, 2]);
        assert!(!Pages::default().read(0, &mut out));
    }

    #[test]
    fn page_never_written_reads_as_zeros() {
        let mut pages = image(2);
        pages.write(1_000_000, &[7; PAGE_SIZE]);
        let mut out = [9];
        assert!(pages.read(999_999 * PAGE_SIZE, &mut out));
        assert_eq!(out, [0]);
        assert!(pages.read(1_000_000 * PAGE_SIZE, &mut out));
        assert_eq!(out, [7]);
    }

    #[test]
    fn blank_page_reads_as_zeros() {
        let mut pages = Pages::over(&[[1; PAGE_SIZE], [2; PAGE_SIZE]]);
        pages.write(2, &[3; PAGE_SIZE]);
        [1, 2, 4].into_iter().for_each(|index| pages.blank(index));
        assert_eq!(first_bytes(&pages), [1, 0, 0, 0, 0]);
        assert!(pages.shared(2).is_none() && pages.shared(4).is_none());
    }

    #[test]
    fn page_never_written_reads_as_it_was_at_first() {
        let original = Pages::over(&[[1; PAGE_SIZE], [2; PAGE_SIZE], [3; PAGE_SIZE]]);
        assert_eq!(first_bytes(&original), [1, 2, 3]);
        let mut copy = original.clone();
        copy.write(1, &[9; PAGE_SIZE]);
        copy.write(4, &[5; PAGE_SIZE]);
        assert_eq!(first_bytes(&copy), [1, 9, 3, 0, 5]);
        assert_eq!(first_bytes(&original), [1, 2, 3]);
        copy.truncate(2);
        copy.write(3, &[4; PAGE_SIZE]);
        assert_eq!(first_bytes(&copy), [1, 9, 0, 4]);
    }

    #[test]
    fn reserved_bytes_are_kept() {
        let page = array::from_fn(|index| index as u8 | 1);
        let mut pages = image(9);
        pages.write(3, &page);
        for (start, length) in [(0, PAGE_SIZE), (24, 16), (PAGE_SIZE - RESERVED - 1, 3), (PAGE_SIZE - 3, 3)] {
            let (used, reserved) = pages.within_page(3 * PAGE_SIZE + start, length).unwrap();
            assert_eq!([used, reserved].concat(), page[start..start + length]);
        }
        assert!(pages.within_page(4 * PAGE_SIZE - 1, 2).is_none());
        let mut copy = pages.clone();
        copy.write(3, &[0; PAGE_SIZE]);
        assert_eq!((copy.page(3), pages.page(3)), (Some([0; PAGE_SIZE]), Some(page)));
        pages.truncate(3);
        pages.write(4, &page);
        assert_eq!((pages.page(3), pages.page(4)), (None, Some(page)));
    }

    #[test]
    fn differences_are_the_written_pages() {
        let original = Pages::over(&[[1; PAGE_SIZE], [2; PAGE_SIZE]]);
        let mut copy = original.clone();
        copy.write(1, &[9; PAGE_SIZE]);
        assert_eq!(differences(&copy, &original), [(1, 9)]);
        assert_eq!(differences(&original, &copy), [(1, 2)]);
        assert_eq!(
            differences(&copy, &Pages::default()),
            [(0, 1), (1, 9)],
            "images with different beginnings"
        );
        assert_eq!(differences(&image(2), &image(2)), [(0, 0), (1, 1)], "images written separately");
    }

    fn differences(now: &Pages, before: &Pages) -> Vec<(usize, u8)> {
        let mut all = Vec::new();
        now.differences(before, &mut |index, page| all.push((index, page.map_or(0, |page| page[0]))));
        all
    }

    #[test]
    fn image_is_most_like_the_one_it_shares_most_with() {
        for count in [3, 16, 200] {
            let original = image(count);
            let mut near = original.clone();
            near.write(1, &[9; PAGE_SIZE]);
            let mut far = near.clone();
            far.write(2, &[9; PAGE_SIZE]);
            let likeness = [&original, &near, &far, &image(count)].map(|other| original.likeness(other));
            assert!(likeness.is_sorted_by(|one, two| one > two), "{count}: {likeness:?}");
            assert_eq!(likeness[3], 0, "{count}");
        }
    }

    #[test]
    fn clones_are_independent() {
        let original = image(200);
        let mut copy = original.clone();
        copy.write(70, &[255; PAGE_SIZE]);
        assert_eq!(first_bytes(&original), (0..200).collect::<Vec<u8>>());
        assert_eq!(copy.page(70).unwrap()[0], 255);
        assert!(Arc::ptr_eq(copy.shared(71).unwrap(), original.shared(71).unwrap()));
    }

    #[test]
    fn truncation_drops_pages_of_this_image_only() {
        let original = image(200);
        for count in [0, 1, 7, 8, 64, 199, 200, 300] {
            let mut copy = original.clone();
            copy.truncate(count);
            assert_eq!(first_bytes(&copy), (0..count.min(200) as u8).collect::<Vec<u8>>(), "{count}");
            copy.write(200, &[1; PAGE_SIZE]);
            assert_eq!(copy.page(199).is_some(), count >= 200, "{count}");
        }
        assert_eq!(original.count, 200);
    }
}
