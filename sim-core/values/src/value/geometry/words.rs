//! The form in words: `SRID=4326;POINT(1 2)`.

use std::fmt::Write as _;

use super::{Coordinate, DEPTH_MAX, Dimensions, Geometry, Kind, Shape, malformed};
use crate::error::{Result, SqlError};
use crate::value::print_float;

/// A number with at most so many decimals, as the extension prints it.
pub fn number(value: f64, decimals: usize) -> String {
    const LARGE: f64 = 1e15;
    const SMALL: f64 = 1e-8;
    let size = value.abs();
    if value == 0.0 {
        return "0".to_owned();
    }
    if !(size > SMALL && size < LARGE) {
        // Exponents have no leading zeros.
        let text = print_float(value, false);
        let Some((digits, exponent)) = text.split_once('e') else { return text };
        let (sign, exponent) = exponent.split_at(1);
        return format!("{digits}e{sign}{}", exponent.trim_start_matches('0'));
    }
    let shortest = value.to_string();
    let fraction = shortest.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    if fraction <= decimals {
        return shortest;
    }
    let rounded = format!("{value:.decimals$}");
    let rounded =
        if rounded.contains('.') { rounded.trim_end_matches('0').trim_end_matches('.') } else { &rounded };
    if rounded == "-0" { "0".to_owned() } else { rounded.to_owned() }
}

/// The words of a shape, with at most so many decimals. `extended` words have the reference system, and only name a measure where
/// there is no height.
pub fn words(geometry: &Geometry, decimals: usize, extended: bool) -> String {
    let mut text = String::new();
    if extended && geometry.srid != 0 {
        let _ = write!(text, "SRID={};", geometry.srid);
    }
    Writer { text: &mut text, dimensions: geometry.dimensions, decimals, extended }.shape(&geometry.shape);
    text
}

struct Writer<'a> {
    text: &'a mut String,
    dimensions: Dimensions,
    decimals: usize,
    extended: bool,
}

impl Writer<'_> {
    fn shape(&mut self, shape: &Shape) {
        self.text.push_str(&shape.kind().name().to_uppercase());
        let marks = match (self.extended, self.dimensions.z, self.dimensions.m) {
            (true, false, true) => "M",
            (false, true, true) => " ZM ",
            (false, true, false) => " Z ",
            (false, false, true) => " M ",
            _ => "",
        };
        self.text.push_str(marks);
        if shape.is_empty() {
            let blank = if marks.ends_with(' ') { "" } else { " " };
            self.text.push_str(blank);
        }
        self.body(shape);
    }

    fn body(&mut self, shape: &Shape) {
        match shape {
            _ if shape.is_empty()
                && !matches!(shape, Shape::Collection(_, members) if !members.is_empty()) =>
            {
                self.text.push_str("EMPTY");
            }
            Shape::Point(at) => self.line(at.as_slice()),
            Shape::Line(line) => self.line(line),
            Shape::Polygon(rings) => self.list(rings, |writer, ring| writer.line(ring)),
            Shape::Collection(Kind::GeometryCollection, members) => self.list(members, Writer::shape),
            Shape::Collection(_, members) => self.list(members, Writer::body),
        }
    }

    fn line(&mut self, points: &[Coordinate]) {
        self.list(points, |writer, at| {
            let numbers = writer.dimensions.numbers(at).map(|value| number(value, writer.decimals));
            let numbers = numbers.collect::<Vec<_>>().join(" ");
            writer.text.push_str(&numbers);
        });
    }

    fn list<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.text.push('(');
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.text.push(',');
            }
            write(self, item);
        }
        self.text.push(')');
    }
}

pub(super) fn read(text: &str) -> Result<Geometry> {
    let mut reader = Reader { text, at: 0, dimensions: None };
    let srid = reader.srid()?;
    let shape = reader.shape(0)?;
    reader.blanks();
    if reader.at < text.len() {
        reader.at += 1;
        return Err(reader.unexpected());
    }
    Ok(Geometry { srid, dimensions: reader.dimensions.unwrap_or_default(), shape })
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// What the first point or the first mark has said.
    dimensions: Option<Dimensions>,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn unexpected(&self) -> SqlError {
        let until = (0..=self.at.min(self.text.len())).rev().find(|at| self.text.is_char_boundary(*at));
        let read = &self.text[..until.unwrap_or(0)];
        let hint = format!("\"{read}\" <-- parse error at position {} within geometry", self.at);
        malformed("parse error - invalid geometry").hint(hint)
    }

    fn blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn srid(&mut self) -> Result<i32> {
        let prefix = self.rest().get(..5).filter(|prefix| prefix.eq_ignore_ascii_case("srid="));
        let Some(prefix) = prefix else { return Ok(0) };
        let end = self.rest().find(';').ok_or_else(|| self.unexpected())?;
        let number = self.rest()[prefix.len()..end].trim().parse().map_err(|_| self.unexpected())?;
        self.at += end + 1;
        Ok(number)
    }

    fn word(&mut self) -> String {
        self.blanks();
        let end = self.rest().find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(self.rest().len());
        let word = self.rest()[..end].to_ascii_lowercase();
        self.at += end;
        word
    }

    fn has(&mut self, mark: char) -> bool {
        self.blanks();
        let has = self.rest().starts_with(mark);
        self.at += usize::from(has);
        has
    }

    fn expect(&mut self, mark: char) -> Result<()> {
        if self.has(mark) {
            return Ok(());
        }
        self.at += 1;
        Err(self.unexpected())
    }

    fn shape(&mut self, depth: usize) -> Result<Shape> {
        if depth > DEPTH_MAX {
            return Err(malformed("Geometry has too many chained collections"));
        }
        let word = self.word();
        let marks = [("zm", true, true), ("z", true, false), ("m", false, true), ("", false, false)];
        let read =
            marks.into_iter().find_map(|(mark, z, m)| Some((Kind::named(word.strip_suffix(mark)?)?, z, m)));
        let (kind, mut z, mut m) = read.ok_or_else(|| self.unexpected())?;
        let before = self.at;
        match self.word().as_str() {
            "zm" => (z, m) = (true, true),
            "z" => z = true,
            "m" => m = true,
            _ => self.at = before,
        }
        if z || m {
            self.declare(Dimensions { z, m })?;
        }
        self.body(kind, depth)
    }

    fn declare(&mut self, dimensions: Dimensions) -> Result<()> {
        if self.dimensions.is_some_and(|known| known != dimensions) {
            return Err(malformed("can not mix dimensionality in a geometry"));
        }
        self.dimensions = Some(dimensions);
        Ok(())
    }

    fn body(&mut self, kind: Kind, depth: usize) -> Result<Shape> {
        let before = self.at;
        if self.word() == "empty" {
            return Ok(match kind {
                Kind::Point => Shape::Point(None),
                Kind::LineString => Shape::Line(Vec::new()),
                Kind::Polygon => Shape::Polygon(Vec::new()),
                _ => Shape::Collection(kind, Vec::new()),
            });
        }
        self.at = before;
        match kind {
            Kind::Point => {
                self.expect('(')?;
                let at = self.coordinate()?;
                self.expect(')')?;
                Ok(Shape::Point(Some(at)))
            }
            Kind::LineString => Shape::Line(self.list(Reader::coordinate)?).checked(),
            Kind::Polygon => {
                let rings = self.list(|reader| reader.list(Reader::coordinate))?;
                Shape::Polygon(rings).checked()
            }
            Kind::GeometryCollection => {
                let members = self.list(|reader| reader.shape(depth + 1))?;
                Ok(Shape::Collection(kind, members))
            }
            _ => {
                let member = kind.member().unwrap_or(Kind::Point);
                let members = self.list(|reader| reader.member(member, depth))?;
                Ok(Shape::Collection(kind, members))
            }
        }
    }

    /// A member of a collection of one kind. A point may stand without brackets.
    fn member(&mut self, kind: Kind, depth: usize) -> Result<Shape> {
        self.blanks();
        let bare = kind == Kind::Point && !self.rest().starts_with(['(', 'e', 'E']);
        if bare { Ok(Shape::Point(Some(self.coordinate()?))) } else { self.body(kind, depth) }
    }

    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        self.expect('(')?;
        let mut items = vec![item(self)?];
        while self.has(',') {
            items.push(item(self)?);
        }
        self.expect(')')?;
        Ok(items)
    }

    fn coordinate(&mut self) -> Result<Coordinate> {
        let mut numbers = Vec::new();
        loop {
            self.blanks();
            let is_number = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
            let end = self.rest().find(|c| !is_number(c)).unwrap_or(self.rest().len());
            if end == 0 {
                break;
            }
            let number = self.rest()[..end].parse::<f64>().ok().filter(|number| number.is_finite());
            self.at += end;
            numbers.push(number.ok_or_else(|| self.unexpected())?);
        }
        let dimensions = match (numbers.len(), self.dimensions) {
            (count, Some(known)) if known.count() == count => known,
            (2, None) => Dimensions::default(),
            (3, None) => Dimensions { z: true, m: false },
            (4, None) => Dimensions { z: true, m: true },
            (2..=4, Some(_)) => return Err(malformed("can not mix dimensionality in a geometry")),
            _ => {
                self.at += 1;
                return Err(self.unexpected());
            }
        };
        self.dimensions = Some(dimensions);
        Ok(dimensions.coordinate(&numbers))
    }
}
