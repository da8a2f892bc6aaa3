//! Vectors of which only the numbers other than zero are kept, as the type `sparsevec` has them. They are stored as printed:
//! `{1:2.5,3:1}/4`.

use std::cmp::Ordering;
use std::fmt;

use super::print_float;
use super::vector::data_error;
use crate::error::{Result, SqlError, SqlState};

/// The most dimensions of such a vector.
pub const DIMENSIONS_MAX: usize = 1_000_000_000;
/// The most numbers other than zero.
const NUMBERS_MAX: usize = 16_000;

/// A vector: how long it is, and its numbers other than zero with their places, from 1 on and in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sparse {
    /// Its length.
    pub dimensions: usize,
    /// Places and numbers.
    pub numbers: Vec<(usize, f32)>,
}

impl Sparse {
    /// Reads a vector.
    ///
    /// # Errors
    ///
    /// 22P02 for another text; 22000, 22003 and 54000 for one that no such vector can have.
    pub fn parse(text: &str) -> Result<Sparse> {
        let malformed = |detail: &str| {
            let message = format!("invalid input syntax for type sparsevec: \"{text}\"");
            let error = SqlError::new(SqlState::INVALID_TEXT, message);
            if detail.is_empty() { error } else { error.detail(detail) }
        };
        let inner = text.trim_start().strip_prefix('{');
        let inner = inner.ok_or_else(|| malformed("Vector contents must start with \"{\"."))?;
        let (inner, rest) = inner.split_once('}').ok_or_else(|| malformed(""))?;
        let length = rest.trim_start().strip_prefix('/');
        let length = length.ok_or_else(|| malformed("Unexpected end of input."))?.trim();
        let dimensions = whole(length).ok_or_else(|| malformed(""))?;
        let written = if inner.trim().is_empty() { Vec::new() } else { inner.split(',').collect() };
        let mut numbers = Vec::new();
        for item in written {
            let (place, number) = item.split_once(':').ok_or_else(|| malformed(""))?;
            let place = whole(place.trim()).ok_or_else(|| malformed(""))?;
            numbers.push((place, number_of(number.trim()).ok_or_else(|| malformed(""))??));
        }
        numbers.sort_by_key(|(place, _)| *place);
        if numbers.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Err(data_error("sparsevec indices must not contain duplicates"));
        }
        Sparse { dimensions: usize::try_from(dimensions).unwrap_or(0), numbers: Vec::new() }
            .with(numbers.into_iter().map(|(place, number)| (usize::try_from(place).unwrap_or(0), number)))
    }

    /// The vector of all these numbers.
    ///
    /// # Errors
    ///
    /// 22000 for numbers that no vector can have, 54000 for too many of them.
    pub fn of(items: &[f32]) -> Result<Sparse> {
        let empty = Sparse { dimensions: items.len(), numbers: Vec::new() };
        empty.with(items.iter().zip(1..).map(|(number, place)| (place, *number)))
    }

    /// This vector with numbers at their places, which are in order. Zeros are left out.
    fn with(mut self, numbers: impl Iterator<Item = (usize, f32)>) -> Result<Sparse> {
        let too_many = |what: String| {
            SqlError::new(SqlState::PROGRAM_LIMIT, format!("sparsevec cannot have more than {what}"))
        };
        if self.dimensions == 0 {
            return Err(data_error("sparsevec must have at least 1 dimension"));
        }
        if self.dimensions > DIMENSIONS_MAX {
            return Err(too_many(format!("{DIMENSIONS_MAX} dimensions")));
        }
        for (place, number) in numbers {
            if !(1..=self.dimensions).contains(&place) {
                return Err(data_error("sparsevec index out of bounds"));
            }
            if number.is_nan() {
                return Err(data_error("NaN not allowed in sparsevec"));
            }
            if number.is_infinite() {
                return Err(data_error("infinite value not allowed in sparsevec"));
            }
            if number != 0.0 {
                self.numbers.push((place, number));
            }
        }
        if self.numbers.len() > NUMBERS_MAX {
            return Err(too_many(format!("{NUMBERS_MAX} non-zero elements")));
        }
        Ok(self)
    }

    /// A stored vector.
    pub fn read(text: &str) -> Sparse {
        Sparse::parse(text).unwrap_or_default()
    }

    /// All numbers, unless there are more than `most`.
    pub fn all(&self, most: usize) -> Option<Vec<f32>> {
        let mut items = vec![0.0; Some(self.dimensions).filter(|dimensions| *dimensions <= most)?];
        for (place, number) in &self.numbers {
            items[place - 1] = *number;
        }
        Some(items)
    }

    /// The numbers of two vectors at the places where one of them has a number other than zero.
    pub fn side_by_side(&self, other: &Sparse) -> (Vec<f32>, Vec<f32>) {
        let (mut left, mut right) = (self.numbers.iter().peekable(), other.numbers.iter().peekable());
        let mut both = (Vec::new(), Vec::new());
        loop {
            let places = (left.peek().map(|(place, _)| *place), right.peek().map(|(place, _)| *place));
            let Some(place) = places.0.into_iter().chain(places.1).min() else { return both };
            let taken = |found: Option<&(usize, f32)>| found.map_or(0.0, |(_, number)| *number);
            both.0.push(taken(left.next_if(|(at, _)| *at == place)));
            both.1.push(taken(right.next_if(|(at, _)| *at == place)));
        }
    }

    /// The order of two vectors: that of all their numbers, then that of their lengths.
    pub fn compare(&self, other: &Sparse) -> Ordering {
        let (left, right) = self.side_by_side(other);
        let mut orders = left.iter().zip(&right).map(|(a, b)| a.partial_cmp(b).unwrap_or(Ordering::Equal));
        orders.find(|order| order.is_ne()).unwrap_or_else(|| self.dimensions.cmp(&other.dimensions))
    }

    /// The error unless the vector has the dimensions of its column.
    ///
    /// # Errors
    ///
    /// 22000 for another number of dimensions.
    pub fn fit(&self, dimensions: i32) -> Result<()> {
        if usize::try_from(dimensions) == Ok(self.dimensions) {
            return Ok(());
        }
        Err(data_error(format!("expected {dimensions} dimensions, not {}", self.dimensions)))
    }
}

impl fmt::Display for Sparse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (index, (place, number)) in self.numbers.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(f, "{comma}{place}:{}", print_float(f64::from(*number), true))?;
        }
        write!(f, "}}/{}", self.dimensions)
    }
}

/// A whole number as the extension reads one; those that are too large become the largest.
fn whole(text: &str) -> Option<i32> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let most = if text.starts_with('-') { i32::MIN } else { i32::MAX };
    Some(text.parse().unwrap_or(most))
}

/// A number; `None` for a text that is none.
fn number_of(text: &str) -> Option<Result<f32>> {
    let known = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    let number: f32 = text.parse().ok().filter(|_| known)?;
    let out_of_range = number.is_infinite() && text.bytes().any(|byte| byte.is_ascii_digit());
    Some(if out_of_range {
        let message = format!("\"{text}\" is out of range for type sparsevec");
        Err(SqlError::new(SqlState::OUT_OF_RANGE, message))
    } else {
        Ok(number)
    })
}
