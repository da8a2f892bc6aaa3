//! Caches long arrays and documents that functions have parsed in a call. Otherwise `a[i]` for each `i` would parse the whole array
//! for each element.

use std::collections::VecDeque;
use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::Value as Element;
use sim_values::budget::{Budget, out_of_memory};

use sim_values::error::Result;
use sim_values::value::array;
use sim_values::value::json::Json;

/// Shorter texts are parsed again, which is as fast as a lookup.
const SHORT: usize = 512;

/// Longer texts would take too much memory.
const LONG: usize = 4 << 20;

/// The most elements and members of a longer text: parsed, each takes up to 150 bytes.
const ELEMENTS_MAX: usize = 1_500_000;

/// The units of work to parse, copy and print an element.
const ELEMENT_WORK: usize = 8;

/// The units of work to parse the text of an array or document.
pub fn parsing_work(text: &[u8]) -> usize {
    text.len() / 4 + ELEMENT_WORK * elements_of(text)
}

/// About the number of elements and members in a text. Each but the first is after a comma, and what is in it after one of the others.
fn elements_of(text: &[u8]) -> usize {
    text.iter().filter(|byte| b",:[{".contains(byte)).count()
}

/// The units of work to read a text that may be an array or document.
pub fn reading_work(text: &[u8]) -> usize {
    if text.starts_with(b"[") || text.starts_with(b"{") { parsing_work(text) } else { text.len() / 4 }
}

/// Charges the cost of looking at a text that is not cached, before it is parsed. The number of elements decides how much memory its parsed form takes.
///
/// Fails with 53200 if there are too many.
pub fn admit_parsing(text: &[u8], budget: &Budget) -> Result<()> {
    if text.len() <= LONG {
        return Ok(());
    }
    let elements = elements_of(text);
    budget.work(text.len() / 8 + elements)?;
    if elements > ELEMENTS_MAX { Err(out_of_memory()) } else { Ok(()) }
}

/// The number of texts of each kind that are cached.
const KEPT: usize = 2;

/// The parsed values of the present call.
#[derive(Clone, Debug, Default)]
pub struct Decoded {
    arrays: Cache<Vec<Element>>,
    documents: Cache<Json>,
}

impl Decoded {
    /// Empties the cache.
    pub fn clear(&self) {
        self.arrays.0.lock().clear();
        self.documents.0.lock().clear();
    }

    /// The elements of an array.
    pub fn elements(&self, text: &str, budget: &Budget) -> Result<Arc<Vec<Element>>> {
        self.arrays.get(text, budget, |text| Ok(array::elements(text)))
    }

    /// A document.
    pub fn document(&self, text: &str, budget: &Budget) -> Result<Arc<Json>> {
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
        budget.work(parsing_work(text.as_bytes()))?;
        let value = Arc::new(parse(text)?);
        if keeps {
            let mut kept = self.0.lock();
            kept.truncate(KEPT - 1);
            kept.push_front((text.to_owned(), value.clone()));
        }
        Ok(value)
    }
}
