//! `to_char` of numbers and `to_number` in PostgreSQL's dialect.

use rusqlite::Result;
use rusqlite::types::{Value, ValueRef};
use sim_values::decimal::Decimal;
use sim_values::number_template::Template;

use super::{Arguments, Function, fail, refused};

pub(super) const FUNCTIONS: &[Function] =
    &[Function { name: "wh_number_format", call: print }, Function { name: "wh_to_number", call: to_number }];

fn print(a: &Arguments<'_, '_>) -> Result<Value> {
    let number = match a.value(0) {
        ValueRef::Integer(whole) => Decimal::whole(whole),
        _ if !a.real(0).is_finite() => {
            return fail("to_char of a number that is not finite is not supported");
        }
        // The shortest decimal digits of the number.
        _ => Decimal::read(&format!("{}", a.real(0))).map_err(refused)?,
    };
    Ok(template(a)?.print(&number).into())
}

fn to_number(a: &Arguments<'_, '_>) -> Result<Value> {
    let digits = template(a)?.number(a.text(0)).map_err(refused)?;
    if let Ok(whole) = digits.parse::<i64>() {
        return Ok(whole.into());
    }
    Ok(digits.parse::<f64>().map_or(Value::Null, Value::Real))
}

fn template(a: &Arguments<'_, '_>) -> Result<Template> {
    a.budget.make(Template::size(a.text(1))).map_err(refused)?;
    Template::read(a.text(1)).map_err(refused)
}
