//! Caches long arrays and documents that functions have parsed in a call. Otherwise `a[i]` for each `i` would parse the whole array
//! for each element.

use std::collections::VecDeque;
use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::Value as Element;
use sim_values::budget::Budget;

use super::error::Result;
use super::value::array;
use super::value::json::Json;

/// Shorter texts are parsed again, which is as fast as a lookup.
const SHORT: usize = 512;

/// Longer texts would take too much memory.
const LONG: usize = 4 << 20;

/// The number of texts of each kind that are cached.
const KEPT: usize = 2;

/// The parsed values of the present call.
#[derive(Clone, Debug, Default)]
pub(super) struct Decoded {
    arrays: Cache<Vec<Element>>,
    documents: Cache<Json>,
}

impl Decoded {
    /// Empties the cache.
    pub(super) fn clear(&self) {
        self.arrays.0.lock().clear();
        self.documents.0.lock().clear();
    }

    /// The elements of an array.
    pub(super) fn elements(&self, text: &str, budget: &Budget) -> Result<Arc<Vec<Element>>> {
        self.arrays.get(text, budget, |text| Ok(array::elements(text)))
    }

    /// A document.
    pub(super) fn document(&self, text: &str, budget: &Budget) -> Result<Arc<Json>> {
        self.documents.get(text, budget, Json::parse)
    }
}

/// The values of the most recent texts.
#[derive(Debug)]
struct Cache<T>(Arc<Mutex<Kept<T>>>);

type Kept<T> = VecDeque<(String, Arc<T>)>;

impl<T> Clone for Cache<T> {
    fn clone(&self) -> Cache<T> {
        Cache(self.0.clone())
    }
}

impl<T> Default for Cache<T> {
    fn default() -> Cache<T> {
        Cache(Arc::default())
    }
}

impl<T> Cache<T> {
    fn get(&self, text: &str, budget: &Budget, parse: impl FnOnce(&str) -> Result<T>) -> Result<Arc<T>> {
        let keeps = (SHORT..=LONG).contains(&text.len());
        if keeps && let Some((_, value)) = self.0.lock().iter().find(|(known, _)| known == text) {
            return Ok(value.clone());
        }
        budget.work(text.len() / 2)?;
        let value = Arc::new(parse(text)?);
        if keeps {
            let mut kept = self.0.lock();
            kept.truncate(KEPT - 1);
            kept.push_front((text.to_owned(), value.clone()));
        }
        Ok(value)
    }
}
