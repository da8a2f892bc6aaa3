//! Figures on a plane: `box`, `circle`, `line`, `lseg`, `path`, `polygon`, and what `point` does with them.

mod computed;
mod plane;

use rusqlite::types::Value;

pub use self::computed::convert;
use self::computed::{
    apart_by_sides, around, beside, center_of, circle, circle_contains, circle_from_polygon, converted,
    corners, count, divisor, found, from_box, from_points, from_polygon, height, in_circle, is_closed,
    length, moved_box, moved_circle, moved_path, moved_point, number, on_path, over, pair_of_points, part,
    part_length, perpendicular, point, points, polygon_of, same_part, sized, times, whole_line, width,
};
pub(crate) use self::computed::{number_at, point_at};
pub(crate) use self::plane::apart;
use super::text::{own, truth};
use super::{Arguments, Function};
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;
use sim_values::value::figure::{self, line, print_box, print_circle, print_line, print_points, same, slope};

const P: Type = Type::POINT;
const B: Type = Type::BOX;
const C: Type = Type::CIRCLE;
const L: Type = Type::LINE;
const S: Type = Type::LSEG;
const W: Type = Type::PATH;
const G: Type = Type::POLYGON;
const F: Type = Type::FLOAT8;
const I: Type = Type::INT4;
const BOOL: Type = Type::BOOL;

/// A row with a symbol or a name.
const fn row(
    name: &'static str,
    arguments: &'static [Type],
    returns: Type,
    call: fn(&Arguments<'_, '_>) -> Result<Value>,
) -> Function {
    Function::rust(name, arguments, returns, call)
}

/// Questions about a pair of figures, which have the same answers for their operators and functions.
const fn asks(
    name: &'static str,
    arguments: &'static [Type],
    call: fn(&Arguments<'_, '_>) -> Result<Value>,
) -> Function {
    Function::rust(name, arguments, BOOL, call)
}

/// How a figure becomes another one, by a function or a cast.
pub(super) static MADE: &[Function] =
    &[
        row("box", &[P, P], B, |a| own(print_box(point(a, 0), point(a, 1)))),
        row("box", &[P], B, |a| converted(a, P, B)),
        row("box", &[C], B, |a| converted(a, C, B)),
        row("box", &[G], B, |a| converted(a, G, B)),
        row("bound_box", &[B, B], B, |a| {
            let (one, other) = (corners(a, 0), corners(a, 1));
            let (high, low) = plane::corners_of(&[one.0, one.1, other.0, other.1]);
            own(print_box(high, low))
        }),
        row("circle", &[P, F], C, |a| own(print_circle(point(a, 0), a.real(1)))),
        row("circle", &[B], C, |a| converted(a, B, C)),
        row("circle", &[G], C, |a| converted(a, G, C)),
        row("line", &[P, P], L, |a| {
            let (from, to) = (point(a, 0), point(a, 1));
            if plane::same_point(from, to) {
                let message = "invalid line specification: must be two distinct points";
                return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
            }
            own(print_line(line(from, slope(from, to))))
        }),
        row("lseg", &[P, P], S, |a| own(print_points('[', &[point(a, 0), point(a, 1)], ']'))),
        row("lseg", &[B], S, |a| converted(a, B, S)),
        row("diagonal", &[B], S, |a| converted(a, B, S)),
        row("path", &[G], W, |a| converted(a, G, W)),
        row("pclose", &[W], W, |a| own(print_points('(', &points(a, 0)?, ')'))),
        row("popen", &[W], W, |a| own(print_points('[', &points(a, 0)?, ']'))),
        row("point", &[B], P, |a| converted(a, B, P)),
        row("point", &[C], P, |a| converted(a, C, P)),
        row("point", &[S], P, |a| converted(a, S, P)),
        row("point", &[G], P, |a| converted(a, G, P)),
        row("center", &[B], P, |a| converted(a, B, P)),
        row("center", &[C], P, |a| converted(a, C, P)),
        row("@@", &[B], P, |a| converted(a, B, P)),
        row("@@", &[C], P, |a| converted(a, C, P)),
        row("@@", &[S], P, |a| converted(a, S, P)),
        row("@@", &[G], P, |a| converted(a, G, P)),
        row("polygon", &[B], G, |a| converted(a, B, G)),
        row("polygon", &[C], G, |a| converted(a, C, G)),
        row("polygon", &[W], G, |a| converted(a, W, G)),
        row("polygon", &[I, C], G, |a| {
            let count = a.int(0);
            a.budget().work(usize::try_from(count).unwrap_or(0).saturating_mul(10))?;
            own(polygon_of(count, circle(a.text(1)))?)
        }),
        row("+", &[P, P], P, |a| moved_point(a, |one, by| (one.0 + by.0, one.1 + by.1))),
        row("-", &[P, P], P, |a| moved_point(a, |one, by| (one.0 - by.0, one.1 - by.1))),
        row("*", &[P, P], P, |a| moved_point(a, times)),
        row("/", &[P, P], P, |a| divisor(a).and_then(|()| moved_point(a, over))),
        row("+", &[B, P], B, |a| moved_box(a, |one, by| (one.0 + by.0, one.1 + by.1))),
        row("-", &[B, P], B, |a| moved_box(a, |one, by| (one.0 - by.0, one.1 - by.1))),
        row("*", &[B, P], B, |a| moved_box(a, times)),
        row("/", &[B, P], B, |a| divisor(a).and_then(|()| moved_box(a, over))),
        row("+", &[W, P], W, |a| moved_path(a, |one, by| (one.0 + by.0, one.1 + by.1))),
        row("-", &[W, P], W, |a| moved_path(a, |one, by| (one.0 - by.0, one.1 - by.1))),
        row("*", &[W, P], W, |a| moved_path(a, times)),
        row("/", &[W, P], W, |a| divisor(a).and_then(|()| moved_path(a, over))),
        row("+", &[C, P], C, |a| moved_circle(a, |one, by| (one.0 + by.0, one.1 + by.1), |r, _| r)),
        row("-", &[C, P], C, |a| moved_circle(a, |one, by| (one.0 - by.0, one.1 - by.1), |r, _| r)),
        row("*", &[C, P], C, |a| moved_circle(a, times, |r, by| r * plane::length(by.0, by.1))),
        row("/", &[C, P], C, |a| {
            divisor(a).and_then(|()| moved_circle(a, over, |r, by| r / plane::length(by.0, by.1)))
        }),
        row("+", &[W, W], W, |a| {
            if is_closed(a, 0) || is_closed(a, 1) {
                return Ok(Value::Null);
            }
            own(print_points('[', &[points(a, 0)?, points(a, 1)?].concat(), ']'))
        }),
        row("#", &[B, B], B, |a| {
            let (one, other) = (corners(a, 0), corners(a, 1));
            if !plane::boxes_overlap(one, other) {
                return Ok(Value::Null);
            }
            let high = (one.0.0.min(other.0.0), one.0.1.min(other.0.1));
            own(print_box(high, (one.1.0.max(other.1.0), one.1.1.max(other.1.1))))
        }),
        row("#", &[L, L], P, |a| found(plane::crossing(whole_line(a, 0), whole_line(a, 1)))),
        row("#", &[S, S], P, |a| found(plane::meets(part(a, 0), part(a, 1)))),
        row("##", &[P, S], P, |a| found(Some(plane::nearest(part(a, 1), point(a, 0))))),
        row("##", &[P, L], P, |a| found(Some(plane::nearest_on_line(point(a, 0), whole_line(a, 1))))),
        row("##", &[P, B], P, |a| {
            let (to, corners) = (point(a, 0), corners(a, 1));
            if plane::in_box(corners, to) {
                return found(Some(to));
            }
            let nearest = plane::sides_of_box(corners).map(|side| plane::nearest(side, to));
            found(nearest.into_iter().reduce(|best, next| {
                if plane::apart(next, to) < plane::apart(best, to) { next } else { best }
            }))
        }),
    ];

/// Numbers of figures.
pub(super) static MEASURED: &[Function] = &[
    row("area", &[B], F, |a| number(width(a) * height(a))),
    row("area", &[C], F, |a| number(circle(a.text(0)).1.powi(2) * std::f64::consts::PI)),
    row("area", &[W], F, |a| {
        if !is_closed(a, 0) {
            return Ok(Value::Null);
        }
        let turns = plane::sides(&points(a, 0)?, true);
        // The side from the last point to the first comes last in PostgreSQL too.
        let area: f64 = turns.into_iter().map(|(from, to)| from.0 * to.1 - from.1 * to.0).sum();
        number(area.abs() / 2.0)
    }),
    row("width", &[B], F, |a| number(width(a))),
    row("height", &[B], F, |a| number(height(a))),
    row("diameter", &[C], F, |a| number(circle(a.text(0)).1 * 2.0)),
    row("radius", &[C], F, |a| number(circle(a.text(0)).1)),
    row("length", &[S], F, length),
    row("length", &[W], F, length),
    row("@-@", &[S], F, length),
    row("@-@", &[W], F, length),
    row("slope", &[P, P], F, |a| number(slope(point(a, 0), point(a, 1)))),
    row("npoints", &[W], I, count),
    row("npoints", &[G], I, count),
    row("#", &[W], I, count),
    row("#", &[G], I, count),
    row("<->", &[B, B], F, |a| number(plane::apart(center_of(corners(a, 0)), center_of(corners(a, 1))))),
    row("<->", &[C, C], F, |a| {
        let ((one, r1), (other, r2)) = (circle(a.text(0)), circle(a.text(1)));
        number((plane::apart(one, other) - (r1 + r2)).max(0.0))
    }),
    row("<->", &[C, P], F, |a| number(around(circle(a.text(0)), point(a, 1)))),
    row("<->", &[P, C], F, |a| number(around(circle(a.text(1)), point(a, 0)))),
    row("<->", &[B, P], F, |a| number(plane::box_apart(corners(a, 0), point(a, 1)))),
    row("<->", &[P, B], F, |a| number(plane::box_apart(corners(a, 1), point(a, 0)))),
    row("<->", &[P, L], F, |a| number(plane::from_line(point(a, 0), whole_line(a, 1)))),
    row("<->", &[L, P], F, |a| number(plane::from_line(point(a, 1), whole_line(a, 0)))),
    row("<->", &[P, S], F, |a| number(plane::from_part(point(a, 0), part(a, 1)))),
    row("<->", &[S, P], F, |a| number(plane::from_part(point(a, 1), part(a, 0)))),
    row("<->", &[S, S], F, |a| number(plane::parts_apart(part(a, 0), part(a, 1)))),
    row("<->", &[S, L], F, |a| number(plane::part_from_line(part(a, 0), whole_line(a, 1)))),
    row("<->", &[L, S], F, |a| number(plane::part_from_line(part(a, 1), whole_line(a, 0)))),
    row("<->", &[S, B], F, |a| number(from_box(part(a, 0), corners(a, 1)))),
    row("<->", &[B, S], F, |a| number(from_box(part(a, 1), corners(a, 0)))),
    row("<->", &[L, L], F, |a| {
        let (one, other) = (whole_line(a, 0), whole_line(a, 1));
        if plane::crossing(one, other).is_some() {
            return number(0.0);
        }
        let ratio = if !plane::zero(one[0]) && !plane::zero(other[0]) {
            one[0] / other[0]
        } else if !plane::zero(one[1]) && !plane::zero(other[1]) {
            one[1] / other[1]
        } else {
            1.0
        };
        number((one[2] - ratio * other[2]).abs() / plane::length(one[0], one[1]))
    }),
    row("<->", &[W, P], F, |a| from_points(a, 1, 0, is_closed(a, 0))),
    row("<->", &[P, W], F, |a| from_points(a, 0, 1, is_closed(a, 1))),
    row("<->", &[G, P], F, |a| from_polygon(a, point(a, 1), 0)),
    row("<->", &[P, G], F, |a| from_polygon(a, point(a, 0), 1)),
    row("<->", &[C, G], F, |a| circle_from_polygon(a, 0, 1)),
    row("<->", &[G, C], F, |a| circle_from_polygon(a, 1, 0)),
    row("<->", &[W, W], F, |a| apart_by_sides(a, is_closed(a, 0), is_closed(a, 1))),
    row("<->", &[G, G], F, |a| {
        let (one, other) = pair_of_points(a)?;
        if plane::polygons_overlap(&one, &other) { number(0.0) } else { apart_by_sides(a, true, true) }
    }),
];

macro_rules! placed {
    ($type:expr, $corners:expr) => {
        &[
            asks("<<", &[$type, $type], |a| beside(a, $corners, |a, b| plane::less(a.0.0, b.1.0))),
            asks("&<", &[$type, $type], |a| beside(a, $corners, |a, b| plane::at_most(a.0.0, b.0.0))),
            asks("&>", &[$type, $type], |a| beside(a, $corners, |a, b| plane::at_most(b.1.0, a.1.0))),
            asks(">>", &[$type, $type], |a| beside(a, $corners, |a, b| plane::less(b.0.0, a.1.0))),
            asks("<<|", &[$type, $type], |a| beside(a, $corners, |a, b| plane::less(a.0.1, b.1.1))),
            asks("&<|", &[$type, $type], |a| beside(a, $corners, |a, b| plane::at_most(a.0.1, b.0.1))),
            asks("|&>", &[$type, $type], |a| beside(a, $corners, |a, b| plane::at_most(b.1.1, a.1.1))),
            asks("|>>", &[$type, $type], |a| beside(a, $corners, |a, b| plane::less(b.0.1, a.1.1))),
        ]
    };
}

/// Where figures lie by their corners.
pub(super) static BOXES_PLACED: &[Function] = placed!(B, |a, at| Ok(corners(a, at)));
pub(super) static CIRCLES_PLACED: &[Function] = placed!(C, |a, at| {
    let ((x, y), radius) = circle(a.text(at));
    Ok(((x + radius, y + radius), (x - radius, y - radius)))
});
pub(super) static POLYGONS_PLACED: &[Function] = placed!(G, |a, at| Ok(plane::corners_of(&points(a, at)?)));

/// Questions.
pub(super) static ASKED: &[Function] = &[
    asks("<<", &[P, P], |a| truth(plane::less(point(a, 0).0, point(a, 1).0))),
    asks(">>", &[P, P], |a| truth(plane::less(point(a, 1).0, point(a, 0).0))),
    asks("<<|", &[P, P], |a| truth(plane::less(point(a, 0).1, point(a, 1).1))),
    asks("|>>", &[P, P], |a| truth(plane::less(point(a, 1).1, point(a, 0).1))),
    asks("<^", &[P, P], |a| truth(plane::less(point(a, 0).1, point(a, 1).1))),
    asks(">^", &[P, P], |a| truth(plane::less(point(a, 1).1, point(a, 0).1))),
    asks("&&", &[B, B], |a| truth(plane::boxes_overlap(corners(a, 0), corners(a, 1)))),
    asks("?#", &[B, B], |a| truth(plane::boxes_overlap(corners(a, 0), corners(a, 1)))),
    asks("&&", &[C, C], |a| {
        let ((one, r1), (other, r2)) = (circle(a.text(0)), circle(a.text(1)));
        truth(plane::at_most(plane::apart(one, other), r1 + r2))
    }),
    asks("&&", &[G, G], |a| {
        let (one, other) = pair_of_points(a)?;
        truth(plane::polygons_overlap(&one, &other))
    }),
    asks("~=", &[P, P], |a| truth(plane::same_point(point(a, 0), point(a, 1)))),
    asks("~=", &[B, B], |a| {
        let (one, other) = (corners(a, 0), corners(a, 1));
        truth(plane::same_point(one.0, other.0) && plane::same_point(one.1, other.1))
    }),
    asks("~=", &[C, C], |a| {
        let ((one, r1), (other, r2)) = (circle(a.text(0)), circle(a.text(1)));
        truth(same(r1, r2) && plane::same_point(one, other))
    }),
    asks("~=", &[G, G], |a| {
        let (one, other) = pair_of_points(a)?;
        truth(plane::same_polygon(&one, &other))
    }),
    asks("@>", &[B, B], |a| truth(plane::box_contains(corners(a, 0), corners(a, 1)))),
    asks("<@", &[B, B], |a| truth(plane::box_contains(corners(a, 1), corners(a, 0)))),
    asks("@>", &[B, P], |a| truth(plane::in_box(corners(a, 0), point(a, 1)))),
    asks("<@", &[P, B], |a| truth(plane::in_box(corners(a, 1), point(a, 0)))),
    asks("@>", &[C, C], |a| circle_contains(a, 0, 1)),
    asks("<@", &[C, C], |a| circle_contains(a, 1, 0)),
    asks("@>", &[C, P], |a| truth(in_circle(circle(a.text(0)), point(a, 1)))),
    asks("<@", &[P, C], |a| truth(in_circle(circle(a.text(1)), point(a, 0)))),
    asks("@>", &[G, P], |a| truth(plane::inside(point(a, 1), &points(a, 0)?))),
    asks("<@", &[P, G], |a| truth(plane::inside(point(a, 0), &points(a, 1)?))),
    asks("@>", &[G, G], |a| {
        let (one, other) = pair_of_points(a)?;
        truth(plane::polygon_contains(&one, &other))
    }),
    asks("<@", &[G, G], |a| {
        let (one, other) = pair_of_points(a)?;
        truth(plane::polygon_contains(&other, &one))
    }),
    asks("@>", &[W, P], |a| on_path(a, 0, 1)),
    asks("<@", &[P, W], |a| on_path(a, 1, 0)),
    asks("<@", &[P, L], |a| truth(plane::on_line(whole_line(a, 1), point(a, 0)))),
    asks("<@", &[P, S], |a| truth(plane::has_point(part(a, 1), point(a, 0)))),
    asks("<@", &[S, L], |a| {
        let (part, line) = (part(a, 0), whole_line(a, 1));
        truth(plane::on_line(line, part.0) && plane::on_line(line, part.1))
    }),
    asks("<@", &[S, B], |a| {
        let (part, corners) = (part(a, 0), corners(a, 1));
        truth(plane::in_box(corners, part.0) && plane::in_box(corners, part.1))
    }),
    asks("<^", &[B, B], |a| truth(plane::at_most(corners(a, 0).0.1, corners(a, 1).1.1))),
    asks(">^", &[B, B], |a| truth(plane::at_most(corners(a, 1).0.1, corners(a, 0).1.1))),
    asks("?#", &[S, S], |a| truth(plane::meets(part(a, 0), part(a, 1)).is_some())),
    asks("?#", &[L, L], |a| truth(plane::crossing(whole_line(a, 0), whole_line(a, 1)).is_some())),
    asks("?#", &[S, L], |a| truth(plane::meets_line(part(a, 0), whole_line(a, 1)).is_some())),
    asks("?#", &[S, B], |a| truth(plane::meets_box(part(a, 0), corners(a, 1)))),
    asks("?#", &[L, B], |a| {
        let line = whole_line(a, 0);
        let mut sides = plane::sides_of_box(corners(a, 1)).into_iter();
        truth(sides.any(|side| plane::meets_line(side, line).is_some()))
    }),
    asks("?#", &[W, W], |a| {
        let (one, other) = pair_of_points(a)?;
        let others = plane::sides(&other, is_closed(a, 1));
        let mut sides = plane::sides(&one, is_closed(a, 0)).into_iter();
        truth(sides.any(|side| others.iter().any(|other| plane::meets(side, *other).is_some())))
    }),
    asks("?-", &[S], |a| truth(same(part(a, 0).0.1, part(a, 0).1.1))),
    asks("ishorizontal", &[S], |a| truth(same(part(a, 0).0.1, part(a, 0).1.1))),
    asks("?-", &[L], |a| truth(plane::zero(whole_line(a, 0)[0]))),
    asks("ishorizontal", &[L], |a| truth(plane::zero(whole_line(a, 0)[0]))),
    asks("?-", &[P, P], |a| truth(same(point(a, 0).1, point(a, 1).1))),
    asks("ishorizontal", &[P, P], |a| truth(same(point(a, 0).1, point(a, 1).1))),
    asks("?|", &[S], |a| truth(same(part(a, 0).0.0, part(a, 0).1.0))),
    asks("isvertical", &[S], |a| truth(same(part(a, 0).0.0, part(a, 0).1.0))),
    asks("?|", &[L], |a| truth(plane::zero(whole_line(a, 0)[1]))),
    asks("isvertical", &[L], |a| truth(plane::zero(whole_line(a, 0)[1]))),
    asks("?|", &[P, P], |a| truth(same(point(a, 0).0, point(a, 1).0))),
    asks("isvertical", &[P, P], |a| truth(same(point(a, 0).0, point(a, 1).0))),
    asks("?||", &[S, S], |a| truth(same(plane::slope_of(part(a, 0)), plane::slope_of(part(a, 1))))),
    asks("isparallel", &[S, S], |a| truth(same(plane::slope_of(part(a, 0)), plane::slope_of(part(a, 1))))),
    asks("?||", &[L, L], |a| truth(plane::crossing(whole_line(a, 0), whole_line(a, 1)).is_none())),
    asks("isparallel", &[L, L], |a| truth(plane::crossing(whole_line(a, 0), whole_line(a, 1)).is_none())),
    asks("?-|", &[S, S], |a| truth(same(plane::slope_of(part(a, 0)), plane::across(part(a, 1))))),
    asks("isperp", &[S, S], |a| truth(same(plane::slope_of(part(a, 0)), plane::across(part(a, 1))))),
    asks("?-|", &[L, L], |a| truth(perpendicular(whole_line(a, 0), whole_line(a, 1)))),
    asks("isperp", &[L, L], |a| truth(perpendicular(whole_line(a, 0), whole_line(a, 1)))),
    asks("isclosed", &[W], |a| truth(is_closed(a, 0))),
    asks("isopen", &[W], |a| truth(!is_closed(a, 0))),
];

macro_rules! compared {
    ($type:expr, $size:expr) => {
        &[
            asks("=", &[$type, $type], |a| sized(a, $size, same)),
            asks("<", &[$type, $type], |a| sized(a, $size, plane::less)),
            asks("<=", &[$type, $type], |a| sized(a, $size, plane::at_most)),
            asks(">", &[$type, $type], |a| sized(a, $size, |a, b| plane::less(b, a))),
            asks(">=", &[$type, $type], |a| sized(a, $size, |a, b| plane::at_most(b, a))),
        ]
    };
}

/// Comparisons by size: of areas, and of the number of points.
pub(super) static BOXES_COMPARED: &[Function] = compared!(B, |a, at| {
    let (high, low) = corners(a, at);
    (high.0 - low.0) * (high.1 - low.1)
});
pub(super) static CIRCLES_COMPARED: &[Function] =
    compared!(C, |a, at| circle(a.text(at)).1.powi(2) * std::f64::consts::PI);
pub(super) static PATHS_COMPARED: &[Function] = compared!(W, |a, at| figure::points(a.text(at)).len() as f64);

/// Comparisons of other kinds.
pub(super) static COMPARED: &[Function] = &[
    asks("<>", &[P, P], |a| truth(!plane::same_point(point(a, 0), point(a, 1)))),
    asks("<>", &[C, C], |a| {
        let area = |at| circle(a.text(at)).1.powi(2) * std::f64::consts::PI;
        truth(!same(area(0), area(1)))
    }),
    asks("=", &[S, S], |a| truth(same_part(part(a, 0), part(a, 1)))),
    asks("<>", &[S, S], |a| truth(!same_part(part(a, 0), part(a, 1)))),
    asks("<", &[S, S], |a| sized(a, part_length, plane::less)),
    asks("<=", &[S, S], |a| sized(a, part_length, plane::at_most)),
    asks(">", &[S, S], |a| sized(a, part_length, |a, b| plane::less(b, a))),
    asks(">=", &[S, S], |a| sized(a, part_length, |a, b| plane::at_most(b, a))),
    asks("=", &[L, L], |a| {
        let (one, other) = (whole_line(a, 0), whole_line(a, 1));
        let at = (0..3).find(|at| !plane::zero(other[*at]));
        let ratio = at.map_or(1.0, |at| one[at] / other[at]);
        truth((0..3).all(|at| same(one[at], ratio * other[at])))
    }),
];
