//! Functions, operators and aggregates of the extension `vector`.

use rusqlite::types::Value;

use super::text::own;
use super::{Accumulator, Arguments, Function};
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;
use sim_values::value::sparse::Sparse;
use sim_values::value::vector::{self, data_error};

const F8: Type = Type::FLOAT8;
const V: Type = Type::VECTOR;
const H: Type = Type::HALFVEC;
const S: Type = Type::SPARSEVEC;

type Measure = fn(&[f32], &[f32]) -> f64;

/// The distances of one type of vectors.
macro_rules! distances {
    ($v:ident) => {
        [
            Function::rust("<->", &[$v, $v], F8, |a| measure($v, a, l2)),
            Function::rust("<#>", &[$v, $v], F8, |a| measure($v, a, |left, right| -inner(left, right))),
            Function::rust("<=>", &[$v, $v], F8, |a| measure($v, a, cosine)),
            Function::rust("<+>", &[$v, $v], F8, |a| measure($v, a, l1)),
            Function::rust("l2_distance", &[$v, $v], F8, |a| measure($v, a, l2)),
            Function::rust("inner_product", &[$v, $v], F8, |a| measure($v, a, inner)),
            Function::rust("cosine_distance", &[$v, $v], F8, |a| measure($v, a, cosine)),
            Function::rust("l1_distance", &[$v, $v], F8, |a| measure($v, a, l1)),
        ]
    };
}

/// What else one type of vectors with all numbers has.
macro_rules! rows {
    ($v:ident) => {
        [
            Function::rust("+", &[$v, $v], $v, |a| combine($v, a, |left, right| left + right)),
            Function::rust("-", &[$v, $v], $v, |a| combine($v, a, |left, right| left - right)),
            Function::rust("*", &[$v, $v], $v, |a| combine($v, a, |left, right| left * right)),
            Function::rust("||", &[$v, $v], $v, |a| finished($v, [read(a, 0)?, read(a, 1)?].concat())),
            Function::rust("vector_dims", &[$v], Type::INT4, |a| {
                Ok(Value::Integer(i64::try_from(read(a, 0)?.len()).unwrap_or(0)))
            }),
            Function::rust("binary_quantize", &[$v], Type::BIT, |a| {
                own(read(a, 0)?.iter().map(|item| if *item > 0.0 { '1' } else { '0' }).collect())
            }),
            Function::rust("l2_normalize", &[$v], $v, normalize_of::<{ $v.0 }>),
            Function::rust("subvector", &[$v, Type::INT4, Type::INT4], $v, |a| part($v, a)),
            Function::aggregate("sum", &[$v], $v, || Box::new(Total::of($v, false))),
            Function::aggregate("avg", &[$v], $v, || Box::new(Total::of($v, true))),
        ]
    };
}

pub(super) static FUNCTIONS: &[Function] = &rows!(V);
pub(super) static HALF: &[Function] = &rows!(H);
pub(super) static DISTANCES: &[Function] = &distances!(V);
pub(super) static HALF_DISTANCES: &[Function] = &distances!(H);
pub(super) static SPARSE_DISTANCES: &[Function] = &distances!(S);
pub(super) static NORMS: &[Function] = &[
    Function::rust("hamming_distance", &[Type::BIT, Type::BIT], F8, hamming).of_extension("vector"),
    Function::rust("<~>", &[Type::BIT, Type::BIT], F8, hamming).of_extension("vector"),
    Function::rust("jaccard_distance", &[Type::BIT, Type::BIT], F8, jaccard).of_extension("vector"),
    Function::rust("<%>", &[Type::BIT, Type::BIT], F8, jaccard).of_extension("vector"),
    Function::rust("vector_norm", &[V], F8, |a| Ok(Value::Real(norm(&read(a, 0)?)))),
    Function::rust("l2_norm", &[H], F8, |a| Ok(Value::Real(norm(&read(a, 0)?)))),
    Function::rust("l2_norm", &[S], F8, |a| Ok(Value::Real(norm(&numbers(&sparse(a, 0)?))))),
    Function::rust("l2_normalize", &[S], S, normalize_sparse),
];

/// Two strings of bits of the same length.
fn bits<'a>(a: &'a Arguments<'_, '_>) -> Result<impl Iterator<Item = (bool, bool)> + 'a> {
    let (left, right) = (a.text(0), a.text(1));
    if left.len() != right.len() {
        return Err(data_error(format!("different bit lengths {} and {}", left.len(), right.len())));
    }
    Ok(left.bytes().zip(right.bytes()).map(|(left, right)| (left == b'1', right == b'1')))
}

fn hamming(a: &Arguments<'_, '_>) -> Result<Value> {
    Ok(Value::Real(bits(a)?.filter(|(left, right)| left != right).count() as f64))
}

fn jaccard(a: &Arguments<'_, '_>) -> Result<Value> {
    let (mut both, mut any) = (0_u32, 0_u32);
    for (left, right) in bits(a)? {
        both += u32::from(left && right);
        any += u32::from(left || right);
    }
    Ok(Value::Real(if both == 0 { 1.0 } else { 1.0 - f64::from(both) / f64::from(any) }))
}

fn read(a: &Arguments<'_, '_>, index: usize) -> Result<Vec<f32>> {
    a.budget().work(a.text(index).len() / 4)?;
    Ok(vector::read(a.text(index)))
}

fn finished(type_: Type, items: Vec<f32>) -> Result<Value> {
    own(vector::print(&vector::checked(type_, items)?))
}

fn sparse(a: &Arguments<'_, '_>, index: usize) -> Result<Sparse> {
    a.budget().work(a.text(index).len() / 4)?;
    Ok(Sparse::read(a.text(index)))
}

fn numbers(vector: &Sparse) -> Vec<f32> {
    vector.numbers.iter().map(|(_, number)| *number).collect()
}

/// The numbers of two vectors of the same length, without places where both are zero if only the other numbers are kept.
fn pair(type_: Type, a: &Arguments<'_, '_>) -> Result<(Vec<f32>, Vec<f32>)> {
    if type_ == S {
        let (left, right) = (sparse(a, 0)?, sparse(a, 1)?);
        same_length(type_, left.dimensions, right.dimensions)?;
        return Ok(left.side_by_side(&right));
    }
    let (left, right) = (read(a, 0)?, read(a, 1)?);
    same_length(type_, left.len(), right.len())?;
    Ok((left, right))
}

fn same_length(type_: Type, left: usize, right: usize) -> Result<()> {
    if left == right {
        return Ok(());
    }
    let name = type_.builtin().map_or("vector", |builtin| builtin.name);
    Err(data_error(format!("different {name} dimensions {left} and {right}")))
}

fn measure(type_: Type, a: &Arguments<'_, '_>, measure: Measure) -> Result<Value> {
    let (left, right) = pair(type_, a)?;
    let measured = measure(&left, &right);
    if measured.is_nan() {
        return Err(SqlError::unsupported("the floating-point value NaN"));
    }
    Ok(Value::Real(measured))
}

// The extension adds up in single precision.

fn l2(left: &[f32], right: &[f32]) -> f64 {
    let squares = left.iter().zip(right).fold(0_f32, |sum, (a, b)| sum + (a - b) * (a - b));
    f64::from(squares).sqrt()
}

fn inner(left: &[f32], right: &[f32]) -> f64 {
    f64::from(left.iter().zip(right).fold(0_f32, |sum, (a, b)| sum + a * b))
}

fn l1(left: &[f32], right: &[f32]) -> f64 {
    f64::from(left.iter().zip(right).fold(0_f32, |sum, (a, b)| sum + (a - b).abs()))
}

fn cosine(left: &[f32], right: &[f32]) -> f64 {
    let similarity = inner(left, right) / (inner(left, left) * inner(right, right)).sqrt();
    1.0 - similarity.clamp(-1.0, 1.0)
}

fn norm(items: &[f32]) -> f64 {
    items.iter().fold(0_f64, |sum, item| sum + f64::from(*item) * f64::from(*item)).sqrt()
}

fn combine(type_: Type, a: &Arguments<'_, '_>, combine: fn(f32, f32) -> f32) -> Result<Value> {
    let (left, right) = pair(type_, a)?;
    let items: Vec<f32> = left.into_iter().zip(right).map(|(left, right)| combine(left, right)).collect();
    if items.iter().any(|item| !item.is_finite()) {
        return Err(SqlError::new(SqlState::OUT_OF_RANGE, "value out of range: overflow"));
    }
    finished(type_, items)
}

fn normalize_of<const TYPE: u32>(a: &Arguments<'_, '_>) -> Result<Value> {
    let items = read(a, 0)?;
    let norm = norm(&items);
    let items = items.into_iter().map(|item| if norm > 0.0 { (f64::from(item) / norm) as f32 } else { 0.0 });
    finished(Type(TYPE), items.collect())
}

fn normalize_sparse(a: &Arguments<'_, '_>) -> Result<Value> {
    let mut vector = sparse(a, 0)?;
    let norm = norm(&numbers(&vector));
    for (_, number) in &mut vector.numbers {
        *number = (f64::from(*number) / norm) as f32;
    }
    vector.numbers.retain(|(_, number)| *number != 0.0);
    own(vector.to_string())
}

fn part(type_: Type, a: &Arguments<'_, '_>) -> Result<Value> {
    let items = read(a, 0)?;
    let end = a
        .int(1)
        .saturating_add(a.int(2))
        .saturating_sub(1)
        .min(i64::try_from(items.len()).unwrap_or(i64::MAX));
    let start = a.int(1).max(1);
    let count = usize::try_from(end - start + 1).unwrap_or(0);
    let skipped = usize::try_from(start - 1).unwrap_or(0);
    if a.int(2) < 1 || count == 0 {
        return finished(type_, Vec::new());
    }
    finished(type_, items.into_iter().skip(skipped).take(count).collect())
}

/// Adds up the vectors of a group.
struct Total {
    type_: Type,
    average: bool,
    sums: Vec<f64>,
    count: usize,
}

impl Total {
    fn of(type_: Type, average: bool) -> Total {
        Total { type_, average, sums: Vec::new(), count: 0 }
    }
}

impl Accumulator for Total {
    fn step(&mut self, a: &Arguments<'_, '_>) -> Result<()> {
        let items = read(a, 0)?;
        if self.count == 0 {
            self.sums = vec![0.0; items.len()];
        } else if self.average {
            let (expected, found) = (self.sums.len(), items.len());
            if expected != found {
                return Err(data_error(format!("expected {expected} dimensions, not {found}")));
            }
        }
        same_length(self.type_, self.sums.len(), items.len())?;
        for (sum, item) in self.sums.iter_mut().zip(items) {
            // Only the average is taken of sums in double precision.
            *sum = if self.average { *sum + f64::from(item) } else { f64::from(*sum as f32 + item) };
        }
        self.count += 1;
        Ok(())
    }

    fn value(&self) -> Result<Value> {
        if self.count == 0 {
            return Ok(Value::Null);
        }
        let divisor = if self.average { self.count as f64 } else { 1.0 };
        finished(self.type_, self.sums.iter().map(|sum| (sum / divisor) as f32).collect())
    }
}
