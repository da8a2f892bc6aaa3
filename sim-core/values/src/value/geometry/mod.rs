//! Shapes, as the extension `postgis` has them. They are stored as it prints them: its binary form in hexadecimal digits.

mod binary;
mod geojson;
mod words;

use std::fmt;

pub use geojson::geojson;
pub use words::{number, words};

use crate::error::{Result, SqlError, SqlState};
use crate::types::Type;

/// The reference system of longitude and latitude.
pub const LONGITUDE_LATITUDE: i32 = 4326;
/// The reference system of web maps.
pub const WEB_MAP: i32 = 3857;

/// The decimals of GeoJSON, if none are asked for.
pub const DECIMALS_OF_GEOJSON: usize = 9;

/// The reference systems in longitude and latitude that `geography` accepts.
const DEGREES: &[i32] = &[LONGITUDE_LATITUDE, 4258, 4269, 4267];
/// The most levels of collections in collections.
const DEPTH_MAX: usize = 32;

/// A kind of shapes, by its number in the binary form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A point.
    Point = 1,
    /// A line of two points or more.
    LineString,
    /// An area.
    Polygon,
    /// Points.
    MultiPoint,
    /// Lines.
    MultiLineString,
    /// Areas.
    MultiPolygon,
    /// Shapes of any kind.
    GeometryCollection,
}

impl Kind {
    const ALL: [Kind; 7] = [
        Kind::Point,
        Kind::LineString,
        Kind::Polygon,
        Kind::MultiPoint,
        Kind::MultiLineString,
        Kind::MultiPolygon,
        Kind::GeometryCollection,
    ];

    /// The kind with this number.
    pub fn numbered(number: u32) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| *kind as u32 == number)
    }

    /// The kind with this name in any case.
    pub fn named(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(name))
    }

    /// Its name: `LineString`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Point => "Point",
            Kind::LineString => "LineString",
            Kind::Polygon => "Polygon",
            Kind::MultiPoint => "MultiPoint",
            Kind::MultiLineString => "MultiLineString",
            Kind::MultiPolygon => "MultiPolygon",
            Kind::GeometryCollection => "GeometryCollection",
        }
    }

    /// The kind of the collections of only such shapes.
    pub fn collected(self) -> Kind {
        match self {
            Kind::Point => Kind::MultiPoint,
            Kind::LineString => Kind::MultiLineString,
            Kind::Polygon => Kind::MultiPolygon,
            _ => Kind::GeometryCollection,
        }
    }

    /// The kind of the members; `None` if they may have any, or if it has none.
    fn member(self) -> Option<Kind> {
        match self {
            Kind::MultiPoint => Some(Kind::Point),
            Kind::MultiLineString => Some(Kind::LineString),
            Kind::MultiPolygon => Some(Kind::Polygon),
            _ => None,
        }
    }
}

/// A point of a shape. What the shape has no dimension for is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coordinate {
    /// Its place along the first axis: the longitude, if it is on the Earth.
    pub x: f64,
    /// Its place along the second axis: the latitude.
    pub y: f64,
    /// Its height.
    pub z: f64,
    /// Its measure.
    pub m: f64,
}

impl Coordinate {
    /// A point in the plane.
    pub fn of(x: f64, y: f64) -> Coordinate {
        Coordinate { x, y, z: 0.0, m: 0.0 }
    }
}

/// The dimensions of a shape beyond the plane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dimensions {
    /// Whether points have a height.
    pub z: bool,
    /// Whether points have a measure.
    pub m: bool,
}

impl Dimensions {
    /// How many numbers a point has.
    pub fn count(self) -> usize {
        2 + usize::from(self.z) + usize::from(self.m)
    }

    /// The numbers of a point.
    fn numbers(self, at: &Coordinate) -> impl Iterator<Item = f64> {
        [Some(at.x), Some(at.y), self.z.then_some(at.z), self.m.then_some(at.m)].into_iter().flatten()
    }

    /// The point with these numbers, of which there are [`count`](Dimensions::count).
    fn coordinate(self, numbers: &[f64]) -> Coordinate {
        let number = |index: usize| numbers.get(index).copied().unwrap_or_default();
        let z = if self.z { number(2) } else { 0.0 };
        let m = if self.m { number(2 + usize::from(self.z)) } else { 0.0 };
        Coordinate { x: number(0), y: number(1), z, m }
    }
}

/// The points of a shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A point; `None` if it is empty.
    Point(Option<Coordinate>),
    /// A line.
    Line(Vec<Coordinate>),
    /// The outer ring and the holes, each closed.
    Polygon(Vec<Vec<Coordinate>>),
    /// Several shapes; the kind is that of the collection.
    Collection(Kind, Vec<Shape>),
}

impl Shape {
    /// Its kind.
    pub fn kind(&self) -> Kind {
        match self {
            Shape::Point(_) => Kind::Point,
            Shape::Line(_) => Kind::LineString,
            Shape::Polygon(_) => Kind::Polygon,
            Shape::Collection(kind, _) => *kind,
        }
    }

    /// Calls `visit` with each of its points.
    pub fn each(&self, visit: &mut dyn FnMut(&Coordinate)) {
        match self {
            Shape::Point(at) => at.iter().for_each(visit),
            Shape::Line(line) => line.iter().for_each(visit),
            Shape::Polygon(rings) => rings.iter().flatten().for_each(visit),
            Shape::Collection(_, members) => members.iter().for_each(|member| member.each(visit)),
        }
    }

    /// The same shape with each point changed.
    pub fn map(&self, change: &dyn Fn(&Coordinate) -> Coordinate) -> Shape {
        let line = |line: &Vec<Coordinate>| line.iter().map(change).collect::<Vec<_>>();
        match self {
            Shape::Point(at) => Shape::Point(at.as_ref().map(change)),
            Shape::Line(points) => Shape::Line(line(points)),
            Shape::Polygon(rings) => Shape::Polygon(rings.iter().map(line).collect()),
            Shape::Collection(kind, members) => {
                Shape::Collection(*kind, members.iter().map(|member| member.map(change)).collect())
            }
        }
    }

    /// Whether it has no point.
    pub fn is_empty(&self) -> bool {
        match self {
            Shape::Point(at) => at.is_none(),
            Shape::Line(line) => line.is_empty(),
            Shape::Polygon(rings) => rings.is_empty(),
            Shape::Collection(_, members) => members.iter().all(Shape::is_empty),
        }
    }

    /// Refuses lines of one point and rings that are not closed.
    fn checked(self) -> Result<Shape> {
        const POINTS_OF_A_RING: usize = 4;
        let short = || malformed("geometry requires more points");
        match &self {
            Shape::Line(line) if line.len() == 1 => return Err(short()),
            Shape::Polygon(rings) => {
                for ring in rings {
                    if ring.len() < POINTS_OF_A_RING {
                        return Err(short());
                    }
                    let ends = ring.first().zip(ring.last());
                    if ends.is_some_and(|(first, last)| (first.x, first.y) != (last.x, last.y)) {
                        return Err(malformed("geometry contains non-closed rings"));
                    }
                }
            }
            _ => {}
        }
        Ok(self)
    }
}

/// A shape with its reference system.
#[derive(Clone, Debug, PartialEq)]
pub struct Geometry {
    /// The number of its reference system; 0 if it has none.
    pub srid: i32,
    /// What its points have beyond the plane.
    pub dimensions: Dimensions,
    /// Its points.
    pub shape: Shape,
}

impl Geometry {
    /// A shape in the plane.
    pub fn of(srid: i32, shape: Shape) -> Geometry {
        Geometry { srid, dimensions: Dimensions::default(), shape }
    }

    /// Reads the stored form. Anything else is an empty collection.
    pub fn stored(text: &str) -> Geometry {
        binary::of_digits(text)
            .unwrap_or_else(|_| Geometry::of(0, Shape::Collection(Kind::GeometryCollection, Vec::new())))
    }

    /// Reads a binary form.
    ///
    /// # Errors
    ///
    /// 22P02 if it is none.
    pub fn of_bytes(bytes: &[u8]) -> Result<Geometry> {
        binary::read(bytes)
    }

    /// Its binary form, with or without the reference system.
    pub fn bytes(&self, with_srid: bool) -> Vec<u8> {
        binary::write(self, with_srid)
    }

    /// Reads a shape from GeoJSON.
    ///
    /// # Errors
    ///
    /// 22P02 if it is none.
    pub fn of_geojson(text: &str) -> Result<Geometry> {
        geojson::read(text)
    }

    /// Reads a shape in any of the forms that the extension reads: words, hexadecimal digits, GeoJSON.
    ///
    /// # Errors
    ///
    /// 22P02 if it is none of them.
    pub fn parse(text: &str) -> Result<Geometry> {
        let text = text.trim_start();
        match text.as_bytes().first() {
            Some(b'0') => binary::of_digits(text.trim_end()),
            Some(b'{') => geojson::read(text),
            _ => words::read(text),
        }
    }

    /// The same shape in longitude and latitude. Degrees beyond their range are brought into it.
    ///
    /// # Errors
    ///
    /// 22023 for another reference system.
    pub fn geographic(self) -> Result<Geometry> {
        let srid = if self.srid == 0 { LONGITUDE_LATITUDE } else { self.srid };
        lonlat(srid)?;
        let within = |at: &Coordinate| Coordinate { x: longitude(at.x), y: latitude(at.y), ..*at };
        Ok(Geometry { srid, shape: self.shape.map(&within), ..self })
    }
}

/// Checks that a reference system is in longitude and latitude.
fn lonlat(srid: i32) -> Result<()> {
    if DEGREES.contains(&srid) {
        return Ok(());
    }
    Err(parameter("Only lon/lat coordinate systems are supported in geography."))
}

fn longitude(degrees: f64) -> f64 {
    if degrees.abs() <= 180.0 {
        return degrees;
    }
    let rest = degrees % 360.0;
    match rest {
        rest if rest > 180.0 => rest - 360.0,
        rest if rest < -180.0 => rest + 360.0,
        rest => rest,
    }
}

fn latitude(degrees: f64) -> f64 {
    if degrees.abs() <= 90.0 {
        return degrees;
    }
    let rest = longitude(degrees);
    match rest {
        rest if rest > 90.0 => 180.0 - rest,
        rest if rest < -90.0 => -180.0 - rest,
        rest => rest,
    }
}

impl fmt::Display for Geometry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.bytes(true).iter().try_for_each(|byte| write!(f, "{byte:02X}"))
    }
}

fn malformed(message: impl Into<String>) -> SqlError {
    SqlError::new(SqlState::INVALID_TEXT, message.into())
}

fn parameter(message: impl Into<String>) -> SqlError {
    SqlError::new(SqlState::INVALID_PARAMETER, message.into())
}

/// Reads the text of a `geometry` or `geography`, and gives the stored form.
///
/// # Errors
///
/// 22P02 for another text; 22023 for a reference system that the type does not take.
pub fn parse(type_: Type, text: &str) -> Result<String> {
    let read = Geometry::parse(text)?;
    Ok(if type_ == Type::GEOGRAPHY { read.geographic()? } else { read }.to_string())
}

/// What a column of shapes accepts, as a type's modifier says it.
struct Accepted {
    srid: i32,
    kind: Option<Kind>,
    dimensions: Dimensions,
}

impl Accepted {
    fn of(modifier: i32) -> Accepted {
        let dimensions = Dimensions { z: modifier & 2 != 0, m: modifier & 1 != 0 };
        let kind = Kind::numbered((modifier >> 2 & 0x3f) as u32);
        Accepted { srid: modifier >> 8 & 0x1f_ffff, kind, dimensions }
    }
}

/// The modifier of a type of shapes for `(PointZ, 4326)`.
///
/// # Errors
///
/// 22023 and 22P02 for other words.
pub fn modifier(type_: Type, words: &[String]) -> Result<i32> {
    let word = words.first().map_or("", |word| word.trim().trim_matches(['\'', '"']));
    let lower = word.to_ascii_lowercase();
    let suffixes = [("zm", true, true), ("z", true, false), ("m", false, true), ("", false, false)];
    let read = suffixes.into_iter().find_map(|(suffix, z, m)| {
        let name = lower.strip_suffix(suffix)?.trim_end();
        let kind = if name == "geometry" { 0 } else { Kind::named(name)? as i32 };
        Some(kind << 2 | i32::from(z) << 1 | i32::from(m))
    });
    let form = read.ok_or_else(|| parameter(format!("Invalid geometry type modifier: {lower}")))?;
    let given = words.get(1).map(|srid| {
        let srid = srid.trim();
        let read = srid.parse::<i32>().ok().filter(|srid| (0..=999_999).contains(srid));
        read.ok_or_else(|| malformed(format!("invalid input syntax for type integer: \"{srid}\"")))
    });
    let srid = match given.transpose()?.unwrap_or_default() {
        0 if type_ == Type::GEOGRAPHY => LONGITUDE_LATITUDE,
        srid => srid,
    };
    if type_ == Type::GEOGRAPHY {
        lonlat(srid)?;
    }
    Ok(srid << 8 | form)
}

/// The modifier as a type shows it: `(Point,4326)`.
pub fn shown(modifier: i32) -> String {
    let Accepted { srid, kind, dimensions } = Accepted::of(modifier);
    let name = kind.map_or("Geometry", Kind::name);
    let z = if dimensions.z { "Z" } else { "" };
    let m = if dimensions.m { "M" } else { "" };
    let srid = if srid == 0 { String::new() } else { format!(",{srid}") };
    format!("({name}{z}{m}{srid})")
}

/// Fits a stored shape to a column with this modifier.
///
/// # Errors
///
/// 22023 if the column does not take it.
pub fn fit(text: &str, modifier: i32) -> Result<String> {
    let accepted = Accepted::of(modifier);
    let mut geometry = Geometry::stored(text);
    let kind = geometry.shape.kind();
    if geometry.srid == 0 {
        geometry.srid = accepted.srid;
    }
    if accepted.srid != 0 && geometry.srid != accepted.srid {
        let message =
            format!("Geometry SRID ({}) does not match column SRID ({})", geometry.srid, accepted.srid);
        return Err(parameter(message).nowhere());
    }
    let is_collection = matches!(geometry.shape, Shape::Collection(..));
    let takes = |wanted: Kind| wanted == kind || wanted == Kind::GeometryCollection && is_collection;
    if let Some(wanted) = accepted.kind.filter(|wanted| !takes(*wanted)) {
        let (kind, wanted) = (kind.name(), wanted.name());
        return Err(
            parameter(format!("Geometry type ({kind}) does not match column type ({wanted})")).nowhere()
        );
    }
    let (has, takes) = (geometry.dimensions, accepted.dimensions);
    for (dimension, has, takes) in [("Z", has.z, takes.z), ("M", has.m, takes.m)] {
        if takes && !has {
            return Err(
                parameter(format!("Column has {dimension} dimension but geometry does not")).nowhere()
            );
        }
        if has && !takes {
            return Err(
                parameter(format!("Geometry has {dimension} dimension but column does not")).nowhere()
            );
        }
    }
    Ok(geometry.to_string())
}

type Corner = (f64, f64);

/// A `box2d` as it is printed, of its least and greatest corners.
pub fn box_text(least: Corner, most: Corner) -> String {
    let corner = |(x, y): Corner| format!("{} {}", number(x, 15), number(y, 15));
    format!("BOX({},{})", corner(least), corner(most))
}

/// Reads the least and greatest corners of a `box2d`.
pub fn read_box(text: &str) -> Option<(Corner, Corner)> {
    let inner = text.trim().strip_prefix("BOX(")?.strip_suffix(')')?;
    let (least, most) = inner.split_once(',')?;
    let corner = |text: &str| {
        let (x, y) = text.trim().split_once(' ')?;
        Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
    };
    Some((corner(least)?, corner(most)?))
}

/// Reads the text of a `box2d`.
pub fn parse_box(text: &str) -> Option<String> {
    let (a, b): (Corner, Corner) = read_box(text)?;
    Some(box_text((a.0.min(b.0), a.1.min(b.1)), (a.0.max(b.0), a.1.max(b.1))))
}
