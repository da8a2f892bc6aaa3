//! A persistent radix tree. A clone copies a pointer, and a change copies the path to it where that is shared.

use std::array;
use std::mem;

use triomphe::Arc;

/// Copying a shared node increments the reference count of each child, so narrow nodes keep the first change after a
/// clone cheap.
const BITS: u32 = 4;
const FAN_OUT: usize = 1 << BITS;

/// Leaves are wider, so a large tree has fewer nodes right above them, and these stay in the processor's caches.
const LEAF_BITS: u32 = 6;
const LEAF: usize = 1 << LEAF_BITS;

/// Things by number. A clone copies a pointer.
pub struct Tree<T> {
    root: Node<T>,
    height: u32,
}

/// The things of a range of numbers, which may have none.
#[derive(Default)]
enum Node<T> {
    #[default]
    Hole,
    /// Only pointers. Most memory of a large tree is in leaves, and a smaller leaf is found faster.
    Leaves(Arc<[Option<Arc<T>>; LEAF]>),
    Branch(Arc<[Node<T>; FAN_OUT]>),
}

impl<T> Tree<T> {
    /// The thing at `index`, if there is one.
    pub fn get(&self, index: usize) -> Option<&Arc<T>> {
        if index >= span(self.height) {
            return None;
        }
        let mut node = &self.root;
        for level in (1..self.height).rev() {
            let Node::Branch(children) = node else { return None };
            node = &children[slot(index, level)];
        }
        let Node::Leaves(things) = node else { return None };
        things[slot(index, 0)].as_ref()
    }

    /// Puts a thing at `index`: in place if no other tree shares what was there, else as a new one.
    pub fn set(&mut self, index: usize, thing: T) {
        let place = self.place(index);
        match place.as_mut().and_then(Arc::get_mut) {
            Some(own) => *own = thing,
            None => *place = Some(Arc::new(thing)),
        }
    }

    /// The thing at `index`, owned by this tree alone: a copy if another tree shares it, a new one if there is none.
    pub fn own(&mut self, index: usize) -> &mut T
    where
        T: Clone + Default,
    {
        Arc::make_mut(self.place(index).get_or_insert_default())
    }

    /// Removes the thing at `index`.
    pub fn clear(&mut self, index: usize) {
        if self.get(index).is_some() {
            *self.place(index) = None;
        }
    }

    /// Keeps only the things below `count`.
    pub fn truncate(&mut self, count: usize) {
        self.root.truncate(self.height, count);
    }

    /// Keeps only the things at `first` and above.
    pub fn forget_below(&mut self, first: usize) {
        self.root.forget_below(self.height, first);
    }

    /// Visits every place where this tree differs from `before`, in order, with what is there now. Shared parts are
    /// skipped, so the time grows with the number of differences.
    pub fn differences<'t>(&'t self, before: &Tree<T>, visit: &mut impl FnMut(usize, Option<&'t Arc<T>>)) {
        self.whole().differences(before.whole(), self.height.max(before.height), 0, visit);
    }

    /// An estimate of how much the other tree shares of this one's largest parts. A higher number means more.
    pub fn likeness(&self, other: &Tree<T>) -> usize {
        self.whole().shared_with(&other.whole(), self.height.max(other.height), 2)
    }

    fn whole(&self) -> Part<'_, T> {
        Part { node: Some(&self.root), height: self.height }
    }

    /// The place at `index`, owned by this tree alone.
    fn place(&mut self, index: usize) -> &mut Option<Arc<T>> {
        while index >= span(self.height) {
            self.grow();
        }
        let mut node = &mut self.root;
        for level in (1..self.height).rev() {
            node = &mut node.children()[slot(index, level)];
        }
        &mut node.things()[slot(index, 0)]
    }

    /// Adds a level. The whole tree becomes its first part.
    fn grow(&mut self) {
        let whole = mem::take(&mut self.root);
        if !matches!(whole, Node::Hole) {
            self.root.children()[0] = whole;
        }
        self.height += 1;
    }
}

impl<T> Node<T> {
    /// The children, owned by this tree alone; a hole gets empty ones.
    fn children(&mut self) -> &mut [Node<T>; FAN_OUT] {
        if !matches!(self, Node::Branch(_)) {
            *self = Node::Branch(Arc::new(array::from_fn(|_| Node::Hole)));
        }
        let Node::Branch(children) = self else { unreachable!("it was made a branch") };
        Arc::make_mut(children)
    }

    /// The places of things, owned by this tree alone; a hole gets empty ones.
    fn things(&mut self) -> &mut [Option<Arc<T>>; LEAF] {
        if !matches!(self, Node::Leaves(_)) {
            *self = Node::Leaves(Arc::new([const { None }; LEAF]));
        }
        let Node::Leaves(things) = self else { unreachable!("it was made leaves") };
        Arc::make_mut(things)
    }

    /// Keeps the first `count` things below this node.
    fn truncate(&mut self, height: u32, count: usize) {
        if count == 0 {
            *self = Node::Hole;
        } else if count < span(height) {
            match self {
                Node::Hole => {}
                Node::Leaves(things) => Arc::make_mut(things)[count..].fill_with(|| None),
                Node::Branch(children) => each(Arc::make_mut(children), height, |child, first| {
                    child.truncate(height - 1, count.saturating_sub(first));
                }),
            }
        }
    }

    /// Drops the first `count` things below this node.
    fn forget_below(&mut self, height: u32, count: usize) {
        if count >= span(height) {
            *self = Node::Hole;
        } else if count > 0 {
            match self {
                Node::Hole => {}
                Node::Leaves(things) => Arc::make_mut(things)[..count].fill_with(|| None),
                Node::Branch(children) => each(Arc::make_mut(children), height, |child, first| {
                    child.forget_below(height - 1, count.saturating_sub(first));
                }),
            }
        }
    }
}

/// Calls `change` with the children of a node of this height, each with the number of places before it.
fn each<T>(children: &mut [Node<T>; FAN_OUT], height: u32, mut change: impl FnMut(&mut Node<T>, usize)) {
    let firsts = (0..).step_by(span(height - 1));
    children.iter_mut().zip(firsts).for_each(|(child, first)| change(child, first));
}

/// A node as part of a tree that may be higher than the node's own.
struct Part<'t, T> {
    node: Option<&'t Node<T>>,
    height: u32,
}

impl<'t, T> Part<'t, T> {
    fn differences(
        self,
        then: Part<'_, T>,
        height: u32,
        first: usize,
        visit: &mut impl FnMut(usize, Option<&'t Arc<T>>),
    ) {
        if self.is_shared_with(&then) {
            return;
        }
        if height == 1 {
            let others = (0..LEAF).filter(|slot| !is_same(self.thing(*slot), then.thing(*slot)));
            return others.for_each(|slot| visit(first + slot, self.thing(slot)));
        }
        for slot in 0..FAN_OUT {
            let below = first + slot * span(height - 1);
            self.child(height, slot).differences(then.child(height, slot), height - 1, below, visit);
        }
    }

    /// How much the two parts share, down to so many levels.
    fn shared_with(&self, other: &Part<'_, T>, height: u32, levels: u32) -> usize {
        match self.node {
            None | Some(Node::Hole) => 0,
            _ if self.is_shared_with(other) => FAN_OUT.pow(levels) * LEAF,
            _ if levels == 0 => 0,
            _ if height == 1 => {
                let pairs = (0..LEAF).map(|slot| (self.thing(slot), other.thing(slot)));
                let shared = pairs.filter(|(one, two)| one.is_some() && is_same(*one, *two));
                shared.count() * FAN_OUT.pow(levels)
            }
            _ => (0..FAN_OUT)
                .map(|slot| (self.child(height, slot), other.child(height, slot)))
                .map(|(one, two)| one.shared_with(&two, height - 1, levels - 1))
                .sum(),
        }
    }

    fn is_shared_with(&self, other: &Part<'_, T>) -> bool {
        match (self.node, other.node) {
            (None | Some(Node::Hole), None | Some(Node::Hole)) => true,
            (Some(Node::Leaves(one)), Some(Node::Leaves(two))) => Arc::ptr_eq(one, two),
            (Some(Node::Branch(one)), Some(Node::Branch(two))) => {
                self.height == other.height && Arc::ptr_eq(one, two)
            }
            _ => false,
        }
    }

    /// The part that begins at `slot` of a node of `height`. A lower node is in the first slot.
    fn child(&self, height: u32, slot: usize) -> Part<'t, T> {
        let node = match self.node {
            lower if self.height < height => {
                return Part { node: lower.filter(|_| slot == 0), height: self.height };
            }
            Some(Node::Branch(children)) => Some(&children[slot]),
            _ => None,
        };
        Part { node, height: height - 1 }
    }

    /// The thing at `slot` of a node of the lowest height.
    fn thing(&self, slot: usize) -> Option<&'t Arc<T>> {
        match self.node {
            Some(Node::Leaves(things)) => things[slot].as_ref(),
            _ => None,
        }
    }
}

fn is_same<T>(one: Option<&Arc<T>>, two: Option<&Arc<T>>) -> bool {
    one.map(Arc::as_ptr) == two.map(Arc::as_ptr)
}

// Derived, these would require the same trait of `T`.
impl<T> Clone for Tree<T> {
    fn clone(&self) -> Tree<T> {
        Tree { root: self.root.clone(), height: self.height }
    }
}

impl<T> Default for Tree<T> {
    fn default() -> Tree<T> {
        Tree { root: Node::Hole, height: 1 }
    }
}

impl<T> Clone for Node<T> {
    fn clone(&self) -> Node<T> {
        match self {
            Node::Hole => Node::Hole,
            Node::Leaves(things) => Node::Leaves(Arc::clone(things)),
            Node::Branch(children) => Node::Branch(Arc::clone(children)),
        }
    }
}

/// How many things a node of this height reaches.
const fn span(height: u32) -> usize {
    LEAF << (BITS * (height - 1))
}

/// The slot of `index` in a node of that level. Leaves are at level 0.
const fn slot(index: usize, level: u32) -> usize {
    match level {
        0 => index & (LEAF - 1),
        _ => index >> (LEAF_BITS + BITS * (level - 1)) & (FAN_OUT - 1),
    }
}

/// Trees that are no longer used. They are freed a few things at a time, because freeing a tree at once takes as long
/// as it has things of its own.
pub struct Retired<T> {
    nodes: Vec<Node<T>>,
    things: Vec<Arc<T>>,
}

impl<T> Retired<T> {
    /// Adds a tree to free.
    pub fn add(&mut self, tree: Tree<T>) {
        self.nodes.push(tree.root);
    }

    /// Frees up to `count` things and nodes.
    pub fn free(&mut self, count: usize) {
        for _ in 0..count {
            if self.things.pop().is_some() {
                continue;
            }
            match self.nodes.pop() {
                None => return,
                Some(Node::Hole) => {}
                Some(Node::Leaves(things)) => {
                    self.things.extend(Arc::try_unwrap(things).into_iter().flatten().flatten());
                }
                Some(Node::Branch(children)) => {
                    self.nodes.extend(Arc::try_unwrap(children).into_iter().flatten());
                }
            }
        }
    }

    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.things.is_empty()
    }
}

impl<T> Default for Retired<T> {
    fn default() -> Retired<T> {
        Retired { nodes: Vec::new(), things: Vec::new() }
    }
}
