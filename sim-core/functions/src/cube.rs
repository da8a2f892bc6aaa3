//! Points on a plane, and the extensions `cube` and `earthdistance`.

use rusqlite::types::Value;

use super::text::{own, truth};
use super::{Arguments, Function};
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;
use sim_values::value::array;
use sim_values::value::cube::{self, Cube, DIMENSIONS_MAX, parse_point, print_point};

const C: Type = Type::CUBE;
const F8: Type = Type::FLOAT8;
const F8S: Type = Type(1022);
const I: Type = Type::INT4;
const P: Type = Type::POINT;
const BOOL: Type = Type::BOOL;
const BOTH: &[Type] = &[C, C];

/// The radius of the earth in miles, as `<@>` of points has it.
const RADIUS: f64 = 3958.747716;

pub(super) static FUNCTIONS: &[Function] = &[
    Function::rust("point", &[F8, F8], P, |a| own(print_point((a.real(0), a.real(1))))),
    Function::rust(AT, &[P, I], F8, |a| {
        let (x, y) = point(a, 0);
        Ok(match a.int(1) {
            0 => Value::Real(x),
            1 => Value::Real(y),
            _ => Value::Null,
        })
    }),
    Function::rust(AT, &[Type::BOX, I], P, super::figures::point_at),
    Function::rust(AT, &[Type::LSEG, I], P, super::figures::point_at),
    Function::rust(AT, &[Type::LINE, I], F8, super::figures::number_at),
    Function::rust("<->", &[P, P], F8, |a| Ok(Value::Real(super::figures::apart(point(a, 0), point(a, 1))))),
    Function::rust("<@>", &[P, P], F8, |a| Ok(Value::Real(miles(point(a, 0), point(a, 1)))))
        .of_extension("earthdistance"),
    of("cube", &[F8], C, |a| made(vec![a.real(0)], vec![a.real(0)])),
    of("cube", &[F8, F8], C, |a| made(vec![a.real(0)], vec![a.real(1)])),
    of("cube", &[F8S], C, |a| made(numbers(a, 0)?, numbers(a, 0)?)),
    of("cube", &[F8S, F8S], C, |a| {
        let (from, to) = (numbers(a, 0)?, numbers(a, 1)?);
        if from.len() != to.len() {
            let message = "UR and LL arrays must be of same length";
            return Err(SqlError::new(SqlState::new("2202E"), message));
        }
        made(from, to)
    }),
    of("cube", &[C, F8], C, |a| extended(a, a.real(1), a.real(1))),
    of("cube", &[C, F8, F8], C, |a| extended(a, a.real(1), a.real(2))),
    of("cube_dim", &[C], I, |a| Ok(Value::Integer(read(a, 0)?.from.len() as i64))),
    of("cube_ll_coord", &[C, I], F8, |a| Ok(Value::Real(read(a, 0)?.lower(place(a.int(1)))))),
    of("cube_ur_coord", &[C, I], F8, |a| Ok(Value::Real(read(a, 0)?.upper(place(a.int(1)))))),
    of("cube_is_point", &[C], BOOL, |a| truth(read(a, 0)?.is_point())),
    of("cube_distance", BOTH, F8, |a| distance(a, euclid)),
    of("<->", BOTH, F8, |a| distance(a, euclid)),
    of("distance_taxicab", BOTH, F8, |a| distance(a, |gaps| gaps.sum())),
    of("<#>", BOTH, F8, |a| distance(a, |gaps| gaps.sum())),
    of("distance_chebyshev", BOTH, F8, |a| distance(a, |gaps| gaps.fold(0.0, f64::max))),
    of("<=>", BOTH, F8, |a| distance(a, |gaps| gaps.fold(0.0, f64::max))),
    of("cube_contains", BOTH, BOOL, |a| truth(contains(&read(a, 0)?, &read(a, 1)?))),
    of("@>", BOTH, BOOL, |a| truth(contains(&read(a, 0)?, &read(a, 1)?))),
    of("cube_contained", BOTH, BOOL, |a| truth(contains(&read(a, 1)?, &read(a, 0)?))),
    of("<@", BOTH, BOOL, |a| truth(contains(&read(a, 1)?, &read(a, 0)?))),
    of("cube_overlap", BOTH, BOOL, overlaps),
    of("&&", BOTH, BOOL, overlaps),
    of("cube_union", BOTH, C, |a| joined(a, f64::min, f64::max)),
    of("cube_inter", BOTH, C, |a| joined(a, f64::max, f64::min)),
    of("cube_size", &[C], F8, |a| {
        let cube = read(a, 0)?;
        Ok(Value::Real(cube.from.iter().zip(&cube.to).map(|(from, to)| (to - from).abs()).product()))
    }),
    of("cube_enlarge", &[C, F8, I], C, enlarged),
];

/// The function of a subscript of a point.
pub const AT: &str = "pg_point_at";

const fn of(
    name: &'static str,
    arguments: &'static [Type],
    returns: Type,
    call: fn(&Arguments<'_, '_>) -> Result<Value>,
) -> Function {
    Function::rust(name, arguments, returns, call).of_extension("cube")
}

fn point(a: &Arguments<'_, '_>, index: usize) -> (f64, f64) {
    parse_point(a.text(index)).unwrap_or_default()
}

/// The way between two points with degrees east and north.
fn miles(from: (f64, f64), to: (f64, f64)) -> f64 {
    let radians = |(x, y): (f64, f64)| (x.to_radians(), y.to_radians());
    let ((long1, lat1), (long2, lat2)) = (radians(from), radians(to));
    let across = (long1 - long2).abs();
    let across = if across > std::f64::consts::PI { std::f64::consts::TAU - across } else { across };
    let (up, over) = (((lat1 - lat2).abs() / 2.0).sin(), (across / 2.0).sin());
    let sine = (up * up + lat1.cos() * lat2.cos() * over * over).sqrt().min(1.0);
    2.0 * RADIUS * sine.asin()
}

fn read(a: &Arguments<'_, '_>, index: usize) -> Result<Cube> {
    a.budget().work(a.text(index).len() / 4)?;
    Ok(cube::read(a.text(index)))
}

fn made(from: Vec<f64>, to: Vec<f64>) -> Result<Value> {
    if from.len() > DIMENSIONS_MAX {
        let message = "can't extend cube";
        return Err(SqlError::new(SqlState::new("54000"), message)
            .detail(format!("A cube cannot have more than {DIMENSIONS_MAX} dimensions.")));
    }
    own(Cube { from, to }.print())
}

fn numbers(a: &Arguments<'_, '_>, index: usize) -> Result<Vec<f64>> {
    a.budget().work(a.text(index).len() / 4)?;
    let number = |item: serde_json::Value| match item {
        serde_json::Value::String(text) => Ok(text.parse().unwrap_or(f64::NAN)),
        item => item
            .as_f64()
            .ok_or_else(|| SqlError::new(SqlState::new("2202E"), "cannot work with arrays containing NULLs")),
    };
    array::elements(a.text(index)).into_iter().map(number).collect()
}

/// A cube with another dimension.
fn extended(a: &Arguments<'_, '_>, from: f64, to: f64) -> Result<Value> {
    let mut cube = read(a, 0)?;
    cube.from.push(from);
    cube.to.push(to);
    made(cube.from, cube.to)
}

/// The place of a dimension that counts from one.
fn place(number: i64) -> usize {
    usize::try_from(number).ok().and_then(|number| number.checked_sub(1)).unwrap_or(usize::MAX)
}

fn dimensions(left: &Cube, right: &Cube) -> usize {
    left.from.len().max(right.from.len())
}

fn euclid(gaps: &mut dyn Iterator<Item = f64>) -> f64 {
    gaps.map(|gap| gap * gap).sum::<f64>().sqrt()
}

/// The distance of two cubes by the gaps between them in each dimension.
fn distance(a: &Arguments<'_, '_>, of: fn(&mut dyn Iterator<Item = f64>) -> f64) -> Result<Value> {
    let (left, right) = (read(a, 0)?, read(a, 1)?);
    let gap = |at| (left.lower(at) - right.upper(at)).max(right.lower(at) - left.upper(at)).max(0.0);
    Ok(Value::Real(of(&mut (0..dimensions(&left, &right)).map(gap))))
}

fn contains(whole: &Cube, part: &Cube) -> bool {
    (0..dimensions(whole, part))
        .all(|at| whole.lower(at) <= part.lower(at) && part.upper(at) <= whole.upper(at))
}

fn overlaps(a: &Arguments<'_, '_>) -> Result<Value> {
    let (left, right) = (read(a, 0)?, read(a, 1)?);
    let meets = |at| left.lower(at) <= right.upper(at) && right.lower(at) <= left.upper(at);
    truth((0..dimensions(&left, &right)).all(meets))
}

fn joined(a: &Arguments<'_, '_>, lower: fn(f64, f64) -> f64, upper: fn(f64, f64) -> f64) -> Result<Value> {
    let (left, right) = (read(a, 0)?, read(a, 1)?);
    let all = 0..dimensions(&left, &right);
    let from = all.clone().map(|at| lower(left.lower(at), right.lower(at))).collect();
    made(from, all.map(|at| upper(left.upper(at), right.upper(at))).collect())
}

/// A cube whose sides move by a length, in at least so many dimensions.
fn enlarged(a: &Arguments<'_, '_>) -> Result<Value> {
    let (cube, by) = (read(a, 0)?, a.real(1));
    let wanted = usize::try_from(a.int(2)).unwrap_or(0).min(DIMENSIONS_MAX);
    let count = if by > 0.0 { cube.from.len().max(wanted) } else { cube.from.len() };
    let side = |at| {
        let (lower, upper) = (cube.lower(at) - by, cube.upper(at) + by);
        // One that shrinks to less than nothing is its middle.
        if lower > upper {
            (f64::midpoint(lower, upper), f64::midpoint(lower, upper))
        } else {
            (lower, upper)
        }
    };
    let (from, to) = (0..count).map(side).unzip();
    made(from, to)
}
