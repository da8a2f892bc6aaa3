//! A persistent radix tree: a clone copies a pointer, a change copies the path to it where that is shared.

use std::array;
use std::mem;

use triomphe::Arc;

/// Copying a shared node counts one more reference to each child, so narrow nodes keep the first change after a clone
/// cheap.
const BITS: u32 = 4;
const FAN_OUT: usize = 1 << BITS;

/// Things by number.
pub(crate) struct Tree<T> {
    root: Node<T>,
    height: u32,
}

/// A thing, or the things of a range, or a range without any.
#[derive(Default)]
enum Node<T> {
    #[default]
    Hole,
    Leaf(Arc<T>),
    Branch(Arc<[Node<T>; FAN_OUT]>),
}

impl<T> Tree<T> {
    pub(crate) fn get(&self, index: usize) -> Option<&Arc<T>> {
        if index >= span(self.height) {
            return None;
        }
        let mut node = &self.root;
        for level in (0..self.height).rev() {
            let Node::Branch(children) = node else { return None };
            node = &children[slot(index, level)];
        }
        match node {
            Node::Leaf(thing) => Some(thing),
            Node::Hole | Node::Branch(_) => None,
        }
    }

    /// Puts a thing at `index`: in place where no other tree shares what was there, else as a new one.
    pub(crate) fn set(&mut self, index: usize, thing: T) {
        let node = self.leaf(index);
        if let Node::Leaf(shared) = node
            && let Some(own) = Arc::get_mut(shared)
        {
            *own = thing;
        } else {
            *node = Node::Leaf(Arc::new(thing));
        }
    }

    /// What is at `index`, this tree's own: a copy where another tree shares it, a new one where there is none.
    pub(crate) fn own(&mut self, index: usize) -> &mut T
    where
        T: Clone + Default,
    {
        let node = self.leaf(index);
        if let Node::Hole = node {
            *node = Node::Leaf(Arc::default());
        }
        let Node::Leaf(thing) = node else { unreachable!("things are below all branches") };
        Arc::make_mut(thing)
    }

    /// Leaves nothing at `index`.
    pub(crate) fn clear(&mut self, index: usize) {
        if self.get(index).is_some() {
            *self.leaf(index) = Node::Hole;
        }
    }

    /// Keeps what is below `count`.
    pub(crate) fn truncate(&mut self, count: usize) {
        self.root.truncate(self.height, count);
    }

    /// Keeps what is at `first` and above.
    pub(crate) fn forget_below(&mut self, first: usize) {
        self.root.forget_below(self.height, first);
    }

    /// Visits every place where this tree differs from `before`, in order, with what is there now. What they share is
    /// passed over, so it takes as long as there are differences.
    pub(crate) fn differences<'t>(
        &'t self,
        before: &Tree<T>,
        visit: &mut impl FnMut(usize, Option<&'t Arc<T>>),
    ) {
        self.whole().differences(before.whole(), self.height.max(before.height), 0, visit);
    }

    /// How many of the largest parts the two trees share, of 64.
    pub(crate) fn likeness(&self, other: &Tree<T>) -> usize {
        self.whole().shared_with(&other.whole(), self.height.max(other.height), 2)
    }

    fn whole(&self) -> Part<'_, T> {
        Part { node: Some(&self.root), height: self.height }
    }

    /// The place at `index`, this tree's own.
    fn leaf(&mut self, index: usize) -> &mut Node<T> {
        while index >= span(self.height) {
            self.grow();
        }
        let mut node = &mut self.root;
        for level in (0..self.height).rev() {
            node = &mut node.children()[slot(index, level)];
        }
        node
    }

    /// One level more: what was the whole tree becomes its first part.
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

    /// Keeps the first `count` things below this node.
    fn truncate(&mut self, height: u32, count: usize) {
        if count == 0 {
            *self = Node::Hole;
        } else if count < span(height)
            && let Node::Branch(children) = self
        {
            for (child, first) in Arc::make_mut(children).iter_mut().zip((0..).step_by(span(height - 1))) {
                child.truncate(height - 1, count.saturating_sub(first));
            }
        }
    }

    /// Drops the first `count` things below this node.
    fn forget_below(&mut self, height: u32, count: usize) {
        if count >= span(height) {
            *self = Node::Hole;
        } else if count > 0
            && let Node::Branch(children) = self
        {
            for (child, first) in Arc::make_mut(children).iter_mut().zip((0..).step_by(span(height - 1))) {
                child.forget_below(height - 1, count.saturating_sub(first));
            }
        }
    }
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
        if height == 0 {
            return visit(first, self.leaf());
        }
        for slot in 0..FAN_OUT {
            let below = first + slot * span(height - 1);
            self.child(height, slot).differences(then.child(height, slot), height - 1, below, visit);
        }
    }

    /// How many parts the two have in common, so many levels down.
    fn shared_with(&self, other: &Part<'_, T>, height: u32, levels: u32) -> usize {
        match self.node {
            None | Some(Node::Hole) => 0,
            _ if self.is_shared_with(other) => FAN_OUT.pow(levels),
            _ if height == 0 || levels == 0 => 0,
            _ => (0..FAN_OUT)
                .map(|slot| (self.child(height, slot), other.child(height, slot)))
                .map(|(one, two)| one.shared_with(&two, height - 1, levels - 1))
                .sum(),
        }
    }

    fn is_shared_with(&self, other: &Part<'_, T>) -> bool {
        match (self.node, other.node) {
            (None | Some(Node::Hole), None | Some(Node::Hole)) => true,
            (Some(Node::Leaf(one)), Some(Node::Leaf(two))) => {
                self.height == other.height && Arc::ptr_eq(one, two)
            }
            (Some(Node::Branch(one)), Some(Node::Branch(two))) => {
                self.height == other.height && Arc::ptr_eq(one, two)
            }
            _ => false,
        }
    }

    /// The part that begins at `slot` of a node of `height`; a lower node stands in the first.
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

    fn leaf(&self) -> Option<&'t Arc<T>> {
        match self.node {
            Some(Node::Leaf(thing)) => Some(thing),
            _ => None,
        }
    }
}

// Derived, these would ask the same of `T`.
impl<T> Clone for Tree<T> {
    fn clone(&self) -> Tree<T> {
        Tree { root: self.root.clone(), height: self.height }
    }
}

impl<T> Default for Tree<T> {
    fn default() -> Tree<T> {
        Tree { root: Node::Hole, height: 0 }
    }
}

impl<T> Clone for Node<T> {
    fn clone(&self) -> Node<T> {
        match self {
            Node::Hole => Node::Hole,
            Node::Leaf(thing) => Node::Leaf(Arc::clone(thing)),
            Node::Branch(children) => Node::Branch(Arc::clone(children)),
        }
    }
}

/// How many things a node of this height reaches.
const fn span(height: u32) -> usize {
    1 << (BITS * height)
}

const fn slot(index: usize, level: u32) -> usize {
    index >> (BITS * level) & (FAN_OUT - 1)
}

/// Trees that nobody wants any more, on their way to being freed a few things at a time: freeing one at once takes as
/// long as it has things of its own.
pub(crate) struct Retired<T>(Vec<Node<T>>);

impl<T> Retired<T> {
    pub(crate) fn add(&mut self, tree: Tree<T>) {
        self.0.push(tree.root);
    }

    /// Frees up to `count` things and nodes.
    pub(crate) fn free(&mut self, count: usize) {
        for _ in 0..count {
            let Some(node) = self.0.pop() else { return };
            if let Node::Branch(children) = node
                && let Ok(children) = Arc::try_unwrap(children)
            {
                self.0.extend(children);
            }
        }
    }

    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T> Default for Retired<T> {
    fn default() -> Retired<T> {
        Retired(Vec::new())
    }
}
