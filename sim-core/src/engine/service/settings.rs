//! Refuses a policy with a value that can't be. The bounds are declared on the fields of [`Policy`], where documents find them, too.

use std::sync::LazyLock;

use schemars::JsonSchema as _;
use serde_json::Value;
use sim_base::Edition;
use sim_base::error::Error;
use sim_base::policy::Policy;

use super::contract::compile;
use super::node::Node;

static SCHEMA: LazyLock<Node> = LazyLock::new(|| compile(Edition::TODAY, Policy::json_schema));

/// Refuses a value out of bounds, and names its field.
pub(crate) fn check(policy: &Policy) -> Result<(), Error> {
    if *policy == Policy::default() {
        return Ok(());
    }
    let mut values = serde_json::to_value(policy).expect("a policy is plain data");
    adapt(&mut values);
    match SCHEMA.validate(&values).list().first() {
        None => Ok(()),
        Some(problem) => {
            let reason = format!("invalid_policy.{}", problem.field);
            Err(Error::invalid(reason, format!("policy.{}", problem.message)))
        }
    }
}

/// Validation reads signed numbers, and a field that is not there is absent for it. A greater number means that there is no limit.
fn adapt(value: &mut Value) {
    match value {
        Value::Number(number) if number.as_i64().is_none() && number.is_u64() => *value = i64::MAX.into(),
        Value::Array(list) => list.iter_mut().for_each(adapt),
        Value::Object(fields) => {
            fields.retain(|_, field| !field.is_null());
            fields.values_mut().for_each(adapt);
        }
        _ => {}
    }
}
