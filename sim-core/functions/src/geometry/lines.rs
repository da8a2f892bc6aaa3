//! Points along lines, their changes, and their short texts.

use rusqlite::types::Value;
use sim_values::value::geometry::{Coordinate, Geometry, Kind, LONGITUDE_LATITUDE, Shape};

use super::plane::{self, Parts};
use super::{F, G, I, T, function, invalid, number, pair, shape, stored, with};
use crate::text::own;
use crate::{Arguments, Function};
use sim_values::error::{Result, SqlError};

pub(in super::super) static FUNCTIONS: &[Function] = &[
    function("st_lineinterpolatepoint", &[G, F], G, interpolated),
    function("st_linelocatepoint", &[G, G], F, located),
    function("st_linesubstring", &[G, F, F], G, part),
    function("st_addpoint", &[G, G, I], G, added).optional(1),
    function("st_setpoint", &[G, I, G], G, |a| {
        let at = point(&shape(a, 2)?, "Third argument must be a POINT")?;
        changed(a, |line| {
            let index = place(a.int(1), line.len())?;
            line[index] = at;
            Ok(())
        })
    }),
    function("st_removepoint", &[G, I], G, |a| {
        changed(a, |line| {
            let index = usize::try_from(a.int(1)).ok().filter(|index| *index < line.len());
            let Some(index) = index else {
                return Err(invalid(format!(
                    "Point index out of range (0..{})",
                    line.len().saturating_sub(1)
                )));
            };
            if line.len() < 3 {
                return Err(invalid("Can't remove points from a single segment line"));
            }
            line.remove(index);
            Ok(())
        })
    }),
    function("st_points", &[G], G, |a| {
        let read = shape(a, 0)?;
        let mut members = Vec::new();
        read.shape.each(&mut |at| members.push(Shape::Point(Some(*at))));
        with(read, Shape::Collection(Kind::MultiPoint, members))
    }),
    function("st_asencodedpolyline", &[G, I], T, encoded).optional(1),
    function("st_linefromencodedpolyline", &[T, I], G, decoded).optional(1),
];

fn line<'a>(read: &'a Geometry, message: &str) -> Result<&'a [Coordinate]> {
    match &read.shape {
        Shape::Line(line) => Ok(line),
        _ => Err(invalid(message)),
    }
}

fn point(read: &Geometry, message: &str) -> Result<Coordinate> {
    match read.shape {
        Shape::Point(Some(at)) => Ok(at),
        _ => Err(invalid(message)),
    }
}

fn interpolated(a: &Arguments<'_, '_>) -> Result<Value> {
    let read = shape(a, 0)?;
    let share = a.real(1);
    if !(0.0..=1.0).contains(&share) {
        return Err(invalid("line_interpolate_point: 2nd arg isn't within [0,1]"));
    }
    let line = line(&read, "line_interpolate_point: 1st arg isn't a line")?;
    let mut rest = share * plane::length(line);
    let mut found = line.last().copied();
    for pair in line.windows(2) {
        let length = (pair[1].x - pair[0].x).hypot(pair[1].y - pair[0].y);
        if rest <= length {
            let share = if length > 0.0 { rest / length } else { 0.0 };
            found = Some(plane::between(&pair[0], &pair[1], share));
            break;
        }
        rest -= length;
    }
    with(read, Shape::Point(found))
}

/// The share of a line's length that is before the place nearest to a point.
fn located(a: &Arguments<'_, '_>) -> Result<Value> {
    let (read, other) = pair(a, "ST_LineLocatePoint")?;
    let line = line(&read, "line_locate_point: 1st arg isn't a line")?;
    let at = point(&other, "line_locate_point: 2nd arg isn't a point")?;
    let all = plane::length(line);
    if all == 0.0 {
        return number(Some(0.0));
    }
    let (mut before, mut found, mut nearest) = (0.0, 0.0, f64::INFINITY);
    for ends in line.windows(2) {
        let (from, to) = (&ends[0], &ends[1]);
        let length = (to.x - from.x).hypot(to.y - from.y);
        let distance = plane::from_piece(&at, (from, to));
        if distance < nearest {
            nearest = distance;
            let place = plane::between(from, to, plane::nearest_share(&at, (from, to)));
            found = before + (place.x - from.x).hypot(place.y - from.y);
        }
        before += length;
    }
    number(Some((found / all).min(1.0)))
}

/// The part of a line between two shares of its length.
fn part(a: &Arguments<'_, '_>) -> Result<Value> {
    let read = shape(a, 0)?;
    let (from, to) = (a.real(1), a.real(2));
    if !(0.0..=1.0).contains(&from) {
        return Err(invalid("line_interpolate_point: 2nd arg isn't within [0,1]"));
    }
    if !(0.0..=1.0).contains(&to) {
        return Err(invalid("line_interpolate_point: 3rd arg isn't within [0,1]"));
    }
    if from > to {
        return Err(invalid("2nd arg must be smaller then 3rd arg"));
    }
    if matches!(read.shape, Shape::Collection(Kind::MultiLineString, _)) {
        return Err(SqlError::unsupported("ST_LineSubstring of several lines"));
    }
    let points = between(line(&read, "line_substring: 1st arg isn't a line")?, from, to);
    let found = match points[..] {
        [at] => Shape::Point(Some(at)),
        _ => Shape::Line(points),
    };
    with(read, found)
}

/// The points of a line between two shares of its length.
fn between(line: &[Coordinate], from: f64, to: f64) -> Vec<Coordinate> {
    let all = plane::length(line);
    let (from, to) = (from * all, to * all);
    let (mut before, mut points) = (0.0, Vec::new());
    let mut add = |at: Coordinate| {
        if points.last() != Some(&at) {
            points.push(at);
        }
    };
    for ends in line.windows(2) {
        let length = (ends[1].x - ends[0].x).hypot(ends[1].y - ends[0].y);
        let after = before + length;
        if length > 0.0 && from <= after && to >= before {
            let at = |place: f64| match (place - before) / length {
                ..=0.0 => ends[0],
                1.0.. => ends[1],
                share => plane::between(&ends[0], &ends[1], share),
            };
            add(at(from));
            add(at(to));
        }
        before = after;
    }
    points
}

/// The place of a point that is counted from the end if it is negative.
fn place(index: i64, length: usize) -> Result<usize> {
    let counted = if index < 0 { index.saturating_add(length as i64) } else { index };
    let found = usize::try_from(counted).ok().filter(|place| *place < length);
    found.ok_or_else(|| {
        invalid(format!("abs(Point index) out of range (-)({}..{})", 0, length.saturating_sub(1)))
    })
}

fn added(a: &Arguments<'_, '_>) -> Result<Value> {
    let at = point(&pair(a, "ST_AddPoint")?.1, "Second argument must be a POINT")?;
    changed(a, |line| {
        let index = if a.len() > 2 { a.int(2) } else { -1 };
        let index = if index == -1 { line.len() as i64 } else { index };
        let place = usize::try_from(index).ok().filter(|place| *place <= line.len());
        line.insert(place.ok_or_else(|| invalid(format!("Invalid offset {index}")))?, at);
        Ok(())
    })
}

fn changed(a: &Arguments<'_, '_>, change: impl FnOnce(&mut Vec<Coordinate>) -> Result<()>) -> Result<Value> {
    let mut read = shape(a, 0)?;
    let Shape::Line(line) = &mut read.shape else {
        return Err(invalid("First argument must be a LINESTRING"));
    };
    change(line)?;
    stored(&read)
}

/// The most decimals of an encoded line.
const DECIMALS_MAX: i64 = 15;

fn factor(a: &Arguments<'_, '_>) -> f64 {
    let decimals = if a.len() > 1 { a.int(1).clamp(0, DECIMALS_MAX) } else { 5 };
    10_f64.powi(decimals as i32)
}

/// The line in the text of five bits a letter that maps of the web use.
fn encoded(a: &Arguments<'_, '_>) -> Result<Value> {
    let read = shape(a, 0)?;
    if read.srid != LONGITUDE_LATITUDE {
        return Err(invalid("Only SRID 4326 is supported."));
    }
    let parts = Parts::of(&read.shape);
    if parts.lines.is_empty() || !parts.areas.is_empty() || parts.lines.len() > 1 {
        return Err(SqlError::unsupported("ST_AsEncodedPolyline of another shape than a line"));
    }
    let factor = factor(a);
    let (mut text, mut last) = (String::new(), (0_i64, 0_i64));
    for at in parts.lines[0] {
        let now = ((at.y * factor).round() as i64, (at.x * factor).round() as i64);
        for step in [now.0 - last.0, now.1 - last.1] {
            let mut rest = (step << 1) ^ (step >> 63);
            while rest >= 0x20 {
                text.push(char::from((0x20 | (rest & 0x1f)) as u8 + 63));
                rest >>= 5;
            }
            text.push(char::from(rest as u8 + 63));
        }
        last = now;
    }
    own(text)
}

fn decoded(a: &Arguments<'_, '_>) -> Result<Value> {
    a.budget().work(a.text(0).len())?;
    let factor = factor(a);
    let mut letters = a.text(0).bytes();
    let mut step = || {
        let (mut number, mut shift) = (0_i64, 0);
        loop {
            let bits = i64::from(letters.next()?.checked_sub(63)?);
            if shift < 60 {
                number |= (bits & 0x1f) << shift;
            }
            shift += 5;
            if bits < 0x20 {
                return Some((number >> 1) ^ -(number & 1));
            }
        }
    };
    let (mut up, mut across, mut points) = (0_i64, 0_i64, Vec::new());
    while let (Some(to_north), Some(to_east)) = (step(), step()) {
        (up, across) = (up.wrapping_add(to_north), across.wrapping_add(to_east));
        points.push(Coordinate::of(across as f64 / factor, up as f64 / factor));
    }
    stored(&Geometry::of(LONGITUDE_LATITUDE, Shape::Line(points)))
}
