//! `to_char` of numbers, and `to_number`.

use rusqlite::types::Value;
use sim_values::decimal::Decimal;
use sim_values::number_template::Template;

use super::text::own;
use super::{Arguments, Function};
use sim_values::error::Result;
use sim_values::types::Type;
use sim_values::value::numeric;

pub(super) static FUNCTIONS: &[Function] = &[
    Function::rust("to_char", &[Type::INT4, Type::TEXT], Type::TEXT, |a| print(a, &Decimal::whole(a.int(0)))),
    Function::rust("to_char", &[Type::INT8, Type::TEXT], Type::TEXT, |a| print(a, &Decimal::whole(a.int(0)))),
    Function::rust("to_char", &[Type::NUMERIC, Type::TEXT], Type::TEXT, |a| {
        print(a, &Decimal::read(a.text(0))?)
    }),
    Function::rust("to_char", &[Type::FLOAT8, Type::TEXT], Type::TEXT, |a| {
        print(a, &Decimal::from_float(a.real(0))?)
    }),
    Function::rust("to_number", &[Type::TEXT, Type::TEXT], Type::NUMERIC, |a| {
        let number = template(a)?.number(a.text(0))?;
        Ok(numeric::parse(&number).map_or(Value::Null, Value::Text))
    }),
];

fn print(a: &Arguments<'_, '_>, number: &Decimal) -> Result<Value> {
    own(template(a)?.print(number))
}

fn template(a: &Arguments<'_, '_>) -> Result<Template> {
    a.budget().make(Template::size(a.text(1)))?;
    Template::read(a.text(1))
}
