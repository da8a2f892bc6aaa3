//! The binary form: byte order, kind and dimensions, reference system, points.

use super::{Coordinate, DEPTH_MAX, Dimensions, Geometry, Kind, Shape, malformed};
use crate::error::Result;

const HAS_Z: u32 = 0x8000_0000;
const HAS_M: u32 = 0x4000_0000;
const HAS_SRID: u32 = 0x2000_0000;

pub(super) fn of_digits(text: &str) -> Result<Geometry> {
    let digit =
        |byte: u8| char::from(byte).to_digit(16).ok_or_else(|| malformed("parse error - invalid geometry"));
    let mut bytes = Vec::with_capacity(text.len() / 2);
    for pair in text.as_bytes().chunks(2) {
        let low = *pair.get(1).ok_or_else(wrong_size)?;
        bytes.push((digit(pair[0])? << 4 | digit(low)?) as u8);
    }
    read(&bytes)
}

pub(super) fn read(bytes: &[u8]) -> Result<Geometry> {
    Reader { rest: bytes, is_little: true }.geometry(0)
}

fn wrong_size() -> crate::error::SqlError {
    malformed("WKB structure does not match expected size!")
}

struct Reader<'a> {
    rest: &'a [u8],
    is_little: bool,
}

impl Reader<'_> {
    fn take<const COUNT: usize>(&mut self) -> Result<[u8; COUNT]> {
        let (taken, rest) = self.rest.split_first_chunk::<COUNT>().ok_or_else(wrong_size)?;
        self.rest = rest;
        let mut bytes = *taken;
        if !self.is_little {
            bytes.reverse();
        }
        Ok(bytes)
    }

    fn word(&mut self) -> Result<u32> {
        self.take().map(u32::from_le_bytes)
    }

    /// The number of things that follow, each of which has at least `size` bytes.
    fn count(&mut self, size: usize) -> Result<usize> {
        let count = self.word()? as usize;
        if count.checked_mul(size).is_none_or(|needed| needed > self.rest.len()) {
            return Err(wrong_size());
        }
        Ok(count)
    }

    fn geometry(&mut self, depth: usize) -> Result<Geometry> {
        if depth > DEPTH_MAX {
            return Err(malformed("Geometry has too many chained collections"));
        }
        self.is_little = match self.take::<1>()? {
            [0] => false,
            [1] => true,
            _ => return Err(malformed("Invalid endian flag value encountered.")),
        };
        let word = self.word()?;
        let code = word & 0x0fff_ffff;
        // The standard's form adds thousands for dimensions.
        let thousands = code / 1000;
        let dimensions = Dimensions {
            z: word & HAS_Z != 0 || thousands == 1 || thousands == 3,
            m: word & HAS_M != 0 || thousands == 2 || thousands == 3,
        };
        let kind = Kind::numbered(code % 1000)
            .ok_or_else(|| malformed(format!("Unknown WKB type ({})!", code % 1000)))?;
        let srid = if word & HAS_SRID != 0 { self.word()? as i32 } else { 0 };
        let shape = self.shape(kind, dimensions, depth)?.checked()?;
        Ok(Geometry { srid, dimensions, shape })
    }

    fn shape(&mut self, kind: Kind, dimensions: Dimensions, depth: usize) -> Result<Shape> {
        Ok(match kind {
            Kind::Point => {
                let at = self.coordinate(dimensions)?;
                Shape::Point((!at.x.is_nan()).then_some(at))
            }
            Kind::LineString => Shape::Line(self.line(dimensions)?),
            Kind::Polygon => {
                let count = self.count(4)?;
                Shape::Polygon((0..count).map(|_| self.line(dimensions)).collect::<Result<_>>()?)
            }
            _ => {
                let count = self.count(5)?;
                let members = (0..count).map(|_| Ok(self.geometry(depth + 1)?.shape));
                Shape::Collection(kind, members.collect::<Result<_>>()?)
            }
        })
    }

    fn line(&mut self, dimensions: Dimensions) -> Result<Vec<Coordinate>> {
        let count = self.count(8 * dimensions.count())?;
        (0..count).map(|_| self.coordinate(dimensions)).collect()
    }

    fn coordinate(&mut self, dimensions: Dimensions) -> Result<Coordinate> {
        let mut numbers = [0.0; 4];
        for number in &mut numbers[..dimensions.count()] {
            *number = f64::from_le_bytes(self.take()?);
        }
        Ok(dimensions.coordinate(&numbers))
    }
}

pub(super) fn write(geometry: &Geometry, with_srid: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    let srid = (with_srid && geometry.srid != 0).then_some(geometry.srid);
    write_shape(&mut bytes, &geometry.shape, geometry.dimensions, srid);
    bytes
}

fn write_shape(bytes: &mut Vec<u8>, shape: &Shape, dimensions: Dimensions, srid: Option<i32>) {
    let flag = |set: bool, flag: u32| if set { flag } else { 0 };
    let flags = flag(dimensions.z, HAS_Z) | flag(dimensions.m, HAS_M) | flag(srid.is_some(), HAS_SRID);
    bytes.push(1);
    bytes.extend((shape.kind() as u32 | flags).to_le_bytes());
    bytes.extend(srid.iter().flat_map(|srid| srid.to_le_bytes()));
    match shape {
        Shape::Point(Some(at)) => write_points(bytes, std::slice::from_ref(at), dimensions),
        Shape::Point(None) => (0..dimensions.count()).for_each(|_| bytes.extend(f64::NAN.to_le_bytes())),
        Shape::Line(line) => {
            write_count(bytes, line.len());
            write_points(bytes, line, dimensions);
        }
        Shape::Polygon(rings) => {
            write_count(bytes, rings.len());
            for ring in rings {
                write_count(bytes, ring.len());
                write_points(bytes, ring, dimensions);
            }
        }
        Shape::Collection(_, members) => {
            write_count(bytes, members.len());
            members.iter().for_each(|member| write_shape(bytes, member, dimensions, None));
        }
    }
}

fn write_count(bytes: &mut Vec<u8>, count: usize) {
    bytes.extend((count as u32).to_le_bytes());
}

fn write_points(bytes: &mut Vec<u8>, points: &[Coordinate], dimensions: Dimensions) {
    let numbers = points.iter().flat_map(|at| dimensions.numbers(at));
    bytes.extend(numbers.flat_map(f64::to_le_bytes));
}
