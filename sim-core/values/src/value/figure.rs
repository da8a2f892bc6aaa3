//! Figures on a plane: `box`, `circle`, `line`, `lseg`, `path` and `polygon`. They are stored as printed.

use super::cube::print_point;
use super::print_float;
use crate::error::{Result, SqlError, SqlState};
use crate::types::Type;

/// A point.
pub type Point = (f64, f64);

/// How far numbers may be apart that count as equal.
pub const EPSILON: f64 = 1.0e-6;

/// Whether two numbers count as equal.
pub fn same(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= EPSILON
}

/// The slope of a line through two points; the largest number if it is vertical.
pub fn slope(from: Point, to: Point) -> f64 {
    if same(from.0, to.0) {
        f64::MAX
    } else if same(from.1, to.1) {
        0.0
    } else {
        (from.1 - to.1) / (from.0 - to.0)
    }
}

/// The line through a point that has a slope: its `A`, `B`, `C` in `Ax + By + C = 0`.
pub fn line(through: Point, slope: f64) -> [f64; 3] {
    if slope == f64::MAX {
        [-1.0, 0.0, through.0]
    } else if slope == 0.0 {
        [0.0, -1.0, through.1]
    } else {
        // Adding zero makes zero of a negative one.
        [slope, -1.0, (through.1 - slope * through.0) + 0.0]
    }
}

/// Reads a figure, and gives its form as PostgreSQL prints it. `None` for another text.
///
/// # Errors
///
/// 22P02 for a line that is none.
pub fn parse(type_: Type, text: &str) -> Result<Option<String>> {
    let mut reader = Reader { rest: text.trim_start() };
    Ok(match type_ {
        Type::CIRCLE => reader.circle(),
        Type::LINE => return reader.line(),
        Type::PATH => reader.path(),
        _ => reader.points(type_ == Type::LSEG).and_then(|(points, _)| {
            let two = points.len() == 2;
            match type_ {
                Type::BOX if two => Some(print_box(points[0], points[1])),
                Type::LSEG if two => Some(print_points('[', &points, ']')),
                Type::POLYGON => Some(print_points('(', &points, ')')),
                _ => None,
            }
        }),
    })
}

/// The numbers of a stored figure.
pub fn numbers(stored: &str) -> Vec<f64> {
    let parts = stored.split(|letter| "()[]<>{},".contains(letter)).filter(|part| !part.is_empty());
    parts.map(|part| part.parse().unwrap_or(0.0)).collect()
}

/// The points of a stored figure.
pub fn points(stored: &str) -> Vec<Point> {
    numbers(stored).chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
}

/// A box with two opposite corners.
pub fn print_box(a: Point, b: Point) -> String {
    let high = (a.0.max(b.0), a.1.max(b.1));
    let low = (a.0.min(b.0), a.1.min(b.1));
    format!("{},{}", print_point(high), print_point(low))
}

/// Points in brackets.
pub fn print_points(open: char, points: &[Point], close: char) -> String {
    let points: Vec<String> = points.iter().map(|point| print_point(*point)).collect();
    format!("{open}{}{close}", points.join(","))
}

/// A circle.
pub fn print_circle(center: Point, radius: f64) -> String {
    format!("<{},{}>", print_point(center), print_float(radius, false))
}

/// A line.
pub fn print_line([a, b, c]: [f64; 3]) -> String {
    format!("{{{},{},{}}}", print_float(a, false), print_float(b, false), print_float(c, false))
}

struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    fn takes(&mut self, symbol: char) -> bool {
        let Some(rest) = self.rest.strip_prefix(symbol) else { return false };
        self.rest = rest.trim_start();
        true
    }

    fn number(&mut self) -> Option<f64> {
        let end = self.rest.find(|letter: char| !(letter.is_ascii_alphanumeric() || "+-.".contains(letter)));
        let (number, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest.trim_start();
        number.parse().ok().filter(|number: &f64| !number.is_nan())
    }

    fn pair(&mut self) -> Option<Point> {
        let brackets = self.takes('(');
        let x = self.number()?;
        let y = self.takes(',').then(|| self.number())??;
        (!brackets || self.takes(')')).then_some((x, y))
    }

    /// Whether the text begins with brackets around all points. There is one pair of brackets for a single point.
    fn opens(&mut self) -> bool {
        let Some(inner) = self.rest.strip_prefix('(') else { return false };
        let around = inner.trim_start().starts_with('(') || !inner.contains('(');
        if around {
            self.rest = inner.trim_start();
        }
        around
    }

    /// All points, and whether they stand in square brackets, which not all figures may have.
    fn list(&mut self, square_allowed: bool) -> Option<(Vec<Point>, bool)> {
        let square = square_allowed && self.takes('[');
        let round = !square && self.opens();
        let mut points = vec![self.pair()?];
        while self.takes(',') {
            points.push(self.pair()?);
        }
        let closed = if square { self.takes(']') } else { !round || self.takes(')') };
        closed.then_some((points, square))
    }

    fn points(&mut self, square_allowed: bool) -> Option<(Vec<Point>, bool)> {
        self.list(square_allowed).filter(|_| self.rest.is_empty())
    }

    fn path(&mut self) -> Option<String> {
        let outer = self.rest.starts_with('(') && !self.rest[1..].contains('(') && self.takes('(');
        let (points, open) = self.list(true)?;
        let ends = (!outer || self.takes(')')) && self.rest.is_empty();
        let [left, right] = if open { ['[', ']'] } else { ['(', ')'] };
        ends.then(|| print_points(left, &points, right))
    }

    fn circle(&mut self) -> Option<String> {
        let angle = self.takes('<');
        let inner = self.rest.strip_prefix('(').map(str::trim_start);
        let round = !angle && inner.is_some_and(|inner| inner.starts_with('('));
        if round {
            self.takes('(');
        }
        let center = self.pair()?;
        self.takes(',');
        let radius = self.number().filter(|radius| *radius >= 0.0)?;
        let ends = (!angle || self.takes('>')) && (!round || self.takes(')')) && self.rest.is_empty();
        ends.then(|| print_circle(center, radius))
    }

    fn line(&mut self) -> Result<Option<String>> {
        let wrong =
            |what: &str| SqlError::new(SqlState::INVALID_TEXT, format!("invalid line specification: {what}"));
        if self.takes('{') {
            let mut read = || {
                let a = self.number()?;
                let b = self.takes(',').then(|| self.number())??;
                let c = self.takes(',').then(|| self.number())??;
                (self.takes('}') && self.rest.is_empty()).then_some([a, b, c])
            };
            let Some([a, b, c]) = read() else { return Ok(None) };
            if same(a, 0.0) && same(b, 0.0) {
                return Err(wrong("A and B cannot both be zero"));
            }
            return Ok(Some(print_line([a, b, c])));
        }
        let Some((points, _)) = self.points(true) else { return Ok(None) };
        let [from, to] = points[..] else { return Ok(None) };
        if same(from.0, to.0) && same(from.1, to.1) {
            return Err(wrong("must be two distinct points"));
        }
        Ok(Some(print_line(line(from, slope(from, to)))))
    }
}
