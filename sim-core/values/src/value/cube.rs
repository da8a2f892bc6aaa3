//! Points and boxes of any number of dimensions, as the extension `cube` has them. They are stored as printed: `(1, 2),(3, 4)`.

use super::print_float;
use crate::error::{Result, SqlError, SqlState};

/// The most dimensions of a cube.
pub const DIMENSIONS_MAX: usize = 100;

/// The coordinates of two opposite corners, which are equally many.
#[derive(Clone, Debug, PartialEq)]
pub struct Cube {
    /// The first corner.
    pub from: Vec<f64>,
    /// The other corner; the same as the first for a point.
    pub to: Vec<f64>,
}

impl Cube {
    /// Whether both corners are the same.
    pub fn is_point(&self) -> bool {
        self.from == self.to
    }

    /// The lower end of a dimension, which counts from zero. There is nothing beyond the last dimension.
    pub fn lower(&self, at: usize) -> f64 {
        self.end(at, f64::min)
    }

    /// The upper end of a dimension.
    pub fn upper(&self, at: usize) -> f64 {
        self.end(at, f64::max)
    }

    fn end(&self, at: usize, choose: fn(f64, f64) -> f64) -> f64 {
        let ends = self.from.get(at).zip(self.to.get(at));
        ends.map_or(0.0, |(from, to)| choose(*from, *to))
    }

    /// As PostgreSQL prints it.
    pub fn print(&self) -> String {
        let corner = |numbers: &[f64]| {
            let numbers: Vec<String> = numbers.iter().map(|number| print_float(*number, false)).collect();
            format!("({})", numbers.join(", "))
        };
        let from = corner(&self.from);
        if self.is_point() { from } else { format!("{from},{}", corner(&self.to)) }
    }
}

/// Reads a cube.
///
/// # Errors
///
/// 22P02 for another text; 54000 for one with too many dimensions.
pub fn parse(text: &str) -> Result<Cube> {
    let malformed = |detail: String| {
        SqlError::new(SqlState::INVALID_TEXT, "invalid input syntax for cube").detail(detail)
    };
    let unread = || {
        let stray =
            text.chars().find(|letter| !(letter.is_ascii_digit() || " \t\n,()[]+-.eE".contains(*letter)));
        malformed(match stray {
            Some(letter) => format!("syntax error at or near \"{letter}\""),
            None => "syntax error at end of input".to_owned(),
        })
    };
    let inner = text.trim();
    let inner = inner.strip_prefix('[').map_or(Some(inner), |inner| inner.strip_suffix(']'));
    let inner = inner.ok_or_else(unread)?.trim();
    let numbers = |list: &str| -> Option<Vec<f64>> {
        if list.trim().is_empty() {
            return Some(Vec::new());
        }
        list.split(',').map(|number| number.trim().parse().ok()).collect()
    };
    let corners: Option<Vec<Vec<f64>>> = match inner.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'))
    {
        Some(within) => within
            .split(')')
            .enumerate()
            .map(|(at, part)| match at {
                0 => numbers(part),
                _ => numbers(part.trim_start().strip_prefix(',')?.trim_start().strip_prefix('(')?),
            })
            .collect(),
        None => numbers(inner).filter(|found| !found.is_empty()).map(|found| vec![found]),
    };
    let corners = corners.ok_or_else(unread)?;
    let (from, to) = match &corners[..] {
        [point] => (point.clone(), point.clone()),
        [from, to] => (from.clone(), to.clone()),
        _ => return Err(unread()),
    };
    if from.len() != to.len() {
        let (left, right) = (numbers_shown(&from), numbers_shown(&to));
        return Err(malformed(format!("Different point dimensions in ({left}) and ({right}).")));
    }
    if from.len() > DIMENSIONS_MAX {
        return Err(malformed(format!("A cube cannot have more than {DIMENSIONS_MAX} dimensions.")));
    }
    Ok(Cube { from, to })
}

fn numbers_shown(numbers: &[f64]) -> String {
    numbers.iter().map(|number| print_float(*number, false)).collect::<Vec<_>>().join(",")
}

/// A stored cube.
pub fn read(text: &str) -> Cube {
    parse(text).unwrap_or(Cube { from: Vec::new(), to: Vec::new() })
}

/// Reads a point on a plane, `(1,2)` or `1,2`.
pub fn parse_point(text: &str) -> Option<(f64, f64)> {
    let inner = text.trim();
    let inner = inner.strip_prefix('(').map_or(Some(inner), |inner| inner.strip_suffix(')'))?;
    let (x, y) = inner.split_once(',')?;
    Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
}

/// A point on a plane as PostgreSQL prints it.
pub fn print_point((x, y): (f64, f64)) -> String {
    format!("({},{})", print_float(x, false), print_float(y, false))
}
